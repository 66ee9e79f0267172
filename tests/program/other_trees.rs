//! What is a KEP and what is not, in repositories that have no tree of KEPs, and beside one.

use crate::support::program::{Printed, items, kep_lint_json, kep_lint_lines, kep_lint_with, text};
use crate::support::scratch::{Scratch, findings};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use walkdir::WalkDir;

/// Documents that a run would change if it took them for KEPs.
const README: &str = "# Enhancements\n\nAll of them.\n";
const PROPOSAL: &str = "---\ntitle: Images\nstatus: implementable\n---\n\n# Images\n\n## Summary\n\nPull early.\n";

/// The shapes of gateway-api, openshift/enhancements and tektoncd/community.
const SHAPES: [&[&str]; 3] = [
    &["README.md", "geps/gep-917/index.md", "geps/gep-917/metadata.yaml", "geps/index.md"],
    &["README.md", "enhancements/images.md", "enhancements/storage/cache.md", "guidelines/README.md"],
    &["README.md", "teps/0007-images.md", "teps/README.md", "OWNERS"],
];

/// A directory with these files, and maybe a repository of git.
fn directory(files: &[&str], has_git: bool) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for file in files {
        let path = directory.path().join(file);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        fs::write(path, if file.ends_with("README.md") { README } else { PROPOSAL }).expect("a file");
    }
    if has_git {
        fs::create_dir(directory.path().join(".git")).expect("a directory");
        fs::write(directory.path().join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
    }
    directory
}

/// All files below a directory, with their texts.
fn texts(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = WalkDir::new(directory).into_iter().map(|entry| entry.expect("it is readable").into_path());
    files.filter(|path| path.is_file()).map(|path| (path.clone(), fs::read(path).expect("a file"))).collect()
}

fn is_refused(directory: &Path, arguments: &[&str], says: &str) {
    let before = texts(directory);
    let printed = kep_lint_lines(directory, arguments);
    assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{arguments:?}: {}", printed.stderr);
    assert!(printed.stderr.contains(says) && printed.stderr.contains("help: "), "{arguments:?}: {}", printed.stderr);
    assert_eq!(texts(directory), before, "{arguments:?}");
}

#[test]
fn a_repository_without_keps_has_none() {
    for (shape, has_git) in SHAPES.into_iter().flat_map(|shape| [(shape, true), (shape, false)]) {
        let directory = directory(shape, has_git);
        for arguments in [&[][..], &["."], &["./"], &["--fix"], &["--fix", "--unsafe-fixes", "."]] {
            is_refused(directory.path(), arguments, "contains no KEP");
        }
        for proposal in shape.iter().filter(|file| !file.ends_with("README.md") && **file != "OWNERS") {
            is_refused(directory.path(), &[proposal], "belongs to no KEP");
            is_refused(directory.path(), &[proposal, "--fix", "--release", "v1.37"], "belongs to no KEP");
        }
        if has_git {
            is_refused(directory.path(), &["README.md", "--fix"], "`README.md` belongs to no KEP");
            let root = directory.path().to_str().expect("it is UTF-8");
            is_refused(directory.path(), &[root, "--fix"], "contains no KEP");
        }
    }
}

#[test]
fn a_clone_in_a_directory_that_is_named_keps_has_none_either() {
    let around = directory(&["keps/clone/README.md", "keps/clone/docs/README.md", "keps/clone/.git/HEAD"], false);
    let clone = around.path().join("keps/clone");
    is_refused(&clone, &["--fix"], "`.` contains no KEP");
    is_refused(&clone.join("docs"), &["--fix"], "`.` contains no KEP");
    is_refused(around.path(), &["keps/clone", "--fix"], "`keps/clone` contains no KEP");
}

#[test]
fn a_readme_that_is_named_is_checked_and_only_that_is_fixed() {
    let directory = directory(&["docs/README.md", "docs/more.md"], true);
    let fix = |path: &str| {
        let before = texts(directory.path());
        let printed = kep_lint_lines(directory.path(), ["--fix", "--unsafe-fixes", path]);
        let after = texts(directory.path());
        assert!(printed.status == 1 && printed.stderr.contains("checked 1 KEP"), "{path}: {}", printed.stderr);
        let changed =
            before.iter().filter(|(path, text)| after.get(*path) != Some(*text)).map(|(path, _)| path.clone());
        let names: Vec<String> =
            changed.map(|path| path.file_name().expect("it has one").to_string_lossy().into()).collect();
        (names, printed)
    };
    fs::write(directory.path().join("docs/more.md"), "[x]((https://example.com))\n").expect("a file");
    let (changed, printed) = fix("docs");
    assert_eq!(changed, [""; 0]);
    assert!(printed.stderr.contains("need the path of the document itself"), "{}", printed.stderr);
    assert!(printed.stdout.contains("docs/README.md:1:1: error[missing-section]"), "{}", printed.stdout);
    assert_eq!(fix("docs/README.md").0, ["README.md"]);
    // With a kep.yaml, it is a KEP, wherever it is.
    fs::write(directory.path().join("docs/kep.yaml"), "title: Images\n").expect("a file");
    assert_eq!(fix("docs").0, ["more.md"]);
}

