//! `--since` and `--staged` in repositories that git finds difficult: parts of a history, odd names, settings that run
//! programs. What a failure tells the user to run is run.

use crate::support::program::Printed;
use crate::support::scratch::{Scratch, findings};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

const KEP: &str = "keps/sig-storage/5502-emptydir-volume-mode";
/// An active beta KEP with findings.
const FLAWED: &str = "keps/sig-scheduling/6132-prequeueing-hints";
const README: &str = "keps/sig-storage/5502-emptydir-volume-mode/README.md";

/// Adds a dead link to the KEP, and commits it.
fn add_finding(repository: &Scratch, path: &str) {
    let text = repository.read(path);
    repository.write(path, &format!("{text}\nSee [there](nowhere.md).\n"));
    repository.commit();
}

/// A repository with a branch `work` that adds a finding, while `main` moves on.
fn upstream() -> Scratch {
    let repository = Scratch::sample();
    repository.git(&["config", "uploadpack.allowFilter", "true"]);
    repository.git(&["checkout", "-q", "-b", "work"]);
    add_finding(&repository, README);
    repository.git(&["checkout", "-q", "main"]);
    add_finding(&repository, "keps/sig-cli/2551-return-code-normalization/README.md");
    repository
}

/// A clone of `repository` made with these options, in place of an empty repository.
fn clone(repository: &Scratch, options: &[&str]) -> Scratch {
    let clone = Scratch::empty();
    fs::remove_dir_all(clone.at(".git")).expect("it is empty");
    let address = format!("file://{}", repository.root.display());
    clone.git(&[&["clone", "-q"], options, &[address.as_str(), "."]].concat());
    clone
}

/// The command that a failure tells the user to run.
fn remedy(printed: &Printed) -> Vec<String> {
    assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{}", printed.stderr);
    let (_, rest) = printed.stderr.split_once("`git ").unwrap_or_else(|| panic!("no command: {}", printed.stderr));
    let command = rest.split('`').next().expect("there is a first part");
    command.split_whitespace().map(str::to_owned).collect()
}

