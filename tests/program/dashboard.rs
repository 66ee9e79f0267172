//! The dashboard of a release, read by a tokenizer that is not ours: it has every KEP and every item once, with the states
//! of the JSON board of the same run. `.ci/page` opens it in a browser.

use crate::support::page::{Element, elements, has_sound_references};
use crate::support::program::{command, items, printed, text};
use crate::support::project;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The elements of the dashboard, and the JSON board of the same run.
fn dashboard(folder: &Path, arguments: &[&str]) -> (Vec<Element>, Value, String) {
    let scratch = tempfile::tempdir().expect("a directory");
    let (page, data) = (scratch.path().join("page.html"), scratch.path().join("data.json"));
    let mut command = command(folder);
    command.arg("ready").args(arguments);
    for (format, file) in ["html", "json"].into_iter().zip([&page, &data]) {
        command.arg("--format").arg(format!("{format}={}", file.display()));
    }
    let printed = printed(&command.output().expect("the program was built with this test"));
    assert_eq!(printed.stdout, "", "{}", printed.stderr);
    let page = fs::read_to_string(page).expect("the page is written");
    let data = fs::read_to_string(data).expect("the board is written");
    let elements = elements(&page);
    has_sound_references(&elements);
    (elements, serde_json::from_str(&data).expect("it is JSON"), page)
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Texts with quoted parts have backticks on the board, and elements on the page.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace() && *letter != '`').collect()
}

/// The elements in the one at `at`, by those that follow it until the next one that is `like` it.
fn inside<'a>(elements: &'a [Element], at: usize, like: &dyn Fn(&Element) -> bool) -> &'a [Element] {
    let rest = &elements[at + 1..];
    &rest[..rest.iter().position(like).unwrap_or(rest.len())]
}

/// Compares the page with the board: rows and details, state by state and text by text.
fn says_what_the_board_says(elements: &[Element], board: &Value) {
    let is_row = |it: &Element| it.attributes.contains_key("data-kep");
    let is_kep = |it: &Element| it.name == "details" && it.is("kep");
    let rows: Vec<usize> = (0..elements.len()).filter(|at| is_row(&elements[*at])).collect();
    let boxes: Vec<usize> = (0..elements.len()).filter(|at| is_kep(&elements[*at])).collect();
    let keps = items(&board["keps"]);
    assert_eq!((rows.len(), boxes.len()), (keps.len(), keps.len()));
    let asked: Vec<&str> = items(&board["items"]).iter().map(|item| text(&item["name"])).collect();
    let columns = elements.iter().filter(|it| it.name == "th" && it.is("item"));
    let titles: Vec<&str> = columns.map(|it| it.text.as_str()).collect();
    assert_eq!(titles, items(&board["items"]).iter().map(|item| text(&item["title"])).collect::<Vec<_>>());
    for ((row, kep_box), kep) in rows.into_iter().zip(boxes).zip(keps) {
        let (start, details) = (&elements[row], &elements[kep_box]);
        assert_eq!(start.attribute("data-kep"), details.attribute("id"));
        assert_eq!(start.attribute("data-ready"), if kep["ready"] == true { "yes" } else { "no" });
        assert_eq!(start.attribute("data-stage"), kep["stage"].as_str().unwrap_or("none"));
        assert_eq!(start.attribute("data-sig"), kep["sig"].as_str().unwrap_or("none"));
        let cells = inside(elements, row, &is_row);
        let cells = cells.iter().filter(|it| it.name == "td" && it.attributes.contains_key("data-item"));
        let states: Vec<(&str, &str)> = cells
            .map(|cell| {
                let words = cell.text.strip_prefix(['✓', '✗', '?', '–', 'i']).expect("a sign comes first");
                assert!(cell.is(&words.replace("not asked", "none").replace("not known", "none").replace(' ', "-")));
                (cell.attribute("data-item"), words)
            })
            .collect();
        assert_eq!(states.iter().map(|(item, _)| *item).collect::<Vec<_>>(), asked);
        let answers: BTreeMap<&str, &Value> =
            items(&kep["answers"]).iter().map(|answer| (text(&answer["item"]), answer)).collect();
        let none = if kep["kep"].is_null() { "not known" } else { "not asked" };
        for (item, state) in states {
            let wanted = answers.get(item).map_or(none, |answer| text(&answer["state"]));
            assert_eq!(state.replace("not met", "not-met"), wanted, "{item}");
        }
        let listed = inside(elements, kep_box, &is_kep).iter().filter(|it| it.attributes.contains_key("data-item"));
        let listed: Vec<&str> = listed.map(|it| it.attribute("data-item")).collect();
        let unique: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!((listed.len(), unique), (answers.len(), answers.keys().copied().collect()), "each item once");
        let all = plain(&details.text);
        for answer in answers.values() {
            let details = items(&answer["details"]);
            let listed = if answer["state"] == "met" { &[] } else { details };
            let parts = listed.iter().flat_map(|part| [&part["words"], &part["help"]]);
            for part in [&answer["words"], &answer["write"]["text"]].into_iter().chain(parts) {
                let part = plain(part.as_str().unwrap_or_default());
                assert!(all.contains(&part), "`{part}` is not in `{all}`");
            }
        }
        for by_hand in items(&board["by_hand"]) {
            assert_eq!(all.contains(&plain(&format!("Check by hand: {}", text(by_hand)))), !kep["kep"].is_null());
        }
    }
}

