//! A section that is filled in still has a placeholder or an instruction of the template.
//!
//! ## Why
//!
//! Lines such as ``- `<package>`: `<date>` - `<test coverage>` `` show where an answer belongs. Below an answer they look
//! like a question that was forgotten. Unchecked boxes, blank fields and the questions of the template may stay.
//!
//! A word such as TBD between a heading and its questions is reported too, if one of them is answered.
//!
//! An instruction of the template that is visible, not in a comment, is advice. So is an item of its lists, such as
//! "estimated throughput", unless it is a label with text below it. A section that has nothing else is reported
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

use crate::gap::content::Content;
use crate::gap::leftover;
use crate::rules::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;

pub const RULE: Rule = Rule {
    name: "leftover-template-text",
    summary: "a section that is filled in still has a placeholder or an instruction of the template",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::GraduationCriteria],
    docs: docs!("leftover_template_text.rs"),
    checks: Checks::of_readme(check),
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink<'_>) {
    for (section, leftovers) in leftovers(ctx, readme) {
        if ctx.template.get(section).role != Some(SectionRole::Signoff) && is_filled(ctx, readme, section) {
            report(ctx, readme, section, &leftovers, out);
        }
    }
    for (id, _) in ctx.template.iter().filter(|(id, _)| ctx.template.holds_only_questions(*id)) {
        report_placeholder(ctx, readme, id, out);
    }
}

/// Reports a placeholder between a heading and its questions, if one of these is answered; else the section is a gap.
fn report_placeholder(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, out: &mut Sink<'_>) {
    let Some(place) = readme.matching().place(id) else { return };
    let text = readme.matching().text_of(place);
    let lines = readme.visible_lines(text.clone());
    let is_placeholder = Content::of(lines, ctx.template, None, ctx.target.stage).is_placeholder();
    let below = ctx.template.iter().filter(|(_, section)| section.is_question()).map(|(question, _)| question);
    let mut below = below.filter(|question| ctx.template.ancestors(*question).any(|ancestor| ancestor == id));
    if !is_placeholder || !below.any(|question| readme.filled(ctx.template, question).is_some()) {
        return;
    }
    let Some(line) = readme.visible_spans(text).next() else { return };
    let title = &ctx.template.get(id).title.text;
    let message = format!("section `{title}` has placeholder text above its questions");
    let path = ctx.template.path(id);
    let finding = Diagnostic::at(readme.span(line), message)
        .help("remove it: the answers are below it")
        .subject(Subject::named(path.iter().map(String::as_str).chain(["placeholder"])))
        .section(path);
    out.report(finding);
}

#[derive(Default)]
struct Leftovers {
    stand_ins: Vec<(Range<usize>, &'static str)>,
    instructions: Vec<Range<usize>>,
}

fn leftovers(ctx: &Ctx<'_>, readme: Readme<'_>) -> BTreeMap<TemplateId, Leftovers> {
    let mut leftovers: BTreeMap<TemplateId, Leftovers> = BTreeMap::new();
    let has_stand_ins = leftover::may_have_stand_in(readme.text());
    let mut lines = readme.visible(0..readme.text().len()).peekable();
    while let Some((line, text)) = lines.next() {
        let stand_in = if has_stand_ins { leftover::stand_in(&text) } else { None };
        // With the author's text below it, an item is a label.
        let is_label = |(below, words): &(Range<usize>, Cow<'_, str>)| {
            indentation(readme, below) > indentation(readme, &line) && !leftover::is_guidance(words, ctx.template)
        };
        let mut is_left_item = || leftover::is_asked_for(&text, ctx.template) && !lines.peek().is_some_and(is_label);
        let is_instruction = stand_in.is_none() && (leftover::is_instruction(&text, ctx.template) || is_left_item());
        if (stand_in.is_none() && !is_instruction) || readme.is_in_block(&line) {
            continue;
        }
        let Some(owner) = owner(readme, &line) else { continue };
        let left = leftovers.entry(owner).or_default();
        match stand_in {
            Some(stand_in) => left.stand_ins.push((line, stand_in)),
            None => left.instructions.push(line),
        }
    }
    leftovers
}

fn indentation(readme: Readme<'_>, line: &Range<usize>) -> usize {
    let before = readme.slice(..line.start);
    before.len() - before.rfind('\n').map_or(0, |end| end + 1)
}

fn owner(readme: Readme<'_>, line: &Range<usize>) -> Option<TemplateId> {
    readme.matching().nearest_owner(readme.document, readme.sections.at(line.start)?)
}

/// Whether a section has a line of the author's own; a form line of which a part is filled in is one.
fn is_filled(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId) -> bool {
    let Some(place) = readme.matching().place(id) else { return false };
    let belongs_here = |line: &Range<usize>| !readme.is_in_block(line) && owner(readme, line) == Some(id);
    let is_answer = |text: &str| Content::of_line(text, ctx.template, ctx.target.stage) == Content::Answer;
    let mut lines = readme.visible(place.subtree.clone());
    lines.any(|(line, text)| belongs_here(&line) && is_answer(&text))
}

fn report(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, leftovers: &Leftovers, out: &mut Sink<'_>) {
    let title = &ctx.template.get(id).title.text;
    let subject = |line: &Range<usize>, kind: &str| Subject::named([title, readme.slice(line.clone()), kind]);
    let criteria = ctx.template.with_role(SectionRole::GraduationCriteria);
    // The template's bullets for graduation criteria are meant to be kept.
    let keeps_bullets = Some(id) == criteria || ctx.template.ancestors(id).any(|ancestor| Some(ancestor) == criteria);
    let (finding, covers) = if let Some(((first, stand_in), others)) = leftovers.stand_ins.split_first() {
        let message = format!("section `{}` still has `{stand_in}` of the template", brief(title));
        let finding = Diagnostic::at(readme.span(first.clone()), message)
            .help("write what it stands for, or remove the line")
            .related_others(others.iter().map(|(line, _)| line), "another one");
        (finding, leftovers.stand_ins.iter().map(|(line, word)| subject(line, word)).collect())
    } else if let Some((first, others)) = leftovers.instructions.split_first()
        && !keeps_bullets
    {
        let message = format!("section `{}` still has an instruction of the template", brief(title));
        let finding = Diagnostic::at(readme.span(first.clone()), message)
            .help("remove it")
            .at_most(Severity::Advice)
            .related_others(others.iter(), "another one");
        (finding, leftovers.instructions.iter().map(|line| subject(line, "instruction")).collect())
    } else {
        return;
    };
    let path = ctx.template.path(id);
    out.report(finding.covers(covers).subject(Subject::named(&path)).section(path));
}
