//! `kep-lint lsp`: what an editor writes with its help: completion, formatting, code lenses and commands.

use crate::support::editor::{Editor, uri};
use crate::support::is_whole;
use crate::support::mutation::{Random, mistake};
use crate::support::program::{command, kep_lint};
use crate::support::scratch::Scratch;
use crate::support::workspace_edit::{after, changed};
use kep_lint::editor::position::{Encoding, Place};
use kep_lint::source::SourceFile;
use serde_json::{Value, json};
use std::path::Path;

const KEP: &str = "keps/sig-node/4742-node-topology-downward-api";

/// An editor that can do all that changes of files need.
fn editor(root: &Path, settings: Value) -> Editor {
    let edit = json!({ "documentChanges": true, "resourceOperations": ["create"] });
    let capabilities = json!({ "workspace": { "applyEdit": true, "workspaceEdit": edit } });
    Editor::initialized(root, capabilities, settings).0
}

/// A position in a text, in units of UTF-16.
fn position(text: &str, offset: usize) -> Value {
    let file = SourceFile::decode("x", text.as_bytes().to_vec());
    let Place { line, unit } = Encoding::Utf16.place(&file, offset);
    json!({ "line": line, "character": unit })
}

/// The result of a command, and the change that the server asked for.
fn run(editor: &mut Editor, command: &str, argument: Value) -> (Value, Option<Value>) {
    let number = editor.request("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }));
    let mut change = None;
    loop {
        let mut message = editor.next().expect("the server answers");
        if message["method"] == "workspace/applyEdit" {
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "applied": true } });
            editor.send(&answer);
            change = Some(message["params"]["edit"].take());
        } else if message["id"] == number && message.get("method").is_none() {
            return (message, change);
        }
    }
}

/// What is left of a file of a scratch directory after a command of the program.
fn written(scratch: &Scratch, arguments: &[&str], path: &str) -> String {
    let printed = kep_lint(&scratch.root, arguments);
    assert!(printed.stderr.is_empty() || !printed.stderr.contains("error"), "{printed:?}");
    scratch.read(path)
}

#[test]
fn a_value_replaces_what_is_typed_of_it() {
    let scratch = Scratch::sample();
    let name = format!("{KEP}/kep.yaml");
    let path = scratch.at(&name);
    let mut editor = editor(&scratch.root, Value::Null);
    let text = scratch.read(&name);
    let typed =
        text.replace("title: Node", "title: 🎉 Node").replace("status: implementable", "status: prov # 🎉 soon");
    editor.open(&path, &typed);
    let offset = typed.find("prov #").expect("it is there") + 4;
    let document = json!({ "uri": uri(&path) });
    let list = editor
        .ask("textDocument/completion", json!({ "textDocument": document, "position": position(&typed, offset) }));
    let items = list["items"].as_array().expect("a list");
    assert_eq!(items.len(), 7);
    let edits = json!([items[0]["textEdit"]]);
    let expected = typed.replace("prov #", "provisional #");
    assert_eq!(changed(&typed, &edits, Encoding::Utf16), expected);
    // A document that is no file of a KEP has nothing to offer.
    let other = scratch.at("notes.md");
    editor.open(&other, "# ");
    let document = json!({ "uri": uri(&other) });
    let nothing = editor
        .ask("textDocument/completion", json!({ "textDocument": document, "position": { "line": 0, "character": 2 } }));
    assert_eq!(nothing, Value::Null);
    assert!(editor.end().success());
}

