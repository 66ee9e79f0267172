//! What PRR approvers have to read of many KEPs, on a screen: a line with numbers for each, and the load of each approver.

use super::{prr, words};
use crate::diagnostic::{brief, counted};
use crate::ready::board::Board;
use crate::ready::checklist::Checklist;
use crate::report::look::Look;
use crate::report::printable;
use crate::report::width::{columns, cut, padded};
use crate::report::wrap::wrapped;

/// The names of the columns. The last one is as wide as the screen leaves it.
const COLUMNS: [&str; 6] = ["KEP", "SIG", "stage", "approver", "answers", "to read"];

const GAP: &str = "  ";

pub fn render(board: &Board, look: &Look) -> String {
    let judged = words::judged(board).map(|judged| format!(", {judged}")).unwrap_or_default();
    let line = |text: &str| wrapped(&printable(text), look.columns(), "", "  ") + "\n";
    let head = line(&format!("PRR for {}{judged}", words::release(board)));
    let rows: Vec<[String; 6]> = board.checklists.iter().map(|checklist| row(board, checklist)).collect();
    let mut total = counted(rows.len(), "KEP", "KEPs");
    if board.left_out > 0 {
        total += &format!("; left out {} with another latest-milestone", counted(board.left_out, "KEP", "KEPs"));
    }
    let load = prr::load(board).map(|load| line(&format!("load: {load}"))).unwrap_or_default();
    format!("{head}\n{}\n{}{load}", table(&rows, look), line(&total))
}

/// A line for each KEP: what does not fit is left out.
fn table(rows: &[[String; 6]], look: &Look) -> String {
    let head = COLUMNS.map(str::to_owned);
    let all = || std::iter::once(&head).chain(rows);
    let width_of = |column: usize| all().filter_map(|row| row.get(column)).map(|cell| columns(cell)).max();
    let widths: Vec<usize> = (0..COLUMNS.len() - 1).map(|column| width_of(column).unwrap_or_default()).collect();
    let start: usize = widths.iter().map(|width| width + GAP.len()).sum();
    let line = |row: &[String; 6]| {
        let cells: String = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width) + GAP).collect();
        let rest = row.last().map(|cell| cut(cell, look.columns().saturating_sub(start), look.ellipsis()));
        format!("{}\n", (cells + &rest.unwrap_or_default()).trim_end())
    };
    all().map(line).collect()
}

fn row(board: &Board, checklist: &Checklist) -> [String; 6] {
    let number = checklist.about.number.clone().or_else(|| checklist.kep.clone()).unwrap_or_default();
    let stage = match checklist.stage {
        _ if checklist.release != board.release => words::target(checklist, &checklist.release.to_string()),
        stage => stage.map_or(String::new(), |stage| stage.to_string()),
    };
    let approver = checklist.approver.as_ref().map(|approver| brief(&approver.name).into_owned());
    let absent = || checklist.answer("tree").map(|answer| answer.words.clone()).unwrap_or_default();
    let (answers, to_read) = match &checklist.questionnaire {
        Some(questionnaire) => {
            let counts = questionnaire.counts();
            (format!("{}/{}", counts.answered, counts.questions), prr::to_read(checklist, questionnaire))
        }
        None => (String::new(), absent()),
    };
    let sig = checklist.sig.clone().unwrap_or_default();
    [number, sig, stage, approver.unwrap_or_default(), answers, to_read].map(|cell| printable(&cell))
}
