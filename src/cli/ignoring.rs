//! `--add-ignores`: which findings a run has already, and what is said of the ignores that were added.

use super::fixing::Tally;
use crate::diagnostic::{Diagnostic, Severity, counted};
use crate::lint::Run;
use crate::report::Summary;
use std::collections::HashMap;

/// The findings of a whole run, by the directory of the KEP.
pub struct Known<'a>(HashMap<&'a str, &'a [Diagnostic]>);

impl<'a> Known<'a> {
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

/// How many findings ignores were added for, and how many at or above `level` are left in `run`, which was made with
/// these ignores.
pub fn added(tally: &Tally, run: &Run, level: Severity) -> String {
    format!("; added ignores for {}{}", tally.words(), left(Summary::of(run).from_level(level).total()))
}

/// The same for ignores that are only shown: `run` was made without them.
pub fn shown(tally: &Tally, run: &Run, level: Severity) -> String {
    let all = Summary::of(run).from_level(level).total();
    format!("would add ignores for {}{}", tally.words(), left(all.saturating_sub(tally.findings)))
}

fn left(count: usize) -> String {
    match count {
        0 => String::new(),
        count => format!("; {} left, where kep-lint adds no ignore", counted(count, "finding is", "findings are")),
    }
}