/// Between an edit and the next check, what was read before is not what is there.
#[test]
fn what_was_typed_just_now_counts() {
    let scratch = Scratch::sample();
    let mut editor = editor(&scratch.root, Value::Null);
    let review = "keps/prod-readiness/sig-node/4742.yaml".to_owned();
    for (name, line) in [(format!("{KEP}/kep.yaml"), "status: "), (review, "  approver: ")] {
        let path = scratch.at(&name);
        let document = json!({ "uri": uri(&path) });
        editor.open(&path, &scratch.read(&name));
        for (version, above) in [(2, "# a\n"), (3, "# a\n# b\n"), (4, "")] {
            let text = format!("{above}{}", scratch.read(&name));
            let offset = text.find(line).expect("it is there") + line.len();
            // The request follows the edit at once.
            editor.replace(&path, version, &text);
            let parameters = json!({ "textDocument": document, "position": position(&text, offset) });
            let list = editor.ask("textDocument/completion", parameters);
            let edit = json!([list["items"][0]["textEdit"]]);
            let first = list["items"][0]["textEdit"]["newText"].as_str().unwrap_or_else(|| panic!("{name}: {list}"));
            let (before, after) = (&text[..offset], text[offset..].split_once('\n').expect("there is more").1);
            assert_eq!(changed(&text, &edit, Encoding::Utf16), format!("{before}{first}\n{after}"), "{name}");
        }
    }
    assert!(editor.end().success());
}

#[test]
fn formatting_writes_the_contents_if_it_is_switched_on() {
    let scratch = Scratch::sample();
    let name = format!("{KEP}/README.md");
    let (path, right) = (scratch.at(&name), scratch.read(&name));
    let stale = right.replacen("- [Summary](#summary)\n", "", 1).replace("## Summary\n", "##  Summary\n");
    assert_ne!(right, stale);
    let options = json!({ "textDocument": { "uri": uri(&path) }, "options": { "tabSize": 4, "insertSpaces": true } });
    for (settings, expected) in
        [(Value::Null, stale.clone()), (json!({ "format-toc": true }), right.replace("## Summary\n", "##  Summary\n"))]
    {
        let mut editor = editor(&scratch.root, settings);
        editor.open(&path, &stale);
        let edits = editor.ask("textDocument/formatting", options.clone());
        assert_eq!(changed(&stale, &edits, Encoding::Utf16), expected);
        assert!(editor.end().success());
    }
}

#[test]
fn an_editor_knows_a_formatter_only_while_there_is_one() {
    let scratch = Scratch::sample();
    let can = |registers: bool| json!({ "textDocument": { "formatting": { "dynamicRegistration": registers } } });
    let announced = |settings: Value| {
        let (editor, answer) = Editor::initialized(&scratch.root, can(false), settings);
        assert!(editor.end().success());
        answer["capabilities"]["documentFormattingProvider"] == true
    };
    assert!(!announced(Value::Null) && announced(json!({ "format-toc": true })));
    let (mut editor, _) = Editor::initialized(&scratch.root, can(true), Value::Null);
    for (on, method) in [(true, "client/registerCapability"), (false, "client/unregisterCapability")] {
        for _ in 0..2 {
            let settings = json!({ "settings": { "kep-lint": { "format-toc": on } } });
            editor.notify("workspace/didChangeConfiguration", settings);
        }
        let request = editor.next().expect("the server says so");
        assert_eq!(request["method"], method);
        assert!(request["params"].to_string().contains("textDocument/formatting"), "{request}");
    }
    assert!(editor.end().success());
}

#[test]
fn a_path_in_the_settings_is_relative_to_the_folder() {
    let scratch = Scratch::sample();
    scratch.write("docs/own.yaml", "rules: {missing-section: off, stale-toc: off}\n");
    let path = scratch.at(&format!("{KEP}/README.md"));
    for (settings, is_found) in [(Value::Null, true), (json!({ "config": "docs/own.yaml" }), false)] {
        // As an editor starts it whose own directory is another one.
        let mut editor = Editor::of(command(&scratch.at("docs")).arg("lsp"));
        let folder = json!({ "rootUri": uri(&scratch.root), "capabilities": {}, "initializationOptions": settings });
        editor.ask("initialize", folder);
        editor.open(&path, "# KEP-4742: X\n");
        editor.checked(&path, 1);
        assert_eq!(editor.rules(&path).contains(&"missing-section".to_owned()), is_found);
        assert_eq!(editor.shown, [""; 0]);
        assert!(editor.end().success());
    }
}

