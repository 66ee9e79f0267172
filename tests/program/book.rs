//! README.md and the pages in `docs/` are true: their commands run where the reader is and print what they say, and their
//! links lead somewhere.

use crate::support::program::{PROGRAM, Printed, kep_lint_with};
use crate::support::scratch::{Files, Scratch};
use crate::support::{files_below, is_refresh, project};
use crate::watch;
use comrak::{Options, markdown_to_html};
use kep_lint::template::Template;
use rayon::prelude::*;
use regex::Regex;
use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Commands that are not run: those that build the project, and scripts with tests of their own.
const OTHERS: [&str; 4] = [
    "cargo test",
    "cargo install --path . --profile quick",
    "hack/verify-kep-lint.sh",
    "git config core.hooksPath .githooks",
];

/// Files that only the reader has, each with what it has here. A page says what they are.
const OF_THE_READER: [(&str, &[u8]); 4] = [
    ("board.csv", b"number,stage\n4742,beta\n"),
    ("prs.json", b"[]"),
    (
        "communication-templates.md",
        include_bytes!(
            "../../fixtures/sig-release/release-team/role-handbooks/enhancements/communication-templates.md"
        ),
    ),
    ("old-template.md", b"# KEP-NNNN: X\n\n## Overview\n"),
];

/// Most readers have none of these files, so that these commands end with an error there.
const MOST_OF_THE_READER: usize = 23;

/// README.md and the pages in `docs/`.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![project().join("README.md")];
    pages.extend(files_below(&project().join("docs"), &|path| path.extension().is_some_and(|end| end == "md")));
    pages
}

/// Pages that only some people need.
fn other_pages() -> Vec<PathBuf> {
    let others =
        ["CONTRIBUTING.md", "contrib/architecture.md", "contrib/editors/README.md", "contrib/release/README.md"];
    others.iter().chain(&["contrib/agents/SKILL.md", "src/embedding.md"]).map(|path| project().join(path)).collect()
}

fn text(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// The text of a page outside of its blocks of code.
fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect()
}

/// Where a command is run.
#[derive(Clone, Copy, PartialEq)]
enum Home {
    /// In a clone of kubernetes/enhancements, of which the tests have twenty KEPs and the template.
    Enhancements,
    /// In a clone of this repository.
    Project,
    /// In `fixtures/demo` of that clone.
    Demo,
}

/// A command of a page.
struct Shown {
    command: String,
    /// What it should print, if that is shown.
    expected: String,
    home: Home,
}

/// Every command in `text` that needs neither the network nor a release. In a block of `sh`, each line is one.
fn commands(text: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    for block in text.split("\n```").skip(1).step_by(2) {
        let mut home = Home::Enhancements;
        let is_shell = block.starts_with("sh\n");
        if !is_shell && !block.starts_with("console\n") {
            continue;
        }
        for line in block.lines().skip(1) {
            let command = if is_shell { Some(line) } else { line.strip_prefix("$ ") };
            match command {
                Some("cd fixtures/demo") => home = Home::Demo,
                Some(command) => {
                    let home = if command.starts_with("cargo ") { Home::Project } else { home };
                    commands.push(Shown { command: command.to_owned(), expected: String::new(), home });
                }
                None => commands.last_mut().expect("a command").expected += &format!("{line}\n"),
            }
        }
    }
    commands
}

/// A clone of kubernetes/enhancements, as far as its KEPs are in the sample.
static ENHANCEMENTS: LazyLock<Files> = LazyLock::new(|| {
    let repository = Scratch::sample();
    for (name, file) in [("README.md", "kep.md"), ("kep.yaml", "kep.yaml")] {
        let template = fs::read(project().join("templates").join(file)).expect("the template is there");
        repository.write_bytes(&format!("keps/NNNN-kep-template/{name}"), &template);
    }
    repository.commit();
    repository.git(&["branch", "-q", "-m", "master"]);
    repository.git(&["update-ref", "refs/remotes/origin/master", "master"]);
    repository.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/master"]);
    repository.files()
});

/// A clone of this repository, as far as commands name its files.
static PROJECT: LazyLock<Files> = LazyLock::new(|| {
    let repository = Scratch::empty();
    for file in files_below(&project().join("fixtures/demo"), &|_| true) {
        let path = file.strip_prefix(project()).expect("it is below").to_str().expect("it is UTF-8").to_owned();
        repository.write_bytes(&path, &fs::read(&file).expect("a file"));
    }
    repository.commit();
    repository.files()
});

