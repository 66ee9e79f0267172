//! What another program saves while a command writes is kept. These tests save at each moment of each command.

#![expect(clippy::shadow_unrelated, reason = "a test goes on with what its next step gives")]

use super::moment::Moment;
use super::moment::tests::{with, without_exchange};
use crate::cli::args::{Arguments, Command};
use crate::cli::authoring::{new, promote};
use crate::cli::outcome::Outcome;
use crate::cli::{check, template};
use clap::Parser;
use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::TempDir;

const README: &str = "keps/sig-node/1-a/README.md";
const METADATA: &str = "keps/sig-node/1-a/kep.yaml";
const REVIEW: &str = "keps/prod-readiness/sig-node/1.yaml";
const TEMPLATE: &str = "template.md";

/// The texts of the files of a KEP with something to fix.
const FILES: [(&str, &str); 4] = [
    (
        README,
        "# Images\n\n<!-- toc -->\n- [Summary](#summary)\n<!-- /toc -->\n\n## Summary\n\nPull early.\n\n## Motivation\n",
    ),
    (
        METADATA,
        "title: Images\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\nreviewers: [\"@bob\"]\napprovers: [\"@lee\"]\n\
         creation-date: 2026-01-01\nstatus: implementable\nstage: alpha\nlatest-milestone: v1.37\nmilestone:\n  alpha: v1.37\n",
    ),
    (REVIEW, "kep-number: 1\nalpha:\n  approver: \"@pat\"\n"),
    (TEMPLATE, "# KEP-NNNN: Title\n\n## Summary\n\n## Motivation\n"),
];

/// The commands that write, each with a file that it changes.
const COMMANDS: [(&[&str], &str); 6] = [
    (&["check", "--fix", "KEPS"], README),
    (&["check", "--add-ignores=later", "KEPS"], README),
    (&["promote", "KEP", "beta", "--release", "v1.38"], REVIEW),
    (&["promote", "KEP", "beta", "--release", "v1.38"], README),
    (&["promote", "KEP", "beta", "--release", "v1.38"], METADATA),
    (&["template", "annotate", "--fix", "TEMPLATE"], TEMPLATE),
];

struct World {
    _directory: TempDir,
    root: PathBuf,
}

impl World {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
        let world = Self { _directory: directory, root };
        for (path, text) in FILES {
            let path = world.at(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
        world
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs a command in this process. What went wrong is returned; of a check, it is printed.
    fn run(&self, arguments: &[&str]) -> Result<(), String> {
        let path = |path: &str| self.at(path).to_str().expect("it is UTF-8").to_owned();
        let mut words = vec!["kep-lint".to_owned()];
        words.extend(arguments.iter().map(|word| match *word {
            "KEPS" => path("keps"),
            "KEP" => path("keps/sig-node/1-a"),
            "TEMPLATE" => path(TEMPLATE),
            word => word.to_owned(),
        }));
        if arguments.first() == Some(&"check") {
            words.push(format!("--format=concise={}", path("report.txt")));
        }
        let outcome = match Arguments::try_parse_from(words).expect("they are right").command {
            Some(Command::Check(arguments)) => check::run(&arguments, None),
            Some(Command::Promote(arguments)) => promote::run(&arguments),
            Some(Command::New(arguments)) => new::run_in(&self.root, &arguments),
            Some(Command::Template { command }) => template::run(&command),
            _ => panic!("{arguments:?} is not run here"),
        };
        match outcome {
            Ok(Outcome::Clean | Outcome::Findings) => Ok(()),
            Ok(Outcome::Incomplete) => Err("it has changed since it was read".to_owned()),
            Err(failure) => Err(failure.message),
        }
    }

    /// The same, with `save` once `moment` is reached for the file at `path`.
    fn run_and(
        &self,
        arguments: &[&str],
        (moment, path): (Moment, &str),
        save: impl FnOnce() + 'static,
    ) -> Result<(), String> {
        let wanted = self.at(path);
        let save = Rc::new(RefCell::new(Some(save)));
        let action = {
            let save = Rc::clone(&save);
            move |reached: Moment, place: &Path| {
                if reached == moment && place == wanted {
                    save.take().into_iter().for_each(|save| save());
                }
            }
        };
        let result = with(action, || self.run(arguments));
        assert!(save.take().is_none(), "{arguments:?} does not reach {moment:?}");
        result
    }

    /// The names of all files that are not among [`FILES`].
    fn others(&self) -> Vec<String> {
        fn collect(directory: &Path, paths: &mut Vec<PathBuf>) {
            for entry in directory.read_dir().expect("it is there") {
                let path = entry.expect("it is there").path();
                if path.is_dir() {
                    collect(&path, paths);
                } else {
                    paths.push(path);
                }
            }
        }
        let mut paths = Vec::new();
        collect(&self.root, &mut paths);
        paths.retain(|path| FILES.iter().all(|(file, _)| *path != self.at(file)));
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut names: Vec<String> = paths.iter().map(name).filter(|name| name != "report.txt").collect();
        names.sort();
        names
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Append,
    InPlace,
    Rename,
    Link,
    Directory,
    Delete,
}

const WAYS: [How; 6] = [How::Append, How::InPlace, How::Rename, How::Link, How::Directory, How::Delete];

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).open(path).expect("it is there");
    file.write_all(text.as_bytes()).expect("it can be written");
}

fn rename(path: &Path, text: &str) {
    let beside = path.with_extension("editor");
    fs::write(&beside, text).expect("a file");
    fs::rename(beside, path).expect("it can be renamed");
}

impl How {
    fn save(self, path: &Path) {
        match self {
            Self::Append => append(path, "mine\n"),
            Self::InPlace => fs::write(path, "mine\n").expect("it can be written"),
            Self::Rename => rename(path, "mine\n"),
            Self::Link | Self::Directory | Self::Delete => fs::remove_file(path).expect("it is there"),
        }
        match self {
            #[cfg(unix)]
            Self::Link => std::os::unix::fs::symlink("elsewhere", path).expect("a link"),
            Self::Directory => fs::create_dir(path).expect("a directory"),
            _ => {}
        }
    }

