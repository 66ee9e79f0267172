//! Text as an editor may show it: Markdown that loads nothing, runs nothing and has no HTML, and messages without links.

use crate::bounds;
use crate::markdown::Document;
use crate::report::{backticks, printable};
use crate::span::slice;

/// `text` as a message of an editor: VS Code makes links of `[text](target)` there, also such that run a command.
pub fn message(text: &str) -> String {
    printable(text).replace("](", "] (")
}

/// How often what is left after a change is looked at again: links may be nested.
const ROUNDS: usize = 8;

/// `text` without images, HTML, and links to anything but web sites: what it shows is the same, or else it is code.
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
            shown.insert(at, '\\');
        }
    }
    let fence = backticks::fence(&shown);
    format!("{fence}\n{shown}\n{fence}")
}

/// Where a backslash has to be, in order.
fn marks(text: &str) -> Vec<usize> {
    let document = Document::of_text(text);
    let is_web = |target: &str| target.starts_with("https://") || target.starts_with("http://");
    let links = document.links.iter().filter_map(|link| {
        let written = slice(text, link.span.clone());
        let is_image = written.starts_with('!');
        let is_bad = is_image || !is_web(&link.target);
        // Of an image, the bracket after the `!`: it would be a link then.
        is_bad.then_some(link.span.start + usize::from(is_image))
    });
    let is_escaped = |at: usize| slice(text, ..at).bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    let is_text = |at: &usize| document.code_around(*at).is_none() && !is_escaped(*at);
    let tags = text.match_indices('<').map(|(at, _)| at).filter(|at| opens_tag(text, *at));
    // A footnote on GitHub is a link to any target elsewhere.
    let notes = text.match_indices("[^").map(|(at, _)| at);
    let mut marks: Vec<usize> = links.chain(tags.chain(notes).filter(is_text)).collect();
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// Whether a `<` may begin HTML, not a link to a web site.
fn opens_tag(text: &str, at: usize) -> bool {
    let rest = slice(text, at + 1..);
    let is_web = rest.starts_with("https://") || rest.starts_with("http://");
    !is_web && rest.starts_with(|next: char| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'))
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
            assert_eq!(markdown(text).replace('\\', ""), text);
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
        assert_eq!(markdown("[^1] `[^2]`\n\n[^1]: command:y"), "\\[^1] `[^2]`\n\n\\[^1]: command:y");
        assert_eq!(markdown("a\u{202e}\u{1b}[1mb"), "a???".to_owned() + "?[1mb");
        assert!(markdown(&"é".repeat(bounds::HOVER_BYTES)).len() <= bounds::HOVER_BYTES);
    }
}
