//! What a promotion changes in kep.yaml and in the PRR file, and which promotions are refused. The sections that the new
//! stage requires are inserted afterwards, by the fix of `missing-section`.

use super::entry::{Form, get, set};
use crate::diagnostic::subject::Subject;
use crate::diagnostic::{Diagnostic, Failure, brief};
use crate::kep::Kep;
use crate::kep::field::Field;
use crate::kep::metadata::Metadata;
use crate::kep::review::entry;
use crate::kep::schema::FlawKind;
use crate::lint::report::KepReport;
use crate::mdtoc::Markers;
use crate::repository::Repository;
use crate::repository::verdict::Verdict;
use crate::rules::sections::missing_section;
use crate::source::SourceFile;
use crate::span::Span;
use crate::stage::{Release, Stage, Status};
use crate::suggest;
use crate::yaml::date::Date;
use std::sync::Arc;

/// What stands for a PRR approver until one is found.
pub const STAND_IN: &str = "@TBD";

/// The milestone of a later stage whose plan cannot be kept.
const UNPLANNED: &str = "TBD";

const TAKE_UP: &str = "set `status: implementable` if it is taken up again";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A stage, or another release at the same stage.
    Stage(Stage),
    Implemented,
}

impl Goal {
    /// The words that name a goal: those of the stages, and `implemented`.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Stage::words().chain([Status::Implemented.name()])
    }

    pub fn from_word(word: &str) -> Option<Self> {
        let is_implemented = word.eq_ignore_ascii_case(Status::Implemented.name());
        if is_implemented { Some(Self::Implemented) } else { Stage::from_word(word).map(Self::Stage) }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub goal: Goal,
    pub release: Release,
    /// Whether it may go from alpha to stable.
    pub skips_beta: bool,
    pub today: Date,
    pub repository: &'a Repository,
}

#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Promotion {
    pub metadata: String,
    /// The PRR file; `None` if it stays as it is.
    pub review: Option<ReviewText>,
    /// What changes in kep.yaml: "stage: alpha → beta".
    pub changes: Vec<String>,
    /// What an author should know, as sentences without a full stop.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReviewText {
    pub sig: String,
    pub name: String,
    /// Its path, as reports show it.
    pub path: String,
    /// `None` if it is new.
    pub before: Option<Arc<SourceFile>>,
    pub text: String,
}

/// The new texts of `kep`, which has its PRR files, or why it cannot be promoted.
pub fn promote(kep: &Kep, request: &Request<'_>) -> Result<Promotion, Failure> {
    let (metadata, file) = readable(kep)?;
    let readme = kep.texts.readme.file().map(|id| kep.texts.file(id));
    if let Some(readme) = readme.filter(|readme| readme.invalid_utf8.is_some()) {
        return Err(Failure::of("promote", &readme.path, "it is not UTF-8").help("save it as UTF-8"));
    }
    let (text, path) = (file.text.clone(), file.path.as_str());
    let mut writer = Writer { metadata, request, path, text, changes: Vec::new(), notes: Vec::new() };
    match request.goal {
        Goal::Stage(stage) => writer.move_to(stage)?,
        Goal::Implemented => writer.conclude()?,
    }
    if writer.changes.is_empty() {
        return Err(settled(request, &kep.texts.directory));
    }
    if !metadata.lacks("last-updated") {
        writer.set(&["last-updated"], &request.today.to_string())?;
    }
    let review = match request.goal {
        Goal::Stage(stage) => writer.review(kep, stage)?,
        Goal::Implemented => None,
    };
    Ok(Promotion { metadata: writer.text, review, changes: writer.changes, notes: writer.notes })
}

/// The failure for a KEP that is where it is to go.
fn settled(request: &Request<'_>, directory: &str) -> Failure {
    match request.goal {
        Goal::Stage(stage) => {
            let failure =
                Failure::of("promote", directory, &format!("it is at {stage} for {} already", request.release));
            failure.help("name a later stage, or a later release")
        }
        Goal::Implemented => Failure::of("promote", directory, "it is implemented already"),
    }
}

