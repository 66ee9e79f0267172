//! Measures how long linting the real corpus takes on one thread, compared with the floor: the time of the two parsers
//! alone; and how long the program takes to answer about readiness, compared with linting all. Run with
//! `cargo bench --bench corpus`.

#[path = "support/floor.rs"]
mod floor;

use floor::{parse_only, read};
use kep_lint::lint::{Options, lint};
use kep_lint::repository::Repository;
use kep_lint::template::Template;
use std::env;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How often each time is measured; the best one counts.
const ROUNDS: usize = 10;

/// The highest allowed ratio of linting to the floor.
const GOAL: f64 = 2.0;

/// The highest allowed ratio of the table of a release to linting all.
const TABLE_GOAL: f64 = 1.5;

/// The highest allowed time of an answer about one KEP, in milliseconds.
const ANSWER_GOAL: f64 = 20.0;

fn main() {
    let Some(root) = env::var_os("KEP_LINT_SHARED") else {
        println!("skipped: KEP_LINT_SHARED is not set, so there is no corpus");
        return;
    };
    let mut keps = Vec::new();
    read(&Path::new(&root).join("corpus/keps"), &mut keps);
    let bytes: usize = keps.iter().flat_map(|kep| &kep.files).map(|file| file.text.len()).sum();
    let template = Template::built_in();
    let repository = Repository::default();
    let options = Options::default();

    let floor = best(|| keps.iter().map(parse_only).sum());
    let whole = best(|| keps.iter().map(|kep| lint(kep, &template, &repository, &options).diagnostics.len()).sum());

    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let ratio = whole.as_secs_f64() / floor.as_secs_f64();
    let speed = bytes as f64 / 1e6 / whole.as_secs_f64();
    println!("{} KEPs, {:.1} MB, one thread, best of {ROUNDS}", keps.len(), bytes as f64 / 1e6);
    println!("parsers alone {:.1} ms", milliseconds(floor));
    println!("lint          {:.1} ms, {speed:.0} MB/s", milliseconds(whole));
    println!("ratio         {ratio:.2} (goal: at most {GOAL:.1})");
    measure_program(&Path::new(&root).join("corpus"));
}

/// Runs the program on all its threads in the `corpus`.
fn measure_program(corpus: &Path) {
    let time = |arguments: &[&str]| {
        let run = || {
            let output = Command::new(env!("CARGO_BIN_EXE_kep-lint")).current_dir(corpus).args(arguments).output();
            output.expect("the program runs").stdout.len()
        };
        best(run).as_secs_f64() * 1000.0
    };
    let whole = time(&["keps"]);
    let table = time(&["ready", "--milestone", "v1.37"]);
    let one = time(&["ready", "4671", "--stage", "beta", "--release", "v1.37"]);
    println!("the program, all threads, best of {ROUNDS}");
    println!("lint          {whole:.1} ms");
    println!("table         {table:.1} ms, ratio {:.2} (goal: at most {TABLE_GOAL:.1})", table / whole);
    println!("ready, a KEP  {one:.1} ms (goal: at most {ANSWER_GOAL:.0})");
}

/// The shortest measured time of `job`.
fn best(job: impl Fn() -> usize) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(job());
        start.elapsed()
    };
    (0..ROUNDS).map(time).min().unwrap_or_default()
}
