//! Runs git, as a program, from this file alone. It reads the repository of a pull request that nobody has reviewed, so
//! git is never asked to search for a repository, nothing that a repository may configure is run, and nothing is written.

pub(crate) mod approvals;
pub mod last_changes;
pub(crate) mod nested;
pub(crate) mod objects;
mod place;
pub mod revision;

use self::objects::Objects;
use self::place::Place;
use super::edge::followed;
use super::paths::{RealPath, path_of, shown};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::ready::calendar::schedule::Time;
use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

/// Variables of git's environment, with the values of settings.
const NOTHING: (&str, &str) = ("KEP_LINT_NOTHING", "");
const NO: (&str, &str) = ("KEP_LINT_NO", "false");

/// The repository that some paths are in.
#[derive(Clone, Debug)]
pub struct Git {
    root: RealPath,
    /// Where the repository is: what a hook is told, and what was found.
    places: Vec<(&'static str, PathBuf)>,
    /// Settings that keep git from running filters over files on disk, known after the first question about these.
    settings: Arc<OnceLock<Result<Vec<OsString>, Failure>>>,
    /// What answers all questions about objects, from the first one on.
    objects: Arc<OnceLock<Result<Objects, Failure>>>,
}

/// The variables by which git is told where a repository is.
const PLACES: [&str; 5] = [DIRECTORY, WORK_TREE, "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"];
const DIRECTORY: &str = "GIT_DIR";
const WORK_TREE: &str = "GIT_WORK_TREE";

/// Whether git is told where the repository is, as in a hook.
fn is_told() -> bool {
    env::var_os(DIRECTORY).is_some()
}

/// The root of the repository that has the file at `path`, as far as that is known without git; `None` if there is none.
pub fn root_around(path: &Path) -> Option<RealPath> {
    if is_told() { RealPath::canonical(Path::new(".")).ok() } else { Place::nearest(path).map(|place| place.root) }
}

#[derive(Debug)]
pub struct Refusal {
    /// The whole text, for people and in English.
    text: String,
}

impl Git {
    /// The repository that `path` is compared in: that of the working directory, if `path` is in it. Fails if there is
    /// none, if git takes another one for it, or if git does not trust its owner.
    pub fn around(path: &Path) -> Result<Self, Failure> {
        Self::at(path, Place::around)
    }

    /// The repository that has the file at `path`, also if it is inside another one. Fails as [`Git::around`].
    pub fn of_file(path: &Path) -> Result<Self, Failure> {
        Self::at(path, Place::nearest)
    }

    fn at(path: &Path, find: impl Fn(&Path) -> Option<Place>) -> Result<Self, Failure> {
        let place = if is_told() { None } else { Some(find(path).ok_or_else(|| no_repository(path))?) };
        let root = place.as_ref().map_or_else(|| followed(Path::new(".")), |place| place.root.clone());
        let mut git = Self { root, places: told(), settings: Arc::default(), objects: Arc::default() };
        // Git looks for the repository itself just once, where `.git` is, and so that it checks who owns it.
        const QUESTION: &str =
            "-c safe.bareRepository=explicit rev-parse --show-object-format --show-toplevel --absolute-git-dir";
        let answer = git.ask_of_commits(QUESTION.split(' '))?.map_err(|refusal| refusal.about_repository(path))?;
        let end = answer.iter().position(|byte| *byte == b'\n').unwrap_or_default();
        let (format, answer) = answer.split_at(end);
        let answer = answer.strip_prefix(b"\n").unwrap_or(answer);
        // Version 2.25 is the first one that knows this option, and the oldest one whose answers are understood. Others repeat
        // the option.
        if format.starts_with(b"--") {
            let version = git.ask_of_commits(["version"])?.unwrap_or_default();
            let version = String::from_utf8_lossy(&version);
            let failure = Failure::new(format!("cannot use `{}`: it is too old", version.trim()));
            return Err(failure.help("install git 2.25 or newer"));
        }
        match &place {
            Some(place) => {
                git.settle(&place.root, &place.own);
                if !is_about(answer, &git.root, &place.own) {
                    return Err(another(&place.root));
                }
            }
            None => {
                let (first, own) = halves(answer).next().ok_or_else(|| no_repository(path))?;
                git.settle(&followed(&first), &own);
            }
        }
        Ok(git)
    }

