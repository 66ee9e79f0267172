//! What the lines of a kep.yaml say without parsing it: for what needs all KEPs of a repository, although few of them are
//! checked.

use super::number::without_zeros;
use crate::search;
use crate::span::{first_line, slice};
use crate::stage::Release;

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
    /// Looks in `text` for the lines of these keys alone: there are many files.
    pub fn of(text: &str) -> Self {
        let status = after_key(text, "status:").map(|rest| value(first_line(rest))).next();
        let is_of_gates = |line: &&str| matches!(line.bytes().next(), None | Some(b' ' | b'-' | b'#' | b'\r'));
        let gates = after_key(text, "feature-gates:").flat_map(|rest| rest.lines().skip(1).take_while(is_of_gates));
        let names = gates.filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("name:").map(value));
        let number = after_key(text, "kep-number:").map(|rest| value(first_line(rest))).next();
        Self {
            number: number.map(without_zeros).unwrap_or_default().to_owned(),
            milestone: after_key(text, MILESTONE).find_map(|rest| Release::parse(value(first_line(rest)))),
            gates: names.filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            is_open: status.is_some_and(|status| matches!(status, "provisional" | "implementable")),
        }
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
    let mut fields = after_key(text, MILESTONE);
    let only = fields.next()?;
    if fields.next().is_some() { None } else { Release::parse(value(first_line(only))) }
}

fn after_key<'t>(text: &'t str, key: &'static str) -> impl Iterator<Item = &'t str> {
    let starts = search::words(text, key).filter(|at| slice(text, ..*at).ends_with('\n') || *at == 0);
    starts.map(|at| slice(text, at + key.len()..))
}

fn value(field: &str) -> &str {
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
