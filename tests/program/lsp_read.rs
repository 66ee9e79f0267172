//! `kep-lint lsp`: what an editor asks to read a KEP.

use crate::support::editor::{Editor, uri};
use crate::support::scratch::Scratch;
use serde_json::{Value, json};
use std::path::PathBuf;

const KEP: &str = "keps/sig-node/4742-node-topology-downward-api";
const OTHER: &str = "keps/sig-storage/5502-emptydir-volume-mode";
const PRR: &str = "keps/prod-readiness/sig-node/4742.yaml";

/// The sample with a KEP that is open: some lines at the end of its README are not saved.
struct Open {
    scratch: Scratch,
    editor: Editor,
    capabilities: Value,
    readme: PathBuf,
    text: String,
}

impl Open {
    fn with(lines: &str) -> Self {
        let scratch = Scratch::sample();
        let (mut editor, answer) = Editor::initialized(&scratch.root, json!({}), Value::Null);
        let readme = scratch.at(&format!("{KEP}/README.md"));
        let text = scratch.read(&format!("{KEP}/README.md")) + lines;
        editor.open(&readme, &text);
        Self { scratch, editor, capabilities: answer["capabilities"].clone(), readme, text }
    }

    /// Opens another file of the sample, and returns its text.
    fn open(&mut self, path: &str) -> String {
        let text = self.scratch.read(path);
        self.editor.open(&self.scratch.at(path), &text);
        text
    }

    /// The parameters of a question about the first `mark` in a file with this text, `further` units after its start.
    fn at(&self, path: &str, text: &str, mark: &str, further: usize) -> Value {
        let offset = text.find(mark).unwrap_or_else(|| panic!("{path} has no {mark}"));
        let line = text[..offset].matches('\n').count();
        let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
        let character = text[start..offset].encode_utf16().count() + further;
        json!({ "textDocument": { "uri": uri(&self.scratch.at(path)) }, "position": { "line": line, "character": character } })
    }

    fn in_readme(&self, mark: &str, further: usize) -> Value {
        self.at(&format!("{KEP}/README.md"), &self.text, mark, further)
    }

    fn document(&self, path: &str) -> Value {
        json!({ "textDocument": { "uri": uri(&self.scratch.at(path)) } })
    }

