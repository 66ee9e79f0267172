//! `kep-lint lsp`: what an editor offers to do about findings.

use crate::support::editor::{Editor, uri};
use crate::support::is_whole;
use crate::support::mutation::{Random, mistake};
use crate::support::program::kep_lint;
use crate::support::scratch::Scratch;
use crate::support::workspace_edit::after;
use kep_lint::editor::position::Encoding;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const KEP: &str = "keps/sig-node/4742-node-topology-downward-api";

/// An editor that knows code actions, and what else `more` says.
fn editor(root: &Path, documents: bool, resolves: bool) -> Editor {
    let mut actions = json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } } });
    if resolves {
        actions["dataSupport"] = json!(true);
        actions["resolveSupport"] = json!({ "properties": ["edit"] });
    }
    let capabilities = json!({
        "textDocument": { "codeAction": actions },
        "workspace": { "workspaceEdit": { "documentChanges": documents } },
    });
    Editor::initialized(root, capabilities, Value::Null).0
}

fn actions(editor: &mut Editor, path: &Path, only: Value) -> Vec<Value> {
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99_999, "character": 0 } });
    let context =
        if only.is_null() { json!({ "diagnostics": [] }) } else { json!({ "diagnostics": [], "only": only }) };
    let document = json!({ "uri": uri(path) });
    let parameters = json!({ "textDocument": document, "range": everything, "context": context });
    editor.ask("textDocument/codeAction", parameters).as_array().expect("a list").clone()
}

/// How often each finding of a KEP is reported, as the command line has them.
fn findings(root: &Path, kep: &str) -> BTreeMap<(String, String, String), usize> {
    let printed = kep_lint(root, [kep, "--format", "json", "--level", "suggestion"]);
    let report: Value = serde_json::from_str(&printed.stdout).expect("it is JSON");
    let mut counts = BTreeMap::new();
    for it in report["diagnostics"].as_array().expect("a list") {
        let text = |name: &str| it[name].as_str().expect("a text").to_owned();
        *counts.entry((text("rule"), text("severity"), text("message"))).or_default() += 1;
    }
    counts
}

#[test]
fn each_fix_that_is_offered_removes_its_finding_and_adds_no_error() {
    let scratch = Scratch::sample();
    scratch.replace(&format!("{KEP}/kep.yaml"), "status: implementable", "status: Implementable");
    scratch.replace(&format!("{KEP}/README.md"), "### Scalability\n", "### Scalabilty\n");
    let changed = Scratch::copy_of(&scratch.files());
    let before = findings(&scratch.root, KEP);
    let mut editor = editor(&scratch.root, false, false);
    let mut tried = 0;
    for name in ["README.md", "kep.yaml"] {
        let path = scratch.at(&format!("{KEP}/{name}"));
        editor.open(&path, &scratch.read(&format!("{KEP}/{name}")));
        let list = actions(&mut editor, &path, json!(["quickfix"]));
        let titles: Vec<&str> = list.iter().map(|it| it["title"].as_str().expect("a text")).collect();
        let first_ignore = titles.iter().position(|title| title.starts_with("Ignore ")).unwrap_or(titles.len());
        assert!(titles.iter().skip(first_ignore).all(|title| title.starts_with("Ignore ")), "{titles:?}");
        for action in &list {
            let finding = &action["diagnostics"][0];
            let title = action["title"].as_str().expect("a text");
            let files = after(&scratch.root, &action["edit"], Encoding::Utf16);
            assert!(files.keys().all(|path| path.starts_with(KEP)), "{files:?}");
            files.iter().for_each(|(path, text)| changed.write(path, &text.replace("…", "it is wanted so")));
            let now = findings(&changed.root, KEP);
            files.keys().for_each(|path| changed.write(path, &scratch.read(path)));
            let rule = finding["code"].as_str().expect("a text");
            let count = |of: &BTreeMap<(String, String, String), usize>| {
                of.iter().filter(|((it, _, _), _)| it == rule).map(|(_, count)| count).sum::<usize>()
            };
            assert!(count(&now) < count(&before) || title.starts_with("Ignore"), "{title}: {now:?}");
            let errors = |of: &BTreeMap<(String, String, String), usize>| {
                of.iter().filter(|((_, severity, _), _)| severity == "error").map(|(_, count)| count).sum::<usize>()
            };
            assert!(errors(&now) <= errors(&before), "{title}: {now:?}");
            assert_eq!(
                action["isPreferred"] == true,
                !title.contains("(needs review)") && !title.starts_with("Ignore")
            );
            tried += 1;
        }
    }
    assert!(tried > 5, "only {tried} actions");
    assert!(editor.end().success());
}

