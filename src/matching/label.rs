//! Labels in the text of a section, such as "**Unit tests:**", which stand for subheadings.

use super::matched::{Match, Wording};
use crate::markdown::Document;
use crate::markdown::title::Title;
use crate::search;
use crate::span::slice;
use crate::template::{TemplateId, TemplateSection};
use std::ops::Range;

/// The first label in `range` for each `wanted` section, with the text up to the next label or heading.
pub fn find(
    document: &Document,
    range: Range<usize>,
    mut wanted: Vec<(TemplateId, &TemplateSection)>,
) -> Vec<(TemplateId, Match)> {
    let mut places: Vec<(TemplateId, Match)> = Vec::new();
    for line in document.visible_spans(range) {
        if wanted.is_empty() {
            break;
        }
        let Some((title, label)) = read(document.text(), &line) else { continue };
        let stems = title.stems();
        let has_words = |section: &TemplateSection| section.forms.iter().any(|forms| forms.stems == stems);
        let Some(index) = wanted.iter().position(|(_, section)| has_words(section)) else { continue };
        let (id, _) = wanted.swap_remove(index);
        if let Some((_, last)) = places.last_mut() {
            last.own.end = last.own.end.min(label.start);
            last.subtree.end = last.own.end;
        }
        let end = document
            .sections
            .at(label.start)
            .map_or(document.text().len(), |section| document.sections.get(section).own.end);
        let text = label.end..end.max(label.end);
        places.push((
            id,
            Match { section: None, heading: label, own: text.clone(), subtree: text, wording: Wording::Own },
        ));
    }
    places
}

/// The label that the line begins with: in bold, or up to a colon.
fn read(text: &str, line: &Range<usize>) -> Option<(Title, Range<usize>)> {
    let whole = slice(text, line.clone());
    let body = ["- ", "* ", "+ "].iter().find_map(|marker| whole.strip_prefix(marker)).unwrap_or(whole).trim_start();
    let start = line.end - body.len();
    let marker = ["**", "__"].into_iter().find(|marker| body.starts_with(marker)).unwrap_or_default();
    let inner = slice(body, marker.len()..);
    let length = if marker.is_empty() { search::byte(inner, b':') } else { inner.find(marker) }?;
    let after = slice(inner, length..);
    let marks = after.len() - after.trim_start_matches([':', '*', '_']).len();
    let label = start..start + marker.len() + length + marks;
    Some((Title::new(slice(inner, ..length)), label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_bold_or_has_a_colon() {
        let read = |line: &str| read(line, &(0..line.len())).map(|(title, label)| (title.text, line[label].to_owned()));
        let some = |title: &str, label: &str| Some((title.to_owned(), label.to_owned()));
        assert_eq!(read("- **Unit tests:** the kubelet"), some("Unit tests:", "**Unit tests:**"));
        assert_eq!(read("__e2e tests__: nodes"), some("e2e tests", "__e2e tests__:"));
        assert_eq!(read("Unit test: the kubelet"), some("Unit test", "Unit test:"));
        assert_eq!(read("* Unit tests"), None);
        assert_eq!(read("**Unit tests without an end"), None);
        assert_eq!(read(&"long ".repeat(20)), None);
    }
}