#[test]
fn every_kep_and_every_item_is_there_once() {
    for arguments in [
        &["fixtures/demo/keps", "--milestone", "v1.37"][..],
        &["fixtures/demo/keps", "--stage", "stable", "--release", "v1.37", "--milestone", "v1.37", "--strict"],
        &["1", "4", "99", "98", "--release", "v1.20"],
        &["fixtures/sample/keps", "--milestone", "v1.34"],
    ] {
        let folder = if arguments[0] == "1" { project().join("fixtures/demo") } else { project().to_owned() };
        let (elements, board, _) = dashboard(&folder, arguments);
        assert!(!items(&board["keps"]).is_empty(), "{arguments:?}");
        says_what_the_board_says(&elements, &board);
        let count = |name: &str, column: usize| -> u64 {
            let rows = elements.iter().enumerate().filter(|(_, it)| it.attribute("data-key") == name);
            rows.map(|(at, _)| {
                let cells = elements[at..].iter().filter(|it| it.name == "td");
                cells.map(|cell| cell.text.parse::<u64>().expect("a number")).nth(column).expect("a cell")
            })
            .sum()
        };
        let summary = |name: &str| board["summary"][name].as_u64().expect("a number");
        for name in ["sig", "stage"] {
            let counts = [0, 1, 2].map(|column| count(name, column));
            assert_eq!(counts, [summary("keps"), summary("ready"), summary("keps") - summary("ready")], "{name}");
        }
    }
}

#[test]
fn the_page_says_what_was_judged() {
    let (elements, _, _) = dashboard(&project().join("fixtures/demo"), &["1", "--waiting-for", "@nobody-known"]);
    let all = without_space(&elements[0].text);
    for words in [
        "Readiness for v1.37 (release on 2026-08-26)",
        "no approver of any KEP that was judged",
        "There is no KEP to show",
    ] {
        assert!(all.contains(words), "{words}: {all}");
    }
    let (elements, _, _) = dashboard(&project().join("fixtures/demo"), &["99", "--release", "v1.37"]);
    let all = without_space(&elements[0].text);
    for words in ["not in the tree", "a pull request may have it", "at risk for enhancements freeze"] {
        assert!(all.contains(words), "{words}: {all}");
    }
}

#[test]
fn who_is_waited_for_can_be_chosen() {
    let (elements, board, _) = dashboard(project(), &["fixtures/demo/keps", "--milestone", "v1.37"]);
    let handles = |key: &str| -> BTreeSet<String> {
        let rows = elements.iter().filter(|it| it.attributes.contains_key("data-kep"));
        rows.flat_map(|row| row.attribute(key).split('|')).filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    let options: BTreeSet<String> =
        elements.iter().filter(|it| it.name == "option").map(|it| it.attribute("value").to_owned()).collect();
    let waiting = handles("data-prr");
    assert!(!waiting.is_empty() && waiting.is_subset(&options), "{waiting:?} {options:?}");
    assert!(!handles("data-approver").is_empty() && handles("data-approver").is_subset(&options), "{options:?}");
    let open = items(&board["keps"]).iter().filter(|kep| kep["waiting"]["prr"] == true).count();
    let rows = elements.iter().filter(|it| !it.attribute("data-prr").is_empty()).count();
    assert_eq!(rows, open);
}
