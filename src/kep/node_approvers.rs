//! kep.yaml as `pkg/nodeapprovers` of kubernetes/enhancements reads it. Unlike upstream's other tools it follows
//! neither aliases nor merge keys, ignores spaces around values, and uses the first of duplicate keys.

use super::milestone;
use crate::span::Span;
use crate::yaml::tree::{Node, Value, Yaml};

/// What SIG Node's rules about approvers depend on.
#[derive(Clone, Debug, Default)]
pub struct NodeApprovers {
    /// `status`, without spaces around it.
    pub status: String,
    /// `stage`, without spaces around it.
    pub stage: String,
    /// The minor release of `latest-milestone`.
    pub minor: Option<u64>,
    /// `reviewers`.
    pub reviewers: Vec<Person>,
    /// `approvers`.
    pub approvers: Vec<Person>,
}

/// An item of `reviewers` or `approvers`.
#[derive(Clone, Debug)]
pub struct Person {
    /// The GitHub handle, in lower case and without `@`.
    pub handle: String,
    /// Its span.
    pub span: Span,
    /// The comment after it on the same line, without `#`.
    pub comment: Option<String>,
}

impl NodeApprovers {
    /// Reads the root of `tree`.
    pub fn read(tree: &Yaml) -> Self {
        let value = |key: &str| Some(&tree.root.as_ref()?.get(key)?.value);
        let text = |key: &str| value(key).and_then(scalar).unwrap_or_default().trim().to_owned();
        let people = |key: &str| {
            let items = value(key).and_then(Node::as_sequence).unwrap_or_default();
            items.iter().filter_map(person).collect()
        };
        Self {
            status: text("status"),
            stage: text("stage"),
            minor: milestone::as_nodeapprovers_reads_it(&text("latest-milestone")),
            reviewers: people("reviewers"),
            approvers: people("approvers"),
        }
    }
}

/// A GitHub handle for comparison: in lower case, without `@` and spaces.
pub fn handle(text: &str) -> String {
    let text = text.trim();
    text.strip_prefix('@').unwrap_or(text).to_lowercase()
}

fn person(node: &Node) -> Option<Person> {
    let comment = node.comment.as_ref().map(|comment| comment.text.clone());
    Some(Person { handle: handle(scalar(node)?), span: node.span, comment })
}

/// The text of a scalar as written, also if it is null.
fn scalar(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(scalar) => Some(&scalar.text),
        _ => None,
    }
}
