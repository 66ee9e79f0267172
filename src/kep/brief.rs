//! What the lines of a kep.yaml say without parsing it: for what needs all KEPs of a repository, although few of them are
//! checked.

use super::milestone;
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
    /// Reads the lines of `text`, each once: there are many files.
    pub fn of(text: &str) -> Self {
        let mut brief = Self::default();
        let (mut status, mut is_in_gates) = (None, false);
        for line in text.lines() {
            match line.bytes().next() {
                None | Some(b' ' | b'-' | b'#' | b'\r') if is_in_gates => {
                    let name = line.trim_start_matches([' ', '-']).strip_prefix("name:").map(value);
                    brief.gates.extend(name.filter(|name| !name.is_empty()).map(str::to_owned));
                }
                Some(b'f') => is_in_gates = line.starts_with("feature-gates:"),
                Some(b'l') if brief.milestone.is_none() => {
                    is_in_gates = false;
                    brief.milestone = line.strip_prefix("latest-milestone:").and_then(milestone::of_line);
                }
                Some(b's') if status.is_none() => {
                    is_in_gates = false;
                    status = line.strip_prefix("status:").map(value);
                }
                _ => is_in_gates = false,
            }
        }
        brief.is_open = status.is_some_and(|status| matches!(status, "provisional" | "implementable"));
        brief
    }
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
