//! `kep-lint lsp` with editors that ask for findings, and cannot be told them.

use crate::support::editor::{Editor, uri};
use crate::support::scratch::Scratch;
use serde_json::{Value, json};

const KEP: &str = "keps/sig-node/4742-node-topology-downward-api";

/// The client of Neovim 0.7 and that of eglot 1.9 cannot ask for findings, so that this is tried here.
#[test]
fn an_editor_that_cannot_be_told_asks() {
    let scratch = Scratch::sample();
    let name = format!("{KEP}/README.md");
    let (path, text) = (scratch.at(&name), scratch.read(&name));
    let both = json!({ "textDocument": { "diagnostic": {}, "publishDiagnostics": {} } });
    let (mut editor, answer) = Editor::initialized(&scratch.root, both, Value::Null);
    assert!(answer["capabilities"]["diagnosticProvider"].is_null(), "both would show each finding twice");
    editor.open(&path, &text);
    let told = editor.checked(&path, 1);
    let asked = json!({ "textDocument": { "uri": uri(&path) } });
    assert_eq!(editor.ask("textDocument/diagnostic", asked.clone())["items"], json!(told));

    let alone = json!({ "textDocument": { "diagnostic": { "relatedDocumentSupport": true } } });
    let (mut editor, answer) = Editor::initialized(&scratch.root, alone, Value::Null);
    assert_eq!(answer["capabilities"]["diagnosticProvider"]["interFileDependencies"], true);
    editor.open(&path, &text);
    let report = editor.ask("textDocument/diagnostic", asked.clone());
    assert_eq!((report["kind"].as_str(), &report["items"]), (Some("full"), &json!(told)));
    editor.replace(&path, 2, &(text + "\n##End\n"));
    let report = editor.ask("textDocument/diagnostic", asked);
    assert_eq!(report["items"].as_array().map(Vec::len), Some(told.len() + 1), "of the text as it is now");
    let metadata = scratch.at(&format!("{KEP}/kep.yaml"));
    scratch.write(&format!("{KEP}/kep.yaml"), "status: nope\n");
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&path) } }));
    let report = editor.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri(&path) } }));
    assert!(report["relatedDocuments"][uri(&metadata)]["items"].as_array().is_some_and(|items| !items.is_empty()));
    let elsewhere = editor.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": "untitled:x" } }));
    assert_eq!(elsewhere["items"], json!([]));
    assert!(editor.diagnostics.is_empty(), "nothing was told");
}

#[test]
fn an_editor_that_asks_is_told_when_to_ask_again() {
    let scratch = Scratch::sample();
    let name = format!("{KEP}/README.md");
    let capabilities =
        json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } });
    let (mut editor, _) = Editor::initialized(&scratch.root, capabilities, Value::Null);
    editor.open(&scratch.at(&name), &scratch.read(&name));
    editor.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri(&scratch.at(&name)) } }));
    scratch.write(&format!("{KEP}/kep.yaml"), "status: nope\n");
    while editor.next().expect("the server notices it")["method"] != "workspace/diagnostic/refresh" {}
    assert!(editor.end().success());
}
