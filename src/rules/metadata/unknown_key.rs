//! kep.yaml has a key that upstream's tools do not know.
//!
//! ## Why
//!
//! Upstream decodes kep.yaml strictly: one unknown key at any depth fails its check. Case counts. Where the key is
//! nearly one of the known ones that are not there yet, the fix writes that one.
//!
//! ## Bad
//!
//! ```yaml
//! status: provisional
//! lastest-milestone: "v1.37"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: provisional
//! latest-milestone: "v1.37"
//! ```

use crate::diagnostic::{Edit, Fix, Safety};
use crate::kep::schema::{Flaw, FlawKind};
use crate::rules::context::Ctx;
use crate::rules::rule::Level::Error;
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::span::{Span, slice};
use std::collections::HashSet;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unknown-key",
    category: Category::Metadata,
    summary: "kep.yaml has a key that upstream's tools do not know",
    severity: Ladder::everywhere(Error),
    fix: Some(Safety::Unsafe),
    reveals: true,
    is_gap: false,
    upstream: &["hack/verify-kep-metadata.sh"],
    source: include_str!("unknown_key.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    let doubled: HashSet<Span> = metadata.flaws.iter().filter_map(first_of_two).collect();
    for flaw in &metadata.flaws {
        let FlawKind::UnknownKey { nearest, .. } = &flaw.kind else { continue };
        let finding = out.report(flaw.span, flaw.kind.message());
        finding.help = Some(flaw.kind.help());
        let source = slice(&ctx.kep.texts.file(metadata.file).text, flaw.span.range());
        // What is there twice would still be refused.
        let Some(nearest) = nearest.filter(|_| !doubled.contains(&flaw.span)) else { continue };
        let edits = vec![Edit { span: flaw.span, text: quoted_like(source, nearest) }];
        finding.fix = Some(Fix { safety: Safety::Unsafe, title: format!("write `{nearest}`"), edits });
    }
}

/// The first of two keys, if the second is what is wrong.
fn first_of_two(flaw: &Flaw) -> Option<Span> {
    match flaw.kind {
        FlawKind::DuplicateKey { first, .. } => Some(first),
        _ => None,
    }
}

/// `word` in the quotes that `source` has, if any: JSON needs them.
fn quoted_like(source: &str, word: &str) -> String {
    let quote = source.chars().next().filter(|first| matches!(first, '"' | '\''));
    quote.map_or(word.to_owned(), |quote| format!("{quote}{word}{quote}"))
}
