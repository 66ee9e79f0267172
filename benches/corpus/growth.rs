//! What else is recorded: the blocks that a KEP needs, and how the cost and the memory of the corpus grow with its size.

use super::counting::command;
use super::rows::{PROGRAM, Run, SIG, of_all, of_sig};
use super::table::{Figure, millions};
use super::trees::{copies, count_keps};
use rayon::prelude::*;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// How many KEPs there are for each one of the corpus.
const TIMES: [usize; 4] = [1, 2, 5, 10];

/// With how many threads memory is measured.
const THREADS: [usize; 2] = [1, 2];

/// The most memory that a run may need, in MiB.
const MOST: f64 = 220.0;

/// The names of all figures.
pub fn names() -> Vec<String> {
    let memory = TIMES.iter().flat_map(|times| THREADS.map(|threads| memory_name(*times, threads)));
    [BLOCKS.to_owned()].into_iter().chain(TIMES.map(cost_name)).chain(memory).collect()
}

/// The name of the figure of blocks.
pub const BLOCKS: &str = "blocks";

fn cost_name(times: usize) -> String {
    format!("{times}x-cost")
}

fn memory_name(times: usize, threads: usize) -> String {
    format!("{times}x-memory-{threads}")
}

/// The blocks that each KEP of a SIG needs.
pub fn blocks(corpus: &Path) -> Figure {
    let keps = count_keps(&corpus.join(SIG));
    let value = of_sig(corpus).blocks().map(|blocks| blocks as f64 / keps as f64);
    Figure {
        name: BLOCKS.to_owned(),
        what: format!("blocks allocated for each of the {keps} KEPs of {SIG}"),
        value,
        most: None,
    }
}

/// Measures copies of the corpus: memory, instructions, or both.
pub fn of_copies(corpus: &Path, is_memory: bool, is_cost: bool) -> Vec<Figure> {
    let trees: Vec<(usize, TempDir)> = TIMES.into_par_iter().map(|times| (times, copies(corpus, times))).collect();
    let mut figures = Vec::new();
    if is_cost {
        figures.extend(costs(&trees));
    }
    if is_memory {
        // One after the other, so that each has the processors alone.
        figures.extend(trees.iter().flat_map(|(times, tree)| THREADS.map(|threads| memory(*times, tree, threads))));
    }
    figures
}

/// The instructions of the larger sizes, as multiples of those of the first.
fn costs(trees: &[(usize, TempDir)]) -> Vec<Figure> {
    let counts: Vec<_> =
        trees.par_iter().with_max_len(1).map(|(_, tree)| of_all(tree.path(), 1).instructions()).collect();
    let one = counts.first().cloned().unwrap_or(Ok(1));
    let figure = |((times, tree), count): (&(usize, TempDir), _)| {
        let keps = count_keps(tree.path());
        let what = match &count {
            Ok(count) => format!("times one copy: {} M instructions for {keps} KEPs", millions(*count)),
            Err(_) => format!("instructions for {keps} KEPs"),
        };
        let value = count.and_then(|count| Ok(count as f64 / one.clone()? as f64));
        Figure { name: cost_name(*times), what, value, most: None }
    };
    trees.iter().zip(counts).skip(1).map(figure).collect()
}

/// The most memory that is resident at a time.
fn memory(times: usize, tree: &TempDir, threads: usize) -> Figure {
    let s = if threads == 1 { "" } else { "s" };
    let value = peak(&of_all(tree.path(), threads));
    let what = format!("MiB at most on {threads} thread{s}");
    Figure { name: memory_name(times, threads), what, value, most: Some(MOST) }
}

/// The most memory that is resident at a time, in MiB. GNU time asks the system when the program has ended.
fn peak(run: &Run) -> Result<f64, String> {
    let file = tempfile::NamedTempFile::new().map_err(|problem| problem.to_string())?;
    let mut time = command("/usr/bin/time");
    time.arg("--format=%M").arg("--output").arg(file.path()).arg(PROGRAM);
    let output = run.output(time)?;
    if !output.status.success() {
        return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let printed = fs::read_to_string(file.path()).map_err(|problem| problem.to_string())?;
    let kibibytes: f64 = printed.trim().parse().map_err(|_| format!("GNU time printed `{printed}`"))?;
    Ok(kibibytes / 1024.0)
}
