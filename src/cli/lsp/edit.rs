//! What the editor is told of files, and changes of them, as the protocol has them.

use super::documents::Documents;
use super::features::Features;
use super::uri;
use crate::cli::write::together::Change as FileText;
use crate::diagnostic::Edit;
use crate::editor::actions::Change;
use crate::editor::edits;
use crate::editor::position::Place;
use crate::kep::texts::Texts;
use crate::report::look::Look;
use crate::source::SourceFile;
use crate::span::{FileId, slice};
use gen_lsp_types::{Position, Range as Shown, Uri};
use serde_json::{Map, Value, json};
use std::ops::Range;
use std::path::Path;

pub struct Writer<'a> {
    /// What is open, by which files are named.
    pub documents: &'a Documents,
    pub features: Features,
    pub look: Look,
}

struct FileChange {
    uri: Uri,
    version: Option<i32>,
    edits: Vec<Value>,
}

impl Writer<'_> {
    /// The range of the protocol for bytes of a file.
    pub fn range_in(&self, file: &SourceFile, bytes: &Range<usize>) -> Shown {
        let position = |offset| {
            let Place { line, unit } = self.features.encoding.place(file, offset);
            Position { line, character: unit }
        };
        Shown { start: position(bytes.start), end: position(bytes.end) }
    }

    /// A `WorkspaceEdit` for files of a KEP. It names the versions of open documents, if the editor knows them: it refuses a
    /// change of a text that is another one by then. Fails with the reason as a clause.
    pub fn change(&self, texts: &Texts, change: &Change) -> Result<Value, String> {
        let mut files = Vec::new();
        for (id, file) in texts.iter() {
            let own = change.edits.iter().enumerate().filter(|(_, edit)| edit.span.file == id);
            let written = own.map(|(number, edit)| {
                let to_type = change.to_type.as_ref().filter(|(which, _)| *which == number);
                self.edit(file, edit, to_type.map(|(_, range)| range))
            });
            let written: Vec<Value> = written.collect();
            if !written.is_empty() {
                self.documents.check_lines(file)?;
                files.push(self.of_file(Path::new(&file.path), written));
            }
        }
        Ok(self.write(files, Vec::new()))
    }

    fn of_file(&self, path: &Path, edits: Vec<Value>) -> FileChange {
        let version = self.documents.at(path).map(|document| document.version);
        FileChange { uri: self.documents.uri(path), version, edits }
    }

    fn edit(&self, file: &SourceFile, Edit { span, text }: &Edit, to_type: Option<&Range<usize>>) -> Value {
        let place = self.range_in(file, &span.range());
        match to_type.filter(|_| self.features.snippet_edits) {
            Some(part) => json!({ "range": place, "snippet": { "kind": "snippet", "value": snippet(text, part) } }),
            None => json!({ "range": place, "newText": text }),
        }
    }

    /// A `WorkspaceEdit` for whole files, of which some may be new. Fails with the reason as a clause.
    pub fn files(&self, changes: &[FileText]) -> Result<Value, String> {
        let (mut created, mut changed) = (Vec::new(), Vec::new());
        for change in changes {
            let Some((_, before)) = &change.before else {
                created.extend(creation(change));
                continue;
            };
            let file = SourceFile::decode(change.given.to_string_lossy(), before.clone().into_bytes());
            self.documents.check_lines(&file)?;
            let edits = edits::between(FileId(0), &file.text, &change.after);
            let edits = edits.iter().map(|edit| self.edit(&file, edit, None)).collect();
            changed.push(self.of_file(&change.given, edits));
        }
        if !created.is_empty() && !self.features.creates_files {
            return Err("this editor creates no files that a server asks for".to_owned());
        }
        Ok(self.write(changed, created))
    }

    fn write(&self, files: Vec<FileChange>, created: Vec<Value>) -> Value {
        if self.features.versions {
            let changes: Vec<Value> = created.into_iter().chain(files.iter().map(versioned)).collect();
            return json!({ "documentChanges": changes });
        }
        let changes: Map<String, Value> = files.into_iter().map(|file| (file.uri.0, json!(file.edits))).collect();
        json!({ "changes": changes })
    }
}

fn creation(new: &FileText) -> [Value; 2] {
    let (uri, start) = (uri::of(&new.given), json!({ "line": 0, "character": 0 }));
    let edits = vec![json!({ "range": { "start": start, "end": start }, "newText": new.after })];
    let options = json!({ "overwrite": false, "ignoreIfExists": false });
    [json!({ "kind": "create", "uri": uri, "options": options }), versioned(&FileChange { uri, version: None, edits })]
}

fn versioned(file: &FileChange) -> Value {
    json!({ "textDocument": { "uri": file.uri, "version": file.version }, "edits": file.edits })
}

/// `text` as a snippet, in which the bytes `part` are to be typed.
fn snippet(text: &str, part: &Range<usize>) -> String {
    let (before, after) = (slice(text, ..part.start), slice(text, part.end..));
    format!("{}${{1:{}}}{}", escaped(before), escaped(slice(text, part.clone())), escaped(after))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_has_the_text_as_it_is() {
        assert_eq!(snippet("<!-- a$b}: … -->\n", &(11..14)), "<!-- a\\$b\\}: ${1:…} -->\n");
    }
}
