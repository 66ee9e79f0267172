//! Prints to standard output.

use super::screen;
use crate::diagnostic::Failure;
use crate::report::printable;
use std::io::{ErrorKind, IsTerminal, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether nobody reads standard output any more.
static IS_UNREAD: AtomicBool = AtomicBool::new(false);

pub fn is_unread() -> bool {
    IS_UNREAD.load(Ordering::Relaxed)
}

/// Prints a text that is to be saved, as it is; only a terminal gets nothing that controls it.
pub fn print_to_save(text: &str) -> Result<(), Failure> {
    if stdout().is_terminal() {
        return print(&text.lines().map(|line| printable(line) + "\n").collect::<String>());
    }
    print(text)
}

/// Prints `text`. A broken pipe is not an error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = screen::output();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            IS_UNREAD.store(true, Ordering::Relaxed);
            Ok(())
        }
        result => result.map_err(|error| Failure::new(format!("cannot write to standard output: {error}"))),
    }
}
