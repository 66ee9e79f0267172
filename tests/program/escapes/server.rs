//! What the language server says: each source of hostile text with a message that shows it. VS Code makes links of
//! `[text](target)` in messages, errors and notes, of which `command:` runs something.

use super::quoted;
use crate::support::acts::{Carrier, HOSTILE, acting};
use crate::support::editor::{Editor, uri};
use crate::support::program::kep_lint_with;
use crate::support::scratch::Scratch;
use kep_lint::report::is_hidden;
use serde_json::{Value, json};
use std::path::PathBuf;

const KEP: &str = "keps/sig-node/4742-node-topology-downward-api";

/// What would be two links, and letters that do not show. It can be in the name of a file.
const BAD: &str = "[x](command:workbench.action.quit) [y](https:e)\u{202e}\u{200b}";

/// What is shown of it.
const SHOWN: &str = "[x] (command:workbench.action.quit) [y] (https:e)";

/// A repository, and an editor with its server.
struct Window {
    scratch: Scratch,
    editor: Editor,
}

impl Window {
    /// The sample with these files, before the server starts.
    fn with(files: &[(&str, &str)], settings: Value) -> Self {
        let scratch = Scratch::sample();
        files.iter().for_each(|(path, text)| scratch.write(path, text));
        let edit = json!({ "documentChanges": true, "resourceOperations": ["create"] });
        let capabilities = json!({ "workspace": { "applyEdit": true, "workspaceEdit": edit } });
        let editor = Editor::initialized(&scratch.root, capabilities, settings).0;
        Self { scratch, editor }
    }

    /// Opens a file of the KEP with a text in place of another one.
    fn open(&mut self, name: &str, old: &str, new: &str) -> PathBuf {
        let (path, text) = (self.scratch.at(&format!("{KEP}/{name}")), self.scratch.read(&format!("{KEP}/{name}")));
        assert!(text.contains(old), "{old}");
        self.editor.open(&path, &text.replacen(old, new, 1));
        path
    }

    /// The first message to the user.
    fn told(mut self) -> Vec<String> {
        self.editor.until("a message", |editor| !editor.shown.is_empty());
        self.editor.shown.clone()
    }

    /// The error, or else the words that the answer to a request shows.
    fn answered(mut self, method: &str, parameters: Value) -> Vec<String> {
        let number = self.editor.request(method, parameters);
        let answer = self.editor.answer(number);
        if let Some(words) = answer["error"]["message"].as_str() {
            return vec![words.to_owned()];
        }
        let lenses = answer["result"].as_array().into_iter().flatten().map(|lens| &lens["command"]["title"]);
        let notes = answer["result"]["notes"].as_array().into_iter().flatten();
        let words = lenses.chain(notes).filter_map(Value::as_str).map(str::to_owned).collect();
        [words, self.editor.shown.clone()].concat()
    }

