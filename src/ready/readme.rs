//! Items about the README as a whole: its table of contents and the Release Signoff Checklist, which decide; and evidence, the
//! required sections, open discussions, and boxes of the checklist.
use super::answer::{Answer, Detail, numbers};
use super::calendar::accepted_anchors;
use super::case::{Case, unread};
use super::questionnaire::joined;
use crate::diagnostic::script::Script;
use crate::diagnostic::{Diagnostic, counted};
use crate::gap::GapKind;
use crate::gap::signoff::is_required;
use crate::matching::written;
use crate::mdtoc;
use crate::requirement;
use crate::rules::select;
use crate::stage::Stage;
use crate::template::role::SectionRole;

pub const TOC: &[&str] = &["missing-toc", "stale-toc"];

/// Upstream's check accepts the tables of contents.
pub fn toc(case: &Case<'_>) -> Option<Answer> {
    let Some(readme) = case.ctx.readme else { return Some(without_readme(case)) };
    let accepts_anchors = case.ctx.repository.has_groups && accepted_anchors(case.ask.release);
    let is_accepted = |finding: &Diagnostic| {
        let text = &case.ctx.kep.texts.file(finding.span.file).text;
        accepts_anchors && finding.rule == "stale-toc" && mdtoc::differs_in_anchors(text)
    };
    let findings = case.found(TOC).filter(|finding| finding.upstream == Some(Script::Toc) && !is_accepted(finding));
    let findings: Vec<_> = findings.collect();
    let Some(mut answer) = case.refused(&findings) else {
        return Some(Answer::met("up to date").at(case.place(readme.top())));
    };
    if findings.first().is_some_and(|first| first.rule == "stale-toc") {
        answer.words = "out of date".to_owned();
    }
    Some(answer)
}

/// The README has the checklist. Boxes that are open do not matter: hardly anybody checks them.
pub fn signoff(case: &Case<'_>) -> Option<Answer> {
    let template = case.ctx.template;
    let id = template.with_role(SectionRole::Signoff)?;
    let Some(readme) = case.ctx.readme else { return Some(without_readme(case)) };
    let heading = format!("{} {}", "#".repeat(template.get(id).level.into()), case.title(id));
    let checklist = template.document.sections.get(template.get(id).source).own.clone();
    let guidance = || joined(&written::lines(&template.document, checklist));
    let path = case.place(readme.top()).given;
    let lines = |text: String| case.lines(&path, text);
    let Some(place) = readme.matching().place(id) else {
        let (words, place) = match case.gap(id).map(|gap| &gap.kind) {
            Some(GapKind::CommentedOut(comment)) => ("is commented out", readme.span(comment.clone())),
            _ => ("is missing", readme.top()),
        };
        let answer = Answer::look(format!("`{heading}` {words}")).at(case.place(place));
        return Some(answer.write(lines(format!("{heading}\n\n{}", guidance()).trim_end().to_owned())));
    };
    let heading_place = case.place(readme.span(place.heading.clone()));
    // Of a heading at a level above the others, all of the KEP is the section.
    let range = readme.matching().text_of(place);
    let listed = readme.visible(range.clone());
    let known = template.signoff_items(id);
    let listed = listed.filter(|(line, text)| !readme.is_in_block(line) && known.include(text));
    if listed.take(LEAST_ITEMS).count() < LEAST_ITEMS {
        return Some(Answer::look(format!("`{heading}` has no checklist")).at(heading_place).write(lines(guidance())));
    }
    let boxes: Vec<_> = readme.boxes.iter().filter(|item| range.contains(&item.span.start)).collect();
    if boxes.is_empty() {
        return Some(Answer::met("it has no boxes").at(heading_place));
    }
    let required: Vec<_> = boxes.iter().filter(|item| is_required(readme.slice(item.span.end..))).copied().collect();
    let (kind, counted) = if required.is_empty() { ("", boxes) } else { ("(R) ", required) };
    let ticked = counted.iter().filter(|item| item.ticked).count();
    Some(Answer::met(format!("{ticked} of {} {kind}boxes are checked", counted.len())).at(heading_place))
}

/// As many items of the template make a checklist.
const LEAST_ITEMS: usize = 2;

