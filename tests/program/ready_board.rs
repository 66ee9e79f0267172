//! `kep-lint ready` beside the tracking board: what its columns say, filters, totals and days.

use crate::ready_cli::{demo, json, ready};
use crate::support::program::{NOW, command, printed};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A board with a line for each KEP of the demo that is looked at.
const BOARD: &str = "Title\tURL\tStatus\tEnhancements Contact\tSIG\tStage\tType\tLabels\tMilestone\n\
    Images\thttps://github.com/kubernetes/enhancements/issues/1\tTracked for enhancements freeze\tann\tSIG Node\tAlpha\tfeature\ttracked/yes\tv1.37\n\
    Hints\thttps://github.com/kubernetes/enhancements/issues/4\tAt risk for PRR freeze\t@Bob, cy\tsig-network\tBeta\t\t\tv1.36\n\
    Rollout\thttps://github.com/kubernetes/enhancements/issues/2\tException granted\tann\tapps\tAlpha\t\t\t\n";

fn board(directory: &Path, arguments: &[&str]) -> Value {
    fs::write(directory.join("board.tsv"), BOARD).expect("a file");
    json(&ready(directory, &[&["--list", "board.tsv", "--release", "v1.37", "--format", "json"], arguments].concat()))
}

/// The state and the words of the item about the board, and the state of the KEP, for each KEP.
fn said(board: &Value) -> Vec<(String, String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let keps = board["keps"].as_array().expect("a list").iter();
    let row = |kep: &Value| {
        let answers = kep["answers"].as_array().expect("a list");
        let answer = answers.iter().find(|answer| answer["item"] == "board").unwrap_or(&Value::Null);
        (text(&kep["number"]), text(&kep["state"]), text(&answer["state"]), text(&answer["words"]))
    };
    keps.map(row).collect()
}

#[test]
fn what_the_board_says_is_compared_with_the_files() {
    let demo = demo();
    let row = |number: &str, state: &str, item: &str, words: &str| {
        (number.to_owned(), state.to_owned(), item.to_owned(), words.to_owned())
    };
    let board = board(demo.path(), &[]);
    assert_eq!(
        said(&board),
        [
            row(
                "1",
                "not-ready",
                "not-met",
                "the status is `Tracked for enhancements freeze`, but the files are not ready"
            ),
            row(
                "4",
                "not-ready",
                "not-met",
                "the SIG is `sig-network`, but the KEP's is `sig-storage`; the milestone is `v1.36`, not v1.37; the stage is \
                 beta, but kep.yaml has alpha"
            ),
            row("2", "exception", "met", "it says what the files say"),
        ]
    );
    assert_eq!(board["keps"][0]["board"]["contact"], "ann");
    assert_eq!(board["keps"][0]["board"]["type"], "feature");
    assert_eq!(board["keps"][0]["board"]["labels"], "tracked/yes");
    assert_eq!(board["stages"][0]["states"]["exception"], 1);
    let table = ready(demo.path(), &["--list", "board.tsv", "--release", "v1.37"]).stdout;
    for words in [
        "    board: Exception granted (ann)\n",
        "    board: At risk for PRR freeze (@Bob, cy)\n",
        "    tracking board: the status is `Tracked for enhancements freeze`, but the\n      files are not ready\n",
        "by stage: alpha 1 not ready, 1 exception; beta 1 not ready\n",
    ] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let is_item = |item: &Value| item["name"] == "board";
    assert!(board["items"].as_array().is_some_and(|items| items.iter().any(is_item)));
    let without = json(&ready(demo.path(), &["1", "--format", "json"]));
    assert!(!without["items"].as_array().is_some_and(|items| items.iter().any(is_item)), "without a list");
}

#[test]
fn a_board_that_says_what_files_say_is_met() {
    let demo = demo();
    let list = "number,stage,status\n4,alpha,Tracked for PRR freeze\n1,alpha,At risk for PRR freeze\n2,,At risk\n";
    fs::write(demo.path().join("board.csv"), list).expect("a file");
    let board = json(&ready(demo.path(), &["--list", "board.csv", "--format", "json"]));
    let states: Vec<String> = said(&board).into_iter().map(|(_, _, state, _)| state).collect();
    assert_eq!(states, ["met", "met", "met"]);
}

