//! Builds the tree from the events of the YAML parser. The only file that uses the parser. It does not recurse or
//! expand aliases, so deep nesting and alias bombs cannot harm it.

use std::collections::BTreeMap;
use std::ops::Range;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, options};

use super::causes::{self, Cause, Failure};
use super::tree::{Comment, Entry, Node, Problem, Scalar, Style, Value, Yaml};
use super::upstream;
use crate::bounds;
use crate::diagnostic::brief;
use crate::span::{FileId, Span};

/// Reads parts of one text. An alias may refer to an anchor in a part that was read before.
#[derive(Default)]
pub(super) struct Reader<'a> {
    file: FileId,
    text: &'a str,
    /// The text before reserved first characters of values were replaced by a letter.
    original: &'a str,
    /// The offsets of such values, each with whether it is in brackets.
    pub(super) reserved: Vec<(usize, bool)>,
    /// The part that is being read; the parser's offsets count from its start.
    part: Range<usize>,
    read: usize,
    /// The offset of each anchor, by name; if a name is used again, the later anchor replaces the earlier one.
    anchors: BTreeMap<String, usize>,
    aliases: usize,
    open: Vec<Open>,
    root: Option<Node>,
    problems: Vec<Problem>,
}

/// A collection that is not closed yet. `key` is set if it is a mapping that waits for the value of that key.
struct Open {
    collection: Node,
    key: Option<Node>,
}

impl Open {
    fn awaits_key(&self) -> bool {
        self.key.is_none() && matches!(self.collection.value, Value::Mapping(_))
    }
}

