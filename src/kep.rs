//! A KEP as the rules see it: its texts as read, and the model parsed from them once.

pub mod directory;
pub mod field;
pub mod front_matter;
pub mod metadata;
pub mod milestone;
pub mod names;
pub mod number;
pub mod owners;
pub mod reference;
pub mod review;
pub mod schema;
pub mod texts;

use self::field::Field;
use self::metadata::Metadata;
use self::owners::Owners;
use self::review::Review;
use self::texts::Texts;
use crate::markdown::Document;
use crate::source::SourceFile;
use crate::span::FileId;
use std::sync::Arc;

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
    /// Parses what was read of a KEP. Its PRR files are the repository's to add.
    pub fn parse(texts: Texts) -> Self {
        let document = |file: FileId| {
            let source = texts.file(file);
            Document::parse(file, &source.text, &source.lines)
        };
        let readme = texts.readme.file().map(document);
        let documents = texts.documents.iter().map(|file| document(*file)).collect();
        let metadata = texts.metadata.file().map(|file| Metadata::parse(file, &texts.file(file).text));
        let owners = texts.owners.file().map(|file| Owners::parse(file, &texts.file(file).text));
        Self { texts, readme, documents, metadata, review: None, stray_reviews: Vec::new(), owners }
    }

    /// Takes a PRR file, `<sig>/<name>.yaml`, of this KEP's number: its own if SIG and name are those of kep.yaml to the
    /// letter, else one that strayed.
    pub fn add_review(&mut self, sig: &str, name: &str, file: Arc<SourceFile>) {
        let Some(metadata) = &self.metadata else { return };
        let is = |field: &Option<Field>, text: &str| field.as_ref().is_some_and(|field| field.text == text);
        let (is_in_sig, is_named) = (is(&metadata.owning_sig, sig), is(&metadata.number, name));
        if is_in_sig && is_named {
            let id = self.texts.push(Arc::clone(&file));
            self.review = Some(Review::parse(id, &file.text));
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
