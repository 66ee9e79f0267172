//! The graduation criteria name some stage, but not the one that the KEP is about to enter.
//!
//! ## Why
//!
//! What it takes to reach the next stage is what reviewers decide on. Criteria for other stages do not say it.
//!
//! ## Bad
//!
//! ```markdown beta
//! ### Graduation Criteria
//!
//! #### Alpha
//!
//! - Behind a feature gate
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ### Graduation Criteria
//!
//! #### Alpha
//!
//! - Behind a feature gate
//!
//! #### Beta
//!
//! - Feedback of two installers is in
//! ```

use crate::rules::Level::{Off, Warning};
use crate::rules::{Category, Ctx, Fixable, Ladder, Rule, Sink};
use crate::stage::Stage;

/// The rule.
pub const RULE: Rule = Rule {
    name: "missing-graduation-stage",
    category: Category::Sections,
    summary: "the graduation criteria name some stage, but not the target stage",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    fix: Fixable::No,
    source: include_str!("missing_graduation_stage.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let Some(target) = ctx.target.stage.filter(|stage| !stage.is_removal()) else { return };
    let Some(criteria) = ctx.template.titled("Graduation Criteria") else { return };
    let Some(place) = readme.matching.place(criteria) else { return };
    let headings = place.section.into_iter().flat_map(|section| readme.document.sections.descendants(section));
    let mut named: Vec<Stage> = headings.flat_map(|(_, heading)| stages(&heading.title.text)).collect();
    let lines = readme.document.visible_spans(place.subtree.clone()).map(|line| &readme.text[line]);
    named.extend(lines.filter(|line| is_label(line)).flat_map(stages));
    if named.is_empty() || named.contains(&target) {
        return;
    }
    let finding = out.report(readme.span(place.heading.clone()), format!("graduation criteria do not name {target}"));
    finding.help = Some(format!("add what it takes to reach {target}"));
    finding.section = Some(ctx.template.path(criteria));
    ctx.relate_stage(finding);
}

/// Whether a line can be the label of a stage's criteria: bold, an item of a list or table, or with a colon at its end.
fn is_label(line: &str) -> bool {
    line.starts_with(['*', '-', '+', '|', '_'])
        || line.ends_with(':')
        || line.starts_with(|first: char| first.is_ascii_digit())
}

/// The stages that `text` names.
fn stages(text: &str) -> Vec<Stage> {
    let text = text.to_lowercase().replace("g.a", "ga");
    let words = text.split(|letter: char| !letter.is_alphabetic());
    let stage = |word: &str| match word {
        "alpha" => Some(Stage::Alpha),
        "beta" => Some(Stage::Beta),
        "ga" | "stable" | "general" => Some(Stage::Stable),
        _ => None,
    };
    words.filter_map(stage).collect()
}
