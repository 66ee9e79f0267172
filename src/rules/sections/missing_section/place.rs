//! Where a missing section goes, in words.

use crate::matching::matched::Match;
use crate::rules::prelude::*;
use std::borrow::Cow;

pub struct Place {
    pub words: String,
    /// The heading that the words name, to report the section there; `None` for a section before all others.
    pub heading: Option<Range<usize>>,
    pub level: u8,
}

/// The likely place of a section: above its subsection `first`, else after the nearest one before it.
pub fn where_it_goes(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, first: Option<TemplateId>) -> Place {
    let wanted = ctx.template.get(id);
    let outer = ctx.template.ancestors(id).find_map(|ancestor| readme.matching().place(ancestor));
    let siblings = ctx.template.iter().filter(|(_, other)| other.parent == wanted.parent).filter_map(|(other, _)| {
        let place = readme.matching().place(other)?;
        let is_inside = outer.is_none_or(|outer| outer.subtree.contains(&place.heading.start));
        is_inside.then_some((other, place))
    });
    let (before, after): (Vec<_>, Vec<_>) = siblings.partition(|(other, _)| *other < id);
    let written = |(other, place): &(TemplateId, &Match)| heading_as_written(ctx, readme, *other, place);
    let first = first.and_then(|first| Some((first, readme.matching().place(first)?)));
    let (words, beside) = match (before.last(), outer, after.first()) {
        _ if first.is_some() => {
            (first.iter().map(|first| format!(" above `{}`", written(first))).collect(), first.map(|(_, place)| place))
        }
        (Some(sibling), ..) => (format!(" after `{}`", written(sibling)), Some(sibling.1)),
        (None, Some(_), _) => {
            (wanted.parent.map(|parent| format!(" under `{}`", heading(ctx, parent))).unwrap_or_default(), outer)
        }
        (None, None, Some(sibling)) => (format!(" before `{}`", written(sibling)), None),
        (None, None, None) => {
            // The section around it is missing as well, and reported on its own.
            let heading_above = wanted.parent.and_then(|parent| where_it_goes(ctx, readme, parent, None).heading);
            let words = wanted.parent.map(|parent| format!(" under `{}`", heading(ctx, parent))).unwrap_or_default();
            return Place { words, heading: heading_above, level: wanted.level };
        }
    };
    Place { words, heading: beside.map(|beside| beside.heading.clone()), level: wanted.level }
}

pub fn heading(ctx: &Ctx<'_>, id: TemplateId) -> String {
    let wanted = ctx.template.get(id);
    format!("{} {}", "#".repeat(wanted.level.into()), wanted.title.text)
}

/// A heading on one line with its `#` marks; a question in a list item as the template has it.
pub fn heading_as_written(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, place: &Match) -> String {
    let wanted = &ctx.template.get(id).title;
    match place.section.map(|section| readme.sections.get(section)) {
        Some(section) => {
            let title = &section.title.text;
            let title = if *title == wanted.text { Cow::Borrowed(title.as_str()) } else { brief(title) };
            format!("{} {title}", "#".repeat(section.level.into()))
        }
        None => wanted.text.clone(),
    }
}
