//! The report for programs: one JSON object, as in `schema.json`. What breaks a reader raises [`VERSION`].

pub(crate) mod encoding;

use super::{Location, Summary, file_count, ignored_count, in_order, kep_count};
use crate::diagnostic::script::Script;
use crate::diagnostic::{Diagnostic, Failure, Fix, Related, RequiredFrom};
use crate::lint::Run;
use crate::lint::about::About;
use crate::lint::conditions::Conditions;
use crate::lint::report::KepReport;
use crate::requirement::Target;
use crate::span::Span;
use crate::stage::release::Reason;
use crate::stage::{Release, Stage};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const VERSION: u32 = 2;

/// What a program that checks reports needs; a test compares it with what is written.
pub const SCHEMA: &str = include_str!("json/schema.json");

pub fn render(run: &Run) -> String {
    encoding::indented(&Document(run))
}

struct Document<'a>(&'a Run);

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = self.0;
        let since = run.since.as_ref().map(|since| json!({ "name": since.name, "commit": since.commit }));
        let mut document = serializer.serialize_map(None)?;
        document.serialize_entry("version", &VERSION)?;
        document.serialize_entry("tool", &tool(run.version))?;
        let known = if run.knows_release() { release(run.meant.release, run.meant.reason) } else { Value::Null };
        document.serialize_entry("release", &known)?;
        document.serialize_entry("template", &json!({ "source": run.template.name(), "path": run.template.path() }))?;
        document.serialize_entry("since", &since)?;
        if let Some(compared) = &run.since {
            document.serialize_entry("changes", &compared.changed)?;
        }
        document.serialize_entry("keps", &kep_count(run))?;
        document.serialize_entry("files", &file_count(run))?;
        let targets = run.reports.iter().filter_map(|report| Some(checked(report, report.target?)));
        document.serialize_entry("targets", &targets.collect::<Vec<_>>())?;
        let findings: Vec<Finding> = in_order(run).into_iter().map(|(report, found)| Finding(report, found)).collect();
        document.serialize_entry("diagnostics", &findings)?;
        document.serialize_entry("failures", &run.failures.iter().map(failure).collect::<Vec<_>>())?;
        document.serialize_entry("summary", &Summary::of(run))?;
        document.serialize_entry("ignored", &ignored_count(run))?;
        if let Some(conditions) = conditions(&run.conditions) {
            document.serialize_entry("conditions", &conditions)?;
        }
        document.end()
    }
}

pub fn tool(version: &str) -> Value {
    json!({ "name": env!("CARGO_PKG_NAME"), "version": version })
}

pub fn release(release: Release, origin: Reason) -> Value {
    json!({ "name": release.to_string(), "source": origin.name() })
}

/// What decides how strict a run is; `None` if the defaults count.
pub fn conditions(conditions: &Conditions) -> Option<Value> {
    if *conditions == Conditions::default() { None } else { Some(json!(conditions)) }
}

pub fn failure(Failure { path, message, help, .. }: &Failure) -> Value {
    json!({ "path": path, "message": message, "help": help })
}

fn checked(report: &KepReport, target: Target) -> Value {
    let about = report.about.as_ref();
    json!({
        "kep": report.kep,
        "number": about.and_then(|about| about.number.as_deref()),
        "title": about.and_then(|about| about.title.as_deref()),
        "status": about.and_then(|about| about.status.as_deref()),
        "owning_sig": about.and_then(|about| about.owning_sig.as_deref()),
        "latest_milestone": about.and_then(|about| about.latest_milestone.as_deref()),
        "milestones": about.map(milestones).unwrap_or_default(),
        "stage": target.stage.map(Stage::name),
        "phase": target.phase.name(),
        "release": target.release.map(|release| release.to_string()),
    })
}

/// The milestone of each stage that has one, by the name of the stage.
pub fn milestones(about: &About) -> BTreeMap<&'static str, &str> {
    about.milestones.iter().map(|(stage, text)| (stage.name(), text.as_str())).collect()
}

/// A finding of a report. It becomes JSON without being copied, because there may be many.
pub struct Finding<'a>(pub &'a KepReport, pub &'a Diagnostic);