    /// Asserts that what was saved is there as it was saved.
    fn is_kept(self, path: &Path, before: &str) {
        let metadata = path.symlink_metadata();
        match self {
            Self::Append => assert_eq!(fs::read_to_string(path).ok(), Some(format!("{before}mine\n"))),
            Self::InPlace | Self::Rename => assert_eq!(fs::read_to_string(path).ok().as_deref(), Some("mine\n")),
            Self::Link => assert_eq!(path.read_link().ok(), Some(PathBuf::from("elsewhere"))),
            Self::Directory => assert!(metadata.is_ok_and(|metadata| metadata.is_dir())),
            Self::Delete => assert!(metadata.is_err()),
        }
    }
}

#[test]
fn what_is_saved_before_the_new_text_is_in_place_stays() {
    for (arguments, path) in COMMANDS {
        for how in WAYS.into_iter().filter(|how| *how != How::Link || cfg!(unix)) {
            for can_exchange in [true, false] {
                let world = World::new();
                let place = world.at(path);
                let job = || {
                    let place = place.clone();
                    world.run_and(arguments, (Moment::Compared, path), move || how.save(&place))
                };
                let result = if can_exchange { job() } else { without_exchange(job) };
                let case = format!("{arguments:?} {path} {how:?} {can_exchange}");
                let message = result.expect_err(&case);
                assert!(message.ends_with("it has changed since it was read"), "{case}: {message}");
                for (other, before) in FILES {
                    if other == path {
                        how.is_kept(&place, before);
                    } else if arguments[0] == "promote" {
                        // Of a promotion, nothing is written then.
                        assert_eq!(world.read(other), before, "{case}");
                    }
                }
                assert_eq!(world.others(), [""; 0], "{case}");
            }
        }
    }
}

#[test]
fn what_is_saved_in_the_place_of_the_new_text_stays() {
    let moments: &[Moment] =
        if cfg!(target_os = "linux") { &[Moment::Exchanged, Moment::Placed] } else { &[Moment::Placed] };
    for (arguments, path) in COMMANDS {
        for &moment in moments {
            let world = World::new();
            let place = world.at(path);
            let result = world.run_and(arguments, (moment, path), move || rename(&place, "mine\n"));
            assert_eq!(result, Ok(()), "{arguments:?}");
            assert_eq!((world.read(path).as_str(), world.others()), ("mine\n", Vec::new()), "{arguments:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_had_the_file_open_may_still_write_to_it() {
    for (arguments, path) in COMMANDS {
        let world = World::new();
        let mut file = OpenOptions::new().append(true).open(world.at(path)).expect("it is there");
        let write = move || file.write_all(b"mine\n").expect("it can be written");
        let message = world.run_and(arguments, (Moment::Placed, path), write).expect_err("it has changed");
        assert!(message.ends_with("it has changed since it was read"), "{message}");
        let before = FILES.iter().find(|(file, _)| *file == path).map_or("", |(_, text)| text);
        assert_eq!((world.read(path), world.others()), (format!("{before}mine\n"), Vec::new()), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_keeps_the_file_open_has_it_back() {
    let world = World::new();
    let mut file = OpenOptions::new().append(true).open(world.at(README)).expect("it is there");
    let message = world.run(&["promote", "KEP", "beta", "--release", "v1.38"]).expect_err("it is open");
    assert!(message.ends_with("README.md`: another program has it open"), "{message}");
    file.write_all(b"mine\n").expect("it can be written");
    assert_eq!(world.read(README), format!("{}mine\n", FILES[0].1));
    assert_eq!((world.read(METADATA).as_str(), world.others()), (FILES[1].1, Vec::new()));
}

/// Saves once before the exchange, and again at `moment`. Returns the message, and both files afterwards.
#[cfg(target_os = "linux")]
fn saved_twice(moment: Moment) -> (String, String, String) {
    let world = World::new();
    let place = world.at(README);
    let action = move |reached: Moment, path: &Path| {
        if path == place && reached == Moment::Compared {
            rename(path, "first\n");
        }
        if path == place && reached == moment {
            rename(path, "second\n");
        }
    };
    let message = with(action, || world.run(&["promote", "KEP", "beta", "--release", "v1.38"]));
    assert_eq!(world.others(), ["README.md.saved"]);
    assert_eq!((world.read(METADATA).as_str(), world.read(REVIEW).as_str()), (FILES[1].1, FILES[2].1));
    (message.expect_err("it has changed"), world.read(README), world.read("keps/sig-node/1-a/README.md.saved"))
}

#[cfg(target_os = "linux")]
#[test]
fn of_two_saves_in_one_moment_both_are_kept() {
    let says = "README.md`: it has changed since it was read; what another program saved is in `";
    let (message, place, beside) = saved_twice(Moment::Exchanged);
    assert!(message.contains(says) && message.ends_with("/README.md.saved`"), "{message}");
    assert_eq!((place.as_str(), beside.as_str()), ("second\n", "first\n"));
    let (message, place, beside) = saved_twice(Moment::Undoing);
    assert!(message.contains(says), "{message}");
    assert_eq!((place.as_str(), beside.as_str()), ("first\n", "second\n"));
}

#[test]
fn a_file_that_was_saved_since_is_not_undone() {
    for can_exchange in [true, false] {
        let world = World::new();
        let (readme, metadata) = (world.at(README), world.at(METADATA));
        let save = move || {
            append(&readme, "mine\n");
            append(&metadata, "# mine\n");
        };
        let run =
            || world.run_and(&["promote", "KEP", "beta", "--release", "v1.38"], (Moment::Compared, METADATA), save);
        let result = if can_exchange { run() } else { without_exchange(run) };
        let message = result.expect_err("kep.yaml has changed");
        assert!(message.contains("kep.yaml`: it has changed since it was read; `"), "{message}");
        assert!(message.ends_with("1-a/README.md` stays as it is now"), "{message}");
        assert!(world.read(README).ends_with("mine\n") && world.read(README).contains("### Scalability"));
        assert_eq!(world.read(METADATA), format!("{}# mine\n", FILES[1].1));
        assert_eq!((world.read(REVIEW).as_str(), world.others()), (FILES[2].1, Vec::new()));
    }
}

#[test]
fn a_new_file_takes_no_place_and_goes_only_as_it_came() {
    const NEW: [&str; 4] = ["new", "node", "7", "Prefetch images"];
    let directory = "keps/sig-node/7-prefetch-images";
    let (readme, metadata) = (format!("{directory}/README.md"), format!("{directory}/kep.yaml"));
    let world = World::new();
    let place = world.at(&metadata);
    let save = move || fs::write(place, "mine\n").expect("a file");
    let message = world.run_and(&NEW, (Moment::Compared, &metadata), save).expect_err("it exists");
    assert!(message.ends_with("kep.yaml`: it exists"), "{message}");
    assert_eq!((world.read(&metadata).as_str(), world.others()), ("mine\n", vec!["kep.yaml".to_owned()]));

    for moment in [Moment::Compared, Moment::Undoing] {
        let world = World::new();
        let (first, last) = (world.at(&readme), world.at(&metadata));
        let action = move |reached: Moment, place: &Path| {
            if reached == Moment::Compared && place == last {
                drop(File::create_new(&last).expect("nothing is there"));
            }
            let is_due = if moment == Moment::Compared { place == last } else { place == first };
            if reached == moment && is_due {
                append(&first, "mine\n");
            }
        };
        let message = with(action, || world.run(&NEW)).expect_err("it exists");
        assert!(message.ends_with("7-prefetch-images/README.md` stays as it is now"), "{message}");
        assert!(world.read(&readme).ends_with("mine\n"));
        assert_eq!(world.others(), ["README.md", "kep.yaml"], "{moment:?}");
    }
}

#[test]
fn one_of_two_runs_is_refused() {
    let world = World::new();
    fs::create_dir_all(world.at(".git/objects")).expect("a directory");
    fs::write(world.at(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
    let lock = File::create(world.at(".git/kep-lint.lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    let new: (&[&str], &str) = (&["new", "node", "7", "Prefetch images"], "");
    for (arguments, _) in COMMANDS.into_iter().chain([new]) {
        let message = world.run(arguments).expect_err("it is locked");
        let is_said = arguments[0] == "check" || message == "another kep-lint writes to this repository";
        assert!(is_said, "{arguments:?}: {message}");
        assert!(FILES.iter().all(|(path, text)| world.read(path) == *text), "{arguments:?}");
    }
    // A program that another test has started may have a copy of the file.
    lock.unlock().expect("it is locked");
    for arguments in [COMMANDS[0].0, COMMANDS[2].0, new.0] {
        assert_eq!(world.run(arguments), Ok(()), "{arguments:?}");
    }
}
