//! What was read of a KEP's directory: its files by the role that they have in it.

use crate::source::SourceFile;
use crate::span::FileId;
use std::sync::Arc;

/// What a file is to its KEP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// README.md.
    Readme,
    /// kep.yaml.
    Metadata,
    /// OWNERS.
    Owners,
    /// Another Markdown file in the KEP's directory or below it.
    Document,
}

/// The file of a role that only one file can have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slot {
    /// There is no such file.
    #[default]
    Absent,
    /// There is one, which could not be read.
    Unreadable,
    /// There is one, and this is it.
    Read(FileId),
}

impl Slot {
    /// The file, if it was read.
    pub fn file(self) -> Option<FileId> {
        match self {
            Self::Read(file) => Some(file),
            Self::Absent | Self::Unreadable => None,
        }
    }
}

/// The files of a KEP. Clones share the texts.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The directory as given on the command line plus the rest, with `/`.
    pub directory: String,
    /// The directory's own name.
    pub name: String,
    /// The directory from `keps` on, with `/`, if it is below one of that name.
    pub tree_path: Option<String>,
    /// README.md.
    pub readme: Slot,
    /// kep.yaml.
    pub metadata: Slot,
    /// OWNERS.
    pub owners: Slot,
    /// The other Markdown files.
    pub documents: Vec<FileId>,
    /// All files; `FileId(n)` is `files[n]`.
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
        Self { directory, name, tree_path, ..Self::default() }
    }

    /// The same with a file.
    #[must_use]
    pub fn with(mut self, role: Role, file: SourceFile) -> Self {
        self.add(role, file);
        self
    }

    /// Adds a file. One of a role that another one has takes its place.
    pub fn add(&mut self, role: Role, file: SourceFile) -> FileId {
        let id = self.push(Arc::new(file));
        match role {
            Role::Document => self.documents.push(id),
            _ => self.fill(role, Slot::Read(id)),
        }
        id
    }

    /// Notes that the file of a role is there, but could not be read.
    pub fn miss(&mut self, role: Role) {
        self.fill(role, Slot::Unreadable);
    }

    fn fill(&mut self, role: Role, slot: Slot) {
        match role {
            Role::Readme => self.readme = slot,
            Role::Metadata => self.metadata = slot,
            Role::Owners => self.owners = slot,
            Role::Document => {}
        }
    }

    /// Adds a file that has no role in the directory: a PRR file.
    pub fn push(&mut self, file: Arc<SourceFile>) -> FileId {
        let id = FileId::at(self.files.len());
        self.files.push(file);
        id
    }

    /// The directory of its SIG.
    pub fn sig(&self) -> Option<&str> {
        self.tree_path.as_ref()?.split('/').nth(1)
    }

    /// The directory of one of its files from `keps` on, if that is known.
    pub fn directory_of(&self, file: FileId) -> Option<String> {
        let path = &self.file(file).path;
        let below = path.strip_prefix(&self.directory).unwrap_or(path).trim_start_matches('/');
        let way = below.rsplit_once('/').map(|(way, _)| way);
        let own = self.tree_path.as_ref()?;
        Some(way.map_or_else(|| own.clone(), |way| format!("{own}/{way}")))
    }

    /// The file of an id that these texts gave out.
    #[expect(clippy::indexing_slicing, reason = "an id is a place in the list that it came from, which never shrinks")]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The files with their ids.
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
    fn a_directory_tells_name_sig_and_the_way_from_keps_on() {
        let texts = Texts::new("here/keps/sig-node/1234-images");
        assert_eq!((texts.name.as_str(), texts.sig()), ("1234-images", Some("sig-node")));
        assert_eq!(texts.tree_path.as_deref(), Some("keps/sig-node/1234-images"));
        assert_eq!(Texts::new("1234-images").tree_path, None);
    }

    #[test]
    fn each_slot_has_three_states() {
        let mut texts = Texts::new("keps/sig-node/1-a").with(Role::Readme, file("keps/sig-node/1-a/README.md"));
        texts.miss(Role::Metadata);
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
