//! Parses Markdown into sections, comments, checkboxes, links, code and visible lines, each with its bytes in the
//! original text. Only this file reads KEPs with pulldown-cmark.

pub mod anchor;
pub(crate) mod checkbox;
pub(crate) mod comment;
pub(crate) mod doubled;
pub mod fingerprint;
pub(crate) mod form;
pub(crate) mod hidden;
pub(crate) mod joined;
pub mod link;
pub(crate) mod look_alike;
pub(crate) mod other_heading;
pub(crate) mod paragraph;
pub mod prose;
mod repair;
pub mod section;
mod table;
pub(crate) mod tag;
mod text;
pub mod title;
pub(crate) mod unclosed;
pub(crate) mod unpaired;
pub(crate) mod unresolved;
mod visible;

use self::anchor::AnchorSet;
use self::checkbox::TaskBox;
use self::hidden::CodeBlock;
use self::other_heading::{OtherHeading, OtherHeadings};
use self::repair::repair;
use self::section::{Section, Sections};
use self::table::Table;
use self::tag::UnknownTag;
use self::title::Title;
use self::unclosed::{Backticks, UnclosedCode};
use self::unresolved::Mark;
use self::visible::{VisibleLines, trimmed};
use crate::bounds;
use crate::source::SourceFile;
use crate::span::{FileId, LineIndex, last_until, slice, tail};
use pulldown_cmark::{BrokenLink, CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use self::comment::Comment;
use self::hidden::HiddenHeading;
use self::link::{Definition, Definitions, Link, UndefinedReference};
use self::look_alike::{LookAlike, LookAlikes};

#[derive(Clone, Debug, Default)]
pub struct Document {
    pub file: FileId,
    pub source: Arc<SourceFile>,
    pub sections: Sections,
    other_headings: Vec<OtherHeading>,
    pub comments: Vec<Comment>,
    /// Headings that do not render, because they are in a comment, in HTML, or in code that does not end where it should.
    pub hidden: Vec<HiddenHeading>,
    /// Checkboxes of list items in document order.
    pub boxes: Vec<TaskBox>,
    pub links: Vec<Link>,
    pub undefined_references: Vec<UndefinedReference>,
    /// Text in brackets, `[text]`, that would be a link if its label were defined.
    pub bracketed: Vec<UndefinedReference>,
    pub definitions: Definitions,
    pub names: Vec<String>,
    pub unknown_tags: Vec<UnknownTag>,
    /// The tags `<details>` at the beginning of a line that have no end.
    pub open_details: Vec<Range<usize>>,
    /// Code blocks and code spans in document order.
    pub code: Vec<Range<usize>>,
    /// Opening fences and backticks without a partner: the first of each paragraph.
    pub unclosed_code: Vec<UnclosedCode>,
    /// The lines that look like a heading, an item or a table.
    pub look_alikes: Vec<LookAlike>,
    tables: Vec<Table>,
    /// Start offsets of list items whose text begins with `**`: the questions of the 2020 template.
    pub bold_items: Vec<usize>,
    visible_lines: VisibleLines,
    anchors: OnceLock<AnchorSet>,
    unresolved: OnceLock<Vec<Mark>>,
}

impl Document {
    pub fn parse(file: FileId, source: Arc<SourceFile>) -> Self {
        let text = source.text.as_str();
        let repaired = repair(text);
        let mut reader = Reader::new(file, &source);
        let (mut undefined_references, mut bracketed) = (Vec::new(), Vec::new());
        let mut note_undefined = |link: BrokenLink<'_>| {
            let is_short = link.reference.len() <= bounds::REFERENCE_BYTES && !link.reference.starts_with('^');
            let list = match link.link_type {
                LinkType::Reference => Some(&mut undefined_references),
                LinkType::Collapsed if is_short => Some(&mut undefined_references),
                LinkType::Shortcut if is_short => Some(&mut bracketed),
                _ => None,
            };
            if let Some(list) = list {
                list.push(UndefinedReference { span: link.span, reference: link.reference.to_string() });
            }
            None
        };
        let parser = Parser::new_with_broken_link_callback(&repaired, options(), Some(&mut note_undefined));
        let definitions = parser.reference_definitions().iter();
        let definitions = definitions.map(|(label, definition)| Definition {
            span: definition.span.clone(),
            label: label.to_owned(),
            target: definition.dest.to_string(),
        });
        let definitions = definitions.collect();
        for (event, range) in parser.into_offset_iter() {
            reader.read(&event, range);
        }
        let Reader { mut document, mut sections, mut html, code, backticks, look_alikes, other_headings, .. } = reader;
        let below_tables: Vec<_> = document.tables.iter().filter_map(|table| table.html(text)).collect();
        sections.retain(|section| !table::is_in(&below_tables, section.heading.start));
        html.extend(below_tables);
        undefined_references.sort_by_key(|reference| reference.span.start);
        bracketed.sort_by_key(|reference| reference.span.start);
        document.undefined_references = undefined_references;
        document.bracketed = bracketed;
        document.definitions = definitions;
        document.other_headings = other_headings.list;
        document.look_alikes = look_alikes.list;
        document.sections = Sections::nest(sections);
        let has_title = document.sections.title().is_some();
        document.hidden = hidden::find(text, &document.comments, &code, &html, &document.look_alikes, has_title);
        hidden::mark_linked(&mut document.hidden, &document.sections, &document.links);
        document.unclosed_code = unclosed::find(text, &code, backticks);
        document
    }

    pub fn is_comment(&self, offset: usize) -> bool {
        comment::is_in(&self.comments, offset)
    }

    pub fn code_around(&self, offset: usize) -> Option<&Range<usize>> {
        last_until(&self.code, offset, |code| code.start).filter(|code| code.contains(&offset))
    }

    pub fn is_link(&self, offset: usize) -> bool {
        last_until(&self.links, offset, |link| link.span.start).is_some_and(|link| link.span.contains(&offset))
    }

    pub fn is_in_block(&self, line: &Range<usize>) -> bool {
        self.code_around(line.start).is_some_and(|code| code.start < line.start && code.end >= line.end)
    }

    /// Whether byte `offset` is in a comment or in code.
    pub fn is_hidden(&self, offset: usize) -> bool {
        self.is_comment(offset) || self.code_around(offset).is_some()
    }

    /// Whether a code block does not end where it was meant to.
    pub fn has_unclosed_block(&self) -> bool {
        self.unclosed_code.iter().any(|code| code.block.is_some())
    }

    /// Bytes of the visible lines in `range`, cut to it and trimmed: without headings, comments and link definitions,
    /// and without lines that are only punctuation.
    pub fn visible_spans(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        self.visible(range).map(|(line, _)| line)
    }

    /// The anchors that links can have, made when they are first needed.
    pub fn anchors(&self) -> &AnchorSet {
        self.anchors.get_or_init(|| AnchorSet::of(&self.shown_headings(), &self.names))
    }

    /// The markers of open discussions, found when they are first needed.
    pub fn unresolved(&self) -> &[Mark] {
        self.unresolved.get_or_init(|| unresolved::marks(self.text(), &self.comments))
    }

    pub fn visible_lines(&self, range: Range<usize>) -> impl Iterator<Item = Cow<'_, str>> {
        self.visible(range).map(|(_, line)| line)
    }

    /// [`Self::visible_spans`], each with its text of [`Self::visible_lines`].
    pub fn visible(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, Cow<'_, str>)> {
        let text = self.text();
        let first = self.comments.partition_point(|comment| comment.span.end <= range.start);
        let mut comments = tail(&self.comments, first);
        self.visible_lines.within(range.clone()).filter_map(move |line| {
            // Only lines that are cut are not trimmed already.
            let is_cut = line.start == range.start || line.end == range.end;
            let line = if is_cut { trimmed(text, line) } else { line };
            let mut words = Cow::Borrowed(slice(text, line.clone()));
            if comments.first().is_some_and(|next| next.span.start < line.end) {
                let over = comments.iter().take_while(|comment| comment.span.end <= line.start);
                comments = tail(comments, over.count());
                words = Cow::Owned(comment::without_comments(text, line.clone(), comments));
            }
            let has_words = words.bytes().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
            has_words.then_some((line, words))
        })
    }
}

