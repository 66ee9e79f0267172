//! Where boards go: standard output and files.

use super::arguments::ReadyArguments;
use crate::cli::destination::{self, Target};
use crate::cli::print::print;
use crate::cli::{checkout, color, screen};
use crate::diagnostic::Failure;
use crate::ready::board::Board;
use crate::report::look::Look;
use crate::report::ready::{ALL, ReadyFormat};
use std::io::{self, Write};

/// Where boards go. Made before any work is done, so that a path that cannot be written is reported at once.
pub struct Outputs {
    files: Vec<(&'static ReadyFormat, Target)>,
    look: Look,
}

impl Outputs {
    /// Refuses formats that cannot be printed together, and files that cannot be written.
    pub fn open(arguments: &ReadyArguments) -> Result<Self, Failure> {
        let mut files = destination::open(&arguments.format)?;
        if files.is_empty() {
            files.extend(ALL.first().map(|format| (format, Target::Stdout)));
        }
        Ok(Self { files, look: look(arguments) })
    }

    /// Prints and writes `board`, each format even if another one fails. Returns the failures.
    pub fn write(self, board: &Board) -> Vec<Failure> {
        let plain = Look { color: false, frames: false, links: None, ..self.look.clone() };
        let mut failures = Vec::new();
        for (format, target) in self.files {
            match target {
                Target::Stdout => failures.extend(print(&(format.render)(board, &self.look)).err()),
                // If standard error is closed, there is no place to report it.
                Target::Stderr => drop(write!(io::stderr(), "{}", (format.render)(board, &plain))),
                Target::File(file) => failures.extend(file.finish(&(format.render)(board, &plain)).err()),
            }
        }
        failures
    }
}

fn look(arguments: &ReadyArguments) -> Look {
    let (width, color) = (screen::width(), color::is_wanted(arguments.color));
    let (link_base, checkout) = (arguments.link_base.clone(), checkout::around_here());
    Look { width, color, frames: screen::shows_frames(), link_base, checkout, ..Look::default() }
}
