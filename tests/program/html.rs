//! The pages for a browser, read by a tokenizer that is not ours: what a run found is there, each id is there once, and
//! links within a page lead somewhere. `.ci/page` opens them in a browser.

use crate::support::page::{Element, elements, has_sound_references};
use crate::support::program::{command, items, kep_lint, printed, text};
use crate::support::project;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The page and the JSON report of the same run.
fn report(folder: &Path, arguments: &[&str]) -> (String, Value) {
    let scratch = tempfile::tempdir().expect("a directory");
    let (page, data) = (scratch.path().join("page.html"), scratch.path().join("data.json"));
    let formats = ["html", "json"].into_iter().zip([&page, &data]);
    let mut command = command(folder);
    command.args(arguments).args(["--fail-on", "never"]);
    for (format, file) in formats {
        command.arg("--format").arg(format!("{format}={}", file.display()));
    }
    let printed = printed(&command.output().expect("the program was built with this test"));
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let data = fs::read_to_string(data).expect("the report is written");
    (fs::read_to_string(page).expect("the page is written"), serde_json::from_str(&data).expect("it is JSON"))
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_finding_is_on_the_page_once() {
    for keps in ["fixtures/demo/keps", "fixtures/sample/keps", "fixtures/reports/keps"] {
        let (page, report) = report(project(), &[keps]);
        let elements = elements(&page);
        has_sound_references(&elements);
        let shown: Vec<&Element> = elements.iter().filter(|element| element.is("finding")).collect();
        let found = items(&report["diagnostics"]);
        assert!(found.len() > 3, "{keps}");
        assert_eq!(shown.len(), found.len(), "{keps}");
        for finding in found {
            let id = format!("f{}", text(&finding["fingerprint"]));
            let own: Vec<&&Element> = shown.iter().filter(|element| element.attribute("id") == id).collect();
            let [own] = own.as_slice() else { panic!("{} elements with the id {id}", own.len()) };
            assert_eq!(own.attribute("data-rule"), text(&finding["rule"]));
            assert_eq!(own.attribute("data-severity"), text(&finding["severity"]));
            let plain = |text: &str| without_space(&text.replace('`', ""));
            let all = plain(&own.text);
            for part in [&finding["message"], &finding["help"], &finding["fix"]["title"]] {
                let part = plain(part.as_str().unwrap_or_default());
                assert!(all.contains(&part), "`{part}` is not in `{all}`");
            }
            let place = format!(":{}:{}", finding["start"]["line"], finding["start"]["column"]);
            assert!(all.contains(&place), "{place} is not in `{all}`");
        }
        let keps: BTreeSet<&str> = items(&report["targets"]).iter().map(|target| text(&target["kep"])).collect();
        let boxes: Vec<&Element> = elements.iter().filter(|it| it.attributes.contains_key("data-kep")).collect();
        assert_eq!(boxes.len(), keps.len());
        assert!(keps.iter().all(|kep| boxes.iter().any(|shown| shown.text.contains(kep))), "a KEP is missing");
    }
}

#[test]
fn what_can_be_chosen_is_there_and_the_tables_count_right() {
    let (page, report) = report(project(), &["fixtures/sample/keps"]);
    let elements = elements(&page);
    let rules: BTreeSet<&str> = items(&report["diagnostics"]).iter().map(|finding| text(&finding["rule"])).collect();
    let options: BTreeSet<&str> =
        elements.iter().filter(|element| element.name == "option").map(|element| element.attribute("value")).collect();
    assert!(rules.is_subset(&options), "{options:?}");
    // The cells after a row's name: KEPs, errors, warnings, suggestion.
    let count = |key: &str, column: usize| -> u64 {
        let rows = elements.iter().enumerate().filter(|(_, it)| it.attribute("data-key") == key);
        rows.map(|(at, _)| {
            let cells = elements[at..].iter().filter(|it| it.name == "td");
            cells.map(|cell| cell.text.parse::<u64>().expect("a number")).nth(column).expect("a cell")
        })
        .sum()
    };
    let keps = items(&report["targets"]).len() as u64;
    assert_eq!((count("sig", 0), count("status", 0)), (keps, keps));
    for (column, severity) in [(1, "error"), (2, "warning"), (3, "suggestion")] {
        assert_eq!(count("rule", column), report["summary"][severity].as_u64().expect("a number"), "{severity}");
    }
}

#[test]
fn a_page_of_nothing_is_a_page() {
    let (page, _) = report(project(), &["fixtures/demo/keps/sig-network", "--select", "bad-title"]);
    let elements = elements(&page);
    has_sound_references(&elements);
    assert!(!elements.iter().any(|element| element.is("finding")));
    assert!(elements.iter().any(|element| element.is("none") && element.text == "no findings"));
    let failed = kep_lint(project(), ["--format", "html", "nowhere"]);
    assert_eq!(failed.status, 2);
    assert!(
        failed.stdout.contains("This report is incomplete") && failed.stdout.contains("nowhere"),
        "{}",
        failed.stdout
    );
}
