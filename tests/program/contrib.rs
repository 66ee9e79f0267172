//! What others copy into their repositories: the script for Prow, the git hook, and the hooks of pre-commit. Each runs in
//! a git repository that has the KEPs of `fixtures/sample`.

use crate::support::program::{PROGRAM, Printed};
use crate::support::project;
use crate::support::scratch::{Scratch, findings};
use kep_lint::diagnostic::Severity;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The script for Prow, where upstream has such scripts.
const SCRIPT: &str = "hack/verify-kep-lint.sh";

/// The git hook, where upstream has them.
const HOOK: &str = ".githooks/pre-commit";

/// An active alpha KEP without findings.
const ALPHA: &str = "keps/sig-storage/5502-emptydir-volume-mode";

/// The targets that the script for Prow knows.
const TARGETS: [&str; 4] =
    ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-apple-darwin", "aarch64-apple-darwin"];

/// A repository with the sample and a file of `contrib`, whose main branch is the base of a pull request.
fn repository(copied: &str, to: &str) -> Scratch {
    let repository = Scratch::sample();
    repository.write_bytes(to, &fs::read(project().join("contrib").join(copied)).expect("it is there"));
    repository.write(".gitignore", "bin\n");
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository
}

/// Commits a KEP with an unknown status.
fn break_kep(repository: &Scratch) {
    repository.replace(&format!("{ALPHA}/kep.yaml"), "status: implementable", "status: implementible");
    repository.commit();
}

/// Commits a KEP with another sentence.
fn change_kep(repository: &Scratch) {
    let readme = format!("{ALPHA}/README.md");
    let text = repository.read(&readme);
    repository.write(&readme, &format!("{text}\nOne more sentence.\n"));
    repository.commit();
}

/// What the script prints in a job of Prow for a pull request.
fn in_prow(repository: &Scratch, variables: &[(&str, &str)]) -> Printed {
    let base = repository.git(&["rev-parse", "refs/remotes/origin/main"]);
    let prow = [("PULL_BASE_SHA", base.as_str()), ("PULL_PULL_SHA", "0123"), ("JOB_TYPE", "presubmit")];
    repository.run(SCRIPT, &[], &[&prow, variables].concat())
}

#[test]
fn prow_passes_a_clean_change_and_stops_a_broken_one() {
    let repository = repository("prow/verify-kep-lint.sh", SCRIPT);
    let own = [("KEP_LINT", PROGRAM)];
    change_kep(&repository);
    let printed = in_prow(&repository, &own);
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{}", printed.stdout);
    assert!(printed.stdout.contains("checked 1 KEP (3 files)"), "{}", printed.stdout);
    assert!(printed.stdout.contains("(PULL_BASE_SHA)"), "{}", printed.stdout);
    break_kep(&repository);
    let printed = in_prow(&repository, &own);
    assert_eq!(printed.status, 1, "{}", printed.stdout);
    for part in [
        "5502-emptydir-volume-mode/kep.yaml\n",
        "error[invalid-status] [unsafe fix] unknown status `implementible`",
        "9 | status: implementible",
        "help: did you mean `implementable`?",
        "verify-kep-lint: FAILED because of 1 error.",
        "kep-lint explain RULE\n",
    ] {
        assert!(printed.stdout.contains(part), "no {part:?}: {}", printed.stdout);
    }
    let first = printed.stdout.lines().next().unwrap_or_default();
    assert!(first.ends_with(" --since auto --new-only --config-from base --level warning"), "{first}");
    let base = repository.git(&["rev-parse", "refs/remotes/origin/main"]);
    assert!(!printed.stdout.contains(&base) && printed.stdout.contains(&base[..10]), "{}", printed.stdout);
    // Arguments take the place of what is checked.
    let printed = repository.run(SCRIPT, &["--since", "HEAD"], &own);
    assert_eq!(printed.status, 0, "{}", printed.stdout);
}

