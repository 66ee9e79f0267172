//! What several templates show of a KEP, as values of templates.
use super::{prr, words};
use crate::diagnostic::capitalized;
use crate::ready::answer::{Answer, Detail, Place, State, Status, name_of};
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Entry, InTime, Pull};
use crate::ready::comparison::{ComparedKep, Comparison};
use crate::ready::questionnaire::{Question, Questionnaire, Standing, joined};
use crate::report::look::Look;
use minijinja::{Value, context};

pub fn sign(state: State, look: &Look) -> &'static str {
    let (framed, plain) = match state {
        State::Met => ("✓", "[x]"),
        State::Info => ("i", "[i]"),
        State::Look => ("?", "[?]"),
        State::NotMet => ("✗", "[ ]"),
    };
    if look.frames { framed } else { plain }
}

/// The mark of a state: a color, a sign, and a word, which a screen reader reads where only the sign is seen.
pub fn mark(state: State) -> Value {
    context! { class => state.name(), sign => sign(state, &Look::default()), words => state.words(), rank => state as u8 }
}

/// The mark of a KEP at a gate. One that is met, but has something that people should know, has its own sign.
pub fn gate_mark(status: &Status, has_remarks: bool) -> Value {
    if status.is_met() && has_remarks {
        return context! { class => "look", sign => "✓!", words => "met, with something open" };
    }
    mark(status.state)
}

/// What templates show of a KEP: what it is, whether it meets the gates, its answers, and what a PRR approver reads.
pub fn kep(board: &Board, checklist: &Checklist, look: &Look) -> Value {
    let origin = words::origin(words::origin_of(checklist, board));
    let release = words::with_day(checklist.release, Some(origin), checklist.family);
    let lines = words::lines(checklist).into_iter();
    let lines = lines.map(|(file, texts)| (file.path.clone(), texts.join("\n")));
    context! {
        number => words::number(checklist),
        title => &checklist.title,
        sig => &checklist.sig,
        issue => &checklist.issue,
        target => words::target(checklist, &release),
        judged => words::judged(board),
        data => words::data(board),
        conditions => board.conditions.lines(),
        verdict => words::verdict(checklist),
        counts => words::counts(board, checklist),
        in_time => checklist.deadline.as_ref().map(|in_time| self::in_time(checklist, in_time)),
        waits_for => board.person.as_ref().map(|_| words::waits_for(checklist)),
        entries => checklist.entries.iter().map(|entry| self::entry(checklist, entry, look)).collect::<Value>(),
        by_hand => if checklist.kep.is_some() { board.by_hand.clone() } else { Vec::new() },
        lines => lines.collect::<Value>(),
        pulls => checklist.pulls.iter().flatten().map(pull).collect::<Value>(),
        prr => checklist.questionnaire.as_ref().map(|own| questionnaire(checklist, own, look)),
        absent => checklist.answer("tree").map(|answer| &answer.words),
    }
}

fn in_time(checklist: &Checklist, in_time: &InTime) -> Value {
    context! {
        state => gate_mark(&in_time.status, in_time.open_questions),
        verdict => checklist.family.deadline.as_ref().map(|own| if in_time.met { &own.met } else { &own.not_met }),
        rest => format!("{}{}", words::by(in_time), words::missing(checklist)),
    }
}

/// An item, its answer, and the parts of an answer that is not met.
pub fn entry(checklist: &Checklist, Entry { item, answer }: &Entry, look: &Look) -> Value {
    let Answer { state, words, details, .. } = answer;
    // What the whole says is not said again of its parts.
    let is_said = |detail: &Detail| detail.words == *words;
    let part = |detail: &Detail| {
        context! {
            is_said => is_said(detail),
            chapter => &detail.chapter,
            words => &detail.words,
            place => place(checklist, detail.place.as_ref(), look),
            help => &detail.help,
        }
    };
    let is_open = *state != State::Met;
    let parts = details.iter().filter(|detail| is_open && (!is_said(detail) || detail.help.is_some()));
    context! {
        name => item.name,
        kind => name_of(item.kind),
        title => item.title,
        state => mark(*state),
        words,
        place => place(checklist, answer.place.as_ref().filter(|_| is_open), look),
        parts => parts.map(part).collect::<Value>(),
    }
}

/// A place, which links to the file if it is on the web.
fn place(checklist: &Checklist, place: Option<&Place>, look: &Look) -> Value {
    let shown = place.and_then(|place| words::place(checklist, place));
    let url = place.and_then(|place| look.line_url(&place.given, place.line));
    context! { shown, url }
}

fn pull(pull: &Pull) -> Value {
    context! {
        number => pull.number,
        // It is one of GitHub, of letters that mean nothing in Markdown or HTML.
        url => pull.link().map(|url| Value::from_safe_string(url.to_owned())),
        about => words::about_pull(pull),
        state => words::state_of_pull(pull),
        files => pull.files.join(", "),
    }
}

fn questionnaire(checklist: &Checklist, questionnaire: &Questionnaire, look: &Look) -> Value {
    let question = |question: &Question| {
        let heading = question.place.as_ref().filter(|_| question.standing != Standing::Missing);
        context! {
            title => &question.title,
            place => place(checklist, heading, look),
            marks => prr::marks(question),
            text => joined(&question.text),
        }
    };
    let mut chapters = Vec::new();
    for chapter in &questionnaire.chapters {
        let questions: Value = chapter.questions.iter().map(question).collect();
        chapters.push(context! { title => &chapter.title, text => joined(&chapter.text), questions });
    }
    context! {
        target => words::target(checklist, &checklist.release.to_string()),
        counts => prr::counts(questionnaire),
        approver => prr::approver(checklist),
        past => prr::past(checklist, questionnaire),
        later => prr::later(questionnaire),
        chapters,
    }
}

/// What changed since an earlier board; `ids` are those of the KEPs of the board on a page.
pub fn since(comparison: &Comparison, ids: &[&str]) -> Value {
    let kep = |kep: &ComparedKep| {
        let class = kep.change.state().map(|state| format!(" {}", state.name()));
        let id = kep.place.and_then(|place| ids.get(place).copied());
        context! { class, words => kep.change.words(), name => words::of_kep(kep), id, details => &kep.details }
    };
    context! {
        name => comparison.since.words(),
        counts => capitalized(&comparison.counts()),
        notes => comparison.notes.iter().map(|note| capitalized(note)).collect::<Value>(),
        keps => comparison.keps.iter().map(kep).collect::<Value>(),
    }
}
