//! The dashboard of a release as one page for a browser: a table of KEPs and items, and below it what is open for each KEP.
//! Its frame, its filters and what it does on paper are those of the report of findings. Here is what the templates show.

mod kep;
use self::kep::{OPEN, Subject, value};
use super::view::{gate_mark, mark, since};
use super::words;
use crate::ready::answer::{State, name_of};
use crate::ready::board::Board;
use crate::ready::checklist::Checklist;
use crate::ready::items::Kind;
use crate::ready::status::{Actor, Readiness, Status as Outcome};
use crate::report::html::document::{self, Script};
use crate::report::html::failure;
use crate::report::html::filters::{field, words as named};
use crate::report::html::id::Ids;
use crate::report::html::overview::{place_in, word};
use crate::report::look::Look;
use crate::stage::{Stage, Status};
use minijinja::{Value, context};
use std::collections::{BTreeMap, BTreeSet};

const IDS: [&str; 10] = ["top", "since", "state", "table", "grid", "keps", "filters", "shown", "open", "close"];

/// How far KEPs are; what is open comes first.
const STATES: [(Readiness, &str); 6] = [
    (Readiness::NotReady, "not-met"),
    (Readiness::Exception, "not-met"),
    (Readiness::Absent, "not-met"),
    (Readiness::Look, "look"),
    (Readiness::SectionsOpen, "look"),
    (Readiness::Ready, "met"),
];

pub fn render(board: &Board, look: &Look) -> String {
    /// So few KEPs that are not ready are opened at first.
    const FEW: usize = 3;
    let mut ids = Ids::with(&IDS);
    let mut subjects: Vec<Subject<'_>> = Vec::new();
    for checklist in &board.checklists {
        let id = ids.unique(&words::number(checklist));
        subjects.push(Subject { checklist, id, facets: kep::facets(board, checklist) });
    }
    let places: Vec<&str> = subjects.iter().map(|subject| subject.id.as_str()).collect();
    let has_few = board.checklists.len() - board.ready_count() <= FEW;
    let release = words::release(board);
    let content = context! {
        title => format!("KEPs for {release}: {} ready", board.ready_count()),
        release,
        days => words::last_day(board).into_iter().chain(words::days(board, usize::MAX)).collect::<Vec<_>>(),
        about => about(board).join(" "),
        conditions => board.conditions.lines(),
        failures => failure::all(&board.failures),
        since => board.comparison.as_ref().map(|comparison| since(comparison, &places)),
        totals => totals(&subjects),
        open => open(&subjects),
        tables => tables(board, &subjects),
        label => "Filter KEPs",
        fields => fields(board, &subjects),
        states => states(),
        gates => gates(board),
        kinds => kinds(board),
        columns => columns(board),
        items => kep::columns(board),
        keps => subjects.iter().map(|subject| kep::view(board, subject, has_few, look)).collect::<Value>(),
        by_hand => &board.by_hand,
    };
    document::page("ready.html", content, Script::Dashboard)
}

fn about(board: &Board) -> Vec<String> {
    let judged = words::judged(board).unwrap_or_else(|| "judged on the files on disk".to_owned());
    let mut sentences = vec![
        format!("{} is the {}.", board.release, board.release_origin.words()),
        format!("{}, on {}.", words::capitalized(&judged), board.now),
    ];
    if board.is_strict {
        sentences.push("Evidence decides as well.".to_owned());
    }
    if let Some(person) = &board.person {
        let unknown = if person.is_known { "" } else { ", who is no approver of any KEP that was judged" };
        sentences.push(format!("Only KEPs that wait for @{}{unknown}.", person.handle.name()));
    }
    if board.is_to_close {
        sentences.push(format!("Only KEPs that are stable in {}, but not `implemented`.", board.release));
    }
    if board.checklists.iter().any(|checklist| checklist.is_proposed) {
        sentences.push("What a pull request proposes counts only once it is merged.".to_owned());
    }
    if let Some(left_out) = words::left_out(board).strip_prefix("; left out ") {
        sentences.push(format!("Left out: {left_out}."));
    }
    sentences
}

fn states() -> Vec<Value> {
    let [met, not_met, info, look] = [State::Met, State::NotMet, State::Info, State::Look].map(mark);
    vec![met, gate_mark(&Outcome::Met, true), not_met, info, look]
}

