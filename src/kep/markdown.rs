//! The one place that knows pulldown-cmark: a README as sections, comments, boxes, code and visible lines, every one
//! with its bytes in the original text.

mod comment;
mod hidden;
mod visible;

use self::comment::repair_openers;
use self::visible::VisibleLines;
use super::section::{Heading, Sections};
use super::title::Title;
use crate::span::{FileId, LineIndex};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;
use std::ops::Range;

pub use self::comment::{Comment, is_unclosed_directive};
pub use self::hidden::{HiddenHeading, Hiding};

/// A Markdown text, parsed.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file it was read from.
    pub file: FileId,
    /// The tree of headings.
    pub sections: Sections,
    /// HTML comments in document order.
    pub comments: Vec<Comment>,
    /// Headings that do not render, because a comment or a runaway code block holds them.
    pub hidden: Vec<HiddenHeading>,
    /// Task list boxes in document order.
    pub boxes: Vec<TaskBox>,
    /// Starts of list items whose text opens with `**`: the questions of the 2020 template.
    pub bold_items: Vec<usize>,
    visible: VisibleLines,
}

/// The box of a task list item.
#[derive(Clone, Debug)]
pub struct TaskBox {
    /// Bytes of `[ ]` or `[x]`.
    pub span: Range<usize>,
    /// Whether it is ticked.
    pub ticked: bool,
}

/// A code block.
#[derive(Clone, Debug)]
struct CodeBlock {
    span: Range<usize>,
    fenced: bool,
}

impl Document {
    /// Parses `text`, which is the content of `file`; `lines` are its lines.
    pub fn parse(file: FileId, text: &str, lines: &LineIndex) -> Self {
        let repaired = repair(text);
        let mut reader = Reader::new(text, lines);
        for (event, range) in Parser::new_ext(&repaired, options()).into_offset_iter() {
            reader.read(&event, range);
        }
        let hidden = hidden::find(text, &reader.comments, &reader.code);
        Self {
            file,
            sections: Sections::nest(reader.headings, text.len()),
            comments: reader.comments,
            hidden,
            boxes: reader.boxes,
            bold_items: reader.bold_items,
            visible: reader.visible,
        }
    }

    /// Bytes of the lines in `range`, cut to it and trimmed, that a reader sees: without headings, comments and link
    /// definitions, and without lines of mere punctuation.
    pub fn visible_spans<'a>(&'a self, text: &'a str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + 'a {
        let says_something = |line: &Range<usize>| {
            let line = comment::without_comments(text, line.clone(), &self.comments);
            line.chars().any(|letter| letter.is_alphanumeric() || !letter.is_ascii())
        };
        self.visible.within(range).map(|line| trimmed(text, line)).filter(says_something)
    }

    /// What a reader sees of these lines.
    pub fn visible_lines<'a>(&'a self, text: &'a str, range: Range<usize>) -> impl Iterator<Item = Cow<'a, str>> {
        self.visible_spans(text, range).map(|line| comment::without_comments(text, line, &self.comments))
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let content = text[range.clone()].trim_end();
    range.start + content.len() - content.trim_start().len()..range.start + content.len()
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_GFM
}

/// Some editors' first character, which is no text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text with three slips mended that would swallow what follows, length and offsets unchanged: a byte order mark
/// before the title, a tab behind a closing fence, which pulldown-cmark does not take for one, and a directive closed by
/// `>`.
fn repair(text: &str) -> Cow<'_, str> {
    let mut text = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => Cow::Owned(" ".repeat(BYTE_ORDER_MARK.len_utf8()) + rest),
        None => Cow::Borrowed(text),
    };
    if text.contains("\t\n") || text.contains("\t\r") || text.ends_with('\t') {
        text = Cow::Owned(blank_tabs_behind_fences(&text));
    }
    repair_openers(text)
}

