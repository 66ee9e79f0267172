//! `kep-lint promote KEP STAGE`: moves a KEP to a stage and release, or to `implemented`.

use super::arguments::PromoteArguments;
use super::{change, left_out, remaining};
use crate::authoring::promotion::{self, Goal, Promotion, Request, ReviewText};
use crate::cli::fixing::complaints;
use crate::cli::outcome::Outcome;
use crate::cli::print::print;
use crate::cli::today;
use crate::cli::write::lock::Lock;
use crate::cli::write::together::{self, Change};
use crate::cli::{error, output, paths, template};
use crate::diagnostic::script::Script;
use crate::diagnostic::{Failure, Safety, counted, named};
use crate::fix::{Fixed, fix};
use crate::kep::Kep;
use crate::kep::metadata::Metadata;
use crate::kep::texts::Texts;
use crate::lint::Options;
use crate::lint::ignoring::IgnoreComments;
use crate::lint::release::Meant;
use crate::lint::report::KepReport;
use crate::markdown::Document;
use crate::ready::calendar::under_development;
use crate::report::printable;
use crate::repository::{Repository, ReviewFile};
use crate::rules::levels::Levels;
use crate::rules::preset::Preset;
use crate::rules::rule::Rule;
use crate::rules::select;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::development;
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::discover;
use crate::workspace::files::{Source, disk};
use crate::workspace::kep_files::{KepTexts, Origin, read_kep};
use crate::workspace::paths::shown;
use crate::workspace::project::Project;
use crate::workspace::terms::Terms;
use crate::yaml::date::Date;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether the fixes of the rule of this name belong to a promotion: to a stage, those that insert what is missing, and
/// those of the table of contents.
fn is_part(goal: Goal, name: &str) -> bool {
    let is_wanted = |rule: &Rule| rule.is_gap || rule.upstream.contains(&Script::Toc);
    matches!(goal, Goal::Stage(_)) && select::rule_named(name).is_some_and(is_wanted)
}

/// Promotes the KEP, or shows what would change.
pub fn run(arguments: &PromoteArguments) -> Result<Outcome, Failure> {
    let _lock = if arguments.diff { None } else { Some(Lock::around([arguments.kep.as_path()])?) };
    let planned = Planned::of(arguments, &disk::around)?;
    let Planned { changes, promotion, .. } = &planned;
    if arguments.diff {
        let outcome = change::show(changes, arguments.color)?;
        promotion.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
        return Ok(outcome);
    }
    let Some(edge) = planned.directory.source.edge() else {
        return Err(Failure::new("a KEP is promoted only on disk"));
    };
    together::write(changes, edge)?;
    let mut failures = complaints(&planned.fixed);
    print(&summary(&planned))?;
    if matches!(arguments.goal, Goal::Stage(_)) {
        let after = with_files(&planned.texts, &planned.fixed.after.files);
        let project = &planned.project;
        let repository = project.repositories.of(&planned.directory);
        let printed =
            remaining::print_checklist(&after, &project.templates(), repository, planned.meant, arguments.color);
        failures.extend(printed.err());
    }
    error::print_all(&failures);
    Ok(if failures.is_empty() { Outcome::Clean } else { Outcome::Incomplete })
}

/// What a promotion changes, before it is written.
pub struct Planned {
    /// The files, kep.yaml last.
    pub changes: Vec<Change>,
    /// What the author should know.
    pub promotion: Promotion,
    fixed: Fixed,
    /// The KEP before it.
    texts: Texts,
    /// The repository before it.
    repository: Repository,
    /// The KEPs, with the new PRR file.
    project: Project,
    directory: KepDirectory,
    meant: Meant,
}

