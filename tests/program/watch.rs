//! `--watch`: what is printed after a file changes, in the program as it runs.

use crate::support::program::{command, kep_lint};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Much longer than a check takes, also on a computer that is busy.
const DEADLINE: Duration = Duration::from_secs(60);

/// The program that watches files, and what it prints.
struct Watching {
    child: Child,
    parts: Receiver<String>,
    /// What it has printed since the last change.
    printed: String,
}

/// Asserts that the program checks KEPs with these arguments, and goes on.
pub fn starts(tree: &Path, arguments: &[&str]) {
    let arguments: Vec<&str> = arguments.iter().filter(|argument| **argument != "--watch").copied().collect();
    drop(Watching::start(tree, &arguments));
}

impl Watching {
    fn start(tree: &Path, arguments: &[&str]) -> Self {
        let mut command = command(tree);
        command.args(["--watch", "--format", "concise"]).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self::of(&mut command)
    }

    /// Starts a command, and reads those of its streams that are piped.
    fn of(command: &mut Command) -> Self {
        let mut child = command.spawn().expect("the program was built with this test");
        let (sender, parts) = channel();
        let stdout = child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>);
        let stderr = child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>);
        for mut stream in stdout.into_iter().chain(stderr) {
            let sender = sender.clone();
            thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = stream.read(&mut bytes) {
                    let _ = sender.send(String::from_utf8_lossy(&bytes[..count]).into_owned());
                }
            });
        }
        let mut watching = Self { child, parts, printed: String::new() };
        watching.wait_for("watching for changes");
        watching
    }

    /// Waits until the program has printed all of `text` since the last change.
    fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + DEADLINE;
        while !self.printed.contains(text) {
            let left = end.saturating_duration_since(Instant::now());
            match self.parts.recv_timeout(left) {
                Ok(part) => self.printed += &part,
                Err(_) => panic!("`{text}` is not printed: {}", self.printed),
            }
        }
    }

    /// Makes a change, and waits until `text` is printed and the check is done.
    fn after(&mut self, change: impl FnOnce(), text: &str) {
        self.printed.clear();
        change();
        self.wait_for(text);
        self.wait_for("watching for changes");
        // Only a terminal is cleared.
        assert!(!self.printed.contains('\u{1b}'), "{}", self.printed);
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tree with one KEP.
fn tree() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let keps = directory.path().join("keps");
    kep(&keps, "1-x", "# KEP-1: X\n");
    (directory, keps)
}

fn kep(keps: &Path, name: &str, readme: &str) {
    let directory = keps.join("sig-node").join(name);
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("kep.yaml"), "status: withdrawn\n").expect("a file");
    fs::write(directory.join("README.md"), readme).expect("a file");
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
}

