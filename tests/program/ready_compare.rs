//! `kep-lint ready --compare`: what changed since an earlier board, which is a file or a commit.

use crate::ready_cli;
use crate::support::page::{elements, has_sound_references};
use crate::support::program::{Printed, items, kep_lint, kep_lint_with, text};
use crate::support::project;
use crate::support::scratch::Scratch;
use serde_json::{Value, json};
use std::fs;

/// A repository with the demo, and some more KEPs like its KEP 4, which is ready.
fn repository() -> Scratch {
    let scratch = ready_cli::repository();
    for number in ["5", "6", "8"] {
        add(&scratch, number);
    }
    scratch.replace(&metadata("5"), "status: implementable", "status: provisional");
    scratch.commit();
    scratch
}

fn directory(number: &str) -> String {
    match number {
        "1" => "keps/sig-node/1-prefetch-images".to_owned(),
        "4" => "keps/sig-storage/4-snapshot-hints".to_owned(),
        _ => format!("keps/sig-storage/{number}-hints"),
    }
}

fn metadata(number: &str) -> String {
    format!("{}/kep.yaml", directory(number))
}

/// Adds a KEP like KEP 4.
fn add(scratch: &Scratch, number: &str) {
    for name in ["README.md", "kep.yaml"] {
        let text = scratch.read(&format!("{}/{name}", directory("4")));
        let text =
            text.replace("kep-number: 4", &format!("kep-number: {number}")).replace("KEP-4", &format!("KEP-{number}"));
        scratch.write(&format!("{}/{name}", directory(number)), &text);
    }
    let review =
        scratch.read("keps/prod-readiness/sig-storage/4.yaml").replace("number: 4", &format!("number: {number}"));
    scratch.write(&format!("keps/prod-readiness/sig-storage/{number}.yaml"), &review);
}

/// What happens in a day.
fn change(scratch: &Scratch) {
    add(scratch, "7");
    let review = "keps/prod-readiness/sig-storage/4.yaml";
    let approver =
        scratch.read(review).lines().find(|line| line.contains("approver")).expect("there is one").to_owned();
    scratch.replace(review, &approver, "  approver: \"@TBD\"");
    scratch.replace(&metadata("1"), "status: implementable", "status: provisional");
    scratch.replace(&metadata("5"), "status: provisional", "status: implementable");
    scratch.git(&["rm", "-r", "-q", &directory("6")]);
    scratch.replace(&metadata("8"), "latest-milestone: \"v1.37\"", "latest-milestone: \"v1.36\"");
    scratch.commit();
}

/// The number of each KEP in the comparison, with what changed.
const CHANGES: [&str; 7] = [
    "fell back 4: prr met not-met, deadline met not-met",
    "turned ready 5: status not-met met, deadline not-met met",
    "new 7: board",
    "gone 6: files",
    "gone 8: board",
    "changed 1: status met not-met",
    "same 1",
];

fn ready(scratch: &Scratch, arguments: &[&str]) -> Printed {
    kep_lint(&scratch.root, [&["ready"], arguments].concat())
}

