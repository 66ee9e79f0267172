//! Which files a run may read and write: those of the repository around what the command line names. A pull
//! request may contain links to anywhere; what is outside of the repository is neither read nor written.

use super::paths::{RealPath, normal};
use crate::bounds;
use crate::kep::directory::{has_groups, is_below, is_template};
use crate::kep::layout::TREE;
use crate::kep::number;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::{env, io};

/// The directory that all files that are read or written are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    root: RealPath,
}

#[derive(Debug)]
pub enum Unresolved {
    Outside(RealPath),
    /// It does not exist, it is a dangling link, or it is not readable.
    Broken(io::Error),
}

impl Edge {
    /// The edge around a path of the command line: the repository around it, see [`repository`]; without
    /// one, the directory that is named, or the directory of the file that is named. A link in a repository
    /// does not lead out of it.
    pub fn around(path: &Path) -> Self {
        let mut real = PathBuf::new();
        for component in absolute(path).components() {
            match component {
                Component::ParentDir => drop(real.pop()),
                Component::CurDir => {}
                _ => {
                    let next = real.join(component);
                    if next.is_symlink()
                        && let Some(root) = repository(&RealPath::assume(&real))
                    {
                        return Self { root };
                    }
                    real = next.canonicalize().unwrap_or(next);
                }
            }
        }
        let around = RealPath::assume(if real.is_dir() { &real } else { real.parent().unwrap_or(&real) });
        Self { root: repository(&around).unwrap_or(around) }
    }

    pub fn resolve(&self, path: &Path) -> Result<RealPath, Unresolved> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let real = RealPath::canonical(path).map_err(Unresolved::Broken)?;
        if self.holds(&real) { Ok(real) } else { Err(Unresolved::Outside(self.root.clone())) }
    }

    /// Whether `real` is inside. The files of git itself are not: credentials, hooks, objects.
    pub fn holds(&self, real: &RealPath) -> bool {
        // Without a working directory, nothing is inside.
        let has_root = !self.root.as_os_str().is_empty();
        has_root && self.root.way_to(real).is_some_and(|way| !is_below(way, ".git"))
    }

    /// A path of the command line as seen from the directory, if it is inside.
    pub fn inner(&self, path: &Path) -> Option<PathBuf> {
        normal(&absolute(path)).strip_prefix(&self.root).ok().map(Path::to_owned)
    }

    pub fn root(&self) -> &RealPath {
        &self.root
    }
}

impl RealPath {
    /// Where `path` is on disk. Fails if there is nothing.
    pub fn canonical(path: &Path) -> io::Result<Self> {
        path.canonicalize().map(Self::assume)
    }
}

/// Where `path` is; of a dangling link, where it leads to; of what does not exist, where it would be.
pub fn followed(path: &Path) -> RealPath {
    let mut place = absolute(path);
    for _ in 0..bounds::FOLLOWED_LINKS {
        let existing = place.ancestors().find_map(|around| Some((around, RealPath::canonical(around).ok()?)));
        let Some((around, real)) = existing else { break };
        let missing = place.strip_prefix(around).unwrap_or(Path::new(""));
        let mut names = missing.components();
        let Some(first) = names.next() else { return real };
        match real.join(first).read_link() {
            Ok(target) => place = real.join(target).join(names.as_path()),
            Err(_) => return RealPath::assume(normal(&real.join(missing))),
        }
    }
    RealPath::assume(normal(&place))
}

/// `path` from the repository's root on, without `.` and `..`.
pub fn from_root(root: &RealPath, path: &Path) -> Option<PathBuf> {
    let way = normal(&absolute(path));
    if let Ok(own) = way.strip_prefix(root) {
        return Some(own.to_owned());
    }
    // The way to the repository may have links.
    let around = way.ancestors().find(|around| RealPath::canonical(around).is_ok_and(|real| real == *root))?;
    way.strip_prefix(around).ok().map(Path::to_owned)
}

fn absolute(path: &Path) -> PathBuf {
    env::current_dir().map_or_else(|_| path.to_owned(), |here| here.join(path))
}

