//! How comments and reviews get to a forge: the workflow that posts a comment, the block for GitLab, and the review.

use crate::support::program::{PROGRAM, Printed, items, printed, scrubbed, text};
use crate::support::project;
use crate::support::scratch::Scratch;
use serde_json::Value as Json;
use serde_yaml::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// An active alpha KEP without findings.
const ALPHA: &str = "keps/sig-storage/5502-emptydir-volume-mode";

const WORKFLOW: &str = "contrib/github/kep-lint-comment.yml";

fn workflow() -> Value {
    let text = fs::read_to_string(project().join(WORKFLOW)).expect("it is there");
    serde_yaml::from_str(&text).expect("it is YAML")
}

fn steps(workflow: &Value) -> &[Value] {
    workflow["jobs"]["comment"]["steps"].as_sequence().expect("steps")
}

/// A repository whose last commit, which a branch `origin/main` does not have, breaks a KEP.
fn pull_request() -> Scratch {
    let repository = Scratch::sample();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository.replace(&format!("{ALPHA}/kep.yaml"), "status: implementable", "status: implementible");
    repository.commit();
    repository
}

/// A name that the author of a pull request chooses is no part of a script, and none of their files is run.
#[test]
fn the_workflow_trusts_nothing_of_a_pull_request() {
    let text = fs::read_to_string(project().join(WORKFLOW)).expect("it is there");
    let workflow = workflow();
    assert_eq!(workflow["permissions"], Value::Mapping(serde_yaml::Mapping::new()));
    assert_eq!(workflow["on"]["workflow_run"]["workflows"][0], Value::from("kep-lint"));
    assert!(!text.contains("artifact@") && !text.contains("pull_request_target"), "{text}");
    for step in steps(&workflow) {
        let script = step["run"].as_str().unwrap_or_default();
        assert!(!script.contains("${{"), "{script}");
        assert!(script.is_empty() || script.starts_with("set -euo pipefail\n"), "{script}");
        assert!(step["with"]["ref"].is_null(), "the default branch is checked out");
        // The step that reads the files has no token.
        assert!(!script.contains("worktree") || step["env"]["GH_TOKEN"].is_null(), "{script}");
    }
}

/// Runs a step with these variables, and a `gh` that writes down what it is asked and prints `answer`.
fn run(repository: &Scratch, temporary: &Path, name: &str, answer: &str, variables: &[(&str, &str)]) -> Printed {
    let workflow = workflow();
    let step = steps(&workflow).iter().find(|step| step["name"].as_str() == Some(name)).expect("a step");
    let gh = temporary.join("gh");
    let log = temporary.join("asked");
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >>'{}'\nprintf '{answer}'\n", log.display());
    fs::write(&gh, script).expect("a file");
    fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let path = format!("{}:{}", temporary.display(), std::env::var("PATH").expect("a path"));
    let mut bash = scrubbed("bash", &repository.root);
    bash.args(["-c", step["run"].as_str().expect("a script")]).env("PATH", path).env("RUNNER_TEMP", temporary);
    bash.env("GITHUB_OUTPUT", temporary.join("output")).env("KEP_LINT", PROGRAM).env("REPOSITORY", "o/r");
    printed(&bash.envs(variables.iter().copied()).output().expect("bash is installed"))
}

/// A file that cannot be read is no reason to say nothing of the others.
#[test]
fn the_workflow_also_writes_what_could_not_be_read() {
    let repository = pull_request();
    repository.write("keps/sig-node/4742-node-topology-downward-api/README.md", &"x\n".repeat(2_000_000));
    repository.commit();
    let head = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["update-ref", "refs/pull/7/head", "HEAD"]);
    repository.git(&["remote", "add", "origin", repository.root.to_str().expect("it is UTF-8")]);
    let temporary = tempfile::tempdir().expect("a directory");
    let variables = [("NUMBER", "7"), ("BASE", "main"), ("HEAD_SHA", head.as_str()), ("LINK_BASE", "https://x.y/r")];
    let written = run(&repository, temporary.path(), "Write the comment", "", &variables);
    assert_eq!(written.status, 0, "{}", written.stderr);
    let comment = fs::read_to_string(temporary.path().join("comment.md")).expect("it is written");
    assert!(comment.contains("KEP-5502: implementable → implementible\n"), "{comment}");
    assert!(comment.contains("README.md`: it has 3.9 MiB"), "{comment}");
}

