//! Which KEPs a question is about. A KEP that is asked for but not there is a part of the answer, not a failure.
use super::arguments::ReadyArguments;
use super::input::{self, Input};
use super::judged::tree;
use super::kep_paths::{KepFile, ReviewPath};
use super::list::{self, Address, List, Listed};
use super::question::Question;
use crate::bounds;
use crate::cli::paths;
use crate::diagnostic::{Failure, brief, named};
use crate::kep::directory::{PROD_READINESS, TREE, has_groups};
use crate::kep::filter::Filter;
use crate::kep::{Kep, number};
use crate::ready::tracked::{Standing, Tracked};
use crate::rules::preset::Preset;
use crate::stage::{Release, Stage};
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::{Discovery, discover};
use crate::workspace::files::{Kind, Source, disk};
use crate::workspace::filtered::{self, Filtered};
use crate::workspace::git::Git;
use crate::workspace::kep_files;
use crate::workspace::lookup::Reference;
use crate::workspace::meant::nearest;
use crate::workspace::paths::{RealPath, normal, shown};
use crate::workspace::trees::FEW_KEPS;
use crate::workspace::trees::Repositories;
use crate::workspace::walked::{Looked, Walked};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::env;
use std::path::{Path, PathBuf};

#[derive(Default)]
pub struct Asked {
    /// The KEPs, in the order of the question.
    pub keps: Vec<AskedKep>,
    pub looked: Looked,
    pub searched: Vec<RealPath>,
    /// All KEPs of the tree that numbers were looked up in.
    pub tree: Vec<KepDirectory>,
    /// How many KEPs the filters do not admit.
    pub filtered: usize,
    pub failures: Vec<Failure>,
}

pub struct AskedKep {
    pub found: Found,
    /// The stage that the list has for it.
    pub stage: Option<Stage>,
    /// What else the list has for it; `None` without a list.
    pub tracked: Option<Tracked>,
}

pub enum Found {
    There(Box<KepDirectory>),
    /// Not in the tree: how it was asked for, and its number.
    Absent {
        name: String,
        number: Option<String>,
    },
}

impl AskedKep {
    fn there(kep: KepDirectory) -> Self {
        Self { found: Found::There(Box::new(kep)), stage: None, tracked: None }
    }

    fn absent(name: &str, number: Option<&str>) -> Self {
        let found = Found::Absent { name: name.to_owned(), number: number.map(str::to_owned) };
        Self { found, stage: None, tracked: None }
    }
}

impl Asked {
    /// Finds the KEPs that a question asks for, or those of its list.
    pub fn find(question: &Question) -> Result<Self, Failure> {
        let Question { arguments, list, tree, .. } = question;
        let source_of = &question.source_of();
        let mut asked = Self::default();
        let is_now = question.earlier.is_none();
        let mut numbered = Numbered { tree: tree.as_deref(), is_now, walked: None };
        if let Some(list) = list {
            for Listed { number, line, stage, tracked } in asked.wanted(list, arguments)? {
                let there = match number {
                    Some(number) => numbered.find(&Reference::of_number(number), source_of, &mut asked)?,
                    None => Vec::new(),
                };
                let mut keps: Vec<AskedKep> = there.into_iter().map(AskedKep::there).collect();
                if keps.is_empty() {
                    let name = number.clone().unwrap_or_else(|| format!("line {line} of the list"));
                    keps.push(AskedKep::absent(&name, number.as_deref()));
                }
                for kep in keps {
                    asked.keps.push(AskedKep { stage: *stage, tracked: Some(tracked.clone()), ..kep });
                }
            }
            return Ok(asked.closed(numbered));
        }
        let is_of_tree = arguments.milestone.is_some() || arguments.pr.is_some();
        let default = || match tree {
            Some(tree) if is_of_tree => tree.to_owned(),
            _ => paths::here(),
        };
        let named = arguments.keps.iter().map(|path| paths::meant(path));
        let paths = if arguments.keps.is_empty() { vec![default()] } else { named.collect() };
        for path in &paths {
            asked.add(path, &mut numbered, source_of)?;
        }
        Ok(asked.closed(numbered))
    }

    /// Of several lines of a list about one KEP, an exception counts for all.
    fn keep_exceptions(&mut self) {
        let is_excepted = |kep: &&AskedKep| {
            kep.tracked.as_ref().is_some_and(|tracked| tracked.standing() == Some(Standing::Exception))
        };
        let place = |kep: &AskedKep| match &kep.found {
            Found::There(directory) => Some(directory.real.clone()),
            Found::Absent { .. } => None,
        };
        let excepted: HashMap<RealPath, Option<Tracked>> =
            self.keps.iter().filter(is_excepted).filter_map(|kep| Some((place(kep)?, kep.tracked.clone()))).collect();
        for kep in &mut self.keps {
            if let Some(tracked) = place(kep).and_then(|place| excepted.get(&place)) {
                kep.tracked.clone_from(tracked);
            }
        }
    }

