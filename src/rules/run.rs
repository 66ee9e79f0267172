//! Runs the rules over a KEP, a repository, the links between KEPs, or a template.

use super::ALL;
use super::context::{Ctx, OutgoingLink, ReplacedKep};
use super::preset::Preset;
use super::rule::{Category, Check, Rule};
use super::select::{self, Selection};
use super::sink::Sink;
use crate::diagnostic::script::Script;
use crate::diagnostic::subject::Subject;
use crate::diagnostic::{Diagnostic, Fix, Safety, Severity};
use crate::kep::layout::Layout;
use crate::kep::layout::forms::Since;
use crate::markdown::anchor::AnchorSet;
use crate::repository::Repository;
use crate::repository::shared::SharedFile;
use crate::span::FileId;
use crate::stage::{Phase, Stage, Status};
use crate::template::{Template, is_torn};
use crate::yaml::date::Date;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default)]
pub struct Found {
    pub diagnostics: Vec<Diagnostic>,
    /// How many there are of rules that the configuration turns off.
    pub silenced: usize,
    /// How many there are that would be more severe without the configuration.
    pub lowered: usize,
}

/// What those of these `rules` find that are selected.
pub fn run(rules: impl Iterator<Item = &'static Rule>, ctx: &Ctx<'_>, selection: &Selection) -> Found {
    let mut found = Found::default();
    let is_stray = ctx.kep.is_stray_readme() && !ctx.is_upstream();
    let asked = rules.filter(|rule| is_asked(rule, ctx.repository, ctx.preset));
    // Of what another project has finished, no text is asked any more, and no script checks the table of contents.
    let is_finished = matches!(ctx.target.phase, Phase::Implemented | Phase::Closed) && !ctx.layout().is_of_keps();
    let is_older = ctx.target.is_older || ctx.target.is_undated;
    let asked = asked.filter(|rule| !(is_older && OF_TEMPLATE.contains(&rule.name)));
    let asked = asked.filter(|rule| !(is_finished && rule.upstream.contains(&Script::Toc)));
    let asked = asked.filter(|rule| !(rule.is_gap && (is_finished || is_old(ctx))));
    for rule in asked.filter(|rule| rule.checks_strays || !is_stray) {
        let default = selection.default_severity(rule, &ctx.target);
        let severity = if selection.has_levels() { selection.severity(rule, &ctx.target) } else { default };
        let Some(highest) = severity.max(default) else { continue };
        for mut finding in findings(ctx, rule, highest) {
            let cause = finding.unless.and_then(select::rule_named);
            if cause.is_some_and(|cause| selection.severity(cause, &ctx.target).is_some()) {
                continue;
            }
            let Some(severity) = severity else {
                found.silenced += finding.count;
                continue;
            };
            if finding.can_be_raised && selection.names_level(rule, &ctx.target) {
                finding.severity = severity;
            }
            if finding.severity > severity {
                found.lowered += finding.count;
                finding.severity = severity;
            }
            found.diagnostics.push(finding);
        }
    }
    // Both sides of a merge have the headings.
    let of_conflict = found.diagnostics.iter().filter(|finding| finding.rule == "merge-conflict");
    let conflicts: Vec<(FileId, Severity)> = of_conflict.map(|it| (it.span.file, it.severity)).collect();
    for finding in found.diagnostics.iter_mut().filter(|it| ["duplicate-section", "stale-toc"].contains(&it.rule)) {
        let is_caused =
            |(file, severity): &(FileId, Severity)| *file == finding.span.file && *severity >= finding.severity;
        if conflicts.iter().any(is_caused) {
            finding.yields_to = Some("merge-conflict");
        }
    }
    let has_fix = |file: FileId| found.diagnostics.iter().any(|it| it.fix.is_some() && it.span.file == file);
    let pages = ctx.pages().filter(|page| has_fix(page.file) && is_torn(page.document));
    let torn: Vec<FileId> = pages.map(|page| page.file).collect();
    for finding in found.diagnostics.iter_mut().filter(|finding| torn.contains(&finding.span.file)) {
        let Some(rule) = select::rule_named(finding.rule).filter(|rule| !rule.reveals) else { continue };
        let fix = finding.fix.take().filter(|_| rule.fix == Some(Safety::Unsafe));
        finding.fix = fix.map(|fix| Fix { safety: Safety::Unsafe, ..fix });
    }
    found
}

