//! Prints to standard output.

use super::color;
use crate::diagnostic::Failure;
use std::io::{ErrorKind, Write};

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
