//! The book: docs/SUMMARY.md, by which mdBook builds it, has every page once, and the pages for contributors name what is
//! there.

use crate::support::source::Source;
use crate::support::{files_below, project};
use kep_lint::ready::calendar::schedule::Schedule;
use kep_lint::ready::calendar::schedule_of;
use kep_lint::ready::items::{ALL, Kind};
use kep_lint::stage::Release;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

fn read(path: &str) -> String {
    fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_summary_has_every_page_once() {
    let docs = project().join("docs");
    let is_page = |path: &std::path::Path| path.extension().is_some_and(|end| end == "md");
    let pages = files_below(&docs, &is_page).into_iter();
    let pages = pages.map(|path| path.strip_prefix(&docs).expect("it is below").to_string_lossy().into_owned());
    let mut count: BTreeMap<String, usize> = pages.filter(|page| page != "SUMMARY.md").map(|page| (page, 0)).collect();
    for line in read("docs/SUMMARY.md").lines() {
        let target = line.split_once("](").and_then(|(_, rest)| rest.strip_suffix(')'));
        let Some(target) = target.filter(|target| !target.is_empty()) else { continue };
        *count.get_mut(target).unwrap_or_else(|| panic!("docs/{target} does not exist")) += 1;
    }
    let wrong: Vec<_> = count.iter().filter(|(_, times)| **times != 1).collect();
    assert!(wrong.is_empty(), "not once in docs/SUMMARY.md: {wrong:?}");
    assert!(count.len() > 15, "only {} pages", count.len());
}

/// The words in backticks of a text.
fn in_code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The cells of the rows of a text that begin with a name in code.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| line.starts_with("| `")).map(|line| line.split('|').collect())
}

#[test]
fn the_words_of_the_code_are_there() {
    let page = read("contrib/architecture.md");
    let (walk, glossary) = page.split_once("\n## Glossary\n").expect("a glossary");
    let mut words = BTreeSet::new();
    for row in rows(glossary) {
        let files: Vec<&str> = in_code(row[3]).collect();
        let texts: Vec<String> = files.iter().map(|file| read(file)).collect();
        for word in in_code(row[1]) {
            let declares = |kind: &str| {
                let declared = format!("pub {kind} {word}");
                let is_end = |rest: &str| rest.starts_with([' ', '<', '(', ';', ':']);
                texts.iter().any(|text| text.split(&declared).skip(1).any(is_end))
            };
            assert!(["struct", "enum", "trait", "type"].into_iter().any(declares), "{word} is not in {files:?}");
            assert!(words.insert(word), "{word} is explained twice");
        }
    }
    let is_type = |word: &&str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric);
    let picture = walk.split("```").nth(1).expect("a picture");
    let drawn = picture.split(|letter: char| !letter.is_alphanumeric());
    let drawn = drawn.filter(|word| word.chars().skip(1).any(char::is_lowercase));
    let prose = walk.replace(picture, "");
    let unknown = in_code(&prose).chain(drawn).filter(is_type).collect::<BTreeSet<_>>();
    let unknown: Vec<&&str> = unknown.difference(&words).collect();
    assert_eq!(unknown, [&"Goals"], "words that the glossary does not explain, and a section");
    assert!(words.len() > 60, "only {} words", words.len());
}

#[test]
fn the_tests_of_the_invariants_are_there() {
    let page = read("contrib/architecture.md");
    let table =
        page.split_once("| invariant | tests |").and_then(|(_, rest)| rest.split_once("\n\n")).expect("a table").0;
    let tests: String = Source::below("tests").into_iter().map(|source| source.text).collect();
    let rows: Vec<&str> = table.lines().filter_map(|row| row.split('|').nth(2)).collect();
    for name in rows.iter().flat_map(|cell| in_code(cell)).filter(|name| !name.starts_with(".ci/")) {
        assert!(tests.contains(&format!("fn {name}(")), "there is no test `{name}`");
    }
    assert!(rows.len() >= 9, "{rows:?}");
}

/// The page for the Release Team has each item that decides, in the order of reports, and names the evidence.
#[test]
fn the_items_of_the_release_team_are_there() {
    let page = read("docs/release-team.md");
    let table =
        page.split_once("| item | it asks for |").and_then(|(_, rest)| rest.split_once("\n\n")).expect("a table").0;
    let rows: Vec<&str> = table.lines().skip(2).filter_map(|row| row.strip_prefix("| ")?.split(" |").next()).collect();
    let titles = |kind: Kind| ALL.iter().filter(move |item| item.kind == kind).map(|item| item.title);
    assert_eq!(rows, titles(Kind::Verdict).collect::<Vec<_>>());
    let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for title in titles(Kind::Evidence) {
        assert!(text.contains(title), "{title}");
    }
}

/// The page about the days of a release has those of `templates/releases.yaml`.
#[test]
fn the_days_of_a_release_are_its_own() {
    let page = read("docs/release-cycle.md");
    let shown = page.split_once("| day of v").and_then(|(_, rest)| rest.split_once(" |")).expect("a release").0;
    let release = Release::parse(&format!("v{shown}")).expect("a release");
    let Schedule { deadline, enhancements_freeze, code_freeze, release, .. } = schedule_of(release).expect("its days");
    let days = page.lines().filter_map(|line| line.strip_prefix("| 2")?.split(" |").next());
    let days: Vec<String> = days.map(|rest| format!("2{rest}")).collect();
    let known = [deadline, enhancements_freeze, code_freeze, release];
    let known: Vec<&str> = known.into_iter().flatten().map(|moment| moment.written.as_str()).collect();
    assert_eq!(days, known);
}
