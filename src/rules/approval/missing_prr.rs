//! The PRR file of a KEP is missing, or has no entry for its stage.
//!
//! ## Why
//!
//! From v1.21 on, a KEP that is implementable or implemented needs a production readiness review (PRR): an approver for
//! its stage in `keps/prod-readiness/<owning-sig>/<kep-number>.yaml`. Upstream's check fails without one
//! (`pkg/kepval/approval.go`). What is withdrawn in the release under development was reviewed before: `--stage` asks for no
//! new review.
//!
//! ## Bad
//!
//! ```yaml
//! kep-number: 1
//! owning-sig: sig-node
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! ```
//!
//! ```yaml prod-readiness/sig-node/1.yaml
//! kep-number: 1
//! alpha:
//!   approver: "@wojtek-t"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! kep-number: 1
//! owning-sig: sig-node
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! ```
//!
//! ```yaml prod-readiness/sig-node/1.yaml
//! kep-number: 1
//! alpha:
//!   approver: "@wojtek-t"
//! beta:
//!   approver: "@wojtek-t"
//! ```

use crate::kep::review::{APPROVER, Review, entry};
use crate::repository::ReviewFile;
use crate::repository::verdict::Verdict;
use crate::rules::prelude::*;
use crate::span::FileId;

pub const RULE: Rule = Rule {
    name: "missing-prr",
    summary: "the PRR file is missing, or has no entry for the KEP's stage",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Error, closed: Off },
    upstream: &[Script::Metadata],
    docs: docs!("missing_prr.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Approval)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let Kep { metadata: Some(metadata), owner: Some(sig), .. } = ctx.kep else { return };
    let Some(number) = &metadata.number else { return };
    if ctx.repository.reviews.is_none() {
        return;
    }
    if ctx.is_reviewed_by_directory() && !ctx.reviewed_stages().is_empty() {
        report_number(ctx, metadata, number, out);
        return;
    }
    // Where the two numbers differ, `kep-number-mismatch` asks for that of the directory.
    let own = ctx.kep.number().filter(|own| !number::is_same(own, &number.text));
    let number = own.map_or(number.shown(), brief);
    let path = format!("{}/{sig}/{number}.yaml", ctx.repository.shown_reviews());
    let path = brief(&path);
    let ask = || format!("ask one of {} for approval", ctx.repository.approver_names().join(", "));
    for stage in ctx.reviewed_stages() {
        let entry = entry(stage, APPROVER);
        match ctx.repository.verdict(ctx.kep, stage) {
            verdict @ (Verdict::NoFile | Verdict::Elsewhere(_)) => {
                let place = metadata.stage.as_ref().map_or(metadata.top, |field| field.span);
                let elsewhere = match verdict {
                    Verdict::Elsewhere(stray) => elsewhere(ctx, &ctx.kep.texts.file(stray).path, &path),
                    _ => None,
                };
                let finding = Diagnostic::at(place, format!("missing PRR file `{path}`"))
                    .subject(Subject::File)
                    .upstream(metadata.needs_review().then_some(Script::Metadata))
                    .help(match (misnamed(ctx, sig, &number), elsewhere) {
                        (Some(name), _) => format!("rename `{}` to `{number}.yaml`", brief(&name)),
                        (None, Some(help)) => help,
                        (None, None) => format!("{}, and add it:\nkep-number: {number}\n{entry}", ask()),
                    });
                out.report(finding);
                return;
            }
            Verdict::NoEntry => {
                let place = ctx.kep.review.as_ref().map_or(metadata.top, |review| review.top);
                let cause = if metadata.stage() == Some(stage) { metadata.stage.as_ref() } else { None };
                let finding = Diagnostic::at(place, format!("`{path}` has no approver for {stage}"))
                    .subject(Subject::named([stage.name()]))
                    .upstream((metadata.reviewed_stage() == Some(stage)).then_some(Script::Metadata))
                    .help(format!("{}, and add to it:\n{entry}", ask()))
                    .related(cause.map(|field| field.span), format!("required because `stage: {stage}`"));
                out.report(finding);
            }
            // `invalid-prr` and `prr-approver` report what is wrong with an entry.
            Verdict::Unclear | Verdict::NoApprover(_) | Verdict::NotApprover { .. } | Verdict::Approved { .. } => {}
        }
    }
}

/// Reports a `kep-number` under which there is no PRR file, while one has the number of the directory.
fn report_number(ctx: &Ctx<'_>, metadata: &Metadata, written: &Field, out: &mut Sink) {
    let number = ctx.kep.number().unwrap_or_default();
    let message = format!("no PRR file is called `{}.yaml`, but one is `{number}.yaml`", written.shown());
    let others = if number::is_same(number, &written.text) { "" } else { ", or rename the directory and that file" };
    let finding = Diagnostic::at(written.span, message)
        .subject(Subject::File)
        .upstream(metadata.needs_review().then_some(Script::Metadata))
        .help(format!("write `kep-number: {number}`{others}"));
    out.report(finding);
}

/// What to do about a PRR file that is in the directory of another SIG than `owning-sig`.
fn elsewhere(ctx: &Ctx<'_>, stray: &str, path: &str) -> Option<String> {
    let mut parts = stray.rsplit('/');
    // With zeros before its number it may be that of another KEP.
    if parts.next() != path.rsplit('/').next() {
        return None;
    }
    let directory = parts.next().unwrap_or_default();
    let move_it = format!("move `{}` to `{path}`", brief(stray));
    Some(match ctx.kep.texts.sig() {
        Some(sig) if sig == directory && ctx.kep.owner.as_deref() != Some(sig) => {
            format!("write `owning-sig: {}`, as the KEP's directory has it, or {move_it} and move the KEP", brief(sig))
        }
        _ => move_it,
    })
}

/// The PRR file whose name is almost the one that upstream looks for.
fn misnamed(ctx: &Ctx<'_>, sig: &str, number: &str) -> Option<String> {
    let mut reviews = ctx.repository.reviews_of(number).iter();
    if let Some(padded) = reviews.find(|review| review.sig == sig && review.name != number) {
        return Some(format!("{}.yaml", padded.name));
    }
    let short = format!("{number}.yml");
    if ctx.repository.has_path(&format!("keps/prod-readiness/{sig}/{short}")) == Some(true) {
        return Some(short);
    }
    // One of no other KEP, which says that it is of this one, or has the wrong number of the title.
    let title = ctx.readme.as_ref().and_then(|readme| {
        let sections = &readme.document.sections;
        let title = readme.slice(sections.get(sections.title()?).text.clone());
        Some(slice(title, ctx.layout().number_in_title(title)?))
    });
    let others = ctx.repository.reviews.iter().flatten();
    let others = others.filter(|(name, _)| ctx.repository.has_number(name) == Some(false));
    let says = |review: &&ReviewFile| {
        let says = Review::parse(FileId(0), &review.file.text).number;
        says.is_some_and(|own| number::is_same(&own.text, number)) || title == Some(number::without_zeros(&review.name))
    };
    let files = others.flat_map(|(_, files)| files).filter(|review| review.sig == sig);
    files.take(bounds::COMPARED_NAMES).find(says).map(|review| format!("{}.yaml", review.name))
}
