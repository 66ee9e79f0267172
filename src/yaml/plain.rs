//! Plain YAML files as values of their own types: lists of aliases and groups, and what else is small and made for
//! tools. The one file that knows serde's YAML reader, which repeats what aliases refer to and takes ever longer for
//! nested brackets, so that it gets to see only what the reader of [`crate::yaml`] has found to be harmless.

use super as yaml;
use super::tree::{Node, Value};
use crate::diagnostic::brief;
use crate::span::FileId;
use serde::de::DeserializeOwned;
use std::collections::HashSet;

/// The largest file that is read, in bytes; that of kubernetes/community has half as many.
const LARGEST: usize = 256 * 1024;

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Offset of what is wrong, on a character boundary.
    pub offset: usize,
    /// What is wrong, as a clause.
    pub message: String,
    /// What to do, if that can be told.
    pub help: Option<String>,
}

/// Reads the first document of `text`, which may have no anchors, no aliases and no key twice.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    check(text)?;
    serde_yaml::from_str(yaml::first_document(text)).map_err(|error| {
        let offset = text.floor_char_boundary(error.location().map_or(0, |location| location.index()));
        let message = error.to_string();
        let message = brief(message.split(" at line ").next().unwrap_or_default()).into_owned();
        Problem { offset, message, help: None }
    })
}

fn check(text: &str) -> Result<(), Problem> {
    let problem = |offset, message: &str, help: &str| Problem {
        offset,
        message: message.to_owned(),
        help: Some(help.to_owned()),
    };
    if text.len() > LARGEST {
        return Err(problem(0, "the file is larger than 256 KiB", "remove what it does not need"));
    }
    // The two readers do not agree on which of these begin a line.
    if let Some(at) = text.find(['\u{85}', '\u{2028}', '\u{2029}']) {
        return Err(problem(at, "line break that is no newline", "write a newline"));
    }
    let tree = yaml::parse(FileId(0), text);
    if let Some(first) = tree.problems.into_iter().next() {
        return Err(Problem { offset: first.span.start, message: first.message, help: first.help });
    }
    let mut nodes: Vec<&Node> = tree.root.iter().collect();
    while let Some(node) = nodes.pop() {
        if let Some(start) = node.anchor {
            return Err(problem(start, "anchors and aliases of YAML are not allowed here", "write the values out"));
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
    Ok(())
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
    fn what_is_refused_says_where_and_why() {
        let refused = |text: &str| read::<Lists>(text).expect_err(text);
        for (text, offset, message) in [
            ("a: [x]\nb: [y]\na: [z]\n", 14, "duplicate key `a`"),
            ("a: &b [x]\n", 3, "anchors and aliases of YAML are not allowed here"),
            ("a: [*b]\n", 4, "`*b` refers to nothing: there is no anchor of that name before it"),
            ("a: [@b]\n", 4, "unquoted value begins with `@`"),
            ("é: [a]\nb: 1\n", 11, "b: invalid type: integer `1`, expected a sequence"),
            ("a: # \u{2028}[[[", 5, "line break that is no newline"),
        ] {
            let problem = refused(text);
            assert_eq!((problem.offset, problem.message.as_str()), (offset, message), "{text}");
        }
        assert_eq!(refused(&"a: [x]\n".repeat(40_000)).message, "the file is larger than 256 KiB");
        assert_eq!(refused(&"[".repeat(200_000)).message, "nested more than 100 levels deep");
    }
}
