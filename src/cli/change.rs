//! What a run with `--since` or `--staged` is about: the comparison, the KEPs that it touches, and their base.

pub mod base;
pub mod changed;
pub mod since;
pub mod touched;

use self::base::Base;
use self::changed::Changed;
use self::since::{Comparison, Head};
use self::touched::{Changes, Touched};
use super::args::CheckArguments;
use super::directory::KepDirectory;
use super::git::path_of;
use super::git::revision::{self, Revision};
use super::repository::Repositories;
use super::source::Source;
use crate::diagnostic::Failure;
use crate::kep::directory::{TREE, is_below};
use crate::lint::origin::Since;
use crate::lint::{Options, Run};
use crate::report::counted;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A comparison with a base, and what differs.
pub struct Scope {
    comparison: Comparison,
    changed: Changed,
    /// What is staged, if that is what is checked.
    index: Option<Arc<Revision>>,
    /// Files named by options that matter for all KEPs, without links.
    shared: Vec<PathBuf>,
    is_new_only: bool,
}

/// The part of a run's KEPs that is checked.
pub struct Narrowed<'a> {
    scope: &'a Scope,
    /// The KEPs.
    pub touched: Touched,
    /// What they were.
    pub base: Base,
}

/// The scope that the arguments ask for; `None` if all KEPs are checked.
pub fn of(arguments: &CheckArguments, paths: &[PathBuf]) -> Result<Option<Scope>, Failure> {
    let Some(comparison) = since::comparison(arguments, paths)? else { return Ok(None) };
    let outside = paths.iter().find(|path| revision::from_root(comparison.git.root(), path).is_none());
    if let Some(path) = outside {
        let root = comparison.git.root().display();
        let failure = Failure::of("compare with git", path, &format!("it is not in the repository {root}"));
        return Err(failure.help("check the paths of one repository at a time"));
    }
    if comparison.head == Head::WorkTree {
        refuse_sparse(&comparison)?;
    }
    let changed = Changed::read(&comparison)?;
    let index = (comparison.head == Head::Index).then(|| Revision::of_index(&comparison.git)).transpose()?;
    let (index, is_new_only) = (index.map(Arc::new), arguments.new_only);
    Ok(Some(Scope { comparison, changed, index, shared: Vec::new(), is_new_only }))
}

/// Fails if files of the commit are left out on disk on purpose: they would look like files that were deleted.
fn refuse_sparse(comparison: &Comparison) -> Result<(), Failure> {
    let git = &comparison.git;
    if git.line(["config", "--type=bool", "core.sparseCheckout"]).as_deref() != Some("true") {
        return Ok(());
    }
    let files = git.items("list the files of the repository", ["ls-files", "-t", "-z"])?;
    // `S <path>`
    let is_left_out = |file: &Vec<u8>| {
        let path = file.strip_prefix(b"S ").map(path_of);
        path.is_some_and(|path| is_below(&path, TREE) || path.iter().count() == 1)
    };
    if !files.iter().any(is_left_out) {
        return Ok(());
    }
    let failure = Failure::new("cannot compare with git: files of KEPs are left out of this sparse checkout");
    Err(failure.help("get them with `git sparse-checkout disable`, or use `--staged`"))
}

impl Scope {
    /// Takes a change of these files for one of all KEPs.
    pub fn share<'p>(&mut self, files: impl Iterator<Item = &'p PathBuf>) {
        self.shared.extend(files.filter_map(|path| path.canonicalize().ok()));
    }

    /// Where the KEPs are read, if not on disk.
    pub fn source(&self) -> Option<Source> {
        self.index.clone().map(Source::Git)
    }

    /// The part of `keps` that the change touches.
    pub fn narrow(&self, keps: &[KepDirectory], repositories: &Repositories) -> Result<Narrowed<'_>, Failure> {
        self.refuse_others(keps)?;
        let trees: Vec<PathBuf> = repositories.given().map(Path::to_owned).collect();
        let touched = self.changes().touch(keps, repositories);
        let base = Base::find(&self.comparison, &self.changed, &touched.keps, &trees)?;
        Ok(Narrowed { scope: self, touched, base })
    }

    /// Whether nothing at all is staged, so that no file needs to be read.
    pub fn has_nothing_staged(&self) -> bool {
        self.comparison.head == Head::Index && self.changed.touched.is_empty()
    }

    /// Why something that is staged could not be read, if that happened.
    pub fn failure(&self) -> Option<Failure> {
        self.index.as_ref()?.failure()
    }

    /// Fails if some of the `keps` are in a repository inside this one, of which git says nothing here.
    fn refuse_others(&self, keps: &[KepDirectory]) -> Result<(), Failure> {
        if self.comparison.head == Head::Index {
            return Ok(());
        }
        let root = self.comparison.git.root();
        let around: BTreeSet<&Path> =
            keps.iter().flat_map(|kep| kep.real.ancestors().take_while(|around| *around != root)).collect();
        let Some(other) = around.into_iter().find(|around| around.join(".git").exists()) else { return Ok(()) };
        let other = other.strip_prefix(root).unwrap_or(other);
        let failure = Failure::of("compare with git", other, "it is a repository of its own");
        Err(failure.help("run kep-lint in it, or name the other directories to check"))
    }

    /// What the summary adds.
    pub fn words(&self, run: &Run) -> String {
        let since = match self.comparison.head {
            Head::WorkTree => format!("; changed since {}", self.comparison.name),
            Head::Index => "; staged changes only".to_owned(),
        };
        let known: usize = run.reports.iter().map(|report| report.known).sum();
        match self.is_new_only {
            true => format!("{since}; {} not shown (--new-only)", counted(known, "old finding", "old findings")),
            false => since,
        }
    }

    /// The sentence for a run without KEPs.
    pub fn nothing(&self) -> String {
        match self.comparison.head {
            Head::WorkTree => format!("no KEP to check has changed since {}", self.comparison.name),
            Head::Index => "no KEP to check has staged changes".to_owned(),
        }
    }

    /// Says in `run` what it was compared with.
    fn mark(&self, run: &mut Run) {
        let Comparison { name, base, .. } = &self.comparison;
        run.since = Some(Since { name: name.clone(), commit: base.clone() });
    }

    /// A run in which nothing was checked.
    pub fn empty_run(&self, options: &Options, repositories: Option<&Repositories>) -> Run {
        let mut run = Run::new(options, repositories.and_then(|repositories| repositories.iter().next()));
        self.mark(&mut run);
        run
    }

    fn changes(&self) -> Changes<'_> {
        Changes { changed: &self.changed, root: self.comparison.git.root(), shared: &self.shared }
    }
}

impl Narrowed<'_> {
    /// Whether nothing is to be checked.
    pub fn is_empty(&self) -> bool {
        let Touched { keps, is_whole, numbers, is_misplaced } = &self.touched;
        keps.is_empty() && !is_whole && !is_misplaced && numbers.is_empty() && !self.scope.changes().has_review()
    }

    /// Drops the findings in files of no KEP that the change is not about, and says what the run was compared with.
    pub fn finish(&self, run: &mut Run) {
        self.scope.mark(run);
        let changes = self.scope.changes();
        run.reports.retain(|report| {
            let place = |path: &str| {
                let root = self.scope.comparison.git.root();
                revision::from_root(root, Path::new(path)).map(|path| root.join(path))
            };
            let mut places = report.files.iter().map(|file| place(&file.path).unwrap_or_default());
            report.kep.is_some() || places.any(|place| changes.is_about(&self.touched, &place))
        });
    }
}
