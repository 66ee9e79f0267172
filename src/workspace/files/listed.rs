//! Files of which all paths are known: those of a commit, of git's index, and in memory.

use super::opened::{Kind, Opened};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::source::SourceFile;
#[cfg(feature = "cli")]
use crate::workspace::edge::from_root;
use crate::workspace::failure::{dangling, leads_out, too_large};
#[cfg(feature = "cli")]
use crate::workspace::git::{Git, objects::Content};
use crate::workspace::paths::{RealPath, normal, way};
use crate::workspace::walk::Walk;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::ops::Bound;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "cli")]
use std::sync::{Mutex, PoisonError};

/// The files of a repository by their paths from its root on.
#[derive(Debug, Default)]
pub struct Listed {
    /// Empty if the files are in memory.
    pub root: RealPath,
    pub entries: BTreeMap<PathBuf, Entry>,
    pub links: HashMap<PathBuf, PathBuf>,
    /// What has the texts of objects.
    #[cfg(feature = "cli")]
    pub git: Option<Git>,
    /// Why an object could not be read although git should have it.
    #[cfg(feature = "cli")]
    pub failure: Mutex<Option<Failure>>,
}

#[derive(Debug)]
pub enum Entry {
    Text(Arc<SourceFile>),
    /// A file in git, by the name of its object.
    Object(String),
    Link,
    Submodule,
}

impl Listed {
    pub fn is_in_memory(&self) -> bool {
        self.root.as_os_str().is_empty()
    }

    pub fn is_plain(&self, place: &RealPath) -> bool {
        self.root.way_to(place).is_some_and(|way| !self.links.contains_key(way))
    }

    pub fn submodules(&self) -> impl Iterator<Item = &Path> {
        let submodules = self.entries.iter().filter(|(_, entry)| matches!(entry, Entry::Submodule));
        submodules.map(|(path, _)| path.as_path())
    }

    pub fn kind(&self, path: &Path) -> Option<Kind> {
        let own = self.way_to(path)?;
        match self.resolve(&own) {
            Some(real) if self.is_directory(&real) => Some(Kind::Directory),
            Some(real) if self.entries.contains_key(&real) => Some(Kind::Other),
            // A dangling link.
            _ => self.entries.get(&own).map(|_| Kind::Other),
        }
    }

    pub fn list(&self, root: &Path) -> Walk {
        let mut walk = Walk::new(root, self.real(root));
        let Some(start) = self.way_to(root).and_then(|path| self.resolve(&path)) else {
            walk.failures.push(leads_out(root, &self.root));
            return walk;
        };
        let holds = |place: &RealPath| self.holds(place);
        let mut known: HashSet<&OsStr> = HashSet::from([OsStr::new("")]);
        for (path, way, entry) in self.below(&start) {
            // Those around a known directory are known.
            let around = way.ancestors().skip(1).take_while(|directory| known.insert(directory.as_os_str()));
            walk.paths.extend(around.map(Path::to_owned));
            walk.paths.push(way.to_owned());
            if !matches!(entry, Entry::Link) {
                continue;
            }
            match self.resolve(path).filter(|target| !self.is_in_submodule(target)) {
                Some(target) if self.is_directory(&target) => {
                    walk.add_link(way, Some(&self.root.below(&target)), holds);
                }
                #[cfg(feature = "cli")]
                None if self.leads_to_directory_on_disk(path) => walk.add_link(way, None, holds),
                _ => {}
            }
        }
        walk.sort();
        walk
    }

    /// Whether a link leads to a directory on disk: of one out of the repository, or into a submodule, a commit tells nothing.
    #[cfg(feature = "cli")]
    fn leads_to_directory_on_disk(&self, link: &Path) -> bool {
        let around = self.root.join(link.parent().unwrap_or(Path::new("")));
        self.links.get(link).is_some_and(|target| around.join(target).is_dir())
    }

    fn is_in_submodule(&self, path: &Path) -> bool {
        path.ancestors().any(|around| matches!(self.entries.get(around), Some(Entry::Submodule)))
    }

