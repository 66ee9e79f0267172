//! A word is written twice.
//!
//! ## Why
//!
//! "The the" is a slip that spelling checkers find and reviewers point out. Words that may follow themselves, such as "that
//! that" and "opted in in v1.36", are not reported, and neither are words in headings, tables, links and code, or next to
//! code.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! The kubelet reads the the list of images.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! The kubelet reads the list of images.
//! ```

use crate::diagnostic::counted;
use crate::markdown::doubled;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "doubled-word",
    summary: "a word is written twice",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("doubled_word.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

fn check(_: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let words = doubled::words(page.document);
    let Some((first, others)) = words.split_first() else { return };
    let more = if others.is_empty() {
        String::new()
    } else {
        format!(", and {}", counted(others.len(), "more word", "more words"))
    };
    let message = format!("`{}` is written twice{more}", brief(page.slice(first.clone())));
    let lines = words.iter().map(|word| Subject::named([line_around(page.text(), word.start)]));
    let edits = words.iter().map(|word| Edit { span: page.span(removed(page, word)), text: String::new() });
    let finding = Diagnostic::at(page.span(first.clone()), message)
        .related_others(others, "written twice")
        .subject(Subject::File)
        .covers(lines.collect())
        .edits("remove one of the two", edits.collect());
    out.report(finding);
}

/// What goes: the second word, or at the end of a line the first one, so that no line gets longer.
fn removed(page: Page<'_>, word: &Range<usize>) -> Range<usize> {
    let before = page.slice(..word.start).trim_end_matches(' ');
    let above = before.trim_end_matches(['\r', '\n', ' ']);
    if before.len() == above.len() {
        return before.len()..word.end;
    }
    match above.strip_suffix(page.slice(word.clone())) {
        Some(first) => first.trim_end_matches(' ').len()..above.len(),
        // The first word begins a sentence.
        None => word.start..word.end + usize::from(page.slice(word.end..).starts_with(' ')),
    }
}
