//! The report as one page for a browser: the state of the tree, and every finding with its lines. It needs nothing but
//! itself, can be filtered, printed and linked to, and is complete without its script.

mod finding;
pub mod overview;
pub mod subject;
pub mod template;
pub mod text;

use self::subject::Subject;
use self::text::Ids;
use super::look::Look;
use super::{Summary, changes, target_release};
use crate::diagnostic::{Diagnostic, Failure, counted};
use crate::kep::layout::Layout;
use crate::lint::Run;
use crate::lint::about::About;
use crate::lint::origin::{Since, short_name};
use crate::requirement::Target;
use crate::stage::Stage;
use minijinja::{Value, context};
use std::cmp::Reverse;

const FEW: usize = 3;

const IDS: [&str; 7] = ["top", "state", "keps", "filters", "shown", "open", "close"];

/// Renders all findings of `run`, whatever the level to show is: a reader filters them.
pub fn render(run: &Run, look: &Look) -> String {
    let mut ids = Ids::with(&IDS);
    let subjects = subject::all(run, &mut ids);
    let counts = Summary::of(run);
    // The findings of a few KEPs are seen at once.
    let has_few = subjects.iter().filter(|subject| !subject.report.diagnostics.is_empty()).count() <= FEW;
    let keps: Value = subjects.iter().map(|subject| kep(subject, has_few, &mut ids, look)).collect();
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
    template::page("report.html", content, template::REPORT_SCRIPT)
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

/// The KEP, for the template. If few have findings, these are open at first.
fn kep(subject: &Subject<'_>, has_few: bool, ids: &mut Ids, look: &Look) -> Value {
    let report = subject.report;
    let mut diagnostics: Vec<&Diagnostic> = report.diagnostics.iter().collect();
    diagnostics.sort_by_key(|finding| Reverse(finding.severity));
    let mut findings = Vec::new();
    for finding in diagnostics {
        let id = match finding.fingerprint {
            Some(fingerprint) => ids.unique(&format!("f{fingerprint}")),
            None => ids.unique(&format!("{}-finding", subject.id)),
        };
        findings.push(finding::view(report, finding, id, look));
    }
    context! {
        id => &subject.id,
        name => &subject.name,
        sig => subject.sig,
        status => subject.status,
        stage => subject.stage,
        is_kep => subject.is_kep(),
        is_open => has_few && !findings.is_empty(),
        counts => subject.counts.parts().into_iter().map(|(severity, words)| (severity.name(), words)).collect::<Value>(),
        brief => brief(subject),
        path => report.path(),
        facts => facts(subject),
        findings,
    }
}

/// The values that KEPs are filtered by, and the milestone.
fn brief(subject: &Subject<'_>) -> Option<String> {
    let About { status, latest_milestone, .. } = subject.report.about.as_ref()?;
    let stage = subject.report.target.and_then(|target| target.stage).map(Stage::name);
    let words = [Some(subject.sig), status.as_deref(), stage, latest_milestone.as_deref()];
    Some(words.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

fn facts(subject: &Subject<'_>) -> Vec<(&'static str, String)> {
    let report = subject.report;
    let mut facts = report.about.as_ref().map(|about| written(about, report.layout.group())).unwrap_or_default();
    if let Some((target, about)) = report.target.as_ref().zip(report.about.as_ref()) {
        let mut words = checked_as(target, about, &report.layout);
        report.layout.say(&mut words);
        facts.push(("Checked as", words));
    }
    if report.ignored > 0 {
        facts.push(("Ignored", counted(report.ignored, "finding", "findings")));
    }
    let unlisted = Summary::unlisted(report);
    if unlisted.total() > 0 {
        facts.push(("Not listed", format!("{}: the run has too many findings", unlisted.words())));
    }
    facts
}

fn written(about: &About, group: &'static str) -> Vec<(&'static str, String)> {
    let none = || "none".to_owned();
    let text = |value: &Option<String>| value.clone().unwrap_or_else(none);
    let milestones = about.milestones.iter().map(|(stage, milestone)| format!("{stage} {milestone}"));
    let milestones = Some(milestones.collect::<Vec<_>>().join(", ")).filter(|list| !list.is_empty());
    vec![
        ("Status", text(&about.status)),
        (group, text(&about.owning_sig)),
        ("Latest milestone", text(&about.latest_milestone)),
        ("Milestones", text(&milestones)),
    ]
}

fn checked_as(target: &Target, about: &About, layout: &Layout) -> String {
    let stage = target.stage.map(|stage| format!("for {stage}"));
    let release = target_release(target, about);
    let words: Vec<String> = [target.phase.name().to_owned()].into_iter().chain(stage).chain(release).collect();
    let mut of_kep = match target.own_stage {
        of_kep if of_kep == target.stage => String::new(),
        Some(of_kep) => format!(" (kep.yaml: {of_kep})"),
        None => " (kep.yaml: no stage)".to_owned(),
    };
    layout.say(&mut of_kep);
    words.join(", ") + &of_kep
}
