//! The README has no table of contents, or its markers are not a pair.
//!
//! ## Why
//!
//! A KEP runs to dozens of headings. `mdtoc` keeps a table of them between `<!-- toc -->` and `<!-- /toc -->`, which stand
//! below the title; upstream's CI rejects a README without both, in this order. They are looked for in the whole text,
//! code and comments too; case does not count, spaces do.
//!
//! ## Bad
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! ## Summary
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

use crate::diagnostic::{Edit, Fix, Safety};
use crate::mdtoc::{self, Markers};
use crate::rules::context::{Ctx, Readme};
use crate::rules::rule::Level::{Advice, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::span::{first_line, slice};
use std::ops::Range;

/// The rule.
pub const RULE: Rule = Rule {
    name: "missing-toc",
    category: Category::Text,
    summary: "the README has no table of contents, or its markers are not a pair",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Safe),
    reveals: false,
    is_gap: false,
    upstream: &["hack/verify-toc.sh"],
    source: include_str!("missing_toc.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let Markers { opening, closing } = Markers::find(readme.text);
    match (opening, closing) {
        (None, None) => {
            if readme.document.sections.len() > 1 {
                let finding = out.report(readme.top(), "the README has no table of contents");
                finding.help = Some(format!("put `{}` and `{}` below the title", mdtoc::OPENING, mdtoc::CLOSING));
                finding.fix = whole(readme);
            }
        }
        (Some(opening), None) => {
            let finding = out.report(readme.span(opening.clone()), "the table of contents is never closed");
            finding.help = Some(format!("add `{}` behind its last line", mdtoc::CLOSING));
            finding.fix = closing_marker(readme, opening);
        }
        (None, Some(closing)) => {
            let finding = out.report(readme.span(closing), "this marker closes nothing");
            finding.help = Some(format!("add `{}` above the table of contents", mdtoc::OPENING));
        }
        (Some(opening), Some(closing)) if closing.start < opening.start => {
            let finding = out.report(readme.span(closing), "the table of contents is closed before it is opened");
            finding.help = Some("move this marker below the table of contents".to_owned());
            finding.relate(readme.span(opening), "opened here");
        }
        (Some(_), Some(_)) => {}
    }
}

/// The table of contents below the title and the comments that follow it; none where the author has written one without
/// markers, or where it would not be right for all.
fn whole(readme: Readme<'_>) -> Option<Fix> {
    let mut sections = readme.document.sections.iter().map(|(_, section)| section);
    let title = sections.next().filter(|title| title.level == 1)?;
    if sections.any(|section| section.title.key.ends_with("tableofcontents")) {
        return None;
    }
    let blocks = readme.document.comments.iter().filter(|comment| comment.is_block && comment.is_closed);
    let mut head = title.heading.end;
    for comment in blocks.filter(|comment| comment.span.start >= title.heading.end) {
        if !slice(readme.text, head..comment.span.start).trim().is_empty() {
            break;
        }
        head = comment.span.end;
    }
    let place = head + first_line(slice(readme.text, head..)).len();
    let entries = mdtoc::entries(readme.text, place);
    if entries.is_empty()
        || mdtoc::marked(&entries).is_some()
        || mdtoc::disagreement(&entries, readme.document, readme.text, place).is_some()
    {
        return None;
    }
    let (newline, block) = (mdtoc::newline(readme.text), mdtoc::block(readme.text, &entries));
    let text = format!("{newline}{newline}{}{block}{}", mdtoc::OPENING, mdtoc::CLOSING);
    Some(fix(readme, place, "add the table of contents below the title", text))
}

/// The closing marker, if the opening one has a list of links right below it.
fn closing_marker(readme: Readme<'_>, opening: Range<usize>) -> Option<Fix> {
    if readme.document.code_around(opening.start).is_some() {
        return None;
    }
    let below = slice(readme.text, opening.end..);
    let mut lines = below.split_inclusive('\n');
    lines.next().filter(|rest| rest.trim().is_empty())?;
    let listed: usize = lines.take_while(|line| mdtoc::listed::is_listed(line)).map(str::len).sum();
    let start = opening.end + below.find('\n')? + 1;
    let rest = slice(readme.text, start + listed..);
    let ends = slice(readme.text, start..start + listed).ends_with('\n') && !goes_on(rest);
    let text = format!("{}{}", mdtoc::CLOSING, mdtoc::newline(readme.text));
    (ends).then(|| fix(readme, start + listed, "close the table of contents behind its list", text))
}

/// Whether the list that ends before `rest` may not be over: no blank line follows it, or what follows that is an item
/// or indented.
fn goes_on(rest: &str) -> bool {
    let first = rest.split('\n').next().unwrap_or_default();
    let next = rest.split('\n').find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_item =
        next.starts_with([' ', '\t', '-', '*', '+']) || next.starts_with(|first: char| first.is_ascii_digit());
    is_item || !(first.trim().is_empty() || first.starts_with(['#', '<']))
}

fn fix(readme: Readme<'_>, place: usize, title: &str, text: String) -> Fix {
    let edits = vec![Edit { span: readme.span(place..place), text }];
    Fix { safety: Safety::Safe, title: title.to_owned(), edits }
}