/// Numbers, each of which leads to the KEPs that it counts.
fn totals(subjects: &[Subject<'_>]) -> Vec<Value> {
    let mut totals = Vec::new();
    for (readiness, class) in STATES {
        let count = subjects.iter().filter(|subject| subject.checklist.readiness == readiness).count();
        totals.push(context! { class, key => "state", value => name_of(readiness), words => readiness.words(), count });
    }
    for actor in Actor::ALL {
        let count = subjects.iter().filter(|subject| subject.checklist.actors.contains(&actor)).count();
        let words = format!("{} to act", actor.words());
        totals.push(context! { class => "", key => "actor", value => name_of(actor), words, count });
    }
    totals
}

/// The KEPs that are not ready, and those that a person must look at, with the titles of what is open.
fn open(subjects: &[Subject<'_>]) -> Vec<Value> {
    const FIRST: usize = 10;
    let item = |Subject { checklist, id, .. }: &&Subject<'_>| {
        context! { id, number => words::number(checklist), titles => words::missing_in_pull(checklist) }
    };
    let mut groups = Vec::new();
    for words in ["not ready", "to look at"] {
        let is_in = |subject: &&Subject<'_>| subject.checklist.outcome.words() == words;
        let open: Vec<&Subject<'_>> = subjects.iter().filter(is_in).collect();
        let more = open.len().saturating_sub(FIRST);
        let words = words::capitalized(words);
        groups.push(context! { words, keps => open.iter().take(FIRST).map(item).collect::<Value>(), more });
    }
    groups
}

/// How many KEPs are how far, by SIG and stage, and how many each PRR approver has.
fn tables(board: &Board, subjects: &[Subject<'_>]) -> Vec<Value> {
    // The filter is about KEPs that wait for a person, so that these are only numbers.
    let loads = board.loads();
    let loads = loads.iter().map(|load| context! { words => &load.name, numbers => vec![load.keps, load.asked] });
    vec![
        table("By SIG", "sig", "SIG", subjects),
        table("By stage", "stage", "Stage", subjects),
        context! {
            caption => "By PRR approver",
            columns => vec!["Approver", "KEPs", "only asked"],
            rows => loads.collect::<Value>(),
        },
    ]
}

fn table(caption: &str, key: &'static str, column: &'static str, subjects: &[Subject<'_>]) -> Value {
    const AMONG: [Readiness; 4] = [Readiness::SectionsOpen, Readiness::Look, Readiness::Exception, Readiness::Absent];
    let mut groups: BTreeMap<&str, Vec<&Checklist>> = BTreeMap::new();
    for Subject { checklist, facets, .. } in subjects {
        groups.entry(value(facets, key)).or_default().push(checklist);
    }
    let mut groups: Vec<(&str, Vec<&Checklist>)> = groups.into_iter().collect();
    let known = if key == "stage" { Stage::ALL.map(Stage::name).to_vec() } else { Vec::new() };
    // What has no SIG comes last.
    groups.sort_by_key(|(name, _)| (word(name) != *name, place_in(&known, name)));
    let row = |(value, keps): (&str, Vec<&Checklist>)| {
        let ready = keps.iter().filter(|kep| kep.is_ready).count();
        let among = AMONG.map(|one| keps.iter().filter(|kep| kep.readiness == one).count());
        let numbers: Vec<usize> = [keps.len(), ready, keps.len() - ready].into_iter().chain(among).collect();
        context! { value, words => word(value), numbers }
    };
    let columns =
        vec![column, "KEPs", "ready", "not ready", "open sections", "to look at", "exceptions", "not in the tree"];
    context! { caption, key, columns, rows => groups.into_iter().map(row).collect::<Value>() }
}

/// The fields of the form, with the values that occur; PRR approvers also if nothing waits for them.
fn fields(board: &Board, subjects: &[Subject<'_>]) -> Vec<Value> {
    let all = |name: &str| -> BTreeSet<&str> {
        let lists = subjects.iter().filter_map(|subject| subject.facets.get(name));
        lists.flatten().map(String::as_str).filter(|value| !value.is_empty()).collect()
    };
    let known = |name, label, order: &[&str]| field(name, label, named(all(name).into_iter(), order));
    let optional = |name, label| {
        context! { is_optional => true, ..field(name, label, all(name).into_iter().map(|value| (value, value))) }
    };
    let there: Vec<Readiness> =
        Readiness::ALL.into_iter().filter(|one| all("state").contains(name_of(one).as_str())).collect();
    let has_open = there.iter().any(|readiness| *readiness != Readiness::Ready);
    let actors = Actor::ALL.into_iter().filter(|actor| all("actor").contains(name_of(actor).as_str()));
    // What is ready is folded away at first, if something is not.
    let folding = has_open.then_some((OPEN.to_owned(), "open: all but ready"));
    let states = folding.into_iter().chain(there.iter().map(|readiness| (name_of(readiness), readiness.words())));
    let reviewers = kep::handles(&board.reviewers);
    vec![
        known("sig", "SIG", &[]),
        known("stage", "Stage", &Stage::ALL.map(Stage::name)),
        context! { usual => if has_open { OPEN } else { "" }, ..field("state", "State", states) },
        field("actor", "To act", actors.map(|actor| (name_of(actor), actor.words()))),
        known("status", "Status", &Status::ALL.map(Status::name)),
        optional("board", "Board"),
        optional("contact", "Contact"),
        field("approver", "Approver", people(all("approver"))),
        field(
            "prr",
            "PRR waits for",
            people(all("prr").into_iter().chain(reviewers.iter().map(String::as_str)).collect()),
        ),
    ]
}

fn people(names: BTreeSet<&str>) -> Vec<(&str, String)> {
    names.into_iter().map(|name| (name, format!("@{name}"))).collect()
}

fn gates(board: &Board) -> Vec<&'static str> {
    let freeze = if board.family.is_of_kubernetes() { "enhancements freeze" } else { "state" };
    board.family.deadline.as_ref().map(|deadline| deadline.name.as_str()).into_iter().chain([freeze]).collect()
}

/// The kinds of items, each with how many columns it has.
fn kinds(board: &Board) -> Vec<(&'static str, usize)> {
    let count = |kind| board.items.iter().filter(|item| item.kind == kind).count();
    let kinds = [("verdict: decides", count(Kind::Verdict)), ("evidence: people judge", count(Kind::Evidence))];
    kinds.into_iter().filter(|(_, items)| *items > 0).collect()
}

/// The columns after those of the gates and items, as far as they say something.
fn columns(board: &Board) -> Vec<&'static str> {
    let has_board = board.checklists.iter().any(|checklist| words::tracked(checklist).is_some());
    let status = if has_board { Some("board") } else { None };
    ["to act"].into_iter().chain(status).collect()
}
