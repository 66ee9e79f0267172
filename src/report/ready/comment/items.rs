//! The action items of a comment: what is open, and what to write.

use crate::bounds;
use crate::ready::answer::Lines;
use crate::ready::checklist::Checklist;
use crate::ready::gate::{Assessment, Open, What};
use crate::report::markdown::text::{block, code, inline};
use crate::report::ready::{markdown, words};

/// Before an item that a person must look at.
pub const BY_HAND: &str = "to be checked by hand: ";

/// How much of an item is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Full,
    /// Without its details and the lines to write.
    Short,
}

/// The items for a KEP, each in Markdown that fits after `- `. If all of them would be too long, they have no details.
pub fn of(checklist: &Checklist, assessment: &Assessment<'_>) -> Vec<String> {
    let all = |length| assessment.open.iter().map(|open| item(checklist, open, length)).collect::<Vec<_>>();
    let full = all(Length::Full);
    let characters: usize = full.iter().map(|item| item.chars().count()).sum();
    if characters <= bounds::COMMENT_CHARACTERS / 2 { full } else { all(Length::Short) }
}

fn item(checklist: &Checklist, open: &Open<'_>, length: Length) -> String {
    let by_hand = if open.needs_look { BY_HAND } else { "" };
    let text = match &open.what {
        What::Words(words) => inline(words),
        What::Answer(entry) => {
            let mut text = markdown::answer(checklist, entry);
            if length == Length::Full {
                text += &markdown::details(checklist, entry);
                text += &entry.answer.lines.as_ref().map(|lines| to_write(checklist, lines)).unwrap_or_default();
            }
            text
        }
    };
    format!("{by_hand}{}", text.trim_end())
}

/// The lines to write, as a part of an item.
fn to_write(checklist: &Checklist, Lines { path, text }: &Lines) -> String {
    let path = words::from_root(checklist, path);
    let language = if path.ends_with(".yaml") { "yaml" } else { "markdown" };
    let mut lines = text.lines();
    match (lines.next(), lines.count()) {
        (Some(only), 0) => format!("  - write {} in {}\n", code(only), code(&path)),
        (Some(first), more) if more >= bounds::TEXT_LINES => {
            format!("  - write {} and the {more} lines of the template after it in {}\n", code(first), code(&path))
        }
        _ => format!("  - write in {}:\n\n{}", code(&path), block(text, language, "    ")),
    }
}
