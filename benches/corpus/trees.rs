//! Repositories that are made from the corpus: one with commits, and one with several copies of each KEP.

use super::counting::command;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How many commits there are after the first one, which has the whole corpus.
pub const COMMITS: usize = 20;

/// The commit that changes a PRR file, and the KEP that it belongs to.
const REVIEW: usize = 6;
const REVIEWED: &str = "keps/sig-storage/1472-storage-capacity-tracking";

/// The commit that deletes a document of a KEP, and the document.
const DELETION: usize = 12;
const DELETED: &str = "keps/sig-storage/625-csi-migration/csi-migration-design.md";

/// A repository in which the last commits changed KEPs.
pub struct History {
    folder: TempDir,
    /// The directory of the KEP that each commit changes, the oldest commit first.
    changed: Vec<PathBuf>,
}

impl History {
    /// Commits the corpus, and then a change of another KEP each time, as pull requests make them: the README, kep.yaml or
    /// both get a line or lose three, or a heading gets another name; a PRR file is changed, and a document deleted.
    pub fn of(corpus: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let root = folder.path();
        copy(corpus, root, 1);
        git(root, &["init", "--quiet"]);
        commit(root, "All KEPs");
        let mut keps = keps_below(&root.join("keps"));
        keps.retain(|kep| kep.join("README.md").is_file());
        let mut changed = Vec::new();
        for index in 0..COMMITS {
            let mut kep = keps[index * keps.len() / COMMITS].clone();
            match index {
                REVIEW => {
                    kep = root.join(REVIEWED);
                    change(&review_of(&kep).expect("the KEP has a PRR file"), Some("# Looked at again."));
                }
                DELETION => {
                    let document = root.join(DELETED);
                    fs::remove_file(&document).expect("the document is there");
                    document.parent().expect("it is in a folder").clone_into(&mut kep);
                }
                _ => match index % 5 {
                    0 => change(&kep.join("README.md"), None),
                    1 => change(&kep.join("kep.yaml"), None),
                    2 => rename_heading(&kep.join("README.md")),
                    3 => change(&kep.join("README.md"), Some("The next release will show how it is used.")),
                    _ => {
                        change(&kep.join("README.md"), Some("It was looked at again."));
                        change(&kep.join("kep.yaml"), Some("# Looked at again."));
                    }
                },
            }
            commit(root, &format!("Change {index}"));
            changed.push(kep);
        }
        // As in a clone of it.
        git(root, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
        Self { folder, changed }
    }

    /// Its root.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The KEPs that the last commits changed, by their directories.
    pub fn changed(&self, commits: usize) -> BTreeSet<PathBuf> {
        self.changed.iter().rev().take(commits).cloned().collect()
    }
}

/// The directory of a KEP, and its PRR file if it has one.
pub fn files_of(kep: &Path) -> Vec<PathBuf> {
    [kep.to_owned()].into_iter().chain(review_of(kep)).collect()
}

/// The PRR file of a KEP: `keps/prod-readiness/sig-node/1.yaml` for `keps/sig-node/1-images`.
fn review_of(kep: &Path) -> Option<PathBuf> {
    let keps = kep.ancestors().find(|folder| folder.ends_with("keps"))?;
    let sig = kep.strip_prefix(keps).ok()?.iter().next()?;
    let number = kep.file_name()?.to_str()?.split('-').next()?;
    Some(keps.join("prod-readiness").join(sig).join(format!("{number}.yaml"))).filter(|path| path.is_file())
}

/// How many KEPs there are at or below a folder.
pub fn count_keps(folder: &Path) -> usize {
    keps_below(folder).len()
}

/// The directories at or below `folder` with a number and a kep.yaml, in order. That of the template has no number.
fn keps_below(folder: &Path) -> Vec<PathBuf> {
    let is_numbered = Renumbered::of(&name_of(folder)).is_some();
    let is_kep = is_numbered && folder.join("kep.yaml").is_file();
    let inside = entries(folder).into_iter().filter(|entry| entry.is_dir()).flat_map(|entry| keps_below(&entry));
    is_kep.then(|| folder.to_owned()).into_iter().chain(inside).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|problem| panic!("{}: {problem}", folder.display()));
    let mut entries: Vec<_> = entries.map(|entry| entry.expect("folders can be listed").path()).collect();
    entries.sort();
    entries
}

