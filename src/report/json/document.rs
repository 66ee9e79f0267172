//! The shape of the JSON report, as types from which the JSON and its schema are made. The comments are the descriptions
//! in the schema.

#[cfg(feature = "cli")]
use super::schema;
use serde::Serialize;
use std::collections::BTreeMap;

pub const VERSION: u32 = 1;

/// The findings of one run of kep-lint.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields, title = "kep-lint report"))]
pub struct Document<'a, F> {
    /// The version of this format. It changes if a program that reads reports may have to change.
    #[cfg_attr(feature = "cli", schemars(extend("const" = VERSION)))]
    pub version: u32,
    /// The program.
    pub tool: Tool,
    /// The Kubernetes release under development, against which KEPs are checked.
    pub release: Release,
    /// The template that KEPs are checked against; that of the first repository, if there are several.
    pub template: Template<'a>,
    /// What the KEPs were compared with; null if all were checked, not only changed ones.
    pub since: Option<Since<'a>>,
    /// How many KEPs were checked.
    pub keps: usize,
    /// How many README.md and kep.yaml files were checked.
    pub files: usize,
    /// The KEPs, and what each of them was checked against.
    pub targets: Vec<Target<'a>>,
    /// The findings, by path, offset and rule.
    pub diagnostics: F,
    /// What could not be read or done: the report is incomplete if there is any.
    pub failures: Vec<Failure<'a>>,
    /// How many findings there are of each severity.
    pub summary: Summary,
    /// How many findings are not reported, because comments in the files of KEPs ignore them.
    pub ignored: usize,
    /// What decides how strict the run is, beside the command line; not there if the defaults count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions<'a>>,
}

/// What decides how strict a run is.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Conditions<'a> {
    /// The version that the configuration and the template are taken from; null if it is the one that is checked.
    pub configuration: Option<&'a str>,
    /// What is less strict than the defaults.
    pub relaxed: Vec<Relaxation<'a>>,
    /// The files that decide what is asked and that the change edits.
    pub edited: Vec<EditedFile<'a>>,
}

/// A setting that makes a run less strict than the defaults.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Relaxation<'a> {
    /// The file with the setting.
    pub file: &'a str,
    /// The key in the file.
    pub key: &'static str,
    /// What it does, in words.
    pub effect: &'a str,
}

/// A file that decides what is asked, and that the change edits.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct EditedFile<'a> {
    /// Its path from the root of the repository on.
    pub path: &'a str,
    /// What the change does, in words, if something short can be said.
    pub effect: Option<&'a str>,
    /// Whether this run takes the file from another version, so that the change counts only later.
    pub counts_later: bool,
}

/// The program that made the report.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Tool {
    /// Always kep-lint.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// A Kubernetes release.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Release {
    /// For example v1.37.
    pub name: String,
    /// Where it comes from: built into kep-lint, given by the user, configured, the newest milestone that several KEPs of
    /// the repository name, the day and the KEPs of the base or of the default branch, the KEP's own milestone, or today.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::release_sources"))]
    pub source: &'static str,
}

/// A template.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Template<'a> {
    /// Where it comes from: built into kep-lint, given by the user, or a file of the repository.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::template_sources"))]
    pub source: &'static str,
    /// The file; null if it is built in.
    pub path: Option<&'a str>,
}

/// The base of a change.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Since<'a> {
    /// What it is called: as the user wrote it, or how it was found.
    pub name: &'a str,
    /// The hash of the merge base, or for staged changes of the commit before.
    pub commit: &'a str,
}

