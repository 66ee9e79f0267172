//! When the PRR files of a repository came to name their approvers, by its history. A merge counts as one change of the
//! branch that it is on: an entry is approved when it is merged, whenever it was written.

use super::objects::Content;
use super::{Git, at_tab, log};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::kep::directory::{PROD_READINESS, review};
use crate::kep::number;
use crate::ready::past::short;
use crate::source::SourceFile;
use crate::workspace::paths::{path_of, shown};
use crate::yaml::date::{Date, SECONDS_PER_DAY};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug)]
pub struct Approvals {
    pub git: Git,
    /// The directory `keps`, from the root of the repository on.
    tree: PathBuf,
    /// The commits that change PRR files, the newest first.
    commits: Vec<Commit>,
}

#[derive(Debug)]
pub struct Commit {
    pub name: String,
    pub day: Option<Date>,
    has_parents: bool,
    changes: Vec<Change>,
}

#[derive(Debug, Default)]
struct Change {
    before: Option<Version>,
    after: Option<Version>,
}

/// A PRR file: the number of its name, by which it is known wherever it is, and its content.
#[derive(Clone, Debug)]
struct Version {
    number: String,
    object: String,
}

impl Approvals {
    /// Reads the history of `start`, a commit, for the PRR files of the directory `tree`, a path from the root on.
    pub fn read(git: &Git, start: &str, tree: &Path) -> Result<Self, Failure> {
        let reviews = tree.join(PROD_READINESS);
        // Files that only moved are known by their contents: to compare all of them would need objects that a clone may lack.
        let options = ["-M100%", "--raw", "--no-abbrev", "--format=tformat:%H %ct %P", start];
        let items = git.items("read the history of PRR files", log(&options, &reviews))?;
        let commits = commits(&items, &reviews);
        Ok(Self { git: git.clone(), tree: tree.to_owned(), commits })
    }

    /// The commit since which the PRR file with this `number` has a text that `is_meant`, up to the newest commit, and the
    /// number that the file had there; `None` if the newest one has no such text.
    pub fn named(&self, number: &str, is_meant: impl Fn(&str) -> bool) -> Result<Option<(&Commit, String)>, Failure> {
        let mut number = number.to_owned();
        let mut named = None;
        for commit in &self.commits {
            let is_own = |version: &Option<Version>| version.as_ref().is_some_and(|version| version.number == number);
            let changes = || commit.changes.iter().filter(|change| is_own(&change.after) || is_own(&change.before));
            if changes().next().is_none() {
                continue;
            }
            let after = changes().filter_map(|change| change.after.as_ref());
            if self.first(after.filter(|version| version.number == number), &is_meant)?.is_none() {
                break;
            }
            let before = self.first(changes().filter_map(|change| change.before.as_ref()), &is_meant)?.cloned();
            named = Some((commit, number.clone()));
            match before {
                Some(before) => number = before.number,
                None => break,
            }
        }
        match &named {
            // Where the history of a clone begins, all files seem to be new.
            Some((commit, _)) if !commit.has_parents && self.git.is_shallow() => {
                let failure = Failure::new("this clone lacks the history");
                Err(failure.help(format!("get it with `git fetch --unshallow {}`", self.git.remote())))
            }
            _ => Ok(named),
        }
    }

    /// The PRR file with this `number` as it was committed last; `None` if it never was.
    pub fn newest(&self, number: &str) -> Result<Option<String>, Failure> {
        let changes = self.commits.iter().flat_map(|commit| &commit.changes);
        let mut versions = changes.filter_map(|change| change.after.as_ref());
        let newest = versions.find(|version| version.number == number);
        newest.map_or(Ok(None), |version| self.text("a PRR file", &version.object))
    }

