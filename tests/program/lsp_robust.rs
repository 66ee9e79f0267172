//! `kep-lint lsp` with editors that break the rules, go away, or open what is no KEP: no panic, no hang, and the process
//! ends.

use crate::support::editor::{Editor, uri};
use crate::support::is_whole;
use crate::support::program::{command, kep_lint};
use crate::support::scratch::Scratch;
use kep_lint::bounds;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

const KEP: &str = "keps/sig-node/4742-node-topology-downward-api";

/// A repository with the sample, and the README of one of its KEPs.
fn sample() -> (Scratch, PathBuf, String) {
    let scratch = Scratch::sample();
    let name = format!("{KEP}/README.md");
    let (path, text) = (scratch.at(&name), scratch.read(&name));
    (scratch, path, text)
}

/// An editor that has said hello.
fn editor(root: &Path) -> Editor {
    Editor::initialized(root, json!({}), Value::Null).0
}

/// Waits until the server has answered, so that it has done all that it was told before.
fn answered(editor: &mut Editor) {
    let question = editor.request("kep-lint/nothing", Value::Null);
    assert_eq!(editor.answer(question)["error"]["code"], -32601);
}

/// What the server says of a text in a document.
fn said_of(root: &Path, path: &Path, text: &str) -> Vec<Value> {
    let mut editor = editor(root);
    editor.open(path, text);
    editor.checked(path, 1)
}

fn change(path: &Path, version: i64, changes: Value) -> Value {
    json!({ "textDocument": { "uri": uri(path), "version": version }, "contentChanges": changes })
}

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    let place = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    json!({ "start": place(start), "end": place(end) })
}

#[test]
fn the_status_tells_how_it_ended() {
    let (scratch, path, text) = sample();
    let closed_after = |say: &dyn Fn(&mut Editor)| {
        let mut editor = editor(&scratch.root);
        editor.open(&path, &text);
        say(&mut editor);
        editor.wait().code()
    };
    assert_eq!(closed_after(&|_| {}), Some(2), "the editor is gone");
    assert_eq!(closed_after(&|editor| drop(editor.ask("shutdown", Value::Null))), Some(0));
    assert_eq!(closed_after(&|editor| editor.notify("exit", Value::Null)), Some(1), "without `shutdown`");
    assert_eq!(closed_after(&|editor| editor.write(b"Content-Length: 100\r\n\r\n{")), Some(2), "half a message");
    assert_eq!(closed_after(&|editor| editor.write(b"Content-Length: x\r\n\r\n{}")), Some(2));
    assert_eq!(closed_after(&|editor| editor.write(b"{\"method\":\"exit\"}\r\n\r\n")), Some(2), "no length");
    let mut early = Editor::start(&scratch.root);
    early.notify("exit", Value::Null);
    assert_eq!(early.wait().code(), Some(1));
    assert_eq!(Editor::start(&scratch.root).wait().code(), Some(2));
}

