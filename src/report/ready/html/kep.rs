//! A KEP on the dashboard: its row in the table; and one line of which it is and whether it is ready, with what is open, what
//! to write and what is known of it below, once it is opened.
use crate::kep::filter::Handle;
use crate::ready::answer::{State, name_of};
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Entry};
use crate::ready::items::{Item, Kind};
use crate::ready::status::Readiness;
use crate::ready::tracked::Tracked;
use crate::report::html::overview::word;
use crate::report::html::subject::NONE;
use crate::report::look::Look;
use crate::report::printable;
use crate::report::ready::view::{self, gate_mark, mark};
use crate::report::ready::{markdown, words};
use crate::stage::{Stage, Status};
use minijinja::{Value, context};
use std::collections::BTreeMap;

/// The value of all that is not ready.
pub const OPEN: &str = "open";

pub struct Subject<'a> {
    pub checklist: &'a Checklist,
    pub id: String,
    /// The values that it is filtered by.
    pub facets: Facets,
}

pub type Facets = BTreeMap<&'static str, Vec<String>>;

pub fn facets(board: &Board, checklist: &Checklist) -> Facets {
    let tracked = checklist.tracked.as_ref();
    let status = checklist.status.as_deref().and_then(|text| Status::from_name(&text.to_lowercase()));
    let waiting = &checklist.waiting;
    let reviewers = match &waiting.prr_approver {
        Some(handle) => vec![as_value(handle.name())],
        None if waiting.prr => handles(&board.reviewers),
        None => Vec::new(),
    };
    let open = if checklist.readiness == Readiness::Ready { None } else { Some(OPEN.to_owned()) };
    let one = |text: &str| vec![text.to_owned()];
    BTreeMap::from([
        ("sig", one(checklist.sig.as_deref().unwrap_or(NONE))),
        ("stage", one(checklist.stage.map_or(NONE, Stage::name))),
        ("status", one(status.map_or(NONE, Status::name))),
        ("ready", one(if checklist.is_ready { "yes" } else { "no" })),
        ("state", open.into_iter().chain([name_of(checklist.readiness)]).collect()),
        ("actor", checklist.actors.iter().map(name_of).collect()),
        ("board", tracked.and_then(|tracked| tracked.status.as_deref()).map(as_value).into_iter().collect()),
        ("contact", tracked.into_iter().flat_map(Tracked::contacts).map(as_value).collect()),
        ("approver", handles(&checklist.approvers)),
        ("prr", reviewers),
    ])
}

/// The only value of a KEP.
pub fn value<'a>(facets: &'a Facets, name: &str) -> &'a str {
    facets.get(name).and_then(|values| values.first()).map_or("", String::as_str)
}

/// Handles as the page has them in lists.
pub fn handles<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    names.into_iter().filter_map(|name| Handle::of(name)).map(|handle| as_value(handle.name())).collect()
}

/// A text as the page has it in lists, whose values a bar separates.
fn as_value(text: &str) -> String {
    printable(text).replace('|', " ")
}

/// The columns of the items; the first one of a kind has a line before it.
pub fn columns(board: &Board) -> Vec<Value> {
    let is_first =
        |item: &Item| board.items.iter().find(|it| it.kind == item.kind).is_some_and(|it| it.name == item.name);
    board.items.iter().map(|item| context! { title => item.title, is_first => is_first(item) }).collect()
}