    pub fn names(&self, directory: &Path) -> Vec<OsString> {
        let Some(real) = self.way_to(directory).and_then(|path| self.resolve(&path)) else { return Vec::new() };
        let mut names: Vec<OsString> = Vec::new();
        for (_, way, _) in self.below(&real) {
            let name = way.iter().next().unwrap_or_default();
            if names.last().is_none_or(|last| last != name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Where `path` is. Outside of the repository, no link is known.
    pub fn real(&self, path: &Path) -> RealPath {
        match self.way_to(path).map(|own| self.resolve(&own).unwrap_or(own)) {
            Some(real) => self.root.below(&real),
            None => RealPath::assume(path),
        }
    }

    pub fn holds(&self, real: &RealPath) -> bool {
        real.starts_with(&self.root)
    }

    pub fn place(&self, path: &Path) -> Result<RealPath, Failure> {
        let own = self.way_to(path).ok_or_else(|| leads_out(path, &self.root))?;
        let real = self.resolve(&own).ok_or_else(|| dangling(path))?;
        Ok(self.root.below(&real))
    }

    /// Reads the file at `place`, of which no part is a link; reports call it `path`.
    pub fn read_at(&self, place: RealPath, path: &Path, most: u64) -> Result<Opened, Failure> {
        let way = self.root.way_to(&place).unwrap_or(&place);
        match self.entries.get(way) {
            Some(Entry::Text(file)) => match file.text.len() as u64 {
                size if size > most => Err(too_large(path, size, most)),
                _ => Ok(Opened { file: Arc::clone(file), place }),
            },
            #[cfg(feature = "cli")]
            Some(Entry::Object(object)) => self.read_object(object, place, path, most),
            _ if self.is_directory(way) => Err(Failure::of("read", path, "it is a directory")),
            _ => Err(Failure::of("read", path, "no such file")),
        }
    }

    #[cfg(feature = "cli")]
    fn read_object(&self, object: &str, place: RealPath, path: &Path, most: u64) -> Result<Opened, Failure> {
        let git = self.git.as_ref().ok_or_else(|| Failure::of("read", path, "no such file"))?;
        let failure = match git.objects().map(|objects| objects.read(object, most)) {
            Ok(Ok(Content::File(bytes))) => return Opened::of(path, place, bytes, most),
            Ok(Ok(Content::TooLarge(size))) => return Err(too_large(path, size, most)),
            Ok(Ok(Content::Missing)) => {
                let failure = Failure::of("read", path, &format!("this clone does not have object {object}"));
                failure.help(format!("get it with `{}`", git.refetch()))
            }
            Ok(Err(_)) => Failure::of("read", path, "`git cat-file --batch` has ended"),
            Err(failure) => failure,
        };
        Err(self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure).clone())
    }

    fn is_directory(&self, way: &Path) -> bool {
        let mut after = self.entries.range::<Path, _>((Bound::Excluded(way), Bound::Unbounded));
        after.next().is_some_and(|(path, _)| path.starts_with(way))
    }

    /// The files below a directory, by path, with the ways from there.
    fn below(&self, directory: &Path) -> impl Iterator<Item = (&Path, &Path, &Entry)> {
        let after = self.entries.range::<Path, _>((Bound::Excluded(directory), Bound::Unbounded));
        let directory = directory.to_owned();
        after.map_while(move |(path, entry)| Some((path.as_path(), way(&directory, path)?, entry)))
    }

    /// The way from the root on to a path; `None` if it is outside.
    fn way_to(&self, path: &Path) -> Option<PathBuf> {
        #[cfg(feature = "cli")]
        if !self.is_in_memory() {
            return from_root(&self.root, path);
        }
        Some(normal(path))
    }

    /// Follows the links in a path from the root on; `None` if they lead out, or in a circle.
    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let mut path = path.to_owned();
        for _ in 0..bounds::FOLLOWED_LINKS {
            if self.links.is_empty() {
                return Some(path);
            }
            let link = path.ancestors().find_map(|part| Some((part.to_owned(), self.links.get(part)?)));
            let Some((link, target)) = link else { return Some(path) };
            let rest = path.strip_prefix(&link).ok()?;
            // Nobody commits an absolute target that is inside.
            path = inside(&link.parent()?.join(target).join(rest))?;
        }
        None
    }
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
