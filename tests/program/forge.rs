//! What people on forges see: annotations and summaries on a runner, comments with links, and the problem matcher.

use crate::support::program::{Printed, command, items, kep_lint, kep_lint_json, printed, text};
use crate::support::project;
use crate::support::scratch::Scratch;
use regex::Regex;
use serde_json::Value;
use std::fs;
use std::path::Path;

const DEMO: &str = "fixtures/demo/keps/sig-apps";

fn run(directory: &Path, arguments: &[&str], variables: &[(&str, &Path)]) -> Printed {
    printed(&command(directory).args(arguments).envs(variables.iter().copied()).output().expect("it was built"))
}

fn annotations(printed: &Printed) -> Vec<&str> {
    printed.stdout.lines().filter(|line| line.starts_with("::")).collect()
}

#[test]
fn on_a_runner_findings_are_annotated() {
    let directory = tempfile::tempdir().expect("a directory");
    let summary = directory.path().join("summary.md");
    fs::write(&summary, "# Other step\n").expect("a file");
    let pretty = kep_lint(project(), [DEMO]);
    assert_eq!(annotations(&pretty), [""; 0]);
    let variables = [("GITHUB_ACTIONS", Path::new("true")), ("GITHUB_STEP_SUMMARY", &summary)];
    let printed = run(project(), &[DEMO], &variables);
    assert_eq!(printed.status, 1);
    assert_eq!(annotations(&printed).len(), 3);
    assert!(printed.stdout.ends_with(&format!("\n\n{}", pretty.stdout)), "{}", printed.stdout);
    assert_eq!(printed.stderr, pretty.stderr);
    let markdown = kep_lint(project(), [DEMO, "--format", "markdown"]).stdout;
    assert_eq!(fs::read_to_string(&summary).expect("it is there"), format!("# Other step\n\n\n{markdown}"));
    // What is asked for comes before what fits the runner.
    let printed = run(project(), &[DEMO, "--format", "concise"], &variables);
    assert_eq!(annotations(&printed), [""; 0]);
    let printed = run(project(), &[DEMO, "--statistics"], &variables);
    assert_eq!(annotations(&printed), [""; 0]);
    let elsewhere = run(project(), &[DEMO, "--format", "auto"], &[("GITHUB_STEP_SUMMARY", &summary)]);
    assert_eq!(elsewhere.stdout, pretty.stdout);
    assert!(fs::read_to_string(&summary).expect("it is there").ends_with(&markdown));
}

#[test]
fn a_summary_that_cannot_be_written_is_a_failure() {
    let variables = [("GITHUB_ACTIONS", Path::new("true")), ("GITHUB_STEP_SUMMARY", Path::new("/no/such/file"))];
    let printed = run(project(), &[DEMO], &variables);
    assert_eq!(printed.status, 2);
    assert_eq!(annotations(&printed).len(), 3);
    assert!(printed.stderr.contains("error: cannot append the summary to `/no/such/file`"), "{}", printed.stderr);
}

#[test]
fn a_run_that_fails_is_annotated() {
    let printed = kep_lint(project(), [DEMO, "--format", "github", "--select", "no-such-rule"]);
    assert_eq!(printed.status, 2);
    let expected = "::error title=kep-lint::unknown rule or category `no-such-rule` — help: ";
    assert!(printed.stdout.starts_with(expected), "{}", printed.stdout);
}

#[test]
fn annotations_and_links_are_from_the_root_of_the_repository_on() {
    let readme = "keps/sig-node/1-x/README.md";
    let scratch = Scratch::of(&[(readme, b"# KEP-1: X\n"), ("keps/sig-node/1-x/kep.yaml", b"status: nope\n")]);
    let url = format!("](https://example.com/r/{readme}?plain=1#L1)");
    let absolute = scratch.at("keps/sig-node");
    let absolute = absolute.to_str().expect("it is UTF-8");
    for (directory, argument) in
        [("", "keps"), ("keps/sig-node/1-x", "."), ("keps", "../keps/./sig-node"), ("keps", absolute)]
    {
        let directory = scratch.at(directory);
        let printed = run(&directory, &["--format", "github", argument], &[]);
        let files: Vec<&str> = annotations(&printed).into_iter().filter(|line| line.contains("README.md")).collect();
        let is_known = |line: &&&str| line.contains(&format!(" file={readme},"));
        assert!(!files.is_empty() && files.iter().all(|line| is_known(&line)), "{}", printed.stdout);
        let arguments = ["--format", "markdown", "--link-base", "https://example.com/r/", argument];
        let printed = run(&directory, &arguments, &[]);
        assert!(printed.stdout.contains(&url), "{}", printed.stdout);
    }
    // A workspace may hold no repository of git.
    fs::remove_dir_all(scratch.at(".git")).expect("it is there");
    let directory = scratch.at("keps/sig-node");
    let printed = run(&directory, &["--format", "github"], &[("GITHUB_WORKSPACE", &scratch.root)]);
    assert!(printed.stdout.contains(&format!(" file={readme},")), "{}", printed.stdout);
}

#[test]
fn a_base_that_is_no_url_is_refused() {
    for base in ["github.com/x", "javascript:alert(1)", "https://x/?a", "https://x/\n"] {
        let printed = kep_lint(project(), [DEMO, "--format", "markdown", "--link-base", base]);
        assert_eq!(printed.status, 2, "{base:?}");
        assert!(printed.stderr.contains("--link-base"), "{}", printed.stderr);
    }
}

/// The runner makes an annotation of each line that a matcher matches, if it knows the severity.
#[test]
fn the_problem_matcher_reads_every_line() {
    let path = project().join("contrib/github/kep-lint.json");
    let file: Value = serde_json::from_str(&fs::read_to_string(path).expect("it is there")).expect("it is JSON");
    let folder = project().join("fixtures/sample");
    let concise = kep_lint(&folder, ["--format", "concise", "--level", "suggestion"]).stdout;
    let report = kep_lint_json(&folder, &[]);
    let findings = items(&report["diagnostics"]);
    assert_eq!(concise.lines().count(), findings.len());
    let mut seen = Vec::new();
    for (line, finding) in concise.lines().zip(findings) {
        let mut matches = 0;
        for matcher in items(&file["problemMatcher"]) {
            let [pattern] = items(&matcher["pattern"]) else { panic!("one line is one finding") };
            let regexp = Regex::new(text(&pattern["regexp"])).expect("it is a pattern");
            let Some(found) = regexp.captures(line) else { continue };
            matches += 1;
            let group = |name: &str| {
                let at = pattern[name].as_u64().unwrap_or_else(|| panic!("no group `{name}`"));
                found.get(usize::try_from(at).expect("it is small")).expect("it takes part").as_str()
            };
            let severity = if pattern["severity"].is_null() { text(&matcher["severity"]) } else { group("severity") };
            let expected = text(&finding["severity"]).replace("suggestion", "notice");
            assert_eq!(severity, expected);
            seen.push(expected);
            assert_eq!((group("file"), group("code")), (text(&finding["path"]), text(&finding["rule"])));
            assert_eq!(group("line"), finding["start"]["line"].to_string());
            assert_eq!(group("column"), finding["start"]["column"].to_string());
            assert!(group("message").starts_with(text(&finding["message"])), "{line}");
        }
        assert_eq!(matches, 1, "{line}");
    }
    for severity in ["error", "warning", "notice"] {
        assert!(seen.iter().any(|seen| seen == severity), "no {severity} was matched");
    }
}
