//! Where an ignore for a finding goes, and its text: a line of its own, so that nothing else of the file changes.

use super::ignore::{FILE_WORD, WORD};
use super::is_markdown;
use crate::diagnostic::Diagnostic;
use crate::markdown::title::Title;
use crate::markdown::{self, Document};
use crate::mdtoc::Markers;
use crate::source::SourceFile;
use crate::span::{FileId, last_until, line_end, slice};
use crate::yaml;
use crate::yaml::tree::{Node, Scalar, Style, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub finding: &'a Diagnostic,
    /// Whether it reports its section as missing or not filled in.
    pub is_gap: bool,
}

impl<'a> Wanted<'a> {
    /// The titles of the section that is missing or not filled in, from the outermost to this one.
    fn gap(&self) -> Option<&'a [String]> {
        if self.is_gap { self.finding.section.as_deref() } else { None }
    }
}

/// A line that ignores findings.
pub struct Addition<'a> {
    pub file: FileId,
    pub at: usize,
    pub text: String,
    pub findings: Vec<&'a Diagnostic>,
}

/// The lines that ignore the `wanted` findings of a file, as far as that can be: one line for each place.
pub fn additions<'a>(file: FileId, source: &Arc<SourceFile>, wanted: &[Wanted<'a>], reason: &str) -> Vec<Addition<'a>> {
    let places: Vec<Option<Place>> = if is_markdown(source) {
        let page = Page::of(file, source);
        wanted.iter().map(|wanted| Some(page.place(*wanted))).collect()
    } else {
        let tree = yaml::parse(file, &source.text);
        let root = if tree.problems.is_empty() { tree.root } else { None };
        wanted.iter().map(|wanted| Some(in_yaml(source, root.as_ref()?, wanted.finding))).collect()
    };
    let mut lines: BTreeMap<(usize, &str, String), Line<'_>> = BTreeMap::new();
    for (one, place) in wanted.iter().zip(places) {
        let Some(Place { at, word, around, name }) = place else { continue };
        let (names, findings) = lines.entry((at, word, around)).or_default();
        names.insert(name);
        findings.push(one.finding);
    }
    let additions = lines.into_iter().map(|((at, word, around), (names, findings))| {
        let names: Vec<String> = names.into_iter().collect();
        let text = around.replace('\0', &format!("{word} {}: {reason}", names.join(", ")));
        Addition { file, at, text, findings }
    });
    additions.collect()
}

/// The names in an ignore, and its findings.
type Line<'a> = (BTreeSet<String>, Vec<&'a Diagnostic>);

struct Place {
    at: usize,
    word: &'static str,
    /// The line, with a NUL in the place of the ignore.
    around: String,
    /// The rule, with the title of the section if it is for that only.
    name: String,
}

struct Page {
    document: Document,
    blocks: Vec<Range<usize>>,
    contents: Option<Range<usize>>,
    newline: &'static str,
}

impl Page {
    fn of(file: FileId, source: &Arc<SourceFile>) -> Self {
        let text = source.text.as_str();
        let mut blocks = markdown::blocks(text);
        let mut end = 0;
        blocks.retain(|block| {
            let is_outer = block.end > end;
            end = end.max(block.end);
            is_outer
        });
        let contents = Markers::find(text).whole();
        let document = Document::parse(file, Arc::clone(source));
        Self { document, blocks, contents, newline: line_end(text, 0) }
    }

