//! The hash of a line, by which the template's own lines are known without storing them: FNV-1a of the line after the
//! normalisation below.

use std::collections::HashSet;

/// A set of hashed lines.
#[derive(Clone, Debug, Default)]
pub struct Lines(HashSet<u64>);

impl Lines {
    /// Reads one hash of 16 hexadecimal digits a line; `#` begins a comment line.
    pub fn from_list(list: &str) -> Self {
        Self(list.lines().filter_map(|line| u64::from_str_radix(line.trim(), 16).ok()).collect())
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether `line` is one of them. A line without a letter is none.
    pub fn contains(&self, line: &str) -> bool {
        hash(line).is_some_and(|hash| self.0.contains(&hash))
    }

    /// Adds `line`, unless it has no letter.
    pub fn insert(&mut self, line: &str) {
        self.0.extend(hash(line));
    }
}

/// The hash of `line`: whitespace collapsed, ticked boxes emptied, a comment opener at its start and a closer at its
/// end cut off. None for a line without a letter.
pub fn hash(line: &str) -> Option<u64> {
    let line = line.trim();
    let line = line.strip_prefix("<!--").unwrap_or(line);
    let line = line.strip_suffix("-->").unwrap_or(line);
    if !line.chars().any(char::is_alphabetic) {
        return None;
    }
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace("[x]", "[ ]").replace("[X]", "[ ]");
    Some(fnv1a(line.as_bytes()))
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_recorded_lists() {
        assert_eq!(hash("updates."), Some(0xaba8_4ccd_e6c2_7fd1));
        assert_eq!(hash("  Follow the guidelines  of the [documentation style guide]."), Some(0x7af7_cd1a_eb62_f377));
        assert_eq!(hash("- [x] a"), hash("- [ ] a"));
        assert_eq!(hash("<!-- a -->"), hash("a"));
        assert_eq!(hash("- 1 -"), None);
    }
}
