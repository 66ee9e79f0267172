//! Small YAML files made for tools, such as lists of aliases and groups, as values of their own types. The only file
//! that uses serde's YAML reader. That reader expands aliases and gets very slow with nested brackets, so it only gets
//! files that the reader of [`crate::yaml`] has checked first.

use super as yaml;
use super::tree::{Node, Value, Yaml};
use crate::bounds;
use crate::diagnostic::brief;
use crate::span::FileId;
use serde::de::DeserializeOwned;
use std::collections::HashSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub offset: usize,
    pub message: String,
    pub help: Option<String>,
}

/// Reads the first document of `text`. Anchors, aliases and duplicate keys are not allowed.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    tree(text, bounds::LIST_BYTES)?;
    serde_yaml::from_str(yaml::first_document(text)).map_err(|error| {
        let offset = text.floor_char_boundary(error.location().map_or(0, |location| location.index()));
        let message = error.to_string();
        let message = brief(message.split(" at line ").next().unwrap_or_default()).into_owned();
        Problem { offset, message, help: None }
    })
}

/// Reads `text`, of at most so many bytes, as a tree without anchors, aliases and duplicate keys.
pub fn tree(text: &str, most: u64) -> Result<Yaml, Problem> {
    let problem = |offset, message: &str, help: &str| Problem {
        offset,
        message: message.to_owned(),
        help: Some(help.to_owned()),
    };
    if text.len() as u64 > most {
        let message = format!("the file is larger than {}", bounds::size(most));
        return Err(problem(0, &message, "remove what is not needed"));
    }
    // The two readers do not agree on which of these are line breaks.
    if let Some(at) = text.find(['\u{85}', '\u{2028}', '\u{2029}']) {
        return Err(problem(at, "line break is not a newline", "write a newline"));
    }
    let tree = yaml::parse(FileId(0), text);
    if let Some(first) = tree.problems.first() {
        return Err(Problem { offset: first.span.start, message: first.message.clone(), help: first.help.clone() });
    }
    let mut nodes: Vec<&Node> = tree.root.iter().collect();
    while let Some(node) = nodes.pop() {
        if let Some(start) = node.anchor {
            return Err(problem(start, "YAML anchors and aliases are not allowed here", "write the values out"));
        }
        match &node.value {
            Value::Alias(_) | Value::Scalar(_) => {}
            Value::Sequence(items) => nodes.extend(items),
            Value::Mapping(entries) => {
                let mut seen = HashSet::new();
                for entry in entries {
                    if let Some(key) = entry.key.as_str().filter(|key| !seen.insert(*key)) {
                        let message = format!("duplicate key `{}`", brief(key));
                        return Err(problem(entry.key.span.start, &message, "remove one of the two"));
                    }
                    nodes.extend([&entry.key, &entry.value]);
                }
            }
        }
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    type Lists = BTreeMap<String, Vec<String>>;

    #[test]
    fn plain_lists_are_read() {
        let lists = BTreeMap::from([("a".to_owned(), vec!["b".to_owned(), "é".to_owned()])]);
        assert_eq!(read("# c\na: [b, é]\n"), Ok(lists.clone()));
        assert_eq!(read("---\na:\n- b\n- é\n---\nc: [\n"), Ok(lists));
    }

    #[test]
    fn a_rejected_file_has_a_position_and_a_message() {
        let rejected = |text: &str| read::<Lists>(text).expect_err(text);
        for (text, offset, message) in [
            ("a: [x]\nb: [y]\na: [z]\n", 14, "duplicate key `a`"),
            ("a: &b [x]\n", 3, "YAML anchors and aliases are not allowed here"),
            ("a: [*b]\n", 4, "`*b` has no anchor `&b` before it"),
            ("a: [@b]\n", 4, "unquoted value begins with `@`"),
            ("é: [a]\nb: 1\n", 11, "b: invalid type: integer `1`, expected a sequence"),
            ("a: # \u{2028}[[[", 5, "line break is not a newline"),
        ] {
            let problem = rejected(text);
            assert_eq!((problem.offset, problem.message.as_str()), (offset, message), "{text}");
        }
        let of_bytes = |count: u64| "#".repeat(usize::try_from(count).expect("small"));
        assert!(tree(&of_bytes(bounds::LIST_BYTES), bounds::LIST_BYTES).is_ok());
        assert_eq!(rejected(&of_bytes(bounds::LIST_BYTES + 1)).message, "the file is larger than 1 MiB");
        assert_eq!(rejected(&"[".repeat(200_000)).message, "nested more than 100 levels deep");
    }
}
