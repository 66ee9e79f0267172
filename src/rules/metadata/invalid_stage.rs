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

use crate::diagnostic::{Edit, Fix, Safety};
use crate::kep::schema::is_template_value;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::Error;
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::stage::{Stage, Status};
use crate::suggest;

/// The rule.
pub const RULE: Rule = Rule {
    name: "invalid-stage",
    category: Category::Metadata,
    summary: "the stage of kep.yaml is none of the stages there are",
    severity: Ladder::everywhere(Error),
    fix: Some(Safety::Safe),
    reveals: true,
    is_gap: false,
    upstream: &[],
    source: include_str!("invalid_stage.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(stage) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.stage.as_ref()) else { return };
    let text = stage.text.as_str();
    if text.is_empty() || stage.value.is_some() || is_template_value("stage", text) {
        return;
    }
    let finding = out.report(stage.span, format!("`{}` is not a stage", stage.shown()));
    let word = text.trim().to_lowercase();
    let meant = match word.as_str() {
        "general availability" => Some(Stage::Stable),
        _ => Stage::from_word(&word),
    };
    finding.help = Some(match (meant, Status::from_name(&word)) {
        (Some(meant), _) => format!("write `{meant}`"),
        (None, Some(status)) => format!("set `status: {}`, and as stage the one aimed at", status.name()),
        (None, None) => suggest::help(&word, &Stage::ALL.map(Stage::name)),
    });
    // A block scalar would keep its line break.
    finding.fix = meant.filter(|_| !text.contains('\n')).map(|meant| Fix {
        safety: Safety::Safe,
        title: format!("write `{meant}`"),
        edits: vec![Edit { span: stage.span, text: meant.name().to_owned() }],
    });
}
