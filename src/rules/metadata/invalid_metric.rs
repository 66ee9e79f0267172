//! An entry of `metrics` in kep.yaml is not the name of a metric.
//!
//! ## Why
//!
//! Tools and people look for the metrics by these names. A name of a metric has only letters, digits, `_` and `:`; labels
//! may follow in braces. What a metric is for and which component has it belong into the README, or into a comment after
//! the name.
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

use crate::gap::content;
use crate::kep::names;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "invalid-metric",
    summary: "an entry of `metrics` in kep.yaml is not the name of a metric",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    docs: docs!("invalid_metric.rs"),
    checks: Checks::of_metadata(check),
    ..Rule::of(Category::Metadata)
};

fn check(_: &Ctx<'_>, metadata: &Metadata, out: &mut Sink<'_>) {
    let invalid: Vec<&Field> = metadata.metrics.items.iter().filter(|item| is_invalid(&item.text)).collect();
    let Some((first, others)) = invalid.split_first() else { return };
    let help = match names::metric_at_start(&first.text) {
        Some(name) => format!("write only `{}`; the rest may be in a comment", brief(name)),
        None => "write the name that `/metrics` shows, and describe it in the README".to_owned(),
    };
    let mut finding = Diagnostic::at(first.span, format!("`{}` is not the name of a metric", first.shown()))
        .help(help)
        .subject(Subject::named(["metrics"]))
        .covers(invalid.iter().map(|item| Subject::named(["metrics", &item.text])).collect());
    others.iter().for_each(|other| finding.relate(other.span, "not a name either"));
    out.report(finding);
}

/// Whether an entry is meant as a metric and is no name. Other rules report what only stands for one.
fn is_invalid(text: &str) -> bool {
    let is_none = text.trim().is_empty() || text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("n/a"));
    !names::is_metric_entry(text)
        && !is_none
        && !content::is_placeholder(text, None)
        && !is_template_value("metrics", text)
}
