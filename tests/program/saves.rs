//! Runs that a kill or a limit of the system ends: what they leave, and what the next run does. What other programs save in
//! the middle of a run stays.

use crate::authoring::{is_refused, run, tree};
use crate::support::program::{PROGRAM, command, printed, scrubbed};
use crate::support::scratch::Scratch;
#[cfg(target_os = "linux")]
use notify::{RecursiveMode, Watcher};
use std::fs;
#[cfg(target_os = "linux")]
use std::process::Stdio;
#[cfg(target_os = "linux")]
use std::sync::mpsc;
#[cfg(target_os = "linux")]
use std::time::Duration;

const KEP: &str = "keps/sig-node/42-prefetch-images";
const REVIEW: &str = "keps/prod-readiness/sig-node/42.yaml";
const NEW: [&str; 5] = ["new", "node", "42", "Prefetch", "images"];

/// Commands that write to a tree with this KEP, and one that makes another.
const COMMANDS: [&[&str]; 7] = [
    &["--fix", "--unsafe-fixes", "42"],
    &["--add-ignores=later", "keps"],
    &["promote", "42", "beta", "--release", "v1.38"],
    &["upgrade", "42"],
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

/// Saves a file as editors do, as soon as a command has opened it so often. Returns whether the command then refused to write.
#[cfg(target_os = "linux")]
fn is_refused_after_a_save(arguments: &[&str], path: &str, openings: usize) -> bool {
    let scratch = world();
    // What takes a while to compute leaves time for a save.
    scratch.write(path, &(scratch.read(path) + &"\nA line of text.\n".repeat(2_000)));
    let (sender, events) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(sender).expect("Linux tells who opens a file");
    watcher.watch(&scratch.at(path), RecursiveMode::NonRecursive).expect("it is there");
    let mut program = command(&scratch.root);
    program.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = program.spawn().expect("the program was built with this test");
    for _ in 0..openings {
        events.recv_timeout(Duration::from_secs(60)).expect("it is opened").expect("nothing is in the way");
    }
    scratch.write("saved", "mine\n");
    fs::rename(scratch.at("saved"), scratch.at(path)).expect("it can be renamed");
    let printed = printed(&child.wait_with_output().expect("the program ends by itself"));
    // The save may have come before the text was read, or after it was written.
    assert!(scratch.read(path).contains("mine\n"), "{arguments:?}: {}", printed.stderr);
    let entries = scratch.at(path).parent().and_then(|directory| directory.read_dir().ok()).expect("it is there");
    assert!(!entries.flatten().any(|entry| entry.file_name().to_string_lossy().contains(".kep-lint-")));
    printed.status == 2 && printed.stderr.contains(&format!("`{path}`: it has changed since it was read\n"))
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_saved_while_a_command_computes_stays() {
    let readme = format!("{KEP}/README.md");
    let [fix, ignores, promote, upgrade, _, annotate, _] = COMMANDS;
    for (arguments, path, openings) in [
        (fix, readme.as_str(), 1),
        (ignores, &readme, 2),
        (promote, &readme, 1),
        (upgrade, &readme, 1),
        (annotate, "template.md", 1),
    ] {
        assert!((0..9).any(|_| is_refused_after_a_save(arguments, path, openings)), "{arguments:?}");
    }
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
