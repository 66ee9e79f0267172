//! Runs that a signal ends while they write.

use crate::support::program::command;
use crate::support::spread;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;
use tempfile::TempDir;

const KEPS: usize = 30;
const UNFIXED: &str = "# KEP-99: Prefetch images\n";

/// How many milliseconds after the first file has changed the signal comes.
const DELAYS: [u64; 20] = [0, 1, 2, 3, 5, 8, 12, 17, 23, 30, 38, 47, 57, 68, 80, 100, 130, 160, 200, 250];

/// A tree with KEPs that have a wrong title.
struct World {
    tree: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self { tree: tempfile::tempdir().expect("a directory") };
        for number in 1..=KEPS {
            let readme = world.readme(number);
            fs::create_dir_all(readme.parent().expect("it has one")).expect("a directory");
            fs::write(readme.with_file_name("kep.yaml"), "status: withdrawn\n").expect("a file");
        }
        world
    }

    fn readme(&self, number: usize) -> PathBuf {
        self.tree.path().join(format!("keps/sig-node/{number}-x/README.md"))
    }

    fn read(&self, number: usize) -> String {
        fs::read_to_string(self.readme(number)).expect("it is there at every moment")
    }

    /// Writes all texts as they were, and starts to fix them.
    fn start(&self, program: &mut Command) -> Child {
        (1..=KEPS).for_each(|number| fs::write(self.readme(number), UNFIXED).expect("a file"));
        program.args(["--fix", "--select", "bad-title", "--format", "json=report.json", "keps"]);
        let mut child = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it can be started");
        while (1..=KEPS).all(|number| self.read(number) == UNFIXED) && child.try_wait().is_ok_and(|end| end.is_none()) {
            sleep(Duration::from_millis(1));
        }
        child
    }

    /// Asserts that each text is the old or the new one, and that nothing else is there. Returns how many are new.
    fn is_tidy(&self) -> usize {
        assert_eq!(names(self.tree.path()).iter().filter(|name| *name != "report.json").count(), 1);
        let is_new = |number: &usize| {
            let (text, fixed) = (self.read(*number), format!("# KEP-{number}: Prefetch images\n"));
            assert!(text == UNFIXED || text == fixed, "{text}");
            assert_eq!(names(self.readme(*number).parent().expect("it has one")), ["README.md", "kep.yaml"]);
            text == fixed
        };
        (1..=KEPS).filter(is_new).count()
    }
}

/// The names in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = directory.read_dir().expect("it can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(status.expect("it can be started").success());
}

/// Ends runs by a signal, and returns how many of them were not complete.
fn end_by(signal: &str, number: i32) -> usize {
    let world = World::new();
    let ends_in_the_middle = |delay: &u64| {
        let mut child = world.start(&mut command(world.tree.path()));
        sleep(Duration::from_millis(*delay));
        send(signal, &child);
        let status = child.wait().expect("it ends");
        let fixed = world.is_tidy();
        // A run may be complete already. A test that runs in the background may ignore Ctrl-C.
        assert!(status.signal() == Some(number) || (status.success() && fixed == KEPS), "{signal}: {status}");
        status.signal().is_some() && fixed < KEPS
    };
    spread(DELAYS.to_vec(), 7).iter().filter(|delay| ends_in_the_middle(delay)).count()
}

#[test]
fn no_unfinished_file_is_left() {
    let in_the_middle: usize = thread::scope(|scope| {
        let signals = [("-INT", 2), ("-TERM", 15), ("-HUP", 1)];
        let runs = signals.map(|(signal, number)| scope.spawn(move || end_by(signal, number)));
        runs.map(|run| run.join().expect("it asserts")).iter().sum()
    });
    assert!(in_the_middle > 0, "every run was complete before its signal");
}

#[test]
fn a_signal_that_is_ignored_stays_so() {
    let world = World::new();
    let program = command(world.tree.path());
    let mut shell = crate::support::program::scrubbed("bash", world.tree.path());
    shell.args(["-c", "trap '' HUP && exec \"$@\"", "bash"]).arg(program.get_program());
    let mut child = world.start(&mut shell);
    send("-HUP", &child);
    assert!(child.wait().expect("it ends").success());
    assert_eq!(world.is_tidy(), KEPS);
}
