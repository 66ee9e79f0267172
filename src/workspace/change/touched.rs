//! Which KEPs a change touches: by their files, by their PRR files, and by their references to what is gone.

use super::changed::Changed;
use super::removed::Removed;
use crate::bounds;
use crate::kep::directory::{KepFiles, PROD_READINESS, matters, review, templates};
use crate::kep::number;
use crate::repository::{ReviewFile, WITHOUT_TOC};
use crate::workspace::directory::KepDirectory;
use crate::workspace::files::Source;
use crate::workspace::kep_files;
use crate::workspace::paths::{RealPath, TreePath, normal};
use crate::workspace::pool::each;
use crate::workspace::trees::Repositories;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Files whose content matters for all KEPs below their directory.
const SHARED: [&str; 5] = ["OWNERS_ALIASES", "sigs.yaml", ".kep-lint.yaml", "kep-lint.yaml", ATTRIBUTES];

/// The file by which git may change what is on disk, so that it compares something else than what is read.
const ATTRIBUTES: &str = ".gitattributes";

#[derive(Debug)]
pub struct Touched {
    pub keps: Vec<KepDirectory>,
    /// Whether all KEPs are touched, because something that matters for all of them was changed.
    pub is_whole: bool,
    /// The numbers of KEPs that no longer exist.
    pub numbers: BTreeSet<String>,
    /// Whether something is touched that is where no KEP is looked for.
    pub is_misplaced: bool,
}

impl Touched {
    pub fn retain_common(&mut self, other: &Self) {
        let places: HashSet<&RealPath> = other.keps.iter().map(|kep| &kep.real).collect();
        self.keps.retain(|kep| places.contains(&kep.real));
        self.numbers.retain(|number| other.numbers.contains(number));
        self.is_whole &= other.is_whole;
        self.is_misplaced &= other.is_misplaced;
    }
}

pub struct Changes<'a> {
    pub changed: &'a Changed,
    pub root: &'a RealPath,
    /// Files outside of the trees that matter for all KEPs, by absolute paths.
    pub shared: &'a [PathBuf],
}

