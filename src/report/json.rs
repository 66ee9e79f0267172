//! The report for programs: one JSON object. Its shape is a promise; a change that breaks a reader raises [`VERSION`].

use super::{Location, Summary, file_count, in_order, is_hidden, kep_count, opens_command};
use crate::diagnostic::{Diagnostic, Failure, Fix, Safety};
use crate::lint::{KepReport, Run};
use crate::span::{Position, Span};
use serde::Serialize;

/// What `version` says.
pub const VERSION: u32 = 1;

/// Renders `run` as indented JSON.
pub fn render(run: &Run) -> String {
    let document = Document::of(run);
    let mut text = serde_json::to_string_pretty(&document).expect("strings and numbers have a JSON form");
    text.push('\n');
    harmless(text)
}

/// The same JSON, with escapes in strings for what could control a log or a terminal.
fn harmless(text: String) -> String {
    let is_bad = |letter: char| letter != '\n' && is_hidden(letter);
    if !text.contains("##") && !text.contains(is_bad) {
        return text;
    }
    // Brackets after such marks are only in strings.
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '[' if opens_command(&shown) => shown.push_str("\\u005b"),
            _ if is_bad(letter) => {
                letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
            }
            _ => shown.push(letter),
        }
    }
    shown
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    release: ReleaseEntry,
    keps: usize,
    files: usize,
    targets: Vec<TargetEntry<'a>>,
    diagnostics: Vec<DiagnosticEntry<'a>>,
    failures: Vec<FailureEntry<'a>>,
    summary: SummaryEntry,
}

#[derive(Serialize)]
struct ReleaseEntry {
    name: String,
    origin: &'static str,
}

#[derive(Serialize)]
struct FailureEntry<'a> {
    message: &'a str,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct TargetEntry<'a> {
    kep: Option<&'a str>,
    stage: Option<&'static str>,
    phase: &'static str,
    release: Option<String>,
}

#[derive(Serialize)]
struct DiagnosticEntry<'a> {
    rule: &'static str,
    severity: &'static str,
    kep: Option<&'a str>,
    #[serde(flatten)]
    place: PlaceEntry<'a>,
    section: Option<&'a [String]>,
    message: &'a str,
    help: Option<&'a str>,
    related: Vec<RelatedEntry<'a>>,
    fix: Option<FixEntry<'a>>,
    #[serde(skip_serializing_if = "is_one")]
    count: usize,
}

#[derive(Serialize)]
struct PlaceEntry<'a> {
    path: &'a str,
    start: PositionEntry,
    end: PositionEntry,
}

#[derive(Serialize)]
struct PositionEntry {
    offset: usize,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct RelatedEntry<'a> {
    #[serde(flatten)]
    place: PlaceEntry<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct FixEntry<'a> {
    safety: &'static str,
    title: &'a str,
    edits: Vec<EditEntry<'a>>,
}

#[derive(Serialize)]
struct EditEntry<'a> {
    #[serde(flatten)]
    place: PlaceEntry<'a>,
    text: &'a str,
}

#[derive(Serialize)]
struct SummaryEntry {
    error: usize,
    warning: usize,
    advice: usize,
}

impl<'a> Document<'a> {
    fn of(run: &'a Run) -> Self {
        let Summary { error, warning, advice } = Summary::of(run);
        Self {
            version: VERSION,
            release: ReleaseEntry { name: run.release.to_string(), origin: run.release_origin.name() },
            keps: kep_count(run),
            files: file_count(run),
            targets: run.reports.iter().filter_map(TargetEntry::of).collect(),
            diagnostics: in_order(run).into_iter().map(|(report, found)| DiagnosticEntry::of(report, found)).collect(),
            failures: run.failures.iter().map(FailureEntry::of).collect(),
            summary: SummaryEntry { error, warning, advice },
        }
    }
}

impl<'a> FailureEntry<'a> {
    fn of(failure: &'a Failure) -> Self {
        Self { message: &failure.message, help: failure.help.as_deref() }
    }
}

impl<'a> TargetEntry<'a> {
    fn of(report: &'a KepReport) -> Option<Self> {
        let target = report.target?;
        Some(Self {
            kep: report.kep.as_deref(),
            stage: target.stage.map(|stage| stage.name()),
            phase: target.phase.name(),
            release: target.release.map(|release| release.to_string()),
        })
    }
}

