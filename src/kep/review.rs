//! A PRR file, `keps/prod-readiness/<sig>/<number>.yaml`: who approved the production readiness of which stage.

use super::field::{Field, Reader, first_line};
use super::front_matter;
use super::schema::{self, Flaw};
use crate::span::{FileId, Span};
use crate::stage::Stage;
use crate::yaml;
use crate::yaml::tree::{Problem, Yaml};

#[derive(Clone, Debug)]
pub struct Review {
    pub file: FileId,
    pub number: Option<Field>,
    /// The entries of stages that are not null, in the order of [`Stage::ALL`].
    pub approvals: Vec<Approval>,
    pub tree: Yaml,
    pub flaws: Vec<Flaw>,
    pub top: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    pub stage: Stage,
    pub key: Span,
    pub approver: Option<Field>,
}

impl Review {
    pub fn parse(file: FileId, text: &str) -> Self {
        let mut tree = yaml::parse(file, text);
        tree.problems.extend(front_matter::long_line(text).map(|line| Problem {
            message: front_matter::long_line_message(text, &line),
            span: Span::new(file, line),
            help: Some("break the line".to_owned()),
        }));
        let top = first_line(file, text);
        let flaws = schema::check(&tree, schema::REVIEW, top);
        let reader = Reader::new(&tree, tree.root.as_ref());
        let approvals = Stage::ALL.into_iter().filter_map(|stage| {
            let node = reader.value(stage.name()).filter(|node| !node.is_null())?;
            let approver = Reader::new(&tree, Some(node)).field("approver");
            Some(Approval { stage, key: reader.key(stage.name())?, approver })
        });
        Self { file, number: reader.field("kep-number"), approvals: approvals.collect(), flaws, top, tree }
    }

    /// Whether the file has a syntax error, or a misspelled key that may mean `stage`.
    pub fn could_be_typo_of(&self, stage: Stage) -> bool {
        !self.tree.problems.is_empty() || self.flaws.iter().any(|it| it.kind.could_be_typo_of(stage.name()))
    }

    pub fn names_approver(&self) -> bool {
        self.approvals.iter().any(|approval| self.is_approved(approval.stage))
    }

    pub fn is_approved(&self, stage: Stage) -> bool {
        let approver = self.approval(stage).and_then(|approval| approval.approver.as_ref());
        let is_open = |name: &str| ["", "tbd", "todo"].iter().any(|open| name.eq_ignore_ascii_case(open));
        approver.is_some_and(|approver| !is_open(approver.text.trim().trim_start_matches('@')))
    }

    pub fn approval(&self, stage: Stage) -> Option<&Approval> {
        self.approvals.iter().find(|approval| approval.stage == stage)
    }
}

pub fn entry(stage: Stage, approver: &str) -> String {
    format!("{stage}:\n  approver: \"{approver}\"")
}

/// Stands for the approver in lines that a text quotes.
pub const APPROVER: &str = "@<production readiness approver>";