    fn ran(self, command: &str, argument: Value) -> Vec<String> {
        self.answered("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
    }
}

/// What is told of a configuration, once a KEP is open.
fn configured(text: &str) -> Vec<String> {
    let mut window = Window::with(&[(".kep-lint.yaml", text)], Value::Null);
    window.open("README.md", "", "");
    window.told()
}

/// What is said of a promotion of the KEP with another text in kep.yaml.
fn promoted(old: &str, new: &str, to: &str) -> Vec<String> {
    let mut window = Window::with(&[], Value::Null);
    let path = window.open("kep.yaml", old, new);
    window.ran("kep-lint.promote", json!({ "uri": uri(&path), "to": to }))
}

/// What is said of a new KEP with these words.
fn made(more: Value) -> Vec<String> {
    let window = Window::with(&[], Value::Null);
    let mut argument = json!({ "folder": uri(&window.scratch.root), "sig": "node", "number": 9999, "title": "Images" });
    argument.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    window.ran("kep-lint.new", argument)
}

/// What a source makes the server say.
type Says = fn() -> Vec<String>;

/// All sources.
const SOURCES: &[(&str, Says)] = &[
    ("a key of the configuration", || configured(&format!("{}: 1\n", quoted(BAD)))),
    ("a value of the configuration", || configured(&format!("preset: {}\n", quoted(BAD)))),
    ("a file that the configuration names", || configured(&format!("template: {}\n", quoted(BAD)))),
    ("a setting", || Window::with(&[], json!({ (BAD): 1 })).told()),
    ("a value of a setting", || Window::with(&[], json!({ "stage": BAD })).told()),
    #[cfg(unix)]
    ("a file that leads nowhere", || {
        let mut window = Window::with(&[], Value::Null);
        let link = window.scratch.at(&format!("{KEP}/{BAD}.md"));
        std::os::unix::fs::symlink("../../../../outside", link).expect("a link");
        window.open("README.md", "", "");
        window.told()
    }),
    ("a milestone", || promoted("  alpha: \"v1.33\"", &format!("  alpha: {}", quoted(BAD)), "stable")),
    ("a status", || promoted("status: implementable", &format!("status: {}", quoted(BAD)), "stable")),
    ("a stage that is asked for", || promoted("", "", BAD)),
    ("an approver", || {
        let review = format!("kep-number: 4742\nalpha:\n  approver: {0}\nbeta:\n  approver: {0}\n", quoted(BAD));
        let mut window = Window::with(&[("keps/prod-readiness/sig-node/4742.yaml", &review)], Value::Null);
        let path = window.open("README.md", "", "");
        window.answered("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&path) } }))
    }),
    ("a command", || Window::with(&[], Value::Null).ran(BAD, json!({}))),
    ("a method", || Window::with(&[], Value::Null).answered(BAD, json!({}))),
    ("a parameter", || Window::with(&[], Value::Null).answered("textDocument/hover", json!(BAD))),
    ("the number of a new KEP", || made(json!({ "number": BAD }))),
    ("the title of a new KEP", || made(json!({ "title": BAD }))),
    ("the group of a new KEP", || made(json!({ "sig": BAD }))),
    ("the release of a new KEP", || made(json!({ "release": BAD }))),
];

#[test]
fn no_message_has_a_link() {
    for (source, says) in SOURCES {
        let messages = says();
        assert!(messages.iter().any(|words| words.contains(SHOWN)), "{source}: {messages:?}");
        for words in messages {
            assert!(!words.contains("](") && !words.contains(is_hidden), "{source}: {words}");
        }
    }
}

/// What is no message has no link in any editor, but must show all its letters.
#[test]
fn no_label_hides_a_letter() {
    let yaml = format!("title: {0}\nkep-number: 1\nstatus: {0}\nstage: alpha\n{0}: x\n", quoted(BAD));
    let readme = format!("# KEP-1: {BAD}\n\n## {BAD}\n\n[x](#{BAD}) ##{BAD}\n\n[y](#\n");
    let directory = format!("keps/sig-{BAD}/1-{BAD}");
    let files = [("README.md", readme.as_str()), ("kep.yaml", yaml.as_str())];
    let named = files.map(|(name, text)| (format!("{directory}/{name}"), text));
    let mut window = Window::with(&named.each_ref().map(|(path, text)| (path.as_str(), *text)), Value::Null);
    let mut labels = Vec::new();
    for (path, text) in &named {
        let path = window.scratch.at(path);
        window.editor.open(&path, text);
        labels.extend(window.editor.checked(&path, 1));
        let document = json!({ "uri": uri(&path) });
        let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let actions = json!({ "textDocument": document, "range": everything, "context": { "diagnostics": [] } });
        labels.push(window.editor.ask("textDocument/codeAction", actions));
        let place = json!({ "line": 4, "character": 5 });
        labels
            .push(window.editor.ask("textDocument/completion", json!({ "textDocument": document, "position": place })));
    }
    labels.push(window.editor.ask("workspace/symbol", json!({ "query": "" })));
    let mut shown = Vec::new();
    labels.iter().for_each(|label| collect(label, &mut shown));
    assert!(shown.iter().filter(|text| text.contains("(https:e)??????")).count() > 2, "{shown:?}");
    let hidden: Vec<&&str> = shown.iter().filter(|text| text.replace('\n', " ").contains(is_hidden)).collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}

/// The texts in a value that an editor shows.
fn collect<'a>(value: &'a Value, shown: &mut Vec<&'a str>) {
    const KEYS: [&str; 6] = ["message", "title", "name", "detail", "label", "containerName"];
    for (key, part) in value.as_object().into_iter().flatten() {
        if KEYS.contains(&key.as_str()) {
            shown.extend(part.as_str());
        }
        collect(part, shown);
    }
    value.as_array().into_iter().flatten().for_each(|part| collect(part, shown));
}

#[test]
fn no_text_acts_in_the_log() {
    let scratch = Scratch::sample();
    let message = |value: Value| format!("Content-Length: {}\r\n\r\n{value}", value.to_string().len());
    let mut input =
        message(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "capabilities": {} } }));
    for text in HOSTILE {
        input += &message(json!({ "jsonrpc": "2.0", "method": text, "params": null }));
        input += &message(json!({ "jsonrpc": "2.0", "id": 1, "method": text, "params": null }));
        input += &message(json!({ "jsonrpc": "2.0", "method": "textDocument/didSave", "params": text }));
        input += &message(json!({ "jsonrpc": 2, "method": text }));
        let settings = json!({ "settings": { (*text): 1 } });
        input +=
            &message(json!({ "jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": settings }));
    }
    let printed = kep_lint_with(&scratch.root, input.as_bytes(), &["lsp", "--log"]);
    assert!(printed.stderr.lines().count() > 4 * HOSTILE.len(), "{}", printed.stderr);
    assert_eq!(acting(Carrier::Lines, &printed.stderr), None, "{}", printed.stderr);
}
