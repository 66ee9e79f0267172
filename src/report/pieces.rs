//! Reports in pieces: a report may be far larger than what it is made from, so it is written as it is made, and is never
//! whole in memory unless somebody wants it as text.

use std::io::{self, Write};

pub fn text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    // Memory takes all bytes.
    let _ = write(&mut bytes);
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
