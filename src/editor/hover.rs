//! What is at a place: what a heading of the template asks for, and since when.

use super::view::View;
use crate::report::section;
use crate::report::table::Table;
use crate::rules::context::Ctx;
use crate::span::{FileId, Span};

/// What is known of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it is about.
    pub span: Span,
    /// What is known, as Markdown.
    pub markdown: String,
}

/// What is known of byte `offset` of a file of the KEP; `None` if there is nothing to say.
pub fn at(view: &View<'_>, file: FileId, offset: usize) -> Option<Hover> {
    heading(view, &view.ctx(), file, offset)
}

/// What the template asks for below a heading.
fn heading(view: &View<'_>, ctx: &Ctx<'_>, file: FileId, offset: usize) -> Option<Hover> {
    let readme = ctx.readme.as_ref()?;
    let document = readme.document;
    if document.file != file {
        return None;
    }
    let id = document.sections.at(offset)?;
    let heading = &document.sections.get(id).heading;
    if offset > heading.end {
        return None;
    }
    let owner = readme.matching().owner(id)?;
    Some(Hover {
        span: Span::new(file, heading.clone()),
        markdown: section::page(view.template, owner, &Table::markdown),
    })
}