fn run(repository: &Scratch, command: &[String]) {
    repository.git(&command.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn a_shallow_clone_says_what_to_fetch() {
    let upstream = upstream();
    let new = ["--since", "origin/main", "--new-only"];
    let branch = ["--depth", "1", "--branch", "work", "--single-branch"];
    let clone_of_branch = clone(&upstream, &branch);
    let printed = clone_of_branch.lint(&new);
    let github = clone_of_branch.lint_in(&clone_of_branch.root, &["--since", "auto"], &[("GITHUB_BASE_REF", "main")]);
    assert_eq!(remedy(&github), remedy(&printed));
    let fetch = remedy(&printed);
    assert_eq!(fetch, ["fetch", "--unshallow", "origin", "+refs/heads/main:refs/remotes/origin/main"]);
    run(&clone_of_branch, &fetch);
    let github = clone_of_branch.lint_in(&clone_of_branch.root, &["--since", "auto"], &[("GITHUB_BASE_REF", "main")]);
    assert!(github.stderr.contains("changed since origin/main (GITHUB_BASE_REF)"), "{}", github.stderr);
    assert_eq!(clone_of_branch.findings(&new), [format!("{README} dead-link")]);
    // Both branches, but nothing that they come from.
    let shallow = clone(&upstream, &branch);
    shallow.git(&["fetch", "-q", "--depth", "1", "origin", "+refs/heads/main:refs/remotes/origin/main"]);
    run(&shallow, &remedy(&shallow.lint(&new)));
    assert_eq!(shallow.findings(&new), [format!("{README} dead-link")]);
    for name in ["origin/main~1", "origin/main^", "origin/main@{1}"] {
        let printed = clone(&upstream, &branch).lint(&["--since", name]);
        assert_eq!(remedy(&printed), fetch, "{name}");
    }
    // `auto` is what HEAD of the remote stands for.
    let shallow = clone(&upstream, &["--depth", "1", "--no-single-branch"]);
    shallow.git(&["checkout", "-q", "work"]);
    shallow.git(&["remote", "set-head", "origin", "main"]);
    let auto = ["--since", "auto", "--new-only"];
    assert_eq!(remedy(&shallow.lint(&auto)), fetch);
    run(&shallow, &fetch);
    assert_eq!(shallow.findings(&auto), [format!("{README} dead-link")]);
    // A hash names the base itself.
    let shallow = clone(&upstream, &branch);
    let base = upstream.git(&["rev-parse", "main"]);
    shallow.git(&["fetch", "-q", "--depth", "1", "origin", &base]);
    let printed = shallow.lint(&["--since", &base, "--new-only"]);
    let says = format!("; changed since {} (itself: this clone is too shallow for a merge base)", &base[..10]);
    assert!(printed.stderr.contains(&says), "{}", printed.stderr);
    assert_eq!(shallow.findings(&["--since", &base, "--new-only"]), [format!("{README} dead-link")]);
    let shallow = clone(&upstream, &branch);
    let relative = ["--since", "HEAD~1"];
    run(&shallow, &remedy(&shallow.lint(&relative)));
    assert!(shallow.findings(&relative).contains(&format!("{README} dead-link")));
}

#[test]
fn a_partial_clone_says_what_to_fetch() {
    let upstream = upstream();
    let partial = clone(&upstream, &["--filter=blob:none", "--branch", "work"]);
    let new = ["--since", "origin/main", "--new-only"];
    run(&partial, &remedy(&partial.lint(&new)));
    assert_eq!(partial.findings(&new), [format!("{README} dead-link")]);
}

#[test]
fn a_branch_or_commit_that_is_missing_can_be_fetched() {
    let upstream = upstream();
    let single = clone(&upstream, &["--branch", "work", "--single-branch"]);
    for since in ["origin/main", "main"] {
        let clone = clone(&upstream, &["--branch", "work", "--single-branch"]);
        run(&clone, &remedy(&clone.lint(&["--since", since])));
        assert_eq!(clone.findings(&["--since", since, "--new-only"]), [format!("{README} dead-link")]);
    }
    let base = upstream.git(&["rev-parse", "main"]);
    let prow = [("PULL_BASE_SHA", base.as_str()), ("PULL_PULL_SHA", base.as_str())];
    let auto = |variables: &[(&str, &str)]| single.lint_in(&single.root, &["--since", "auto"], variables);
    run(&single, &remedy(&auto(&prow)));
    assert!(auto(&prow).stderr.contains(&format!("changed since {} (PULL_BASE_SHA)", &base[..10])));
    // After a merge, Prow names what is checked out.
    assert_eq!(auto(&prow[..1]).status, 2);
    let full = clone(&upstream, &["--branch", "work"]);
    let judged = full.lint(&["ready", "--at", "origin/master", "--format=json"]);
    assert!(judged.stderr.contains("did you mean `origin/main`?"), "{}", judged.stderr);
    let printed = full.lint(&["--since", "auto"]);
    assert!(printed.stderr.contains("changed since origin/main (default branch)"), "{}", printed.stderr);
}

#[test]
fn git_that_fails_is_never_nothing_changed() {
    let repository = Scratch::sample();
    for (since, says) in [
        ("nowhere", "cannot compare with `nowhere`: this clone has no such commit"),
        ("--output=written", "cannot compare with `--output=written`"),
        ("", "a value is required for '--since <REF>'"),
        ("HEAD:keps", "cannot compare with `HEAD:keps`"),
    ] {
        let printed = repository.lint(&[&format!("--since={since}")]);
        assert_eq!(printed.status, 2, "{since}");
        assert!(printed.stderr.contains(says), "{}", printed.stderr);
    }
    assert!(!repository.at("written").exists());
    let dubious = [("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")];
    let printed = repository.lint_in(&repository.root, &["--since", "HEAD"], &dubious);
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.contains("dubious ownership"), "{}", printed.stderr);
    assert!(printed.stderr.contains("trust it with `git config --global --add safe.directory"), "{}", printed.stderr);
    let printed = repository.lint_in(&repository.root, &["--since", "HEAD"], &[("PATH", "/nowhere")]);
    assert!(printed.stderr.contains("cannot run git: it is not installed"), "{}", printed.stderr);
    fs::remove_dir_all(repository.at(".git")).expect("it is removed");
    for arguments in [&["--since", "HEAD"][..], &["--staged"], &["--since", "auto", "--format", "json"]] {
        let printed = repository.lint(arguments);
        assert_eq!(printed.status, 2);
        assert!(printed.stderr.contains("not a git repository"), "{}", printed.stderr);
    }
}

#[test]
fn a_name_that_means_several_things_is_refused() {
    let repository = upstream();
    repository.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    repository.git(&["checkout", "-q", "work"]);
    let base = repository.git(&["rev-parse", "main"]);
    // Each of them would be taken for the commit that is checked, so that nothing is new.
    repository.git(&["tag", "origin/main"]);
    repository.git(&["tag", "main"]);
    repository.git(&["tag", "refs/remotes/origin/gone"]);
    repository.git(&["branch", &base[..8]]);
    repository.git(&["update-ref", &format!("refs/heads/{base}"), "HEAD"]);
    let remote = "`origin/main` means more than one thing: `refs/tags/origin/main`, `refs/remotes/origin/main`\n  help: write \
                  the whole name, such as `refs/remotes/origin/main`";
    let branch = "`main` means more than one thing: `refs/tags/main`, `refs/heads/main`";
    let hash = format!("means more than one thing: `refs/heads/{}`, `{base}`", &base[..8]);
    let from_remote = [("PRE_COMMIT_FROM_REF", "origin/main")];
    let from_gone = [("GITHUB_BASE_REF", "gone")];
    for (arguments, variables, says) in [
        (&["--since", "origin/main"][..], &[][..], remote),
        (&["--since", "origin/main~0"], &[], remote),
        (&["--since", "main"], &[], branch),
        (&["--since", &base[..8]], &[], &hash),
        (&["pre-commit"], &from_remote, remote),
        (&["ready", "5502", "--format", "csv", "--at", "main"], &[], branch),
        (&["ready", "5502", "--format", "csv", "--compare", "main"], &[], branch),
        (&["--since", "auto"], &from_gone, "`refs/remotes/origin/gone`: this clone has no such commit"),
    ] {
        let printed = repository.lint_in(&repository.root, arguments, variables);
        assert_eq!(printed.status, 2, "{arguments:?}: {}", printed.stdout);
        assert!(printed.stderr.contains(says), "{arguments:?}: {}", printed.stderr);
    }
    for since in ["refs/remotes/origin/main", "heads/main", "auto", &base, "HEAD~1"] {
        assert_eq!(repository.findings(&["--since", since, "--new-only"]), [format!("{README} dead-link")], "{since}");
    }
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let repository = Scratch::sample();
    for (arguments, says) in [
        (&["--new-only"][..], "`--new-only` needs `--since REF` or `--staged`"),
        (&["--staged", "--fix"], "`--staged` cannot be used with `--fix`"),
        (&["--staged", "--since", "HEAD"], "cannot be used with"),
    ] {
        let printed = repository.lint(arguments);
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""));
        assert!(printed.stderr.contains(says), "{}", printed.stderr);
    }
    let outside = tempfile::tempdir().expect("a directory");
    let outside = outside.path().to_str().expect("it is UTF-8").to_owned();
    let printed = repository.lint(&["--since", "HEAD", "keps", &outside]);
    assert!(printed.status == 2 && printed.stderr.contains("it is not in the repository"), "{}", printed.stderr);
}

