//! Where the files of a run come from. All that finds KEPs and reads repositories asks here, so that it is
//! the same for files on disk, of a commit, of git's index, and in memory.

#[cfg(feature = "cli")]
pub mod disk;
pub(crate) mod listed;
pub mod memory;
pub mod opened;
mod unsaved;

use self::listed::Listed;
use self::opened::{Kind, Opened, Texts, or_here};
#[cfg(feature = "cli")]
use super::edge::{self, Edge};
use super::paths::{RealPath, tree_of};
use super::walk::Walk;
use crate::diagnostic::Failure;
use crate::kep::layout::Layout;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The files of a repository, which are named by any path that leads there. The texts of an editor are in
/// the place of those that some of them have.
#[derive(Debug)]
pub struct Tree {
    files: Files,
    texts: RwLock<Texts>,
    /// How its proposals lie, once that is known.
    layout: OnceLock<Layout>,
}

#[derive(Debug)]
enum Files {
    #[cfg(feature = "cli")]
    Disk(Edge),
    Listed(Box<Listed>),
}

pub type Source = Arc<Tree>;

/// The same files, of which it is known how the proposals in them lie.
pub fn laid_out(source: Source, layout: &Layout) -> Source {
    source.lay_out(layout);
    source
}

impl From<Listed> for Tree {
    fn from(files: Listed) -> Self {
        Self { files: Files::Listed(Box::new(files)), texts: RwLock::default(), layout: OnceLock::new() }
    }
}

impl Tree {
    /// The files on disk in the repository around a path of the command line.
    #[cfg(feature = "cli")]
    pub fn around(path: &Path) -> Self {
        Self { files: Files::Disk(Edge::around(path)), texts: RwLock::default(), layout: OnceLock::new() }
    }

    /// Says how the proposals in it lie, which is that of KEPs if nobody says it before it is asked.
    pub fn lay_out(&self, layout: &Layout) {
        self.layout.get_or_init(|| layout.clone());
    }

    pub fn layout(&self) -> &Layout {
        self.layout.get_or_init(Layout::default)
    }

    /// What is at `path`; `None` if it does not exist.
    pub fn kind(&self, path: &Path) -> Option<Kind> {
        let path = or_here(path);
        let texts = self.texts();
        let unsaved = if texts.is_empty() { None } else { texts.kind(&self.real(path)) };
        unsaved.or_else(|| self.own_kind(path))
    }

    /// The same without the texts of an editor.
    fn own_kind(&self, path: &Path) -> Option<Kind> {
        match &self.files {
            #[cfg(feature = "cli")]
            Files::Disk(_) => disk::kind(path),
            Files::Listed(files) => files.kind(path),
        }
    }

    /// All that is below `root`, in order.
    pub fn list(&self, root: &Path) -> Walk {
        let texts = self.texts();
        let is_there = texts.is_empty() || self.own_kind(or_here(root)).is_some();
        let mut walk = match &self.files {
            _ if !is_there => Walk::new(root, self.real(root)),
            #[cfg(feature = "cli")]
            Files::Disk(edge) => disk::list(root, edge),
            Files::Listed(files) => files.list(root),
        };
        for place in texts.places().filter(|place| self.own_kind(place).is_none()) {
            if let Ok(way) = place.strip_prefix(walk.root.clone()) {
                walk.insert(way);
                walk.sort();
            }
        }
        walk
    }

    /// The names of all that is in `directory` itself, in order; none if it cannot be read.
    pub fn names(&self, directory: &Path) -> Vec<OsString> {
        let directory = or_here(directory);
        let mut names = match &self.files {
            #[cfg(feature = "cli")]
            Files::Disk(_) => disk::names(directory),
            Files::Listed(files) => files.names(directory),
        };
        let texts = self.texts();
        if !texts.is_empty() {
            names.extend(texts.names(&self.real(directory)));
        }
        names.sort();
        names.dedup();
        names
    }

    /// `path` without links; of a dangling link, where it leads to.
    pub fn real(&self, path: &Path) -> RealPath {
        match &self.files {
            #[cfg(feature = "cli")]
            Files::Disk(_) => edge::followed(or_here(path)),
            Files::Listed(files) => files.real(or_here(path)),
        }
    }

    /// Whether the file, of which only the last part may be a link, is none and may be read.
    pub fn is_plain(&self, place: &RealPath) -> bool {
        let is_plain = match &self.files {
            #[cfg(feature = "cli")]
            Files::Disk(_) => place.symlink_metadata().is_ok_and(|metadata| metadata.is_file()),
            Files::Listed(files) => files.is_plain(place),
        };
        is_plain && self.holds(place)
    }

    /// Whether files in this directory may be read.
    pub fn holds(&self, real: &RealPath) -> bool {
        match &self.files {
            #[cfg(feature = "cli")]
            Files::Disk(edge) => edge.holds(real),
            Files::Listed(files) => files.holds(real),
        }
    }

    /// Reads one file of at most `most` bytes. Fails if it is larger, is none, or cannot be read.
    pub fn read(&self, path: &Path, most: u64) -> Result<Opened, Failure> {
        let unsaved = if self.texts().is_empty() { None } else { Some(self.real(path)) };
        if let Some(place) = unsaved.filter(|place| self.texts().at(place).is_some()) {
            return self.read_at(place, path, most);
        }
        let place = match &self.files {
            #[cfg(feature = "cli")]
            Files::Disk(edge) => disk::place(path, edge)?,
            Files::Listed(files) => files.place(path)?,
        };
        self.read_at(place, path, most)
    }

