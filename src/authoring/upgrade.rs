//! The README of a KEP with all headings of the template, or with those of its stage, by the fixes of rules;
//! and what that changes and leaves to the author, in words.

use super::draft::METADATA;
use crate::diagnostic::{Diagnostic, Failure, Safety, Severity, brief, counted};
use crate::fix::{Fixed, fix, keep_own};
use crate::kep::Kep;
use crate::kep::metadata::Metadata;
use crate::kep::texts::Texts;
use crate::lint::{Options, lint_whole};
use crate::markdown::section::{Section, SectionId};
use crate::markdown::{Document, is_closed};
use crate::matching::Matching;
use crate::mdtoc::Markers;
use crate::repository::Repository;
use crate::repository::vocabulary::Vocabulary;
use crate::requirement::{Requirement, Scope, Target, for_target};
use crate::rules::select::Selection;
use crate::span::{last_line_start, slice};
use crate::stage::Stage;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId, is_torn};
use crate::{bounds, suggest};
use std::collections::BTreeMap;

/// The rules whose fixes make an upgrade.
const FIXING: [&str; 6] =
    ["missing-section", "missing-toc", "renamed-section", "stale-signoff", "stale-toc", "unacknowledged-test-plan"];

/// The rules that say what is left, beside those.
const TOLD: [&str; 6] = [
    "bad-title",
    "commented-out-section",
    "duplicate-section",
    "misplaced-section",
    "not-a-heading",
    "swallowed-heading",
];

#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The stage that it is upgraded for, by default that of kep.yaml.
    pub stage: Option<Stage>,
    /// Whether only the sections of that stage are added.
    pub only_required: bool,
}

#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Upgraded {
    /// What is done and what is left, line by line; the first one says how much.
    pub lines: Vec<String>,
    /// The KEP before and after it.
    pub fixed: Fixed,
}

impl Upgraded {
    /// What is wanted of the KEP with these texts, or why it cannot be done. The options turn no rule off.
    pub fn of(
        texts: &Texts,
        template: &Template,
        repository: &Repository,
        options: &Options,
        extent: Extent,
    ) -> Result<Self, Failure> {
        let kep = Kep::parse(texts.clone());
        let before = refuse(&kep)?;
        let stage = extent.stage.or(kep.metadata.as_ref().and_then(Metadata::stage)).unwrap_or(Stage::Alpha);
        let names: Vec<String> = FIXING.iter().chain(&TOLD).map(|name| (*name).to_owned()).collect();
        let selection = Selection::new(&names, &[]).unwrap_or_default();
        let scope = if extent.only_required { Scope::Likely } else { Scope::Whole };
        let options = Options { stage: Some(stage), selection, scope, ..options.clone() };
        let lint = |version: &Texts| {
            let mut report = lint_whole(version, template, repository, &options);
            keep_own(&mut report, |file| file == before.file);
            for finding in report.diagnostics.iter_mut().filter(|finding| !FIXING.contains(&finding.rule)) {
                // What stood elsewhere before is no error of an upgrade.
                (finding.fix, finding.severity) = (None, Severity::Advice);
            }
            report
        };
        let mut fixed = fix(texts, Safety::Unsafe, &lint);
        let mut findings = fixed.before.diagnostics.iter().filter(|finding| finding.span.file == before.file);
        let no_heading = findings.find(|finding| finding.rule == "not-a-heading").map(|finding| finding.span.start);
        if let Some(start) = no_heading.or_else(|| in_list(before, template)) {
            let line = before.source.position(start).line;
            let reason = format!("the heading of line {line} is in a list, or is none");
            return Err(refused(before, &reason, "correct it first"));
        }
        let mut texts_after = Texts { files: fixed.after.files.clone(), ..texts.clone() };
        // Sections that go to one place are inserted one after the other.
        while fixed.rounds == bounds::ROUNDS {
            fixed = Fixed { before: fixed.before, ..fix(&texts_after, Safety::Unsafe, &lint) };
            texts_after.files.clone_from(&fixed.after.files);
        }
        let size = fixed.after.files.iter().map(|file| file.text.len() as u64).max();
        if size > Some(bounds::FILE_BYTES) {
            let reason = format!("it would have more than {}", bounds::size(bounds::FILE_BYTES));
            return Err(refused(before, &reason, "make it shorter first"));
        }
        let kep_after = Kep::parse(texts_after);
        let after = refuse(&kep_after)?;
        let target = fixed.before.target.map(|target| Target { scope: Scope::Certain, ..target });
        let asked = target.map(|target| for_target(template, &target)).unwrap_or_default();
        let version = |document| Version { document, matching: Matching::new(template, document) };
        let change = Change { old: version(before), new: version(after), template };
        let mut lines = change.lines(stage, &asked, &fixed.after.diagnostics);
        if let Some(metadata) = &kep.metadata {
            let (own, built_in) = (&repository.vocabulary, Vocabulary::of(METADATA));
            let keys = if own.is_empty() { &built_in } else { own }.lacking(metadata);
            if !keys.is_empty() {
                lines.push(format!("  kep.yaml lacks {} of the template", suggest::list(&keys, "and")));
            }
        }
        Ok(Self { lines, fixed })
    }
}

