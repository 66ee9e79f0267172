//! The edits that remove an ignore, or some of the rules that it names, and nothing else.

use super::ignore::Ignore;
use crate::diagnostic::Edit;
use crate::markdown::paragraph::is_list_item;
use crate::source::SourceFile;
use crate::span::{Span, first_line, last_line_start, slice};
use std::ops::Range;

/// Removes the comment of `ignore`. Its line goes too if it has no other text, unless the texts before and after it
/// would become one paragraph: then a blank line remains. `None` if it keeps a list apart from what follows.
pub fn of_comment(source: &SourceFile, ignore: &Ignore) -> Option<Edit> {
    let (text, lines, comment) = (source.text.as_str(), source.lines(), ignore.comment.range());
    let edit = |range: Range<usize>, written: &str| {
        Some(Edit { span: Span::new(ignore.comment.file, range), text: written.to_owned() })
    };
    let last = lines.line_of(comment.end);
    let start = lines.line_range(lines.line_of(comment.start), text).start;
    let end = lines.line_range(last, text).end;
    // A line may have many comments: only the blanks on either side of this one are read, never the whole line.
    let (before, after) = (slice(text, start..comment.start), slice(text, comment.end..end));
    let is_first = before.trim_end_matches(['\u{feff}', ' ', '\t']).is_empty();
    let is_last = after.trim_start().is_empty();
    if !is_first || !is_last {
        let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
        // Without a blank on either side, two words would become one.
        let is_parted = after.is_empty() || after.starts_with([' ', '\t', '\n', '\r']);
        return edit(comment.start - if is_parted { blanks } else { 0 }..comment.end, "");
    }
    let after = first_line(after);
    let start = start + if before.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    if slice(text, comment.clone()).starts_with('#') {
        return edit(start..end, "");
    }
    let next = lines.line_range(last + 1, text);
    let (preceding, following) = (previous(slice(text, ..start)), slice(text, next.clone()).trim());
    let is_indented = comment.start > start;
    if !is_indented && parts_list(slice(text, ..start), slice(text, end..)) {
        return None;
    }
    match (preceding.is_empty(), following.is_empty()) {
        (true, true) => edit(start..next.end, ""),
        (false, false) if !stands_alone(following, preceding, is_indented) => {
            edit(start..comment.end + after.len(), "")
        }
        _ => edit(start..end, ""),
    }
}

/// Removes the names of `ignore` at these places, which are not all.
pub fn of_names(ignore: &Ignore, removed: &[usize]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut last_kept: Option<usize> = None;
    for (at, name) in ignore.names.iter().enumerate() {
        if !removed.contains(&at) {
            last_kept = Some(name.range.end);
            continue;
        }
        // With the comma before it, or else that after it.
        let range = match (last_kept, ignore.names.get(at + 1)) {
            (Some(kept), _) => kept..name.range.end,
            (None, Some(next)) => name.range.start..next.range.start,
            (None, None) => name.range.clone(),
        };
        match edits.last_mut().filter(|edit| edit.span.end >= range.start) {
            Some(edit) => edit.span.end = range.end,
            None => edits.push(Edit { span: Span::new(ignore.comment.file, range), text: String::new() }),
        }
    }
    edits
}

/// The last line of `text`, which ends with a line end, without white space.
fn previous(text: &str) -> &str {
    let line = text.strip_suffix('\n').unwrap_or(text);
    let line = line.strip_suffix('\r').unwrap_or(line);
    slice(line, last_line_start(line)..).trim_matches(['\u{feff}', ' ', '\t'])
}

/// Whether a list that `before` ends with would go on in `after`.
fn parts_list(before: &str, after: &str) -> bool {
    let mut above = before.trim_end().lines().rev().take_while(|line| !line.trim().is_empty());
    let below = after.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_of_list = |line: &str| is_list_item(line.trim_start()) || line.starts_with([' ', '\t']);
    above.any(is_of_list) && is_of_list(below)
}

