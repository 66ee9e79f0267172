//! The README has duplicate markers of the table of contents.
//!
//! ## Why
//!
//! `mdtoc` updates only the text between the first `<!-- toc -->` and the first `<!-- /toc -->`, so a second table of
//! contents becomes stale without an error.
//!
//! ## Bad
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- toc -->
//! - [Summary](#summary)
//! <!-- /toc -->
//!
//! ## Summary
//!
//! <!-- toc -->
//! - [Motivation](#motivation)
//! <!-- /toc -->
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- toc -->
//! - [Summary](#summary)
//! <!-- /toc -->
//!
//! ## Summary
//! ```

use crate::mdtoc;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "duplicate-toc",
    summary: "duplicate markers of the table of contents",
    severity: Ladder { provisional: Warning, active: Warning, stale: Warning, implemented: Warning, closed: Off },
    docs: docs!("duplicate_toc.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

fn check(_: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let Markers { opening: Some(opening), closing: Some(closing) } = Markers::find(page.text()) else { return };
    // A marker in code is ignored, unless it is the first.
    let comments = page.comments.iter().map(|comment| comment.span.clone());
    let later = comments.filter(|span| span.start > opening.start && *span != closing);
    let markers = later.filter(|span| Markers::is_one(page.slice(span.clone())));
    let is_opening = |span: &Range<usize>| page.slice(span.clone()).eq_ignore_ascii_case(mdtoc::OPENING);
    let (openings, closings): (Vec<Range<usize>>, Vec<Range<usize>>) = markers.partition(is_opening);
    let (marker, first, others, help) = match openings.as_slice() {
        [] => (mdtoc::CLOSING, closing, closings, "remove this marker: mdtoc uses only the first pair"),
        _ => (mdtoc::OPENING, opening, openings, "remove this list and its markers: mdtoc updates only the first one"),
    };
    for other in others {
        let finding = Diagnostic::at(page.span(other), format!("duplicate `{marker}`"))
            .help(help)
            .related(page.span(first.clone()), "first marker")
            .subject(Subject::named([marker]));
        out.report(finding);
    }
}
