//! Open pull requests: which KEPs they change, and the KEPs as they would be once one of them is merged.
//!
//! Nothing is fetched. Of a head that this clone has, only the files are read that the pull request changes:
//! all that is around the KEP, such as the PRR approvers, counts as it is merged.
use self::export::{Export, Listed};
use self::heads::Heads;
use super::asked::KepFile;
use crate::bounds;
use crate::cli::output;
use crate::diagnostic::Failure;
use crate::kep::Kep;
use crate::kep::directory::is_markdown;
use crate::kep::layout::TREE;
use crate::kep::metadata::Metadata;
use crate::kep::texts::{Role, Slot, Texts};
use crate::ready::case::{Open, Proposed};
use crate::ready::checklist::Pull;
use crate::repository::{Repository, ReviewFile};
use crate::source::SourceFile;
use crate::span::{FileId, grouped};
use crate::stage::{Release, Stage};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) mod export;
pub(crate) mod heads;

pub struct Pulls<'a> {
    export: &'a Export,
    /// By the number of a KEP, which pull requests change its files, the one that was updated last first.
    changes: BTreeMap<String, Vec<Change<'a>>>,
    /// The heads that are here; `None` without git, or if no head is judged.
    heads: Option<Heads>,
    /// The pull request whose files the run is about.
    own: Option<u64>,
    /// Whether the run is about one pull request, so that others are not judged.
    is_about_one: bool,
    /// Those of which not all files are known.
    unclear: Vec<u64>,
}

struct Change<'a> {
    pull: &'a Listed,
    files: Vec<KepFile>,
}

/// A KEP in the pull requests that change it, the one that was updated last first.
#[derive(Default)]
pub struct Versions {
    pub found: Vec<Version>,
    pub failures: Vec<Failure>,
}

pub struct Version {
    pub pull: Pull,
    /// The KEP as it is there; `None` if its head is not here.
    pub kep: Option<Kep>,
    pub proposed: Proposed,
}

#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub number: &'a str,
    /// The way from the root of the repository to its directory `keps`.
    pub way: &'a Path,
    /// Its files as they are merged; `None` if it is in pull requests only.
    pub merged: Option<&'a Texts>,
    pub repository: &'a Repository,
}

impl<'a> Pulls<'a> {
    /// Those of a run about the pull request that has this number, or else this commit.
    pub fn beside(export: &'a Export, number: Option<u64>, commit: &str) -> Self {
        let own = export.pulls.iter().find(|pull| pull.head() == Some(commit)).map(|pull| pull.number);
        Self { own: number.or(own), is_about_one: true, ..Self::new(export, None) }
    }

    /// Those whose heads are judged, as far as `heads` are here.
    pub fn new(export: &'a Export, heads: Option<Heads>) -> Self {
        let mut changes: BTreeMap<String, Vec<Change<'_>>> = BTreeMap::new();
        let mut unclear = Vec::new();
        for pull in &export.pulls {
            let changed = heads.as_ref().and_then(|heads| heads.changed(pull.number));
            if changed.is_none() && pull.is_cut() {
                unclear.push(pull.number);
            }
            let paths = changed.unwrap_or_else(|| pull.paths());
            let own = paths.iter().filter_map(|path| KepFile::of(path));
            for (number, files) in grouped(own.map(|file| (file.number.clone(), file))) {
                changes.entry(number).or_default().push(Change { pull, files });
            }
        }
        Self { export, changes, heads, own: None, is_about_one: false, unclear }
    }

