//! The comments on KEPs in Markdown, and the messages for SIGs. They quote text of KEPs, which must neither notify
//! anybody nor be more than text: what a template shows goes through [`inline`], unless it is marked here.
use super::{prr, view, words};
use crate::diagnostic::{capitalized, counted};
use crate::ready::answer::{Readiness, numbers};
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Entry, counts};
use crate::report::html::template;
use crate::report::look::Look;
use crate::report::markdown::text::{block, code, inline};
use crate::stage::Stage;
use minijinja::{Environment, Error, Value, context};
use std::collections::BTreeSet;
use std::sync::LazyLock;

const FILES: [(&str, &str); 5] = [
    ("ready-entry.md", include_str!("../../../templates/report/ready-entry.md")),
    ("ready-kep.md", include_str!("../../../templates/report/ready-kep.md")),
    ("ready-prr.md", include_str!("../../../templates/report/ready-prr.md")),
    ("ready-sig.md", include_str!("../../../templates/report/ready-sig.md")),
    ("ready-since.md", include_str!("../../../templates/report/ready-since.md")),
];

const RULE: &str = "\n---\n\n";

static TEMPLATES: LazyLock<Environment<'static>> =
    LazyLock::new(|| environment().expect("a test reads the built-in templates"));

fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = template::environment(&FILES, inline)?;
    environment.add_filter("capitalized", capitalized);
    environment.add_filter("code", |text: &str| Value::from_safe_string(code(text)));
    environment.add_filter("lines_of", |text: &str, path: &str| Value::from_safe_string(lines_of(path, text, "")));
    Ok(environment)
}

fn rendered(name: &str, content: Value) -> String {
    let template = TEMPLATES.get_template(name);
    template.and_then(|template| template.render(content)).expect("a test renders each template")
}

/// Lines to copy into the file at `path`, with `indent` in front of each.
pub fn lines_of(path: &str, text: &str, indent: &str) -> String {
    block(text, if path.ends_with(".yaml") { "yaml" } else { "markdown" }, indent)
}

/// Renders a comment for each KEP; before them what changed, if that is asked.
pub fn render(board: &Board) -> String {
    let since = board.comparison.as_ref().map(|comparison| rendered("ready-since.md", view::since(comparison, &[])));
    let has_questions = prr::is_wanted(board);
    let name = if has_questions { "ready-prr.md" } else { "ready-kep.md" };
    let views = board.checklists.iter().map(|checklist| view::kep(board, checklist, &Look::default()));
    let comments = views.map(|view| rendered(name, view));
    let load = prr::load(board).filter(|_| has_questions && board.checklists.len() > 1);
    let load = load.map(|load| format!("Load: {}\n", inline(&load)));
    if board.checklists.is_empty() && since.is_none() {
        let person = board.person.as_ref().map(|person| code(person.handle.name()));
        let told = person.map_or_else(|| "is to be shown".to_owned(), |person| format!("waits for {person}"));
        return format!("No KEP {told}{}.\n", words::left_out(board));
    }
    since.into_iter().chain(comments).chain(load).collect::<Vec<_>>().join(RULE)
}

pub fn comment(board: &Board, checklist: &Checklist) -> String {
    rendered("ready-kep.md", view::kep(board, checklist, &Look::default()))
}

/// An item and its answer, with what is open and what to do below.
pub fn entry(checklist: &Checklist, entry: &Entry) -> String {
    rendered("ready-entry.md", context! { entry => view::entry(checklist, entry, &Look::default()) })
}

/// Renders a message for each SIG, for a channel or a mailing list.
pub fn sigs(board: &Board) -> String {
    let sigs = board.grouped(|checklist| checklist.sig.clone());
    sigs.iter().map(|(sig, keps)| message(board, sig.as_deref(), keps)).collect::<Vec<_>>().join(RULE)
}

fn message(board: &Board, sig: Option<&str>, keps: &[&Checklist]) -> String {
    let (ready, open): (Vec<&Checklist>, Vec<&Checklist>) =
        keps.iter().partition(|kep| kep.readiness == Readiness::Ready);
    let is_proposed = keps.iter().all(|kep| kep.is_proposed);
    let leads: BTreeSet<&str> = keps.iter().flat_map(|kep| &kep.leads).map(String::as_str).collect();
    let content = context! {
        name => sig.unwrap_or("KEPs without a SIG"),
        release => words::with_day(board.release, Some(words::origin(board.release_origin)), board.family),
        days => words::days(board, 2),
        last_day => words::last_day(board),
        keps => counted(keps.len(), "KEP", "KEPs"),
        counts => numbers(counts(keps).map(|(count, readiness)| (count, readiness.words()))),
        in_time => words::in_time(keps),
        open => open.into_iter().map(open_kep).collect::<Value>(),
        ready_words => if is_proposed { "would be ready once merged" } else { "ready" },
        ready => ready.into_iter().map(linked).collect::<Value>(),
        leads => leads.into_iter().collect::<Value>(),
    };
    rendered("ready-sig.md", content)
}

/// A KEP that is not ready: `- [KEP-1](…) Title (alpha): PRR: no approver for alpha. To act: author`.
fn open_kep(kep: &Checklist) -> Value {
    let remarks = words::remarks(kep).into_iter().map(str::to_owned);
    let parts: Vec<String> = words::open(kep).chain(remarks).chain(words::late(kep)).collect();
    context! { link => linked(kep), title => &kep.title, stage => kep.stage.map(Stage::name), parts, act => words::actors(kep) }
}

/// The number, with a link to its issue.
fn linked(kep: &Checklist) -> Value {
    let number = inline(&words::number(kep));
    Value::from_safe_string(kep.issue.as_ref().map_or_else(|| number.clone(), |issue| format!("[{number}]({issue})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_text() {
        let kep = context! { link => "@a", title => "<b>", parts => vec!["#1", "`x`"] };
        let message = rendered("ready-sig.md", context! { name => "@sig", keps => "1 KEP", open => vec![kep] });
        assert!(message.starts_with("### `@sig`, \n"), "{message}");
        assert!(message.contains("\n- `@a` `<b>`: `#1`; `x`\n"), "{message}");
        assert!(FILES.iter().all(|(_, text)| !text.contains("| safe")), "only this file marks what is Markdown");
    }
}
