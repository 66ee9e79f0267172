//! The anchors of headings, as `mdtoc` and as GitHub generate them. The two agree on ASCII. mdtoc drops all other
//! letters, and only GitHub guarantees that anchors are unique.

use super::link::decoded;
use super::section::SectionId;
use crate::hash::Hash;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What GitHub drops, in lower case: all but letters, marks, decimal digits, connectors such as `_`, dashes and spaces.
static DROPPED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[^\w\- ]|[\u{200c}\u{200d}]").expect("the pattern is well-formed"));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Mdtoc,
    GitHub,
}

impl Dialect {
    /// The anchor of a heading that is shown as `heading`, without a number.
    pub fn anchor(self, heading: &str) -> String {
        if heading.is_ascii() {
            let mut anchor = Vec::with_capacity(heading.len());
            anchor.extend(of_ascii(heading));
            return String::from_utf8(anchor).unwrap_or_default();
        }
        match self {
            Self::Mdtoc => of_ascii(&heading.to_lowercase()).map(char::from).collect(),
            Self::GitHub => DROPPED.replace_all(&heading.to_lowercase(), "").replace(' ', "-"),
        }
    }

    fn hash(self, heading: &str) -> Hash {
        if !heading.is_ascii() {
            return Hash::of(self.anchor(heading).as_bytes());
        }
        of_ascii(heading).fold(Hash::EMPTY, Hash::with_byte)
    }
}

/// The bytes of the anchor of a heading, without letters that are not ASCII. Of one in ASCII both dialects have the same.
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
        let numbered = |taken: &String, count: usize| format!("{taken}-{count}");
        if self.dialect == Dialect::GitHub {
            return unique(base, &mut self.used, numbered);
        }
        let used = self.used.entry(base.clone()).or_default();
        *used += 1;
        if *used == 1 { base } else { numbered(&base, *used - 1) }
    }
}

/// The hashes of the anchors of a document.
#[derive(Clone, Debug, Default)]
pub struct AnchorSet(Box<[Hash]>);

impl AnchorSet {
    /// The anchors of the document's headings on GitHub, and those defined in HTML. Those of mdtoc that differ lead nowhere.
    pub(super) fn of(headings: &[(Option<SectionId>, &str)], names: &[String]) -> Self {
        let mut hashes: Vec<Hash> = names.iter().map(|name| Hash::of(name.to_lowercase().as_bytes())).collect();
        let mut used: BTreeMap<Hash, usize> = BTreeMap::new();
        let numbered = |base: &Hash, count: usize| base.with(format!("-{count}").as_bytes());
        hashes.extend(headings.iter().map(|(_, shown)| unique(Dialect::GitHub.hash(shown), &mut used, numbered)));
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
    // `l12`, `l12-l20` and `l12c5-l20c7`.
    let is_line = anchor.starts_with('l') && anchor.split('-').all(is_line);
    (anchor != "top" && !is_line).then_some(anchor)
}

/// Whether it is the name of a line, maybe with a column.
fn is_line(name: &str) -> bool {
    let numbers = name.strip_prefix('l').unwrap_or_default();
    let (line, column) = numbers.split_once('c').unwrap_or((numbers, "1"));
    [line, column].iter().all(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// An anchor on GitHub, or its hash: `base`, or if that is used, the first one with a number that is not.
fn unique<A: Clone + Ord>(base: A, used: &mut BTreeMap<A, usize>, numbered: impl Fn(&A, usize) -> A) -> A {
    let seen = used.entry(base.clone()).or_default();
    let mut count = *seen;
    *seen += 1;
    if count == 0 {
        return base;
    }
    let mut anchor = numbered(&base, count);
    while used.contains_key(&anchor) {
        count += 1;
        anchor = numbered(&base, count);
    }
    used.insert(anchor.clone(), 1);
    used.insert(base, count + 1);
    anchor
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
    fn github_keeps_marks_and_connectors() {
        let anchor = |heading| Dialect::GitHub.anchor(heading);
        assert_eq!(anchor("1\u{fe0f}\u{20e3} Cafe\u{301}"), "1\u{fe0f}\u{20e3}-cafe\u{301}");
        assert_eq!(anchor("Read\u{203f}write\u{a0}Ⅳ Ⓐ ٣ ² हिन्दी"), "read\u{203f}writeⅳ-ⓐ-٣--हिन्दी");
        assert_eq!(anchor("a\u{200d}b\u{ad}é\u{2003}c – d"), "abéc--d");
    }

    #[test]
    fn the_set_has_the_anchors_of_github() {
        let text = "# A\n# a\n# A-1\n# A\n# \u{c9}migr\u{e9} 日本 ×2\n# \u{c9}migr\u{e9} 日本 ×2\n<a name=\"Here\">\n";
        let document = Document::of_text(text);
        let set = document.anchors();
        let titles: Vec<&str> = document.sections.iter().map(|(_, section)| section.shown()).collect();
        for anchor in anchors(Dialect::GitHub, &titles) {
            assert!(set.contains(&anchor), "{anchor}");
        }
        for name in
            ["here", "HERE", "user-content-a-1", "top", "L12", "L1-L22", "L1C2-L3C4", "%C3%A9migr%C3%A9-日本-2-1"]
        {
            assert!(set.contains(name), "{name}");
        }
        for name in ["a-3", "b", "", "migr--2", "émigré-日本", "line", "l7-policy", "l"] {
            assert!(!set.contains(name), "{name}");
        }
    }

    #[test]
    fn a_heading_has_the_anchor_of_what_is_shown() {
        let text = "# A  b\n# A\tc \t\n# `d`[^n] <b>e</b> &amp; ![f](g) *h*\nA\nb\n===\n\n[^n]: x\n";
        let document = Document::of_text(text);
        let shown: Vec<String> =
            document.sections.iter().map(|(_, section)| Dialect::GitHub.anchor(section.shown())).collect();
        assert_eq!(shown, ["a--b", "ac", "d1-e---h", "ab"]);
        let titles: Vec<&str> = document.sections.iter().map(|(_, section)| section.title.text.as_str()).collect();
        assert_eq!(titles, ["A b", "A c", "d e & f h", "A b"]);
    }

    #[test]
    fn only_github_guarantees_unique_anchors() {
        let headings = ["A", "a", "A-1", "A!"];
        assert_eq!(anchors(Dialect::Mdtoc, &headings), ["a", "a-1", "a-1", "a-2"]);
        assert_eq!(anchors(Dialect::GitHub, &headings), ["a", "a-1", "a-1-1", "a-2"]);
        assert_eq!(anchors(Dialect::GitHub, &["A-1", "A", "A"]), ["a-1", "a", "a-2"]);
    }
}
