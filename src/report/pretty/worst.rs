//! The KEPs with the most findings, after a report that is too long to be read at once.

use super::Shown;
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::{Summary, printable};

/// Up to so many KEPs, the report itself is short enough.
const MOST_WITHOUT: usize = 10;

type Count = fn(Summary) -> usize;

/// The worst KEPs, worst first; `None` if few are `shown`, which are in ascending order.
pub fn table(shown: &[Shown<'_>], look: &Look) -> Option<String> {
    if shown.len() <= MOST_WITHOUT {
        return None;
    }
    let keps = || shown.iter().rev().filter_map(|shown| Some((shown.report.kep.as_deref()?, shown.counts)));
    let columns: [(&str, Count); 3] =
        [("errors", |counts| counts.error), ("warnings", |counts| counts.warning), ("advice", |counts| counts.advice)];
    let is_used = |(_, count): &(&str, Count)| keps().any(|(_, counts)| count(counts) > 0);
    let columns: Vec<_> = columns.into_iter().filter(is_used).collect();
    let heading: String = columns.iter().map(|(name, _)| format!("{name:>8}  ")).collect();
    let heading = Paint::Bold.only_if(look.color).apply(&format!("{heading}most findings"));
    let row = |(path, counts): (&str, Summary)| {
        let cells: String = columns.iter().map(|(_, count)| format!("{:>8}  ", count(counts))).collect();
        format!("{cells}{}\n", printable(path))
    };
    let rows = keps().take(MOST_WITHOUT).map(row);
    Some(format!("{heading}\n{}", rows.collect::<String>()))
}