#[test]
fn prow_takes_more_options_and_says_what_it_fails_because_of() {
    let repository = repository("prow/verify-kep-lint.sh", SCRIPT);
    let with = |options| in_prow(&repository, &[("KEP_LINT", PROGRAM), ("KEP_LINT_ARGS", options)]);
    let readme = format!("{ALPHA}/README.md");
    repository.replace(&readme, "\n## Motivation\n", "\n## Motivation\n\n<<[UNRESOLVED]>>\nHow?\n<<[/UNRESOLVED]>>\n");
    repository.commit();
    assert_eq!(with("").status, 0, "{}", with("").stdout);
    let printed = with(" --fail-on  warning\n--level=suggestion");
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    for part in [" base --fail-on warning --level=suggestion\n", "warning[", "FAILED because of 1 warning. In a clone:"]
    {
        assert!(printed.stdout.contains(part), "no {part:?}: {}", printed.stdout);
    }
    break_kep(&repository);
    let printed = with("--quiet");
    assert!(printed.stdout.contains("FAILED because of the findings above. In a clone:"), "{}", printed.stdout);
}

#[test]
fn a_log_of_prow_is_short_and_begins_with_the_error() {
    let repository = repository("prow/verify-kep-lint.sh", SCRIPT);
    let readme = format!("{ALPHA}/README.md");
    repository.replace(&readme, "\n## Motivation\n", "\n## Motivation\n\n<<[UNRESOLVED]>>\nHow?\n<<[/UNRESOLVED]>>\n");
    repository.replace(&format!("{ALPHA}/kep.yaml"), "stage: alpha", "stage: alpah");
    repository.commit();
    let printed = in_prow(&repository, &[("KEP_LINT", PROGRAM)]);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    let lines: Vec<&str> = printed.stdout.lines().collect();
    assert!(lines.len() <= 40 && lines.iter().all(|line| line.chars().count() <= 210), "{}", printed.stdout);
    let at = |text: &str| lines.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("no {text:?}"));
    assert!(at("error[invalid-stage]") < at("warning["), "{}", printed.stdout);
    assert!(at("warning[") < at("FAILED because of 1 error."), "{}", printed.stdout);
}

#[test]
fn prow_shows_the_results_as_junit() {
    let repository = repository("prow/verify-kep-lint.sh", SCRIPT);
    break_kep(&repository);
    let artifacts = repository.at("bin/artifacts");
    let artifacts = artifacts.to_str().expect("it is UTF-8");
    let printed = in_prow(&repository, &[("KEP_LINT", PROGRAM), ("ARTIFACTS", artifacts)]);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    assert!(printed.stdout.contains("error[invalid-status]"), "{}", printed.stdout);
    let junit = repository.read("bin/artifacts/junit_kep-lint.xml");
    assert!(junit.contains("<failure") && junit.contains("implementible"), "{junit}");
}