    /// Says where the repository is, so that git does not have to search for it. What a hook is told comes first.
    fn settle(&mut self, root: &Path, own: &Path) {
        for (name, path) in [(DIRECTORY, own), (WORK_TREE, root)] {
            if !self.places.iter().any(|(known, _)| *known == name) {
                self.places.push((name, path.to_owned()));
            }
        }
        let work_tree = self.places.iter().find(|(name, _)| *name == WORK_TREE);
        let files = work_tree.map_or(root, |(_, path)| path);
        self.root = followed(files);
    }

    /// What git prints, or why it refuses. Fails if it cannot be run.
    pub fn ask<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Result<Vec<u8>, Refusal>, Failure> {
        let settings = self.settings.get_or_init(|| {
            let question = ["config", "--null", "--name-only", "--get-regexp", FILTERS];
            let names = self.ask_of_commits(question)?.unwrap_or_default();
            Ok(without_filters(names.split(|byte| *byte == 0).filter(|name| !name.is_empty())))
        });
        let settings = settings.as_ref().map_err(Failure::clone)?.iter().cloned();
        self.ask_of_commits(settings.chain(arguments.into_iter().map(|argument| argument.as_ref().to_owned())))
    }

    /// The same for a question that is not about files on disk.
    pub fn ask_of_commits<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Result<Vec<u8>, Refusal>, Failure> {
        let output = self.command_of_commits().args(arguments).output().map_err(|error| not_run(&error))?;
        if output.status.success() {
            return Ok(Ok(output.stdout));
        }
        Ok(Err(Refusal { text: String::from_utf8_lossy(&output.stderr).trim().to_owned() }))
    }

    /// The lines with these words in files of a commit, each as `<commit>:<path>\0<line>`, whatever the user has set.
    pub fn lines_with(&self, words: &str, commit: &str, files: &str) -> Result<Vec<u8>, Failure> {
        const OPTIONS: &str = "--no-literal-pathspecs grep --no-recurse-submodules --no-textconv --no-color \
            --no-line-number --no-column --full-name --text -z -F -e";
        let mut command = self.command_of_commits();
        command.args(OPTIONS.split_ascii_whitespace()).args([words, commit, "--", files]);
        let output = command.output().map_err(|error| not_run(&error))?;
        // It goes on where it cannot read a file. Without a line, it only has another status.
        let errors = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        if errors.lines().any(|line| line.starts_with("error: ") || line.starts_with("fatal: ")) {
            return Err(self.failure("read the files of the base", &Refusal { text: errors }));
        }
        Ok(output.stdout)
    }

    pub fn objects(&self) -> Result<&Objects, Failure> {
        self.objects.get_or_init(|| Objects::open(self.command_of_commits())).as_ref().map_err(Failure::clone)
    }

    /// The directory that has the files of the repository.
    pub fn root(&self) -> &RealPath {
        &self.root
    }

    /// What git prints; `None` if it fails.
    pub fn answer<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Option<Vec<u8>> {
        self.ask(arguments).ok()?.ok()
    }

    /// The lines that git prints; none if it fails.
    pub fn lines<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Vec<String> {
        let output = self.answer(arguments).unwrap_or_default();
        String::from_utf8_lossy(&output).lines().map(str::to_owned).collect()
    }

    /// The first line that git prints; `None` if it fails or prints none.
    pub fn line<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Option<String> {
        self.lines(arguments).into_iter().next().filter(|line| !line.is_empty())
    }

