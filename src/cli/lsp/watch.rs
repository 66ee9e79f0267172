//! Tells when files change that the findings depend on: no editor says what other programs do.

use crate::cli::watch::Targets;
use crate::diagnostic::{Failure, named};
use crate::kep::layout::Layout;
use crate::workspace::edge::{Edge, followed};
use crate::workspace::paths::tree_of;
use crossbeam_channel::{Receiver, Sender, bounded};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};

/// A watch over the repositories of open documents.
pub struct Watch {
    /// Has one word at most, however many files have changed.
    pub changes: Receiver<()>,
    changed: Sender<()>,
    watcher: Option<RecommendedWatcher>,
}

impl Watch {
    pub fn new() -> Self {
        let (changed, changes) = bounded(1);
        Self { changes, changed, watcher: None }
    }

    /// Watches the trees of these documents from now on, which commit is checked out there, and these files. All is
    /// watched anew: of a directory that was replaced, the watch is gone. What changes meanwhile is not told.
    pub fn aim(&mut self, documents: &[&Path], files: &[PathBuf]) -> Result<(), Failure> {
        self.watcher = None;
        let targets = targets(documents, files);
        let places = targets.places();
        let changed = self.changed.clone();
        let handler = move |event: notify::Result<Event>| {
            // Reading is no change.
            if let Ok(event) = event
                && !event.kind.is_access()
                && (event.need_rescan() || event.paths.iter().any(|path| targets.contain(path)))
            {
                // If there is a word that waits, it is about this as well.
                let _ = changed.try_send(());
            }
        };
        let config = Config::default().with_follow_symlinks(false);
        let watcher = RecommendedWatcher::new(handler, config).map_err(|error| failed(Path::new("."), &error))?;
        let watcher = self.watcher.insert(watcher);
        let mut failure = None;
        for (place, is_tree) in &places {
            let mode = if *is_tree { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match watcher.watch(place, mode) {
                Err(error) if place.exists() => failure = Some(failed(place, &error)),
                // Of one that is gone, the directory around it is watched as well.
                _ => {}
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

fn targets(documents: &[&Path], files: &[PathBuf]) -> Targets {
    let mut targets = Targets::default();
    for document in documents {
        // It may have been removed, and may come back.
        let directory = followed(document.parent().unwrap_or(document));
        let edge = Edge::around(&directory);
        if tree_of(&directory, &Layout::default(), |above| edge.holds(above)).is_some() {
            targets.add_tree(&directory);
        } else if directory.is_dir() {
            // What is watched would have no end.
            targets.files.extend(["README.md", "kep.yaml"].map(|name| directory.join(name)));
            targets.directories.insert(directory.into());
        }
        let git = edge.root().join(".git");
        if git.is_dir() {
            targets.files.insert(git.join("HEAD"));
            targets.directories.insert(git);
        }
    }
    for file in files.iter().filter_map(|file| file.canonicalize().ok()) {
        targets.directories.extend(file.parent().map(Path::to_owned));
        targets.files.insert(file);
    }
    targets
}

fn failed(place: &Path, error: &notify::Error) -> Failure {
    Failure::new(format!("cannot watch {}: {error}", named(place))).at(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn however_many_files_change_one_word_waits() {
        let directory = tempfile::tempdir().expect("a directory");
        let kep = directory.path().join("keps/sig-node/1-a");
        fs::create_dir_all(&kep).expect("a directory");
        let mut watch = Watch::new();
        watch.aim(&[&kep.join("README.md")], &[]).expect("it can watch this");
        for number in 0..2_000 {
            fs::write(kep.join(format!("{number}.md")), "x").expect("a file");
        }
        let patience = std::time::Duration::from_secs(60);
        watch.changes.recv_timeout(patience).expect("it has changed");
        assert!(watch.changes.len() <= 1);
    }
}
