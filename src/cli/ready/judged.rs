//! Which version of the files a question is about: on disk, of a commit or a pull request; and its history.
use super::arguments::ReadyArguments;
use crate::diagnostic::{Failure, brief};
use crate::kep::review::Review;
use crate::kep::{Kep, number};
use crate::ready::case::{Proposed, approver};
use crate::ready::outline::Snapshot;
use crate::ready::past::{Approval, Approved};
use crate::span::FileId;
use crate::stage::Stage;
use crate::stage::release::Teller;
use crate::workspace::change::since::{commit, known_references, remedy};
use crate::workspace::change::told::proposed;
use crate::workspace::directory::KepDirectory;
use crate::workspace::files::{Source, disk};
use crate::workspace::git::approvals::Approvals;
use crate::workspace::git::nested::Nested;
use crate::workspace::git::revision::{of_commit, of_merge};
use crate::workspace::git::{Git, quoted, root_around};
use crate::workspace::paths::{RealPath, path_of};
use crate::workspace::tip::Tip;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub struct Judged {
    pub git: Git,
    pub revision: Source,
    pub snapshot: Snapshot,
    /// The number of the pull request, if it is named by that.
    pub pull: Option<u64>,
    /// The files that a pull request changes, from the root on, if its KEPs are to be found by them.
    pub changed: Option<Vec<PathBuf>>,
    /// If it is a pull request, the commit of the branch that it is for, as far as one is known here.
    target: Option<String>,
    /// The files of that branch, if the pull request is not merged.
    base: Option<Source>,
    is_proposed: bool,
}

impl Judged {
    /// The commit that tells the release: the tip that a pull request is for, or the one that is judged.
    pub fn tip(&self) -> Tip<'_> {
        let (commit, by) = match &self.target {
            Some(target) => (target, Teller::Base),
            None => (&self.snapshot.commit, Teller::Tree),
        };
        Tip { git: &self.git, commit, by, time: None }
    }

    /// What of the KEP in `directory` is merged already; `None` if all of it is.
    pub fn proposed(&self, directory: &KepDirectory, kep: &Kep) -> Option<Proposed> {
        let review = || proposed(directory, kep, self.base.as_ref()?);
        self.is_proposed.then(|| review().unwrap_or_default())
    }
}

/// The commit that `--at` or `--pr` names; `None` for the files on disk.
pub fn of(arguments: &ReadyArguments) -> Result<Option<Judged>, Failure> {
    let pull = arguments.pr.as_deref().and_then(pull_number);
    let Some(name) = arguments.at.as_ref().or(arguments.pr.as_ref()) else { return Ok(None) };
    let (name, shown) = match pull {
        Some(number) => (format!("refs/pull/{number}/head"), format!("pull request {number}")),
        None => (name.clone(), name.clone()),
    };
    let git = repository()?;
    let Some(commit) = commit(&git, &name)? else {
        let failure = Failure::new(format!("cannot judge `{}`: this clone has no such commit", brief(&shown)));
        return Err(failure.help(match pull {
            None => remedy(&git, &name),
            Some(number) => {
                format!("get it with `git fetch {} pull/{number}/head:refs/pull/{number}/head`", remote(&git))
            }
        }));
    };
    let own = of_commit(&git, &commit)?;
    let nested = Nested { root: git.root(), operation: "judge" };
    nested.refuse(own.submodules(), nested.named(&arguments.keps))?;
    let is_named = !arguments.keps.is_empty() || arguments.milestone.is_some() || arguments.from.is_some();
    let is_found = arguments.pr.is_some() && !is_named;
    let changed = if is_found { Some(changed(&git, &commit, &shown)?) } else { None };
    let target = arguments.pr.as_ref().and_then(|_| target_commit(&git));
    let is_proposed = arguments.pr.is_some() && !is_merged(&git, &commit);
    let merged_into = target.as_ref().filter(|_| is_proposed);
    let base = merged_into.map(|tip| of_commit(&git, tip)).transpose()?;
    let paths = || changed.clone().or_else(|| self::changed(&git, &commit, &shown).ok());
    let revision = match merged_into {
        Some(tip) if let Some(paths) = paths() => of_merge(&git, tip, &commit, &paths)?,
        _ => own,
    };
    let snapshot = Snapshot { name: shown, commit, is_changed: false };
    let pull = pull.and_then(|number| number.parse().ok());
    Ok(Some(Judged { git, revision, snapshot, pull, changed, target, base, is_proposed }))
}

