//! Open pull requests: which KEPs they change, and the KEPs as they would be once one of them is merged.
//!
//! Nothing is fetched. Of a head that this clone has, only the files are read that the pull request changes: all that is
//! around the KEP, such as the PRR approvers, counts as it is merged.

pub(crate) mod export;
mod heads;
mod overlay;
use self::export::{Export, Listed};
use self::heads::Heads;
use self::overlay::{Fate, overlaid, role_of};
use super::arguments::ReadyArguments;
use super::input;
use super::kep_paths::{KepFile, ReviewPath};
use crate::bounds;
use crate::cli::output;
use crate::diagnostic::Failure;
use crate::kep::Kep;
use crate::kep::directory::{PROD_READINESS, TREE};
use crate::kep::metadata::Metadata;
use crate::kep::texts::Texts;
use crate::ready::case::{Open, Proposed};
use crate::ready::checklist::Pull;
use crate::repository::{Repository, ReviewFile};
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::{Release, Stage};
use crate::workspace::git::Git;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The open pull requests of a run.
pub struct Pulls<'a> {
    export: &'a Export,
    /// By the number of a KEP, which pull requests change its files, the one that was updated last first.
    changes: HashMap<String, Vec<Change>>,
    /// The heads that are here; `None` without git, or if no head is judged.
    heads: Option<Heads>,
    /// The pull request whose files the run is about.
    own: Option<u64>,
    /// Whether the run is about one pull request, so that others are not judged.
    is_about_one: bool,
    /// Those of which not all files are known.
    unclear: Vec<u64>,
}

/// What a pull request changes of a KEP.
struct Change {
    pull: usize,
    files: Vec<KepFile>,
    /// The PRR files with the KEP's number.
    reviews: Vec<ReviewPath>,
}

/// A KEP in an open pull request.
pub struct Version {
    pub pull: Pull,
    /// The KEP as it is there; `None` if its head is not here.
    pub kep: Option<Kep>,
    pub proposed: Proposed,
    pub failures: Vec<Failure>,
}

/// A KEP whose versions are asked for.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub number: &'a str,
    pub tree: &'a Path,
    /// Its files as they are merged; `None` if it is in pull requests only.
    pub merged: Option<&'a Texts>,
    pub repository: &'a Repository,
}

pub enum Reads {
    Of(Git),
    Nothing,
    /// None: the run is about one pull request, of this number and commit.
    Own(Option<u64>, String),
}

/// Fails if two lists are to be read from standard input.
pub fn refuse_one_input(arguments: &ReadyArguments) -> Result<(), Failure> {
    let is_standard = |path: &Option<PathBuf>| path.as_deref().is_some_and(input::is_standard);
    if is_standard(&arguments.prs) && is_standard(&arguments.list) {
        let failure = Failure::new("`--list` and `--prs` cannot both be read from standard input");
        return Err(failure.help("write one of them to a file"));
    }
    Ok(())
}

/// Reads the list of pull requests at `path`.
pub fn list(path: &Path) -> Result<Export, Failure> {
    export::parse(&input::read(path, bounds::EXPORT_BYTES)?)
}

impl<'a> Pulls<'a> {
    pub fn new(export: &'a Export, reads: Reads) -> Result<Self, Failure> {
        let own = match &reads {
            Reads::Own(Some(number), _) => Some(*number),
            Reads::Own(None, commit) => {
                let own = export.pulls.iter().find(|pull| pull.head.as_ref() == Some(commit));
                own.map(|pull| pull.about.number)
            }
            _ => None,
        };
        let is_about_one = matches!(reads, Reads::Own(..));
        let heads = match reads {
            Reads::Of(git) => Some(Heads::find(git, &export.pulls)?),
            _ => None,
        };
        let mut pulls = Self { export, changes: HashMap::new(), heads, own, is_about_one, unclear: Vec::new() };
        // Git is asked about each of them.
        let of_git = |pull: &Listed| pulls.heads.as_ref()?.changed(pull.about.number);
        let changed: Vec<Option<Vec<PathBuf>>> = export.pulls.par_iter().map(of_git).collect();
        changed.into_iter().enumerate().for_each(|(index, changed)| pulls.add(index, changed));
        Ok(pulls)
    }

