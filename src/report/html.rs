//! The report as one page for a browser: the state of the tree, and every finding with its lines. It needs nothing but
//! itself, can be filtered, printed and linked to, and is complete without its script.

mod finding;
mod kep;
pub mod overview;
pub mod subject;
pub mod template;
pub mod text;

use self::subject::Subject;
use self::template::Script;
use self::text::Ids;
use super::look::Look;
use super::{Summary, changes, counted};
use crate::diagnostic::Failure;
use crate::lint::Run;
use crate::lint::origin::{Since, short_name};
use minijinja::{Value, context};

const FEW: usize = 3;

const IDS: [&str; 7] = ["top", "state", "keps", "filters", "shown", "open", "close"];

/// Renders all findings of `run`, whatever the level to show is: a reader filters them.
pub fn render(run: &Run, look: &Look) -> String {
    let mut ids = Ids::with(&IDS);
    let subjects = subject::all(run, &mut ids);
    let counts = Summary::of(run);
    // The findings of a few KEPs are seen at once.
    let has_few = subjects.iter().filter(|subject| !subject.report.diagnostics.is_empty()).count() <= FEW;
    let keps: Value = subjects.iter().map(|subject| kep::view(subject, has_few, &mut ids, look)).collect();
    let content = context! {
        title => format!("{}: {}", run.layout.names(), counts.all_words()),
        names => run.layout.names(),
        summary => format!("{}.", Summary::line(run, 0).replacen("checked", "Checked", 1)),
        template => run.template.path(),
        since => run.since.as_ref().map(since),
        changes => changes::lines(run),
        conditions => run.conditions.lines(),
        failures => failures(&run.failures),
        totals => totals(&subjects, counts),
        tables => overview::tables(&subjects, &run.layout),
        label => format!("Filter {} and findings", run.layout.names()),
        fields => overview::fields(&subjects, run.layout.group()),
        keps,
        version => run.version,
        rules => counted(run.rules.len(), "rule", "rules"),
    };
    template::page("report.html", content, Script::Report)
}

/// What could not be read or done, each with its help.
pub fn failures(failures: &[Failure]) -> Value {
    failures.iter().map(|failure| (failure.public_message(), failure.help.clone())).collect()
}

fn since(Since { name, commit, is_new_only, .. }: &Since) -> Value {
    let what = if *is_new_only { "is new" } else { "changed" };
    context! { what, name => short_name(name), commit => short_name(commit) }
}

/// The numbers that most readers ask for, each with its class and its name.
fn totals(subjects: &[Subject<'_>], counts: Summary) -> Vec<(&'static str, &'static str, usize)> {
    let keps = subjects.iter().filter(|subject| subject.is_kep()).count();
    let clean = subjects.iter().filter(|subject| subject.is_kep() && subject.counts.total() == 0).count();
    let listed = subjects.iter().flat_map(|it| &it.report.diagnostics).filter(|finding| finding.fix.is_some()).count();
    vec![
        ("", "checked", keps),
        ("", "without findings", clean),
        ("error", if counts.error == 1 { "error" } else { "errors" }, counts.error),
        ("warning", if counts.warning == 1 { "warning" } else { "warnings" }, counts.warning),
        ("suggestion", if counts.suggestion == 1 { "suggestion" } else { "suggestions" }, counts.suggestion),
        ("", "with a fix", listed),
    ]
}
