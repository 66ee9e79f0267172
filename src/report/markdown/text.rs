//! Words of a KEP as Markdown, and as HTML inside of it, where they are only words: they open no element, comment or
//! link, mention nobody and refer to no issue.
//!
//! Escapes are not enough for that. `\@name` and `&#64;name` become `@name` before GitHub and GitLab look for people to
//! notify, and a bare address is a link without any brackets. Both leave code alone. So whatever could act becomes code,
//! word by word, and everything else is plain letters that need no escape.

use crate::report::backticks::{self, Part, parts};
use crate::report::html::text::{escaped, without_padding};
use crate::report::printable;

/// `text` on a line of Markdown. Parts in backticks are code, as rules write them.
pub fn inline(text: &str) -> String {
    shown(text, code)
}

/// The same in an element of HTML.
pub fn html(text: &str) -> String {
    shown(text, html_code)
}

fn shown(text: &str, code: fn(&str) -> String) -> String {
    let pieces = pieces(text).into_iter().map(|piece| match piece {
        Piece::Plain(words) => words,
        Piece::Code(words) => code(&words),
    });
    pieces.collect()
}

pub fn code(text: &str) -> String {
    let text = printable(text);
    let is_padded = text.starts_with(' ') && text.ends_with(' ');
    let touches = text.starts_with('`') || text.ends_with('`');
    let padding = if text.is_empty() || is_padded || touches { " " } else { "" };
    let ticks = backticks::around(&text);
    format!("{ticks}{padding}{text}{padding}{ticks}")
}

pub fn html_code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// Lines to copy, which are in this language, with `indent` in front of each. Prow reads commands in code, too, so
/// that a slash at the beginning gets the backslash that Markdown does not show.
pub fn block(text: &str, language: &str, indent: &str) -> String {
    let shown = |line: &str| {
        let line = printable(line);
        let rest = line.trim_start();
        let blanks = line.strip_suffix(rest).unwrap_or_default();
        if rest.starts_with('/') { format!("{indent}{blanks}\\{rest}\n") } else { format!("{indent}{line}\n") }
    };
    let lines: String = text.lines().map(shown).collect();
    let fence = backticks::fence(&lines);
    format!("{indent}{fence}{language}\n{lines}{indent}{fence}\n")
}

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    /// Letters that mean nothing in Markdown or HTML.
    Plain(String),
    Code(String),
}

/// The parts of `text`. No code follows other code, as their backticks would be taken for one row of them.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in parts(&printable(text)) {
        match part {
            Part::Text(words) => push_words(&mut pieces, words),
            Part::Code { inner, .. } => push(&mut pieces, Piece::Code(without_padding(inner).to_owned())),
            Part::Unpaired(ticks) => push(&mut pieces, Piece::Code(ticks.to_owned())),
        }
    }
    pieces
}

fn push_words(pieces: &mut Vec<Piece>, text: &str) {
    for word in text.split_inclusive(' ') {
        let letters = word.trim_end_matches(' ');
        if is_plain(letters) {
            push(pieces, Piece::Plain(word.to_owned()));
        } else {
            push(pieces, Piece::Code(letters.to_owned()));
            push(pieces, Piece::Plain(" ".repeat(word.len() - letters.len())));
        }
    }
}

fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    match (pieces.last_mut(), piece) {
        (_, Piece::Plain(text)) if text.is_empty() => {}
        (Some(Piece::Plain(last)), Piece::Plain(text)) | (Some(Piece::Code(last)), Piece::Code(text)) => {
            last.push_str(&text);
        }
        (_, piece) => pieces.push(piece),
    }
}

/// Whether a word means nothing: it is no address, mention, reference or emoji, and has no mark of Markdown or HTML. The
/// marks of GitLab count too, such as `%` for a milestone and `~` for a label.
fn is_plain(word: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || !letter.is_ascii() || ".,;:'\"()/+=?-".contains(letter);
    let lower = word.to_ascii_lowercase();
    let acts = ["://", "www.", "gh-", "gl-"].iter().any(|part| lower.contains(part)) || word.matches(':').count() > 1;
    word.chars().all(is_plain) && !acts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_parts_are_code_and_words_stay() {
        assert_eq!(inline("section `Test Plan` is empty"), "section `Test Plan` is empty");
        assert_eq!(inline("write `# KEP-2: <X>`, e.g. for v1.37"), "write `# KEP-2: <X>`, e.g. for v1.37");
        assert_eq!(inline("10 (or more) – \"é\""), "10 (or more) – \"é\"");
    }

    #[test]
    fn what_acts_is_code() {
        for (text, expected) in [
            ("ask @kubernetes/sig-node now", "ask `@kubernetes/sig-node` now"),
            ("see #12 and GH-12, o/r#1", "see `#12` and `GH-12,` `o/r#1`"),
            ("see GL-12", "see `GL-12`"),
            ("<script> --> <!-- a", "`<script>` `-->` `<!--` a"),
            ("https://x.y/z www.x.y a@b.c", "`https://x.y/z` `www.x.y` `a@b.c`"),
            ("**a** _b_ ~c~ [d](e) \\e &amp; :+1: f|g", "`**a**` `_b_` `~c~` `[d](e)` `\\e` `&amp;` `:+1:` `f|g`"),
            ("%v1 !1 $x$", "`%v1` `!1` `$x$`"),
        ] {
            assert_eq!(inline(text), expected);
        }
    }

    #[test]
    fn backticks_end_no_code() {
        assert_eq!(inline("one ` alone @x"), "one `` ` `` alone `@x`");
        assert_eq!(inline("none: ``"), "none: ``` `` ```");
        assert_eq!(inline("#`x`@y"), "`#x@y`");
        assert_eq!(inline("a ```b``` c"), "a `b` c");
        assert_eq!(inline("write ``- `x` `` — now"), "write `` - `x` `` — now");
        assert_eq!(code("a``b`"), "``` a``b` ```");
        assert_eq!(code(" a "), "`  a  `");
        assert_eq!(code(""), "`  `");
        assert_eq!(block("  ```\n::a", "", "  "), "  ````\n    ```\n  :?a\n  ````\n");
        assert_eq!(block("/label a\n /b\nc/d", "", ""), "```\n\\/label a\n \\/b\nc/d\n```\n");
    }

    #[test]
    fn html_is_text() {
        assert_eq!(html("<b>@x</b> `&` y"), "<code>&lt;b&gt;@x&lt;/b&gt;</code> <code>&amp;</code> y");
    }
}
