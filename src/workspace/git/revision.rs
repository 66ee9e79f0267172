//! The files of a commit, or of git's index, as a source of files.

use super::objects::{Content, Objects};
use crate::bounds;
use crate::diagnostic::{Failure, counted};
use crate::repository::paths::by_parts;
use crate::source::SourceFile;
use crate::workspace::failure::{leads_out, too_large};
use crate::workspace::git::Git;
use crate::workspace::paths::{RealPath, normal, path_of, shown};
use crate::workspace::walk::Walk;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// All files at one point of the history, by their paths from the repository's root on.
#[derive(Debug)]
pub struct Revision {
    listing: Arc<Listing>,
    /// Why something could not be read although it should be there.
    failure: Mutex<Option<Failure>>,
}

/// What does not change while files are read.
#[derive(Debug)]
struct Listing {
    root: RealPath,
    files: BTreeMap<PathBuf, Entry>,
    directories: BTreeSet<PathBuf>,
    links: HashMap<PathBuf, PathBuf>,
    objects: Objects,
    /// For what to do if an object is missing.
    git: Git,
}

#[derive(Debug)]
struct Entry {
    mode: Mode,
    object: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    File,
    Link,
    Submodule,
}

impl Revision {
    /// The files of a commit or tree.
    pub fn of_commit(git: &Git, commit: &str) -> Result<Self, Failure> {
        let items = git.items("list the files of the base", ["ls-tree", "-r", "-z", "--full-tree", commit])?;
        // `<mode> <type> <object>\t<path>`
        Self::new(git, &items, |words| match words {
            [mode, _, object] => Some((mode, object)),
            _ => None,
        })
    }

    pub fn of_index(git: &Git) -> Result<Self, Failure> {
        let items = git.items("list what is staged", ["ls-files", "--stage", "-z"])?;
        let mut has_conflicts = false;
        // `<mode> <object> <stage>\t<path>`
        let revision = Self::new(git, &items, |words| match words {
            [mode, object, "0"] => Some((mode, object)),
            _ => {
                has_conflicts = true;
                None
            }
        })?;
        if has_conflicts {
            let failure = Failure::new("cannot check what is staged: some files have merge conflicts");
            return Err(failure.help("resolve them, and add the files with `git add`"));
        }
        Ok(revision)
    }

