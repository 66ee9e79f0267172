//! Tells when files change that the findings depend on: no editor says what other programs do.

use crate::cli::watch::Targets;
use crate::diagnostic::{Failure, named};
use crate::workspace::edge::{Edge, followed};
use crate::workspace::paths::tree_of;
use crossbeam_channel::{Receiver, unbounded};
use notify::event::ModifyKind;
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A watch over the repositories of open documents.
pub struct Watch {
    pub changes: Receiver<Event>,
    watcher: RecommendedWatcher,
    targets: Targets,
    /// What is watched, each with whether all that is below it is.
    watched: BTreeSet<(PathBuf, bool)>,
}

impl Watch {
    pub fn start() -> Result<Self, Failure> {
        let (sender, changes) = unbounded();
        let handler = move |event: notify::Result<Event>| {
            // Reading is no change. The receiver is gone only when all ends.
            if let Ok(event) = event
                && !event.kind.is_access()
            {
                let _ = sender.send(event);
            }
        };
        let config = Config::default().with_follow_symlinks(false);
        let watcher = RecommendedWatcher::new(handler, config).map_err(|error| failed(Path::new("."), &error))?;
        Ok(Self { changes, watcher, targets: Targets::default(), watched: BTreeSet::new() })
    }

    /// Watches the trees of these documents from now on, which commit is checked out there, and these files.
    pub fn aim(&mut self, documents: &[&Path], files: &[PathBuf]) -> Result<(), Failure> {
        let mut targets = Targets::default();
        for document in documents {
            // It may have been removed, and may come back.
            let directory = followed(document.parent().unwrap_or(document));
            let edge = Edge::around(&directory);
            if tree_of(&directory, |above| edge.holds(above)).is_some() {
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
        let wanted = targets.places();
        self.targets = targets;
        for place in self.watched.difference(&wanted) {
            // If it was deleted, its watch is gone already.
            let _ = self.watcher.unwatch(&place.0);
        }
        self.watched.retain(|place| wanted.contains(place));
        for (place, is_tree) in wanted.difference(&self.watched.clone()) {
            let mode = if *is_tree { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match self.watcher.watch(place, mode) {
                Ok(()) => drop(self.watched.insert((place.clone(), *is_tree))),
                Err(error) if place.exists() => return Err(failed(place, &error)),
                // Its directory is watched as well.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Takes all that happened until now. Whether findings may change.
    pub fn settle(&mut self, first: Event) -> bool {
        let mut has_changed = false;
        // All are taken: each of them would wake the server again.
        for event in std::iter::once(first).chain(self.changes.try_iter()) {
            has_changed |= event.need_rescan() || event.paths.iter().any(|path| self.targets.contain(path));
            if let EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) = event.kind {
                // What is there now is another directory, or none.
                for place in self.watched.extract_if(.., |(place, _)| event.paths.contains(place)) {
                    let _ = self.watcher.unwatch(&place.0);
                }
            }
        }
        has_changed
    }
}

fn failed(place: &Path, error: &notify::Error) -> Failure {
    Failure::new(format!("cannot watch {}: {error}", named(place))).at(place)
}
