//! What the lines of a kep.yaml say without parsing it: for what needs all KEPs of a repository, although few of them are
//! checked.

use super::milestone;
use crate::span::slice;
use crate::stage::Release;

/// What is read of the lines of a kep.yaml.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brief {
    /// `latest-milestone`.
    pub milestone: Option<Release>,
    /// The names in `feature-gates`.
    pub gates: Vec<String>,
    /// Whether the `status` is one of KEPs that are worked on: provisional or implementable.
    pub is_open: bool,
}

impl Brief {
    /// Reads the lines of `text`.
    pub fn of(text: &str) -> Self {
        let mut gates = after(text, "feature-gates:").lines().skip(1);
        let gates = gates.by_ref().take_while(|line| line.is_empty() || line.starts_with([' ', '-', '#', '\r']));
        let name = |line: &str| {
            let name = value(line.trim_start_matches([' ', '-']).strip_prefix("name:")?);
            (!name.is_empty()).then(|| name.to_owned())
        };
        let status = after(text, "status:").lines().next().map(value);
        let is_open = status.is_some_and(|status| matches!(status, "provisional" | "implementable"));
        Self { milestone: milestone::of_text(text), gates: gates.filter_map(name).collect(), is_open }
    }
}

/// The text after `key` at the beginning of a line; empty if it is not there.
fn after<'a>(text: &'a str, key: &str) -> &'a str {
    let is_line = |at: &usize| *at == 0 || slice(text, ..*at).ends_with('\n');
    let at = text.match_indices(key).map(|(at, _)| at).find(is_line);
    at.map_or("", |at| slice(text, at + key.len()..))
}

/// The value after a colon, without quotes and comment.
fn value(field: &str) -> &str {
    field.split(" #").next().unwrap_or(field).trim().trim_matches(['"', '\''])
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
        assert!(Brief::of("status: \"implementable\" # still\n").is_open && !Brief::of("status: withdrawn\n").is_open);
    }
}
