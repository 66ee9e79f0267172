//! The action for GitHub workflows: its steps are run as a runner runs them, with its expressions replaced.

use crate::support::program::{PROGRAM, Printed, command, printed};
use crate::support::project;
use crate::support::scratch::Scratch;
use data_encoding::HEXLOWER;
use kep_lint::report::format::of_name;
use serde_yaml::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A runner with a scratch repository as its workspace.
struct Runner {
    repository: Scratch,
    temporary: tempfile::TempDir,
    variables: BTreeMap<String, String>,
}

impl Runner {
    fn new() -> Self {
        let repository = Scratch::of(&[
            ("keps/sig-node/1-x/README.md", b"# KEP-1: X\n"),
            ("keps/sig-node/1-x/kep.yaml", b"title: X\nstatus: nope\n"),
        ]);
        let temporary = tempfile::tempdir().expect("a directory");
        let mut runner = Self { repository, temporary, variables: BTreeMap::new() };
        for (name, value) in [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_REPOSITORY", "o/r"),
            ("GITHUB_SERVER_URL", "https://example.com"),
            ("GITHUB_SHA", "1a2b"),
            ("RUNNER_OS", "Linux"),
            ("RUNNER_ARCH", "X64"),
            ("KEP_LINT", PROGRAM),
        ] {
            runner.set(name, value);
        }
        let root = runner.repository.root.to_str().expect("it is UTF-8").to_owned();
        runner.set("GITHUB_WORKSPACE", &root);
        for (name, file) in [("GITHUB_OUTPUT", "output"), ("GITHUB_STEP_SUMMARY", "summary.md"), ("RUNNER_TEMP", "")] {
            let path = runner.path(file);
            runner.set(name, path.to_str().expect("it is UTF-8"));
        }
        runner
    }

    fn set(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.temporary.path().join(name)
    }

    /// Runs all steps, until one fails.
    fn run(&self, inputs: &[(&str, &str)]) -> Printed {
        let action = action();
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        for (name, input) in mapping(&action["inputs"]) {
            values.insert(format!("inputs.{name}"), string(&input["default"]).to_owned());
        }
        for (name, value) in inputs {
            let known = values.insert(format!("inputs.{name}"), (*value).to_owned());
            assert!(known.is_some(), "the action has no input `{name}`");
        }
        values.insert("github.action_repository || github.repository".to_owned(), "own/kep-lint".to_owned());
        let mut all = Printed { stdout: String::new(), stderr: String::new(), status: 0 };
        for step in sequence(&action["runs"]["steps"]) {
            let output = self.step(step, &values);
            all.stdout += &output.stdout;
            all.stderr += &output.stderr;
            all.status = output.status;
            if output.status != 0 {
                break;
            }
            let Some(id) = step.get("id").map(string) else { continue };
            for line in fs::read_to_string(self.path("output")).unwrap_or_default().lines() {
                let (name, value) = line.split_once('=').expect("an output has a value");
                values.insert(format!("steps.{id}.outputs.{name}"), value.to_owned());
            }
        }
        all
    }

    fn step(&self, step: &Value, values: &BTreeMap<String, String>) -> Printed {
        assert_eq!(string(&step["shell"]), "bash");
        let script = self.path("script.sh");
        fs::write(&script, string(&step["run"])).expect("a file");
        let inner = step.get("working-directory").map(|path| replaced(string(path), values)).unwrap_or_default();
        // The program that the tests built, which only the variable names, decides which variables are scrubbed.
        let scrubbed = command(&self.repository.at(&inner));
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&script).current_dir(self.repository.at(&inner));
        for (name, _) in scrubbed.get_envs().filter(|(_, value)| value.is_none()) {
            bash.env_remove(name);
        }
        bash.envs(&self.variables);
        for (name, value) in mapping(&step["env"]) {
            bash.env(name, replaced(string(value), values));
        }
        printed(&bash.output().expect("bash is installed"))
    }
}

fn action() -> Value {
    let text = fs::read_to_string(project().join("action.yml")).expect("action.yml is there");
    serde_yaml::from_str(&text).expect("action.yml is YAML")
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value:?} is no string"))
}

fn mapping(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let entries = value.as_mapping().unwrap_or_else(|| panic!("{value:?} is no mapping"));
    entries.iter().map(|(name, value)| (string(name), value))
}

fn sequence(value: &Value) -> &[Value] {
    value.as_sequence().unwrap_or_else(|| panic!("{value:?} is no list"))
}

