//! Where texts in several formats go: the values of `--format`, for each command that has it.

use super::paths::STDIN;
use super::print::print;
use super::protected::{refuse_input, refuse_report};
use super::write::report_file::ReportFile;
use crate::diagnostic::Failure;
use crate::report::look::Look;
use crate::workspace::files::disk;
use crate::workspace::files::opened::Opened;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct FormatArgument<F: 'static> {
    pub format: &'static F,
    pub file: Option<PathBuf>,
}

impl<F> FormatArgument<F> {
    /// Reads `NAME` or `NAME=FILE`; `of_name` knows the formats.
    pub fn parse(text: &str, of_name: impl FnOnce(&str) -> Result<&'static F, String>) -> Result<Self, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err("missing FILE after `=`".to_owned()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        Ok(Self { format: of_name(name)?, file })
    }
}

pub enum Target {
    Stdout,
    Stderr,
    File(ReportFile),
}

impl Target {
    /// Writes what `render` makes for a screen or, without what only a screen shows, for a file.
    pub fn write(self, look: &Look, render: impl Fn(&Look) -> String) -> Result<(), Failure> {
        let plain = || render(&look.plain());
        match self {
            Self::Stdout => print(&render(look)),
            Self::Stderr => {
                // If standard error is closed, there is no place to report it.
                let _ = write!(io::stderr(), "{}", plain());
                Ok(())
            }
            Self::File(file) => file.finish(&plain()),
        }
    }
}

/// Opens where the texts go, before any work is done, so that a path that cannot be written is reported at once. Refuses
/// formats that cannot be printed together, and files that no report may replace, such as the `inputs` of the run.
pub fn open<F>(
    arguments: &[FormatArgument<F>],
    inputs: impl FnOnce() -> Vec<PathBuf>,
) -> Result<Vec<(&'static F, Target)>, Failure> {
    let has_file = arguments.iter().any(|argument| argument.file.is_some());
    let inputs = if has_file { inputs() } else { Vec::new() };
    let mut opened: Vec<(&'static F, Target)> = Vec::new();
    for FormatArgument { format, file } in arguments {
        let target = match file.as_deref().map(Path::to_str) {
            None | Some(Some("/dev/stdout")) => Target::Stdout,
            Some(Some("/dev/stderr")) => Target::Stderr,
            _ => {
                let file = file.as_deref().unwrap_or(Path::new(""));
                check(file, "leave out `=-` to print to standard output")?;
                refuse_report(file, &inputs)?;
                Target::File(ReportFile::open(file)?)
            }
        };
        let is_taken = opened.iter().any(|(_, other)| match (other, &target) {
            (Target::File(other), Target::File(report)) => report.takes_place_of(other),
            _ => false,
        });
        if is_taken {
            return Err(Failure::new("two formats go to the same file").help("name another file for one of them"));
        }
        opened.push((format, target));
    }
    match opened.iter().filter(|(_, target)| matches!(target, Target::Stdout)).count() {
        0 | 1 => Ok(opened),
        _ => Err(Failure::new("only one format can go to standard output").help(TO_FILES)),
    }
}

pub fn check_output(file: &Path) -> Result<(), Failure> {
    check(file, "leave out `--output` to print to standard output")?;
    refuse_input(file, &[])
}

/// The file that an output updates, read up to so many bytes; `None` if there is none yet.
pub fn known(file: &Path, most: u64) -> Result<Option<Opened>, Failure> {
    let source = disk::around(file);
    source.kind(file).map(|_| source.read(file, most)).transpose()
}

/// Fails for `-`, which names no file to write.
fn check(file: &Path, help: &str) -> Result<(), Failure> {
    if file.as_os_str() == STDIN { Err(Failure::new("`-` is not a file").help(help)) } else { Ok(()) }
}

pub const TO_FILES: &str = "write the others to files: `--format json=FILE`";
