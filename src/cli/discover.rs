//! Which KEPs the paths of the command line mean.
//!
//! A KEP is a directory with a kep.yaml, or one with a README below a directory named `keps`; also a directory with a
//! README, or a README, that is named itself. The template's directory and `prod-readiness` are none.

use super::error::Failure;
use super::files::shown;
use crate::kep::number;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

const TREE: &str = "keps";
const TEMPLATE: &str = "NNNN-kep-template";
const PROD_READINESS: &str = "prod-readiness";

/// A KEP's directory.
#[derive(Clone, Debug)]
pub struct KepDirectory {
    /// As given on the command line plus the rest.
    pub shown: String,
    /// Its own name.
    pub name: String,
    /// Whether it lies below a directory named `keps`.
    pub in_tree: bool,
    /// Its README.md, whatever the case of its name.
    pub readme: Option<PathBuf>,
    /// Its kep.yaml.
    pub metadata: Option<PathBuf>,
    /// Its OWNERS.
    pub owners: Option<PathBuf>,
    /// Its other Markdown files, in order.
    pub documents: Vec<PathBuf>,
    /// The directory without symlinks, by which it is known.
    pub real: PathBuf,
}

impl KepDirectory {
    /// The directory `keps` around it, and the way from there.
    pub fn tree(&self) -> Option<(&Path, &Path)> {
        let keps = self.real.ancestors().find(|directory| is_named(directory, TREE))?;
        Some((keps, self.real.strip_prefix(keps).ok()?))
    }

    /// The path of `directory`, which is the KEP's or lies below it, from `keps` on.
    pub fn tree_path(&self, directory: &Path) -> Option<String> {
        let (_, way) = self.tree()?;
        let below = directory.strip_prefix(&self.shown).unwrap_or(Path::new(""));
        let path = shown(&Path::new(TREE).join(way).join(below));
        Some(path.trim_end_matches('/').to_owned())
    }
}

/// A directory that was looked through.
#[derive(Debug)]
pub struct Walk {
    /// The directory without symlinks.
    pub root: PathBuf,
    /// All that is in it, from there on.
    pub paths: Vec<PathBuf>,
}

/// What the paths mean.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The KEPs, by path, each once.
    pub keps: Vec<KepDirectory>,
    /// The directories that were looked through.
    pub walks: Vec<Walk>,
    /// How many files belong to no KEP.
    pub passed_over: usize,
    /// Paths that mean nothing, and directories that cannot be read.
    pub failures: Vec<Failure>,
}

/// Finds the KEPs that `paths` mean; without a path, those of the repository around.
pub fn discover(paths: &[PathBuf]) -> Discovery {
    let mut discovery = Discovery::default();
    if paths.is_empty() {
        discovery.add_tree(&tree_around());
    }
    for path in paths {
        if path.is_dir() {
            discovery.add_tree(path);
        } else if path.symlink_metadata().is_ok() {
            discovery.add_file(path);
        } else {
            let failure = Failure::new(format!("`{}` does not exist", path.display()));
            discovery.failures.push(failure.help("name a tree of KEPs, a KEP's directory, or a file in one"));
        }
    }
    // A directory's own path is followed by `/` in those of its files, and sorts by it.
    discovery.keps.sort_by_cached_key(|kep| format!("{}/", kep.shown));
    let mut seen = HashSet::new();
    discovery.keps.retain(|kep| seen.insert(kep.real.clone()));
    discovery
}

/// `keps` of the repository around the working directory, else the working directory.
fn tree_around() -> PathBuf {
    let mut up = PathBuf::new();
    let Ok(here) = Path::new(".").canonicalize() else { return PathBuf::from(".") };
    for directory in here.ancestors() {
        if directory.join(".git").exists() && directory.join(TREE).is_dir() {
            return up.join(TREE);
        }
        up.push("..");
    }
    PathBuf::from(".")
}

impl Discovery {
    fn add_tree(&mut self, root: &Path) {
        let tree = Tree::walk(root);
        self.failures.extend(tree.failures);
        self.walks.push(tree.walk);
        if !tree.keps.is_empty() {
            self.keps.extend(tree.keps);
        } else if let Some(kep) = tree.root {
            self.keps.push(kep);
        } else if self.failures.is_empty() {
            let failure = Failure::new(format!("`{}` has no KEP in it", root.display()));
            let help = if is_below(&real(root), TEMPLATE) {
                "check the template with `kep-lint template check`"
            } else {
                "name a directory with a `kep.yaml`, or one with a `README.md` below a directory named `keps`"
            };
            self.failures.push(failure.help(help));
        }
    }

