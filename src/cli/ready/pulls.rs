//! Open pull requests: which KEPs they change, and the KEPs as they would be once one of them is merged.
//!
//! Nothing is fetched. Of a head that this clone has, only the files are read that the pull request changes:
//! all that is around the KEP, such as the PRR approvers, counts as it is merged.
use self::export::{Export, Listed};
use super::asked::KepFile;
use super::judged;
use crate::bounds;
use crate::cli::output;
use crate::diagnostic::{Failure, counted};
use crate::kep::Kep;
use crate::kep::directory::{is_markdown, is_readme};
use crate::kep::layout::TREE;
use crate::kep::metadata::Metadata;
use crate::kep::texts::{Role, Slot, Texts};
use crate::ready::case::{Open, Proposed};
use crate::ready::checklist::Pull;
use crate::repository::{Repository, ReviewFile};
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::Release;
use crate::workspace::git::Git;
use crate::workspace::git::objects::Content;
use crate::workspace::paths::{RealPath, path_of};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) mod export;

pub struct Pulls<'a> {
    export: &'a Export,
    /// By the number of a KEP, which pull requests change its files, the one that was updated last first.
    changes: BTreeMap<String, Vec<Change<'a>>>,
    /// The heads that are here; `None` without git, or if no head is judged.
    heads: Option<Heads>,
    /// The pull request whose files the run is about.
    own: Option<u64>,
    /// Those of which not all files are known.
    unclear: Vec<u64>,
}

struct Change<'a> {
    pull: &'a Listed,
    files: Vec<KepFile>,
}

/// A KEP in a pull request that changes it.
pub struct Version {
    pub pull: Pull,
    /// The KEP as it is there; `None` if its head is not here.
    pub kep: Option<Kep>,
    pub proposed: Proposed,
}

impl Version {
    pub fn metadata(&self) -> Option<&Metadata> {
        self.kep.as_ref()?.metadata.as_ref()
    }
}

/// What each of them changes of the files that the Release Team asks to be settled, by its number.
pub fn changes(versions: &[Version]) -> Vec<(u64, Option<String>)> {
    versions.iter().map(|version| (version.pull.number, version.pull.changes())).collect()
}

/// A KEP that pull requests change.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub number: &'a str,
    pub tree: &'a Path,
    /// Its files as they are merged; `None` if it is in pull requests only.
    pub merged: Option<&'a Texts>,
    pub repository: &'a Repository,
}

impl<'a> Pulls<'a> {
    /// Those of the list, of which `own` is the one that the run is about. They are judged as far as `heads` are here.
    pub fn new(export: &'a Export, heads: Option<Heads>, own: Option<u64>) -> Self {
        let is_listed = |number: &u64| export.pulls.iter().any(|pull| pull.number == *number);
        let own = own.filter(is_listed);
        let mut pulls = Self { export, changes: BTreeMap::new(), heads, own, unclear: Vec::new() };
        export.pulls.iter().for_each(|pull| pulls.add(pull));
        pulls
    }

    fn add(&mut self, pull: &'a Listed) {
        let changed = self.heads.as_ref().and_then(|heads| heads.changed(pull.number));
        if changed.is_none() && pull.is_cut() {
            self.unclear.push(pull.number);
        }
        for file in changed.unwrap_or_else(|| pull.paths()).iter().filter_map(|path| KepFile::of(path)) {
            let changes = self.changes.entry(file.number.clone()).or_default();
            match changes.last_mut() {
                Some(last) if last.pull.number == pull.number => last.files.push(file),
                _ => changes.push(Change { pull, files: vec![file] }),
            }
        }
    }

