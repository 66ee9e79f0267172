//! The dashboard of a release as one page for a browser: a table of KEPs and items, and below it what is open for each KEP.
//! Its frame, its filters and what it does on paper are those of the report of findings. Here is what the templates show.
use super::view::{self, gate_mark, mark, since};
use super::{markdown, words};
use crate::diagnostic::capitalized;
use crate::kep::filter::Handle;
use crate::ready::answer::{self, Actor, Readiness, State, name_of};
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, counts};
use crate::ready::items::Item;
use crate::ready::tracked::Tracked;
use crate::report::html::failures;
use crate::report::html::overview::{field, word, words as named};
use crate::report::html::template;
use crate::report::html::text::Ids;
use crate::report::look::Look;
use crate::report::{NONE, printable};
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
        subjects.push(Subject { checklist, id, facets: facets(board, checklist) });
    }
    let places: Vec<&str> = subjects.iter().map(|subject| subject.id.as_str()).collect();
    let has_few = board.checklists.len() - board.ready_count() <= FEW;
    let release = words::release(board);
    let [met, not_met, info, to_look_at] = [State::Met, State::NotMet, State::Info, State::Look].map(mark);
    let deadline = board.family.deadline.as_ref().map(|deadline| deadline.name.as_str());
    let freeze = if board.family.is_of_kubernetes() { "enhancements freeze" } else { "state" };
    let content = context! {
        title => format!("KEPs for {release}: {} ready", board.ready_count()),
        release,
        days => words::last_day(board).into_iter().chain(words::days(board, usize::MAX)).collect::<Vec<_>>(),
        about => about(board),
        conditions => board.conditions.lines(),
        failures => failures(&board.failures),
        since => board.comparison.as_ref().map(|comparison| since(comparison, &places)),
        totals => totals(&subjects),
        tables => tables(board),
        label => "Filter KEPs",
        fields => fields(board, &subjects),
        states => vec![met, gate_mark(&answer::Status::default(), true), not_met, info, to_look_at],
        gates => deadline.into_iter().chain([freeze]).collect::<Vec<_>>(),
        has_board => board.checklists.iter().any(|checklist| words::tracked(checklist).is_some()),
        items => board.items.iter().map(item).collect::<Value>(),
        keps => subjects.iter().map(|subject| kep_view(board, subject, has_few, look)).collect::<Value>(),
        by_hand => &board.by_hand,
    };
    template::page("ready.html", content, template::DASHBOARD_SCRIPT)
}

fn item(Item { name, kind, title, .. }: &&Item) -> Value {
    context! { name => *name, kind => name_of(kind), title => *title }
}

fn about(board: &Board) -> Value {
    let judged = words::judged(board).unwrap_or_else(|| "judged on the files on disk".to_owned());
    let person = board.person.as_ref();
    context! {
        release => board.release.to_string(),
        origin => board.release_origin.words(),
        judged => capitalized(&judged),
        now => board.now.to_string(),
        is_strict => board.is_strict,
        person => person.map(|person| context! { name => person.handle.name(), is_known => person.is_known }),
        is_to_close => board.is_to_close,
        is_proposed => board.checklists.iter().any(|checklist| checklist.is_proposed),
        left_out => words::left_out(board).strip_prefix("; left out "),
        data => words::data(board).map(|data| capitalized(&data)),
    }
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

/// How many KEPs are how far, by SIG and stage, and how many each PRR approver has.
fn tables(board: &Board) -> Vec<Value> {
    // The filter is about KEPs that wait for a person, so that these are only numbers.
    let loads = board.loads();
    let loads = loads.iter().map(|load| context! { words => &load.name, numbers => vec![load.keps, load.asked] });
    vec![
        table("By SIG", "sig", "SIG", board.grouped(|kep| kep.sig.clone())),
        table("By stage", "stage", "Stage", board.by_stage()),
        context! {
            caption => "By PRR approver",
            columns => vec!["Approver", "KEPs", "only asked"],
            rows => loads.collect::<Value>(),
        },
    ]
}

/// What has no value of the key comes last.
fn table<'a, K: ToString>(
    caption: &str,
    key: &str,
    column: &'static str,
    groups: impl IntoIterator<Item = (Option<K>, Vec<&'a Checklist>)>,
) -> Value {
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(name, _)| name.is_none());
    let row = |(name, keps): (Option<K>, Vec<&Checklist>)| {
        let value = name.map_or(NONE.to_owned(), |name| name.to_string());
        let [_, (open, _), (look, _), _, (excepted, _), (absent, _)] = counts(&keps);
        let ready = keps.iter().filter(|kep| kep.is_ready).count();
        let numbers = vec![keps.len(), ready, keps.len() - ready, open, look, excepted, absent];
        context! { words => word(&value), value, numbers }
    };
    let columns =
        vec![column, "KEPs", "ready", "not ready", "open sections", "to look at", "exceptions", "not in the tree"];
    context! { caption, key, columns, rows => groups.into_iter().map(row).collect::<Value>() }
}

