//! What PRR approvers read, in JSON.

use super::place;
use crate::matching::written::Line;
use crate::ready::checklist::Checklist;
use crate::ready::past::{Compared, Past};
use crate::ready::questionnaire::{Chapter, Question, Questionnaire, Remark};
use serde_json::{Value, json};

/// The questions that the stage requires.
pub fn object(checklist: &Checklist, questionnaire: &Questionnaire) -> Value {
    let all = questionnaire.counts();
    let (approval, not_known) = match &questionnaire.past {
        Some(Past::Approved(compared)) => (Some(approval(compared)), None),
        Some(Past::NotKnown(not_known)) => (None, Some(&not_known.reason)),
        _ => (None, None),
    };
    json!({
        "counts": {
            "answered": all.answered,
            "bare": all.bare,
            "changed": all.changed,
            "open": all.open,
            "questions": all.questions,
            "unfinished": all.unfinished,
        },
        "later": questionnaire.later,
        "later_changed": questionnaire.later_changed,
        "approval": approval,
        "not_known": not_known,
        "chapters": questionnaire.chapters.iter().map(|own| chapter(checklist, own)).collect::<Vec<_>>(),
    })
}

fn approval(Compared { approval, lines, .. }: &Compared) -> Value {
    json!({
        "stage": approval.stage.name(),
        "approver": approval.approver,
        "day": approval.day.map(|day| day.to_string()),
        "commit": approval.commit,
        "changed_lines": lines.values().sum::<usize>(),
    })
}

fn chapter(checklist: &Checklist, Chapter { title, text, questions }: &Chapter) -> Value {
    let questions: Vec<Value> = questions.iter().map(|own| question(checklist, own)).collect();
    json!({ "title": title, "text": markdown(text), "questions": questions })
}

fn question(checklist: &Checklist, question: &Question) -> Value {
    json!({
        "question": question.title,
        "place": question.place.as_ref().map(|named| place(checklist, named)),
        "standing": question.standing.name(),
        "remarks": question.remarks.iter().map(remark).collect::<Vec<_>>(),
        "answer": markdown(&question.text),
        "changed_lines": question.changed,
    })
}

fn remark(remark: &Remark) -> Value {
    json!({ "flaw": remark.flaw.name(), "words": remark.words, "line": remark.line })
}

fn markdown(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}
