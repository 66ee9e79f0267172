//! A section that is filled in still has a placeholder or an instruction of the template.
//!
//! ## Why
//!
//! Lines such as ``- `<package>`: `<date>` - `<test coverage>` `` show where an answer belongs. Below an answer they look
//! like a question that was forgotten. Unchecked boxes, blank fields and the questions of the template may stay.
//!
//! A word such as TBD between a heading and its questions is reported too, if one of them is answered.
//!
//! A word such as TBD or TODO, or `NOTE: Placeholder`, in a section that is required at the target stage is a
//! suggestion, but in the history it is a plan. In graduation criteria it is a suggestion if it is all that
//! they say about the next stage.
//!
//! An instruction of the template that is visible, not in a comment, is a suggestion. So is an item of its
//! lists, such as
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

use crate::gap::criteria::Criteria;
use crate::gap::leftover;
use crate::markdown::unresolved::MarkKind;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "leftover-template-text",
    summary: "a section that is filled in still has a placeholder or an instruction of the template",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::GraduationCriteria],
    docs: docs!("leftover_template_text.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    for (section, mut leftovers) in leftovers(ctx, readme) {
        leftovers.notes.retain(|(note, _)| is_open_now(ctx, readme, note));
        if ctx.template.get(section).role != Some(SectionRole::Signoff) && is_filled(ctx, readme, section) {
            report(ctx, readme, section, &leftovers, out);
        }
    }
    for (id, _) in ctx.template.iter().filter(|(id, _)| ctx.template.holds_only_questions(*id)) {
        report_placeholder(ctx, readme, id, out);
    }
    report_next_stage(ctx, readme, out);
}