    /// The KEP in each pull request that changes it, the one that was updated last first, and what cannot be read.
    pub fn versions(&self, subject: Subject<'_>) -> (Vec<Version>, Vec<Failure>) {
        let inside = self.heads.as_ref().and_then(|heads| subject.tree.strip_prefix(heads.root()).ok());
        let way = inside.unwrap_or(Path::new(TREE));
        let (mut versions, mut failures) = (Vec::new(), Vec::new());
        for Change { pull, files } in self.changes.get(subject.number).into_iter().flatten() {
            let files = files.iter().filter(|file| subject.has(file, way));
            let (reviews, own): (Vec<&KepFile>, Vec<&KepFile>) = files.partition(|file| file.review().is_some());
            if self.own == Some(pull.number) || own.is_empty() && reviews.is_empty() {
                continue;
            }
            let about = pull.about(own.iter().chain(&reviews).map(|file| file.name.clone()).collect());
            let mut version = Version { pull: about, kep: None, proposed: Proposed::default() };
            if let Some(head) = self.heads.as_ref().and_then(|heads| heads.head(pull.number)) {
                version.kep = subject.kep(head, way, &own, &mut failures);
                version.proposed = subject.proposed(head, &reviews, version.metadata(), &mut failures);
            }
            versions.push(version);
        }
        (versions, failures)
    }

    /// What a KEP with these changes is asked about open pull requests, as it is in the one called `own`.
    pub fn open<'p>(&'p self, pulls: &'p [(u64, Option<String>)], own: Option<u64>) -> Open<'p> {
        let Export { pulls: all, cut_at, .. } = self.export;
        Open { pulls, own: own.or(self.own), unclear: &self.unclear, count: all.len(), is_cut: cut_at.is_some() }
    }

    /// The changes of all KEPs, each with the number of the KEP.
    fn changes(&self) -> impl Iterator<Item = (&String, &Change<'a>)> {
        self.changes.iter().flat_map(|(number, changes)| changes.iter().map(move |change| (number, change)))
    }

    /// The KEPs whose kep.yaml has this latest milestone in a pull request, with their directories.
    pub fn brought(&self, release: Release) -> BTreeMap<String, BTreeSet<PathBuf>> {
        let mut brought: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        let Some(heads) = &self.heads else { return brought };
        for (number, Change { pull, files }) in self.changes() {
            let Some(head) = heads.head(pull.number) else { continue };
            for file in files.iter().filter(|file| file.name == "kep.yaml") {
                let Ok(Some(text)) = head.read(file, &file.name, bounds::FILE_BYTES) else { continue };
                if Metadata::parse(FileId(0), &text.text).milestone() == Some(release) {
                    brought.entry(number.clone()).or_default().insert(heads.root().join(&file.directory));
                }
            }
        }
        brought
    }

    /// Says what is lacking to judge these KEPs and, if `may_bring`, others that get the milestone.
    pub fn note_missing(&self, keps: &BTreeSet<String>, may_bring: bool) {
        let mut wanted: BTreeSet<u64> = self.unclear.iter().copied().collect();
        for (number, Change { pull, files }) in self.changes() {
            if keps.contains(number) || may_bring && files.iter().any(|file| file.name == "kep.yaml") {
                wanted.insert(pull.number);
            }
        }
        let Some(heads) = &self.heads else {
            if !wanted.is_empty() {
                output::note("open pull requests are not judged: their heads are read in a clone of the repository");
            }
            return;
        };
        wanted.retain(|number| !heads.commits.contains_key(number));
        if !wanted.is_empty() {
            let are = counted(wanted.len(), "pull request is", "pull requests are");
            let list = &self.export.name;
            output::note(&format!(
                "{are} not judged: the commits of {list} are not here; list them again, and fetch them with"
            ));
            // What was fetched earlier is replaced.
            let refs = wanted.iter().map(|number| format!(" +refs/pull/{number}/head:refs/pull/{number}/head"));
            output::command(&format!("git fetch {}{}", judged::remote(&heads.git), refs.collect::<String>()));
        }
    }
}

