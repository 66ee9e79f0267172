//! The sections of a document as a tree, and queries on it.

use super::title::Title;
use crate::span::{slice, tail};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionId(pub usize);

/// A heading and the text below it.
#[derive(Clone, Debug)]
pub struct Section {
    pub title: Title,
    /// What a page shows of the heading, where that differs from the title.
    shown: Option<Box<str>>,
    pub level: u8,
    /// Bytes of the heading, without its line end.
    pub heading: Range<usize>,
    /// Bytes of the heading's text, without the hashes.
    pub text: Range<usize>,
    /// Bytes between this heading and the next of any level.
    pub own: Range<usize>,
    /// Bytes between this heading and the next of the same or a higher level.
    pub subtree: Range<usize>,
    pub parent: Option<SectionId>,
}

impl Section {
    /// What a page shows of the heading, of which its anchor is made: with all spaces and numbers of footnotes, without
    /// texts of images.
    pub fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.title.text)
    }
}

/// All sections of a document, in document order.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    list: Vec<Section>,
    title: Option<SectionId>,
}

/// A heading as the Markdown parser returns it.
#[derive(Clone, Debug)]
pub struct Heading {
    pub title: Title,
    /// What a page shows of it.
    pub shown: String,
    pub level: u8,
    pub span: Range<usize>,
    pub text: Range<usize>,
}

impl Sections {
    /// Nests `headings`, which come in document order, in a document of `length` bytes.
    pub fn nest(headings: Vec<Heading>, length: usize) -> Self {
        let mut sections: Vec<Section> = Vec::with_capacity(headings.len());
        let mut open: Vec<(u8, SectionId)> = Vec::new();
        for heading in headings {
            if let Some(previous) = sections.last_mut() {
                previous.own.end = heading.span.start;
            }
            while let Some((_, SectionId(last))) = open.pop_if(|(level, _)| *level >= heading.level) {
                if let Some(section) = sections.get_mut(last) {
                    section.subtree.end = heading.span.start;
                }
            }
            let id = SectionId(sections.len());
            let below = heading.span.end..length;
            // pulldown-cmark keeps a tab at the end, with the spaces before it.
            let shown = if heading.shown.ends_with('\t') { heading.shown.trim_end() } else { &heading.shown };
            sections.push(Section {
                shown: (shown != heading.title.text).then(|| shown.into()),
                title: heading.title,
                level: heading.level,
                heading: heading.span,
                text: heading.text,
                own: below.clone(),
                subtree: below,
                parent: open.last().map(|(_, around)| *around),
            });
            open.push((heading.level, id));
        }
        let title = sections.iter().position(|section| section.level == 1).map(SectionId);
        Self { list: sections, title }
    }

    /// Every section with its id, in document order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (SectionId, &Section)> {
        self.list.iter().enumerate().map(|(at, section)| (SectionId(at), section))
    }

    /// The section with this id, which must come from this document.
    #[expect(
        clippy::indexing_slicing,
        reason = "an id is an index into the list that it comes from, which never shrinks"
    )]
    pub fn get(&self, id: SectionId) -> &Section {
        &self.list[id.0]
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn title(&self) -> Option<SectionId> {
        self.title
    }

    /// The section that contains `id`, unless that is the document's title.
    pub fn parent(&self, id: SectionId) -> Option<SectionId> {
        self.get(id).parent.filter(|parent| Some(*parent) != self.title)
    }

    pub fn children(&self, id: SectionId) -> impl Iterator<Item = (SectionId, &Section)> {
        self.descendants(id).filter(move |(_, section)| section.parent == Some(id))
    }

    /// The sections below `id` at any depth.
    pub fn descendants(&self, id: SectionId) -> impl Iterator<Item = (SectionId, &Section)> {
        let end = self.get(id).subtree.end;
        let following = tail(&self.list, id.0 + 1).iter().zip(id.0 + 1..);
        following
            .map(|(section, at)| (SectionId(at), section))
            .take_while(move |(_, section)| section.heading.start < end)
    }

    /// The sections that contain `id`, from the inside out, without the document's title.
    pub fn ancestors(&self, id: SectionId) -> impl Iterator<Item = SectionId> {
        std::iter::successors(self.parent(id), |inner| self.parent(*inner))
    }

    /// The section whose heading or own text contains byte `offset`.
    pub fn at(&self, offset: usize) -> Option<SectionId> {
        let count = self.list.partition_point(|section| section.heading.start <= offset);
        count.checked_sub(1).map(SectionId)
    }

    /// The part of `text` from the last heading up to byte `offset`: what is open there was opened in it. `None` if that
    /// heading is in a list, which may be open too.
    pub fn since_heading<'t>(&self, text: &'t str, offset: usize) -> Option<&'t str> {
        let last = self.at(offset).map_or(0, |last| self.get(last).heading.start);
        let begins_line = last == 0 || slice(text, ..last).ends_with(['\n', '\r']);
        begins_line.then(|| slice(text, last..offset))
    }
}
