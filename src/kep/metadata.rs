//! kep.yaml as fields with spans. What cannot be read is left out; what is wrong is kept as data.

use super::yaml::{self, Problem, Tree};
use crate::span::{FileId, Span};
use crate::stage::{Release, Stage, Status};

/// The fields of a kep.yaml.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// The file it was read from.
    pub file: FileId,
    /// `status`, as written.
    pub status: Option<Field>,
    /// `stage`, as written.
    pub stage: Option<Field>,
    /// `latest-milestone`, as written.
    pub latest_milestone: Option<Field>,
    /// Its syntax errors.
    pub problems: Vec<Problem>,
}

/// A scalar field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its text; never a number or a date.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Metadata {
    /// Reads what can be read of `text`.
    pub fn parse(file: FileId, text: &str) -> Self {
        let Tree { root, problems, .. } = yaml::parse(file, text);
        let field = |key: &str| {
            let value = &root.as_ref()?.get(key)?.value;
            Some(Field { text: value.as_str()?.to_owned(), span: value.span })
        };
        Self {
            file,
            status: field("status"),
            stage: field("stage"),
            latest_milestone: field("latest-milestone"),
            problems,
        }
    }

    /// The status, if it is one.
    pub fn status(&self) -> Option<Status> {
        Status::from_name(&self.status.as_ref()?.text)
    }

    /// The stage, if it is one.
    pub fn stage(&self) -> Option<Stage> {
        Stage::from_name(&self.stage.as_ref()?.text)
    }

    /// The latest milestone, if it is a release.
    pub fn milestone(&self) -> Option<Release> {
        Release::parse(&self.latest_milestone.as_ref()?.text)
    }
}