impl Changes<'_> {
    pub fn touch(&self, keps: &[KepDirectory], repositories: &Repositories) -> Touched {
        let trees: BTreeSet<RealPath> = keps.iter().filter_map(|kep| Some(kep.tree()?.0.clone())).collect();
        let gone = self.gone(&trees, keps, repositories);
        // A directory may have other files yet that make no KEP.
        let deleted =
            self.changed.gone.iter().filter(|path| trees.iter().any(|tree| self.root.join(path).starts_with(tree)));
        let names = deleted.flat_map(|path| path.iter().filter_map(OsStr::to_str));
        let known: BTreeSet<&str> = keps.iter().filter_map(|kep| number::of_directory(&kep.name)).collect();
        let numbers = names.filter_map(number::of_directory).filter(|number| !known.contains(number));
        let removed = Removed::new(gone, numbers.map(str::to_owned).collect());
        let is_misplaced = repositories.misplaced().any(|place| self.changed.has_touched(self.root, &place));
        let is_near = |around: &Path| keps.iter().any(|kep| kep.real.starts_with(around));
        let decides = |source: &Source| !self.deciding(&trees, &is_near, source).is_empty();
        // Git tells of a changed link, and not of the files that it leads to now.
        if !self.changed.links.is_empty() || keps.first().is_some_and(|kep| decides(&kep.source)) {
            return Touched { keps: keps.to_vec(), is_whole: true, numbers: removed.into_numbers(), is_misplaced };
        }
        let mut touched: BTreeSet<usize> = self.by_files(keps);
        touched.extend(trees.iter().flat_map(|tree| self.by_reviews(tree, keps, repositories)));
        if !removed.is_empty() {
            touched.extend(where_true(keps, |kep| removed.is_known_to(kep, repositories.of(kep))));
        }
        let keps = touched.into_iter().filter_map(|at| keps.get(at).cloned());
        Touched { keps: keps.collect(), is_whole: false, numbers: removed.into_numbers(), is_misplaced }
    }

    /// Whether a finding in a file of no KEP is about the change.
    pub fn is_about(&self, touched: &Touched, file: &Path) -> bool {
        let number = file.file_stem().map(|name| number::without_zeros(&name.to_string_lossy()).to_owned());
        let is_review = file.iter().any(|name| name == PROD_READINESS);
        touched.is_whole
            || self.changed.has_touched(self.root, file)
            || self.shared.iter().any(|shared| shared == file)
            || (is_review && number.is_some_and(|number| touched.numbers.contains(&number)))
    }

    /// Whether the change can matter without touching a KEP: a PRR file may have none.
    pub fn has_review(&self) -> bool {
        self.changed.touched.iter().any(|path| path.iter().any(|name| name == PROD_READINESS))
    }

    /// What was changed that decides what is asked of all KEPs of a directory, by absolute paths: beside the trees, in a
    /// directory that is near, or named by options. It may be a link.
    pub fn deciding(
        &self,
        trees: &BTreeSet<RealPath>,
        is_near: &dyn Fn(&Path) -> bool,
        source: &Source,
    ) -> BTreeSet<PathBuf> {
        let decides = |place: &PathBuf| {
            let around = place.parent().unwrap_or(self.root);
            let is_named = place.file_name().is_some_and(|name| SHARED.iter().any(|shared| name == *shared));
            let is_inside = trees.iter().any(|tree| around.starts_with(tree)) && place.ends_with(ATTRIBUTES);
            (is_named && is_near(around)) || is_inside || self.shared.contains(place)
        };
        let places = self.changed.touched.iter().map(|path| self.root.join(path));
        let mut deciding: BTreeSet<PathBuf> = places.filter(decides).collect();
        let of_tree = |tree: &RealPath| {
            let around = tree.ancestors().take_while(|around| around.starts_with(self.root));
            let shared =
                around.flat_map(|around| SHARED.iter().chain([&WITHOUT_TOC]).map(move |name| around.join(name)));
            let templates = templates(source.names(tree)).into_iter().map(|name| tree.join(name));
            let files = templates.flat_map(|directory| ["README.md", "kep.yaml"].map(|name| directory.join(name)));
            shared.chain(files).collect::<Vec<_>>()
        };
        deciding.extend(trees.iter().flat_map(of_tree).filter(|path| self.has_touched(path, source)));
        deciding
    }

    /// Whether a file was touched, or what it links to, or a link on the way there.
    fn has_touched(&self, path: &Path, source: &Source) -> bool {
        self.changed.has_touched(self.root, path)
            || self.changed.has_touched(self.root, &source.real(path))
            || self.passes_touched_link(path, source)
    }

    /// Whether the way to an absolute path leads through a link that was touched.
    fn passes_touched_link(&self, path: &Path, source: &Source) -> bool {
        let mut path = path.to_owned();
        for _ in 0..bounds::FOLLOWED_LINKS {
            if self.changed.links.is_empty() {
                return false;
            }
            let mut parts: Vec<&Path> = path.ancestors().filter(|part| part.starts_with(self.root)).collect();
            parts.reverse();
            let Some((link, target)) = parts.into_iter().find_map(|part| Some((part, source.link(part)?))) else {
                return false;
            };
            if self.changed.has_touched(self.root, link) {
                return true;
            }
            let rest = path.strip_prefix(link).unwrap_or(Path::new(""));
            path = normal(&link.parent().unwrap_or(self.root).join(target).join(rest));
        }
        false
    }

    /// The KEPs with a touched file. One in a directory of theirs is part of the innermost KEP.
    fn by_files(&self, keps: &[KepDirectory]) -> BTreeSet<usize> {
        let places: HashMap<&Path, usize> = keps.iter().enumerate().map(|(at, kep)| (kep.real.as_path(), at)).collect();
        let paths = self.changed.touched.iter().filter(|path| path.file_name().is_some_and(matters));
        let kep_around = |path: &PathBuf| {
            let place = self.root.join(path);
            place.ancestors().skip(1).find_map(|around| places.get(around).copied())
        };
        let mut touched: BTreeSet<usize> = paths.filter_map(kep_around).collect();
        let links_to_touched = |kep: &KepDirectory| {
            let KepFiles { readme, metadata, owners, documents } = &kep.files;
            let mut files = [readme, metadata, owners].into_iter().flatten().chain(documents);
            files.any(|file| self.changed.has_touched(self.root, &kep.place_of(file)))
        };
        touched.extend(where_true(keps, links_to_touched));
        touched
    }

    /// The KEPs that touched PRR files are for: those with its number in its SIG, else in any.
    fn by_reviews(&self, tree: &RealPath, keps: &[KepDirectory], repositories: &Repositories) -> BTreeSet<usize> {
        let reviews = tree.join(PROD_READINESS);
        let mut touched = BTreeSet::new();
        // Upstream looks for the PRR file by the number in kep.yaml, which may differ from that of the directory.
        let mut numbers: Option<Vec<Vec<String>>> = None;
        for (sig, name) in self.reviews(&reviews, keps, repositories) {
            let wanted = number::without_zeros(&name);
            let is_in_tree = |kep: &KepDirectory| kep.tree().is_some_and(|(own, _)| own == tree);
            let all = numbers.get_or_insert_with(|| each(keps, |kep| kep_files::numbers(kep).collect()));
            let numbered = keps.iter().zip(all).enumerate().filter(|(_, (_, own))| own.iter().any(|one| one == wanted));
            let numbered = numbered.map(|(at, (kep, _))| (at, kep)).filter(|(_, kep)| is_in_tree(kep));
            let (own, others): (Vec<_>, Vec<_>) = numbered.partition(|(_, kep)| kep.real.starts_with(tree.join(&sig)));
            touched.extend(if own.is_empty() { others } else { own }.into_iter().map(|(at, _)| at));
        }
        touched
    }

    /// The touched PRR files of a tree, and those that link to a touched file.
    fn reviews(
        &self,
        directory: &Path,
        keps: &[KepDirectory],
        repositories: &Repositories,
    ) -> BTreeSet<(String, String)> {
        let review = |path: &Path| path.strip_prefix(directory).ok().and_then(review);
        let touched = self.changed.touched.iter().map(|path| self.root.join(path));
        let mut found: BTreeSet<(String, String)> = touched.filter_map(|path| review(&path)).collect();
        let own = keps.iter().find(|kep| kep.tree().is_some_and(|(tree, _)| directory.starts_with(tree)));
        let Some(kep) = own else { return found };
        let place = |file: &ReviewFile| directory.join(&file.sig).join(format!("{}.yaml", file.name));
        let paths = repositories.of(kep).reviews.iter().flat_map(BTreeMap::values).flatten().map(place);
        found.extend(paths.filter(|path| self.has_touched(path, &kep.source)).filter_map(|path| review(&path)));
        found
    }

    /// What no longer exists of the trees: files, and directories without files.
    fn gone(
        &self,
        trees: &BTreeSet<RealPath>,
        keps: &[KepDirectory],
        repositories: &Repositories,
    ) -> BTreeSet<TreePath> {
        let mut gone = BTreeSet::new();
        for tree in trees {
            let Some(kep) = keps.iter().find(|kep| kep.tree().is_some_and(|(own, _)| own == tree)) else { continue };
            let repository = repositories.of(kep);
            for path in &self.changed.gone {
                let place = self.root.join(path);
                let Ok(way) = place.strip_prefix(tree) else { continue };
                for part in way.ancestors().filter(|part| !part.as_os_str().is_empty()) {
                    let part = TreePath::of(part);
                    if repository.has_path(&part) != Some(false) || !gone.insert(part) {
                        break;
                    }
                }
            }
        }
        gone
    }
}

/// Those of the `keps` for which the answer is yes, by their places among them.
fn where_true(
    keps: &[KepDirectory],
    question: impl Fn(&KepDirectory) -> bool + Sync + Send,
) -> impl Iterator<Item = usize> {
    each(keps, question).into_iter().enumerate().filter(|(_, answer)| *answer).map(|(at, _)| at)
}
