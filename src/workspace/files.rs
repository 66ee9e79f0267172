//! Where the files of a run come from. All that finds KEPs and reads repositories asks here, so that it is the same for
//! every source.

#[cfg(feature = "cli")]
pub mod disk;
#[cfg(feature = "cli")]
mod git;
pub(crate) mod kept;
pub mod memory;
#[cfg(feature = "cli")]
pub mod unsaved;

#[cfg(feature = "cli")]
use super::edge::Edge;
use super::paths::RealPath;
use super::walk::Walk;
use crate::diagnostic::Failure;
use crate::source::SourceFile;
use std::ffi::OsString;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A source of files, which are named by any path that leads there.
pub trait Files: Debug + Send + Sync {
    /// What is at `path`; `None` if it does not exist.
    fn kind(&self, path: &Path) -> Option<Kind>;

    /// All that is below `root`.
    fn list(&self, root: &Path) -> Walk;

    /// The names of all that is in `directory` itself, in order; none if it cannot be read.
    fn names(&self, directory: &Path) -> Vec<OsString>;

    /// `path` without links; of a dangling link, where it leads to.
    fn real(&self, path: &Path) -> RealPath;

    /// The same for a file that is directly in the directory at `real`.
    fn real_in(&self, _real: &RealPath, path: &Path) -> RealPath {
        self.real(path)
    }

    /// Where the symlink at `path`, an absolute path, leads to, as it is written; `None` if there is none.
    fn link(&self, path: &Path) -> Option<PathBuf>;

    /// Whether files in this directory may be read.
    fn holds(&self, real: &RealPath) -> bool;

    /// Reads one file of at most `most` bytes. Fails if it is larger, is none, or cannot be read.
    fn read(&self, path: &Path, most: u64) -> Result<Opened, Failure>;

    /// The same for a file that is directly in the directory at `real`.
    fn read_in(&self, _real: &RealPath, path: &Path, most: u64) -> Result<Opened, Failure> {
        self.read(path, most)
    }

    /// `keps` of the repository around the working directory, as a path from there.
    fn tree_around(&self) -> Option<PathBuf>;

    /// Whether `directory` is in a repository of its own inside `tree`: somebody may keep clones in a directory that
    /// happens to be named `keps`.
    fn is_clone_in(&self, tree: &RealPath, directory: &RealPath) -> bool;

    /// The root of the repository that a directory is in.
    fn root_around(&self, real: &RealPath) -> RealPath;

    /// The directory in which these files may be written; `None` if they are not those on disk.
    #[cfg(feature = "cli")]
    fn edge(&self) -> Option<&Edge> {
        None
    }
}

/// Files that are shared.
pub type Source = Arc<dyn Files>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Directory,
    /// A file, or anything else, such as a dangling link.
    Other,
}

/// A file that was read. Clones share the text.
#[derive(Clone, Debug)]
pub struct Opened {
    pub file: Arc<SourceFile>,
    /// Where it is.
    pub place: RealPath,
}

/// The directory; the empty path, which is the parent of a bare file name, is the current one.
pub fn or_here(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}

#[cfg(feature = "cli")]
#[cfg(test)]
mod tests {
    use super::memory::Memory;
    use super::*;
    use crate::report::json;
    use crate::rules::preset::Preset;
    use crate::workspace::discover::discover;
    use crate::workspace::project::Project;
    use crate::workspace::terms::Terms;
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
        Arc::new(memory)
    }

    /// The report of linting the KEPs that `path` means, and the failures.
    fn report(path: PathBuf, source_of: &dyn Fn(&Path) -> Source) -> String {
        let project = Project::open(Terms::default(), discover(&[path], Preset::Recommended, source_of));
        let run = project.check(None);
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
