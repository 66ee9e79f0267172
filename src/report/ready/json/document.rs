//! The shape of the JSON board, as types from which the JSON and its schema are made. The comments are the descriptions
//! in the schema.

use super::comparison::Comparison;
use super::place::Place;
use super::prr::{Prr, PrrApprover, PrrLoad};
use crate::report::json::document::{Conditions, Failure, Release, Tool};
#[cfg(feature = "cli")]
use crate::report::json::schema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

pub const VERSION: u32 = 1;

/// Whether KEPs are ready for a release.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields, title = "kep-lint ready"))]
pub struct Document<'a> {
    /// The version of this format. It changes if a program that reads boards may have to change.
    #[cfg_attr(feature = "cli", schemars(extend("const" = VERSION)))]
    pub version: u32,
    /// The program.
    pub tool: Tool,
    /// The release that is asked about.
    pub release: Release,
    /// The day on which the release came out or is planned to, as 2026-08-26; null if it is not known.
    pub release_day: Option<&'static str>,
    /// Until when things may be merged for the release.
    pub days: Days<'a>,
    /// The day on which the board was made, in UTC, as 2026-06-01; null after the year 9999.
    pub day: Option<String>,
    /// The version of the files that was judged; null without git.
    pub snapshot: Option<Snapshot<'a>>,
    /// Whether evidence decides as well.
    pub strict: bool,
    /// The person whose work the KEPs are limited to, without @; null if they are not limited.
    pub waiting_for: Option<&'a str>,
    /// The items that are asked for the release.
    pub items: Vec<Item>,
    /// What must be checked by hand, because no file shows it.
    pub by_hand: Vec<&'static str>,
    /// The KEPs, in the order that was asked for, or else those that are farthest from ready first.
    pub keps: Vec<Kep<'a>>,
    /// The totals by SIG.
    pub sigs: Vec<SigTotal<'a>>,
    /// The totals by stage.
    pub stages: Vec<StageTotal>,
    /// The PRR approvers.
    pub prr_approvers: Vec<&'a str>,
    /// How many KEPs each PRR approver has, the most first.
    pub prr_load: Vec<PrrLoad>,
    /// How many KEPs were left out, because they have another latest-milestone.
    pub left_out: usize,
    /// How many KEPs were left out, because the filters do not admit them.
    pub filtered: usize,
    /// What could not be read or done: the board is incomplete if there is any.
    pub failures: Vec<Failure<'a>>,
    /// What changed since an earlier board; null if that is not asked.
    pub comparison: Option<Comparison<'a>>,
    /// How many KEPs there are, and how many are ready.
    pub summary: Summary,
    /// What makes the answers less strict than the defaults; not there if nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions<'a>>,
}

/// Until when things may be merged, as 2026-06-09 AoE (the end of the day anywhere on earth), 2024-02-09 02:00 UTC or
/// 2024-02-01; null if it is not known.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Days<'a> {
    /// The deadline before the enhancements freeze.
    pub deadline: Option<&'a str>,
    /// KEPs.
    pub enhancements_freeze: Option<&'a str>,
    /// Code.
    pub code_freeze: Option<&'a str>,
    /// Documentation.
    pub docs_freeze: Option<&'a str>,
}

/// A version of the files.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Snapshot<'a> {
    /// A branch, or what the user named.
    pub name: &'a str,
    /// The hash of the commit.
    pub commit: &'a str,
    /// Whether some files differ from the commit.
    pub uncommitted: bool,
}

/// An item of the checklist.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Item {
    /// Its name.
    pub name: &'static str,
    /// Whether it decides: verdict items do.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::item_kinds"))]
    pub kind: &'static str,
    /// What people call it.
    pub title: &'static str,
}

/// The checklist of a KEP.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Kep<'a> {
    /// Its directory, in a tree from `keps` on; null if there is no such KEP.
    pub kep: Option<Cow<'a, str>>,
    /// Its number, without leading zeros; of a KEP that is not there, how it was asked for.
    pub number: Option<&'a str>,
    /// Its title, without the number.
    pub title: Option<&'a str>,
    /// Its SIG.
    pub sig: Option<&'a str>,
    /// The status in kep.yaml, as written.
    pub status: Option<&'a str>,
    /// The latest milestone in kep.yaml, as written.
    pub latest_milestone: Option<&'a str>,
    /// The milestone of each stage in kep.yaml, as written.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::milestones"))]
    pub milestones: BTreeMap<&'static str, &'a str>,
    /// The authors in kep.yaml, as written.
    pub authors: Vec<&'a str>,
    /// The approvers in kep.yaml, as written.
    pub approvers: Vec<&'a str>,
    /// Whether it is judged as it is in an open pull request.
    pub proposed: bool,
    /// The stage that is asked about; null if neither the user nor kep.yaml names one.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_stage"))]
    pub stage: Option<&'static str>,
    /// The release that is asked about.
    pub release: String,
    /// Whether it is ready.
    pub ready: bool,
    /// How far it is: ready, sections-open (ready, but required sections are open), look (a person must look), not-ready, exception (not ready, and the tracking board has an
    /// exception) or absent (not in the tree).
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::readiness"))]
    pub state: &'static str,
    /// Who has to act.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::actors"))]
    pub actors: Vec<&'static str>,
    /// The address of its tracking issue; null without a number, and in other repositories.
    pub issue: Option<String>,
    /// The leads of its SIG, as far as OWNERS_ALIASES names them.
    pub leads: Vec<&'a str>,
    /// What the list has for it; null without a list.
    pub board: Option<Tracked<'a>>,
    /// Whether it is in time for the deadline before the enhancements freeze; null if there is none, or no KEP.
    pub deadline: Option<Deadline<'a>>,
    /// The answers to the items that are asked of it.
    pub answers: Vec<Answer<'a>>,
    /// Whom it waits for.
    pub waiting: Waiting,
    /// Who approves its production readiness, or is asked to; null if the PRR file names nobody for the stage.
    pub prr_approver: Option<PrrApprover<'a>>,
    /// What PRR approvers read; null if it was not asked for.
    pub prr: Option<Prr<'a>>,
    /// The open pull requests that change it, the one that was updated last first; null if there is no list of them.
    pub pulls: Option<Vec<Pull<'a>>>,
}