/// kep.yaml, if its values can be changed.
fn readable(kep: &Kep) -> Result<(&Metadata, &SourceFile), Failure> {
    let directory = &kep.texts.directory;
    let Some(metadata) = &kep.metadata else {
        let failure = Failure::of("promote", directory, "it has no kep.yaml that can be read");
        return Err(failure.help("add it, or fix what is wrong with it"));
    };
    let file = kep.texts.file(metadata.file);
    if file.invalid_utf8.is_some() {
        return Err(Failure::of("promote", directory, "kep.yaml is not UTF-8").help("save it as UTF-8"));
    }
    if let Some(problem) = metadata.tree.problems.first() {
        return Err(invalid(file, problem.span, &problem.message, problem.help.as_deref()));
    }
    if let Some(cut) = &metadata.front_matter.cut {
        let message = "a line with `---` ends what upstream reads of this file";
        return Err(invalid(file, Span::new(metadata.file, cut.clone()), message, Some("remove the `---`")));
    }
    let flaws = metadata.flaws.iter();
    let bad = flaws.filter(|flaw| match flaw.kind {
        FlawKind::DuplicateKey { .. } | FlawKind::NoKeys(_) => true,
        FlawKind::WrongType { key, .. } => ["stage", "status", "latest-milestone", "milestone"].contains(&key),
        FlawKind::UnknownKey { .. } | FlawKind::MissingKey(_) => false,
    });
    if let Some(flaw) = bad.min_by_key(|flaw| flaw.span.start) {
        return Err(invalid(file, flaw.span, &flaw.kind.message(), Some(&flaw.kind.help())));
    }
    Ok((metadata, file))
}

/// The failure for a file that cannot be changed because of what is at `span`.
fn invalid(file: &SourceFile, span: Span, problem: &str, help: Option<&str>) -> Failure {
    let reason = format!("line {}: {problem}", file.position(span.start).line);
    Failure::of("change", &file.path, &reason).help(help.unwrap_or("fix it first"))
}

/// The text of a kep.yaml while its values are set.
struct Writer<'a> {
    metadata: &'a Metadata,
    request: &'a Request<'a>,
    path: &'a str,
    text: String,
    changes: Vec<String>,
    notes: Vec<String>,
}

