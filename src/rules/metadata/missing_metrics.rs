//! The README names a metric for the health of the feature, but kep.yaml has no `metrics`.
//!
//! ## Why
//!
//! From beta on, `metrics` in kep.yaml lists the metrics that operators should watch. Reviewers and dashboards read
//! them there. General metrics of Kubernetes, such as `apiserver_request_total`, are not reported: those that three KEPs or
//! more name. Where most of the metrics are general, the others most likely are, too.
//!
//! ## Bad
//!
//! ```markdown beta
//! ###### What are the SLIs (Service Level Indicators) an operator can use to determine the health of the service?
//!
//! - [x] Metrics
//!   - Metric name: `kubelet_image_prefetch_errors_total`
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ###### What are the SLIs (Service Level Indicators) an operator can use to determine the health of the service?
//!
//! - [x] Metrics
//!   - Metric name: `kubelet_image_prefetch_errors_total`
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! metrics:
//!   - kubelet_image_prefetch_errors_total
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missing-metrics",
    summary: "the README names a metric, but kep.yaml has no `metrics`",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::Metrics],
    docs: docs!("missing_metrics.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let (Some(metadata), Some(readme)) = (&ctx.kep.metadata, ctx.readme) else { return };
    let key = metadata.metrics.key;
    let is_required = ctx.target.stage.is_some_and(|stage| stage >= Stage::Beta);
    if !is_required || metadata.has_invalid("metrics") || !metadata.metrics.items.is_empty() {
        return;
    }
    let Some((_, place)) = readme.with_role(SectionRole::Metrics) else { return };
    let metrics = names::metrics(readme.document, place.subtree.clone());
    let (general, named): (Vec<_>, Vec<_>) =
        metrics.into_iter().partition(|name| names::is_general_metric(readme.slice(name.clone())));
    if general.len() > named.len() {
        return;
    }
    let Some(first) = named.first() else { return };
    let name = brief(readme.slice(first.clone()));
    let message = match named.len() {
        1 => format!("kep.yaml has no metrics, but the README names `{name}`"),
        count => format!("kep.yaml has no metrics, but the README names `{name}` and {} more", count - 1),
    };
    let lines =
        named.iter().take(bounds::LISTED_NAMES).map(|metric| format!("\n  - {}", brief(readme.slice(metric.clone()))));
    let lines: String = lines.collect();
    let help = match key {
        Some(key) => {
            let line = first_line(slice(&ctx.kep.texts.file(key.file).text, key.start..)).trim_end();
            format!("replace `{}` with:\nmetrics:{lines}", brief(line))
        }
        None => format!("add to kep.yaml:\nmetrics:{lines}"),
    };
    let finding = Diagnostic::at(key.unwrap_or(metadata.top), message)
        .help(help)
        .related(readme.span(first.clone()), "named here")
        .subject(Subject::named(["metrics"]));
    out.report(finding);
}