impl Planned {
    /// What the arguments ask for, of the files that `source_of` has.
    pub fn of(arguments: &PromoteArguments, source_of: &dyn Fn(&Path) -> Source) -> Result<Self, Failure> {
        let Job { texts, places, mut project, directory } = Job::of(arguments, source_of)?;
        let repository = project.repositories.of(&directory).clone();
        let mut kep = Kep::parse(texts.clone());
        repository.attach_reviews(&mut kep);
        let today = today::date()?;
        let meant = meant(&project.terms.options, &repository, &kep, today);
        let release = meant.release;
        project.terms.options.release = Some(release);
        let (goal, skips_beta) = (arguments.goal, arguments.skip_beta);
        let request = Request { goal, release, skips_beta, today, repository: &repository };
        let mut promotion = promotion::promote(&kep, &request)?;
        promotion.notes.extend(meant.plan());
        let texts_after = with_metadata(&texts, &promotion);
        *project.repositories.of_mut(&directory) = with_review(&repository, promotion.review.as_ref());
        let repository_after = project.repositories.of(&directory);
        let fixed: RefCell<Option<Fixed>> = RefCell::new(None);
        let run = project.check_with(Box::new(|linter| {
            let lint = |version: &Texts| with_fixes_of(goal, linter.lint(version, repository_after), version);
            let result = fix(&texts_after, Safety::Unsafe, &lint);
            let checked = linter.finished(result.after.clone());
            fixed.replace(Some(result));
            vec![checked]
        }));
        if !run.failures.is_empty() {
            return Err(error::first(run.failures));
        }
        let Some(fixed) = fixed.into_inner() else { return Err(Failure::new("the KEP was not checked")) };
        if matches!(goal, Goal::Stage(_)) {
            promotion.notes.extend(left_out::notes(&fixed.after));
        }
        let changes = changes(&texts, &fixed, &places, &promotion, &repository);
        Ok(Self { changes, promotion, fixed, texts, repository, project, directory, meant })
    }
}

/// The KEP to promote, and all that it is checked against.
struct Job {
    texts: Texts,
    places: Vec<Origin>,
    project: Project,
    directory: KepDirectory,
}

impl Job {
    fn of(arguments: &PromoteArguments, source_of: &dyn Fn(&Path) -> Source) -> Result<Self, Failure> {
        let paths = &[paths::meant(&arguments.kep)];
        let mut config = config_file::find(paths, &arguments.config.wanted(), source_of).map_err(error::first)?;
        let mut discovery = discover(paths, Preset::default(), source_of);
        if !discovery.failures.is_empty() {
            return Err(error::first(discovery.failures));
        }
        if let Some(file) = &mut config {
            file.place(&mut discovery.keps, true);
        }
        let [directory] = discovery.keps.as_slice() else {
            let count = counted(discovery.keps.len(), "KEP", "KEPs");
            let failure = Failure::new(format!("{} has {count}, not one", named(&arguments.kep)));
            return Err(failure.at(&arguments.kep).help("name one KEP by its number or its directory"));
        };
        let directory = directory.clone();
        let KepTexts { texts, places, failures, .. } = read_kep(&directory);
        if !failures.is_empty() {
            return Err(error::first(failures));
        }
        let mut project = Project::open(Self::terms(arguments, config)?, discovery);
        let Project { repositories, terms, .. } = &mut project;
        if let Some(failure) = repositories.failures.pop() {
            return Err(failure);
        }
        development::find_on_default_branch(repositories, [&directory].into_iter(), &terms.options);
        repositories.leave_out_own_findings();
        Ok(Self { texts, places, project, directory })
    }

    fn terms(arguments: &PromoteArguments, config: Option<ConfigFile>) -> Result<Terms, Failure> {
        let path = match &arguments.template {
            Some(path) => Some(path.clone()),
            None => config.as_ref().map(ConfigFile::template).transpose()?.flatten(),
        };
        let template = template::load_for_check(path.as_deref(), &disk::around)?;
        let config = config.map(|file| file.config).unwrap_or_default();
        let mut options = Options { config, release: arguments.release, ..Options::default() };
        // What a stage requires is inserted even if it is not reported.
        options.config.levels = Levels::default();
        options.config.overrides.clear();
        options.ignores = IgnoreComments::Disregarded;
        Ok(Terms { options, template, prefers_own: path.is_none() })
    }
}

/// The release that the KEP is promoted in: the one that a question about it means, or that of today where it is later.
fn meant(options: &Options, repository: &Repository, kep: &Kep, today: Date) -> Meant {
    let milestone = kep.metadata.as_ref().and_then(Metadata::milestone);
    let meant = options.release_meant(Some(repository)).for_kep(milestone, repository);
    if repository.has_groups { meant.on_day(under_development(today)) } else { meant }
}

/// The KEP with its new kep.yaml.
fn with_metadata(texts: &Texts, promotion: &Promotion) -> Texts {
    let mut texts = texts.clone();
    let metadata = texts.metadata.file().and_then(|file| texts.files.get_mut(file.index()));
    if let Some(file) = metadata {
        *file = Arc::new(SourceFile::decode(file.path.as_str(), promotion.metadata.clone().into_bytes()));
    }
    texts
}

