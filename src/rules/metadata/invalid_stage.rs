//! The `stage` of kep.yaml is none of the stages there are.
//!
//! ## Why
//!
//! The stage decides which sections a KEP owes and whether it needs a production readiness review. Upstream's check
//! of kep.yaml looks at it only where such a review is due.
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

use crate::rules::Level::Error;
use crate::rules::{Category, Ctx, Fixable, Ladder, Rule, Sink};
use crate::stage::Stage;
use crate::suggest;

/// The rule.
pub const RULE: Rule = Rule {
    name: "invalid-stage",
    category: Category::Metadata,
    summary: "the stage of kep.yaml is none of the stages there are",
    severity: Ladder::everywhere(Error),
    fix: Fixable::No,
    source: include_str!("invalid_stage.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(stage) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.stage.as_ref()) else { return };
    if stage.text.is_empty() || Stage::from_name(&stage.text).is_some() {
        return;
    }
    let names = Stage::ALL.map(Stage::name);
    let finding = out.report(stage.span, format!("`{}` is not a stage", stage.text));
    let word = stage.text.to_lowercase();
    finding.help = Some(match word.as_str() {
        "ga" | "general availability" => "write `stable`".to_owned(),
        _ => suggest::help(&word, &names),
    });
}
