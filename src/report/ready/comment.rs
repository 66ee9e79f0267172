//! The comment of the Release Team at one of its gates: the team's template, or kep-lint's own, filled in for a KEP. The team's
//! rights run what a comment has, so that commands come from the template alone, and nobody but authors is mentioned.

mod boxes;
mod fill;
mod items;
mod owners;
mod sheet;
pub mod templates;

use self::fill::{Filled, Filler};
use self::items::BY_HAND;
use self::templates::{Blocks, Templates};
use crate::bounds;
use crate::ready::board::Board;
use crate::ready::calendar::schedule_of;
use crate::ready::checklist::Checklist;
use crate::ready::gate::{Assessment, Gate, Outcome};
use crate::report::markdown::text::code;

#[derive(Clone, Debug)]
pub struct Comment {
    pub text: String,
    /// The status that the team's board has for the KEP.
    pub status: String,
    /// Whether nothing is against the KEP, but something is to be checked by hand before it can have another status.
    pub is_uncertain: bool,
    /// The placeholders and boxes of the template that are left as they are.
    pub left: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A person must look at the KEP first.
    Doubt(String),
    Failed(String),
}

/// Writes the comment on a KEP of `board`; `templates` are those of the team, or kep-lint's own.
pub fn write(board: &Board, checklist: &Checklist, gate: Gate, templates: &Templates) -> Result<Comment, Refusal> {
    let blocks = templates.blocks(&gate.headings(checklist.family)).map_err(Refusal::Failed)?;
    let assessment = Assessment::of(gate, board, checklist);
    let doubt = if gate.is_party() { assessment.doubt(checklist) } else { None };
    if let Some(doubt) = doubt {
        return Err(Refusal::Doubt(doubt));
    }
    let Blocks { met, not_met } = &blocks;
    // A box that is not known cannot be ticked, so that a template for what is ready would say too much.
    let is_open = assessment.outcome != Outcome::Met;
    let unknown = if is_open { Vec::new() } else { Filler::unknown_boxes(gate, met) };
    let is_met = !is_open && unknown.is_empty();
    if gate.is_party() && !unknown.is_empty() {
        return Err(Refusal::Doubt("the template has boxes that are not known".to_owned()));
    }
    let status = gate.status(checklist.family, is_met);
    let status = status.ok_or_else(|| Refusal::Failed(no_deadline(checklist)))?;
    let mut items = items::of(checklist, &assessment);
    items.extend(unknown.iter().take(bounds::LISTED_DETAILS).map(|text| format!("{BY_HAND}{}", code(text))));
    let is_of_board = checklist.release == board.release;
    let schedule = if is_of_board { board.schedule.as_ref() } else { schedule_of(checklist.release) };
    let filler = Filler { checklist, assessment: &assessment, schedule, items };
    let is_too_long = |text: &str| text.chars().count() > bounds::COMMENT_CHARACTERS;
    let too_long = || Refusal::Failed("it is too long for a comment".to_owned());
    let template = if is_met { met } else { not_met };
    if is_too_long(template) {
        return Err(too_long());
    }
    let Filled { sheet, left } = filler.fill(template);
    if is_too_long(sheet.text()) {
        return Err(too_long());
    }
    let Some(mut text) = sheet.finish() else {
        return Err(Refusal::Failed("text of the KEP would be more than text in this template".to_owned()));
    };
    text.push('\n');
    let is_uncertain = !is_met && assessment.outcome != Outcome::NotMet;
    Ok(Comment { text, status, is_uncertain, left })
}

/// Why a KEP cannot be judged at the deadline.
pub fn no_deadline(checklist: &Checklist) -> String {
    format!("{} has no deadline before the enhancements freeze", checklist.release)
}