impl Serialize for Finding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(report, finding) = self;
        let (path, start, end) = place(report, finding.span);
        let fingerprint = finding.fingerprint.map(|fingerprint| fingerprint.to_string()).unwrap_or_default();
        let related: Vec<Value> = finding.related.iter().map(|other| related(report, other)).collect();
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("rule", finding.rule)?;
        object.serialize_entry("severity", finding.severity.name())?;
        object.serialize_entry("fingerprint", &fingerprint)?;
        object.serialize_entry("kep", &report.kep)?;
        object.serialize_entry("phase", &report.target.map(|target| target.phase.name()))?;
        object.serialize_entry("path", path)?;
        object.serialize_entry("start", &start)?;
        object.serialize_entry("end", &end)?;
        object.serialize_entry("section", &finding.section)?;
        object.serialize_entry("requirement", &finding.requirement.map(requirement))?;
        object.serialize_entry("message", &finding.message)?;
        object.serialize_entry("help", &finding.help)?;
        object.serialize_entry("related", &related)?;
        object.serialize_entry("upstream", &finding.upstream.map(Script::path))?;
        object.serialize_entry("fixable", &finding.fix.is_some())?;
        object.serialize_entry("fix", &finding.fix.as_ref().map(|it| fix(report, it)))?;
        if finding.count != 1 {
            object.serialize_entry("count", &finding.count)?;
        }
        object.end()
    }
}

fn related(report: &KepReport, Related { span, message }: &Related) -> Value {
    let (path, start, end) = place(report, *span);
    json!({ "path": path, "start": start, "end": end, "message": message })
}

fn requirement(RequiredFrom { stage, since }: RequiredFrom) -> Value {
    json!({ "stage": stage.map(Stage::name), "since": since.map(|release| release.to_string()) })
}

fn fix(report: &KepReport, Fix { safety, title, edits }: &Fix) -> Value {
    let edits = edits.iter().map(|edit| {
        let (path, start, end) = place(report, edit.span);
        json!({ "path": path, "start": start, "end": end, "text": edit.text })
    });
    json!({ "safety": safety.name(), "title": title, "edits": edits.collect::<Vec<_>>() })
}

#[derive(Serialize)]
struct Place {
    offset: usize,
    line: usize,
    column: usize,
}

/// The path of a span, where it begins and where it ends.
fn place(report: &KepReport, span: Span) -> (&str, Place, Place) {
    let Location { path, start, end } = Location::of(report, span);
    let start = Place { offset: span.start, line: start.line, column: start.column };
    (path, start, Place { offset: span.end, line: end.line, column: end.column })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Safety, Severity};
    use crate::lint::changes::ChangedKep;
    use crate::lint::origin::{Since, TemplateOrigin};
    use crate::report::sample;
    use crate::stage::Phase;

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
        run.since = Some(Since {
            name: "main".to_owned(),
            commit: "1a2b".to_owned(),
            is_new_only: true,
            changed: vec![ChangedKep { name: "7".to_owned(), ..ChangedKep::default() }],
            ..Since::default()
        });
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
        assert_eq!(
            value["changes"],
            json!([{
                "kep": null, "name": "7", "new": false, "values": [], "asks": null, "chapters": [], "sections": null
            }])
        );
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
        assert_eq!(value["summary"], json!({"error": 1, "warning": 1, "suggestion": 1}));
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
    fn the_schema_lists_the_words_of_the_model() {
        let schema: Value = serde_json::from_str(SCHEMA).expect("it is JSON");
        let stages = Stage::ALL.map(Stage::name);
        let stages_or_null = json!(stages.iter().map(Some).chain([None]).collect::<Vec<_>>());
        let phases_or_null = json!(Phase::ALL.iter().map(|it| Some(it.name())).chain([None]).collect::<Vec<_>>());
        for (place, words) in [
            ("/properties/version/const", json!(VERSION)),
            ("/$defs/Release/properties/source/enum", json!(Reason::NAMES)),
            ("/$defs/Template/properties/source/enum", json!(TemplateOrigin::NAMES)),
            ("/$defs/Target/properties/milestones/propertyNames/enum", json!(stages)),
            ("/$defs/Target/properties/stage/enum", stages_or_null.clone()),
            ("/$defs/Requirement/properties/stage/enum", stages_or_null),
            ("/$defs/Target/properties/phase/enum", json!(Phase::ALL.map(Phase::name))),
            ("/$defs/Finding/properties/phase/enum", phases_or_null),
            ("/$defs/Finding/properties/severity/enum", json!(Severity::ALL.map(Severity::name))),
            ("/$defs/Fix/properties/safety/enum", json!([Safety::Safe, Safety::Unsafe].map(Safety::name))),
        ] {
            assert_eq!(schema.pointer(place), Some(&words), "{place}");
        }
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
            text.starts_with("{\n  \"version\": 2,\n  \"tool\": {\n")
                && text.contains("  \"keps\": 1,\n  \"files\": 2,\n"),
            "{text}"
        );
        assert!(text.ends_with("}\n"));
    }
}
