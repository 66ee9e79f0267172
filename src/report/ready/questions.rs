//! What PRR approvers read, on a screen: of a KEP, the questions of the stage with the beginning of each answer; of
//! many, a line with numbers for each, and the load of each approver.
use super::screen::{cells, line, name, paint, rows};
use super::view::sign;
use super::{prr, words};
use crate::diagnostic::{brief, counted};
use crate::matching::written::{Line, closed};
use crate::ready::answer::State;
use crate::ready::board::Board;
use crate::ready::checklist::Checklist;
use crate::ready::questionnaire::{Question, Standing};
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::wrap::wrapped;
use crate::report::{page, printable};

const ANSWER_LINES: usize = 8;

/// What the lines of a chapter begin with, and those of an answer.
const INDENT: &str = "  ";
const ANSWER: &str = "    ";

pub fn render(board: &Board, look: &Look) -> String {
    let keps: Vec<String> = board.checklists.iter().map(|checklist| of_kep(board, checklist, look)).collect();
    let several = keps.len() > 1;
    let load = prr::load(board).filter(|_| several).map(|load| format!("\nload: {load}\n")).unwrap_or_default();
    format!("{}{load}", keps.join("\n"))
}

fn of_kep(board: &Board, checklist: &Checklist, look: &Look) -> String {
    let mut text = name(checklist, Paint::Plain, words::judged(board), look);
    let target = words::target(checklist, &words::release_of(checklist, board));
    let absent = checklist.answer("tree").filter(|_| checklist.kep.is_none());
    let about = absent.map_or_else(|| prr::approver(checklist), |absent| absent.words.clone());
    text += &line(&format!("PRR for {target}: {about}"), look);
    let Some(questionnaire) = &checklist.questionnaire else { return text };
    if questionnaire.chapters.is_empty() {
        text += &line("the template has no questions about production readiness for it", look);
    } else {
        let later = prr::later(questionnaire).map(|later| format!("; {later}")).unwrap_or_default();
        text += &line(&format!("{}{later}", prr::counts(questionnaire)), look);
        text += &prr::past(checklist, questionnaire).map(|past| line(&past, look)).unwrap_or_default();
    }
    let mut questions = questionnaire.chapters.iter().flat_map(|chapter| &chapter.questions);
    let path = questions.find_map(|question| question.place.as_ref()).map(|place| place.path.as_str());
    let readme = path.map(|path| path.rsplit('/').next().unwrap_or(path));
    for chapter in &questionnaire.chapters {
        text += &format!("\n{}\n", Paint::Bold.only_if(look.color).apply(&printable(&chapter.title)));
        text += &answer(&chapter.text, readme, look);
        for question in &chapter.questions {
            let place = question.place.as_ref().filter(|_| question.standing != Standing::Missing);
            let place = place.and_then(|place| words::place(checklist, place)).map(|place| format!(" ({place})"));
            let title = printable(&(question.title.clone() + &place.unwrap_or_default()));
            text += &format!("\n{}\n", wrapped(&title, look.columns(), INDENT, INDENT));
            text += &marks(question, look);
            text += &answer(&question.text, readme, look);
        }
    }
    text
}

fn marks(question: &Question, look: &Look) -> String {
    let mut text = String::new();
    for (index, mark) in prr::marks(question).iter().enumerate() {
        let is_open = index == 0 && question.standing != Standing::Answered;
        let state = if is_open { State::NotMet } else { State::Look };
        let sign = sign(state, look);
        let lines = wrapped(&printable(&format!("{sign} {mark}")), look.columns(), INDENT, ANSWER);
        let rest = lines.trim_start().strip_prefix(sign).unwrap_or_default();
        text += &format!("{INDENT}{}{rest}\n", paint(state, look).apply(sign));
    }
    text
}

/// The beginning of an answer, and where in the `readme` to read on.
fn answer(lines: &[Line], readme: Option<&str>, look: &Look) -> String {
    let shown = |count: usize| page::indented(&closed(lines.get(..count).unwrap_or(lines)), ANSWER, look);
    // A line of a README may be a whole paragraph, or nothing on a screen.
    let fits = |count: &usize| shown(*count).lines().count() <= ANSWER_LINES;
    let most = (1..=lines.len().min(ANSWER_LINES)).take_while(fits).last().unwrap_or(1);
    let mut text = String::new();
    for line in shown(most).trim_end().lines().take(ANSWER_LINES) {
        text += &format!("{line}\n");
    }
    let is_cut = most == 1 && !fits(&1);
    let next = lines.get(if is_cut { 0 } else { most });
    let left = lines.len() - most.min(lines.len());
    if let Some((next, readme)) = next.zip(readme) {
        let more = if left == 0 { "more".to_owned() } else { counted(left, "more line", "more lines") };
        let rest = format!("{ANSWER}{} {more} ({readme}:{})", look.ellipsis(), next.number);
        text += &format!("{}\n", Paint::Dim.only_if(look.color).apply(&printable(&rest)));
    }
    text
}

/// The names of the columns. The last one is as wide as the screen leaves it.
const COLUMNS: [&str; 6] = ["KEP", "SIG", "stage", "approver", "answers", "to read"];

pub fn table(board: &Board, look: &Look) -> String {
    let judged = words::judged(board).map(|judged| format!(", {judged}")).unwrap_or_default();
    let head = line(&format!("PRR for {}{judged}", words::release(board)), look);
    let keps = board.checklists.iter().map(|checklist| row(board, checklist)).collect();
    let total = counted(board.checklists.len(), "KEP", "KEPs") + &words::left_out(board);
    let load = prr::load(board).map(|load| line(&format!("load: {load}"), look)).unwrap_or_default();
    format!("{head}\n{}\n{}{load}", rows(COLUMNS, keps, look).concat(), line(&total, look))
}

fn row(board: &Board, checklist: &Checklist) -> [String; 6] {
    let [number, sig, stage] = cells(board, checklist);
    let approver = checklist.approver.as_ref().map(|approver| brief(&approver.name).into_owned());
    let (answers, to_read) = match &checklist.questionnaire {
        Some(questionnaire) => {
            let counts = questionnaire.counts;
            (format!("{}/{}", counts.answered, counts.questions), prr::to_read(checklist, questionnaire))
        }
        None => (String::new(), checklist.answer("tree").map(|answer| answer.words.clone()).unwrap_or_default()),
    };
    [number, sig, stage, approver.unwrap_or_default(), answers, to_read].map(|cell| printable(&cell))
}