    /// The KEPs of a list that have one of the contacts that are asked for.
    fn wanted<'l>(&mut self, list: &'l List, arguments: &ReadyArguments) -> Result<Vec<&'l Listed>, Failure> {
        let contacts = &arguments.contact;
        if !contacts.is_empty() && list.keps.iter().all(|kep| kep.tracked.contact.is_none()) {
            let failure = Failure::new("the list names no contact of a KEP");
            return Err(failure.help("export the board with the column `Enhancements Contact`"));
        }
        let is_wanted = |kep: &&Listed| contacts.is_empty() || contacts.iter().any(|one| kep.tracked.has_contact(one));
        let wanted: Vec<&Listed> = list.keps.iter().filter(is_wanted).collect();
        self.filtered = list.keps.len() - wanted.len();
        Ok(wanted)
    }

    fn add(
        &mut self,
        path: &Path,
        numbered: &mut Numbered<'_>,
        source_of: &dyn Fn(&Path) -> Source,
    ) -> Result<(), Failure> {
        let source = source_of(path);
        if let Some(kind) = source.kind(path) {
            let Discovery { keps, looked, failures, .. } =
                discover(std::slice::from_ref(&path.to_owned()), Preset::Recommended, source_of);
            let real = source.real(path);
            // In a KEP, there is no other one to be found.
            if kind == Kind::Directory && keps.iter().all(|kep| kep.real != real) {
                self.searched.push(real);
            }
            let keps_before = self.keps.len();
            self.keps.extend(keps.into_iter().map(AskedKep::there));
            self.looked.walks.extend(looked.walks);
            if keps_before == self.keps.len() && failures.is_empty() && numbered.is_now {
                let failure = Failure::new(format!("{} belongs to no KEP", named(path))).at(path);
                return Err(failure.help("name a KEP by its number, its directory, or a directory of KEPs"));
            }
            self.failures.extend(failures);
            return Ok(());
        }
        // A path of a KEP that is not there has the name of its directory.
        let name = last_below_tree(path);
        let reference = Reference::parse(path).or_else(|| Reference::of_directory(name.as_deref()?));
        let Some(reference) = reference else {
            if !numbered.is_now {
                return Ok(());
            }
            let failure = Failure::new(format!("{} does not exist", named(path))).at(path);
            return Err(failure.help(match nearest(path, &source) {
                Some(nearest) => format!("did you mean {}?", named(&nearest)),
                None => "name a KEP by its number, its directory, or a directory of KEPs".to_owned(),
            }));
        };
        self.add_named(path, &reference, numbered, source_of)
    }

    /// Adds the KEP that `reference`, the argument `path`, names. If only its number is right, that is a mistake, or it was
    /// in another directory earlier.
    fn add_named(
        &mut self,
        path: &Path,
        reference: &Reference<'_>,
        numbered: &mut Numbered<'_>,
        source_of: &dyn Fn(&Path) -> Source,
    ) -> Result<(), Failure> {
        let mut directories = numbered.find(reference, source_of, self)?;
        if directories.is_empty() {
            directories = numbered.find(&Reference::of_number(reference.number()), source_of, self)?;
            if !directories.is_empty() && numbered.is_now {
                return Err(reference.unknown(&directories, &[]));
            }
        }
        if directories.is_empty() {
            self.keps.push(AskedKep::absent(&shown(path), Some(reference.number())));
        }
        self.keps.extend(directories.into_iter().map(AskedKep::there));
        Ok(())
    }

    fn closed(mut self, numbered: Numbered<'_>) -> Self {
        if let Some(walked) = numbered.walked {
            self.tree = walked.keps;
            self.looked.walks.push(walked.walk);
        }
        self.keep_exceptions();
        let named: HashSet<RealPath> =
            self.directories().filter(|kep| !kep.is_searched).map(|kep| kep.real.clone()).collect();
        let mut seen = HashSet::new();
        self.keps.retain(|kep| match &kep.found {
            // One that is named counts, also if the directory around it is named before.
            Found::There(directory) if directory.is_searched && named.contains(&directory.real) => false,
            Found::There(directory) => seen.insert((directory.real.clone(), kep.stage)),
            Found::Absent { .. } => true,
        });
        self
    }

    /// Adds a KEP that is not in the tree, if one of the directories that it may have would have been looked through.
    pub fn add_brought(&mut self, number: &str, directories: &BTreeSet<PathBuf>) {
        if self.searched.iter().any(|root| directories.iter().any(|directory| directory.starts_with(root))) {
            self.keps.push(AskedKep::absent(number, Some(number)));
        }
    }

    /// The numbers of the KEPs that are asked for, whether they are there or not.
    pub fn numbers(&self) -> BTreeSet<String> {
        let number = |kep: &AskedKep| match &kep.found {
            Found::There(kep) => number::of_directory(&kep.name).map(str::to_owned),
            Found::Absent { number, .. } => number.as_deref().map(|number| number::without_zeros(number).to_owned()),
        };
        self.keps.iter().filter_map(number).collect()
    }

    /// Keeps of the KEPs found in a directory those of which one of these files, from `root` on, is changed: their own files, or their PRR file.
    pub fn keep_changed(&mut self, changed: &[PathBuf], root: &Path) {
        let reviews: HashSet<String> = changed.iter().filter_map(|path| Some(ReviewPath::of(path)?.number)).collect();
        let directories: HashSet<&Path> = changed.iter().flat_map(|path| path.ancestors()).collect();
        self.keep_searched(|kep| {
            let directory = kep.real.strip_prefix(root).unwrap_or(&kep.real);
            let is_reviewed = || number::of_directory(&kep.name).is_some_and(|number| reviews.contains(number));
            directories.contains(directory) || is_reviewed()
        });
        // What it deletes is not there any more.
        let deleted: BTreeSet<String> = changed.iter().filter_map(|path| Some(KepFile::of(path)?.number)).collect();
        let known: BTreeSet<&str> = self.directories().filter_map(|kep| number::of_directory(&kep.name)).collect();
        let gone: Vec<AskedKep> = deleted
            .iter()
            .filter(|number| !known.contains(number.as_str()))
            .map(|number| AskedKep::absent(number, Some(number)))
            .collect();
        self.keps.extend(gone);
    }

    /// Keeps some of the KEPs that were found by looking through a directory, and returns how many others there were.
    pub fn keep_searched(&mut self, is_kept: impl Fn(&KepDirectory) -> bool) -> usize {
        let count = self.keps.len();
        self.keps.retain(|kep| match &kep.found {
            Found::There(kep) => !kep.is_searched || is_kept(kep),
            Found::Absent { .. } => true,
        });
        count - self.keps.len()
    }

    /// Keeps those that the filter admits. Nothing admits a KEP that is not there, but a pull request may have it.
    pub fn apply(&mut self, filter: &Filter, repositories: &Repositories, has_pulls: bool) -> Result<(), Failure> {
        if filter.is_empty() {
            return Ok(());
        }
        let Filtered { keps, failures, .. } =
            filtered::apply(filter, self.directories().cloned().collect(), repositories)?;
        let count = self.keps.len();
        let admitted: HashSet<&RealPath> = keps.iter().map(|kep| &kep.real).collect();
        self.keps.retain(|kep| match &kep.found {
            Found::There(kep) => admitted.contains(&kep.real),
            Found::Absent { .. } => has_pulls,
        });
        self.filtered += count - self.keps.len();
        self.failures.extend(failures);
        Ok(())
    }

    /// A place in the repository that is asked about: a KEP, or the `tree` in which there is none.
    pub fn place<'a>(&'a self, tree: Option<&'a Path>) -> &'a Path {
        self.directories().next().map(|kep| kep.given.as_path()).or(tree).unwrap_or(Path::new("."))
    }

    /// The files that answers are read from, each or by their directories.
    pub fn read_from(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.directories().map(|kep| kep.real.clone().into()).collect();
        let trees = self.directories().filter_map(|kep| kep.tree());
        let trees: BTreeSet<PathBuf> = trees.map(|(tree, _)| tree.clone().into()).collect();
        if paths.len() > FEW_KEPS {
            paths = trees.iter().cloned().collect();
        }
        paths.extend(trees.iter().map(|tree| tree.join(PROD_READINESS)));
        paths.extend(trees.iter().filter_map(|tree| Some(tree.parent()?.join("OWNERS_ALIASES"))));
        paths
    }

    /// Whether each of them was named, none of them by a list or a directory.
    pub fn are_named(&self) -> bool {
        !self.keps.is_empty() && self.directories().all(|kep| !kep.is_searched)
    }

    /// Whether they are so few that what is only needed for others is not read.
    pub fn are_few(&self) -> bool {
        self.keps.len() <= FEW_KEPS
    }

    /// The directory `keps` in which numbers are looked up, if there is one with KEPs.
    pub fn root(&self) -> Option<RealPath> {
        let mut keps = self.tree.iter().chain(self.directories());
        keps.find_map(|kep| Some(kep.tree()?.0.clone()))
    }

    /// The directories of the KEPs that are there.
    pub fn directories(&self) -> impl Iterator<Item = &KepDirectory> {
        self.keps.iter().filter_map(|kep| match &kep.found {
            Found::There(kep) => Some(kep.as_ref()),
            Found::Absent { .. } => None,
        })
    }
}

