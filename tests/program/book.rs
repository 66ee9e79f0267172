//! README.md and the pages in `docs/` are true: their commands run and print what they say, and their links lead somewhere.

use crate::ready_cli::demo_at;
use crate::support::program::{PROGRAM, Printed, kep_lint_with};
use crate::support::scratch::{Files, Scratch};
use crate::support::{files_below, is_refresh, project};
use crate::watch;
use comrak::{Options, markdown_to_html};
use rayon::prelude::*;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Commands that are not run: those that build the project, and scripts with tests of their own.
const OTHERS: [&str; 5] = [
    "cargo test",
    "cargo install --path .",
    "RUSTFLAGS=\"-C target-feature=+crt-static\" cargo build --release --target x86_64-unknown-linux-gnu",
    "hack/verify-kep-lint.sh",
    "git config core.hooksPath .githooks",
];

/// A file of comment templates.
const COMMENT_TEMPLATES: &[u8] =
    include_bytes!("../../fixtures/sig-release/release-team/role-handbooks/enhancements/communication-templates.md");

/// README.md and the pages in `docs/`.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![project().join("README.md")];
    pages.extend(files_below(&project().join("docs"), &|path| path.extension().is_some_and(|end| end == "md")));
    pages
}

fn text(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// Every command in `page` that needs neither the network nor a release, with what it should print, if that is shown.
fn commands(page: &Path) -> Vec<(String, String)> {
    let text = text(page);
    let blocks = text.split("\n```").filter(|block| block.starts_with("console\n") || block.starts_with("sh\n"));
    let mut commands = Vec::new();
    for block in blocks {
        let mut lines = block.lines().skip(1).peekable();
        while let Some(line) = lines.next() {
            let mut expected = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                expected += line;
                expected += "\n";
            }
            commands.push((line.trim_start_matches("$ ").to_owned(), expected));
        }
    }
    commands
}

/// A small repository.
static REPOSITORY: LazyLock<Files> = LazyLock::new(|| {
    let repository = Scratch::of(&[
        ("keps/sig-node/1-x/README.md", b"# KEP-1: X\n".as_slice()),
        (
            "keps/sig-node/1-x/kep.yaml",
            b"title: X\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\napprovers: [\"@bob\"]\n\
              status: withdrawn\nlatest-milestone: v1.37\n",
        ),
        ("template.md", b"# KEP-NNNN: X\n\n## Summary\n"),
        ("old-template.md", b"# KEP-NNNN: X\n\n## Overview\n"),
        ("board.csv", b"number,stage\n1,beta\n"),
        (
            "board.json",
            br#"{"version": 1, "tool": {"version": "0.1.0"}, "release": {"name": "v1.37"}, "strict": false, "items": [],
                "keps": [], "prr_approvers": [], "failures": []}"#,
        ),
        ("communication-templates.md", COMMENT_TEMPLATES),
        ("prs.json", b"[]"),
    ]);
    // As in kubernetes/enhancements.
    repository.git(&["update-ref", "refs/remotes/origin/master", "origin/main"]);
    repository.git(&["rm", "-q", "--cached", "board.json"]);
    repository.files()
});

/// Runs a command in the project if it names files of it, and otherwise in a small repository.
fn run(arguments: &str) -> Printed {
    if !arguments.contains("fixtures/") && !arguments.contains("templates/") {
        let repository = Scratch::copy_of(&REPOSITORY);
        // A review is about a commit.
        if arguments.contains("github-review") {
            repository.commit();
        }
        run_in(&repository.root, arguments)
    } else if arguments.starts_with(" ready ") {
        // Which commit was judged would differ with every commit.
        run_in(demo_at("fixtures/demo").path(), arguments)
    } else {
        run_in(project(), arguments)
    }
}

fn run_in(home: &Path, arguments: &str) -> Printed {
    let (arguments, input) = arguments.split_once(" < ").unwrap_or((arguments, ""));
    let arguments: Vec<&str> = arguments.split_whitespace().map(|argument| argument.trim_matches('"')).collect();
    if arguments.contains(&"--watch") {
        watch::starts(home, &arguments);
        return Printed { stdout: String::new(), stderr: String::new(), status: 0 };
    }
    let input = if input.is_empty() { Vec::new() } else { fs::read(home.join(input)).expect("a file") };
    kep_lint_with(home, &input, &arguments)
}

#[test]
fn every_command_runs() {
    let ran: usize = pages().par_iter().map(|page| all_run(page)).sum();
    assert!(ran >= 40, "only {ran} commands");
}

/// Runs the commands of a page. Returns how many that are.
fn all_run(page: &Path) -> usize {
    let mut ran = 0;
    for (command, expected) in commands(page) {
        let Some(arguments) = command.strip_prefix("cargo run -- ").or(command.strip_prefix("kep-lint")) else {
            assert!(OTHERS.contains(&command.as_str()), "{}: `{command}` is not tested", page.display());
            continue;
        };
        let Printed { stdout, stderr, status } = run(arguments);
        let printed = stdout + &stderr;
        assert!(matches!(status, 0 | 1), "{}: `{command}`: {printed}", page.display());
        if !expected.is_empty() && is_refresh() {
            let fresh = text(page)
                .replace(&format!("$ {command}\n{expected}"), &format!("$ {command}\n{}\n", printed.trim_end()));
            fs::write(page, fresh).expect("the page is written");
        } else if !expected.is_empty() {
            assert_eq!(printed.trim_end(), expected.trim_end(), "`{command}`");
        }
        ran += 1;
    }
    ran
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
    let mut all = pages();
    all.push(project().join("CONTRIBUTING.md"));
    let mut checked = 0;
    for page in all {
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
    let prose: String = readme.split("```").step_by(2).collect();
    let words = prose.split_whitespace().count();
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