    fn add_file(&mut self, file: &Path) {
        let found = kep_of_review(file).or_else(|| kep_around(file));
        match found {
            Some(kep) => self.keps.push(kep),
            None => self.passed_over += 1,
        }
    }
}

/// The KEP that a file lies in.
fn kep_around(file: &Path) -> Option<KepDirectory> {
    let parent = file.parent()?;
    for directory in parent.ancestors() {
        let entries = Entries::list(directory);
        let real = real(directory);
        if entries.make_kep(directory) {
            return Some(entries.kep(directory, real));
        }
        if entries.readme.is_some() && is_below(&real, TREE) && !is_set_apart(&real) && !is_named(&real, TREE) {
            return Some(entries.kep(directory, real));
        }
        if is_named(&real, TREE) {
            return None;
        }
    }
    let entries = Entries::list(parent);
    let real = real(parent);
    let is_readme = file.file_name().is_some_and(is_readme);
    (is_readme && !is_named(&real, TREE) && !is_set_apart(&real)).then(|| entries.kep(parent, real))
}

/// The KEP that a file of `keps/prod-readiness/<sig>/<number>.yaml` approves.
fn kep_of_review(file: &Path) -> Option<KepDirectory> {
    let components: Vec<Component<'_>> = file.components().collect();
    let at = components.iter().rposition(|component| component.as_os_str() == PROD_READINESS)?;
    let [sig, _] = components.get(at + 1..)? else { return None };
    let wanted = file.file_stem()?.to_str()?;
    let tree: PathBuf = components.iter().take(at).collect();
    let is_it =
        |kep: &KepDirectory| number::of_directory(&kep.name).is_some_and(|number| number::is_same(number, wanted));
    let find = |root: &Path| Tree::walk(root).keps.into_iter().find(is_it);
    find(&tree.join(sig)).or_else(|| find(&tree))
}

/// What a walk over a directory finds.
struct Tree {
    keps: Vec<KepDirectory>,
    /// The root itself, for want of any other KEP, if it has a README.
    root: Option<KepDirectory>,
    walk: Walk,
    failures: Vec<Failure>,
}

/// The files of a directory that make it a KEP.
#[derive(Default)]
struct Entries {
    readme: Option<PathBuf>,
    metadata: Option<PathBuf>,
    owners: Option<PathBuf>,
    documents: Vec<PathBuf>,
}

impl Tree {
    fn walk(root: &Path) -> Self {
        let mut directories: BTreeMap<PathBuf, Entries> = BTreeMap::new();
        let mut links: Vec<PathBuf> = Vec::new();
        let mut failures = Vec::new();
        let mut paths = Vec::new();
        let real_root = real(root);
        let walk = WalkDir::new(root).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !is_skipped(entry, &real_root)) {
            let path = match entry {
                Ok(entry) => {
                    if entry.path_is_symlink() && entry.file_type().is_dir() {
                        links.push(entry.path().to_owned());
                    }
                    entry.into_path()
                }
                Err(error) if error.loop_ancestor().is_some() => continue,
                Err(error) => {
                    match error.path().filter(|path| path.symlink_metadata().is_ok_and(|meta| meta.is_symlink())) {
                        // A link that leads nowhere matters only where a KEP's file should be; reading it will say so.
                        Some(path) => path.to_owned(),
                        None => {
                            failures.push(walk_failure(root, &error));
                            continue;
                        }
                    }
                }
            };
            let Some((parent, name)) = path.parent().zip(path.file_name()).filter(|_| path != root) else { continue };
            paths.extend(path.strip_prefix(root).map(Path::to_owned));
            if Entries::is_of_interest(name) {
                directories.entry(parent.to_owned()).or_default().add(name, &path);
            }
        }
        let walk = Walk { root: real_root, paths };
        Self::choose(root, walk, directories, &links, failures)
    }

    fn choose(
        root: &Path,
        walk: Walk,
        directories: BTreeMap<PathBuf, Entries>,
        links: &[PathBuf],
        failures: Vec<Failure>,
    ) -> Self {
        let resolve = |directory: &Path| match directory.strip_prefix(root) {
            Ok(rest) if !links.iter().any(|link| directory.starts_with(link)) => walk.root.join(rest),
            _ => real(directory),
        };
        let mut keps: Vec<KepDirectory> = Vec::new();
        let mut root_kep = None;
        let mut innermost: Option<PathBuf> = None;
        for (directory, entries) in directories {
            let real = resolve(&directory);
            if is_set_apart(&real) {
                continue;
            }
            let inside = innermost.as_ref().filter(|kep| directory.starts_with(kep)).and(keps.last_mut());
            let is_in_tree = is_below(&real, TREE) && !is_named(&real, TREE);
            match inside {
                Some(kep) if entries.metadata.is_none() => {
                    kep.documents.extend(entries.readme.into_iter().chain(entries.documents))
                }
                _ if entries.metadata.is_some() || (entries.readme.is_some() && is_in_tree) => {
                    innermost = Some(directory.clone());
                    keps.push(entries.kep(&directory, real));
                }
                _ if directory == root && entries.readme.is_some() && !is_named(&real, TREE) => {
                    root_kep = Some(entries.kep(&directory, real));
                }
                _ => {}
            }
        }
        // The real directory first, so that a link to it is the one that is dropped.
        keps.sort_by_key(|kep| links.iter().any(|link| Path::new(&kep.shown).starts_with(link)));
        Self { keps, root: root_kep, walk, failures }
    }
}