/// A client that is killed closes its end of the pipe, while another process may hold the other one open.
#[test]
fn an_editor_that_reads_nothing_more_is_gone() {
    let (scratch, path, text) = sample();
    let mut command = command(&scratch.root);
    let mut child = command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("it is piped");
    let mut send = |message: Value| {
        let text = message.to_string();
        let _ = write!(input, "Content-Length: {}\r\n\r\n{text}", text.len());
    };
    send(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
    let document = json!({ "uri": uri(&path), "languageId": "markdown", "version": 1, "text": text });
    send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    for id in 2..1_000 {
        if let Some(status) = child.try_wait().expect("it is there") {
            assert_eq!(status.code(), Some(2));
            return;
        }
        send(json!({ "jsonrpc": "2.0", "id": id, "method": "x" }));
        sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    panic!("it does not end");
}

#[test]
fn what_is_no_message_is_skipped() {
    let (scratch, path, text) = sample();
    let mut editor = editor(&scratch.root);
    for body in ["{", "[]", "3", "\"x\"", "{\"jsonrpc\":\"2.0\"}", "{\"method\":3,\"id\":1}", "\u{0}"] {
        editor.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }
    editor.write(b"Content-Length: 2\r\n\r\n\xff\xff");
    for length in ["0", "00", "1000"] {
        editor.write(format!("content-length:{length}\r\nContent-Type: x\r\n\r\n{}", " ".repeat(1_000)).as_bytes());
        if length != "1000" {
            // What follows is no header any more.
            assert_eq!(editor.wait().code(), Some(2));
            editor = self::editor(&scratch.root);
        }
    }
    editor.open(&path, &text);
    editor.checked(&path, 1);
    assert!(editor.end().success());
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_announced_takes_no_memory() {
    let (scratch, ..) = sample();
    let mut editor = editor(&scratch.root);
    answered(&mut editor);
    editor.write(b"Content-Length: 1000000000\r\n\r\n{");
    sleep(Duration::from_millis(300));
    assert!(memory(&editor, "VmHWM") < 200_000, "{} kB", memory(&editor, "VmHWM"));
    assert_eq!(editor.wait().code(), Some(2));
}

/// A figure that Linux keeps of the server's memory, in kB.
#[cfg(target_os = "linux")]
fn memory(editor: &Editor, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", editor.child.id())).expect("it runs");
    let line = status.lines().find(|line| line.starts_with(name)).expect("Linux says it");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn requests_are_answered_whenever_they_come() {
    let (scratch, path, text) = sample();
    let mut editor = Editor::start(&scratch.root);
    let code = |editor: &mut Editor, method: &str, parameters: Value| {
        let number = editor.request(method, parameters);
        editor.answer(number)["error"]["code"].as_i64()
    };
    let at = json!({ "textDocument": { "uri": uri(&path) }, "position": { "line": 0, "character": 0 } });
    assert_eq!(code(&mut editor, "textDocument/hover", at.clone()), Some(-32002), "before `initialize`");
    editor.open(&path, &text);
    assert_eq!(code(&mut editor, "initialize", json!({ "capabilities": {} })), None);
    assert!(editor.diagnostics.is_empty(), "what came before `initialize` is not done");
    assert_eq!(code(&mut editor, "initialize", json!({})), Some(-32600), "twice");
    assert_eq!(code(&mut editor, "textDocument/nothing", Value::Null), Some(-32601));
    assert_eq!(code(&mut editor, "textDocument/hover", json!({ "position": 3 })), Some(-32602));
    assert_eq!(code(&mut editor, "textDocument/hover", at), None, "of what is not open");
    for (method, parameters) in [
        ("textDocument/didOpen", json!({})),
        ("textDocument/didChange", json!([])),
        ("textDocument/didChange", change(&path, 2, json!([{ "text": "not open" }]))),
        ("textDocument/didClose", json!({ "textDocument": { "uri": uri(&path) } })),
        ("textDocument/didSave", json!({ "textDocument": { "uri": uri(&path) } })),
        ("workspace/didChangeWatchedFiles", Value::Null),
        ("$/cancelRequest", json!({ "id": 99 })),
        ("$/nothing", json!("x")),
        ("initialized", Value::Null),
    ] {
        editor.notify(method, parameters);
    }
    editor.send(&json!({ "jsonrpc": "2.0", "id": 77, "result": null }));
    answered(&mut editor);
    assert_eq!((editor.findings(), editor.shown.len()), (0, 0));
    assert_eq!(code(&mut editor, "shutdown", Value::Null), None);
    assert_eq!(code(&mut editor, "textDocument/hover", Value::Null), Some(-32600), "after `shutdown`");
    editor.notify("exit", Value::Null);
    assert!(editor.wait().success());
}

#[test]
fn many_edits_are_checked_at_once() {
    let (scratch, path, text) = sample();
    let mut editor = editor(&scratch.root);
    editor.open(&path, &text);
    editor.checked(&path, 1);
    let end = text.lines().count() as u32;
    for version in 2..=1_001 {
        let changes = json!([{ "range": range((end, 0), (end, 0)), "text": format!("\n##Line {version}\n") }]);
        editor.notify("textDocument/didChange", change(&path, version, changes));
    }
    let mut told = 0;
    while editor.diagnostics[&uri(&path)]["version"] != 1_001 {
        let message = editor.next().expect("it goes on");
        told += usize::from(message["method"] == "textDocument/publishDiagnostics");
    }
    assert!(told < 500, "told {told} times");
    let whole = text.clone() + &(2..=1_001).rev().map(|version| format!("\n##Line {version}\n")).collect::<String>();
    let last = editor.checked(&path, 1_001);
    assert_eq!(last, said_of(&scratch.root, &path, &whole));
    let count = last.iter().filter(|it| it["code"] == "not-a-heading").count();
    // A rule that finds more says how many.
    assert!(count > 100, "{count}");
}

#[cfg(target_os = "linux")]
#[test]
fn edits_leave_nothing_in_memory() {
    let (scratch, path, text) = sample();
    let mut editor = editor(&scratch.root);
    editor.open(&path, &text);
    let mut sizes = Vec::new();
    let edits = if is_whole() { 10_000 } else { 1_000 };
    for version in 2..=edits + 1 {
        let (start, new) = if version % 2 == 0 { ((3, 0), "some words ") } else { ((3, 11), "") };
        let changes = json!([{ "range": range((3, 0), start), "text": new }]);
        let changes = if version % 2 == 0 { json!([{ "range": range((3, 0), (3, 0)), "text": new }]) } else { changes };
        editor.notify("textDocument/didChange", change(&path, version, changes));
        if version % 20 == 0 {
            editor.checked(&path, version);
        }
        if version % (edits / 5) == 0 {
            sizes.push(memory(&editor, "VmRSS"));
        }
    }
    assert_eq!(editor.checked(&path, edits + 1), said_of(&scratch.root, &path, &text));
    let (first, last) = (sizes[0], sizes[sizes.len() - 1]);
    assert!(last < first + first / 10, "kB after each fifth of the edits: {sizes:?}");
}

#[test]
fn edits_outside_of_the_text_count_as_at_its_edge() {
    let (scratch, path, text) = sample();
    let mut editor = editor(&scratch.root);
    editor.open(&path, &(text.clone() + "🎉"));
    let end = text.lines().count() as u32;
    let changes = json!([
        // In the middle of a surrogate pair.
        { "range": range((end, 1), (end, 1)), "text": "é" },
        { "range": range((end, 2), (end, 4)), "text": "" },
        { "range": range((u32::MAX, 0), (u32::MAX, u32::MAX)), "text": "\n##End\n" },
        { "range": range((0, u32::MAX), (0, u32::MAX)), "text": "" },
        // From the end to the start.
        { "range": range((1, 0), (0, 0)), "text": "" },
    ]);
    editor.notify("textDocument/didChange", change(&path, 2, changes));
    assert_eq!(editor.checked(&path, 2), said_of(&scratch.root, &path, &(text + "é\n##End\n")));
    editor.notify(
        "textDocument/didChange",
        change(&path, 3, json!([{ "range": range((0, 0), (9_999, 0)), "text": "" }])),
    );
    assert_eq!(editor.checked(&path, 3), said_of(&scratch.root, &path, ""));
}

#[test]
fn a_document_is_limited_like_a_file() {
    let (scratch, path, text) = sample();
    let mut editor = editor(&scratch.root);
    let most = bounds::FILE_BYTES as usize;
    let whole = text.clone() + &"x ".repeat(most / 2);
    editor.open(&path, &whole[..=most]);
    editor.checked(&path, 1);
    answered(&mut editor);
    assert_eq!(editor.rules(&path), ["failure"]);
    assert!(editor.shown.len() == 1 && editor.shown[0].contains("2 MiB"), "{:?}", editor.shown);
    // Its text is known nevertheless: one byte less can be checked.
    editor.notify("textDocument/didChange", change(&path, 2, json!([{ "range": range((0, 0), (0, 1)), "text": "" }])));
    editor.checked(&path, 2);
    assert!(!editor.rules(&path).contains(&"failure".to_owned()));
    editor.replace(&path, 3, &text);
    assert_eq!(editor.checked(&path, 3), said_of(&scratch.root, &path, &text));
    assert_eq!(editor.shown.len(), 1);
}

#[test]
fn two_documents_of_a_kep_are_checked_together() {
    let (scratch, path, text) = sample();
    let metadata = scratch.at(&format!("{KEP}/kep.yaml"));
    let yaml = scratch.read(&format!("{KEP}/kep.yaml"));
    let mut editor = editor(&scratch.root);
    editor.open(&path, &text);
    editor.open(&metadata, &yaml);
    editor.checked(&metadata, 1);
    answered(&mut editor);
    let before = editor.rules(&path);
    let stable = yaml.replace("stage: alpha", "stage: stable").replace("stage: beta", "stage: stable");
    assert_ne!(stable, yaml);
    editor.replace(&metadata, 2, &stable);
    editor.until("more is required", |editor| editor.rules(&path) != before);
    editor.replace(&metadata, 3, &yaml);
    editor.until("less is required", |editor| editor.rules(&path) == before);
    // Opened again, it has the other text.
    editor.open(&metadata, &stable);
    editor.until("more is required", |editor| editor.rules(&path) != before);
    for document in [&path, &metadata, &metadata] {
        editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(document) } }));
    }
    answered(&mut editor);
    assert_eq!(editor.findings(), 0, "{:?}", editor.diagnostics);
}

