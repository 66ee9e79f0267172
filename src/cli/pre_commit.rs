//! `kep-lint pre-commit`: what a hook of pre-commit (<https://pre-commit.com>) checks. pre-commit passes the files that a
//! commit adds or changes, but neither those that it deletes nor what kind of run it is; git and a variable tell these.

use super::args::CheckArguments;
use super::outcome::Outcome;
use super::{check, combination, output};
use crate::diagnostic::Failure;
use crate::workspace::change::changed::Changed;
use crate::workspace::change::since::{self, Compared, checked_out, commit};
use crate::workspace::git::Git;
use std::collections::BTreeSet;
use std::env;
use std::path::Path;

/// The variable with the value of `--from-ref`, or the last commit that the remote has, in a push.
const FROM_REF: &str = "PRE_COMMIT_FROM_REF";

/// The variable with the value of `--to-ref`, or the commit that is pushed.
const TO_REF: &str = "PRE_COMMIT_TO_REF";

enum Job {
    /// A push, or `--from-ref` and `--to-ref`: all that changed since this commit.
    Range(String),
    Commit,
    /// A commit, with fixes: the files on disk, which pre-commit made equal to what is staged.
    CommitWithFixes,
    /// `--all-files` or `--files`: these files, on disk.
    Files,
}

/// Checks the KEPs that a commit or a push changes, or those of the files.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let job = job(arguments)?;
    let mut arguments = CheckArguments { is_hook: true, ..arguments.clone() };
    match job {
        Job::Files if arguments.paths.is_empty() => {
            output::close("no file of a KEP to check", arguments.output.quiet);
            return Ok(Outcome::Clean);
        }
        // Without a base, everything is new.
        Job::Files => (arguments.new_only, arguments.config_from) = (false, None),
        Job::Range(from) => arguments.since = Some(from),
        Job::Commit => arguments.staged = true,
        Job::CommitWithFixes => arguments.since = Some("HEAD".to_owned()),
    }
    if arguments.since.is_some() || arguments.staged {
        arguments.paths.clear();
    }
    combination::refuse(&arguments)?;
    check::run(&arguments)
}

fn job(arguments: &CheckArguments) -> Result<Job, Failure> {
    if let Some(since) = &arguments.since {
        return Ok(Job::Range(since.clone()));
    }
    if let Some(from) = env::var(FROM_REF).ok().filter(|from| !from.is_empty()) {
        return refuse_another_commit().map(|()| Job::Range(from));
    }
    let comparison = since::comparison(&Compared::Staged, &[])?;
    // Of a merge, pre-commit passes also a file that is taken from one of its parents.
    let mut staged = BTreeSet::new();
    for base in [&comparison.base].into_iter().chain(&comparison.others) {
        staged.extend(Changed::read(&comparison, base, &[])?.touched);
    }
    let is_commit = arguments.paths.iter().all(|path| staged.contains(path));
    let writes = arguments.fix || arguments.add_ignores.is_some();
    Ok(match (is_commit, writes) {
        (true, false) => Job::Commit,
        (true, true) if checked_out(&comparison.git).is_some() => Job::CommitWithFixes,
        _ => Job::Files,
    })
}

/// Fails if the commit that is pushed is not the one whose files are on disk.
fn refuse_another_commit() -> Result<(), Failure> {
    let Some(to) = env::var(TO_REF).ok().filter(|to| !to.is_empty()) else { return Ok(()) };
    let git = Git::around(Path::new("."))?;
    if commit(&git, &to)? == checked_out(&git) {
        return Ok(());
    }
    let failure = Failure::new(format!("cannot check `{to}`: another commit is checked out"));
    Err(failure.help("check out the branch that is pushed, or what `--to-ref` names"))
}
