//! A KEP as the rules see it: its texts as read, and the model parsed from them once.

pub mod front_matter;
pub mod metadata;
pub mod milestone;
pub mod names;
pub mod number;
pub mod owners;
pub mod reference;
pub mod review;
pub mod schema;
pub mod template_values;

use self::metadata::{Field, Metadata};
use self::owners::Owners;
use self::review::Review;
use crate::markdown::Document;
use crate::source::SourceFile;
use crate::span::FileId;

/// A KEP, parsed. Whatever is broken in it is kept as data; parsing never fails.
#[derive(Clone, Debug)]
pub struct Kep {
    /// What it was parsed from.
    pub texts: Texts,
    /// README.md.
    pub readme: Option<Document>,
    /// The other Markdown files, as [`Texts::documents`] has them.
    pub documents: Vec<Document>,
    /// kep.yaml.
    pub metadata: Option<Metadata>,
    /// The PRR file that upstream looks for: named after `owning-sig` and `kep-number`.
    pub review: Option<Review>,
    /// PRR files of the same number in other SIGs' directories.
    pub stray_reviews: Vec<FileId>,
    /// OWNERS.
    pub owners: Option<Owners>,
}

impl Kep {
    /// Parses what was read of a KEP. Its PRR files are the tree's to add.
    pub fn parse(texts: Texts) -> Self {
        let document = |file: FileId| {
            let source = texts.file(file);
            Document::parse(file, &source.text, &source.lines)
        };
        let readme = texts.readme.map(document);
        let documents = texts.documents.iter().map(|(file, _)| document(*file)).collect();
        let metadata = texts.metadata.map(|file| Metadata::parse(file, &texts.file(file).text));
        let owners = texts.owners.map(|file| Owners::parse(file, &texts.file(file).text));
        Self { texts, readme, documents, metadata, review: None, stray_reviews: Vec::new(), owners }
    }

    /// Takes a PRR file, `<sig>/<name>.yaml`, of this KEP's number: its own if SIG and name are those of kep.yaml to the
    /// letter, else one that strayed.
    pub fn add_review(&mut self, sig: &str, name: &str, file: SourceFile) {
        let Some(metadata) = &self.metadata else { return };
        let is = |field: &Option<Field>, text: &str| field.as_ref().is_some_and(|field| field.text == text);
        let (is_in_sig, is_named) = (is(&metadata.owning_sig, sig), is(&metadata.number, name));
        if is_in_sig && is_named {
            let text = file.text.clone();
            let file = self.texts.push(file);
            self.review = Some(Review::parse(file, &text));
        } else if !is_in_sig {
            let file = self.texts.push(file);
            self.stray_reviews.push(file);
        }
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
    /// The directory from `keps` on, with `/`, if it lies below one of that name.
    pub tree_path: Option<String>,
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
    /// Which of them are other Markdown files, and the directory of each from `keps` on, if that is known.
    pub documents: Vec<(FileId, Option<String>)>,
    /// Which of them is OWNERS.
    pub owners: Option<FileId>,
}

impl Texts {
    /// The SIG's directory that it lies in.
    pub fn sig(&self) -> Option<&str> {
        self.tree_path.as_ref()?.split('/').nth(1)
    }

    /// The file of an id that these texts gave out.
    #[expect(clippy::indexing_slicing, reason = "an id is a place in the list that it came from, which never shrinks")]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The files with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId::at).zip(&self.files)
    }

    /// Adds a file.
    pub fn push(&mut self, file: SourceFile) -> FileId {
        let id = FileId::at(self.files.len());
        self.files.push(file);
        id
    }
}