/// The commits of the branches that pull requests are for, as far as this clone has them; the newest first. Its own branches
/// count only if it has none of a remote: there may be commits on them that nobody merged.
fn targets(git: &Git) -> Vec<String> {
    let of_remote = |remote| ["HEAD", "master", "main"].map(|branch| format!("refs/remotes/{remote}/{branch}"));
    let mut known = known_references(git, ["upstream", "origin"].into_iter().flat_map(of_remote).collect());
    if known.is_empty() {
        known = known_references(git, ["master", "main"].map(|branch| format!("refs/heads/{branch}")).into());
    }
    known.into_iter().map(|reference| reference.object).collect()
}

fn is_merged(git: &Git, commit: &str) -> bool {
    targets(git).iter().any(|tip| git.answer(["merge-base", "--is-ancestor", commit, tip]).is_some())
}

/// The commit of the branch that pull requests are for, if one is known here.
pub fn target_commit(git: &Git) -> Option<String> {
    targets(git).into_iter().next()
}

/// Whether branches that pull requests are for are known here, and none of them has the commit.
pub fn is_unmerged(judged: Option<&Judged>, commit: &str) -> bool {
    let git = judged.map(|judged| judged.git.clone()).or_else(|| repository().ok());
    git.is_some_and(|git| !targets(&git).is_empty() && !is_merged(&git, commit))
}

/// The files that differ between the commit of a pull request and where it left the branch that it is for.
pub fn changed(git: &Git, commit: &str, shown: &str) -> Result<Vec<PathBuf>, Failure> {
    let failed = |reason: &str, help: String| {
        let failure = Failure::new(format!("cannot tell which KEPs `{}` changes: {reason}", brief(shown)));
        Err(failure.help(help))
    };
    let named = "name its KEPs by number".to_owned();
    // Of several branches, the one that it left last counts.
    let targets = targets(git);
    match git.line(["merge-base", commit].into_iter().chain(targets.iter().map(String::as_str))) {
        None if git.is_shallow() => {
            let remote = git.remote();
            let help = format!("get the history with `git fetch --unshallow {remote}`, or {named}");
            failed("this clone lacks the commits before it", help)
        }
        None => failed("it left no branch that is known here", named),
        Some(base) if base == commit => failed("it is merged already", named),
        Some(base) => {
            let diff = ["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", &base, commit];
            let paths = git.items("list what the pull request changes", diff)?;
            Ok(paths.iter().map(|path| path_of(path)).collect())
        }
    }
}

/// What git calls the files on disk around `place`, if there is a repository, and whether those at `paths` are changed.
pub fn on_disk(place: &Path, paths: &[PathBuf]) -> Option<Snapshot> {
    let git = Git::of_file(&root_around(place)?).ok()?;
    let inside = paths.iter().filter_map(|path| path.strip_prefix(git.root()).ok()).map(Path::as_os_str);
    let mut inside: Vec<&OsStr> = inside.collect();
    // Without a path, git would tell about all files.
    if inside.is_empty() {
        inside.push(OsStr::new(".git"));
    }
    let status = ["status", "--porcelain=v2", "--branch", "--no-ahead-behind", "--ignore-submodules=all", "-z", "--"];
    let status = git.answer(status.map(AsRef::as_ref).into_iter().chain(inside))?;
    let text = String::from_utf8_lossy(&status);
    let (about, changed): (Vec<&str>, Vec<&str>) =
        text.split('\0').filter(|item| !item.is_empty()).partition(|item| item.starts_with("# "));
    let value =
        |name: &str| about.iter().find_map(|line| line.strip_prefix("# ")?.strip_prefix(name)?.strip_prefix(' '));
    // These are git's words for a branch without a commit, and for no branch.
    let commit = value("branch.oid").filter(|commit| *commit != "(initial)")?.to_owned();
    let name = value("branch.head").filter(|name| *name != "(detached)").unwrap_or("HEAD").to_owned();
    Some(Snapshot { name, commit, is_changed: !changed.is_empty() })
}