#[test]
fn the_workflow_finds_the_pull_request_and_posts_one_comment() {
    let repository = pull_request();
    let head = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["update-ref", "refs/pull/7/head", "HEAD"]);
    let root = repository.root.to_str().expect("it is UTF-8").to_owned();
    repository.git(&["remote", "add", "origin", &root]);
    repository.git(&["checkout", "--quiet", "--detach", "refs/remotes/origin/main"]);
    let temporary = tempfile::tempdir().expect("a directory");
    let read = |name: &str| fs::read_to_string(temporary.path().join(name)).unwrap_or_default();
    let owner = [("HEAD_OWNER", "mallory"), ("HEAD_BRANCH", "a`id`$(id)"), ("HEAD_SHA", head.as_str())];
    let found = run(&repository, temporary.path(), "Find the pull request", "7 main\\n", &owner);
    assert_eq!((found.status, read("output").as_str()), (0, "number=7\nbase=main\n"), "{}", found.stderr);
    assert!(read("asked").contains("\nhead=mallory:a`id`$(id)\n"), "{}", read("asked"));
    let gone = run(&repository, temporary.path(), "Find the pull request", "", &owner);
    assert_eq!((gone.status, read("output").as_str()), (0, "number=7\nbase=main\n"), "{}", gone.stderr);
    let variables = [("NUMBER", "7"), ("BASE", "main"), ("HEAD_SHA", head.as_str()), ("LINK_BASE", "https://x.y/r")];
    let written = run(&repository, temporary.path(), "Write the comment", "", &variables);
    assert_eq!(written.status, 0, "{}", written.stderr);
    let comment = read("comment.md");
    assert!(comment.starts_with("<!-- kep-lint -->\nKEP-5502: implementable → implementible\n"), "{comment}");
    assert!(comment.contains("compared with `main` ("), "{comment}");
    for (ids, wanted) in [("", "repos/o/r/issues/7/comments\n-F"), ("12\\n13\\n", "repos/o/r/issues/comments/12\n-F")] {
        fs::remove_file(temporary.path().join("asked")).expect("it is there");
        let posted = run(&repository, temporary.path(), "Post the comment", ids, &[("NUMBER", "7")]);
        assert_eq!(posted.status, 0, "{}", posted.stderr);
        assert!(read("asked").contains(wanted), "{}", read("asked"));
    }
}

#[test]
fn the_block_for_gitlab_writes_a_code_quality_report() {
    let book = fs::read_to_string(project().join("docs/ci.md")).expect("it is there");
    let block = book.split("```yaml\n").find(|block| block.contains("codequality:")).expect("a block");
    let job: Value = serde_yaml::from_str(block.split("```").next().expect("its text")).expect("it is YAML");
    let job = &job["kep-lint"];
    let file = job["artifacts"]["reports"]["codequality"].as_str().expect("a file");
    assert_eq!(
        (&job["variables"]["GIT_DEPTH"], &job["artifacts"]["when"]),
        (&Value::from("0"), &Value::from("always"))
    );
    let repository = pull_request();
    let script = job["script"][0].as_str().expect("a command").replacen("kep-lint ", &format!("{PROGRAM} "), 1);
    let mut bash = scrubbed("bash", &repository.root);
    bash.args(["-c", &script]).env("CI_MERGE_REQUEST_DIFF_BASE_SHA", repository.git(&["rev-parse", "HEAD^"]));
    let ran = printed(&bash.output().expect("bash is installed"));
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let report: Json = serde_json::from_str(&repository.read(file)).expect("JSON");
    let fields: BTreeMap<&str, bool> = ["description", "check_name", "fingerprint", "severity", "location"]
        .into_iter()
        .map(|field| (field, items(&report).iter().all(|finding| !finding[field].is_null())))
        .collect();
    assert!(!items(&report).is_empty() && fields.values().all(|is_there| *is_there), "{fields:?}");
}

#[test]
fn a_review_is_about_lines_of_the_commit() {
    let repository = pull_request();
    let review = ["--since", "origin/main", "--new-only", "--format", "github-review"];
    let printed = repository.lint(&review);
    let json: Json = serde_json::from_str(&printed.stdout).unwrap_or_else(|_| panic!("{}", printed.stderr));
    assert_eq!(text(&json["commit_id"]), repository.git(&["rev-parse", "HEAD"]));
    assert_eq!((printed.status, text(&json["event"])), (1, "COMMENT"), "{}", printed.stderr);
    let body = text(&json["body"]);
    assert!(body.starts_with("KEP-5502: implementable → implementible\n\n### kep-lint: "), "{body}");
    for comment in items(&json["comments"]) {
        let (line, path) = (comment["line"].as_u64().expect("a line"), text(&comment["path"]));
        let shown = repository.git(&["diff", "HEAD~1", "--", path]);
        assert!(line > 0 && shown.contains("@@"), "{comment}");
    }
    repository.replace(&format!("{ALPHA}/kep.yaml"), "status: implementible", "status: implementable");
    let changed = repository.lint(&review);
    assert_eq!(changed.status, 2, "{}", changed.stdout);
    assert!(changed.stderr.contains("the files on disk are not those of the last commit"), "{}", changed.stderr);
    for arguments in [&["--format", "github-review"][..], &["--staged", "--format", "github-review"]] {
        let refused = repository.lint(arguments);
        assert_eq!((refused.status, refused.stdout.as_str()), (2, ""), "{}", refused.stderr);
        assert!(refused.stderr.contains("`--format github-review` needs `--since REF`"), "{}", refused.stderr);
    }
}