/// A tree with a KEP that has a finding, and files beside it.
fn tree() -> Scratch {
    let repository = Scratch::empty();
    for path in ["README.md", "docs/more.md", "keps/sig-node/1-x/README.md", "cmd/testdata/keps/sig-node/2-y/README.md"]
    {
        repository.write(path, "# KEP-1: X\n");
    }
    for path in
        ["OWNERS", "OWNERS_ALIASES", "sigs.yaml", ".kep-lint.yaml", "keps/sig-node/note.txt", "cmd/testdata/kep.yaml"]
    {
        repository.write(path, "");
    }
    repository.write("keps/sig-node/1-x/testdata/kep.yaml", "title: Test data\n");
    repository.commit();
    repository
}

const FINDING: &str = "keps/sig-node/1-x/README.md missing-kep-yaml";

fn lint(repository: &Scratch, arguments: &[&str]) -> Printed {
    repository.lint(&[arguments, &["--select", "missing-kep-yaml,missing-readme"]].concat())
}

#[test]
fn the_root_of_a_repository_means_its_keps() {
    let repository = tree();
    let wanted = lint(&repository, &[]);
    assert_eq!(findings(&wanted), [FINDING], "{}", wanted.stderr);
    for arguments in [["."], ["./"], ["keps"]] {
        let printed = lint(&repository, &arguments);
        assert_eq!((printed.stdout, printed.stderr), (wanted.stdout.clone(), wanted.stderr.clone()), "{arguments:?}");
    }
    let root = repository.root.to_str().expect("it is UTF-8");
    assert_eq!(findings(&lint(&repository, &[root])), [format!("{root}/{FINDING}")]);
    // Also if the clone is in a directory of that name.
    let around = tempfile::tempdir().expect("a directory");
    let clone = around.path().join("keps/clone");
    fs::create_dir_all(clone.join("hack")).expect("a directory");
    fs::create_dir_all(clone.join("keps/sig-node/1-x")).expect("a directory");
    fs::write(clone.join("README.md"), README).expect("a file");
    fs::write(clone.join("hack/README.md"), README).expect("a file");
    fs::write(clone.join("keps/sig-node/1-x/README.md"), README).expect("a file");
    repository.git(&["init", "-q", clone.to_str().expect("it is UTF-8")]);
    for (place, arguments) in [("", &["."][..]), ("", &[]), ("hack", &[])] {
        let printed = kep_lint_lines(&clone.join(place), [arguments, &["--select", "missing-kep-yaml"]].concat());
        let found = findings(&printed);
        assert!(found.len() == 1 && found[0].ends_with(FINDING), "{place} {arguments:?}: {found:?} {}", printed.stderr);
    }
}

#[test]
fn test_data_is_checked_only_if_it_is_named() {
    let repository = tree();
    let printed = lint(&repository, &["cmd"]);
    assert!(printed.status == 2 && printed.stderr.contains("`cmd` contains no KEP"), "{}", printed.stderr);
    let found = findings(&lint(&repository, &["cmd/testdata/keps"]));
    assert_eq!(found, ["cmd/testdata/keps/sig-node/2-y/README.md missing-kep-yaml"]);
    let found = findings(&lint(&repository, &["keps/sig-node/1-x/testdata"]));
    assert_eq!(found, ["keps/sig-node/1-x/testdata/kep.yaml missing-readme"]);
    // A KEP is not hidden there.
    let found = repository.findings(&["--select", "misplaced-kep"]);
    assert_eq!(found, ["keps/sig-node/1-x/testdata/kep.yaml misplaced-kep"]);
}

