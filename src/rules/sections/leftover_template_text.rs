//! A section that is filled in still has a stand-in or an instruction of the template.
//!
//! ## Why
//!
//! Lines such as ``- `<package>`: `<date>` - `<test coverage>` `` show where an answer belongs. Below an answer they look
//! like a question that was forgotten. Unchecked boxes, blank fields and the questions of the template may stay.
//!
//! An instruction of the template that is visible, not in a comment, is advice. A section that has nothing else is reported
//! by `placeholder-section` or `template-text`.
//!
//! ## Bad
//!
//! ```markdown beta
//! ##### Unit tests
//!
//! The package `pkg/kubelet/images` is covered at 84 %.
//!
//! - `<package>`: `<date>` - `<test coverage>`
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ##### Unit tests
//!
//! The package `pkg/kubelet/images` is covered at 84 %.
//! ```

use crate::diagnostic::{Severity, brief};
use crate::gap::content::Content;
use crate::gap::leftover;
use crate::rules::context::{Ctx, Readme};
use crate::rules::rule::Level::{Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::template::TemplateId;
use crate::template::role::SectionRole;
use std::collections::BTreeMap;
use std::ops::Range;

/// The rule.
pub const RULE: Rule = Rule {
    name: "leftover-template-text",
    category: Category::Sections,
    summary: "a section that is filled in still has a stand-in or an instruction of the template",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("leftover_template_text.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    for (section, lines) in lines(readme) {
        if ctx.template.get(section).role != Some(SectionRole::Signoff) {
            check_section(ctx, readme, section, &lines, out);
        }
    }
}

/// The visible lines of each template section, those of the author's own subsections included.
fn lines(readme: Readme<'_>) -> BTreeMap<TemplateId, Vec<Range<usize>>> {
    let mut lines: BTreeMap<TemplateId, Vec<Range<usize>>> = BTreeMap::new();
    for line in readme.document.visible_spans(readme.text, 0..readme.text.len()) {
        let around = readme.document.sections.at(line.start);
        let owner = around.and_then(|around| readme.matching.nearest_owner(readme.document, around));
        if let Some(owner) = owner {
            lines.entry(owner).or_default().push(line);
        }
    }
    lines
}

fn check_section(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, lines: &[Range<usize>], out: &mut Sink<'_>) {
    let mut stand_ins = Vec::new();
    let mut instructions = Vec::new();
    let mut is_filled = false;
    for line in lines.iter().filter(|line| !readme.document.is_in_block(line)) {
        for text in readme.document.visible_lines(readme.text, line.clone()) {
            match leftover::stand_in(&text) {
                Some(stand_in) => stand_ins.push((line, stand_in)),
                None if leftover::is_instruction(&text, ctx.template) => instructions.push(line),
                None => is_filled |= Content::of_line(&text, ctx.template, ctx.target.stage) == Content::Answer,
            }
        }
    }
    let title = &ctx.template.get(id).title.text;
    let criteria = ctx.template.with_role(SectionRole::GraduationCriteria);
    // The template's bullets for graduation criteria are meant to be kept.
    let keeps_bullets = Some(id) == criteria || ctx.template.ancestors(id).any(|around| Some(around) == criteria);
    if !is_filled {
        return;
    }
    let finding = if let Some(((first, stand_in), others)) = stand_ins.split_first() {
        let message = format!("section `{}` still has `{stand_in}` of the template", brief(title));
        let finding = out.report(readme.span((*first).clone()), message);
        finding.help = Some("write what it stands for, or remove the line".to_owned());
        readme.relate_others(finding, others.iter().map(|(line, _)| *line), "another one");
        finding
    } else if let Some((first, others)) = instructions.split_first().filter(|_| !keeps_bullets) {
        let message = format!("section `{}` still has an instruction of the template", brief(title));
        let finding = out.report(readme.span((*first).clone()), message);
        finding.help = Some("remove it".to_owned());
        finding.at_most(Severity::Advice);
        readme.relate_others(finding, others.iter().copied(), "another one");
        finding
    } else {
        return;
    };
    finding.section = Some(ctx.template.path(id));
}
