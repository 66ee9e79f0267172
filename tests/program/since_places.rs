//! `--since` and `--staged` where files are not where one would look for them: deleted, moved with their tree, left out
//! of a checkout, in a repository inside.

use crate::support::program::kep_lint;
use crate::support::scratch::{Scratch, findings};
use std::fs;

const KEP: &str = "keps/sig-scheduling/6132-prequeueing-hints";
const REVIEW: &str = "keps/prod-readiness/sig-scheduling/6132.yaml";

#[test]
fn a_deleted_kep_leaves_its_prr_file_whatever_else_stays() {
    let repository = Scratch::sample();
    assert!(repository.at(REVIEW).exists());
    repository.write(&format!("{KEP}/OWNERS"), "approvers: [ann]\n");
    repository.commit();
    for name in ["README.md", "kep.yaml"] {
        fs::remove_file(repository.at(&format!("{KEP}/{name}"))).expect("it is there");
    }
    let orphan = [format!("{REVIEW} orphan-prr")];
    assert_eq!(repository.findings(&["--since", "HEAD", "--new-only"]), orphan);
    repository.git(&["add", "--all"]);
    assert_eq!(repository.findings(&["--staged", "--new-only"]), orphan);
}

/// The release of the tree and its PRR files are found from any directory.
#[test]
fn a_path_from_the_directory_of_the_tree_is_in_the_tree() {
    let repository = Scratch::sample();
    fs::remove_file(repository.at(REVIEW)).expect("it is there");
    let (directory, kep) = (repository.at("keps"), KEP.trim_start_matches("keps/"));
    let file = format!("{kep}/kep.yaml");
    for path in [kep, &format!("./{kep}"), &file, "sig-scheduling", ".", ""] {
        let arguments: Vec<&str> = [path].into_iter().filter(|path| !path.is_empty()).collect();
        let printed = repository.lint_in(&directory, &arguments, &[]);
        assert!(printed.stdout.contains("[missing-prr]"), "{path}: {}", printed.stdout);
        assert!(printed.stderr.contains("newest milestone in this tree"), "{path}: {}", printed.stderr);
    }
}