/// `text` with the values of its expressions.
fn replaced(text: &str, values: &BTreeMap<String, String>) -> String {
    let mut parts = text.split("${{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (expression, rest) = part.split_once("}}").expect("an expression ends");
        let value = values.get(expression.trim()).unwrap_or_else(|| panic!("`{expression}` has no value"));
        text + value + rest
    })
}

fn count(printed: &Printed, command: &str) -> usize {
    printed.stdout.lines().filter(|line| line.starts_with(command)).count()
}

#[test]
fn no_expression_is_a_part_of_a_script() {
    let action = action();
    let steps = sequence(&action["runs"]["steps"]);
    assert_eq!(steps.len(), 2);
    for step in steps {
        assert!(!string(&step["run"]).contains("${{"), "{step:?}");
    }
    assert_eq!(string(&action["inputs"]["version"]["default"]), env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_action_annotates_and_writes_a_summary() {
    let runner = Runner::new();
    let printed = runner.run(&[("version", "path"), ("args", "--level error\n  keps --format json=out.json")]);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    assert!(count(&printed, "::error file=keps/sig-node/1-x/") > 0, "{}", printed.stdout);
    assert_eq!(count(&printed, "::warning"), 0, "{}", printed.stdout);
    let summary = fs::read_to_string(runner.path("summary.md")).expect("there is a summary");
    let link = "(https://example.com/o/r/blob/1a2b/keps/sig-node/1-x/kep.yaml#L2)";
    assert!(summary.starts_with("### kep-lint: ") && summary.contains(link), "{summary}");
    let json: serde_json::Value = serde_json::from_str(&runner.repository.read("out.json")).expect("it is JSON");
    assert!(json["summary"]["error"].as_u64() > Some(0));
}

#[test]
fn inputs_are_passed_on() {
    let runner = Runner::new();
    let printed = runner.run(&[("version", "path"), ("fail-on", "never")]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(count(&printed, "::error") > 0, "{}", printed.stdout);
    let inputs = [("version", "path"), ("working-directory", "keps/sig-node"), ("args", "--link-base https://x.y")];
    let printed = runner.run(&inputs);
    assert_eq!(printed.status, 1, "{}", printed.stderr);
    assert!(count(&printed, "::error file=keps/sig-node/1-x/") > 0, "{}", printed.stdout);
    assert!(fs::read_to_string(runner.path("summary.md")).expect("it is there").contains("](https://x.y/keps/"));
    let printed = runner.run(&[("version", "path"), ("sarif-file", "out dir.sarif")]);
    match of_name("sarif") {
        Some(_) => assert!(runner.repository.read("out dir.sarif").contains("\"2.1.0\"")),
        None => assert!(printed.stderr.contains("'sarif=out dir.sarif'"), "{}", printed.stderr),
    }
}

/// A pull request cannot switch off its own check.
#[test]
fn the_configuration_of_a_change_is_that_of_the_base() {
    let runner = Runner::new();
    runner.repository.write(".kep-lint.yaml", "fail-on: never\n");
    let printed = runner.run(&[("version", "path"), ("args", "keps")]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    for args in ["--since HEAD keps", "--since HEAD --config-from base", "--staged"] {
        runner.repository.git(&["add", "--all"]);
        let printed = runner.run(&[("version", "path"), ("args", args)]);
        assert_eq!(printed.status, 1, "{args}: {}{}", printed.stdout, printed.stderr);
        assert!(
            printed
                .stderr
                .contains("your configuration file does not count here: that of `HEAD` does; this change edits"),
            "{args}: {}",
            printed.stderr
        );
    }
}

#[test]
fn inputs_are_words_and_not_commands() {
    let runner = Runner::new();
    let hostile = "$(touch pwned) `touch pwned` ; touch pwned * \"\n'";
    for input in ["args", "fail-on", "sarif-file"] {
        let printed = runner.run(&[("version", "path"), (input, hostile)]);
        assert_ne!(printed.status, 0, "{input}");
        assert!(!runner.repository.at("pwned").exists(), "{input}");
    }
    let printed = runner.run(&[("version", hostile)]);
    assert_eq!((printed.status, printed.stdout.contains("touch")), (2, false), "{}", printed.stdout);
}

#[test]
fn without_a_program_the_action_fails() {
    let mut runner = Runner::new();
    runner.variables.remove("KEP_LINT");
    let path = std::env::var_os("PATH").expect("there is one");
    let bash = std::env::split_paths(&path).map(|directory| directory.join("bash")).find(|bash| bash.is_file());
    let programs = runner.path("programs");
    fs::create_dir(&programs).expect("a directory");
    symlink(bash.expect("bash is installed"), programs.join("bash")).expect("a link");
    runner.set("PATH", programs.to_str().expect("it is UTF-8"));
    let printed = runner.run(&[("version", "path")]);
    assert_eq!(printed.status, 2, "{}{}", printed.stdout, printed.stderr);
    assert!(printed.stdout.contains("::error title=kep-lint::kep-lint is not in PATH"), "{}", printed.stdout);
}

/// A release as `curl` gets it from a directory, with a program that only says that it runs.
fn release(runner: &mut Runner, name: &str) -> PathBuf {
    let releases = runner.path("server/own/kep-lint/releases/download/v1.2.3");
    fs::create_dir_all(&releases).expect("a directory");
    let server = format!("file://{}", runner.path("server").display());
    runner.set("GITHUB_SERVER_URL", &server);
    let program = releases.join("kep-lint");
    fs::write(&program, "#!/bin/sh\necho \"fake $*\"\n").expect("a file");
    let archive = releases.join(name);
    let shell = "chmod +x kep-lint && tar -czf \"$1\" kep-lint && rm kep-lint";
    let status = Command::new("sh").args(["-c", shell, "sh"]).arg(name).current_dir(&releases).status();
    assert!(status.expect("sh is installed").success());
    archive
}

fn sums(archive: &Path) -> String {
    let digest = HEXLOWER.encode(&Sha256::digest(fs::read(archive).expect("it is there")));
    format!("{}  other.tar.gz\n{digest}  {}\n", "0".repeat(64), archive.file_name().expect("a name").to_string_lossy())
}

#[test]
fn a_release_is_used_only_with_its_checksum() {
    let mut runner = Runner::new();
    let archive = release(&mut runner, "kep-lint-1.2.3-x86_64-unknown-linux-gnu.tar.gz");
    let list = archive.with_file_name("SHA256SUMS");
    let printed = runner.run(&[("version", "1.2.3")]);
    assert!(printed.stdout.contains("::error title=kep-lint::cannot download SHA256SUMS"), "{}", printed.stdout);
    assert_eq!(printed.status, 2);
    for (says, content) in [
        ("::error title=kep-lint::the checksum of", "0".repeat(64) + "  other.tar.gz\n"),
        ("::error title=kep-lint::the checksum of", sums(&archive).replace(' ', "0 ")),
        ("\nfake --format github ", sums(&archive)),
    ] {
        fs::write(&list, content).expect("a file");
        let printed = runner.run(&[("version", "v1.2.3")]);
        assert!(printed.stdout.contains(says), "{}{}", printed.stdout, printed.stderr);
        assert_eq!(printed.status == 0, says.contains("fake"), "{}", printed.stdout);
    }
    runner.set("RUNNER_ARCH", "RISCV");
    let printed = runner.run(&[("version", "1.2.3")]);
    assert!(printed.stdout.contains("there is no release of kep-lint for Linux on RISCV"), "{}", printed.stdout);
}

/// The workflow in docs/ci.md is one, it uses inputs that there are, and kep-lint takes its arguments.
#[test]
fn the_workflow_in_the_book_runs() {
    let page = fs::read_to_string(project().join("docs/ci.md")).expect("docs/ci.md is there");
    let blocks = page.split("\n```yaml\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    let mut used = 0;
    for block in blocks.filter(|block| block.contains("jobs:")) {
        let workflow: Value = serde_yaml::from_str(block).unwrap_or_else(|error| panic!("{error}: {block}"));
        for (_, job) in mapping(&workflow["jobs"]) {
            for step in sequence(&job["steps"]) {
                let name = step.get("uses").map(string).unwrap_or_default();
                let Some((_, version)) = name.split_once("/kep-lint@v") else { continue };
                assert_eq!(version, env!("CARGO_PKG_VERSION"));
                let given: Vec<(&str, &str)> =
                    mapping(&step["with"]).map(|(name, value)| (name, string(value))).collect();
                let mut runner = Runner::new();
                // The base of the pull request is the commit before one that breaks a KEP.
                runner.set("GITHUB_BASE_REF", "main");
                runner.repository.write("keps/sig-node/1-x/kep.yaml", "title: X\nstatus: nope\nowner: x\n");
                runner.repository.commit();
                let sarif = of_name("sarif").is_some();
                let given = given.into_iter().filter(|(name, _)| sarif || *name != "sarif-file");
                let inputs: Vec<(&str, &str)> = given.chain([("version", "path")]).collect();
                let printed = runner.run(&inputs);
                assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
                assert!(printed.stdout.contains("[unknown-key]"), "{}", printed.stdout);
                assert_eq!(count(&printed, "::error"), 1, "{}", printed.stdout);
                used += 1;
            }
        }
    }
    assert!(used > 0, "no workflow uses the action");
}
