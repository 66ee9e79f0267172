//! Which words a fix may delete. Every fix is checked before it is applied, so that a bug of a rule cannot delete other
//! words of a KEP.

use crate::bounds;
use crate::diagnostic::{Diagnostic, Edit, Fix, Safety};
use crate::kep::texts::Texts;
use crate::markdown::Document;
use crate::mdtoc::{self, Markers};
use crate::rules::rule::Category;
use crate::rules::select;
use crate::source::SourceFile;
use crate::span::{FileId, Span, is_invisible, slice};
use crate::suppress::{Ignores, is_markdown};
use crate::template;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// How many words are named that a reverted fix would have deleted.
const LOST_WORDS: usize = 8;

/// Checks the fixes of one round. A file is parsed once, and only if a fix removes words of it.
pub struct Guard<'a> {
    texts: &'a Texts,
    ignores: &'a Ignores,
    documents: BTreeMap<FileId, Replaceable>,
}

struct Replaceable {
    comments: Vec<Range<usize>>,
    contents: Range<usize>,
}

impl<'a> Guard<'a> {
    pub fn new(texts: &'a Texts, ignores: &'a Ignores) -> Self {
        Self { texts, ignores, documents: BTreeMap::new() }
    }

    /// The first words that the fix of `finding` would delete without being allowed to.
    ///
    /// A safe fix may delete entries of a table of contents, comments with only a directive or the template's guidance,
    /// and the one word that it replaces within the span of its finding, and so in other places too; in YAML, the whole
    /// span of its finding; and of an ignore, if its finding is about that. An unsafe fix may also delete any words in the
    /// span of its finding, a word that is written twice, and in YAML any word that it replaces.
    pub fn lost_words(&mut self, finding: &Diagnostic, fix: &Fix) -> Option<String> {
        let mut added: BTreeMap<String, usize> = BTreeMap::new();
        for word in fix.edits.iter().flat_map(|edit| words(&edit.text)).map(|(_, word)| word) {
            *added.entry(word).or_default() += 1;
        }
        let in_finding = match fix.safety {
            Safety::Safe => BTreeSet::new(),
            Safety::Unsafe => words(self.text(finding.span)).map(|(_, word)| word).collect(),
        };
        let values = self.values(finding, fix);
        let ignore = self.ignore_of(finding);
        let mut lost = Vec::new();
        for edit in &fix.edits {
            let removed = self.text(edit.span);
            let is_yaml = self.texts.files.get(edit.span.file.index()).is_some_and(|file| !is_markdown(file));
            let is_yaml_value = is_yaml && edit.span == finding.span && !edit.text.trim().is_empty();
            let is_yaml_word = is_yaml && fix.safety == Safety::Unsafe && is_word(removed, &edit.text);
            if is_yaml_value
                || is_yaml_word
                || values.contains(&(removed, edit.text.as_str()))
                // Some characters that are not visible part words.
                || removed.chars().filter(|letter| !is_invisible(*letter)).eq(edit.text.chars())
                || self.is_anchor(removed, edit, fix)
                || self.is_repeated(removed, edit, fix)
            {
                continue;
            }
            for (range, word) in words(removed) {
                let place = edit.span.start + range.start..edit.span.start + range.end;
                let is_ignore =
                    ignore.is_some_and(|ignore| has_inside(ignore, Span::new(edit.span.file, place.clone())));
                if is_ignore || in_finding.contains(&word) || self.is_replaceable(edit.span.file, &place) {
                    continue;
                }
                match added.get_mut(&word).filter(|count| **count > 0) {
                    Some(count) => *count -= 1,
                    None => lost.push(word),
                }
            }
        }
        let more = if lost.len() > LOST_WORDS { " …" } else { "" };
        lost.truncate(LOST_WORDS);
        (!lost.is_empty()).then(|| lost.join(" ") + more)
    }