    /// Adds a pull request; `changed` are the files that it changes, if git tells.
    fn add(&mut self, index: usize, changed: Option<Vec<PathBuf>>) {
        let Some(pull) = self.export.pulls.get(index) else { return };
        if changed.is_none() && pull.is_cut {
            self.unclear.push(pull.about.number);
        }
        let paths = changed.unwrap_or_else(|| pull.paths.iter().map(PathBuf::from).collect());
        let mut changes: BTreeMap<String, Change> = BTreeMap::new();
        let empty = || Change { pull: index, files: Vec::new(), reviews: Vec::new() };
        for path in &paths {
            if let Some(file) = KepFile::of(path) {
                changes.entry(file.number.clone()).or_insert_with(empty).files.push(file);
            } else if let Some(review) = ReviewPath::of(path) {
                changes.entry(review.number.clone()).or_insert_with(empty).reviews.push(review);
            }
        }
        for (number, change) in changes {
            self.changes.entry(number).or_default().push(change);
        }
    }

    fn listed(&self, change: &Change) -> Option<&Listed> {
        self.export.pulls.get(change.pull)
    }

    /// The way from the root of the repository to a directory `keps`.
    fn way<'t>(&self, tree: &'t Path) -> &'t Path {
        let inside = self.heads.as_ref().and_then(|heads| tree.strip_prefix(heads.root()).ok());
        inside.unwrap_or(Path::new(TREE))
    }

    /// The versions of a KEP in pull requests, the one that was updated last first.
    pub fn versions(&self, subject: Subject<'_>) -> Vec<Version> {
        let way = self.way(subject.tree);
        let changes = self.changes.get(subject.number).into_iter().flatten();
        let versions = changes.filter_map(|change| {
            let listed = self.listed(change)?;
            let files: Vec<&KepFile> = change.files.iter().filter(|file| subject.has(file, way)).collect();
            let reviews: Vec<&ReviewPath> =
                change.reviews.iter().filter(|review| Path::new(&review.path).starts_with(way)).collect();
            let is_own = self.own == Some(listed.about.number);
            let is_about_it = !files.is_empty() || !reviews.is_empty();
            (is_about_it && !is_own).then(|| self.version(listed, subject, &files, &reviews))
        });
        versions.collect()
    }

    fn version(&self, listed: &Listed, subject: Subject<'_>, files: &[&KepFile], reviews: &[&ReviewPath]) -> Version {
        let review = |review: &&ReviewPath| format!("{PROD_READINESS}/{}/{}.yaml", review.sig, review.name);
        let names = files.iter().map(|file| file.name.clone()).chain(reviews.iter().map(review));
        let pull = Pull { files: names.collect(), ..listed.about.clone() };
        let mut version = Version { pull, kep: None, proposed: Proposed::default(), failures: Vec::new() };
        let number = listed.about.number;
        if let Some(heads) = self.heads.as_ref().filter(|heads| heads.commit(number).is_some()) {
            let reading = Reading { heads, number, subject, way: self.way(subject.tree) };
            let (kep, failures) = reading.kep(files);
            let (proposed, more) = reading.proposed(reviews, kep.as_ref().and_then(|kep| kep.metadata.as_ref()));
            version.failures.extend(failures.into_iter().chain(more));
            (version.kep, version.proposed) = (kep, proposed);
        }
        version
    }

    /// What a KEP with these versions is asked about open pull requests, as it is in the one with the number `own`.
    pub fn open<'p>(&'p self, pulls: &'p [(u64, Option<String>)], own: Option<u64>) -> Open<'p> {
        let Export { pulls: all, cut_at, .. } = self.export;
        let is_listed = |number: &u64| all.iter().any(|pull| pull.about.number == *number);
        let own = own.or(self.own).filter(is_listed);
        Open { pulls, own, unclear: &self.unclear, count: all.len(), is_cut: cut_at.is_some() }
    }

    /// The numbers of the KEPs whose kep.yaml has this latest milestone in a pull request, with their directories.
    pub fn brought(&self, release: Release) -> BTreeMap<String, BTreeSet<PathBuf>> {
        let mut brought: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        let Some(heads) = &self.heads else { return brought };
        for (number, change) in self.changes.iter().flat_map(|(number, all)| all.iter().map(move |one| (number, one))) {
            let Some(pull) = self.listed(change) else { continue };
            for file in change.files.iter().filter(|file| file.name == "kep.yaml") {
                let path = file.path();
                let read =
                    heads.commit(pull.about.number).map(|_| heads.read(pull.about.number, &path, bounds::FILE_BYTES));
                let Some(Ok(Some(bytes))) = read else { continue };
                let text = SourceFile::decode(path.as_str(), bytes);
                let metadata = Metadata::parse(FileId(0), &text.text);
                if metadata.milestone() == Some(release) {
                    brought.entry(number.clone()).or_default().insert(heads.root().join(&file.directory));
                }
            }
        }
        brought
    }

    /// Says what the list and the clone lack to judge these KEPs, by number, and if `may_bring` others that get the
    /// milestone in a pull request.
    pub fn note_missing(&self, keps: &BTreeSet<String>, may_bring: bool) {
        let Export { name, cut_at, .. } = self.export;
        if let Some(count) = cut_at {
            let many = format!("{name} has exactly {count} pull requests: there may be more; raise `--limit` of `gh`");
            output::note(&many);
        }
        if self.is_about_one {
            return;
        }
        let wanted = self.wanted(keps, may_bring);
        match &self.heads {
            Some(heads) => self.note_heads(heads, &wanted),
            None if wanted.is_empty() => {}
            None => {
                output::note("open pull requests are not judged: their heads are read in a clone of the repository")
            }
        }
    }

    /// The numbers of the pull requests whose heads matter.
    fn wanted(&self, keps: &BTreeSet<String>, may_bring: bool) -> BTreeSet<u64> {
        let matters = |number: &String, change: &Change| {
            keps.contains(number) || (may_bring && change.files.iter().any(|file| file.name == "kep.yaml"))
        };
        let changes = self.changes.iter().flat_map(|(number, all)| all.iter().map(move |one| (number, one)));
        let wanted = changes.filter(|(number, change)| matters(number, change));
        let wanted = wanted.filter_map(|(_, change)| Some(self.listed(change)?.about.number));
        wanted.chain(self.unclear.iter().copied()).collect()
    }

    /// Says which of the `wanted` heads are not here, or are others than in the list.
    fn note_heads(&self, heads: &Heads, wanted: &BTreeSet<u64>) {
        let is_missing = |number: &u64| heads.commit(*number).is_none() && !heads.is_stale(*number);
        let missing: Vec<u64> = wanted.iter().copied().filter(is_missing).collect();
        if !missing.is_empty() {
            let (are, them) = if missing.len() == 1 { ("request is", "it") } else { ("requests are", "them") };
            output::note(&format!("{} pull {are} not judged; fetch {them} with", missing.len()));
            output::command(&heads.fetch(&missing, false));
        }
        let others: Vec<u64> = wanted.iter().copied().filter(|number| heads.is_stale(*number)).collect();
        if !others.is_empty() {
            let names: Vec<String> = others.iter().map(|number| format!("#{number}")).collect();
            let (names, list) = (names.join(", "), &self.export.name);
            output::note(&format!(
                "not judged, as they are not at the commits of {list}: {names}; list them again, and fetch them with"
            ));
            output::command(&heads.fetch(&others, true));
        }
    }
}