/// Whether a heading after `text` and a blank line would render: `text` leaves no code block, comment or tag open.
pub fn is_closed(text: &str) -> bool {
    is_heading_after(&format!("{text}\n\n"))
}

/// Whether a heading directly after `text` would render.
pub fn is_heading_after(text: &str) -> bool {
    let probe = format!("{text}# x\n");
    let repaired = repair(&probe);
    let mut events = Parser::new_ext(&repaired, options()).into_offset_iter();
    events.any(|(event, range)| matches!(event, Event::Start(Tag::Heading { .. })) && range.start >= text.len())
}

/// Bytes of all blocks of `text` in document order, each before those in it.
pub fn blocks(text: &str) -> Vec<Range<usize>> {
    let repaired = repair(text);
    let events = Parser::new_ext(&repaired, options()).into_offset_iter();
    let is_block = |event: &Event<'_>| match event {
        Event::Start(tag) => !matches!(
            tag,
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. } | Tag::TableCell
        ),
        event => *event == Event::Rule,
    };
    let mut blocks: Vec<Range<usize>> = events.filter(|(event, _)| is_block(event)).map(|(_, range)| range).collect();
    blocks.sort_by_key(|block| (block.start, usize::MAX - block.end));
    blocks
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_GFM
}

/// Builds the document from the parser's events.
struct Reader<'a> {
    document: Document,
    text: &'a str,
    lines: &'a LineIndex,
    sections: Vec<Section>,
    other_headings: OtherHeadings,
    code: Vec<CodeBlock>,
    html: Vec<Range<usize>>,
    backticks: Backticks<'a>,
    look_alikes: LookAlikes,
    in_code: bool,
    heading: Option<OpenHeading>,
    quotes: usize,
    /// The numbers of the footnotes on a page, by their labels.
    footnotes: HashMap<String, usize>,
    images: usize,
}

