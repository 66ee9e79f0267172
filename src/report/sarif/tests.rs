//! SARIF of small runs, read back as JSON.

use super::*;
use crate::diagnostic::{Related, Safety};
use crate::report::sample;
use serde_json::{Value, json};

fn parsed(run: &Run) -> Value {
    serde_json::from_str(&render(run, &Look::default())).expect("it is JSON")
}

fn place(uri: &str, [start_line, start_column, end_line, end_column]: [usize; 4]) -> Value {
    json!({
        "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
        "region": {
            "startLine": start_line, "startColumn": start_column, "endLine": end_line, "endColumn": end_column,
        },
    })
}

#[test]
fn a_result_says_what_is_known_of_a_finding() {
    let readme = "keps/sig-node/1-x/README.md";
    let mut run = sample::run();
    run.reports[0].diagnostics[1].count = 3;
    let value = parsed(&run);
    assert_eq!(value["version"], "2.1.0");
    let sarif = &value["runs"][0];
    assert_eq!(
        sarif["results"][0],
        json!({
            "ruleId": "empty-section", "ruleIndex": sarif["results"][0]["ruleIndex"], "level": "error",
            "message": {"text": "section `Test Plan` is empty — help: answer it, or say why it does not apply"},
            "locations": [{
                "physicalLocation": place(readme, [5, 1, 5, 14]),
                "logicalLocations": [{"name": "Test Plan", "fullyQualifiedName": "Design Details/Test Plan"}],
            }],
            "relatedLocations": [{
                "id": 0, "message": {"text": "stage is `beta` here"},
                "physicalLocation": place("keps/sig-node/1-x/kep.yaml", [1, 8, 1, 12]),
            }],
        })
    );
    let index = sarif["results"][0]["ruleIndex"].as_u64().expect("it is one of ours");
    assert_eq!(sarif["tool"]["driver"]["rules"][index as usize]["id"], "empty-section");
    let deleted = place(readme, [7, 1, 7, 4])["region"].take();
    assert_eq!(
        sarif["results"][1]["fixes"],
        json!([{
            "description": {"text": "remove it"},
            "artifactChanges": [{
                "artifactLocation": {"uri": readme, "uriBaseId": "%SRCROOT%"},
                "replacements": [{"deletedRegion": deleted}],
            }],
        }])
    );
    assert_eq!((&sarif["results"][1]["level"], &sarif["results"][1]["occurrenceCount"]), (&json!("note"), &json!(3)));
    assert_eq!(sarif["results"][2]["level"], "warning");
    assert_eq!(sarif["columnKind"], "unicodeCodePoints");
    assert_eq!(sarif["invocations"], json!([{"executionSuccessful": true}]));
}

#[test]
fn rules_are_those_that_ran() {
    let mut run = sample::run();
    run.rules = vec!["stale-toc", "empty-section"];
    let value = parsed(&run);
    let driver = &value["runs"][0]["tool"]["driver"];
    assert_eq!((&driver["name"], &driver["semanticVersion"]), (&json!("kep-lint"), &json!(env!("CARGO_PKG_VERSION"))));
    let rules = driver["rules"].as_array().expect("a list");
    assert_eq!(rules.iter().map(|rule| &rule["id"]).collect::<Vec<_>>(), ["empty-section", "stale-toc"]);
    let toc = &rules[1];
    assert_eq!((&toc["name"], &toc["properties"]["tags"]), (&json!("StaleToc"), &json!(["text"])));
    assert_eq!(toc["defaultConfiguration"]["level"], "error");
    assert!(toc["help"]["markdown"].as_str().is_some_and(|help| help.contains("## Why")), "{toc}");
    let found = parsed(&Run { rules: Vec::new(), ..run });
    assert_eq!(found["runs"][0]["tool"]["driver"]["rules"][0]["id"], "empty-section");
}

