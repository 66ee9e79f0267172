//! kep.yaml has an unknown key.
//!
//! ## Why
//!
//! Upstream decodes kep.yaml strictly: one unknown key at any level fails its check. Keys are case-sensitive. If the
//! key is similar to a known key that kep.yaml does not have yet, the fix writes the known key. A stage at the top level
//! belongs below `milestone`, and is not fixed. Keys in the kep.yaml of the repository's own template are
//! known.
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

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "unknown-key",
    summary: "kep.yaml has an unknown key",
    severity: Ladder::everywhere(Error),
    fix: Some(Safety::Unsafe),
    reveals: true,
    upstream: &[Script::Metadata],
    docs: docs!("unknown_key.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

const PEOPLE: [&str; 3] = ["authors", "reviewers", "approvers"];

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let first_duplicates = metadata.flaws.iter().filter_map(|flaw| match flaw.kind {
        FlawKind::DuplicateKey { first, .. } => Some(first),
        _ => None,
    });
    let duplicated: HashSet<Span> = first_duplicates.collect();
    for flaw in &metadata.flaws {
        let FlawKind::UnknownKey { key, nearest, inner } = &flaw.kind else { continue };
        // `odd-character` repairs the indentation.
        let is_odd = || inner.is_some() && metadata.odd.iter().any(|odd| odd.span == flaw.span);
        if ctx.repository.vocabulary.has_key(key) || is_odd() {
            continue;
        }
        let mut finding = of_flaw(flaw).upstream(Script::Metadata);
        if let Some(own) = ctx.layout().own() {
            finding.help = Some(match (&own.keys.optional, nearest) {
                (None, _) if is_of_template(ctx, key) => continue,
                (_, Some(nearest)) => format!("write `{nearest}:` instead"),
                (Some(_), None) => "remove it, or add it to `keys` in the configuration".to_owned(),
                (None, None) => match PEOPLE.into_iter().find(|people| key.ends_with(people)) {
                    Some(people) => format!("move its names to `{people}`: the template does not have it"),
                    None => "remove it: the template does not have it".to_owned(),
                },
            });
            finding = finding.at_most(if own.keys.optional.is_some() { Severity::Error } else { Severity::Advice });
        }
        let source = slice(&ctx.kep.texts.file(metadata.file).text, flaw.span.range());
        // Upstream would still reject the duplicate key.
        if let Some(nearest) = nearest
            && !duplicated.contains(&flaw.span)
        {
            let text = quoted_like(source, nearest);
            finding.fix = Some(Fix::write(Safety::Unsafe, format!("write `{nearest}`"), flaw.span, text));
        }
        out.report(finding);
    }
}

/// Whether a key may be one of the template, or no key of the template is known.
fn is_of_template(ctx: &Ctx<'_>, key: &str) -> bool {
    let template = &ctx.template.document.source.text;
    let has_keys = ctx.layout().has_front_matter() && front_matter::of_document(template).is_some();
    !has_keys || front_matter::has_key(template, ctx.key_name(key))
}

/// `word` in the quotes of `source`, if it has any: JSON needs them.
fn quoted_like(source: &str, word: &str) -> String {
    let quote = source.chars().next().filter(|first| matches!(first, '"' | '\''));
    quote.map_or(word.to_owned(), |quote| format!("{quote}{word}{quote}"))
}