    /// The same for the file at `place`, of which no part is a link.
    pub fn read_at(&self, place: RealPath, path: &Path, most: u64) -> Result<Opened, Failure> {
        if let Some(bytes) = self.texts().at(&place) {
            return Opened::of(path, place, bytes.to_vec(), most);
        }
        match &self.files {
            #[cfg(feature = "cli")]
            Files::Disk(_) => disk::read_at(place, path, most),
            Files::Listed(files) => files.read_at(place, path, most),
        }
    }

    /// The tree of KEPs that a directory is in or is itself, see [`tree_of`].
    pub fn tree_of(&self, directory: &RealPath) -> Option<RealPath> {
        tree_of(directory, self.layout(), |around| self.holds(around))
    }

    /// `keps` of the repository, as a path from the working directory in it.
    pub fn tree_around(&self) -> Option<PathBuf> {
        self.tree_from(Path::new("."))
    }

    /// The same from another directory in it.
    pub fn tree_from(&self, here: &Path) -> Option<PathBuf> {
        let here = self.real(here);
        let root = self.root_around(&here);
        let up: PathBuf = root.way_to(&here)?.iter().map(|_| "..").collect();
        let tree = self.layout().tree();
        let is_there = self.kind(&root.join(tree)) == Some(Kind::Directory);
        if is_there { Some(up.join(tree)) } else { None }
    }

    /// Whether `directory` is in a repository of its own inside `tree`: somebody may keep clones in a
    /// directory that happens to be named `keps`.
    #[cfg_attr(not(feature = "cli"), expect(unused_variables, reason = "nothing is cloned into memory"))]
    pub fn is_clone_in(&self, tree: &RealPath, directory: &RealPath) -> bool {
        #[cfg(feature = "cli")]
        if !self.is_in_memory() {
            return edge::is_clone_in(tree, directory);
        }
        false
    }

    /// The root of the repository that a directory is in.
    #[cfg_attr(not(feature = "cli"), expect(unused_variables, reason = "all is in one repository"))]
    pub fn root_around(&self, real: &RealPath) -> RealPath {
        #[cfg(feature = "cli")]
        if !self.is_in_memory() {
            return Edge::around(real).root().clone();
        }
        RealPath::default()
    }

    #[cfg(feature = "cli")]
    fn is_in_memory(&self) -> bool {
        matches!(&self.files, Files::Listed(files) if files.is_in_memory())
    }

    /// The directory in which these files may be written; `None` if they are not those on disk.
    #[cfg(feature = "cli")]
    pub fn edge(&self) -> Option<&Edge> {
        match &self.files {
            Files::Disk(edge) if self.texts().is_empty() => Some(edge),
            _ => None,
        }
    }

    /// The paths of other repositories inside of this one, from its root on, as git names them.
    pub fn submodules(&self) -> impl Iterator<Item = &Path> {
        self.listed().into_iter().flat_map(Listed::submodules)
    }

    /// Why something could not be read although git should have it, if that happened.
    #[cfg(feature = "cli")]
    pub fn failure(&self) -> Option<Failure> {
        self.listed()?.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn texts(&self) -> RwLockReadGuard<'_, Texts> {
        self.texts.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn texts_mut(&self) -> RwLockWriteGuard<'_, Texts> {
        self.texts.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn root(&self) -> &RealPath {
        match &self.files {
            #[cfg(feature = "cli")]
            Files::Disk(edge) => edge.root(),
            Files::Listed(files) => &files.root,
        }
    }

    fn listed(&self) -> Option<&Listed> {
        match &self.files {
            #[cfg(feature = "cli")]
            Files::Disk(_) => None,
            Files::Listed(files) => Some(files),
        }
    }
}

#[cfg(feature = "cli")]
#[cfg(test)]
mod tests {
    use super::memory::Memory;
    use super::*;
    use crate::report::json;
    use crate::rules::preset::Preset;
    use crate::workspace::discover::discover;
    use crate::workspace::project::{Project, Terms};
    use std::fs;
    use walkdir::WalkDir;

    /// A tree with KEPs, documents in and beside them, PRR files and aliases.
    const TREE: &str = "fixtures/sample";

    fn memory() -> Source {
        let mut memory = Memory::default();
        let files = WalkDir::new(TREE).into_iter().map(|entry| entry.expect("the sample is readable"));
        for file in files.filter(|entry| entry.file_type().is_file()) {
            let path = file.path().to_str().expect("the paths of the sample are UTF-8");
            memory.insert(path, fs::read(path).expect("the sample is readable"));
        }
        Arc::new(memory.into())
    }

    /// The report of linting the KEPs that `path` means, and the failures.
    fn report(path: PathBuf, source_of: &dyn Fn(&Path) -> Source) -> String {
        let project = Project::open(Terms::default(), discover(&[path], Preset::Recommended, source_of));
        let run = project.check();
        format!("{}{} {:?}", json::render(&run), project.skipped, run.failures)
    }

    #[test]
    fn every_source_has_the_same_findings() {
        let memory = memory();
        for path in ["", "keps", "keps/sig-node", "keps/prod-readiness", "OWNERS_ALIASES", "nowhere"] {
            let path = Path::new(TREE).join(path);
            let in_memory = report(path.clone(), &|_| memory.clone());
            assert_eq!(in_memory, report(path.clone(), &disk::around), "{}", path.display());
        }
        let whole = report(PathBuf::from(TREE), &|_| memory.clone());
        assert!(whole.contains("feature-gate-mismatch"), "{whole}");
    }

    #[test]
    fn a_file_in_memory_may_be_too_large() {
        let path = Path::new(TREE).join("OWNERS_ALIASES");
        let message = |source: &Source| source.read(&path, 100).map(drop).map_err(|failure| failure.message);
        assert_eq!(message(&memory()), message(&disk::around(&path)));
        assert!(message(&memory()).is_err());
    }
}
