//! What docs/editors.md and contrib/editors/README.md say of the language server is true: the conversation takes place, and
//! `kep-lint lsp --check` has each setting.

use crate::support::editor::{Editor, uri};
use crate::support::program::kep_lint;
use crate::support::project;
use crate::support::scratch::Scratch;
use serde_json::Value;
use std::fs;

const METADATA: &[u8] = b"title: X\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\napprovers: [\"@bob\"]\n\
    status: withdrawn\nlatest-milestone: v1.37\n";

fn page(path: &str) -> String {
    fs::read_to_string(project().join(path)).expect("the page is there")
}

/// Fails unless `whole` has all that `part` has, which may be shortened. The words of a message may be older.
fn has(whole: &Value, part: &Value) {
    match (whole, part) {
        (Value::Object(all), Value::Object(some)) => {
            some.iter().filter(|(key, _)| *key != "message").for_each(|(key, value)| {
                has(all.get(key).unwrap_or_else(|| panic!("no {key}: {whole}")), value);
            })
        }
        (Value::Array(all), Value::Array(some)) => {
            assert_eq!(all.len(), some.len(), "{whole}");
            all.iter().zip(some).for_each(|(one, other)| has(one, other));
        }
        _ => assert_eq!(whole, part),
    }
}

#[test]
fn the_conversation_of_the_page_takes_place() {
    let scratch = Scratch::of(&[("keps/sig-node/1-x/kep.yaml", METADATA), ("keps/sig-node/1-x/README.md", b"")]);
    let page = page("contrib/editors/README.md");
    let conversation =
        page.split("## A conversation").nth(1).and_then(|rest| rest.split("```").nth(1)).expect("a block");
    let mut editor = Editor::start(&scratch.root);
    let mut count = 0;
    for line in conversation.lines().skip(1) {
        let (who, text) = line.split_once(' ').expect("who says it");
        let message = text.replace("file:///r", &uri(&scratch.root));
        let mut message: Value = serde_json::from_str(&message).unwrap_or_else(|error| panic!("{error}: {line}"));
        if who == ">" {
            message["jsonrpc"] = "2.0".into();
            editor.send(&message);
        } else {
            has(&editor.next().expect("the server says something"), &message);
            count += 1;
        }
    }
    assert_eq!(count, 5);
    assert!(editor.wait().success());
}

#[test]
fn the_check_says_what_an_editor_can_expect() {
    let scratch =
        Scratch::of(&[("keps/sig-node/1-x/kep.yaml", METADATA), ("keps/sig-node/1-x/README.md", b"# KEP-1: X\n")]);
    let (_, answer) = Editor::initialized(&scratch.root, Value::Null, Value::Null);
    let printed = kep_lint(&scratch.root, ["lsp", "--check"]);
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{}", printed.stdout);
    for part in ["textDocument/hover", "utf-16", "stage: ", "1 KEP in `keps`", "none, so that the defaults apply"] {
        assert!(printed.stdout.contains(part), "{part}: {}", printed.stdout);
    }
    assert!(printed.stdout.lines().all(|line| line.chars().count() <= 80), "{}", printed.stdout);
    assert_eq!(answer["serverInfo"]["name"], "kep-lint");
    // Each setting of the page is one.
    let page = page("docs/editors.md");
    let rows = page.split("| setting | value |").nth(1).expect("a table").lines().skip(2);
    let named: Vec<&str> = rows.map_while(|row| row.strip_prefix("| `")?.split('`').next()).collect();
    assert!(named.len() == 7 && named.iter().all(|name| printed.stdout.contains(&format!(" {name}: "))), "{named:?}");

    scratch.write(".kep-lint.yaml", "rulez: {}\n");
    let printed = kep_lint(&scratch.root, ["lsp", "--check"]);
    assert!(printed.status == 2 && printed.stderr.contains("rulez"), "{printed:?}");
    let empty = Scratch::of(&[("README.md", b"# Hi\n")]);
    let printed = kep_lint(&empty.root, ["lsp", "--check"]);
    assert!(printed.status == 2 && printed.stderr.contains("start the editor in a repository"), "{printed:?}");
}
