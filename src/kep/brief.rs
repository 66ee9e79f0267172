//! What the lines of a kep.yaml say without parsing it: for what needs all KEPs of a repository, although few of them are
//! checked.

use super::number::without_zeros;
use crate::search;
use crate::span::{first_line, slice};
use crate::stage::Release;
use std::iter;

pub const MILESTONE: &str = "latest-milestone:";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brief {
    /// `kep-number` without leading zeros; empty if it is missing.
    pub number: String,
    pub milestone: Option<Release>,
    pub gates: Vec<String>,
    /// Whether the `status` is one of KEPs that are worked on: provisional or implementable.
    pub is_open: bool,
}

impl Brief {
    pub fn of(text: &str) -> Self {
        let mut brief = Self::default();
        let (mut number, mut status, mut is_of_gates) = (None, None, false);
        for start in iter::once(0).chain(search::bytes(text, b'\n').map(|end| end + 1)) {
            let line = slice(text, start..);
            let is_inside = matches!(line.bytes().next(), None | Some(b' ' | b'-' | b'#' | b'\r' | b'\n'));
            if is_of_gates && is_inside {
                let name = line.trim_start_matches([' ', '-']).strip_prefix("name:").map(value);
                brief.gates.extend(name.filter(|name| !name.is_empty()).map(str::to_owned));
                continue;
            }
            is_of_gates = line.starts_with("feature-gates:");
            if let Some(rest) = line.strip_prefix("kep-number:") {
                number.get_or_insert(value(rest));
            } else if let Some(rest) = line.strip_prefix("status:") {
                status.get_or_insert(value(rest));
            } else if let Some(rest) = line.strip_prefix(MILESTONE) {
                brief.milestone = brief.milestone.or_else(|| Release::parse(value(rest)));
            }
        }
        brief.number = number.map(without_zeros).unwrap_or_default().to_owned();
        brief.is_open = status.is_some_and(|status| matches!(status, "provisional" | "implementable"));
        brief
    }
}

/// The milestone in a line that begins with its key.
#[cfg(feature = "cli")]
pub fn milestone_in(line: &str) -> Option<Release> {
    Release::parse(value(line.strip_prefix(MILESTONE)?))
}

/// The milestone of the only line that begins with its key.
#[cfg(feature = "cli")]
pub fn only_milestone(text: &str) -> Option<Release> {
    let fields = search::words(text, MILESTONE).filter(|at| *at == 0 || slice(text, ..*at).ends_with('\n'));
    milestone_in(slice(text, crate::span::only_one(fields)?..))
}

/// The value at the start of a text, as far as it is in one line.
fn value(text: &str) -> &str {
    let field = first_line(text);
    field.split('#').next().unwrap_or(field).trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_and_the_milestone_are_read_by_their_lines() {
        let text = "title: x\nlatest-milestone: \"v1.30\"\nfeature-gates:\n  - name: A # new\n    components:\n      - name-tag\n\
            - components: [b]\n  name: \"B\"\n\n  # - name: C\ndisable-supported: true\nmetrics:\n  - name: d\n";
        let brief = Brief::of(text);
        assert_eq!(
            (brief.milestone.map(|release| release.minor), brief.gates),
            (Some(30), vec!["A".into(), "B".into()])
        );
        assert_eq!(Brief::of("feature-gates: []\nname: x\n"), Brief::default());
        #[cfg(feature = "cli")]
        assert_eq!(
            [text, "latest-milestone: v1.30\nlatest-milestone: v1.31\n", "a:\n  latest-milestone: v1.30\n"]
                .map(|text| only_milestone(text).map(|release| release.minor)),
            [Some(30), None, None]
        );
        assert!(Brief::of("status: \"implementable\" # still\n").is_open && !Brief::of("status: withdrawn\n").is_open);
    }
}