/// Whether the line `next` of Markdown begins the same block after the line `before` as after a comment.
fn stands_alone(next: &str, before: &str, is_indented: bool) -> bool {
    let is_heading = next.starts_with('#') && next.trim_start_matches('#').starts_with([' ', '\t']);
    let is_bullet = |line: &str| ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker));
    let is_number = |line: &str| {
        let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "))
    };
    // A number begins a list only after another item, or in one.
    is_heading || is_bullet(next) || (is_number(next) && (is_indented || is_number(before)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::FileId;
    use crate::suppress::Ignores;
    use std::sync::Arc;

    fn first(path: &str, text: &str) -> (Arc<SourceFile>, Ignore) {
        let source = Arc::new(SourceFile::decode(path, text.into()));
        let ignore = Ignores::of_file(FileId(0), &source).list.remove(0);
        (source, ignore)
    }

    fn apply(text: &str, mut edits: Vec<Edit>) -> String {
        let mut text = text.to_owned();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        edits.into_iter().for_each(|edit| text.replace_range(edit.span.range(), &edit.text));
        text
    }

    /// `text` of Markdown, in which `<>` stands for an ignore, without that.
    fn without(path: &str, text: &str, comment: &str) -> String {
        let text = text.replace("<>", comment);
        let (source, ignore) = first(path, &text);
        apply(&text, of_comment(&source, &ignore).into_iter().collect())
    }

    #[test]
    fn a_comment_goes_with_its_line_and_paragraphs_stay_apart() {
        let without = |text: &str| without("README.md", text, "<!-- kep-lint-ignore a: b -->");
        for (text, left) in [
            ("# T\n\n<>\n## A\n", "# T\n\n## A\n"),
            ("# T\n\n<>\n\n## A\n", "# T\n\n## A\n"),
            ("# T\r\n<>\r\n## A\r\n", "# T\r\n## A\r\n"),
            ("one\n<>\ntwo\n", "one\n\ntwo\n"),
            ("one\n<>\n---\n", "one\n\n---\n"),
            ("- a\n  <>\n- b\n", "- a\n- b\n"),
            ("1. a\n   b\n   <>\n2. c\n", "1. a\n   b\n2. c\n"),
            ("<>\n# T\n", "# T\n"),
            ("\u{feff}<>\n# T\n", "\u{feff}# T\n"),
            ("one\n\n<>", "one\n\n"),
            ("one <> two\n", "one two\n"),
            ("one <>\ntwo\n", "one\ntwo\n"),
            ("one <>two\n", "one two\n"),
            ("| a | b <> |\n|---|---|\n", "| a | b |\n|---|---|\n"),
            ("1. a\n\n<>\n\n## A\n", "1. a\n\n## A\n"),
        ] {
            assert_eq!(without(text), left, "{text:?}");
        }
    }

    #[test]
    fn a_comment_stays_where_it_parts_lists() {
        let comment = "<!-- kep-lint-ignore a: b -->";
        for text in ["1. a\n\n<>\n\n1. b\n", "- a\n\n<>\n\n      code\n", "- a\n<>\n- b\n", "- a\nb\n\n<>\n\n  c\n"] {
            assert_eq!(without("README.md", text, comment), text.replace("<>", comment));
        }
    }

    #[test]
    fn a_comment_of_yaml_goes_alone() {
        let without = |text: &str| without("kep.yaml", text, "# kep-lint-ignore a: b");
        for (text, left) in [
            ("a: b\n<>\nc: d\n", "a: b\nc: d\n"),
            ("a: b\n\n<>\n\nc: d\n", "a: b\n\n\nc: d\n"),
            ("a: b <>\nc: d\n", "a: b\nc: d\n"),
            ("a: b # c <>", "a: b # c"),
            ("- a\r\n  <>\r\n- b\r\n", "- a\r\n- b\r\n"),
        ] {
            assert_eq!(without(text), left, "{text:?}");
        }
    }

    #[test]
    fn names_go_with_one_comma() {
        let text = "<!-- kep-lint-ignore a(\"T\"), b,c : why -->\n";
        let (_, ignore) = first("README.md", text);
        let without = |removed: &[usize]| apply(text, of_names(&ignore, removed));
        for (removed, left) in [
            (&[0][..], "b,c"),
            (&[1], "a(\"T\"),c"),
            (&[2], "a(\"T\"), b"),
            (&[0, 1], "c"),
            (&[0, 2], "b"),
            (&[1, 2], "a(\"T\")"),
        ] {
            assert_eq!(without(removed), format!("<!-- kep-lint-ignore {left} : why -->\n"));
        }
    }
}