/// Leaves out what a finding of another rule says better. A finding that is ignored says nothing.
pub fn drop_yielding(diagnostics: &mut Vec<Diagnostic>) {
    let reported: BTreeSet<&str> = diagnostics.iter().map(|finding| finding.rule).collect();
    diagnostics.retain(|finding| finding.yields_to.is_none_or(|rule| !reported.contains(rule)));
}

fn findings(ctx: &Ctx<'_>, rule: &Rule, severity: Severity) -> Vec<Diagnostic> {
    let mut diagnostics = Sink::collect(rule.name, severity, |out| rule.run(ctx, out));
    apply_preset(ctx.preset, &mut diagnostics);
    // When a feature is removed, the text of its KEP is only a record: a missing section is not an error.
    let is_of_removal = rule.category == Category::Sections && ctx.target.stage.is_some_and(Stage::is_removal);
    for diagnostic in &mut diagnostics {
        if is_of_removal || rule.is_gap && ctx.target.lenience.is_some() {
            diagnostic.severity = diagnostic.severity.min(Severity::Warning);
        }
        if diagnostic.section.is_none() && rule.category != Category::Sections {
            diagnostic.section = ctx.section_at(diagnostic.span);
        }
        // The scripts are those of kubernetes/enhancements.
        if !ctx.layout().is_of_keps() {
            diagnostic.upstream = None;
        }
        if diagnostic.subject == Subject::Text {
            diagnostic.subject = ctx.key_at(diagnostic.span).unwrap_or_default();
        }
    }
    diagnostics
}

/// Each function of each rule.
pub fn checks() -> impl Iterator<Item = (&'static Rule, Check)> {
    ALL.iter().flat_map(|rule| rule.checks.iter().map(move |check| (rule, *check)))
}

/// Whether a rule is about what the repository has; upstream's scripts ask for all the same.
pub fn is_asked(rule: &Rule, repository: &Repository, preset: Preset) -> bool {
    let is_upstream = preset == Preset::Upstream;
    is_for(rule, &repository.layout) && (repository.has_groups || rule.category != Category::Approval || is_upstream)
}

/// Whether proposals of a layout may be asked.
pub fn is_for(rule: &Rule, layout: &Layout) -> bool {
    layout.is_of_keps() || rule.category != Category::Approval && !OF_KUBERNETES.contains(&rule.name)
}

/// The rules that only make sense for Kubernetes: its groups, its feature gates and metrics, its web sites, its words.
/// Proposals of another project are not asked.
const OF_KUBERNETES: [&str; 16] = [
    "disable-supported-mismatch",
    "feature-gate-incomplete",
    "feature-gate-mismatch",
    "gate-components-mismatch",
    "invalid-metric",
    "metric-mismatch",
    "mismatched-kep-link",
    "missing-disable-supported",
    "missing-metrics",
    "owning-sig-mismatch",
    "renamed-section",
    "unknown-feature-gate",
    "unknown-sig",
    "unknown-template-section",
    "unlinked-tests",
    "unlisted-feature-gate",
];

/// The rules that ask what the template asks. Proposals from before it are not asked.
const OF_TEMPLATE: [&str; 3] = ["misplaced-section", "missing-section", "no-approver"];

