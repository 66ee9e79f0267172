//! The anchors of headings, as `mdtoc` and as GitHub generate them. The two agree on ASCII. mdtoc drops all other
//! letters, and only GitHub guarantees that anchors are unique.

use super::link::decoded;
use super::section::Sections;
use std::collections::{BTreeMap, HashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Mdtoc,
    GitHub,
}

impl Dialect {
    /// The anchor of a heading with the plain text `heading`, without a number.
    pub fn anchor(self, heading: &str) -> String {
        let lower = heading.to_lowercase();
        let kept = lower.chars().filter(|letter| matches!(letter, '-' | ' ' | '_') || self.is_word(*letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    }

    fn is_word(self, letter: char) -> bool {
        match self {
            Self::Mdtoc => letter.is_ascii_alphanumeric(),
            Self::GitHub => letter.is_alphanumeric(),
        }
    }
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
        let Some(known) = self.used.get_mut(&base) else {
            self.used.insert(base.clone(), 1);
            return base;
        };
        let mut count = std::mem::replace(known, *known + 1);
        let mut anchor = numbered(&base, count);
        if self.dialect == Dialect::Mdtoc {
            return anchor;
        }
        while self.used.contains_key(&anchor) {
            count += 1;
            anchor = numbered(&base, count);
        }
        self.used.insert(anchor.clone(), 0);
        self.used.insert(base, count + 1);
        anchor
    }
}

/// The anchors of a document.
#[derive(Clone, Debug, Default)]
pub struct AnchorSet(HashSet<String>);

impl AnchorSet {
    /// The anchors of the document's headings, in both dialects, and those defined in HTML.
    pub(super) fn of(sections: &Sections, names: &[String]) -> Self {
        let mut set: HashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
        for dialect in [Dialect::Mdtoc, Dialect::GitHub] {
            let mut anchors = Anchors::new(dialect);
            set.extend(sections.iter().map(|(_, section)| anchors.next(&section.title.text)));
        }
        Self(set)
    }

    /// Whether a link to `#name` has a target.
    pub fn contains(&self, name: &str) -> bool {
        wanted(name).is_none_or(|anchor| self.0.contains(&anchor))
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

fn numbered(base: &str, count: usize) -> String {
    if count == 0 { base.to_owned() } else { format!("{base}-{count}") }
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
