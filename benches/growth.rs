//! Checks how the cost of linting grows with the size of the input. An input of four times the size may cost at most
//! five times as much. Cost is counted in instructions, which are the same on every machine and in every run; because
//! counting is slow, only patterns whose time grows suspiciously are counted. Run with `cargo bench --bench growth`; add
//! `-- NAME` for the patterns with that name, all of them counted, or `-- --sizes 25000,100000` to print counts and times
//! at these sizes without a check.

#[path = "support/counting.rs"]
mod counting;
#[path = "growth/patterns.rs"]
mod patterns;

use counting::{Count, command, counted, counting, is_there};
use patterns::commands::{ALSO, FILES, FIX, IGNORES, JSON, Job, NEWER, PRETTY, TEMPLATE};
use patterns::{FIXED, Files, METADATA, PATTERNS, PRINTED, Place, README, TREES, file};
use rayon::prelude::*;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

/// A constant difference in cost between two sizes, in instructions, which does not count as growth: for example, a KEP
/// without an answer has other findings than a KEP with an answer.
const ONCE: u64 = 2_000_000;

/// The sizes of a text, in bytes.
const SIZES: [usize; 2] = [20_000, 80_000];

/// The highest allowed ratio of the larger size to the smaller.
const MOST: f64 = 5.0;

/// The highest allowed number of instructions at the smaller size. If it is exceeded, the larger size is not measured,
/// because that could take hours. Linear patterns need two thirds of this at most, without any optimization.
const MOST_AT_FIRST: u64 = 4_000_000_000;

/// The sizes whose times are compared first, in multiples of the sizes above. The larger a text, the more of its time is
/// the part that grows fastest, and the less the part that is the same for every text.
const TIMED: usize = 4;

/// A pattern is counted if its time grows by more than this ratio. A linear pattern's time grows by less than four, because
/// every run takes a constant time as well.
const SUSPICIOUS: f64 = 4.0;

/// A pattern that takes longer at the smaller size is not timed at the larger one. With `--sizes`, it is not counted
/// either.
const LAST: Duration = Duration::from_secs(3);

/// A measurement: the files at a size, and the command.
struct Row {
    name: String,
    sizes: [usize; 2],
    files: Box<dyn Fn(usize) -> Files + Sync + Send>,
    job: Job,
}

fn main() -> ExitCode {
    if let Err(problem) = is_there() {
        eprintln!("{problem}");
        return ExitCode::FAILURE;
    }
    // cargo adds `--bench`.
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (sizes, names) = match arguments.split_first() {
        Some((flag, [sizes, names @ ..])) if flag == "--sizes" => (Some(sizes.as_str()), names),
        _ => (None, arguments.as_slice()),
    };
    let is_wanted = |row: &Row| names.is_empty() || names.iter().any(|name| row.name.contains(name));
    let rows: Vec<Row> = rows().into_iter().filter(is_wanted).collect();
    match sizes {
        None if names.is_empty() => check(&suspicious(rows)),
        None => check(&rows),
        Some(sizes) => {
            let sizes = sizes.split(',').map(|size| size.parse().expect("sizes are numbers, with commas between them"));
            measure(&rows, &sizes.collect::<Vec<_>>());
            ExitCode::SUCCESS
        }
    }
}

/// All measurements.
fn rows() -> Vec<Row> {
    let row = |job: Job, name: &str, sizes: [usize; 2], files: Box<dyn Fn(usize) -> Files + Sync + Send>| {
        let name = if job.name.is_empty() { name.to_owned() } else { format!("{name} {}", job.name) };
        Row { name, sizes, files, job }
    };
    let pattern = |job: Job, pattern: patterns::Pattern| {
        row(job, pattern.0, SIZES, Box::new(move |size| vec![file(pattern, size)]))
    };
    let all = || PATTERNS.iter().chain(IGNORES).chain(NEWER);
    let named = |name: &str| *all().find(|it| it.0 == name).unwrap_or_else(|| panic!("unknown pattern `{name}`"));
    let linted = all().map(|it| pattern(if it.1 == Place::Template { TEMPLATE } else { JSON }, *it));
    let also = [(FIX, FIXED), (PRETTY, PRINTED)].into_iter().chain(ALSO.iter().copied());
    let also = also.flat_map(|(job, names)| names.iter().map(move |name| (job, *name)));
    let also = also.map(|(job, name)| pattern(job, named(name)));
    let trees = TREES.iter().map(|(name, sizes, files)| row(JSON, name, *sizes, Box::new(files)));
    let files = FILES.iter().map(|(job, (name, sizes, files))| row(*job, name, *sizes, Box::new(files)));
    linted.chain(also).chain(trees).chain(files).collect()
}

