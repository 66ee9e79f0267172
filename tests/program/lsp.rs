//! `kep-lint lsp`: a conversation as editors have it.

use crate::support::editor::{Editor, uri};
use crate::support::mutation::{Random, mistake};
use crate::support::program::kep_lint;
use crate::support::scratch::Scratch;
use crate::support::{is_whole, spread};
use kep_lint::report::printable;
use serde_json::{Value, json};
use std::path::Path;

/// A finding: its file from the root of the repository on, its place with 1-based lines and columns of characters, its
/// severity, rule and words.
type Finding = (String, [u64; 4], String, String, String);

/// What the command line finds in a KEP.
fn of_command_line(root: &Path, kep: &str) -> Vec<Finding> {
    let printed = kep_lint(root, [kep, "--format", "json", "--level", "suggestion"]);
    let report: Value = serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {printed:?}"));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let finding = |it: &Value| {
        let number = |end: &str, name: &str| it[end][name].as_u64().expect("a number");
        let place =
            [number("start", "line"), number("start", "column"), number("end", "line"), number("end", "column")];
        // People read the words of both, where no character does more than it shows.
        let help = it["help"].as_str().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        let words: Vec<String> = (text(&it["message"]) + &help).split('\n').map(printable).collect();
        (text(&it["path"]), place, text(&it["severity"]), text(&it["rule"]), words.join("\n"))
    };
    let mut findings: Vec<Finding> = report["diagnostics"].as_array().expect("a list").iter().map(finding).collect();
    findings.sort();
    findings
}

/// What the server said last, of an editor that counts characters.
fn of_server(root: &Path, editor: &Editor) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (document, published) in &editor.diagnostics {
        let path = document.strip_prefix(&format!("{}/", uri(root))).expect("it is in the repository");
        for it in published["diagnostics"].as_array().expect("a list") {
            let number = |end: &str, name: &str| it["range"][end][name].as_u64().expect("a number") + 1;
            let place = [
                number("start", "line"),
                number("start", "character"),
                number("end", "line"),
                number("end", "character"),
            ];
            let severity = ["error", "warning", "suggestion"][it["severity"].as_u64().expect("a number") as usize - 1];
            let text = |name: &str| it[name].as_str().unwrap_or_else(|| panic!("{it}")).to_owned();
            findings.push((path.to_owned(), place, severity.to_owned(), text("code"), text("message")));
        }
    }
    findings.sort();
    findings
}

/// An editor that counts characters, as reports do.
fn counting_characters(root: &Path) -> Editor {
    let capabilities = json!({ "general": { "positionEncodings": ["utf-32", "utf-16"] } });
    let (editor, answer) = Editor::initialized(root, capabilities, Value::Null);
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-32");
    editor
}

#[test]
fn what_is_typed_has_the_findings_of_the_command_line() {
    let (typed, saved) = (Scratch::sample(), Scratch::sample());
    let mut random = Random(31);
    let mut editor = counting_characters(&typed.root);
    let keps: Vec<String> =
        saved.git(&["ls-files", "keps/**/kep.yaml"]).lines().map(|path| path.replace("/kep.yaml", "")).collect();
    assert_eq!(keps.len(), 20);
    let edits = if is_whole() { 25 } else { 3 };
    let mut seen = 0;
    for kep in &spread(keps, 7) {
        for name in ["README.md", "kep.yaml"] {
            let (path, original) = (typed.at(&format!("{kep}/{name}")), saved.read(&format!("{kep}/{name}")));
            let mut text = original.clone();
            editor.open(&path, &text);
            editor.checked(&path, 1);
            for version in 2..2 + edits {
                let characters: Vec<char> = text.chars().collect();
                let start = random.below(characters.len() + 1);
                let end = (start + random.below(40)).min(characters.len());
                let new = String::from_utf8_lossy(mistake(&mut random, name)).into_owned();
                let place = |at: usize| {
                    let before: String = characters[..at].iter().collect();
                    let line = before.matches('\n').count();
                    json!({ "line": line, "character": before.chars().rev().take_while(|it| *it != '\n').count() })
                };
                let range = json!({ "start": place(start), "end": place(end) });
                let document = json!({ "uri": uri(&path), "version": version });
                let changes = json!([{ "range": range, "text": new }]);
                editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
                text = characters[..start].iter().collect::<String>()
                    + &new
                    + &characters[end..].iter().collect::<String>();
                saved.write(&format!("{kep}/{name}"), &text);
                editor.checked(&path, version);
                // All that it has to say comes before the next answer.
                let question = editor.request("kep-lint/nothing", Value::Null);
                editor.answer(question);
                let (one, other) = (of_command_line(&saved.root, kep), of_server(&typed.root, &editor));
                assert_eq!(one, other, "{kep}/{name} after edit {version}: {text}");
                seen += one.len();
            }
            saved.write(&format!("{kep}/{name}"), &original);
            editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&path) } }));
        }
    }
    assert!(seen > 150, "only {seen} findings");
    assert!(editor.end().success());
}