#[test]
fn lenses_run_commands() {
    let scratch = Scratch::sample();
    let mut editor = editor(&scratch.root, Value::Null);
    let name = |file: &str| format!("{KEP}/{file}");
    for file in ["README.md", "kep.yaml"] {
        editor.open(&scratch.at(&name(file)), &scratch.read(&name(file)));
    }
    let mut lenses = |file: &str| {
        let document = json!({ "uri": uri(&scratch.at(&name(file))) });
        editor.ask("textDocument/codeLens", json!({ "textDocument": document }))
    };
    let (title, stage) = (lenses("README.md"), lenses("kep.yaml"));
    assert_eq!(title[0]["command"]["command"], "kep-lint.ready");
    assert_eq!(title[0]["range"]["start"], json!({ "line": 0, "character": 0 }));
    assert!(title[0]["command"]["title"].as_str().expect("a text").contains(" · PRR: @"), "{title}");
    let command = &stage[0]["command"];
    assert_eq!(
        (&command["command"], command["title"].as_str().map(|it| it.starts_with("promote to "))),
        (&json!("kep-lint.promote"), Some(true))
    );
    let (answer, change) = run(&mut editor, "kep-lint.ready", title[0]["command"]["arguments"][0].clone());
    let page = answer["result"].as_str().expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("4742") && change.is_none());
    assert!(editor.end().success());
}

#[test]
fn a_promotion_is_that_of_the_command_line_and_writes_nothing() {
    let (typed, saved) = (Scratch::sample(), Scratch::sample());
    let mut editor = editor(&typed.root, Value::Null);
    let file = |name: &str| format!("{KEP}/{name}");
    let path = typed.at(&file("kep.yaml"));
    // What is typed and not saved counts.
    let text = typed.read(&file("kep.yaml")).replace("title: Node", "title: 🎉 Node");
    saved.write(&file("kep.yaml"), &text);
    editor.open(&path, &text);
    let stage = text.lines().find(|line| line.starts_with("stage:")).expect("it has one");
    let to = if stage.contains("alpha") { "beta" } else { "stable" };
    let before = typed.git(&["status", "--porcelain"]);
    let (answer, change) = run(&mut editor, "kep-lint.promote", json!({ "uri": uri(&path), "to": to }));
    let change = change.unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(typed.git(&["status", "--porcelain"]), before, "the server writes nothing");
    typed.write(&file("kep.yaml"), &text);
    let files = after(&typed.root, &change, Encoding::Utf16);
    written(&saved, &["promote", KEP, to], &file("kep.yaml"));
    let listed = saved.git(&["ls-files", "-m", "-o", "--exclude-standard"]);
    let mut expected: Vec<String> = listed.lines().map(str::to_owned).collect();
    expected.sort();
    assert_eq!(files.keys().cloned().collect::<Vec<_>>(), expected);
    for (path, text) in &files {
        assert_eq!(*text, saved.read(path), "{path}");
    }
    assert_eq!(answer["result"]["files"], files.len());
    let versions: Vec<&Value> =
        change["documentChanges"].as_array().expect("a list").iter().map(|it| &it["textDocument"]["version"]).collect();
    assert!(versions.contains(&&json!(1)) && versions.contains(&&Value::Null), "{versions:?}");
    let (answer, change) = run(&mut editor, "kep-lint.promote", json!({ "uri": uri(&path), "to": "gamma" }));
    assert!(
        answer["error"]["message"].as_str().is_some_and(|it| it.contains("unknown stage `gamma`")) && change.is_none()
    );
    let (answer, _) = run(&mut editor, "kep-lint.promote", json!({ "uri": "file:///nowhere/x.md", "to": "beta" }));
    assert!(answer["error"]["message"].as_str().is_some_and(|it| it.contains("not open")), "{answer}");
    assert!(editor.end().success());
}