    fn new(
        git: &Git,
        items: &[Vec<u8>],
        mut read: impl for<'w> FnMut(&[&'w str]) -> Option<(&'w str, &'w str)>,
    ) -> Result<Self, Failure> {
        refuse_more(items.len())?;
        let mut files = Vec::new();
        for item in items {
            let Some(tab) = item.iter().position(|byte| *byte == b'\t') else { continue };
            let (head, path) = item.split_at(tab);
            let head = String::from_utf8_lossy(head);
            let words: Vec<&str> = head.split(' ').collect();
            let Some((mode, object)) = read(&words) else { continue };
            let mode = match mode {
                "120000" => Mode::Link,
                "160000" => Mode::Submodule,
                _ => Mode::File,
            };
            files.push((path_of(path.get(1..).unwrap_or_default()), Entry { mode, object: object.to_owned() }));
        }
        // Git lists them almost in the order of paths, which makes this fast.
        let files: BTreeMap<PathBuf, Entry> = files.into_iter().collect();
        let directories = directories(files.keys().map(PathBuf::as_path));
        let objects = Objects::open(git)?;
        let mut links = HashMap::new();
        for (path, entry) in files.iter().filter(|(_, entry)| entry.mode == Mode::Link) {
            match objects.read(&entry.object, bounds::PATH_BYTES) {
                Ok(Content::File(target)) => drop(links.insert(path.clone(), path_of(&target))),
                Ok(Content::TooLarge(size)) => return Err(too_large(path, size, bounds::PATH_BYTES)),
                // It is missing where it is followed.
                _ => {}
            }
        }
        let (root, git) = (git.root().clone(), git.clone());
        let listing = Arc::new(Listing { root, files, directories, links, objects, git });
        Ok(Self { listing, failure: Mutex::default() })
    }

    /// The same files, of which nothing has failed yet.
    pub fn again(&self) -> Self {
        Self { listing: Arc::clone(&self.listing), failure: Mutex::default() }
    }

    pub fn root(&self) -> &RealPath {
        &self.listing.root
    }

    /// Where the symlink at `path`, from the root on, leads to; `None` if there is none.
    pub fn link(&self, path: &Path) -> Option<&Path> {
        self.listing.links.get(path).map(PathBuf::as_path)
    }

    /// The paths of other repositories inside of this one, from its root on.
    pub fn others(&self) -> impl Iterator<Item = &Path> {
        let others = self.listing.files.iter().filter(|(_, entry)| entry.mode == Mode::Submodule);
        others.map(|(path, _)| path.as_path())
    }

    /// Whether there is a directory at `path`; `None` if there is nothing.
    pub fn is_directory(&self, path: &Path) -> Option<bool> {
        let own = self.path_inside(path)?;
        match self.resolve(&own) {
            Some(real) if self.listing.directories.contains(&real) => Some(true),
            Some(real) if self.listing.files.contains_key(&real) => Some(false),
            // A dangling link.
            _ => self.listing.files.contains_key(&own).then_some(false),
        }
    }

    pub fn list(&self, root: &Path) -> Walk {
        let mut walk = Walk::new(root, self.real(root));
        let Some(start) = self.path_inside(root).and_then(|path| self.resolve(&path)) else {
            walk.failures.push(leads_out(root, &self.listing.root));
            return walk;
        };
        let holds = |around: &RealPath| self.holds(around);
        for (path, entry) in self.below(&start) {
            let Ok(way) = path.strip_prefix(&start) else { continue };
            walk.paths.push(way.to_owned());
            if entry.mode == Mode::Link {
                match self.resolve(path).filter(|target| !self.is_in_submodule(target)) {
                    Some(target) if self.listing.directories.contains(&target) => {
                        walk.add_link(way, Some(&self.listing.root.below(&target)), holds);
                    }
                    None if self.leads_to_directory_on_disk(path) => walk.add_link(way, None, holds),
                    _ => {}
                }
            }
        }
        let inside = self.listing.directories.range(start.clone()..).take_while(|inner| inner.starts_with(&start));
        let ways = inside.filter_map(|inner| inner.strip_prefix(&start).ok());
        walk.paths.extend(ways.filter(|way| !way.as_os_str().is_empty()).map(Path::to_owned));
        walk
    }

    /// Whether a link leads to a directory on disk: of one out of the repository, or into a submodule, a commit tells nothing.
    fn leads_to_directory_on_disk(&self, link: &Path) -> bool {
        let around = self.listing.root.join(link.parent().unwrap_or(Path::new("")));
        self.link(link).is_some_and(|target| around.join(target).is_dir())
    }

    fn is_in_submodule(&self, path: &Path) -> bool {
        let is_submodule = |entry: &Entry| entry.mode == Mode::Submodule;
        path.ancestors().any(|around| self.listing.files.get(around).is_some_and(is_submodule))
    }

    /// The names of all that is in `directory` itself.
    pub fn names(&self, directory: &Path) -> Vec<OsString> {
        let Some(real) = self.path_inside(directory).and_then(|path| self.resolve(&path)) else { return Vec::new() };
        let first = |path: &Path| path.strip_prefix(&real).ok()?.iter().next().map(ToOwned::to_owned);
        self.below(&real).filter_map(|(path, _)| first(path)).collect()
    }

    /// Where `path` is. Outside of the repository, no link is known.
    pub fn real(&self, path: &Path) -> RealPath {
        match self.path_inside(path).map(|own| self.resolve(&own).unwrap_or(own)) {
            Some(real) => self.listing.root.below(&real),
            None => RealPath::assume(path),
        }
    }

    /// The same for a file that is directly in the directory at `real`.
    pub fn real_in(&self, real: &RealPath, path: &Path) -> RealPath {
        self.way_in(real, path).map_or_else(|| self.real(path), |way| self.listing.root.below(&way))
    }

    /// The way from the root on to a file that is directly in the directory at `real`, if that is sure without a look at
    /// the links.
    fn way_in(&self, real: &RealPath, path: &Path) -> Option<PathBuf> {
        let way = self.listing.root.way_to(real)?.join(path.file_name()?);
        self.listing.links.is_empty().then_some(way)
    }

    /// Whether this directory is in the repository.
    pub fn holds(&self, real: &RealPath) -> bool {
        real.starts_with(&self.listing.root)
    }

    /// Reads a file of at most `most` bytes, and says where it is. Of a file that is too large, only its size is said.
    pub fn read(&self, path: &Path, most: u64) -> Result<Result<(SourceFile, RealPath), u64>, Failure> {
        let own = self.path_inside(path).ok_or_else(|| leads_out(path, &self.listing.root))?;
        let Some(real) = self.resolve(&own) else {
            let failure = Failure::of("read", path, "dangling symlink");
            return Err(failure.help("fix the link, or put the file in its place"));
        };
        self.read_at(real, path, most)
    }

    /// The same for a file that is directly in the directory at `real`.
    pub fn read_in(
        &self,
        real: &RealPath,
        path: &Path,
        most: u64,
    ) -> Result<Result<(SourceFile, RealPath), u64>, Failure> {
        self.way_in(real, path).map_or_else(|| self.read(path, most), |way| self.read_at(way, path, most))
    }

    /// Reads the file at `real`, from the root on, where no part is a link; reports call it `path`.
    fn read_at(&self, real: PathBuf, path: &Path, most: u64) -> Result<Result<(SourceFile, RealPath), u64>, Failure> {
        let refused = |reason: &str| Failure::of("read", path, reason);
        let Some(Entry { object, mode: Mode::File }) = self.listing.files.get(&real) else {
            let is_directory = self.listing.directories.contains(&real);
            return Err(refused(if is_directory { "it is a directory" } else { "no such file" }));
        };
        match self.listing.objects.read(object, most) {
            Ok(Content::File(bytes)) => {
                Ok(Ok((SourceFile::decode(shown(path), bytes), self.listing.root.below(&real))))
            }
            Ok(Content::TooLarge(size)) => Ok(Err(size)),
            Ok(Content::Missing) => {
                let failure = refused(&format!("this clone does not have object {object}"));
                Err(self.broken(failure.help(format!("get it with `{}`", self.listing.git.refetch()))))
            }
            Err(_) => Err(self.broken(refused("`git cat-file --batch` has ended"))),
        }
    }

    /// Why something could not be read although the commit has it, if that happened.
    pub fn failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn broken(&self, failure: Failure) -> Failure {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure).clone()
    }

    /// The files below a directory, by path.
    fn below(&self, directory: &Path) -> impl Iterator<Item = (&Path, &Entry)> {
        let directory = directory.to_owned();
        let files = self.listing.files.range(directory.clone()..).map(|(path, entry)| (path.as_path(), entry));
        files.take_while(move |(path, _)| path.starts_with(&directory))
    }

    fn path_inside(&self, path: &Path) -> Option<PathBuf> {
        from_root(&self.listing.root, path)
    }

    /// Follows the links in a path from the root on; `None` if they lead out, or in a circle.
    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let mut path = path.to_owned();
        for _ in 0..bounds::FOLLOWED_LINKS {
            let link = if self.listing.links.is_empty() {
                None
            } else {
                path.ancestors().find(|part| self.listing.links.contains_key(*part))
            };
            let Some(link) = link.map(Path::to_owned) else { return Some(path) };
            let rest = path.strip_prefix(&link).ok()?.to_owned();
            let target = self.listing.links.get(&link)?;
            // An absolute target may be inside, too.
            let target = if target.is_absolute() {
                target.strip_prefix(&self.listing.root).ok()?.to_owned()
            } else {
                link.parent()?.join(target)
            };
            path = inside(&target.join(rest))?;
        }
        None
    }
}