/// The answer to what the README should have, if there is none to read.
pub fn without_readme(case: &Case<'_>) -> Answer {
    Answer::not_met(unread(case.ctx.kep.texts.readme, "README.md"))
}

/// The rules that find required sections that are not filled in, each with the word for that.
const GAPS: [(&str, &str); 6] = [
    ("missing-section", "missing"),
    ("commented-out-section", "commented out"),
    ("swallowed-heading", "hidden"),
    ("empty-section", "empty"),
    ("placeholder-section", "with placeholders"),
    ("template-text", "with template text"),
];

pub const UNFILLED: &[&str] = &[GAPS[0].0, GAPS[1].0, GAPS[2].0, GAPS[3].0, GAPS[4].0, GAPS[5].0];

pub const UNRESOLVED: &[&str] = &["unresolved-marker", "unbalanced-unresolved"];

pub const BOXES: &[&str] = &["unchecked-signoff", "stale-signoff"];

/// All sections that the template requires at the stage are filled in.
pub fn required(case: &Case<'_>) -> Option<Answer> {
    let Some(readme) = case.ctx.readme else { return Some(without_readme(case)) };
    let required = requirement::count(case.ctx.requirements);
    let count = |rule: &str| select::open_sections(case.findings.iter().filter(|finding| finding.rule == rule));
    let total = select::open_sections(case.findings);
    if total == 0 {
        let words = format!("all {required} are filled in");
        return Some(Answer::met(words).at(case.place(readme.top())));
    }
    let mut details: Vec<Detail> = case.found(UNFILLED).map(|finding| case.detail(finding)).collect();
    details.sort_by_key(|detail| detail.place.as_ref().map(|place| place.line));
    let place = details.first().and_then(|detail| detail.place.clone());
    let counts = numbers(GAPS.map(|(rule, word)| (count(rule), word)));
    let are = if total == 1 { "is" } else { "are" };
    let answer = Answer::not_met(format!("{total} of {required} {are} open: {counts}")).at(place).with(details);
    Some(answer.remark(format!("{total} of {} {are} open", counted(required, "section", "sections"))))
}

pub fn unresolved(case: &Case<'_>) -> Option<Answer> {
    let Some(readme) = case.ctx.readme else { return Some(without_readme(case)) };
    let findings: Vec<_> = case.found(UNRESOLVED).collect();
    let count: usize = findings.iter().map(|finding| finding.count).sum();
    let words = counted(count, "is open", "are open");
    let open = case.refused(&findings).map(|answer| Answer { words, ..answer });
    Some(open.unwrap_or_else(|| Answer::met("none is open").at(case.place(readme.top()))))
}

/// At stable, all boxes marked `(R)` are checked. Before, the checklist is shown only if there is something to say about it.
pub fn boxes(case: &Case<'_>) -> Option<Answer> {
    let stale = case.found(&["stale-signoff"]).next().map(|finding| {
        Answer::look(finding.message.as_str()).at(case.place(finding.span)).with([case.detail(finding)])
    });
    if case.ask.stage != Some(Stage::Stable) {
        return stale;
    }
    let id = case.ctx.template.with_role(SectionRole::Signoff)?;
    let Some(readme) = case.ctx.readme else { return Some(without_readme(case)) };
    let Some(place) = readme.matching().place(id) else { return Some(Answer::not_met("there is no checklist")) };
    let at = case.place(readme.span(place.heading.clone()));
    let boxes = readme.boxes.iter().filter(|item| place.subtree.contains(&item.span.start));
    let boxes: Vec<_> = boxes.collect();
    let is_marked = boxes.iter().any(|item| is_required(readme.slice(item.span.end..)));
    let open = boxes.iter().filter(|item| !item.ticked).count();
    let stale_details = stale.iter().flat_map(|answer| answer.details.clone());
    Some(match case.found(&["unchecked-signoff"]).next() {
        Some(finding) => {
            Answer::not_met(finding.message.as_str()).at(at).with([case.detail(finding)]).with(stale_details)
        }
        None if stale.is_some() => return stale,
        None if is_marked => Answer::met("all (R) boxes are checked").at(at),
        None if boxes.is_empty() => Answer::look("it has no boxes").at(at),
        None if open == 0 => Answer::met("all boxes are checked").at(at),
        None => Answer::look(format!("no box is marked (R); {open} of {} are open", boxes.len())).at(at),
    })
}