impl<'a> DiagnosticEntry<'a> {
    fn of(report: &'a KepReport, found: &'a Diagnostic) -> Self {
        let related = found.related.iter();
        Self {
            rule: found.rule,
            severity: found.severity.name(),
            kep: report.kep.as_deref(),
            place: PlaceEntry::of(report, found.span),
            section: found.section.as_deref(),
            message: &found.message,
            help: found.help.as_deref(),
            related: related
                .map(|it| RelatedEntry { place: PlaceEntry::of(report, it.span), message: &it.message })
                .collect(),
            fix: found.fix.as_ref().map(|fix| FixEntry::of(report, fix)),
            count: found.count,
        }
    }
}

/// Whether an entry is one finding, as most entries are.
fn is_one(count: &usize) -> bool {
    *count == 1
}

impl<'a> FixEntry<'a> {
    fn of(report: &'a KepReport, fix: &'a Fix) -> Self {
        let safety = match fix.safety {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        };
        let edits =
            fix.edits.iter().map(|edit| EditEntry { place: PlaceEntry::of(report, edit.span), text: &edit.text });
        Self { safety, title: &fix.title, edits: edits.collect() }
    }
}

impl<'a> PlaceEntry<'a> {
    fn of(report: &'a KepReport, span: Span) -> Self {
        let Location { path, start, end } = Location::of(report, span);
        Self { path, start: PositionEntry::of(span.start, start), end: PositionEntry::of(span.end, end) }
    }
}

impl PositionEntry {
    fn of(offset: usize, Position { line, column }: Position) -> Self {
        Self { offset, line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use serde_json::{Value, json};

    fn parsed(run: &Run) -> Value {
        serde_json::from_str(&render(run)).expect("it is JSON")
    }

    #[test]
    fn the_shape_is_as_promised() {
        let value = parsed(&sample::run());
        assert_eq!(value["keps"], 1);
        assert_eq!(value["files"], 2);
        assert_eq!(
            value["targets"],
            json!([{"kep": "keps/sig-node/1-x", "stage": "beta", "phase": "active", "release": "v1.37"}])
        );
        assert_eq!(value["summary"], json!({"error": 1, "warning": 1, "advice": 1}));
        assert_eq!(
            value["diagnostics"][0],
            json!({
                "rule": "empty-section", "severity": "error", "kep": "keps/sig-node/1-x",
                "path": "keps/sig-node/1-x/README.md",
                "start": {"offset": 31, "line": 5, "column": 1}, "end": {"offset": 44, "line": 5, "column": 14},
                "section": ["Design Details", "Test Plan"],
                "message": "section `Test Plan` is empty", "help": "answer it, or say why it does not apply",
                "related": [{
                    "path": "keps/sig-node/1-x/kep.yaml", "message": "stage is `beta` here",
                    "start": {"offset": 7, "line": 1, "column": 8}, "end": {"offset": 11, "line": 1, "column": 12},
                }],
                "fix": null,
            })
        );
    }

    #[test]
    fn strings_steer_nothing_and_mean_the_same() {
        let mut run = sample::run();
        run.reports[0].diagnostics[0].message = "##[group]a\u{2028}\u{e0041}b##vso[x]".to_owned();
        let text = render(&run);
        assert!(
            !text.contains("##[") && !text.contains("##vso[") && !text.contains(['\u{2028}', '\u{e0041}']),
            "{text}"
        );
        assert_eq!(parsed(&run)["diagnostics"][0]["message"], run.reports[0].diagnostics[0].message);
    }

    #[test]
    fn what_is_absent_is_null() {
        let mut run = sample::run();
        run.reports[0].target =
            run.reports[0].target.map(|it| crate::requirement::Target { stage: None, release: None, ..it });
        let value = parsed(&run);
        assert_eq!(value["targets"][0]["stage"], Value::Null);
        assert_eq!(value["targets"][0]["release"], Value::Null);
        assert_eq!(value["diagnostics"][1]["help"], Value::Null);
        assert_eq!(value["diagnostics"][1]["section"], Value::Null);
        assert_eq!(value["diagnostics"][2]["kep"], Value::Null);
        assert_eq!(value["diagnostics"][1]["fix"]["safety"], "unsafe");
        assert_eq!(value["diagnostics"][1]["fix"]["edits"][0]["text"], "");
    }

    #[test]
    fn keys_come_in_reading_order() {
        let text = render(&sample::run());
        assert!(
            text.starts_with("{\n  \"version\": 1,\n  \"release\": {\n")
                && text.contains("  \"keps\": 1,\n  \"files\": 2,\n"),
            "{text}"
        );
        assert!(text.ends_with("}\n"));
    }
}
