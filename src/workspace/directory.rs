//! The directory of a KEP.

use super::files::Source;
use super::files::opened::{Kind, Opened, or_here};
use super::paths::{RealPath, joined, shown};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::kep::directory::KepFiles;
use crate::kep::front_matter::of_document;
use crate::kep::layout::TREE;
use crate::source::SourceFile;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct KepDirectory {
    pub given: PathBuf,
    pub shown: String,
    pub name: String,
    pub files: KepFiles,
    /// Where its directory is, by which it is known.
    pub real: RealPath,
    /// The same from the directory of the configuration file on, if there is one.
    pub from_config: Option<String>,
    /// Whether it was found by looking through a directory around it.
    pub is_searched: bool,
    /// Whether it is no KEP, but another directory with files that upstream's scripts look at.
    pub is_loose: bool,
    pub source: Source,
    /// The tree of KEPs that it is in, and the way from there.
    tree: Option<(RealPath, PathBuf)>,
}

impl KepDirectory {
    /// The KEP with these files in `directory`, which is at `real`.
    pub fn new(files: KepFiles, directory: &Path, real: RealPath, source: &Source) -> Self {
        Self::in_tree(source.tree_of(&real), files, directory, real, source)
    }

    /// The same in this tree.
    pub fn in_tree(tree: Option<RealPath>, files: KepFiles, directory: &Path, real: RealPath, source: &Source) -> Self {
        let way = tree.as_ref().and_then(|tree| tree.way_to(&real)).map(Path::to_owned);
        Self {
            given: or_here(directory).to_owned(),
            shown: shown(or_here(directory)),
            name: real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            files,
            real,
            from_config: None,
            is_searched: false,
            is_loose: false,
            source: source.clone(),
            tree: tree.zip(way),
        }
    }

    /// kep.yaml, or the metadata at the top of the document, if there is any.
    pub fn metadata(&self) -> Option<Result<Opened, Failure>> {
        let opened = self.read(self.metadata_file()?);
        if !self.source.layout().has_front_matter() {
            return Some(opened);
        }
        Some(match opened {
            Ok(Opened { file, place }) => {
                let front = SourceFile::decode(file.path.clone(), of_document(&file.text)?.into());
                Ok(Opened { file: Arc::new(front), place })
            }
            Err(failure) => Err(failure),
        })
    }

    /// The file that says what the KEP is: kep.yaml, or a document with front matter.
    pub fn metadata_file(&self) -> Option<&PathBuf> {
        let is_front_matter = self.source.layout().has_front_matter();
        if is_front_matter { &self.files.readme } else { &self.files.metadata }.as_ref()
    }

    pub fn read(&self, path: &Path) -> Result<Opened, Failure> {
        match self.plain_place(path) {
            Some(place) => self.source.read_at(place, path, bounds::FILE_BYTES),
            None => self.source.read(path, bounds::FILE_BYTES),
        }
    }

    pub fn place_of(&self, path: &Path) -> RealPath {
        self.plain_place(path).unwrap_or_else(|| self.source.real(path))
    }

    /// Where a file directly in its directory is, unless it is a link. A few thousand links that are not looked for make a run
    /// over a whole tree faster.
    fn plain_place(&self, path: &Path) -> Option<RealPath> {
        if path.parent() != Some(&self.given) {
            return None;
        }
        let place = self.real.below(Path::new(path.file_name()?));
        if self.source.is_plain(&place) { Some(place) } else { None }
    }

    /// Whether one of its files is at `place`, or a link to it.
    pub fn has_file_at(&self, place: &RealPath) -> bool {
        let KepFiles { readme, metadata, documents, .. } = &self.files;
        [readme, metadata].into_iter().flatten().chain(documents).any(|path| self.place_of(path) == *place)
    }

    /// Whether it is certain to be a KEP, by its kep.yaml or its tree. What is named may be any README.
    pub fn has_place(&self) -> bool {
        self.files.metadata.is_some() || self.tree().is_some_and(|(tree, _)| !self.source.is_clone_in(tree, &self.real))
    }

    /// The tree of KEPs that it is in, and the way from there.
    pub fn tree(&self) -> Option<(&RealPath, &Path)> {
        self.tree.as_ref().map(|(tree, way)| (tree, way.as_path()))
    }

    /// Its number, by its path.
    pub fn number(&self) -> Option<String> {
        let path = self.tree_path().unwrap_or_else(|| self.name.clone());
        self.source.layout().number(&path).map(str::to_owned)
    }

    /// The tree that it is in as the user would write it.
    pub fn given_tree(&self) -> Option<PathBuf> {
        let (root, way) = self.tree()?;
        let given = &self.given;
        if given.ends_with(way) {
            return Some(or_here(given.ancestors().nth(way.components().count()).unwrap_or(root)).to_owned());
        }
        let is_up = |component: Component<'_>| matches!(component, Component::CurDir | Component::ParentDir);
        if !given.components().all(is_up) {
            return Some(root.clone().into());
        }
        let ups = given.components().filter(|up| *up != Component::CurDir).map(Component::as_os_str);
        Some(ups.chain(way.iter().map(|_| OsStr::new(".."))).collect())
    }

    /// Its path from `keps` on, with `/` on every system.
    pub fn tree_path(&self) -> Option<String> {
        self.tree().map(|(_, way)| shown(&joined(Path::new(self.source.layout().tree()), way)))
    }
}

/// Whether a directory is the root of a repository, whose README is about the repository.
pub fn is_root(directory: &Path, source: &Source) -> bool {
    source.kind(&directory.join(TREE)) == Some(Kind::Directory) || source.kind(&directory.join(".git")).is_some()
}

/// The files of the directories around one, up to `keps`.
pub fn around(directory: &RealPath, source: &Source) -> impl Iterator<Item = (PathBuf, KepFiles)> {
    let tree = source.tree_of(directory);
    let above = directory.ancestors().skip(1).take_while(|around| source.holds(around));
    let inside = above.take_while(move |around| tree.as_ref().is_some_and(|tree| around.starts_with(tree)));
    inside.map(move |around| (around.clone().into(), list(&around, source)))
}

pub fn list(directory: &Path, source: &Source) -> KepFiles {
    let mut files = KepFiles::default();
    source.names(directory).iter().for_each(|name| files.add(directory.join(name), source.layout()));
    files
}
