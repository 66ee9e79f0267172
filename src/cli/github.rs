//! GitHub Actions, as the environment tells a step of it.

use crate::bounds;
use crate::diagnostic::Failure;
use crate::report::format::{ALL, Format, Reader, of_reader};
use crate::report::github;
use crate::workspace::failure;
use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The format for people where the program runs: with annotations on a runner of GitHub Actions.
pub fn automatic_format() -> &'static Format {
    let is_runner = env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    let for_runner = ALL.iter().find(|format| is_runner && format.name == github::NAME);
    for_runner.unwrap_or(of_reader(Reader::Person))
}

pub fn append_summary(text: &str) -> Result<(), Failure> {
    let path = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from);
    path.map_or(Ok(()), |path| append(&path, text))
}

fn append(path: &Path, text: &str) -> Result<(), Failure> {
    let failed =
        |error: io::Error| failure::io("append the summary to", path, &error).help("check GITHUB_STEP_SUMMARY");
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    // An element or a line that the step left open would go on in this text.
    let gap = if size == 0 { "" } else { "\n\n" };
    let text = format!("{gap}{text}");
    if size.saturating_add(text.len() as u64) > bounds::SUMMARY_BYTES {
        let most = bounds::size(bounds::SUMMARY_BYTES);
        let reason = format!("it would have more than {most}, and GitHub would show nothing of it");
        let failure = Failure::of("append the summary to", path, &reason);
        return Err(failure.help("write the summaries in several steps"));
    }
    file.write_all(text.as_bytes()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_summary_is_appended_with_a_gap() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("summary.md");
        let read = || fs::read_to_string(&path).expect("it is there");
        append(&path, "one\n").expect("it can be written");
        assert_eq!(read(), "one\n");
        append(&path, "two\n").expect("it can be written");
        assert_eq!(read(), "one\n\n\ntwo\n");
        fs::write(&path, "no end").expect("it can be written");
        append(&path, "three\n").expect("it can be written");
        assert_eq!(read(), "no end\n\nthree\n");
    }

    #[test]
    fn a_summary_that_github_would_drop_is_a_failure() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("summary.md");
        fs::write(&path, "x\n".repeat(1 << 19)).expect("it can be written");
        let failure = append(&path, "one\n").expect_err("there is no room");
        assert!(failure.message.contains("more than 1 MiB"), "{}", failure.message);
        assert_eq!(fs::metadata(&path).expect("it is there").len(), bounds::SUMMARY_BYTES);
        let unwritten = append(&directory.path().join("no/such/file"), "one\n").expect_err("there is no directory");
        assert!(unwritten.message.contains("cannot append the summary to"), "{}", unwritten.message);
    }
}
