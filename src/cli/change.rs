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
use super::git::revision::{self, Revision};
use super::repository::Repositories;
use super::source::Source;
use crate::diagnostic::Failure;
use crate::lint::origin::Since;
use crate::lint::{Options, Run};
use crate::report::counted;
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
    let changed = Changed::read(&comparison)?;
    let index = (comparison.head == Head::Index).then(|| Revision::of_index(&comparison.git)).transpose()?;
    let (index, is_new_only) = (index.map(Arc::new), arguments.new_only);
    Ok(Some(Scope { comparison, changed, index, shared: Vec::new(), is_new_only }))
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
        let trees: Vec<PathBuf> = repositories.given().map(Path::to_owned).collect();
        let touched = self.changes().touch(keps, repositories);
        let base = Base::find(&self.comparison, &self.changed, &touched.keps, &trees)?;
        Ok(Narrowed { scope: self, touched, base })
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

    fn changes(&self) -> Changes<'_> {
        Changes { changed: &self.changed, root: self.comparison.git.root(), shared: &self.shared }
    }
}

impl Narrowed<'_> {
    /// Whether nothing is to be checked.
    pub fn is_empty(&self) -> bool {
        let Touched { keps, is_whole, numbers } = &self.touched;
        keps.is_empty() && !is_whole && numbers.is_empty() && !self.scope.changes().has_review()
    }

    /// The sentence for a run without KEPs.
    pub fn nothing(&self) -> String {
        match self.scope.comparison.head {
            Head::WorkTree => format!("no KEP to check has changed since {}", self.scope.comparison.name),
            Head::Index => "no KEP to check has staged changes".to_owned(),
        }
    }

    /// Says what the run was compared with.
    fn mark(&self, run: &mut Run) {
        let Comparison { name, base, .. } = &self.scope.comparison;
        run.since = Some(Since { name: name.clone(), commit: base.clone() });
    }

    /// A run in which nothing was checked.
    pub fn empty_run(&self, options: &Options, repositories: &Repositories) -> Run {
        let mut run = Run::new(options, repositories.iter().next());
        self.mark(&mut run);
        run
    }

    /// Drops the findings in files of no KEP that the change is not about, and says what the run was compared with.
    pub fn finish(&self, run: &mut Run) {
        self.mark(run);
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
