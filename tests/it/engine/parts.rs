//! The elements of a text in Markdown, as the page shows it.

use super::answer;
use kep_lint::editor::page::engine::Engine;
use serde_json::{Value, json};

fn parts(text: &str) -> Value {
    answer(&mut Engine::default(), json!({ "ask": "markdown", "text": text }))
}

#[test]
fn a_text_is_elements_and_html_is_text() {
    assert_eq!(parts("## A `b`\n"), json!([["h2"], "A ", ["code"], "b", null, null]));
    assert_eq!(parts("[a](https://b.c) <i>"), json!([["p"], ["a", "https://b.c"], "a", null, " ", "<i>", null]));
    assert_eq!(parts("1. a\n2. [x] b\n"), json!([["ol"], ["li"], "a", null, ["li"], "☑ ", "b", null, null]));
    let table = json!([["table"], ["tr"], ["th"], "a", null, null, ["tr"], ["td"], "b", null, null, null]);
    assert_eq!(parts("| a |\n| - |\n| b |\n"), table);
    assert_eq!(parts("<!-- a -->\n"), json!([["p"], "<!-- a -->\n", null]));
}

#[test]
fn every_element_that_begins_ends() {
    for text in
        [">".repeat(9_000), "- ".repeat(9_000), "*a **b ".repeat(900), "[".repeat(9_000), "![a](b)\n\n---\n".into()]
    {
        let parts = parts(&text);
        let parts = parts.as_array().expect("a list");
        let count = |is: fn(&&Value) -> bool| parts.iter().filter(is).count();
        assert_eq!(count(|part| part.is_array()), count(|part| part.is_null()));
    }
}