    fn place(&self, wanted: Wanted<'_>) -> Place {
        let (rule, offset) = (wanted.finding.rule, wanted.finding.span.start);
        let title = wanted.gap().and_then(|path| path.last());
        // Not in a title that would end the comment.
        let title = title.filter(|title| !title.contains('"') && !title.contains("--"));
        let named = title.map(|title| format!("{rule}(\"{title}\")"));
        let is_first_line = self.document.source.lines().line_of(offset) == 0;
        if is_first_line && self.document.sections.title().is_none() {
            // Then it is about something that the whole document lacks.
            return self.before(offset, FILE_WORD, rule.to_owned());
        }
        let heading = self.heading(offset);
        let (Some(heading), Some(path), Some(named)) = (heading, wanted.gap(), named) else {
            return self.before(self.start_of_block(offset), WORD, rule.to_owned());
        };
        let sections = &self.document.sections;
        let is_titled = |section, words: Option<&String>| {
            words.is_some_and(|words| sections.get(section).title.key == Title::new(words).key)
        };
        let parent = path.len().checked_sub(2).and_then(|parent| path.get(parent));
        if is_titled(heading, path.last()) {
            // The sections below it may have findings of their own.
            let has_children = sections.descendants(heading).next().is_some();
            let name = if has_children { named } else { rule.to_owned() };
            return self.before(sections.get(heading).heading.start, WORD, name);
        }
        let section = if is_titled(heading, parent) { Some(heading) } else { sections.parent(heading) };
        match section {
            Some(section) => self.before(sections.get(section).heading.start, WORD, named),
            None => {
                let first = sections.iter().next().map_or(offset, |(_, first)| first.heading.start);
                self.before(first, FILE_WORD, named)
            }
        }
    }

    fn heading(&self, offset: usize) -> Option<markdown::section::SectionId> {
        let section = self.document.sections.at(offset)?;
        (offset < self.document.sections.get(section).heading.end).then_some(section)
    }

    /// Where the block that has byte `offset` begins; a table of contents is one block.
    fn start_of_block(&self, offset: usize) -> usize {
        if let Some(contents) = self.contents.as_ref().filter(|contents| contents.contains(&offset)) {
            return contents.start;
        }
        let block = last_until(&self.blocks, offset, |block| block.start);
        block.filter(|block| offset < block.end).map_or(offset, |block| block.start)
    }

    fn before(&self, start: usize, word: &'static str, name: String) -> Place {
        let at = line_start(&self.document.source, start);
        let is_underlined =
            self.heading(start).is_some() && !slice(&self.document.source.text, start..).starts_with('#');
        // mdtoc reads the line above the first line of an underlined heading as a part of it.
        let blank = if is_underlined { self.newline } else { "" };
        let around = format!("<!-- \0 -->{}{blank}", self.newline);
        Place { at, word, around, name }
    }
}

fn in_yaml(source: &SourceFile, root: &Node, finding: &Diagnostic) -> Place {
    let text = source.text.as_str();
    let start = anchor(root, finding.span.start).unwrap_or(finding.span.start);
    let at = line_start(source, start);
    let line = slice(text, at..);
    let indentation = slice(line, ..line.len() - line.trim_start_matches(' ').len());
    let around = format!("{indentation}# \0{}", line_end(text, at));
    Place { at, word: WORD, around, name: finding.rule.to_owned() }
}

/// Where the innermost key or item around byte `offset` begins whose line a comment can be above.
fn anchor(root: &Node, offset: usize) -> Option<usize> {
    let (mut node, mut anchor) = (root, None);
    loop {
        node = match &node.value {
            Value::Mapping(entries) => {
                let Some(entry) = last_until(entries, offset, |entry| entry.key.span.start) else { return anchor };
                anchor = Some(entry.key.span.start);
                &entry.value
            }
            Value::Sequence(items) => {
                let Some(item) = last_until(items, offset, |item| item.span.start) else { return anchor };
                let is_block =
                    matches!(item.value, Value::Scalar(Scalar { style: Style::Literal | Style::Folded, .. }));
                // The text of a block begins on the line after its dash.
                if !is_block || anchor.is_none() {
                    anchor = Some(item.span.start);
                }
                item
            }
            Value::Scalar(_) | Value::Alias(_) => return anchor,
        };
    }
}

/// Where the line that has byte `offset` begins, after a byte order mark.
fn line_start(source: &SourceFile, offset: usize) -> usize {
    let (text, lines) = (source.text.as_str(), source.lines());
    let start = lines.line_range(lines.line_of(offset), text).start;
    if start == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { start }
}
