//! The comment of the Release Team at one of its gates: the team's template, or kep-lint's own, filled in for a KEP. The team's
//! rights run what a comment has, so that commands come from the template alone, and nobody but authors is mentioned.

mod boxes;
mod fill;
mod items;
mod sheet;
pub mod templates;
use self::fill::{Filled, Filler};
use self::templates::{Blocks, Templates};
use crate::bounds;
use crate::ready::board::Board;
use crate::ready::calendar::schedule_of;
use crate::ready::checklist::Checklist;
use crate::ready::gate::{Assessment, Gate};
use crate::ready::status::Status;

#[derive(Clone, Debug)]
pub struct Comment {
    pub text: String,
    /// The status that the team's board has for the KEP.
    pub status: String,
    /// What must be checked by hand before the status is set, or for another one.
    pub unless: Option<&'static str>,
    /// The placeholders and boxes of the template that are left as they are.
    pub left: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A person must look at the KEP first.
    Doubt(String),
    Failed(String),
}

/// Writes the comment on a KEP of `board`; `templates` are those of the team, or kep-lint's own. Which of them, and the status,
/// follow from the status of the KEP at the gate alone.
pub fn write(board: &Board, checklist: &Checklist, gate: Gate, templates: &Templates) -> Result<Comment, Refusal> {
    let Blocks { met, not_met } = templates.blocks(&gate.headings(checklist.family)).map_err(Refusal::Failed)?;
    let assessment = Assessment::of(gate, checklist).ok_or_else(|| Refusal::Failed(no_deadline(checklist)))?;
    let is_met = assessment.status.is_met();
    if gate.is_party() {
        if let Some(doubt) = assessment.doubt(board) {
            return Err(Refusal::Doubt(doubt));
        }
        // A box that is not known cannot be ticked, so that a template for what is ready would say too much.
        if is_met && Filler::has_unknown_boxes(gate, &met) {
            return Err(Refusal::Doubt("the template has boxes that are not known".to_owned()));
        }
    }
    let status = gate.status(checklist.family, is_met);
    let status = status.ok_or_else(|| Refusal::Failed(no_deadline(checklist)))?;
    let is_of_board = checklist.release == board.release;
    let schedule = if is_of_board { board.schedule.as_ref() } else { schedule_of(checklist.release) };
    let filler = Filler { assessment: &assessment, schedule, items: items::of(&assessment) };
    let is_too_long = |text: &str| text.chars().count() > bounds::COMMENT_CHARACTERS;
    let too_long = || Refusal::Failed("it is too long for a comment".to_owned());
    let template = if is_met { met } else { not_met };
    if is_too_long(&template) {
        return Err(too_long());
    }
    let Filled { sheet, left } = filler.fill(&template);
    if is_too_long(sheet.text()) {
        return Err(too_long());
    }
    let Some(mut text) = sheet.finish() else {
        return Err(Refusal::Failed("text of the KEP would be more than text in this template".to_owned()));
    };
    text.push('\n');
    let is_checked = gate.checks().iter().all(|check| assessment.is_ticked(check));
    let unless = match assessment.status {
        Status::Look(_) => Some("unless all that is to be checked by hand is met"),
        Status::Met if !is_checked => Some("once it is known that no other open pull request changes the KEP"),
        Status::Met | Status::NotMet(_) => None,
    };
    Ok(Comment { text, status, unless, left })
}

/// Why a KEP cannot be judged at the deadline.
pub fn no_deadline(checklist: &Checklist) -> String {
    format!("{} has no deadline before the enhancements freeze", checklist.release)
}
