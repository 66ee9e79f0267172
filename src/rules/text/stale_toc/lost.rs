//! Titles of a table of contents whose headings are gone.

use super::{anchor_of, listed};
use crate::markdown::title::Title;
use crate::mdtoc::TocEntry;
use crate::rules::prelude::*;

/// The titles that are no headings any more.
pub(super) fn titles(page: Page<'_>, between: &Range<usize>, entries: &[TocEntry]) -> BTreeSet<String> {
    let shown = listed(entries);
    let lines = page.slice(between.clone()).lines();
    let lost = lines.filter(|line| anchor_of(line).is_some_and(|anchor| !shown.contains(anchor)));
    let title = |line: &str| Some(line.split_once('[')?.1.rsplit_once("](")?.0.to_owned());
    let words = |text: &str| Title::new(text).words();
    let headings: HashSet<_> = entries.iter().filter_map(|entry| title(&entry.line)).map(|it| words(&it)).collect();
    lost.filter_map(title).filter(|text| !headings.contains(&words(text))).collect()
}

/// The first line below the table that has one of the `lost` titles in bold, or after `\#`, and that is no heading.
pub(super) fn in_bold(page: Page<'_>, between: &Range<usize>, lost: &BTreeSet<String>) -> Option<Range<usize>> {
    if lost.is_empty() {
        return None;
    }
    let mut below = page.visible_spans(between.end..page.text().len());
    below.find(|line| {
        let line = page.slice(line.clone()).trim();
        line.starts_with(['*', '_', '\\'])
            && lost.contains(line.trim_start_matches(['\\', '#', ' ']).trim_matches(['*', '_', ':']))
    })
}
