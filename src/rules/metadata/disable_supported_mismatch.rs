//! `disable-supported` in kep.yaml contradicts the README.
//!
//! ## Why
//!
//! `disable-supported` says whether the feature can be disabled again, and the README answers the same question.
//! Production readiness reviewers read both. At stable, an answer that says that the feature gate is locked is not
//! compared: `disable-supported` is about the stages before.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ###### Can the feature be disabled once it has been enabled (i.e. can we roll back the enablement)?
//!
//! Yes, by disabling the feature gate.
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! disable-supported: false
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ###### Can the feature be disabled once it has been enabled (i.e. can we roll back the enablement)?
//!
//! Yes, by disabling the feature gate.
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! disable-supported: true
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "disable-supported-mismatch",
    summary: "`disable-supported` contradicts the README",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::Disablement],
    docs: docs!("disable_supported_mismatch.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let (Some(metadata), Some(readme)) = (&ctx.kep.metadata, ctx.readme) else { return };
    let Some(field) = &metadata.disable_supported else { return };
    let Some((_, place)) = readme.with_role(SectionRole::Disablement) else { return };
    let Some(line) = readme.visible_spans(place.own.clone()).next() else { return };
    let word = first_word(readme.slice(line.clone()));
    let is_yes = match word.to_ascii_lowercase().as_str() {
        "yes" => true,
        "no" => false,
        _ => return,
    };
    let is_locked = ctx.target.stage == Some(Stage::Stable) && says_locked(&readme.visible_text(place.own.clone()));
    if field.value != Some(!is_yes) || is_locked {
        return;
    }
    let message = format!("`disable-supported` is {}, but the README answers {word}", !is_yes);
    let finding = Diagnostic::at(field.span, message)
        .help(format!("set `disable-supported: {is_yes}`, or correct the README"))
        .related(readme.span(line), "answered here");
    out.report(finding);
}

fn says_locked(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case("locked") || word.eq_ignore_ascii_case("locktodefault"))
}

fn first_word(line: &str) -> &str {
    let text = line.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default()
}
