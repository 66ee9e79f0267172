//! The graduation criteria name some stage, but not the KEP's target stage.
//!
//! ## Why
//!
//! Reviewers decide whether the KEP may reach its target stage. They need the criteria for this stage.
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

use crate::matching::matched::Match;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missing-graduation-stage",
    summary: "the graduation criteria name some stage, but not the target stage",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::GraduationCriteria],
    docs: docs!("missing_graduation_stage.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let Some(target) = ctx.target.stage.filter(|stage| !stage.is_removal()) else { return };
    let Some((criteria, place)) = readme.with_role(SectionRole::GraduationCriteria) else { return };
    let range = place.own.start..end_of_criteria(readme, place);
    let headings = readme.sections.iter().map(|(_, section)| section);
    let headings = headings.filter(|section| range.contains(&section.heading.start));
    let labels: Vec<Stage> = headings.flat_map(|heading| stages(&heading.title.text)).collect();
    let lines: Vec<&str> = readme.visible_spans(range.clone()).map(|line| readme.slice(line)).collect();
    let is_any_named = !labels.is_empty() || lines.iter().any(|line| is_label(line));
    let is_target_named = labels.contains(&target) || lines.iter().any(|line| stages(line).contains(&target));
    // The repository's own template may not know stages.
    let asks_for_stages = || !stages(ctx.template.document.slice(ctx.template.range(criteria))).is_empty();
    if !is_any_named || is_target_named || !asks_for_stages() {
        return;
    }
    let finding =
        Diagnostic::at(readme.span(place.heading.clone()), format!("graduation criteria do not name {target}"))
            .help(format!("add the criteria for {target}"))
            .subject(Subject::named([target.name()]))
            .section(ctx.template.path(criteria));
    out.report(ctx.relate_stage(finding));
}

/// Where the criteria end: at a heading of the template or without a stage; `## GA` may be at a higher level.
fn end_of_criteria(readme: Readme<'_>, place: &Match) -> usize {
    let next = readme.sections.iter().find(|(id, section)| {
        section.heading.start >= place.subtree.end
            && (readme.matching().owner(*id).is_some() || stages(&section.title.text).is_empty())
    });
    next.map_or(readme.text().len(), |(_, section)| section.heading.start)
}

/// Whether a line labels the criteria of a stage: it begins with a stage in bold, or has few other words.
fn is_label(line: &str) -> bool {
    const MOST_WORDS: usize = 4;
    let content = line.trim_start_matches(|mark: char| mark.is_ascii_digit() || "-+*. ".contains(mark));
    let is_bold = slice(line, ..line.len() - content.len()).ends_with("**");
    let label = if is_bold { content.split("**").next().unwrap_or_default() } else { content };
    (is_bold || label.split_whitespace().count() <= MOST_WORDS) && !stages(label).is_empty()
}

fn stages(text: &str) -> Vec<Stage> {
    let text = text.to_lowercase().replace("g.a", "ga");
    let words = text.split(|letter: char| !letter.is_alphabetic());
    let stage = |word: &str| match word {
        "general" | "generally" => Some(Stage::Stable),
        _ => Stage::from_word(word).filter(|stage| !stage.is_removal()),
    };
    words.filter_map(stage).collect()
}