    /// What git prints, or the failure of `operation`.
    pub fn output<A: AsRef<OsStr>>(
        &self,
        operation: &str,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Vec<u8>, Failure> {
        self.ask(arguments)?.map_err(|refusal| self.failure(operation, &refusal))
    }

    /// The items that git prints with `-z`, or the failure of `operation`.
    pub fn items<A: AsRef<OsStr>>(
        &self,
        operation: &str,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let output = self.output(operation, arguments)?;
        Ok(output.split(|byte| *byte == 0).filter(|item| !item.is_empty()).map(<[u8]>::to_vec).collect())
    }

    pub fn time_of(&self, commit: &str) -> Result<Time, Failure> {
        let text = self.objects()?.commit(commit).map(|(_, text)| text).unwrap_or_default();
        let mut head = text.lines().take_while(|line| !line.is_empty());
        // `committer <name> <address> <seconds> <zone>`
        let seconds = head.find_map(|line| line.strip_prefix("committer ")?.rsplit(' ').nth(1)?.parse().ok());
        let failed = || Failure::new(format!("cannot read the day of the base: commit {commit} has no date"));
        seconds.map(Time).ok_or_else(failed)
    }

    /// The addresses of its remotes without scheme, user and `.git`, such as `github.com/kubernetes/enhancements`.
    pub fn addresses(&self) -> Vec<String> {
        let list = self.lines(["remote", "--verbose"]);
        // `<name>\t<address> (fetch)`, and the same for `push`; the address may be `git@github.com:kubernetes/enhancements`
        let address_of = |line: &str| {
            let address = line.split(['\t', ' ']).nth(1)?;
            let address = address.split_once("://").map_or(address, |(_, address)| address);
            let address = address.split_once('@').map_or(address, |(_, address)| address).replacen(':', "/", 1);
            let address = address.trim_end_matches('/');
            Some(address.strip_suffix(".git").unwrap_or(address).to_owned())
        };
        list.iter().filter_map(|line| address_of(line)).collect()
    }

    /// The commits that are being merged into the one that is checked out: git names them until the merge is committed.
    pub fn merged(&self) -> Option<Vec<String>> {
        let (_, own) = self.places.iter().find(|(name, _)| *name == DIRECTORY)?;
        let file = File::open(own.join("MERGE_HEAD")).ok()?;
        let mut text = String::new();
        file.take(bounds::PATH_BYTES).read_to_string(&mut text).ok()?;
        Some(text.lines().map(str::to_owned).collect())
    }

    /// Git for a question that is not about files on disk, so that no filter matters.
    pub fn command_of_commits(&self) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.root).args(["--no-optional-locks", "--literal-pathspecs", "--no-pager"]);
        command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);
        // Without the network: a run does not wait for a server, and writes no objects that one sends. An older git does not
        // know the second of the three variables, but every git knows the third: it allows no protocol, so that no program
        // of one is run.
        command.envs([("GIT_TERMINAL_PROMPT", "0"), ("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "none")]);
        // Objects are what they are, whatever a reference says that another one is in their place.
        command.envs([("LC_ALL", "C"), ("GIT_NO_REPLACE_OBJECTS", "1"), ("GIT_TRACE", "0"), NOTHING, NO]);
        command.envs(self.places.iter().map(|(name, path)| (name, path)));
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// The failure of `operation`, with the remedy.
    pub fn failure(&self, operation: &str, refusal: &Refusal) -> Failure {
        // Of a clone that may lack the contents of files.
        const PARTIAL: [&str; 3] = ["config", "--get-regexp", r"^remote\..*\.(promisor|partialclonefilter)$"];
        let failure = Failure::new(format!("cannot {operation}: {}", refusal.reason()));
        if self.line(PARTIAL).is_some() {
            failure.help(format!("get the missing objects with `{}`", self.refetch()))
        } else {
            failure.help("run the same with git, to see what is wrong")
        }
    }

    pub fn is_shallow(&self) -> bool {
        self.line(["rev-parse", "--is-shallow-repository"]).as_deref() == Some("true")
    }

    pub fn refetch(&self) -> String {
        format!("git fetch --refetch --no-filter {}", self.remote())
    }

    pub fn remotes(&self) -> Vec<String> {
        self.lines(["remote"])
    }

    pub fn remote(&self) -> String {
        let remotes = self.remotes();
        let first = remotes.iter().find(|name| *name == "origin").or(remotes.first());
        quoted(first.map_or("origin", String::as_str))
    }
}

/// An item of a list of git's in which the path follows a tab: what is before it, and the path.
pub fn at_tab(item: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, path) = item.split_at(item.iter().position(|byte| *byte == b'\t')?);
    Some((head, path.get(1..)?))
}

/// The question about the history of a branch at `path`. Whatever the user has set would change what git says.
fn log<'a>(options: &'a [&str], path: &'a Path) -> impl Iterator<Item = &'a OsStr> {
    const SETTINGS: &str =
        "-c log.follow=false -c log.showRoot=true -c log.showSignature=false -c log.diffMerges=separate";
    let words = SETTINGS.split(' ').chain(["log", "--first-parent", "-m", "-z"]).chain(options.iter().copied());
    words.chain(["--"]).map(OsStr::new).chain([path.as_os_str()])
}

/// The places that git is told, from the root of the file system on.
fn told() -> Vec<(&'static str, PathBuf)> {
    let here = env::current_dir().unwrap_or_default();
    PLACES.into_iter().filter_map(|name| Some((name, here.join(env::var_os(name)?)))).collect()
}

/// Whether git's answer names these two directories.
fn is_about(answer: &[u8], root: &Path, own: &Path) -> bool {
    let is_same = |one: &Path, other: &Path| one == other || one.canonicalize().is_ok_and(|real| real == other);
    halves(answer).any(|(first, second)| is_same(&first, root) && is_same(&second, own))
}

/// The two paths in an answer of two lines: all pairs that they may be, because a path may have line ends in it.
fn halves(answer: &[u8]) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    let answer = answer.strip_suffix(b"\n").unwrap_or(answer);
    let ends = answer.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    ends.map(|at| answer.split_at(at))
        .map(|(first, rest)| (path_of(first), path_of(rest.strip_prefix(b"\n").unwrap_or(rest))))
}

fn no_repository(path: &Path) -> Failure {
    let directory = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let reason = "not a git repository (or any of the directories above)";
    Failure::of("compare with git", directory, reason).help(IN_A_CLONE)
}

/// The failure for a repository that git does not take for the one.
fn another(root: &Path) -> Failure {
    let failure = Failure::of("compare with git", root, "git takes another directory for the repository");
    failure.help(
        "see `git rev-parse --show-toplevel --absolute-git-dir` there; `.git` may be broken, or `core.worktree` set",
    )
}

const IN_A_CLONE: &str = "run kep-lint in a clone of the repository, or without `--since`, `--staged` and `--new-only`";

/// The names of settings that make git run a program over a changed file.
const FILTERS: &str = r"^filter\..*\.(clean|process)$";

/// Settings that empty the filters among these, which git would run over changed files.
fn without_filters<'n>(names: impl Iterator<Item = &'n [u8]>) -> Vec<OsString> {
    let driver_of = |name: &'n [u8]| name.get(..name.iter().rposition(|byte| *byte == b'.')?);
    let drivers: BTreeSet<&[u8]> = names.filter_map(driver_of).collect();
    let keys = [(".clean", NOTHING), (".process", NOTHING), (".required", NO)];
    let setting = |driver: &[u8], key: &str, (variable, value): (&str, &str)| {
        let mut setting = path_of(driver).into_os_string();
        setting.push(key);
        // The name of a filter may have `=` in it, which ends the key in `-c`.
        if driver.contains(&b'=') {
            let mut option = OsString::from("--config-env=");
            option.push(setting);
            option.push(format!("={variable}"));
            return vec![option];
        }
        setting.push(format!("={value}"));
        vec![OsString::from("-c"), setting]
    };
    drivers.iter().flat_map(|driver| keys.iter().flat_map(|(key, value)| setting(driver, key, *value))).collect()
}

