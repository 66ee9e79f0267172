//! The formats for other programs, read back as these programs read them. `.ci/consumers` asks some of them.

use crate::reports::{assert_golden, run};
use crate::support::library::{self, Against, kep};
use crate::support::program::{items, text};
use kep_lint::diagnostic::{Diagnostic, Failure, Severity};
use kep_lint::lint::Run;
use kep_lint::lint::report::KepReport;
use kep_lint::report::look::Look;
use kep_lint::report::{Summary, gitlab, in_order, json, junit, sarif};
use kep_lint::repository::Repository;
use kep_lint::source::SourceFile;
use kep_lint::template::Template;
use roxmltree::{Document, Node};
use serde_json::Value;
use std::ops::Range;

/// The run of the goldens, with something that could not be read.
fn incomplete() -> Run {
    let mut run = run();
    run.failures =
        vec![Failure::of("read", "keps/sig-node/4-gone/README.md", "permission denied").help("make it readable")];
    run
}

fn parsed(drawn: &str) -> Value {
    serde_json::from_str(drawn).expect("it is JSON")
}

/// A KEP whose README has a byte order mark, wide characters, both line ends, and findings with fixes, also in its last
/// line; and whose kep.yaml has a problem as well.
fn odd() -> Run {
    let readme = "\u{feff}# KEP-NNNN: \u{10400} Häuser\r\n\r\n<!-- toc -->\r\n<!-- /toc -->\r\n\r\n## Sumary\r\n\r\nÜber \
                  [x] (y).\n\n## Motivation\n\n### Goal\n\nSee `a and [b](#nowhere).\n\n## Design detail\n";
    let metadata =
        "title: \u{10400} Häuser\nkep-number: 1\nauthors:\n  - @ann # é\nowning-sig: sig-nod\nstatus: provisonal\n";
    let kep = kep("keps/sig-node/1-häuser", [("README.md", readme), ("kep.yaml", metadata)]);
    let (template, options) = (Template::built_in(), library::options(|_| {}));
    let against = Against { template: &template, repository: &Repository::default(), options: &options };
    library::run_of(vec![against.lint(&kep)])
}

/// The file that a finding is in.
fn file_of<'r>(report: &'r KepReport, found: &Diagnostic) -> &'r SourceFile {
    &report.files[found.span.file.index()]
}

/// The text of a file after replacements, which do not overlap.
fn replaced(text: &str, mut edits: Vec<(Range<usize>, &str)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut changed = text.to_owned();
    edits.iter().rev().for_each(|(range, with)| changed.replace_range(range.clone(), with));
    changed
}

/// What a fix makes of one file.
fn fixed(report: &KepReport, found: &Diagnostic, file: usize) -> String {
    let edits = found.fix.iter().flat_map(|fix| &fix.edits).filter(|edit| edit.span.file.index() == file);
    replaced(&report.files[file].text, edits.map(|edit| (edit.span.range(), edit.text.as_str())).collect())
}

/// Offsets of the lines of a text, and of its end.
fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.char_indices().filter(|(at, letter)| match letter {
        '\n' => true,
        '\r' => !text[at + 1..].starts_with('\n'),
        _ => false,
    });
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("it is a number") as usize
}

/// The bytes of a SARIF region, which counts characters.
fn sarif_range(text: &str, region: &Value) -> Range<usize> {
    let starts = line_starts(text);
    let offset = |line: &str, column: &str| {
        let start = starts[number(&region[line]) - 1];
        let letters = text[start..].char_indices().map(|(at, _)| start + at).chain([text.len()]);
        letters.clone().nth(number(&region[column]) - 1).expect("the column is in the file")
    };
    offset("startLine", "startColumn")..offset("endLine", "endColumn")
}

#[test]
fn rules_link_to_their_pages() {
    let mut look = Look::default();
    look.docs_base = Some("https://example.org/docs".to_owned());
    let run = run();
    let rule = run.reports.iter().find_map(|report| report.diagnostics.first()).expect("it has a finding").rule;
    let url = format!("https://example.org/docs/rules/{rule}.html");
    for format in
        kep_lint::report::format::ALL.iter().filter(|format| ["sarif", "markdown", "html"].contains(&format.name))
    {
        assert!(format.render(&run, &look).contains(&url), "{}", format.name);
        assert!(!format.render(&run, &Look::default()).contains("example.org/docs"), "{}", format.name);
    }
}

#[test]
fn goldens() {
    let run = incomplete();
    assert_golden("run.sarif", &sarif::render(&run, &Look::default()));
    assert_golden("gitlab.json", &gitlab::render(&run));
    assert_golden("junit.xml", &junit::render(&run, &Look::default()));
}

