//! Reads what is known of the repositories of the KEPs, once per run: PRR files, aliases, groups, paths.

mod among;

use super::directory::KepDirectory;
use super::files::Source;
use super::files::opened::{Opened, or_here};
use super::kep_files;
use super::paths::{RealPath, shown};
use super::pool::each;
use super::walk::Walk;
use super::walked::{Looked, Walked};
use crate::bounds;
use crate::config::values::{Config, Groups};
use crate::diagnostic::{Failure, Severity};
use crate::kep::brief::Brief;
use crate::kep::directory::{PROD_READINESS, has_groups, is_template, review, templates};
use crate::kep::number;
use crate::lint::Options;
use crate::repository::facts::Facts;
use crate::repository::misplaced::{Misplaced, MisplacedKind, misplaced};
use crate::repository::paths::Paths;
use crate::repository::vocabulary::Vocabulary;
use crate::repository::{Repository, WITHOUT_TOC};
use crate::rules::preset::Preset;
use crate::source::SourceFile;
use crate::stage::release::Teller;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Up to so many KEPs of a tree are few: what is only needed for others is not read.
pub const FEW_KEPS: usize = 20;

pub struct Repositories {
    known: BTreeMap<RealPath, Tree>,
    other: Repository,
    pub failures: Vec<Failure>,
}

struct Tree {
    given: PathBuf,
    source: Source,
    repository: Repository,
    /// The whole tree, if only some of its KEPs were asked for.
    around: Option<Arc<Walked>>,
    /// What is known of KEPs whose files are not there.
    facts: Option<Arc<Facts>>,
}

impl Repositories {
    pub fn of(&self, kep: &KepDirectory) -> &Repository {
        let tree = kep.tree().and_then(|(keps, _)| self.known.get(keps));
        tree.map_or(&self.other, |tree| &tree.repository)
    }

