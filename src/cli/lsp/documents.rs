//! The documents that are open in the editor, with their texts there.

use super::uri;
use crate::diagnostic::named;
use crate::editor::position::{Encoding, Place};
use crate::source::SourceFile;
use crate::span::slice;
use gen_lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Document {
    pub uri: Uri,
    pub version: i32,
    pub file: SourceFile,
    /// Whether the editor may have other lines: it had a `\r` alone since all of its text was told.
    has_other_lines: bool,
}

#[derive(Debug, Default)]
pub struct Documents {
    open: BTreeMap<PathBuf, Document>,
}

impl Documents {
    pub fn open(&mut self, path: &Path, uri: Uri, version: i32, text: String) {
        let has_other_lines = has_lone_return(&text);
        let file = SourceFile::decode(path.to_string_lossy(), text.into_bytes());
        self.open.insert(path.to_owned(), Document { uri, version, file, has_other_lines });
    }

    pub fn close(&mut self, path: &Path) {
        self.open.remove(path);
    }

    /// A document is edited. The edits count one after the other. One that is not open is none.
    pub fn edit(
        &mut self,
        path: &Path,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Option<&Document> {
        let document = self.open.get_mut(path)?;
        for change in changes {
            let text = match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    document.has_other_lines = false;
                    whole.text
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    replaced(&document.file, part.range, &part.text, encoding)
                }
            };
            document.has_other_lines |= has_lone_return(&text);
            document.file = SourceFile::decode(document.file.path.as_str(), text.into_bytes());
        }
        document.version = version;
        Some(document)
    }

    pub fn at(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Document)> {
        self.open.iter().map(|(path, document)| (path.as_path(), document))
    }

    /// Fails, with the reason as a clause, for a file in which a place may be another one in the editor. The protocol ends
    /// a line at a lone `\r`. Neovim and Emacs do not: what they say they changed below it was changed elsewhere, so that
    /// not even the whole text could be replaced.
    pub fn check_lines(&self, file: &SourceFile) -> Result<(), String> {
        let path = Path::new(&file.path);
        if !has_lone_return(&file.text) && !self.at(path).is_some_and(|document| document.has_other_lines) {
            return Ok(());
        }
        let problem = "has a carriage return alone, after which editors count lines differently";
        Err(format!("{} {problem}; replace it by a line feed, and open the file again", named(path)))
    }

    /// How the editor names the file at a path.
    pub fn uri(&self, path: &Path) -> Uri {
        self.at(path).map_or_else(|| uri::of(path), |document| document.uri.clone())
    }
}

/// Whether a text has a `\r` that is not part of `\r\n`.
fn has_lone_return(text: &str) -> bool {
    text.split("\r\n").any(|part| part.contains('\r'))
}

/// The text of a file with `new` in place of what is in the range.
fn replaced(file: &SourceFile, range: Range, new: &str, encoding: Encoding) -> String {
    let start = encoding.offset(file, place(range.start));
    let end = encoding.offset(file, place(range.end)).max(start);
    [slice(&file.text, 0..start), new, slice(&file.text, end..file.text.len())].concat()
}

pub fn place(position: Position) -> Place {
    Place { line: position.line, unit: position.character }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn change(value: serde_json::Value) -> TextDocumentContentChangeEvent {
        serde_json::from_value(value).expect("it is a change")
    }

    #[test]
    fn a_return_is_alone_without_a_line_feed() {
        let is_alone = ["a\rb", "a\r\r\nb", "\r", "a\r\nb", "\r\n", ""].map(has_lone_return);
        assert_eq!(is_alone, [true, true, true, false, false, false]);
    }

    #[test]
    fn edits_count_one_after_the_other() {
        let mut documents = Documents::default();
        let path = Path::new("/x.md");
        documents.open(path, uri::of(path), 1, "a🎉b\r\nc\n".to_owned());
        let at = |line: u32, start: u32, end: u32| json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } });
        let changes = vec![
            change(json!({ "range": at(0, 3, 4), "text": "é\n" })),
            change(json!({ "range": at(2, 0, 9), "text": "d" })),
            change(json!({ "range": at(0, 2, 2), "text": "!" })),
        ];
        let edited = documents.edit(path, 2, changes, Encoding::Utf16).expect("it is open");
        assert_eq!((edited.file.text.as_str(), edited.version), ("a!🎉é\n\r\nd\n", 2), "half of a pair is before it");
        let whole = vec![change(json!({ "text": "new" }))];
        assert_eq!(documents.edit(path, 3, whole, Encoding::Utf16).map(|it| it.file.text.as_str()), Some("new"));
        assert!(documents.edit(Path::new("/y.md"), 3, Vec::new(), Encoding::Utf16).is_none());
    }
}
