//! The files of a KEP's directory, by their role.

use super::front_matter;
use super::layout::Layout;
use crate::source::SourceFile;
use crate::span::FileId;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Readme,
    Metadata,
    Owners,
    /// Another Markdown file in the KEP's directory or below it.
    Document,
}

/// The file with a role that only one file can have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slot {
    #[default]
    Absent,
    Unreadable,
    Read(FileId),
}

impl Slot {
    pub fn file(self) -> Option<FileId> {
        match self {
            Self::Read(file) => Some(file),
            Self::Absent | Self::Unreadable => None,
        }
    }
}

/// A change of kep.yaml, in a run over what has changed. If the KEP is implementable, it is worked on,
/// whatever its milestone is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// kep.yaml before the change, if it is known.
    pub base: Option<Arc<SourceFile>>,
}

/// Where a KEP is now, for the KEP as it was before it was moved: both have the same fingerprints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownAs {
    /// Its number, without leading zeros.
    pub number: Option<String>,
    /// Its directory from `keps` on, with `/`.
    pub directory: String,
    /// The files that have another name now, all by their paths from the directory on.
    pub files: BTreeMap<String, String>,
}

/// The files of a KEP. Clones share the texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The directory, starting with the path from the command line, with `/`.
    pub directory: String,
    pub name: String,
    pub layout: Layout,
    /// The directory from `keps` on, with `/`, if it is below a directory `keps`.
    pub tree_path: Option<String>,
    /// The directory from that of the configuration file on, with `/`; without one `tree_path`, or as given.
    pub config_path: String,
    /// Whether it was found by looking through a directory around it; a run with a given stage then leaves
    /// it out if it is already past that stage.
    pub is_searched: bool,
    /// Whether it is no KEP, but another directory with files that upstream's scripts look at.
    pub is_loose: bool,
    /// How kep.yaml was changed; `None` if it was not, or if the run is not about a change.
    pub change: Option<Change>,
    /// How fingerprints call it, if not by its own directory.
    pub known_as: Option<KnownAs>,
    pub readme: Slot,
    pub metadata: Slot,
    pub owners: Slot,
    pub documents: Vec<FileId>,
    pub files: Vec<Arc<SourceFile>>,
}

impl Texts {
    /// A KEP without files in `directory`, a path with `/`.
    pub fn new(directory: impl Into<String>) -> Self {
        let directory = directory.into();
        let names: Vec<&str> = directory.split('/').collect();
        let keps = names.iter().rposition(|name| *name == "keps");
        let tree_path = keps.and_then(|keps| names.get(keps..)).map(|names| names.join("/"));
        let name = names.last().copied().unwrap_or_default().to_owned();
        let config_path = tree_path.clone().unwrap_or_else(|| directory.clone());
        Self { directory, name, tree_path, config_path, ..Self::default() }
    }

    #[must_use]
    pub fn with(mut self, role: Role, file: impl Into<Arc<SourceFile>>) -> Self {
        self.add(role, file);
        self
    }

    /// Adds a file. It replaces a file with the same role, if only one file can have that role.
    pub fn add(&mut self, role: Role, file: impl Into<Arc<SourceFile>>) -> FileId {
        let id = self.push(file.into());
        self.fill(role, Slot::Read(id));
        id
    }

    pub fn fill(&mut self, role: Role, slot: Slot) {
        match role {
            Role::Readme => self.readme = slot,
            Role::Metadata => self.metadata = slot,
            Role::Owners => self.owners = slot,
            Role::Document => self.documents.extend(slot.file()),
        }
    }

    /// A document may be its own metadata.
    pub fn find_front_matter(&mut self) {
        let document = self.readme.file().filter(|_| self.layout.has_front_matter());
        if document.is_some_and(|document| front_matter::of_document(&self.file(document).text).is_some()) {
            self.metadata = self.readme;
        }
    }

    /// Adds a file without a role in the directory: a PRR file.
    pub fn push(&mut self, file: Arc<SourceFile>) -> FileId {
        let id = FileId::at(self.files.len());
        self.files.push(file);
        id
    }

