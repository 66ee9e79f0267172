//! Prints failures.

use super::outcome::Outcome;
use crate::bounds;
use crate::diagnostic::{Failure, Quote, counted};
use crate::report::look::Look;
use crate::report::{pretty, printable};
use std::io::{self, Write};

/// What fails for one reason may be called by what fails for several.
impl From<Failure> for Vec<Failure> {
    fn from(failure: Failure) -> Self {
        vec![failure]
    }
}

pub fn print(failure: &Failure) {
    let look = Look { frames: false, ..Look::default() };
    let lines = failure.quote.as_ref().map(|Quote { file, span }| pretty::excerpt(file, *span, &look));
    let excerpt = lines.map(|lines| format!("\n{}", lines.trim_end())).unwrap_or_default();
    let help = failure.help.as_ref().map(|help| format!("\n  help: {}", printable(help))).unwrap_or_default();
    // If standard error is closed, there is no place to report it.
    let _ = writeln!(io::stderr(), "error: {}{excerpt}{help}", printable(&failure.message));
}

pub fn print_all(failures: &[Failure]) {
    failures.iter().take(bounds::FAILURES).for_each(print);
    let more = failures.len().saturating_sub(bounds::FAILURES);
    if more > 0 {
        let _ = writeln!(io::stderr(), "error: and {}", counted(more, "more failure", "more failures"));
    }
}

/// The outcome of a command with these failures, which are printed.
pub fn outcome(failures: &[Failure]) -> Outcome {
    print_all(failures);
    if failures.is_empty() { Outcome::Clean } else { Outcome::Incomplete }
}

/// The first of several failures, after the others were printed.
pub fn first(failures: Vec<Failure>) -> Failure {
    let mut failures = failures.into_iter();
    let first = failures.next().unwrap_or_else(|| Failure::new("nothing was done"));
    print_all(&failures.collect::<Vec<_>>());
    first
}
