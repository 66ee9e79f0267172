//! KEPs where no KEP is looked for, and directories `keps` inside `keps`: they are found, and change nothing else.

use crate::support::scratch::{Scratch, findings};
use std::fs;

const NOTE: &str = "keps/sig-node/keps/note.md";

#[test]
fn a_kep_where_nobody_looks_is_new_in_a_change() {
    let repository = Scratch::sample();
    assert_eq!(repository.findings(&["--select", "misplaced-kep"]), [""; 0]);
    for path in ["keps/NNNN-kep-template/x/kep.yaml", "keps/prod-readiness/sig-node/1-a/kep.yaml", NOTE] {
        repository.write(path, "status: implmentable\n");
        let expected = [format!("{path} misplaced-kep")];
        assert_eq!(repository.findings(&["--select", "misplaced-kep"]), expected);
        for arguments in [["--since", "HEAD", "--quiet"], ["--since", "HEAD", "--new-only"]] {
            let printed = repository.lint(&arguments);
            assert_eq!(findings(&printed), expected, "{arguments:?}: {}", printed.stderr);
            assert_eq!(printed.status, i32::from(path != NOTE), "{path}");
        }
        repository.git(&["add", "--all"]);
        assert_eq!(repository.findings(&["--staged"]), expected);
        // The next change does not bring it.
        repository.commit();
        repository.replace(
            "keps/sig-node/281-dynamic-kubelet-configuration/kep.yaml",
            "\nstatus:",
            "\ncolour: blue\nstatus:",
        );
        let found = repository.findings(&["--since", "HEAD", "--new-only"]);
        assert!(!found.is_empty() && found.iter().all(|found| !found.contains("misplaced")), "{found:?}");
        repository.git(&["reset", "-q", "--hard", "HEAD~1"]);
    }
}

#[test]
fn a_proposal_whose_directory_has_no_number_is_new_in_a_change() {
    let repository = Scratch::empty();
    repository.write(".kep-lint.yaml", "name: VEP\ndocuments: \"veps/{number}-{name}/vep.md\"\nmetadata: none\n");
    repository.write("veps/1-a/vep.md", "# VEP #1: A\n");
    repository.commit();
    assert_eq!(repository.findings(&[]), [""; 0]);
    repository.write("veps/new/vep.md", "# VEP: New\n");
    for arguments in [&[][..], &["veps"], &["--since", "HEAD"], &["--since", "HEAD", "--new-only"]] {
        assert_eq!(repository.findings(arguments), ["veps/new/vep.md misplaced-kep"], "{arguments:?}");
    }
    repository.git(&["add", "--all"]);
    assert_eq!(repository.findings(&["--staged"]), ["veps/new/vep.md misplaced-kep"]);
    assert_eq!(repository.findings(&["veps/1-a"]), [""; 0]);
    let configuration = repository.read(".kep-lint.yaml");
    repository.write(".kep-lint.yaml", &(configuration + "exclude: [veps/new]\n"));
    assert_eq!(repository.findings(&[]), [""; 0]);
}

#[test]
fn a_directory_keps_inside_keps_changes_nothing_else() {
    let repository = Scratch::sample();
    let kep = "keps/sig-node/281-dynamic-kubelet-configuration";
    let runs = |repository: &Scratch| {
        let runs = [vec!["keps/sig-node"], vec![kep], vec!["281"], vec!["ready", kep, "--format", "csv"]];
        let mut printed: Vec<_> = runs.map(|arguments| repository.lint(&arguments)).into();
        for directory in ["keps/sig-node", kep] {
            printed.extend([&[][..], &["281"]].map(|path| repository.lint_in(&repository.at(directory), path, &[])));
        }
        printed.into_iter().map(|printed| (printed.status, printed.stdout, printed.stderr)).collect::<Vec<_>>()
    };
    let before = runs(&repository);
    assert!(before.iter().all(|(status, ..)| *status < 2), "{before:#?}");
    repository.write(NOTE, "a note\n");
    repository.write("keps/sig-node/keps/sig-node/notes/note.md", "a note\n");
    assert_eq!(runs(&repository), before);
    // As files that were unpacked somewhere.
    fs::remove_dir_all(repository.at(".git")).expect("it is there");
    let without_git = |repository: &Scratch| {
        let paths = ["keps/sig-node", kep, "281"];
        paths.map(|path| repository.lint(&[path])).map(|printed| (printed.status, printed.stdout, printed.stderr))
    };
    assert_eq!(without_git(&repository)[..], before[..3]);
}
