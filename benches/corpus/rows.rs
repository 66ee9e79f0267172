//! What is measured against the floor, and how: a row is a run of the program, or a check in memory.

use super::counting::{Count, command, counted, counting, number};
use super::itself::{DRAIN, LINT};
use super::table::Figure;
use super::trees::{COMMITS, History, count_keps, files_of};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_kep-lint");

/// The SIG whose KEPs are checked, one of its KEPs, and that KEP's number.
pub const SIG: &str = "keps/sig-storage";
const KEP: &str = "keps/sig-storage/1472-storage-capacity-tracking";
const NUMBER: &str = "1472";

/// The KEP whose README is as long as half of the others at most, and the one with the longest.
const MEDIAN: &str = "keps/sig-instrumentation/5207-metrics-k8s-io-api-definition";
const LARGEST: &str = "keps/sig-scheduling/5517-dra-node-allocatable-resources";

/// How a check is run: without the lines for people, and without an exit status for findings.
const CHECK: [&str; 5] = ["--quiet", "--format", "json", "--fail-on", "never"];

/// How a run may end: it is answered, also if a KEP is not ready.
const STATUSES: [i32; 2] = [0, 1];

/// The names of the rows, in the order of the table.
pub const NAMES: [&str; 14] = [
    "sample",
    "sig-storage",
    "corpus",
    "kep",
    "number",
    "stdin",
    "clone",
    "since-1",
    "since-20",
    "ready-kep",
    "ready-release",
    "check-median",
    "check-largest",
    "version",
];

/// The rows in a repository of git, of which the processes of git are counted as well.
pub const IN_GIT: [&str; 3] = ["clone", "since-1", "since-20"];

/// What the figure of these processes is called.
pub fn processes_name(row: &str) -> String {
    format!("{row}-git")
}

/// Something that is measured, with the files that the floor reads.
pub struct Row {
    pub name: &'static str,
    pub what: String,
    work: Work,
    floor: Vec<PathBuf>,
}

enum Work {
    /// A run of the program.
    Run(Run),
    /// A check of a KEP in memory, after a first one.
    Check,
}

/// How the program is run: where, with what, and with which file as standard input.
pub struct Run {
    folder: PathBuf,
    arguments: Vec<OsString>,
    input: Option<PathBuf>,
}

impl Run {
    fn new(folder: &Path, arguments: &[&str]) -> Self {
        Self { folder: folder.to_owned(), arguments: arguments.iter().map(OsString::from).collect(), input: None }
    }

    /// Runs what a command measures. Standard output is dropped.
    pub fn output(&self, mut command: Command) -> Result<Output, String> {
        let input = self.input.as_ref().map_or(Ok(Stdio::null()), |file| File::open(file).map(Stdio::from));
        command.current_dir(&self.folder).args(&self.arguments).stdout(Stdio::null());
        // `ready` has no `--jobs`, which goes before this.
        command.env("RAYON_NUM_THREADS", "1");
        input.and_then(|input| command.stdin(input).output()).map_err(|problem| problem.to_string())
    }

    /// Its instructions.
    pub fn instructions(&self) -> Count {
        counted(&self.output(counting(Path::new(PROGRAM)))?, &STATUSES)
    }

    /// The processes of git that it starts: each of them writes a file of its own.
    fn processes(&self) -> Count {
        let folder = tempfile::tempdir().map_err(|problem| problem.to_string())?;
        let mut program = command(PROGRAM);
        program.env("GIT_TRACE2_EVENT", folder.path());
        self.output(program)?;
        Ok(fs::read_dir(folder.path()).map_err(|problem| problem.to_string())?.count() as u64)
    }

    /// The blocks that it allocates.
    pub fn blocks(&self) -> Count {
        let mut valgrind = command("valgrind");
        valgrind.args(["--tool=memcheck", "--undef-value-errors=no", "--leak-check=no", PROGRAM]);
        number(&self.output(valgrind)?, &STATUSES, "total heap usage:")
    }
}

impl Row {
    /// Its instructions.
    pub fn instructions(&self) -> Count {
        match &self.work {
            Work::Run(run) => run.instructions(),
            Work::Check => second(LINT, &self.floor),
        }
    }

    /// The processes of git that it starts, if it is a row in a repository.
    pub fn processes(&self) -> Option<Figure> {
        let Work::Run(run) = &self.work else { return None };
        if !IN_GIT.contains(&self.name) {
            return None;
        }
        let value = run.processes().map(|count| count as f64);
        Some(Figure { name: processes_name(self.name), what: "processes of git".to_owned(), value, most: None })
    }

    /// The instructions of its floor.
    pub fn floor(&self) -> Count {
        match &self.work {
            Work::Run(_) => of_itself(DRAIN, 1, &self.floor),
            Work::Check => second(DRAIN, &self.floor),
        }
    }
}

/// The instructions of a second time of what this program does itself.
fn second(job: &str, paths: &[PathBuf]) -> Count {
    let [once, twice] = [1, 2].map(|times| of_itself(job, times, paths));
    Ok(twice?.saturating_sub(once?))
}

