//! Hashes of lines, which identify the template's own lines without storing them: FNV-1a of the normalized line.

use crate::span::slice;
use std::collections::HashSet;
use std::fmt;

/// The hash of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(u64);

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// A set of hashed lines.
#[derive(Clone, Debug, Default)]
pub struct Lines(HashSet<Hash>);

impl Lines {
    /// Parses a list with one hash of 16 hexadecimal digits per line; lines that begin with `#` are comments.
    pub fn from_list(list: &str) -> Self {
        Self(list.lines().filter_map(|line| u64::from_str_radix(line.trim(), 16).ok()).map(Hash).collect())
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether the set contains this hash.
    pub fn contains(&self, hash: Hash) -> bool {
        self.0.contains(&hash)
    }

    /// Adds `line`, if it has a letter.
    pub fn insert(&mut self, line: &str) {
        self.0.extend(hash(line));
    }
}

/// The hash of `line`, with whitespace collapsed, checkboxes unchecked, and without a comment opener at its start and a
/// closer at its end. `None` for a line without a letter.
pub fn hash(line: &str) -> Option<Hash> {
    let line = line.trim();
    let line = line.strip_prefix("<!--").unwrap_or(line);
    let line = line.strip_suffix("-->").unwrap_or(line);
    if !line.chars().any(char::is_alphabetic) {
        return None;
    }
    let mut hash = OFFSET_BASIS;
    for word in line.split_whitespace() {
        if hash != OFFSET_BASIS {
            hash = fnv1a(hash, b" ");
        }
        let mut rest = word;
        while let Some(at) = checked_box(rest) {
            hash = fnv1a(fnv1a(hash, slice(rest, ..at).as_bytes()), b"[ ]");
            rest = slice(rest, at + "[x]".len()..);
        }
        hash = fnv1a(hash, rest.as_bytes());
    }
    Some(Hash(hash))
}

fn checked_box(word: &str) -> Option<usize> {
    let mut brackets = word.match_indices('[').map(|(at, _)| at);
    brackets.find(|at| matches!(word.get(*at..at + "[x]".len()), Some("[x]" | "[X]")))
}

/// The initial value of FNV-1a.
pub(super) const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// Extends the hash by `bytes`.
pub(super) fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_match_the_recorded_lists() {
        assert_eq!(hash("updates."), Some(Hash(0xaba8_4ccd_e6c2_7fd1)));
        assert_eq!(
            hash("  Follow the guidelines  of the [documentation style guide]."),
            Some(Hash(0x7af7_cd1a_eb62_f377))
        );
        assert_eq!(hash("- [x] a[X]b"), hash("- [ ] a[ ]b"));
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
