//! `--add-ignores`: what is said of the ignores that were added.

use super::fixing::Tally;
use crate::diagnostic::{Severity, counted};
use crate::lint::Run;
use crate::report::Summary;

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
