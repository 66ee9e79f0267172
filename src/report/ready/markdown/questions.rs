//! What a PRR approver reads of a KEP, as a comment for its pull request. The answers are whole, and only text.

use crate::matching::written::Line;
use crate::ready::board::Board;
use crate::ready::checklist::Checklist;
use crate::ready::questionnaire::{Chapter, Question, Standing, joined};
use crate::report::markdown::text::{block, code, inline};
use crate::report::ready::{prr, words};

/// Renders the questions of each KEP, and at the end how many KEPs each approver has.
pub fn render(board: &Board) -> String {
    let mut parts: Vec<String> = board.checklists.iter().map(|checklist| comment(board, checklist)).collect();
    if parts.len() > 1 {
        parts.extend(prr::load(board).map(|load| format!("Load: {}\n", inline(&load))));
    }
    parts.join("\n---\n\n")
}

fn comment(board: &Board, checklist: &Checklist) -> String {
    let title = checklist.title.as_deref().map(|title| format!(": {}", inline(title))).unwrap_or_default();
    let number = inline(&words::number(checklist));
    let target = inline(&prr::target(checklist, &checklist.release.to_string()));
    let mut text = format!("### {number}{title}, {target}\n\n");
    let Some(questionnaire) = &checklist.questionnaire else {
        let absent = checklist.answer("tree").map(|answer| answer.words.as_str()).unwrap_or_default();
        return format!("{text}{}\n", inline(absent));
    };
    let sig = checklist.sig.iter().map(|sig| inline(sig));
    let judged = words::judged(board).map(|judged| inline(&judged));
    let about: Vec<String> = sig.chain([inline(&prr::approver(checklist))]).chain(judged).collect();
    text += &format!("{}.\n\n", about.join(", "));
    let later = prr::later(questionnaire).map(|later| format!("; {later}")).unwrap_or_default();
    text += &format!("**{}**{later}.\n", inline(&prr::counts(questionnaire)));
    if let Some(past) = prr::past(checklist, questionnaire) {
        text += &format!("\n{}.\n", inline(&words::capitalized(&past)));
    }
    questionnaire.chapters.iter().for_each(|own| text += &chapter(checklist, own));
    text
}

fn chapter(checklist: &Checklist, chapter: &Chapter) -> String {
    let questions: String = chapter.questions.iter().map(|own| question(checklist, own)).collect();
    format!("\n#### {}\n{}{questions}", inline(&chapter.title), answer(&chapter.text))
}

fn question(checklist: &Checklist, question: &Question) -> String {
    let place = question.place.as_ref().filter(|_| question.standing != Standing::Missing);
    let place = place.map(|place| format!(" ({})", code(&words::place(checklist, place)))).unwrap_or_default();
    let marks: String = prr::marks(question).iter().map(|mark| format!("- {}\n", inline(mark))).collect();
    let marks = if marks.is_empty() { marks } else { format!("\n{marks}") };
    format!("\n##### {}{place}\n{marks}{}", inline(&question.title), answer(&question.text))
}

/// An answer as its author wrote it: Markdown that is not rendered.
fn answer(lines: &[Line]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    format!("\n{}", block(&joined(lines), "markdown", ""))
}
