//! `--watch`: checks again whenever a file changes that the findings depend on.

use super::args::CheckArguments;
use super::outcome::Outcome;
use super::output::{self, Outputs};
use super::print::is_unread;
use super::{check, error, paths, plan};
use crate::diagnostic::{Failure, named};
use crate::kep::layout::{Layout, TREE};
use crate::lint::panics::caught;
use crate::workspace::discover::{BESIDE_KEPS, discover};
use crate::workspace::edge::{Edge, followed};
use crate::workspace::files::disk;
use crate::workspace::paths::{RealPath, tree_of};
use notify::{Config, ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long files may go on changing before KEPs are checked nevertheless, in milliseconds.
pub const CHANGING_MILLISECONDS: u64 = 2_000;

/// How long nothing must change before KEPs are checked: an editor writes a file in several steps.
pub const QUIET: Duration = Duration::from_millis(100);

/// The lines before and after each check, by which editors know which findings belong together:
/// docs/editors.md has them.
const BEGIN: &str = "checking KEPs";
const END: &str = "watching for changes; Ctrl-C ends this";

/// Checks KEPs until the process is ended from outside. Only what no change of a file can repair ends it.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    plan::selection(arguments)?;
    drop(Outputs::open(&arguments.output, || plan::inputs(arguments))?);
    let mut watch = Watch::start()?;
    loop {
        output::mark(BEGIN, arguments.output.quiet);
        // What changes while KEPs are checked is checked next.
        watch.aim(Targets::of(arguments))?;
        let is_idle = watch.targets.trees.is_empty();
        if let Err(failure) = caught("check", ".", || check::run(arguments)).flatten() {
            error::print(&failure);
        }
        if is_idle || is_unread() {
            return Ok(Outcome::Incomplete);
        }
        output::mark(END, arguments.output.quiet);
        watch.wait()?;
    }
}

/// What findings depend on. All paths are without links, but for a directory `keps` that is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    trees: BTreeSet<PathBuf>,
    /// Directories in which only [`BESIDE_KEPS`], trees and single files count.
    pub directories: BTreeSet<PathBuf>,
    pub files: BTreeSet<PathBuf>,
    reports: BTreeSet<PathBuf>,
}

impl Targets {
    fn of(arguments: &CheckArguments) -> Self {
        let mut targets = Self::default();
        let paths = paths::all(&arguments.paths, &arguments.config.wanted());
        for kep in discover(&paths, arguments.preset.unwrap_or_default(), &disk::around).keps {
            targets.add_tree(&kep.real);
        }
        for path in paths.iter().filter_map(|path| RealPath::canonical(path).ok()) {
            // If it is a link, that is watched as well as what it leads to.
            match RealPath::assume(path.join(TREE)) {
                keps if keps.is_dir() => targets.add_tree(&keps),
                _ if path.is_dir() => targets.add_tree(&path),
                _ => {}
            }
        }
        let config = paths::of_configuration(&paths, &arguments.config.wanted());
        for file in arguments.template.iter().chain(&config).filter_map(|file| file.canonicalize().ok()) {
            targets.directories.extend(file.parent().map(Path::to_owned));
            targets.files.insert(file);
        }
        let reports = arguments.output.format.iter().filter_map(|format| format.file.as_deref());
        // A shell may have led these to files as well.
        let streams = [Path::new("/dev/stdout"), Path::new("/dev/stderr")];
        targets.reports.extend(reports.chain(streams).map(|report| followed(report).into()));
        targets
    }

    /// Adds the tree of KEPs that `directory` is in, or else the directory, with those above it.
    pub fn add_tree(&mut self, directory: &RealPath) {
        if self.trees.iter().any(|known| directory.starts_with(known)) {
            return;
        }
        let edge = Edge::around(directory);
        let tree =
            tree_of(directory, &Layout::default(), |above| edge.holds(above)).unwrap_or_else(|| directory.clone());
        let above = tree.ancestors().skip(1);
        self.directories.extend(above.take_while(|above| edge.holds(above)).map(PathBuf::from));
        // If the tree is deleted and made again, its own watch is gone.
        self.directories.extend(tree.parent().map(PathBuf::from));
        self.trees.retain(|known| !known.starts_with(&tree));
        self.trees.insert(tree.into());
    }

    /// The directories to watch, each with whether all that is below it counts.
    pub fn places(&self) -> BTreeSet<(PathBuf, bool)> {
        let trees = self.trees.iter().map(|tree| (tree.clone(), true));
        let directories = self.directories.difference(&self.trees).map(|directory| (directory.clone(), false));
        trees.chain(directories).collect()
    }