impl Entries {
    fn is_of_interest(name: &OsStr) -> bool {
        name == "kep.yaml" || name == "OWNERS" || is_markdown(name)
    }

    /// Takes a file, if it is of interest; files come in the order of their names.
    fn add(&mut self, name: &OsStr, path: &Path) {
        let place = match name {
            _ if name == "kep.yaml" => &mut self.metadata,
            _ if name == "OWNERS" => &mut self.owners,
            // README.md comes behind README.MD, and is the one that counts.
            _ if is_readme(name) => &mut self.readme,
            _ => return self.documents.extend(is_markdown(name).then(|| path.to_owned())),
        };
        *place = Some(path.to_owned());
    }

    fn list(directory: &Path) -> Self {
        let mut entries = Self::default();
        let Ok(list) = or_here(directory).read_dir() else { return entries };
        let mut names: Vec<_> = list.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        names.iter().for_each(|name| entries.add(name, &directory.join(name)));
        entries
    }

    fn make_kep(&self, directory: &Path) -> bool {
        self.metadata.is_some() && !is_set_apart(&real(directory))
    }

    fn kep(self, directory: &Path, real: PathBuf) -> KepDirectory {
        KepDirectory {
            shown: shown(or_here(directory)),
            name: real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            in_tree: is_below(&real, TREE),
            readme: self.readme,
            metadata: self.metadata,
            owners: self.owners,
            documents: self.documents,
            real,
        }
    }
}

fn walk_failure(root: &Path, error: &walkdir::Error) -> Failure {
    let path = error.path().unwrap_or(root);
    match error.io_error() {
        Some(error) => Failure::io("read", path, error).help("make it readable, or name the directories beside it"),
        None => Failure::new(format!("cannot read `{}`: {error}", path.display())),
    }
}

/// Whether a directory is git's, or leads out of the tree and around it again.
fn is_skipped(entry: &DirEntry, real_root: &Path) -> bool {
    entry.file_type().is_dir()
        && (entry.file_name() == ".git" || (entry.path_is_symlink() && real_root.starts_with(real(entry.path()))))
}

fn is_readme(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case("README.md")
}

fn is_markdown(name: &OsStr) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

fn is_named(directory: &Path, name: &str) -> bool {
    directory.file_name().is_some_and(|own| own == name)
}

/// Whether a directory above `directory` is named `name`, or `directory` itself where it ends the path.
fn is_below(directory: &Path, name: &str) -> bool {
    directory.components().any(|component| component.as_os_str() == name)
}

/// Whether it is the template's directory, or production readiness reviews.
fn is_set_apart(directory: &Path) -> bool {
    is_below(directory, TEMPLATE) || is_below(directory, PROD_READINESS)
}

fn real(directory: &Path) -> PathBuf {
    let directory = or_here(directory);
    directory.canonicalize().unwrap_or_else(|_| directory.to_owned())
}

/// The directory, which the parent of a bare file name does not spell.
fn or_here(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}
