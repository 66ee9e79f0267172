//! Texts with small mistakes that would hide what follows them, as they were meant.

use super::comment::repair_openers;
use crate::search;
use std::borrow::Cow;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text with five mistakes corrected that would hide the text after them, without a change of length and offsets:
///
/// - a BOM before the title;
/// - lines that end with a carriage return alone, where pulldown-cmark does not end an HTML block;
/// - a tab after a closing fence, which pulldown-cmark then does not recognize;
/// - `<!doctype`, which hides nothing on a page;
/// - a directive that is closed by `>` instead of `-->`.
pub(super) fn repair(text: &str) -> Cow<'_, str> {
    let mut text = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => Cow::Owned(" ".repeat(BYTE_ORDER_MARK.len_utf8()) + rest),
        None => Cow::Borrowed(text),
    };
    if let Some(ends) = with_line_feeds(&text) {
        text = Cow::Owned(ends);
    }
    let ends_line = |at: usize| matches!(text.as_bytes().get(at + 1), None | Some(b'\n' | b'\r'));
    if search::bytes(&text, b'\t').any(ends_line) {
        text = Cow::Owned(replace_tabs_after_fences(&text));
    }
    // Only in capitals does it begin a block of HTML on a page.
    if search::word(&text, "<!doctype").is_some() {
        text = Cow::Owned(text.replace("<!doctype", "[!doctype"));
    }
    repair_openers(text)
}

/// The text with each carriage return replaced that has no line feed after it; `None` if there is none.
fn with_line_feeds(text: &str) -> Option<String> {
    let is_alone = |at: usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    search::bytes(text, b'\r').any(is_alone).then(|| {
        let mut letters = text.chars().peekable();
        let mut line_feeds = String::with_capacity(text.len());
        while let Some(letter) = letters.next() {
            let is_line_end = letter == '\r' && letters.peek() != Some(&'\n');
            line_feeds.push(if is_line_end { '\n' } else { letter });
        }
        line_feeds
    })
}

fn replace_tabs_after_fences(text: &str) -> String {
    let mut repaired = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let fence = line.trim_start_matches([' ', '>', '\t']);
        let is_fence = fence.starts_with("```") || fence.starts_with("~~~");
        let (content, end) = line.split_at(if is_fence { line.trim_end().len() } else { line.len() });
        repaired += content;
        repaired += &end.replace('\t', " ");
    }
    repaired
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_carriage_returns_alone_are_replaced() {
        assert_eq!(with_line_feeds("a\r\nb\rc\r").as_deref(), Some("a\r\nb\nc\n"));
        assert_eq!(with_line_feeds("a\r\nb\n"), None);
    }
}