/// The repository around a directory, itself included: of the directories with a directory `keps`, the
/// outermost one at or below the nearest one with `.git`, so that a directory `keps` inside `keps` changes
/// nothing; if none has `keps`, the one with `.git`. Without `.git`, the nearest directory with `keps`,
/// unless that is inside of a tree of KEPs itself.
pub fn repository(directory: &RealPath) -> Option<RealPath> {
    let has_tree = |around: &RealPath| around.join(TREE).is_dir();
    // The root of the file system is no repository: in a container, `/keps` is often a part of one.
    let all = || directory.ancestors().filter(|around| around.parent().is_some());
    let Some(clone) = all().find(|around| around.join(".git").exists()) else {
        let is_around_tree = |around: &RealPath| {
            let tree = around.join(TREE);
            directory.starts_with(&tree) && holds_keps(&tree)
        };
        return all().filter(is_around_tree).last().or_else(|| all().find(has_tree));
    };
    let inside = all().take_while(|around| around.starts_with(&clone));
    Some(inside.filter(has_tree).last().unwrap_or(clone))
}

/// Whether `directory` is in a repository of its own inside `tree`: somebody may keep clones in a directory
/// that happens to be named `keps`.
pub fn is_clone_in(tree: &RealPath, directory: &RealPath) -> bool {
    let is_repository = |root: &Path| root.join(".git").exists() || root.join(TREE).is_dir();
    repository(directory).is_some_and(|root| root != *tree && root.starts_with(tree) && is_repository(&root))
}

