//! What git calls the files on disk. It is asked beside other work: waiting for git takes no processor.

use crate::ready::board::{Changes, Snapshot};
use crate::workspace::git::{Git, root_around};
use crate::workspace::paths::RealPath;
use std::ffi::OsStr;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{Scope, ScopedJoinHandle};

pub struct OnDisk<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    /// Where the repository that was looked for first is.
    root: Option<RealPath>,
    git: Option<ScopedJoinHandle<'scope, Option<Git>>>,
    snapshot: Option<ScopedJoinHandle<'scope, Option<Snapshot>>>,
}

impl<'scope, 'env> OnDisk<'scope, 'env> {
    /// Begins with the repository around `place`, in which the KEPs most likely are.
    pub fn begin(scope: &'scope Scope<'scope, 'env>, place: &Path) -> Self {
        let root = root_around(place);
        let first_root = root.clone();
        Self { scope, root, git: Some(scope.spawn(move || repository(first_root))), snapshot: None }
    }

    /// Asks about the files at `paths` in the repository around `place`, unless that was done.
    pub fn ask(&mut self, place: &Path, paths: Vec<PathBuf>) {
        let Some(begun) = self.git.take() else { return };
        let root = root_around(place);
        let git = if root == self.root { begun } else { self.scope.spawn(move || repository(root)) };
        self.snapshot = Some(self.scope.spawn(move || snapshot(&joined(git)?, &paths)));
    }

    /// What git says, if there is a repository.
    pub fn end(self) -> Option<Snapshot> {
        self.snapshot.and_then(joined)
    }
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Where there is no repository, git is not even asked.
fn repository(root: Option<RealPath>) -> Option<Git> {
    Git::of_file(&root?).ok()
}

/// What the files of a repository are called; `paths` are those that matter.
fn snapshot(git: &Git, paths: &[PathBuf]) -> Option<Snapshot> {
    let inside = paths.iter().filter_map(|path| path.strip_prefix(git.root()).ok()).map(Path::as_os_str);
    let mut inside: Vec<&OsStr> = inside.collect();
    // Without a path, git would tell about all files.
    if inside.is_empty() {
        inside.push(OsStr::new(".git"));
    }
    let status = ["status", "--porcelain=v2", "--branch", "--no-ahead-behind", "--ignore-submodules=all", "-z", "--"];
    let status = git.run(status.map(AsRef::as_ref).into_iter().chain(inside)).ok()?;
    let text = String::from_utf8_lossy(&status);
    let (about, changed): (Vec<&str>, Vec<&str>) =
        text.split('\0').filter(|item| !item.is_empty()).partition(|item| item.starts_with("# "));
    let value =
        |name: &str| about.iter().find_map(|line| line.strip_prefix("# ")?.strip_prefix(name)?.strip_prefix(' '));
    // These are git's words for a branch without a commit, and for no branch.
    let commit = value("branch.oid").filter(|commit| *commit != "(initial)")?.to_owned();
    let name = value("branch.head").filter(|name| *name != "(detached)").unwrap_or("HEAD").to_owned();
    let changes = if changed.is_empty() { Changes::None } else { Changes::Uncommitted };
    Some(Snapshot { name, commit, changes })
}
