//! How far a section of a KEP is: empty, a placeholder, or filled in.

use super::view::View;
use crate::gap::content::Content;
use crate::gap::{Gap, GapKind};
use crate::markdown::section::SectionId;
use crate::rules::context::Readme;
use crate::template::TemplateId;
use crate::template::role::SectionRole;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Empty,
    /// Words like TBD, or a form that is not filled in.
    Placeholder,
    Guidance,
    /// Text, but not all that is required.
    Incomplete,
    Filled,
}

impl State {
    pub fn words(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Placeholder => "placeholder",
            Self::Guidance => "only the template's text",
            Self::Incomplete => "incomplete",
            Self::Filled => "filled in",
        }
    }

    fn of_gap(kind: &GapKind) -> Option<Self> {
        match kind {
            GapKind::Empty(_) => Some(Self::Empty),
            GapKind::Placeholder => Some(Self::Placeholder),
            GapKind::TemplateText => Some(Self::Guidance),
            GapKind::MissingParts(_) => Some(Self::Incomplete),
            GapKind::Missing(_) | GapKind::CommentedOut(_) => None,
        }
    }
}

/// A section of the README that the template has too.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub owner: TemplateId,
    /// What is below its heading; `None` for the checklist, where only boxes count.
    pub state: Option<State>,
    pub is_required: bool,
}

/// How far a section of the README is; `None` for a heading of the author's own.
pub fn of(view: &View<'_>, readme: &Readme<'_>, id: SectionId) -> Option<Standing> {
    let matching = readme.matching();
    let owner = matching.owner(id)?;
    let is_required = view.ctx().requirements.iter().any(|requirement| requirement.section == owner);
    let role = view.template.get(owner).role;
    let gap = readme.gaps().iter().find(|gap| gap.section == owner && matching.is_at(owner, id));
    let by_gap = gap.and_then(part_or_whole);
    let state = by_gap.or_else(|| {
        let lines = readme.visible_lines(readme.sections.get(id).subtree.clone());
        match Content::of(lines, view.template, role, readme.stage) {
            Content::Nothing => Some(State::Empty),
            Content::Answer => Some(State::Filled),
            // Its boxes are those of the template.
            _ if role == Some(SectionRole::Signoff) => None,
            Content::Guidance => Some(State::Guidance),
            Content::PlaceholderWord | Content::Form | Content::Note => Some(State::Placeholder),
        }
    });
    Some(Standing { owner, state, is_required })
}

/// What a gap says of its section: if only a part is missing, the rest is there.
fn part_or_whole(gap: &Gap) -> Option<State> {
    if gap.part.is_some() { Some(State::Incomplete) } else { State::of_gap(&gap.kind) }
}
