//! Where boards go: standard output and files; and the comments on KEPs.
use super::arguments::{ReadyArguments, ReadyOutput};
use super::comments::Comments;
use crate::cli::destination::{self, FormatArgument, TO_FILES, Target};
use crate::cli::print::print;
use crate::cli::{checkout, color, paths, screen};
use crate::diagnostic::Failure;
use crate::ready::board::Board;
use crate::report::look::{Look, Order};
use crate::report::ready::{ALL, ReadyFormat};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Where boards go. Made before any work is done, so that a path that cannot be written is reported at once.
pub struct Outputs {
    files: Vec<(&'static ReadyFormat, Target)>,
    comments: Option<Comments>,
    look: Look,
}

impl Outputs {
    /// Refuses formats that cannot be printed together, and files that cannot be written.
    pub fn open(arguments: &ReadyArguments) -> Result<Self, Failure> {
        let boards = arguments.format.iter().filter_map(|output| match output {
            ReadyOutput::Board(board) => Some(board.clone()),
            ReadyOutput::Comments(_) => None,
        });
        let boards: Vec<FormatArgument<ReadyFormat>> = boards.collect();
        let comments = Comments::open(arguments)?;
        let mut files = destination::open(&boards, || inputs(arguments))?;
        if comments.as_ref().is_some_and(Comments::is_printed)
            && files.iter().any(|(_, target)| matches!(target, Target::Stdout))
        {
            return Err(Failure::new("only one format can go to standard output").help(TO_FILES));
        }
        if files.is_empty() && comments.is_none() {
            files.extend(ALL.first().map(|format| (format, Target::Stdout)));
        }
        Ok(Self { files, comments, look: look(arguments) })
    }

    /// Gives the KEPs of `board` the comments that are asked for, so that a page can show them.
    pub fn prepare(&self, board: &mut Board) {
        if let Some(comments) = &self.comments {
            comments.give_to(board);
        }
    }

    /// Prints and writes `board`, each format even if another one fails. Returns the failures.
    pub fn write(self, board: &Board) -> Vec<Failure> {
        let plain = Look { color: false, frames: false, links: None, order: Order::WorstFirst, ..self.look.clone() };
        let mut failures = Vec::new();
        for (format, target) in self.files {
            match target {
                Target::Stdout => failures.extend(print(&(format.render)(board, &self.look)).err()),
                // If standard error is closed, there is no place to report it.
                Target::Stderr => drop(write!(io::stderr(), "{}", (format.render)(board, &plain))),
                Target::File(file) => failures.extend(file.finish(&(format.render)(board, &plain)).err()),
            }
        }
        failures.extend(self.comments.into_iter().flat_map(|comments| comments.write(board)));
        failures
    }
}

/// The files and directories that the arguments and the configuration name. An earlier board may be replaced: it is read
/// before that.
fn inputs(arguments: &ReadyArguments) -> Vec<PathBuf> {
    let ReadyArguments { keps, list, prs, template, comment_templates, config, .. } = arguments;
    let keps = paths::all(keps);
    let named = [list, prs, template, comment_templates, &config.config].into_iter().flatten().cloned();
    paths::of_configuration(&keps, &config.wanted()).into_iter().chain(named).chain(keps).collect()
}

fn look(arguments: &ReadyArguments) -> Look {
    let (width, color) = (screen::width(), color::is_wanted(arguments.color));
    let (link_base, checkout) = (arguments.link_base.clone(), checkout::around_here());
    let order = if io::stdout().is_terminal() { Order::WorstLast } else { Order::WorstFirst };
    Look { width, color, frames: screen::shows_frames(), link_base, checkout, order, ..Look::default() }
}
