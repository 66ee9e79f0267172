//! How values become JSON text. Apart from the report because several formats are JSON, and each of them may be printed
//! in a log: what could control it is escaped in strings, so that a parser still reads what was meant.

use crate::bounds;
use crate::report::{is_hidden, opens_command};
use crate::span::slice;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::io::{self, BufWriter, Write};

pub fn indented(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("strings and numbers have a JSON form");
    harmless(text) + "\n"
}

/// Writes `value` as indented lines, as they are made.
pub fn write_indented(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Lines { out, open: Vec::new() };
    let mut pieces = BufWriter::new(&mut lines);
    serde_json::to_writer_pretty(&mut pieces, value)?;
    pieces.flush()?;
    drop(pieces);
    lines.write_all(b"\n")?;
    lines.pass_on()
}

/// The object with another key.
pub fn with(mut object: Value, key: &str, value: Value) -> Value {
    if let Value::Object(entries) = &mut object {
        entries.insert(key.to_owned(), value);
    }
    object
}

/// A list whose items become JSON one by one, so that they are never all in memory.
pub struct OneByOne<T, F: Fn(&T) -> Value>(pub Vec<T>, pub F);

impl<T, F: Fn(&T) -> Value> Serialize for OneByOne<T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

/// Collects text until there are many whole lines of it: no string of JSON spans lines, so that what could control a log
/// is seen in a line alone.
struct Lines<'a> {
    out: &'a mut dyn Write,
    open: Vec<u8>,
}

impl Lines<'_> {
    /// Passes on the lines that are complete.
    fn pass_on(&mut self) -> io::Result<()> {
        let end = self.open.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let rest = self.open.split_off(end);
        let lines = String::from_utf8(std::mem::replace(&mut self.open, rest));
        let lines = lines.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.out.write_all(harmless(lines).as_bytes())
    }
}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.open.extend_from_slice(bytes);
        if self.open.len() >= bounds::COLLECTED_BYTES && bytes.contains(&b'\n') {
            self.pass_on()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

pub fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("strings and numbers have a JSON form");
    harmless(text) + "\n"
}

/// The same JSON, with escapes in strings for what could control a log or a terminal.
fn harmless(text: String) -> String {
    let mut shown = String::new();
    let mut done = 0;
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| may_be_bad(*byte)) {
        let Some(letter) = slice(&text, at..).chars().next() else { break };
        // Brackets after such marks are only in strings.
        let is_bad = if letter == '[' { opens_command(slice(&text, ..at)) } else { is_hidden(letter) };
        if is_bad {
            shown.push_str(slice(&text, done..at));
            letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
            done = at + letter.len_utf8();
        }
    }
    if done == 0 {
        return text;
    }
    shown + slice(&text, done..)
}

/// Whether a character that begins with `byte` may have to be escaped. Nearly all bytes of a report are others.
fn may_be_bad(byte: u8) -> bool {
    (byte < b' ' && byte != b'\n') || byte == b'[' || byte == 0x7f || byte >= 0xc0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_in_pieces() {
        let value: Vec<String> = (0..9_000).map(|at| format!("é{at}##[group]\u{2028}\u{1b}")).collect();
        let mut pieces = Pieces::default();
        write_indented(&value, &mut pieces).expect("memory takes it");
        assert_eq!(pieces.text, indented(&value));
        assert!(pieces.longest < pieces.text.len() / 3, "{}", pieces.longest);
    }

    #[derive(Default)]
    struct Pieces {
        text: String,
        longest: usize,
    }

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.longest = self.longest.max(bytes.len());
            self.text += std::str::from_utf8(bytes).expect("a piece is text");
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn strings_steer_nothing_and_mean_the_same() {
        let value = ["##[group]a\u{2028}\u{e0041}", "b##vso[x]\u{1b}[31m\n::error::x", "[", "a\u{7f}\u{9b}é"];
        for text in [indented(&value), line(&value)] {
            assert!(!text.contains("##[") && !text.contains("##vso["), "{text}");
            assert!(!text.contains(|letter| letter != '\n' && is_hidden(letter)), "{text}");
            assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
            assert_eq!(serde_json::from_str::<Vec<String>>(&text).expect("it is JSON"), value);
        }
        assert_eq!(line(&value).lines().count(), 1);
    }
}