    /// The words of a hover.
    fn hover(&mut self, at: Value) -> String {
        let hover = self.editor.ask("textDocument/hover", at);
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// Locations, each as its path from the root on, its first line from 1 on, and its first and last column.
    fn places(&self, locations: &Value) -> Vec<String> {
        let root = format!("{}/", uri(&self.scratch.root));
        let place = |location: &Value| {
            let path = location["uri"].as_str().expect("a text").strip_prefix(&root).expect("it is in the repository");
            let (start, end) = (&location["range"]["start"], &location["range"]["end"]);
            let line = start["line"].as_u64().expect("a number") + 1;
            format!("{path}:{line}:{}-{}", start["character"], end["character"])
        };
        locations.as_array().expect("a list").iter().map(place).collect()
    }

    /// The number of the line with these words, from 1 on.
    fn line(&self, words: &str) -> usize {
        self.text.lines().position(|line| line == words).unwrap_or_else(|| panic!("no line {words}")) + 1
    }
}

#[test]
fn the_server_says_what_it_can_answer() {
    let open = Open::with("");
    let mut names: Vec<&str> = open.capabilities.as_object().expect("an object").keys().map(String::as_str).collect();
    names.sort_unstable();
    // Any editor has an outline, folding, links, references and the rename of a heading without a server.
    let expected = [
        "codeActionProvider",
        "codeLensProvider",
        "completionProvider",
        "definitionProvider",
        "executeCommandProvider",
        "hoverProvider",
        "positionEncoding",
        "textDocumentSync",
        "workspace",
        "workspaceSymbolProvider",
    ];
    assert_eq!(names, expected);
    assert!(open.editor.end().success());
}

#[test]
fn a_heading_says_what_the_template_asks_and_how_far_it_is() {
    let mut open = Open::with("");
    let at = open.in_readme("\n### Scalability\n", 0);
    let line = open.line("### Scalability") - 1;
    let at_heading = json!({ "textDocument": at["textDocument"], "position": { "line": line, "character": 5 } });
    let hover = open.editor.ask("textDocument/hover", at_heading);
    assert_eq!(hover["range"]["start"], json!({ "line": line, "character": 0 }));
    assert_eq!(hover["contents"]["kind"], "markdown");
    let words = hover["contents"]["value"].as_str().expect("Markdown");
    assert!(words.starts_with("**Scalability**\n") && words.contains("- Required: from beta"), "{words}");
    assert!(words.contains("- In this KEP: required at "), "{words}");
    let below = json!({ "textDocument": at["textDocument"], "position": { "line": line + 1, "character": 0 } });
    assert_eq!(open.editor.ask("textDocument/hover", below), Value::Null);
    assert!(open.editor.end().success());
}

#[test]
fn what_is_not_saved_is_explained() {
    let mut open = Open::with("\n🎉é KEP-5502, EnvFiles <!-- kep-lint-ignore stale-toc: why -->\n");
    let at = open.in_readme("KEP-5502,", 2);
    let hover = open.hover(at);
    assert!(
        hover.starts_with("**KEP-5502: ")
            && hover.contains(", sig-storage\n")
            && hover.ends_with(&format!("`{OTHER}`")),
        "{hover}"
    );
    let at = open.in_readme("EnvFiles <", 8);
    assert!(open.hover(at).starts_with("EnvFiles: alpha v1.34"));
    let at = open.in_readme("stale-toc: why", 0);
    assert!(open.hover(at).starts_with("`stale-toc`: "));
    let path = format!("{KEP}/kep.yaml");
    let yaml = open.open(&path);
    let at = open.at(&path, &yaml, "status:", 1);
    assert!(open.hover(at).contains("\n- `implementable`: "));
    let review = open.open(PRR);
    let at = open.at(PRR, &review, "approver:", 1);
    assert!(open.hover(at).contains("PRR approver"));
    assert!(open.editor.end().success());
}

#[test]
fn what_is_named_is_found() {
    let mut open = Open::with("\n🎉 KEP-5502 and [above](#summary) and [gone](#gone)\n");
    let ask = |open: &mut Open, at: Value| {
        let answer = open.editor.ask("textDocument/definition", at);
        open.places(&answer)
    };
    let at = open.in_readme("KEP-5502 and", 4);
    assert_eq!(ask(&mut open, at), [format!("{OTHER}/README.md:1:0-0")]);
    let summary = open.line("## Summary");
    let at = open.in_readme("[above]", 2);
    assert_eq!(ask(&mut open, at), [format!("{KEP}/README.md:{summary}:0-10")]);
    let at = open.in_readme("[gone]", 2);
    assert_eq!(ask(&mut open, at), [""; 0]);
    // A gate in the README leads to kep.yaml, and the PRR file to it as well.
    let review = open.open(PRR);
    let at = open.at(PRR, &review, "kep-number", 1);
    assert!(ask(&mut open, at)[0].starts_with(&format!("{KEP}/kep.yaml:")));
    assert!(open.editor.end().success());
}

#[test]
fn definitions_are_in_files_of_the_repository_alone() {
    let outside = tempfile::NamedTempFile::new().expect("a file");
    let lines = format!(
        "\n[one](../../sig-storage/5502-emptydir-volume-mode/README.md#summary) [two]({}) [three](../../../../../../etc/passwd) [four](link.md) [five](command:x) KEP-99999\n",
        outside.path().display()
    );
    let mut open = Open::with(&lines);
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), open.scratch.at(&format!("{KEP}/link.md"))).expect("a link");
    let save = open.document(&format!("{KEP}/README.md"));
    open.editor.notify("textDocument/didSave", save);
    open.editor.checked(&open.readme, 1);
    let at = open.in_readme("[one]", 1);
    let inside = open.editor.ask("textDocument/definition", at);
    assert!(open.places(&inside)[0].starts_with(&format!("{OTHER}/README.md:")), "{inside}");
    for mark in ["[two]", "[three]", "[four]", "[five]", "KEP-99999"] {
        let at = open.in_readme(mark, 1);
        assert_eq!(open.editor.ask("textDocument/definition", at), json!([]), "{mark}");
    }
    assert!(open.editor.end().success());
}

