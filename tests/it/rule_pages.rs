//! The book has a page of each rule, with what `kep-lint explain` prints, and tables of all rules and of what each stage
//! requires. `SNAPSHOTS=overwrite` writes them again.

use crate::support::source::relative;
use crate::support::{assert_generated, assert_generated_part, files_below, is_refresh, project};
use kep_lint::report::explanation;
use kep_lint::report::requirements::{self, Filter};
use kep_lint::rules::ALL;
use kep_lint::rules::rule::{Category, Rule};
use kep_lint::template::Template;
use std::collections::BTreeMap;
use std::fs;

const TESTS: &str = "--test it rule_pages";

/// What a page says of code that is explained elsewhere in the book.
const ELSEWHERE: [(&str, &str); 3] = [
    ("`.kep-lint.yaml`", "../configuration.md"),
    ("`--preset strict`", "../options.md"),
    ("`--preset upstream`", "../upstream.md"),
];

#[test]
fn each_rule_has_a_page() {
    let path = |rule: &Rule| format!("docs/rules/{}.md", rule.name);
    let wanted: BTreeMap<String, String> = ALL.iter().map(|rule| (path(rule), page(rule))).collect();
    let is_of_rule = |path: &std::path::Path| path.file_name().is_some_and(|name| name != "README.md");
    let files = files_below(&project().join("docs/rules"), &is_of_rule);
    let mut recorded: BTreeMap<String, String> = BTreeMap::new();
    for file in files {
        let path = relative(&file);
        let is_left = !wanted.contains_key(&path);
        if is_left && is_refresh() {
            fs::remove_file(&file).expect("a page without a rule is removed");
            continue;
        }
        assert!(!is_left, "{path} is the page of no rule; `SNAPSHOTS=overwrite cargo test {TESTS}` removes it");
        recorded.insert(path, fs::read_to_string(&file).expect("a page is UTF-8"));
    }
    for (path, page) in &wanted {
        let old = recorded.get(path);
        if is_refresh() {
            if old != Some(page) {
                fs::write(project().join(path), page).expect("the page is written");
            }
            continue;
        }
        let old =
            old.unwrap_or_else(|| panic!("{path} is missing; `SNAPSHOTS=overwrite cargo test {TESTS}` writes it"));
        assert_generated(path, TESTS, old, page);
    }
}

#[test]
fn the_book_has_tables_of_all_rules() {
    let row = |rule: &Rule| {
        let (name, finds) = (rule.name, rule.summary.replace('|', "\\|"));
        format!("| [{name}]({name}.md) | {finds} | {} | {} |\n", rule.severity.active.name(), rule.fix_name())
    };
    let of_category = |category: Category| {
        let rows: String = ALL.iter().filter(|rule| rule.category == category).map(row).collect();
        let head = "| rule | finds | active | fix |\n| --- | --- | --- | --- |";
        format!("## {}\n\n{}\n\n{head}\n{rows}\n", category.name(), category.about())
    };
    assert_generated_part("docs/rules/README.md", "rules", TESTS, &Category::ALL.map(of_category).concat());
}

#[test]
fn the_book_says_what_each_stage_requires() {
    let table = requirements::table(&Template::built_in(), Filter::default()).markdown();
    assert_generated_part("docs/requirements.md", "sections", TESTS, &table);
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
        for line in text_lines(&explanation::of_rule(rule)).filter_map(|(line, is_text)| is_text.then_some(line)) {
            let plain: String = line.split('`').step_by(2).collect();
            assert_eq!(line.matches('`').count() % 2, 0, "{}: {line}", rule.name);
            assert!(!plain.contains(['<', '>', '*', '_', '&']), "{}: write this between backticks: {line}", rule.name);
        }
    }
}

/// The page of a rule in the book: what `explain` prints, with links.
fn page(rule: &Rule) -> String {
    let (name, category) = (rule.name, rule.category.name());
    let explained = explanation::of_rule(rule);
    let shown = |(line, is_text)| if is_text { linked(line, rule) } else { str::to_owned(line) };
    let lines = text_lines(&explained).map(|line| shown(line) + "\n");
    let file = format!("src/rules/{category}/{}.rs", name.replace('-', "_"));
    format!(
        "{}\n---\n\n`kep-lint explain {name}` prints this page. [All rules](README.md), [ignores](../ignores.md), \
        [configuration](../configuration.md).\n\n<!-- Written from {file} by `SNAPSHOTS=overwrite cargo test {TESTS}`. -->\n",
        lines.collect::<String>()
    )
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

/// A line with links to the pages of other rules, and to those that explain what it is about.
fn linked(line: &str, rule: &Rule) -> String {
    let category = rule.category.name();
    let mut line = line
        .replace(&format!("- Category: {category}"), &format!("- Category: [{category}](README.md#{category})"))
        .replace("- Severity: ", "- [Severity](../requirements.md#phases): ");
    for (code, page) in ELSEWHERE {
        line = line.replace(code, &format!("[{code}]({page})"));
    }
    for other in ALL.iter().filter(|other| other.name != rule.name) {
        line = line.replace(&format!("`{}`", other.name), &format!("[`{0}`]({0}.md)", other.name));
    }
    line
}
