//! Prints to standard output.

use super::color;
use crate::diagnostic::Failure;
use crate::report::printable;
use std::io::{ErrorKind, IsTerminal, Write, stdout};

/// Prints a text that is to be saved, as it is; only a terminal gets nothing that controls it.
pub fn print_to_save(text: &str) -> Result<(), Failure> {
    if stdout().is_terminal() {
        return print(&text.lines().map(|line| printable(line) + "\n").collect::<String>());
    }
    print(text)
}

/// Prints `text`. A broken pipe is not an error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = color::output();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