impl Writer<'_> {
    fn refused(&self, reason: &str, help: impl Into<String>) -> Failure {
        Failure::of("promote", self.path, reason).help(help)
    }

    /// Sets a value, unless it is there.
    fn set(&mut self, path: &[&str], value: &str) -> Result<(), Failure> {
        let before = get(&self.text, Form::Proposal, path);
        if before.as_deref() == Some(value) {
            return Ok(());
        }
        self.text = set(&self.text, Form::Proposal, path, value).map_err(|reason| {
            Failure::of("change", self.path, &reason)
                .help("change the file by hand, or write the value in a simpler form")
        })?;
        let key = path.join(".");
        self.changes.push(match before.filter(|before| !before.is_empty()) {
            Some(before) => format!("{key}: {} → {value}", brief(&before)),
            None => format!("{key}: {value}"),
        });
        Ok(())
    }

    fn move_to(&mut self, stage: Stage) -> Result<(), Failure> {
        let (metadata, release) = (self.metadata, self.request.release);
        let status = self.status()?;
        // What is withdrawn stays that until its feature is removed.
        let is_settled =
            status == Some(Status::Implementable) || status == Some(Status::Withdrawn) && stage.is_removal();
        match status {
            None | Some(Status::Provisional) => {}
            Some(_) if is_settled => {}
            Some(Status::Implemented) => {
                return Err(self.refused("the KEP is implemented", "set `status: implementable` if the work goes on"));
            }
            Some(closed) => return Err(self.refused(&format!("the KEP is {}", closed.name()), TAKE_UP)),
        }
        let current = metadata.stage();
        if let Some(current) = current.filter(|current| *current > stage) {
            return Err(self.refused(&format!("it is at {current}, which is after {stage}"), "name a later stage"));
        }
        let latest = metadata.milestone().filter(|latest| !latest.is_unknown());
        if let Some(latest) = latest.filter(|latest| *latest > release) {
            let reason = format!("its latest-milestone is {latest}, which is after {release}");
            return Err(self.refused(&reason, format!("use release {latest} or a later one")));
        }
        self.check_course(stage)?;
        if !is_settled {
            self.set(&["status"], Status::Implementable.name())?;
            let note = "`status: implementable` says that the approvers accept the KEP: have them approve the change";
            self.notes.push(note.to_owned());
        }
        self.set(&["stage"], stage.name())?;
        if metadata.milestone() != Some(release) {
            self.set(&["latest-milestone"], &release.to_string())?;
        }
        let begun = metadata.milestone_of(stage).and_then(|field| field.value).filter(|begun| !begun.is_unknown());
        let was_here = current == Some(stage) && is_settled;
        match begun.filter(|begun| was_here && *begun <= release) {
            Some(begun) if begun < release => self.notes.push(stay(metadata, stage, begun)),
            Some(_) => {}
            None => self.set(&["milestone", stage.name()], &release.to_string())?,
        }
        for (later, field) in metadata.milestones.iter().filter(|(later, _)| *later > stage) {
            let Some(planned) = field.value.filter(|planned| *planned < release && !planned.is_unknown()) else {
                continue;
            };
            self.set(&["milestone", later.name()], UNPLANNED)?;
            let plan = format!("{later} was planned for {planned}, which is before {release}");
            self.notes.push(format!("{plan}: write the new plan"));
        }
        Ok(())
    }

    /// Fails if the stages that the KEP has reached do not fit a promotion to `stage`. Notes what an author
    /// may not have meant.
    fn check_course(&mut self, stage: Stage) -> Result<(), Failure> {
        let (metadata, release) = (self.metadata, self.request.release);
        for earlier in Stage::ALL.into_iter().filter(|earlier| *earlier < stage) {
            let Some(field) = metadata.milestone_of(earlier) else { continue };
            match field.value.filter(|begun| !begun.is_unknown()) {
                Some(begun) if begun > release => {
                    let reason = format!("its milestone for {earlier} is {begun}, which is after {release}");
                    let help = format!("use release {begun} or a later one, or correct `milestone.{earlier}`");
                    return Err(self.refused(&reason, help));
                }
                Some(_) => {}
                // A feature can be removed without ever having been stable.
                None if field.text.trim().is_empty() || earlier.is_removal() != stage.is_removal() => {}
                None => self.notes.push(format!(
                    "`milestone.{earlier}` is `{}`, not a release: write the one that it was in, or remove the line",
                    brief(&field.text)
                )),
            }
        }
        let before = metadata.stage().filter(|current| *current < stage);
        if let Some(before) = before.filter(|before| reached(metadata, *before) == Some(release)) {
            let next = release.plus(1);
            self.notes.push(format!("{before} and {stage} are both {release}: is release {next} meant?"));
        }
        let has_beta = reached(metadata, Stage::Beta).is_some_and(|begun| begun <= release);
        if before == Some(Stage::Alpha) && stage == Stage::Stable && !has_beta && !self.request.skips_beta {
            let reason = format!("it was not in beta, which is before {stage}");
            return Err(self.refused(&reason, "promote it to beta first, or add `--skip-beta`"));
        }
        Ok(())
    }

    fn conclude(&mut self) -> Result<(), Failure> {
        let (metadata, release) = (self.metadata, self.request.release);
        match self.status()? {
            Some(Status::Implementable) => {}
            Some(Status::Implemented) => return Ok(()),
            other => {
                let name = other.map_or("not set", Status::name);
                let help = match other {
                    None | Some(Status::Provisional) => "promote it to its stages first",
                    Some(_) => TAKE_UP,
                };
                return Err(self.refused(&format!("its status is {name}, not implementable"), help));
            }
        }
        let stage = metadata.stage();
        if !stage.is_some_and(is_last) {
            let reason =
                stage.map_or("it has no stage".to_owned(), |stage| format!("its stage is {stage}, not stable"));
            let next = match stage {
                Some(stage) if stage.is_removal() => "promote it to `removed` first, once the feature is removed",
                _ => "promote it to `stable` first",
            };
            return Err(self.refused(&reason, next));
        }
        let is_known = |milestone: &Release| !milestone.is_unknown();
        let latest = metadata.milestone().filter(is_known);
        let ga = stage.and_then(|stage| metadata.milestone_of(stage)?.value).filter(is_known);
        match latest.max(ga) {
            None => Err(self.refused("it has no milestone", "set `latest-milestone` to the release of the GA")),
            Some(last) if last > release => {
                let reason = format!("its milestone is {last}, and the release under development is {release}");
                Err(self.refused(&reason, format!("wait for {last}, or use release {last}")))
            }
            Some(_) => self.set(&["status"], Status::Implemented.name()),
        }
    }

    /// The status; a misspelt one is refused, because it is not certain what is meant.
    fn status(&self) -> Result<Option<Status>, Failure> {
        match &self.metadata.status {
            Some(Field { value: None, text, .. }) if !text.is_empty() => {
                let help = suggest::help(text, &Status::ALL.map(Status::name));
                Err(self.refused(&format!("unknown status `{}`", brief(text)), help))
            }
            field => Ok(field.as_ref().and_then(|field| field.value)),
        }
    }

    /// The PRR file with an approver for `stage`; `None` if it has one, or needs none: what is withdrawn was reviewed before.
    fn review(&mut self, kep: &Kep, stage: Stage) -> Result<Option<ReviewText>, Failure> {
        let (metadata, repository) = (self.metadata, self.request.repository);
        let has_reviews = repository.has_groups && repository.reviews.is_some();
        if !has_reviews || metadata.status() == Some(Status::Withdrawn) {
            return Ok(None);
        }
        let Some((sig, number)) = kep.owner.as_ref().zip(metadata.number.as_ref()) else {
            self.notes.push("the PRR file is not written: kep.yaml lacks `owning-sig` or `kep-number`".to_owned());
            return Ok(None);
        };
        // Both are parts of a path.
        let is_name =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_name(sig) || !is_name(&number.text) {
            self.notes.push("the PRR file is not written: `owning-sig` and `kep-number` do not name one".to_owned());
            return Ok(None);
        }
        let before = kep.review.as_ref().map(|written| kep.texts.file(written.file));
        let with = |text: String| {
            let new = || format!("{}/{sig}/{}.yaml", repository.reviews_directory, number.text);
            let path = before.map_or_else(new, |file| file.path.clone());
            Some(ReviewText { sig: sig.clone(), name: number.text.clone(), path, before: before.cloned(), text })
        };
        if let Some((written, file)) = kep.review.as_ref().zip(before) {
            if file.invalid_utf8.is_some() {
                return Err(Failure::of("change", &file.path, "it is not UTF-8").help("save it as UTF-8"));
            }
            if let Some(problem) = written.tree.problems.first() {
                return Err(invalid(file, problem.span, &problem.message, problem.help.as_deref()));
            }
        }
        match (repository.verdict(kep, stage), before) {
            (Verdict::Elsewhere(stray), _) => {
                let path = &kep.texts.file(stray).path;
                self.notes.push(format!(
                    "the PRR file `{path}` is in the directory of another SIG: move it, and add {stage} to it"
                ));
                Ok(None)
            }
            (Verdict::NotApprover { .. } | Verdict::Approved { .. }, _) => Ok(None),
            (Verdict::NoEntry | Verdict::Unclear | Verdict::NoApprover(_), Some(file)) => {
                let place = &[stage.name(), "approver"];
                let text = set(&file.text, Form::Approval, place, STAND_IN);
                let failed =
                    |reason: String| Failure::of("change", &file.path, &reason).help("add the entry by hand first");
                Ok(with(text.map_err(failed)?))
            }
            _ => Ok(with(first_review(&number.text, stage))),
        }
    }
}

