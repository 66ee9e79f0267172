//! `kep-lint list`: the numbers of `check` and `ready`, filters, and what fits a screen.

use crate::support::program::{Printed, command, items, kep_lint, printed, text};
use crate::support::project;
use crate::support::scratch::Scratch;
use jsonschema::Validator;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn sample() -> PathBuf {
    project().join("fixtures/sample")
}

fn list(arguments: &[&str]) -> Printed {
    kep_lint(&sample(), [&["list"], arguments].concat())
}

fn json(arguments: &[&str]) -> Value {
    let printed = list(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&printed.stdout).unwrap_or_else(|_| panic!("{}", printed.stderr))
}

/// The value of each column, by its name, of a line of CSV without line ends in fields.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let cells = |line: &str| {
        let (mut cells, mut is_quoted) = (vec![String::new()], false);
        for letter in line.chars() {
            match letter {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => cells.push(String::new()),
                letter => cells.last_mut().expect("a cell").push(letter),
            }
        }
        cells
    };
    let mut lines = csv.lines().map(cells);
    let names = lines.next().expect("a head");
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

#[test]
fn its_numbers_are_those_of_check_and_ready() {
    let listed = json(&[]);
    let keps = items(&listed["keps"]);
    let checked = kep_lint(&sample(), ["--format", "json", "--fail-on", "never"]).stdout;
    let checked: Value = serde_json::from_str(&checked).expect("JSON");
    assert_eq!(keps.len(), items(&checked["targets"]).len());
    let mut judged = 0;
    for (kep, target) in keps.iter().map(|kep| {
        let target =
            items(&checked["targets"]).iter().find(|target| target["kep"] == kep["kep"]).expect("it is checked");
        (kep, target)
    }) {
        for (severity, name) in [("error", "errors"), ("warning", "warnings"), ("suggestion", "suggestions")] {
            let of_kep = items(&checked["diagnostics"]).iter().filter(|found| found["kep"] == kep["kep"]);
            let count =
                of_kep.filter(|found| found["severity"] == severity).map(|it| it["count"].as_u64().unwrap_or(1));
            assert_eq!(kep[name].as_u64(), Some(count.sum()), "{kep}");
        }
        let is_asked = ["active", "provisional"].contains(&text(&target["phase"]));
        assert_eq!(kep["open_sections"].is_null(), !is_asked, "{kep}");
        assert!(is_asked || items(&kep["actors"]).is_empty(), "{kep}");
        if is_asked {
            judged += 1;
            let ready = kep_lint(&sample(), ["ready", text(&kep["kep"]), "--format", "csv"]).stdout;
            let [row] = rows(&ready).try_into().expect("one KEP");
            assert_eq!(kep["open_sections"].to_string(), row["open-sections"], "{kep}");
            let csv = rows(&list(&[text(&kep["kep"]), "--format", "csv"]).stdout);
            assert_eq!(csv[0]["actors"], row["to-act"], "{kep}");
        }
    }
    assert!(judged > 5 && judged < keps.len(), "{judged} of {}", keps.len());
}

