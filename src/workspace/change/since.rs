//! What a run is compared with: the commit that `--since` and `--staged` mean.

use crate::bounds;
use crate::diagnostic::Failure;
use crate::ready::calendar::schedule::Time;
use crate::workspace::git::{Git, quoted};
use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};

/// What the full names of the branches of remotes begin with.
const REMOTES: &str = "refs/remotes/";

/// Where git looks for a name, in its order.
const PLACES: [&str; 5] = ["", "refs/", "refs/tags/", "refs/heads/", REMOTES];

/// Said of a commit that is the base itself.
const TOO_SHALLOW: &str = "itself: this clone is too shallow for a merge base";

/// A base, and what is compared with it.
#[derive(Debug)]
pub struct Comparison {
    pub git: Git,
    /// The name of the commit or tree that is the base.
    pub base: String,
    /// Further bases, such as the other parents of a merge: what one of them has is not new either.
    pub others: Vec<String>,
    /// The name of the commit that was asked for, of which the base is where the change left it.
    pub tip: String,
    /// What the base is called: as the user wrote it, or how it was found.
    pub name: String,
    pub head: Head,
}

impl Comparison {
    /// Fails if there are so many `bases` that a run would take minutes.
    fn new(git: Git, bases: Vec<String>, tip: String, name: String, head: Head) -> Result<Self, Failure> {
        if bases.len() > bounds::BASES {
            let (count, most) = (bases.len(), bounds::BASES);
            let failure = Failure::new(format!("cannot compare with `{name}`: it has {count} bases, more than {most}"));
            return Err(failure.help("merge it into this branch, or fewer branches at once"));
        }
        let mut bases = bases.into_iter();
        let base = bases.next().unwrap_or_default();
        let others = bases.collect();
        Ok(Self { git, base, others, tip, name, head })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    WorkTree,
    Index,
}

/// A branch or commit, and where its name is from.
struct Reference {
    name: String,
    /// Where it is from, if the user did not write it.
    origin: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub enum Compared {
    /// The files on disk, with the merge base of this commit, or of the one that `auto` means.
    Since(String),
    /// The same for what is pushed, which may be a merge of the default branch: what that has is not new.
    Pushed(String),
    /// What is staged, with the last commit.
    Staged,
}

/// The comparison that is asked for, in a run over `paths`.
pub fn comparison(compared: &Compared, paths: &[PathBuf]) -> Result<Comparison, Failure> {
    let first = paths.first().map_or(Path::new("."), PathBuf::as_path);
    let git = Git::around(first)?;
    let (Compared::Since(wanted) | Compared::Pushed(wanted)) = compared else {
        let (head, name) = match checked_out(&git) {
            Some(head) => (head, "HEAD".to_owned()),
            None => (empty_tree(&git)?, "the empty repository".to_owned()),
        };
        let bases = parents(&git, &head);
        return Comparison::new(git, bases, head, name, Head::Index);
    };
    let reference = match wanted.as_str() {
        "auto" => automatic(&git)?,
        name => Reference { name: name.to_owned(), origin: None },
    };
    let (tip, mut bases) = merge_bases(&git, &reference)?;
    if matches!(compared, Compared::Pushed(_)) {
        bases.extend(merged_default(&git).filter(|base| !bases.contains(base)));
    }
    let origin = if bases.is_empty() { Some(TOO_SHALLOW) } else { reference.origin };
    if bases.is_empty() {
        bases.push(tip.clone());
    }
    let name = match origin {
        Some(origin) => format!("{} ({origin})", reference.name),
        None => reference.name,
    };
    Comparison::new(git, bases, tip, name, Head::WorkTree)
}

/// The base that the CI system names, else the default branch of the remote that pull requests go to.
fn automatic(git: &Git) -> Result<Reference, Failure> {
    let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    // After a merge, Prow names as the base the commit that is tested itself.
    let is_pull = variable("PULL_PULL_SHA").is_some() || variable("JOB_TYPE").as_deref() == Some("batch");
    if is_pull && let Some(base) = variable("PULL_BASE_SHA") {
        return Ok(Reference { name: base, origin: Some("PULL_BASE_SHA") });
    }
    if let Some(branch) = variable("GITHUB_BASE_REF") {
        return Ok(Reference { name: format!("{REMOTES}origin/{branch}"), origin: Some("GITHUB_BASE_REF") });
    }
    if let Some(Known { name, .. }) = default_branch(git) {
        let remote = name.strip_prefix(REMOTES).and_then(|name| name.strip_suffix("/HEAD"));
        let named = remote.and_then(|remote| Some(format!("{REMOTES}{remote}/{}", default_of(git, remote)?)));
        return Ok(Reference { name: named.unwrap_or(name), origin: Some("default branch") });
    }
    let failure = Failure::new(
        "cannot find the base for `--since auto`: no variable of Prow or GitHub, and no default branch of a remote",
    );
    Err(failure.help(format!("name it, or get it with `git fetch {}`", tracking("origin", "*"))))
}

/// A branch or tag that this clone has.
pub struct Known {
    /// Its full name.
    pub name: String,
    pub object: String,
    /// When the commit was made, if it is not a tag.
    pub time: Option<Time>,
}

/// The default branch of the remote that pull requests go to; `None` if this clone has none.
pub fn default_branch(git: &Git) -> Option<Known> {
    let of_remote = |remote| ["HEAD", "main", "master"].map(|branch| format!("{REMOTES}{remote}/{branch}"));
    let names: Vec<String> = ["upstream", "origin"].into_iter().flat_map(of_remote).collect();
    known_references(git, names).into_iter().next()
}

/// Those of the references with these full names that there are, in the same order.
pub fn known_references(git: &Git, names: Vec<String>) -> Vec<Known> {
    let list = ["for-each-ref", "--format=%(refname) %(objectname) %(committerdate:unix)", "--"].map(str::to_owned);
    let answer = git.ask_of_commits(list.iter().chain(&names)).ok().and_then(Result::ok).unwrap_or_default();
    let answer = String::from_utf8_lossy(&answer);
    let lines: HashMap<&str, &str> = answer.lines().filter_map(|line| line.split_once(' ')).collect();
    let known = |name: String| {
        let (object, seconds) = lines.get(name.as_str())?.split_once(' ')?;
        Some(Known { object: object.to_owned(), time: seconds.parse().ok().map(Time), name })
    };
    names.into_iter().filter_map(known).collect()
}

/// Where what is checked out has taken over the default branch last, unless it is a part of that branch itself.
fn merged_default(git: &Git) -> Option<String> {
    let branch = default_branch(git)?.object;
    let head = checked_out(git)?;
    git.line(["merge-base", &branch, &head]).filter(|base| *base != head)
}

/// The parents of the next commit: `head`, which is checked out, and what is being merged into it.
fn parents(git: &Git, head: &str) -> Vec<String> {
    let merged = git.merged().into_iter().flatten().filter_map(|name| resolved(git, &name));
    [head.to_owned()].into_iter().chain(merged).collect()
}

/// A commit, and its merge bases with what is checked out. None, if this clone has too little of the history to find them, and
/// the user named the commit by its hash: then that commit is what they mean.
fn merge_bases(git: &Git, reference: &Reference) -> Result<(String, Vec<String>), Failure> {
    let named = format!("`{}`", reference.name);
    let Some(other) = commit(git, &reference.name)? else {
        let failure = Failure::new(format!("cannot compare with {named}: this clone has no such commit"));
        return Err(failure.help(remedy(git, &reference.name)));
    };
    let head = checked_out(git).ok_or_else(|| {
        let failure = Failure::new(format!("cannot compare with {named}: nothing is committed here"));
        failure.help("commit first, or use `--staged`")
    })?;
    let parents = parents(git, &head);
    // What is not committed is compared with all that the commit will come from.
    if matches!(reference.name.as_str(), "HEAD" | "@") {
        return Ok((other, parents));
    }
    match git.ask(["merge-base", "--all", &other].into_iter().chain(parents.iter().map(String::as_str)))? {
        Ok(found) if !found.is_empty() => {
            let mut bases: Vec<String> = String::from_utf8_lossy(&found).lines().map(str::to_owned).collect();
            // Of two branches that were merged into each other, one may have taken from a base what the other did not.
            if bases.len() > 1 {
                bases.push(other.clone());
            }
            Ok((other, bases))
        }
        Err(refusal) if !refusal.is_silent() => Err(git.failure("find the merge base", &refusal)),
        _ if git.is_shallow() && reference.origin.is_none() && is_hash(&reference.name) => Ok((other, Vec::new())),
        _ if git.is_shallow() => {
            let failure = Failure::new(format!("cannot find the merge base with {named}: this clone is shallow"));
            let command = fetch(git, &reference.name).unwrap_or_default();
            Err(failure.help(format!("get the history with `{command}`")))
        }
        _ => {
            let reason = "no commit is in the history of both";
            let failure = Failure::new(format!("cannot find the merge base with {named}: {reason}"));
            Err(failure.help("name a branch or a commit that this one comes from"))
        }
    }
}

/// What to do about a name that no commit has.
pub fn remedy(git: &Git, name: &str) -> String {
    if let Some(other) = other_default(git, name) {
        return format!("did you mean `{other}`?");
    }
    match (missing_remote(git, name), fetch(git, name)) {
        (Some(remote), _) => {
            format!("add the remote with `git remote add {remote} URL`, and get it with `git fetch {remote}`")
        }
        (None, Some(command)) => format!("get it with `{command}`"),
        (None, None) => "name a branch or a commit that exists".to_owned(),
    }
}

/// `origin/master` for `origin/main`, and the other way round, if this clone has it: a repository has one of them.
fn other_default(git: &Git, name: &str) -> Option<String> {
    let (around, branch) = name.rfind('/').map_or(("", name), |at| name.split_at(at + 1));
    let (old, new) = [("main", "master"), ("master", "main")].into_iter().find(|(old, _)| *old == branch_of(branch))?;
    let other = format!("{around}{new}");
    resolved(git, &other)?;
    Some(format!("{other}{}", branch.strip_prefix(old)?))
}

/// The name of the branch in `main~2`, `main^`, `main@{1}` and `main:path`. A branch may have an `@` in its name.
fn branch_of(name: &str) -> &str {
    let end = [name.find(['~', '^', ':']), name.find("@{")].into_iter().flatten().min();
    name.get(..end.unwrap_or(name.len())).unwrap_or(name)
}

/// How many digits of a commit's hash git prints at least, and how many it has.
const SHORTEST_HASH: usize = 7;
const WHOLE_HASH: usize = 40;

/// Whether `name` may be the hash of a commit, or its beginning.
fn is_hash(name: &str) -> bool {
    name.len() >= SHORTEST_HASH && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The command that gets what `name` means, with its history; `None` if no command can.
fn fetch(git: &Git, name: &str) -> Option<String> {
    let known = git.remotes();
    let short = name.strip_prefix(REMOTES).unwrap_or(name);
    let of_remote = known.iter().map(String::as_str).chain(["origin"]).find_map(|remote| {
        match branch_of(short.strip_prefix(remote)?.strip_prefix('/')?) {
            "HEAD" => default_of(git, remote).map(|branch| tracking(remote, &branch)),
            branch => Some(tracking(remote, branch)),
        }
    });
    // `HEAD~1` is in this clone or nowhere, but a commit can be fetched by its hash and a branch by its name.
    let is_relative = branch_of(name) != name || name.starts_with('-') || matches!(name, "HEAD" | "@");
    let remote = git.remote();
    let wanted = match of_remote {
        Some(wanted) => Some(wanted),
        None if is_relative => None,
        None if is_hash(name) && name.len() < WHOLE_HASH => Some(remote.clone()),
        None if is_hash(name) => Some(format!("{remote} {name}")),
        None => Some(format!("{remote} {}", quoted(&format!("{name}:{name}")))),
    };
    if git.is_shallow() {
        Some(format!("git fetch --unshallow {}", wanted.unwrap_or(remote)))
    } else {
        wanted.map(|wanted| format!("git fetch {wanted}"))
    }
}

/// The branch that `HEAD` of a remote stands for.
fn default_of(git: &Git, remote: &str) -> Option<String> {
    let of_remote = format!("{REMOTES}{remote}/");
    let full = git.line(["symbolic-ref", "--quiet", &format!("{of_remote}HEAD")])?;
    full.strip_prefix(&of_remote).map(str::to_owned)
}

/// The remote that `name` is a branch of, if it is one of the usual ones and this clone does not have it.
fn missing_remote(git: &Git, name: &str) -> Option<&'static str> {
    let (remote, _) = name.strip_prefix(REMOTES).unwrap_or(name).split_once('/')?;
    let usual = ["upstream", "origin"].into_iter().find(|usual| *usual == remote)?;
    git.remotes().iter().all(|known| known != usual).then_some(usual)
}

/// What fetches a branch of a remote, also in a clone of another branch alone.
fn tracking(remote: &str, branch: &str) -> String {
    format!("{} {}", quoted(remote), quoted(&format!("+refs/heads/{branch}:{REMOTES}{remote}/{branch}")))
}

/// The commit that `name` means, if the repository has it. Fails if it may mean several things: git would take one of them,
/// such as a tag that is called `origin/main`.
pub fn commit(git: &Git, name: &str) -> Result<Option<String>, Failure> {
    let (commit, short) = (resolved(git, name), branch_of(name));
    let is_whole_hash = is_hash(short) && short.len() >= WHOLE_HASH;
    if commit.is_none() || is_whole_hash || matches!(short, "" | "@" | "HEAD") {
        return Ok(commit);
    }
    let mut places: Vec<String> = PLACES.iter().map(|place| format!("{place}{short}")).collect();
    places.push(format!("{REMOTES}{short}/HEAD"));
    let mut meant: Vec<String> = known_references(git, places).into_iter().map(|known| known.name).collect();
    if short.starts_with("refs/") {
        // A tag may have this name as well.
        return Ok(commit.filter(|_| meant.first().is_some_and(|first| first == short)));
    }
    if is_hash(short) && !meant.is_empty() {
        meant.extend(git.line(["rev-parse", &format!("--disambiguate={short}")]));
    }
    let Some(last) = meant.last().filter(|_| meant.len() > 1) else { return Ok(commit) };
    let failure = Failure::new(format!("`{short}` means more than one thing: `{}`", meant.join("`, `")));
    Err(failure.help(format!("write the whole name, such as `{last}`")))
}

/// The commit that is checked out; `None` before the first one.
pub fn checked_out(git: &Git) -> Option<String> {
    resolved(git, "HEAD")
}

/// The name of the commit that git takes `name` for.
fn resolved(git: &Git, name: &str) -> Option<String> {
    // Nothing that begins so is the name of a commit, and a git before 2.30 does not know `--end-of-options` here.
    if name.starts_with('-') {
        return None;
    }
    git.objects().ok()?.commit(name).map(|(hash, _)| hash)
}

fn empty_tree(git: &Git) -> Result<String, Failure> {
    // It depends on the repository's hash function. Nothing is written.
    let name = git.line(["hash-object", "-t", "tree", "--stdin"]);
    name.ok_or_else(|| Failure::new("cannot name the empty tree").help("update git"))
}
