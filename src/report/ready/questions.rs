//! What a PRR approver reads of a KEP, on a screen: the questions of the stage with the beginning of each answer.
use super::screen::{paint, sign, title_line};
use super::{prr, words};
use crate::diagnostic::counted;
use crate::matching::written::{Line, closed};
use crate::ready::answer::State;
use crate::ready::board::Board;
use crate::ready::checklist::Checklist;
use crate::ready::questionnaire::{Question, Questionnaire, Standing};
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::wrap::wrapped;
use crate::report::{answers, printable};

/// How many lines of an answer a PRR approver sees on a screen; the place says where to read on.
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
    let mut page = Page { checklist, look, text: String::new() };
    page.head(board);
    let Some(questionnaire) = &checklist.questionnaire else { return page.text };
    page.about(questionnaire);
    for chapter in &questionnaire.chapters {
        page.text += &format!("\n{}\n", Paint::Bold.only_if(look.color).apply(&printable(&chapter.title)));
        page.answer(&chapter.text);
        chapter.questions.iter().for_each(|question| page.question(question));
    }
    page.text
}

struct Page<'a> {
    checklist: &'a Checklist,
    look: &'a Look,
    text: String,
}

impl Page<'_> {
    fn line(&mut self, text: &str, first: &str, other: &str) {
        self.text += &wrapped(&printable(text), self.look.columns(), first, other);
        self.text.push('\n');
    }

    fn head(&mut self, board: &Board) {
        let checklist = self.checklist;
        self.text += &title_line(checklist, self.look);
        let about: Vec<String> = checklist.given.iter().cloned().chain(words::judged(board)).collect();
        if !about.is_empty() {
            self.line(&about.join(", "), "", INDENT);
        }
        let target = prr::target(checklist, &words::release_of(checklist, board));
        match checklist.answer("tree").filter(|_| checklist.kep.is_none()) {
            Some(absent) => self.line(&format!("{target}: {}", absent.words), "", INDENT),
            None => self.line(&format!("{target}: {}", prr::approver(checklist)), "", INDENT),
        }
    }

    fn about(&mut self, questionnaire: &Questionnaire) {
        if questionnaire.chapters.is_empty() {
            self.line("the template has no questions about production readiness for it", "", INDENT);
            return;
        }
        let later = prr::later(questionnaire).map(|later| format!("; {later}")).unwrap_or_default();
        self.line(&format!("{}{later}", prr::counts(questionnaire)), "", INDENT);
        if let Some(past) = prr::past(self.checklist, questionnaire) {
            self.line(&past, "", INDENT);
        }
    }

    fn question(&mut self, question: &Question) {
        let place = question.place.as_ref().filter(|_| question.standing != Standing::Missing);
        let place = place.map(|place| format!(" ({})", words::place(self.checklist, place))).unwrap_or_default();
        self.text.push('\n');
        self.line(&format!("{}{place}", question.title), INDENT, INDENT);
        for (index, mark) in prr::marks(question).iter().enumerate() {
            let is_open = index == 0 && question.standing != Standing::Answered;
            let state = if is_open { State::NotMet } else { State::Look };
            let sign = sign(state, self.look);
            let text = wrapped(&printable(&format!("{sign} {mark}")), self.look.columns(), INDENT, ANSWER);
            let rest = text.trim_start().strip_prefix(sign).unwrap_or_default();
            self.text += &format!("{INDENT}{}{rest}\n", paint(state, self.look).apply(sign));
        }
        self.answer(&question.text);
    }

    /// The beginning of an answer, and where to read on.
    fn answer(&mut self, lines: &[Line]) {
        let shown = |count: usize| {
            let text = answers::indented(&closed(lines.get(..count).unwrap_or(lines)), ANSWER, self.look);
            (text.lines().count(), text)
        };
        // A line of a README may be a whole paragraph, or nothing on a screen.
        let fits = |count: &usize| shown(*count).0 <= ANSWER_LINES;
        let most = (1..=lines.len().min(ANSWER_LINES)).take_while(fits).last().unwrap_or(1);
        for line in shown(most).1.trim_end().lines().take(ANSWER_LINES) {
            self.text += &format!("{line}\n");
        }
        let is_cut = most == 1 && !fits(&1);
        let next = lines.get(if is_cut { 0 } else { most });
        let left = lines.len() - most.min(lines.len());
        if let Some((next, readme)) = next.zip(self.readme()) {
            let more = if left == 0 { "more".to_owned() } else { counted(left, "more line", "more lines") };
            let rest = format!("{ANSWER}{} {more} ({readme}:{})", self.look.ellipsis(), next.number);
            self.text += &format!("{}\n", Paint::Dim.only_if(self.look.color).apply(&printable(&rest)));
        }
    }

    fn readme(&self) -> Option<String> {
        let chapters = self.checklist.questionnaire.iter().flat_map(|questionnaire| &questionnaire.chapters);
        let mut questions = chapters.flat_map(|chapter| &chapter.questions);
        let path = questions.find_map(|question| question.place.as_ref()).map(|place| &place.path)?;
        Some(path.rsplit('/').next().unwrap_or(path).to_owned())
    }
}
