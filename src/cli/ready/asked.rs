//! Which KEPs a question is about. One that is asked for and not there is a part of the answer, no failure.
use super::list::{List, Listed};
use super::question::Question;
use crate::diagnostic::{Failure, named};
use crate::kep::directory::{PROD_READINESS, review};
use crate::kep::filter::Filter;
use crate::kep::layout::TREE;
use crate::kep::{Kep, brief, number};
use crate::ready::tracked::{Standing, Tracked};
use crate::rules::preset::Preset;
use crate::stage::{Release, Stage};
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::{Discovery, discover};
use crate::workspace::files::opened::Kind;
use crate::workspace::filtered::{self, Filtered};
use crate::workspace::kep_files;
use crate::workspace::meant::{Reference, nearest};
use crate::workspace::paths::{RealPath, normal, shown};
use crate::workspace::trees::{FEW_KEPS, Repositories};
use crate::workspace::walked::{Looked, Walked};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Default)]
pub struct Asked {
    /// The KEPs, in the order of the question.
    pub keps: Vec<AskedKep>,
    pub looked: Looked,
    pub searched: Vec<RealPath>,
    /// The tree that numbers are looked up in. It is looked through once, when the first number is asked for.
    walked: Option<Walked>,
    pub filtered: usize,
    pub failures: Vec<Failure>,
}

pub struct AskedKep {
    /// `None` if it is not in the tree.
    pub directory: Option<KepDirectory>,
    pub name: String,
    pub number: Option<String>,
    pub stage: Option<Stage>,
    /// What the list has for it; `None` without a list.
    pub tracked: Option<Tracked>,
}

impl AskedKep {
    fn there(directory: KepDirectory) -> Self {
        let number = number::of_directory(&directory.name).map(str::to_owned);
        Self { name: directory.shown.clone(), number, directory: Some(directory), stage: None, tracked: None }
    }

    fn absent(name: &str, number: Option<&str>) -> Self {
        Self { directory: None, name: name.to_owned(), number: number.map(str::to_owned), stage: None, tracked: None }
    }

    fn real(&self) -> Option<&RealPath> {
        self.directory.as_ref().map(|directory| &directory.real)
    }

    /// Whether it was found by looking through a directory.
    fn is_searched(&self) -> bool {
        self.directory.as_ref().is_some_and(|directory| directory.is_searched)
    }
}

impl Asked {
    pub fn find(question: &Question) -> Result<Self, Failure> {
        let mut asked = Self::default();
        match &question.list {
            Some(list) => asked.add_listed(question, list)?,
            None => question.paths().iter().try_for_each(|path| asked.add(question, path))?,
        }
        asked.looked.walks.extend(asked.walked.iter().map(|walked| Arc::clone(&walked.walk)));
        asked.drop_repeated();
        Ok(asked)
    }

    /// Adds a KEP that is not in the tree, if one of its directories would have been looked through.
    pub fn add_brought(&mut self, number: &str, directories: &BTreeSet<PathBuf>) {
        if self.searched.iter().any(|root| directories.iter().any(|directory| directory.starts_with(root))) {
            self.keps.push(AskedKep::absent(number, Some(number)));
        }
    }

    pub fn numbers(&self) -> BTreeSet<String> {
        let numbers = self.keps.iter().filter_map(|kep| kep.number.as_deref());
        numbers.map(|number| number::without_zeros(number).to_owned()).collect()
    }

    /// Keeps of the KEPs found in a directory those of which one of these files, from `root` on, is changed:
    /// their own files, or their PRR file.
    pub fn keep_changed(&mut self, changed: &[PathBuf], root: &Path) {
        let files = changed.iter().filter_map(|path| KepFile::of(path));
        let (reviews, files): (Vec<KepFile>, Vec<KepFile>) = files.partition(|file| file.review().is_some());
        let directories: HashSet<&Path> = changed.iter().flat_map(|path| path.ancestors()).collect();
        self.keep_searched(|kep, number| {
            let directory = kep.real.strip_prefix(root).unwrap_or(&kep.real);
            directories.contains(directory)
                || number.is_some_and(|number| reviews.iter().any(|file| file.number == number))
        });
        // What it deletes is not there any more.
        let deleted: BTreeSet<String> = files.into_iter().map(|file| file.number).collect();
        let there = self.keps.iter().filter(|kep| kep.directory.is_some());
        let known: BTreeSet<String> = there.filter_map(|kep| kep.number.clone()).collect();
        self.keps.extend(deleted.difference(&known).map(|number| AskedKep::absent(number, Some(number))));
    }

