//! Prints to standard output.

use super::color;
use crate::bounds;
use crate::diagnostic::Failure;
use crate::report::printable;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write, stdout};

/// Prints a text that is to be saved, as it is; only a terminal gets nothing that controls it.
pub fn print_to_save(text: &str) -> Result<(), Failure> {
    if stdout().is_terminal() {
        return print(&text.lines().map(|line| printable(line) + "\n").collect::<String>());
    }
    print(text)
}

/// Prints `text`. A broken pipe is not an error.
pub fn print(text: &str) -> Result<(), Failure> {
    print_pieces(|out| out.write_all(text.as_bytes()))
}

/// Prints what `report` writes, as it is made.
pub fn print_pieces(report: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut stdout = BufWriter::with_capacity(bounds::COLLECTED_BYTES, color::output());
    match report(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