fn run_in(home: &Path, arguments: &str) -> Printed {
    let (arguments, input) = arguments.split_once(" < ").unwrap_or((arguments, ""));
    let mut words: Vec<String> = Vec::new();
    for (at, part) in arguments.split('"').enumerate() {
        // Between two quotes is one word.
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if words.contains(&"--watch") {
        watch::starts(home, &words);
        return Printed { stdout: String::new(), stderr: String::new(), status: 0 };
    }
    let input = if input.is_empty() { Vec::new() } else { fs::read(home.join(input)).expect("a file") };
    kep_lint_with(home, &input, &words)
}

#[test]
fn every_command_runs_where_its_reader_is() {
    let all: Vec<PathBuf> = pages().into_iter().chain([project().join("src/embedding.md")]).collect();
    let counts: Vec<[usize; 2]> = all.par_iter().map(|page| all_run(page)).collect();
    let [ran, of_the_reader] = [0, 1].map(|at| counts.iter().map(|count| count[at]).sum::<usize>());
    assert!(ran >= 70, "only {ran} commands");
    assert!(of_the_reader <= MOST_OF_THE_READER, "{of_the_reader} commands need a file of the reader's");
}

/// Runs the commands of a page one after another. Returns how many that are, and how many of them need a file of the reader's.
fn all_run(page: &Path) -> [usize; 2] {
    let shown = text(page);
    let name = page.display();
    let enhancements = LazyCell::new(|| Scratch::copy_of(&ENHANCEMENTS));
    let clone = LazyCell::new(|| Scratch::copy_of(&PROJECT));
    // A commit of the page is one of many.
    let commit = Regex::new(r"\b[0-9a-f]{9}\b").expect("it is a pattern");
    let [mut ran, mut of_the_reader] = [0, 0];
    for Shown { command, expected, home } in commands(&shown) {
        let Some(arguments) = command.strip_prefix("cargo run -- ").or(command.strip_prefix("kep-lint")) else {
            assert!(OTHERS.contains(&command.as_str()), "{name}: `{command}` is not tested");
            continue;
        };
        let (root, said) = match home {
            Home::Enhancements => (enhancements.root.clone(), "a clone of kubernetes/enhancements"),
            Home::Project => (clone.root.clone(), "a clone of this repository"),
            Home::Demo => (clone.at("fixtures/demo"), "a clone of this repository"),
        };
        let before: Vec<&str> = shown.split(&command).next().unwrap_or_default().split_whitespace().collect();
        assert!(before.join(" ").contains(said), "{name} does not say before `{command}` that it runs in {said}");
        let is_named = |file: &str| arguments.split([' ', '=']).any(|word| word == file);
        let needed: Vec<_> = OF_THE_READER.iter().filter(|(file, _)| is_named(file)).collect();
        for (file, bytes) in &needed {
            fs::write(root.join(file), bytes).expect("a file");
            assert!(prose(&shown).contains(&format!("`{file}`")), "{name} does not say what `{file}` is");
        }
        let Printed { stdout, stderr, status } = run_in(&root, arguments);
        let printed = commit.replace_all(&(stdout + &stderr), "1a2b3c4d5").into_owned();
        assert!(matches!(status, 0 | 1), "{name}: `{command}`: {printed}");
        if !expected.is_empty() && is_refresh() {
            let fresh = text(page)
                .replace(&format!("$ {command}\n{expected}"), &format!("$ {command}\n{}\n", printed.trim_end()));
            fs::write(page, fresh).expect("the page is written");
        } else if !expected.is_empty() {
            assert_eq!(printed.trim_end(), expected.trim_end(), "`{command}`");
        }
        ran += 1;
        of_the_reader += usize::from(!needed.is_empty());
    }
    [ran, of_the_reader]
}

/// What the page and the skill for agents say of the reports is in their schemas.
#[test]
fn the_keys_for_agents_are_there() {
    let report =
        ["diagnostics", "path", "start", "line", "message", "help", "rule", "severity", "requirement", "failures"];
    let ready = ["answers", "state", "words", "place", "write", "details", "deadline", "days", "day", "status"];
    let skill = text(&project().join("contrib/agents/SKILL.md"));
    for (schema, keys) in [("report", report), ("ready", ready)] {
        let printed = run_in(project(), &format!("schema {schema}")).stdout;
        for key in keys {
            assert!(printed.contains(&format!("\"{key}\"")), "{schema} has no key {key}");
            let is_named = skill.contains(&format!("`{key}`")) || ["start", "line"].contains(&key);
            assert!(is_named, "the skill does not name {key}");
        }
    }
    let page = text(&project().join("docs/agents.md"));
    for command in ["kep-lint --since auto --new-only --format json", "kep-lint ready"] {
        assert!(skill.contains(command) && page.contains(command), "{command}");
    }
}

/// The numbers of a text, but for those of addresses, code, issues and releases, which are tested elsewhere or name something.
fn numbers(text: &str) -> BTreeSet<String> {
    let named = Regex::new(r"`[^`]*`|\]\([^)]*\)|#\d+|v\d+\.\d+|Apache-2\.0").expect("it is a pattern");
    let number = Regex::new(r"\d[\d.,]*\d|\d").expect("it is a pattern");
    number.find_iter(&named.replace_all(text, "")).map(|found| found.as_str().to_owned()).collect()
}

/// Who copies a number and finds another one does not trust the rest.
#[test]
fn every_number_of_the_readme_is_known() {
    let outside = prose(&text(&project().join("README.md")));
    let cargo = text(&project().join("Cargo.toml"));
    let rust = cargo.split_once("rust-version = \"").and_then(|(_, rest)| rest.split('"').next()).expect("a version");
    // With the title.
    let headings = (Template::built_in().sections.len() + 1).to_string();
    // The KEP of the example.
    assert_eq!(numbers(&outside), [rust, &headings, "5502"].map(str::to_owned).into());
}

#[test]
fn every_number_of_the_letter_and_of_the_changes_is_known() {
    let letter = text(&project().join("contrib/upstream/letter.md"));
    // `contrib/upstream/figures` writes these.
    let figures = Regex::new(r"(?s)<!-- tree -->.*<!-- pull requests -->").expect("it is a pattern");
    assert_eq!(numbers(&figures.replace(&letter, "")), ["8".to_owned()].into());
    assert!(text(&project().join(".ci/packaging")).contains("-ge 8000000 ]"), "the archive is smaller");

    let changes = text(&project().join("CHANGELOG.md"));
    let changes: String = changes.lines().filter(|line| !line.starts_with("## ")).collect();
    assert_eq!(numbers(&changes), ["1.0".to_owned()].into(), "a version");
}

/// The links of a page, and the anchors of its headings, as GitHub makes them.
fn links_and_anchors(page: &Path) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut options = Options::default();
    (options.extension.table, options.extension.header_id_prefix) = (true, Some(String::new()));
    let html = markdown_to_html(&text(page), &options);
    let all = |pattern: &str| {
        let pattern = Regex::new(pattern).expect("it is a pattern");
        pattern.captures_iter(&html).map(|found| found[1].replace("&amp;", "&")).collect()
    };
    (all(r#"(?:href|src)="([^"]*)""#), all(r#"id="([^"]*)""#))
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    for page in pages().into_iter().chain(other_pages()) {
        let (links, own) = links_and_anchors(&page);
        for link in links.iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = page.parent().expect("a directory").join(path);
            let shown = format!("{}: `{link}`", page.display());
            assert!(path.is_empty() || target.exists(), "{shown}: there is no such file");
            let there = if path.is_empty() {
                own.clone()
            } else if anchor.is_empty() {
                BTreeSet::new()
            } else {
                links_and_anchors(&target).1
            };
            assert!(anchor.is_empty() || there.contains(anchor), "{shown}: there is no such heading");
            checked += 1;
        }
    }
    assert!(checked >= 60, "only {checked} links");
}

#[test]
fn the_readme_is_short_and_leads_to_every_page() {
    let readme = text(&project().join("README.md"));
    let words = prose(&readme).split_whitespace().count();
    assert!(words <= 900, "README.md has {words} words outside of code");
    let (book, _) = links_and_anchors(&project().join("docs/README.md"));
    for page in pages().iter().skip(1) {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        let is_list = ["README.md", "SUMMARY.md"].contains(&name.as_str());
        assert!(is_list || book.contains(&name), "nothing leads to {}", page.display());
    }
}

/// The pages of rules are no files of the project: a script writes them when the book is built.
#[test]
fn the_book_gets_a_page_of_each_rule() {
    let book = tempfile::tempdir().expect("a directory");
    for page in ["SUMMARY.md", "rules/README.md"] {
        let copy = book.path().join(page);
        fs::create_dir_all(copy.parent().expect("it has one")).expect("a directory");
        fs::copy(project().join("docs").join(page), copy).expect("a copy");
    }
    let mut script = Command::new(project().join("contrib/release/rule-pages"));
    let status = script.arg(PROGRAM).arg(book.path()).status().expect("it needs Python");
    assert!(status.success());
    let page = text(&book.path().join("rules/stale-toc.md"));
    assert!(page.starts_with("# stale-toc\n") && page.contains("\n## Why\n"), "{page}");
    assert!(page.contains("- Category: [text](README.md#text)\n"), "{page}");
    let summary = text(&book.path().join("SUMMARY.md"));
    let (table, _) = links_and_anchors(&book.path().join("rules/README.md"));
    for rule in kep_lint::rules::ALL {
        let file = format!("{}.md", rule.name);
        assert!(summary.contains(&format!("    - [{}](rules/{file})\n", rule.name)), "{summary}");
        assert!(table.contains(&file), "the table of rules has no link to {file}");
        let (links, _) = links_and_anchors(&book.path().join("rules").join(&file));
        for link in links.iter().filter(|link| !link.contains("://")) {
            let target = link.split('#').next().unwrap_or_default();
            let is_there =
                book.path().join("rules").join(target).exists() || project().join("docs/rules").join(target).exists();
            assert!(is_there, "{file} links to {link}");
        }
    }
}
