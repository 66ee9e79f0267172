//! The KEPs of a run as they were at the base, and their findings.

use super::changed::Changed;
use crate::diagnostic::Failure;
use crate::kep::directory::{is_named, is_readme};
use crate::kep::field::Field;
use crate::kep::layout::TREE;
use crate::kep::metadata::Metadata;
use crate::kep::texts::{Change, KnownAs, Texts};
use crate::lint::baseline::Baseline;
use crate::lint::panics::caught;
use crate::repository::Repository;
use crate::workspace::directory::KepDirectory;
use crate::workspace::edge;
use crate::workspace::files::Source;
use crate::workspace::kep_files;
use crate::workspace::paths::{RealPath, shown};
use crate::workspace::pool::each;
use crate::workspace::project::Project;
use crate::workspace::trees::collect;
use crate::workspace::walked::{Looked, Walked};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

pub struct Base<'a> {
    root: &'a RealPath,
    pub changed: &'a Changed,
    pub files: Source,
    /// All KEPs of the base, by their directories.
    pub keps: BTreeMap<RealPath, KepDirectory>,
    looked: Looked,
    /// What the KEPs of the run were, by their directories now.
    earlier: HashMap<RealPath, Earlier>,
}

#[derive(Default)]
struct Earlier {
    /// What it is in the base; `None` if it is new.
    base: Option<KepDirectory>,
    known_as: Option<KnownAs>,
    /// Where it is now, seen from the configuration, whose overrides apply to it as to the KEP of today.
    from_config: Option<String>,
    change: Option<Change>,
}

impl<'a> Base<'a> {
    /// Finds the KEPs in `files`, which are those of the base: in `trees`, the directories `keps` of the
    /// run, and where those of the run's `keps` are that are in none.
    pub fn read(
        root: &'a RealPath,
        changed: &'a Changed,
        files: Source,
        keps: &[KepDirectory],
        trees: &[PathBuf],
    ) -> Self {
        let outside = keps.iter().filter(|kep| kep.tree().is_none()).map(|kep| kep.given.clone());
        let (mut known, mut looked) = (BTreeMap::new(), Looked::default());
        let left = left(root, changed, trees).into_iter().map(PathBuf::from);
        for given in trees.iter().cloned().chain(left).chain(outside) {
            let walked = Walked::walk(&given, &files);
            let found = if walked.keps.is_empty() { walked.root.into_iter().collect() } else { walked.keps };
            for kep in found {
                known.entry(kep.real.clone()).or_insert(kep);
            }
            looked.walks.push(walked.walk);
        }
        Self { root, changed, files, keps: known, looked, earlier: HashMap::new() }
    }

    /// Finds what the selected `keps` were.
    pub fn compare(&mut self, keps: &[KepDirectory]) -> Result<(), Failure> {
        self.earlier = each(keps, |kep| (kep.real.clone(), self.earlier(kep))).into_iter().collect();
        self.failure()
    }

    /// Adds what a change did to the texts of a KEP.
    pub fn annotate(&self, texts: &mut Texts, kep: &KepDirectory) {
        texts.change = self.earlier.get(&kep.real).and_then(|earlier| earlier.change.clone());
    }

    /// What a KEP was; `None` if it is new.
    pub fn before(&self, kep: &KepDirectory) -> Option<&KepDirectory> {
        self.earlier.get(&kep.real)?.base.as_ref()
    }

    /// Fails if something of the base could not be read: then what is new is not known.
    fn failure(&self) -> Result<(), Failure> {
        self.files.failure().map_or(Ok(()), Err)
    }

    /// The findings of the base, in the KEPs that the run is about, judged as those of `head` are. Of
    /// several bases, all are compared with the `first`, as `head` is.
    pub fn baseline(&self, head: &Project, first: Option<&Self>) -> Result<Baseline, Failure> {
        // Those of the KEPs that the run is about, and of the PRR files of the tree that no KEP has.
        let mut numbers: BTreeSet<String> = head.repositories.iter().flat_map(Repository::orphans).collect();
        let bases = self.earlier.values().filter_map(|earlier| earlier.base.as_ref());
        numbers.extend(bases.flat_map(kep_files::numbers));
        let keps: Vec<KepDirectory> = self.keps.values().cloned().collect();
        let mut repositories = collect(&keps, &self.looked, Some(&numbers), Some(&head.repositories));
        repositories.adopt(&head.terms.options);
        let project = Project::of(keps, repositories, head.terms.clone());
        let known: Vec<(&RealPath, &Earlier)> = self.earlier.iter().collect();
        let env = project.env();
        let check = |kep: &KepDirectory, now: &RealPath, earlier: &Earlier| {
            let mut texts = kep_files::read_kep(kep).texts;
            texts.known_as.clone_from(&earlier.known_as);
            texts.config_path = earlier.from_config.clone().unwrap_or(texts.config_path);
            let base = first.and_then(|first| first.earlier.get(now)?.change.as_ref()?.base.clone());
            texts.change = earlier.change.as_ref().map(|_| Change { base });
            env.lint_kep(&texts, project.repositories.of(kep))
        };
        let reports = each(&known, |(now, earlier)| {
            let kep = earlier.base.as_ref()?;
            Some(caught("check", &kep.shown, || check(kep, now, earlier)))
        });
        let reports = reports.into_iter().flatten().collect();
        let baseline = project.baseline(reports);
        self.failure()?;
        Ok(baseline)
    }

