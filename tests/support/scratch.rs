//! A git repository of a test's own, with the KEPs of `fixtures/sample`, that no setting of the user reaches.

use super::program::{self, Printed};
use super::{files_below, project};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

/// The time of every commit. While v1.37 is under development, whenever the tests run: the release of a change is that of
/// the day of its base.
const DURING_V1_37: &str = "2026-07-24T12:00:00Z";

/// Files by their paths.
pub type Files = Vec<(String, Vec<u8>)>;

/// A git repository.
pub struct Scratch {
    _directory: TempDir,
    pub root: PathBuf,
}

impl Scratch {
    fn directory() -> Self {
        // In memory where the system allows it: to make and to remove thousands of files on a disk takes a third of the time.
        let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
        Self { _directory: directory, root }
    }

    /// A repository without files or commits.
    pub fn empty() -> Self {
        let scratch = Self::directory();
        scratch.git(&["-c", "init.defaultBranch=main", "init", "-q", "--template="]);
        scratch
    }

    /// A repository with these files in one commit, which is also the main branch of its remote.
    pub fn of(files: &[(&str, &[u8])]) -> Self {
        let scratch = Self::empty();
        files.iter().for_each(|(path, bytes)| scratch.write_bytes(path, bytes));
        scratch.commit();
        scratch.write(".git/refs/remotes/origin/main", &scratch.read(".git/refs/heads/main"));
        scratch
    }

    /// A repository with the sample in one commit.
    pub fn sample() -> Self {
        static FIRST: LazyLock<Files> = LazyLock::new(|| Scratch::with_folder("fixtures/sample").files());
        Self::copy_of(&FIRST)
    }

    /// A repository with a folder of the project in one commit.
    pub fn with_folder(folder: &str) -> Self {
        let scratch = Self::empty();
        scratch.write_all(&read(&project().join(folder)));
        scratch.commit();
        scratch
    }

    /// All of its files, with those of git; links are left out.
    pub fn files(&self) -> Files {
        read(&self.root)
    }

    /// A repository with all files of another one, which costs less than to make it again.
    pub fn copy_of(files: &Files) -> Self {
        let scratch = Self::directory();
        scratch.write_all(files);
        // Git knows the files by their times.
        scratch.git(&["update-index", "-q", "--refresh"]);
        scratch
    }

    /// The directory of `path`.
    pub fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn write(&self, path: &str, text: &str) {
        self.write_bytes(path, text.as_bytes());
    }

    pub fn write_bytes(&self, path: &str, bytes: &[u8]) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        fs::write(path, bytes).expect("a file");
    }

    fn write_all(&self, files: &Files) {
        files.iter().for_each(|(path, bytes)| self.write_bytes(path, bytes));
    }

    /// Writes another text in place of one that the file has.
    pub fn replace(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} has no {old:?}");
        self.write(path, &text.replacen(old, new, 1));
    }

    /// Runs git, which must succeed.
    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_at(DURING_V1_37, arguments)
    }

    /// The same at a time of its own.
    pub fn git_at(&self, time: &str, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(&self.root).args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]);
        // A commit starts another program for this.
        command.args(["-c", "maintenance.auto=false"]);
        isolate(&mut command);
        command.env("GIT_COMMITTER_DATE", time).env("GIT_AUTHOR_DATE", time);
        let output = command.args(arguments).output().expect("git is installed");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Commits all that has changed.
    pub fn commit(&self) {
        self.commit_at(DURING_V1_37);
    }

    /// Commits all that has changed, at a time such as `2026-08-26T12:00:00Z`.
    pub fn commit_at(&self, time: &str) {
        self.git(&["add", "--all"]);
        self.git_at(time, &["commit", "-q", "--allow-empty", "-m", "a change"]);
    }

    /// Runs kep-lint in the repository, with a line for each finding.
    pub fn lint(&self, arguments: &[&str]) -> Printed {
        self.lint_in(&self.root, arguments, &[])
    }

    /// Runs kep-lint in `directory` with these variables.
    pub fn lint_in(&self, directory: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Printed {
        let mut command = program::command(directory);
        isolate(&mut command);
        let is_explicit = arguments.iter().any(|argument| argument.starts_with("--format") || *argument == "--diff");
        command.args(arguments).envs(variables.iter().copied());
        if !is_explicit {
            command.args(["--format", "concise", "--level", "suggestion"]);
        }
        program::printed(&command.output().expect("the program was built with this test"))
    }

    /// Runs a script of the repository with bash.
    pub fn run(&self, script: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Printed {
        let mut command = program::scrubbed("bash", &self.root);
        isolate(&mut command);
        command.arg(script).args(arguments).env_remove("KEP_LINT").env_remove("ARTIFACTS");
        program::printed(&command.envs(variables.iter().copied()).output().expect("bash is installed"))
    }

    /// The findings that kep-lint prints, each as `path rule`.
    pub fn findings(&self, arguments: &[&str]) -> Vec<String> {
        let printed = self.lint(arguments);
        assert!(printed.status < 2, "{arguments:?}: {}", printed.stderr);
        findings(&printed)
    }
}

/// The files below a directory, by their paths from there.
fn read(root: &Path) -> Files {
    let path = |file: &Path| file.strip_prefix(root).expect("it is below").to_str().expect("it is UTF-8").to_owned();
    files_below(root, &|_| true).iter().map(|file| (path(file), fs::read(file).expect("a file"))).collect()
}

/// The findings of a concise report, each as `path rule`.
pub fn findings(printed: &Printed) -> Vec<String> {
    let finding = |line: &str| {
        let (path, rest) = line.split_once(':')?;
        let (_, rule) = rest.split_once('[')?;
        Some(format!("{path} {}", rule.split(']').next()?))
    };
    printed.stdout.lines().filter_map(finding).collect()
}

/// Keeps the settings of the user away, and what a hook that runs the tests is told.
fn isolate(command: &mut Command) {
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(name);
    }
}