#[test]
fn all_safe_fixes_are_those_of_the_command_line() {
    let [typed, saved, original] = [(); 3].map(|()| Scratch::sample());
    let mut random = Random(7);
    let mut editor = editor(&typed.root, true, false);
    let keps: Vec<String> =
        saved.git(&["ls-files", "keps/**/kep.yaml"]).lines().map(|path| path.replace("/kep.yaml", "")).collect();
    let rounds = if is_whole() { 10 } else { 2 };
    let mut changed = 0;
    for kep in &keps {
        for round in 0..rounds {
            let mut texts = BTreeMap::new();
            for name in ["README.md", "kep.yaml"] {
                let path = format!("{kep}/{name}");
                let mut characters: Vec<char> = typed.read(&path).chars().collect();
                if round > 0 {
                    let start = random.below(characters.len() + 1);
                    let end = (start + random.below(9)).min(characters.len());
                    let new = String::from_utf8_lossy(mistake(&mut random, name)).into_owned();
                    characters.splice(start..end, new.chars());
                }
                texts.insert(path, characters.into_iter().collect::<String>());
            }
            for (path, text) in &texts {
                saved.write(path, text);
                typed.write(path, text);
            }
            kep_lint(&saved.root, [kep.as_str(), "--fix"]);
            let path = typed.at(&format!("{kep}/README.md"));
            editor.open(&path, &texts[&format!("{kep}/README.md")]);
            let list = actions(&mut editor, &path, json!(["source.fixAll"]));
            let files = list.first().map(|action| after(&typed.root, &action["edit"], Encoding::Utf16));
            let files = files.unwrap_or_default();
            // Where editors count lines differently, nothing is changed.
            let has_lone_return = |text: &str| text.replace("\r\n", "").contains('\r');
            let is_refused = texts.iter().any(|(path, text)| has_lone_return(text) && *text != saved.read(path));
            if is_refused {
                assert!(files.is_empty(), "{kep}, round {round}");
            }
            for (path, text) in texts.iter().filter(|_| !is_refused) {
                let by_editor = files.get(path).unwrap_or(text);
                assert_eq!(*by_editor, saved.read(path), "{path}, round {round}");
                changed += usize::from(by_editor != text);
            }
            for (path, text) in &texts {
                saved.write(path, &original.read(path));
                typed.write(path, &original.read(path));
                assert!(!text.contains('\0'));
            }
            editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&path) } }));
        }
    }
    assert!(changed > 5, "only {changed} files changed");
    assert!(editor.end().success());
}

#[test]
fn a_change_names_the_version_that_it_is_for() {
    let scratch = Scratch::sample();
    let name = format!("{KEP}/kep.yaml");
    let path = scratch.at(&name);
    let mut editor = editor(&scratch.root, true, true);
    editor.open(&path, &scratch.read(&name).replace("stage: ", "stage: al"));
    let list = actions(&mut editor, &path, json!(["quickfix"]));
    let stage = list.iter().find(|it| it["diagnostics"][0]["code"] == "invalid-stage").expect("it is offered").clone();
    assert!(stage.get("edit").is_none() && stage["data"].is_object(), "{stage}");
    // The text changes before the action is chosen: the change is for the new one.
    let text = scratch.read(&name).replace("stage: ", "# 🎉\nstage: al");
    editor.replace(&path, 2, &text);
    let chosen = editor.ask("codeAction/resolve", stage.clone());
    let change = &chosen["edit"]["documentChanges"][0];
    assert_eq!((&change["textDocument"]["version"], &change["textDocument"]["uri"]), (&json!(2), &json!(uri(&path))));
    scratch.write(&name, &text);
    let after = after(&scratch.root, &chosen["edit"], Encoding::Utf16);
    assert_ne!(after[&name], text);
    // The finding is gone before it is chosen: nothing is changed.
    editor.replace(&path, 3, &text.replace("stage: al", "stage: "));
    let number = editor.request("codeAction/resolve", stage);
    let message = editor.answer(number)["error"]["message"].to_string();
    assert!(message.contains("not there any more"), "{message}");
    assert!(editor.end().success());
}
