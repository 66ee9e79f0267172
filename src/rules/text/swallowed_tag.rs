//! A word in angle brackets is not shown, because it is read as an HTML tag.
//!
//! ## Why
//!
//! GitHub drops a tag such as `<driverName>` from the page: readers see a sentence without the word, and do not notice that
//! one is missing. Tags of HTML are not reported, and neither are lines of the template's forms.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! The images are listed in the directory of <driverName>.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! The images are listed in the directory of `<driverName>`.
//! ```

use crate::gap::leftover;
use crate::markdown::tag::UnknownTag;
use crate::rules::prelude::*;
use std::borrow::Cow;

/// How far the word around an HTML tag is read, in bytes before and after the tag. Many tags may be in one word.
const TAGGED_BYTES: usize = 100;

pub const RULE: Rule = Rule {
    name: "swallowed-tag",
    summary: "a word in angle brackets that GitHub does not show",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("swallowed_tag.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

struct Word<'a> {
    tag: &'a UnknownTag,
    span: Range<usize>,
}

/// Reports each word with tags once, however often it occurs, and together with those that are on its line.
fn check(ctx: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    // Text and code may have changed places.
    if !ctx.layout().is_of_keps() && page.has_unclosed_block() {
        return;
    }
    let mut words: Vec<(&str, Word<'_>)> = Vec::new();
    let mut end = 0;
    // The last line, and whether it is one of the template.
    let mut last = (usize::MAX, false);
    for tag in &page.unknown_tags {
        let line = page.source.lines().line_of(tag.span.start);
        if last.0 != line {
            last = (line, is_of_template(ctx, line_around(page.text(), tag.span.start)));
        }
        // A word may have several tags. Between backticks it was meant as code: `unclosed-code-span` reports them.
        let is_meant_as_code = page.document.slice(..tag.span.start).ends_with('`')
            && page.document.slice(tag.span.end..).starts_with('`');
        if last.1 || tag.span.start < end || is_meant_as_code {
            continue;
        }
        let span = word_around(page.text(), &tag.span);
        end = span.end;
        words.push((page.document.slice(span.clone()), Word { tag, span }));
    }
    let words: Vec<Vec<Word<'_>>> = grouped(words.into_iter()).into_iter().map(|(_, same)| same).collect();
    let contents = if words.is_empty() { 0..0 } else { page.contents() };
    let line = |same: &[Word<'_>]| same.first().map(|word| page.source.lines().line_of(word.span.start));
    for of_line in words.chunk_by(|one, other| line(one) == line(other)) {
        report(ctx, page, of_line, &contents, out);
    }
}

/// Reports words, each with all its places, which were first on the same line.
fn report(ctx: &Ctx<'_>, page: Page<'_>, words: &[Vec<Word<'_>>], contents: &Range<usize>, out: &mut Sink) {
    let firsts: Vec<&Word<'_>> = words.iter().filter_map(|same| same.first()).collect();
    let Some((first, others)) = firsts.split_first() else { return };
    let mut tags: Vec<_> = firsts.iter().map(|word| brief(page.slice(word.tag.span.clone()))).collect();
    tags.dedup();
    let message = match tags.as_slice() {
        [tag] => format!("`{tag}` is read as an HTML tag and not shown"),
        _ => format!("{} are read as HTML tags and not shown", suggest::list(&tags, "and")),
    };
    // The words of the table of contents are those of headings.
    let is_fixable = |same: &Vec<Word<'_>>| {
        let is_listed = same.iter().any(|word| contents.contains(&word.span.start));
        !is_listed || same.iter().any(|word| is_in_heading(page, word))
    };
    let fix = if words.iter().all(is_fixable) { code_fix(page, words) } else { None };
    // `<take some action>` is a blank to fill in.
    let is_blank = |tag: &Cow<'_, str>| tag.split(' ').count() > 2 && !tag.contains(['=', '"', '/']);
    let help = match others {
        _ if firsts.iter().any(|word| word.tag.is_in_html) => "write `&lt;` for `<`".to_owned(),
        _ if fix.is_none() && tags.iter().any(is_blank) => "write what they stand for".to_owned(),
        [] => format!("write it as code: `` `{}` ``", brief(page.slice(first.span.clone()))),
        _ => "write each of them between backticks, as code".to_owned(),
    };
    let again = words.iter().flat_map(|same| same.iter().skip(1).map(|word| &word.tag.span));
    let subject = |word: &Word<'_>| Subject::named([page.slice(word.span.clone())]);
    // Where the tag begins a block that hides headings, that is said first.
    let mut hidden = page.hidden.iter().filter(|hidden| hidden.within.start == first.tag.span.start);
    let cause = hidden.find_map(|hidden| cause::of_hidden(ctx, page, hidden));
    let covers = if others.is_empty() { Vec::new() } else { firsts.iter().map(|word| subject(word)).collect() };
    let finding = Diagnostic::at(page.span(first.tag.span.clone()), message)
        .help(help)
        .related_others(others.iter().map(|other| &other.tag.span), "and this one")
        .related_others(again, "the same word")
        .subject(subject(first))
        .covers(covers)
        .fix(fix)
        .unless(cause);
    out.report(finding);
}

/// Writes all of these words as code, if that is possible for each.
fn code_fix(page: Page<'_>, words: &[Vec<Word<'_>>]) -> Option<Fix> {
    let words: Vec<&Word<'_>> = words.iter().flatten().collect();
    let safety = words.iter().map(|word| safety(page, word)).collect::<Option<Vec<_>>>()?.into_iter().max()?;
    let marks = words.iter().flat_map(|word| [word.span.start, word.span.end]);
    let edits = marks.map(|at| Edit { span: page.span(at..at), text: "`".to_owned() });
    Some(Fix { safety, title: "write it as code".to_owned(), edits: edits.collect() })
}

/// Whether a line is one of the template, or has a marker of an open discussion, of which other rules say more.
fn is_of_template(ctx: &Ctx<'_>, line: &str) -> bool {
    let content = Content::of_line(line, ctx.template, ctx.target.stage);
    content != Content::Answer || leftover::stand_in(line).is_some() || line.contains("UNRESOLVED")
}

/// The word that has a tag, with other tags in it: `/dev/<pool>/<device>`; the tag alone if it is not clear what belongs
/// to it.
fn word_around(text: &str, tag: &Range<usize>) -> Range<usize> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "/_-.,:=@<>".contains(letter);
    let is_mark = |letter: char| matches!(letter, '.' | ',' | ':' | '=' | '_');
    let near = text.floor_char_boundary(tag.start.saturating_sub(TAGGED_BYTES));
    let far = text.floor_char_boundary(tag.end.saturating_add(TAGGED_BYTES)).max(tag.end);
    let (before, after) = (slice(text, near..tag.start), slice(text, tag.end..far));
    let front = slice(before, before.trim_end_matches(is_part).len()..).trim_start_matches(is_mark);
    let back = after.find(|letter: char| !is_part(letter)).unwrap_or(after.len());
    let back = slice(after, ..back).trim_end_matches(|letter| is_mark(letter) || letter == '-');
    // `*.<domain>`: all names of a domain, unless the stars are those of words in bold.
    let ahead = slice(before, ..before.len() - front.len());
    let is_wildcard = ahead.ends_with("*.") && !ahead.ends_with("**.") && !slice(after, back.len()..).starts_with('*');
    let word = tag.start - front.len() - if is_wildcard { "*.".len() } else { 0 }..tag.end + back.len();
    let is_balanced = |part: &str| part.matches('<').count() == part.matches('>').count();
    if is_balanced(front) && is_balanced(back) { word } else { tag.clone() }
}

/// Whether a word can be written as code. In a heading this changes the anchor, and in a link or a table more than the word.
fn safety(page: Page<'_>, word: &Word<'_>) -> Option<Safety> {
    let source = page.slice(word.span.clone());
    // Another tag may get backticks as well.
    let is_touched = page.slice(..word.span.start).ends_with(['`', '\\', '>'])
        || page.slice(word.span.end..).starts_with(['`', '\\', '<']);
    if word.tag.is_in_html || word.tag.follows_backtick || source.contains(['`', '\n', '\r']) || is_touched {
        return None;
    }
    let line = line_around(page.text(), word.span.start);
    let is_link = page.document.is_link(word.span.start);
    Some(if is_in_heading(page, word) || is_link || line.contains('|') { Safety::Unsafe } else { Safety::Safe })
}

fn is_in_heading(page: Page<'_>, word: &Word<'_>) -> bool {
    let section = page.sections.at(word.span.start);
    section.is_some_and(|section| page.sections.get(section).heading.contains(&word.span.start))
}