impl Version {
    /// Its latest milestone, if it is here.
    pub fn milestone(&self) -> Option<Release> {
        self.kep.as_ref()?.metadata.as_ref()?.milestone()
    }

    pub fn stage(&self) -> Option<Stage> {
        self.kep.as_ref()?.metadata.as_ref()?.stage()
    }
}

impl Subject<'_> {
    /// Whether a file with its number is its own: another KEP may have the same number, or another tree.
    fn has(&self, file: &KepFile, way: &Path) -> bool {
        let is_shared = self.repository.shared_numbers.contains(self.number);
        let directory = self.merged.and_then(|merged| merged.tree_path.as_deref()?.strip_prefix(TREE));
        let is_same = directory.is_none_or(|own| file.directory == way.join(own.trim_start_matches('/')));
        file.directory.starts_with(way) && (!is_shared || is_same)
    }
}

/// A KEP that is read in a pull request.
struct Reading<'a> {
    heads: &'a Heads,
    number: u64,
    subject: Subject<'a>,
    /// The way from the root of the repository to the tree.
    way: &'a Path,
}

impl Reading<'_> {
    /// The KEP with these changes; `None` if it has neither a README nor a kep.yaml, and is not merged.
    fn kep(&self, files: &[&KepFile]) -> (Option<Kep>, Vec<Failure>) {
        let mut failures = Vec::new();
        let new = || {
            let directory = files.first()?.directory.strip_prefix(self.way).ok()?;
            Some(Texts::new(self.subject.repository.as_given(directory)))
        };
        let Some(merged) = self.subject.merged.cloned().or_else(new) else { return (None, failures) };
        let mut left = bounds::KEP_BYTES;
        let mut changes = BTreeMap::new();
        let matter = files.iter().filter(|file| role_of(&file.name).is_some()).take(bounds::KEP_FILES);
        for file in matter {
            let fate = match self.heads.read(self.number, &file.path(), bounds::FILE_BYTES.min(left)) {
                Ok(Some(bytes)) => {
                    left = left.saturating_sub(bytes.len() as u64);
                    let path = format!("{}/{}", merged.directory, file.name);
                    Fate::Written(Arc::new(SourceFile::decode(path, bytes)))
                }
                Ok(None) => Fate::Deleted,
                Err(failure) => {
                    failures.push(failure);
                    Fate::Unreadable
                }
            };
            changes.insert(file.name.clone(), fate);
        }
        let texts = overlaid(&merged, changes);
        let is_there = texts.readme.file().is_some() || texts.metadata.file().is_some();
        let is_kep = is_there || self.subject.merged.is_some();
        (is_kep.then(|| Kep::parse(texts)), failures)
    }

    /// What of the KEP is merged, and its PRR files as the pull request has them.
    fn proposed(&self, changed: &[&ReviewPath], metadata: Option<&Metadata>) -> (Proposed, Vec<Failure>) {
        let Subject { repository, number, .. } = self.subject;
        let merged = repository.reviews_of(number);
        let owner = metadata.and_then(|metadata| metadata.owning_sig.as_ref());
        let own = merged.iter().find(|review| owner.is_some_and(|owner| owner.text == review.sig));
        let proposed = own.or(merged.first()).map(|review| Proposed::after(&review.file.text)).unwrap_or_default();
        let is_changed =
            |known: &&ReviewFile| changed.iter().any(|review| (&review.sig, &review.name) == (&known.sig, &known.name));
        let mut reviews: Vec<ReviewFile> = merged.iter().filter(|known| !is_changed(known)).cloned().collect();
        let mut failures = Vec::new();
        for ReviewPath { sig, name, path, .. } in changed {
            match self.heads.read(self.number, path, bounds::LIST_BYTES) {
                Ok(Some(bytes)) => {
                    let shown = format!("{}/{sig}/{name}.yaml", repository.reviews_directory);
                    let file = Arc::new(SourceFile::decode(shown, bytes));
                    reviews.push(ReviewFile { sig: sig.clone(), name: name.clone(), file });
                }
                Ok(None) => {}
                Err(failure) => failures.push(failure),
            }
        }
        (proposed.with_reviews(number.to_owned(), reviews), failures)
    }
}
