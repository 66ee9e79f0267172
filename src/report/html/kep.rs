//! A KEP, or another file: one line of which KEP it is and how many findings it has; below it, once it is opened, what is
//! known of it and its findings, the most severe first.

use super::finding;
use super::subject::Subject;
use super::text::Ids;
use crate::diagnostic::{Diagnostic, counted};
use crate::lint::about::About;
use crate::report::look::Look;
use crate::report::{Summary, target_release};
use crate::requirement::Target;
use crate::stage::Stage;
use minijinja::{Value, context};
use std::cmp::Reverse;

/// The KEP, for the template. If few have findings, these are open at first.
pub fn view(subject: &Subject<'_>, has_few: bool, ids: &mut Ids, look: &Look) -> Value {
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
        let mut words = checked_as(target, about);
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

fn checked_as(target: &Target, about: &About) -> String {
    let stage = target.stage.map(|stage| format!("for {stage}"));
    let release = target_release(target, about);
    let words: Vec<String> = [target.phase.name().to_owned()].into_iter().chain(stage).chain(release).collect();
    let of_kep = match target.own_stage {
        of_kep if of_kep == target.stage => String::new(),
        Some(of_kep) => format!(" (kep.yaml: {of_kep})"),
        None => " (kep.yaml: no stage)".to_owned(),
    };
    words.join(", ") + &of_kep
}
