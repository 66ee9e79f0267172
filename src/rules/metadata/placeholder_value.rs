//! kep.yaml still has a placeholder from the template.
//!
//! ## Why
//!
//! Tools and the Release Team use the values in kep.yaml as they are: a KEP whose approver is `@oscar.doe` has no real
//! approver. Upstream's check accepts most such values.
//!
//! Reported too: gates called `None` or `NA`, at most a warning; empty items of lists, at most a suggestion
//! in `see-also`,
//! `replaces` and `superseded-by`; the template's milestones in a KEP of 2021 or later, and a directory that is still
//! called `kep-template`.
//! A title such as `TBD`, or one that is only a number, says nothing of the KEP.
//! Authors such as `TBD` are reported too, and as a suggestion an editor of an active KEP; reviewers only
//! if no other reviewer is named, at most as a suggestion unless the KEP is active. Where the configuration of another
//! project requires reviewers or approvers, each `TBD` among them is reported.
//!
//! ## Bad
//!
//! ```yaml
//! title: Prefetch images
//! status: implementable
//! latest-milestone: "v1.37"
//! creation-date: yyyy-mm-dd
//! feature-gates:
//!   - name: MyFeature
//!     components:
//!       - kubelet
//! ```
//!
//! ## Good
//!
//! ```yaml
//! title: Prefetch images
//! status: implementable
//! latest-milestone: "v1.37"
//! creation-date: 2026-07-01
//! feature-gates:
//!   - name: ImagePrefetch
//!     components:
//!       - kubelet
//! ```

use crate::kep::directory;
use crate::rules::prelude::*;

