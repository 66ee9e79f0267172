//! `kep-lint lsp` while other programs change files: no finding stays that is not there any more.

use crate::support::editor::{Editor, uri};
use crate::support::scratch::Scratch;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const KEP: &str = "keps/sig-node/4742-node-topology-downward-api";

/// The number of findings of each document that has some.
fn state(editor: &Editor) -> BTreeMap<String, usize> {
    let count = |last: &Value| last["diagnostics"].as_array().map_or(0, Vec::len);
    let all = editor.diagnostics.iter().map(|(document, last)| (document.clone(), count(last)));
    all.filter(|(_, count)| *count > 0).collect()
}

/// An editor with the README of the KEP, and what is found at first.
fn opened(scratch: &Scratch) -> (Editor, BTreeMap<String, usize>) {
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    let readme = format!("{KEP}/README.md");
    editor.open(&scratch.at(&readme), &scratch.read(&readme));
    editor.checked(&scratch.at(&readme), 1);
    let question = editor.request("kep-lint/nothing", Value::Null);
    editor.answer(question);
    let first = state(&editor);
    assert!(!first.is_empty());
    (editor, first)
}

/// Whether a rule finds something in a document.
fn finds(editor: &Editor, path: &Path, rule: &str) -> bool {
    editor.rules(path).iter().any(|found| found == rule)
}

#[test]
fn what_another_program_writes_is_checked() {
    let scratch = Scratch::sample();
    let (mut editor, first) = opened(&scratch);
    let name = format!("{KEP}/kep.yaml");
    let (path, text) = (scratch.at(&name), scratch.read(&name));
    // Written in place, replaced by another file, removed.
    scratch.write(&name, &text.replace("status:", "status: nope #"));
    editor.until("it is written", |editor| finds(editor, &path, "invalid-status"));
    let other = scratch.at(&format!("{KEP}/.kep.yaml.new"));
    fs::write(&other, &text).expect("a file");
    fs::rename(&other, &path).expect("a file");
    editor.until("it is replaced", |editor| state(editor) == first);
    fs::remove_file(&path).expect("it was there");
    editor.until("it is removed", |editor| {
        finds(editor, &scratch.at(&format!("{KEP}/README.md")), "missing-kep-yaml") && editor.rules(&path).is_empty()
    });
    scratch.write(&name, &text);
    editor.until("it is back", |editor| state(editor) == first);
    // The list of approvers is above the tree.
    let aliases = scratch.read("OWNERS_ALIASES");
    scratch.write("OWNERS_ALIASES", "aliases: [\n");
    editor.until("the list is broken", |editor| state(editor) != first);
    scratch.write("OWNERS_ALIASES", &aliases);
    editor.until("the list is back", |editor| state(editor) == first);
    assert!(editor.end().success());
}

#[test]
fn another_branch_has_its_own_findings() {
    let scratch = Scratch::sample();
    let (mut editor, first) = opened(&scratch);
    let readme = scratch.at(&format!("{KEP}/README.md"));
    scratch.git(&["switch", "-q", "-c", "without"]);
    scratch.git(&["rm", "-q", "-r", KEP]);
    scratch.commit();
    let is_gone =
        |editor: &Editor| finds(editor, &readme, "missing-kep-yaml") && state(editor).into_keys().eq([uri(&readme)]);
    editor.until("the KEP is gone", is_gone);
    for _ in 0..3 {
        scratch.git(&["switch", "-q", "main"]);
        editor.until("it is back", |editor| state(editor) == first);
        scratch.git(&["switch", "-q", "without"]);
        editor.until("it is gone", is_gone);
    }
    // A branch without any KEP takes the tree itself away, and its watch.
    scratch.git(&["switch", "-q", "main"]);
    editor.until("it is back", |editor| state(editor) == first);
    scratch.git(&["switch", "-q", "--orphan", "empty"]);
    editor.until("the tree is gone", |editor| finds(editor, &readme, "missing-kep-yaml"));
    scratch.git(&["switch", "-q", "main"]);
    editor.until("the tree is back", |editor| state(editor) == first);
    let name = format!("{KEP}/kep.yaml");
    scratch.write(&name, &scratch.read(&name).replace("status:", "status: nope #"));
    editor.until("it is still watched", |editor| finds(editor, &scratch.at(&name), "invalid-status"));
    assert!(editor.end().success());
}

