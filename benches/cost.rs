//! Checks what a run on one SIG costs, in instructions: so many times the floor, which is draining the two parsers over the
//! same files. Both sides change alike with the compiler and its options. Run with `cargo bench --profile test --bench cost`,
//! because the limits are those of the program that the tests build.

#[path = "support/counting.rs"]
mod counting;
#[path = "support/floor.rs"]
mod floor;

use counting::{Count, counted, counting, is_there};
use floor::{parse_only, read};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

/// What is linted, and how many times the floor it may cost: a tenth more than it did when this was written.
struct Row {
    name: &'static str,
    keps: PathBuf,
    most: f64,
}

fn main() -> ExitCode {
    // cargo adds `--bench`.
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, keps] = arguments.as_slice()
        && flag == "--floor"
    {
        let mut texts = Vec::new();
        read(Path::new(keps), &mut texts);
        println!("{}", texts.iter().map(parse_only).sum::<usize>());
        return ExitCode::SUCCESS;
    }
    if let Err(problem) = is_there() {
        eprintln!("{problem}");
        return ExitCode::FAILURE;
    }
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sample/keps");
    let mut rows = vec![Row { name: "the sample", keps: sample, most: 18.4 }];
    match env::var_os("KEP_LINT_SHARED").map(|shared| Path::new(&shared).join("corpus/keps/sig-storage")) {
        Some(keps) if keps.is_dir() => rows.push(Row { name: "sig-storage", keps, most: 48.5 }),
        _ => println!("only the sample is measured: KEP_LINT_SHARED names no folder with a corpus"),
    }
    let mut status = ExitCode::SUCCESS;
    for Row { name, keps, most } in rows {
        match (of_run(&keps), of_floor(&keps)) {
            (Ok(run), Ok(floor)) => {
                let ratio = run as f64 / floor as f64;
                let millions = |count: u64| count as f64 / 1e6;
                println!("{name}: {:.1} M instructions, parsers alone {:.1} M", millions(run), millions(floor));
                println!("{name}: ratio {ratio:.2} (at most {most:.2})");
                if ratio > most {
                    status = ExitCode::FAILURE;
                }
            }
            (Err(problem), _) | (_, Err(problem)) => {
                eprintln!("{name}: {problem}");
                status = ExitCode::FAILURE;
            }
        }
    }
    status
}

/// The instructions of the program on one thread.
fn of_run(keps: &Path) -> Count {
    let mut valgrind = counting(Path::new(env!("CARGO_BIN_EXE_kep-lint")));
    valgrind.args(["--isolated", "--jobs", "1", "--quiet", "--format", "json", "--fail-on", "never"]).arg(keps);
    let output = valgrind.stdout(Stdio::null()).output().map_err(|problem| problem.to_string())?;
    counted(&output, &[0])
}

/// The instructions of this program when it drains the parsers.
fn of_floor(keps: &Path) -> Count {
    let own = env::current_exe().map_err(|problem| problem.to_string())?;
    let output = counting(&own).arg("--floor").arg(keps).output().map_err(|problem| problem.to_string())?;
    counted(&output, &[0])
}