    fn text(&self, span: Span) -> &'a str {
        self.texts.files.get(span.file.index()).and_then(|file| file.text.get(span.range())).unwrap_or_default()
    }

    /// The words that a fix replaces within the span of its finding, each with what it writes instead.
    fn values<'f>(&self, finding: &Diagnostic, fix: &'f Fix) -> BTreeSet<(&'a str, &'f str)> {
        let inside = fix.edits.iter().filter(|edit| has_inside(finding.span, edit.span));
        let replaced = inside.map(|edit| (self.text(edit.span), edit.text.as_str()));
        replaced.filter(|(removed, text)| is_word(removed, text)).collect()
    }

    /// Whether an unsafe fix changes the anchor of a link. The anchor has no words of its own: they are those of a
    /// heading.
    fn is_anchor(&self, removed: &str, edit: &Edit, fix: &Fix) -> bool {
        let before = self.text(Span { start: 0, end: edit.span.start, ..edit.span });
        fix.safety == Safety::Unsafe && is_word(removed, &edit.text) && before.ends_with("](#")
    }

    /// Whether an unsafe fix removes a word that is directly after or before the same word.
    fn is_repeated(&self, removed: &str, edit: &Edit, fix: &Fix) -> bool {
        let before = self.text(Span { start: 0, end: edit.span.start, ..edit.span }).trim_end();
        let file = self.texts.files.get(edit.span.file.index());
        let after = file.and_then(|file| file.text.get(edit.span.end..)).unwrap_or_default().trim_start();
        let word = removed.trim();
        let first = before.len().checked_sub(word.len()).and_then(|start| before.get(start..));
        let is_word = word.len() < removed.len() && !word.is_empty() && !word.contains(char::is_whitespace);
        let is_same = |other: Option<&str>| other.is_some_and(|other| other.eq_ignore_ascii_case(word));
        let is_repeated = is_same(first) || is_same(after.get(..word.len()));
        fix.safety == Safety::Unsafe && is_word && is_repeated && edit.text.is_empty()
    }

    fn ignore_of(&self, finding: &Diagnostic) -> Option<Span> {
        select::rule_named(finding.rule).filter(|rule| rule.category == Category::Ignores)?;
        self.ignores.list.iter().map(|ignore| ignore.comment).find(|comment| has_inside(*comment, finding.span))
    }

    fn is_replaceable(&mut self, id: FileId, place: &Range<usize>) -> bool {
        let Some(file) = self.texts.files.get(id.index()).filter(|file| is_markdown(file)) else { return false };
        let parts = self.documents.entry(id).or_insert_with(|| Replaceable::of(id, file));
        let is_within = |range: &Range<usize>| range.start <= place.start && place.end <= range.end;
        let next = parts.comments.partition_point(|comment| comment.end <= place.start);
        let is_comment = parts.comments.get(next).is_some_and(is_within);
        if is_comment || !is_within(&parts.contents) {
            return is_comment;
        }
        let line = file.lines().line_range(file.lines().line_of(place.start), &file.text);
        // The markers may be on the same line.
        let line = line.start.max(parts.contents.start)..line.end.min(parts.contents.end);
        line.len() <= bounds::LINE_BYTES && mdtoc::listed::is_listed(slice(&file.text, line))
    }
}

impl Replaceable {
    fn of(id: FileId, file: &Arc<SourceFile>) -> Self {
        let document = Document::parse(id, Arc::clone(file));
        let comments = document.comments.iter().filter(|comment| {
            let is_closed = slice(&file.text, comment.span.clone()).ends_with("-->");
            is_closed && (comment.is_directive(&file.text) || template::is_guidance(comment.body(&file.text)))
        });
        Self {
            comments: comments.map(|comment| comment.span.clone()).collect(),
            contents: Markers::find(&file.text).between().unwrap_or_default(),
        }
    }
}