/// Whether a proposal of another project was written and changed last, by its own days, before the template: nobody fills
/// in its sections any more. What the change that is checked adds is new, whatever its days.
fn is_old(ctx: &Ctx<'_>) -> bool {
    let Some(Since::Day(first)) = ctx.layout().own().and_then(|own| own.sections.since) else { return false };
    let updated = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.last_updated.as_ref());
    let is_added = ctx.kep.texts.change.as_ref().is_some_and(|change| change.base.is_none());
    let is_before = updated.and_then(|field| Date::guess(&field.text)).is_some_and(|day| day < first);
    ctx.target.is_older && is_before && !is_added
}

/// Keeps the findings that count for `preset`, at the severity that they have there.
fn apply_preset(preset: Preset, diagnostics: &mut Vec<Diagnostic>) {
    if preset == Preset::Upstream {
        diagnostics.retain(|finding| finding.upstream.is_some());
        diagnostics.iter_mut().for_each(|finding| finding.severity = Severity::Error);
    }
}

pub fn run_template(
    template: &Template,
    severity: Severity,
    selection: &Selection,
    layout: &Layout,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (rule, check) in checks().filter(|(rule, _)| is_for(rule, layout)) {
        let Check::Template(check) = check else { continue };
        let Some(most) = selection.level(rule, Phase::Active).severity() else { continue };
        diagnostics.extend(Sink::collect(rule.name, severity.min(most), |out| check(template, out)));
    }
    diagnostics
}

/// The findings about `files` of a repository, which all have the same path.
pub fn run_shared(files: &[SharedFile<'_>], repository: &Repository, selection: &Selection) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let preset = selection.preset;
    for (rule, check) in checks() {
        let Check::Shared(check) = check else { continue };
        if !is_asked(rule, repository, preset) {
            continue;
        }
        let Some(severity) = selection.level(rule, Phase::Active).severity() else { continue };
        let check_all = |out: &mut Sink| files.iter().for_each(|file| check(file, repository, out));
        diagnostics.extend(Sink::collect(rule.name, severity, check_all));
    }
    apply_preset(preset, &mut diagnostics);
    diagnostics
}

/// The links of a KEP to anchors in other documents of the repository, and the KEPs that it replaces. They
/// are checked when all KEPs have been read.
#[derive(Clone, Debug, Default)]
pub struct OutgoingLinks {
    checks: Vec<(&'static str, Severity, Check)>,
    pub links: Vec<OutgoingLink>,
    pub replaced: Vec<ReplacedKep>,
}

impl OutgoingLinks {
    pub fn of(ctx: &Ctx<'_>, selection: &Selection) -> Self {
        let mut outgoing = Self::default();
        for (rule, check) in checks().filter(|(_, check)| matches!(check, Check::Link(_) | Check::Replaced(_))) {
            let Some(severity) = selection.severity(rule, &ctx.target) else { continue };
            outgoing.checks.push((rule.name, severity, check));
            match check {
                Check::Link(_) => outgoing.links = ctx.outgoing_links(),
                _ => outgoing.replaced = ctx.replaced_keps(),
            }
        }
        outgoing
    }
}

/// Checks the links to the documents in `pages`, and the KEPs that a KEP replaces: `statuses` has the status
/// of each KEP by the path of its directory.
pub fn run_outgoing(
    outgoing: &OutgoingLinks,
    pages: &BTreeMap<String, AnchorSet>,
    statuses: &BTreeMap<String, Status>,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (name, severity, check) in &outgoing.checks {
        diagnostics.extend(Sink::collect(name, *severity, |out| match check {
            Check::Link(check) => {
                let known = outgoing.links.iter().filter_map(|link| Some((link, pages.get(&link.path)?)));
                known.for_each(|(link, anchors)| check(link, anchors, out));
            }
            Check::Replaced(check) => {
                let known = outgoing.replaced.iter().filter_map(|kep| Some((kep, statuses.get(&kep.path)?)));
                known.for_each(|(kep, status)| check(kep, *status, out));
            }
            _ => {}
        }));
    }
    diagnostics
}
