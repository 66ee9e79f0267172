//! The examples of rules, as the page opens them.

use super::{answer, ask, check};
use kep_lint::editor::page::engine::Engine;
use kep_lint::rules::ALL;
use kep_lint::rules::rule::Category;
use serde_json::json;

#[test]
fn each_example_shows_the_finding_of_its_rule() {
    let mut engine = Engine::default();
    let mut without = Vec::new();
    for rule in ALL {
        let explained = answer(&mut engine, json!({ "ask": "explain", "rule": rule.name }));
        assert!(explained["markdown"].as_str().is_some_and(|page| page.starts_with(&format!("# {}\n", rule.name))));
        if explained["hasExample"] == false {
            without.push(rule.name);
            assert!(ask(&mut engine, &json!({ "ask": "example", "rule": rule.name })).get("refused").is_some());
            continue;
        }
        let example = answer(&mut engine, json!({ "ask": "example", "rule": rule.name }));
        let checked = check(&mut engine, example["kep"].clone(), example["settings"].clone());
        let rules = checked["findings"].as_array().expect("a list").iter().map(|finding| &finding["rule"]);
        assert!(rules.clone().any(|name| name == rule.name), "{}: {checked}", rule.name);
        assert!(
            rule.category == Category::Ignores || rules.clone().all(|name| name == rule.name),
            "{}: {checked}",
            rule.name
        );
    }
    assert_eq!(without, WITHOUT_EXAMPLE);
    let unchecked = answer(&mut engine, json!({ "ask": "unchecked" }));
    let unchecked = unchecked.as_array().expect("a list").iter().map(|rule| rule["name"].clone());
    assert_eq!(unchecked.collect::<Vec<_>>(), WITHOUT_EXAMPLE);
}

/// Their examples are bytes that are no text, a change of a KEP, or about other files of the repository.
const WITHOUT_EXAMPLE: [&str; 11] = [
    "unknown-template-section",
    "dead-link",
    "dead-reference",
    "forgotten-milestone",
    "invalid-step",
    "misplaced-kep",
    "not-utf8",
    "one-sided-replacement",
    "unlisted-feature-gate",
    "orphan-prr",
    "unused-ignore",
];