    pub fn of_mut(&mut self, kep: &KepDirectory) -> &mut Repository {
        let tree = kep.tree().and_then(|(keps, _)| self.known.get_mut(keps));
        tree.map_or(&mut self.other, |tree| &mut tree.repository)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Repository> {
        self.known.values().map(|tree| &tree.repository)
    }

    pub fn at(&self, root: &RealPath) -> Option<&Repository> {
        Some(&self.known.get(root)?.repository)
    }

    pub(super) fn adopt(&mut self, options: &Options) {
        let trees = self.known.values_mut().map(|tree| &mut tree.repository).chain([&mut self.other]);
        for repository in trees {
            // Upstream's scripts know no configuration, and only their own keys and words.
            if options.selection.preset == Preset::Upstream {
                repository.vocabulary = Vocabulary::default();
            } else {
                configure(repository, &options.config);
            }
        }
    }

    /// Takes the template and the list of documents without a TOC from another `version`, if it has the tree.
    pub fn decide_by(&mut self, version: &dyn Fn(&Path) -> Option<Source>) {
        for (root, tree) in &mut self.known {
            let Some(source) = version(&tree.given) else { continue };
            if tree.repository.template.take().is_some() {
                tree.repository.vocabulary = Vocabulary::default();
            }
            tree.repository.without_toc.clear();
            // Where KEPs were approved by groups, they still are.
            let has_groups = has_groups(source.names(&tree.given).iter());
            tree.repository.has_groups |= tree.repository.layout.is_of_keps() && has_groups;
            Reading { root, given: &tree.given, source: &source, terms: None }
                .decide(&mut tree.repository, &mut self.failures);
        }
    }

    pub fn trees(&mut self) -> impl Iterator<Item = (&PathBuf, &mut Repository)> {
        self.known.values_mut().map(|tree| (&tree.given, &mut tree.repository))
    }

    /// Leaves out what is not about a KEP, for a run over some KEPs of a tree.
    pub fn leave_out_own_findings(&mut self) {
        for tree in self.known.values_mut() {
            tree.repository.is_whole = false;
            tree.repository.aliases_problem = None;
        }
    }

    /// The trees of KEPs that were looked through for what is around some of them. An editor watches no others.
    pub fn around(&self) -> impl Iterator<Item = &Arc<Walked>> {
        let trees = self.known.values().filter(|tree| tree.repository.layout.is_of_keps());
        trees.filter_map(|tree| tree.around.as_ref())
    }

    pub fn roots(&self) -> impl Iterator<Item = &RealPath> {
        self.known.keys()
    }

    /// How the KEPs of the tree at `root` are judged; a tree that was moved has another directory.
    fn terms_of(&self, root: &RealPath) -> Option<&Repository> {
        let only = if self.known.len() == 1 { self.known.values().next() } else { None };
        Some(&self.known.get(root).or(only)?.repository)
    }

    /// Leaves out the misplaced documents in directories that are excluded.
    pub fn exclude_misplaced(&mut self, is_excluded: impl Fn(&RealPath) -> bool) {
        for (root, Tree { repository, .. }) in &mut self.known {
            let is_left_out = |file: &Path| root.below(file).parent().is_some_and(|place| is_excluded(&place));
            repository.misplaced.retain(|it| it.kind != MisplacedKind::Document || !is_left_out(&it.file));
        }
    }

    /// What is where no KEP is looked for. It may be a link.
    pub fn misplaced(&self) -> impl Iterator<Item = PathBuf> {
        self.known.iter().flat_map(|(root, tree)| tree.repository.misplaced.iter().map(|it| root.join(&it.file)))
    }

    /// Takes the releases that git told for an earlier run. Returns whether it told those of all trees.
    pub fn take_releases(&mut self, earlier: &Self) -> bool {
        let mut are_known = true;
        for (root, tree) in &mut self.known {
            let told = earlier.known.get(root).map(|earlier| &earlier.repository.told);
            match told.filter(|told| told.by != Teller::Tree) {
                Some(told) => tree.repository.told.clone_from(told),
                None => are_known = false,
            }
        }
        are_known
    }

    /// The document at a path from `keps` on, in the first tree that has it.
    pub fn document(&self, path: &str) -> Option<Arc<SourceFile>> {
        let tree = self.known.values().find(|tree| tree.repository.has_path(path) == Some(true))?;
        let way = path.strip_prefix(tree.repository.layout.tree())?.trim_start_matches('/');
        let place = tree.given.join(way);
        let opened = tree.source.read(&place, bounds::FILE_BYTES).ok();
        opened.map(|opened| opened.file).or_else(|| self.known_metadata(path))
    }
}

/// Adds what a configuration knows of groups, approvers and feature gates.
pub fn configure(repository: &mut Repository, config: &Config) {
    match config.groups.as_ref().map(|groups| &groups.value) {
        Some(Groups::More(names)) => repository.groups.extend(names.iter().cloned()),
        Some(Groups::None) => repository.has_groups = false,
        None => {}
    }
    repository.sections = config.sections.as_ref().map_or(Severity::Advice, |sections| sections.value);
    let approvers = config.approvers.iter().flat_map(|approvers| &approvers.value);
    repository.aliases.prr_approvers.extend(approvers.cloned());
    repository.code.clone_from(&config.code);
}

/// Reads the trees that `keps` are in. With `numbers`, of PRR files only those with these: that others
/// cannot be read is not known. The KEPs of an earlier version are judged as those of `head`.
pub fn collect(
    keps: &[KepDirectory],
    looked: &Looked,
    numbers: Option<&BTreeSet<String>>,
    head: Option<&Repositories>,
) -> Repositories {
    let mut trees: BTreeMap<RealPath, Vec<&KepDirectory>> = BTreeMap::new();
    for kep in keps {
        if let Some((root, _)) = kep.tree() {
            trees.entry(root.clone()).or_default().push(kep);
        }
    }
    let places: HashSet<&Path> = keps.iter().map(|kep| kep.real.as_path()).collect();
    let mut known = BTreeMap::new();
    let mut failures = Vec::new();
    for (root, inside) in trees {
        let Some((first, given)) = inside.first().and_then(|first| Some((first, first.given_tree()?))) else {
            continue;
        };
        let source = first.source.clone();
        let terms = head.and_then(|head| head.terms_of(&root));
        let reading = Reading { root: &root, given: &given, source: &source, terms };
        let is_around = |walk: &&Arc<Walk>| !walk.root.as_os_str().is_empty() && root.starts_with(&walk.root);
        let (repository, around) = match looked.walks.iter().find(is_around) {
            Some(walk) => (reading.all(&inside, walk, Some(&places), numbers, &mut failures), None),
            // Links and references are looked up in the whole tree, also if only a part of it is checked.
            None => {
                let around = reading.around(&inside, looked, &mut failures);
                // Of a few KEPs that were named, no other PRR file is needed.
                let are_few = numbers.is_none() && inside.len() <= FEW_KEPS;
                let own = are_few.then(|| inside.iter().copied().flat_map(kep_files::numbers).collect());
                let listed: Vec<&KepDirectory> = around.keps.iter().collect();
                let own = own.as_ref().or(numbers);
                (reading.all(&listed, &around.walk, None, own, &mut failures), Some(Arc::clone(&around)))
            }
        };
        known.insert(root, Tree { given, source, repository, around, facts: None });
    }
    label(&mut known);
    let other = match head {
        Some(head) => head.other.clone(),
        None => Repository {
            shared_numbers: shared_outside(keps),
            vocabulary: vocabulary_outside(keps),
            ..Repository::default()
        },
    };
    Repositories { known, other, failures }
}

pub struct Whole {
    /// Its KEPs, by path; there may be none.
    pub keps: Vec<KepDirectory>,
    pub repository: Repository,
    pub failures: Vec<Failure>,
}

pub fn whole(given: &Path, source: &Source) -> Whole {
    let Walked { keps, walk, mut failures, .. } = Walked::walk(given, source);
    let root = source.real(given);
    let reading = Reading { root: &root, given, source, terms: None };
    let places = keps.iter().map(|kep| kep.real.as_path()).collect();
    let repository = reading.all(&keps.iter().collect::<Vec<_>>(), &walk, Some(&places), None, &mut failures);
    Whole { keps, repository, failures }
}

/// Makes the fingerprints of several trees differ: KEPs of two trees may have the same number.
fn label(trees: &mut BTreeMap<RealPath, Tree>) {
    if trees.len() < 2 {
        return;
    }
    let first = trees.keys().next().cloned().unwrap_or_default();
    let is_common = |around: &RealPath| trees.keys().all(|root| root.starts_with(around));
    let common = first.ancestors().find(is_common).unwrap_or_default();
    for (root, tree) in trees {
        tree.repository.label = format!("{}:", shown(root.strip_prefix(&common).unwrap_or(root)));
    }
}

/// The numbers and the names that several KEPs have which are in no tree.
fn shared_outside(keps: &[KepDirectory]) -> BTreeSet<String> {
    let outside = keps.iter().filter(|kep| kep.tree().is_none());
    let names = outside.flat_map(|kep| [Some(kep.name.as_str()), number::of_directory(&kep.name)]).flatten();
    let mut seen = BTreeSet::new();
    names.filter(|name| !seen.insert(*name)).map(str::to_owned).collect()
}

/// What KEPs that are in no tree show of their keys, with those beside them, whether they are checked or not.
fn vocabulary_outside(keps: &[KepDirectory]) -> Vocabulary {
    let outside = keps.iter().filter(|kep| kep.tree().is_none());
    let sources: BTreeMap<&Path, &Source> =
        outside.filter_map(|kep| Some((or_here(kep.given.parent()?), &kep.source))).collect();
    let read = |(around, source): (&Path, &Source)| {
        let paths = source.names(around).into_iter().map(|name| around.join(name).join("kep.yaml"));
        paths.filter_map(|path| source.read(&path, bounds::FILE_BYTES).ok()).collect::<Vec<_>>()
    };
    Vocabulary::of_most(sources.into_iter().flat_map(read).map(|opened| opened.file.text.clone()))
}

struct Reading<'a> {
    root: &'a RealPath,
    given: &'a Path,
    source: &'a Source,
    /// How its KEPs are judged, if not as the files of the tree say.
    terms: Option<&'a Repository>,
}

