//! Where the files of a run come from. All that finds KEPs and reads repositories asks here, so that it is the same for
//! every source.

use super::bounds;
use super::edge::{self, Edge, Unresolved};
use super::failure::{self, leads_out};
use super::git::revision::Revision;
use super::paths::shown;
use super::unsaved::{self, Unsaved};
use super::walk::Walk;
use crate::diagnostic::Failure;
use crate::repository::memory::Memory;
use crate::source::SourceFile;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A source of files.
#[derive(Clone, Debug)]
pub enum Source {
    /// The files on disk within an edge.
    Disk(Arc<Edge>),
    /// The same, but for the text of one file.
    Unsaved(Arc<Unsaved>),
    /// The files of a commit, or of git's index.
    Git(Arc<Revision>),
    /// Files in memory. Their paths are relative, and none of them is a link.
    #[cfg_attr(not(test), expect(dead_code, reason = "so far, only tests have KEPs that are not on disk"))]
    Memory(Arc<Memory>),
}

/// What a path is, after links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A directory.
    Directory,
    /// A file, or anything else, such as a dangling link.
    Other,
}

/// A file that was read.
#[derive(Debug)]
pub struct Opened {
    /// Its text.
    pub file: SourceFile,
    /// Where it is, without links.
    pub place: PathBuf,
}

impl Source {
    /// The files of the repository around a path of the command line.
    pub fn disk(path: &Path) -> Self {
        Self::Disk(Arc::new(Edge::around(path)))
    }

    /// What is at `path`; `None` if it does not exist.
    pub fn kind(&self, path: &Path) -> Option<Kind> {
        let path = or_here(path);
        match self {
            Self::Unsaved(unsaved) if unsaved.is_at(path) => Some(Kind::Other),
            Self::Unsaved(unsaved) if unsaved.is_below(path) => Some(Kind::Directory),
            Self::Disk(_) | Self::Unsaved(_) if path.is_dir() => Some(Kind::Directory),
            Self::Disk(_) | Self::Unsaved(_) => path.symlink_metadata().ok().map(|_| Kind::Other),
            Self::Git(revision) => match revision.is_directory(path)? {
                true => Some(Kind::Directory),
                false => Some(Kind::Other),
            },
            Self::Memory(memory) if memory.file(path).is_some() => Some(Kind::Other),
            Self::Memory(memory) => memory.below(path).next().map(|_| Kind::Directory),
        }
    }

    /// All that is below `root`.
    pub fn list(&self, root: &Path) -> Walk {
        match self {
            Self::Disk(edge) => Walk::over(root, edge),
            Self::Unsaved(unsaved) => unsaved.list(root),
            Self::Git(revision) => revision.list(root),
            Self::Memory(memory) => Walk::of(root, memory.below(root)),
        }
    }

    /// The names of all that is in `directory` itself, in order; none if it cannot be read.
    pub fn names(&self, directory: &Path) -> Vec<OsString> {
        let directory = or_here(directory);
        let mut names: Vec<OsString> = match self {
            Self::Disk(_) => names_on_disk(directory).collect(),
            Self::Unsaved(unsaved) => names_on_disk(directory).chain(unsaved.name_in(directory)).collect(),
            Self::Git(revision) => revision.names(directory),
            Self::Memory(memory) => {
                let own = memory.below(directory).filter_map(|path| path.iter().next());
                own.map(ToOwned::to_owned).collect()
            }
        };
        names.sort();
        names.dedup();
        names
    }

    /// `path` without links; of a dangling link, where it leads to.
    pub fn real(&self, path: &Path) -> PathBuf {
        let path = or_here(path);
        match self {
            Self::Disk(_) => edge::followed(path),
            Self::Unsaved(_) => unsaved::real(path),
            Self::Git(revision) => revision.real(path),
            Self::Memory(_) => path.strip_prefix(".").unwrap_or(path).to_owned(),
        }
    }

    /// Where the symlink at `path`, an absolute path, leads to, as it is written; `None` if there is none.
    pub fn link(&self, path: &Path) -> Option<PathBuf> {
        match self {
            Self::Disk(_) | Self::Unsaved(_) => path.read_link().ok(),
            Self::Git(revision) => revision.link(path.strip_prefix(revision.root()).ok()?).map(Path::to_owned),
            Self::Memory(_) => None,
        }
    }

    /// Whether files in this directory, a path without links, may be read.
    pub fn holds(&self, real: &Path) -> bool {
        match self {
            Self::Disk(edge) => edge.holds(real),
            Self::Unsaved(unsaved) => unsaved.edge.holds(real),
            Self::Git(revision) => revision.holds(real),
            Self::Memory(_) => true,
        }
    }

    /// Reads one file of at most `most` bytes, which is directly in a directory that is at `real` without links.
    pub fn read_in(&self, real: &Path, path: &Path, most: u64) -> Result<Opened, Failure> {
        match (self, path.file_name()) {
            (Self::Disk(edge), Some(name)) if edge.holds(real) => {
                let place = real.join(name);
                // A few thousand links that are not looked for make a run over a whole tree faster.
                match place.symlink_metadata().ok().filter(Metadata::is_file) {
                    Some(metadata) => read_regular(path, place, &metadata, most),
                    None => read(path, edge, most),
                }
            }
            _ => self.read(path, most),
        }
    }

