//! What a run with `--since` or `--staged` is about: the KEPs that a change touches, and their base.

mod base;
pub(crate) mod changed;
mod edited;
mod selection;
pub mod since;
pub(crate) mod told;

use self::base::Base;
use self::changed::{Changed, FileDiff, Listed};
use self::selection::{Changes, Selection};
use self::since::{Compared, Comparison, Head, checked_out};

use super::config_file;
use super::directory::KepDirectory;
use super::edge;
use super::files::{Source, disk, laid_out};
use super::git::nested::Nested;
use super::git::revision::{of_commit, of_index};
use super::paths::{RealPath, shown};
use super::project::Project;
use super::tip::{Tip, tell_tree_by_default_branch};
use super::trees::Repositories;
use crate::bounds;
use crate::config::NAMES;
use crate::diagnostic::{Failure, counted};
use crate::kep::directory::is_below;
use crate::kep::layout::{Layout, Own, TREE};
use crate::kep::texts::Texts;
use crate::lint::changes::Reviewed;
use crate::lint::conditions::EditedFile;
use crate::lint::origin::{Since, short_name};
use crate::lint::{Options, Run};
use crate::stage::release::Teller;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A comparison with a base, and what differs.
pub struct Scope {
    comparison: Comparison,
    changed: Changed,
    others: Vec<Changed>,
    /// What is staged, if that is what is checked.
    index: Option<Source>,
    /// What a comparison with the files on disk would not see.
    listed: Listed,
    /// The version that the configuration is taken from, if not the one that is checked.
    configuration: Option<Source>,
    /// What is checked, by absolute paths that may have links.
    checked: Vec<PathBuf>,
    /// Files that options name, which matter for all KEPs, by absolute paths: as named, and without links.
    shared: Vec<PathBuf>,
    is_new_only: bool,
    layout: Layout,
}

/// The part of a run's KEPs that is checked.
pub struct Narrowed<'a> {
    pub scope: &'a Scope,
    selection: Selection,
    base: Base<'a>,
    /// What the change edits of what decides what is asked, by absolute paths. It may be a link.
    deciding: BTreeSet<PathBuf>,
}

#[derive(Clone, Debug)]
pub struct Wanted {
    pub compared: Compared,
    /// Whether only findings that the base does not have are wanted.
    pub is_new_only: bool,
    /// Whether the configuration is that of the base.
    pub has_base_configuration: bool,
}

/// The scope of the `wanted` comparison, in a run over `paths`.
pub fn of(wanted: &Wanted, paths: &[PathBuf]) -> Result<Scope, Failure> {
    let comparison = since::comparison(&wanted.compared, paths)?;
    let outside = paths.iter().find(|path| edge::from_root(comparison.git.root(), path).is_none());
    if let Some(path) = outside {
        let root = comparison.git.root().display();
        let failure = Failure::of("compare with git", path, &format!("it is not in the repository {root}"));
        return Err(failure.help("check the paths of one repository at a time"));
    }
    let nested = nested(&comparison);
    let (index, listed) = match comparison.head {
        Head::WorkTree => {
            let places: Vec<RealPath> = paths.iter().map(|path| edge::followed(path)).collect();
            nested.refuse_marked(places.iter())?;
            (None, Listed::read(&comparison.git)?)
        }
        Head::Index => (Some(of_index(&comparison.git)?), Listed::default()),
    };
    let differing = |base| Changed::read(&comparison, base, &listed.untracked);
    let changed = differing(&comparison.base)?;
    let others = comparison.others.iter().map(|base| differing(base)).collect::<Result<Vec<_>, _>>()?;
    let inside = listed.others.iter().map(PathBuf::as_path).chain(index.iter().flat_map(|index| index.submodules()));
    // Another repository may be where KEPs were.
    let gone = changed.gone.iter().filter(|path| is_below(path, TREE)).cloned();
    nested.refuse(inside, nested.named(paths).chain(gone))?;
    // The commit that is named, and not the merge base, which the author of a change chooses.
    let configuration =
        if wanted.has_base_configuration { Some(of_commit(&comparison.git, &comparison.tip)?) } else { None };
    let root = comparison.git.root();
    let checked = nested.named(paths).map(|path| root.join(path)).collect();
    let (shared, is_new_only) = (Vec::new(), wanted.is_new_only);
    let layout = Layout::default();
    Ok(Scope { comparison, changed, others, index, listed, configuration, checked, shared, is_new_only, layout })
}

fn nested(comparison: &Comparison) -> Nested<'_> {
    Nested { root: comparison.git.root(), operation: "compare with git" }
}

