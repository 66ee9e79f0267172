//! A milestone in kep.yaml is not a release, or the latest one is far ahead.
//!
//! ## Why
//!
//! `latest-milestone` decides whether a KEP is being worked on and whether it needs a production readiness review.
//! Upstream's check fails if an implementable or implemented KEP has a value that it cannot read: `V1.37`, `1.37.x`,
//! `TBD`. The milestones of later stages may be open, as `TBD` or `v1.x`; other words there are one level lower.
//! Every milestone of a provisional KEP may be `TBD`.
//!
//! A latest milestone of Kubernetes that is more than two releases ahead is reported as well: nobody plans
//! for it yet, so that it is most likely a slip, and the KEP is judged by the release under development.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: v1.37-alpha
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: v1.37
//! milestone:
//!   alpha: v1.37
//!   beta: TBD
//! ```

use crate::kep::milestone;
use crate::rules::prelude::*;
use crate::stage::release::{is_far, last_planned};

/// The rule. It is an error in more phases than the milestones of stages need, because upstream's check fails.
pub const RULE: Rule = Rule {
    name: "invalid-milestone",
    summary: "a milestone in kep.yaml is not a release, or the latest one is far ahead",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Error, closed: Off },
    fix: Some(Safety::Unsafe),
    upstream: &[Script::Metadata],
    settings: &["groups"],
    docs: docs!("invalid_milestone.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    report_far(ctx, metadata, out);
    let is_read_upstream = metadata.is_implementable_or_implemented();
    let limit = match ctx.target.phase {
        Phase::Stale => Severity::Warning,
        Phase::Implemented => Severity::Advice,
        _ => Severity::Error,
    };
    let latest = metadata.latest_milestone.iter().map(|field| (None, field));
    let target = metadata.stage();
    let chosen = ctx.target.given_stage();
    let lower = if ctx.target.phase == Phase::Active { Severity::Warning } else { Severity::Advice };
    for (stage, field) in latest.chain(metadata.milestones.iter().map(|(stage, field)| (Some(stage), field))) {
        let is_later = stage
            .is_some_and(|stage| chosen != Some(*stage) && !target.is_some_and(|target| stage.is_reached_at(target)));
        let is_open = ctx.target.phase == Phase::Provisional && content::is_placeholder(&field.text, None)
            || is_later && (is_undecided(&field.text) || ctx.target.phase == Phase::Implemented);
        let is_reported_elsewhere = is_open || is_template_value("latest-milestone", &field.text);
        // Upstream reads `137` as v137.0.
        let is_read = milestone::as_kepval_reads_it(&field.text).is_some();
        if field.text.is_empty() || is_reported_elsewhere || is_read && field.text.contains('.') {
            continue;
        }
        let message = match stage {
            None => format!("the latest milestone `{}` is not a release", field.shown()),
            Some(stage) => format!("the {stage} milestone `{}` is not a release", field.shown()),
        };
        let finding = Diagnostic::at(field.span, message);
        let finding = match Release::parse(&field.text.to_lowercase()).or_else(|| without_dot(&field.text)) {
            Some(meant) => finding.replacement(format!("write `\"{meant}\"`"), field.span, format!("\"{meant}\"")),
            None => {
                let given = ctx.target.given_release().filter(|_| stage.is_some() && stage == chosen.as_ref());
                let planned = || ctx.planned_release().plus(u32::from(is_later));
                let example = if ctx.knows_releases() { None } else { Some(Release { major: 1, minor: 2 }) };
                let release = given.or(example).unwrap_or_else(planned);
                finding.help(format!("write a release, such as `\"{release}\"`"))
            }
        };
        let fails_upstream = stage.is_none() && is_read_upstream && !is_read;
        let most = if is_later { lower } else { limit };
        out.report(if fails_upstream { finding.upstream(Script::Metadata) } else { finding.at_most(most) });
    }
}

/// Whether the milestone of a later stage leaves the release open: `TBD`, `none`, `never`, `v1.x`, `?`.
fn is_undecided(text: &str) -> bool {
    let is_mark = |byte: u8| b"xynz?".contains(&byte.to_ascii_lowercase());
    let is_open = |part: &str| part == "1" || part.bytes().all(is_mark) || content::is_placeholder(part, None);
    let form = text.trim().trim_start_matches(['v', 'V']);
    content::is_placeholder(text, None)
        || answer::is_bare(text)
        || text.trim().eq_ignore_ascii_case("never")
        || form.contains('.') && form.split('.').all(is_open)
        || !text.contains(char::is_alphanumeric)
}

/// The release that is meant by `v137` or `37`.
fn without_dot(text: &str) -> Option<Release> {
    let digits = text.trim().trim_start_matches(['v', 'V']);
    let minor = if digits.len() > 2 { digits.strip_prefix('1')? } else { digits };
    let is_minor = minor.len() == 2 && !minor.starts_with('0') && minor.bytes().all(|byte| byte.is_ascii_digit());
    Release::parse(&format!("1.{minor}")).filter(|_| is_minor)
}

/// Reports a latest milestone that nobody plans for yet: most likely a slip of the finger.
fn report_far(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let Some(field) = &metadata.latest_milestone else { return };
    let Some(latest) = field.value.filter(|latest| is_far(*latest, ctx.current, ctx.has_groups())) else { return };
    let (current, last) = (ctx.current, last_planned(ctx.current));
    let message = format!("`latest-milestone` is {latest}, long after {current}");
    let finding = Diagnostic::at(field.span, message).at_most(Severity::Warning);
    // `v1.83` for `v1.38`.
    let swapped = Release { minor: latest.minor % 10 * 10 + latest.minor / 10, ..latest };
    out.report(if (current..=last).contains(&swapped) {
        finding.replacement(format!("did you mean {swapped}?"), field.span, format!("\"{swapped}\""))
    } else {
        finding.help(format!("write the release that the KEP is planned for, {last} at the latest"))
    });
}