/// The sentence that offers an upgrade of a KEP that lacks headings of the template, without a full stop.
pub fn offer(kep: &Kep, template: &Template) -> Option<String> {
    let readme = refuse(kep).ok()?;
    let matching = Matching::new(template, readme);
    let missing = template.iter().filter(|(id, section)| {
        // What is hidden is not added.
        let is_hidden = readme.hidden.iter().any(|hidden| section.has_wording(&hidden.title));
        let is_named = !section.title.key.is_empty() && !section.is_sample();
        is_named && !is_hidden && matching.place(*id).is_none()
    });
    let count = missing.count();
    if count == 0 {
        return None;
    }
    let name = kep.number().unwrap_or(&kep.texts.directory);
    let headings = counted(count, "heading", "headings");
    let upgrade = format!("`kep-lint upgrade {name}` adds what is missing");
    Some(format!("README.md lacks {headings} of the template: {upgrade}"))
}

/// Fails for a README in which it is not certain what belongs where.
pub fn refuse(kep: &Kep) -> Result<&Document, Failure> {
    let Some(readme) = &kep.readme else {
        let failure = Failure::of("upgrade", &kep.texts.directory, "it has no README.md");
        return Err(failure.help("write it first, as `kep-lint new` does"));
    };
    let markers = Markers::find(readme.text());
    let (reason, help) = if readme.source.invalid_utf8.is_some() {
        ("it is not UTF-8".to_owned(), "save it as UTF-8")
    } else if let Some(start) = torn_at(readme) {
        let line = readme.source.position(start).line;
        let what = "a comment, HTML or a code block";
        (format!("{what} from line {line} on does not end where it should"), "close it first")
    } else if readme.sections.is_empty() {
        ("it has no heading".to_owned(), "begin it with `# KEP-NNNN: TITLE` and `## Summary`")
    } else if (markers.opening.is_some() || markers.closing.is_some()) && markers.between().is_none() {
        let reason = "the markers of its table of contents are not a pair";
        (reason.to_owned(), "correct them first: `kep-lint` says how")
    } else {
        return Ok(readme);
    };
    Err(refused(readme, &reason, help))
}

fn refused(readme: &Document, reason: &str, help: &str) -> Failure {
    Failure::of("upgrade", &readme.source.path, reason).help(help)
}

/// Where a section of the template begins within a list or a quote, in which others would be torn out of it.
fn in_list(readme: &Document, template: &Template) -> Option<usize> {
    let matching = Matching::new(template, readme);
    let headings = readme.sections.iter().filter(|(id, _)| matching.owner(*id).is_some());
    let mut starts = headings.map(|(_, section)| section.heading.start);
    starts.find(|start| {
        let before = readme.slice(..*start);
        !slice(before, last_line_start(before)..).trim().is_empty()
    })
}