    /// Keeps some of the KEPs that were found in a directory, and returns how many others there were.
    pub fn keep_searched(&mut self, is_kept: impl Fn(&KepDirectory, Option<&str>) -> bool) -> usize {
        let count = self.keps.len();
        self.keps.retain(|kep| match &kep.directory {
            Some(directory) => !directory.is_searched || is_kept(directory, kep.number.as_deref()),
            None => true,
        });
        count - self.keps.len()
    }

    /// Keeps those that the filter admits, and what is not there if a pull request may have it.
    pub fn apply(&mut self, filter: &Filter, repositories: &Repositories, has_pulls: bool) -> Result<(), Failure> {
        if filter.is_empty() {
            return Ok(());
        }
        let Filtered { keps, failures, .. } =
            filtered::apply(filter, self.directories().cloned().collect(), repositories)?;
        let count = self.keps.len();
        let admitted: HashSet<&RealPath> = keps.iter().map(|kep| &kep.real).collect();
        self.keps.retain(|kep| kep.real().map_or(has_pulls, |real| admitted.contains(real)));
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
        let trees = self.directories().filter_map(|kep| kep.tree());
        let trees: BTreeSet<PathBuf> = trees.map(|(tree, _)| tree.clone().into()).collect();
        let mut paths: Vec<PathBuf> = self.directories().map(|kep| kep.real.clone().into()).collect();
        if paths.len() > FEW_KEPS {
            paths = trees.iter().cloned().collect();
        }
        paths.extend(trees.iter().map(|tree| tree.join(PROD_READINESS)));
        paths.extend(trees.iter().filter_map(|tree| Some(tree.parent()?.join("OWNERS_ALIASES"))));
        paths
    }

    /// Whether each of them was named, none of them by a list or a directory.
    pub fn are_named(&self) -> bool {
        !self.keps.is_empty() && !self.keps.iter().any(AskedKep::is_searched)
    }

    /// The directory `keps` in which numbers are looked up, if there is one with KEPs.
    pub fn root(&self) -> Option<RealPath> {
        let mut keps = self.tree().chain(self.directories());
        keps.find_map(|kep| Some(kep.tree()?.0.clone()))
    }

    /// All KEPs of the tree that numbers were looked up in.
    pub fn tree(&self) -> impl Iterator<Item = &KepDirectory> {
        self.walked.iter().flat_map(|walked| &walked.keps)
    }

    pub fn directories(&self) -> impl Iterator<Item = &KepDirectory> {
        self.keps.iter().filter_map(|kep| kep.directory.as_ref())
    }

    /// Adds the KEPs of a list that have one of the contacts that are asked for.
    fn add_listed(&mut self, question: &Question, list: &List) -> Result<(), Failure> {
        let contacts = &question.arguments.contact;
        if !contacts.is_empty() && list.keps.iter().all(|kep| kep.tracked.contact.is_none()) {
            let failure = Failure::new("the list names no contact of a KEP");
            return Err(failure.help("export the board with the column `Enhancements Contact`"));
        }
        for Listed { number, line, tracked } in &list.keps {
            if !contacts.is_empty() && !contacts.iter().any(|contact| tracked.has_contact(contact)) {
                self.filtered += 1;
                continue;
            }
            let there = match number {
                Some(number) => self.named(question, &Reference::of_number(number))?,
                None => Vec::new(),
            };
            let mut keps: Vec<AskedKep> = there.into_iter().map(AskedKep::there).collect();
            if keps.is_empty() {
                let name = number.clone().unwrap_or_else(|| format!("line {line} of the list"));
                keps.push(AskedKep::absent(&name, number.as_deref()));
            }
            let listed = |kep| AskedKep { stage: tracked.stage, tracked: Some(tracked.clone()), ..kep };
            self.keps.extend(keps.into_iter().map(listed));
        }
        Ok(())
    }