fn has_inside(outer: Span, inner: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

/// Whether an edit replaces one word.
fn is_word(removed: &str, text: &str) -> bool {
    !removed.contains(char::is_whitespace) && !text.trim().is_empty()
}

/// The words of `text` in lower case, with their bytes.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let mut at = 0;
    text.split_inclusive(|letter: char| !letter.is_alphanumeric()).filter_map(move |piece| {
        let start = at;
        at += piece.len();
        let word = piece.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        (!word.is_empty()).then(|| (start..start + word.len(), word.to_lowercase()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use std::sync::Arc;

    const TEXT: &str = "# KEP-2: T\n\n<!-- toc -->\n- [Old](#old)\n\nTen pages.\n<!-- /toc -->\n\n<!-- mine -->\n";

    const YAML: &str = "title: Ten pages\nstatus: Ten pages\n";

    /// The words that a fix of the file `path` with `text` loses if its finding points at `reported` and its edits
    /// replace the first words by the second.
    fn lost_in((path, text): (&str, &str), safety: Safety, reported: &str, edits: &[(&str, &str)]) -> Option<String> {
        let mut texts = Texts::default();
        texts.push(Arc::new(SourceFile::decode(path, text.into())));
        let span = |part: &str| {
            let start = text.find(part).expect("the test's text has it");
            Span::new(FileId(0), start..start + part.len())
        };
        let edits = edits.iter().map(|(removed, added)| Edit { span: span(removed), text: (*added).to_owned() });
        let fix = Fix { safety, title: "change it".to_owned(), edits: edits.collect() };
        let finding = Diagnostic::new("rule", Severity::Error, span(reported), "wrong");
        let ignores = Ignores::of_file(FileId(0), texts.file(FileId(0)));
        Guard::new(&texts, &ignores).lost_words(&finding, &fix)
    }

    fn lost(safety: Safety, reported: &str, removed: &str, text: &str) -> Option<String> {
        lost_in(("README.md", TEXT), safety, reported, &[(removed, text)])
    }

    #[test]
    fn an_unsafe_fix_may_remove_a_word_that_is_written_twice() {
        let lost = |safety, removed: &str| lost_in(("README.md", "Is is it so"), safety, "so", &[(removed, "")]);
        assert_eq!(lost(Safety::Unsafe, " is"), None);
        assert_eq!(lost(Safety::Unsafe, "Is "), None);
        assert_eq!(lost(Safety::Safe, " is").as_deref(), Some("is"));
        assert_eq!(lost(Safety::Unsafe, " it").as_deref(), Some("it"));
    }

    #[test]
    fn a_safe_fix_may_replace_a_value_and_entries_of_the_table_of_contents() {
        assert_eq!(lost(Safety::Safe, "2", "2", "1"), None);
        assert_eq!(lost(Safety::Safe, "- [Old](#old)", "- [Old](#old)\n", "- [New](#new)\n"), None);
        assert_eq!(lost(Safety::Safe, "Ten pages.", "Ten pages.", "[Ten](pages)."), None);
        let target = "[a](#ro\u{a0}llback\u{200b})";
        let lost = |written: &str| lost_in(("README.md", target), Safety::Safe, target, &[(target, written)]);
        assert_eq!(lost("[a](#rollback)"), None);
        assert_eq!(lost("[a](#roll)").as_deref(), Some("ro llback"));
    }

    #[test]
    fn a_fix_that_loses_text_is_detected() {
        let block = "- [Old](#old)\n\nTen pages.\n";
        assert_eq!(lost(Safety::Safe, "- [Old](#old)", block, "- [New](#new)\n").as_deref(), Some("ten pages"));
        assert_eq!(lost(Safety::Safe, "Ten pages.", "Ten pages.", "").as_deref(), Some("ten pages"));
        assert_eq!(lost(Safety::Safe, "Ten pages.", "Ten", "").as_deref(), Some("ten"));
        assert_eq!(lost(Safety::Safe, "<!-- mine -->", "<!-- mine -->", "").as_deref(), Some("mine"));
        assert_eq!(lost(Safety::Safe, "T", "2", "1").as_deref(), Some("2"));
    }

    #[test]
    fn an_ignore_is_deleted_only_by_the_rules_about_it() {
        let comment = "<!-- kep-lint-ignore a, b: some reason -->";
        let text = format!("# KEP-2: T\n\n{comment}\n## Old\n\n{comment}\nText.\n");
        let lost = |rule: &'static str, reported: &str, removed: &str| {
            let mut texts = Texts::default();
            texts.push(Arc::new(SourceFile::decode("README.md", text.clone().into())));
            let span = |part: &str| {
                let start = text.find(part).expect("the test's text has it");
                Span::new(FileId(0), start..start + part.len())
            };
            let edits = vec![Edit { span: span(removed), text: String::new() }];
            let fix = Fix { safety: Safety::Safe, title: "change it".to_owned(), edits };
            let finding = Diagnostic::new(rule, Severity::Error, span(reported), "wrong");
            let ignores = Ignores::of_file(FileId(0), texts.file(FileId(0)));
            Guard::new(&texts, &ignores).lost_words(&finding, &fix)
        };
        let is_kept = |rule, reported: &str, removed: &str| lost(rule, reported, removed).is_some();
        let line = format!("{comment}\n");
        assert_eq!(lost("unused-ignore", comment, &line), None);
        assert_eq!(lost("unused-ignore", "a, b", "a, "), None);
        assert!(is_kept("bad-title", comment, &line));
        assert!(is_kept("unused-ignore", "Text", &line));
        assert!(is_kept("unused-ignore", comment, &format!("{line}## Old\n")));
        assert!(is_kept("unused-ignore", comment, &format!("{line}Text.\n")));
    }

    #[test]
    fn entries_outside_the_table_of_contents_are_text() {
        let text = "<!-- toc -->\n- [Old](#old)\n<!-- /toc -->\n\n- [Mine](#mine)\n";
        let lost = |removed: &str| lost_in(("README.md", text), Safety::Safe, removed, &[(removed, "")]);
        assert_eq!(lost("- [Old](#old)\n"), None);
        assert_eq!(lost("- [Mine](#mine)\n").as_deref(), Some("mine mine"));
    }

    #[test]
    fn directives_and_guidance_are_no_text_of_the_author() {
        let directive = "<!-- DIRECTIVE: required: true -->\n";
        let guidance = "<!--\nWhy should this KEP _not_ be implemented?\n-->\n";
        let text = format!("<!-- toc -->\n{directive}<!-- /toc -->\n\n{guidance}");
        let lost = |removed: &str| lost_in(("README.md", &text), Safety::Safe, removed, &[(removed, "")]);
        assert_eq!(lost(directive), None);
        assert_eq!(lost(guidance), None);
        assert_eq!(lost(&text), None);
    }

    #[test]
    fn a_word_that_is_written_once_replaces_only_one_that_is_deleted() {
        let text = "Ten pages. Ten pages.\n";
        let lost = |written: &str| lost_in(("README.md", text), Safety::Safe, text, &[(text, written)]);
        assert_eq!(lost("[Ten](pages) [ten](pages)\n"), None);
        assert_eq!(lost("Ten pages.\n").as_deref(), Some("ten pages"));
        assert_eq!(lost("Ten pages, pages, pages.\n").as_deref(), Some("ten"));
    }

    #[test]
    fn words_may_move_from_one_edit_of_a_fix_to_another() {
        let moved = [("Ten pages.", ""), ("T\n", "T: ten pages\n")];
        assert_eq!(lost_in(("README.md", TEXT), Safety::Safe, "Ten pages.", &moved), None);
    }

    #[test]
    fn only_the_first_eight_lost_words_are_shown() {
        let lost = |text: &str| lost_in(("README.md", text), Safety::Safe, text, &[(text, "")]);
        assert_eq!(lost("1 2 3 4 5 6 7 8").as_deref(), Some("1 2 3 4 5 6 7 8"));
        assert_eq!(lost("1 2 3 4 5 6 7 8 9").as_deref(), Some("1 2 3 4 5 6 7 8 …"));
        assert_eq!(lost("1 2 3 4 5 6 7 8 9 10").as_deref(), Some("1 2 3 4 5 6 7 8 …"));
    }

    #[test]
    fn a_safe_fix_may_replace_the_whole_value_of_a_finding_in_yaml_only() {
        let lost = |path: &str, reported: &str, removed: &str, text: &str| {
            lost_in((path, YAML), Safety::Safe, reported, &[(removed, text)])
        };
        assert_eq!(lost("kep.yaml", "Ten pages", "Ten pages", "draft"), None);
        assert_eq!(lost("kep.md", "Ten pages", "Ten pages", "draft").as_deref(), Some("ten pages"));
        // Not without a new value, and not with other text.
        assert_eq!(lost("kep.yaml", "Ten pages", "Ten pages", " ").as_deref(), Some("ten pages"));
        assert_eq!(lost("kep.yaml", "Ten pages", "title: Ten pages", "draft").as_deref(), Some("title ten pages"));
        assert_eq!(lost("kep.yaml", "title", "Ten pages", "draft").as_deref(), Some("ten pages"));
    }

    #[test]
    fn an_unsafe_fix_may_delete_words_of_its_finding() {
        assert_eq!(lost(Safety::Unsafe, "Ten pages.", "Ten pages.", "Pages"), None);
        assert_eq!(lost(Safety::Unsafe, "Ten", "Ten pages.", "Ten").as_deref(), Some("pages"));
    }

    #[test]
    fn an_unsafe_fix_may_change_the_anchor_of_a_link_to_its_finding() {
        let text = "# KEP-2: T\n\n## New\n\nSee [it](#old) or [it there](old).\n";
        let lost = |safety: Safety, removed: &str, written: &str| {
            lost_in(("README.md", text), safety, "New", &[(removed, written)])
        };
        assert_eq!(lost(Safety::Unsafe, "old", "new"), None);
        assert_eq!(lost(Safety::Safe, "old", "new").as_deref(), Some("old"));
        assert_eq!(lost(Safety::Unsafe, "old", "").as_deref(), Some("old"));
        assert_eq!(lost(Safety::Unsafe, "old) or", "new) and").as_deref(), Some("old or"));
        assert_eq!(lost(Safety::Unsafe, "See", "Look").as_deref(), Some("see"));
    }
}
