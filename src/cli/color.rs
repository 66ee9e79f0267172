//! Whether to print in color. `--color` decides; without it NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and CLICOLOR, in this
//! order; without those, there is color in a terminal.

use super::options::When;
use anstream::{AutoStream, ColorChoice};
use std::env;
use std::io::{StdoutLock, stdout};

/// Reads FORCE_COLOR, which anstream does not know. The choice applies to help and usage errors as well.
pub fn read_environment() {
    let value = |name| env::var_os(name).filter(|value| !value.is_empty());
    if value("NO_COLOR").is_none()
        && let Some(force) = value("FORCE_COLOR")
    {
        // Tools that know FORCE_COLOR take 0 for "no color".
        let choice = if force == "0" { ColorChoice::Never } else { ColorChoice::Always };
        choice.write_global();
    }
}

pub fn is_wanted(when: When) -> bool {
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
