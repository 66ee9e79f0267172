//! `kep-lint lsp` with messages of any kind in any order: it answers each request, and ends.
//!
//! `KEP_LINT_SECONDS` says how long, a second otherwise or a minute at night, and `KEP_LINT_SEED` gives other messages.

use crate::support::editor::{Editor, uri};
use crate::support::is_whole;
use crate::support::mutation::{Random, mistake};
use crate::support::scratch::Scratch;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{env, fs};

/// What an editor may ask.
const QUESTIONS: &[&str] = &[
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/codeAction",
    "codeAction/resolve",
    "textDocument/codeLens",
    "codeLens/resolve",
    "textDocument/completion",
    "completionItem/resolve",
    "textDocument/formatting",
    "textDocument/diagnostic",
    "workspace/symbol",
    "workspace/executeCommand",
    "initialize",
    "kep-lint/nothing",
];

/// What it may tell.
const NEWS: &[&str] = &[
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "$/cancelRequest",
    "initialized",
];

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}

/// A conversation that goes anywhere.
struct Chaos {
    random: Random,
    editor: Editor,
    scratch: Scratch,
    documents: Vec<PathBuf>,
    version: i64,
}

impl Chaos {
    fn document(&mut self) -> PathBuf {
        self.random.pick(&self.documents).clone()
    }

    fn text(&mut self, document: &std::path::Path) -> String {
        let mut text = fs::read_to_string(document).unwrap_or_default();
        for _ in 0..self.random.below(4) {
            let piece = String::from_utf8_lossy(mistake(&mut self.random, &document.to_string_lossy())).into_owned();
            let at = text.floor_char_boundary(self.random.below(text.len() + 1));
            text.insert_str(at, &piece);
        }
        text
    }

    fn place(&mut self) -> Value {
        let most = if self.random.one_in(20) { u32::MAX as usize } else { 200 };
        json!({ "line": self.random.below(most), "character": self.random.below(most / 2) })
    }

    fn range(&mut self) -> Value {
        json!({ "start": self.place(), "end": self.place() })
    }

    /// Parameters that fit most methods.
    fn parameters(&mut self) -> Value {
        if self.random.one_in(20) {
            let odd =
                [Value::Null, json!([]), json!({}), json!("x"), json!({ "textDocument": 3 }), json!({ "id": [] })];
            return self.random.pick(&odd).clone();
        }
        let document = self.document();
        let text = self.text(&document);
        self.version += 1;
        let name = if self.random.one_in(30) { "untitled:x".to_owned() } else { uri(&document) };
        let mut changes = vec![json!({ "range": self.range(), "text": text.lines().next().unwrap_or_default() })];
        if self.random.one_in(10) {
            changes.push(json!({ "text": text.clone() }));
        }
        let settings = [json!({ "stage": "beta" }), json!({ "stage": 1 }), json!({ "level": "error" }), json!({})];
        json!({
            "textDocument": { "uri": name, "version": self.version, "languageId": "markdown", "text": text },
            "contentChanges": changes,
            "position": self.place(),
            "range": self.range(),
            "context": { "diagnostics": [] },
            "options": { "tabSize": 2, "insertSpaces": true },
            "query": "47",
            "id": self.random.below(1_000),
            "command": "kep-lint.fixAll",
            "arguments": [uri(&document), 3, {}],
            "settings": { "kep-lint": self.random.pick(&settings).clone() },
            "capabilities": {},
        })
    }

    /// What another program does.
    fn change_disk(&mut self) {
        let document = self.document();
        match self.random.below(4) {
            0 => drop(fs::remove_file(&document)),
            1 => drop(self.scratch.git(&["checkout", "-q", "-f", "HEAD", "--", "."])),
            2 if document.parent() != Some(&self.scratch.root) => {
                // It may be removed already.
                let _ = fs::remove_dir_all(document.parent().expect("it has one"));
            }
            _ => {
                let text = self.text(&document);
                let directory = document.parent().expect("it has one");
                fs::create_dir_all(directory).and_then(|()| fs::write(&document, text)).expect("a file");
            }
        }
    }

    fn step(&mut self) {
        match self.random.below(100) {
            0..40 => {
                let parameters = self.parameters();
                self.editor.notify("textDocument/didChange", parameters);
            }
            40..60 => {
                let (method, parameters) = (*self.random.pick(NEWS), self.parameters());
                self.editor.notify(method, parameters);
            }
            60..95 => {
                let (method, parameters) = (*self.random.pick(QUESTIONS), self.parameters());
                self.editor.request(method, parameters);
            }
            95..98 => self.change_disk(),
            _ => {
                let body = String::from_utf8_lossy(mistake(&mut self.random, "x.yaml")).into_owned();
                self.editor.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
            }
        }
    }

    /// Waits for all answers. None of them may be a panic.
    fn settle(&mut self) {
        let question = self.editor.request("kep-lint/nothing", Value::Null);
        let answer = self.editor.answer(question);
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
        let told = self.editor.shown.iter().find(|message| message.contains("panicked"));
        assert!(told.is_none(), "{told:?}");
        let shown =
            self.editor.diagnostics.values().map(Value::to_string).find(|all| all.contains("kep-lint panicked"));
        assert!(shown.is_none(), "{shown:?}");
    }
}

#[test]
fn any_messages_are_answered() {
    let (seed, usual) = (number("KEP_LINT_SEED", 31), if is_whole() { 60 } else { 1 });
    let time = Duration::from_secs(number("KEP_LINT_SECONDS", usual));
    println!("KEP_LINT_SEED={seed}");
    let scratch = Scratch::sample();
    let names =
        scratch.git(&["ls-files", "keps/sig-node", "keps/sig-cli", "keps/prod-readiness/sig-node", "OWNERS_ALIASES"]);
    let documents: Vec<PathBuf> = names.lines().map(|name| scratch.at(name)).collect();
    let (editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    let mut chaos = Chaos { random: Random(seed), editor, scratch, documents, version: 1 };
    let start = Instant::now();
    let mut steps = 0_u64;
    while start.elapsed() < time {
        (0..50).for_each(|_| chaos.step());
        chaos.settle();
        steps += 50;
    }
    println!("{steps} messages");
    for document in chaos.documents.clone() {
        chaos.editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&document) } }));
    }
    chaos.settle();
    assert_eq!(chaos.editor.findings(), 0, "findings of what is closed stay");
    assert!(chaos.editor.end().success());
}
