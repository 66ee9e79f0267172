//! Runs git, as a program. It reads the repository of a pull request that nobody has reviewed, so nothing that the
//! repository may configure is run, and nothing is written.

pub mod objects;
pub mod revision;

use super::path::shown;
use crate::diagnostic::Failure;
use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Variables of git's environment, with the values of settings.
const NOTHING: (&str, &str) = ("KEP_LINT_NOTHING", "");
const NO: (&str, &str) = ("KEP_LINT_NO", "false");

/// The setting that says where the files of a repository are.
const WORK_TREE: &[u8] = b"core.worktree";

/// The repository that some paths are in.
#[derive(Clone, Debug)]
pub struct Git {
    /// The directory that has its files, without links.
    root: PathBuf,
    /// Settings that keep git from running programs.
    settings: Vec<OsString>,
    /// What a hook is told about the repository, with paths from the root of the file system on.
    environment: Vec<(&'static str, PathBuf)>,
}

/// The variables by which git tells a hook where the repository is.
const PLACES: [&str; 5] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"];

/// Whether git is told where the repository is, as in a hook.
pub fn is_told() -> bool {
    env::var_os("GIT_DIR").is_some()
}

/// What git says when it fails.
#[derive(Debug)]
pub struct Refusal {
    /// The whole text, for people and in English.
    text: String,
}

impl Git {
    /// The repository that `directory` is in.
    pub fn around(directory: &Path) -> Result<Self, Failure> {
        // In a hook, git is told where the repository is, by a path from the working directory on.
        let place = if is_told() { Path::new(".") } else { directory };
        let mut git = Self::unsettled(place);
        let root = git.run(["rev-parse", "--show-toplevel"]).map_err(|refusal| match refusal {
            Ok(refusal) => refusal.about_repository(directory),
            Err(failure) => failure,
        })?;
        let root = path_of(root.strip_suffix(b"\n").unwrap_or(&root));
        git.root = root.canonicalize().unwrap_or(root);
        git.settings = without_filters(&git.names_of_settings());
        Ok(git)
    }

    /// The repository around `root`, a directory without links where `.git` is; git is not asked for what is known.
    pub fn at(root: &Path) -> Result<Self, Failure> {
        let mut git = Self::unsettled(root);
        let names = git.names_of_settings();
        // Its files may be elsewhere.
        if !git.environment.is_empty() || names.iter().any(|name| name == WORK_TREE) {
            return Self::around(root);
        }
        git.settings = without_filters(&names);
        Ok(git)
    }

    /// The same without settings, to ask which ones are needed.
    fn unsettled(root: &Path) -> Self {
        let here = env::current_dir().unwrap_or_default();
        let given = PLACES.into_iter().filter_map(|name| Some((name, here.join(env::var_os(name)?))));
        Self { root: root.to_owned(), settings: Vec::new(), environment: given.collect() }
    }

    /// The directory that has the files of the repository, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What git prints, or why it fails.
    pub fn run<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Vec<u8>, Result<Refusal, Failure>> {
        let output = self.command().args(arguments).output().map_err(|error| Err(not_run(&error)))?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(Ok(Refusal { text: String::from_utf8_lossy(&output.stderr).trim().to_owned() })),
        }
    }

    /// The first line that git prints; `None` if it fails or prints none.
    pub fn line<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Option<String> {
        let output = self.run(arguments).ok()?;
        let line = String::from_utf8(output).ok()?.lines().next()?.to_owned();
        (!line.is_empty()).then_some(line)
    }

    /// The items that git prints with `-z`, or the failure of `operation`.
    pub fn items<A: AsRef<OsStr>>(
        &self,
        operation: &str,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let output = self.run(arguments).map_err(|refusal| match refusal {
            Ok(refusal) => self.failure(operation, &refusal),
            Err(failure) => failure,
        })?;
        Ok(output.split(|byte| *byte == 0).filter(|item| !item.is_empty()).map(<[u8]>::to_vec).collect())
    }

    /// The command git, in the repository.
    pub fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.root).args(["--no-optional-locks", "--literal-pathspecs", "--no-pager"]);
        command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]).args(&self.settings);
        // Without the network: a run does not wait for a server, and writes no objects that one sends.
        command.envs([
            ("LC_ALL", "C"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_TRACE", "0"),
            NOTHING,
            NO,
        ]);
        command.envs(self.environment.iter().map(|(name, path)| (name, path)));
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// The failure of `operation`, with the remedy.
    pub fn failure(&self, operation: &str, refusal: &Refusal) -> Failure {
        let failure = Failure::new(format!("cannot {operation}: {}", refusal.reason()));
        match self.is_partial() {
            true => failure.help(format!("get the missing objects with `{}`", self.refetch())),
            false => failure.help("run the same with git, to see what is wrong"),
        }
    }

    /// Whether the repository has only a part of the history.
    pub fn is_shallow(&self) -> bool {
        self.line(["rev-parse", "--is-shallow-repository"]).as_deref() == Some("true")
    }

    /// Whether the repository may lack the contents of files.
    pub fn is_partial(&self) -> bool {
        self.line(["config", "--get-regexp", r"^remote\..*\.(promisor|partialclonefilter)$"]).is_some()
    }

    /// The command that gets all objects.
    pub fn refetch(&self) -> String {
        format!("git fetch --refetch --no-filter {}", self.remote())
    }

    /// The remote to fetch from.
    pub fn remote(&self) -> String {
        let remotes = self.run(["remote"]).unwrap_or_default();
        let remotes = String::from_utf8_lossy(&remotes).into_owned();
        let first = remotes.lines().find(|name| *name == "origin").or(remotes.lines().next());
        quoted(first.unwrap_or("origin"))
    }

    /// The names of the settings of filters, and of the one that says where the files are.
    fn names_of_settings(&self) -> Vec<Vec<u8>> {
        let wanted = r"^(filter\..*\.(clean|process)|core\.worktree)$";
        let known = self.run(["config", "--null", "--name-only", "--get-regexp", wanted]).unwrap_or_default();
        known.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect()
    }
}

/// Settings that empty the filters among these, which git would run over changed files.
fn without_filters(names: &[Vec<u8>]) -> Vec<OsString> {
    let driver = |name: &Vec<u8>| {
        let end = name.iter().rposition(|byte| *byte == b'.')?;
        Some(name.get(..end)?.to_vec())
    };
    let filters = names.iter().filter(|name| *name != WORK_TREE);
    let drivers: BTreeSet<Vec<u8>> = filters.filter_map(driver).collect();
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
    /// The reason, in one line.
    pub fn reason(&self) -> String {
        let line = self.text.lines().find(|line| line.starts_with("fatal: ") || line.starts_with("error: "));
        let line = line.or(self.text.lines().next()).unwrap_or("git fails without a reason");
        line.trim_start_matches("fatal: ").trim_start_matches("error: ").trim_end_matches('.').to_owned()
    }

    /// Whether git says nothing: the answer is no.
    pub fn is_silent(&self) -> bool {
        self.text.is_empty()
    }

    /// Why there is no repository.
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
        failure.help("run kep-lint in a clone of the repository, or without `--since`, `--staged` and `--new-only`")
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

/// A path as git prints it with `-z`.
#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// A path as git prints it with `-z`.
#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

fn not_run(error: &std::io::Error) -> Failure {
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
