//! `--add-ignores`: which findings a run has already, and what is said of the ignores that were added.

use super::fixing::Tally;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::Run;
use crate::report::{Summary, counted};
use std::collections::HashMap;

/// The findings of a whole run, by the directory of the KEP.
pub struct Known<'a>(HashMap<&'a str, &'a [Diagnostic]>);

impl<'a> Known<'a> {
    /// The findings of `run`.
    pub fn of(run: &'a Run) -> Self {
        let keps =
            run.reports.iter().filter_map(|report| Some((report.kep.as_deref()?, report.diagnostics.as_slice())));
        Self(keps.collect())
    }

    /// Those of the KEP in this directory.
    pub fn of_kep(&self, directory: &str) -> &'a [Diagnostic] {
        self.0.get(directory).copied().unwrap_or_default()
    }
}

/// How many findings are ignored now, and how many at or above `level` are left in `run`.
pub fn words(tally: &Tally, run: &Run, level: Severity) -> String {
    let left = match Summary::of(run).from_level(level).total() {
        0 => String::new(),
        left => format!("; {} left, where kep-lint adds no ignore", counted(left, "finding is", "findings are")),
    };
    format!("; added ignores for {}{left}", tally.words())
}
