//! The headings of a document by their anchors.

use crate::markdown::Document;
use crate::markdown::anchor::{Anchors, Dialect, wanted};
use crate::markdown::section::SectionId;
use std::collections::HashMap;

/// The anchors of a document with their headings: as GitHub makes them, and where these leave a name free, as `mdtoc` does.
#[derive(Debug)]
pub struct Headings(HashMap<String, SectionId>);

impl Headings {
    pub fn of(document: &Document) -> Self {
        let mut headings = HashMap::new();
        for dialect in [Dialect::GitHub, Dialect::Mdtoc] {
            let mut anchors = Anchors::new(dialect);
            for (id, shown) in document.shown_headings() {
                let anchor = anchors.next(shown);
                if let Some(id) = id {
                    headings.entry(anchor).or_insert(id);
                }
            }
        }
        Self(headings)
    }

    /// The heading that a link to `#name` leads to.
    pub fn get(&self, name: &str) -> Option<SectionId> {
        self.0.get(&wanted(name)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_headings() {
        let document = Document::of_text("# T\n## A b\n## Zürich\n## A b\n");
        let headings = Headings::of(&document);
        let at = |name: &str| headings.get(name).map(|id| id.0);
        assert_eq!([at("a-b"), at("A-B"), at("a-b-1"), at("user-content-a-b")], [Some(1), Some(1), Some(3), Some(1)]);
        assert_eq!([at("zürich"), at("z%C3%BCrich"), at("zrich")], [Some(2); 3]);
        assert_eq!([at("c"), at("L12"), at("")], [None; 3]);
    }
}
