//! What linting costs: the instructions of the program on one thread, beside the floor, which reads the same files and drains
//! the two parsers, and does nothing else. The ratio of both is recorded in `benches/corpus.txt`, because it changes little
//! with the compiler and the machine; a run fails if one is more than 5 % above the record.
//!
//! ```sh
//! cargo bench --bench corpus                      # all rows, the blocks that a KEP needs, and memory
//! cargo bench --bench corpus -- --all             # the cost of several copies of the corpus as well: minutes
//! cargo bench --bench corpus -- stdin since-20    # some rows
//! cargo bench --bench corpus -- --update          # records what was measured
//! ```
//!
//! Both counts include the start of a program, which is one or two million instructions (the row `version`), except for the
//! checks in memory: these are the second one of two, for which every pattern is compiled. The instructions of git are not
//! counted. The floor of a KEP reads its PRR file as well. With `--profile test`, the program is the one that the tests
//! build; its figures are recorded beside the others.

#[path = "support/counting.rs"]
mod counting;
#[path = "support/floor.rs"]
mod floor;
#[path = "corpus/growth.rs"]
mod growth;
#[path = "corpus/itself.rs"]
mod itself;
#[path = "corpus/record.rs"]
mod record;
#[path = "corpus/rows.rs"]
mod rows;
#[path = "corpus/table.rs"]
mod table;
#[path = "corpus/trees.rs"]
mod trees;

use counting::is_there;
use rayon::prelude::*;
use record::Record;
use rows::{IN_GIT, NAMES, Row, rows};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use table::{Figure, Ratio, print_figures, print_ratios};
use trees::History;

/// The names of what is no row: the blocks that a KEP needs, and the memory and cost of copies of the corpus.
const OTHERS: [&str; 3] = [growth::BLOCKS, "memory", "growth"];

/// What is measured.
struct Wanted {
    names: Vec<String>,
    is_all: bool,
    is_update: bool,
}

impl Wanted {
    /// Reads the arguments.
    fn of(arguments: Vec<String>) -> Result<Self, String> {
        let (flags, names): (Vec<_>, Vec<_>) = arguments.into_iter().partition(|argument| argument.starts_with('-'));
        let known = || NAMES.iter().chain(&OTHERS).copied();
        let unknown_name = names.iter().find(|name| !known().any(|known| known == *name));
        let unknown_flag = flags.iter().find(|flag| !["--all", "--update"].contains(&flag.as_str()));
        if let Some(unknown) = unknown_flag.or(unknown_name) {
            let known: Vec<&str> = known().collect();
            return Err(format!(
                "unknown: {unknown}\nusage: [--all] [--update] [ROW]…, the rows are {}",
                known.join(" ")
            ));
        }
        let has = |flag: &str| flags.iter().any(|given| given == flag);
        Ok(Self { names, is_all: has("--all"), is_update: has("--update") })
    }

    /// Whether it was named, or nothing was. Growth takes minutes, so that it is measured only if it is asked for.
    fn has(&self, name: &str) -> bool {
        let is_default = self.names.is_empty() && name != "growth";
        self.is_all || is_default || self.names.iter().any(|wanted| wanted == name)
    }
}

