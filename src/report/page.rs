//! Markdown for a screen: paragraphs and list items are wrapped to its width, everything else stays as it is. The
//! result is still Markdown, apart from color.

use super::line::{Kind, kind};
use super::look::Look;
use super::paint::Paint;
use super::wrap::wrapped;

/// The longest lines that are comfortable to read.
pub const MOST_COLUMNS: usize = 100;

/// Renders `markdown` for a screen that looks like this.
pub fn render(markdown: &str, look: &Look) -> String {
    let mut page = Page { look, text: String::new(), open: None };
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        if let Some(opener) = fence {
            let is_last = line.trim() == opener;
            page.add(line, if is_last { Paint::Dim } else { Paint::Plain });
            fence = fence.filter(|_| !is_last);
            continue;
        }
        match kind(line) {
            Kind::Fence(opener) => {
                fence = Some(opener);
                page.add(line, Paint::Dim);
            }
            Kind::Heading => page.add(line, Paint::Bold),
            Kind::Whole => page.add(line, Paint::Plain),
            Kind::Code if page.open.is_none() => page.add(line, Paint::Plain),
            Kind::Item { start } => page.begin(line, start),
            Kind::Code | Kind::Prose => page.continue_with(line),
        }
    }
    page.close();
    page.text
}

/// What is rendered so far.
struct Page<'a> {
    look: &'a Look,
    text: String,
    open: Option<Paragraph>,
}

/// A paragraph whose last line is not known yet.
struct Paragraph {
    /// What its first line begins with: white space, and the marker of a list item.
    first_indent: String,
    /// What its other lines begin with.
    other_indent: String,
    text: String,
}

impl Page<'_> {
    /// Adds a line that is not wrapped.
    fn add(&mut self, line: &str, paint: Paint) {
        self.close();
        self.text += &if line.is_empty() { String::new() } else { paint.only_if(self.look.color).apply(line) };
        self.text.push('\n');
    }

    /// Begins a paragraph, whose text begins at the byte `start` of `line`.
    fn begin(&mut self, line: &str, start: usize) {
        self.close();
        let (marker, text) = line.split_at_checked(start).unwrap_or((line, ""));
        let (first_indent, other_indent) = (marker.to_owned(), " ".repeat(marker.len()));
        self.open = Some(Paragraph { first_indent, other_indent, text: text.trim().to_owned() });
    }

    fn continue_with(&mut self, line: &str) {
        match &mut self.open {
            Some(paragraph) => {
                paragraph.text.push(' ');
                paragraph.text += line.trim();
            }
            None => self.begin(line, line.len() - line.trim_start().len()),
        }
    }

    fn close(&mut self) {
        let Some(Paragraph { first_indent, other_indent, text }) = self.open.take() else { return };
        let width = self.look.width.min(MOST_COLUMNS);
        self.text += &wrapped(&text, width, &first_indent, &other_indent);
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(width: usize, markdown: &str) -> String {
        render(markdown, &Look { width, ..Look::default() })
    }

    #[test]
    fn paragraphs_and_items_are_wrapped() {
        assert_eq!(at(12, "one two\nthree four\n\nfive\n"), "one two\nthree four\n\nfive\n");
        assert_eq!(at(20, "one two\nthree four\n"), "one two three four\n");
        assert_eq!(at(9, "- one two\n  three\n- x\n"), "- one two\n  three\n- x\n");
        assert_eq!(at(9, "1. one two three\n"), "1. one\n   two\n   three\n");
        assert_eq!(at(9, "- a\n\n  one two three\n"), "- a\n\n  one two\n  three\n");
        assert_eq!(at(500, &"word ".repeat(50)).lines().next().map(str::len), Some(99));
        assert_eq!(at(9, "-\n- \n"), "-\n-\n");
    }

    #[test]
    fn everything_else_stays() {
        let text = "# one two three\n\n```yaml x\n one two three\n``\n```\n\n| one | two |\n\n    one two three\n";
        assert_eq!(at(9, text), text);
        assert_eq!(at(30, "one\n    two\n#three\n"), "one two #three\n");
        let lines = "one\n[x]: https://a.example\n[y z]: b\n\n> one\n> two\n";
        assert_eq!(at(30, lines), lines);
        assert_eq!(at(30, "[x]\ntwo\n"), "[x] two\n");
    }

    #[test]
    fn color_only_paints() {
        let look = Look { color: true, ..Look::default() };
        let bold = "\u{1b}[1m# A\u{1b}[0m\n\n\u{1b}[2m```\u{1b}[0m\nb\n\u{1b}[2m```\u{1b}[0m\n";
        assert_eq!(render("# A\n\n```\nb\n```\n", &look), bold);
    }
}
