//! A metric in kep.yaml does not occur in the README, or kep.yaml lacks one of the README's SLIs.
//!
//! ## Why
//!
//! The README explains what the metrics mean and how to watch them. A metric that it does not name has most likely been
//! renamed in one of the two files. The name may be without its first words, such as those of the component, but
//! one that goes on, as `pulls_total` does after `pulls`, is another one. Several metrics are one finding.
//!
//! From beta on, if the README names all of them, a metric in its question about SLIs that kep.yaml lacks is
//! reported. General metrics of Kubernetes, and those that the README calls existing, are not.
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

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "metric-mismatch",
    summary: "kep.yaml or the README has a metric that the other one lacks",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::Metrics],
    docs: docs!("metric_mismatch.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let (Some(metadata), Some(readme)) = (&ctx.kep.metadata, ctx.readme) else { return };
    let unnamed = metadata.metrics.items.iter().take(bounds::COMPARED_NAMES).filter_map(|item| {
        let name = names::metric_at_start(&item.text)?;
        (!is_template_value("metrics", &item.text) && !is_named(readme.text(), name)).then_some((item, name))
    });
    let unnamed: Vec<(&Field, &str)> = unnamed.collect();
    let Some(((first, name), others)) = unnamed.split_first() else {
        return report_unlisted(ctx, metadata, readme, out);
    };
    let more = if others.is_empty() { String::new() } else { format!(" and {} more of kep.yaml", others.len()) };
    let help = match in_other_words(metadata, readme.text(), name) {
        Some(near) => format!("use one name: the README has `{}`; otherwise describe it there", brief(near)),
        None => "describe it in the README, or correct it here".to_owned(),
    };
    let mut finding =
        Diagnostic::at(first.span, format!("the README does not name the metric `{}`{more}", brief(name)))
            .help(help)
            .subject(Subject::named(["metrics"]))
            .covers(unnamed.iter().map(|(_, metric)| Subject::named(["metrics", metric])).collect());
    others.iter().for_each(|(other, _)| finding.relate(other.span, "not named either"));
    out.report(finding);
}

/// The name in the README that most likely means the metric: kep.yaml lacks it, and at most two words differ.
fn in_other_words<'a>(metadata: &Metadata, text: &'a str, name: &str) -> Option<&'a str> {
    const MOST: usize = 2;
    let is_listed =
        |word: &str| metadata.metrics.items.iter().any(|item| names::metric_at_start(&item.text) == Some(word));
    let others = |one: &str, other: &str| one.split('_').filter(|word| !other.split('_').any(|it| it == *word)).count();
    let lines = text.lines().filter(|line| line.contains('_'));
    let words = lines.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    let metrics =
        words.filter(|word| word.contains('_') && names::metric_at_start(word) == Some(*word) && !is_listed(word));
    suggest::nearest(name, metrics.filter(|word| others(name, word) <= MOST && others(word, name) <= MOST))
}

/// Reports metrics of the README that the list in kep.yaml lacks. Without a list, `missing-metrics` does.
fn report_unlisted(ctx: &Ctx<'_>, metadata: &Metadata, readme: Readme<'_>, out: &mut Sink) {
    let (Some(key), Some(stage)) = (metadata.metrics.key, ctx.target.stage) else { return };
    let Some((_, place)) = readme.with_role(SectionRole::Metrics) else { return };
    let items = metadata.metrics.items.iter().filter(|item| !is_template_value("metrics", &item.text));
    let listed: Vec<&str> = items.filter_map(|item| names::metric_at_start(&item.text)).collect();
    let is_listed = |name: &str| listed.iter().any(|other| is_named(other, name) || is_named(name, other));
    let mut unlisted = names::metrics(readme.document, place.subtree.clone());
    unlisted.retain(|name| {
        // Of a metric that was there before, the KEP is not the home.
        let is_older = line_around(readme.text(), name.start).contains("existing");
        let name = readme.slice(name.clone());
        let name = name.strip_suffix("_bucket").unwrap_or(name);
        !is_older && !names::is_general_metric(name) && !is_listed(name)
    });
    if listed.is_empty() || !stage.is_beta_or_stable() {
        return;
    }
    let Some(first) = unlisted.first() else { return };
    let name = brief(readme.slice(first.clone())).into_owned();
    let more = if unlisted.len() == 1 { String::new() } else { format!(" and {} more", unlisted.len() - 1) };
    let other = listed.iter().find(|other| other.starts_with(&*name) || name.starts_with(**other));
    let help = match other.map(|other| brief(other)) {
        Some(other) => format!("add `{name}` here, or use one name: kep.yaml has `{other}`"),
        None => format!("add `{name}` here if it shows the health of the feature"),
    };
    let subject = |metric: &Range<usize>| Subject::named(["metrics", "unlisted", readme.slice(metric.clone())]);
    let finding = Diagnostic::at(key, format!("`metrics` lacks `{name}`{more} of the README"))
        .help(help)
        .related(readme.span(first.clone()), "named here")
        .subject(Subject::named(["metrics", "unlisted"]))
        .covers(unlisted.iter().map(subject).collect());
    out.report(finding);
}

/// Whether `text` has the name, maybe with or without the words of the component before it, or with what
/// Prometheus adds to that of a histogram.
fn is_named(text: &str, name: &str) -> bool {
    const LEAST_WORDS: usize = 3;
    let starts = std::iter::once(0).chain(name.match_indices('_').map(|(at, _)| at + 1));
    let mut ends = starts.map(|start| slice(name, start..));
    let has_whole = search::words(text, name).any(|at| {
        let after = slice(text, at + name.len()..);
        let rest = after.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
        matches!(rest, None | Some("" | "_bucket" | "_count" | "_sum"))
    });
    has_whole || ends.any(|end| end.split('_').count() >= LEAST_WORDS && names::occurs(text, end, 1))
}