fn board(scratch: &Scratch, arguments: &[&str]) -> Value {
    let printed = ready(scratch, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {}", printed.stderr))
}

/// Writes the board of `arguments` to `file`.
fn write(scratch: &Scratch, arguments: &[&str], file: &str) {
    let format = format!("json={file}");
    let printed = ready(scratch, &[arguments, &["--format", &format]].concat());
    assert!(printed.status < 2, "{}", printed.stderr);
}

/// What the board says has changed.
fn changes(board: &Value) -> Vec<String> {
    let comparison = &board["comparison"];
    let mut changes = Vec::new();
    for kind in ["fell_back", "turned_ready", "new", "gone", "changed"] {
        for kep in items(&comparison[kind]) {
            let word = |value: &Value| value.as_str().unwrap_or("none").to_owned();
            let difference =
                |it: &Value| format!("{} {} {}", text(&it["item"]), word(&it["before"]), word(&it["after"]));
            let reason = kep["reason"].as_str().map(str::to_owned);
            let what: Vec<String> = reason.into_iter().chain(items(&kep["items"]).iter().map(difference)).collect();
            changes.push(format!("{} {}: {}", kind.replace('_', " "), word(&kep["number"]), what.join(", ")));
        }
    }
    changes.push(format!("same {}", comparison["same"]));
    changes
}

fn notes(board: &Value) -> Vec<&str> {
    items(&board["comparison"]["notes"]).iter().map(text).collect()
}

#[test]
fn a_file_and_a_commit_tell_the_same() {
    let scratch = repository();
    for arguments in [
        &[][..],
        &["--milestone", "v1.37"],
        &["keps", "--strict"],
        &["keps/sig-storage", "--stage", "beta"],
        &["1", "4", "7", "6"],
        &["--waiting-for", "heidi"],
        &["--waiting-for", "erin"],
    ] {
        scratch.git(&["checkout", "-q", "-B", "main"]);
        write(&scratch, arguments, "old.json");
        change(&scratch);
        let compared = |base: &str| board(&scratch, &[arguments, &["--compare", base]].concat());
        let (by_file, by_commit) = (compared("old.json"), compared("HEAD~1"));
        assert_eq!(changes(&by_file), changes(&by_commit), "{arguments:?}");
        assert_eq!((notes(&by_file), notes(&by_commit)), (vec![], vec![]), "{arguments:?}");
        let commit = scratch.git(&["rev-parse", "HEAD~1"]);
        let since = json!({"name": "HEAD~1", "commit": commit, "day": "2026-07-24"});
        assert_eq!(by_commit["comparison"]["since"], since);
        assert_eq!(by_file["comparison"]["since"], json!({"name": "old.json", "commit": commit, "day": "2026-06-01"}));
        if arguments.is_empty() {
            assert_eq!(changes(&by_file), CHANGES);
        }
        let again = board(&scratch, &[arguments, &["--compare", "HEAD"]].concat());
        let keps = items(&again["keps"]).len();
        assert_eq!(changes(&again), [format!("same {keps}")], "{arguments:?}");
        scratch.git(&["reset", "-q", "--hard", "HEAD~1"]);
    }
}

#[test]
fn every_format_says_first_what_changed() {
    let scratch = repository();
    change(&scratch);
    let short = &scratch.git(&["rev-parse", "HEAD~1"])[..9];
    let table = ready(&scratch, &["--compare", "HEAD~1"]).stdout;
    let head = format!(
        "Since HEAD~1 at {short} (2026-07-24): 1 fell back, 1 turned ready, 1 new, 2\n  gone, 1 changed, 1 as before\n\
        fell back     KEP-4 Snapshot hints (sig-storage): PRR, PRR freeze not met (were\n              met)\n\
        turned ready  KEP-5 Snapshot hints (sig-storage): status, PRR freeze met (were\n              not met)\n\
        new           KEP-7 Snapshot hints (sig-storage): ready\n\
        gone          KEP-6 Snapshot hints (sig-storage): its files are gone\n\
        gone          KEP-8 Snapshot hints (sig-storage): not on the board any more\n\
        changed       KEP-1 Prefetch images (sig-node): status not met (was met)\n\n\
        Readiness for v1.37"
    );
    assert!(table.starts_with(&head), "{table}");
    let one = ready(&scratch, &["4", "--compare", "HEAD~1"]).stdout;
    assert!(one.starts_with(&format!("Since HEAD~1 at {short} (2026-07-24): 1 fell back\nfell back  ")), "{one}");
    assert!(one.contains("\n\nKEP-4 Snapshot hints (sig-storage)\n"), "{one}");
    let same = ready(&scratch, &["2", "--compare", "HEAD~1"]).stdout;
    assert!(same.starts_with(&format!("Since HEAD~1 at {short} (2026-07-24): nothing changed\n\nKEP-2 ")), "{same}");
    let colored = ready(&scratch, &["--compare", "HEAD~1", "--color", "always"]).stdout;
    assert!(colored.contains("\u{1b}[32mturned ready\u{1b}"), "{colored:?}");

    let markdown = ready(&scratch, &["--compare", "HEAD~1", "--format", "markdown"]).stdout;
    let (section, comments) = markdown.split_once("\n---\n\n").expect("a section and comments");
    assert_eq!(comments, ready(&scratch, &["--format", "markdown"]).stdout, "the comments stay as they are");
    assert!(section.starts_with("## Since HEAD`~`1 at") || section.starts_with("## Since `HEAD~1` at"), "{section}");
    assert!(section.contains("\n- **gone**: KEP-6 Snapshot hints (sig-storage): its files are gone\n"), "{section}");

    let csv = ready(&scratch, &["--compare", "HEAD~1", "--format", "csv"]).stdout;
    let rows: Vec<(&str, &str)> =
        csv.lines().filter_map(|row| Some((row.split_once(',')?.0, row.rsplit_once("keps/")?.1))).collect();
    let change = |number: &str| rows.iter().find(|(own, _)| *own == number).expect("a row").1;
    assert!(csv.lines().next().is_some_and(|head| head.ends_with(",release-source,data-day,change")), "{csv}");
    assert!(change("5").ends_with(",\"turned ready: status, PRR freeze met (were not met)\""), "{csv}");
    assert!(change("7").ends_with(",\"new: ready\"") && change("2").ends_with(','), "{csv}");
    assert!(!ready(&scratch, &["--format", "csv"]).stdout.contains("change"), "only if it is asked");
}

#[test]
fn the_page_has_a_section_of_its_own() {
    let scratch = repository();
    change(&scratch);
    let page = ready(&scratch, &["--compare", "HEAD~1", "--format", "html"]).stdout;
    let all = elements(&page);
    has_sound_references(&all);
    let heads: Vec<&str> = all.iter().filter(|it| it.name == "h2").map(|it| it.attribute("id")).collect();
    assert_eq!(heads, ["since", "state", "table", "keps"]);
    let listed: Vec<usize> = (0..all.len()).filter(|at| all[*at].attributes.contains_key("data-change")).collect();
    let said: Vec<&str> = listed.iter().map(|at| all[*at].text.trim()).collect();
    assert_eq!(
        said,
        [
            "fell back KEP-4 Snapshot hints (sig-storage): PRR, PRR freeze not met (were met)",
            "turned ready KEP-5 Snapshot hints (sig-storage): status, PRR freeze met (were not met)",
            "new KEP-7 Snapshot hints (sig-storage): ready",
            "gone KEP-6 Snapshot hints (sig-storage): its files are gone",
            "gone KEP-8 Snapshot hints (sig-storage): not on the board any more",
            "changed KEP-1 Prefetch images (sig-node): status not met (was met)",
        ]
    );
    let links: Vec<&str> = listed.iter().map(|at| all[at + 2].attribute("href")).collect();
    assert_eq!(links, ["#KEP-4", "#KEP-5", "#KEP-7", "", "", "#KEP-1"], "KEPs that are gone are not on the page");
    let without = ready(&scratch, &["--format", "html"]).stdout;
    assert!(!without.contains("id=\"since\""), "only if it is asked");
}

#[test]
fn a_board_is_compared_with_the_one_that_it_replaces() {
    let scratch = repository();
    scratch.write(".git/info/exclude", "board.json\n");
    write(&scratch, &[], "board.json");
    change(&scratch);
    let arguments = ["--compare", "board.json", "--format", "json=board.json"];
    let status = ready(&scratch, &["--format", "json"]).status;
    assert_eq!(ready(&scratch, &arguments).status, status, "changes do not decide");
    let read = || -> Value { serde_json::from_str(&scratch.read("board.json")).expect("a board") };
    assert_eq!(changes(&read()), CHANGES);
    assert_eq!(ready(&scratch, &arguments).status, status);
    assert_eq!(changes(&read()), ["same 5"]);
    assert!(ready(&scratch, &["--format", "json"]).stdout.contains("\"comparison\": null"));
}

#[test]
fn lists_are_compared_line_by_line() {
    let scratch = repository();
    scratch.write("list.txt", "4 alpha\n4 beta\n7\n6\n99\n");
    scratch.commit();
    write(&scratch, &["--from", "list.txt"], "old.json");
    change(&scratch);
    let expected = ["fell back 4: prr met not-met, deadline met not-met", "new 7: files", "gone 6: files", "same 2"];
    let input = scratch.read("list.txt");
    for base in ["old.json", "HEAD~1"] {
        assert_eq!(changes(&board(&scratch, &["--from", "list.txt", "--compare", base])), expected, "{base}");
        let arguments = ["ready", "--from", "-", "--compare", base, "--format", "json"];
        let printed = kep_lint_with(&scratch.root, input.as_bytes(), &arguments);
        let board = serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {}", printed.stderr));
        assert_eq!(changes(&board), expected, "standard input is read once");
    }
    scratch.write("list.txt", "4 beta\n5 stable\n6\nsoon\n");
    let board = board(&scratch, &["--from", "list.txt", "--compare", "old.json"]);
    assert_eq!(
        changes(&board),
        ["new 5: board", "gone 4: board", "gone 6: files", "gone 7: board", "gone 99: board", "same 1"]
    );
    assert_eq!(notes(&board), ["this run has failures: KEPs may be gone for that reason alone"]);
}

#[test]
fn keps_that_are_named_are_compared_alone() {
    let scratch = repository();
    write(&scratch, &[], "old.json");
    change(&scratch);
    let changes = |arguments: &[&str]| changes(&board(&scratch, &[arguments, &["--compare", "old.json"]].concat()));
    assert_eq!(changes(&["4"]), [CHANGES[0], "same 0"]);
    assert_eq!(
        changes(&["6", "8"]),
        ["fell back 8: latest-milestone met not-met, deadline met not-met", "gone 6: files", "same 0"]
    );
    assert_eq!(changes(&["keps/sig-node"]).len(), 7, "a directory is asked about as a whole");
}

#[test]
fn a_kep_is_the_one_with_its_number() {
    let scratch = repository();
    scratch.git(&["mv", &directory("6"), "keps/sig-node/6-other-hints"]);
    scratch.write("keps/sig-node/hints/kep.yaml", &scratch.read(&metadata("4")).replace("kep-number: 4\n", ""));
    scratch.write("keps/sig-node/hints/README.md", &scratch.read(&format!("{}/README.md", directory("4"))));
    let moved = ["keps/sig-node/6-other-hints", "keps/sig-node/hints"];
    let compared = board(&scratch, &[&moved[..], &["--compare", "main"]].concat());
    assert_eq!(changes(&compared), ["new none: board", "same 1"]);
    let whole = |base: &str| changes(&board(&scratch, &["--compare", base]));
    assert_eq!(whole("main"), ["new none: board", "same 6"]);
    scratch.commit();
    scratch.git(&["rm", "-r", "-q", "keps/sig-node/hints"]);
    assert_eq!(whole("main"), ["gone none: files", "same 6"]);
}

#[test]
fn another_stage_or_release_is_said() {
    let scratch = repository();
    write(&scratch, &["4"], "old.json");
    let stage = &changes(&board(&scratch, &["4", "--stage", "beta", "--compare", "old.json"]))[0];
    assert!(stage.starts_with("fell back 4: target-stage alpha beta, "), "{stage}");
    // The KEP names a later release now, about which both commits are asked.
    scratch.replace(&metadata("4"), "latest-milestone: \"v1.37\"", "latest-milestone: \"v1.38\"");
    let board_now = board(&scratch, &["4", "--compare", "main"]);
    assert_eq!(board_now["release"]["name"], "v1.38");
    assert!(changes(&board_now)[0].contains("latest-milestone not-met met"), "{:?}", changes(&board_now));
    // With another KEP, each is asked about its own.
    scratch.write(".kep-lint.yaml", "release: v1.37\n");
    let both = board(&scratch, &["4", "5", "--compare", "main"]);
    assert_eq!(changes(&both), ["changed 4: release v1.37 v1.38", "same 1"]);
    fs::remove_file(scratch.at(".kep-lint.yaml")).expect("a file");
    let printed = ready(&scratch, &["4", "--compare", "old.json"]);
    assert_eq!(printed.status, 2);
    let said = "cannot compare with `old.json`: it is about v1.37, and this board about v1.38";
    assert!(printed.stderr.contains(said), "{}", printed.stderr);
    assert!(printed.stdout.starts_with("KEP-4 "), "the board is printed nevertheless: {}", printed.stdout);
    assert_eq!(ready(&scratch, &["4", "--release", "v1.37", "--compare", "old.json"]).status, 1);
}

#[test]
fn a_pull_request_is_compared_with_the_main_branch() {
    let scratch = repository();
    scratch.git(&["checkout", "-q", "-b", "topic"]);
    change(&scratch);
    scratch.git(&["update-ref", "refs/pull/12/head", "topic"]);
    scratch.git(&["checkout", "-q", "main"]);
    let compared = board(&scratch, &["--pr", "12", "--compare", "main"]);
    let same = CHANGES.iter().filter(|change| !change.starts_with("gone 8") && !change.starts_with("same"));
    let changes = changes(&compared);
    assert!(
        same.clone().all(|change| changes.contains(&(*change).replace("new 7: board", "new 7: files"))),
        "{changes:?}"
    );
    assert_eq!(notes(&compared), ["what changes in a pull request counts only once it is merged"]);
    assert!(!compared["comparison"].to_string().contains("ordered-rollout"), "only the KEPs that it changes");
}

#[test]
fn who_is_waited_for_is_compared() {
    let scratch = repository();
    write(&scratch, &[], "all.json");
    write(&scratch, &["--waiting-for", "@heidi"], "heidi.json");
    change(&scratch);
    for base in ["all.json", "heidi.json", "HEAD~1"] {
        let board = board(&scratch, &["--waiting-for", "@heidi", "--compare", base]);
        assert_eq!(changes(&board), ["new 4: board", "changed 1: status met not-met", "same 0"], "{base}");
        assert_eq!(notes(&board), [""; 0]);
    }
    let board = board(&scratch, &["--compare", "heidi.json"]);
    assert_eq!(notes(&board), ["`heidi.json` has only KEPs that wait for `heidi`"]);
}

#[test]
fn what_else_differs_is_noted() {
    let scratch = repository();
    write(&scratch, &["--strict"], "old.json");
    let mut old: Value = serde_json::from_str(&scratch.read("old.json")).expect("a board");
    old["tool"]["version"] = json!("0.0.1");
    old["failures"] = json!([{"message": "x"}, 1]);
    old["more"] = json!({"a": [1, {"b": null}]});
    old["keps"][0]["answers"][0]["more"] = json!([]);
    for answers in old["keps"].as_array_mut().expect("a list").iter_mut().map(|kep| &mut kep["answers"]) {
        answers.as_array_mut().expect("a list").retain(|answer| answer["item"] != "boxes");
    }
    old["items"].as_array_mut().expect("a list").retain(|item| item["name"] != "boxes");
    scratch.write("old.json", &old.to_string());
    let printed = ready(&scratch, &["--compare", "old.json", "--format", "json"]);
    let board: Value = serde_json::from_str(&printed.stdout).expect("a board");
    let tool = env!("CARGO_PKG_VERSION");
    let expected = [
        "`old.json` is incomplete: its run had 2 failures".to_owned(),
        "`old.json` was made with `--strict`, and this board without: what is ready differs".to_owned(),
        format!("`old.json` was made by kep-lint 0.0.1, and this board by {tool}: answers may differ"),
        "only one of the boards has the items `boxes`, which are not compared".to_owned(),
    ];
    assert_eq!(notes(&board), expected);
    for note in &expected {
        assert!(printed.stderr.replace("\n  ", " ").contains(&format!("note: {note}")), "{}", printed.stderr);
    }
    let page = ready(&scratch, &["--compare", "old.json", "--format", "html"]).stdout;
    assert!(page.contains("its run had 2 failures.</p>"), "{page}");
    let markdown = ready(&scratch, &["--compare", "old.json", "--format", "markdown"]).stdout;
    assert!(markdown.contains("is incomplete: its run had 2 failures.\n"), "{markdown}");
    scratch.git(&["branch", "both"]);
    write(&scratch, &[], "both");
    let printed = ready(&scratch, &["--compare", "both"]);
    assert!(
        printed.stderr.contains("note: `both` is also a commit; the file of this name counts"),
        "{}",
        printed.stderr
    );
    let empty = self::board(
        &scratch,
        &["--compare", &scratch.git(&["commit-tree", "-m", "x", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"])],
    );
    assert!(
        notes(&empty)[0].ends_with("has none of these KEPs") && changes(&empty).len() == 7,
        "{:?}",
        changes(&empty)
    );
}

#[test]
fn what_is_no_board_is_refused() {
    let scratch = repository();
    write(&scratch, &[], "old.json");
    let old: Value = serde_json::from_str(&scratch.read("old.json")).expect("a board");
    let refused = |bytes: &[u8], reason: &str| {
        scratch.write_bytes("bad.json", bytes);
        let printed = ready(&scratch, &["--compare", "bad.json", "--format", "json=new.json"]);
        let said = printed.stderr.replace("\n  ", " ");
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{reason}: {said}");
        assert!(said.contains(reason) && said.contains("bad.json"), "{reason}: {said}");
        assert!(!scratch.at("new.json").exists(), "{reason}");
        assert!(!said.contains('\u{1b}') && said.len() < 1_000, "{said}");
    };
    let with = |place: &str, value: Value| {
        let mut board = old.clone();
        *board.pointer_mut(place).expect("it is there") = value;
        board.to_string()
    };
    for (text, reason) in [
        ("", "it is not a board of kep-lint: EOF"),
        ("# a README", "it is not a board of kep-lint: expected value at line 1 column 1"),
        ("[1]", "it is not a board of kep-lint: invalid type"),
        ("{\"version\": 99}", "its `version` is 99, and this kep-lint reads 1"),
        ("{\"version\": \"1\"}", "invalid type: string \"1\", expected u32"),
        ("{\"version\": 1}", "missing field"),
        ("{}", "missing field `version`"),
        (&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)), "not a board"),
        (&format!("{{\"version\": 1, \"more\": {}", "[".repeat(100_000)), "EOF while parsing a list"),
    ] {
        refused(text.as_bytes(), reason);
    }
    for (place, value, reason) in [
        ("/keps", json!({}), "invalid type: map, expected a sequence"),
        ("/keps/0", json!(["keps/sig-x/1-a", "1"]), "it is not a board of kep-lint: invalid length"),
        ("/keps/0/ready", json!("yes"), "invalid type: string \"yes\", expected a boolean"),
        ("/keps/0/number", json!(4), "invalid type: integer `4`, expected a string"),
        ("/keps/0/release", json!("next"), "`next` is not a release"),
        ("/keps/0/stage", json!("gamma\u{1b}[31m"), "unknown variant `gamma?[31m`"),
        ("/keps/0/answers/0/state", json!("x".repeat(5_000)), "unknown variant `xxx"),
        ("/day", json!("today"), "`today` is not a day"),
        ("/waiting_for", json!({"x".repeat(5_000): 1}), "invalid type: map, expected a string"),
    ] {
        refused(with(place, value).as_bytes(), reason);
    }
    refused(b"{\"version\": 1, \"title\": \"\xff\"}", "is not UTF-8");
    let huge = fs::File::create(scratch.at("bad.json")).expect("a file");
    huge.set_len(100 << 20).expect("a sparse file");
    let printed = ready(&scratch, &["--compare", "bad.json"]);
    assert!(printed.status == 2 && printed.stderr.contains("100 MiB"), "{}", printed.stderr);
    let printed = ready(&scratch, &["--compare", "nowhere.json"]);
    assert!(printed.status == 2 && printed.stderr.contains("there is no such file"), "{}", printed.stderr);
    assert!(printed.stderr.contains("kep-lint ready --format json=nowhere.json"), "{}", printed.stderr);
    let printed = ready(&scratch, &["--compare", "keps"]);
    assert!(printed.status == 2 && printed.stderr.contains("`keps`: it is a directory"), "{}", printed.stderr);
    let printed = ready(&scratch, &["--compare", "release-1.38"]);
    let command = "git fetch origin release-1.38:release-1.38";
    assert!(printed.status == 2 && printed.stderr.contains(command), "{}", printed.stderr);
    let outside = tempfile::tempdir().expect("a directory");
    fs::create_dir_all(outside.path().join("keps")).expect("a directory");
    let printed = kep_lint(outside.path(), ["ready", "4", "--compare", "main"]);
    assert!(printed.status == 2 && printed.stderr.contains("no git repository here"), "{}", printed.stderr);
}

#[test]
fn texts_of_a_board_are_only_text() {
    let scratch = repository();
    write(&scratch, &[], "old.json");
    let mut old: Value = serde_json::from_str(&scratch.read("old.json")).expect("a board");
    let hostile = "a\u{1b}[31m\u{202e} --> </script><img src=x> @ann #12 `b\n/approve\n---";
    let kep = &mut old["keps"][0];
    kep["number"] = json!("98");
    for key in ["title", "sig", "kep"] {
        kep[key] = json!(format!("{hostile}{}", "y".repeat(100_000)));
    }
    let mut other = kep.clone();
    other["number"] = Value::Null;
    kep["deadline"]["name"] = json!(hostile);
    old["keps"].as_array_mut().expect("a list").push(other);
    old["snapshot"]["name"] = json!(hostile);
    old["snapshot"]["commit"] = json!("é".repeat(1_000));
    old["tool"]["version"] = json!(hostile);
    old["waiting_for"] = json!(hostile);
    scratch.write("old.json", &old.to_string());
    let shown = |format: &str| {
        let printed = ready(&scratch, &["--compare", "old.json", "--format", format]);
        assert!(printed.status == 1 && printed.stderr.len() < 2_000, "{}", printed.stderr);
        for text in [&printed.stdout, &printed.stderr] {
            assert!(!text.contains(['\u{1b}', '\u{202e}']) && !text.contains("\n/approve"), "{format}: {text}");
        }
        printed.stdout
    };
    let pretty = shown("pretty");
    assert!(pretty.len() < 10_000 && pretty.contains("gone          KEP-98 a?[31m"), "{pretty}");
    let markdown = shown("markdown");
    let section = markdown.split("\n---\n\n").next().unwrap_or_default();
    assert!(section.len() < 5_000 && section.contains("`@ann` `#12`"), "{section}");
    let page = shown("html");
    has_sound_references(&elements(&page));
    assert!(!page.contains("<img"), "{page}");
    shown("csv");
    let schema = kep_lint(project(), ["schema", "ready"]);
    let schema = serde_json::from_str(&schema.stdout).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is valid");
    for arguments in [&["--compare", "old.json"][..], &["--compare", "main"], &["99", "--compare", "main"]] {
        let board = board(&scratch, arguments);
        let errors: Vec<String> = schema.iter_errors(&board).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    }
}