/// The rule. It is an error in more phases than most values need, because tools read status, stage and milestone.
pub const RULE: Rule = Rule {
    name: "placeholder-value",
    summary: "kep.yaml still has a placeholder from the template",
    severity: Ladder::everywhere(Error),
    upstream: &[Script::Metadata],
    docs: docs!("placeholder_value.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

/// The minor releases that the template has as milestones.
const MILESTONES: [(Stage, u32); 3] = [(Stage::Alpha, 19), (Stage::Beta, 20), (Stage::Stable, 22)];

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    // Only upstream's script reads the kep.yaml of a template.
    if !ctx.is_upstream() && directory::is_template(ctx.kep.texts.name.as_ref()) {
        return;
    }
    for (key, field) in metadata.values.iter().filter(|(key, field)| is_template_value(key, &field.text)) {
        // Every KEP needs the others at some stage.
        let can_be_removed = matches!(
            *key,
            "participating-sigs" | "last-updated" | "see-also" | "replaces" | "feature-gates.name" | "metrics"
        );
        let removal = if can_be_removed { ", or remove it" } else { "" };
        let help = format!("write this KEP's `{key}`{removal}");
        let script = ctx.script_that_reads(metadata, key);
        let is_error = script.is_some() || matches!(*key, "status" | "stage");
        let finding = template_value(field, help).upstream(script);
        out.report(if is_error { finding } else { finding.at_most(most(ctx, key)) });
    }
    check_title(ctx, metadata, out);
    check_names(ctx, metadata, out);
    check_empty_items(ctx, metadata, out);
    check_milestones(ctx, metadata, out);
    check_directory(ctx, metadata, out);
}

fn template_value<T>(field: &Field<T>, help: String) -> Diagnostic {
    Diagnostic::at(field.span, format!("`{}` is still the template placeholder", field.shown()))
        .help(help)
        .alike(field.text.as_str())
}

fn most(ctx: &Ctx<'_>, key: &str) -> Severity {
    match ctx.target.phase {
        Phase::Active if key == "metrics" && ctx.target.stage < Some(Stage::Beta) => Severity::Warning,
        Phase::Active => Severity::Error,
        Phase::Provisional | Phase::Stale | Phase::Implemented => Severity::Warning,
        Phase::Closed => Severity::Advice,
    }
}

fn check_title(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let Some(title) = metadata.title.as_ref().filter(|title| !title.text.is_empty()) else { return };
    let Some(problem) = content::problem_of_title(ctx.layout().without_number(&title.text)) else { return };
    let finding = Diagnostic::at(title.span, format!("`title` {problem}")).help("write what the KEP is about");
    out.report(finding.at_most(most(ctx, "title")));
}

fn check_names(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let is_announced = |person: &&Field| content::is_placeholder(&person.text, None);
    // Elsewhere, a template that has it means that nobody is chosen yet, unless the configuration requires names.
    let is_required = |key: &str| ctx.layout().own().is_some_and(|own| own.keys.required.contains(key));
    let is_usual = !ctx.layout().is_of_keps() && ctx.template.document.text().contains("TBD");
    let lists = [&metadata.authors, &metadata.reviewers, &metadata.approvers];
    for (key, list) in ["authors", "reviewers", "approvers"].into_iter().zip(lists) {
        let is_name = |person: &Field| !is_announced(&person) && !is_template_value(key, &person.text);
        let are_reviewers = key == "reviewers";
        let is_open = match key {
            "authors" => false,
            _ if ctx.is_begun() => true,
            "reviewers" => !is_required(key) && (is_usual || list.items.iter().any(is_name)),
            // Of a list without a name, `no-approver` says it.
            _ => !is_required(key) || ctx.lacks_approver(),
        };
        if is_open {
            continue;
        }
        for person in list.items.iter().filter(is_announced) {
            let is_advice = are_reviewers && ctx.target.phase != Phase::Active;
            let finding = Diagnostic::at(person.span, format!("`{key}` has the placeholder `{}`", person.shown()))
                .help(format!("write the names of the {key}, or remove `{}`", person.shown()))
                .at_most(most(ctx, key));
            out.report(if is_advice { finding.at_most(Severity::Advice) } else { finding });
        }
    }
    let editor = metadata.values.iter().find(|(key, field)| *key == "editor" && is_announced(&field));
    if ctx.target.phase == Phase::Active
        && let Some((key, editor)) = editor
    {
        let finding = Diagnostic::at(editor.span, format!("`{key}` has the placeholder `{}`", editor.shown()))
            .help(format!("write the name of the editor, or remove `{key}`"))
            .at_most(Severity::Advice);
        out.report(finding);
    }
    for gate in metadata.feature_gates.iter().filter(|gate| gate.is_none()) {
        let FeatureGate { name: Some(name), .. } = gate else { continue };
        let finding = Diagnostic::at(name.span, format!("`{}` is not the name of a feature gate", name.shown()))
            .help("remove `feature-gates` if there is no gate");
        out.report(finding.at_most(most(ctx, "feature-gates")).at_most(Severity::Warning));
    }
}

fn check_empty_items(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    // `no-approver` reports a list of approvers without a name.
    let is_reported_elsewhere = |key: &str| key == "approvers" && ctx.lacks_approver();
    for (key, span) in metadata.empty_items.iter().filter(|(key, _)| !is_reported_elsewhere(key)) {
        let is_link = matches!(*key, "see-also" | "replaces" | "superseded-by");
        // Elsewhere, it says that there is none.
        if is_link && !ctx.layout().is_of_keps() && ctx.target.phase != Phase::Closed {
            continue;
        }
        let before = slice(&ctx.kep.texts.file(metadata.file).text, ..span.start).trim_end_matches([' ', '\t']);
        let is_dash = span.range().is_empty() && before.ends_with('-');
        let place = if is_dash { Span::new(span.file, before.len() - 1..before.len()) } else { *span };
        let finding = Diagnostic::at(place, format!("`{key}` has an empty item"));
        let finding = finding.help("write its value, or remove it").at_most(most(ctx, key));
        out.report(if is_link { finding.at_most(Severity::Advice) } else { finding });
    }
}

fn check_milestones(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    for (stage, field) in &metadata.milestones {
        if is_template_value("latest-milestone", &field.text) {
            let help = format!("write this KEP's {stage} milestone, or remove it");
            out.report(template_value(field, help).at_most(most(ctx, "milestone")));
        }
    }
    if !metadata.is_newer_than_template() {
        return;
    }
    let is_template = |(stage, minor): (Stage, u32)| {
        metadata.milestone_of(stage).filter(|field| field.value == Some(Release { major: 1, minor }))
    };
    let stages: Option<Vec<&Field<_>>> = MILESTONES.into_iter().map(is_template).collect();
    let stages = stages
        .and_then(|fields| Some(("milestone", fields.first()?.span, "the milestones are still those of the template")));
    // Who plans another stage for it has chosen it.
    let is_chosen = |latest: &&Field<Release>| {
        let mut milestones = metadata.milestones.iter();
        milestones.any(|(stage, field)| *stage != Stage::Alpha && field.value == latest.value)
    };
    let latest = metadata.template_milestone().filter(|latest| !is_chosen(latest));
    let latest =
        latest.map(|field| ("latest-milestone", field.span, "`latest-milestone` is still that of the template"));
    for (key, span, message) in stages.into_iter().chain(latest) {
        let finding = Diagnostic::at(span, message)
            .help("write the releases of this KEP")
            .subject(Subject::named(["of the template", key]));
        out.report(finding.at_most(most(ctx, "milestone")));
    }
}

fn check_directory(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let name = &ctx.kep.texts.name;
    if number::of_directory(name).is_some_and(|_| name.ends_with("-kep-template")) {
        let span = metadata.number.as_ref().map_or(metadata.top, |field| field.span);
        let finding = Diagnostic::at(span, format!("the directory is still called `{name}`"))
            .help("rename it to the number and a short title of the KEP")
            .subject(Subject::named(["directory"]));
        out.report(finding.at_most(most(ctx, "kep-number")));
    }
}