#[test]
fn it_is_valid_and_filtered() {
    let schema = kep_lint(project(), ["schema", "list"]).stdout;
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON")).expect("it is a schema");
    let valid = |schema: &Validator, list: &Value| {
        let errors: Vec<String> = schema.iter_errors(list).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    };
    let all = json(&[]);
    valid(&schema, &all);
    let stable = json(&["--kep-stage", "stable", "--sort", "title"]);
    valid(&schema, &stable);
    let titles: Vec<String> = items(&stable["keps"]).iter().map(|kep| text(&kep["title"]).to_lowercase()).collect();
    assert!(titles.is_sorted() && titles.len() > 3 && titles.len() < items(&all["keps"]).len(), "{titles:?}");
    let numbers = |list: &Value, key: &str| -> Vec<u64> {
        let value = |kep: &Value| kep[key].as_u64().or_else(|| kep[key].as_str()?.parse().ok());
        items(&list["keps"]).iter().filter_map(value).collect()
    };
    assert!(numbers(&all, "number").is_sorted());
    for (key, value) in [("findings", "errors"), ("open", "open_sections")] {
        let most_first = numbers(&json(&["--sort", key]), value);
        let is_sorted = most_first.iter().rev().is_sorted();
        assert!(is_sorted && most_first.first() > most_first.last(), "{most_first:?}");
    }
    let none = list(&["--author", "@nobody-has-this-name"]);
    assert_eq!((none.status, none.stdout.as_str()), (2, ""), "{}", none.stderr);
    assert!(none.stderr.starts_with("error: no KEP matches the filters"), "{}", none.stderr);
    let empty = Scratch::empty();
    let none = kep_lint(&empty.root, ["list"]);
    assert_eq!((none.status, none.stdout.as_str(), none.stderr.lines().count()), (2, "", 2), "{}", none.stderr);
    assert!(none.stderr.starts_with("error: `.` contains no KEP\n"), "{}", none.stderr);
    let stage = list(&["--stage", "beta"]);
    assert!(stage.stderr.contains("a similar argument exists: '--kep-stage'\n"), "{}", stage.stderr);
    assert!(!stage.stderr.contains("--status"), "{}", stage.stderr);
    let gone = kep_lint(project(), ["ready", "--list", "board.csv"]);
    assert_eq!((gone.status, gone.stderr.contains("use `kep-lint ready --from FILE`")), (2, true), "{}", gone.stderr);
}

#[test]
fn its_lines_fit_the_screen_and_a_log_is_whole() {
    let whole = list(&[]).stdout;
    for width in ["60", "80", "120"] {
        let mut program = command(&sample());
        let shown = printed(&program.args(["list"]).env("COLUMNS", width).output().expect("it was built")).stdout;
        let most: usize = width.parse().expect("a number");
        assert!(shown.lines().all(|line| line.chars().count() <= most), "{width}: {shown}");
        assert_eq!(shown.lines().count(), whole.lines().count());
    }
    assert!(whole.lines().any(|line| line.chars().count() > 120) && !whole.contains("..."), "{whole}");
}

#[test]
fn a_list_goes_to_files() {
    let directory = tempfile::tempdir().expect("a directory");
    let [csv, json] = ["list.csv", "list.json"].map(|name| directory.path().join(name));
    let formats = [format!("csv={}", csv.display()), format!("json={}", json.display())];
    let printed = list(&["--format", &formats[0], "--format", &formats[1]]);
    assert_eq!((printed.status, printed.stdout.as_str()), (0, ""), "{}", printed.stderr);
    for (file, format) in [(csv, "csv"), (json, "json")] {
        let written = std::fs::read_to_string(file).expect("it is written");
        assert_eq!(written, list(&["--format", format]).stdout);
    }
}

#[test]
fn git_tells_the_last_change() {
    let repository = Scratch::of(&[("keps/sig-node/1-x/kep.yaml", b""), ("keps/sig-node/2-y/README.md", b"# Y\n")]);
    repository.write("keps/sig-node/1-x/kep.yaml", "status: provisional\n");
    repository.commit_at("2026-03-04T05:06:07Z");
    repository.write("keps/sig-node/2-y/README.md", "# KEP-2: Y\n");
    repository.commit_at("2026-05-06T07:08:09Z");
    let listed = |arguments: &[&str]| {
        let printed = repository.lint_in(&repository.root, &[&["list", "--format", "csv"], arguments].concat(), &[]);
        rows(&printed.stdout).iter().map(|row| row["last-change"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(listed(&[]), ["2026-03-04", "2026-05-06"]);
    assert_eq!(listed(&["--sort", "changed"]), ["2026-05-06", "2026-03-04"]);
    std::fs::remove_dir_all(repository.at(".git")).expect("it is there");
    assert_eq!(listed(&[]), ["", ""]);
}
