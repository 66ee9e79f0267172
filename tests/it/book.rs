//! The book: docs/SUMMARY.md, by which mdBook builds it, has every page once, and the pages for contributors name what is
//! there. `SNAPSHOTS=overwrite` writes the rules in docs/SUMMARY.md again.

use crate::support::{assert_generated, files_below, is_refresh, project};
use kep_lint::rules::ALL;
use kep_lint::rules::rule::Category;
use std::collections::BTreeMap;
use std::fs;

fn read(path: &str) -> String {
    fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages of the rules, below the name of their category, which is no page.
fn rules_in_summary() -> String {
    let mut lines = String::new();
    for category in Category::ALL {
        lines += &format!("  - [{}]()\n", category.name());
        for rule in ALL.iter().filter(|rule| rule.category == category) {
            lines += &format!("    - [{0}](rules/{0}.md)\n", rule.name);
        }
    }
    lines
}

#[test]
fn the_summary_has_every_rule() {
    const OPENING: &str = "  <!-- rules -->\n";
    const CLOSING: &str = "  <!-- /rules -->\n";
    let summary = read("docs/SUMMARY.md");
    let (before, rest) = summary.split_once(OPENING).expect("docs/SUMMARY.md has a line `<!-- rules -->`");
    let (rules, after) = rest.split_once(CLOSING).expect("docs/SUMMARY.md has a line `<!-- /rules -->`");
    let wanted = rules_in_summary();
    if is_refresh() {
        let text = format!("{before}{OPENING}{wanted}{CLOSING}{after}");
        fs::write(project().join("docs/SUMMARY.md"), text).expect("docs/SUMMARY.md is written");
    } else {
        assert_generated("The list of rules in docs/SUMMARY.md", "--test it book", rules, &wanted);
    }
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
