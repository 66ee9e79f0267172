//! Which KEPs the paths of the command line mean.
//!
//! A KEP is a directory with a kep.yaml, or one with a README below a directory named `keps`; also a
//! directory with a README, or a README, that is named itself. The template's directory, `prod-readiness`
//! and the root of a repository are not KEPs.

#![warn(missing_docs)]

use super::directory::{KepDirectory, around, is_root, list};
use super::files::Source;
use super::files::opened::{Kind, or_here};
use super::meant::{Reference, is_here, meant, nearest};
use super::paths::{RealPath, shown};
use super::walked::{Looked, Walked};
use crate::diagnostic::{Failure, brief, named};
use crate::kep::directory::{self, KepFiles, PROD_READINESS, is_readme, is_set_apart};
use crate::kep::layout::documents::Documents;
use crate::kep::layout::seen;
use crate::kep::number;
use crate::kep::reference;
use crate::kep::visited::visited;
use crate::rules::preset::Preset;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What the paths mean.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The KEPs, by path, each once.
    pub keps: Vec<KepDirectory>,
    /// What was looked through.
    pub looked: Looked,
    /// How many files belong to no KEP, but to the repository of KEPs.
    pub skipped: usize,
    /// Files that are neither: most likely, somebody takes them for KEPs.
    pub strangers: Vec<Failure>,
    /// Paths without a KEP, and directories that cannot be read.
    pub failures: Vec<Failure>,
    /// Where among the failures those of paths are that do not exist.
    pub missing: Vec<usize>,
    /// And those of a layout whose pattern matches nothing.
    pub unmatched: Vec<usize>,
    /// Whether files of no KEP count.
    preset: Preset,
}

/// Finds the KEPs that `paths` mean, each in the source that `source_of` returns for it; for upstream's
/// preset also the other files that its scripts look at.
pub fn discover(paths: &[PathBuf], preset: Preset, source_of: &dyn Fn(&Path) -> Source) -> Discovery {
    let mut discovery = Discovery { preset, ..Discovery::default() };
    for path in paths {
        let source = source_of(path);
        // Where the proposals of another layout are was not known before.
        let path = &if source.layout().is_of_keps() { path.clone() } else { meant(path, &source) };
        if path == Path::new("/dev/stdin") {
            let failure = Failure::new("standard input is not a file");
            discovery.failures.push(failure.help("use `-` with `--stdin-filename PATH`"));
            continue;
        }
        match source.kind(path) {
            Some(Kind::Directory) => discovery.add_tree(path, &source),
            Some(Kind::Other) => discovery.add_file(path, &source),
            None => discovery.add_reference(path, &source),
        }
    }
    // Of a KEP that several paths mean, the one whose directory was looked through has all documents.
    let mut most: HashMap<RealPath, usize> = HashMap::new();
    for kep in &discovery.keps {
        let documents = most.entry(kep.real.clone()).or_default();
        *documents = kep.files.documents.len().max(*documents);
    }
    // A directory's own path is followed by `/` in those of its files, and sorts by it.
    discovery.keps.sort_by_cached_key(|kep| format!("{}/", kep.shown));
    let mut seen = HashSet::new();
    let has_most = |kep: &KepDirectory| most.get(&kep.real) == Some(&kep.files.documents.len());
    discovery.keps.retain(|kep| has_most(kep) && seen.insert(kep.real.clone()));
    discovery
}

/// What is checked if no path is given: the KEP that the working directory is in, else the SIG, else the
/// tree of KEPs of the repository around, else the working directory.
pub fn here(source: &Source) -> PathBuf {
    let here = source.real(Path::new("."));
    let tree = source.tree_of(&here).filter(|tree| !source.is_clone_in(tree, &here));
    let Some(keps) = tree else {
        return source.tree_around().unwrap_or_else(|| PathBuf::from("."));
    };
    let depth = here.strip_prefix(&keps).map_or(0, |way| way.components().count());
    let is_kep = |directory: RealPath| list(&directory, source).is_kep(&directory, source.layout());
    let up = match here.ancestors().take(depth).position(is_kep) {
        Some(up) => up,
        None if is_set_apart(&here) => depth,
        None => depth.saturating_sub(1),
    };
    let path: PathBuf = std::iter::repeat_n("..", up).collect();
    or_here(&path).to_owned()
}