/// A heading whose end is not read yet.
struct OpenHeading {
    level: HeadingLevel,
    title: String,
    shown: String,
    text: Range<usize>,
}

impl<'a> Reader<'a> {
    fn new(file: FileId, source: &'a Arc<SourceFile>) -> Self {
        Self {
            document: Document { file, source: Arc::clone(source), ..Document::default() },
            text: &source.text,
            lines: source.lines(),
            sections: Vec::new(),
            other_headings: OtherHeadings::default(),
            code: Vec::new(),
            html: Vec::new(),
            backticks: Backticks::of(&source.text),
            look_alikes: LookAlikes::default(),
            in_code: false,
            heading: None,
            quotes: 0,
            footnotes: HashMap::new(),
            images: 0,
        }
    }

    fn read(&mut self, event: &Event<'_>, range: Range<usize>) {
        if let Event::Start(Tag::Paragraph | Tag::Item | Tag::TableCell | Tag::Heading { .. }) = event {
            self.backticks.begin_paragraph();
        }
        match event {
            Event::Start(Tag::Heading { level, .. }) if self.quotes == 0 => {
                let text = range.end..range.end;
                self.heading = Some(OpenHeading { level: *level, title: String::new(), shown: String::new(), text });
            }
            Event::Start(Tag::Heading { .. }) => self.other_headings.begin(range.start),
            Event::End(TagEnd::Heading(_)) => self.end_heading(range),
            Event::Start(Tag::BlockQuote(_)) => self.quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => self.quotes = self.quotes.saturating_sub(1),
            Event::Start(Tag::CodeBlock(kind)) => {
                let fenced = matches!(kind, CodeBlockKind::Fenced(_));
                self.document.code.push(range.clone());
                self.code.push(CodeBlock { span: range, fenced });
                self.in_code = true;
            }
            Event::End(TagEnd::CodeBlock) => self.in_code = false,
            Event::Start(Tag::Table(columns)) => {
                self.document.tables.push(Table { span: range, columns: columns.len() });
            }
            Event::Start(Tag::Item) => {
                let body = checkbox::body(slice(self.text, range.clone()));
                self.document.bold_items.extend(checkbox::opens_bold(body).then_some(range.start));
                self.document.boxes.extend(checkbox::malformed(body, range.end - body.len()));
            }
            Event::Start(Tag::Link { dest_url, .. }) => self.link(range, dest_url),
            Event::Start(Tag::Image { dest_url, .. }) => {
                self.link(range.clone(), dest_url);
                self.mark_visible(range);
                self.images += 1;
            }
            Event::End(TagEnd::Image) => self.images = self.images.saturating_sub(1),
            Event::Start(Tag::HtmlBlock) => self.read_html_block(range),
            Event::TaskListMarker(ticked) => {
                self.document.boxes.push(TaskBox { span: range, ticked: *ticked, is_malformed: false });
            }
            Event::InlineHtml(html) if html.starts_with("<!--") => self.document.comments.push(Comment::inline(range)),
            Event::InlineHtml(html) => {
                self.read_tag(html, range.clone(), false);
                if tag::is_shown(html) {
                    self.show(html);
                } else if self.heading.is_none() {
                    self.other_headings.read_html(html, range.start);
                }
                if comment::is_image(html) {
                    self.mark_visible(range);
                }
            }
            Event::Text(text) | Event::Code(text) => {
                if matches!(event, Event::Code(_)) {
                    self.document.code.push(range.clone());
                } else if !self.in_code && self.heading.is_none() {
                    self.look_alikes.read(self.text, self.lines, &range);
                } else if self.in_code && self.code.last().is_some_and(|block| !block.fenced) {
                    self.look_alikes.read_code(self.text, &range);
                }
                if matches!(event, Event::Text(_)) && !self.in_code {
                    self.backticks.read(&range);
                    self.document.boxes.extend(checkbox::without_space(self.text, range.start));
                }
                self.read_text(text, range);
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(heading) = &mut self.heading {
                    heading.title.push(' ');
                    heading.shown.push('\n');
                }
            }
            Event::FootnoteReference(label) => self.read_footnote(label, range),
            _ => {}
        }
    }

