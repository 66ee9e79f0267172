//! What kept the job from being done: the operation, the path, and the way out.

use super::bounds;
use crate::report::{counted, printable};
use std::io::{self, Write};
use std::path::Path;

/// How much of a path is printed, in characters; the end says more than the beginning.
const LONGEST_PATH: usize = 300;

/// Something that could not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: String,
    help: Option<String>,
}

impl Failure {
    /// `message` names the operation and what it was done to.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// An operation on `path` that failed with `error`.
    pub fn io(operation: &str, path: &Path, error: &io::Error) -> Self {
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or(&reason).to_lowercase();
        Self::of(operation, path, &reason)
    }

    /// An operation on `path` that was not tried, or failed, for `reason`.
    pub fn of(operation: &str, path: &Path, reason: &str) -> Self {
        Self::new(format!("cannot {operation} {}: {reason}", named(path)))
    }

    /// Adds the way out, beginning with a verb.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Writes it to standard error.
    pub fn print(&self) {
        let help = self.help.as_ref().map(|help| format!("\n  help: {}", printable(help))).unwrap_or_default();
        // Where standard error is closed, nobody is left to tell.
        let _ = writeln!(io::stderr(), "error: {}{help}", printable(&self.message));
    }

    /// Writes all of them to standard error, or as many as anybody reads.
    pub fn print_all(failures: &[Self]) {
        failures.iter().take(bounds::FAILURES).for_each(Self::print);
        let more = failures.len().saturating_sub(bounds::FAILURES);
        if more > 0 {
            let _ = writeln!(io::stderr(), "error: and {}", counted(more, "more failure", "more failures"));
        }
    }
}

/// A path in backticks, its beginning cut off if it is too long.
pub fn named(path: &Path) -> String {
    let path = path.to_string_lossy();
    match path.char_indices().rev().nth(LONGEST_PATH) {
        Some((at, _)) => format!("`…{}`", path.get(at..).unwrap_or_default()),
        None => format!("`{path}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_is_cut() {
        assert_eq!(named(Path::new("keps/x")), "`keps/x`");
        let long = named(&Path::new(&"d/".repeat(2_000)).join("é.md"));
        assert!(long.starts_with("`…") && long.ends_with("/é.md`") && long.chars().count() < 310, "{long}");
    }
}
