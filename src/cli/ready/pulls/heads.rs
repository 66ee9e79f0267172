//! The heads of pull requests, as far as this clone has them.
use super::export::Listed;
use crate::cli::output;
use crate::cli::ready::judged;
use crate::diagnostic::Failure;
use crate::workspace::git::Git;
use crate::workspace::git::objects::Content;
use crate::workspace::paths::path_of;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

pub struct Heads {
    pub git: Git,
    /// The commits, by the numbers of the pull requests.
    commits: HashMap<u64, String>,
    /// Those that were fetched, but are not at the commits of the list.
    stale: HashSet<u64>,
    /// The commit of the branch that pull requests are for, if one is known here.
    target: Option<String>,
}

impl Heads {
    /// Finds the heads of these pull requests: what was fetched as `refs/pull/<number>/head`, or else the commit that the
    /// list has, under whatever name it was fetched.
    pub fn find(git: Git, listed: &[Listed]) -> Self {
        let refs = git.lines(["for-each-ref", "--format=%(refname) %(objectname)", "refs/pull/"]);
        let refs: HashMap<&str, &str> = refs.iter().filter_map(|line| line.split_once(' ')).collect();
        let heads = listed.iter().filter_map(Listed::head);
        let question = ["rev-list", "--no-walk", "--ignore-missing"].into_iter();
        // Without a head, git answers nothing.
        let known: HashSet<String> = git.lines(question.chain(heads)).into_iter().collect();
        let (mut commits, mut stale) = (HashMap::new(), HashSet::new());
        for pull in listed {
            let fetched = refs.get(format!("refs/pull/{}/head", pull.number).as_str()).copied();
            match (fetched, pull.head()) {
                (_, Some(head)) if known.contains(head) => drop(commits.insert(pull.number, head.to_owned())),
                // What was fetched then says nothing of what is open now.
                (Some(_), Some(_)) => drop(stale.insert(pull.number)),
                (Some(fetched), None) => drop(commits.insert(pull.number, fetched.to_owned())),
                (None, _) => {}
            }
        }
        let target = judged::target_commit(&git);
        Self { git, commits, stale, target }
    }

    pub fn commit(&self, number: u64) -> Option<&str> {
        self.commits.get(&number).map(String::as_str)
    }

    /// All files that a pull request changes, if that is known here. A list has only the new path of a moved file.
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
        match self.git.objects()?.read(&format!("{commit}:{path}"), most) {
            Ok(Content::File(bytes)) => Ok(Some(bytes)),
            Ok(Content::TooLarge(_)) => Err(failed("it is too large")),
            // A partial clone may lack the contents of files.
            Ok(Content::Missing) if self.git.line(["ls-tree", commit, "--", path]).is_some() => {
                Err(failed("this clone does not have it").help(format!("get it with `{}`", self.git.refetch())))
            }
            Ok(Content::Missing) => Ok(None),
            Err(_) => Err(failed("it is no file")),
        }
    }

    /// Says which of the `wanted` heads are not here, or are others than in the list.
    pub fn note_missing(&self, wanted: &BTreeSet<u64>, list: &str) {
        let missing = wanted.iter().copied().filter(|number| self.commit(*number).is_none());
        let (others, missing): (Vec<u64>, Vec<u64>) = missing.partition(|number| self.stale.contains(number));
        if !missing.is_empty() {
            let (are, them) = if missing.len() == 1 { ("request is", "it") } else { ("requests are", "them") };
            output::note(&format!("{} pull {are} not judged; fetch {them} with", missing.len()));
            output::command(&self.fetch(&missing, ""));
        }
        if !others.is_empty() {
            let names = others.iter().map(|number| format!("#{number}")).collect::<Vec<_>>().join(", ");
            output::note(&format!(
                "not judged, as they are not at the commits of {list}: {names}; list them again, and fetch them with"
            ));
            // Another commit is known by that name, and is replaced.
            output::command(&self.fetch(&others, "+"));
        }
    }

    /// The command that fetches the heads of these pull requests.
    fn fetch(&self, numbers: &[u64], plus: &str) -> String {
        let heads = numbers.iter().map(|number| format!(" {plus}refs/pull/{number}/head:refs/pull/{number}/head"));
        format!("git fetch {}{}", judged::remote(&self.git), heads.collect::<String>())
    }
}
