//! The report as one page for a browser: the state of the tree, and every finding with its lines. It needs nothing but
//! itself, can be filtered, printed and linked to, and is complete without its script.

pub mod change;
pub mod document;
pub mod failure;
pub mod filters;
pub mod finding;
pub mod id;
pub mod kep;
pub mod lines;
pub mod overview;
pub mod place;
pub mod subject;
pub mod text;

use self::document::{Script, head, tail};
use self::id::Ids;
use self::kep::State;
use self::subject::Subject;
use self::text::escaped;
use super::look::Look;
use super::{Summary, counted, pieces};
use crate::lint::Run;
use crate::lint::conditions::Conditions;
use crate::lint::origin::short_name;
use std::io::{self, Write};

const IDS: [&str; 7] = ["top", "state", "keps", "filters", "shown", "open", "close"];

/// Renders all findings of `run`, whatever the level to show is: a reader filters them.
pub fn render(run: &Run, look: &Look) -> String {
    pieces::text(|out| write(run, look, out))
}

pub fn write(run: &Run, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let mut ids = Ids::with(&IDS);
    let subjects = subject::all(run, &mut ids);
    let counts = Summary::of(run);
    let title = format!("KEPs: {}", counts.all_words());
    let state = if has_few(&subjects) { State::Open } else { State::Closed };
    write!(
        out,
        "{}<a class=\"skip\" href=\"#keps\">Skip to the KEPs</a>\n<header id=\"top\">\n<h1>kep-lint report</h1>\n{}</header>\n\
        <main>\n{}<section aria-labelledby=\"state\">\n<h2 id=\"state\">State</h2>\n{}{}</section>\n\
        <section aria-labelledby=\"keps\">\n<h2 id=\"keps\">KEPs and findings</h2>\n{}",
        head(&title, Script::Report),
        origin(run),
        failure::section(&run.failures),
        totals(&subjects, counts),
        overview::tables(&subjects),
        filters::form(&subjects),
    )?;
    for subject in &subjects {
        let state = if subject.report.diagnostics.is_empty() { State::Closed } else { state };
        out.write_all(kep::details(subject, state, &mut ids, look).as_bytes())?;
    }
    write!(out, "</section>\n</main>\n{}{}", footer(run), tail(Script::Report))
}

/// Whether there are so few KEPs with findings that all of them are opened at first.
fn has_few(subjects: &[Subject<'_>]) -> bool {
    const FEW: usize = 3;
    subjects.iter().filter(|subject| !subject.report.diagnostics.is_empty()).count() <= FEW
}

fn origin(run: &Run) -> String {
    let mut words = vec![format!("{}.", escaped(&Summary::line(run, 0)).replacen("checked", "Checked", 1))];
    words.push(match run.template.path() {
        None => "Template: the built-in one.".to_owned(),
        Some(path) => format!("Template: <code>{}</code>.", escaped(path)),
    });
    if let Some(since) = &run.since {
        let (name, commit) = (escaped(&short_name(&since.name)), escaped(&short_name(&since.commit)));
        let what = if since.is_new_only { "is new" } else { "changed" };
        words.push(format!("Only what {what} since <code>{name}</code> (<code>{commit}</code>)."));
    }
    format!("<p>{}</p>\n{}", words.join(" "), conditions(&run.conditions))
}

/// What decides how strict a run is, a paragraph for each sentence.
pub fn conditions(conditions: &Conditions) -> String {
    let paragraph = |line: &String| format!("<p class=\"condition\">{}.</p>\n", escaped(line));
    conditions.lines().iter().map(paragraph).collect()
}

/// The numbers that most readers ask for.
fn totals(subjects: &[Subject<'_>], counts: Summary) -> String {
    let keps = subjects.iter().filter(|subject| subject.is_kep()).count();
    let clean = subjects.iter().filter(|subject| subject.is_kep() && subject.counts.total() == 0).count();
    let listed = subjects.iter().flat_map(|it| &it.report.diagnostics).filter(|finding| finding.fix.is_some()).count();
    let unlisted = subjects.iter().flat_map(|it| &it.report.unlisted).map(|more| more.safe + more.risky);
    let fixable = listed + unlisted.sum::<usize>();
    let totals = [
        ("", if keps == 1 { "KEP" } else { "KEPs" }, keps),
        ("", "without findings", clean),
        ("error", if counts.error == 1 { "error" } else { "errors" }, counts.error),
        ("warning", if counts.warning == 1 { "warning" } else { "warnings" }, counts.warning),
        ("advice", if counts.advice == 1 { "suggestion" } else { "suggestions" }, counts.advice),
        ("", "with a fix", fixable),
    ];
    let total = |(class, name, count)| format!("<div class=\"{class}\"><dt>{name}</dt><dd>{count}</dd></div>\n");
    format!("<dl class=\"totals\">\n{}</dl>\n", totals.map(total).concat())
}

fn footer(run: &Run) -> String {
    let (version, rules) = (escaped(run.version), counted(run.rules.len(), "rule", "rules"));
    format!(
        "<footer><p>Made by kep-lint {version}, which ran {rules}. <code>kep-lint explain RULE</code> tells why a rule \
        exists, with examples.</p></footer>\n"
    )
}