impl Reading<'_> {
    /// All that is known of the tree in `walk`, and of its `keps`. If all of it was asked for, what belongs to
    /// no KEP is known too; `places` are those of all KEPs of the run then, also of other trees.
    fn all(
        &self,
        keps: &[&KepDirectory],
        walk: &Arc<Walk>,
        places: Option<&HashSet<&Path>>,
        numbers: Option<&BTreeSet<String>>,
        failures: &mut Vec<Failure>,
    ) -> Repository {
        let Self { root, given, .. } = *self;
        let start = root.strip_prefix(&walk.root).unwrap_or(root);
        let directory = given.join(PROD_READINESS);
        let reviews = start.join(PROD_READINESS);
        let reviews = walk.below(&reviews).filter_map(|way| ReviewPath::of(&directory, way)).collect();
        let mut repository = self.lists(numbers, reviews, failures);
        repository.is_whole = places.is_some();
        let keps: Vec<&KepDirectory> = keps.iter().copied().filter(|kep| !kep.is_loose).collect();
        repository.set_keps(keps.iter().filter_map(|kep| Some(kep.tree()?.1)));
        let briefs = each(&keps, |kep| Some((kep.name.as_str(), kep_files::brief(kep)?)));
        let briefs: Vec<(&str, Brief)> = briefs.into_iter().flatten().collect();
        // Only kep.yaml has the number of a KEP whose directory has none, or another one than its PRR file.
        let orphans = repository.orphans();
        for (name, Brief { number, .. }) in &briefs {
            let is_unnumbered = number::of_directory(name).is_none();
            if is_unnumbered && !number.is_empty() || orphans.contains(number) {
                repository.numbers.get_or_insert_default().entry(number.clone()).or_default();
            }
        }
        repository.set_briefs(briefs.into_iter());
        if repository.template.is_none() && !repository.has_groups {
            let texts = keps.iter().filter_map(|kep| kep.metadata()?.ok());
            repository.vocabulary = Vocabulary::of_most(texts.map(|opened| opened.file.text.clone()));
        }
        if let Some(terms) = self.terms {
            repository.judge_like(terms);
        }
        if let Some(places) = places {
            let belongs = |way: &Path| places.contains(&*root.join(way)) || way.file_name().is_some_and(is_template);
            repository.misplaced = match repository.layout.documents() {
                None => misplaced(walk.below(start), belongs),
                Some(documents) => {
                    let is_astray = |way: &&Path| {
                        let (place, source) = (root.below(way), self.source);
                        documents.is_astray(&Path::new(&documents.tree).join(way))
                            && source.is_plain(&place)
                            && !place.parent().is_some_and(|around| source.is_clone_in(root, &around))
                    };
                    let document = |way: &Path| Misplaced { file: way.to_owned(), kind: MisplacedKind::Document };
                    walk.below(start).filter(is_astray).map(document).collect()
                }
            };
        }
        repository.paths = Some(paths(Arc::clone(walk), start.to_owned(), self.source.layout().tree()));
        repository
    }

    /// All that is in the tree. Its links to directories are failures here, unless a walk that was asked for
    /// has them, and so is what could not be listed of the PRR files.
    fn around(&self, keps: &[&KepDirectory], looked: &Looked, failures: &mut Vec<Failure>) -> Arc<Walked> {
        let is_this = |known: &&Arc<Walked>| known.walk.root == *self.root && known.walk.given == *self.given;
        if let Some(known) = looked.trees.iter().find(is_this) {
            return Arc::clone(known);
        }
        let earlier = looked.earlier.iter().find(is_this).cloned();
        let walked = earlier.unwrap_or_else(|| Arc::new(Walked::walk(self.given, self.source)));
        let Walk { links, failures: unlisted, is_cut, .. } = &*walked.walk;
        if !links.is_empty() {
            let trees = looked.trees.iter().map(|known| &known.walk.root);
            let told: HashSet<&RealPath> = looked.walks.iter().map(|walk| &walk.root).chain(trees).collect();
            // A link by which a KEP was named was followed.
            let parts = keps.iter().flat_map(|kep| kep.given.ancestors());
            let named: HashSet<RealPath> = parts.filter_map(|part| self.place_of_name(part)).collect();
            let is_new = |link: &&PathBuf| {
                let place = self.root.below(link);
                !named.contains(&place) && !place.ancestors().any(|around| told.contains(&around))
            };
            failures.extend(links.iter().filter(is_new).map(|link| walked.walk.failure(link)));
        }
        let reviews = self.given.join(PROD_READINESS);
        let is_of_review =
            |failure: &&Failure| failure.path.as_ref().is_some_and(|path| Path::new(path).starts_with(&reviews));
        failures.extend(unlisted.iter().filter(|failure| *is_cut || is_of_review(failure)).cloned());
        walked
    }

    /// Where the file, directory or link itself is.
    fn place_of_name(&self, path: &Path) -> Option<RealPath> {
        let around = self.source.real(or_here(path.parent()?));
        Some(around.below(Path::new(path.file_name()?)))
    }

    /// The files of the tree that no KEP has: PRR files, and lists.
    fn lists(
        &self,
        numbers: Option<&BTreeSet<String>>,
        mut reviews: Vec<ReviewPath>,
        failures: &mut Vec<Failure>,
    ) -> Repository {
        let Self { given, source, .. } = *self;
        let mut repository = Repository {
            layout: source.layout().clone(),
            reviews_directory: shown(&given.join(PROD_READINESS)),
            reviews: Some(BTreeMap::new()),
            ..Repository::default()
        };
        // Of a few KEPs, none may need a review.
        let has_reviews = !reviews.is_empty();
        if let Some(numbers) = numbers {
            reviews.retain(|review| numbers.contains(number::without_zeros(&review.name)));
        }
        let read = each(&reviews, |review| source.read(&review.path, bounds::LIST_BYTES));
        let mut left = bounds::REVIEW_BYTES;
        for (ReviewPath { sig, name, .. }, opened) in reviews.into_iter().zip(read) {
            match opened {
                Ok(Opened { file, .. }) => match left.checked_sub(file.text.len() as u64) {
                    Some(rest) => {
                        left = rest;
                        repository.add_review(sig, name, file);
                    }
                    None => {
                        let size = bounds::size(bounds::REVIEW_BYTES);
                        let reason = format!("the PRR files have more than {size}");
                        failures.push(Failure::of("read all of", given.join(PROD_READINESS), &reason));
                        break;
                    }
                },
                Err(failure) => {
                    repository.unreadable_reviews.insert(format!("{sig}/{name}"));
                    failures.push(failure);
                }
            }
        }
        let names = source.names(given);
        repository.has_groups = repository.layout.is_of_keps() && has_groups(names.iter());
        self.decide(&mut repository, failures);
        if !repository.layout.is_of_keps() {
            return repository;
        }
        let aliases = shown(&self.beside("OWNERS_ALIASES"));
        repository.set_aliases(self.list("OWNERS_ALIASES", failures), has_reviews.then_some(&aliases));
        if let Some(file) = self.list("sigs.yaml", failures) {
            repository.read_groups(&file.text);
        }
        repository.learn_groups(names.iter().map(|name| name.to_string_lossy().into_owned()));
        repository
    }

    /// Reads what decides what is asked: the template, and the list of documents without a TOC.
    fn decide(&self, repository: &mut Repository, failures: &mut Vec<Failure>) {
        if self.terms.is_none() && repository.layout.is_of_keps() {
            let directories = templates(self.source.names(self.given)).into_iter().map(|name| self.given.join(name));
            let directory = directories.into_iter().find(|directory| self.has(&directory.join("README.md")));
            let mut read = |name| {
                let path = directory.as_ref()?.join(name);
                let opened = self.has(&path).then(|| self.source.read(&path, bounds::FILE_BYTES))?;
                opened.map_err(|failure| failures.push(failure)).ok().map(|opened| opened.file)
            };
            repository.template = read("README.md");
            if let Some(file) = read("kep.yaml") {
                repository.vocabulary = Vocabulary::of(&file.text);
            }
        }
        if let Some(file) = self.list(WITHOUT_TOC, failures) {
            repository.without_toc = file.text.lines().map(str::to_owned).collect();
        }
    }

    /// A list beside the tree, or in a directory above it.
    fn list(&self, name: &str, failures: &mut Vec<Failure>) -> Option<Arc<SourceFile>> {
        let above = || {
            let directories = self.root.ancestors().skip(1).take_while(|directory| self.source.holds(directory));
            directories.map(|directory| directory.join(name)).find(|path| self.has(path))
        };
        let path = Some(self.beside(name)).filter(|path| self.has(path)).or_else(above)?;
        let opened = self.source.read(&path, bounds::LIST_BYTES);
        opened.map_err(|failure| failures.push(failure)).ok().map(|opened| opened.file)
    }

    fn beside(&self, name: &str) -> PathBuf {
        // The parent of a path such as `..` or `.` is not the directory above it.
        let above = self.root.parent();
        let is_same = self.given.parent().map(|around| self.source.real(or_here(around))) == above;
        let around = if is_same { self.given.parent() } else { above.as_deref() };
        around.unwrap_or(Path::new("")).join(name)
    }

    fn has(&self, path: &Path) -> bool {
        self.source.kind(path).is_some()
    }
}

/// The paths of the tree that is at `start` in what was listed.
fn paths(walk: Arc<Walk>, start: PathBuf, tree: &str) -> Paths {
    let (listed, from, around) = (Arc::clone(&walk), start.clone(), format!("{tree}/"));
    let own = around.clone();
    let has = move |path: &str| path.strip_prefix(&around).is_some_and(|way| listed.has(&from.join(way)));
    Paths::new(has, move || walk.below(&start).map(|way| [own.as_str(), &shown(way)].concat()).collect())
}

pub struct ReviewPath {
    pub sig: String,
    pub name: String,
    pub path: PathBuf,
}

impl ReviewPath {
    /// The PRR file at `way` from `directory` on.
    pub fn of(directory: &Path, way: &Path) -> Option<Self> {
        let (sig, name) = review(way)?;
        Some(Self { sig, name, path: directory.join(way) })
    }
}