impl Subject<'_> {
    /// Whether a file with its number is its own: another KEP may have the same number, or another tree. `way` leads from the
    /// root of the repository to the directory `keps`.
    fn has(&self, file: &KepFile, way: &Path) -> bool {
        let is_shared = self.repository.shared_numbers.contains(self.number);
        let directory = self.merged.and_then(|merged| merged.tree_path.as_deref()?.strip_prefix(TREE));
        let is_same = directory.is_none_or(|own| file.directory == way.join(own.trim_start_matches('/')));
        file.directory.starts_with(way) && (!is_shared || is_same || file.review().is_some())
    }

    /// The KEP with these changes; `None` if it has neither a README nor a kep.yaml, and is not merged.
    fn kep(&self, head: Head<'_>, way: &Path, files: &[&KepFile], failures: &mut Vec<Failure>) -> Option<Kep> {
        let merged = match self.merged {
            Some(merged) => merged.clone(),
            None => {
                let directory = files.first()?.directory.strip_prefix(way).ok()?;
                Texts::new(self.repository.as_given(directory))
            }
        };
        let names: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let mut texts = unchanged(&merged, &names);
        let mut left = bounds::KEP_BYTES;
        let matter = files.iter().filter_map(|file| Some((file, role_of(&file.name)?)));
        for (file, role) in matter.take(bounds::KEP_FILES) {
            let shown = format!("{}/{}", merged.directory, file.name);
            match head.read(file, &shown, bounds::FILE_BYTES.min(left)) {
                Ok(Some(text)) => {
                    left = left.saturating_sub(text.text.len() as u64);
                    texts.add(role, text);
                }
                Ok(None) => {}
                Err(failure) => {
                    failures.push(failure);
                    texts.mark_unreadable(role);
                }
            }
        }
        let is_there = texts.readme.file().is_some() || texts.metadata.file().is_some();
        (is_there || self.merged.is_some()).then(|| Kep::parse(texts))
    }

    /// What of the KEP is merged, and its PRR files with these changes.
    fn proposed(
        &self,
        head: Head<'_>,
        changed: &[&KepFile],
        metadata: Option<&Metadata>,
        failures: &mut Vec<Failure>,
    ) -> Proposed {
        let merged = self.repository.reviews_of(self.number);
        let owner = metadata.and_then(|metadata| metadata.owning_sig.as_ref());
        let own = merged.iter().find(|review| owner.is_some_and(|owner| owner.text == review.sig));
        let mut proposed = own.or(merged.first()).map(|review| Proposed::after(&review.file.text)).unwrap_or_default();
        let mut reviews = merged.to_vec();
        for (file, (sig, name)) in changed.iter().filter_map(|file| Some((file, file.review()?))) {
            reviews.retain(|known| (&known.sig, &known.name) != (&sig, &name));
            let shown = format!("{}/{sig}/{name}.yaml", self.repository.reviews_directory);
            match head.read(file, &shown, bounds::LIST_BYTES) {
                Ok(Some(text)) => reviews.push(ReviewFile { sig, name, file: Arc::new(text) }),
                Ok(None) => {}
                Err(failure) => failures.push(failure),
            }
        }
        proposed.reviews = Some((self.number.to_owned(), reviews));
        proposed
    }
}

/// The KEP `merged` without the files of these names, from the KEP's directory on.
fn unchanged(merged: &Texts, changed: &BTreeSet<&str>) -> Texts {
    let empty = Texts { readme: Slot::Absent, metadata: Slot::Absent, owners: Slot::Absent, ..merged.clone() };
    let mut texts = Texts { documents: Vec::new(), files: Vec::new(), ..empty };
    for file in &merged.files {
        let name = file.path.strip_prefix(&merged.directory).and_then(|name| name.strip_prefix('/'));
        let name = name.filter(|name| !changed.contains(name));
        if let Some(role) = name.and_then(role_of) {
            texts.add(role, Arc::clone(file));
        }
    }
    texts
}

/// The heads of pull requests, as far as this clone has them.
pub struct Heads {
    git: Git,
    /// The commits, by the numbers of the pull requests.
    commits: HashMap<u64, String>,
    /// The commit of the branch that pull requests are for, if one is known here.
    target: Option<String>,
}