/// A KEP, and what it was checked against.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Target<'a> {
    /// Its directory.
    pub kep: Option<&'a str>,
    /// Its number, without leading zeros.
    pub number: Option<&'a str>,
    /// Its title, without the number.
    pub title: Option<&'a str>,
    /// The status in kep.yaml, as written.
    pub status: Option<&'a str>,
    /// The owning SIG in kep.yaml, as written.
    pub owning_sig: Option<&'a str>,
    /// The latest milestone in kep.yaml, as written.
    pub latest_milestone: Option<&'a str>,
    /// The milestone of each stage in kep.yaml, as written.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::milestones"))]
    pub milestones: BTreeMap<&'static str, &'a str>,
    /// The stage whose sections are required; null if only those are that every KEP needs.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_stage"))]
    pub stage: Option<&'static str>,
    /// The phase of its life, which decides the severity of findings.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::phase"))]
    pub phase: &'static str,
    /// The release that it targets; null if that is unknown.
    pub release: Option<String>,
}

/// A finding.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Finding<'a> {
    /// The name of the rule that found it.
    pub rule: &'static str,
    /// How severe it is.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::severity"))]
    pub severity: &'static str,
    /// Identifies the finding as long as what it is about remains, also if lines move or the message is reworded: 16
    /// hexadecimal digits.
    #[cfg_attr(feature = "cli", schemars(regex(pattern = "^[0-9a-f]{16}$")))]
    pub fingerprint: String,
    /// The directory of the KEP; null for files that belong to no KEP.
    pub kep: Option<&'a str>,
    /// The phase of the KEP.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_phase"))]
    pub phase: Option<&'static str>,
    /// The file.
    pub path: &'a str,
    /// Where the finding begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// The section that it is about: the template's titles from the outermost section to this one.
    pub section: Option<&'a [String]>,
    /// When the section is required, for a section that is missing or empty.
    pub requirement: Option<Requirement>,
    /// What is wrong.
    pub message: &'a str,
    /// What to do about it.
    pub help: Option<&'a str>,
    /// Other places that explain the finding.
    pub related: Vec<Related<'a>>,
    /// The script of kubernetes/enhancements that fails because of it, as a path there; null if none does.
    pub upstream: Option<&'static str>,
    /// Whether kep-lint offers a fix.
    pub fixable: bool,
    /// The fix, if there is one.
    pub fix: Option<Fix<'a>>,
    /// How many findings it stands for, if these are several: of each rule and file, a limited number is listed.
    #[serde(skip_serializing_if = "is_one")]
    pub count: usize,
}

/// Whether an entry is one finding, as most entries are.
fn is_one(count: &usize) -> bool {
    *count == 1
}

/// A position in a file.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Position {
    /// In bytes, from 0 on.
    pub offset: usize,
    /// From 1 on.
    pub line: usize,
    /// In characters, from 1 on.
    pub column: usize,
}

/// From which stage on a section is required, and since when.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Requirement {
    /// The first stage; null: always.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_stage"))]
    pub stage: Option<&'static str>,
    /// The first release whose KEPs must have the section; null: all releases.
    pub since: Option<String>,
}

/// A place that explains a finding.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Related<'a> {
    /// The file.
    pub path: &'a str,
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// What is there.
    pub message: &'a str,
}

/// A change that fixes a finding.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Fix<'a> {
    /// Whether it needs review: an unsafe fix does.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::safety"))]
    pub safety: &'static str,
    /// What it does.
    pub title: &'a str,
    /// The replacements, none overlapping another.
    pub edits: Vec<Edit<'a>>,
}

/// A replacement in the file as it was checked.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Edit<'a> {
    /// The file.
    pub path: &'a str,
    /// Where the text to replace begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// The replacement.
    pub text: &'a str,
}

/// Something that could not be read or done.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Failure<'a> {
    /// The file or directory, if it is about one.
    pub path: Option<&'a str>,
    /// The operation, its object and the reason.
    pub message: &'a str,
    /// What the user can do.
    pub help: Option<&'a str>,
}

/// How many findings there are of each severity.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Summary {
    /// Errors.
    pub error: usize,
    /// Warnings.
    pub warning: usize,
    /// Advice findings.
    pub advice: usize,
}
