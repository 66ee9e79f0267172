//! Heading text → the anchor that links lead to, as `mdtoc` writes it and as GitHub does. The two agree on ASCII; of
//! other letters mdtoc keeps none, and only GitHub sees to it that no two headings share an anchor.

use std::collections::BTreeMap;

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

fn numbered(base: &str, count: usize) -> String {
    if count == 0 { base.to_owned() } else { format!("{base}-{count}") }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn only_github_keeps_anchors_apart() {
        let headings = ["A", "a", "A-1", "A!"];
        assert_eq!(anchors(Dialect::Mdtoc, &headings), ["a", "a-1", "a-1", "a-2"]);
        assert_eq!(anchors(Dialect::GitHub, &headings), ["a", "a-1", "a-1-1", "a-2"]);
        assert_eq!(anchors(Dialect::GitHub, &["A-1", "A", "A"]), ["a-1", "a", "a-2"]);
    }
}
