//! The width of the screen that a command prints to.

use std::env;
use std::io::stdout;
use terminal_size::terminal_size_of;

/// The columns of text that is not printed to a terminal.
const DEFAULT_COLUMNS: usize = 80;

/// The columns that COLUMNS says, as for other programs; else those of the terminal that standard output is; else 80.
pub fn width() -> usize {
    let variable = env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let terminal = || Some(terminal_size_of(stdout())?.0.0.into());
    variable.or_else(terminal).filter(|columns| *columns > 0).unwrap_or(DEFAULT_COLUMNS)
}