    fn read_text(&mut self, text: &str, range: Range<usize>) {
        self.show(text);
        match &mut self.heading {
            Some(heading) => {
                heading.title.push_str(text);
                heading.text = heading.text.start.min(range.start)..range.end;
            }
            None => self.mark_visible(range),
        }
    }

    /// Reads a reference to a footnote. A page shows its number.
    fn read_footnote(&mut self, label: &str, range: Range<usize>) {
        let next = self.footnotes.len() + 1;
        let number = *self.footnotes.entry(label.to_owned()).or_insert(next);
        self.show(&number.to_string());
        if self.heading.is_none() {
            self.mark_visible(range);
        }
    }

    /// Adds what a page shows to the heading around it.
    fn show(&mut self, text: &str) {
        match &mut self.heading {
            _ if self.images > 0 => {}
            Some(heading) => heading.shown.push_str(text),
            None if self.other_headings.is_open => self.other_headings.add(text),
            None => {}
        }
    }

    fn link(&mut self, span: Range<usize>, target: &str) {
        self.document.links.push(Link { span, target: target.to_owned() });
    }

    fn read_tag(&mut self, tag: &str, range: Range<usize>, is_in_html: bool) {
        // One in an item or a quote ends with that.
        if tag::name(tag).eq_ignore_ascii_case("details") {
            if tag.starts_with("</") {
                self.document.open_details.pop();
            } else if matches!(slice(self.text, ..range.start).bytes().next_back(), None | Some(b'\n' | b'\r')) {
                self.document.open_details.push(range.clone());
            }
        }
        if tag::is_unknown(tag) {
            let follows_backtick = self.backticks.is_open;
            self.document.unknown_tags.push(UnknownTag { span: range.clone(), is_in_html, follows_backtick });
        }
        let attributes = link::attributes(tag);
        self.document.names.extend(attributes.names);
        if let Some(target) = attributes.target {
            self.link(range, &target);
        }
    }