    fn earlier(&self, kep: &KepDirectory) -> Earlier {
        let moved = || self.moved(kep).filter(|base| !differs(kep, base));
        let base = self.keps.get(&kep.real).or_else(moved);
        let files = base.map(|base| self.renamed(kep, base)).unwrap_or_default();
        let is_same = base.is_none_or(|base| base.real == kep.real) && files.is_empty();
        let directory = kep.tree_path().unwrap_or_else(|| kep.name.clone());
        let known_as = (!is_same).then_some(KnownAs { number: kep.number(), directory, files });
        let change = self.change(kep, base);
        Earlier { base: base.cloned(), known_as, from_config: kep.from_config.clone(), change }
    }

    /// The KEP of the base that most files of `kep` were moved from, if it is no longer where it was.
    fn moved(&self, kep: &KepDirectory) -> Option<&KepDirectory> {
        let mut votes: BTreeMap<&RealPath, (usize, &KepDirectory)> = BTreeMap::new();
        for (old, new) in &self.changed.moved {
            let old = self.root.join(old);
            let around = || old.ancestors().find_map(|around| self.keps.get(around));
            if self.root.join(new).starts_with(&kep.real)
                && let Some(base) = around().filter(|base| self.is_gone(base))
            {
                votes.entry(&base.real).or_insert((0, base)).0 += 1;
            }
        }
        votes.into_values().max_by_key(|(count, _)| *count).map(|(_, base)| base)
    }

    /// Whether the change leaves neither README nor metadata where a KEP of the base was.
    pub fn is_gone(&self, base: &KepDirectory) -> bool {
        let is_gone = |file: &PathBuf| {
            base.place_of(file).strip_prefix(self.root).is_ok_and(|path| self.changed.gone.contains(path))
        };
        !self.changed.gone.is_empty() && [&base.files.metadata, &base.files.readme].into_iter().flatten().all(is_gone)
    }

    /// The files of `kep` that have another name in it than in `base`, by their names there.
    fn renamed(&self, kep: &KepDirectory, base: &KepDirectory) -> BTreeMap<String, String> {
        let inside = |path: &Path, directory: &KepDirectory| {
            let place = self.root.join(path);
            place.strip_prefix(&directory.real).ok().map(shown)
        };
        let moved = self.changed.moved.iter().filter_map(|(old, new)| Some((inside(old, base)?, inside(new, kep)?)));
        let mut files: BTreeMap<String, String> = moved.filter(|(old, new)| old != new).collect();
        // In whatever case its name is written, the README is the README.
        let name = |of: &KepDirectory| of.files.readme.as_ref()?.file_name()?.to_str().map(str::to_owned);
        let readmes = name(base).zip(name(kep)).filter(|(old, new)| old != new && is_readme(new.as_ref()));
        files.extend(readmes);
        files
    }

    /// How kep.yaml was changed, if it was.
    fn change(&self, kep: &KepDirectory, base: Option<&KepDirectory>) -> Option<Change> {
        let path = kep.metadata_file()?;
        if !self.changed.has_touched(self.root, &kep.place_of(path)) {
            return None;
        }
        let text = |of: &KepDirectory| of.metadata()?.ok().map(|opened| opened.file);
        let (old, new) = (base.and_then(text), text(kep)?);
        let is_same = old.as_ref().is_some_and(|old| new.text == old.text);
        (!is_same).then_some(Change { base: old })
    }
}

/// The directories `keps` that files were moved from into one of `trees`, and which are none of them.
fn left(root: &RealPath, changed: &Changed, trees: &[PathBuf]) -> Vec<RealPath> {
    let real: BTreeSet<RealPath> = trees.iter().map(|tree| edge::followed(tree)).collect();
    // Git has no path through a link.
    let tree =
        |path: &Path| path.ancestors().filter(|around| is_named(around, TREE)).last().map(|tree| root.below(tree));
    let moved = changed.moved.iter().filter(|(_, new)| tree(new).is_some_and(|tree| real.contains(&tree)));
    let left: BTreeSet<RealPath> = moved.filter_map(|(old, _)| tree(old)).collect();
    left.difference(&real).cloned().collect()
}

/// Whether all differs that makes a KEP itself: two that are still the template have almost one README.
fn differs(kep: &KepDirectory, base: &KepDirectory) -> bool {
    let Some((one, other)) = kep_files::metadata(kep).zip(kep_files::metadata(base)) else { return false };
    let text = |field: &Option<Field>| field.as_ref().map(|field| field.text.trim().to_lowercase());
    let authors = |metadata: &Metadata| -> BTreeSet<String> {
        metadata.authors.items.iter().map(|author| author.text.trim().to_lowercase()).collect()
    };
    text(&one.number) != text(&other.number)
        && text(&one.title) != text(&other.title)
        && authors(&one).is_disjoint(&authors(&other))
}