impl Scope {
    /// Says how the proposals lie, in each version.
    pub fn lay_out(&mut self, layout: &Layout) {
        self.layout = layout.clone();
        self.index.iter().chain(&self.configuration).for_each(|source| source.lay_out(layout));
    }

    /// Takes a change of these files for one of all KEPs. Fails if one of them, or another file that the run
    /// reads, is left out on disk on purpose.
    pub fn share<'p>(&mut self, files: impl Iterator<Item = &'p PathBuf>) -> Result<(), Failure> {
        let root = self.comparison.git.root();
        for path in files {
            // It may be deleted, or a link.
            let own = edge::from_root(root, path).map(|own| root.join(own));
            self.shared.extend(own.into_iter().chain([edge::followed(path).into()]));
        }
        self.listed.refuse_left_out(root, &self.checked, &self.shared)
    }

    /// Where the KEPs are read, if not on disk.
    pub fn source(&self) -> Option<Source> {
        self.index.clone()
    }

    fn files(&self) -> Source {
        self.source().unwrap_or_else(|| laid_out(disk::around(self.comparison.git.root()), &self.layout))
    }

    /// Where the configuration is read, if not where the KEPs are. What is outside is nobody's change.
    pub fn configuration(&self, path: &Path) -> Option<Source> {
        edge::from_root(self.comparison.git.root(), path)?;
        self.configuration.clone()
    }

    /// Takes from the base what decides what is asked, if that is wanted, and finds the release under development of the trees:
    /// that at the commit that `--since` names, which is not one of the change. What is staged has no such commit: as for
    /// other runs, the default branch tells it.
    pub fn decide(&self, repositories: &mut Repositories, options: &Options) -> Result<(), Failure> {
        repositories.decide_by(&|tree| self.configuration(tree));
        // A configuration without groups comes before the directories of the base.
        repositories.adopt(options);
        let Comparison { git, tip, head, .. } = &self.comparison;
        let tip = Tip { git, commit: tip, time: None, by: Teller::Base };
        for (given, tree) in repositories.trees() {
            match head {
                Head::WorkTree => tip.tell(given, tree, options)?,
                Head::Index => tell_tree_by_default_branch(given, tree, options),
            }
        }
        Ok(())
    }

    /// Where a file is that options name: a link from elsewhere may name the configuration of the base.
    pub fn place(&self, path: &Path) -> PathBuf {
        let (root, followed) = (self.comparison.git.root(), edge::followed(path));
        let is_hidden = edge::from_root(root, path).is_none() && followed.starts_with(root);
        if self.configuration.is_some() && is_hidden { followed.into() } else { path.to_owned() }
    }

    pub fn has_touched(&self, path: &Path) -> bool {
        let own = edge::from_root(self.comparison.git.root(), path);
        own.is_some_and(|own| self.changed.touched.contains(&own))
    }

    /// What the version that the configuration is taken from is called.
    pub fn configuration_name(&self) -> Option<String> {
        self.configuration.as_ref().map(|_| self.comparison.name.clone())
    }

    /// Leaves only the KEPs that the change touches; with `--new-only`, its options get what the base has.
    pub fn narrow(&self, project: &mut Project) -> Result<Narrowed<'_>, Failure> {
        let Project { keps, repositories, .. } = project;
        self.refuse_others(keps)?;
        self.refuse_moved(keps)?;
        let trees: Vec<PathBuf> = repositories.trees().map(|(given, _)| given.clone()).collect();
        let (mut base, mut selection) = self.compare(&self.changed, keps, repositories, &trees)?;
        let mut others = Vec::new();
        for changed in &self.others {
            let (other, own) = self.compare(changed, keps, repositories, &trees)?;
            selection.retain_common(&own);
            others.push(other);
        }
        base.compare(&selection.keps)?;
        others.iter_mut().try_for_each(|other| other.compare(&selection.keps))?;
        // Also if no KEP is left to be checked.
        let roots: BTreeSet<RealPath> = repositories.roots().cloned().collect();
        let read = || roots.iter().map(RealPath::as_path).chain(self.checked.iter().map(PathBuf::as_path));
        let is_near = |around: &Path| read().any(|place| place.starts_with(around));
        let mut deciding = self.changes(&self.changed).deciding(&roots, &is_near, &self.files(), &base.files);
        for other in &others {
            let common = self.changes(other.changed).deciding(&roots, &is_near, &self.files(), &other.files);
            deciding.retain(|path| common.contains(path));
        }
        keps.clone_from(&selection.keps);
        let narrowed = Narrowed { scope: self, selection, base, deciding };
        if self.is_new_only && !narrowed.is_empty() {
            let mut known = narrowed.base.baseline(project, None)?;
            for other in others {
                known.extend(other.baseline(project, Some(&narrowed.base))?);
            }
            project.terms.options.baseline = Some(Arc::new(known));
        }
        Ok(narrowed)
    }

    /// A base, and the KEPs that what differs from it may matter for.
    fn compare<'a>(
        &'a self,
        changed: &'a Changed,
        keps: &[KepDirectory],
        repositories: &Repositories,
        trees: &[PathBuf],
    ) -> Result<(Base<'a>, Selection), Failure> {
        let Comparison { git, tip, .. } = &self.comparison;
        let files = match &self.configuration {
            Some(files) if changed.base == *tip => Arc::clone(files),
            _ => of_commit(git, &changed.base)?,
        };
        files.lay_out(&self.layout_of(&files));
        let moved = (*files.layout() != self.layout).then(|| git.root().join(files.layout().tree()));
        let trees: Vec<PathBuf> = trees.iter().cloned().chain(moved).collect();
        let base = Base::read(git.root(), changed, files, keps, &trees);
        let known = if self.is_new_only { Some(&base.keps) } else { None };
        let selection = self.changes(changed).select(keps, repositories, known);
        Ok((base, selection))
    }

    /// The layout for the files of a base: a change may move the proposals with the pattern that finds them.
    fn layout_of(&self, files: &Source) -> Layout {
        let root = self.comparison.git.root();
        let is_touched = NAMES.iter().any(|name| self.changed.touched.contains(Path::new(name)));
        let config = || config_file::find(&[root.to_path_buf()], &config_file::Wanted::Nearest, &|_| Arc::clone(files));
        let base = if is_touched { config().ok().flatten() } else { None };
        match (self.layout.own(), base.as_ref().and_then(|file| file.config.layout.documents())) {
            (Some(own), Some(documents)) => Layout::new(Own { documents: documents.clone(), ..own.clone() }),
            _ => self.layout.clone(),
        }
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
        let nested = nested(&self.comparison);
        nested.refuse_marked(keps.iter().map(|kep| &kep.real))?;
        if self.listed.others.is_empty() {
            return Ok(());
        }
        // A file may be a link into a submodule.
        let files = keps.iter().flat_map(|kep| kep.files.all());
        let places: Vec<RealPath> = files.filter(|file| file.is_symlink()).map(|file| edge::followed(file)).collect();
        nested.refuse_marked(places.iter())
    }

    /// Fails if the change moves the tree of KEPs, or some of the `keps`, to another place: what is asked of
    /// them depends on the place, such as their SIG and whether they need a PRR.
    fn refuse_moved(&self, keps: &[KepDirectory]) -> Result<(), Failure> {
        const HELP: &str = "move the KEPs back into directories of `keps`, or compare with another commit";
        let (root, files) = (self.comparison.git.root(), self.files());
        let tree = root.join(TREE);
        for link in self.changed.links.iter().filter(|link| link.starts_with(TREE)) {
            let target = files.real(&root.join(link));
            let is_moved = |kep: &KepDirectory| kep.real.starts_with(&target) && !kep.real.starts_with(&tree);
            if keps.iter().any(is_moved) {
                let failure = Failure::of("compare", link, "the change makes it a link to KEPs that are not in `keps`");
                return Err(failure.help(HELP));
            }
        }
        let is_gone = files.kind(&tree).is_none() && self.changed.gone.iter().any(|path| path.starts_with(TREE));
        if is_gone && keps.iter().any(|kep| kep.tree().is_none()) {
            return Err(Failure::of("compare", Path::new(TREE), "the change removes it").help(HELP));
        }
        Ok(())
    }

    pub fn words(&self, run: &Run) -> String {
        let since = match self.comparison.head {
            Head::WorkTree => format!("; changed since {}", short_name(&self.comparison.name)),
            Head::Index => "; staged changes only".to_owned(),
        };
        let known: usize = run.reports.iter().map(|report| report.known).sum();
        if self.is_new_only {
            format!("{since}; {} not shown (--new-only)", counted(known, "old finding", "old findings"))
        } else {
            since
        }
    }

    /// The sentence for a run without KEPs.
    pub fn nothing(&self) -> String {
        match self.comparison.head {
            Head::WorkTree => format!("no KEP to check has changed since {}", short_name(&self.comparison.name)),
            Head::Index => "no KEP to check has staged changes".to_owned(),
        }
    }

    /// Says in `run` what it was compared with.
    fn mark(&self, run: &mut Run) {
        let Comparison { name, base, .. } = &self.comparison;
        let (name, commit) = (name.clone(), base.clone());
        let reviewed = Reviewed { commit: self.committed(), ..Reviewed::default() };
        run.since = Some(Since { name, commit, is_new_only: self.is_new_only, reviewed, ..Since::default() });
    }

    /// A run in which nothing was checked.
    pub fn empty_run(&self, options: &Options, repositories: Option<&Repositories>) -> Run {
        let mut run = Run::new(options, repositories.and_then(|repositories| repositories.iter().next()));
        self.mark(&mut run);
        run
    }

    /// Which lines of which files differ from the base.
    fn diff(&self) -> Result<BTreeMap<PathBuf, FileDiff>, Failure> {
        let paths = told::compared(&self.changed);
        if paths.is_empty() { Ok(BTreeMap::new()) } else { changed::lines(&self.comparison, paths) }
    }

    /// The commit that is checked, if that is what is on disk.
    fn committed(&self) -> Option<String> {
        const QUESTION: [&str; 6] = ["diff", "--quiet", "--no-ext-diff", "--ignore-submodules=all", "HEAD", "--"];
        let Comparison { git, head, .. } = &self.comparison;
        let is_same = || matches!(git.ask(QUESTION), Ok(Ok(_)));
        if *head == Head::WorkTree && is_same() { checked_out(git) } else { None }
    }

    fn changes<'a>(&'a self, changed: &'a Changed) -> Changes<'a> {
        Changes { changed, root: self.comparison.git.root(), shared: &self.shared }
    }

    /// What differs from each of the bases.
    fn all_changes(&self) -> impl Iterator<Item = Changes<'_>> {
        iter::once(&self.changed).chain(&self.others).map(|changed| self.changes(changed))
    }
}

