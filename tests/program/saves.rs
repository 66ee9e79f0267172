//! Runs that another one, a kill or a limit of the system comes between: what they leave, and what the next run does. What
//! other programs save in the middle of a run is tested in `src/cli/write/saves.rs`.

use crate::authoring::{is_refused, run, tree};
use crate::support::program::{PROGRAM, printed, scrubbed};
use crate::support::scratch::Scratch;
use std::fs::{self, File};

const KEP: &str = "keps/sig-node/42-prefetch-images";
const REVIEW: &str = "keps/prod-readiness/sig-node/42.yaml";
const NEW: [&str; 5] = ["new", "node", "42", "Prefetch", "images"];

/// Commands that write to a tree with this KEP, and one that makes another.
const COMMANDS: [&[&str]; 6] = [
    &["--fix", "--unsafe-fixes", "42"],
    &["--add-ignores=later", "keps"],
    &["promote", "42", "beta", "--release", "v1.38"],
    &["new", "node", "43", "Another"],
    &["template", "annotate", "--fix", "template.md"],
    &["config", "init"],
];

/// A tree with a new KEP, of whose README a required section is missing, and with a template.
fn world() -> Scratch {
    let scratch = tree();
    let printed = run(&scratch, &NEW);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    scratch.replace(&format!("{KEP}/README.md"), "### Scalability\n", "");
    scratch.write("template.md", "# KEP-NNNN: Title\n\n## Summary\n\n## Motivation\n");
    scratch.commit();
    scratch
}

/// The paths that git sees as changed.
fn changed(scratch: &Scratch) -> String {
    scratch.git(&["status", "--short", "--untracked-files=all"])
}