/// The rows whose time grows too fast, that take too long, or that fail, and the first of all, so that every run counts
/// one. Counting a row that fails prints its exit status.
fn suspicious(rows: Vec<Row>) -> Vec<Row> {
    let all = rows.len();
    let is_suspicious = |row: &Row| {
        let [small, large] = row.sizes.map(|size| size * TIMED);
        let (Some(first), Some(second)) = (wall_time(row, small), wall_time(row, small)) else { return true };
        let small_time = first.min(second);
        let is_too_slow = |time: Duration| time.as_secs_f64() > SUSPICIOUS * small_time.as_secs_f64();
        small_time > LAST || wall_time(row, large).is_none_or(is_too_slow)
    };
    let indexed = rows.into_par_iter().enumerate().with_max_len(1);
    let to_count: Vec<Row> =
        indexed.filter(|(index, row)| *index == 0 || is_suspicious(row)).map(|(_, row)| row).collect();
    println!("{all} patterns timed, {} of them counted", to_count.len());
    to_count
}

/// Counts all rows at two sizes and prints the result. Fails if one grows too fast.
fn check(rows: &[Row]) -> ExitCode {
    let nothing = |_| Files::new();
    let floor = instructions(&Row { name: String::new(), sizes: SIZES, files: Box::new(nothing), job: JSON }, 0);
    let floor = floor.unwrap_or_else(|problem| panic!("an empty KEP: {problem}"));
    let counts: Vec<[Count; 2]> = rows.par_iter().with_max_len(1).map(|row| both(row, floor)).collect();
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
    println!(
        "{:width$}  {:>9}  {:>9}  ratio   (millions of instructions at a size and at four times the size)",
        "pattern", "1", "4"
    );
    let mut failed = Vec::new();
    for (row, pair) in rows.iter().zip(&counts) {
        let (line, is_good) = match pair {
            [Ok(small), Ok(large)] => {
                let ratio = *large as f64 / (*small + ONCE) as f64;
                (format!("{:>9}  {:>9}  {ratio:.2}", millions(*small), millions(*large)), ratio <= MOST)
            }
            [Ok(small), Err(problem)] => (format!("{:>9}  {problem}", millions(*small)), false),
            [Err(problem), _] => (problem.clone(), false),
        };
        println!("{:width$}  {line}{}", row.name, if is_good { "" } else { "   FAILED" });
        failed.extend((!is_good).then_some(row.name.as_str()));
    }
    println!("{} patterns, {} grow faster than their size", rows.len(), failed.len());
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!(
        "at four times the size, these cost more than {MOST} times as much, or failed:\n  {}",
        failed.join("\n  ")
    );
    ExitCode::FAILURE
}

/// The instructions at both sizes, minus those of an empty KEP.
fn both(row: &Row, floor: u64) -> [Count; 2] {
    let [small, large] = row.sizes;
    let count = |size| instructions(row, size).map(|count| count.saturating_sub(floor));
    let small = count(small);
    let large = match small {
        Ok(small) if small > MOST_AT_FIRST => Err("too many already".to_owned()),
        _ => count(large),
    };
    [small, large]
}

fn millions(count: u64) -> String {
    format!("{:.1}", count as f64 / 1e6)
}

/// Prints instructions and wall times of all rows at `sizes`, up to the first one that takes too long.
fn measure(rows: &[Row], sizes: &[usize]) {
    for row in rows {
        println!("{}", row.name);
        for size in sizes {
            // The sizes of trees are numbers of files.
            let size = if row.sizes == SIZES { *size } else { size * row.sizes[0] / SIZES[0] };
            let time = wall_time(row, size);
            let is_too_slow = time.is_some_and(|time| time > LAST);
            let count = if is_too_slow { Err("too long to count".to_owned()) } else { instructions(row, size) };
            let count = count.map_or_else(|problem| problem, |count| format!("{} M instructions", millions(count)));
            println!("  {size:>9}  {:>9.3} s  {count}", time.unwrap_or_default().as_secs_f64());
            if is_too_slow {
                break;
            }
        }
    }
}

/// The number of instructions that the program executes for a row at a size.
fn instructions(row: &Row, size: usize) -> Count {
    let folder = written(row, size);
    let valgrind = counting(Path::new(env!("CARGO_BIN_EXE_kep-lint")));
    let output = arguments(valgrind, row, folder.path()).output().map_err(|problem| problem.to_string())?;
    counted(&output, row.job.statuses)
}

/// The wall time of the program without valgrind, or `None` if it fails.
fn wall_time(row: &Row, size: usize) -> Option<Duration> {
    let folder = written(row, size);
    let mut job = arguments(command(env!("CARGO_BIN_EXE_kep-lint")), row, folder.path());
    let start = Instant::now();
    let status = job.stderr(Stdio::null()).status().expect("the program was built with this");
    let time = start.elapsed();
    status.code().is_some_and(|code| row.job.statuses.contains(&code)).then_some(time)
}

fn arguments(mut command: Command, row: &Row, folder: &Path) -> Command {
    command.args(row.job.arguments);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// A temporary folder with an empty KEP and the files of the row.
fn written(row: &Row, size: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let kep = [("README.md", README), ("kep.yaml", METADATA)];
    let kep = kep.map(|(name, text)| (format!("keps/sig-node/1-x/{name}"), text.to_owned()));
    for (path, text) in kep.into_iter().chain((row.files)(size)) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("files are in a folder")).expect("folders can be created");
        fs::write(path, text).expect("files can be written");
    }
    folder
}
