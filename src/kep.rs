//! A KEP as the rules see it: its files, and the data parsed from them once.

pub(crate) mod brief;
pub mod components;
pub mod directory;
pub mod field;
pub mod filter;
pub(crate) mod front_matter;
pub mod layout;
pub mod metadata;
pub(crate) mod milestone;
pub mod names;
pub(crate) mod node_approvers;
pub mod number;
pub mod odd;
pub mod reference;
pub mod review;
pub mod schema;
pub mod texts;
pub(crate) mod visited;

use self::field::{List, Reader};
use self::layout::forms::Target;
use self::metadata::Metadata;
use self::review::Review;
use self::schema::{Flaw, FlawKind};
use self::texts::{Slot, Texts};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::markdown::Document;
use crate::source::SourceFile;
use crate::span::{FileId, Span};
use crate::stage::Release;
use crate::yaml;
use crate::yaml::tree::{Node, Yaml};
use std::sync::Arc;

/// A parsed KEP. Parsing never fails; what is invalid is kept as data.
#[derive(Clone, Debug)]
pub struct Kep {
    pub texts: Texts,
    pub readme: Option<Document>,
    pub documents: Vec<Document>,
    pub metadata: Option<Metadata>,
    /// Where its PRR file is looked for: `owning-sig`, unless the repository knows better.
    pub owner: Option<String>,
    /// The PRR file that upstream looks for: `<sig>/<kep-number>.yaml`.
    pub review: Option<Review>,
    /// PRR files with the same number in the directories of other SIGs.
    pub stray_reviews: Vec<FileId>,
    pub owners: Option<Owners>,
    /// The releases that its document names, where the layout says how.
    pub targets: Vec<Target>,
}

/// The OWNERS file next to a kep.yaml: who reviews and approves changes to it.
#[derive(Clone, Debug)]
pub struct Owners {
    pub file: FileId,
    pub reviewers: List,
    pub approvers: List,
    pub tree: Yaml,
    pub flaws: Vec<Flaw>,
}

impl Owners {
    pub fn parse(file: FileId, text: &str) -> Self {
        let tree = yaml::parse(file, text);
        let reader = Reader::new(&tree, tree.root.as_ref());
        let flaws = schema::check(&tree, schema::OWNERS, Span::new(file, 0..0));
        let is_type = |flaw: &Flaw| matches!(flaw.kind, FlawKind::WrongType { .. } | FlawKind::NoKeys(_));
        Self {
            file,
            reviewers: reader.list("reviewers"),
            approvers: reader.list("approvers"),
            flaws: flaws.into_iter().filter(is_type).collect(),
            tree,
        }
    }
}

impl Kep {
    pub fn parse(texts: Texts) -> Self {
        let document = |file: FileId| Document::parse(file, texts.markdown(file));
        let readme = texts.readme.file().map(document);
        let documents = texts.documents.iter().map(|file| document(*file)).collect();
        let text = |file: FileId| texts.file(file).text.as_str();
        let metadata = texts.metadata.file().and_then(|file| texts.layout.read_metadata(file, text(file)));
        let owners = texts.owners.file().map(|file| Owners::parse(file, text(file)));
        let owner = metadata.as_ref().and_then(|metadata| Some(metadata.owning_sig.as_ref()?.text.clone()));
        let targets = readme.as_ref().map(|readme| texts.layout.targets(readme)).unwrap_or_default();
        Self { texts, readme, documents, metadata, owner, review: None, stray_reviews: Vec::new(), owners, targets }
    }

    /// Adds a PRR file, `<sig>/<name>.yaml`, with this KEP's number. It is the KEP's own if the SIG is its
    /// owner and the name exactly that of kep.yaml, and a stray one if it is in the directory of another SIG.
    pub fn add_review(&mut self, sig: &str, name: &str, file: Arc<SourceFile>) {
        let Some(metadata) = &self.metadata else { return };
        let is_named = metadata.number.as_ref().is_some_and(|number| number.text == name);
        let is_in_sig = self.owner.as_deref() == Some(sig);
        if is_in_sig && is_named {
            let id = self.texts.push(Arc::clone(&file));
            self.review = Some(Review::parse(id, &file.text));
        } else if !is_in_sig {
            let file = self.texts.push(file);
            self.stray_reviews.push(file);
        }
    }

    /// Whether its PRR file is where upstream does not look for it, because `owning-sig` is unknown:
    /// upstream's check fails then.
    pub fn has_review_elsewhere(&self) -> bool {
        let written = self.metadata.as_ref().and_then(|metadata| metadata.owning_sig.as_ref());
        let needs_review = self.metadata.as_ref().is_some_and(Metadata::needs_review);
        needs_review && self.review.is_some() && self.owner.as_deref() != written.map(|sig| sig.text.as_str())
    }

    pub fn yaml(&self, file: FileId) -> Option<&Node> {
        let metadata = self.metadata.as_ref().filter(|metadata| metadata.file == file).map(|it| &it.tree);
        let review = self.review.as_ref().filter(|review| review.file == file).map(|it| &it.tree);
        let owners = self.owners.as_ref().filter(|owners| owners.file == file).map(|it| &it.tree);
        metadata.or(review).or(owners)?.root.as_ref()
    }

    /// The failures to read all of the nesting in its files: findings may be missing or too many then.
    pub fn unread(&self) -> impl Iterator<Item = Failure> {
        let metadata = self.metadata.as_ref().and_then(|metadata| metadata.tree.too_deep);
        let owners = self.owners.as_ref().and_then(|owners| owners.tree.too_deep);
        let review = self.review.as_ref().and_then(|review| review.tree.too_deep);
        let reason = format!("it is nested more than {} levels deep", bounds::YAML_DEPTH);
        [metadata, owners, review].into_iter().flatten().map(move |span| {
            Failure::of("read all of", &self.texts.file(span.file).path, &reason).help("reduce the nesting")
        })
    }

    /// Of the releases that its document names, the one that it is worked on for: the newest that has begun and is
    /// not long out, else the next one.
    pub fn target(&self, current: Release) -> Option<&Target> {
        let by_release = |target: &&Target| (target.release, target.stage);
        let recent = self.targets.iter().filter(|target| target.release.plus(1) >= current);
        let (begun, later): (Vec<&Target>, Vec<&Target>) = recent.partition(|target| target.release <= current);
        let next = begun.into_iter().max_by_key(by_release).or(later.into_iter().min_by_key(by_release));
        next.or_else(|| self.targets.iter().max_by_key(by_release))
    }

    /// Whether it is only a README in the tree, without kep.yaml, in a directory without a number.
    pub fn is_stray_readme(&self) -> bool {
        let is_in_tree = self.texts.tree_path.is_some() && self.texts.metadata == Slot::Absent;
        self.texts.layout.is_of_keps() && is_in_tree && self.number().is_none() && !self.texts.name.starts_with("NNNN")
    }

    /// Whether its document has to say what it is, as no metadata has a status. A KEP is what kep.yaml says.
    pub fn has_no_status(&self) -> bool {
        let has_status = self.metadata.as_ref().is_some_and(|metadata| metadata.status.is_some());
        !self.texts.layout.is_of_keps() && !has_status
    }

    pub fn number(&self) -> Option<&str> {
        self.texts.number()
    }
}