#[test]
fn a_run_that_writes_waits_for_no_other() {
    let scratch = world();
    let lock = File::create(scratch.at(".git/kep-lint.lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    for arguments in COMMANDS {
        let printed = run(&scratch, arguments);
        let says = "error: another kep-lint writes to this repository\n  help: run kep-lint again when it has ended\n";
        assert_eq!((printed.status, printed.stderr.as_str()), (2, says), "{arguments:?}");
        assert_eq!(changed(&scratch), "", "{arguments:?}");
    }
    // What only reads goes on.
    for arguments in
        [&["42"][..], &["--diff", "42"], &["promote", "42", "beta", "--diff"], &["new", "node", "43", "X", "--diff"]]
    {
        assert!(!run(&scratch, arguments).stderr.contains("another kep-lint"), "{arguments:?}");
    }
    drop(lock);
    for arguments in COMMANDS {
        let printed = run(&scratch, arguments);
        assert!(printed.status < 2, "{arguments:?}: {}", printed.stderr);
        assert_ne!(changed(&scratch), "", "{arguments:?}");
        scratch.commit();
    }
}

#[test]
fn a_planted_repository_has_no_lock() {
    let scratch = world();
    for (path, text) in [("keps/HEAD", "ref: refs/heads/main\n"), ("keps/objects/x", ""), ("keps/refs/heads/x", "")] {
        scratch.write(path, text);
    }
    let planted = File::create(scratch.at("keps/kep-lint.lock")).expect("a file");
    planted.lock().expect("nobody else has it");
    assert_eq!(run(&scratch, &["--fix", "--unsafe-fixes", "42"]).status, 0);
    assert!(scratch.at(".git/kep-lint.lock").is_file());
}

#[test]
fn a_promotion_that_was_ended_is_completed() {
    let scratch = world();
    let arguments = ["promote", "42", "beta", "--release", "v1.38"];
    let printed = run(&scratch, &arguments);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let paths = [REVIEW.to_owned(), format!("{KEP}/README.md"), format!("{KEP}/kep.yaml")];
    let wanted = changed(&scratch);
    assert!(paths.iter().all(|path| wanted.contains(path.as_str())), "{wanted}");
    let after = paths.clone().map(|path| scratch.read(&path));
    for written in 0..paths.len() {
        scratch.git(&["checkout", "-q", "."]);
        paths.iter().zip(&after).take(written).for_each(|(path, text)| scratch.write(path, text));
        scratch.write(&format!("{KEP}/.kep-lint-aBcDeF"), "unfinished");
        let printed = run(&scratch, &arguments);
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        assert_eq!(paths.clone().map(|path| scratch.read(&path)), after, "{written}");
    }
    is_refused(&scratch, &arguments, "it is at beta for v1.38 already");
}

#[test]
fn a_new_kep_that_was_ended_is_completed() {
    let scratch = tree();
    assert_eq!(run(&scratch, &NEW).status, 0);
    let paths = [REVIEW.to_owned(), format!("{KEP}/README.md"), format!("{KEP}/kep.yaml")];
    let texts = paths.clone().map(|path| scratch.read(&path));
    for written in 0..paths.len() {
        fs::remove_dir_all(scratch.at(KEP)).expect("it is there");
        fs::remove_file(scratch.at(REVIEW)).expect("it is there");
        fs::create_dir_all(scratch.at(KEP)).expect("a directory");
        paths.iter().zip(&texts).take(written).for_each(|(path, text)| scratch.write(path, text));
        scratch.write(&format!("{KEP}/.kep-lint-aBcDeF"), "unfinished");
        let printed = run(&scratch, &NEW);
        assert_eq!(printed.status, 0, "{written}: {}", printed.stderr);
        assert_eq!(paths.clone().map(|path| scratch.read(&path)), texts, "{written}");
        let lines: Vec<String> = paths.iter().skip(written).map(|path| format!("wrote {path}\n")).collect();
        assert_eq!(printed.stdout, lines.concat());
        let note = "the other files are there from a run that was ended\n";
        assert_eq!(printed.stderr.contains(note), written > 0, "{}", printed.stderr);
    }
    is_refused(&scratch, &NEW, "KEP 42 exists: `keps/sig-node/42-prefetch-images`");
}

#[test]
fn a_new_kep_that_is_not_completed_is_named() {
    let scratch = tree();
    assert_eq!(run(&scratch, &NEW).status, 0);
    fs::remove_file(scratch.at(&format!("{KEP}/kep.yaml"))).expect("it is there");
    let says = format!("error: KEP 42 is half made: `{KEP}` has no kep.yaml\n");
    is_refused(&scratch, &["new", "node", "42", "Pull images early"], &says);
    let remove = format!("`rm -r {KEP} {REVIEW}`");
    is_refused(&scratch, &["new", "node", "42", "Pull images early"], &remove);
    scratch.replace(&format!("{KEP}/README.md"), "## Summary\n", "## Summary\n\nMine.\n");
    is_refused(&scratch, &NEW, &says);
    is_refused(&scratch, &NEW, &remove);
    scratch.replace(REVIEW, "@TBD", "@pat");
    is_refused(&scratch, &NEW, &format!("`rm -r {KEP}`"));
    scratch.write(&format!("{KEP}/design.md"), "Mine.\n");
    is_refused(&scratch, &NEW, "KEP 42 exists");
}

#[cfg(unix)]
#[test]
fn a_limit_for_the_size_of_files_is_said() {
    let scratch = world();
    let report: &[&str] = &["--format", "json=report.json", "42"];
    for arguments in COMMANDS.into_iter().chain([report]) {
        let mut command = scrubbed("bash", &scratch.root);
        command.args(["-c", "ulimit -f 0 && exec \"$@\"", "bash", PROGRAM]).args(arguments);
        let printed = printed(&command.output().expect("bash is installed"));
        assert_eq!(printed.status, 2, "{arguments:?}: {}", printed.stderr);
        let says =
            "file too large\n  help: raise the limit for the size of files, such as with `ulimit -f unlimited`\n";
        assert!(printed.stderr.contains(says), "{arguments:?}: {}", printed.stderr);
        assert_eq!(changed(&scratch), "", "{arguments:?}");
    }
}
