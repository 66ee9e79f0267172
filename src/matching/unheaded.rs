//! Sections without a heading: the questions of the 2020 template, which are list items in bold, and labels in the text of a
//! section, such as "**Unit tests:**", which stand for subheadings.

use super::matched::{Match, Wording};
use crate::bounds;
use crate::markdown::Document;
use crate::markdown::title::Title;
use crate::search;
use crate::span::slice;
use crate::template::{Template, TemplateId, TemplateSection};
use std::ops::Range;

/// How many first words a question must share with one of the template if it is shorter, or goes on in other words.
pub const LEAST_BEGINNING: usize = 4;

pub struct Questions<'a> {
    document: &'a Document,
    items: Vec<Item>,
}

struct Item {
    start: usize,
    bold: usize,
    claimed: Option<(TemplateId, usize, Wording)>,
}

impl<'a> Questions<'a> {
    pub fn read(document: &'a Document) -> Self {
        let is_question = |start: &&usize| {
            document.slice(**start..).chars().take(bounds::QUESTION_LENGTH).any(|letter| letter == '?')
        };
        let questions = document.bold_items.iter().filter(is_question);
        let items = questions.map(|start| {
            let bold = start + document.slice(*start..).find("**").unwrap_or(0);
            Item { start: *start, bold, claimed: None }
        });
        Self { document, items: items.collect() }
    }

    pub fn claim(&mut self, id: TemplateId, wanted: &TemplateSection) {
        if !wanted.is_question() || wanted.title.key.is_empty() {
            return;
        }
        let wordings = std::iter::once((&wanted.title, Wording::Template))
            .chain(wanted.former.iter().map(|former| (former, Wording::Former)));
        for (title, wording) in wordings {
            let mut free = self.items.iter_mut().filter(|item| item.claimed.is_none());
            let text = self.document.text();
            if let Some((item, end)) = free.find_map(|item| end_of(&title.key, text, item.bold).map(|end| (item, end)))
            {
                item.claimed = Some((id, after_marks(text, end), wording));
                return;
            }
        }
    }

    /// Claims the items that are the beginning of one free question, and of no other: "Were upgrade and rollback tested?"
    /// If one begins several, they are the words of the author.
    pub fn claim_beginnings(&mut self, template: &Template, is_free: impl Fn(TemplateId) -> bool) {
        let text = self.document.text();
        let mut claimed: Vec<TemplateId> = self.items.iter().filter_map(|item| Some(item.claimed?.0)).collect();
        let mut found: Vec<(usize, TemplateId, usize)> = Vec::new();
        for (at, item) in self.items.iter().enumerate().filter(|(_, item)| item.claimed.is_none()) {
            let Some(end) = slice(text, item.bold..).find('?').map(|mark| item.bold + mark) else { continue };
            let words = Title::new(slice(text, item.bold..=end)).question_words();
            let Some(first) = words.get(..LEAST_BEGINNING).map(<[String]>::concat) else { continue };
            // Most titles begin with other letters.
            let begins = |title: &Title| title.key.starts_with(&first) && title.question_words().starts_with(&words);
            let mut alike = template.iter().filter(|(_, section)| section.titles().any(begins)).map(|(id, _)| id);
            let Some(id) = alike.next() else { continue };
            if alike.next().is_some() {
                return;
            }
            found.push((at, id, end));
        }
        for (at, id, end) in found {
            if let Some(item) = self.items.get_mut(at).filter(|_| is_free(id) && !claimed.contains(&id)) {
                claimed.push(id);
                item.claimed = Some((id, after_marks(text, end), Wording::Own));
            }
        }
    }

    /// The places of the claimed questions: each ends at the next one, or at the next heading.
    pub fn places(self) -> Vec<(TemplateId, Match)> {
        let claimed = self.items.iter().filter_map(|item| Some((item.start, item.claimed?)));
        let nexts = claimed.clone().skip(1).map(|(start, _)| Some(start)).chain([None]);
        let places = claimed
            .zip(nexts)
            .map(|((start, (id, end, wording)), next)| (id, place(self.document, start..end, next, wording)));
        places.collect()
    }
}

/// The place of a section without a heading, up to the next heading or to `next`.
fn place(document: &Document, heading: Range<usize>, next: Option<usize>, wording: Wording) -> Match {
    let section = document.sections.at(heading.start).map(|section| document.sections.get(section));
    let end = section.map_or(document.text().len(), |section| section.own.end);
    let text = heading.end..next.map_or(end, |next| end.min(next)).max(heading.end);
    Match { section: None, heading, own: text.clone(), subtree: text, wording }
}

/// Where the marks after a question end, which end at byte `end` or later.
fn after_marks(text: &str, end: usize) -> usize {
    let rest = slice(text, end..);
    end + rest.len() - rest.trim_start_matches(['?', '*', ')', '_']).len()
}

/// Where the letters and digits of `key` end, with which `text` goes on at byte `start` in upper or lower case.
fn end_of(key: &str, text: &str, start: usize) -> Option<usize> {
    let mut rest = key;
    let letters = slice(text, start..).char_indices().take(bounds::QUESTION_LENGTH);
    for (at, letter) in letters.filter(|(_, letter)| letter.is_alphanumeric()) {
        for lower in letter.to_lowercase() {
            rest = rest.strip_prefix(lower)?;
            if rest.is_empty() {
                return Some(start + at + letter.len_utf8());
            }
        }
    }
    None
}

