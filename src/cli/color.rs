//! Whether to print in color. `--color` decides; without it NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and CLICOLOR, in this
//! order; without those whether a terminal reads what is printed.

use super::args::When;
use anstream::{AutoStream, ColorChoice};
use std::env;
use std::io::{StdoutLock, stdout};

/// Heeds FORCE_COLOR, the one variable that anstream does not know; help and usage errors then heed it as well.
pub fn read_environment() {
    let value = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(force) = value("FORCE_COLOR").filter(|_| value("NO_COLOR").is_none()) {
        // Tools that know FORCE_COLOR take 0 for "no color".
        let choice = if force == "0" { ColorChoice::Never } else { ColorChoice::Always };
        choice.write_global();
    }
}

/// Whether standard output gets color.
pub fn is_wanted(when: When) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => AutoStream::choice(&stdout()) != ColorChoice::Never,
    }
}

/// Standard output for text that has color only where it is wanted. Elsewhere than in an old Windows console, which needs
/// its own calls, each byte is passed on.
pub fn output() -> AutoStream<StdoutLock<'static>> {
    AutoStream::always(stdout()).lock()
}
