//! Where a missing section goes, in words.

use crate::matching::matched::Match;
use crate::rules::prelude::*;

pub struct Place {
    pub words: String,
    /// The heading that the words name, to report the section there; `None` for a section before all others.
    pub heading: Option<Range<usize>>,
    pub level: u8,
}

impl Place {
    /// The place that is named by a section, if any, and the word before it.
    pub fn named(ctx: &Ctx<'_>, readme: Readme<'_>, by: Option<(&str, TemplateId)>, level: u8) -> Self {
        let by = by.and_then(|(word, other)| Some((word, other, readme.matching().place(other)?)));
        let words = by.map(|(word, other, place)| match word {
            "under" => under(ctx, readme, Some(other)),
            _ => format!(" {word} `{}`", heading_as_written(ctx, readme, other, place)),
        });
        let heading = by.map(|(.., place)| place.heading.clone());
        Self { words: words.unwrap_or_default(), heading, level }
    }
}

/// The likely place of a section: above its subsection `first`, else after the nearest one before it.
pub fn where_it_goes(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, first: Option<TemplateId>) -> Place {
    let wanted = ctx.template.get(id);
    if let Some(first) = first.filter(|first| readme.matching().place(*first).is_some()) {
        return Place::named(ctx, readme, Some(("above", first)), wanted.level);
    }
    let outer = ctx.template.ancestors(id).find_map(|ancestor| readme.matching().place(ancestor));
    let siblings = ctx.template.iter().filter(|(_, other)| other.parent == wanted.parent).filter_map(|(other, _)| {
        let place = readme.matching().place(other)?;
        let is_inside = outer.is_none_or(|outer| outer.subtree.contains(&place.heading.start));
        is_inside.then_some((other, place))
    });
    let (mut before, after): (Vec<_>, Vec<_>) = siblings.partition(|(other, _)| *other < id);
    let start = |sibling: Option<&(TemplateId, &Match)>| sibling.map(|(_, place)| place.heading.start);
    if ctx.template.is_of_others && start(after.first()) > start(before.last()) {
        before.clear();
    }
    if let Some((sibling, place)) = before.last() {
        return Place::named(ctx, readme, Some(("after", *sibling)), level_beside(ctx, readme, id, place));
    }
    let words = under(ctx, readme, wanted.parent);
    match (outer, after.first()) {
        (Some(outer), _) => {
            let level = level_beside(ctx, readme, id, outer);
            Place { words, heading: Some(outer.heading.clone()), level }
        }
        (None, Some((sibling, _))) => {
            let place = Place::named(ctx, readme, Some(("before", *sibling)), wanted.level);
            if ctx.template.is_of_others { place } else { Place { heading: None, ..place } }
        }
        (None, None) => {
            // The section around it is missing as well, and reported on its own.
            let above = wanted.parent.and_then(|parent| where_it_goes(ctx, readme, parent, None).heading);
            Place { words, heading: above, level: wanted.level }
        }
    }
}

/// The level of the section `id` beside or under the section at `place`, which may be at another level.
fn level_beside(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, place: &Match) -> u8 {
    let wanted = ctx.template.get(id).level;
    let Some(section) = place.section else { return wanted };
    let Some(owner) = readme.matching().owner(section) else { return wanted };
    let level = (wanted + readme.sections.get(section).level).checked_sub(ctx.template.get(owner).level);
    level.filter(|level| (1..=6).contains(level)).unwrap_or(wanted)
}

/// " under `## Proposal`", as the README has that heading, if it is there.
pub fn under(ctx: &Ctx<'_>, readme: Readme<'_>, parent: Option<TemplateId>) -> String {
    let Some(parent) = parent else { return String::new() };
    let place = readme.matching().place(parent);
    let written = place.map(|place| heading_as_written(ctx, readme, parent, place));
    format!(" under `{}`", written.unwrap_or_else(|| heading(ctx, parent)))
}

pub fn heading(ctx: &Ctx<'_>, id: TemplateId) -> String {
    let wanted = ctx.template.get(id);
    format!("{} {}", "#".repeat(wanted.level.into()), wanted.title.text)
}

/// A heading on one line with its `#` marks. A question, which in a list item is that of the template, has none.
pub fn heading_as_written(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, place: &Match) -> String {
    let wanted = ctx.template.get(id);
    let section = place.section.map(|section| readme.sections.get(section));
    let title = section.map_or(&wanted.title.text, |section| &section.title.text);
    if wanted.is_question() {
        return brief(title).into_owned();
    }
    let title = if *title == wanted.title.text { Cow::Borrowed(title.as_str()) } else { brief(title) };
    let marks = section.map(|section| "#".repeat(section.level.into()) + " ");
    format!("{}{title}", marks.unwrap_or_default())
}