impl Discovery {
    fn add_tree(&mut self, root: &Path, source: &Source) {
        let Walked { keps, root: own, walk, failures, .. } = match self.preset {
            Preset::Upstream => Walked::visit(root, source),
            Preset::Recommended | Preset::Strict => Walked::walk(root, source),
        };
        let has_failed = !failures.is_empty();
        self.add_failures(&failures);
        self.looked.walks.push(walk);
        // A clone in the tree may have any README.
        let (mut keps, others): (Vec<_>, Vec<_>) = keps.into_iter().partition(|kep| kep.is_loose || kep.has_place());
        if !keps.is_empty() {
            self.skipped += others.iter().filter(|kep| kep.tree().is_some()).count();
            self.keps.append(&mut keps);
        } else if !is_here(root)
            && let Some(kep) = own.filter(|_| !lists_proposals(root, source))
        {
            self.keps.push(kep);
        } else if let Some(documents) = source.layout().documents() {
            self.unmatched.push(self.failures.len());
            self.failures.push(no_document(documents, root, source));
        } else if !has_failed {
            let failure = Failure::new(format!("{} contains no KEP", named(root))).at(root);
            let proposals = format!("name the proposals: {}", named(&root.join("*/")));
            let help = if lists_proposals(root, source) {
                &proposals
            } else if source.real(root).iter().any(directory::is_template) {
                "check the template with `kep-lint template check`"
            } else if source.names(root).iter().any(|name| name == "kep.yml") {
                "rename `kep.yml` to `kep.yaml`"
            } else if is_here(root) {
                "run kep-lint where there is a directory `keps`, or name a KEP: a directory with a `kep.yaml`, or a `README.md`"
            } else {
                "name a directory with a `kep.yaml`, or one with a `README.md` in a directory named `keps`"
            };
            self.failures.push(failure.help(help));
        }
    }

    /// Adds a KEP that is named by its number.
    fn add_reference(&mut self, argument: &Path, source: &Source) {
        let tree = source.tree_around();
        let found = match (Reference::parse(argument, source.layout().name()), tree) {
            (Some(reference), Some(tree)) => reference.find(&self.look_through(&tree, source)),
            (Some(reference), None) if reference.name.is_none() => Err(Reference::without_tree().at(argument)),
            _ if let Some(number) = argument.to_str().and_then(reference::pull_request) => {
                let failure = Failure::new(format!("{} is a pull request, not a KEP", named(argument))).at(argument);
                Err(failure.help(format!(
                    "use `kep-lint ready --pr {number}`, or check out its branch and use `kep-lint --since auto`"
                )))
            }
            _ => {
                let failure = Failure::new(format!("{} does not exist", named(argument))).at(argument);
                self.missing.push(self.failures.len());
                Err(failure.help(match nearest(argument, source) {
                    Some(path) => format!("did you mean {}?", named(&path)),
                    None => "name a directory of KEPs, a KEP, or a file in one".to_owned(),
                }))
            }
        };
        match found {
            Ok(keps) => self.keps.extend(keps),
            Err(failure) => self.failures.push(failure),
        }
    }

    /// Looks once through a directory in which a few KEPs are looked up.
    fn look_through(&mut self, root: &Path, source: &Source) -> Arc<Walked> {
        if let Some(known) = self.looked.trees.iter().find(|known| known.walk.given == root) {
            return Arc::clone(known);
        }
        let walked = Arc::new(Walked::walk(root, source));
        self.add_failures(&walked.failures);
        self.looked.trees.push(Arc::clone(&walked));
        walked
    }

    /// Adds failures, each once: a directory may be looked through for several paths.
    fn add_failures(&mut self, failures: &[Failure]) {
        for failure in failures {
            if !self.failures.contains(failure) {
                self.failures.push(failure.clone());
            }
        }
    }

    fn add_file(&mut self, file: &Path, source: &Source) {
        let found = self.kep_of_review(file, source).or_else(|| {
            let visited = if self.preset == Preset::Upstream { visited_around(file, source) } else { None };
            visited.or_else(|| kep_around(file, source))
        });
        match found {
            Some(kep) => self.keps.push(kep),
            None if is_of_repository(file, source) => self.skipped += 1,
            None => {
                let failure = Failure::new(format!("{} belongs to no KEP", named(file))).at(file);
                let keps =
                    "name a file of a directory with a `kep.yaml`, one below a directory `keps`, or a `README.md`";
                let others = source.layout().documents().map(|it| format!("name one of `{}`", patterns(it)));
                self.strangers.push(failure.help(others.unwrap_or_else(|| keps.to_owned())));
            }
        }
    }

    /// The KEP that a file of `keps/prod-readiness/<sig>/<number>.yaml` approves.
    fn kep_of_review(&mut self, file: &Path, source: &Source) -> Option<KepDirectory> {
        let components: Vec<Component<'_>> = file.components().collect();
        let at = components.iter().rposition(|component| component.as_os_str() == PROD_READINESS)?;
        let [sig, _] = components.get(at + 1..)? else { return None };
        let wanted = number::without_zeros(file.file_stem()?.to_str()?);
        let tree: PathBuf = components.iter().take(at).collect();
        self.numbered(&tree.join(sig), wanted, source).or_else(|| self.numbered(&tree, wanted, source))
    }