#[test]
fn a_kep_that_moves_leaves_nothing() {
    let scratch = Scratch::sample();
    let (mut editor, _) = opened(&scratch);
    let metadata = format!("{KEP}/kep.yaml");
    scratch.write(&metadata, &scratch.read(&metadata).replace("status:", "status: nope #"));
    editor.until("it is wrong", |editor| finds(editor, &scratch.at(&metadata), "invalid-status"));
    let new = "keps/sig-node/4742-another-name";
    scratch.git(&["mv", KEP, new]);
    editor.until("it is moved", |editor| editor.rules(&scratch.at(&metadata)).is_empty());
    let (old, readme) = (scratch.at(&format!("{KEP}/README.md")), scratch.at(&format!("{new}/README.md")));
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&old) } }));
    editor.open(&readme, &scratch.read(&format!("{new}/README.md")));
    editor.checked(&readme, 1);
    editor
        .until("it is found there", |editor| finds(editor, &scratch.at(&format!("{new}/kep.yaml")), "invalid-status"));
    assert!(state(&editor).keys().all(|document| document.contains("4742-another-name")), "{:?}", state(&editor));
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&readme) } }));
    editor.until("nothing is open", |editor| state(editor).is_empty());
    assert!(editor.end().success());
}

#[test]
fn the_configuration_is_watched() {
    let scratch = Scratch::sample();
    scratch.write("elsewhere/my.yaml", "rules: {}\n");
    let settings = json!({ "config": scratch.at("elsewhere/my.yaml") });
    let none = Value::Null;
    for (file, settings) in [
        (".kep-lint.yaml", none.clone()),
        ("elsewhere/my.yaml", settings),
        // Closer to the KEP, where there was none at first.
        ("keps/sig-node/.kep-lint.yaml", none.clone()),
        ("keps/kep-lint.yaml", none),
    ] {
        let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), settings);
        let readme = scratch.at(&format!("{KEP}/README.md"));
        editor.open(&readme, &(scratch.read(&format!("{KEP}/README.md")) + "\n##End\n"));
        editor.until("it is checked", |editor| finds(editor, &readme, "not-a-heading"));
        scratch.write(file, "rules:\n  not-a-heading: off\n");
        editor.until("the rule is off", |editor| !finds(editor, &readme, "not-a-heading"));
        scratch.write(file, "rules: {}\n");
        editor.until("the rule is on", |editor| finds(editor, &readme, "not-a-heading"));
        assert!(editor.end().success());
        fs::remove_file(scratch.at(file)).expect("it was there");
    }
}

/// A PRR file is in a directory that has another configuration than the KEP.
#[test]
fn a_kep_has_one_configuration_whatever_is_open() {
    let scratch = Scratch::sample();
    let (review, metadata) = ("keps/prod-readiness/sig-node/4742.yaml", format!("{KEP}/kep.yaml"));
    let path = scratch.at(&metadata);
    scratch.write(&metadata, &("x: y\n".to_owned() + &scratch.read(&metadata)).replace("status:", "status: nope #"));
    scratch.write("keps/sig-node/.kep-lint.yaml", "rules:\n  unknown-key: off\n");
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    editor.open(&scratch.at(review), &scratch.read(review));
    editor.checked(&scratch.at(review), 1);
    editor.open(&path, &scratch.read(&metadata));
    editor.checked(&path, 1);
    let are_right = |editor: &Editor| finds(editor, &path, "invalid-status") && !finds(editor, &path, "unknown-key");
    assert!(are_right(&editor), "{:?}", editor.rules(&path));
    // Both are loaded again, the PRR file first.
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&path) } }));
    editor.replace(&path, 2, &scratch.read(&metadata));
    editor.checked(&path, 2);
    assert!(are_right(&editor), "{:?}", editor.rules(&path));
    assert!(editor.end().success());
}

/// A document that is open while its repository is made, or removed, is among the texts of the one that there is.
#[test]
fn a_repository_may_be_made_around_what_is_open() {
    let scratch = Scratch::of(&[("outer/keps/sig-node/1-x/kep.yaml", b"title: X\n")]);
    let readme = scratch.at("outer/keps/sig-node/1-x/README.md");
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    editor.open(&readme, "# KEP-1: X\n\n##Summary\n");
    editor.until("it is checked", |editor| finds(editor, &readme, "not-a-heading"));
    fs::create_dir_all(scratch.at("outer/.git")).expect("a directory");
    scratch.write("outer/keps/sig-node/1-x/README.md", "# KEP-1: X\n");
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&readme) } }));
    editor.replace(&readme, 2, "# KEP-1: X\n\n##Summary\n\n##More\n");
    editor.checked(&readme, 2);
    assert_eq!(editor.rules(&readme).iter().filter(|rule| *rule == "not-a-heading").count(), 2);
    // Once it is closed, the text on disk counts.
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&readme) } }));
    let metadata = scratch.at("outer/keps/sig-node/1-x/kep.yaml");
    editor.open(&metadata, "title: X\n");
    editor.checked(&metadata, 1);
    editor.until("it is not there any more", |editor| !finds(editor, &readme, "not-a-heading"));
    assert!(editor.end().success());
}