#[test]
fn a_file_of_no_kep_is_skipped_or_refused() {
    let repository = tree();
    for path in ["OWNERS", "OWNERS_ALIASES", "sigs.yaml", ".kep-lint.yaml", "keps/sig-node/note.txt", "keps/sig-node"] {
        let printed = lint(&repository, &[path, "keps/sig-node/1-x/README.md"]);
        assert_eq!((findings(&printed), printed.status), (vec![FINDING.to_owned()], 1), "{path}: {}", printed.stderr);
    }
    for path in ["OWNERS", "keps/sig-node/note.txt"] {
        let printed = lint(&repository, &[path]);
        let says = format!("`{path}` is not part of a KEP");
        assert!(printed.status == 2 && printed.stderr.contains(&says), "{path}: {}", printed.stderr);
    }
    for path in ["README.md", "docs/more.md", "docs"] {
        // The others are still checked.
        let printed = lint(&repository, &[path, "keps/sig-node/1-x/README.md"]);
        assert_eq!((findings(&printed), printed.status), (vec![FINDING.to_owned()], 2), "{path}");
        let says = [format!("`{path}` belongs to no KEP"), format!("`{path}` contains no KEP")];
        assert!(says.iter().any(|says| printed.stderr.contains(says)), "{}", printed.stderr);
    }
    let name = ["-", "--stdin-filename", "docs/more.md"];
    let printed = kep_lint_with(&repository.root, b"# X\n", &name);
    assert!(printed.status == 2 && printed.stderr.contains("belongs to no KEP"), "{}", printed.stderr);
    // What changed may be no KEP, and so may what a hook is passed.
    let printed = lint(&repository, &["--since", "HEAD", "docs/more.md"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let printed = lint(&repository, &["pre-commit", "docs/more.md", "README.md"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let printed = lint(&repository, &["--staged", "docs/more.md"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
}

#[test]
fn a_kep_yml_is_no_kep_yaml() {
    let repository = tree();
    repository.write("keps/sig-node/3-z/kep.yml", "title: Z\n");
    repository.write("keps/sig-node/3-z/kep.md", "# KEP-3: Z\n");
    let printed = lint(&repository, &["keps/sig-node/3-z"]);
    assert!(printed.status == 2 && printed.stderr.contains("rename `kep.yml` to `kep.yaml`"), "{}", printed.stderr);
}

#[test]
fn a_path_is_taken_as_it_is_meant() {
    let repository = tree();
    let place = "keps/sig-node/1-x/README.md:105:3";
    for path in [place, "keps/sig-node/1-x/README.md:1", "sig-node", "sig-node/1-x", "sig-node/1-x/README.md:1:1:", "1"]
    {
        assert_eq!(findings(&lint(&repository, &[path])), [FINDING], "{path}");
    }
    let printed = repository.lint(&["ready", place, "--format", "csv"]);
    assert!(printed.stdout.contains("1-x") || printed.stdout.contains("\n1,"), "{}{}", printed.stdout, printed.stderr);
    for (path, says) in [
        ("keps/sig-nod", "did you mean `keps/sig-node`?"),
        ("keps/sig-nod/1-x/README.md", "did you mean `keps/sig-node/1-x/README.md`?"),
        ("sig-nod", "did you mean `keps/sig-node`?"),
        ("keps/sig-node/1-x/READNE.md", "did you mean `keps/sig-node/1-x/README.md`?"),
        ("keps/zzzzzz", "name a directory of KEPs"),
    ] {
        let printed = lint(&repository, &[path]);
        assert!(printed.status == 2 && printed.stderr.contains(says), "{path}: {}", printed.stderr);
    }
    for (option, says) in [("--release=v38", "write v1.38"), ("--milestone=38", "write v1.38")] {
        let printed = lint(&repository, &[option]);
        assert!(printed.status == 2 && printed.stderr.contains(says), "{option}: {}", printed.stderr);
    }
    for sig in ["node", "sig-node", "Node"] {
        assert_eq!(findings(&lint(&repository, &["--sig", sig])), [FINDING], "{sig}");
    }
    let printed = lint(&repository, &["--sig", "apps"]);
    assert!(printed.stderr.contains("no KEP matches the filters"), "{}", printed.stderr);
    let printed = lint(&repository, &["--sig", "nod"]);
    assert!(printed.status == 2 && printed.stderr.contains("did you mean `sig-node`?"), "{}", printed.stderr);
}

#[test]
fn the_other_name_of_the_default_branch_is_suggested() {
    let repository = tree();
    repository.git(&["remote", "add", "origin", "https://example.com/x"]);
    repository.git(&["update-ref", "refs/remotes/origin/master", "HEAD"]);
    for (name, says) in [
        ("origin/main", "did you mean `origin/master`?"),
        ("origin/main~2", "did you mean `origin/master~2`?"),
        ("refs/remotes/origin/main", "did you mean `refs/remotes/origin/master`?"),
        ("master", "did you mean `main`?"),
        ("origin/mainz", "git fetch"),
    ] {
        let printed = repository.lint(&["--since", name]);
        assert!(printed.status == 2 && printed.stderr.contains(says), "{name}: {}", printed.stderr);
    }
}

#[test]
fn fingerprints_of_several_trees_stay_when_all_of_them_move() {
    let directory = tempfile::tempdir().expect("a directory");
    for tree in ["here/a", "here/b"] {
        let kep = directory.path().join(tree).join("keps/sig-node/1-x");
        fs::create_dir_all(&kep).expect("a directory");
        fs::write(kep.join("README.md"), "# KEP-1: X\n").expect("a file");
    }
    let findings = |place: &str| {
        let arguments = ["a/keps", "b/keps", "--select", "missing-kep-yaml"];
        let report = kep_lint_json(&directory.path().join(place), &arguments);
        let findings = items(&report["diagnostics"]).iter();
        findings.map(|found| format!("{} {}", text(&found["fingerprint"]), text(&found["path"]))).collect::<Vec<_>>()
    };
    let expected = ["b20e55fe0ab4b9a6 a/keps/sig-node/1-x/README.md", "1442d70f7f520885 b/keps/sig-node/1-x/README.md"];
    assert_eq!(findings("here"), expected);
    fs::rename(directory.path().join("here"), directory.path().join("there")).expect("it is moved");
    assert_eq!(findings("there"), expected);
}
