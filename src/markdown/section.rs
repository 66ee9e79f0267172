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
    pub(super) shown: Option<Box<str>>,
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

#[derive(Clone, Debug, Default)]
pub struct Sections {
    list: Vec<Section>,
    title: Option<SectionId>,
}

impl Sections {
    /// Nests sections that come in document order, and that all go on to the end of the document so far.
    pub fn nest(sections: Vec<Section>) -> Self {
        let mut list: Vec<Section> = Vec::with_capacity(sections.len());
        let mut open: Vec<(u8, SectionId)> = Vec::new();
        for mut section in sections {
            if let Some(previous) = list.last_mut() {
                previous.own.end = section.heading.start;
            }
            while let Some((_, SectionId(last))) = open.pop_if(|(level, _)| *level >= section.level) {
                if let Some(last) = list.get_mut(last) {
                    last.subtree.end = section.heading.start;
                }
            }
            section.parent = open.last().map(|(_, around)| *around);
            open.push((section.level, SectionId(list.len())));
            list.push(section);
        }
        let title = list.iter().position(|section| section.level == 1).map(SectionId);
        Self { list, title }
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