/// Fails for a commit of too many files.
fn refuse_more(files: usize) -> Result<(), Failure> {
    if files <= bounds::REVISION_FILES {
        return Ok(());
    }
    let most = counted(bounds::REVISION_FILES, "file", "files");
    Err(Failure::new(format!("cannot list the repository: it has more than {most}")))
}

/// `path` from the repository's root on, without `.` and `..`.
pub fn from_root(root: &RealPath, path: &Path) -> Option<PathBuf> {
    let way = normal(&env::current_dir().map_or_else(|_| path.to_owned(), |here| here.join(path)));
    if let Ok(own) = way.strip_prefix(root) {
        return Some(own.to_owned());
    }
    // The way to the repository may have links.
    let around = way.ancestors().find(|around| RealPath::canonical(around).is_ok_and(|real| real == *root))?;
    way.strip_prefix(around).ok().map(Path::to_owned)
}

/// The directories that these files are in.
fn directories<'a>(files: impl Iterator<Item = &'a Path>) -> BTreeSet<PathBuf> {
    let mut known: HashSet<&OsStr> = HashSet::new();
    let mut directories: Vec<&Path> = Vec::new();
    for path in files {
        // Those around a known directory are known.
        directories.extend(path.ancestors().skip(1).take_while(|directory| known.insert(directory.as_os_str())));
    }
    directories.sort_by(|one, other| by_parts(one, other));
    directories.into_iter().map(Path::to_owned).collect()
}

/// A path from the root on without `.` and `..`; `None` if it leads out.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::ParentDir if normal.pop() => {}
            _ => return None,
        }
    }
    Some(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_has_so_many_files() {
        assert_eq!(refuse_more(bounds::REVISION_FILES), Ok(()));
        let refused = refuse_more(bounds::REVISION_FILES + 1).expect_err("it is one more");
        assert_eq!(refused.message, "cannot list the repository: it has more than 1000000 files");
    }
}
