//! The comment of the Release Team at one of its gates: the team's template, or kep-lint's own, filled in for a KEP. The team's
//! rights run what a comment has, so that commands come from the template alone, and nobody but authors is mentioned.

mod fill;
pub mod templates;
use self::fill::{Filled, Filler};
use self::templates::{Blocks, Templates};
use crate::ready::answer::{Lines, State};
use crate::ready::board::Board;
use crate::ready::calendar::schedule_of;
use crate::ready::checklist::{Checklist, Entry};
use crate::ready::gate::{Assessment, Gate};
use crate::report::markdown::text::{code, inline};
use crate::report::ready::markdown;

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
    Doubt(String),
    Failed(String),
}

/// Writes the comment on a KEP of `board`; `templates` are those of the team, or kep-lint's own. Which of them, and the status,
/// follow from the status of the KEP at the gate alone.
pub fn write(board: &Board, checklist: &Checklist, gate: Gate, templates: &Templates) -> Result<Comment, Refusal> {
    let Blocks { met, not_met } = templates.blocks(&gate.headings(checklist.family)).map_err(Refusal::Failed)?;
    let assessment = Assessment::of(gate, checklist);
    let is_met = assessment.status.is_met();
    let status = gate.status(checklist.family, is_met);
    let status = status.ok_or_else(|| Refusal::Failed(no_deadline(checklist)))?;
    if gate.is_party
        && let Some(doubt) = assessment.doubt(board)
    {
        return Err(Refusal::Doubt(doubt));
    }
    let is_of_board = checklist.release == board.release;
    let schedule = if is_of_board { board.schedule.as_ref() } else { schedule_of(checklist.release) };
    let filler = Filler { assessment: &assessment, schedule, items: items(&assessment) };
    let Filled { sheet, has_unknown_boxes, left } = filler.fill(if is_met { &met } else { &not_met });
    // A box that is not known cannot be ticked, so that a template for what is ready would say too much.
    if gate.is_party && is_met && has_unknown_boxes {
        return Err(Refusal::Doubt("the template has boxes that are not known".to_owned()));
    }
    let text = sheet.finish().map_err(|reason| Refusal::Failed(reason.to_owned()))? + "\n";
    let is_checked = gate.checks().iter().all(|check| assessment.is_ticked(check));
    let unless = match assessment.status.state {
        State::Look => Some("unless all that is to be checked by hand is met"),
        State::Met if !is_checked => Some("once it is known that no other open pull request changes the KEP"),
        State::Met | State::Info | State::NotMet => None,
    };
    Ok(Comment { text, status, unless, left })
}

/// Why a KEP cannot be judged at the deadline.
pub fn no_deadline(checklist: &Checklist) -> String {
    format!("{} has no deadline before the enhancements freeze", checklist.release)
}

const BY_HAND: &str = "to be checked by hand: ";

/// The items for a KEP, each in Markdown that fits after `- `.
fn items(assessment: &Assessment<'_>) -> Vec<String> {
    let checklist = assessment.checklist;
    let open = checklist.open(&assessment.status);
    let mut items: Vec<String> = open.map(|entry| item(checklist, entry)).collect();
    let is_asked = !assessment.gate.is_deadline && checklist.answer("pulls").is_none();
    let by_hand = checklist.family.by_hand.get("pulls").filter(|_| is_asked);
    items.extend(by_hand.map(|words| format!("{BY_HAND}{}", inline(words))));
    items
}

/// The line about an item that is open, and what comes after it.
fn item(checklist: &Checklist, entry: &Entry) -> String {
    let text = markdown::entry(checklist, entry);
    let (first, details) = text.split_once('\n').unwrap_or((&text, ""));
    let line = match (entry.item.name, entry.answer.state) {
        ("tree", State::Met) => "README: it is in an open pull request, which is not merged".to_owned(),
        (_, State::Look) => format!("{BY_HAND}{first}"),
        _ => first.to_owned(),
    };
    let lines = entry.answer.lines.as_ref().map(to_write).unwrap_or_default();
    format!("{line}\n{details}{lines}").trim_end().to_owned()
}

fn to_write(Lines { path, text, .. }: &Lines) -> String {
    let mut lines = text.lines();
    match (lines.next(), lines.count()) {
        (Some(only), 0) => format!("  - write {} in {}\n", code(only), code(path)),
        (Some(first), more) if more >= super::words::TEXT_LINES => {
            format!("  - write {} and the {more} lines of the template after it in {}\n", code(first), code(path))
        }
        _ => format!("  - write in {}:\n\n{}", code(path), markdown::lines_of(path, text, "    ")),
    }
}
