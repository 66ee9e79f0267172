//! `kep-lint ready` beside the tracking board: what its columns say, filters, totals, days and files.

use crate::ready_cli::{demo, json, ready, repository};
use crate::support::program::{NOW, command, kep_lint, printed};
use crate::support::scratch::Scratch;
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
    json(&ready(directory, &[&["--from", "board.tsv", "--release", "v1.37", "--format", "json"], arguments].concat()))
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
    let table = ready(demo.path(), &["--from", "board.tsv", "--release", "v1.37"]).stdout;
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
    let board = json(&ready(demo.path(), &["--from", "board.csv", "--format", "json"]));
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
    let printed = ready(demo.path(), &["--from", "board.tsv", "--contact", "ann"]);
    assert!(printed.stdout.contains("left out 1 KEP by the filters"), "{}", printed.stdout);
    let one = ready(demo.path(), &["--from", "board.tsv", "--sig", "sig-storage"]);
    assert!(one.stdout.contains("board: At risk for PRR freeze (@Bob, cy)\n"), "{}", one.stdout);
    let nobody = ready(demo.path(), &["--from", "board.tsv", "--contact", "dee"]);
    assert!(nobody.status == 2 && nobody.stderr.contains("the filters admit none of 3 KEPs"), "{}", nobody.stderr);
    fs::write(demo.path().join("plain"), "4 alpha\n").expect("a file");
    let unknown = ready(demo.path(), &["--from", "plain", "--contact", "ann"]);
    assert!(unknown.status == 2 && unknown.stderr.contains("the list names no contact"), "{}", unknown.stderr);
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
    assert!(on(noon + 2 * 86_400, "1").contains("not ready for the PRR freeze, which was on 2026-06-09 AoE: PRR"));
    let table = on(noon, "keps");
    let days = "PRR freeze in 2 days (2026-06-09 AoE), enhancements freeze in 9 days (2026-06-16\n  AoE)\n";
    assert!(table.contains(days), "{table}");
    let frozen = on(noon + 9 * 86_400, "keps").replace("\n  ", " ");
    assert!(
        frozen.contains("\nenhancements freeze was on 2026-06-16 AoE, code freeze in 36 days (2026-07-22 AoE), docs")
    );
    let after = on(noon + 90 * 86_400, "keps");
    assert!(!after.contains("freeze in "), "{after}");
}

#[test]
fn who_has_to_act_is_told() {
    let demo = demo();
    let board = json(&ready(demo.path(), &["keps", "--format", "json"]));
    let actors: Vec<String> =
        board["keps"].as_array().expect("a list").iter().map(|kep| kep["actors"].to_string()).collect();
    assert_eq!(actors, ["[\"author\",\"sig-approver\",\"release-team\"]", "[\"author\"]", "[]"]);
    assert_eq!(board["keps"][2]["issue"], "https://kep.k8s.io/4");
    assert_eq!(board["days"]["enhancements_freeze"], "2026-06-16 AoE");
}

#[test]
fn the_days_of_a_new_release_are_read_from_a_clone() {
    let demo = demo();
    let clone = demo.path().join("sig-release");
    let readme = clone.join("releases/release-1.39/README.md");
    fs::create_dir_all(readme.parent().expect("a directory")).expect("a directory");
    let asked = |release: &str| {
        ready(demo.path(), &["keps/sig-storage", "1", "4", "--release", release, "--sig-release", "sig-release"])
    };
    let missing = asked("v1.39");
    assert!(missing.status == 2 && missing.stderr.contains("the days of v1.39 are not known"), "{}", missing.stderr);
    fs::write(&readme, "# v1.39\n\n| What | Who | When |\n|---|---|---|\n").expect("a file");
    let empty = asked("v1.39");
    assert!(empty.status == 2 && empty.stderr.contains("has no table with the days of v1.39"), "{}", empty.stderr);
    let table = "| **Begin [KEP Readiness Deadline]** | Lead | Friday 5th June 2026 (AoE) | |\n\
                 | **Begin [Enhancements Freeze]** | Lead | 02:00 UTC Friday 12th June 2026 | |\n";
    fs::write(&readme, table).expect("a file");
    let some = asked("v1.39");
    let days =
        "KEP readiness deadline in 5 days (2026-06-05 AoE), enhancements freeze in 11\n  days (2026-06-12 02:00 UTC)\n";
    assert!(some.stdout.contains(days), "{}", some.stdout);
    assert!(some.stderr.contains("has no day for: code freeze, docs freeze, release"), "{}", some.stderr);
}

#[test]
fn each_sig_gets_a_message() {
    let demo = demo();
    fs::write(demo.path().join("board.tsv"), BOARD).expect("a file");
    let printed = ready(demo.path(), &["--from", "board.tsv", "--release", "v1.37", "--format", "sigs"]);
    for words in [
        "### sig-node, v1.37 (release on 2026-08-26, given release)\n\nNext: PRR freeze in 9 days (2026-06-09 AoE), enhancements freeze in 16 days (2026-06-16 AoE).\n\n\
         1 KEP: 1 not ready; 0 of 1 KEP is ready for the PRR freeze.\n\n- [KEP-1](https://kep.k8s.io/1) Prefetch images (alpha): PRR: ",
        ". To act: author",
        "1 KEP: 1 exception; ",
    ] {
        assert!(printed.stdout.contains(words), "{words}: {}", printed.stdout);
    }
    assert!(!printed.stdout.replace("`@`", "").contains('@'), "nobody is mentioned: {}", printed.stdout);
}

