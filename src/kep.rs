//! A KEP as the rules see it: its texts as read, and the model parsed from them once.

pub mod fingerprint;
pub mod markdown;
pub mod metadata;
pub mod number;
pub mod section;
pub mod title;
pub mod yaml;

use self::markdown::Document;
use self::metadata::Metadata;
use crate::span::{FileId, LineIndex, Position};

/// A KEP, parsed. Whatever is broken in it is kept as data; parsing never fails.
#[derive(Clone, Debug)]
pub struct Kep {
    /// What it was parsed from.
    pub texts: Texts,
    /// README.md.
    pub readme: Option<Document>,
    /// kep.yaml.
    pub metadata: Option<Metadata>,
}

impl Kep {
    /// Parses what was read of a KEP.
    pub fn parse(texts: Texts) -> Self {
        let readme = texts.readme.map(|file| {
            let source = texts.file(file);
            Document::parse(file, &source.text, &source.lines)
        });
        let metadata = texts.metadata.map(|file| Metadata::parse(file, &texts.file(file).text));
        Self { texts, readme, metadata }
    }

    /// The number of its directory, without leading zeros.
    pub fn number(&self) -> Option<&str> {
        number::of_directory(&self.texts.name)
    }
}

/// What was read of a KEP's directory.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The directory as given on the command line plus the rest, with `/`.
    pub directory: String,
    /// The directory's own name.
    pub name: String,
    /// Whether it lies below a directory named `keps`.
    pub in_tree: bool,
    /// Whether there is a README.md, readable or not.
    pub has_readme: bool,
    /// Whether there is a kep.yaml, readable or not.
    pub has_metadata: bool,
    /// The files that could be read.
    pub files: Vec<SourceFile>,
    /// Which of them is README.md.
    pub readme: Option<FileId>,
    /// Which of them is kep.yaml.
    pub metadata: Option<FileId>,
}

impl Texts {
    /// The file of an id that these texts gave out.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[usize::from(id.0)]
    }

    /// The files with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// Adds a file.
    pub fn push(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId((self.files.len() - 1).try_into().unwrap_or(u16::MAX))
    }
}

/// One file of a KEP as it was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As given on the command line plus the rest, with `/`.
    pub path: String,
    /// The text; see [`SourceFile::decode`] for what stands where it was not UTF-8.
    pub text: String,
    /// Where its lines begin.
    pub lines: LineIndex,
    /// Offset of the first byte that is not UTF-8.
    pub invalid_utf8: Option<usize>,
}

impl SourceFile {
    /// Takes a file's bytes for text. Each byte that is not UTF-8 becomes one `?`, so that offsets stay those of the
    /// file.
    pub fn decode(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        let (text, invalid_utf8) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let first = error.utf8_error().valid_up_to();
                (replace_invalid(error.as_bytes()), Some(first))
            }
        };
        Self { path: path.into(), lines: LineIndex::new(&text), text, invalid_utf8 }
    }

    /// Line and column of byte `offset`.
    pub fn position(&self, offset: usize) -> Position {
        self.lines.position(offset, &self.text)
    }
}

fn replace_invalid(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}
