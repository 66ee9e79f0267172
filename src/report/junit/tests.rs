//! JUnit reports, read back by a parser that is not ours.

use super::*;
use crate::report::sample;
use roxmltree::{Document, Node};

fn counts(node: Node<'_, '_>) -> [usize; 4] {
    ["tests", "failures", "errors", "skipped"].map(|name| {
        let text = node.attribute(name).expect("the count is there");
        text.parse().expect("a number")
    })
}

fn cases<'a>(document: &'a Document<'_>) -> Vec<(&'a str, &'a str, Vec<&'a str>)> {
    let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
    let attribute = |node: Node<'a, '_>, name| node.attribute(name).expect("it is there");
    let inner = |node: Node<'a, 'a>| node.children().filter(Node::is_element).map(|it| it.tag_name().name()).collect();
    cases.map(|node| (attribute(node, "classname"), attribute(node, "name"), inner(node))).collect()
}

/// The run of the sample with two categories of rules.
fn run() -> Run {
    let mut run = sample::run();
    run.rules = vec!["empty-section", "stale-toc"];
    run
}

#[test]
fn passing_shows() {
    let text = render(&run(), &Look::default());
    let document = Document::parse(&text).expect("it is XML");
    let kep = "keps/sig-node/1-x";
    let expected = [
        (kep, "other", vec!["system-out"]),
        (kep, "sections", vec!["failure"]),
        (kep, "text", vec![]),
        ("keps/template/README.md", "other", vec!["system-out"]),
    ];
    assert_eq!(cases(&document), expected);
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), counts(root)), ("testsuites", [4, 1, 0, 0]));
    let suites: Vec<[usize; 4]> = root.children().filter(Node::is_element).map(counts).collect();
    assert_eq!(suites, [[3, 1, 0, 0], [1, 0, 0, 0]]);
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).expect("there is one");
    assert_eq!(failure.attribute("message"), Some("section `Test Plan` is empty"));
    assert_eq!(failure.attribute("type"), Some("error"));
    let line = "keps/sig-node/1-x/README.md:5:1: error[empty-section] section `Test Plan` is empty — help: answer it, or say \
                why it does not apply\n";
    assert_eq!(failure.text(), Some(line));
}

#[test]
fn what_fails_depends_on_the_threshold() {
    let failures = |fail_on| {
        let text = render(&run(), &Look { fail_on, ..Look::default() });
        counts(Document::parse(&text).expect("it is XML").root_element())
    };
    let (suggestion, warning) = (failures(Some(Severity::Advice)), failures(Some(Severity::Warning)));
    assert_eq!((suggestion, warning), ([4, 3, 0, 0], [4, 2, 0, 0]));
    assert_eq!(failures(None), [4, 0, 0, 0]);
}

#[test]
fn several_findings_of_a_category_are_one_case() {
    let mut run = run();
    let report = &mut run.reports[0];
    let mut again = report.diagnostics[0].clone();
    (again.count, again.severity) = (3, Severity::Warning);
    report.diagnostics.push(again);
    let text = render(&run, &Look { fail_on: Some(Severity::Warning), color: true, ..Look::default() });
    let document = Document::parse(&text).expect("it is XML");
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).expect("there is one");
    assert_eq!(failure.attribute("message"), Some("1 error, 3 warnings"));
    assert_eq!(failure.text().map(|inner| inner.lines().count()), Some(2));
    assert_eq!(counts(document.root_element()), [4, 2, 0, 0]);
}

#[test]
fn failures_are_errors_and_what_is_left_out_is_skipped() {
    let mut run = run();
    run.reports[0] = KepReport { is_left_out: true, ..sample::report("keps/sig-node/3-z", &[]) };
    run.reports.truncate(1);
    run.failures = vec![Failure::of("read", "keps/x", "it is gone").help("restore it"), Failure::new("no")];
    let text = render(&run, &Look::default());
    let document = Document::parse(&text).expect("it is XML");
    assert_eq!(counts(document.root_element()), [4, 0, 2, 2]);
    let kep = "keps/sig-node/3-z";
    let expected = [
        (kep, "sections", vec!["skipped"]),
        (kep, "text", vec!["skipped"]),
        ("kep-lint", "keps/x", vec!["error"]),
        ("kep-lint", "run", vec!["error"]),
    ];
    assert_eq!(cases(&document), expected);
    let error = document.descendants().find(|node| node.has_tag_name("error")).expect("there is one");
    assert_eq!(error.attribute("message"), Some("cannot read `keps/x`: it is gone — help: restore it"));
}

#[test]
fn text_cannot_leave_its_place() {
    let mut run = run();
    let hostile = "\u{1}]]></failure><x a='\"'>&\n::error::x%\u{fffe}\u{ffff}\u{1b}[31m\u{202e}é";
    run.reports[0].diagnostics[0].message = hostile.to_owned();
    run.reports[0].kep = Some(hostile.to_owned());
    run.failures = vec![Failure::of("read", hostile, hostile)];
    let text = render(&run, &Look::default());
    let document = Document::parse(&text).expect("it is XML");
    let shown = "?]]></failure><x a='\"'>& ::error::x%???????[31m???é";
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).expect("there is one");
    assert_eq!(failure.attribute("message"), Some(shown));
    assert!(failure.text().is_some_and(|inner| inner.contains(shown)), "{text}");
    assert_eq!(cases(&document)[1].0, shown);
    assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
}

#[test]
fn nothing_to_say_is_well_formed() {
    let text = render(&Run::default(), &Look::default());
    assert_eq!(counts(Document::parse(&text).expect("it is XML").root_element()), [0; 4]);
}