#[test]
fn stable_keps_that_are_not_implemented_are_to_be_closed() {
    let demo = demo();
    let close = |arguments: &[&str]| ready(demo.path(), &[&["keps", "--to-close"], arguments].concat());
    let none = close(&[]);
    assert!(
        none.status == 0 && none.stdout.contains("0 KEPs are stable in v1.37, but not `implemented`"),
        "{}",
        none.stdout
    );
    let metadata = demo.path().join("keps/sig-storage/4-snapshot-hints/kep.yaml");
    let text = fs::read_to_string(&metadata).expect("a file");
    let stable = text.replace("stage: alpha", "stage: stable");
    assert_ne!(stable, text);
    fs::write(&metadata, &stable).expect("a file");
    let one = close(&[]);
    assert!(one.status == 1 && one.stdout.contains("\n    Snapshot hints\n"), "{}", one.stdout);
    assert!(one.stdout.contains("1 KEP is stable in v1.37, but not `implemented`"), "{}", one.stdout);
    fs::write(&metadata, stable.replace("status: implementable", "status: implemented")).expect("a file");
    assert_eq!(close(&[]).status, 0);
}

#[test]
fn the_release_changes_no_other_evidence() {
    let demo = demo();
    let evidence = |release: &[&str]| {
        let board = json(&ready(demo.path(), &[&["4", "--format", "json"], release].concat()));
        let answers = board["keps"][0]["answers"].as_array().expect("a list").clone();
        let is_milestone = |answer: &Value| answer["item"] == "latest-milestone";
        answers.into_iter().filter(|answer| !is_milestone(answer)).collect::<Vec<Value>>()
    };
    let alone = evidence(&[]);
    assert!(alone.iter().any(|answer| answer["item"] == "gates"), "{alone:?}");
    assert_eq!(alone, evidence(&["--release", "v1.37"]));
}

/// All that looks for a KEP by its number says the same where there is no `keps`.
#[test]
fn without_a_tree_no_number_is_looked_up() {
    let empty = Scratch::empty();
    let says = |arguments: &[&str]| {
        let printed = kep_lint(&empty.root, arguments);
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{arguments:?}");
        printed.stderr
    };
    let wanted = says(&["ready", "5502"]);
    assert!(wanted.starts_with("error: there is no directory `keps` here to look for KEPs by number\n"), "{wanted}");
    for arguments in [&["5502"][..], &["sig-storage/KEP-5502"], &["https://kep.k8s.io/5502"], &["answer", "5502"]] {
        assert_eq!(says(arguments), wanted, "{arguments:?}");
    }
    assert!(says(&["5502-emptydir"]).contains("`5502-emptydir` does not exist"));
}

#[test]
fn a_board_that_goes_to_files_alone_is_summed_up() {
    let demo = demo();
    let board = ready(demo.path(), &["4", "--format", "json=board.json", "--format", "csv=board.csv"]);
    let wanted = (0, "", "1 of 1 KEP is ready\n");
    assert_eq!((board.status, board.stdout.as_str(), board.stderr.as_str()), wanted);
    assert_eq!(ready(demo.path(), &["4", "--format", "csv"]).stderr, "");
}

#[test]
fn what_is_next_depends_on_the_day_and_the_status() {
    let demo = demo();
    let ready_on = |epoch: &str, kep: &str| {
        let mut asked = command(demo.path());
        let asked = asked.args(["ready", kep]).env("SOURCE_DATE_EPOCH", epoch).env("COLUMNS", "300");
        printed(&asked.output().expect("the program starts")).stdout
    };
    let (before, after) = (NOW.1, "1782500000");
    assert!(ready_on(before, "4").contains("Next: ask a lead of the SIG for the label `lead-opted-in`"));
    assert!(!ready_on(after, "4").contains("Next:"), "it is ready, and the freeze is over");
    assert!(ready_on(after, "2").contains("open a pull request, ask the Release Team for an exception; code freeze"));
    let metadata = demo.path().join("keps/sig-storage/4-snapshot-hints/kep.yaml");
    let text = fs::read_to_string(&metadata).expect("it is there");
    let implemented = text.replace("implementable", "implemented").replace("stage: alpha", "stage: stable");
    let implemented = implemented.replace("v1.37", "v1.36").replace("alpha: ", "stable: ");
    fs::write(&metadata, implemented).expect("it is written");
    let said = ready_on(before, "4");
    assert!(said.contains("latest-milestone (v1.36, implemented)"), "{said}");
    assert!(said.contains("`kep-lint 4 --stage stable` lists the open sections") && !said.contains("Next:"), "{said}");
}

#[test]
fn what_a_pull_request_does_not_change_is_that_of_its_branch() {
    let repository = repository();
    let kep = "keps/sig-storage/4-snapshot-hints";
    repository.git(&["checkout", "-q", "-b", "topic"]);
    repository.replace(&format!("{kep}/README.md"), "## Summary", "\n## Summary");
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    repository.replace(&format!("{kep}/kep.yaml"), "stage: alpha", "stage: beta");
    repository.commit();
    let stage = |arguments: &[&str]| {
        let printed = ready(&repository.root, &[arguments, &["--format", "json"]].concat());
        json(&printed)["keps"][0]["stage"].as_str().map(str::to_owned)
    };
    assert_eq!(stage(&["--at", "topic", "4"]).as_deref(), Some("alpha"));
    for arguments in [&["--pr", "topic"][..], &["--pr", "topic", "4"]] {
        assert_eq!(stage(arguments).as_deref(), Some("beta"), "{arguments:?}");
    }
    repository.git(&["mv", kep, "keps/sig-storage/4-hints"]);
    repository.commit();
    assert_eq!(stage(&["--pr", "topic"]).as_deref(), Some("alpha"), "it was moved meanwhile");
}