    /// The Markdown of a document, with spaces in the place of metadata that may be at its top.
    pub fn markdown(&self, file: FileId) -> Arc<SourceFile> {
        let source = self.file(file);
        match front_matter::of_document(&source.text) {
            Some(front) if !self.layout.is_of_keps() => {
                let text = front_matter::blanked(&source.text, &(front.len()..source.text.len()));
                Arc::new(SourceFile::decode(source.path.clone(), text.into_owned().into_bytes()))
            }
            _ => Arc::clone(source),
        }
    }

    pub fn number(&self) -> Option<&str> {
        self.layout.number(self.tree_path.as_ref().unwrap_or(&self.name))
    }

    /// The name of its SIG's directory; `None` if the KEP is directly in `keps`.
    pub fn sig(&self) -> Option<&str> {
        if let Some(documents) = self.layout.documents() {
            return documents.group(self.tree_path.as_ref()?);
        }
        let mut names = self.tree_path.as_ref()?.split('/').skip(1);
        let sig = names.next()?;
        names.next().is_some().then_some(sig)
    }

    /// The directory of one of its files, from `keps` on, if that is known.
    pub fn directory_of(&self, file: FileId) -> Option<String> {
        let path = &self.file(file).path;
        let below = path.strip_prefix(&self.directory).unwrap_or(path).trim_start_matches('/');
        let subdirectory = below.rsplit_once('/').map(|(subdirectory, _)| subdirectory);
        let place = self.tree_path.as_deref()?;
        let is_document = self.layout.documents().is_some_and(|documents| documents.file.is_none());
        let top = if is_document { place.rsplit_once('/')?.0 } else { place };
        Some(subdirectory.map_or_else(|| top.to_owned(), |subdirectory| format!("{top}/{subdirectory}")))
    }

    /// The file with an id that came from these texts.
    #[expect(clippy::indexing_slicing, reason = "an id is an index in the list that it came from, which never shrinks")]
    pub fn file(&self, id: FileId) -> &Arc<SourceFile> {
        &self.files[id.index()]
    }

    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId::at).zip(self.files.iter().map(AsRef::as_ref))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> SourceFile {
        SourceFile::decode(path, b"text".to_vec())
    }

    #[test]
    fn the_directory_gives_the_name_the_sig_and_the_path_from_keps() {
        let texts = Texts::new("here/keps/sig-node/1234-images");
        assert_eq!((texts.name.as_str(), texts.sig()), ("1234-images", Some("sig-node")));
        assert_eq!(texts.tree_path.as_deref(), Some("keps/sig-node/1234-images"));
        assert_eq!(Texts::new("1234-images").tree_path, None);
        assert_eq!(Texts::new("keps/1234-images").sig(), None);
    }

    #[test]
    fn each_slot_has_one_of_three_states() {
        let mut texts = Texts::new("keps/sig-node/1-a").with(Role::Readme, file("keps/sig-node/1-a/README.md"));
        texts.fill(Role::Metadata, Slot::Unreadable);
        assert_eq!(
            (texts.readme, texts.metadata, texts.owners),
            (Slot::Read(FileId(0)), Slot::Unreadable, Slot::Absent)
        );
        assert_eq!((texts.readme.file(), texts.metadata.file()), (Some(FileId(0)), None));
    }

    #[test]
    fn documents_know_their_directories() {
        let mut texts = Texts::new("keps/sig-node/1-a");
        let near = texts.add(Role::Document, file("keps/sig-node/1-a/notes.md"));
        let far = texts.add(Role::Document, file("keps/sig-node/1-a/docs/more/notes.md"));
        assert_eq!(texts.directory_of(near).as_deref(), Some("keps/sig-node/1-a"));
        assert_eq!(texts.directory_of(far).as_deref(), Some("keps/sig-node/1-a/docs/more"));
        assert_eq!(Texts::new("1-a").with(Role::Document, file("1-a/b.md")).directory_of(near), None);
    }
}