    /// Whether findings may change with the file or directory at `path`.
    pub fn contain(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().map(|name| name.to_string_lossy()) else { return false };
        if self.reports.contains(path) {
            return false;
        }
        if self.files.contains(path) || self.trees.contains(path) {
            return true;
        }
        let is_beside = path.parent().is_some_and(|parent| self.directories.contains(parent));
        let is_below = self.trees.iter().any(|tree| path.starts_with(tree));
        if (is_beside || is_below) && BESIDE_KEPS.contains(&name.as_ref()) {
            return true;
        }
        // Editors and kep-lint itself keep unfinished files beside the real ones.
        let is_unfinished = name.starts_with('.') || name.ends_with('~');
        is_below && !is_unfinished && !path.iter().any(|part| part == ".git")
    }
}

struct Watch {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    targets: Targets,
}

impl Watch {
    fn start() -> Result<Self, Failure> {
        let (sender, events) = channel();
        let handler = move |event: notify::Result<Event>| {
            // Reading is no change, and a check reads thousands of files. The receiver is gone only when all
            // ends.
            if !event.as_ref().is_ok_and(|event| event.kind.is_access()) {
                let _ = sender.send(event);
            }
        };
        // Links are followed by kep-lint itself, which knows where not to.
        let config = Config::default().with_follow_symlinks(false);
        let watcher = RecommendedWatcher::new(handler, config).map_err(|error| failed(Path::new("."), &error))?;
        Ok(Self { watcher, events, targets: Targets::default() })
    }

    fn aim(&mut self, mut targets: Targets) -> Result<(), Failure> {
        // A tree that was deleted may come back.
        for tree in self.targets.trees.iter().filter(|tree| !tree.exists()) {
            targets.directories.extend(tree.parent().map(Path::to_owned));
            targets.trees.insert(tree.clone());
        }
        // The watch of a tree that was deleted is gone, also if the tree is there again.
        for (place, _) in self.targets.places() {
            let _ = self.watcher.unwatch(&place);
        }
        for (place, is_tree) in targets.places() {
            let mode = if is_tree { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match self.watcher.watch(&place, mode) {
                Err(error) if place.exists() => return Err(failed(&place, &error)),
                _ => {}
            }
        }
        self.targets = targets;
        Ok(())
    }

    /// Returns once something has changed and nothing changes any more.
    fn wait(&self) -> Result<(), Failure> {
        loop {
            let ended = || Failure::new("files can no longer be watched").help("start kep-lint again");
            if self.is_change(self.events.recv().map_err(|_| ended())?) {
                break;
            }
        }
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(CHANGING_MILLISECONDS) {
            let Ok(event) = self.events.recv_timeout(QUIET) else { break };
            self.is_change(event);
        }
        Ok(())
    }

    /// Whether findings may change by an event, or by others that are lost because there were too many.
    fn is_change(&self, event: notify::Result<Event>) -> bool {
        match event {
            Ok(event) => event.need_rescan() || event.paths.iter().any(|path| self.targets.contain(path)),
            Err(error) => {
                error::print(&failed(Path::new("."), &error));
                false
            }
        }
    }
}

fn failed(place: &Path, error: &notify::Error) -> Failure {
    let failure = Failure::new(format!("cannot watch {}: {error}", named(place))).at(place);
    match error.kind {
        ErrorKind::MaxFilesWatch => failure.help("raise the system's limit, on Linux `fs.inotify.max_user_watches`"),
        _ => failure.help("run kep-lint without `--watch`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_findings_depend_on_counts() {
        let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect();
        let targets = Targets {
            trees: paths(&["/r/keps"]),
            directories: paths(&["/r", "/own"]),
            files: paths(&["/own/template.md"]),
            reports: paths(&["/r/keps/report.json", "/r/sigs.yaml"]),
        };
        for path in [
            "/r/keps",
            "/r/keps/sig-a/1-x/README.md",
            "/r/keps/x.png",
            "/r/keps/sig-a/.kep-lint.yaml",
            "/r/OWNERS_ALIASES",
            "/own/template.md",
        ] {
            assert!(targets.contain(Path::new(path)), "{path}");
        }
        for path in [
            "/r/docs/x.md",
            "/r/README.md",
            "/own/other.md",
            "/keps/OWNERS_ALIASES",
            "/r/keps/report.json",
            "/r/sigs.yaml",
            "/r/keps/.kep-lint-x",
            "/r/keps/1-x/.README.md.swp",
            "/r/keps/1-x/README.md~",
            "/r/keps/x/.git/index",
            "/",
        ] {
            assert!(!targets.contain(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn one_tree_is_watched_once() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = RealPath::canonical(directory.path()).expect("it is there");
        std::fs::create_dir_all(root.join("r/keps/sig-a/1-x")).expect("a directory");
        let mut targets = Targets::default();
        targets.add_tree(&root.below("r/keps/sig-a/1-x".as_ref()));
        targets.add_tree(&root.below("r/keps".as_ref()));
        assert_eq!(targets.trees, BTreeSet::from([root.join("r/keps")]));
        assert_eq!(targets.directories, BTreeSet::from([root.join("r")]));
    }
}
