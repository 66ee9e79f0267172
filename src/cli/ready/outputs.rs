//! Where boards go: standard output and files.

use super::arguments::{ReadyArguments, ReadyFormatArgument};
use crate::cli::write::ReportFile;
use crate::cli::{checkout, color, print, screen};
use crate::diagnostic::Failure;
use crate::ready::board::Board;
use crate::report::look::Look;
use crate::report::ready::{ALL, ReadyFormat};
use std::path::Path;

/// Where boards go. Made before any work is done, so that a path that cannot be written is reported at once.
pub struct Outputs {
    printed: Option<&'static ReadyFormat>,
    files: Vec<(&'static ReadyFormat, ReportFile)>,
    look: Look,
}

impl Outputs {
    /// Refuses formats that cannot be printed together, and files that cannot be written.
    pub fn open(arguments: &ReadyArguments) -> Result<Self, Failure> {
        let mut outputs = Self { printed: None, files: Vec::new(), look: look(arguments) };
        for ReadyFormatArgument { format, file } in &arguments.format {
            match file.as_deref() {
                None if outputs.printed.is_some() => {
                    let failure = Failure::new("only one format can go to standard output");
                    return Err(failure.help("write the others to files: `--format json=FILE`"));
                }
                None => outputs.printed = Some(format),
                Some(path) if path == Path::new("-") => {
                    let failure = Failure::new("`-` is not a file");
                    return Err(failure.help("leave it out to print to standard output"));
                }
                Some(path) => {
                    let file = ReportFile::create(path)?;
                    if outputs.files.iter().any(|(_, other)| other.is_same(&file)) {
                        let failure = Failure::new("two formats go to the same file");
                        return Err(failure.help("name another file for one of them"));
                    }
                    outputs.files.push((format, file));
                }
            }
        }
        if arguments.format.is_empty() {
            outputs.printed = ALL.first();
        }
        Ok(outputs)
    }

    /// Prints and writes `board`, each format even if another one fails. Returns the failures.
    pub fn write(self, board: &Board) -> Vec<Failure> {
        let plain = Look { color: false, frames: false, links: None, ..self.look.clone() };
        let files = self.files.into_iter().map(|(format, file)| file.finish(&(format.render)(board, &plain)));
        let mut failures: Vec<Failure> = files.filter_map(Result::err).collect();
        let text = self.printed.map(|format| (format.render)(board, &self.look));
        failures.extend(text.and_then(|text| print(&text).err()));
        failures
    }
}

fn look(arguments: &ReadyArguments) -> Look {
    let (width, color) = (screen::width(), color::is_wanted(arguments.color));
    let (link_base, checkout) = (arguments.link_base.clone(), checkout::around_here());
    Look { width, color, frames: screen::shows_frames(), link_base, checkout, ..Look::default() }
}