    /// The way from the root of the repository to a directory `keps`.
    pub fn way<'t>(&self, tree: &'t Path) -> &'t Path {
        let inside = self.heads.as_ref().and_then(|heads| tree.strip_prefix(heads.git.root()).ok());
        inside.unwrap_or(Path::new(TREE))
    }

    pub fn versions(&self, subject: Subject<'_>) -> Versions {
        let mut versions = Versions::default();
        for Change { pull, files } in self.changes.get(subject.number).into_iter().flatten() {
            let files = files.iter().filter(|file| self.own != Some(pull.number) && subject.has(file));
            let (reviews, own): (Vec<&KepFile>, Vec<&KepFile>) = files.partition(|file| file.review().is_some());
            // The KEP's own files come first.
            let names: Vec<String> = own.iter().chain(&reviews).map(|file| file.name.clone()).collect();
            if names.is_empty() {
                continue;
            }
            let (mut kep, mut proposed) = (None, Proposed::default());
            if let Some(heads) = self.heads.as_ref().filter(|heads| heads.commit(pull.number).is_some()) {
                let failures = &mut versions.failures;
                let mut reading = Reading { heads, number: pull.number, subject, failures };
                kep = reading.kep(&own);
                proposed = reading.proposed(&reviews, kep.as_ref().and_then(|kep| kep.metadata.as_ref()));
            }
            versions.found.push(Version { pull: pull.about(names), kep, proposed });
        }
        versions
    }

    /// What a KEP with these versions is asked about open pull requests, as it is in the one called `own`.
    pub fn open<'p>(&'p self, pulls: &'p [(u64, Option<String>)], own: Option<u64>) -> Open<'p> {
        let Export { pulls: all, cut_at, .. } = self.export;
        let is_listed = |number: &u64| all.iter().any(|pull| pull.number == *number);
        let own = own.or(self.own).filter(is_listed);
        Open { pulls, own, unclear: &self.unclear, count: all.len(), is_cut: cut_at.is_some() }
    }

    fn changes(&self) -> impl Iterator<Item = (&String, &Change<'a>)> {
        self.changes.iter().flat_map(|(number, changes)| changes.iter().map(move |change| (number, change)))
    }

    /// The KEPs whose kep.yaml has this latest milestone in a pull request, with their directories.
    pub fn brought(&self, release: Release) -> BTreeMap<String, BTreeSet<PathBuf>> {
        let mut brought: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        let Some(heads) = &self.heads else { return brought };
        for (number, Change { pull, files, .. }) in self.changes() {
            for file in files.iter().filter(|file| file.name == "kep.yaml" && heads.commit(pull.number).is_some()) {
                let path = file.path();
                let Ok(Some(bytes)) = heads.read(pull.number, &path, bounds::FILE_BYTES) else { continue };
                let text = SourceFile::decode(path.as_str(), bytes);
                if Metadata::parse(FileId(0), &text.text).milestone() == Some(release) {
                    brought.entry(number.clone()).or_default().insert(heads.git.root().join(&file.directory));
                }
            }
        }
        brought
    }

    /// Says what is lacking to judge these KEPs and, if `may_bring`, others that get the milestone.
    pub fn note_missing(&self, keps: &BTreeSet<String>, may_bring: bool) {
        let Export { name, cut_at, .. } = self.export;
        if let Some(count) = cut_at {
            let many = format!("{name} has exactly {count} pull requests: there may be more; raise `--limit` of `gh`");
            output::note(&many);
        }
        if self.is_about_one {
            return;
        }
        let mut wanted: BTreeSet<u64> = self.unclear.iter().copied().collect();
        for (number, Change { pull, files, .. }) in self.changes() {
            if keps.contains(number) || may_bring && files.iter().any(|file| file.name == "kep.yaml") {
                wanted.insert(pull.number);
            }
        }
        match &self.heads {
            Some(heads) => heads.note_missing(&wanted, name),
            None if wanted.is_empty() => {}
            None => {
                output::note("open pull requests are not judged: their heads are read in a clone of the repository")
            }
        }
    }
}

impl Versions {
    /// What each of them changes of the files that the Release Team asks to be settled, by its number.
    pub fn changes(&self) -> Vec<(u64, Option<String>)> {
        self.found.iter().map(|Version { pull, .. }| (pull.number, pull.changes())).collect()
    }

    /// What kep.yaml says in each of them that has one.
    fn metadata(&self) -> impl Iterator<Item = Option<&Metadata>> {
        self.found.iter().filter_map(|version| Some(version.kep.as_ref()?.metadata.as_ref()))
    }

    /// The latest milestone in the newest one that can be judged.
    pub fn milestone(&self) -> Option<Release> {
        self.metadata().next()??.milestone()
    }

    /// The stage that one of them plans for the release: who plans it asks about the stage that is planned there.
    pub fn planned(&self, release: Release) -> Option<Stage> {
        self.metadata().flatten().find(|metadata| metadata.milestone() == Some(release))?.stage()
    }
}

impl Subject<'_> {
    /// Whether a file with its number is its own: another KEP may have the same number, or another tree.
    fn has(&self, file: &KepFile) -> bool {
        let is_shared = self.repository.shared_numbers.contains(self.number);
        let directory = self.merged.and_then(|merged| merged.tree_path.as_deref()?.strip_prefix(TREE));
        let is_same = directory.is_none_or(|own| file.directory == self.way.join(own.trim_start_matches('/')));
        file.directory.starts_with(self.way) && (!is_shared || is_same || file.review().is_some())
    }
}

/// A KEP while it is read in a pull request.
struct Reading<'a> {
    heads: &'a Heads,
    number: u64,
    subject: Subject<'a>,
    failures: &'a mut Vec<Failure>,
}