#[test]
fn a_failure_is_a_notification() {
    let mut run = sample::run();
    run.failures = vec![Failure::of("read", "/a b/x", "it is gone").help("restore it"), Failure::new("it failed {0}")];
    let invocation = parsed(&run)["runs"][0]["invocations"][0].take();
    assert_eq!(
        invocation,
        json!({
            "executionSuccessful": false,
            "toolExecutionNotifications": [
                {
                    "level": "error",
                    "message": {"text": "cannot read `/a b/x`: it is gone — help: restore it"},
                    "locations": [{"physicalLocation": {"artifactLocation": {"uri": "file:///a%20b/x"}}}],
                },
                {"level": "error", "message": {"text": "it failed {{0}}"}},
            ],
        })
    );
}

#[test]
fn fixes_are_ordered_by_file_and_position() {
    let mut run = sample::run();
    let edit = |file: u32, range: std::ops::Range<usize>, text: &str| Edit {
        span: Span::new(FileId(file), range),
        text: text.to_owned(),
    };
    let edits = vec![edit(1, 0..5, "phase"), edit(0, 12..12, "B\u{1b}"), edit(0, 0..1, "A")];
    run.reports[0].diagnostics[1].fix = Some(Fix { safety: Safety::Safe, title: "change".to_owned(), edits });
    let value = parsed(&run);
    let changes = &value["runs"][0]["results"][1]["fixes"][0]["artifactChanges"];
    assert_eq!(changes[0]["replacements"][0]["insertedContent"]["text"], "A");
    assert_eq!(changes[0]["replacements"][1]["insertedContent"]["text"], "B\u{1b}");
    assert_eq!(changes[1]["artifactLocation"]["uri"], "keps/sig-node/1-x/kep.yaml");
    assert_eq!(changes.as_array().map(Vec::len), Some(2));
}

#[test]
fn positions_are_those_of_the_specification() {
    let at = |text: &str, offset: usize| {
        let Position { line, column } = position(&SourceFile::decode("x", text.into()), offset);
        (line, column)
    };
    assert_eq!((at("é\nb", 2), at("é\nb", 3), at("é\nb", 4)), ((1, 2), (2, 1), (2, 2)));
    // The insertion point at the end of a file is on its last line, behind the line end.
    assert_eq!((at("a\r\nb\r\n", 6), at("a\n", 2), at("", 0)), ((2, 4), (1, 3), (1, 1)));
    assert_eq!((at("\u{feff}ab\nc", 0), at("\u{feff}ab\nc", 3), at("\u{feff}ab\nc", 4)), ((1, 1), (1, 1), (1, 2)));
    assert_eq!(at("\u{feff}a\nb", 5), (2, 1));
}

#[test]
fn a_message_is_no_template_and_no_link() {
    let mut run = sample::run();
    let finding = &mut run.reports[0].diagnostics[0];
    finding.message = "`{0}` [x](https://y) \u{1b}[31m\n::error::".to_owned();
    finding.related = vec![Related { span: finding.span, message: "[a](0)\u{202e}".to_owned() }];
    let value = parsed(&run);
    let result = &value["runs"][0]["results"][0];
    let text = result["message"]["text"].as_str().expect("a text");
    assert!(text.starts_with("`{{0}}` [x\\](https://y) ?[31m ::error:: — help: "), "{text}");
    assert_eq!(result["relatedLocations"][0]["message"]["text"], "[a\\](0)???");
    assert_eq!(result["relatedLocations"][0]["message"]["markdown"], "`[a](0)???`");
    assert_eq!(without_links("[a\\](x) [b\\\\](y)"), "[a\\](x) [b\\\\\\](y)");
}

#[test]
fn a_span_of_no_file_is_the_directory() {
    let mut run = sample::run();
    run.reports[0].diagnostics[0].span = Span::new(FileId(9), 0..1);
    let value = parsed(&run);
    let found = &value["runs"][0]["results"];
    let result = found.as_array().and_then(|found| found.iter().find(|result| result["level"] == "error"));
    let place = result.map(|result| &result["locations"][0]["physicalLocation"]);
    let expected = json!({"artifactLocation": {"uri": "keps/sig-node/1-x", "uriBaseId": "%SRCROOT%"}});
    assert_eq!(place, Some(&expected));
}