#[test]
fn only_what_the_branch_changed_is_checked_after_a_merge() {
    let repository = upstream();
    repository.git(&["checkout", "-q", "work"]);
    repository.git(&["merge", "-q", "--no-edit", "main"]);
    for since in ["main", "HEAD^2"] {
        assert_eq!(repository.findings(&["--since", since, "--new-only"]), [format!("{README} dead-link")]);
    }
    repository.git(&["checkout", "-q", "--detach"]);
    assert_eq!(repository.findings(&["--since", "main", "--new-only"]).len(), 1);
    let tree = repository.at("elsewhere");
    repository.git(&["worktree", "add", "-q", "--detach", tree.to_str().expect("it is UTF-8"), "work~1"]);
    let printed = repository.lint_in(&tree, &["--since", "main~1"], &[]);
    assert!(findings(&printed).contains(&format!("{README} dead-link")), "{}", printed.stderr);
}

#[test]
fn names_may_have_any_bytes() {
    let repository = Scratch::sample();
    let names = ["1-a b", "2-it's \"x\"", "3-new\nline", "4-\\tab\t"];
    for name in names {
        repository.write(&format!("keps/sig-node/{name}/README.md"), "# X\n");
    }
    let select = ["--select", "missing-kep-yaml"];
    let untracked = repository.findings(&[&["--since", "HEAD"][..], &select].concat());
    repository.commit();
    for arguments in [&["--since", "HEAD~1"][..], &["--since", "HEAD~1", "--new-only"]] {
        let printed = repository.lint(&[arguments, &select].concat());
        assert!(printed.stderr.starts_with("checked 4 KEPs"), "{}", printed.stderr);
        assert_eq!(findings(&printed), untracked);
    }
    for name in names {
        repository.write(&format!("keps/sig-node/{name}/README.md"), "# X\n\nMore.\n");
    }
    repository.git(&["add", "."]);
    assert_eq!(repository.findings(&[&["--staged", "--new-only"][..], &select].concat()), [""; 0]);
    assert!(repository.lint(&["--staged"]).stderr.starts_with("checked 4 KEPs"));
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let repository = Scratch::sample();
    let directory = repository.at("keps/sig-node").join(OsStr::from_bytes(b"9-caf\xe9"));
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("README.md"), "# X\n").expect("a file");
    repository.commit();
    let select = ["--since", "HEAD~1", "--select", "missing-kep-yaml"];
    assert_eq!(repository.findings(&select).len(), 1);
    fs::write(directory.join("README.md"), "# X\n\nMore.\n").expect("a file");
    repository.commit();
    assert_eq!(repository.findings(&select).len(), 1);
    assert_eq!(repository.findings(&[&select[..], &["--new-only"]].concat()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_in_a_commit_are_followed_as_on_disk() {
    use std::os::unix::fs::symlink;
    let repository = Scratch::sample();
    repository.write("elsewhere/7-y.md", "# KEP-7: Y\n");
    fs::create_dir(repository.at("keps/sig-node/7-y")).expect("a directory");
    symlink("../../../elsewhere/7-y.md", repository.at("keps/sig-node/7-y/README.md")).expect("a link");
    symlink("nowhere", repository.at("keps/sig-node/dangling")).expect("a link");
    repository.commit();
    repository.write("elsewhere/7-y.md", "# KEP-7: Y\n\nMore.\n");
    repository.commit();
    let found = findings(&repository.lint(&["--since", "HEAD~1", "--select", "missing-kep-yaml,missing-readme"]));
    assert_eq!(
        repository.lint(&["--since", "HEAD~1", "--new-only", "--select", "missing-kep-yaml"]).stdout,
        "",
        "{found:?}"
    );
    let both = |arguments: &[&str]| findings(&repository.lint(arguments));
    repository.git(&["reset", "-q", "--soft", "HEAD~2"]);
    let staged = both(&["--staged", "--select", "missing-kep-yaml,dead-link"]);
    assert_eq!(staged, both(&["--since", "HEAD", "--select", "missing-kep-yaml,dead-link"]));
}

/// Every file below `directory` with its bytes.
fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = crate::support::files_below(directory, &|_| true);
    files.into_iter().map(|path| (path.display().to_string(), fs::read(&path).expect("a file"))).collect()
}

#[cfg(unix)]
#[test]
fn no_program_of_the_repository_is_run_and_nothing_is_written() {
    let repository = Scratch::sample();
    let mark = repository.at("mark");
    let program = format!("touch {}; cat", mark.display());
    for setting in [
        "core.fsmonitor",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "core.pager",
    ] {
        repository.git(&["config", setting, &program]);
    }
    repository.git(&["config", "filter.x.required", "true"]);
    repository.git(&["config", "filter.y=z.clean", &program]);
    repository.write("later", "");
    repository.write(".gitattributes", "*.md filter=x diff=x\n*.yaml filter=y=z\n");
    repository.write(README, "# X\n");
    repository.write(&format!("{KEP}/kep.yaml"), "title: X\n");
    let before = contents(&repository.at(".git"));
    for arguments in [&["--since", "HEAD", "--new-only"][..], &["--staged", "--new-only"], &["--since", "auto"]] {
        let printed = repository.lint(arguments);
        assert!(!printed.stderr.contains("panicked"), "{}", printed.stderr);
        assert!(!mark.exists(), "{arguments:?} runs a program");
        assert_eq!(contents(&repository.at(".git")), before, "{arguments:?} writes");
    }
    // With other attributes, git compares something else than what is on disk.
    let printed = repository.lint(&["--since", "HEAD"]);
    assert!(printed.stderr.starts_with("checked 20 KEPs"), "{}", printed.stderr);
    assert!(printed.stderr.contains("`.gitattributes` (new)"), "{}", printed.stderr);
}

/// Where the README of a KEP, its PRR file and the aliases are in a repository that only links to them.
#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_part_of_the_kep() {
    let kep = "keps/sig-storage/5502-emptydir-volume-mode";
    for (link, target) in [
        (format!("{kep}/README.md"), "../../../texts/5502.md"),
        ("keps/prod-readiness/sig-storage/5502.yaml".to_owned(), "../../../texts/5502.yaml"),
        ("OWNERS_ALIASES".to_owned(), "texts/aliases"),
    ] {
        let repository = Scratch::sample();
        let text = repository.read(&link);
        fs::remove_file(repository.at(&link)).expect("the file was there");
        std::os::unix::fs::symlink(target, repository.at(&link)).expect("a link");
        let place = format!("texts/{}", target.rsplit('/').next().expect("a name"));
        repository.write(&place, &text);
        repository.commit();
        repository.write(&place, &format!("{text}\n"));
        repository.commit();
        for arguments in [&["--since", "HEAD~1"][..], &["--since", "HEAD~1", "--new-only"]] {
            let printed = repository.lint(arguments);
            assert!(printed.stderr.starts_with("checked "), "{link}: {}", printed.stderr);
        }
        repository.write(&place, &format!("{text}\n\n"));
        repository.git(&["add", "."]);
        let printed = repository.lint(&["--staged"]);
        assert!(printed.stderr.starts_with("checked "), "{link}: {}", printed.stderr);
    }
}

