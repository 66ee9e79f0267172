//! A metric in kep.yaml does not occur in the README.
//!
//! ## Why
//!
//! The README explains what the metrics mean and how to watch them. A metric that it does not name has most likely been
//! renamed in one of the two files. The name may be without its first words, such as those of the component. Several
//! metrics are one finding.
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
//! metrics:
//!   - kubelet_image_prefetch_error_count
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

use crate::kep::names;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "metric-mismatch",
    summary: "a metric in kep.yaml does not occur in the README",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    docs: docs!("metric_mismatch.rs"),
    checks: Checks::of_kep(check),
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let (Some(metadata), Some(readme)) = (&ctx.kep.metadata, ctx.readme) else { return };
    let unnamed = metadata.metrics.items.iter().take(bounds::COMPARED_NAMES).filter_map(|item| {
        let name = names::metric_at_start(&item.text)?;
        (!is_template_value("metrics", &item.text) && !is_named(readme.text(), name)).then_some((item, name))
    });
    let unnamed: Vec<(&Field, &str)> = unnamed.collect();
    let Some(((first, name), others)) = unnamed.split_first() else { return };
    let more = if others.is_empty() { String::new() } else { format!(" and {} more of kep.yaml", others.len()) };
    let mut finding =
        Diagnostic::at(first.span, format!("the README does not name the metric `{}`{more}", brief(name)))
            .help("describe it in the README, or correct it here")
            .subject(Subject::named(["metrics"]));
    let names = std::iter::once(name).chain(others.iter().map(|(_, other)| other));
    finding.covers = names.map(|metric| Subject::named(["metrics", metric])).collect();
    others.iter().for_each(|(other, _)| finding.relate(other.span, "not named either"));
    out.report(finding);
}

/// Whether `text` has the name, maybe without the words of the component before it.
fn is_named(text: &str, name: &str) -> bool {
    const LEAST_WORDS: usize = 3;
    let starts = std::iter::once(0).chain(name.match_indices('_').map(|(at, _)| at + 1));
    let mut ends = starts.map(|start| slice(name, start..));
    text.contains(name) || ends.any(|end| end.split('_').count() >= LEAST_WORDS && names::occurs(text, end, 1))
}