pub fn tree() -> Option<PathBuf> {
    disk::around(Path::new(".")).tree_around()
}

/// The number of a pull request: `5073`, `#5073`, `pull/5073/head`; `None` for any other ref.
fn pull_number(name: &str) -> Option<&str> {
    let short = name.strip_prefix('#').unwrap_or(name);
    let path = name.strip_prefix("refs/").unwrap_or(name);
    let inner = path.strip_prefix("pull/").map(|rest| rest.strip_suffix("/head").unwrap_or(rest));
    [Some(short), inner].into_iter().flatten().find(|text| number::is_digits(text))
}

/// Pull requests are those of `upstream`, where there is such a remote.
pub fn remote(git: &Git) -> String {
    let has_upstream = git.remotes().iter().any(|name| name == "upstream");
    if has_upstream { quoted("upstream") } else { git.remote() }
}

pub fn repository() -> Result<Git, Failure> {
    Git::around(Path::new(".")).map_err(|failure| match &failure.help {
        Some(help) if help.starts_with("trust it") => failure,
        _ => failure.help("run kep-lint in a clone of the repository, or without `--at` and `--pr`"),
    })
}

/// The history of a commit, or of the commit that the files on disk are based on; read when it is asked for.
pub struct Past<'a> {
    pub judged: Option<&'a Judged>,
    pub read: OnceLock<Result<Approvals, Failure>>,
}

impl Past<'_> {
    /// Reads the history for the tree of KEPs at `tree`; all KEPs of a question are in one repository.
    fn read(&self, tree: &RealPath) -> Result<Approvals, Failure> {
        let (git, start) = match self.judged {
            Some(judged) => {
                let target = judged.target.as_deref().filter(|_| judged.is_proposed);
                (judged.git.clone(), target.unwrap_or(&judged.snapshot.commit))
            }
            None if root_around(tree).is_none() => return Err(Failure::new("this is no clone of git")),
            None => (Git::of_file(tree)?, "HEAD"),
        };
        let way = git.root().way_to(tree).ok_or_else(|| Failure::new("it is in another repository"))?;
        Approvals::read(&git, start, way)
    }

    /// The last approval of the KEP in `directory`, for this stage or one before it.
    pub fn last(&self, directory: &KepDirectory, kep: &Kep, stage: Stage) -> Result<Option<Approved>, Failure> {
        let (tree, way) = directory.tree().ok_or_else(|| Failure::new("it is in no directory `keps`"))?;
        let approvals = self.read.get_or_init(|| self.read(tree)).as_ref().map_err(Clone::clone)?;
        let Some(review) = &kep.review else { return Ok(None) };
        let path = Path::new(&kep.texts.file(review.file).path);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let tree = approvals.git.root().way_to(tree).ok_or_else(|| Failure::new("it is in another repository"))?;
        let readme = directory.files.readme.as_deref().and_then(Path::file_name).unwrap_or("README.md".as_ref());
        let readme = tree.join(way).join(readme);
        let named = Stage::ALL.into_iter().filter(|earlier| *earlier <= stage && review.is_approved(*earlier));
        let number = number::without_zeros(&name);
        // Somebody else may have approved it before the one who is asked now.
        let merged = approvals.newest(number)?.map(|text| Review::parse(FileId(0), &text));
        for approved in named.rev() {
            let approvers = [approver(review, approved), merged.as_ref().and_then(|merged| approver(merged, approved))];
            for approver in approvers.into_iter().flatten() {
                let is_named = |text: &str| {
                    let earlier = self::approver(&Review::parse(FileId(0), text), approved);
                    earlier.as_ref() == Some(&approver)
                };
                let Some((commit, number)) = approvals.named(number, is_named)? else { continue };
                let readme = approvals.readme(commit, &number, &readme)?;
                let approver = approver.name().to_owned();
                let approval = Approval { stage: approved, approver, day: commit.day, commit: commit.name.clone() };
                return Ok(Some((approval, readme)));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pull_requests_have_several_names() {
        for name in ["12", "#12", "pull/12/head", "refs/pull/12/head", "pull/12"] {
            assert_eq!(pull_number(name), Some("12"));
        }
        for name in ["topic", "origin/12", "pull/12/merge"] {
            assert_eq!(pull_number(name), None);
        }
    }
}