#[test]
fn a_repository_inside_is_not_compared() {
    let repository = Scratch::sample();
    repository.git(&["-C", KEP, "-c", "init.defaultBranch=main", "init", "-q"]);
    let printed = repository.lint(&["--since", "HEAD"]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    let says = format!("cannot compare with git `{KEP}`: it is a repository of its own");
    assert!(printed.stderr.contains(&says), "{}", printed.stderr);
}

#[test]
fn a_sparse_checkout_is_not_taken_for_deleted_files() {
    let repository = Scratch::sample();
    repository.git(&["sparse-checkout", "set", "keps/sig-scheduling"]);
    assert!(!repository.at(REVIEW).exists());
    let printed = repository.lint(&["--since", "HEAD", "--new-only"]);
    assert_eq!(printed.status, 2, "{}", printed.stdout);
    assert!(printed.stderr.contains("git sparse-checkout disable"), "{}", printed.stderr);
    // What is staged is all there.
    repository.write(&format!("{KEP}/README.md"), "# KEP-6132: X\n");
    repository.git(&["add", KEP]);
    let found = repository.findings(&["--staged"]);
    assert!(!found.is_empty() && found.iter().all(|finding| !finding.contains("prr")), "{found:?}");
}

#[test]
fn a_sparse_checkout_may_leave_out_what_is_not_read() {
    let repository = Scratch::sample();
    let list = "hack/.notableofcontents";
    for path in ["LICENSE", "go.mod", "docs/template.md", list, "sigs.yaml"] {
        repository.write(path, "# X\n\n## Summary\n\n<!--DIRECTIVE: required: true-->\n");
    }
    repository.commit();
    repository.replace(&format!("{KEP}/README.md"), "## Motivation", "## Reasons");
    repository.commit();
    let run = |left: &[&str], config: &str| {
        let patterns: Vec<String> =
            ["/*".to_owned()].into_iter().chain(left.iter().map(|path| format!("!/{path}"))).collect();
        let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
        repository.git(&[&["sparse-checkout", "set", "--no-cone"][..], &patterns].concat());
        repository.write(".kep-lint.yaml", config);
        repository.lint(&["--since", "HEAD~1", "--new-only"])
    };
    let printed = run(&["LICENSE", "go.mod", "docs"], "");
    assert_eq!(printed.status, 1, "{}", printed.stderr);
    let template = "template: docs/template.md\n";
    for (left, config) in [("OWNERS_ALIASES", ""), ("sigs.yaml", ""), (list, ""), ("keps/sig-node", "")] {
        let printed = run(&[left], config);
        assert_eq!(printed.status, 2, "{left}: {}", printed.stderr);
        let says = "this sparse checkout leaves it out\n  help: get it with `git sparse-checkout";
        assert!(printed.stderr.contains(says) && printed.stderr.contains(left), "{left}: {}", printed.stderr);
    }
    let printed = run(&["docs"], template);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert!(printed.stderr.contains("docs/template.md"), "{}", printed.stderr);
}

#[test]
fn a_tree_that_is_moved_has_no_new_findings() {
    let repository = Scratch::sample();
    let old = repository.findings(&[]).len();
    assert!(old > 20);
    fs::create_dir(repository.at("docs")).expect("a directory");
    repository.git(&["mv", "keps", "docs/keps"]);
    repository.git(&["mv", "OWNERS_ALIASES", "docs/OWNERS_ALIASES"]);
    let printed = repository.lint(&["--since", "HEAD", "--new-only", "docs"]);
    assert_eq!(findings(&printed), [""; 0], "{}", printed.stderr);
    assert!(printed.stderr.contains(&format!("; {old} old findings not shown")), "{}", printed.stderr);
    // What is staged is all there.
    fs::remove_dir_all(repository.at("docs")).expect("it is there");
    let printed = repository.lint(&["--staged", "--new-only", "docs"]);
    assert_eq!(findings(&printed), [""; 0], "{}", printed.stderr);
    assert!(printed.stderr.contains(&format!("; {old} old findings not shown")), "{}", printed.stderr);
}

#[test]
fn all_keps_that_move_are_found() {
    let repository = Scratch::empty();
    let number = |index: usize| format!("keps/sig-node/{}-x", 1000 + index);
    let metadata = |index: usize| format!("title: X\nkep-number: {}\nstatus: done\n", 1000 + index);
    for index in 0..120 {
        repository.write(&format!("{}/README.md", number(index)), "# X\n\n## Summary\n\nThe same text.\n");
        repository.write(&format!("{}/kep.yaml", number(index)), &metadata(index));
    }
    repository.commit();
    repository.git(&["mv", "keps/sig-node", "keps/sig-apps"]);
    let printed = repository.lint(&["--since", "HEAD", "--new-only"]);
    assert_eq!(findings(&printed), [""; 0], "{}", printed.stderr);
    assert!(printed.stderr.starts_with("checked 120 KEPs"), "{}", printed.stderr);
}

#[test]
fn nothing_staged_needs_no_files() {
    let repository = Scratch::sample();
    let broken = repository.git(&["hash-object", &format!("{KEP}/kep.yaml")]);
    let object = repository.at(&format!(".git/objects/{}/{}", &broken[..2], &broken[2..]));
    fs::remove_file(object).expect("it is a loose object");
    let printed = repository.lint(&["--staged"]);
    assert_eq!((printed.status, printed.stderr.as_str()), (0, "no KEP to check has staged changes\n"));
    let printed = repository.lint(&["--staged", "nope"]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert!(printed.stderr.contains("`nope` does not exist"), "{}", printed.stderr);
    repository.replace(&format!("{KEP}/README.md"), "## Motivation", "## Reasons");
    repository.git(&["add", &format!("{KEP}/README.md")]);
    let printed = repository.lint(&["--staged"]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert_eq!(printed.stderr.matches("does not have object").count(), 1, "{}", printed.stderr);
}

#[test]
fn a_configuration_that_is_kept_elsewhere_is_for_the_repository() {
    let repository = Scratch::sample();
    let elsewhere = tempfile::tempdir().expect("a directory");
    let config = elsewhere.path().join("kep-lint.yaml");
    fs::write(&config, "exclude: [keps/sig-scheduling/**]\n").expect("a file");
    repository.write("hack/kep-lint.yaml", "exclude: [keps/sig-scheduling/**]\n");
    for config in [config.to_str().expect("it is UTF-8"), "hack/kep-lint.yaml"] {
        let printed = repository.lint(&["--config", config, "--quiet", KEP]);
        assert_eq!(printed.stdout, "", "{config}");
        let printed = repository.lint(&["--config", config]);
        assert!(printed.stderr.contains("exclude: 1 KEP\n"), "{}", printed.stderr);
    }
}

/// What is asked of a KEP depends on where it is: a change cannot move it out of the reach of the rules by a link.
#[cfg(unix)]
#[test]
fn keps_that_a_change_moves_out_of_the_tree_are_refused() {
    use std::os::unix::fs::symlink;
    let moved = |from: &str, to: &str, link: Option<&str>| {
        let repository = Scratch::sample();
        repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        fs::remove_file(repository.at(REVIEW)).expect("it is there");
        fs::create_dir_all(repository.at(to).parent().expect("it has one")).expect("a directory");
        fs::rename(repository.at(from), repository.at(to)).expect("it can be moved");
        if let Some(target) = link {
            symlink(target, repository.at(from)).expect("a link");
        }
        repository.commit();
        repository.lint(&["--since", "origin/main", "--new-only"])
    };
    let kep = "x/keps/6132-prequeueing-hints";
    for (from, to, link, says) in [
        (KEP, kep, Some("../../x/keps/6132-prequeueing-hints"), "is a link to a directory"),
        ("keps/sig-scheduling", "scheduling", Some("../scheduling"), "is a link to a directory"),
        ("keps", "proposals", Some("proposals"), "a link to KEPs that are not in `keps`"),
        ("keps", "proposals", None, "cannot compare `keps`: the change removes it"),
    ] {
        let printed = moved(from, to, link);
        assert!(printed.status == 2 && printed.stderr.contains(says), "{to}: {}{}", printed.stdout, printed.stderr);
    }
}

#[test]
fn the_target_of_a_link_has_a_limit() {
    let repository = Scratch::sample();
    for (size, is_told) in [(8 << 10, false), ((8 << 10) + 1, true)] {
        repository.write("target", &"a".repeat(size));
        let target = repository.git(&["hash-object", "-w", "target"]);
        repository.git(&["update-index", "--add", "--cacheinfo", &format!("120000,{target},keps/sig-node/long")]);
        let printed = repository.lint(&["--staged"]);
        assert_eq!(printed.status == 2, is_told, "{}", printed.stderr);
        let told = "cannot read `keps/sig-node/long`: it has 8.1 KiB\n  help: reduce it to at most 8 KiB";
        assert_eq!(printed.stderr.contains(told), is_told, "{}", printed.stderr);
    }
}

#[test]
fn a_layout_that_is_brought_hides_no_kep_of_the_base() {
    let tree = Scratch::empty();
    let path = "keps/sig-node/1-a/kep.yaml";
    tree.write("keps/sig-node/1-a/README.md", "# KEP-1: A\n");
    tree.write(path, "status: provisional\n");
    tree.commit();
    tree.write(path, "status: bar\n");
    tree.write("kep-lint.yaml", "documents: nowhere/{name}.md\n");
    tree.commit();
    let printed = kep_lint(tree.at(".").as_path(), ["--since", "HEAD~1", "--config-from", "base"]);
    assert!(printed.status == 1 && printed.stdout.contains("invalid-status"), "{}", printed.stdout);
}