#[test]
fn two_trees_have_findings_of_their_own() {
    let sample = Scratch::sample();
    let kep = "keps/sig-scheduling/6132-prequeueing-hints";
    let files = ["README.md", "kep.yaml"].map(|name| sample.read(&format!("{kep}/{name}")));
    let repository = Scratch::empty();
    for tree in ["a", "b"] {
        for (name, text) in ["README.md", "kep.yaml"].iter().zip(&files) {
            repository.write(&format!("{tree}/{kep}/{name}"), text);
        }
    }
    repository.commit();
    // One of the two loses a section that the other one lacks already.
    repository.replace(&format!("a/{kep}/README.md"), "\n## Motivation\n", "\n## Reasons\n");
    repository.commit();
    repository.replace(&format!("b/{kep}/README.md"), "\n## Motivation\n", "\n## Reasons\n");
    repository.commit();
    let all = repository.lint(&["--since", "HEAD~1", "."]);
    let new = findings(&repository.lint(&["--since", "HEAD~1", "--new-only", "."]));
    assert!(all.stderr.starts_with("checked 1 KEP"), "{}", all.stderr);
    assert!(new.iter().any(|finding| finding.ends_with("missing-section")), "{new:?}");
    assert!(new.iter().all(|finding| finding.starts_with("./b/")), "{new:?}");
}

