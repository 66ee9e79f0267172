//! What PRR approvers read, in JSON.

use super::place::Place;
#[cfg(feature = "cli")]
use crate::report::json::schema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The approver that the PRR file names for the stage.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct PrrApprover<'a> {
    /// The handle, without @.
    pub name: &'a str,
    /// approves: the entry is merged; asked: it is only in an open pull request; not-approver: they are no PRR approver.
    pub role: &'static str,
}

/// How many KEPs a PRR approver has.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct PrrLoad {
    /// The handle, without @.
    pub approver: String,
    /// How many KEPs name them for the stage that is asked about.
    pub keps: usize,
    /// In how many of these they are only asked, in an open pull request.
    pub asked: usize,
}

/// The questions of the PRR questionnaire that the stage requires.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Prr<'a> {
    /// How many questions are answered, open, bare, unfinished or changed.
    pub counts: BTreeMap<&'static str, usize>,
    /// How many questions only later stages require.
    pub later: usize,
    /// How many of these have an answer that changed since the approval.
    pub later_changed: usize,
    /// What the answers are compared with; null if nothing was approved, or if that is not known.
    pub approval: Option<Approval<'a>>,
    /// Why it is not known what changed; null if it is known.
    pub not_known: Option<&'a str>,
    /// The sections of the questionnaire.
    pub chapters: Vec<Chapter<'a>>,
}

/// The commit that named the approver of a stage.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Approval<'a> {
    /// The stage: that which is asked about, or at the first request for it, an earlier one.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_stage"))]
    pub stage: Option<&'static str>,
    /// The approver, without @.
    pub approver: &'a str,
    /// The day of the commit, in UTC.
    pub day: Option<String>,
    /// The hash of the commit.
    pub commit: &'a str,
    /// How many lines of the answers changed since: those removed and those added.
    pub changed_lines: usize,
}

/// A section of the questionnaire.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Chapter<'a> {
    /// Its title in the template.
    pub title: &'a str,
    /// What the author wrote above the questions, as Markdown.
    pub text: String,
    /// The questions.
    pub questions: Vec<Question<'a>>,
}

/// A question, with its answer.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Question<'a> {
    /// The question in the template.
    pub question: &'a str,
    /// Its heading, or the top of a README without it; null without a README.
    pub place: Option<Place<'a>>,
    /// answered, missing, empty, or placeholder.
    pub standing: &'static str,
    /// What a reviewer should look at.
    pub remarks: Vec<Remark<'a>>,
    /// The answer as Markdown, without comments.
    pub answer: String,
    /// How many of its lines changed since the approval: those removed and those added.
    pub changed_lines: usize,
}

/// What may be wrong with an answer.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Remark<'a> {
    /// bare, unfinished, or unticked.
    pub flaw: &'static str,
    /// What there is.
    pub words: &'a str,
    /// The line of the README.
    pub line: usize,
}
