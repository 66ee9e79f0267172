//! A KEP, or another file: one line of which KEP it is and how many findings it has; below it, once it is opened, what is
//! known of it and its findings, the most severe first.

use super::finding;
use super::id::Ids;
use super::subject::{Subject, path};
use super::text::escaped;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::counted;
use crate::lint::about::About;
use crate::report::Summary;
use crate::report::look::Look;
use crate::requirement::Target;
use crate::stage::Stage;
use std::cmp::Reverse;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    /// Its findings are seen when a reader opens it.
    Closed,
}

pub fn details(subject: &Subject<'_>, state: State, ids: &mut Ids, look: &Look) -> String {
    let Subject { report, id, name, sig, status, stage, counts } = subject;
    let (sig, name, counts) = (escaped(sig), escaped(name), count_words(*counts));
    let open = if state == State::Open { " open" } else { "" };
    let kind = if subject.is_kep() { " data-kep" } else { "" };
    let brief = brief(subject);
    let facts = facts(subject);
    let mut findings = String::new();
    let mut diagnostics: Vec<&Diagnostic> = report.diagnostics.iter().collect();
    diagnostics.sort_by_key(|finding| Reverse(finding.severity));
    for finding in diagnostics {
        let id = finding.fingerprint.map_or_else(|| format!("{id}-finding"), |fingerprint| format!("f{fingerprint}"));
        findings += &finding::item(report, finding, &ids.unique(&id), look);
    }
    if !findings.is_empty() {
        findings = format!("<ul class=\"findings\">\n{findings}</ul>\n");
    }
    format!(
        "<details class=\"kep\" id=\"{id}\" data-sig=\"{sig}\" data-status=\"{status}\" data-stage=\"{stage}\"{kind}{open}>\n\
        <summary><h3>{name}</h3> <span class=\"counts\">{counts}<span class=\"part\"></span></span>{brief}</summary>\n{facts}{findings}</details>\n"
    )
}

/// The counts that are not zero, each with its color.
fn count_words(Summary { error, warning, advice }: Summary) -> String {
    let counts = [
        ("error", error, counted(error, "error", "errors")),
        ("warning", warning, counted(warning, "warning", "warnings")),
        ("advice", advice, counted(advice, "suggestion", "suggestions")),
    ];
    let words = counts.into_iter().filter(|(_, count, _)| *count > 0);
    let words: Vec<String> = words.map(|(class, _, words)| format!("<span class=\"{class}\">{words}</span>")).collect();
    if words.is_empty() { "<span class=\"none\">no findings</span>".to_owned() } else { words.join(", ") }
}

/// The values that KEPs are filtered by, and the milestone.
fn brief(subject: &Subject<'_>) -> String {
    let Some(About { status, latest_milestone, .. }) = &subject.report.about else { return String::new() };
    let stage = subject.report.target.and_then(|target| target.stage).map(Stage::name);
    let words = [Some(subject.sig), status.as_deref(), stage, latest_milestone.as_deref()];
    let words: Vec<String> = words.into_iter().flatten().map(escaped).collect();
    format!(" <span class=\"brief\">{}</span>", words.join(" · "))
}

fn facts(subject: &Subject<'_>) -> String {
    let path = path(subject.report);
    let link = format!("<a href=\"#{}\">{}</a>", subject.id, escaped(path));
    let kind = if subject.is_kep() { "Directory" } else { "File" };
    let mut facts = vec![(kind, link)];
    if let Some(about) = &subject.report.about {
        facts.extend(written(about).into_iter().map(|(name, value)| (name, escaped(&value))));
    }
    if let Some(target) = &subject.report.target {
        facts.push(("Checked as", escaped(&checked_as(target))));
    }
    if subject.report.ignored > 0 {
        facts.push(("Ignored", counted(subject.report.ignored, "finding", "findings")));
    }
    let unlisted = Summary::unlisted(subject.report);
    if unlisted.total() > 0 {
        facts.push(("Not listed", format!("{}: the run has too many findings", unlisted.words())));
    }
    let facts: String =
        facts.into_iter().map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>\n")).collect();
    format!("<dl class=\"about\">\n{facts}</dl>\n")
}

/// What its files say, as they say it.
fn written(about: &About) -> Vec<(&'static str, String)> {
    let none = || "none".to_owned();
    let text = |value: &Option<String>| value.clone().unwrap_or_else(none);
    let milestones = about.milestones.iter().map(|(stage, milestone)| format!("{stage} {milestone}"));
    let milestones = Some(milestones.collect::<Vec<_>>().join(", ")).filter(|list| !list.is_empty());
    vec![
        ("Status", text(&about.status)),
        ("Owning SIG", text(&about.owning_sig)),
        ("Latest milestone", text(&about.latest_milestone)),
        ("Milestones", text(&milestones)),
    ]
}

fn checked_as(target: &Target) -> String {
    let stage = target.stage.map(|stage| format!("for {stage}"));
    let release = target.release.map(|release| release.to_string());
    let words: Vec<String> = [target.phase.name().to_owned()].into_iter().chain(stage).chain(release).collect();
    let of_kep = match target.own_stage {
        of_kep if of_kep == target.stage => String::new(),
        Some(of_kep) => format!(" (kep.yaml: {of_kep})"),
        None => " (kep.yaml: no stage)".to_owned(),
    };
    words.join(", ") + &of_kep
}
