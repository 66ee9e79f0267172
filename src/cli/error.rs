//! Prints failures.

use super::bounds;
use crate::diagnostic::Failure;
use crate::report::{counted, printable};
use std::io::{self, Write};
use std::path::Path;

/// What to do about a file that the system does not let grow.
pub const SIZE_LIMIT: &str = "raise the limit for the size of files, such as with `ulimit -f unlimited`";

/// An operation on `path` that failed with `error`.
pub fn io(operation: &str, path: &Path, error: &io::Error) -> Failure {
    let reason = error.to_string();
    let reason = reason.split(" (os error").next().unwrap_or(&reason).to_lowercase();
    let failure = Failure::of(operation, path, &reason);
    match error.kind() {
        io::ErrorKind::FileTooLarge => failure.help(SIZE_LIMIT),
        _ => failure,
    }
}

/// Writes a failure to standard error.
pub fn print(failure: &Failure) {
    let excerpt = failure.excerpt.as_ref().map(|lines| format!("\n{}", lines.trim_end())).unwrap_or_default();
    let help = failure.help.as_ref().map(|help| format!("\n  help: {}", printable(help))).unwrap_or_default();
    // If standard error is closed, there is no place to report it.
    let _ = writeln!(io::stderr(), "error: {}{excerpt}{help}", printable(&failure.message));
}

/// Writes all of them to standard error, up to a limit.
pub fn print_all(failures: &[Failure]) {
    failures.iter().take(bounds::FAILURES).for_each(print);
    let more = failures.len().saturating_sub(bounds::FAILURES);
    if more > 0 {
        let _ = writeln!(io::stderr(), "error: and {}", counted(more, "more failure", "more failures"));
    }
}