impl Refusal {
    pub fn reason(&self) -> String {
        let line = self.text.lines().find(|line| line.starts_with("fatal: ") || line.starts_with("error: "));
        let line = line.or(self.text.lines().next()).unwrap_or("git fails without a reason");
        line.trim_start_matches("fatal: ").trim_start_matches("error: ").trim_end_matches('.').to_owned()
    }

    /// Whether git says nothing: the answer is no.
    pub fn is_silent(&self) -> bool {
        self.text.is_empty()
    }

    fn about_repository(&self, directory: &Path) -> Failure {
        let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let failure = Failure::of("compare with git", &directory, &self.reason());
        if self.text.contains("dubious ownership") {
            // The directory that git names is that of the repository.
            let named =
                self.text.lines().find_map(|line| line.split_once("--add safe.directory ")).map(|(_, path)| path);
            let named = named.map_or_else(|| quoted(&shown(&directory)), str::to_owned);
            return failure.help(format!("trust it with `git config --global --add safe.directory {named}`"));
        }
        failure.help(IN_A_CLONE)
    }
}

/// A word of a command that can be pasted into a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._/-+:@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn not_run(error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => {
            Failure::new("cannot run git: it is not installed").help("install git, or put it into PATH")
        }
        _ => Failure::new(format!("cannot run git: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("origin"), "origin");
        assert_eq!(quoted("a b'; rm"), r"'a b'\''; rm'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn the_reason_is_one_line() {
        let refusal = |text: &str| Refusal { text: text.to_owned() };
        assert_eq!(refusal("warning: x\nfatal: bad revision.\nhint: y").reason(), "bad revision");
        assert_eq!(refusal("").reason(), "git fails without a reason");
    }
}
