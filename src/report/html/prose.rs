//! The documentation of rules as HTML: headings, paragraphs, lists, and code between backticks and in fences. What else
//! a line may be is shown as it is.

use super::text::{escaped, id, with_code_as};
use crate::markdown::prose::{Block, blocks};

/// Renders `markdown`; its headings get ids, and `code` makes the HTML of code in a line, which is printable.
pub fn render(markdown: &str, code: &dyn Fn(&str) -> String) -> String {
    let mut html = String::new();
    let mut is_list = false;
    for block in blocks(markdown) {
        let is_item = matches!(block, Block::Text { front, .. } if !front.trim().is_empty());
        match (is_list, is_item) {
            (false, true) => html += "<ul>\n",
            (true, false) => html += "</ul>\n",
            (true, true) | (false, false) => {}
        }
        is_list = is_item;
        html += &match block {
            Block::Heading(line) => heading(line, code),
            Block::Fenced { info, code: lines, .. } => fenced(info, lines),
            Block::Text { text, .. } if is_item => format!("<li>{}</li>\n", with_code_as(&joined(text), code)),
            Block::Other(lines) if lines.trim().is_empty() => String::new(),
            Block::Text { text, .. } | Block::Other(text) => format!("<p>{}</p>\n", with_code_as(&joined(text), code)),
        };
    }
    if is_list { html + "</ul>\n" } else { html }
}

/// Lines as one.
fn joined(lines: &str) -> String {
    lines.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

fn heading(line: &str, code: &dyn Fn(&str) -> String) -> String {
    let text = joined(line.trim_start().trim_start_matches('#'));
    let text = text.trim();
    // Another element of the page may have the name of a section.
    let id = id(&text.to_lowercase());
    format!("<h2 id=\"section-{id}\">{}</h2>\n", with_code_as(text, code))
}

/// A code block, with the file that it is an example of.
fn fenced(info: &str, code: &str) -> String {
    // The second word says what the block is in the tests: a stage, or the path of a file.
    let path = info.split(' ').nth(1).filter(|word| word.contains('/'));
    let path = path.map(|path| format!("<p class=\"where\">{}</p>\n", escaped(path))).unwrap_or_default();
    let code: String = code.lines().map(|line| escaped(line) + "\n").collect();
    format!("{path}<pre tabindex=\"0\">\n{code}</pre>\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::ALL;

    fn html(markdown: &str) -> String {
        render(markdown, &|code| format!("<code>{}</code>", super::super::text::entities(code)))
    }

    #[test]
    fn all_that_docs_have_is_rendered() {
        let markdown = "One `<a>`\ntwo.\n\n## Why\n\n- x\n  y\n- z\n\n```yaml keps/1.yaml\n# <b>\n\n```\nend";
        let wanted = "<p>One <code>&lt;a&gt;</code> two.</p>\n<h2 id=\"section-why\">Why</h2>\n<ul>\n<li>x y</li>\n<li>z</li>\n\
            </ul>\n<p class=\"where\">keps/1.yaml</p>\n<pre tabindex=\"0\">\n# &lt;b&gt;\n\n</pre>\n<p>end</p>\n";
        assert_eq!(html(markdown), wanted);
    }

    #[test]
    fn a_fence_in_a_fence_is_code() {
        assert_eq!(html("````md\n```\nx\n```\n````"), "<pre tabindex=\"0\">\n```\nx\n```\n</pre>\n");
        assert_eq!(html("```\nopen"), "<pre tabindex=\"0\">\nopen\n</pre>\n");
    }

    #[test]
    fn any_text_is_rendered_whole() {
        let words = |text: &str| text.split(|letter: char| !letter.is_alphanumeric()).map(str::len).sum::<usize>();
        for rule in ALL {
            let docs = rule.docs;
            let text =
                html(docs).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
            assert!(words(&text) >= words(docs) - docs.matches("```").count() * "markdown beta".len(), "{text}");
        }
        for text in ["-", "#", "1.", "- ", "|", "    code", "`", "```", "-\n#\n```\n- "] {
            assert!(!html(text).contains("</p><"), "{text}");
        }
    }
}