/// Whether a directory named `keps` is a tree of KEPs by the names in it. Somebody may keep clones in one.
fn holds_keps(tree: &Path) -> bool {
    let names = tree.read_dir().into_iter().flatten().flatten().take(bounds::WALK_ENTRIES);
    let names: Vec<OsString> = names.map(|entry| entry.file_name()).collect();
    let is_kep = |name: &OsString| is_template(name) || number::of_directory(&name.to_string_lossy()).is_some();
    has_groups(names.iter()) || names.iter().any(is_kep)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::kep::layout::Layout;
    use crate::workspace::paths::tree_of;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// A directory with a repository `r`, directories outside of it, and links between them.
    fn world() -> (tempfile::TempDir, RealPath) {
        let directory = tempfile::tempdir().expect("a directory");
        let root = RealPath::canonical(directory.path()).expect("it is there");
        for path in ["r/keps/sig-a/1-x", "r/docs", "outside/keps/sig-b", "alone"] {
            fs::create_dir_all(root.join(path)).expect("a directory");
        }
        symlink("../../../outside", root.join("r/keps/sig-a/out")).expect("a link");
        symlink("../docs", root.join("r/keps/docs")).expect("a link");
        symlink("r/keps", root.join("way-in")).expect("a link");
        (directory, root)
    }

    #[test]
    fn the_repository_around_is_the_edge() {
        let (_keep, root) = world();
        for path in ["r", "r/keps", "r/keps/sig-a/1-x", "r/keps/sig-a/1-x/README.md", "r/keps/sig-a/out/keps", "way-in"]
        {
            assert_eq!(Edge::around(&root.join(path)).root().as_path(), root.join("r"), "{path}");
        }
        assert_eq!(Edge::around(&root.join("alone/x.md")).root().as_path(), root.join("alone"));
        assert_eq!(Edge::around(&root.join("r/docs/../../alone")).root().as_path(), root.join("alone"));
    }

    #[test]
    fn links_are_followed_within_the_edge() {
        let (_keep, root) = world();
        let edge = Edge::around(&root.join("r"));
        assert_eq!(edge.resolve(&root.join("r/keps/docs")).ok(), Some(root.below(Path::new("r/docs"))));
        assert!(matches!(edge.resolve(&root.join("r/keps/sig-a/out")), Err(Unresolved::Outside(_))));
        assert!(matches!(edge.resolve(&root.join("r/nowhere")), Err(Unresolved::Broken(_))));
        fs::create_dir_all(root.join("r/.git")).expect("a directory");
        fs::write(root.join("r/.git/config"), "token").expect("a file");
        symlink("../.git/config", root.join("r/keps/x.md")).expect("a link");
        assert!(matches!(edge.resolve(&root.join("r/keps/x.md")), Err(Unresolved::Outside(_))));
        assert_eq!(repository(&RealPath::assume("/")), None);
    }

    #[test]
    fn what_does_not_exist_has_a_place_too() {
        let (_keep, root) = world();
        symlink("r/new", root.join("dangling")).expect("a link");
        symlink("circle", root.join("circle")).expect("a link");
        for (path, place) in [
            ("way-in", "r/keps"),
            ("way-in/sig-b/2-y", "r/keps/sig-b/2-y"),
            ("r/keps/docs/new.md", "r/docs/new.md"),
            ("way-in/new/../sig-b", "r/keps/sig-b"),
            ("dangling", "r/new"),
            ("dangling/x.md", "r/new/x.md"),
            ("circle", "circle"),
        ] {
            assert_eq!(followed(&root.join(path)).as_path(), root.join(place), "{path}");
        }
        let here = RealPath::canonical(Path::new(".")).expect("it is there");
        assert_eq!(followed(Path::new("nowhere/x.md")).as_path(), here.join("nowhere/x.md"));
    }

    #[test]
    fn a_directory_keps_inside_keps_does_not_move_the_edge() {
        let (_keep, root) = world();
        let places = ["r", "r/keps", "r/keps/sig-a", "r/keps/sig-a/keps", "r/keps/sig-a/keps/sig-a/2-y"];
        let edges = || places.map(|place| PathBuf::from(Edge::around(&root.join(place)).root().clone()));
        fs::create_dir_all(root.join("r/keps/sig-a/keps/sig-a/2-y")).expect("a directory");
        assert_eq!(edges(), [(); 5].map(|()| root.join("r")), "without .git");
        let trees = places.map(|place| {
            let (directory, edge) = (root.below(place.as_ref()), Edge::around(&root.join(place)));
            tree_of(&directory, &Layout::default(), |around| edge.holds(around)).map(PathBuf::from)
        });
        assert_eq!(
            trees,
            [None].into_iter().chain([(); 4].map(|()| Some(root.join("r/keps")))).collect::<Vec<_>>()[..]
        );
        fs::create_dir_all(root.join("r/.git")).expect("a directory");
        assert_eq!(edges(), [(); 5].map(|()| root.join("r")), "with .git");
        // A clone of its own, and a clone in a directory that happens to have the name.
        fs::create_dir_all(root.join("r/keps/sig-a/.git")).expect("a directory");
        assert_eq!(Edge::around(&root.join("r/keps/sig-a/keps")).root().as_path(), root.join("r/keps/sig-a"));
        fs::create_dir_all(root.join("keps/clone/keps/sig-a/1-x")).expect("a directory");
        assert_eq!(Edge::around(&root.join("keps/clone/keps/sig-a")).root().as_path(), root.join("keps/clone"));
    }

    #[test]
    fn the_tree_may_be_the_root_of_the_repository_or_around_it() {
        let tree = |directory: &'static str, root: &'static str| {
            tree_of(&RealPath::assume(directory), &Layout::default(), |around| around.starts_with(root))
                .map(PathBuf::from)
        };
        assert_eq!(tree("/r/keps/sig-a/keps/1-x", "/r"), Some("/r/keps".into()));
        assert_eq!(tree("/keps/r/keps/sig-a", "/keps/r"), Some("/keps/r/keps".into()));
        assert_eq!(tree("/keps/keps/sig-a", "/keps"), Some("/keps/keps".into()));
        assert_eq!(tree("/keps/sig-a/1-x", "/keps"), Some("/keps".into()));
        assert_eq!(tree("/keps/sig-a/1-x", "/keps/sig-a"), Some("/keps".into()));
        assert_eq!(tree("/docs/1-x", "/docs"), None);
    }
}