/// Where text begins that may be code or a comment by mistake.
pub(super) fn torn_at(readme: &Document) -> Option<usize> {
    let text = readme.text();
    let last = readme.sections.since_heading(text, text.len());
    if !is_torn(readme) && last.is_none_or(is_closed) {
        return None;
    }
    let code = readme.unclosed_code.iter().filter_map(|code| code.block.as_ref());
    let swallowed = readme.hidden.iter().filter(|hidden| hidden.is_swallowed()).map(|hidden| &hidden.within);
    let comments = readme.comments.iter().filter(|comment| !comment.is_closed).map(|comment| &comment.span);
    let first = code.chain(swallowed).chain(comments).map(|within| within.start).min();
    first.or(last.map(|last| text.len() - last.len()))
}

/// A README and how it matches the template.
struct Version<'a> {
    document: &'a Document,
    matching: Matching,
}

impl<'a> Version<'a> {
    fn section(&self, id: TemplateId) -> Option<&'a Section> {
        Some(self.document.sections.get(self.matching.place(id)?.section?))
    }

    /// A heading with its marks and the number of its line.
    fn line(&self, section: &Section) -> String {
        let line = self.document.source.position(section.heading.start).line;
        format!("{line}: `{}`", heading(section))
    }

    fn boxes_of_signoff(&self, template: &Template) -> Option<usize> {
        let place = self.matching.with_role(template, SectionRole::Signoff)?;
        Some(self.document.boxes.iter().filter(|item| place.subtree.contains(&item.span.start)).count())
    }
}

fn heading(section: &Section) -> String {
    format!("{} {}", "#".repeat(section.level.into()), brief(&section.title.text))
}

struct Change<'a> {
    old: Version<'a>,
    new: Version<'a>,
    template: &'a Template,
}

