//! A KEP: one line of which it is and whether it is ready; below it, once it is opened, what is open, what to write, and
//! what is known of it.

use super::entry;
use super::mark;
use super::questions;
use super::subject::Subject;
use crate::ready::answer::State;
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Entry, Pull};
use crate::ready::item::Kind;
use crate::ready::tracked::Tracked;
use crate::report::html::text::{escaped, indented, with_code};
use crate::report::look::Look;
use crate::report::ready::{markdown, words};

/// Whether the KEPs that are not ready are opened at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Open,
    /// Their items are seen when a reader opens them.
    Closed,
}

pub fn details(board: &Board, subject: &Subject<'_>, shown: Shown, look: &Look) -> String {
    let Subject { checklist, id, sig, is_ready, .. } = subject;
    let open = if shown == Shown::Open && !is_ready { " open" } else { "" };
    let (state, _) = words::readiness(*is_ready);
    let sig = if checklist.sig.is_some() { format!(" · {}", escaped(sig)) } else { String::new() };
    let actors = words::actors(checklist);
    let actors = if actors.is_empty() { actors } else { format!(" · to act: {actors}") };
    let open_sections = words::open_sections(board, checklist).map(|count| format!(" · {count}")).unwrap_or_default();
    format!(
        "<details class=\"kep\" id=\"{id}\"{open}>\n<summary><h3>{}</h3> <span class=\"state {}\"><span aria-hidden=\"true\">{}</span> \
        {}</span><span class=\"brief\">{}{sig}{open_sections}{actors}</span></summary>\n{}{}{}{}{}{}{}{}{}{}</details>\n",
        escaped(&subject.name()),
        checklist.state(board.strictness).name(),
        mark::sign(state),
        escaped(&words::verdict(board, checklist)),
        escaped(&words::target(checklist, &checklist.release.to_string())),
        in_time(checklist),
        entries(checklist, Kind::Verdict, "Verdict: not met", look),
        lines(checklist),
        by_hand(checklist, board),
        pulls(checklist, board),
        entries(checklist, Kind::Evidence, "Evidence, for people to judge", look),
        met(checklist),
        questions::details(checklist, look),
        facts(checklist),
        comment(board, subject),
    )
}

/// Whether it is in time for the deadline before the freeze.
fn in_time(checklist: &Checklist) -> String {
    let Some(in_time) = checklist.in_time() else { return String::new() };
    let (state, _) = words::readiness(in_time.missing.is_empty());
    format!(
        "<p><span class=\"state {}\"><span aria-hidden=\"true\">{}</span> {}</span>{}</p>\n",
        state.name(),
        mark::sign(state),
        escaped(in_time.words()),
        escaped(&format!("{}{}", words::by(&in_time), words::missing(&in_time)))
    )
}

/// What is not met, what a person must look at, and then what is only told.
fn entries(checklist: &Checklist, kind: Kind, title: &str, look: &Look) -> String {
    let of = |state| checklist.of_kind(kind).filter(move |entry| entry.answer.state == state);
    let open = [State::NotMet, State::Look, State::Info].into_iter().flat_map(of);
    let items: String = open.map(|entry| entry::item(checklist, entry, look)).collect();
    if items.is_empty() {
        return items;
    }
    format!("<h4>{title}</h4>\n<ul class=\"entries\">\n{items}</ul>\n")
}

fn lines(checklist: &Checklist) -> String {
    let file = |(path, texts): (&str, Vec<&str>)| {
        let texts: Vec<String> = texts.into_iter().map(|text| indented(text, escaped)).collect();
        format!(
            "<p><code>{}</code> must have:</p>\n<pre class=\"write\" tabindex=\"0\">\n{}\n</pre>\n",
            escaped(&words::from_root(checklist, path)),
            texts.join("\n")
        )
    };
    words::lines(checklist).into_iter().map(file).collect()
}

