//! What an editor makes of the changes that a server asks for.

use super::editor::uri;
use kep_lint::editor::position::{Encoding, Place};
use kep_lint::source::SourceFile;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The files that a `WorkspaceEdit` changes or creates below `root`, by their paths from there, as they are after it. The
/// texts before it are those on disk.
pub fn after(root: &Path, edit: &Value, encoding: Encoding) -> BTreeMap<String, String> {
    let start = format!("{}/", uri(root));
    let path =
        |uri: &Value| uri.as_str().expect("a URI").strip_prefix(&start).expect("it is below the root").to_owned();
    let mut files = BTreeMap::new();
    let change = |files: &mut BTreeMap<String, String>, path: String, edits: &Value| {
        let before = files.get(&path).cloned().or_else(|| fs::read_to_string(root.join(&path)).ok());
        let before = before.unwrap_or_else(|| panic!("{path} is not there"));
        files.insert(path, changed(&before, edits, encoding));
    };
    for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
        change(&mut files, path(&Value::String(uri.clone())), edits);
    }
    for part in edit["documentChanges"].as_array().into_iter().flatten() {
        if part["kind"] == "create" {
            assert!(!root.join(path(&part["uri"])).exists(), "{part}");
            files.insert(path(&part["uri"]), String::new());
        } else {
            change(&mut files, path(&part["textDocument"]["uri"]), &part["edits"]);
        }
    }
    files
}

/// A text after `TextEdit`s, which must not overlap.
pub fn changed(text: &str, edits: &Value, encoding: Encoding) -> String {
    let file = SourceFile::decode("x", text.as_bytes().to_vec());
    let place = |value: &Value| {
        let number = |name: &str| u32::try_from(value[name].as_u64().expect("a number")).expect("it is small");
        let place = Place { line: number("line"), unit: number("character") };
        let offset = encoding.offset(&file, place);
        assert_eq!(encoding.place(&file, offset), place, "the place is in the text");
        offset
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("a list")
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (place(&range["start"]), place(&range["end"]), edit["newText"].as_str().expect("a text"))
        })
        .collect();
    edits.sort_by_key(|(start, _, _)| *start);
    let (mut after, mut at) = (String::new(), 0);
    for (start, end, new) in edits {
        assert!(at <= start && start <= end, "edits overlap");
        after += &text[at..start];
        after += new;
        at = end;
    }
    after + &text[at..]
}