impl Narrowed<'_> {
    pub fn is_empty(&self) -> bool {
        let Selection { keps, is_whole, numbers, is_misplaced, .. } = &self.selection;
        let has_review = self.scope.all_changes().all(|changes| changes.has_review());
        keps.is_empty() && !is_whole && !is_misplaced && numbers.is_empty() && !has_review
    }

    /// Adds what the change did to the texts of a KEP. A kep.yaml that one of the bases has is not changed.
    pub fn annotate(&self, texts: &mut Texts, kep: &KepDirectory) {
        let root = self.scope.comparison.git.root();
        let place = kep.metadata_file().map(|file| kep.place_of(file));
        if place.is_some_and(|place| self.scope.all_changes().all(|changes| changes.changed.has_touched(root, &place)))
        {
            self.base.annotate(texts, kep);
        }
    }

    /// What the change does to the files that decide what is asked.
    pub fn edited(&self) -> Vec<EditedFile> {
        let root = self.scope.comparison.git.root();
        let (head, is_deferred) = (self.scope.files(), self.scope.configuration.is_some());
        let edited = |path: &PathBuf| {
            let own = path.strip_prefix(root).unwrap_or(path);
            let read = |source: &Source| source.read(path, bounds::FILE_BYTES).ok().map(|opened| opened.file);
            let effect = edited::effect(own, read(&self.base.files), read(&head), head.layout().is_of_keps());
            EditedFile { counts_later: is_deferred && !edited::counts_now(own), ..EditedFile::new(shown(own), effect) }
        };
        self.deciding.iter().map(edited).collect()
    }

    /// Drops the findings in files of no KEP that the change is not about, and says what the run was
    /// compared with, and what the change does.
    pub fn finish(&self, run: &mut Run, project: &Project) {
        self.scope.mark(run);
        match self.scope.diff() {
            Ok(diff) => {
                if let Some(since) = &mut run.since {
                    since.changed = self.told(project, &diff);
                    let hunks = diff.into_iter().map(|(path, file)| (shown(&path), file.hunks));
                    since.reviewed.hunks = hunks.collect();
                }
            }
            Err(failure) => run.failures.push(failure),
        }
        let root = self.scope.comparison.git.root();
        let is_about = |path: &str| {
            let place = edge::from_root(root, Path::new(path)).map(|path| root.join(path)).unwrap_or_default();
            self.scope.all_changes().all(|changes| changes.is_about(&self.selection, &place))
        };
        run.reports.retain(|report| report.kep.is_some() || report.files.iter().any(|file| is_about(&file.path)));
    }
}
