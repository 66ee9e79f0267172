//! From beta on, the implementation history names neither the target stage nor its release.
//!
//! ## Why
//!
//! The history shows which release had which stage. Reviewers see from it how long a feature was in its last
//! stage. Work towards a stage is no entry for it.
//!
//! ## Bad
//!
//! ```markdown beta
//! ## Implementation History
//!
//! - 2025-05-02: KEP accepted
//! - v1.35: alpha
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ## Implementation History
//!
//! - 2025-05-02: KEP accepted
//! - v1.35: alpha
//! - v1.37: beta
//! ```

use crate::rules::prelude::*;
use regex::Regex;
use std::sync::LazyLock;

/// A stage that is still to be reached, in lower case: "work towards GA", "a way to GA".
static AIM: LazyLock<Regex> = LazyLock::new(|| {
    let aim = r"(?-u)\b(?:towards?|(?:way|path|road)(?: forward)? to|not ready for)\s+(?:the\s+)?[a-z]+";
    Regex::new(aim).expect("the pattern is well-formed")
});

pub const RULE: Rule = Rule {
    name: "stale-history",
    summary: "from beta on, the implementation history names neither the target stage nor its release",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::History],
    docs: docs!("stale_history.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let Some(stage) = ctx.target.stage.filter(|stage| stage.is_beta_or_stable()) else { return };
    let Some(id) = ctx.template.with_role(SectionRole::History) else { return };
    let Some(place) = readme.filled(id) else { return };
    let words = readme.words(place).to_lowercase();
    let text = AIM.replace_all(&words, "");
    let releases = releases(ctx, stage);
    let names_release = releases.iter().any(|release| answer::names_release(&text, *release));
    if names_release || answer::names_stage(&text, stage) {
        return;
    }
    let mut named = ctx.kep.targets.iter().filter(|target| answer::names_release(&text, target.release));
    let is_of_stages = named.next().is_some() || !answer::named_stages(&text).is_empty();
    let is_ahead = !releases.is_empty() && !releases.iter().any(|release| release.is_out(ctx.current));
    // Elsewhere, a history need not be one of stages, and tells what is done.
    if !ctx.layout().is_of_keps() && (!is_of_stages || is_ahead) {
        return;
    }
    // A later stage cannot be in a release that is out.
    let is_later = ctx.kep.metadata.as_ref().is_some_and(|metadata| metadata.stage() != Some(stage));
    let is_real = |release: &&Release| release.major > 0 && !(is_later && release.is_out(ctx.current));
    let release = releases.iter().find(is_real).map(|release| format!(" ({release})")).unwrap_or_default();
    let word = ctx.layout().stage_word(stage);
    let message = format!("the history names neither {word} nor its release{release}");
    let finding = Diagnostic::at(readme.span(place.heading.clone()), message)
        .help(format!("add an entry for {word}"))
        .subject(Subject::named([stage.name()]))
        .section(ctx.template.path(id));
    out.report(ctx.relate_stage(finding));
}

/// The release of `stage` in kep.yaml or the text, the latest one, and the one that a given stage is asked for.
fn releases(ctx: &Ctx<'_>, stage: Stage) -> Vec<Release> {
    let milestone = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.milestone_of(stage)?.value);
    let latest = ctx.kep.metadata.as_ref().filter(|metadata| metadata.stage() == Some(stage));
    let latest = latest.and_then(|metadata| metadata.milestone());
    let targets = ctx.kep.targets.iter().filter(|target| target.stage == Some(stage)).map(|target| target.release);
    milestone.into_iter().chain(latest).chain(targets).chain(ctx.target.given_release()).collect()
}
