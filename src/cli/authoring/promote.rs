//! `kep-lint promote KEP STAGE`: moves a KEP to a stage and release, or to `implemented`.

use super::arguments::PromoteArguments;
use super::{change, remaining};
use crate::authoring::promotion::{self, Goal};
use crate::cli::fixing::complaints;
use crate::cli::outcome::Outcome;
use crate::cli::print::print;
use crate::cli::write::together::{self, Change};
use crate::cli::{error, output, paths, template, today};
use crate::diagnostic::{Failure, counted, named};
use crate::editor::promote::{Changed, Promoted, Wanted, prepare};
use crate::kep::texts::Texts;
use crate::lint::Options;
use crate::markdown::Document;
use crate::report::printable;
use crate::rules::preset::Preset;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::discover;
use crate::workspace::files::{Source, disk};
use crate::workspace::kep_files::{KepTexts, Origin, read_kep};
use crate::workspace::paths::shown;
use crate::workspace::project::Project;
use crate::workspace::terms::Terms;
use crate::workspace::tip::tell_by_default_branch;
use std::path::Path;
use std::sync::Arc;

pub fn run(arguments: &PromoteArguments) -> Result<Outcome, Failure> {
    let planned = Planned::of(arguments, &disk::around)?;
    let Planned { changes, promoted, .. } = &planned;
    if arguments.diff {
        let outcome = change::show(changes, arguments.color)?;
        promoted.promotion.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
        return Ok(outcome);
    }
    let Some(edge) = planned.directory.source.edge() else {
        return Err(Failure::new("a KEP is promoted only on disk"));
    };
    together::write(changes, edge)?;
    let mut failures = complaints(&promoted.fixed);
    print(&summary(&planned))?;
    if matches!(arguments.goal, Goal::Stage(_)) {
        let after = with_files(&promoted.texts, &promoted.fixed.after.files);
        let project = &planned.project;
        let repository = project.repositories.of(&planned.directory);
        let printed =
            remaining::print_checklist(&after, &project.templates(), repository, promoted.meant, arguments.color);
        failures.extend(printed.err());
    }
    error::print_all(&failures);
    Ok(if failures.is_empty() { Outcome::Clean } else { Outcome::Incomplete })
}

pub struct Planned {
    pub changes: Vec<Change>,
    pub promoted: Promoted,
    project: Project,
    directory: KepDirectory,
}

impl Planned {
    /// What the arguments ask for, of the files that `source_of` has.
    pub fn of(arguments: &PromoteArguments, source_of: &dyn Fn(&Path) -> Source) -> Result<Self, Failure> {
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
        let mut project = Project::open(terms(arguments, config)?, discovery);
        let Project { repositories, terms, .. } = &mut project;
        if let Some(failure) = repositories.failures.pop() {
            return Err(failure);
        }
        tell_by_default_branch(repositories, &terms.options);
        repositories.leave_out_own_findings();
        let wanted = Wanted { goal: arguments.goal, skips_beta: arguments.skip_beta, now: today::time()? };
        let promoted = Promoted::of(&mut project, &directory, texts, wanted)?;
        let changes = promoted.changed().into_iter().filter_map(|changed| change_of(changed, &places)).collect();
        Ok(Self { changes, promoted, project, directory })
    }
}

fn terms(arguments: &PromoteArguments, config: Option<ConfigFile>) -> Result<Terms, Failure> {
    let path = match &arguments.template {
        Some(path) => Some(path.clone()),
        None => config.as_ref().map(ConfigFile::template).transpose()?.flatten(),
    };
    let template = template::load_for_check(path.as_deref(), &disk::around)?;
    let config = config.map(|file| file.config).unwrap_or_default();
    let mut options = Options { config, release: arguments.release, ..Options::default() };
    prepare(&mut options);
    Ok(Terms { options, template, prefers_own: path.is_none() })
}

fn change_of(changed: Changed<'_>, places: &[Origin]) -> Option<Change> {
    Some(match changed {
        Changed::Review { path, before, after } => {
            let before = before.map(|before| (disk::around(&path).real(&path), before.text.clone()));
            Change { given: path, before, after: after.to_owned() }
        }
        Changed::Own { file, before, after } => {
            let place = places.get(file.index())?;
            let before = Some((place.real.clone(), before.text.clone()));
            Change { given: place.given.clone().into(), before, after: after.to_owned() }
        }
    })
}

fn with_files(texts: &Texts, after: &[Arc<SourceFile>]) -> Texts {
    let mut texts = texts.clone();
    texts.files.iter_mut().zip(after).for_each(|(file, after)| *file = Arc::clone(after));
    texts
}

fn summary(planned: &Planned) -> String {
    let Promoted { promotion, texts, fixed, .. } = &planned.promoted;
    let mut lines = vec![format!("promoted {}", texts.directory)];
    lines.extend(promotion.changes.iter().map(|change| format!("  {change}")));
    if let Some(review) = &promotion.review {
        let path = shown(&planned.promoted.review_path(review));
        let verb = if review.exists { "changed" } else { "wrote" };
        lines.push(format!("  {verb} {path}: replace `{}` with the approver", promotion::STAND_IN));
    }
    let readme = texts.readme.file().and_then(|file| Some((texts.file(file), fixed.after.files.get(file.index())?)));
    if let Some((before, after)) = readme
        && before.text != after.text
    {
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
