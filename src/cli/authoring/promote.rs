//! `kep-lint promote KEP STAGE`: moves a KEP to a stage and release, or to `implemented`.

use super::arguments::PromoteArguments;
use super::chosen::Chosen;
use crate::authoring::promotion::{Goal, ReviewText, STAND_IN};
use crate::cli::fixing::{self, complaints, write};
use crate::cli::options::When;
use crate::cli::outcome::Outcome;
use crate::cli::print::print;
use crate::cli::write::together::Change;
use crate::cli::{error, output, screen, today};
use crate::diagnostic::{Failure, counted};
use crate::editor::promote::Promoted;
use crate::kep::Kep;
use crate::markdown::Document;
use crate::ready::board::Board;
use crate::ready::{self, case::Ask};
use crate::report::look::Look;
use crate::report::ready::pretty;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::workspace::directory::KepDirectory;
use crate::workspace::files::{Source, disk};
use crate::workspace::project::Project;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(arguments: &PromoteArguments) -> Result<Outcome, Failure> {
    let planned = Planned::of(arguments, &disk::around)?;
    let Planned { changes, promoted, .. } = &planned;
    if arguments.diff {
        let outcome = fixing::show(changes, arguments.kep.color)?;
        promoted.promotion.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
        return Ok(outcome);
    }
    write(changes, &planned.directory.source)?;
    let mut failures = complaints(&promoted.fixed);
    print(&summary(&planned))?;
    if matches!(arguments.goal, Goal::Stage(_)) {
        failures.extend(print_checklist(&planned, arguments.kep.color).err());
    }
    Ok(error::outcome(&failures))
}

pub struct Planned {
    /// The PRR file, README.md, and at last kep.yaml, which says that the KEP is promoted.
    pub changes: Vec<Change>,
    pub promoted: Promoted,
    project: Project,
    directory: KepDirectory,
}

impl Planned {
    /// What the arguments ask for, of the files that `source_of` has.
    pub fn of(arguments: &PromoteArguments, source_of: &dyn Fn(&Path) -> Source) -> Result<Self, Failure> {
        let chosen = Chosen::of(&arguments.kep, arguments.release, source_of)?;
        let Chosen { directory, texts, places, mut project } = chosen;
        let PromoteArguments { goal, skip_beta, .. } = *arguments;
        let promoted = Promoted::of(&mut project, &directory, texts, goal, skip_beta, today::time()?)?;
        let review = promoted.promotion.review.as_ref().map(|ReviewText { path, before, text, .. }| {
            let path = PathBuf::from(path);
            let before = before.as_ref().map(|before| (disk::around(&path).real(&path), before.text.clone()));
            Change { given: path, before, after: text.clone() }
        });
        let changes = review.into_iter().chain(fixing::changes(&promoted.fixed, &places)).collect();
        Ok(Self { changes, promoted, project, directory })
    }
}

/// Prints the checklist of the KEP as it is now, in the release that is meant: what is left to do.
fn print_checklist(Planned { promoted, project, directory, .. }: &Planned, color: When) -> Result<(), Failure> {
    let mut texts = promoted.texts.clone();
    texts.files.iter_mut().zip(&promoted.fixed.after.files).for_each(|(file, after)| *file = Arc::clone(after));
    let kep = Kep::parse(texts);
    let repository = project.repositories.of(directory);
    let ask = Ask::merged(None, promoted.meant.release);
    let checklist = ready::judge(kep, project.templates().for_keps_of(repository), repository, ask);
    let board = Board::of_one(checklist, repository, promoted.meant, today::time()?);
    let (width, color) = (screen::width(), screen::has_color(color));
    print(&pretty::render(&board, &Look { width, color, frames: screen::shows_frames(), ..Look::default() }))
}

fn summary(planned: &Planned) -> String {
    let Promoted { promotion, texts, fixed, .. } = &planned.promoted;
    let mut lines = vec![format!("promoted {}", texts.directory)];
    lines.extend(promotion.changes.iter().map(|change| format!("  {change}")));
    if let Some(review) = &promotion.review {
        let verb = if review.before.is_some() { "changed" } else { "wrote" };
        lines.push(format!("  {verb} {}: replace `{STAND_IN}` with the approver", review.path));
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
    let width = screen::width();
    lines.iter().map(|line| output::fitting(line, width) + "\n").collect::<String>() + "\n"
}