/// What is printed when nobody reads it is the end.
#[test]
fn without_a_reader_it_ends() {
    let (tree, keps) = tree();
    let mut command = command(tree.path());
    command.args(["--watch", "--format", "concise", "--quiet"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program was built with this test");
    let mut output = child.stdout.take().expect("it is piped");
    assert!(output.read(&mut [0; 10]).expect("it prints findings") > 0);
    drop(output);
    let end = Instant::now() + DEADLINE;
    while child.try_wait().expect("it was started").is_none() {
        assert!(Instant::now() < end, "it lives on");
        kep(&keps, "1-x", "# KEP-1: Y\n\n##Z\n");
        thread::sleep(Duration::from_millis(300));
    }
}

/// A link to a directory is not followed, which is said; the other KEPs are checked.
#[cfg(unix)]
#[test]
fn a_link_to_a_directory_is_named_until_it_is_gone() {
    let (tree, keps) = tree();
    fs::create_dir(tree.path().join("elsewhere")).expect("a directory");
    let (link, readme) = (keps.join("sig-node/2-y"), keps.join("sig-node/1-x/README.md"));
    let mut watching = Watching::start(tree.path(), &[]);
    let make = || std::os::unix::fs::symlink("../../elsewhere", &link).expect("a link");
    watching.after(make, "`keps/sig-node/2-y` is a link to a directory");
    watching.after(|| write(&readme, "# KEP-9: X\n"), "1-x/README.md:1:7: warning[bad-title]");
    assert!(watching.printed.contains("is a link to a directory"), "{}", watching.printed);
    watching.after(|| fs::remove_file(&link).expect("it was there"), "checked 1 KEP");
    assert!(!watching.printed.contains("is a link"), "{}", watching.printed);
}

#[test]
fn a_change_is_checked() {
    let (tree, keps) = tree();
    let kep_directory = keps.join("sig-node/1-x");
    let readme = kep_directory.join("README.md");
    let mut watching = Watching::start(tree.path(), &["--select", "bad-title,invalid-status,missing-readme"]);
    watching.after(|| write(&readme, "# KEP-2: X\n"), "1-x/README.md:1:7: warning[bad-title]");
    watching.after(|| write(&readme, "# KEP-1: X\n"), "0 errors, 0 warnings");
    // As many editors save.
    let replace = || {
        write(&kep_directory.join("README.md.new"), "# KEP-3: X\n");
        fs::rename(kep_directory.join("README.md.new"), &readme).expect("it is there");
    };
    watching.after(replace, "1-x/README.md:1:7: warning[bad-title]");
    watching.after(|| kep(&keps, "2-y", "# KEP-1: Y\n"), "2-y/README.md:1:7: warning[bad-title]");
    // The new directory is watched as well.
    let metadata = keps.join("sig-node/2-y/kep.yaml");
    watching.after(|| write(&metadata, "status: nope\n"), "error[invalid-status]");
    watching.after(|| fs::remove_file(&readme).expect("it is there"), "[missing-readme]");
    watching.after(|| fs::remove_dir_all(keps.join("sig-node/2-y")).expect("it is there"), "checked 1 KEP");
}

/// Editors know by these lines which findings belong together: docs/editors.md promises them.
#[test]
fn each_check_has_a_line_before_and_after_it() {
    let (tree, keps) = tree();
    let template = tree.path().join("template.md");
    write(&template, "# T\n\n## Summary\n");
    let mut watching = Watching::start(tree.path(), &["--template", "template.md", "--select", "bad-title"]);
    write(&keps.join("sig-node/1-x/README.md"), "# KEP-2: X\n");
    watching.wait_for("warning[bad-title]");
    // Whether the check can be completed makes no difference.
    write(&template, "no heading\n");
    watching.wait_for("cannot use `template.md`");
    let end = "watching for changes; Ctrl-C ends this\n";
    let from_error = |printed: &str| printed.split_once("cannot use").is_some_and(|(_, rest)| rest.contains(end));
    while !from_error(&watching.printed) {
        watching.printed += &watching.parts.recv_timeout(DEADLINE).expect("the line is printed");
    }
    let marks = watching.printed.lines().filter(|line| [end.trim_end(), "checking KEPs"].contains(line));
    let marks: Vec<&str> = marks.collect();
    assert!(marks.len() >= 6, "{marks:?}");
    for pair in marks.chunks(2) {
        assert_eq!(pair, ["checking KEPs", end.trim_end()], "{marks:?}");
    }
}

#[test]
fn other_files_that_findings_depend_on_are_watched() {
    let (tree, keps) = tree();
    let template = tree.path().join("own/template.md");
    fs::create_dir(tree.path().join("own")).expect("a directory");
    write(&template, "# T\n\n## Summary\n");
    let mut watching = Watching::start(
        tree.path(),
        &[
            "keps",
            "--template",
            "own/template.md",
            "--level",
            "suggestion",
            "--select",
            "approval,unknown-template-section",
        ],
    );
    let aliases = tree.path().join("OWNERS_ALIASES");
    watching.after(|| write(&aliases, "aliases: [\n"), "error[prr-approver]");
    watching.after(|| fs::remove_file(&aliases).expect("it is there"), "0 errors, 0 warnings");
    watching.after(|| write(&template, "# T\n\n## Summary\n\n## Cost\n"), "[unknown-template-section]");
    let reviews = keps.join("prod-readiness/sig-node");
    let review = || {
        fs::create_dir_all(&reviews).expect("a directory");
        write(&reviews.join("9.yaml"), "kep-number: 9\n");
    };
    watching.after(review, "[orphan-prr]");
}

#[test]
fn an_error_does_not_end_it() {
    let (tree, keps) = tree();
    let template = tree.path().join("template.md");
    write(&template, "# T\n\n## Summary\n");
    let report = tree.path().join("report.json");
    let options = ["keps", "--template", "template.md", "--format", "json=report.json"];
    let mut watching = Watching::start(tree.path(), &options);
    let text = || fs::read_to_string(&report).expect("it is written");
    let before = text();
    assert!(before.contains("\"keps\": 1"), "{before}");
    watching.after(|| write(&template, "no heading\n"), "cannot use `template.md`: it has no heading");
    assert_eq!(text(), before);
    watching.after(|| write(&template, "# T\n\n## Summary\n"), "checked 1 KEP");
    let away = tree.path().join("away");
    watching.after(|| fs::rename(&keps, &away).expect("it is there"), "`keps` does not exist");
    watching.after(|| fs::rename(&away, &keps).expect("it is there"), "checked 1 KEP");
    let readme = keps.join("sig-node/1-x/README.md");
    watching.after(|| write(&readme, "# KEP-2: X\n"), "[bad-title]");
}

/// A loop would not end: each check would begin the next one.
#[test]
fn a_report_is_no_change() {
    let (tree, keps) = tree();
    let output = fs::File::create(keps.join("output.txt")).expect("a file");
    let mut command = command(tree.path());
    command
        .args(["--watch", "--format", "concise", "--format", "json=keps/report.json", "--select", "bad-title"])
        .stdout(output);
    let mut watching = Watching::of(command.stderr(Stdio::piped()));
    for title in ["# KEP-2: X\n", "# KEP-3: X\n"] {
        watching.after(|| write(&keps.join("sig-node/1-x/README.md"), title), "1 warning");
        thread::sleep(Duration::from_millis(500));
        watching.printed.extend(watching.parts.try_iter());
        assert_eq!(watching.printed.matches("checking KEPs").count(), 1, "{}", watching.printed);
    }
    assert!(fs::read_to_string(keps.join("report.json")).expect("it is written").contains("KEP-3"));
}

#[test]
fn what_no_change_can_repair_ends_it() {
    let (tree, _) = tree();
    for (arguments, says) in [
        (["--watch", "--select", "bad-titel"], "did you mean `bad-title`?"),
        (["--watch", "--format", "json=nowhere/x.json"], "cannot write `nowhere/x.json`"),
        (["--watch", "--quiet", "nowhere"], "`nowhere` does not exist"),
    ] {
        let printed = kep_lint(tree.path(), arguments);
        assert_eq!(printed.status, 2, "{arguments:?}");
        assert!(printed.stderr.contains(says), "{}", printed.stderr);
    }
}