#[test]
fn keps_are_filtered_by_what_files_and_board_say() {
    let demo = demo();
    let numbers = |arguments: &[&str]| -> Vec<String> {
        said(&board(demo.path(), arguments)).into_iter().map(|(number, ..)| number).collect()
    };
    assert_eq!(numbers(&["--contact", "ANN"]), ["1", "2"]);
    assert_eq!(numbers(&["--contact", "bob,ann", "--sig", "node"]), ["1"]);
    assert_eq!(numbers(&["--contact", "cy"]), ["4"]);
    assert_eq!(numbers(&["--kep-stage", "alpha"]), ["1", "4", "2"], "one that is broken must not hide");
    assert_eq!(numbers(&["--status", "implementable", "--sig", "sig-storage"]), ["4"]);
    let printed = ready(demo.path(), &["--list", "board.tsv", "--contact", "ann"]);
    assert!(printed.stdout.contains("left out 1 KEP by the filters"), "{}", printed.stdout);
    let one = ready(demo.path(), &["--list", "board.tsv", "--sig", "sig-storage"]);
    assert!(one.stdout.contains("board: At risk for PRR freeze (@Bob, cy)\n"), "{}", one.stdout);
    let nobody = ready(demo.path(), &["--list", "board.tsv", "--contact", "dee"]);
    assert!(nobody.status == 2 && nobody.stderr.contains("the filters admit none of 3 KEPs"), "{}", nobody.stderr);
    fs::write(demo.path().join("plain"), "4 alpha\n").expect("a file");
    let unknown = ready(demo.path(), &["--list", "plain", "--contact", "ann"]);
    assert!(unknown.status == 2 && unknown.stderr.contains("plain names no contact"), "{}", unknown.stderr);
    let typo = ready(demo.path(), &["--sig", "sig-nod"]);
    assert!(typo.status == 2 && typo.stderr.contains("sig-node"), "{}", typo.stderr);
    let absent = ready(demo.path(), &["99", "4", "--sig", "sig-storage", "--format", "csv"]);
    assert!(absent.stdout.lines().count() == 2 && absent.status == 0, "{}", absent.stdout);
}

#[test]
fn the_days_that_are_left_are_told() {
    let demo = demo();
    let on = |seconds: u64, name: &str| {
        let mut command = command(demo.path());
        let output = command.args(["ready", name]).env(NOW.0, seconds.to_string()).output().expect("it runs");
        printed(&output).stdout
    };
    // 2026-06-08, noon in UTC: two days before the end of 2026-06-09 anywhere on earth.
    let noon = 1_780_920_000;
    assert!(on(noon, "1").contains("not ready for the PRR freeze in 2 days (2026-06-09 AoE): PRR"));
    assert!(on(noon + 86_400, "1").contains("not ready for the PRR freeze in 1 day (2026-06-09 AoE): PRR"));
    assert!(on(noon + 86_401, "1").contains("not ready for the PRR freeze today (2026-06-09 AoE): PRR"));
    assert!(on(noon + 2 * 86_400, "1").contains("not ready for the PRR freeze: PRR"));
    let table = on(noon, "keps");
    let days = "PRR freeze in 2 days (2026-06-09 AoE), enhancements freeze in 9 days (2026-06-16\n  AoE)\n";
    assert!(table.contains(days), "{table}");
    assert!(on(noon + 9 * 86_400, "keps").contains("\ncode freeze in 36 days (2026-07-22 AoE), docs freeze"));
    let after = on(noon + 90 * 86_400, "keps");
    assert!(!after.contains("freeze in "), "{after}");
}

#[test]
fn who_has_to_act_is_told() {
    let demo = demo();
    let board = json(&ready(demo.path(), &["keps", "--format", "json"]));
    let actors: Vec<String> =
        board["keps"].as_array().expect("a list").iter().map(|kep| kep["actors"].to_string()).collect();
    assert_eq!(actors, ["[\"author\",\"sig-approver\"]", "[\"author\"]", "[]"]);
    assert_eq!(board["keps"][2]["issue"], "https://kep.k8s.io/4");
    assert_eq!(board["days"]["enhancements_freeze"], "2026-06-16 AoE");
}