/// Reports a placeholder between a heading and its questions, if one of these is answered; else the section is a gap.
fn report_placeholder(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, out: &mut Sink) {
    let Some(place) = readme.matching().place(id) else { return };
    let text = readme.matching().text_of(place);
    let lines = readme.visible_lines(text.clone());
    let is_placeholder = Content::of(lines, ctx.template, None, ctx.target.stage).is_placeholder();
    let below = ctx.template.iter().filter(|(_, section)| section.is_question()).map(|(question, _)| question);
    let mut below = below.filter(|question| ctx.template.ancestors(*question).any(|ancestor| ancestor == id));
    if !is_placeholder || !below.any(|question| readme.filled(question).is_some()) {
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

/// Reports criteria for the stage after the target that are only a word like TBD.
fn report_next_stage(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let next = match ctx.target.stage {
        Some(Stage::Alpha) => Stage::Beta,
        Some(Stage::Beta) => Stage::Stable,
        _ => return,
    };
    let Some(id) = ctx.template.with_role(SectionRole::GraduationCriteria) else { return };
    let Some(place) = readme.filled(id) else { return };
    let criteria = Criteria::of(readme.document, place.subtree.clone(), ctx.template, next);
    let Criteria::Open(part, content) = criteria else { return };
    if !content.is_placeholder() || ctx.target.is_record() {
        return;
    }
    let path = ctx.template.path(id);
    let message = format!("graduation criteria for {next}, the next stage, are only a placeholder");
    let finding = Diagnostic::at(readme.span(part.line), message)
        .help(format!("write what must be true before it is {next}"))
        .at_most(Severity::Advice)
        .subject(Subject::named(path.iter().map(String::as_str).chain([next.name()])))
        .section(path);
    out.report(finding);
}

/// Places, each with what distinguishes it from others on its line.
#[derive(Default)]
struct Leftovers {
    stand_ins: Vec<(Range<usize>, &'static str)>,
    instructions: Vec<(Range<usize>, &'static str)>,
    notes: Vec<(Range<usize>, &'static str)>,
}

fn leftovers(ctx: &Ctx<'_>, readme: Readme<'_>) -> BTreeMap<TemplateId, Leftovers> {
    let mut leftovers: BTreeMap<TemplateId, Leftovers> = BTreeMap::new();
    let places = leftover::places(readme.text());
    let indentation = |at: usize| readme.slice(..at).rsplit('\n').next().map_or(0, str::len);
    let mut lines = readme.visible(0..readme.text().len()).peekable();
    while let Some((line, text)) = lines.next() {
        let source = readme.slice(line.clone());
        let place = places.get(places.partition_point(|place| *place < line.start));
        let has_any = place.is_some_and(|place| *place < line.end);
        let stand_in = if has_any { leftover::stand_in(&text) } else { None };
        let note = if has_any { leftover::note(source) } else { None };
        let is_in_comment = |at: usize| readme.comments.iter().any(|comment| comment.span.contains(&at));
        let note = note.filter(|note| !is_in_comment(line.start + note.start));
        // With the author's text below it, an item is a label.
        let is_label = |(below, words): &(Range<usize>, Cow<'_, str>)| {
            indentation(below.start) > indentation(line.start) && !leftover::is_guidance(words, ctx.template)
        };
        let mut is_left_item = || leftover::is_asked_for(&text, ctx.template) && !lines.peek().is_some_and(is_label);
        let is_instruction = stand_in.is_none() && (leftover::is_instruction(&text, ctx.template) || is_left_item());
        if (stand_in.is_none() && note.is_none() && !is_instruction) || readme.is_in_block(&line) {
            continue;
        }
        // A list of what is still to be done has no leftovers.
        let section = readme.sections.at(line.start).map(|section| readme.sections.get(section));
        if note.is_some() && section.is_some_and(|section| section.title.key.starts_with("todo")) {
            continue;
        }
        let Some(owner) = owner(readme, &line) else { continue };
        let left = leftovers.entry(owner).or_default();
        match (stand_in, note) {
            (Some(stand_in), _) => {
                let at = source.find(stand_in).map_or(0..source.len(), |at| at..at + stand_in.len());
                left.stand_ins.push((line.start + at.start..line.start + at.end, stand_in));
            }
            (None, Some(note)) => left.notes.push((line.start + note.start..line.start + note.end, "note")),
            (None, None) => left.instructions.push((line, "instruction")),
        }
    }
    leftovers
}

/// Whether a placeholder is not for a later stage, as "TBD after alpha" is, and not in an open discussion.
fn is_open_now(ctx: &Ctx<'_>, readme: Readme<'_>, note: &Range<usize>) -> bool {
    let line = line_around(readme.text(), note.start);
    let Some(target) = ctx.target.stage else { return true };
    let is_after = ["after", "subsequent", "post", "following"].iter().any(|word| line.contains(word));
    let is_later = |stage: Stage| !stage.is_removal() && (stage > target || (is_after && stage == target));
    let before = readme.unresolved().iter().take_while(|mark| mark.span.start < note.start);
    before.last().is_none_or(|mark| mark.kind == MarkKind::Closer)
        && !answer::named_stages(line).into_iter().any(is_later)
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

/// Whether a section is required at the target stage, is no gap, and is no list of what is planned.
fn is_due(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId) -> bool {
    ctx.requirements.iter().any(|requirement| requirement.section == id)
        && ctx.template.get(id).role != Some(SectionRole::History)
        && readme.filled(id).is_some()
}

fn report(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, leftovers: &Leftovers, out: &mut Sink) {
    let wanted = ctx.template.get(id);
    let title = &wanted.title.text;
    let criteria = ctx.template.with_role(SectionRole::GraduationCriteria);
    // The template's bullets for graduation criteria are meant to be kept.
    let keeps_bullets = Some(id) == criteria || ctx.template.ancestors(id).any(|ancestor| Some(ancestor) == criteria);
    let Leftovers { stand_ins, instructions, notes } = leftovers;
    let (places, what, help, most) = if let Some((_, stand_in)) = stand_ins.first() {
        let what = format!("`{stand_in}` of the template");
        (stand_ins, what, "write what it stands for, or remove the line", Severity::Error)
    } else if !instructions.is_empty() && !keeps_bullets {
        (instructions, "an instruction of the template".to_owned(), "remove it", Severity::Advice)
    } else if let Some((note, _)) = notes.first()
        && !keeps_bullets
        && is_due(ctx, readme, id)
    {
        let what = format!("`{}`", brief(readme.slice(note.clone())));
        (notes, what, "write what it stands for, or remove it", Severity::Advice)
    } else {
        return;
    };
    let Some(((first, _), others)) = places.split_first() else { return };
    let heading = readme.matching().place(id).and_then(|place| place.section);
    let other = heading.map(|heading| &readme.sections.get(heading).title).filter(|own| own.key != wanted.title.key);
    let written = other.map_or(title, |other| &other.text);
    let covers = places
        .iter()
        .map(|(place, kind)| Subject::named([title, line_around(readme.text(), place.start).trim(), kind]))
        .collect();
    let finding = Diagnostic::at(readme.span(first.clone()), format!("section `{}` still has {what}", brief(written)))
        .help(help)
        .at_most(most)
        .related_others(others.iter().map(|(place, _)| place), "another one")
        .covers(covers)
        .of_section(ctx.template.path(id));
    out.report(finding);
}
