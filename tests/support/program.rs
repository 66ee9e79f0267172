//! The program, run as a user runs it, with what it printed read back.

use super::project;
use kep_lint::source::SourceFile;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Variables that change what is printed: they are the user's or the CI system's, not the test's.
const SCRUBBED: [&str; 18] = [
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "FORCE_COLOR",
    "COLUMNS",
    "CI",
    "GITHUB_ACTIONS",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_WORKSPACE",
    "TERM",
    "PULL_BASE_SHA",
    "PULL_PULL_SHA",
    "JOB_TYPE",
    "GITHUB_BASE_REF",
    "PRE_COMMIT_FROM_REF",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
];

/// What the program printed, and how it ended.
#[derive(Debug)]
pub struct Printed {
    pub stdout: String,
    pub stderr: String,
    pub status: i32,
}

/// The program in `folder`, not yet run.
pub fn command(folder: &Path) -> Command {
    scrubbed(PROGRAM, folder)
}

/// The built program, or the one that `KEP_LINT_PROGRAM` named by its whole path when the tests were built.
pub const PROGRAM: &str = match option_env!("KEP_LINT_PROGRAM") {
    Some(program) => program,
    None => env!("CARGO_BIN_EXE_kep-lint"),
};

/// Another program in `folder`, not yet run, without the variables that are not the test's.
pub fn scrubbed(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    for name in SCRUBBED {
        command.env_remove(name);
    }
    command.env(NOW.0, NOW.1);
    if folder.starts_with(project()) {
        command.env(NO_REPOSITORY.0, NO_REPOSITORY.1);
    }
    command
}

/// The time of all runs, 2026-06-01: before the freezes of v1.37.
pub const NOW: (&str, &str) = ("SOURCE_DATE_EPOCH", "1780272000");

/// Keeps git from the repository of the tests themselves, whose branches and days differ from clone to clone.
pub const NO_REPOSITORY: (&str, &str) = ("GIT_DIR", "/nowhere");

/// Runs the program in `folder`.
pub fn kep_lint<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Printed {
    printed(&command(folder).args(arguments).output().expect("the program was built with this test"))
}

/// Runs the program in `folder` with `input` as its standard input.
pub fn kep_lint_with(folder: &Path, input: &[u8], arguments: &[&str]) -> Printed {
    let mut command = command(folder);
    let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program was built with this test");
    // A program that refuses its arguments does not read its input.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    printed(&child.wait_with_output().expect("the program ends by itself"))
}

/// What a run of the program printed.
pub fn printed(output: &Output) -> Printed {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the program prints UTF-8");
    Printed {
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
        status: output.status.code().expect("the program ends by itself"),
    }
}

/// Runs the program with a line for each finding.
pub fn kep_lint_lines<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Printed {
    let arguments = arguments.into_iter().map(|argument| argument.as_ref().to_owned());
    kep_lint(folder, arguments.chain(["--format", "concise"].map(Into::into)))
}

/// Runs the program with `--format json` and reads what it printed.
pub fn kep_lint_json(folder: &Path, arguments: &[&str]) -> Value {
    let printed = kep_lint(folder, arguments.iter().chain(&["--format", "json"]));
    assert!(printed.status < 2, "{}", printed.stderr);
    serde_json::from_str(&printed.stdout).expect("`--format json` prints JSON")
}

/// The items of a JSON list.
pub fn items(value: &Value) -> &[Value] {
    value.as_array().expect("it is a list")
}

/// A JSON string.
pub fn text(value: &Value) -> &str {
    value.as_str().expect("it is a string")
}

/// The last title of a finding's section, which may be none.
pub fn section(finding: &Value) -> Option<&str> {
    finding["section"].as_array()?.last()?.as_str()
}

/// The paths of files that have findings in a report for people.
pub fn paths(report: &str) -> BTreeSet<&str> {
    report.lines().filter(|line| !line.starts_with(' ') && !line.contains([' ', '`']) && line.contains('/')).collect()
}

/// A file as the program reads it.
pub fn source(path: &Path, shown: &str) -> SourceFile {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    SourceFile::decode(shown, bytes)
}
