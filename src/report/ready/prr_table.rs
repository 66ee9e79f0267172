//! What PRR approvers have to read of many KEPs, on a screen: a line with numbers for each, and the load of each approver.
use super::screen::{line, rows};
use super::{prr, words};
use crate::diagnostic::{brief, counted};
use crate::ready::board::Board;
use crate::ready::checklist::Checklist;
use crate::report::look::Look;
use crate::report::printable;

/// The names of the columns. The last one is as wide as the screen leaves it.
const COLUMNS: [&str; 6] = ["KEP", "SIG", "stage", "approver", "answers", "to read"];

pub fn render(board: &Board, look: &Look) -> String {
    let judged = words::judged(board).map(|judged| format!(", {judged}")).unwrap_or_default();
    let head = line(&format!("PRR for {}{judged}", words::release(board)), look);
    let keps = board.checklists.iter().map(|checklist| row(board, checklist)).collect();
    let mut total = counted(board.checklists.len(), "KEP", "KEPs");
    if board.left_out > 0 {
        total += &format!("; left out {} with another latest-milestone", counted(board.left_out, "KEP", "KEPs"));
    }
    let load = prr::load(board).map(|load| line(&format!("load: {load}"), look)).unwrap_or_default();
    format!("{head}\n{}\n{}{load}", rows(COLUMNS, keps, look).concat(), line(&total, look))
}

fn row(board: &Board, checklist: &Checklist) -> [String; 6] {
    let number = checklist.number.clone().or_else(|| checklist.given.clone()).unwrap_or_default();
    let stage = match checklist.stage {
        _ if checklist.release != board.release => words::target(checklist, &checklist.release.to_string()),
        stage => stage.map_or(String::new(), |stage| stage.to_string()),
    };
    let approver = checklist.approver.as_ref().map(|approver| brief(&approver.name).into_owned());
    let absent = || checklist.answer("tree").map(|answer| answer.words.clone()).unwrap_or_default();
    let (answers, to_read) = match &checklist.questionnaire {
        Some(questionnaire) => {
            let counts = questionnaire.counts;
            (format!("{}/{}", counts.answered, counts.questions), prr::to_read(checklist, questionnaire))
        }
        None => (String::new(), absent()),
    };
    let sig = checklist.sig.clone().unwrap_or_default();
    [number, sig, stage, approver.unwrap_or_default(), answers, to_read].map(|cell| printable(&cell))
}
