//! The anchors of headings, as `mdtoc` and as GitHub generate them. The two agree on ASCII. mdtoc drops all other
//! letters, and only GitHub guarantees that anchors are unique.

use super::link::decoded;
use super::section::Sections;
use crate::hash::Hash;
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Mdtoc,
    GitHub,
}

impl Dialect {
    /// The anchor of a heading with the plain text `heading`, without a number.
    pub fn anchor(self, heading: &str) -> String {
        if heading.is_ascii() {
            let mut anchor = Vec::with_capacity(heading.len());
            anchor.extend(of_ascii(heading));
            return String::from_utf8(anchor).unwrap_or_default();
        }
        let lower = heading.to_lowercase();
        let kept = lower.chars().filter(|letter| matches!(letter, '-' | ' ' | '_') || self.is_word(*letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    }

    fn hash(self, heading: &str) -> Hash {
        if !heading.is_ascii() {
            return Hash::of(self.anchor(heading).as_bytes());
        }
        of_ascii(heading).fold(Hash::EMPTY, Hash::with_byte)
    }

    fn is_word(self, letter: char) -> bool {
        match self {
            Self::Mdtoc => letter.is_ascii_alphanumeric(),
            Self::GitHub => letter.is_alphanumeric(),
        }
    }
}

/// The bytes of the anchor of a heading in ASCII, which is the same in both dialects.
fn of_ascii(heading: &str) -> impl Iterator<Item = u8> {
    heading.bytes().filter_map(|byte| match byte {
        b' ' => Some(b'-'),
        b'-' | b'_' | b'a'..=b'z' | b'0'..=b'9' => Some(byte),
        b'A'..=b'Z' => Some(byte.to_ascii_lowercase()),
        _ => None,
    })
}

/// Generates the anchors of a document's headings, in document order.
#[derive(Clone, Debug)]
pub struct Anchors {
    dialect: Dialect,
    /// How often each anchor was needed; for GitHub, also the generated anchors.
    used: BTreeMap<String, usize>,
}

impl Anchors {
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, used: BTreeMap::new() }
    }

    /// The anchor of the next heading, with `-1`, `-2`, … if an earlier heading has the same. mdtoc only counts
    /// headings with the same anchor, and does not check whether the anchor with the number is taken.
    pub fn next(&mut self, heading: &str) -> String {
        let base = self.dialect.anchor(heading);
        let used = self.used.entry(base.clone()).or_default();
        let mut count = *used;
        *used += 1;
        if count == 0 {
            return base;
        }
        let mut anchor = format!("{base}-{count}");
        if self.dialect == Dialect::Mdtoc {
            return anchor;
        }
        while self.used.contains_key(&anchor) {
            count += 1;
            anchor = format!("{base}-{count}");
        }
        self.used.insert(anchor.clone(), 1);
        self.used.insert(base, count + 1);
        anchor
    }
}

/// The hashes of the anchors of a document.
#[derive(Clone, Debug, Default)]
pub struct AnchorSet(Box<[Hash]>);

impl AnchorSet {
    /// The anchors of the document's headings, in both dialects, and those defined in HTML.
    pub(super) fn of(sections: &Sections, names: &[String]) -> Self {
        let mut hashes: Vec<Hash> = names.iter().map(|name| Hash::of(name.to_lowercase().as_bytes())).collect();
        let mut known: HashMap<Hash, Counts> = HashMap::with_capacity(sections.len());
        for (_, section) in sections.iter() {
            let title = &section.title.text;
            let base = Dialect::Mdtoc.hash(title);
            let counts = known.entry(base).or_default();
            hashes.push(numbered_hash(base, counts.mdtoc));
            counts.mdtoc += 1;
            let base = if title.is_ascii() { base } else { Dialect::GitHub.hash(title) };
            hashes.push(next_of_github(base, &mut known));
        }
        hashes.sort_unstable();
        hashes.dedup();
        Self(hashes.into_boxed_slice())
    }

    /// Whether a link to `#name` has a target.
    pub fn contains(&self, name: &str) -> bool {
        wanted(name).is_none_or(|anchor| self.0.binary_search(&Hash::of(anchor.as_bytes())).is_ok())
    }
}

/// The anchor that a link to `#name` needs, in lower case, because GitHub ignores case. `None` for what every page has:
/// its top, and lines such as `L12`.
pub fn wanted(name: &str) -> Option<String> {
    let mut anchor = decoded(name).to_lowercase();
    if let Some(own) = anchor.strip_prefix("user-content-") {
        anchor = own.to_owned();
    }
    let is_line = anchor.strip_prefix('l').is_some_and(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    (anchor != "top" && !is_line).then_some(anchor)
}

/// How often an anchor was needed, as [`Anchors`] counts it, in each dialect.
#[derive(Default)]
struct Counts {
    mdtoc: usize,
    github: Option<usize>,
}

/// The hash of GitHub's next anchor for a heading.
fn next_of_github(base: Hash, known: &mut HashMap<Hash, Counts>) -> Hash {
    let counts = known.entry(base).or_default();
    let Some(mut count) = counts.github else {
        counts.github = Some(1);
        return base;
    };
    let mut anchor = numbered_hash(base, count);
    while known.get(&anchor).is_some_and(|other| other.github.is_some()) {
        count += 1;
        anchor = numbered_hash(base, count);
    }
    known.entry(anchor).or_default().github = Some(0);
    known.entry(base).or_default().github = Some(count + 1);
    anchor
}

fn numbered_hash(base: Hash, count: usize) -> Hash {
    if count == 0 { base } else { base.with(format!("-{count}").as_bytes()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Document;

    fn anchors(dialect: Dialect, headings: &[&str]) -> Vec<String> {
        let mut anchors = Anchors::new(dialect);
        headings.iter().map(|heading| anchors.next(heading)).collect()
    }

    #[test]
    fn both_agree_on_ascii() {
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
    fn the_set_has_the_anchors_of_both_dialects() {
        let text = "# A\n# a\n# A-1\n# A\n# \u{c9}migr\u{e9} 日本 ×2\n# \u{c9}migr\u{e9} 日本 ×2\n<a name=\"Here\">\n";
        let document = Document::of_text(text);
        let set = document.anchors();
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
    fn only_github_guarantees_unique_anchors() {
        let headings = ["A", "a", "A-1", "A!"];
        assert_eq!(anchors(Dialect::Mdtoc, &headings), ["a", "a-1", "a-1", "a-2"]);
        assert_eq!(anchors(Dialect::GitHub, &headings), ["a", "a-1", "a-1-1", "a-2"]);
        assert_eq!(anchors(Dialect::GitHub, &["A-1", "A", "A"]), ["a-1", "a", "a-2"]);
    }
}
