//! The words for what PRR approvers read, which several formats share.
use crate::diagnostic::{Failure, brief, counted};
use crate::ready::answer::{name_of, numbers};
use crate::ready::approval::{Approver, Role};
use crate::ready::board::Board;
use crate::ready::checklist::Checklist;
use crate::ready::past::{Past, short};
use crate::ready::questionnaire::{Counts, Flaw, Question, Questionnaire, Standing};

/// Who approves the KEP: "`ann` approves it".
pub fn approver(checklist: &Checklist) -> String {
    match &checklist.approver {
        None => "nobody is named as approver".to_owned(),
        Some(Approver { name, role }) => match role {
            Role::Approves => format!("`{}` approves it", brief(name)),
            Role::Asked => format!("`{}` is asked (not yet approved)", brief(name)),
            Role::NotApprover => format!("`{}` is named, but is not a PRR approver", brief(name)),
        },
    }
}

/// How many questions there are of each kind: "12 questions: 10 answered, 2 open, 1 bare".
pub fn counts(questionnaire: &Questionnaire) -> String {
    let Counts { answered, open, bare, unfinished, changed, questions } = questionnaire.counts;
    let more = numbers([(bare, "bare"), (unfinished, "unfinished"), (changed, "changed")]);
    let more = if more.is_empty() { more } else { format!(", {more}") };
    format!("{}: {answered} answered, {open} open{more}", counted(questions, "question", "questions"))
}

/// How many questions are not shown, because only later stages require them.
pub fn later(questionnaire: &Questionnaire) -> Option<String> {
    let later = counted(questionnaire.later, "question of later stages is", "questions of later stages are");
    let changed = match questionnaire.later_changed {
        0 => String::new(),
        changed => format!(", of which {changed} changed"),
    };
    (questionnaire.later > 0).then(|| format!("{later} not shown{changed}"))
}

/// What changed since the approval, or why that is not known.
pub fn past(checklist: &Checklist, questionnaire: &Questionnaire) -> Option<String> {
    let stage = checklist.stage?;
    Some(match questionnaire.past.as_ref()? {
        Past::Nothing => format!("first request for {stage}: no stage was approved before"),
        Past::NotKnown(Failure { message: reason, help, .. }) => {
            let help = help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
            format!("what changed since an approval is not known: {reason}{help}")
        }
        Past::Approved(compared) => {
            let approval = &compared.approval;
            let since = format!("since {} in {}", approval.words(), short(&approval.commit));
            let changed = match compared.words() {
                Some(changed) => format!("{changed} changed {since}"),
                None => format!("the answers are unchanged {since}"),
            };
            if approval.stage == stage { changed } else { format!("first request for {stage}; {changed}") }
        }
    })
}

/// What is wrong with a question, in words: "missing", "bare", "4 lines changed".
pub fn marks(question: &Question) -> Vec<String> {
    let standing = (question.standing != Standing::Answered).then(|| name_of(question.standing));
    let remarks = question.remarks.iter().map(|remark| match remark.flaw {
        // The answer itself is below it.
        Flaw::Bare => name_of(remark.flaw),
        Flaw::Unfinished | Flaw::Unticked => format!("{}: {}", name_of(remark.flaw), remark.words),
    });
    let changed = (question.changed > 0).then(|| format!("{} changed", counted(question.changed, "line", "lines")));
    standing.into_iter().chain(remarks).chain(changed).collect()
}

/// What there is to read beside answers, in a few words: "2 open, 1 bare, 69 lines changed since 2025-06-10".
#[cfg(feature = "pretty")]
pub fn to_read(checklist: &Checklist, questionnaire: &Questionnaire) -> String {
    let Counts { open, bare, unfinished, .. } = questionnaire.counts;
    let some = numbers([(open, "open"), (bare, "bare"), (unfinished, "unfinished")]);
    let past = match &questionnaire.past {
        Some(Past::Approved(compared)) if Some(compared.approval.stage) == checklist.stage => {
            let lines: usize = compared.lines.values().sum();
            let day = compared.approval.day.map(|day| format!(" since {day}")).unwrap_or_default();
            (lines > 0).then(|| format!("{} changed{day}", counted(lines, "line", "lines")))
        }
        Some(Past::Approved(_) | Past::Nothing) => Some("first request".to_owned()),
        Some(Past::NotKnown(_)) | None => None,
    };
    [some].into_iter().filter(|some| !some.is_empty()).chain(past).collect::<Vec<_>>().join(", ")
}

/// How many KEPs each approver has: "soltysh 19, deads2k 18"; `None` if nobody is named.
pub fn load(board: &Board) -> Option<String> {
    let loads = board.loads();
    let load = loads.iter().map(|load| match load.asked {
        0 => format!("{} {}", brief(&load.name), load.keps),
        asked => format!("{} {} ({asked} asked)", brief(&load.name), load.keps),
    });
    (!loads.is_empty()).then(|| load.collect::<Vec<_>>().join(", "))
}

pub fn is_wanted(board: &Board) -> bool {
    board.checklists.iter().any(|checklist| checklist.questionnaire.is_some())
}