#[test]
fn the_staged_configuration_counts_and_not_that_on_disk() {
    let repository = Scratch::sample();
    let exclude = "exclude: [keps/sig-scheduling]\n";
    repository.write(".kep-lint.yaml", "level: suggestion\n");
    repository.commit();
    repository.replace(&format!("{FLAWED}/README.md"), "## Motivation", "## Reasons");
    repository.git(&["add", "."]);
    // Not staged: it excludes nothing.
    repository.write(".kep-lint.yaml", exclude);
    let printed = repository.lint(&["--staged"]);
    assert!(printed.stderr.starts_with("checked 1 KEP"), "{}", printed.stderr);
    // Staged, but removed from the disk: it does.
    repository.git(&["add", "."]);
    fs::remove_file(repository.at(".kep-lint.yaml")).expect("it was written");
    let printed = repository.lint(&["--staged"]);
    assert!(
        printed.stderr.contains("`.kep-lint.yaml` makes this run less strict: exclude: 1 KEP\n"),
        "{}",
        printed.stderr
    );
}

#[test]
fn a_merge_with_conflicts_is_not_checked() {
    let repository = Scratch::sample();
    let readme = format!("{FLAWED}/README.md");
    repository.git(&["branch", "other"]);
    repository.replace(&readme, "## Motivation", "## Reasons");
    repository.commit();
    repository.git(&["checkout", "-q", "other"]);
    repository.replace(&readme, "## Motivation", "## Causes");
    repository.commit();
    let merge = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "merge", "-q", "main"];
    let merged = Command::new("git").current_dir(&repository.root).args(merge).output().expect("git is installed");
    assert!(!merged.status.success(), "it conflicts");
    let printed = repository.lint(&["--staged"]);
    assert_eq!(printed.status, 2, "{}", printed.stdout);
    assert!(printed.stderr.contains("some files have merge conflicts"), "{}", printed.stderr);
}

