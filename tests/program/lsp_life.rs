//! `kep-lint lsp` from the first to the last message: editors that end without a word, names of one file, settings of others,
//! and files that change while nobody types.

use crate::support::editor::{Editor, uri};
use crate::support::program::command;
use crate::support::scratch::Scratch;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const KEP: &str = "keps/sig-node/4742-node-topology-downward-api";

/// A repository with the sample, and the README of one of its KEPs with a mistake.
fn sample() -> (Scratch, PathBuf, String) {
    let scratch = Scratch::sample();
    let name = format!("{KEP}/README.md");
    let (path, text) = (scratch.at(&name), scratch.read(&name) + "\n##End\n");
    (scratch, path, text)
}

/// Waits until the server has ended by itself.
fn ends(server: &mut Child) {
    let start = Instant::now();
    while server.try_wait().expect("it was started").is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "it lives on");
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_server_whose_editor_is_gone_ends() {
    let (scratch, ..) = sample();
    // An editor that says and reads nothing more.
    let mut command = command(&scratch.root);
    let mut mute = command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = mute.stdin.take().expect("it is piped");
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "capabilities": {} } });
    // More answers than the pipe and the server hold, and not more questions than it takes while it waits.
    let more = (1..2_000).map(|id| json!({ "jsonrpc": "2.0", "id": id, "method": "x".repeat(100) }));
    for message in std::iter::once(hello).chain(more) {
        let text = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        std::io::Write::write_all(&mut input, framed.as_bytes()).expect("the server reads");
    }
    drop(input);
    // An editor whose process has ended.
    let mut process = Command::new("sleep").arg("600").spawn().expect("it is there");
    let mut editor = Editor::start(&scratch.root);
    let parameters = |process: u32| json!({ "processId": process, "capabilities": {} });
    editor.ask("initialize", parameters(process.id()));
    // A process of another computer is not there.
    let mut elsewhere = Editor::start(&scratch.root);
    elsewhere.ask("initialize", parameters(u32::MAX));
    process.kill().expect("it runs");
    process.wait().expect("it ends");
    // Only Linux tells which processes there are.
    if cfg!(target_os = "linux") {
        ends(&mut editor.child);
    }
    ends(&mut mute);
    assert!(elsewhere.end().success());
}

/// Some editors open a repository by a link, and a file in it by its place.
#[cfg(unix)]
#[test]
fn a_file_has_its_findings_in_each_of_its_names() {
    let (scratch, path, text) = sample();
    let outside = tempfile::tempdir().expect("a directory");
    let link = outside.path().join("link");
    std::os::unix::fs::symlink(&scratch.root, &link).expect("a link");
    let linked = link.join(KEP).join("README.md");
    for (first, second) in [(&path, &linked), (&linked, &path)] {
        let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
        editor.open(first, &text);
        let findings = editor.checked(first, 1).len();
        assert!(findings > 0);
        editor.open(second, &text);
        assert_eq!(editor.checked(second, 1).len(), findings);
        editor.until("the other one has them too", |editor| editor.rules(first).len() == findings);
        // It is answered as well.
        let position = json!({ "line": 0, "character": 3 });
        let parameters = json!({ "textDocument": { "uri": uri(second) }, "position": position });
        assert!(editor.ask("textDocument/hover", parameters).is_object());
        editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(first) } }));
        editor.replace(second, 2, &text);
        assert_eq!(editor.checked(second, 2).len(), findings);
    }
}

#[test]
fn the_settings_of_other_servers_are_for_them() {
    let (scratch, path, text) = sample();
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), json!({ "level": "error" }));
    editor.open(&path, &text);
    let few = editor.checked(&path, 1).len();
    let others =
        [json!({ "yaml": { "schemas": {} } }), json!({ "level": "suggestion" }), json!({ "kep_lint": { "x": 1 } })];
    for (version, settings) in (2..).zip(others) {
        editor.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
        editor.replace(&path, version, &text);
        assert_eq!(editor.checked(&path, version).len(), few, "{settings}");
    }
    assert!(editor.shown.is_empty(), "{:?}", editor.shown);
}

/// A checkout removes a file, and writes it a moment later.
#[test]
fn what_changes_in_steps_is_read_after_the_last_one() {
    let (scratch, path, text) = sample();
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    editor.open(&path, &text);
    editor.checked(&path, 1);
    let metadata = scratch.at(&format!("{KEP}/kep.yaml"));
    let before = scratch.read(&format!("{KEP}/kep.yaml"));
    for number in 0..3 {
        fs::remove_file(&metadata).expect("it is there");
        sleep(Duration::from_millis(30));
        fs::write(&metadata, before.replace("title:", &format!("title{number}:"))).expect("it may be written");
        let key = format!("title{number}");
        editor.until("the key is unknown", |editor| {
            let last = editor.diagnostics.get(&uri(&metadata));
            last.is_some_and(|last| last["diagnostics"].to_string().contains(&key))
        });
        assert!(editor.rules(&path).iter().all(|rule| rule != "missing-kep-yaml"));
    }
    assert!(editor.shown.is_empty(), "{:?}", editor.shown);
}

/// An editor that does not ask for the change of an action that was chosen gets all of them at once.
#[test]
fn changes_that_are_tried_before_they_are_offered_are_few() {
    let (scratch, path, text) = sample();
    let links: String = (0..100).map(|number| format!("[x](#nowhere-{number})\n\n")).collect();
    let can = json!({ "textDocument": { "codeAction": { "codeActionLiteralSupport": {} } } });
    let (mut editor, _) = Editor::initialized(&scratch.root, can, Value::Null);
    editor.open(&path, &(text + &links));
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9_999, "character": 0 } });
    let parameters = json!({ "textDocument": { "uri": uri(&path) }, "range": range, "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", parameters);
    let actions = actions.as_array().expect("a list");
    assert!((2..=21).contains(&actions.len()), "{}", actions.len());
    assert!(actions.iter().all(|action| action["edit"].is_object()));
}
