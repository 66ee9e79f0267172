//! The pages for a browser, read by a tokenizer that is not ours: what a run found is there, each id is there once, and
//! every link leads somewhere. `.ci/page` opens them in a browser.

use crate::support::page::{Element, elements, has_sound_references, ids};
use crate::support::program::{command, items, kep_lint, printed, text};
use crate::support::project;
use crate::support::scratch::Scratch;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

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
    // The cells after a row's name: KEPs, errors, warnings, advice.
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
    for (column, severity) in [(1, "error"), (2, "warning"), (3, "advice")] {
        assert_eq!(count("rule", column), report["summary"][severity].as_u64().expect("a number"), "{severity}");
    }
}

#[test]
fn text_of_keps_is_text() {
    let bad = "</pre></script><script>alert(1)</script><img src=x onerror=alert(1)> --> \" ' & \u{202e}\u{1b}[31m";
    let readme = format!("# KEP-2: {bad}\n\n## {bad}\n\n[a]({bad}) [b](#x\"onclick=\"y) ##x\n\n<!-- toc -->\n{bad}\n");
    let metadata =
        format!("title: '{}'\nstatus: \"<b>\"\nstage: \"'><i>\"\n<u>: x\n", bad.replace(['\'', '\u{1b}'], ""));
    let files = [
        ("keps/sig-\"><b>/1-<i>&/README.md", readme.as_bytes()),
        ("keps/sig-\"><b>/1-<i>&/kep.yaml", metadata.as_bytes()),
    ];
    let scratch = Scratch::of(&files);
    let (page, report) = report(&scratch.root, &["keps", "--stage", "beta", "--docs-base", "https://x.org"]);
    assert!(items(&report["diagnostics"]).len() > 5, "{report}");
    let elements = elements(&page);
    has_sound_references(&elements);
    for name in ["img", "b", "i", "u"] {
        assert!(!elements.iter().any(|element| element.name == name), "<{name}>");
    }
    assert!(!page.contains(['\u{1b}', '\u{202e}']));
    assert_eq!(page.matches("<script>").count(), 1);
    let all: String = elements.first().map(|html| html.text.clone()).expect("there is one");
    assert!(all.contains("<script>alert(1)</script>"), "the title is shown as it is");
    let links = elements.iter().map(|element| element.attribute("href")).filter(|href| !href.starts_with('#'));
    let links: BTreeSet<&str> = links.filter(|href| !href.is_empty()).collect();
    assert!(links.iter().all(|link| link.starts_with("https://x.org/rules/") && link.ends_with(".html")), "{links:?}");
    assert!(links.len() > 3, "{links:?}");
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

/// The pages of a site by their path, each as its elements.
fn site() -> (tempfile::TempDir, BTreeMap<PathBuf, Vec<Element>>) {
    let scratch = tempfile::tempdir().expect("a directory");
    let printed = kep_lint(scratch.path(), ["rules", "--format", "site=a/b"]);
    assert_eq!((printed.status, printed.stdout.as_str()), (0, ""), "{}", printed.stderr);
    let root = scratch.path().join("a/b");
    let files = crate::support::files_below(&root, &|_| true);
    let pages = files.into_iter().map(|file| {
        let page = fs::read_to_string(&file).expect("a page");
        (file.strip_prefix(&root).expect("it is below").to_owned(), elements(&page))
    });
    let pages = pages.collect();
    (scratch, pages)
}

#[test]
fn every_link_of_the_site_leads_somewhere() {
    let (_keep, pages) = site();
    assert_eq!(pages.len(), kep_lint::rules::ALL.len() + 2);
    let mut linked: BTreeSet<PathBuf> = BTreeSet::new();
    for (path, elements) in &pages {
        has_sound_references(elements);
        for href in elements.iter().map(|element| element.attribute("href")).filter(|href| !href.is_empty()) {
            let (target, id) = href.split_once('#').unwrap_or((href, ""));
            let mut to = path.parent().expect("a page has a directory").to_owned();
            for part in Path::new(target).components() {
                match part {
                    Component::ParentDir => assert!(to.pop(), "{href} leads out of the site"),
                    Component::Normal(name) => to.push(name),
                    _ => panic!("{href} is not relative"),
                }
            }
            let to = if target.is_empty() { path.clone() } else { to };
            let page = pages.get(&to).unwrap_or_else(|| panic!("{}: {href} leads nowhere", path.display()));
            assert!(id.is_empty() || ids(page).contains(id), "{}: {href} leads nowhere", path.display());
            linked.insert(to);
        }
    }
    assert_eq!(linked, pages.keys().cloned().collect(), "every page is linked to");
}

#[test]
fn the_site_says_what_the_program_says() {
    let (_keep, pages) = site();
    let shown = |path: &str| {
        let page = pages.get(Path::new(path)).unwrap_or_else(|| panic!("{path} is there"));
        without_space(&page.first().expect("a page has elements").text)
    };
    for rule in kep_lint::rules::ALL {
        let page = shown(&format!("rules/{}.html", rule.name));
        // Markdown's own signs are not shown; a fence in another one is.
        let plain = |text: &str| text.replace(['`', '#', ' ', '\n'], "");
        let page = plain(&page);
        for part in parts(rule.docs) {
            assert!(page.contains(&plain(&part)), "{}: {part}", rule.name);
        }
        assert!(shown("index.html").contains(rule.name));
    }
    let stages = shown("stages.html");
    let template = kep_lint::template::Template::built_in();
    for (_, section) in template.iter() {
        assert!(stages.contains(&without_space(&section.title.text)), "{}", section.title.text);
    }
}

/// The text before, in and after each code block.
fn parts(markdown: &str) -> Vec<String> {
    let mut fence: Option<String> = None;
    let mut parts = vec![String::new()];
    for line in markdown.lines() {
        let ticks: String = line.trim_start().chars().take_while(|letter| *letter == '`').collect();
        match &fence {
            None if ticks.len() >= 3 => {
                fence = Some(ticks);
                parts.push(String::new());
            }
            Some(open) if line.trim() == open => {
                fence = None;
                parts.push(String::new());
            }
            _ => parts.last_mut().into_iter().for_each(|part| *part = format!("{part}{line}\n")),
        }
    }
    parts
}

#[test]
fn a_site_replaces_only_its_own_pages() {
    let scratch = tempfile::tempdir().expect("a directory");
    let write = || kep_lint(scratch.path(), ["rules", "--format", "site=."]);
    let index = scratch.path().join("index.html");
    fs::write(&index, "<!DOCTYPE html><title>mine</title>").expect("a file");
    let printed = write();
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert!(printed.stderr.contains("that kep-lint did not write"), "{}", printed.stderr);
    assert!(fs::read_to_string(&index).expect("it is there").contains("mine"));
    assert!(!scratch.path().join("stages.html").exists() && !scratch.path().join("rules/bad-title.html").exists());
    fs::remove_file(&index).expect("it is there");
    fs::write(scratch.path().join("other.html"), "mine").expect("a file");
    assert_eq!((write().status, write().status), (0, 0));
    assert_eq!(fs::read_to_string(scratch.path().join("other.html")).expect("it is there"), "mine");
    let named = kep_lint(scratch.path(), ["rules", "bad-title", "--format", "site=x"]);
    assert_eq!(named.status, 2);
    fs::write(scratch.path().join("file"), "").expect("a file");
    assert_eq!(kep_lint(scratch.path(), ["rules", "--format", "site=file"]).status, 2);
}