/// Whether the `latest-milestone` of a KEP is `release`, or cannot be read because kep.yaml is broken: breaking it must not
/// hide it.
pub fn is_for(kep: &KepDirectory, release: Release) -> bool {
    let texts = kep_files::read_metadata(kep).texts;
    let Some(metadata) = Kep::parse(texts).metadata else { return false };
    let meant = |text: &str| Release::parse(&text.to_lowercase());
    match &metadata.latest_milestone {
        Some(field) => field.value.or_else(|| meant(&field.text)) == Some(release),
        None => !metadata.problems.is_empty(),
    }
}

/// The KEPs of a tree by number. It is looked through once, when the first is asked for.
struct Numbered<'a> {
    tree: Option<&'a Path>,
    /// Whether what is not there may be a mistake: an earlier commit need not have what is there now.
    is_now: bool,
    walked: Option<Walked>,
}

impl Numbered<'_> {
    fn find(
        &mut self,
        reference: &Reference<'_>,
        source_of: &dyn Fn(&Path) -> Source,
        asked: &mut Asked,
    ) -> Result<Vec<KepDirectory>, Failure> {
        let Some(tree) = self.tree else {
            let failure = Failure::new("there is no directory `keps` here to look for KEPs by number");
            return Err(failure.help("run kep-lint in a clone of kubernetes/enhancements, or name the KEP's directory"));
        };
        let walked = self.walked.get_or_insert_with(|| {
            let mut walked = Walked::walk(tree, &source_of(tree));
            asked.failures.append(&mut walked.failures);
            walked
        });
        let mut keps: Vec<KepDirectory> = walked.keps.iter().filter(|kep| reference.is_of(kep)).cloned().collect();
        keps.iter_mut().for_each(|kep| kep.is_searched = false);
        Ok(keps)
    }
}