/// The instructions of what this program does itself.
fn of_itself(job: &str, times: usize, paths: &[PathBuf]) -> Count {
    let own = env::current_exe().map_err(|problem| problem.to_string())?;
    let mut valgrind = counting(&own);
    valgrind.arg(job).arg(times.to_string()).args(paths);
    counted(&valgrind.output().map_err(|problem| problem.to_string())?, &[0])
}

/// The rows: of the sample, of the corpus if it is there, and of the repository that was made from it, if it is needed.
pub fn rows(corpus: Option<&Path>, history: Option<&History>) -> Vec<Row> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sample = project.join("fixtures/sample/keps");
    let run = check(project, &["fixtures/sample/keps", "--isolated"], 1);
    let mut rows = vec![
        row("sample", format!("{} KEPs of the sample", count_keps(&sample)), run, vec![sample]),
        row("version", "--version".to_owned(), Run::new(project, &["--version"]), Vec::new()),
    ];
    if let Some(corpus) = corpus {
        rows.extend(of_trees(corpus));
        rows.extend(of_one(corpus));
        rows.extend(of_readiness(corpus));
        rows.extend([
            in_memory("check-median", &corpus.join(MEDIAN)),
            in_memory("check-largest", &corpus.join(LARGEST)),
        ]);
    }
    rows.extend(history.into_iter().flat_map(of_changes));
    rows.sort_by_key(|row| NAMES.iter().position(|name| *name == row.name));
    rows
}

fn row(name: &'static str, what: String, run: Run, floor: Vec<PathBuf>) -> Row {
    Row { name, what, work: Work::Run(run), floor }
}

/// A check of what the arguments name, on so many threads.
fn check(folder: &Path, arguments: &[&str], threads: usize) -> Run {
    Run::new(folder, &[arguments, &CHECK, &["--jobs", &threads.to_string()]].concat())
}

/// The runs on a SIG and on all KEPs.
fn of_trees(corpus: &Path) -> [Row; 2] {
    let (sig, all) = (corpus.join(SIG), corpus.join("keps"));
    let keps = format!("{} KEPs", count_keps(&sig));
    let all_keps = format!("all {} KEPs", count_keps(&all));
    [row("sig-storage", keps, of_sig(corpus), vec![sig]), row("corpus", all_keps, of_all(corpus, 1), vec![all])]
}

/// The run on a SIG.
pub fn of_sig(corpus: &Path) -> Run {
    check(corpus, &[SIG, "--isolated"], 1)
}

/// The run on all KEPs of a repository, on so many threads.
pub fn of_all(root: &Path, threads: usize) -> Run {
    check(root, &["keps"], threads)
}

/// The runs on one KEP.
fn of_one(corpus: &Path) -> [Row; 3] {
    let floor = || files_of(&corpus.join(KEP));
    let readme = format!("{KEP}/README.md");
    let mut stdin = check(corpus, &["-", "--stdin-filename", &readme], 1);
    stdin.input = Some(corpus.join(&readme));
    [
        row("kep", format!("KEP-{NUMBER} by its path"), check(corpus, &[KEP], 1), floor()),
        row("number", format!("KEP-{NUMBER} by its number"), check(corpus, &[NUMBER], 1), floor()),
        row("stdin", format!("the README of KEP-{NUMBER} on standard input"), stdin, floor()),
    ]
}

/// The run on one KEP, and the runs on what commits changed.
fn of_changes(history: &History) -> [Row; 3] {
    let of = |name, commits| {
        let since = format!("HEAD~{commits}");
        let keps = history.changed(commits);
        let s = if keps.len() == 1 { "" } else { "s" };
        let run = check(history.root(), &["--since", &since, "--new-only"], 1);
        let floor = keps.iter().flat_map(|kep| files_of(kep)).collect();
        row(name, format!("--since {since} --new-only: {} KEP{s}", keps.len()), run, floor)
    };
    let in_clone = check(history.root(), &[NUMBER], 1);
    let clone =
        row("clone", format!("KEP-{NUMBER} by its number in a clone"), in_clone, files_of(&history.root().join(KEP)));
    [clone, of("since-1", 1), of("since-20", COMMITS)]
}

/// The runs on readiness.
fn of_readiness(corpus: &Path) -> [Row; 2] {
    let kep = ["ready", "4671", "--stage", "beta", "--release", "v1.37"];
    let release = ["ready", "--milestone", "v1.37"];
    let files = files_of(&corpus.join("keps/sig-scheduling/4671-gang-scheduling"));
    [
        row("ready-kep", kep.join(" "), Run::new(corpus, &kep), files),
        row("ready-release", release.join(" "), Run::new(corpus, &release), vec![corpus.join("keps")]),
    ]
}

/// A check in memory.
fn in_memory(name: &'static str, kep: &Path) -> Row {
    let readme = kep.join("README.md");
    let bytes = readme.metadata().map_or(0, |file| file.len());
    let what = format!("one more check in memory, another README of {} kB", bytes / 1000);
    Row { name, what, work: Work::Check, floor: vec![readme] }
}
