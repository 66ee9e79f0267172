//! The documentation of rules as HTML: headings, paragraphs, lists, and code between backticks and in fences. What else
//! a line may be is shown as it is.

use super::text::{escaped, id, with_code_as};
use crate::report::line::{Kind, kind};
use crate::span::slice;

/// Renders `markdown`; its headings get ids, and `code` makes the HTML of code in a line, which is printable.
pub fn render(markdown: &str, code: &dyn Fn(&str) -> String) -> String {
    let mut prose = Prose { code, html: String::new(), open: Open::Nothing };
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        if let Some(opener) = fence {
            match line.trim() == opener {
                true => {
                    prose.html += "</pre>\n";
                    fence = None;
                }
                false => prose.html += &format!("{}\n", escaped(line)),
            }
            continue;
        }
        match kind(line) {
            Kind::Fence(opener) => {
                prose.close();
                fence = Some(opener);
                prose.html += &opening(slice(line.trim_start(), opener.len()..));
            }
            Kind::Heading => prose.heading(line),
            Kind::Whole if line.trim().is_empty() => prose.close(),
            Kind::Item { start } => prose.item(slice(line, start.min(line.len())..)),
            Kind::Whole | Kind::Code | Kind::Prose => prose.text(line),
        }
    }
    if fence.is_some() {
        prose.html += "</pre>\n";
    }
    prose.close();
    prose.html
}

/// The start of a code block, with the file that it is an example of.
fn opening(info: &str) -> String {
    // The second word says what the block is in the tests: a stage, or the path of a file.
    let path = info.split(' ').nth(1).filter(|word| word.contains('/'));
    let path = path.map(|path| format!("<p class=\"where\">{}</p>\n", escaped(path))).unwrap_or_default();
    format!("{path}<pre tabindex=\"0\">\n")
}

/// What is rendered so far.
struct Prose<'a> {
    code: &'a dyn Fn(&str) -> String,
    html: String,
    open: Open,
}

/// What is not closed yet: the text of a paragraph, or that of the last item of a list.
enum Open {
    Nothing,
    Paragraph(String),
    Item(String),
}

impl Prose<'_> {
    fn heading(&mut self, line: &str) {
        self.close();
        let text = line.trim_start().trim_start_matches('#').trim();
        // Another element of the page may have the name of a section.
        let id = id(&text.to_lowercase());
        let text = with_code_as(text, self.code);
        self.html += &format!("<h2 id=\"section-{id}\">{text}</h2>\n");
    }

    fn item(&mut self, text: &str) {
        if !matches!(self.open, Open::Item(_)) {
            self.close();
            self.html += "<ul>\n";
        }
        self.close_item();
        self.open = Open::Item(text.trim().to_owned());
    }

    fn text(&mut self, line: &str) {
        match &mut self.open {
            Open::Nothing => self.open = Open::Paragraph(line.trim().to_owned()),
            Open::Paragraph(text) | Open::Item(text) => {
                text.push(' ');
                text.push_str(line.trim());
            }
        }
    }

    fn close_item(&mut self) {
        if let Open::Item(text) = &self.open {
            self.html += &format!("<li>{}</li>\n", with_code_as(text, self.code));
        }
    }

    fn close(&mut self) {
        match &self.open {
            Open::Nothing => {}
            Open::Paragraph(text) => self.html += &format!("<p>{}</p>\n", with_code_as(text, self.code)),
            Open::Item(_) => {
                self.close_item();
                self.html += "</ul>\n";
            }
        }
        self.open = Open::Nothing;
    }
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
