//! README.md and the pages in `docs/` are true: their commands run and print what they say, and their links lead somewhere.

use crate::ready_cli::demo_at;
use crate::support::program::{Printed, kep_lint_with};
use crate::support::scratch::Scratch;
use crate::support::{files_below, project};
use crate::watch;
use comrak::{Options, markdown_to_html};
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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

/// Runs a command in the project if it names files of it, and otherwise in a small repository.
fn run(arguments: &str) -> Printed {
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
    repository.git(&["rm", "-q", "--cached", "board.json"]);
    // Which commit was judged would differ with every commit.
    let unversioned = demo_at("fixtures/demo");
    let home = if !arguments.contains("fixtures/") && !arguments.contains("templates/") {
        &repository.root
    } else if arguments.starts_with(" ready ") {
        unversioned.path()
    } else {
        project()
    };
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
    let mut ran = 0;
    for page in pages() {
        for (command, expected) in commands(&page) {
            let Some(arguments) = command.strip_prefix("cargo run -- ").or(command.strip_prefix("kep-lint")) else {
                assert!(OTHERS.contains(&command.as_str()), "{}: `{command}` is not tested", page.display());
                continue;
            };
            let Printed { stdout, stderr, status } = run(arguments);
            let printed = stdout + &stderr;
            assert!(matches!(status, 0 | 1), "{}: `{command}`: {printed}", page.display());
            if !expected.is_empty() {
                assert_eq!(printed.trim_end(), expected.trim_end(), "`{command}`");
            }
            ran += 1;
        }
    }
    assert!(ran >= 40, "only {ran} commands");
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
    let (rules, _) = links_and_anchors(&project().join("docs/rules/README.md"));
    for page in pages().iter().skip(1) {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        let is_of_rule = page.parent().is_some_and(|folder| folder.ends_with("rules"));
        let links = if is_of_rule { &rules } else { &book };
        let is_list = ["README.md", "SUMMARY.md"].contains(&name.as_str());
        assert!(is_list || links.contains(&name), "nothing leads to {}", page.display());
    }
}

/// Wrapped otherwise, without links, and without its last lines, which are about the page.
#[test]
fn the_page_of_a_rule_is_what_explain_prints() {
    let names: Vec<&str> = kep_lint::rules::ALL.iter().map(|rule| rule.name).collect();
    let printed = kep_lint_with(project(), &[], &[&["explain"], names.as_slice()].concat());
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""));
    let link = Regex::new(r"\[([^\[\]]+)\]\([A-Za-z./-]*\.md(?:#[a-z]+)?\)").expect("it is a pattern");
    // An example may have a link as well.
    let words = |text: &str| link.replace_all(text, "$1").split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = 0;
    let mut rest = words(&printed.stdout);
    for name in names {
        let page = text(&project().join(format!("docs/rules/{name}.md")));
        let (page, _) = page.split_once("\n---\n\n`kep-lint explain ").expect("the last lines");
        let page = words(page);
        let printed: String = rest.chars().take(page.chars().count()).collect();
        assert_eq!(page, printed, "docs/rules/{name}.md, and what is printed");
        rest = rest.split_off(printed.len()).trim_start().to_owned();
        shown += 1;
    }
    assert!(rest.is_empty() && shown > 80, "{rest}");
}
