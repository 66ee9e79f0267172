//! Tells when files change that the findings depend on: no editor says what other programs do.

use crate::cli::watch::Targets;
use crate::diagnostic::{Failure, named};
use crate::kep::layout::Layout;
use crate::workspace::edge::{Edge, followed};
use crate::workspace::paths::tree_of;
use crossbeam_channel::{Receiver, bounded};
use notify::event::ModifyKind;
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A watch over the repositories of open documents.
pub struct Watch {
    /// Has one word at most, however many files have changed.
    pub changes: Receiver<()>,
    watcher: RecommendedWatcher,
    watched: Arc<Mutex<Watched>>,
}

#[derive(Clone, Default)]
struct Watched {
    targets: Targets,
    /// Each with whether all that is below it is watched.
    places: BTreeSet<(PathBuf, bool)>,
    /// Those of which another directory is there now, or none.
    replaced: BTreeSet<PathBuf>,
}

impl Watched {
    /// Whether findings may change by an event.
    fn take(&mut self, event: &Event) -> bool {
        if let EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) = event.kind {
            let is_place = |path: &&PathBuf| self.places.iter().any(|(place, _)| place == *path);
            self.replaced.extend(event.paths.iter().filter(is_place).cloned());
        }
        event.need_rescan() || event.paths.iter().any(|path| self.targets.contain(path))
    }
}

impl Watch {
    pub fn start() -> Result<Self, Failure> {
        let (sender, changes) = bounded(1);
        let watched = Arc::<Mutex<Watched>>::default();
        let known = Arc::clone(&watched);
        let handler = move |event: notify::Result<Event>| {
            // Reading is no change.
            if let Ok(event) = event
                && !event.kind.is_access()
                && locked(&known).take(&event)
            {
                // If there is a word that waits, it is about this as well.
                let _ = sender.try_send(());
            }
        };
        let config = Config::default().with_follow_symlinks(false);
        let watcher = RecommendedWatcher::new(handler, config).map_err(|error| failed(Path::new("."), &error))?;
        Ok(Self { changes, watcher, watched })
    }

    /// Watches the trees of these documents from now on, which commit is checked out there, and these files.
    pub fn aim(&mut self, documents: &[&Path], files: &[PathBuf]) -> Result<(), Failure> {
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
        // The thread that sees changes must not wait for this one, which asks it to watch.
        let Watched { mut places, replaced, .. } = locked(&self.watched).clone();
        let wanted = targets.places();
        for place in places.extract_if(.., |known| !wanted.contains(known) || replaced.contains(&known.0)) {
            // If it was deleted, its watch is gone already.
            let _ = self.watcher.unwatch(&place.0);
        }
        let mut failure = None;
        for (place, is_tree) in wanted.difference(&places.clone()) {
            let mode = if *is_tree { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match self.watcher.watch(place, mode) {
                Ok(()) => drop(places.insert((place.clone(), *is_tree))),
                Err(error) if place.exists() => failure = Some(failed(place, &error)),
                // Its directory is watched as well.
                Err(_) => {}
            }
        }
        let mut watched = locked(&self.watched);
        watched.replaced.retain(|place| !replaced.contains(place));
        (watched.targets, watched.places) = (targets, places);
        failure.map_or(Ok(()), Err)
    }
}

fn locked(watched: &Mutex<Watched>) -> MutexGuard<'_, Watched> {
    watched.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut watch = Watch::start().expect("it can watch");
        watch.aim(&[&kep.join("README.md")], &[]).expect("it can watch this");
        for number in 0..2_000 {
            fs::write(kep.join(format!("{number}.md")), "x").expect("a file");
        }
        let patience = std::time::Duration::from_secs(60);
        watch.changes.recv_timeout(patience).expect("it has changed");
        assert!(watch.changes.len() <= 1);
    }
}