#[test]
fn a_document_is_named_as_the_editor_names_it() {
    let (scratch, path, text) = sample();
    for (from, to) in [("-", "%2D"), ("/keps", "/%6b%65ps"), ("file:///", "file://localhost/"), ("README", "%52EADME")]
    {
        let name = uri(&path).replace(from, to);
        let mut editor = editor(&scratch.root);
        let document =
            json!({ "uri": name, "languageId": "markdown", "version": 1, "text": text.clone() + "\n##End\n" });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        editor.until("it is checked", |editor| editor.diagnostics.contains_key(&name));
        assert!(!editor.diagnostics.contains_key(&uri(&path)), "{name}");
    }
    let mut editor = editor(&scratch.root);
    for other in
        ["untitled:Untitled-1", "git:/x.md?ref", "https://example.com/README.md", "file://server/x.md", "", "%"]
    {
        let document = json!({ "uri": other, "languageId": "markdown", "version": 1, "text": "##x\n" });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let document = json!({ "uri": other, "version": 2 });
        let parameters = json!({ "textDocument": document, "contentChanges": [{ "text": "##y\n" }] });
        editor.notify("textDocument/didChange", parameters);
        editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": other } }));
    }
    answered(&mut editor);
    assert!(editor.diagnostics.is_empty() && editor.shown.is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_to_the_repository_is_the_repository() {
    let (scratch, path, text) = sample();
    let outside = tempfile::tempdir().expect("a directory");
    let link = outside.path().join("link");
    std::os::unix::fs::symlink(&scratch.root, &link).expect("a link");
    let linked = link.join(KEP).join("README.md");
    let mut editor = editor(&link);
    editor.open(&linked, &text);
    let findings = editor.checked(&linked, 1);
    answered(&mut editor);
    assert_eq!(findings.len(), said_of(&scratch.root, &path, &text).len());
    assert!(editor.diagnostics.keys().all(|document| document.starts_with(&uri(&link))), "{:?}", editor.diagnostics);
    // The watch sees through it.
    let metadata = format!("{KEP}/kep.yaml");
    scratch.write(&metadata, &scratch.read(&metadata).replace("title:", "titel:"));
    let shown = link.join(&metadata);
    editor.until("the key is unknown", |editor| editor.rules(&shown).contains(&"unknown-key".to_owned()));
}

#[test]
fn what_is_no_kep_has_no_findings() {
    let scratch = Scratch::of(&[("README.md", b"# Hi\n"), ("docs/README.md", b"##x\n"), ("docs/more.md", b"##x\n")]);
    let mut editor = editor(&scratch.root);
    for name in ["README.md", "docs/README.md", "docs/more.md"] {
        editor.open(&scratch.at(name), "##x\n");
        assert_eq!(editor.checked(&scratch.at(name), 1), [Value::Null; 0], "{name}");
    }
    assert!(editor.shown.is_empty());
    // What has a kep.yaml is one, also outside of a tree.
    scratch.write("docs/kep.yaml", "title: X\nstatus: nope\n");
    let readme = scratch.at("docs/README.md");
    editor.until("it is a KEP", |editor| editor.rules(&readme).contains(&"not-a-heading".to_owned()));
    assert!(!editor.rules(&scratch.at("docs/kep.yaml")).is_empty(), "what is open is told last");
}

/// What cannot be read is said once, and the rest is checked.
#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_said_once() {
    let (scratch, path, text) = sample();
    let outside = tempfile::tempdir().expect("a directory");
    fs::write(outside.path().join("victim.md"), "##Secret\n").expect("a file");
    std::os::unix::fs::symlink(outside.path().join("victim.md"), scratch.at(&format!("{KEP}/link.md")))
        .expect("a link");
    let mut editor = editor(&scratch.root);
    let yaml = scratch.at(&format!("{KEP}/kep.yaml"));
    fs::write(&yaml, b"title: \xff\nstatus: implementable\n").expect("a file");
    editor.open(&path, &text);
    editor.checked(&path, 1);
    answered(&mut editor);
    assert!(editor.rules(&yaml).contains(&"not-utf8".to_owned()), "{:?}", editor.diagnostics);
    for version in 2..5 {
        editor.replace(&path, version, &text);
        editor.checked(&path, version);
        editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&path) } }));
    }
    answered(&mut editor);
    let said = kep_lint(&scratch.root, [KEP]).stderr;
    let told = editor.shown.iter().filter(|message| message.contains("link.md")).count();
    assert_eq!(told, usize::from(said.contains("link.md")), "{:?} {said}", editor.shown);
    assert!(editor.shown.len() <= 1, "{:?}", editor.shown);
    // A link that leads out is not read when it is opened itself, either.
    let link = scratch.at(&format!("{KEP}/link.md"));
    editor.open(&link, "##x\n");
    editor.replace(&link, 2, "##y\n");
    answered(&mut editor);
    assert!(editor.shown.iter().filter(|message| message.contains("outside of")).count() == 1, "{:?}", editor.shown);
    assert!(!format!("{:?}", editor.diagnostics).contains("Secret"));
}

