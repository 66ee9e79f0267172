//! Which files a run may read and write: those of the repository around what the command line names. A pull request may
//! contain links to anywhere; what is outside of the repository is neither read nor written.

use super::path::normal;
use std::env;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The directory that all files that are read or written are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    root: PathBuf,
}

/// Why a path cannot be used.
#[derive(Debug)]
pub enum Unresolved {
    /// It is outside of this directory.
    Outside(PathBuf),
    /// It does not exist, it is a dangling link, or it is not readable.
    Broken(io::Error),
}

impl Edge {
    /// The edge around a path of the command line: the nearest directory above it, itself included, that has a directory
    /// `keps`, no higher than one with `.git`; without either, the directory that is named, or the directory of the
    /// file that is named. A link in a repository does not lead out of it.
    pub fn around(path: &Path) -> Self {
        let mut real = PathBuf::new();
        for component in absolute(path).components() {
            match component {
                Component::ParentDir => drop(real.pop()),
                Component::CurDir => {}
                _ => {
                    let next = real.join(component);
                    if next.is_symlink()
                        && let Some(root) = repository(&real)
                    {
                        return Self { root };
                    }
                    real = next.canonicalize().unwrap_or(next);
                }
            }
        }
        let around = if real.is_dir() { real.as_path() } else { real.parent().unwrap_or(&real) };
        Self { root: repository(around).unwrap_or_else(|| around.to_owned()) }
    }

    /// The path without links.
    pub fn resolve(&self, path: &Path) -> Result<PathBuf, Unresolved> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let real = path.canonicalize().map_err(Unresolved::Broken)?;
        if self.holds(&real) { Ok(real) } else { Err(Unresolved::Outside(self.root.clone())) }
    }

    /// Whether a path without links is inside. The files of git itself are not: credentials, hooks, objects.
    pub fn holds(&self, real: &Path) -> bool {
        // Without a working directory, nothing is inside.
        let inner = real.strip_prefix(&self.root).ok().filter(|_| !self.root.as_os_str().is_empty());
        inner.is_some_and(|inner| inner.iter().all(|component| component != ".git"))
    }

    /// A path of the command line as seen from the directory, if it is inside.
    pub fn inner(&self, path: &Path) -> Option<PathBuf> {
        normal(&absolute(path)).strip_prefix(&self.root).ok().map(Path::to_owned)
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// `path` without links; of a dangling link, where it leads to, and of another path that does not exist, itself.
pub fn followed(path: &Path) -> PathBuf {
    /// As many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(real) = place.canonicalize() {
            return real;
        }
        let Some((around, target)) = place.parent().zip(place.read_link().ok()) else { break };
        let around = if around.as_os_str().is_empty() { Path::new(".") } else { around };
        let Ok(around) = around.canonicalize() else { break };
        place = normal(&around.join(target));
    }
    place
}

fn absolute(path: &Path) -> PathBuf {
    env::current_dir().map_or_else(|_| path.to_owned(), |here| here.join(path))
}

/// The nearest directory, `directory` or one above it, that has a directory `keps`, no higher than one with `.git`.
fn repository(directory: &Path) -> Option<PathBuf> {
    // The root of the file system is no repository: in a container, `/keps` is often a part of one.
    let is_one = |directory: &&Path| directory.join("keps").is_dir() || directory.join(".git").exists();
    directory.ancestors().filter(|directory| directory.parent().is_some()).find(is_one).map(Path::to_owned)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// A directory with a repository `r`, directories outside of it, and links between them.
    fn world() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
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
            assert_eq!(Edge::around(&root.join(path)).root(), root.join("r"), "{path}");
        }
        assert_eq!(Edge::around(&root.join("alone/x.md")).root(), root.join("alone"));
        assert_eq!(Edge::around(&root.join("r/docs/../../alone")).root(), root.join("alone"));
    }

    #[test]
    fn links_are_followed_within_the_edge() {
        let (_keep, root) = world();
        let edge = Edge::around(&root.join("r"));
        assert_eq!(edge.resolve(&root.join("r/keps/docs")).ok(), Some(root.join("r/docs")));
        assert!(matches!(edge.resolve(&root.join("r/keps/sig-a/out")), Err(Unresolved::Outside(_))));
        assert!(matches!(edge.resolve(&root.join("r/nowhere")), Err(Unresolved::Broken(_))));
        fs::create_dir_all(root.join("r/.git")).expect("a directory");
        fs::write(root.join("r/.git/config"), "token").expect("a file");
        symlink("../.git/config", root.join("r/keps/x.md")).expect("a link");
        assert!(matches!(edge.resolve(&root.join("r/keps/x.md")), Err(Unresolved::Outside(_))));
        assert_eq!(repository(Path::new("/")), None);
    }
}