    /// The first of these files whose text `is_meant`.
    fn first<'v>(
        &self,
        versions: impl Iterator<Item = &'v Version>,
        is_meant: impl Fn(&str) -> bool,
    ) -> Result<Option<&'v Version>, Failure> {
        for version in versions {
            if self.text("a PRR file", &version.object)?.is_some_and(|text| is_meant(&text)) {
                return Ok(Some(version));
            }
        }
        Ok(None)
    }

    /// The text of an object; `None` if it is too large.
    fn text(&self, what: &str, object: &str) -> Result<Option<String>, Failure> {
        match self.git.objects()?.read(object, bounds::FILE_BYTES) {
            Ok(Content::File(bytes)) => Ok(Some(SourceFile::decode(what, bytes).text)),
            Ok(Content::TooLarge(_)) => Ok(None),
            Ok(Content::Missing) => {
                let failure = Failure::new(format!("this clone lacks an earlier version of {what}"));
                Err(failure.help(format!("get it with `{}`", self.git.refetch())))
            }
            Err(_) => Err(Failure::new("`git cat-file --batch` has ended")),
        }
    }

    /// The README in the commit: that at `path`, from the root on, or that of the KEP with the number of the PRR file.
    pub fn readme(&self, commit: &Commit, number: &str, path: &Path) -> Result<Arc<SourceFile>, Failure> {
        let commit = &commit.name;
        // A line end would end the question.
        let name = path.to_str().filter(|path| !path.contains('\n')).map(|path| format!("{commit}:{path}"));
        if let Some(name) = name
            && let Ok(Content::File(bytes)) = self.git.objects()?.read(&name, bounds::FILE_BYTES)
        {
            return Ok(Arc::new(SourceFile::decode(shown(path), bytes)));
        }
        let list = ["ls-tree", "-r", "-z", "--full-tree", commit, "--"].map(OsStr::new);
        let tree = list.into_iter().chain([self.tree.as_os_str()]);
        let files = self.git.items("list the files of an earlier commit", tree)?;
        let files = files.iter().filter_map(|item| object(item));
        let files: Vec<(&str, PathBuf)> = files.map(|(object, place)| (object, path_of(place))).collect();
        let found = files.iter().find(|(_, place)| self.is_readme(place, number));
        let failed = |why: &str| Failure::new(format!("the README is {why} in commit {}", short(commit)));
        let (object, place) = found.ok_or_else(|| failed("not"))?;
        let text = self.text("the README", object)?.ok_or_else(|| failed("too large"))?;
        Ok(Arc::new(SourceFile::decode(shown(place), text.into_bytes())))
    }

    /// Whether this is the README of the KEP, which may have been in another directory.
    fn is_readme(&self, path: &Path, number: &str) -> bool {
        let directory = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy());
        let is_named = directory.is_some_and(|name| number::of_directory(&name) == Some(number));
        is_named && path.starts_with(&self.tree) && path.file_name().is_some_and(|name| name == "README.md")
    }
}

/// The object and the path in a line of `git ls-tree`: `<mode> <type> <object>\t<path>`.
fn object(item: &[u8]) -> Option<(&str, &[u8])> {
    let (head, path) = at_tab(item)?;
    Some((str::from_utf8(head).ok()?.split(' ').nth(2)?, path))
}

/// The commits in what git says: `<hash> <seconds> <parents>`, and for each file that it changes
/// `:<mode> <mode> <object> <object> <letter>`, the path, and if it was moved, the new path.
fn commits(items: &[Vec<u8>], reviews: &Path) -> Vec<Commit> {
    let version = |object: Option<&str>, path: &[u8]| {
        let object = object.filter(|object| object.bytes().any(|byte| byte != b'0'))?.to_owned();
        let (_, name) = review(path_of(path).strip_prefix(reviews).ok()?)?;
        Some(Version { number: number::without_zeros(&name).to_owned(), object })
    };
    let mut commits: Vec<Commit> = Vec::new();
    let mut items = items.iter().map(|item| item.strip_prefix(b"\n").unwrap_or(item));
    while let Some(item) = items.next() {
        let head = String::from_utf8_lossy(item);
        let mut words = head.split(' ');
        if !item.starts_with(b":") {
            let name = words.next().unwrap_or_default().to_owned();
            let seconds: Option<u64> = words.next().and_then(|word| word.parse().ok());
            let day = seconds.and_then(|seconds| Date::after_epoch(seconds / SECONDS_PER_DAY));
            let has_parents = words.any(|word| !word.is_empty());
            commits.push(Commit { name, day, has_parents, changes: Vec::new() });
            continue;
        }
        let (old, new, letter) = (words.nth(2), words.next(), words.next().unwrap_or_default());
        let Some(path) = items.next() else { break };
        let is_moved = letter.starts_with(['R', 'C']);
        let Some(later) = (if is_moved { items.next() } else { Some(path) }) else { break };
        let change = Change { before: version(old, path), after: version(new, later) };
        if let Some(commit) = commits.last_mut() {
            commit.changes.push(change);
        }
    }
    commits
}
