//! Hashes of lines, which identify the template's own lines without storing them: FNV-1a of the normalized line.

use super::checkbox;
use crate::hash::Hash;
use crate::search;
use crate::span::is_odd_space;
use std::borrow::Cow;

#[derive(Clone, Debug, Default)]
pub struct Lines(Vec<Hash>);

impl Lines {
    /// Parses a list with one hash of 16 hexadecimal digits per line; lines that begin with `#` are comments.
    pub fn from_list(list: &str) -> Self {
        list.lines().filter_map(|line| Hash::parse(line.trim())).collect()
    }

    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
        self.0.sort_unstable();
    }

    pub fn contains(&self, hash: Hash) -> bool {
        self.0.binary_search(&hash).is_ok()
    }
}

impl FromIterator<Hash> for Lines {
    fn from_iter<T: IntoIterator<Item = Hash>>(hashes: T) -> Self {
        let mut lines: Vec<Hash> = hashes.into_iter().collect();
        lines.sort_unstable();
        Self(lines)
    }
}

/// The hash of `line`, with whitespace collapsed, checkboxes unchecked and written as `[ ]`, and without a comment opener at its start and a
/// closer at its end. `None` for a line without a letter.
pub fn hash(line: &str) -> Option<Hash> {
    let line = checkbox::repaired(line.trim());
    let line = line.strip_prefix("<!--").unwrap_or(&line);
    let line = line.strip_suffix("-->").unwrap_or(line);
    if !line.contains(char::is_alphabetic) {
        return None;
    }
    let mut line = Cow::Borrowed(line);
    if search::bytes(&line, b'[').any(|at| matches!(line.as_bytes().get(at + 1), Some(b'x' | b'X'))) {
        line = line.replace("[x]", "[ ]").replace("[X]", "[ ]").into();
    }
    if !line.is_ascii() && line.contains(is_odd_space) {
        line = line.replace(char::is_whitespace, " ").into();
    }
    let mut hash = Hash::EMPTY;
    let mut is_after_space = false;
    for byte in line.trim_start().bytes() {
        if byte.is_ascii_whitespace() {
            is_after_space = true;
            continue;
        }
        if is_after_space {
            hash = hash.with_byte(b' ');
            is_after_space = false;
        }
        hash = hash.with_byte(byte);
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_match_the_recorded_lists() {
        assert_eq!(hash("updates."), Hash::parse("aba84ccde6c27fd1"));
        assert_eq!(
            hash("  Follow the guidelines  of the [documentation style guide]."),
            Hash::parse("7af7cd1aeb62f377")
        );
        assert_eq!(hash("- [x] a[X]b"), hash("- [ ] a[ ]b"));
        assert_eq!(hash("- [ x ] a"), hash("-[] a"));
        assert_eq!(hash("<!-- a -->"), hash("a"));
        assert_eq!(hash("- 1 -"), None);
    }

    #[test]
    fn a_long_word_of_brackets_does_not_overflow_the_stack() {
        let open = "[^a".repeat(400_000);
        assert_eq!(hash(&format!("{open}[x]")), hash(&format!("{open}[ ]")));
        assert_eq!(hash("[[x]a["), hash("[[ ]a["));
    }
}
