//! kep.yaml as `pkg/nodeapprovers` of kubernetes/enhancements reads it. Unlike upstream's other tools it follows
//! neither aliases nor merge keys, ignores spaces around values, and uses the first of duplicate keys.

use super::milestone;
use crate::span::Span;
use crate::stage::{Release, Stage, Status};
use crate::yaml::tree::{Node, Value, Yaml};

pub const APPROVER: &str = "sig-node-assigned-approver";

pub const REVIEWER: &str = "sig-node-assigned-reviewer";

const SIG: &str = "sig-node";

const SINCE: u64 = 36;

#[derive(Clone, Debug, Default)]
pub struct NodeApprovers {
    pub status: String,
    pub stage: String,
    pub minor: Option<u64>,
    pub reviewers: Vec<Person>,
    pub approvers: Vec<Person>,
}

#[derive(Clone, Debug)]
pub struct Person {
    pub handle: String,
    pub span: Span,
    pub comment: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    Tech,
    /// A tech lead, or an approver who is assigned to the KEP.
    TechOrAssigned,
}

impl NodeApprovers {
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

    /// The approver that SIG Node requires of a KEP in the directory of this SIG: at the `given` stage and release, or else
    /// at those of kep.yaml. Of an alpha of the release under development, `current`, it must be a tech lead.
    pub fn required(&self, sig: Option<&str>, given: Option<(Stage, Release)>, current: Release) -> Option<Lead> {
        let is_over =
            matches!(Status::from_name(&self.status), Some(Status::Withdrawn | Status::Rejected | Status::Replaced));
        let (stage, minor) = match given {
            Some((stage, release)) => (stage.name(), Some(release.minor.into())),
            None => (self.stage.as_str(), self.minor),
        };
        let is_new_alpha = stage == Stage::Alpha.name() && minor >= Some(current.minor.into());
        let lead = if is_new_alpha { Lead::Tech } else { Lead::TechOrAssigned };
        (!is_over && sig == Some(SIG) && minor >= Some(SINCE)).then_some(lead)
    }

    pub fn assigned(&self) -> impl Iterator<Item = &Person> {
        self.approvers.iter().filter(|person| person.is_marked(APPROVER))
    }
}

impl Person {
    pub fn is_marked(&self, marker: &str) -> bool {
        self.comment.as_deref() == Some(marker)
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

fn scalar(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(scalar) => Some(&scalar.text),
        _ => None,
    }
}