    fn add(&mut self, question: &Question, path: &Path) -> Result<(), Failure> {
        const HELP: &str = "name a KEP by its number, its directory, or a directory of KEPs";
        let source = question.source(path);
        if let Some(kind) = source.kind(path) {
            let source_of = |place: &Path| question.source(place);
            let Discovery { keps, looked, failures, .. } =
                discover(std::slice::from_ref(&path.to_owned()), Preset::Recommended, &source_of);
            let real = source.real(path);
            if keps.is_empty() && failures.is_empty() && question.is_now() {
                return Err(Failure::new(format!("{} belongs to no KEP", named(path))).at(path).help(HELP));
            }
            // In a KEP, there is no other one to be found.
            if kind == Kind::Directory && keps.iter().all(|kep| kep.real != real) {
                self.searched.push(real);
            }
            self.keps.extend(keps.into_iter().map(AskedKep::there));
            self.looked.walks.extend(looked.walks);
            self.failures.extend(failures);
            return Ok(());
        }
        // A path of a KEP that is not there has the name of its directory.
        let name = last_below_tree(path);
        match Reference::parse(path, source.layout().name()).or_else(|| Reference::of_directory(name.as_deref()?)) {
            Some(reference) => self.add_named(question, path, &reference),
            None if !question.is_now() => Ok(()),
            None => {
                let failure = Failure::new(format!("{} does not exist", named(path))).at(path);
                let nearest = nearest(path, &source).map(|nearest| format!("did you mean {}?", named(&nearest)));
                Err(failure.help(nearest.unwrap_or_else(|| HELP.to_owned())))
            }
        }
    }

    /// Adds the KEP that `reference`, the argument `path`, names. If only its number is right, that is a
    /// mistake, or it was in another directory earlier.
    fn add_named(&mut self, question: &Question, path: &Path, reference: &Reference<'_>) -> Result<(), Failure> {
        let mut directories = self.named(question, reference)?;
        if directories.is_empty() {
            directories = self.named(question, &Reference::of_number(reference.number))?;
            if !directories.is_empty() && question.is_now() {
                return Err(reference.unknown(&directories, &[]));
            }
        }
        if directories.is_empty() {
            self.keps.push(AskedKep::absent(&shown(path), Some(reference.number)));
        }
        self.keps.extend(directories.into_iter().map(AskedKep::there));
        Ok(())
    }

    fn named(&mut self, question: &Question, reference: &Reference<'_>) -> Result<Vec<KepDirectory>, Failure> {
        let tree = question.tree.as_deref().ok_or_else(Reference::without_tree)?;
        let walked = self.walked.get_or_insert_with(|| {
            let mut walked = Walked::walk(tree, &question.source(tree));
            self.failures.append(&mut walked.failures);
            walked
        });
        Ok(reference.find(walked).unwrap_or_default())
    }

    /// Leaves out what is asked for twice. Of several lines of a list about one KEP, an exception counts for all.
    fn drop_repeated(&mut self) {
        let exceptions = self.keps.iter().filter_map(|kep| {
            let exception = kep.tracked.as_ref().filter(|tracked| tracked.standing() == Some(Standing::Exception))?;
            Some((kep.real()?.clone(), exception.clone()))
        });
        let exceptions: HashMap<RealPath, Tracked> = exceptions.collect();
        for kep in &mut self.keps {
            if let Some(exception) = kep.real().and_then(|real| exceptions.get(real)) {
                kep.tracked = Some(exception.clone());
            }
        }
        let is_named = |kep: &&KepDirectory| !kep.is_searched;
        let named: HashSet<RealPath> = self.directories().filter(is_named).map(|kep| kep.real.clone()).collect();
        let mut seen = HashSet::new();
        self.keps.retain(|kep| match kep.real() {
            // One that is named counts, also if the directory around it is named before.
            Some(real) if kep.is_searched() && named.contains(real) => false,
            Some(real) => seen.insert((real.clone(), kep.stage)),
            None => true,
        });
    }
}