#[test]
fn keps_are_found_by_number_and_title() {
    let scratch = Scratch::sample();
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    let mut names = |query: &str| {
        let found = editor.ask("workspace/symbol", json!({ "query": query }));
        found.as_array().expect("a list").clone()
    };
    for query in ["5502", "KEP-5502", "emptydir VOLUME", "sig-storage emptydir"] {
        let found = names(query);
        assert_eq!(found.len(), 1, "{query}: {found:?}");
        assert!(found[0]["name"].as_str().expect("a text").starts_with("KEP-5502: "));
        assert_eq!(found[0]["containerName"], "sig-storage");
        assert_eq!(found[0]["location"]["uri"], uri(&scratch.at(&format!("{OTHER}/README.md"))));
    }
    assert_eq!((names("").len(), names("no such KEP").len()), (20, 0));
    // With an open document, what it says is known before it is saved.
    let path = scratch.at(&format!("{OTHER}/kep.yaml"));
    let text = scratch.read(&format!("{OTHER}/kep.yaml")).replace("title:", "title: Unheard\u{202e} of #");
    editor.open(&path, &text);
    let found = editor.ask("workspace/symbol", json!({ "query": "unheard" }));
    assert_eq!(found[0]["name"], "KEP-5502: Unheard??? of");
    assert!(editor.end().success());
}

#[test]
fn the_keps_of_all_folders_are_found() {
    let (one, other) =
        (Scratch::sample(), Scratch::of(&[("keps/sig-a/1-x/kep.yaml", b"title: X\n"), ("x.md", b"# X\n")]));
    let mut editor = Editor::start(&one.root);
    let folders: Vec<Value> = [&one, &other].map(|it| json!({ "uri": uri(&it.root), "name": "x" })).into();
    editor.ask("initialize", json!({ "capabilities": {}, "workspaceFolders": folders }));
    editor.notify("initialized", json!({}));
    let mut count = |open: &[std::path::PathBuf]| {
        open.iter().for_each(|path| editor.open(path, "# X\n"));
        editor.ask("workspace/symbol", json!({ "query": "" })).as_array().map(Vec::len)
    };
    assert_eq!(count(&[]), Some(21));
    assert_eq!(count(&[other.at("x.md")]), Some(21), "it is no KEP");
    assert_eq!(count(&[one.at(&format!("{OTHER}/README.md"))]), Some(21));
    assert_eq!(count(&[other.at("keps/sig-a/1-x/README.md"), one.at("x.md")]), Some(21));
    assert!(editor.end().success());
}

#[test]
fn folders_come_and_go() {
    let (one, other) = (Scratch::sample(), Scratch::of(&[("keps/sig-a/1-x/kep.yaml", b"title: X\n")]));
    let (mut editor, answer) = Editor::initialized(&one.root, json!({}), Value::Null);
    assert_eq!(answer["capabilities"]["workspace"]["workspaceFolders"]["changeNotifications"], true);
    let mut count = |added: &[&Scratch], removed: &[&Scratch]| {
        let list = |all: &[&Scratch]| all.iter().map(|it| json!({ "uri": uri(&it.root), "name": "x" })).collect();
        let event: [Vec<Value>; 2] = [added, removed].map(list);
        let event = json!({ "event": { "added": event[0], "removed": event[1] } });
        editor.notify("workspace/didChangeWorkspaceFolders", event);
        editor.ask("workspace/symbol", json!({ "query": "" })).as_array().map(Vec::len)
    };
    assert_eq!(count(&[&other], &[]), Some(21));
    assert_eq!(count(&[&other], &[]), Some(21), "it is known already");
    assert_eq!(count(&[], &[&one]), Some(1));
    assert_eq!(count(&[], &[&other]), Some(0));
    assert!(editor.end().success());
}

#[test]
fn what_is_no_kep_has_no_answers() {
    let scratch = Scratch::of(&[("notes.md", b"# KEP-1\n"), ("keps/sig-a/1-x/kep.yaml", b"title: [")]);
    let (mut editor, _) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    let path = scratch.at("notes.md");
    editor.open(&path, "# KEP-1\n");
    let at = json!({ "textDocument": { "uri": uri(&path) }, "position": { "line": 0, "character": 4 } });
    let elsewhere = json!({ "textDocument": { "uri": "untitled:1" }, "position": { "line": 9, "character": 9 } });
    for method in ["textDocument/hover", "textDocument/definition"] {
        for place in [&at, &elsewhere] {
            assert_eq!(editor.ask(method, place.clone()), Value::Null, "{method}");
        }
    }
    let broken = scratch.at("keps/sig-a/1-x/kep.yaml");
    editor.open(&broken, "title: [\nstage: beta\n");
    let question = json!({ "textDocument": { "uri": uri(&broken) }, "position": { "line": 1, "character": 9 } });
    assert!(editor.ask("textDocument/hover", question)["contents"]["value"].is_string());
    assert!(editor.end().success());
}