/// Adds a line to a file, or removes its last three.
fn change(file: &Path, added: Option<&str>) {
    let text = fs::read_to_string(file).unwrap_or_else(|problem| panic!("{}: {problem}", file.display()));
    let mut lines: Vec<&str> = text.lines().collect();
    match added {
        Some(line) => lines.push(line),
        None => lines.truncate(lines.len().saturating_sub(3)),
    }
    fs::write(file, lines.join("\n") + "\n").expect("files can be written");
}

fn rename_heading(file: &Path) {
    let text = fs::read_to_string(file).unwrap_or_else(|problem| panic!("{}: {problem}", file.display()));
    fs::write(file, text.replacen("\n### Goals", "\n### Aims", 1)).expect("files can be written");
}

/// Commits everything.
fn commit(root: &Path, message: &str) {
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "--message", message]);
}

/// Runs git, without a configuration of the user or the machine, always as the same person at the same time.
fn git(root: &Path, arguments: &[&str]) {
    let mut git = command("git");
    git.current_dir(root).args(["-c", "gc.auto=0"]).args(arguments);
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    for role in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{role}_NAME"), "Bench").env(format!("GIT_{role}_EMAIL"), "bench@example.com");
        git.env(format!("GIT_{role}_DATE"), "2026-01-01T00:00:00Z");
    }
    let status = git.status().expect("git is installed");
    assert!(status.success(), "git {arguments:?}: {status}");
}

/// The corpus with so many KEPs for each of its own. The first copy keeps its number, so that links lead to it.
pub fn copies(corpus: &Path, times: usize) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    copy(corpus, folder.path(), times);
    folder
}

/// Copies what is in a folder, and what has the number of a KEP as often as asked for.
fn copy(from: &Path, to: &Path, times: usize) {
    for entry in entries(from) {
        let name = name_of(&entry);
        match Renumbered::of(&name) {
            Some(kep) => (0..times).for_each(|time| copy_one(&entry, &to.join(kep.name(time)), Some((&kep, time)))),
            None if entry.is_dir() => copy_folder(&entry, &to.join(name), times),
            None => copy_one(&entry, &to.join(name), None),
        }
    }
}

fn copy_folder(from: &Path, to: &Path, times: usize) {
    fs::create_dir_all(to).expect("folders can be created");
    copy(from, to, times);
}

/// Copies a file or the whole folder of a KEP.
fn copy_one(from: &Path, to: &Path, kep: Option<(&Renumbered, usize)>) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("folders can be created");
        for entry in entries(from) {
            copy_one(&entry, &to.join(name_of(&entry)), kep);
        }
        return;
    }
    let mut bytes = fs::read(from).unwrap_or_else(|problem| panic!("{}: {problem}", from.display()));
    if let Some((kep, time)) = kep
        && let Ok(text) = str::from_utf8(&bytes)
    {
        bytes = kep.text(text, time).into_bytes();
    }
    fs::write(to, bytes).expect("files can be written");
}

/// The name of a KEP's directory or PRR file: its number, and what follows.
struct Renumbered {
    number: usize,
    /// The number as it is written.
    digits: String,
    rest: String,
}

impl Renumbered {
    /// `None` for other names.
    fn of(name: &str) -> Option<Self> {
        let (digits, rest) = name.split_at(name.find(|letter: char| !letter.is_ascii_digit())?);
        let number = digits.parse().ok()?;
        let is_kep = rest == ".yaml" || rest.starts_with('-') && !rest.ends_with(".md");
        is_kep.then(|| Self { number, digits: digits.to_owned(), rest: rest.to_owned() })
    }

    fn renumbered(&self, time: usize) -> String {
        if time == 0 { self.digits.clone() } else { (time * 10_000 + self.number).to_string() }
    }

    fn name(&self, time: usize) -> String {
        format!("{}{}", self.renumbered(time), self.rest)
    }

    /// A text of the KEP with its new number: in the metadata, and in the title of the README.
    fn text(&self, text: &str, time: usize) -> String {
        let (old, new) = (&self.digits, self.renumbered(time));
        text.replace(&format!("kep-number: {old}\n"), &format!("kep-number: {new}\n"))
            .replace(&format!("# KEP-{old}:"), &format!("# KEP-{new}:"))
    }
}
