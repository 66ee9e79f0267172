//! The report for programs: one JSON object. Its shape is a promise; a change that breaks a reader raises `version`.

pub mod document;
pub mod encoding;
#[cfg(feature = "cli")]
pub mod schema;

use self::document::{Document, VERSION};
use super::{Location, Summary, file_count, ignored_count, in_order, kep_count, pieces};
use crate::diagnostic::script::Script;
use crate::diagnostic::{Diagnostic, Failure, Fix, Related, RequiredFrom};
use crate::lint::Run;
use crate::lint::conditions::{Conditions, EditedFile, Relaxation};
use crate::lint::report::KepReport;
use crate::span::{Position, Span};
#[cfg(feature = "cli")]
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

pub fn write(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    encoding::write_indented(&document(run), out)
}

pub fn render(run: &Run) -> String {
    pieces::text(|out| write(run, out))
}

/// The findings of a run. They become JSON one by one.
struct Findings<'a>(&'a Run);

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(in_order(self.0).into_iter().map(|(report, found)| finding(report, found)))
    }
}

#[cfg(feature = "cli")]
pub fn schema() -> String {
    schema_of::<Document<'_, Vec<document::Finding<'_>>>>()
}

#[cfg(feature = "cli")]
pub(super) fn schema_of<T: JsonSchema>() -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let schema = generator.into_root_schema_for::<T>();
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema has a JSON form");
    text.push('\n');
    text
}

fn document(run: &Run) -> Document<'_, Findings<'_>> {
    let Summary { error, warning, advice } = Summary::of(run);
    Document {
        version: VERSION,
        tool: document::Tool { name: env!("CARGO_PKG_NAME"), version: run.version },
        release: document::Release { name: run.release.to_string(), source: run.release_origin.name() },
        template: document::Template { source: run.template.name(), path: run.template.path() },
        since: run.since.as_ref().map(|since| document::Since { name: &since.name, commit: &since.commit }),
        keps: kep_count(run),
        files: file_count(run),
        targets: run.reports.iter().filter_map(target).collect(),
        diagnostics: Findings(run),
        failures: run.failures.iter().map(failure).collect(),
        summary: document::Summary { error, warning, advice },
        ignored: ignored_count(run),
        conditions: conditions(&run.conditions),
    }
}

/// What decides how strict a run is; `None` if the defaults count.
pub fn conditions(conditions: &Conditions) -> Option<document::Conditions<'_>> {
    let Conditions { configuration, relaxed, edited } = conditions;
    if *conditions == Conditions::default() {
        return None;
    }
    Some(document::Conditions {
        configuration: configuration.as_deref(),
        relaxed: relaxed
            .iter()
            .map(|Relaxation { file, key, effect }| document::Relaxation { file, key, effect })
            .collect(),
        edited: edited
            .iter()
            .map(|EditedFile { path, effect, counts_later }| document::EditedFile {
                path,
                effect: effect.as_deref(),
                counts_later: *counts_later,
            })
            .collect(),
    })
}

/// What could not be read or done, in this format.
pub fn failure(Failure { path, message, help, .. }: &Failure) -> document::Failure<'_> {
    document::Failure { path: path.as_deref(), message, help: help.as_deref() }
}

/// What a KEP was checked against; `None` for other files.
fn target(report: &KepReport) -> Option<document::Target<'_>> {
    let target = report.target?;
    let about = report.about.as_ref();
    let milestones = about.map(|about| about.milestones.as_slice()).unwrap_or_default();
    Some(document::Target {
        kep: report.kep.as_deref(),
        number: about.and_then(|about| about.number.as_deref()),
        title: about.and_then(|about| about.title.as_deref()),
        status: about.and_then(|about| about.status.as_deref()),
        owning_sig: about.and_then(|about| about.owning_sig.as_deref()),
        latest_milestone: about.and_then(|about| about.latest_milestone.as_deref()),
        milestones: milestones.iter().map(|(stage, text)| (stage.name(), text.as_str())).collect(),
        stage: target.stage.map(|stage| stage.name()),
        phase: target.phase.name(),
        release: target.release.map(|release| release.to_string()),
    })
}

pub fn finding<'a>(report: &'a KepReport, finding: &'a Diagnostic) -> document::Finding<'a> {
    let (path, start, end) = place(report, finding.span);
    document::Finding {
        rule: finding.rule,
        severity: finding.severity.name(),
        fingerprint: finding.fingerprint.map(|fingerprint| fingerprint.to_string()).unwrap_or_default(),
        kep: report.kep.as_deref(),
        phase: report.target.map(|target| target.phase.name()),
        path,
        start,
        end,
        section: finding.section.as_deref(),
        requirement: finding.requirement.map(requirement),
        message: &finding.message,
        help: finding.help.as_deref(),
        related: finding.related.iter().map(|other| related(report, other)).collect(),
        upstream: finding.upstream.map(Script::path),
        fixable: finding.fix.is_some(),
        fix: finding.fix.as_ref().map(|it| fix(report, it)),
        count: finding.count,
    }
}

fn related<'a>(report: &'a KepReport, related: &'a Related) -> document::Related<'a> {
    let (path, start, end) = place(report, related.span);
    document::Related { path, start, end, message: &related.message }
}

