//! The action items of a comment: what is open, and what to write.
use crate::bounds;
use crate::ready::answer::{Lines, State};
use crate::ready::checklist::{Checklist, Entry};
use crate::ready::gate::Assessment;
use crate::report::markdown::text::{code, inline};
use crate::report::ready::markdown;
use crate::report::ready::words;

/// Before an item that a person must look at.
const BY_HAND: &str = "to be checked by hand: ";

/// The items for a KEP, each in Markdown that fits after `- `. If all of them would be too long, they have no details.
pub fn of(assessment: &Assessment<'_>) -> Vec<String> {
    let mut items: Vec<String> = assessment.open().map(|entry| full(assessment.checklist, entry)).collect();
    let characters: usize = items.iter().map(|item| item.chars().count()).sum();
    if characters > bounds::COMMENT_CHARACTERS / 2 {
        items = assessment.open().map(|entry| short(assessment.checklist, entry)).collect();
    }
    let by_hand = assessment.checklist.family.by_hand.get("pulls");
    if let Some(words) =
        by_hand.filter(|_| !assessment.gate.is_deadline() && assessment.checklist.answer("pulls").is_none())
    {
        items.push(format!("{BY_HAND}{}", inline(words)));
    }
    items
}

fn short(checklist: &Checklist, entry: &Entry) -> String {
    if entry.item.name == "tree" && entry.answer.state == State::Met {
        return "README: it is in an open pull request, which is not merged".to_owned();
    }
    let by_hand = if entry.answer.state == State::Look { BY_HAND } else { "" };
    let text = markdown::entry(checklist, entry);
    format!("{by_hand}{}", text.lines().next().unwrap_or_default())
}

fn full(checklist: &Checklist, entry: &Entry) -> String {
    let lines = entry.answer.lines.as_ref().map(to_write).unwrap_or_default();
    let text = markdown::entry(checklist, entry);
    let details = text.split_once('\n').map_or("", |(_, details)| details);
    format!("{}\n{details}{lines}", short(checklist, entry)).trim_end().to_owned()
}

/// The lines to write, as a part of an item.
fn to_write(Lines { path, text, .. }: &Lines) -> String {
    let mut lines = text.lines();
    match (lines.next(), lines.count()) {
        (Some(only), 0) => format!("  - write {} in {}\n", code(only), code(path)),
        (Some(first), more) if more >= words::TEXT_LINES => {
            format!("  - write {} and the {more} lines of the template after it in {}\n", code(first), code(path))
        }
        _ => format!("  - write in {}:\n\n{}", code(path), markdown::lines_of(path, text, "    ")),
    }
}