impl Change<'_> {
    /// What is done and what is left, line by line; the first one says how much. The stage asks for those
    /// sections that are in `requirements`, and the `findings` are left.
    fn lines(&self, stage: Stage, requirements: &[Requirement], findings: &[Diagnostic]) -> Vec<String> {
        let Self { old, new, template } = self;
        let ids = || template.iter().map(|(id, _)| id).filter(|id| new.section(*id).is_some());
        let added: Vec<TemplateId> = ids().filter(|id| old.section(*id).is_none()).collect();
        let headed = added.iter().filter(|id| old.matching.place(**id).is_some()).count();
        let is_asked = |id: &TemplateId| {
            old.matching.place(*id).is_none() && requirements.iter().any(|requirement| requirement.section == *id)
        };
        let asked: Vec<TemplateId> = added.iter().copied().filter(is_asked).collect();
        let renamed: Vec<String> = ids().filter_map(|id| self.renamed(id)).collect();
        let left: Vec<String> = self.disorder().into_iter().chain(self.told(findings)).collect();
        let of_stage = match asked.len() {
            0 => String::new(),
            count => format!(" ({} asked for at {stage})", counted(count, "is", "are")),
        };
        let counts = format!("renamed {}, added {}{of_stage}, left alone {}", renamed.len(), added.len(), left.len());
        let mut lines = vec![counts];
        lines.extend(renamed);
        lines.extend(listed(&format!("to be filled in, as asked for at {stage}"), self.to_fill(&asked)));
        if headed > 0 {
            let headings = counted(headed, "heading stands", "headings stand");
            lines.push(format!("  {headings} above text that begins with the same words: remove these"));
        }
        let boxes = old.boxes_of_signoff(template).zip(new.boxes_of_signoff(template));
        let items = boxes.map_or(0, |(before, after)| after.saturating_sub(before));
        if items > 0 {
            lines.push(format!("  added {} to the signoff checklist", counted(items, "line", "lines")));
        }
        lines.extend(listed("left to you", left));
        lines
    }

    fn renamed(&self, id: TemplateId) -> Option<String> {
        let (was, is) = (self.old.section(id)?, self.new.section(id)?);
        let words = format!("  renamed `{}` to `{}`", heading(was), heading(is));
        (was.title.text != is.title.text).then_some(words)
    }

    /// The sections that are `asked` for, without those that are in others of them, each with its line.
    fn to_fill(&self, asked: &[TemplateId]) -> Vec<String> {
        let is_in = |id: TemplateId, outer: TemplateId| self.template.ancestors(id).any(|around| around == outer);
        let outermost = asked.iter().filter(|id| !asked.iter().any(|outer| is_in(**id, *outer)));
        let line = |id: &TemplateId| {
            let more = match asked.iter().filter(|other| is_in(**other, *id)).count() {
                0 => String::new(),
                count => format!(", with {} in it", counted(count, "other", "others")),
            };
            Some(self.new.line(self.new.section(*id)?) + &more)
        };
        outermost.filter_map(line).collect()
    }

    fn told(&self, findings: &[Diagnostic]) -> Vec<String> {
        let Self { old, new, template } = self;
        // A new test plan has all of its lines to be filled in.
        let has_plan = template.with_role(SectionRole::TestPlan).is_some_and(|id| old.section(id).is_some());
        let is_left = |finding: &&Diagnostic| {
            finding.span.file == new.document.file && (has_plan || finding.rule != "unacknowledged-test-plan")
        };
        let words = |finding: &Diagnostic| {
            let line = new.document.source.position(finding.span.start).line;
            let help = finding.help.as_ref().map(|help| format!(": {help}")).unwrap_or_default();
            format!("{line}: {}{help}", finding.message)
        };
        findings.iter().filter(is_left).map(words).collect()
    }

    /// The sections of the template that stand beside others in another order, as few as possible.
    fn disorder(&self) -> Vec<String> {
        let Self { new, template, .. } = self;
        let sections = &new.document.sections;
        let mut groups: BTreeMap<_, Vec<(TemplateId, SectionId)>> = BTreeMap::new();
        for (heading, _) in sections.iter() {
            let owner = new.matching.owner(heading);
            if let Some(owner) = owner.filter(|owner| new.matching.is_at(*owner, heading)) {
                let around = (sections.parent(heading), template.get(owner).parent);
                groups.entry(around).or_default().push((owner, heading));
            }
        }
        let mut told = Vec::new();
        for group in groups.values() {
            let kept = longest_rising(group);
            for (owner, at) in group.iter().filter(|it| !kept.contains(it)) {
                let above = kept.iter().rfind(|(other, place)| other < owner && place > at);
                let below = kept.iter().find(|(other, place)| other > owner && place < at);
                let (word, other) = match (above, below) {
                    (Some((_, other)), _) => ("above", other),
                    (None, Some((_, other))) => ("below", other),
                    (None, None) => continue,
                };
                let other = heading(sections.get(*other));
                told.push(format!("{} stands {word} `{other}`: move it", new.line(sections.get(*at))));
            }
        }
        told
    }
}

/// A list below its title; nothing if it is empty.
fn listed(title: &str, items: Vec<String>) -> Vec<String> {
    if items.is_empty() {
        return items;
    }
    std::iter::once(format!("  {title}:")).chain(items.iter().map(|item| format!("    {item}"))).collect()
}

/// The most of these sections that are in the template's order.
fn longest_rising(sections: &[(TemplateId, SectionId)]) -> Vec<(TemplateId, SectionId)> {
    let mut best: Vec<Vec<(TemplateId, SectionId)>> = Vec::new();
    for section in sections {
        let before = best.iter().filter(|rising| rising.last().is_some_and(|last| last.0 < section.0));
        let mut longest = before.max_by_key(|rising| rising.len()).cloned().unwrap_or_default();
        longest.push(*section);
        best.push(longest);
    }
    best.into_iter().max_by_key(Vec::len).unwrap_or_default()
}