impl Reading<'_> {
    /// The KEP with these changes; `None` if it has neither a README nor a kep.yaml, and is not merged.
    fn kep(&mut self, files: &[&KepFile]) -> Option<Kep> {
        let merged = match self.subject.merged {
            Some(merged) => merged.clone(),
            None => {
                let directory = files.first()?.directory.strip_prefix(self.subject.way).ok()?;
                Texts::new(self.subject.repository.as_given(directory))
            }
        };
        let names: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let mut texts = unchanged(&merged, &names);
        let mut left = bounds::KEP_BYTES;
        let matter = files.iter().filter_map(|file| Some((file, role_of(&file.name)?)));
        for (file, role) in matter.take(bounds::KEP_FILES) {
            match self.heads.read(self.number, &file.path(), bounds::FILE_BYTES.min(left)) {
                Ok(Some(bytes)) => {
                    left = left.saturating_sub(bytes.len() as u64);
                    texts.add(role, SourceFile::decode(format!("{}/{}", merged.directory, file.name), bytes));
                }
                Ok(None) => {}
                Err(failure) => {
                    self.failures.push(failure);
                    texts.fill(role, Slot::Unreadable);
                }
            }
        }
        let is_there = texts.readme.file().is_some() || texts.metadata.file().is_some();
        (is_there || self.subject.merged.is_some()).then(|| Kep::parse(texts))
    }

    /// What of the KEP is merged, and its PRR files as the pull request has them.
    fn proposed(&mut self, changed: &[&KepFile], metadata: Option<&Metadata>) -> Proposed {
        let Subject { repository, number, .. } = self.subject;
        let merged = repository.reviews_of(number);
        let owner = metadata.and_then(|metadata| metadata.owning_sig.as_ref());
        let own = merged.iter().find(|review| owner.is_some_and(|owner| owner.text == review.sig));
        let mut proposed = own.or(merged.first()).map(|review| Proposed::after(&review.file.text)).unwrap_or_default();
        let mut reviews = merged.to_vec();
        for (file, (sig, name)) in changed.iter().filter_map(|file| Some((file, file.review()?))) {
            reviews.retain(|known| (&known.sig, &known.name) != (&sig, &name));
            match self.heads.read(self.number, &file.path(), bounds::LIST_BYTES) {
                Ok(Some(bytes)) => {
                    let shown = format!("{}/{sig}/{name}.yaml", repository.reviews_directory);
                    reviews.push(ReviewFile { sig, name, file: Arc::new(SourceFile::decode(shown, bytes)) });
                }
                Ok(None) => {}
                Err(failure) => self.failures.push(failure),
            }
        }
        proposed.reviews = Some((number.to_owned(), reviews));
        proposed
    }
}

/// The KEP `merged` without the files of these names, from the KEP's directory on.
fn unchanged(merged: &Texts, changed: &BTreeSet<&str>) -> Texts {
    let empty = Texts { readme: Slot::Absent, metadata: Slot::Absent, owners: Slot::Absent, ..merged.clone() };
    let mut texts = Texts { documents: Vec::new(), files: Vec::new(), ..empty };
    let slots = [(Role::Readme, merged.readme), (Role::Metadata, merged.metadata), (Role::Owners, merged.owners)];
    let documents = merged.documents.iter().map(|id| (Role::Document, Slot::Read(*id)));
    for (role, slot) in slots.into_iter().chain(documents) {
        let is_changed = |path: &str| {
            let name = path.strip_prefix(&merged.directory).and_then(|name| name.strip_prefix('/'));
            name.is_some_and(|name| changed.contains(name))
        };
        match slot.file().map(|id| merged.file(id)) {
            Some(file) if !is_changed(&file.path) => drop(texts.add(role, Arc::clone(file))),
            None if slot == Slot::Unreadable && !changed.iter().any(|name| role_of(name) == Some(role)) => {
                texts.fill(role, Slot::Unreadable);
            }
            _ => {}
        }
    }
    texts
}

/// The role of a file, by its path in the KEP's directory; `None` for what does not matter, as an image.
pub fn role_of(name: &str) -> Option<Role> {
    match name {
        "README.md" => Some(Role::Readme),
        "kep.yaml" => Some(Role::Metadata),
        "OWNERS" => Some(Role::Owners),
        _ => is_markdown(OsStr::new(name)).then_some(Role::Document),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_changed_stays() {
        let file = |name: &str| SourceFile::decode(format!("keps/sig-a/1-x/{name}"), "old".into());
        let mut merged = Texts::new("keps/sig-a/1-x")
            .with(Role::Readme, file("README.md"))
            .with(Role::Metadata, file("kep.yaml"))
            .with(Role::Document, file("docs/a.md"))
            .with(Role::Document, file("b.md"));
        merged.fill(Role::Owners, Slot::Unreadable);
        let texts = unchanged(&merged, &BTreeSet::from(["README.md", "b.md", "c.md", "image.png"]));
        let files: Vec<String> = texts.files.iter().map(|text| text.path.clone()).collect();
        assert_eq!(files, ["kep.yaml", "docs/a.md"].map(|name| format!("keps/sig-a/1-x/{name}")));
        assert_eq!((texts.readme, texts.owners, texts.documents.len()), (Slot::Absent, Slot::Unreadable, 1));
        assert_eq!(texts.tree_path.as_deref(), Some("keps/sig-a/1-x"));
        let changed = unchanged(&merged, &BTreeSet::from(["OWNERS", "kep.yaml"]));
        assert_eq!((changed.metadata, changed.owners), (Slot::Absent, Slot::Absent));
        assert!(changed.readme.file().is_some());
    }
}