pub fn view(board: &Board, subject: &Subject<'_>, has_few: bool, look: &Look) -> Value {
    let Subject { checklist, id, facets } = subject;
    let target = words::target(checklist, &checklist.release.to_string());
    let sig = checklist.sig.as_ref().map(|_| word(value(facets, "sig")).to_owned());
    let act = words::actors(checklist);
    let to_act = if act.is_empty() { None } else { Some(format!("to act: {act}")) };
    let remarks = words::remarks(checklist).into_iter().map(str::to_owned);
    let brief: Vec<String> = [target].into_iter().chain(sig).chain(remarks).chain(to_act).collect();
    let board_cell = board.checklists.iter().any(|it| words::tracked(it).is_some());
    let content = context! {
        id,
        data => facets.iter().map(|(name, values)| (*name, values.join("|"))).collect::<Vec<_>>(),
        gates => gates(board, checklist),
        items => board.items.iter().map(|item| cell(checklist, item)).collect::<Value>(),
        act,
        board => if board_cell { Some(board_words(checklist).unwrap_or_default()) } else { None },
        stage => word(value(facets, "stage")),
        sig => word(value(facets, "sig")),
        is_open => has_few && !checklist.is_ready,
        state => gate_mark(&checklist.outcome, !checklist.remarks.is_empty()),
        brief => brief.join(" · "),
        verdicts => entries(checklist, Kind::Verdict, look),
        evidence => entries(checklist, Kind::Evidence, look),
        is_there => checklist.kep.is_some(),
        met => checklist.entries.iter().filter(|entry| entry.answer.state == State::Met).map(met).collect::<Value>(),
        prr => checklist.questionnaire.as_ref().map(|own| view::questionnaire(checklist, own, look)),
        facts => facts(checklist),
        issue => &checklist.issue,
        comment => checklist.comment.clone().unwrap_or_else(|| markdown::comment(board, checklist)),
    };
    context! { ..content, ..view::head(board, checklist) }
}

fn board_words(checklist: &Checklist) -> Option<String> {
    words::tracked(checklist).map(|words| words.trim_start_matches("board: ").to_owned())
}

/// Whether it meets the gates: a sign each, with words below a mouse.
fn gates(board: &Board, checklist: &Checklist) -> Vec<Value> {
    let mut gates = Vec::new();
    if board.family.deadline.is_some() {
        gates.push(match &checklist.deadline {
            None => context! { class => "none", sign => "–", words => "not known" },
            Some(in_time) => {
                let words = in_time.status.words();
                let title = format!("{}: {words}{}", in_time.name, words::missing(in_time));
                context! { title, words, ..gate_mark(&in_time.status, in_time.open_questions) }
            }
        });
    }
    let (words, has_remarks) = (checklist.readiness.words(), !checklist.remarks.is_empty());
    let counts = if checklist.kep.is_some() { words::counts(board, checklist) } else { "not in this tree".to_owned() };
    gates.push(context! { title => format!("{words}: {counts}"), words, ..gate_mark(&checklist.outcome, has_remarks) });
    gates
}

/// The words of an item appear below a mouse; all others find them in the details.
fn cell(checklist: &Checklist, item: &Item) -> Value {
    let (state, words) = match checklist.answer(item.name) {
        Some(answer) => (mark(answer.state), answer.words.as_str()),
        None => {
            let words = if checklist.kep.is_some() { "not asked" } else { "not known" };
            (context! { class => "none", sign => "–", words }, words)
        }
    };
    context! { name => item.name, title => format!("{}: {words}", item.title), ..state }
}

/// What is not met, what a person must look at, and then what is only told.
fn entries(checklist: &Checklist, kind: Kind, look: &Look) -> Vec<Value> {
    let of = |state| checklist.of_kind(kind).filter(move |entry| entry.answer.state == state);
    let open = [State::NotMet, State::Look, State::Info].into_iter().flat_map(of);
    open.map(|entry| view::entry(checklist, entry, look)).collect()
}

fn met(Entry { item, answer }: &Entry) -> Value {
    context! { name => item.name, title => item.title, words => &answer.words }
}

/// What its files say, as they say it.
fn facts(checklist: &Checklist) -> Vec<(&'static str, String)> {
    let some = |values: &[String]| if values.is_empty() { None } else { Some(values.join(", ")) };
    let milestone = |stage: Stage| Some(format!("{stage} {}", checklist.milestones.get(stage.name())?));
    let tracked = checklist.tracked.as_ref();
    let milestones: Vec<String> = Stage::ALL.into_iter().filter_map(milestone).collect();
    let facts = [
        ("Directory", checklist.kep.clone()),
        ("Status", checklist.status.clone()),
        ("Latest milestone", checklist.latest_milestone.clone()),
        ("Milestones", some(&milestones)),
        ("Authors", some(&checklist.authors)),
        ("Leads of the SIG", some(&checklist.leads)),
        ("Approvers", some(&checklist.approvers)),
        ("PRR approver", checklist.approver.as_ref().map(|approver| approver.name.clone())),
        ("Waits for", some(&words::waits_for(checklist))),
        ("Tracking board", board_words(checklist)),
        ("Type", tracked.and_then(|tracked| tracked.kind.clone())),
        ("Labels", tracked.and_then(|tracked| tracked.labels.clone())),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