fn requirement(RequiredFrom { stage, since }: RequiredFrom) -> document::Requirement {
    document::Requirement { stage: stage.map(|stage| stage.name()), since: since.map(|release| release.to_string()) }
}

fn fix<'a>(report: &'a KepReport, fix: &'a Fix) -> document::Fix<'a> {
    let edits = fix.edits.iter().map(|edit| {
        let (path, start, end) = place(report, edit.span);
        document::Edit { path, start, end, text: &edit.text }
    });
    document::Fix { safety: fix.safety.name(), title: &fix.title, edits: edits.collect() }
}

/// The path of a span, where it begins and where it ends.
fn place(report: &KepReport, span: Span) -> (&str, document::Position, document::Position) {
    let Location { path, start, end } = Location::of(report, span);
    (path, position(span.start, start), position(span.end, end))
}

fn position(offset: usize, Position { line, column }: Position) -> document::Position {
    document::Position { offset, line, column }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::about::About;
    use crate::lint::origin::{Since, TemplateOrigin};
    use crate::report::sample;
    use crate::stage::{Release, Stage};
    use serde_json::{Value, json};

    fn parsed(run: &Run) -> Value {
        serde_json::from_str(&render(run)).expect("it is JSON")
    }

    fn about() -> About {
        let text = |text: &str| Some(text.to_owned());
        About {
            number: text("1"),
            title: text("X"),
            status: text("implementable"),
            sig: text("sig-node"),
            owning_sig: text("sig-node"),
            latest_milestone: text("v1.37"),
            milestones: vec![(Stage::Beta, "v1.37".to_owned())],
            required: 0,
        }
    }

    #[test]
    fn the_shape_is_as_promised() {
        let mut run = sample::run();
        run.failures.push(Failure::of("read", "keps/x", "it is gone"));
        run.template = TemplateOrigin::Given("own.md".to_owned());
        run.since = Some(Since { name: "main".to_owned(), commit: "1a2b".to_owned(), is_new_only: true });
        let report = &mut run.reports[0];
        report.about = Some(about());
        let (stage, since) = (Some(Stage::Beta), Some(Release { major: 1, minor: 21 }));
        report.diagnostics[0].requirement = Some(RequiredFrom { stage, since });
        let value = parsed(&run);
        assert_eq!(value["tool"], json!({"name": "kep-lint", "version": env!("CARGO_PKG_VERSION")}));
        assert_eq!(value["release"], json!({"name": Release::CURRENT.to_string(), "source": "built-in"}));
        assert_eq!(value["template"], json!({"source": "given", "path": "own.md"}));
        let failure = json!({"path": "keps/x", "message": "cannot read `keps/x`: it is gone", "help": null});
        assert_eq!(value["failures"], json!([failure]));
        assert_eq!(value["since"], json!({"name": "main", "commit": "1a2b"}));
        assert_eq!(value["keps"], 1);
        assert_eq!(value["files"], 2);
        assert_eq!(
            value["targets"],
            json!([{
                "kep": "keps/sig-node/1-x", "number": "1", "title": "X", "status": "implementable",
                "owning_sig": "sig-node", "latest_milestone": "v1.37", "milestones": {"beta": "v1.37"},
                "stage": "beta", "phase": "active", "release": "v1.37",
            }])
        );
        assert_eq!(value["summary"], json!({"error": 1, "warning": 1, "advice": 1}));
        assert_eq!(
            value["diagnostics"][0],
            json!({
                "rule": "empty-section", "severity": "error", "fingerprint": "", "kep": "keps/sig-node/1-x",
                "phase": "active",
                "path": "keps/sig-node/1-x/README.md",
                "start": {"offset": 31, "line": 5, "column": 1}, "end": {"offset": 44, "line": 5, "column": 14},
                "section": ["Design Details", "Test Plan"], "requirement": {"stage": "beta", "since": "v1.21"},
                "message": "section `Test Plan` is empty", "help": "answer it, or say why it does not apply",
                "related": [{
                    "path": "keps/sig-node/1-x/kep.yaml", "message": "stage is `beta` here",
                    "start": {"offset": 7, "line": 1, "column": 8}, "end": {"offset": 11, "line": 1, "column": 12},
                }],
                "upstream": null, "fixable": false, "fix": null,
            })
        );
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
        assert_eq!(value["diagnostics"][2]["phase"], Value::Null);
        assert_eq!(value["diagnostics"][2]["requirement"], Value::Null);
        assert_eq!(value["template"]["path"], Value::Null);
        assert_eq!(value["diagnostics"][1]["fixable"], true);
        assert_eq!(value["diagnostics"][1]["fix"]["safety"], "unsafe");
        assert_eq!(value["diagnostics"][1]["fix"]["edits"][0]["text"], "");
    }

    #[test]
    fn keys_come_in_reading_order() {
        let text = render(&sample::run());
        assert!(
            text.starts_with("{\n  \"version\": 1,\n  \"tool\": {\n")
                && text.contains("  \"keps\": 1,\n  \"files\": 2,\n"),
            "{text}"
        );
        assert!(text.ends_with("}\n"));
    }
}
