//! Text as an editor may show it: Markdown that loads nothing, runs nothing and has no HTML, and messages without links.

use crate::bounds;
use crate::markdown::Document;
use crate::report::{backticks, printable};
use crate::span::slice;

/// `text` as a message of an editor: VS Code makes links of `[text](target)` there, also such that run a command.
pub fn message(text: &str) -> String {
    printable(text).replace("](", "] (")
}

/// How often what is left after a change is looked at again: what was code may be none then.
const ROUNDS: usize = 8;

/// `text` without images, HTML, and links to anything but web sites: what it shows is the same, or else it is code. Readers of
/// Markdown differ in what they take for a link, so that each bracket is an entity unless all of them see the same.
pub fn markdown(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| printable(line).trim_end().to_owned()).collect();
    let mut shown = lines.join("\n");
    shown.truncate(shown.floor_char_boundary(bounds::HOVER_BYTES));
    for _ in 0..ROUNDS {
        let marks = marks(&shown);
        if marks.is_empty() {
            return shown;
        }
        for at in marks.into_iter().rev() {
            let entity = if slice(&shown, at..).starts_with('<') { "&lt;" } else { "&#91;" };
            // Some take a backslash for a part of an address before it.
            let slashes = slice(&shown, ..at).bytes().rev().take_while(|byte| *byte == b'\\').count();
            shown.replace_range(at - slashes % 2..=at, entity);
        }
    }
    let fence = backticks::fence(&shown);
    format!("{fence}\n{shown}\n{fence}")
}

/// The brackets that have to be entities, in order.
fn marks(text: &str) -> Vec<usize> {
    let document = Document::of_text(text);
    text.match_indices(['[', '<'])
        .filter(|(at, bracket)| if *bracket == "<" { opens_tag(text, *at) } else { may_link(text, *at) })
        .map(|(at, _)| at)
        .filter(|at| document.code_around(*at).is_none())
        .collect()
}

/// Whether a `<` may begin HTML, not a link to a web site.
fn opens_tag(text: &str, at: usize) -> bool {
    let rest = slice(text, at + 1..);
    let is_web = after_address(rest).is_some_and(|rest| rest.starts_with('>'));
    !is_web && rest.starts_with(|next: char| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'))
}

/// Whether a `[` may begin something else than words, a link to a web site, or the line that says where one leads to.
fn may_link(text: &str, at: usize) -> bool {
    let rest = slice(text, at..);
    // A footnote on GitHub is a link to any target elsewhere.
    if slice(text, ..at).ends_with('!') || rest.starts_with("[^") {
        return true;
    }
    let Some(after) = after_brackets(rest) else { return true };
    let is_plain = match after.chars().next() {
        Some('(') => after_address(slice(after, 1..)).is_some_and(|end| end.starts_with(')')),
        Some('[') => after_brackets(after).is_some(),
        Some(':') => after_address(slice(after, 1..).trim_start_matches(' '))
            .is_some_and(|end| end.is_empty() || end.starts_with('\n')),
        _ => true,
    };
    !is_plain
}

/// What is after the brackets at the start of `text`, which have none in them and are on one line.
fn after_brackets(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[')?;
    slice(inner, inner.find(['[', ']', '\n'])?..).strip_prefix(']')
}

/// What is after the plain address of a web site at the start of `text`.
fn after_address(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("https://").or(text.strip_prefix("http://"))?;
    let is_end = |letter: char| letter.is_whitespace() || "()[]<>\\\"'`".contains(letter);
    Some(slice(rest, rest.find(is_end).unwrap_or(rest.len())..))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_no_links() {
        assert_eq!(
            message("see [x](command:y) and [`a`](https://e.example)"),
            "see [x] (command:y) and [`a`] (https://e.example)"
        );
        assert_eq!(message("]\u{200b}(a ]\n(b ]](c]("), "]???(a ] (b ]] (c] (");
    }

    #[test]
    fn plain_markdown_stays() {
        for text in
            ["a **b** `<c>` [d](https://e.example) <https://f.example>\n\n```\n<img>\n```\n\n- g < h", "", "a <b"]
        {
            assert_eq!(markdown(text).replace("&lt;", "<"), text);
        }
        assert_eq!(
            markdown("[d](https://e.example) <https://f.example>"),
            "[d](https://e.example) <https://f.example>"
        );
    }

    #[test]
    fn nothing_is_loaded_run_or_hidden() {
        let texts = [
            "![x](https://evil.example/p.png)",
            "[![x](https://evil.example/p.png)](https://evil.example)",
            "[a](command:workbench.action.quit)",
            "<command:x> [b][c] [c]\n\n[c]: command:y",
            "[a](javascript:x) [a](../x.md) [a](file:///etc/passwd) [a](#x)",
            "<img src=https://evil.example/p.png> <!-- x --> </b> <?x?>",
            "<div>\n\n![x][y]\n\n[y]: https://evil.example\n\n</div>",
            "`<b>` ``` <img src=x>",
            "\\\\<img src=x> \\\\![a](b)",
            "[a [b](command:x) c](command:y)",
            "<!--\n`<img src=x>`\n-->",
            "[^1]\n\n[^1]: command:y",
            "![](https://host/p(.png)",
            "![a]\n\n[a]: https://host/p.png",
            "[a]([x](command:q) [y])",
        ];
        for text in texts {
            let shown = markdown(text);
            let document = Document::of_text(&shown);
            let bad = document
                .links
                .iter()
                .find(|link| shown[link.span.clone()].starts_with('!') || !link.target.starts_with("http"));
            assert_eq!((bad, document.comments.len()), (None, 0), "{text} is {shown}");
            assert!(marks(&shown).is_empty() || shown.starts_with("```"), "{shown}");
        }
        assert_eq!(markdown("[^1] `[^2]`\n\n[^1]: command:y"), "&#91;^1] `[^2]`\n\n&#91;^1]: command:y");
        // An address does not end before a backslash, for some.
        assert_eq!(
            markdown("https://h/p<img> https://h\\[x](command:q)"),
            "https://h/p&lt;img> https://h&#91;x](command:q)"
        );
        assert_eq!(
            markdown("- [ ] a [b] [c][d]\n\n[d]: https://e.example"),
            "- [ ] a [b] [c][d]\n\n[d]: https://e.example"
        );
        assert_eq!(markdown("a\u{202e}\u{1b}[1mb"), "a????&#91;1mb");
        assert!(markdown(&"é".repeat(bounds::HOVER_BYTES)).len() <= bounds::HOVER_BYTES);
    }
}
