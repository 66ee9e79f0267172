//! The heads of pull requests, as far as this clone has them.
use super::export::Listed;
use crate::cli::ready::judged;
use crate::diagnostic::Failure;
use crate::workspace::git::Git;
use crate::workspace::git::objects::{Content, Objects};
use crate::workspace::paths::{RealPath, path_of};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

pub struct Heads {
    git: Git,
    objects: Objects,
    /// The commits, by the numbers of the pull requests.
    commits: HashMap<u64, String>,
    /// Those that were fetched, but are not at the commits of the list.
    stale: HashSet<u64>,
    /// The commit of the branch that pull requests are for, if one is known here.
    target: Option<String>,
    /// Whether the clone may lack the contents of files.
    is_partial: bool,
}

impl Heads {
    /// Finds the heads of these pull requests: what was fetched as `refs/pull/<number>/head`, or else the commit that the
    /// list has, under whatever name it was fetched.
    pub fn find(git: Git, listed: &[Listed]) -> Result<Self, Failure> {
        let wanted: HashSet<u64> = listed.iter().map(|pull| pull.about.number).collect();
        let refs = git.run(["for-each-ref", "--format=%(refname) %(objectname)", "refs/pull/"]).unwrap_or_default();
        let named = |line: &str| {
            let (name, commit) = line.split_once(' ')?;
            let number = name.strip_prefix("refs/pull/")?.strip_suffix("/head")?.parse().ok()?;
            wanted.contains(&number).then(|| (number, commit.to_owned()))
        };
        let mut commits: HashMap<u64, String> = String::from_utf8_lossy(&refs).lines().filter_map(named).collect();
        let is_stale = |pull: &&Listed| {
            let fetched = commits.get(&pull.about.number).map(String::as_str);
            fetched.zip(pull.head.as_deref()).is_some_and(|(fetched, head)| fetched != head)
        };
        let mut stale: HashSet<u64> = listed.iter().filter(is_stale).map(|pull| pull.about.number).collect();
        // What was fetched then says nothing of what is open now.
        commits.retain(|number, _| !stale.contains(number));
        let is_open = |pull: &&Listed| !commits.contains_key(&pull.about.number);
        let others: Vec<(u64, &String)> =
            listed.iter().filter(is_open).filter_map(|pull| Some((pull.about.number, pull.head.as_ref()?))).collect();
        if !others.is_empty() {
            let question = ["rev-list", "--no-walk", "--ignore-missing"].into_iter();
            let known = git.run(question.chain(others.iter().map(|(_, head)| head.as_str()))).unwrap_or_default();
            let known = String::from_utf8_lossy(&known).into_owned();
            let known: HashSet<&str> = known.lines().collect();
            let found = others.into_iter().filter(|(_, head)| known.contains(head.as_str()));
            commits.extend(found.map(|(number, head)| (number, head.clone())));
        }
        stale.retain(|number| !commits.contains_key(number));
        let (objects, is_partial) = (Objects::open(&git)?, git.is_partial());
        let target = judged::target_commit(&git);
        Ok(Self { git, objects, commits, stale, target, is_partial })
    }

    pub fn root(&self) -> &RealPath {
        self.git.root()
    }

    /// The commit of a pull request, if it is here.
    pub fn commit(&self, number: u64) -> Option<&str> {
        self.commits.get(&number).map(String::as_str)
    }

    /// Whether another commit than that of the list was fetched for a pull request.
    pub fn is_stale(&self, number: u64) -> bool {
        self.stale.contains(&number)
    }

    /// All files that a pull request changes, if its head and the branch that it is for are here. A list has of a file that
    /// is moved only the new path.
    pub fn changed(&self, number: u64) -> Option<Vec<PathBuf>> {
        let range = format!("{}...{}", self.target.as_ref()?, self.commit(number)?);
        let diff = ["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", &range];
        let paths = self.git.items("list what a pull request changes", diff).ok()?;
        Some(paths.iter().map(|path| path_of(path)).collect())
    }

    /// The file at `path` as a pull request has it, of at most `most` bytes; `None` if it has no such file.
    pub fn read(&self, number: u64, path: &str, most: u64) -> Result<Option<Vec<u8>>, Failure> {
        let failed = |reason: &str| Failure::of("read", path, &format!("{reason} (in #{number})"));
        let commit = self.commit(number).ok_or_else(|| failed("its head was not fetched"))?;
        match self.objects.read(&format!("{commit}:{path}"), most) {
            Ok(Content::File(bytes)) => Ok(Some(bytes)),
            Ok(Content::TooLarge(_)) => Err(failed("it is too large")),
            Ok(Content::Missing) if self.is_partial && self.git.line(["ls-tree", commit, "--", path]).is_some() => {
                Err(failed("this clone does not have it").help(format!("get it with `{}`", self.git.refetch())))
            }
            Ok(Content::Missing) => Ok(None),
            Err(_) => Err(failed("it is no file")),
        }
    }

    /// The command that fetches the heads of these pull requests; where another commit may be known by that name, it is
    /// replaced.
    pub fn fetch(&self, numbers: &[u64], has_older: bool) -> String {
        let plus = if has_older { "+" } else { "" };
        let heads = numbers.iter().map(|number| format!(" {plus}refs/pull/{number}/head:refs/pull/{number}/head"));
        format!("git fetch {}{}", judged::remote(&self.git), heads.collect::<String>())
    }
}
