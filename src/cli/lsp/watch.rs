//! Tells when files change that the findings depend on: no editor says what other programs do.

use crate::cli::watch::Targets;
use crate::diagnostic::{Failure, named};
use crate::workspace::edge::Edge;
use crate::workspace::paths::{RealPath, tree_of};
use crossbeam_channel::{Receiver, unbounded};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};

/// A watch over the repositories of open documents.
pub struct Watch {
    /// What happens to files.
    pub changes: Receiver<Event>,
    watcher: RecommendedWatcher,
    targets: Targets,
}

impl Watch {
    /// Watches nothing yet.
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
        Ok(Self { changes, watcher, targets: Targets::default() })
    }

    /// Watches the trees of these documents from now on, and which commit is checked out there.
    pub fn aim(&mut self, documents: &[&Path]) -> Result<(), Failure> {
        let mut targets = Targets::default();
        for document in documents {
            let Some(directory) = document.parent().and_then(|parent| RealPath::canonical(parent).ok()) else {
                continue;
            };
            let edge = Edge::around(&directory);
            // Without a tree, what is watched would have no end.
            if tree_of(&directory, |above| edge.holds(above)).is_none() {
                continue;
            }
            targets.add_tree(&directory);
            let git = edge.root().join(".git");
            if git.is_dir() {
                targets.files.insert(git.join("HEAD"));
                targets.directories.insert(git);
            }
        }
        let (old, new) = (self.targets.places(), targets.places());
        for (place, _) in old.difference(&new) {
            // If it was deleted, its watch is gone already.
            let _ = self.watcher.unwatch(place);
        }
        let added: Vec<(PathBuf, bool)> = new.difference(&old).cloned().collect();
        self.targets = targets;
        for (place, is_tree) in added {
            let mode = if is_tree { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            self.watcher.watch(&place, mode).map_err(|error| failed(&place, &error))?;
        }
        Ok(())
    }

    /// Takes all that happened until now. Whether findings may change.
    pub fn settle(&self, first: Event) -> bool {
        let matters = |event: Event| event.need_rescan() || event.paths.iter().any(|path| self.targets.contain(path));
        // All are taken: each of them would wake the server again.
        std::iter::once(first).chain(self.changes.try_iter()).filter(|event| matters(event.clone())).count() > 0
    }
}

fn failed(place: &Path, error: &notify::Error) -> Failure {
    Failure::new(format!("cannot watch {}: {error}", named(place))).at(place)
}
