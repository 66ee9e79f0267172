//! Heading text → the anchor that links lead to, as `mdtoc` writes it and as GitHub does. The two agree on ASCII; of
//! other letters mdtoc keeps none, and only GitHub sees to it that no two headings share an anchor.

use super::Document;
use super::link::decoded;
use crate::markdown::fingerprint::{OFFSET_BASIS, fnv1a};
use std::collections::{BTreeMap, HashMap};

/// Whose anchors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Those that `mdtoc` writes into a table of contents.
    Mdtoc,
    /// Those that a page on GitHub has.
    GitHub,
}

impl Dialect {
    /// The anchor of a heading with the plain text `heading`, were it the document's only one.
    pub fn anchor(self, heading: &str) -> String {
        let lower = heading.to_lowercase();
        let kept = lower.chars().filter(|letter| matches!(letter, '-' | ' ' | '_') || self.is_word(*letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    }

    /// The hash of [`Self::anchor`].
    fn hash(self, heading: &str) -> u64 {
        if !heading.is_ascii() {
            return fnv1a(OFFSET_BASIS, self.anchor(heading).as_bytes());
        }
        let kept = heading.bytes().filter(|byte| matches!(byte, b'-' | b' ' | b'_') || byte.is_ascii_alphanumeric());
        kept.fold(OFFSET_BASIS, |hash, byte| {
            fnv1a(hash, &[if byte == b' ' { b'-' } else { byte.to_ascii_lowercase() }])
        })
    }

    fn is_word(self, letter: char) -> bool {
        match self {
            Self::Mdtoc => letter.is_ascii_alphanumeric(),
            Self::GitHub => letter.is_alphanumeric(),
        }
    }
}

/// Gives out the anchors of a document's headings, which must be asked for in its order.
#[derive(Clone, Debug)]
pub struct Anchors {
    dialect: Dialect,
    /// How often each anchor was asked for, and on GitHub given out.
    used: BTreeMap<String, usize>,
}

impl Anchors {
    /// The anchors of a document without headings so far.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, used: BTreeMap::new() }
    }

    /// The anchor of the next heading: with `-1`, `-2`, … where one before it has the same. mdtoc counts the headings
    /// that want the same anchor and does not look whether another one has it with the number.
    pub fn next(&mut self, heading: &str) -> String {
        let base = self.dialect.anchor(heading);
        let mut count = self.used.get(&base).copied().unwrap_or_default();
        let mut anchor = numbered(&base, count);
        if self.dialect == Dialect::GitHub {
            while self.used.contains_key(&anchor) {
                count += 1;
                anchor = numbered(&base, count);
            }
            self.used.entry(anchor.clone()).or_default();
        }
        self.used.insert(base, count + 1);
        anchor
    }
}

/// The places of a document that links may name, by the hashes of their names.
#[derive(Clone, Debug, Default)]
pub struct AnchorSet(Box<[u64]>);

impl AnchorSet {
    /// Whether a link to `#name` leads to one of them.
    pub fn contains(&self, name: &str) -> bool {
        wanted(name).is_none_or(|anchor| self.0.binary_search(&fnv1a(OFFSET_BASIS, anchor.as_bytes())).is_ok())
    }
}

/// The anchors of the document's headings, in both dialects, and the names that HTML gives.
pub fn anchor_hashes(document: &Document) -> AnchorSet {
    let mut hashes: Vec<u64> =
        document.names.iter().map(|name| fnv1a(OFFSET_BASIS, name.to_lowercase().as_bytes())).collect();
    // How often each anchor was asked for, as `Anchors` counts it.
    let mut mdtoc: HashMap<u64, usize> = HashMap::new();
    let mut github: HashMap<u64, usize> = HashMap::new();
    for (_, section) in document.sections.iter() {
        let title = &section.title.text;
        let base = Dialect::Mdtoc.hash(title);
        let count = mdtoc.entry(base).or_default();
        hashes.push(numbered_hash(base, *count));
        *count += 1;
        let base = if title.is_ascii() { base } else { Dialect::GitHub.hash(title) };
        let mut count = github.get(&base).copied().unwrap_or_default();
        let mut anchor = numbered_hash(base, count);
        while github.contains_key(&anchor) {
            count += 1;
            anchor = numbered_hash(base, count);
        }
        github.entry(anchor).or_default();
        github.insert(base, count + 1);
        hashes.push(anchor);
    }
    hashes.sort_unstable();
    hashes.dedup();
    AnchorSet(hashes.into_boxed_slice())
}

/// The anchor that a link to `#name` leads to: pages on GitHub find anchors in any case. None for what every page has:
/// its own top, and lines such as `L12`.
pub fn wanted(name: &str) -> Option<String> {
    let mut anchor = decoded(name).to_lowercase();
    if let Some(own) = anchor.strip_prefix("user-content-") {
        anchor = own.to_owned();
    }
    let is_line = anchor.strip_prefix('l').is_some_and(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    (anchor != "top" && !is_line).then_some(anchor)
}

fn numbered_hash(base: u64, count: usize) -> u64 {
    if count == 0 { base } else { fnv1a(base, format!("-{count}").as_bytes()) }
}

fn numbered(base: &str, count: usize) -> String {
    if count == 0 { base.to_owned() } else { format!("{base}-{count}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::{FileId, LineIndex};

    fn anchors(dialect: Dialect, headings: &[&str]) -> Vec<String> {
        let mut anchors = Anchors::new(dialect);
        headings.iter().map(|heading| anchors.next(heading)).collect()
    }

    #[test]
    fn ascii_is_the_same_to_both() {
        for dialect in [Dialect::Mdtoc, Dialect::GitHub] {
            let anchor = |heading| dialect.anchor(heading);
            assert_eq!(anchor("Upgrade / Downgrade Strategy"), "upgrade--downgrade-strategy");
            assert_eq!(anchor("What? Why! (v1.37) a_b"), "what-why-v137-a_b");
            assert_eq!(anchor("tab\there"), "tabhere");
            assert_eq!(anchor("…"), "");
        }
    }

    #[test]
    fn only_github_keeps_other_letters() {
        assert_eq!(Dialect::Mdtoc.anchor("Émigré 日本 ×2"), "migr--2");
        assert_eq!(Dialect::GitHub.anchor("Émigré 日本 ×2"), "émigré-日本-2");
    }

    #[test]
    fn the_set_has_the_anchors_of_both() {
        let text = "# A\n# a\n# A-1\n# A\n# \u{c9}migr\u{e9} 日本 ×2\n# \u{c9}migr\u{e9} 日本 ×2\n<a name=\"Here\">\n";
        let document = Document::parse(FileId(0), text, &LineIndex::new(text));
        let set = anchor_hashes(&document);
        let titles: Vec<&str> = document.sections.iter().map(|(_, section)| section.title.text.as_str()).collect();
        for anchor in [Dialect::Mdtoc, Dialect::GitHub].into_iter().flat_map(|dialect| anchors(dialect, &titles)) {
            assert!(set.contains(&anchor), "{anchor}");
        }
        for name in ["here", "HERE", "user-content-a-1", "top", "L12", "%C3%A9migr%C3%A9-日本-2-1"] {
            assert!(set.contains(name), "{name}");
        }
        for name in ["a-3", "b", "", "émigré-日本", "line"] {
            assert!(!set.contains(name), "{name}");
        }
    }

    #[test]
    fn only_github_keeps_anchors_apart() {
        let headings = ["A", "a", "A-1", "A!"];
        assert_eq!(anchors(Dialect::Mdtoc, &headings), ["a", "a-1", "a-1", "a-2"]);
        assert_eq!(anchors(Dialect::GitHub, &headings), ["a", "a-1", "a-1-1", "a-2"]);
        assert_eq!(anchors(Dialect::GitHub, &["A-1", "A", "A"]), ["a-1", "a", "a-2"]);
    }
}