fn blank_tabs_behind_fences(text: &str) -> String {
    let blank = |line: &str| {
        let content = line.trim_end();
        let fence = content.trim_start_matches([' ', '>', '\t']);
        let spaces = if fence.starts_with("```") || fence.starts_with("~~~") { " " } else { "\t" };
        format!("{content}{}", line[content.len()..].replace('\t', spaces))
    };
    text.split_inclusive('\n').map(blank).collect()
}

/// Whether the text of a list item begins with `**`, behind its marker and box.
fn opens_bold(item: &str) -> bool {
    let body = item.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit());
    let body = body.strip_prefix(['-', '*', '+', '.', ')']).unwrap_or(body).trim_start();
    body.strip_prefix("[ ]").unwrap_or(body).trim_start().starts_with("**")
}

/// Gathers the model from the events.
struct Reader<'a> {
    text: &'a str,
    headings: Vec<Heading>,
    comments: Vec<Comment>,
    code: Vec<CodeBlock>,
    boxes: Vec<TaskBox>,
    bold_items: Vec<usize>,
    visible: VisibleLines,
    heading: Option<(HeadingLevel, String, Range<usize>)>,
    lines: &'a LineIndex,
    quotes: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, lines: &'a LineIndex) -> Self {
        Self {
            text,
            headings: Vec::new(),
            comments: Vec::new(),
            code: Vec::new(),
            boxes: Vec::new(),
            bold_items: Vec::new(),
            visible: VisibleLines::default(),
            heading: None,
            lines,
            quotes: 0,
        }
    }

    fn read(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Heading { level, .. }) if self.quotes == 0 => {
                self.heading = Some((*level, String::new(), range.end..range.end));
            }
            Event::End(TagEnd::Heading(_)) => self.end_heading(range),
            Event::Start(Tag::BlockQuote(_)) => self.quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => self.quotes = self.quotes.saturating_sub(1),
            Event::Start(Tag::CodeBlock(kind)) => {
                let fenced = matches!(kind, CodeBlockKind::Fenced(_));
                self.code.push(CodeBlock { span: range, fenced });
            }
            Event::Start(Tag::Item) if opens_bold(&self.text[range.clone()]) => self.bold_items.push(range.start),
            Event::Start(Tag::Image { .. }) => self.see(range),
            Event::Start(Tag::HtmlBlock) => self.read_html_block(range),
            Event::TaskListMarker(ticked) => self.boxes.push(TaskBox { span: range, ticked: *ticked }),
            Event::InlineHtml(html) if html.starts_with("<!--") => self.comments.push(Comment::inline(range)),
            Event::InlineHtml(html) if comment::is_picture(html) => self.see(range),
            Event::Text(text) | Event::Code(text) => match &mut self.heading {
                Some((_, title, content)) => {
                    title.push_str(text);
                    *content = content.start.min(range.start)..range.end;
                }
                None => self.see(range),
            },
            Event::SoftBreak | Event::HardBreak => {
                if let Some((_, title, _)) = &mut self.heading {
                    title.push(' ');
                }
            }
            Event::FootnoteReference(_) => self.see(range),
            _ => {}
        }
    }

    fn end_heading(&mut self, range: Range<usize>) {
        let Some((level, title, text)) = self.heading.take() else { return };
        let end = range.start + self.text[range.clone()].trim_end().len();
        let text = text.start.min(end)..text.end.min(end);
        let span = range.start..end;
        self.headings.push(Heading { title: Title::new(&title), level: level as u8, span, text });
    }

    fn read_html_block(&mut self, range: Range<usize>) {
        let block = &self.text[range.clone()];
        for piece in comment::split(block) {
            let span = range.start + piece.span.start..range.start + piece.span.end;
            match piece.kind {
                comment::Kind::Comment { closed } => self.comments.push(Comment::block(span, closed)),
                comment::Kind::Content => self.see(span),
            }
        }
    }

    fn see(&mut self, range: Range<usize>) {
        self.visible.mark(range, self.text, self.lines);
    }
}
