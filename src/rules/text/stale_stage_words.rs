//! The text calls the KEP's own field alpha or beta, but the KEP is further.
//!
//! ## Why
//!
//! The comment of an API field says at which stage the field is. When the KEP moves on, the comment in the code changes, and
//! readers of the KEP take the old one for the plan. Only comments that name a feature gate of kep.yaml are reported, all
//! of them as one finding.
//!
//! ## Bad
//!
//! ````markdown beta
//! ```go
//! // This is an alpha field and requires enabling the ImagePrefetch feature gate.
//! Prefetch *bool
//! ```
//! ````
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! feature-gates:
//!   - name: ImagePrefetch
//! ```
//!
//! ## Good
//!
//! ````markdown beta
//! ```go
//! // This is a beta field and requires enabling the ImagePrefetch feature gate.
//! Prefetch *bool
//! ```
//! ````
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! feature-gates:
//!   - name: ImagePrefetch
//! ```

use crate::rules::prelude::*;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// How far after the words about a stage a comment names its gate, in bytes.
const GATE_AFTER_BYTES: usize = 160;

pub const RULE: Rule = Rule {
    name: "stale-stage-words",
    summary: "the KEP's own field is called alpha or beta, but the KEP is further",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    docs: docs!("stale_stage_words.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Text)
};

// The number after an alternative is a KEP that says so.

static STAGE_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        This\ (?:
            is\ an?\ (alpha|beta)(?:-level)?\ (?:field|feature|type|API) # KEP-5055
            | (?:field|feature|type|API)\ is\ (alpha|beta)-level # KEP-3329
        )",
    )
    .expect("the pattern is well-formed")
});

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let Some(stage) = ctx.target.stage.filter(|stage| stage.is_beta_or_stable()) else { return };
    let (Some(readme), Some(metadata)) = (ctx.readme, &ctx.kep.metadata) else { return };
    let gates = metadata.feature_gates.iter().filter_map(FeatureGate::real_name);
    let gates: Vec<&str> = gates.map(|name| name.text.as_str()).collect();
    if gates.is_empty() {
        return;
    }
    let stale = |found: Captures<'_>| -> Option<Range<usize>> {
        let words = found.get(0)?.range();
        let named = Stage::from_word(found.get(1).or(found.get(2))?.as_str())?;
        let is_own = gates.iter().any(|gate| sentence_after(readme.text(), words.end).contains(gate));
        (named < stage && is_own && !readme.is_comment(words.start)).then_some(words)
    };
    let stale: Vec<Range<usize>> = STAGE_WORDS.captures_iter(readme.text()).filter_map(stale).collect();
    let Some((first, others)) = stale.split_first() else { return };
    let message = format!("`{}` is out of date at {stage}", readme.slice(first.clone()));
    let finding = Diagnostic::at(readme.span(first.clone()), message)
        .help(format!("write {stage}, or leave the stage out"))
        .related_others(others, "another one")
        .subject(Subject::named(["stage words"]));
    out.report(finding);
}

fn sentence_after(text: &str, offset: usize) -> &str {
    let after = slice(text, offset..);
    let near = slice(after, ..after.floor_char_boundary(GATE_AFTER_BYTES));
    near.split("\n\n").next().unwrap_or_default()
}
