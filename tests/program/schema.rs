//! `kep-lint schema`: what a validator that is not ours says of reports. `tests/cases` asks it about real KEPs.

use crate::support::program::{items, kep_lint};
use crate::support::{project, report_schema};
use serde_json::{Value, json};

/// The report of a run on `arguments` in the fixtures.
fn report(arguments: &[&str]) -> Value {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--format", "json"]).collect();
    let printed = kep_lint(&project().join("fixtures"), &arguments);
    serde_json::from_str(&printed.stdout).expect("`--format json` prints JSON")
}

#[test]
fn reports_are_valid() {
    let schema = report_schema();
    let found = report(&["reports/keps", "demo", "sample"]);
    assert!(items(&found["diagnostics"]).len() > 10);
    let empty = report(&["clean/beta"]);
    assert_eq!(empty["diagnostics"], json!([]));
    let of_template = report(&["template", "check"]);
    assert_eq!(of_template["targets"], json!([]));
    let given = report(&["clean/beta", "--template", "../templates/kep.md", "--release", "v1.36", "--stage", "ga"]);
    assert_eq!((&given["release"]["source"], &given["template"]["source"]), (&json!("given"), &json!("given")));
    let failed = report(&["nowhere"]);
    assert_eq!(failed["failures"][0]["path"], "nowhere");
    let stopped = report(&["clean/beta", "--template", "nowhere.md"]);
    assert!(!items(&stopped["failures"]).is_empty());
    for report in [found, empty, of_template, given, failed, stopped] {
        let errors: Vec<String> = schema.iter_errors(&report).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    }
}

#[test]
fn other_shapes_are_refused() {
    let schema = report_schema();
    let found = report(&["reports/keps"]);
    let finding = || items(&found["diagnostics"]).iter().position(|it| !it["fix"].is_null()).expect("one has a fix");
    let finding = format!("/diagnostics/{}", finding());
    let places = ["", "/tool", "/release", "/template", "/targets/0", "/summary"].map(str::to_owned);
    let places =
        places.into_iter().chain(["", "/start", "/fix", "/fix/edits/0"].map(|rest| format!("{finding}{rest}")));
    for place in places {
        let object =
            |report: &Value| report.pointer(&place).and_then(Value::as_object).expect("it is an object").clone();
        let with = |object: serde_json::Map<String, Value>| {
            let mut report = found.clone();
            *report.pointer_mut(&place).expect("it is there") = Value::Object(object);
            report
        };
        let mut unknown = object(&found);
        unknown.insert("unknown".to_owned(), Value::Null);
        assert!(!schema.is_valid(&with(unknown)), "an unknown key in {place}");
        for key in object(&found).keys() {
            let mut missing = object(&found);
            missing.remove(key);
            assert!(!schema.is_valid(&with(missing)), "no {key} in {place}");
        }
    }
    for (place, value) in [
        ("/version", json!(1)),
        ("/keps", json!("3")),
        ("/release/source", json!("elsewhere")),
        ("/targets/0/phase", json!("asleep")),
        ("/targets/0/milestones", json!({"gamma": "v1.1"})),
        ("/diagnostics/0/severity", json!("fatal")),
        ("/diagnostics/0/fingerprint", json!("")),
    ] {
        let mut report = found.clone();
        *report.pointer_mut(place).expect("it is there") = value;
        assert!(!schema.is_valid(&report), "{place}");
    }
}