#[test]
fn sarif_regions_and_fixes_are_those_of_the_findings() {
    let (mut regions, mut fixes) = (0, 0);
    for run in [run(), odd()] {
        let drawn = parsed(&sarif::render(&run, &Look::default()));
        let results = items(&drawn["runs"][0]["results"]);
        let findings = in_order(&run);
        assert_eq!(results.len(), findings.len());
        for (result, (report, found)) in results.iter().zip(findings) {
            // The specification does not count a byte order mark.
            let unmarked = |text: &str| text.trim_start_matches('\u{feff}').to_owned();
            let file = file_of(report, found);
            let place = &result["locations"][0]["physicalLocation"];
            let whole = unmarked(&file.text);
            assert_eq!(whole[sarif_range(&whole, &place["region"])], unmarked(&file.text[found.span.range()]));
            assert_eq!(result["relatedLocations"].as_array().map_or(0, Vec::len), found.related.len());
            regions += 1;
            let Some(fix) = &found.fix else {
                assert_eq!(result["fixes"], Value::Null);
                continue;
            };
            for change in items(&result["fixes"][0]["artifactChanges"]) {
                let uri = text(&change["artifactLocation"]["uri"]);
                let is_file = |file: &SourceFile| uri.ends_with(file.path.rsplit('/').next().expect("it has a name"));
                let file = report.files.iter().position(|file| is_file(file)).expect("it is one of the KEP's");
                let before = unmarked(&report.files[file].text);
                let edits = items(&change["replacements"]).iter().map(|edit| {
                    let inserted = edit["insertedContent"]["text"].as_str().unwrap_or_default();
                    (sarif_range(&before, &edit["deletedRegion"]), inserted)
                });
                assert_eq!(replaced(&before, edits.collect()), unmarked(&fixed(report, found, file)), "{}", fix.title);
                fixes += 1;
            }
        }
    }
    assert!(regions > 10 && fixes > 3, "{regions} regions, {fixes} fixes");
}

#[test]
fn every_finding_and_failure_is_in_every_format() {
    let run = incomplete();
    let all = parsed(&json::render(&run));
    let (findings, failures) = (items(&all["diagnostics"]), items(&all["failures"]));
    assert!(findings.len() > 4 && failures.len() == 1);
    let sarif = parsed(&sarif::render(&run, &Look::default()))["runs"][0].take();
    let invocation = &sarif["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(items(&invocation["toolExecutionNotifications"]).len(), 1);
    let prints = items(&sarif["results"]).iter().map(|result| &result["partialFingerprints"]["kepLintFingerprint/v1"]);
    assert_eq!(prints.collect::<Vec<_>>(), findings.iter().map(|entry| &entry["fingerprint"]).collect::<Vec<_>>());
    let gitlab = parsed(&gitlab::render(&run));
    assert_eq!(items(&gitlab).len(), findings.len() + 1);
    for (issue, found) in items(&gitlab).iter().zip(findings) {
        assert_eq!((&issue["check_name"], &issue["location"]["path"]), (&found["rule"], &found["path"]));
        assert_eq!(issue["location"]["lines"]["begin"], found["start"]["line"]);
    }
}

fn count(node: Node<'_, '_>, name: &str) -> usize {
    node.attribute(name).and_then(|text| text.parse().ok()).expect("it is a number")
}

#[test]
fn junit_counts_what_it_has() {
    let run = incomplete();
    for fail_on in [None, Some(Severity::Error), Some(Severity::Warning), Some(Severity::Advice)] {
        let mut look = Look::default();
        look.fail_on = fail_on;
        let drawn = junit::render(&run, &look);
        let document = Document::parse(&drawn).expect("it is XML");
        let root = document.root_element();
        let suites = root.children().filter(|node| node.has_tag_name("testsuite"));
        for node in suites.chain([root]) {
            for (name, tag) in
                [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
            {
                let found = node.descendants().filter(|inner| inner.has_tag_name(tag)).count();
                assert_eq!(count(node, name), found, "{name} at {fail_on:?}");
            }
        }
        let lines = |tag: &str| -> usize {
            let nodes = document.descendants().filter(|node| node.has_tag_name(tag));
            nodes.filter_map(|node| node.text()).map(|text| text.lines().count()).sum()
        };
        let all = Summary::of(&run);
        let failing = fail_on.map_or(0, |lowest| all.from_level(lowest).total());
        assert_eq!((lines("failure"), lines("system-out")), (failing, all.total() - failing));
        // Three KEPs with two categories of rules each, and the failure.
        assert_eq!((count(root, "tests"), count(root, "errors")), (7, 1));
    }
}