/// Editors write a path in several ways; what they do not take for the same must not keep its findings.
#[test]
fn a_document_under_another_name_leaves_nothing() {
    let scratch = Scratch::sample();
    let (readme, metadata) = (scratch.at(&format!("{KEP}/README.md")), scratch.at(&format!("{KEP}/kep.yaml")));
    let text = scratch.read(&format!("{KEP}/README.md")) + "\n##End\n";
    let wrong = scratch.read(&format!("{KEP}/kep.yaml")).replace("status:", "status: nope #");
    fs::write(&metadata, &wrong).expect("a file");
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    let other_name = |path: &Path| uri(path).replace('-', "%2D");
    let open = |editor: &mut Editor, name: &str, text: &str| {
        let document = json!({ "uri": name, "languageId": "markdown", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
    };
    let named = |editor: &Editor| state(editor).into_keys().collect::<Vec<_>>();
    open(&mut editor, &other_name(&readme), &text);
    editor.until("both are known", |editor| named(editor) == [other_name(&readme), uri(&metadata)]);
    // What was known as the editor had not opened it yet.
    open(&mut editor, &other_name(&metadata), &wrong);
    editor.until("it is renamed", |editor| named(editor) == [other_name(&readme), other_name(&metadata)]);
    for path in [&metadata, &readme] {
        editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": other_name(path) } }));
    }
    editor.until("nothing is open", |editor| named(editor).is_empty());
    assert!(editor.end().success());
}

#[cfg(unix)]
#[test]
fn a_link_that_is_changed_takes_its_text_along() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::sample();
    let name = |kep: &str| format!("keps/sig-node/{kep}/README.md");
    let text = scratch.read(&format!("{KEP}/README.md"));
    scratch.write(&name("4742-other"), &text);
    symlink("4742-node-topology-downward-api", scratch.at("keps/sig-node/link")).expect("a link");
    let (own, other, link) =
        (scratch.at(&format!("{KEP}/README.md")), scratch.at(&name("4742-other")), scratch.at(&name("link")));
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    let close = |editor: &mut Editor, path: &Path| {
        editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(path) } }));
    };
    editor.open(&link, &(text.clone() + "\n##End\n"));
    editor.until("it is checked", |editor| finds(editor, &link, "not-a-heading"));
    fs::remove_file(scratch.at("keps/sig-node/link")).expect("it was there");
    symlink("4742-other", scratch.at("keps/sig-node/link")).expect("a link");
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&link) } }));
    let metadata = scratch.at(&format!("{KEP}/kep.yaml"));
    editor.open(&metadata, &scratch.read(&format!("{KEP}/kep.yaml")));
    editor.checked(&metadata, 1);
    editor.until("the old one has its own text", |editor| !finds(editor, &own, "not-a-heading"));
    close(&mut editor, &link);
    editor.open(&other, &text);
    editor.checked(&other, 1);
    editor.until("so has the new one", |editor| !finds(editor, &other, "not-a-heading"));
    assert!(editor.end().success());
}

#[cfg(unix)]
#[test]
fn a_file_that_is_open_twice_may_be_closed_once() {
    let scratch = Scratch::sample();
    std::os::unix::fs::symlink("4742-node-topology-downward-api", scratch.at("keps/sig-node/link")).expect("a link");
    let (own, link) = (scratch.at(&format!("{KEP}/README.md")), scratch.at("keps/sig-node/link/README.md"));
    let text = scratch.read(&format!("{KEP}/README.md")) + "\n##End\n";
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    editor.open(&own, &text);
    editor.checked(&own, 1);
    editor.open(&link, &text);
    editor.checked(&link, 1);
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&link) } }));
    let yaml = scratch.at(&format!("{KEP}/kep.yaml"));
    editor.open(&yaml, &scratch.read(&format!("{KEP}/kep.yaml")).replace("status:", "status: nope #"));
    editor.checked(&yaml, 1);
    editor.until("all is checked", |editor| finds(editor, &yaml, "invalid-status"));
    assert!(finds(&editor, &own, "not-a-heading"), "its text is not saved");
    assert!(editor.end().success());
}

#[cfg(unix)]
#[test]
fn what_was_refused_may_be_accepted_later() {
    let scratch = Scratch::sample();
    let outside = tempfile::tempdir().expect("a directory");
    fs::write(outside.path().join("victim.md"), "x\n").expect("a file");
    let path = scratch.at(&format!("{KEP}/README.md"));
    fs::remove_file(&path).expect("it was there");
    std::os::unix::fs::symlink(outside.path().join("victim.md"), &path).expect("a link");
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    editor.open(&path, "##x\n");
    editor.until("it is refused", |editor| editor.shown.len() == 1);
    fs::remove_file(&path).expect("it was there");
    fs::write(&path, "x\n").expect("a file");
    editor.replace(&path, 2, "##y\n");
    editor.until("it is checked", |editor| finds(editor, &path, "not-a-heading"));
    assert!(editor.end().success());
}