/// The KEP with the files after the promotion.
fn with_files(texts: &Texts, after: &[Arc<SourceFile>]) -> Texts {
    let mut texts = texts.clone();
    texts.files.iter_mut().zip(after).for_each(|(file, after)| *file = Arc::clone(after));
    texts
}

/// The path of a PRR file, as the command line would have it.
fn review_path(repository: &Repository, review: &ReviewText) -> PathBuf {
    let known = repository.reviews_of(&review.name).iter().find(|file| is_of(file, review));
    let new = || Path::new(&repository.reviews_directory).join(&review.sig).join(format!("{}.yaml", review.name));
    known.map_or_else(new, |known| PathBuf::from(&known.file.path))
}

fn is_of(file: &ReviewFile, review: &ReviewText) -> bool {
    file.sig == review.sig && file.name == review.name
}

/// The repository with the new PRR file.
fn with_review(repository: &Repository, review: Option<&ReviewText>) -> Repository {
    let mut after = repository.clone();
    let Some(review) = review else { return after };
    let file = SourceFile::decode(shown(&review_path(repository, review)), review.text.clone().into_bytes());
    for files in after.reviews.iter_mut().flat_map(|reviews| reviews.values_mut()) {
        files.retain(|known| !is_of(known, review));
    }
    after.add_review(review.sig.clone(), review.name.clone(), file);
    after
}

/// A report in which only the README has fixes, and only those that belong to the promotion.
fn with_fixes_of(goal: Goal, mut report: KepReport, texts: &Texts) -> KepReport {
    let readme = texts.readme.file();
    for finding in &mut report.diagnostics {
        let is_in_readme = |file: FileId| Some(file) == readme;
        let is_wanted =
            finding.fix.as_ref().is_some_and(|fix| fix.edits.iter().all(|edit| is_in_readme(edit.span.file)));
        if !is_wanted || !is_part(goal, finding.rule) {
            finding.fix = None;
        }
    }
    report
}

/// The files that change: the PRR file, README.md, and at last kep.yaml, which says that the KEP is promoted.
fn changes(
    texts: &Texts,
    fixed: &Fixed,
    places: &[Origin],
    promotion: &Promotion,
    repository: &Repository,
) -> Vec<Change> {
    let review = promotion.review.as_ref().map(|review| {
        let given = review_path(repository, review);
        let old = repository.reviews_of(&review.name).iter().find(|file| is_of(file, review));
        let before = old.map(|old| (disk::around(&given).real(&given), old.file.text.clone()));
        Change { given, before, after: review.text.clone() }
    });
    let files = texts.files.iter().zip(&fixed.after.files).zip(places);
    let files = files.filter(|((before, after), _)| before.text != after.text).map(|((before, after), place)| Change {
        given: place.given.clone().into(),
        before: Some((place.real.clone(), before.text.clone())),
        after: after.text.clone(),
    });
    review.into_iter().chain(files).collect()
}

/// What was changed, for people.
fn summary(planned: &Planned) -> String {
    let Planned { promotion, texts, fixed, repository, .. } = planned;
    let mut lines = vec![format!("promoted {}", texts.directory)];
    lines.extend(promotion.changes.iter().map(|change| format!("  {change}")));
    if let Some(review) = &promotion.review {
        let path = shown(&review_path(repository, review));
        let verb = if review.exists { "changed" } else { "wrote" };
        lines.push(format!("  {verb} {path}: replace `{}` with the approver", promotion::STAND_IN));
    }
    if let Some((before, after)) = readme(texts, fixed).filter(|(before, after)| before.text != after.text) {
        let headings = |file: &Arc<SourceFile>| Document::parse(FileId(0), Arc::clone(file)).sections.len();
        let new = headings(after).saturating_sub(headings(before));
        lines.push(match new {
            0 => "  updated the table of contents".to_owned(),
            new => format!("  inserted {} into README.md", counted(new, "required section", "required sections")),
        });
    }
    lines.extend(promotion.notes.iter().map(|note| format!("  note: {note}")));
    lines.iter().map(|line| printable(line) + "\n").collect::<String>() + "\n"
}

/// README.md before and after the promotion.
fn readme<'a>(texts: &'a Texts, fixed: &'a Fixed) -> Option<(&'a Arc<SourceFile>, &'a Arc<SourceFile>)> {
    let file = texts.readme.file()?;
    Some((texts.file(file), fixed.after.files.get(file.index())?))
}
