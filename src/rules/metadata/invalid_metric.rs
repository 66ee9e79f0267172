//! An entry of `metrics` in kep.yaml is not the name of a metric.
//!
//! ## Why
//!
//! Tools and people look for the metrics by these names. A name of a metric has only letters, digits, `_` and `:`; labels
//! may follow in braces. "N/A" and "TBD" are none: a KEP without metrics has an empty list. What a metric is for and
//! which component has it belong into the README, or into a comment after the name.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! metrics:
//!   - kubelet_image_prefetch_errors_total (exposed by kubelet)
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! metrics:
//!   - kubelet_image_prefetch_errors_total # exposed by kubelet
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "invalid-metric",
    summary: "an entry of `metrics` in kep.yaml is not the name of a metric",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    docs: docs!("invalid_metric.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    // At alpha, nobody asks for metrics yet.
    let is_due = ctx.target.stage.is_some_and(Stage::is_beta_or_stable);
    let mut invalid: Vec<&Field> = metadata.metrics.items.iter().collect();
    invalid.retain(|item| is_invalid(&item.text) && (is_due || !content::is_placeholder(&item.text, None)));
    let Some((first, others)) = invalid.split_first() else { return };
    let help = match names::metric_at_start(&first.text) {
        Some(name) => format!("write only `{}`; the rest may be in a comment", brief(name)),
        None if is_blank(&first.text) => "remove it, or write the names of the metrics".to_owned(),
        None => "write the name that `/metrics` shows, and describe it in the README".to_owned(),
    };
    let mut finding = Diagnostic::at(first.span, format!("`{}` is not the name of a metric", first.shown()))
        .help(help)
        .subject(Subject::named(["metrics"]))
        .covers(invalid.iter().map(|item| Subject::named(["metrics", &item.text])).collect());
    others.iter().for_each(|other| finding.relate(other.span, "not a name either"));
    out.report(finding);
}

/// Whether an entry is no name. `placeholder-value` reports what is left of the template.
fn is_invalid(text: &str) -> bool {
    let is_name = names::is_metric_entry(text) && !is_blank(text);
    !is_name && !text.trim().is_empty() && !is_template_value("metrics", text)
}

fn is_blank(text: &str) -> bool {
    answer::begins_not_applicable(text) || answer::is_bare(text) || content::is_placeholder(text, None)
}
