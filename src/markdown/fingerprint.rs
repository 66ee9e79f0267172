//! The hash of a line, by which the template's own lines are known without storing them: FNV-1a of the line after the
//! normalisation below.

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
    /// Reads one hash of 16 hexadecimal digits a line; `#` begins a comment line.
    pub fn from_list(list: &str) -> Self {
        Self(list.lines().filter_map(|line| u64::from_str_radix(line.trim(), 16).ok()).map(Hash).collect())
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether the line of this hash is one of them.
    pub fn contains(&self, hash: Hash) -> bool {
        self.0.contains(&hash)
    }

    /// Adds `line`, unless it has no letter.
    pub fn insert(&mut self, line: &str) {
        self.0.extend(hash(line));
    }
}

/// The hash of `line`: whitespace collapsed, ticked boxes emptied, a comment opener at its start and a closer at its
/// end cut off. None for a line without a letter.
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
        while let Some(at) = ticked_box(rest) {
            hash = fnv1a(fnv1a(hash, slice(rest, ..at).as_bytes()), b"[ ]");
            rest = slice(rest, at + "[x]".len()..);
        }
        hash = fnv1a(hash, rest.as_bytes());
    }
    Some(Hash(hash))
}

fn ticked_box(word: &str) -> Option<usize> {
    let mut brackets = word.match_indices('[').map(|(at, _)| at);
    brackets.find(|at| matches!(word.get(*at..at + "[x]".len()), Some("[x]" | "[X]")))
}

/// Where FNV-1a begins.
pub(super) const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a of what `hash` is the hash of, and `bytes` behind it.
pub(super) fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_recorded_lists() {
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
    fn a_word_of_brackets_is_no_deeper_than_any_other() {
        let open = "[^a".repeat(400_000);
        assert_eq!(hash(&format!("{open}[x]")), hash(&format!("{open}[ ]")));
        assert_eq!(hash("[[x]a["), hash("[[ ]a["));
    }
}