#[test]
fn prow_tells_an_error_of_the_job_from_a_finding() {
    let repository = repository("prow/verify-kep-lint.sh", SCRIPT);
    let infrastructure = |printed: &Printed, reason: &str| {
        assert_eq!(printed.status, 2, "{}", printed.stdout);
        assert!(printed.stderr.contains("infrastructure error, not a finding in a KEP"), "{}", printed.stderr);
        assert!(printed.stderr.contains(reason), "{}", printed.stderr);
    };
    infrastructure(&in_prow(&repository, &[]), "this copy names no version");
    infrastructure(&in_prow(&repository, &[("KEP_LINT", "/no/such/kep-lint")]), "which is not a program");
    let unwritable = [("KEP_LINT", PROGRAM), ("ARTIFACTS", "/dev/null/x")];
    infrastructure(&in_prow(&repository, &unwritable), "cannot make the directory /dev/null/x");
    let printed = in_prow(&repository, &[("KEP_LINT", PROGRAM), ("CDPATH", ".")]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let shallow = [("KEP_LINT", PROGRAM), ("PULL_BASE_SHA", "0123456789012345678901234567890123456789")];
    let printed = in_prow(&repository, &shallow);
    infrastructure(&printed, "could not complete the check (exit status 2)");
    assert!(printed.stdout.contains("this clone has no such commit"), "{}", printed.stdout);
}

/// A release of this program, with an archive for each target, and the directory of it.
fn release(directory: &Path) -> PathBuf {
    let version = env!("CARGO_PKG_VERSION");
    let release = directory.join("release");
    fs::create_dir(&release).expect("a directory");
    for target in TARGETS {
        let name = format!("kep-lint-{version}-{target}");
        let content = directory.join(&name);
        fs::create_dir(&content).expect("a directory");
        // The script takes the archive for this machine, and has the checksums of all. To pack the program itself takes
        // long.
        let program = content.join("kep-lint");
        if target.starts_with(std::env::consts::ARCH) {
            fs::write(&program, format!("#!/bin/sh\nexec '{PROGRAM}' \"$@\"\n")).expect("a file");
            fs::set_permissions(program, fs::Permissions::from_mode(0o755)).expect("it is ours");
        } else {
            fs::write(program, target).expect("a file");
        }
        let archive = release.join(format!("{name}.tar.gz"));
        let mut tar = Command::new("tar");
        let tar = tar.arg("-C").arg(directory).arg("-czf").arg(archive).arg(&name);
        assert!(tar.status().expect("tar is installed").success());
    }
    let pin = project().join("contrib/release/pin");
    let pinned = Command::new("bash").arg(pin).args(["owner/kep-lint", version]).arg(&release).status();
    assert!(pinned.expect("bash is installed").success());
    release
}

#[test]
fn prow_gets_a_release_once_and_only_with_the_right_checksum() {
    let repository = Scratch::sample();
    let elsewhere = tempfile::tempdir().expect("a directory");
    let release = release(elsewhere.path());
    let sums = fs::read_to_string(release.join("SHA256SUMS")).expect("checksums");
    assert_eq!(sums.lines().count(), TARGETS.len() + 2, "{sums}");
    let formula = fs::read_to_string(release.join("kep-lint.rb")).expect("a formula");
    assert!(formula.contains("github.com/owner/kep-lint/releases/download/v"), "{formula}");
    repository.write_bytes(SCRIPT, &fs::read(release.join("verify-kep-lint.sh")).expect("a script"));
    repository.write(".gitignore", "bin\n");
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    break_kep(&repository);

    let url = format!("file://{}", release.display());
    let url = [("KEP_LINT_URL", url.as_str())];
    let nowhere = [("KEP_LINT_URL", "file:///no/such/release")];
    let gone = in_prow(&repository, &nowhere);
    assert_eq!(gone.status, 2);
    assert!(gone.stderr.contains("cannot get kep-lint"), "{}", gone.stderr);

    let first = in_prow(&repository, &url);
    assert_eq!(first.status, 1, "{}{}", first.stdout, first.stderr);
    assert!(first.stdout.contains("error[invalid-status]"), "{}", first.stdout);
    assert!(first.stdout.contains("\n  bin/kep-lint explain RULE\n"), "{}", first.stdout);
    assert!(first.stderr.contains("verify-kep-lint: getting file://"), "{}", first.stderr);
    // The second time it is there.
    let second = in_prow(&repository, &nowhere);
    assert_eq!((second.status, second.stderr.as_str()), (1, ""), "{}", second.stdout);
    assert_eq!(first.stdout, second.stdout);

    // Neither what is in the cache nor what is fetched is used with another checksum.
    let cache = repository.at("bin");
    let cached = || {
        let files = fs::read_dir(&cache).expect("it is there").map(|entry| entry.expect("a file").path());
        files.filter(|path| path.to_string_lossy().contains(".tar.gz")).collect::<Vec<_>>()
    };
    assert_eq!(cached().len(), 1);
    fs::write(&cached()[0], "broken").expect("a file");
    let again = in_prow(&repository, &url);
    assert_eq!(again.status, 1, "{}{}", again.stdout, again.stderr);
    assert!(again.stderr.contains("verify-kep-lint: getting"), "{}", again.stderr);
    fs::write(&cached()[0], "broken").expect("a file");
    let fetched = cached()[0].file_name().expect("a name").to_owned();
    fs::write(release.join(fetched), "broken").expect("a file");
    let wrong = in_prow(&repository, &url);
    assert_eq!(wrong.status, 2, "{}", wrong.stdout);
    assert!(wrong.stderr.contains("has the checksum"), "{}", wrong.stderr);
    assert!(cached().is_empty(), "what has a wrong checksum is left: {:?}", cached());
}

#[test]
fn the_git_hook_stops_a_commit_that_adds_findings() {
    let repository = repository("githooks/pre-commit", HOOK);
    let metadata = format!("{ALPHA}/kep.yaml");
    let own = [("KEP_LINT", PROGRAM)];
    assert_eq!(repository.run(HOOK, &[], &own).status, 0);
    repository.replace(&metadata, "status: implementable", "status: implementible");
    assert_eq!(repository.run(HOOK, &[], &own).status, 0, "nothing is staged");
    repository.git(&["add", "--all"]);
    let stopped = repository.run(HOOK, &[], &own);
    assert_eq!(stopped.status, 1, "{}", stopped.stdout);
    assert!(stopped.stdout.contains("error[invalid-status]"), "{}", stopped.stdout);
    assert!(stopped.stderr.contains("or commit with --no-verify"), "{}", stopped.stderr);
    repository.git(&["rm", "--quiet", "--cached", &metadata]);
    let stopped = repository.run(HOOK, &[], &own);
    assert!(stopped.stdout.contains("error[missing-kep-yaml]"), "{}", stopped.stdout);
}

#[test]
fn the_git_hook_says_how_to_get_the_program() {
    let repository = repository("githooks/pre-commit", HOOK);
    repository.replace(&format!("{ALPHA}/kep.yaml"), "status: implementable", "status: implementible");
    repository.git(&["add", "--all"]);
    // Only the directories of bash and git, where no kep-lint should be.
    let place = |name: &str| {
        let found = std::env::split_paths(&std::env::var_os("PATH").expect("there is one"))
            .find(|directory| directory.join(name).is_file());
        found.expect("it is installed")
    };
    let tools = tempfile::tempdir().expect("a directory");
    for tool in ["bash", "git"] {
        let link = Command::new("ln").arg("-s").arg(place(tool).join(tool)).arg(tools.path().join(tool)).status();
        assert!(link.expect("ln is installed").success());
    }
    let path = [("PATH", tools.path().to_str().expect("it is UTF-8"))];
    let skipped = repository.run(HOOK, &[], &path);
    assert_eq!(skipped.status, 0, "{}{}", skipped.stdout, skipped.stderr);
    assert!(skipped.stderr.contains("kep-lint is not installed"), "{}", skipped.stderr);
    assert!(skipped.stderr.contains("pip install kep-lint"), "{}", skipped.stderr);
    // The one that the script for Prow got.
    let fetched = repository.at("bin/kep-lint");
    fs::create_dir_all(fetched.parent().expect("it has one")).expect("a directory");
    fs::copy(PROGRAM, &fetched).expect("a file");
    assert_eq!(repository.run(HOOK, &[], &path).status, 1);
}

/// The pull requests of the letter are counted in a clone, which is not everywhere.
#[test]
fn figures_know_the_words_of_severities() {
    let figures = fs::read_to_string(project().join("contrib/upstream/figures")).expect("a file");
    for (severity, compared) in [(Severity::Error, "=="), (Severity::Advice, "!=")] {
        let condition = format!("finding[\"severity\"] {compared} \"{}\"", severity.name());
        assert!(figures.contains(&condition), "{condition}");
    }
}

#[test]
fn versions_and_hooks_agree() {
    let version = env!("CARGO_PKG_VERSION");
    let read = |path: &str| fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mirror = read("contrib/pre-commit-mirror/pyproject.toml");
    assert!(mirror.contains(&format!("\nversion = \"{version}\"\n")), "{mirror}");
    assert!(mirror.contains(&format!("\"kep-lint=={version}\"")), "{mirror}");
    let hooks = |path: &str| -> Vec<serde_yaml::Mapping> { serde_yaml::from_str(&read(path)).expect("hooks") };
    let all = [hooks(".pre-commit-hooks.yaml"), hooks("contrib/pre-commit-mirror/.pre-commit-hooks.yaml")].concat();
    let value = |hook: &serde_yaml::Mapping, key: &str| hook.get(key).cloned();
    let names: Vec<_> = all.iter().map(|hook| (value(hook, "id"), value(hook, "language"))).collect();
    let name = |id: &str, language: &str| (Some(id.into()), Some(language.into()));
    assert_eq!(names, [name("kep-lint-system", "system"), name("kep-lint-rust", "rust"), name("kep-lint", "python")]);
    for key in ["entry", "files", "types", "always_run", "require_serial", "stages", "minimum_pre_commit_version"] {
        assert!(all.iter().all(|hook| hook.contains_key(key) && value(hook, key) == value(&all[0], key)), "{key}");
    }
}

#[test]
fn the_manual_names_hooks_and_arguments_that_exist() {
    let repository = Scratch::sample();
    let manual = fs::read_to_string(project().join("docs/ci.md")).expect("docs/ci.md");
    let read = |path: &str| fs::read_to_string(project().join(path)).expect("hooks");
    let hooks = read(".pre-commit-hooks.yaml") + &read("contrib/pre-commit-mirror/.pre-commit-hooks.yaml");
    let mut seen = 0;
    for block in manual.split("\n```yaml\n").skip(1).filter_map(|rest| rest.split("\n```").next()) {
        let block: serde_yaml::Value = serde_yaml::from_str(block).unwrap_or_else(|error| panic!("{block}: {error}"));
        for repo in block["repos"].as_sequence().into_iter().flatten() {
            assert_eq!(repo["rev"], concat!("v", env!("CARGO_PKG_VERSION")));
            for given in repo["hooks"].as_sequence().expect("hooks") {
                let id = given["id"].as_str().expect("an id");
                assert!(hooks.lines().any(|line| line == format!("- id: {id}")), "there is no hook {id}");
                let arguments = given["args"].as_sequence().into_iter().flatten();
                let arguments: Vec<&str> = arguments.map(|argument| argument.as_str().expect("a text")).collect();
                assert_eq!(hook(&repository, &arguments, &[], None), [""; 0]);
                seen += 1;
            }
        }
    }
    assert!(seen > 0);
}

/// The findings of the hook of pre-commit for these files, with this `--from-ref`.
fn hook(repository: &Scratch, options: &[&str], files: &[&str], from: Option<&str>) -> Vec<String> {
    let variables: Vec<(&str, &str)> = from.map(|from| ("PRE_COMMIT_FROM_REF", from)).into_iter().collect();
    let arguments = [&["pre-commit"], options, files].concat();
    let printed = repository.lint_in(&repository.root, &arguments, &variables);
    assert!(printed.status < 2, "{files:?}: {}", printed.stderr);
    findings(&printed)
}

#[test]
fn a_hook_checks_what_a_commit_deletes() {
    let repository = Scratch::sample();
    let (metadata, readme) = (format!("{ALPHA}/kep.yaml"), format!("{ALPHA}/README.md"));
    let missing = [format!("{readme} missing-kep-yaml")];
    assert_eq!(hook(&repository, &[], &[], None), [""; 0]);
    repository.git(&["rm", "--quiet", &metadata]);
    // pre-commit passes no file.
    assert_eq!(hook(&repository, &[], &[], None), missing);
    repository.commit();
    assert_eq!(hook(&repository, &[], &[], None), [""; 0]);
    assert_eq!(hook(&repository, &[], &[], Some("HEAD~1")), missing);
    // Files that the commit does not change are those of `--all-files`.
    assert_eq!(hook(&repository, &[], &[&readme], None), missing);
    assert_eq!(hook(&repository, &["--new-only"], &[&readme], None), missing);
}

#[test]
fn a_hook_checks_what_is_staged_and_not_what_is_on_disk() {
    let repository = Scratch::sample();
    let metadata = format!("{ALPHA}/kep.yaml");
    let good = repository.read(&metadata);
    let unknown = [format!("{metadata} invalid-status")];
    repository.replace(&metadata, "status: implementable", "status: implementible");
    repository.git(&["add", "--all"]);
    repository.write(&metadata, &good);
    assert_eq!(hook(&repository, &[], &[&metadata], None), unknown);
    // A KEP of the same commit, of which no file is passed, is checked as well.
    assert_eq!(hook(&repository, &[], &[], None), unknown);
}

#[test]
fn a_hook_reports_old_findings_unless_they_are_not_wanted() {
    let repository = Scratch::sample();
    let flawed = "keps/sig-scheduling/6132-prequeueing-hints/README.md";
    let text = repository.read(flawed);
    repository.write(flawed, &format!("{text}\nOne more sentence.\n"));
    repository.git(&["add", "--all"]);
    let all = hook(&repository, &[], &[flawed], None);
    assert!(all.len() > 5, "{all:?}");
    assert_eq!(hook(&repository, &["--new-only"], &[flawed], None), [""; 0]);
    repository.commit();
    assert_eq!(hook(&repository, &[], &[flawed], None), all);
    assert_eq!(hook(&repository, &[], &[flawed], Some("HEAD~1")), all);
    assert_eq!(hook(&repository, &["--new-only"], &[flawed], Some("HEAD~1")), [""; 0]);
}

#[test]
fn a_hook_fixes_the_files_of_a_commit() {
    let repository = Scratch::sample();
    let readme = format!("{ALPHA}/README.md");
    let text = repository.read(&readme);
    repository.write(&readme, &text.replacen("# KEP-5502: ", "# ", 1));
    repository.git(&["add", "--all"]);
    assert_eq!(hook(&repository, &["--fix"], &[&readme], None), [""; 0]);
    assert_eq!(repository.read(&readme), text);
}

#[test]
fn a_hook_checks_the_keps_that_a_merge_does_not_take_over() {
    let repository = Scratch::sample();
    let (metadata, readme) = (format!("{ALPHA}/kep.yaml"), format!("{ALPHA}/README.md"));
    repository.git(&["checkout", "-q", "-b", "other"]);
    repository.replace(&metadata, "status: implementable", "status: implementible");
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    change_kep(&repository);
    repository.git(&["merge", "-q", "--no-commit", "other"]);
    // Each side changed another file of it.
    let invalid = [format!("{metadata} invalid-status")];
    assert_eq!(hook(&repository, &[], &[], None), invalid);
    assert_eq!(hook(&repository, &[], &[&readme], None), invalid);
    assert_eq!(hook(&repository, &["--new-only"], &[&readme], None), [""; 0]);
    repository.git(&["checkout", "-q", "other", "--", &readme]);
    assert_eq!(hook(&repository, &[], &[&readme], None), [""; 0]);
}

#[test]
fn a_push_of_another_branch_is_not_taken_for_this_one() {
    let repository = Scratch::sample();
    repository.git(&["checkout", "-q", "-b", "work"]);
    break_kep(&repository);
    repository.commit();
    let refs = ["main", "work"].map(|name| repository.git(&["rev-parse", name]));
    let push = || {
        let variables = [("PRE_COMMIT_FROM_REF", refs[0].as_str()), ("PRE_COMMIT_TO_REF", refs[1].as_str())];
        repository.lint_in(&repository.root, &["pre-commit"], &variables)
    };
    assert_eq!(push().status, 1, "{}", push().stderr);
    repository.git(&["checkout", "-q", "main"]);
    assert_eq!(push().status, 2, "{}", push().stderr);
    assert!(push().stderr.contains("another commit is checked out"), "{}", push().stderr);
}

#[test]
fn a_hook_checks_the_first_commit() {
    let repository = Scratch::empty();
    let metadata = "keps/sig-node/1-x/kep.yaml";
    repository.write(metadata, "title: X\nkep-number: 1\nstatus: nope\n");
    repository.write("keps/sig-node/1-x/README.md", "# KEP-1: X\n");
    repository.git(&["add", "--all"]);
    assert!(hook(&repository, &[], &[metadata], None).contains(&format!("{metadata} invalid-status")));
    assert!(hook(&repository, &["--fix"], &[metadata], None).contains(&format!("{metadata} invalid-status")));
}