    /// The first KEP of this number below `root`.
    fn numbered(&mut self, root: &Path, number: &str, source: &Source) -> Option<KepDirectory> {
        if source.kind(root) != Some(Kind::Directory) {
            return None;
        }
        let walked = self.look_through(root, source);
        walked.keps.iter().find(|kep| number::of_directory(&kep.name) == Some(number)).cloned()
    }
}

fn patterns(documents: &Documents) -> String {
    brief(&documents.patterns.join("`, `")).into_owned()
}

/// What to say where the pattern of the layout matches nothing: which files there are.
fn no_document(documents: &Documents, root: &Path, source: &Source) -> Failure {
    let pattern = patterns(documents);
    let tree = Path::new(&documents.tree);
    let around = if root.ends_with(tree) { tree } else { Path::new("") };
    let paths: Vec<String> = source.list(root).paths.iter().map(|path| shown(&around.join(path))).collect();
    let failure = Failure::new(format!("found 0 documents in {}: none is at `{pattern}`", named(root))).at(root);
    failure.help(match seen::all(paths.iter().map(String::as_str)).first() {
        Some((form, count)) => format!("there are {count} `{}`", brief(form)),
        None => "say in `documents` where the proposals are".to_owned(),
    })
}

/// Whether a file is below `keps`, or one of those beside it that a run reads.
fn is_of_repository(file: &Path, source: &Source) -> bool {
    let place = source.real(file.parent().unwrap_or(Path::new("")));
    let is_in_tree = || source.tree_of(&place).is_some();
    file.file_name().is_some_and(is_read_beside_keps) || is_in_tree()
}

/// The files beside and above a tree of KEPs that decide what is asked.
pub const BESIDE_KEPS: [&str; 6] =
    ["OWNERS_ALIASES", "sigs.yaml", ".kep-lint.yaml", "kep-lint.yaml", ".kep-lint.yml", "kep-lint.yml"];

/// Whether a run reads a file of this name that is no KEP's.
pub fn is_read_beside_keps(name: &OsStr) -> bool {
    BESIDE_KEPS.iter().chain(&["OWNERS"]).any(|read| name.eq_ignore_ascii_case(read))
}

/// The KEP that a file is in.
pub fn kep_around(file: &Path, source: &Source) -> Option<KepDirectory> {
    let parent = file.parent()?;
    let own = source.real(file);
    if source.layout().documents().is_some_and(|documents| documents.file.is_none() && documents.has(&own)) {
        let files = KepFiles { readme: Some(file.to_owned()), ..KepFiles::default() };
        return Some(KepDirectory::new(files, file, own, source));
    }
    let place = source.real(parent);
    let tree = source.tree_of(&place);
    for directory in parent.ancestors() {
        let real = source.real(directory);
        if !source.holds(&real) {
            break;
        }
        let files = list(directory, source);
        if files.is_kep(&real, source.layout()) {
            return Some(KepDirectory::new(files, directory, real, source));
        }
        if tree.as_ref() == Some(&real) {
            return None;
        }
    }
    let files = list(parent, source);
    let is_kep = file.file_name().is_some_and(is_readme)
        && files.is_named_kep(&place, source.layout())
        && !is_root(parent, source);
    (is_kep && !lists_proposals(parent, source)).then(|| KepDirectory::new(files, parent, place, source))
}

/// Whether the README of a directory is about the proposals in it: each has a directory with a number.
fn lists_proposals(directory: &Path, source: &Source) -> bool {
    let is_numbered = |name: &OsStr| name.to_str().and_then(number::of_directory).is_some();
    if source.real(directory).file_name().is_some_and(is_numbered) {
        return false;
    }
    let mut proposals = source.names(directory).into_iter().filter(|name| is_numbered(name));
    proposals.any(|name| list(&directory.join(name), source).readme.is_some())
}

/// The directory of a file as upstream's scripts look at it.
fn visited_around(file: &Path, source: &Source) -> Option<KepDirectory> {
    let parent = file.parent()?;
    let real = source.real(parent);
    let mut directories: BTreeMap<PathBuf, KepFiles> = around(&real, source).collect();
    directories.insert(real.clone().into(), list(parent, source));
    let found = visited(directories).into_iter().find(|found| *found.directory == *real)?;
    let mut kep = KepDirectory::new(found.files, parent, real, source);
    kep.is_loose = !found.is_kep;
    Some(kep)
}
