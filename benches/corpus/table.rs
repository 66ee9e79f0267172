//! What people read: each thing that was measured, beside what is recorded of it.

use super::counting::Count;
use super::record::{Record, Verdict};
use std::array;

/// A value that is recorded by its name.
pub struct Figure {
    pub name: String,
    pub what: String,
    /// The value, or why there is none.
    pub value: Result<f64, String>,
    /// The highest allowed value, whatever is recorded.
    pub most: Option<f64>,
}

impl Figure {
    /// The cells that say what is recorded, and how the value compares with it; and whether the run fails.
    fn judged(&self, record: &Record) -> ([String; 2], bool) {
        let recorded = record.value(&self.name).map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
        let (verdict, is_red) = match &self.value {
            Err(problem) => (format!("RED: {problem}"), true),
            Ok(value) => {
                let over = self.most.filter(|most| value > most).map(Verdict::Over);
                let verdict = over.unwrap_or_else(|| record.verdict(&self.name, *value));
                (verdict.to_string(), verdict.is_red())
            }
        };
        ([recorded, verdict], is_red)
    }

    fn shown(&self) -> String {
        self.value.as_ref().map_or_else(|_| "–".to_owned(), |value| format!("{value:.2}"))
    }
}

/// A row, and its instructions and those of its floor.
pub struct Ratio {
    pub figure: Figure,
    pub counts: [Count; 2],
    /// The processes of git, if they are counted.
    pub processes: Option<Figure>,
}

/// Prints the rows, and returns the names of the red ones.
pub fn print_ratios(ratios: &[Ratio], record: &Record) -> Vec<String> {
    if ratios.is_empty() {
        return Vec::new();
    }
    let mut red = Vec::new();
    let head = ["row", "what is measured", "M instructions", "floor", "ratio", "record", "verdict"].map(str::to_owned);
    let line = |Ratio { figure, counts, .. }: &Ratio| {
        let ([recorded, verdict], is_red) = figure.judged(record);
        red.extend(is_red.then(|| figure.name.clone()));
        let [run, floor] =
            counts.each_ref().map(|count| count.as_ref().map_or("–".to_owned(), |count| millions(*count)));
        [figure.name.clone(), figure.what.clone(), run, floor, figure.shown(), recorded, verdict]
    };
    print([head].into_iter().chain(ratios.iter().map(line)).collect());
    red
}

/// Prints the other figures, and returns the names of the red ones.
pub fn print_figures(figures: &[Figure], record: &Record) -> Vec<String> {
    if figures.is_empty() {
        return Vec::new();
    }
    let mut red = Vec::new();
    let head = ["figure", "what is measured", "measured", "record", "verdict"].map(str::to_owned);
    let line = |figure: &Figure| {
        let ([recorded, verdict], is_red) = figure.judged(record);
        red.extend(is_red.then(|| figure.name.clone()));
        [figure.name.clone(), figure.what.clone(), figure.shown(), recorded, verdict]
    };
    print([head].into_iter().chain(figures.iter().map(line)).collect());
    red
}

/// Prints lines with columns: the first two and the last are text, the others numbers.
fn print<const COLUMNS: usize>(lines: Vec<[String; COLUMNS]>) {
    let longest = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
    let widths: [usize; COLUMNS] = array::from_fn(longest);
    println!();
    for line in &lines {
        let cells = line.iter().zip(widths).enumerate().map(|(column, (cell, width))| match column {
            0 | 1 => format!("{cell:width$}"),
            _ if column + 1 == COLUMNS => cell.clone(),
            _ => format!("{cell:>width$}"),
        });
        println!("{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}

/// A count in millions, with commas.
pub fn millions(count: u64) -> String {
    let digits = (count / 1_000_000).to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    format!("{}.{}", groups.join(","), count % 1_000_000 / 100_000)
}