#[test]
fn nothing_that_changed_says_what_it_was_compared_with() {
    let repository = Scratch::sample();
    let printed = repository.lint(&["--since", "HEAD", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&printed.stdout).expect("JSON");
    assert_eq!((printed.status, &report["since"]["name"]), (0, &serde_json::Value::from("HEAD")), "{report}");
    assert_eq!(report["release"]["source"], "base", "{report}");
    repository.replace(&format!("{FLAWED}/README.md"), "## Motivation", "## Reasons");
    let printed = repository.lint(&["--since", "HEAD", "--sig", "sig-node"]);
    let words = "no KEP to check has changed since HEAD; filtered out ";
    assert!(printed.stderr.starts_with(words), "{}", printed.stderr);
}

#[test]
fn the_places_that_git_tells_a_hook_may_be_relative() {
    let repository = Scratch::sample();
    repository.replace(&format!("{FLAWED}/README.md"), "## Motivation", "## Reasons");
    repository.git(&["add", "."]);
    let variables = [("GIT_DIR", ".git"), ("GIT_INDEX_FILE", ".git/index")];
    let printed = repository.lint_in(&repository.root, &["--staged"], &variables);
    assert!(printed.stderr.starts_with("checked 1 KEP"), "{}", printed.stderr);
    let variables = [("GIT_DIR", "../.git"), ("GIT_WORK_TREE", "..")];
    let printed = repository.lint_in(&repository.at("keps"), &["--since", "HEAD"], &variables);
    assert!(printed.stderr.starts_with("checked 1 KEP"), "{}", printed.stderr);
}

#[test]
fn a_new_kep_is_not_a_deleted_one_with_the_same_text() {
    let metadata = |number: &str, title: &str, author: &str| {
        format!(
            "title: {title}\nkep-number: {number}\nauthors: [\"@{author}\"]\nowning-sig: sig-node\nstatus: implementable\n\
             stage: alpha\nlatest-milestone: v1.37\n"
        )
    };
    let readme = "# KEP-1: Title\n\n## Summary\n\nOne.\n\n## Motivation\n\nTwo.\n";
    let (old, new) = ("keps/sig-node/1-a", "keps/sig-node/2-b");
    let others =
        [("2", "Other", "bob"), ("2", "Title", "ann")].map(|(number, title, author)| metadata(number, title, author));
    let [other, same] = others;
    for (text, is_new) in [(other, true), (same, false)] {
        let repository = Scratch::empty();
        repository.write(&format!("{old}/README.md"), readme);
        repository.write(&format!("{old}/kep.yaml"), &metadata("1", "Title", "ann"));
        repository.commit();
        fs::remove_dir_all(repository.at(old)).expect("it is there");
        repository.write(&format!("{new}/README.md"), &readme.replace("KEP-1", "KEP-2"));
        repository.write(&format!("{new}/kep.yaml"), &text);
        repository.git(&["add", "-A"]);
        for is_committed in [false, true] {
            if is_committed {
                repository.commit();
            }
            let base = if is_committed { "HEAD~1" } else { "HEAD" };
            let found = repository.findings(&["--since", base, "--new-only"]);
            let has_old = found.iter().any(|finding| finding.ends_with(" missing-section"));
            assert_eq!(has_old, is_new, "{found:?}");
        }
    }
}
