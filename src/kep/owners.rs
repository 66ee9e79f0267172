//! The OWNERS file next to a kep.yaml: who reviews and approves changes to it.

use super::field::{List, Reader};
use super::schema::{self, Flaw, FlawKind};
use crate::span::{FileId, Span};
use crate::yaml;
use crate::yaml::tree::{Node, Problem};

#[derive(Clone, Debug)]
pub struct Owners {
    pub file: FileId,
    pub reviewers: List,
    pub approvers: List,
    pub root: Option<Node>,
    pub problems: Vec<Problem>,
    pub flaws: Vec<Flaw>,
    pub too_deep: Option<Span>,
}

impl Owners {
    pub fn parse(file: FileId, text: &str) -> Self {
        let tree = yaml::parse(file, text);
        let reader = Reader::new(&tree, tree.root.as_ref());
        let flaws = schema::check(&tree, schema::OWNERS, Span::new(file, 0..0));
        let is_type = |flaw: &Flaw| matches!(flaw.kind, FlawKind::WrongType { .. } | FlawKind::NoKeys(_));
        Self {
            file,
            reviewers: reader.list("reviewers"),
            approvers: reader.list("approvers"),
            flaws: flaws.into_iter().filter(is_type).collect(),
            too_deep: tree.too_deep,
            problems: tree.problems,
            root: tree.root,
        }
    }
}