/// An open pull request that changes a KEP.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Pull<'a> {
    /// Its number.
    pub number: u64,
    /// Its title, as written.
    pub title: &'a str,
    /// Its address, as the list has it.
    pub url: Option<&'a str>,
    /// The login of its author, without @.
    pub author: Option<&'a str>,
    /// Whether it is a draft.
    pub draft: bool,
    /// When it was updated last, as the list has it.
    pub updated: Option<&'a str>,
    /// The files of the KEP that it changes, from its directory on; the PRR file from prod-readiness on.
    pub files: Vec<&'a str>,
    /// The stage that is asked about there; null if it could not be judged, or none is named.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_stage"))]
    pub stage: Option<&'static str>,
    /// Whether the KEP would be ready once this is merged; null if it could not be judged.
    pub ready: Option<bool>,
    /// The names of the items that decide and are not met there; null if it could not be judged.
    pub missing: Option<Vec<&'static str>>,
    /// Whether questions of the PRR questionnaire have no answer there; null if it could not be judged.
    pub open_questions: Option<bool>,
    /// Whom it waits for; null if it could not be judged.
    pub waiting: Option<Waiting>,
}

/// A line of the tracking board, as written; null for what it does not have.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Tracked<'a> {
    /// Its status.
    pub status: Option<&'a str>,
    /// Who of the Release Team follows it.
    pub contact: Option<&'a str>,
    /// Its SIG.
    pub sig: Option<&'a str>,
    /// Its stage.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_stage"))]
    pub stage: Option<&'static str>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<&'a str>,
    /// Its labels.
    pub labels: Option<&'a str>,
    /// Its milestone.
    pub milestone: Option<&'a str>,
}

/// A deadline before the enhancements freeze.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Deadline<'a> {
    /// What the Release Team calls it.
    pub name: &'a str,
    /// Whether the items that it asks for are met.
    pub met: bool,
    /// The titles of those that are not.
    pub missing: Vec<&'static str>,
    /// The numbers of the open pull requests that have what is not merged of it.
    pub by: Vec<u64>,
    /// Whether questions of the PRR questionnaire have no answer, which people judge.
    pub open_questions: bool,
}

/// The answer to an item.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Answer<'a> {
    /// The name of the item.
    pub item: &'static str,
    /// How it is answered; look: the files do not tell.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::states"))]
    pub state: &'static str,
    /// What there is.
    pub words: &'a str,
    /// Where that was read.
    pub place: Option<Place<'a>>,
    /// What to write.
    pub write: Option<Lines<'a>>,
    /// The parts of the answer, if there are several; only the first of many.
    pub details: Vec<Detail<'a>>,
}

/// Lines to write into a file.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Lines<'a> {
    /// The file, which may be missing; in a tree from `keps` on.
    pub path: Cow<'a, str>,
    /// The lines.
    pub text: &'a str,
}

/// A part of an answer.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Detail<'a> {
    /// The chapter of the template that it is about.
    pub chapter: Option<&'a str>,
    /// How many sections, boxes or places it stands for.
    pub count: usize,
    /// What there is.
    pub words: &'a str,
    /// Where that was read.
    pub place: Option<Place<'a>>,
    /// What to do about it.
    pub help: Option<&'a str>,
}

/// Whom a KEP waits for.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Waiting {
    /// Whether it waits for a production readiness review.
    pub prr: bool,
    /// Who is to approve it, without @; null if every PRR approver may.
    pub prr_approver: Option<String>,
    /// The approvers of its SIG that it waits for, without @.
    pub sig: Vec<String>,
}

/// How many KEPs a SIG has.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SigTotal<'a> {
    /// The SIG; null for KEPs of which it is not known.
    pub sig: Option<&'a str>,
    /// How many KEPs it has.
    pub keps: usize,
    /// How many of them are ready.
    pub ready: usize,
}

/// How many KEPs a stage has.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct StageTotal {
    /// The stage that is asked about; null for KEPs without one.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_stage"))]
    pub stage: Option<&'static str>,
    /// How many KEPs it has.
    pub keps: usize,
    /// How many of them are how far.
    pub states: BTreeMap<&'static str, usize>,
}

/// How many KEPs there are.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Summary {
    /// All of them.
    pub keps: usize,
    /// Those that are ready.
    pub ready: usize,
}