#[derive(Default)]
struct Properties {
    tag: Option<Box<str>>,
    anchor: Option<usize>,
    end: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: FileId, text: &'a str) -> Self {
        Self::of_masked(file, text, text)
    }

    /// A reader of `text`, which is the `original` with reserved characters replaced by others of the same length.
    pub(super) fn of_masked(file: FileId, text: &'a str, original: &'a str) -> Self {
        Self { file, text, original, ..Self::default() }
    }

    /// Reads the bytes `part` of the text, up to the first thing that the parser rejects.
    pub(super) fn read(&mut self, part: Range<usize>) -> Result<Yaml, Failure> {
        let options = options! {
            emit_anchor_events: true,
            emit_unresolved_aliases: true,
            emit_comments: false,
            flow_nesting_limit: bounds::YAML_DEPTH,
            block_nesting_limit: bounds::YAML_DEPTH,
        };
        (self.part, self.read) = (part.clone(), part.start);
        self.open.clear();
        self.problems.clear();
        self.reserved.clear();
        self.root = None;
        let mut events = Parser::new_from_str_with_options(self.slice(part.clone()), options).peekable();
        while let Some(next) = events.next() {
            let (event, place) = next.map_err(|error| {
                let at = error.marker().byte_offset().map_or(part.end, |offset| part.start + offset);
                self.failure(at, cause(error.kind()))
            })?;
            let span = self.span(&place);
            let mut properties = Properties::default();
            if let Some(tag) = event.tag() {
                let name = tag.core_suffix().map_or_else(|| tag.original(), |suffix| format!("!!{suffix}"));
                properties.tag = Some(name.into_boxed_str());
                properties.end = place.tag_span().map_or(span.start, |tag_place| self.span(&tag_place).end);
            }
            if let Some(Ok((Event::Anchor(_, name), anchor_place))) = events.next_if(is_anchor) {
                let anchor = self.span(&anchor_place);
                self.problems.extend(upstream::anchor_name(&name, anchor));
                self.anchors.insert(name.into_owned(), anchor.start);
                properties.anchor = Some(anchor.start);
                properties.end = properties.end.max(anchor.end);
            }
            match event {
                Event::Scalar(text, style, ..) => self.scalar(text.into_owned(), style_of(style), span, properties),
                Event::Alias(_) | Event::UnresolvedAlias(_) => self.alias(span),
                Event::SequenceStart(..) => self.begin(Value::Sequence(Vec::new()), span, properties),
                Event::MappingStart(..) => self.begin(Value::Mapping(Vec::new()), span, properties),
                Event::SequenceEnd | Event::MappingEnd => self.end(span),
                _ => {}
            }
            if self.open.len() > bounds::YAML_DEPTH {
                return Err(self.failure(span.start, Cause::TooDeep));
            }
        }
        let problems = std::mem::take(&mut self.problems);
        Ok(Yaml { root: self.root.take(), problems, ..Yaml::default() })
    }

    fn failure(&self, at: usize, cause: Cause) -> Failure {
        Failure { part: self.part.clone(), read: self.read, at: self.text.floor_char_boundary(at), cause }
    }

    fn span(&self, place: &granit_parser::Span) -> Span {
        let range = place.byte_range().unwrap_or_default();
        Span::new(self.file, self.part.start + range.start..self.part.start + range.end)
    }

    fn scalar(&mut self, text: String, style: Style, span: Span, properties: Properties) {
        let source = self.slice(span.range());
        let (text, span) = match style {
            Style::Plain if source.is_empty() => (String::new(), self.empty_span(span.start, properties.end)),
            Style::Literal | Style::Folded if source.is_empty() => (text, self.empty_span(span.start, properties.end)),
            Style::Literal | Style::Folded => {
                let end = span.start + source.trim_end_matches([' ', '\t', '\n', '\r']).len();
                (text, Span { end, ..span })
            }
            _ => (text, span),
        };
        if style == Style::DoubleQuoted {
            self.problems.extend(upstream::surrogate_escape(self.text, span));
        }
        self.problems.extend(upstream::tab_after_dash(self.text, span));
        if style == Style::Plain && causes::is_reserved(self.original, span.start) {
            let is_flow = |open: &Open| self.slice(open.collection.span.start..self.text.len()).starts_with(['[', '{']);
            self.reserved.push((span.start, self.open.iter().any(is_flow)));
        }
        let is_key = self.open.last().is_some_and(Open::awaits_key);
        if is_key && span.range().is_empty() && properties.end == 0 {
            self.problems.extend(upstream::keyless_colon(self.file, self.text, span.start));
        }
        let comment = self.comment_after(span.end, &[',']);
        self.add(Node {
            span,
            value: Value::Scalar(Scalar { text, style }),
            tag: properties.tag,
            anchor: properties.anchor,
            comment,
        });
    }

    /// The span of an empty value: after its colon, dash or properties. The parser gives `at`, which may be before the
    /// colon or as late as the next line.
    fn empty_span(&self, at: usize, properties_end: usize) -> Span {
        let at = match self.slice(at..self.part.end).bytes().next() {
            Some(b':') if self.open.last().is_some_and(Open::awaits_key) => at,
            Some(b':') => at + 1,
            _ => self.slice(0..at).trim_end().len(),
        };
        let at = at.max(properties_end).max(self.read);
        Span::new(self.file, at..at)
    }

    fn alias(&mut self, span: Span) {
        let name = self.slice(span.range()).trim_start_matches('*');
        let mut anchor = self.anchors.get(name).copied();
        self.aliases += 1;
        let shown = brief(name);
        let problem = |message, help| Problem { span, message, help };
        if anchor.is_none() {
            let message = format!("`*{shown}` has no anchor `&{shown}` before it");
            self.problems.push(problem(message, None));
        } else if self.open.iter().any(|open| open.collection.anchor == anchor) {
            self.problems.push(problem(format!("`*{shown}` refers to a value that contains it"), None));
            // Following it would never end.
            anchor = None;
        } else if self.aliases > bounds::YAML_ALIASES {
            let help = Some("write the values out".to_owned());
            self.problems.push(problem(format!("`*{shown}` comes after {} other aliases", bounds::YAML_ALIASES), help));
            anchor = None;
        }
        let comment = self.comment_after(span.end, &[',']);
        self.add(Node { span, value: Value::Alias(anchor), tag: None, anchor: None, comment });
    }

    fn begin(&mut self, value: Value, span: Span, properties: Properties) {
        let Properties { tag, anchor, .. } = properties;
        self.read = self.read.max(span.end);
        self.open.push(Open { collection: Node { span, value, tag, anchor, comment: None }, key: None });
    }

    /// Closes the innermost collection; `span` is the span of its closing bracket, or empty if it has no brackets.
    fn end(&mut self, span: Span) {
        let Some(Open { mut collection, .. }) = self.open.pop() else { return };
        let (first, last) = match &collection.value {
            Value::Sequence(items) => (items.first(), items.last()),
            Value::Mapping(entries) => {
                (entries.first().map(|entry| &entry.key), entries.last().map(|entry| &entry.value))
            }
            Value::Scalar(_) | Value::Alias(_) => (None, None),
        };
        if !span.range().is_empty() {
            collection.span.end = span.end;
            collection.comment = self.comment_after(span.end, &[',']);
        } else if let (Some(first), Some(last)) = (first, last) {
            collection.span = Span { end: last.span.end, ..first.span };
        }
        self.add(collection);
    }

    fn add(&mut self, node: Node) {
        self.read = self.read.max(node.span.end);
        let mut key = self.open.last_mut().and_then(|open| open.key.take());
        if let Some(key) = &mut key
            && !node.span.range().is_empty()
        {
            key.comment = self.comment_after(key.span.end, &[':']);
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match (&mut open.collection.value, key) {
            (Value::Mapping(entries), Some(key)) => entries.push(Entry { key, value: node }),
            (Value::Mapping(_), None) => open.key = Some(node),
            (Value::Sequence(items), _) => items.push(node),
            (Value::Scalar(_) | Value::Alias(_), _) => {}
        }
    }

    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// The comment after `at` on the same line, if only spaces, tabs and `between` come before it.
    fn comment_after(&self, at: usize, between: &[char]) -> Option<Box<Comment>> {
        let rest = self.slice(at..self.text.len());
        let comment = rest.trim_start_matches(|c| matches!(c, ' ' | '\t') || between.contains(&c));
        let text = comment.strip_prefix('#')?.split(['\n', '\r']).next()?.trim_end();
        let start = at + rest.len() - comment.len();
        let span = Span::new(self.file, start..start + 1 + text.len());
        Some(Box::new(Comment { span, text: text.trim_start().to_owned() }))
    }
}