impl Heads {
    /// Finds the commits that the list has, under whatever name they were fetched.
    pub fn find(git: Git, listed: &[Listed]) -> Self {
        let question = ["rev-list", "--no-walk", "--ignore-missing"].into_iter();
        // Without a head, git answers nothing.
        let known: HashSet<String> =
            git.lines(question.chain(listed.iter().filter_map(Listed::head))).into_iter().collect();
        let commits = listed.iter().filter_map(|pull| Some((pull.number, known.get(pull.head()?)?.clone())));
        Self { commits: commits.collect(), target: judged::target_commit(&git), git }
    }

    fn root(&self) -> &RealPath {
        self.git.root()
    }

    /// All files that a pull request changes, if that is known here. A list has only the new path of a moved file.
    fn changed(&self, number: u64) -> Option<Vec<PathBuf>> {
        let range = format!("{}...{}", self.target.as_ref()?, self.commits.get(&number)?);
        let diff = ["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", &range];
        let paths = self.git.items("list what a pull request changes", diff).ok()?;
        Some(paths.iter().map(|path| path_of(path)).collect())
    }

    /// The head of a pull request, if it is here.
    fn head(&self, number: u64) -> Option<Head<'_>> {
        Some(Head { git: &self.git, number, commit: self.commits.get(&number)? })
    }
}

#[derive(Clone, Copy)]
struct Head<'a> {
    git: &'a Git,
    number: u64,
    commit: &'a str,
}

impl Head<'_> {
    /// A file of at most `most` bytes as the pull request has it, which is called `shown`; `None` if it has no such file.
    fn read(self, file: &KepFile, shown: &str, most: u64) -> Result<Option<SourceFile>, Failure> {
        let Self { git, number, commit } = self;
        let path = file.path();
        let failed = |reason: &str| Failure::of("read", &path, &format!("{reason} (in #{number})"));
        match git.objects()?.read(&format!("{commit}:{path}"), most) {
            Ok(Content::File(bytes)) => Ok(Some(SourceFile::decode(shown, bytes))),
            Ok(Content::TooLarge(_)) => Err(failed("it is too large")),
            // A partial clone may lack the contents of files.
            Ok(Content::Missing) if git.line(["ls-tree", commit, "--", &path]).is_some() => {
                Err(failed("this clone does not have it").help(format!("get it with `{}`", git.refetch())))
            }
            Ok(Content::Missing) => Ok(None),
            Err(_) => Err(failed("it is no file")),
        }
    }
}

/// The role of a file, by its path in the KEP's directory; `None` for what does not matter, as an image.
fn role_of(name: &str) -> Option<Role> {
    match name {
        "kep.yaml" => Some(Role::Metadata),
        "OWNERS" => Some(Role::Owners),
        _ if is_readme(OsStr::new(name)) => Some(Role::Readme),
        _ => is_markdown(OsStr::new(name)).then_some(Role::Document),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_changed_stays() {
        let file = |name: &str| SourceFile::decode(format!("keps/sig-a/1-x/{name}"), "old".into());
        let merged = Texts::new("keps/sig-a/1-x")
            .with(Role::Readme, file("README.md"))
            .with(Role::Metadata, file("kep.yaml"))
            .with(Role::Document, file("docs/a.md"))
            .with(Role::Document, file("b.md"));
        let texts = unchanged(&merged, &BTreeSet::from(["README.md", "b.md", "c.md", "image.png"]));
        let files: Vec<String> = texts.files.iter().map(|text| text.path.clone()).collect();
        assert_eq!(files, ["kep.yaml", "docs/a.md"].map(|name| format!("keps/sig-a/1-x/{name}")));
        assert_eq!((texts.readme, texts.documents.len()), (Slot::Absent, 1));
        assert_eq!(texts.tree_path.as_deref(), Some("keps/sig-a/1-x"));
        let changed = unchanged(&merged, &BTreeSet::from(["OWNERS", "kep.yaml"]));
        assert_eq!((changed.metadata, changed.owners), (Slot::Absent, Slot::Absent));
        assert!(changed.readme.file().is_some());
    }
}
