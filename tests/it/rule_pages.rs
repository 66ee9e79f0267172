//! The book has tables of all rules and of what each stage requires, which `.ci/refresh` writes again, and what
//! `kep-lint explain` prints of a rule is fit for a page.

use crate::support::assert_generated_part;
use kep_lint::kep::layout::Layout;
use kep_lint::report::requirements::{self, Filter};
use kep_lint::report::rules;
use kep_lint::rules::ALL;
use kep_lint::rules::rule::{Category, Rule};
use kep_lint::template::Template;

#[test]
fn the_book_has_tables_of_all_rules() {
    let row = |rule: &Rule| {
        let (name, finds) = (rule.name, rule.summary.replace('|', "\\|"));
        format!("| `{name}` | {finds} | {} | {} |\n", rule.severity.active.name(), rule.fix_name())
    };
    let of_category = |category: Category| {
        let rows: String = ALL.iter().filter(|rule| rule.category == category).map(row).collect();
        let head = "| rule | finds | active | fix |\n| --- | --- | --- | --- |";
        format!("## {}\n\n{}\n\n{head}\n{rows}\n", category.name(), category.about())
    };
    assert_generated_part("docs/rules/README.md", "rules", &Category::ALL.map(of_category).concat());
}

#[test]
fn the_book_says_what_each_stage_requires() {
    let table = requirements::table(&Template::built_in(), Filter::default()).markdown();
    assert_generated_part("docs/sections.md", "sections", &table);
}

/// A rule cannot be older than the program, nor newer.
#[test]
fn a_rule_is_there_since_a_version() {
    let number = |version: &str| {
        let mut parts = version.split('.').map(|part| part.parse::<u32>().expect("a version has numbers"));
        (parts.next().expect("a major one"), parts.next().expect("a minor one"))
    };
    let own = number(env!("CARGO_PKG_VERSION"));
    for rule in ALL {
        assert_eq!(rule.since.split('.').count(), 2, "{}: `{}` is written as `0.1`", rule.name, rule.since);
        assert!(number(rule.since) <= own, "{} is new in {}, after this version", rule.name, rule.since);
    }
}

/// What is between angle brackets, and not between backticks, is markup: a browser does not show it.
#[test]
fn pages_have_no_markup_in_their_text() {
    for rule in ALL {
        for line in
            text_lines(&rules::of_rule(rule, &Layout::default())).filter_map(|(line, is_text)| is_text.then_some(line))
        {
            let plain: String = line.split('`').step_by(2).collect();
            assert_eq!(line.matches('`').count() % 2, 0, "{}: {line}", rule.name);
            assert!(!plain.contains(['<', '>', '*', '_', '&']), "{}: write this between backticks: {line}", rule.name);
        }
    }
}

/// The lines, each with whether it is text, and not code in a fence.
fn text_lines(markdown: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut fence = String::new();
    markdown.lines().map(move |line| {
        let ticks = line.len() - line.trim_start_matches('`').len();
        if fence.is_empty() && ticks >= 3 {
            line[..ticks].clone_into(&mut fence);
            return (line, false);
        }
        let is_text = fence.is_empty();
        if line == fence {
            fence.clear();
        }
        (line, is_text)
    })
}