#[test]
fn an_upgrade_is_that_of_the_command_line_and_writes_nothing() {
    let (typed, saved) = (Scratch::sample(), Scratch::sample());
    let mut editor = editor(&typed.root, Value::Null);
    let file = format!("{KEP}/README.md");
    let text = typed.read(&file).replace("## Drawbacks\n", "## Costs\n");
    saved.write(&file, &text);
    let path = typed.at(&file);
    editor.open(&path, &text);
    let (answer, change) = run(&mut editor, "kep-lint.upgrade", json!({ "uri": uri(&path), "stage": "stable" }));
    let change = change.unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(typed.git(&["status", "--porcelain"]), "", "the server writes nothing");
    typed.write(&file, &text);
    let files = after(&typed.root, &change, Encoding::Utf16);
    written(&saved, &["upgrade", KEP, "--stage", "stable"], &file);
    assert_eq!(files.get(&file), Some(&saved.read(&file)));
    assert_eq!((answer["result"]["files"].as_u64(), files.len()), (Some(1), 1));
    let first = answer["result"]["notes"][0].as_str().expect("a text");
    assert!(first.starts_with("renamed 0, added "), "{answer}");
    let (answer, change) = run(&mut editor, "kep-lint.upgrade", json!({ "uri": uri(&path), "stage": "gamma" }));
    assert!(answer["error"]["message"].as_str().is_some_and(|it| it.contains("unknown stage")) && change.is_none());
    assert!(editor.end().success());
}

#[test]
fn a_new_kep_is_that_of_the_command_line() {
    let (typed, saved) = (Scratch::sample(), Scratch::sample());
    let mut editor = editor(&typed.root, Value::Null);
    let argument = json!({
        "folder": uri(&typed.root), "sig": "node", "number": 9999, "title": "Prefetch images early", "author": "@somebody",
    });
    let (answer, change) = run(&mut editor, "kep-lint.new", argument.clone());
    let files = after(&typed.root, &change.unwrap_or_else(|| panic!("{answer}")), Encoding::Utf16);
    saved.git(&["config", "github.user", "somebody"]);
    written(
        &saved,
        &["new", "node", "9999", "Prefetch", "images", "early"],
        "keps/sig-node/9999-prefetch-images-early/kep.yaml",
    );
    assert_eq!(files.len(), 3);
    for (path, text) in &files {
        assert_eq!(*text, saved.read(path), "{path}");
        assert!(!typed.at(path).exists(), "the server writes nothing");
    }
    let readme = uri(&typed.at("keps/sig-node/9999-prefetch-images-early/README.md"));
    assert_eq!(answer["result"]["readme"], readme);
    // An editor may have opened a part of the repository.
    for folder in ["keps", "keps/sig-storage"] {
        let mut part = argument.clone();
        part["folder"] = json!(uri(&typed.at(folder)));
        assert_eq!(run(&mut editor, "kep-lint.new", part).0["result"]["readme"], readme, "{folder}");
    }
    for (name, value, words) in [
        ("number", json!("4742"), "exists"),
        ("number", json!([]), "neither"),
        ("sig", json!("sig-nobody"), "sig-nobody"),
        ("folder", json!("https://x/y"), "no folder"),
        ("release", json!("soon"), "`soon` is not a release"),
    ] {
        let mut wrong = argument.clone();
        wrong[name] = value;
        let (answer, change) = run(&mut editor, "kep-lint.new", wrong);
        assert!(
            answer["error"]["message"].as_str().is_some_and(|it| it.contains(words)) && change.is_none(),
            "{answer}"
        );
    }
    let (answer, _) = run(&mut editor, "kep-lint.new", Value::Null);
    assert!(answer["error"]["message"].as_str().is_some_and(|it| it.contains("one object")), "{answer}");
    assert!(editor.end().success());
}

