//! The lock of a repository: one kep-lint at a time changes its files. Without it, one of two runs could write what it
//! made of a text that the other has changed since. The system frees it when the process ends, however it ends.

use crate::bounds;
use crate::diagnostic::Failure;
use crate::workspace::git::place::Place;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The name of the file in git's directory that is locked.
const NAME: &str = "kep-lint.lock";

/// The locks of repositories, which are held until this is dropped.
#[must_use]
#[derive(Debug)]
pub struct Lock {
    held: Vec<File>,
}

impl Lock {
    /// Takes the locks of the repositories around `paths`, before anything that will be written is read. A path that does
    /// not exist, such as the number of a KEP, means the working directory. Without a repository, or where its lock cannot
    /// be made, there is none.
    pub fn around<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<Self, Failure> {
        let directories: BTreeSet<PathBuf> = paths.into_iter().filter_map(git_directory).collect();
        let mut held = Vec::new();
        for file in directories.iter().filter_map(|directory| open(&directory.join(NAME))) {
            match file.try_lock() {
                Ok(()) => held.push(file),
                Err(TryLockError::WouldBlock) => {
                    let failure = Failure::new("another kep-lint writes to this repository");
                    return Err(failure.help("run kep-lint again when it has ended"));
                }
                // Not every file system has locks.
                Err(TryLockError::Error(_)) => {}
            }
        }
        Ok(Self { held })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A program that this one has started may have a copy of the file.
        self.held.iter().for_each(|file| drop(file.unlock()));
    }
}

/// The directory of git that all work trees of the repository around `path` share, if it is really git's.
fn git_directory(path: &Path) -> Option<PathBuf> {
    let directory = Place::nearest(path)?.own;
    let shared = first_line(&directory.join("commondir"));
    let shared = shared.map_or_else(|| directory.clone().into(), |way| directory.join(way));
    let is_gits = directory.join("HEAD").symlink_metadata().is_ok() && shared.join("objects").is_dir();
    if is_gits { shared.canonicalize().ok() } else { None }
}

/// The first line of a regular file that is no link.
fn first_line(path: &Path) -> Option<String> {
    if !path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(bounds::GIT_PATH_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8(bytes).ok()?.lines().next()?.to_owned())
}

/// Opens the file, or makes it; `None` if that is not possible or it is not a regular file.
fn open(path: &Path) -> Option<File> {
    let is_other = path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file());
    if is_other {
        return None;
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // It may have become a link or a pipe since.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    // Another user may have made it.
    let file = options.clone().write(true).create(true).truncate(false).open(path).or_else(|_| options.open(path));
    file.ok().filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A directory with what these paths are: a directory if they end with `/`, else a file with the text after `=`.
    fn world(paths: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
        for path in paths {
            let (path, text) = path.split_once('=').unwrap_or((path, ""));
            let place = root.join(path);
            fs::create_dir_all(place.parent().expect("it has one")).expect("a directory");
            if path.ends_with('/') {
                fs::create_dir_all(place).expect("a directory");
            } else {
                fs::write(place, text).expect("a file");
            }
        }
        (directory, root)
    }

    #[test]
    fn only_one_has_the_lock() {
        let (_keep, root) = world(&["r/.git/HEAD", "r/.git/objects/", "r/keps/sig-node/1-a/kep.yaml", "other/"]);
        let (kep, other) = (root.join("r/keps/sig-node/1-a"), root.join("other"));
        let first = Lock::around([kep.as_path(), root.join("r").as_path()]).expect("nobody has it");
        assert_eq!(first.held.len(), 1);
        let failure = Lock::around([root.join("r/keps").as_path()]).expect_err("it is taken");
        assert_eq!(failure.message, "another kep-lint writes to this repository");
        assert!(Lock::around([other.as_path()]).is_ok_and(|lock| lock.held.is_empty()));
        drop(first);
        assert!(Lock::around([kep.as_path()]).is_ok_and(|lock| lock.held.len() == 1));
    }

    #[test]
    fn work_trees_share_a_lock() {
        let (_keep, root) = world(&[
            "main/.git/HEAD",
            "main/.git/objects/",
            "main/.git/worktrees/w/HEAD",
            "main/.git/worktrees/w/commondir=../..\n",
            "w/.git=gitdir: ../main/.git/worktrees/w\n",
            "main/.git/modules/s/HEAD",
            "main/.git/modules/s/objects/",
            "main/s/.git=gitdir: ../.git/modules/s\n",
        ]);
        assert_eq!(git_directory(&root.join("w")), Some(root.join("main/.git")));
        assert_eq!(git_directory(&root.join("main")), Some(root.join("main/.git")));
        assert_eq!(git_directory(&root.join("main/s")), Some(root.join("main/.git/modules/s")));
    }

    #[test]
    fn a_file_is_made_only_in_a_directory_of_git() {
        let bare = ["r/keps/HEAD", "r/keps/objects/", "r/keps/refs/", "r/.git/config", "elsewhere/"];
        let (_keep, root) = world(&bare);
        let keps = root.join("r/keps");
        assert!(Lock::around([keps.as_path()]).is_ok_and(|lock| lock.held.is_empty()));
        for file in ["HEAD", "x=gitdir:", "y=gitdir: /nowhere\n"] {
            let (_keep_too, place) = world(&[&file.replace(['x', 'y'], ".git")]);
            assert_eq!(git_directory(&place), None, "{file}");
        }
        fs::create_dir(root.join("r/.git/objects")).expect("a directory");
        fs::write(root.join("r/.git/HEAD"), "").expect("a file");
        assert_eq!(git_directory(&keps), Some(root.join("r/.git")));
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(root.join("elsewhere/lock"), root.join("r/.git").join(NAME)).expect("a link");
            assert!(Lock::around([keps.as_path()]).is_ok_and(|lock| lock.held.is_empty()));
            assert!(!root.join("elsewhere/lock").exists());
            symlink(root.join("r/.git"), root.join("elsewhere/.git")).expect("a link");
            assert_eq!(git_directory(&root.join("elsewhere")), Some(root.join("r/.git")));
        }
    }
}
