//! The screen that a command prints to: how wide it is, and what it can show.

use super::options::When;
use crate::report::uri;
use anstream::{AutoStream, ColorChoice};
use std::env;
use std::io::{IsTerminal, StdoutLock, stdout};
use supports_hyperlinks::Stream;
use terminal_size::terminal_size_of;

/// The columns of a table or a text that is not printed to a terminal.
const DEFAULT_COLUMNS: usize = 80;

/// The columns that COLUMNS says, as for other programs; else those of the terminal that standard output is; else 80.
pub fn width() -> usize {
    width_or(DEFAULT_COLUMNS)
}

/// The same, but `default` without a terminal.
pub fn width_or(default: usize) -> usize {
    let variable = env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let terminal = || Some(terminal_size_of(stdout())?.0.0.into());
    variable.or_else(terminal).filter(|columns| *columns > 0).unwrap_or(default)
}

/// What clears the screen, if standard output is one that can be cleared. An editor that reads a terminal sets TERM=dumb.
pub fn cleared() -> &'static str {
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    if stdout().is_terminal() && !is_dumb { "\u{1b}[2J\u{1b}[H" } else { "" }
}

/// Whether standard output is a terminal that can show the characters of frames. All but the plain C locale can.
pub fn shows_frames() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(env::var_os).find(|value| !value.is_empty());
    stdout().is_terminal() && locale.is_none_or(|locale| locale != "C" && locale != "POSIX")
}

/// The URL of the working directory, if standard output can follow links.
pub fn links() -> Option<String> {
    if !supports_hyperlinks::on(Stream::Stdout) {
        return None;
    }
    let here = env::current_dir().ok()?;
    Some(uri::of_absolute(&format!("{}/", here.to_string_lossy())))
}

/// Reads FORCE_COLOR, which anstream does not know. The choice applies to help and usage errors as well.
pub fn read_force_color() {
    let value = |name| env::var_os(name).filter(|value| !value.is_empty());
    if value("NO_COLOR").is_none()
        && let Some(force) = value("FORCE_COLOR")
    {
        // Tools that know FORCE_COLOR take 0 for "no color".
        let choice = if force == "0" { ColorChoice::Never } else { ColorChoice::Always };
        choice.write_global();
    }
}

/// `--color` decides; without it NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and CLICOLOR, in this order; without those, there is
/// color in a terminal.
pub fn has_color(when: When) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => AutoStream::choice(&stdout()) != ColorChoice::Never,
    }
}

/// Standard output for text that already has its colors. In an old Windows console, colors become system calls;
/// everywhere else all bytes are passed on.
pub fn output() -> AutoStream<StdoutLock<'static>> {
    AutoStream::always(stdout()).lock()
}