/// The release in which a KEP reached a stage, as far as kep.yaml says it.
fn reached(metadata: &Metadata, stage: Stage) -> Option<Release> {
    let milestone = metadata.milestone_of(stage).and_then(|field| field.value);
    let latest = || if metadata.stage() == Some(stage) { metadata.milestone() } else { None };
    milestone.or_else(latest).filter(|release| !release.is_unknown())
}

/// The note about a KEP that does not move on.
fn stay(metadata: &Metadata, stage: Stage, begun: Release) -> String {
    let next = match &metadata.number {
        Some(number) if is_last(stage) && metadata.status() == Some(Status::Implementable) => {
            format!("; if it is done, `kep-lint promote {} implemented`", brief(&number.text))
        }
        _ => String::new(),
    };
    format!("it stays at {stage}, which it reached in {begun}{next}")
}

/// Whether a KEP at this stage can be implemented.
fn is_last(stage: Stage) -> bool {
    matches!(stage, Stage::Stable | Stage::Removed)
}

pub fn first_review(number: &str, stage: Stage) -> String {
    let entry = entry(stage, STAND_IN);
    format!(
        "# The approver must be one of the prod-readiness-approvers in OWNERS_ALIASES.\nkep-number: {number}\n{entry}\n"
    )
}

/// How many titles of sections are named that a promotion could not insert, for each reason; the others are counted.
const LEFT_OUT_TITLES: usize = 6;

