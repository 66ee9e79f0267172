//! kep.yaml lacks a required key.
//!
//! ## Why
//!
//! Upstream rejects a kep.yaml without `title`, `kep-number`, `authors`, `owning-sig`, `approvers` or `status`. If the
//! status is implementable or implemented, it also requires `stage` and `latest-milestone`. A key without a value, or
//! with an empty value, counts as missing. A key that the kep.yaml of the repository's own template lacks is not
//! required. Without a template, a key that most KEPs lack is not, unless they belong to SIGs, and neither are stage and
//! milestone where no KEP has a milestone. An empty list of authors is at most a warning.
//!
//! ## Bad
//!
//! ```yaml
//! title: Prefetch images
//! kep-number: 1
//! authors: ["@alice"]
//! owning-sig: sig-node
//! approvers: ["@carol"]
//! status: implementable
//! stage: alpha
//! ```
//!
//! ## Good
//!
//! ```yaml
//! title: Prefetch images
//! kep-number: 1
//! authors: ["@alice"]
//! owning-sig: sig-node
//! approvers: ["@carol"]
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! ```

use crate::kep::layout::Keys;
use crate::rules::prelude::*;
use crate::yaml::tree::Node;

pub const RULE: Rule = Rule {
    name: "missing-key",
    summary: "kep.yaml lacks a required key",
    severity: Ladder::everywhere(Error),
    settings: &["groups"],
    upstream: &[Script::Metadata],
    docs: docs!("missing_key.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    if metadata.has_lost_keys() {
        return;
    }
    if let Some(own) = ctx.layout().own() {
        report_required(metadata, &own.keys, out);
    }
    report_no_author(ctx, metadata, out);
    for flaw in &metadata.flaws {
        let FlawKind::MissingKey(key) = &flaw.kind else { continue };
        // What the configuration does not require may be in the template.
        let is_required = ctx.layout().is_of_keps();
        if !is_required && !front_matter::has_key(&ctx.template.document.source.text, ctx.key_name(key)) {
            continue;
        }
        let is_of_no_group = *key == "owning-sig" && !ctx.has_groups();
        let is_planned = ["stage", "latest-milestone"].contains(key);
        let is_unused = is_planned && !ctx.is_upstream() && ctx.repository.has_no_milestones();
        if is_of_no_group
            || is_unused
            || ctx.repository.vocabulary.lacks(key)
            || ctx.target.is_older
            || ctx.target.is_undated
        {
            continue;
        }
        let is_absent = metadata.lacks(key);
        let (message, help) = if is_absent { (flaw.kind.message(), flaw.kind.help()) } else { empty(key) };
        let is_upstream = !is_planned || metadata.is_implementable_or_implemented();
        let mut finding = Diagnostic::at(flaw.span, message)
            .help(help)
            .at_most(if is_required { Severity::Error } else { Severity::Warning })
            .upstream(is_upstream.then_some(Script::Metadata))
            .subject(Subject::named([key]));
        if let Some(status) = &metadata.status
            && is_planned
        {
            finding.relate(status.span, format!("required when `status` is `{}`", status.shown()));
        }
        out.report(finding);
    }
}

/// Reports an empty list of authors, which upstream accepts. `no-approver` reports one of approvers.
fn report_no_author(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let entry = metadata.tree.root.as_ref().and_then(|root| root.get("authors"));
    let is_empty = |value: &Node| value.as_sequence().is_some_and(<[_]>::is_empty);
    if let Some(entry) = entry.filter(|entry| is_empty(&entry.value))
        && ctx.layout().is_of_keps()
        && !ctx.repository.vocabulary.lacks("authors")
    {
        let finding = Diagnostic::at(entry.key.span, "`authors` names nobody").help("write the names of the authors");
        let most = if ctx.target.phase == Phase::Closed { Severity::Advice } else { Severity::Warning };
        out.report(finding.at_most(most).subject(Subject::named(["authors"])));
    }
}

/// Reports the keys that the configuration requires and that have no value. What is broken may have them.
fn report_required(metadata: &Metadata, keys: &Keys, out: &mut Sink) {
    let (Some(root), []) = (&metadata.tree.root, metadata.tree.problems.as_slice()) else { return };
    for key in keys.required.iter().map(|key| keys.name(key)) {
        let is_misspelt = || metadata.flaws.iter().any(|flaw| flaw.kind.could_be_typo_of(key));
        if root.fills(key) || root.as_mapping().is_none() || is_misspelt() {
            continue;
        }
        let (span, (message, help)) = match root.get(key) {
            Some(entry) => (entry.key.span, empty(key)),
            None => (metadata.top, (format!("`{key}` is missing"), format!("add `{key}:` with a value"))),
        };
        out.report(Diagnostic::at(span, message).help(help).subject(Subject::named([key])));
    }
}

/// The message and the help for a key that is there.
fn empty(key: &str) -> (String, String) {
    (format!("`{key}` has no value"), "write a value".to_owned())
}