/// Whether the `latest-milestone` of a KEP is `release`, or kep.yaml is broken, which must not hide a KEP.
pub fn is_for(kep: &KepDirectory, release: Release) -> bool {
    let texts = kep_files::read_metadata(kep).texts;
    // Their only line with this key needs no parser.
    let file = texts.metadata.file().filter(|_| texts.layout.is_of_keps());
    if let Some(only) = file.and_then(|file| brief::only_milestone(&texts.file(file).text)) {
        return only == release;
    }
    let Some(metadata) = Kep::parse(texts).metadata else { return false };
    match &metadata.latest_milestone {
        Some(field) => field.value.or_else(|| Release::parse(&field.text.to_lowercase())) == Some(release),
        None => !metadata.tree.problems.is_empty(),
    }
}

/// The name of the directory of a KEP in a path that does not exist, below a directory `keps`.
fn last_below_tree(path: &Path) -> Option<String> {
    let place = normal(&env::current_dir().ok()?.join(path));
    let (keps, _) = place.iter().enumerate().find(|(_, part)| *part == TREE)?;
    let below = place.iter().skip(keps + 1).map(|part| part.to_string_lossy());
    below.filter(|part| number::of_directory(part).is_some()).last().map(|part| part.into_owned())
}

/// A file of a KEP, or its PRR file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KepFile {
    /// The number of the KEP, without leading zeros.
    pub number: String,
    /// The KEP's directory, or for a PRR file the one that has those of all KEPs.
    pub directory: PathBuf,
    /// The path from there on, with `/`.
    pub name: String,
}

impl KepFile {
    pub fn path(&self) -> String {
        let directory: Vec<_> = self.directory.iter().map(|part| part.to_string_lossy()).collect();
        format!("{}/{}", directory.join("/"), self.name)
    }

    /// The SIG and the name of a PRR file.
    pub fn review(&self) -> Option<(String, String)> {
        review(Path::new(&self.name).strip_prefix(PROD_READINESS).ok()?)
    }

    /// The KEP that the file at `path` is of. Of several directories with numbers, the innermost is that of the KEP.
    pub fn of(path: &Path) -> Option<Self> {
        let parts: Vec<&OsStr> = path.iter().collect();
        let around = |end: usize| parts.iter().take(end).collect();
        let names =
            |start: usize| parts.iter().skip(start).map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        let tree = parts.iter().position(|part| *part == TREE);
        let mut numbered = parts.iter().enumerate().skip(tree.unwrap_or(parts.len()) + 1).rev().skip(1);
        if let Some((at, number)) = numbered.find_map(|(at, part)| Some((at, number::of_directory(part.to_str()?)?))) {
            return Some(Self { number: number.to_owned(), directory: around(at + 1), name: names(at + 1) });
        }
        let at = parts.iter().position(|part| *part == PROD_READINESS)?;
        let file = Self { number: String::new(), directory: around(at), name: names(at) };
        let (_, name) = file.review()?;
        Some(Self { number: number::without_zeros(&name).to_owned(), ..file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_kep_around_it() {
        let of = |path: &str| {
            let file = KepFile::of(Path::new(path))?;
            Some(format!("{} {} {}", file.number, file.directory.display(), file.name))
        };
        assert_eq!(of("keps/sig-a/0012-x/README.md").as_deref(), Some("12 keps/sig-a/0012-x README.md"));
        assert_eq!(of("a/keps/sig-a/1-x/docs/y.md").as_deref(), Some("1 a/keps/sig-a/1-x docs/y.md"));
        assert_eq!(of("keps/sig-a/1-x/2-y/kep.yaml").as_deref(), Some("2 keps/sig-a/1-x/2-y kep.yaml"));
        let review = of("keps/prod-readiness/sig-a/0012.yaml");
        assert_eq!(review.as_deref(), Some("12 keps prod-readiness/sig-a/0012.yaml"));
        for other in ["keps/sig-a/12-x.md", "12-x/README.md", "keps/sig-a/12.yaml", "keps", ""] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(of("keps/prod-readiness/template/README.md"), None);
    }
}