    /// Reads one file of at most `most` bytes.
    pub fn read(&self, path: &Path, most: u64) -> Result<Opened, Failure> {
        match self {
            Self::Disk(edge) => read(path, edge, most),
            Self::Unsaved(unsaved) if !unsaved.is_at(path) => read(path, &unsaved.edge, most),
            Self::Unsaved(unsaved) => match unsaved.bytes.len() as u64 {
                size if size > most => Err(too_large(path, size, most)),
                _ => Ok(Opened {
                    file: SourceFile::decode(shown(path), unsaved.bytes.clone()),
                    place: unsaved::real(path),
                }),
            },
            Self::Git(revision) => match revision.read(path, most)? {
                Ok((file, place)) => Ok(Opened { file, place }),
                Err(size) => Err(too_large(path, size, most)),
            },
            Self::Memory(memory) => match memory.file(path) {
                Some(file) if file.text.len() as u64 > most => Err(too_large(path, file.text.len() as u64, most)),
                Some(file) => Ok(Opened { file: file.clone(), place: path.to_owned() }),
                None => Err(Failure::of("read", path, "no such file")),
            },
        }
    }
}

/// The directory; the empty path, which is the parent of a bare file name, is the current one.
pub fn or_here(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}

fn names_on_disk(directory: &Path) -> impl Iterator<Item = OsString> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    entries.take(bounds::WALK_ENTRIES).map(|entry| entry.file_name())
}

/// Reads a file on disk.
fn read(path: &Path, edge: &Edge, most: u64) -> Result<Opened, Failure> {
    let place = edge.resolve(path).map_err(|unresolved| match unresolved {
        Unresolved::Outside(root) => leads_out(path, &root),
        Unresolved::Broken(_) if path.is_symlink() => {
            Failure::of("read", path, "dangling symlink").help("fix the link, or put the file in its place")
        }
        Unresolved::Broken(error) => failure::io("read", path, &error),
    })?;
    let metadata = fs::metadata(&place).map_err(|error| failure::io("read", path, &error))?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "it is a directory" } else { "not a regular file" };
        return Err(Failure::of("read", path, what).help("put a file in its place"));
    }
    read_regular(path, place, &metadata, most)
}

/// Reads the regular file that is at `place` without links.
fn read_regular(path: &Path, place: PathBuf, metadata: &Metadata, most: u64) -> Result<Opened, Failure> {
    let failed = |error: &std::io::Error| failure::io("read", path, error);
    if metadata.len() > most {
        return Err(too_large(path, metadata.len(), most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    let file = File::open(&place).map_err(|error| failed(&error))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    // It may have grown, or be of a kind that has no length before it is read.
    if bytes.len() as u64 > most {
        return Err(too_large(path, most + 1, most));
    }
    Ok(Opened { file: SourceFile::decode(shown(path), bytes), place })
}

fn too_large(path: &Path, size: u64, most: u64) -> Failure {
    let failure = Failure::of("read", path, &format!("it has {}", bounds::size(size)));
    failure.help(format!("reduce it to at most {}", bounds::size(most)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{Linter, Options, Workspace, run};
    use crate::report::json;
    use crate::rules::preset::Preset;
    use crate::template::Template;
    use crate::workspace::{discover, kep_files, trees};
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
        Source::Memory(Arc::new(memory))
    }

    /// The report of linting the KEPs that `path` means, and the failures.
    fn report(path: PathBuf, source_of: &dyn Fn(&Path) -> Source) -> String {
        let discover::Discovery { keps, walks, skipped, failures, .. } =
            discover::discover(&[path], Preset::Recommended, source_of);
        let repositories = trees::collect(&keps, &walks, trees::Extent::Whole);
        let check = |linter: &Linter<'_>| {
            let check = |kep| linter.check(&kep_files::read_kep(kep).texts, repositories.of(kep));
            keps.iter().map(check).collect()
        };
        let template = Template::built_in();
        let workspace = Workspace {
            template: &template,
            prefers_own: true,
            repositories: repositories.iter().collect(),
            keps: Box::new(check),
            documents: Box::new(|path| repositories.document(path)),
        };
        let run = run(&workspace, &Options::default());
        format!("{}{skipped} {failures:?} {:?}", json::render(&run), repositories.failures)
    }

    #[test]
    fn every_source_has_the_same_findings() {
        let memory = memory();
        for path in ["", "keps", "keps/sig-node", "keps/prod-readiness", "OWNERS_ALIASES", "nowhere"] {
            let path = Path::new(TREE).join(path);
            let in_memory = report(path.clone(), &|_| memory.clone());
            assert_eq!(in_memory, report(path.clone(), &Source::disk), "{}", path.display());
        }
        let whole = report(PathBuf::from(TREE), &|_| memory.clone());
        assert!(whole.contains("feature-gate-mismatch"), "{whole}");
    }

    #[test]
    fn a_file_in_memory_may_be_too_large() {
        let path = Path::new(TREE).join("OWNERS_ALIASES");
        let message = |source: &Source| source.read(&path, 100).map(drop).map_err(|failure| failure.message);
        assert_eq!(message(&memory()), message(&Source::disk(&path)));
        assert!(message(&memory()).is_err());
    }
}
