//! Messages as Markdown, for reports whose messages are posted in comments. A message quotes a KEP, whose text must mention
//! nobody, and form no link, image or HTML.

use super::backticks::{Part, parts};

/// `text`, one line, in which code spans stay, and nothing else does more than emphasize. A word that GitHub would turn
/// into a mention, a reference or a link becomes a code span.
pub fn remark(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for part in parts(text) {
        match part {
            Part::Text(plain) => add_plain(&mut shown, plain),
            Part::Code { whole, .. } => add_span(&mut shown, whole),
            Part::Unpaired(ticks) => shown += &"\\`".repeat(ticks.len()),
        }
    }
    shown
}

/// Adds a code span; two that touch would be another one.
fn add_span(shown: &mut String, span: &str) {
    if shown.ends_with('`') {
        shown.push(' ');
    }
    *shown += span;
}

/// Adds text outside code spans, which has no backticks.
fn add_plain(shown: &mut String, text: &str) {
    for (number, word) in text.split(' ').enumerate() {
        if number > 0 {
            shown.push(' ');
        }
        if ["@", "#", "://", "www."].iter().any(|mark| word.contains(mark)) {
            add_span(shown, &format!("`{word}`"));
        } else {
            word.chars().for_each(|letter| add_letter(shown, letter));
        }
    }
}

fn add_letter(shown: &mut String, letter: char) {
    if matches!(letter, '\\' | '<' | '>' | '&' | '[' | ']') {
        shown.push('\\');
    }
    shown.push(letter);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_spans_stay() {
        for text in ["section `Test Plan` is empty", "write ``- `x` `` — now", "`<!-- toc -->` and `[x](y)`", ""] {
            assert_eq!(remark(text), text);
        }
    }

    #[test]
    fn nothing_else_acts() {
        for (text, shown) in [
            ("<script> -->", "\\<script\\> --\\>"),
            ("![x](y) &amp; a_b", "!\\[x\\](y) \\&amp; a_b"),
            ("by @kubernetes/sig-node.", "by `@kubernetes/sig-node.`"),
            ("see kubernetes/kubernetes#1 or https://x.y", "see `kubernetes/kubernetes#1` or `https://x.y`"),
            ("unclosed ` @x", "unclosed \\` `@x`"),
            ("`a``@x` b", "`a``@x` b"),
            ("``@x` b", "\\`\\` `@x`\\` b"),
            ("`a`@x`b`", "`a` `@x` `b`"),
        ] {
            assert_eq!(remark(text), shown);
        }
    }

    #[test]
    fn a_quote_cannot_leave_its_code_span_unseen() {
        // The heading has a backtick, so that the span ends early.
        assert_eq!(remark("section `a` @kubernetes/sig-node `b` is"), "section `a` `@kubernetes/sig-node` `b` is");
    }
}