#[test]
fn all_fixes_are_made_by_a_command() {
    let scratch = Scratch::sample();
    let name = format!("{KEP}/kep.yaml");
    let path = scratch.at(&name);
    let mut editor = editor(&scratch.root, Value::Null);
    let text = scratch.read(&name).replace("status: implementable", "status: Implementable");
    scratch.write(&name, &text);
    editor.open(&path, &text);
    let (answer, change) = run(&mut editor, "kep-lint.fixAll", json!({ "uri": uri(&path) }));
    let files = after(&scratch.root, &change.unwrap_or_else(|| panic!("{answer}")), Encoding::Utf16);
    assert!(answer["result"]["fixed"].as_u64() >= Some(1) && files[&name].contains("status: implementable\n"));
    // An editor that makes no changes is told so.
    let (mut plain, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    plain.open(&path, &text);
    let (answer, change) = run(&mut plain, "kep-lint.fixAll", json!({ "uri": uri(&path) }));
    assert!(answer["error"]["message"].as_str().is_some_and(|it| it.contains("makes no changes")) && change.is_none());
    let (answer, _) = run(&mut plain, "kep-lint.nothing", json!({}));
    assert!(answer["error"]["message"].as_str().is_some_and(|it| it.contains("unknown command")), "{answer}");
    assert!(editor.end().success() && plain.end().success());
}

/// Neovim and Emacs do not end a line at a lone `\r`, and the protocol does: a place below it is another one there.
#[test]
fn a_file_with_a_lone_carriage_return_is_not_changed() {
    let scratch = Scratch::sample();
    let capabilities = json!({
        "workspace": { "applyEdit": true, "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] } },
        "textDocument": { "codeAction": {
            "codeActionLiteralSupport": {}, "dataSupport": true, "resolveSupport": { "properties": ["edit"] },
        } },
    });
    let (mut editor, _) = Editor::initialized(&scratch.root, capabilities, json!({ "format-toc": true }));
    let file = |name: &str| (scratch.at(&format!("{KEP}/{name}")), scratch.read(&format!("{KEP}/{name}")));
    let (readme, text) = file("README.md");
    let text = text.replacen("- [Summary](#summary)\n", "", 1);
    editor.open(&readme, &text.replacen("\n\n", "\n\nA\rB\rC\n\n", 1));
    let (metadata, yaml) = file("kep.yaml");
    editor.open(&metadata, &yaml.replacen("stage: ", "# a\r# b\nstage: ", 1));
    editor.until("both are told", |editor| editor.shown.len() == 2);
    for (path, words) in [&readme, &metadata].into_iter().zip(&editor.shown) {
        assert!(words.starts_with(&format!("kep-lint: `{}` has a carriage return alone", path.display())), "{words}");
    }
    let refused = |editor: &mut Editor, method: &str, parameters: Value| {
        let number = editor.request(method, parameters);
        let answer = loop {
            let message = editor.next().expect("the server answers");
            assert_ne!(message["method"], "workspace/applyEdit", "{method}");
            if message["id"] == number {
                break message;
            }
        };
        let words = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{method}: {answer}")).to_owned();
        assert!(words.contains("has a carriage return alone"), "{method}: {words}");
    };
    let document = json!({ "uri": uri(&readme) });
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9_999, "character": 0 } });
    let asked = json!({ "textDocument": document, "range": everything, "context": { "diagnostics": [] } });
    let all = editor.ask("textDocument/codeAction", asked.clone()).as_array().expect("a list").clone();
    assert!(all.iter().any(|action| action["title"] == "Make all safe fixes of this KEP"), "{all:?}");
    assert!(all.iter().any(|action| action["title"].as_str().is_some_and(|title| title.starts_with("Ignore"))));
    all.into_iter().for_each(|action| refused(&mut editor, "codeAction/resolve", action));
    let run = |command: &str, argument: Value| json!({ "command": command, "arguments": [argument] });
    let fix_all = run("kep-lint.fixAll", json!({ "uri": uri(&readme) }));
    refused(&mut editor, "workspace/executeCommand", fix_all.clone());
    let promotion = run("kep-lint.promote", json!({ "uri": uri(&metadata), "to": "stable" }));
    refused(&mut editor, "workspace/executeCommand", promotion);
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    refused(&mut editor, "textDocument/formatting", json!({ "textDocument": document, "options": options }));
    let at_status = json!({ "line": 0, "character": 0 });
    let list = json!({ "textDocument": { "uri": uri(&metadata) }, "position": at_status });
    assert_eq!(editor.ask("textDocument/completion", list), Value::Null);

    // Such an editor removes it at a place that is another one here: only the whole text makes both the same again.
    let line = |number: u32| json!({ "line": number, "character": 0 });
    let removed = json!([{ "range": { "start": line(0), "end": line(9) }, "text": "# KEP-4742: X\n" }]);
    let versioned = json!({ "uri": uri(&readme), "version": 2 });
    editor.notify("textDocument/didChange", json!({ "textDocument": versioned, "contentChanges": removed }));
    refused(&mut editor, "workspace/executeCommand", fix_all.clone());
    editor.replace(&readme, 3, &text);
    assert!(editor.ask("workspace/executeCommand", fix_all)["fixed"].as_u64() >= Some(1));
    assert_eq!(editor.shown.len(), 2, "each file is told once");
    assert!(editor.end().success());
}