/// The first label in `range` for each `wanted` section, with the text up to the next label or heading.
pub fn labels(
    document: &Document,
    range: Range<usize>,
    mut wanted: Vec<(TemplateId, &TemplateSection)>,
) -> Vec<(TemplateId, Match)> {
    let mut places: Vec<(TemplateId, Match)> = Vec::new();
    for line in document.visible_spans(range) {
        if wanted.is_empty() {
            break;
        }
        let Some((title, label)) = label(document.text(), &line) else { continue };
        let stems = title.stems();
        let has_words = |section: &TemplateSection| section.forms.iter().any(|forms| forms.stems == stems);
        let Some(index) = wanted.iter().position(|(_, section)| has_words(section)) else { continue };
        let (id, _) = wanted.swap_remove(index);
        if let Some((_, last)) = places.last_mut() {
            last.own.end = last.own.end.min(label.start);
            last.subtree.end = last.own.end;
        }
        places.push((id, place(document, label, None, Wording::Own)));
    }
    places
}

/// The label that the line begins with: in bold, or up to a colon.
fn label(text: &str, line: &Range<usize>) -> Option<(Title, Range<usize>)> {
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
    use crate::source::SourceFile;

    const TEMPLATE: &str = "# T\n\n## Scalability\n\n### Does it scale?\n\n### Does it need more RAM?\n";

    /// The list items of `text` that are questions of the template, and the text of each.
    fn questions(text: &str) -> Vec<(&str, &str)> {
        let template = Template::parse(SourceFile::decode("template.md", TEMPLATE.into()));
        let document = Document::of_text(text);
        let mut questions = Questions::read(&document);
        template.iter().for_each(|(id, wanted)| questions.claim(id, wanted));
        let places = questions.places().into_iter();
        places.map(|(_, place)| (slice(text, place.heading), slice(text, place.own))).collect()
    }

    #[test]
    fn a_question_ends_after_its_marks_and_its_text_at_the_next_one() {
        let text = "## Scalability\n\n- **Does it scale?** Yes.\n- **Does it need more RAM?**\n  No.\n\n## Drawbacks\n";
        let found = [("- **Does it scale?**", " Yes.\n"), ("- **Does it need more RAM?**", "\n  No.\n\n")];
        assert_eq!(questions(text), found);
    }

    #[test]
    fn a_question_may_have_a_number_and_letters_of_several_bytes() {
        assert_eq!(questions("1. **Does it scale?** Oui, ça va.\n"), [("1. **Does it scale?**", " Oui, ça va.\n")]);
        assert_eq!(questions("1. „**Does it “scale”?** Yes.\n"), []);
        assert_eq!(questions("* **“Does it scale”?** Yes.\n"), [("* **“Does it scale", "”?** Yes.\n")]);
    }

    #[test]
    fn an_item_without_a_question_mark_is_no_question() {
        assert_eq!(questions("- **Does it scale** up to a thousand nodes.\n"), []);
    }

    #[test]
    fn an_item_may_be_the_beginning_of_one_question() {
        let of = |text: &'static str| {
            let template = "# T\n\n## S\n\n### Were upgrade and rollback tested? And once more?\n\n### Were they on?\n";
            let template = Template::parse(SourceFile::decode("template.md", template.into()));
            let document = Document::of_text(text);
            let mut questions = Questions::read(&document);
            template.iter().for_each(|(id, wanted)| questions.claim(id, wanted));
            questions.claim_beginnings(&template, |_| true);
            questions.places().into_iter().map(|(_, place)| slice(text, place.own)).collect::<Vec<_>>()
        };
        assert_eq!(of("- **Were upgrade and rollback tested?** Yes.\n"), [" Yes.\n"]);
        assert_eq!(of("- **Were upgrade?**\n- **Were they on?** No.\n"), [" No.\n"]);
        assert!(of("- **Were upgrade and rollback of it tested?** Yes.\n").is_empty());
    }

    #[test]
    fn an_item_is_only_one_question() {
        let text = "- **Does it scale?** Yes.\n- **Does it scale?** Really.\n";
        assert_eq!(questions(text), [("- **Does it scale?**", " Yes.\n- **Does it scale?** Really.\n")]);
    }

    #[test]
    fn a_label_is_bold_or_has_a_colon() {
        let read =
            |line: &str| label(line, &(0..line.len())).map(|(title, label)| (title.text, line[label].to_owned()));
        let some = |title: &str, label: &str| Some((title.to_owned(), label.to_owned()));
        assert_eq!(read("- **Unit tests:** the kubelet"), some("Unit tests:", "**Unit tests:**"));
        assert_eq!(read("__e2e tests__: nodes"), some("e2e tests", "__e2e tests__:"));
        assert_eq!(read("Unit test: the kubelet"), some("Unit test", "Unit test:"));
        assert_eq!(read("* Unit tests"), None);
        assert_eq!(read("**Unit tests without an end"), None);
        assert_eq!(read(&"long ".repeat(20)), None);
    }
}