/// The open pull requests that change it, with links to them.
fn pulls(checklist: &Checklist, board: &Board) -> String {
    let item = |pull: &Pull| {
        let number = match pull.link() {
            Some(url) => format!("<a href=\"{}\">#{}</a>", escaped(url), pull.number),
            None => format!("#{}", pull.number),
        };
        let rest = format!("{}: {}", words::about_pull(pull), words::state_of_pull(board, pull));
        format!("<li>{number}{} ({})</li>\n", escaped(&rest), escaped(&words::files_of_pull(pull)))
    };
    let items: String = checklist.pulls.iter().flatten().map(item).collect();
    if items.is_empty() { items } else { format!("<h4>Open pull requests</h4>\n<ul class=\"pulls\">\n{items}</ul>\n") }
}

fn by_hand(checklist: &Checklist, board: &Board) -> String {
    if checklist.kep.is_none() {
        return String::new();
    }
    board.by_hand().map(|item| format!("<p>Check by hand: {}</p>\n", escaped(item))).collect()
}

/// The items that are met, in one paragraph.
fn met(checklist: &Checklist) -> String {
    let met = checklist.entries.iter().filter(|entry| entry.answer.state == State::Met);
    let one = |Entry { item, answer }: &Entry| {
        format!("<span data-item=\"{}\">{} ({})</span>", item.name, escaped(item.title), with_code(&answer.words))
    };
    let items: Vec<String> = met.map(one).collect();
    if items.is_empty() {
        return String::new();
    }
    format!("<p>{}: {}</p>\n", mark::with_word(State::Met), items.join(", "))
}

/// What its files say, as they say it.
fn facts(checklist: &Checklist) -> String {
    let about = &checklist.about;
    let milestones: Vec<String> =
        about.milestones.iter().map(|(stage, milestone)| format!("{stage} {milestone}")).collect();
    let facts = [
        ("Directory", checklist.kep.as_deref().map(|kep| words::from_root(checklist, kep).into_owned())),
        ("Status", about.status.clone()),
        ("Latest milestone", about.latest_milestone.clone()),
        ("Milestones", some(milestones)),
        ("Authors", some(checklist.authors.clone())),
        ("Leads of the SIG", some(checklist.leads.clone())),
        ("Approvers", some(checklist.approvers.clone())),
        ("PRR approver", checklist.approver.as_ref().map(|approver| approver.name.clone())),
        ("Waits for", some(words::waits_for(checklist))),
        ("Tracking board", words::tracked(checklist).map(|words| words.trim_start_matches("board: ").to_owned())),
        ("Type", column(checklist, |tracked| &tracked.kind)),
        ("Labels", column(checklist, |tracked| &tracked.labels)),
    ];
    let fact = |(name, value): (&str, Option<String>)| {
        Some(format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escaped(&value?)))
    };
    let issue = checklist.issue().map(|url| {
        let url = escaped(&url);
        format!("<div><dt>Issue</dt><dd><a href=\"{url}\">{url}</a></dd></div>\n")
    });
    let facts: String = facts.into_iter().filter_map(fact).chain(issue).collect();
    if facts.is_empty() { facts } else { format!("<dl class=\"about\">\n{facts}</dl>\n") }
}

fn column(checklist: &Checklist, column: fn(&Tracked) -> &Option<String>) -> Option<String> {
    checklist.tracked.as_ref().and_then(|tracked| column(tracked).clone())
}

/// The comment for its issue, with a button that copies it.
fn comment(board: &Board, Subject { checklist, id, .. }: &Subject<'_>) -> String {
    format!(
        "<details class=\"comment\">\n<summary>Comment for the issue</summary>\n\
        <p><button type=\"button\" class=\"copy\" data-text=\"{id}-comment\" hidden>Copy</button></p>\n\
        <pre id=\"{id}-comment\" tabindex=\"0\">{}</pre>\n</details>\n",
        indented(&checklist.comment.clone().unwrap_or_else(|| markdown::comment(board, checklist)), escaped)
    )
}

fn some(values: Vec<String>) -> Option<String> {
    (!values.is_empty()).then(|| values.join(", "))
}