/// Whatever is typed, every place has an answer, and what is offered there fits.
#[test]
fn every_place_has_an_answer() {
    let scratch = Scratch::sample();
    let mut random = Random(5);
    let mut editor = editor(&scratch.root, json!({ "format-toc": true }));
    let mut offered = 0;
    for name in ["README.md", "kep.yaml"] {
        let path = scratch.at(&format!("{KEP}/{name}"));
        let mut characters: Vec<char> = scratch.read(&format!("{KEP}/{name}")).chars().collect();
        editor.open(&path, &characters.iter().collect::<String>());
        for version in 2..if is_whole() { 800 } else { 12 } {
            let start = random.below(characters.len() + 1);
            let end = (start + random.below(20)).min(characters.len());
            let new = String::from_utf8_lossy(mistake(&mut random, name)).into_owned();
            characters.splice(start..end, new.chars());
            let text: String = characters.iter().collect();
            editor.replace(&path, version, &text);
            let offset: usize =
                characters[..start + random.below(characters.len() - start + 1)].iter().map(|it| it.len_utf8()).sum();
            let (document, place) = (json!({ "uri": uri(&path) }), position(&text, offset));
            let list = editor.ask("textDocument/completion", json!({ "textDocument": document, "position": place }));
            for item in list["items"].as_array().into_iter().flatten() {
                let range = &item["textEdit"]["range"];
                assert_eq!([&range["start"]["line"], &range["end"]["line"]], [&place["line"]; 2], "{item}");
                let column = |value: &Value| value["character"].as_u64();
                assert!(column(&range["start"]) <= column(&place) && column(&place) <= column(&range["end"]), "{item}");
                changed(&text, &json!([item["textEdit"]]), Encoding::Utf16);
                offered += 1;
            }
            editor.ask("textDocument/codeLens", json!({ "textDocument": document }));
            let number = editor.request(
                "textDocument/formatting",
                json!({ "textDocument": document, "options": { "tabSize": 4, "insertSpaces": true } }),
            );
            let answer = editor.answer(number);
            match answer["error"]["message"].as_str() {
                None => drop(changed(&text, &answer["result"], Encoding::Utf16)),
                Some(words) => assert!(words.contains("has a carriage return alone"), "{words}"),
            }
            let context = json!({ "diagnostics": [] });
            let far = json!({ "line": 4_000_000_000_u32, "character": 4_000_000_000_u32 });
            let range = json!({ "start": far, "end": place });
            editor.ask(
                "textDocument/codeAction",
                json!({ "textDocument": document, "range": range, "context": context }),
            );
            for (command, more) in [
                ("kep-lint.fixAll", Value::Null),
                ("kep-lint.promote", json!("stable")),
                ("kep-lint.ready", Value::Null),
            ] {
                let (result, _) = run(&mut editor, command, json!({ "uri": uri(&path), "to": more }));
                let words = result["error"]["message"].as_str().unwrap_or_default();
                assert!(!words.contains("panicked"), "{command}: {words}");
            }
        }
    }
    assert!(offered > 30, "only {offered} choices");
    assert!(editor.end().success());
}