/// The name of the directory of a KEP in a path that does not exist, below a directory `keps`.
fn last_below_tree(path: &Path) -> Option<String> {
    let place = normal(&env::current_dir().ok()?.join(path));
    let (keps, _) = place.iter().enumerate().find(|(_, part)| *part == TREE)?;
    let below = place.iter().skip(keps + 1).map(|part| part.to_string_lossy());
    below.filter(|part| number::of_directory(part).is_some()).last().map(|part| part.into_owned())
}

pub fn read_list(file: &Path) -> Result<List, Failure> {
    let Input { name, file } = input::read(file, bounds::FILE_BYTES)?;
    list::parse(&name, &file.text, &addresses())
}

/// The arguments with what is only another way to say it: a stage after a KEP, and the URL of an issue or a pull request.
pub fn understood(arguments: &ReadyArguments) -> Result<ReadyArguments, Failure> {
    let mut arguments = arguments.clone();
    let is_path = |path: &Path| disk::around(path).kind(path).is_some();
    let word = arguments.keps.last().filter(|path| arguments.keps.len() > 1 && !is_path(path));
    if let Some(stage) = word.and_then(|path| Stage::from_word(path.to_str()?)) {
        arguments.keps.pop();
        if arguments.stage.replace(stage).is_some_and(|other| other != stage) {
            return Err(Failure::new("two stages are named").help("leave `--stage` out"));
        }
    }
    let mut keps = Vec::new();
    for path in std::mem::take(&mut arguments.keps) {
        let Some(url) = path.to_str().filter(|text| text.starts_with("https://") || text.starts_with("http://")) else {
            keps.push(path);
            continue;
        };
        match list::of_address(url, &addresses()) {
            Some(Address::Kep(number)) => keps.push(number.into()),
            Some(Address::Pull(number)) if arguments.pr.is_none() && arguments.at.is_none() => {
                arguments.pr = Some(number);
            }
            Some(Address::Pull(_)) => return Err(Failure::new("only one version of the files can be judged")),
            None => {
                let failure = Failure::new(format!("`{}` is no KEP of this repository", brief(url)));
                return Err(failure.help("name the issue or pull request of a KEP"));
            }
        }
    }
    arguments.keps = keps;
    Ok(arguments)
}

/// The addresses of this repository, without the scheme.
fn addresses() -> Vec<String> {
    let mut own = Git::around(Path::new(".")).map(|git| git.addresses()).unwrap_or_default();
    if tree().is_none_or(|tree| has_groups(disk::around(&tree).names(&tree).iter())) {
        own.extend(list::KUBERNETES.map(str::to_owned));
    }
    own
}
