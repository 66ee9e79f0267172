//! What stands above a heading and belongs to it, so that nothing is inserted between the two.

use crate::markdown::comment::Comment;
use crate::markdown::fingerprint;
use crate::rules::prelude::*;
use crate::span::count_line_ends;
use crate::suppress::ignore;
use crate::template::is_known_line;

/// Where it begins, for a heading at byte `limit`; `limit` itself if there is nothing, or no heading.
///
/// Ignores and anchors belong to what follows them. A comment does if no blank line is between: others are notes or
/// guidance of the section before.
pub fn start(readme: Readme<'_>, mut limit: usize) -> usize {
    let text = readme.text();
    while limit < text.len() {
        let before = slice(text, ..limit).trim_end();
        let is_next = count_line_ends(slice(text, before.len()..limit)) < 2;
        let line = last_line_start(before);
        let comments = &readme.comments;
        let last = comments.partition_point(|comment| comment.span.end <= before.len());
        let comment = last.checked_sub(1).and_then(|last| comments.get(last));
        limit = match comment.filter(|comment| comment.span.end == before.len() && comment.is_block) {
            Some(comment) if ignore::is_one(comment.body(text)) => comment.span.start,
            Some(comment) if is_next && is_about_next(readme, comment) => comment.span.start,
            None if is_anchor(slice(before, line..)) && !readme.is_hidden(line) => line,
            _ => break,
        };
    }
    limit
}

/// Whether a comment right above a heading is about it, as far as can be told: it is not the template's guidance or a
/// mark in the section before, nor all that is in that section.
fn is_about_next(readme: Readme<'_>, comment: &Comment) -> bool {
    let text = readme.text();
    let start = comment.span.start;
    let above = readme.sections.at(start).map_or(0, |section| readme.sections.get(section).heading.end);
    let begins_line = slice(text, ..start).ends_with(['\n', '\r']);
    let body = comment.body(text);
    let is_guidance = body.lines().any(|line| fingerprint::hash(line).is_some_and(is_known_line));
    let is_mark = Markers::is_one(slice(text, comment.span.clone())) || body.contains("UNRESOLVED");
    let is_alone = slice(text, above..start.max(above)).trim().is_empty();
    begins_line && !comment.is_directive(text) && !is_guidance && !is_mark && !is_alone
}

/// Whether a line is an element that has nothing in it but is the target of links: `<a name="x"></a>`.
fn is_anchor(line: &str) -> bool {
    let Some((tag, rest)) = line.strip_prefix('<').and_then(|line| line.split_once('>')) else { return false };
    let name = tag.split(' ').next().unwrap_or_default();
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_empty = if rest.is_empty() { tag.ends_with('/') } else { rest == format!("</{name}>") };
    is_name && is_empty && [" id=", " name="].iter().any(|key| tag.contains(key))
}