const NO_TITLE: &str = "README.md has no title: write it and the sections by hand";
const ONE_MARKER: &str = "the table of contents has only one of its markers: write by hand what is missing";
const SIMILAR: &str = "another heading may be meant: rename that, or write by hand what is missing";
const IN_TEXT: &str = "the text there may have the answers: move them under headings";
const NO_PLACE: &str = "the place is not certain: write by hand what is missing";

/// The required sections that a promotion could not insert: a note for each reason, as a sentence without a
/// full stop; `report` is the KEP after the promotion.
pub fn left_out(report: &KepReport) -> Vec<String> {
    let left = report.diagnostics.iter().filter(|finding| finding.rule == missing_section::RULE.name);
    let left: Vec<(&str, &Diagnostic)> = left.map(|finding| (reason(finding, report), finding)).collect();
    let mut notes = Vec::new();
    for reason in [NO_TITLE, ONE_MARKER, SIMILAR, IN_TEXT, NO_PLACE] {
        let of_reason = left.iter().filter(|(other, _)| *other == reason);
        let findings: Vec<&Diagnostic> = of_reason.map(|(_, finding)| *finding).collect();
        if !findings.is_empty() {
            notes.push(format!("not inserted: {}: {reason}", titles(reason, &findings)));
        }
    }
    notes
}

/// Why `finding`, one of `missing-section` in `report`, is left.
fn reason(finding: &Diagnostic, report: &KepReport) -> &'static str {
    let text = report.files.get(finding.span.file.index()).map(|file| file.text.as_str()).unwrap_or_default();
    let markers = Markers::find(text);
    let relates = |label: &str| finding.related.iter().any(|related| related.message == label);
    match &finding.section {
        None => NO_TITLE,
        Some(section) if finding.subject != Subject::gap(section) => IN_TEXT,
        _ if relates(missing_section::SIMILAR) => SIMILAR,
        _ if relates(missing_section::ELSEWHERE) => IN_TEXT,
        _ if markers.opening.is_some() != markers.closing.is_some() => ONE_MARKER,
        _ => NO_PLACE,
    }
}

/// What is missing, in a few words.
fn titles(reason: &str, findings: &[&Diagnostic]) -> String {
    let sections = findings.iter().filter_map(|finding| finding.section.as_ref());
    let titles: Vec<&str> = sections.filter_map(|section| Some(section.last()?.as_str())).collect();
    let named = match titles.split_at_checked(LEFT_OUT_TITLES) {
        Some((first, rest)) if !rest.is_empty() => format!("`{}` and {} more", first.join("`, `"), rest.len()),
        _ => suggest::list(&titles, "and"),
    };
    match reason {
        NO_TITLE => "several sections".to_owned(),
        IN_TEXT => format!("subsections of {named}"),
        _ => named,
    }
}