    fn end_heading(&mut self, range: Range<usize>) {
        self.other_headings.is_open = false;
        let Some(OpenHeading { level, title, shown, text }) = self.heading.take() else { return };
        let end = range.start + slice(self.text, range.clone()).trim_end().len();
        let title = Title::new(&title);
        // pulldown-cmark keeps a tab at the end, with the spaces before it.
        let shown = if shown.ends_with('\t') { shown.trim_end() } else { &shown };
        self.sections.push(Section {
            shown: (shown != title.text).then(|| shown.into()),
            title,
            level: level as u8,
            heading: range.start..end,
            text: text.start.min(end)..text.end.min(end),
            own: end..self.text.len(),
            subtree: end..self.text.len(),
            parent: None,
        });
    }

    fn read_html_block(&mut self, range: Range<usize>) {
        self.other_headings.read_html(slice(self.text, range.clone()), range.start);
        let pieces = comment::split(slice(self.text, range.clone()));
        if pieces.iter().any(|piece| !matches!(piece.kind, comment::Kind::Comment { .. })) {
            self.html.push(range.clone());
        }
        for piece in pieces {
            let span = range.start + piece.span.start..range.start + piece.span.end;
            match piece.kind {
                comment::Kind::Comment { closed } => self.document.comments.push(Comment::block(span, closed)),
                comment::Kind::Tag { is_image } => {
                    self.read_tag(slice(self.text, span.clone()), span.clone(), true);
                    self.look_alikes.read_tag(self.text, &span);
                    if is_image {
                        self.mark_visible(span);
                    }
                }
                comment::Kind::Content => {
                    if slice(self.text, ..span.start).ends_with('>') {
                        self.look_alikes.read(self.text, self.lines, &span);
                    }
                    self.mark_visible(span);
                }
            }
        }
    }

    fn mark_visible(&mut self, range: Range<usize>) {
        self.document.visible_lines.mark(range, self.text, self.lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(text: &str) -> Vec<String> {
        Document::of_text(text).sections.iter().map(|(_, section)| section.title.text.clone()).collect()
    }

    #[test]
    fn a_carriage_return_alone_ends_html() {
        assert_eq!(titles("<!-->\r# A\r\r```\r# B\r```\r\r# C\r"), ["A", "C"]);
        assert_eq!(titles("# A\r\n\r\n<!--\r\n# B\r\n-->\r\n\r# C"), ["A", "C"]);
    }

    #[test]
    fn comments_and_code_are_found_by_offset() {
        let text = "a <!-- b --> `c`\n\n```\nd\n```\n\n<!--\ne\n-->\nf\n";
        let document = Document::of_text(text);
        let hidden = |word: char| text.char_indices().find(|(_, letter)| *letter == word).map(|(at, _)| at);
        let is_hidden = ['a', 'b', 'c', 'd', 'e', 'f'].map(|word| hidden(word).map(|at| document.is_hidden(at)));
        assert_eq!(is_hidden, [false, true, true, true, true, false].map(Some));
        assert!(hidden('d').is_some_and(|at| !document.is_comment(at)));
    }
}