fn is_anchor(next: &Result<(Event<'_>, granit_parser::Span), granit_parser::ScanError>) -> bool {
    matches!(next, Ok((Event::Anchor(..), _)))
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

/// The cause of a parser error. Other errors keep the parser's words, without the part "while …," at the start.
fn cause(kind: &ErrorKind) -> Cause {
    match kind {
        ErrorKind::UnexpectedCharacter { character: '@' | '`' | '%' } => Cause::ReservedCharacter,
        ErrorKind::UnexpectedCharacter { character } if causes::is_forbidden(*character) => Cause::ControlCharacter,
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement | ErrorKind::SimpleKeyExpected => {
            Cause::Colon
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => Cause::Tab,
        ErrorKind::UnclosedQuotedScalar | ErrorKind::InvalidQuotedScalarIndent => Cause::OpenQuote,
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            Cause::AfterQuote
        }
        ErrorKind::CommentNotSeparated => Cause::Comment,
        ErrorKind::RecursionLimitExceeded => Cause::TooDeep,
        ErrorKind::ExpectedBlockMappingKey | ErrorKind::ExpectedDocumentStart => {
            Cause::Other("expected `key: value` at this indentation".to_owned())
        }
        ErrorKind::ExpectedBlockSequenceEntry => Cause::Other("expected `- item` at this indentation".to_owned()),
        ErrorKind::BlockSequenceEntryNotAllowed => Cause::Other("list does not start on its own line".to_owned()),
        ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::UnexpectedEofBlockSequence
        | ErrorKind::ExpectedNodeContent => Cause::Other("value is missing".to_owned()),
        ErrorKind::UnclosedFlowCollection { open } => Cause::Other(format!("`{open}` is not closed")),
        other => {
            let words = other.to_string();
            let reason = words.strip_prefix("while ").and_then(|words| words.split_once(", "));
            let words = reason.map_or(words.as_str(), |(_, reason)| reason);
            Cause::Other(brief(words.trim_end_matches('.')).into_owned())
        }
    }
}