#[test]
fn what_is_open_may_be_removed() {
    let (scratch, path, text) = sample();
    let mut editor = editor(&scratch.root);
    editor.open(&path, &text);
    editor.checked(&path, 1);
    fs::remove_dir_all(scratch.at(KEP)).expect("it was there");
    editor.until("kep.yaml is missing", |editor| editor.rules(&path).contains(&"missing-kep-yaml".to_owned()));
    fs::remove_dir_all(scratch.at("keps")).expect("it was there");
    editor.replace(&path, 2, "##x\n");
    editor.checked(&path, 2);
    fs::remove_dir_all(&scratch.root).expect("it was there");
    editor.replace(&path, 3, "##y\n");
    editor.checked(&path, 3);
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&path) } }));
    answered(&mut editor);
    assert_eq!(editor.findings(), 0);
    assert!(editor.end().success());
}

#[test]
fn settings_that_are_wrong_are_said_and_change_nothing() {
    let (scratch, path, text) = sample();
    scratch.write("evil", "#!/bin/sh\ntouch was-run\n");
    scratch.write(".vscode/settings.json", r#"{ "kep-lint.path": "./evil", "kep-lint.server.path": "./evil" }"#);
    for settings in [json!({ "path": "./evil" }), json!({ "level": "./evil" }), json!({ "template": "./evil\u{0}" })] {
        let (mut editor, answer) = Editor::initialized(&scratch.root, json!({}), settings.clone());
        assert!(answer["capabilities"].is_object());
        editor.notify("workspace/didChangeConfiguration", json!({ "settings": { "kep-lint": { "stage": 3 } } }));
        editor.open(&path, &text);
        editor.checked(&path, 1);
        assert!(!editor.shown.is_empty() && editor.shown.len() <= 2, "{settings} {:?}", editor.shown);
    }
    assert!(!scratch.at("was-run").exists());
    // A configuration that cannot be read is an error of the document that is open.
    scratch.write(".kep-lint.yaml", "rulez: {}\n");
    let mut editor = editor(&scratch.root);
    editor.open(&path, &text);
    editor.checked(&path, 1);
    assert_eq!(editor.rules(&path), ["failure"]);
    answered(&mut editor);
    assert_eq!(editor.shown.len(), 1, "{:?}", editor.shown);
    scratch.write(".kep-lint.yaml", "rules: {}\n");
    editor.until("it can be read", |editor| editor.rules(&path) != ["failure"]);
}

/// eglot sends an empty object to every server when it starts.
#[test]
fn settings_stay_until_others_come() {
    let (scratch, path, text) = sample();
    let count = |editor: &mut Editor, version| {
        editor.replace(&path, version, &text);
        editor.checked(&path, version).len()
    };
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), json!({ "level": "error" }));
    editor.open(&path, &(text.clone() + "\n##End\n"));
    let few = count(&mut editor, 2);
    for empty in [json!({}), Value::Null, json!([])] {
        editor.notify("workspace/didChangeConfiguration", json!({ "settings": empty }));
    }
    assert_eq!(count(&mut editor, 3), few);
    editor.notify("workspace/didChangeConfiguration", json!({ "settings": { "kep-lint": { "level": "suggestion" } } }));
    editor.until("all are shown", |editor| editor.rules(&path).len() > few);
    assert!(count(&mut editor, 4) > few);
    // The configuration has the same say as for a check; a setting comes before it.
    editor.notify("workspace/didChangeConfiguration", json!({ "settings": { "kep-lint": {} } }));
    scratch.write(".kep-lint.yaml", "level: error\n");
    editor.until("few are shown", |editor| editor.rules(&path).len() == few);
    assert!(editor.end().success());
}