fn fields(board: &Board, subjects: &[Subject<'_>]) -> Vec<Value> {
    let all = |name: &str| -> BTreeSet<&str> {
        let lists = subjects.iter().filter_map(|subject| subject.facets.get(name));
        lists.flatten().map(String::as_str).filter(|value| !value.is_empty()).collect()
    };
    let known = |name, label, order: &[&str]| field(name, label, named(all(name).into_iter(), order));
    let plain =
        |name, label, values: BTreeSet<&str>| field(name, label, values.into_iter().map(|value| (value, value)));
    let optional = |name, label| context! { is_optional => true, ..plain(name, label, all(name)) };
    let has_open = all("state").contains(OPEN);
    let there = Readiness::ALL.into_iter().filter(|one| all("state").contains(name_of(one).as_str()));
    let actors = Actor::ALL.into_iter().filter(|actor| all("actor").contains(name_of(actor).as_str()));
    // What is ready is folded away at first, if something is not.
    let folding = has_open.then_some((OPEN.to_owned(), "open: all but ready"));
    let states = folding.into_iter().chain(there.map(|readiness| (name_of(readiness), readiness.words())));
    let reviewers = handles(&board.reviewers);
    let waited_for = all("prr").into_iter().chain(reviewers.iter().map(String::as_str)).collect();
    vec![
        known("sig", "SIG", &[]),
        known("stage", "Stage", &Stage::ALL.map(Stage::name)),
        context! { usual => if has_open { OPEN } else { "" }, ..field("state", "State", states) },
        field("actor", "To act", actors.map(|actor| (name_of(actor), actor.words()))),
        known("status", "Status", &Status::ALL.map(Status::name)),
        optional("board", "Board"),
        optional("contact", "Contact"),
        plain("approver", "Approver", all("approver")),
        plain("prr", "PRR waits for", waited_for),
    ]
}

/// The value of all that is not ready.
const OPEN: &str = "open";

struct Subject<'a> {
    checklist: &'a Checklist,
    id: String,
    facets: Facets,
}

/// The values that a KEP is filtered by.
type Facets = BTreeMap<&'static str, Vec<String>>;

fn facets(board: &Board, checklist: &Checklist) -> Facets {
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

/// Handles as the page has them in lists.
fn handles<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    names.into_iter().filter_map(|name| Handle::of(name)).map(|handle| as_value(handle.name())).collect()
}

/// A text as the page has it in lists, whose values a bar separates.
fn as_value(text: &str) -> String {
    printable(text).replace('|', " ")
}

fn kep_view(board: &Board, subject: &Subject<'_>, has_few: bool, look: &Look) -> Value {
    let Subject { checklist, id, facets } = subject;
    let target = words::target(checklist, &checklist.release.to_string());
    let sig = checklist.sig.as_deref().map(|sig| word(sig).to_owned());
    let act = words::actors(checklist);
    let to_act = if act.is_empty() { None } else { Some(format!("to act: {act}")) };
    let remarks = words::remarks(checklist).into_iter().map(str::to_owned);
    let brief: Vec<String> = [target].into_iter().chain(sig).chain(remarks).chain(to_act).collect();
    let content = context! {
        id,
        data => facets.iter().map(|(name, values)| (*name, values.join("|"))).collect::<Vec<_>>(),
        gates => gate_cells(board, checklist),
        unasked => if checklist.kep.is_some() { "not asked" } else { "not known" },
        act,
        board => words::tracked(checklist),
        outcome => checklist.outcome.words(),
        open_titles => words::missing_in_pull(checklist),
        stage => word(checklist.stage.map_or(NONE, Stage::name)),
        sig => word(checklist.sig.as_deref().unwrap_or(NONE)),
        is_open => has_few && !checklist.is_ready,
        state => gate_mark(&checklist.outcome, !checklist.remarks.is_empty()),
        brief => brief.join(" · "),
        facts => facts(checklist),
        comment => checklist.comment.clone().unwrap_or_else(|| markdown::comment(board, checklist)),
    };
    context! { ..content, ..view::kep(board, checklist, look) }
}

/// Whether it meets the gates: a sign each, with words below a mouse.
fn gate_cells(board: &Board, checklist: &Checklist) -> Vec<Value> {
    let mut gates = Vec::new();
    if board.family.deadline.is_some() {
        gates.push(match &checklist.deadline {
            None => context! { class => "none", sign => "–", words => "not known" },
            Some(in_time) => {
                let words = in_time.status.words();
                let title = format!("{}: {words}{}", in_time.name, words::missing(checklist));
                context! { title, words, ..gate_mark(&in_time.status, in_time.open_questions) }
            }
        });
    }
    let (words, has_remarks) = (checklist.readiness.words(), !checklist.remarks.is_empty());
    let counts = if checklist.kep.is_some() { words::counts(board, checklist) } else { "not in this tree".to_owned() };
    gates.push(context! { title => format!("{words}: {counts}"), words, ..gate_mark(&checklist.outcome, has_remarks) });
    gates
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
        ("Tracking board", words::tracked(checklist)),
        ("Type", tracked.and_then(|tracked| tracked.kind.clone())),
        ("Labels", tracked.and_then(|tracked| tracked.labels.clone())),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