fn main() -> ExitCode {
    // cargo adds `--bench`.
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if itself::is_done(&arguments) {
        return ExitCode::SUCCESS;
    }
    match Wanted::of(arguments).and_then(|wanted| measure(&wanted)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and prints what is wanted. Whether all of it is as recorded.
fn measure(wanted: &Wanted) -> Result<bool, String> {
    is_there()?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/corpus.txt");
    let record = Record::read(file, profile(), rustc()).map_err(|problem| problem.to_string())?;
    println!("profile {}, {}, cachegrind counts", profile(), rustc());
    let corpus = env::var_os("KEP_LINT_SHARED").map(|shared| PathBuf::from(shared).join("corpus"));
    let corpus = corpus.filter(|corpus| corpus.join("keps").is_dir());
    if corpus.is_none() {
        println!("only the sample is measured: KEP_LINT_SHARED names no folder with a corpus");
    }
    let mut ratios = ratios(wanted, corpus.as_deref());
    let mut red = print_ratios(&ratios, &record);
    let mut others = corpus.map(|corpus| others(wanted, &corpus)).unwrap_or_default();
    others.extend(ratios.iter_mut().filter_map(|ratio| ratio.processes.take()));
    red.extend(print_figures(&others, &record));
    let figures: Vec<Figure> = ratios.into_iter().map(|ratio| ratio.figure).chain(others).collect();
    if wanted.is_update { update(record, &figures) } else { Ok(conclude(&record, &figures, &red)) }
}

/// The rows that are wanted, each with its ratio to the floor.
fn ratios(wanted: &Wanted, corpus: Option<&Path>) -> Vec<Ratio> {
    let is_in_git = IN_GIT.iter().any(|name| wanted.has(name));
    let history = corpus.filter(|_| is_in_git).map(History::of);
    let rows = rows(corpus, history.as_ref()).into_iter().filter(|row| wanted.has(row.name)).collect::<Vec<_>>();
    let ratio = |row: Row| {
        let (run, floor) = rayon::join(|| row.instructions(), || row.floor());
        let value = run.clone().and_then(|run| Ok(run as f64 / floor.clone()? as f64));
        let processes = row.processes();
        let figure = Figure { name: row.name.to_owned(), what: row.what, value, most: None };
        Ratio { figure, counts: [run, floor], processes }
    };
    rows.into_par_iter().with_max_len(1).map(ratio).collect()
}

/// The other figures that are wanted.
fn others(wanted: &Wanted, corpus: &Path) -> Vec<Figure> {
    let mut figures = Vec::new();
    if wanted.has(growth::BLOCKS) {
        figures.push(growth::blocks(corpus));
    }
    let (is_memory, is_cost) = (wanted.has("memory"), wanted.has("growth"));
    if is_memory || is_cost {
        figures.extend(growth::of_copies(corpus, is_memory, is_cost));
    }
    figures
}

/// Says which compiler the record names, and which figures are red. Whether none is.
fn conclude(record: &Record, figures: &[Figure], red: &[String]) -> bool {
    println!();
    let flag = if profile() == "test" { " --profile test" } else { "" };
    let command = format!("cargo bench{flag} --bench corpus -- --update [ROW]…");
    if let Some(other) = figures.iter().find_map(|figure| record.other_rustc(&figure.name)) {
        println!("the record was made with {other}, this is {}", rustc());
        println!(
            "a ratio changes little with the compiler, because the floor changes as well; `{command}` records this one"
        );
    }
    if red.is_empty() {
        println!("nothing is more than recorded; `{command}` records what is less");
    } else {
        println!("RED: {}", red.join(", "));
        println!("`{command}` records what is worth it");
    }
    red.is_empty()
}

/// Records the figures. Whether there was a value for all of them.
fn update(mut record: Record, figures: &[Figure]) -> Result<bool, String> {
    for figure in figures {
        if let Ok(value) = figure.value {
            record.set(&figure.name, value);
        }
    }
    let others: Vec<String> = growth::names().into_iter().chain(IN_GIT.map(rows::processes_name)).collect();
    let is_figure = |name: &str| NAMES.contains(&name) || others.iter().any(|other| other == name);
    record.write(is_figure).map_err(|problem| problem.to_string())?;
    println!("\nrecorded in benches/corpus.txt");
    Ok(figures.iter().all(|figure| figure.value.is_ok()))
}

/// The profile that cargo built the program with: `release`, or `test`, whose folder is `debug`.
fn profile() -> &'static str {
    let is_debug = Path::new(rows::PROGRAM).parent().is_some_and(|folder| folder.ends_with("debug"));
    if is_debug { "test" } else { "release" }
}

/// The compiler, with its version.
fn rustc() -> String {
    let output = Command::new("rustc").arg("-V").output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).trim().to_owned()
}
