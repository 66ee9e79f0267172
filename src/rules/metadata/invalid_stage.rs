//! kep.yaml has an unknown `stage`.
//!
//! ## Why
//!
//! The stage decides which sections are required and which production readiness approval is needed. Upstream's check of
//! kep.yaml reads the stage only if the KEP needs that approval. A stage that the repository's own template lists
//! asks for what the stage before it in the list asks for.
//!
//! The fix is offered for other spellings of a stage, such as `GA` or `Beta`. A typo only gets a suggestion.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: GA
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! stage: stable
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "invalid-stage",
    summary: "kep.yaml has an unknown `stage`",
    severity: Ladder::everywhere(Error),
    fix: Some(Safety::Unsafe),
    reveals: true,
    upstream: &[Script::Metadata],
    docs: docs!("invalid_stage.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let Some(stage) = &metadata.stage else { return };
    let text = stage.text.as_str();
    if text.is_empty() || stage.value.is_some() || is_template_value("stage", text) {
        return;
    }
    let finding = Diagnostic::at(stage.span, format!("unknown stage `{}`", stage.shown()))
        .upstream(metadata.needs_review().then_some(Script::Metadata));
    let word = text.trim().to_lowercase();
    let meant = if word == "general availability" { Some(Stage::Stable) } else { Stage::from_word(&word) };
    let names = Stage::ALL.map(|known| ctx.layout().stage_word(known).to_owned());
    out.report(match (meant, Status::from_name(&word), latest(metadata, &word)) {
        (Some(meant), ..) => {
            let name = ctx.layout().stage_word(meant);
            finding.help(format!("write `{name}`")).fix(spelled(stage, name))
        }
        (None, Some(status), _) => {
            finding.help(format!("set `status: {}`, and write the target stage here", status.name()))
        }
        (None, None, Some((likely, release))) => {
            finding.help(format!("write `{likely}`: `milestone.{likely}` is {release}, the latest milestone"))
        }
        (None, None, None) => match suggest::nearest(&word, names.each_ref().map(String::as_str)) {
            Some(likely) if !word.contains(char::is_whitespace) => {
                finding.replacement(format!("did you mean `{likely}`?"), stage.span, likely)
            }
            _ => finding.help(suggest::help(&word, &names.each_ref().map(String::as_str))),
        },
    });
}

/// Of the stages that a text of several words names, the only one whose milestone is the latest one.
fn latest(metadata: &Metadata, text: &str) -> Option<(Stage, Release)> {
    let latest = metadata.milestone()?;
    let words: Vec<&str> = text.split(|letter: char| !letter.is_alphabetic()).collect();
    let is_named = |stage: Stage| words.iter().any(|word| Stage::from_word(word) == Some(stage));
    let fields = metadata.milestones.iter();
    let (stage, _) = only_one(fields.filter(|(stage, it)| it.value == Some(latest) && is_named(*stage)))?;
    Some((*stage, latest))
}
