//! Evidence in the README as a whole: required sections, unresolved discussions, boxes of the checklist.
use super::answer::{Answer, Detail};
use super::case::Case;
use super::readme::without_readme;
use crate::diagnostic::counted;
use crate::gap::signoff::is_required;
use crate::rules::select;
use crate::stage::Stage;
use crate::template::role::SectionRole;

/// The rules that find required sections that are not filled in, each with the word for that.
const GAPS: [(&str, &str); 6] = [
    ("missing-section", "missing"),
    ("commented-out-section", "commented out"),
    ("swallowed-heading", "hidden"),
    ("empty-section", "empty"),
    ("placeholder-section", "with placeholders"),
    ("template-text", "with template text"),
];

pub const UNFILLED: &[&str] = &[
    "missing-section",
    "commented-out-section",
    "swallowed-heading",
    "empty-section",
    "placeholder-section",
    "template-text",
];

pub const UNRESOLVED: &[&str] = &["unresolved-marker", "unbalanced-unresolved"];

const UNCHECKED: &[&str] = &["unchecked-signoff"];

/// The rule that finds a checklist that does not fit the KEP.
const STALE: &[&str] = &["stale-signoff"];

pub const BOXES: &[&str] = &["unchecked-signoff", "stale-signoff"];

/// All sections that the template requires at the stage are filled in.
pub fn required(case: &Case<'_>) -> Option<Answer> {
    let Some(readme) = case.readme() else { return Some(without_readme(case)) };
    let required = case.ctx.requirements.len();
    let count = |rule: &str| select::open_sections(case.findings.iter().filter(|finding| finding.rule == rule));
    let counts = GAPS.map(|(rule, word)| (count(rule), word));
    let total = select::open_sections(case.findings);
    if total == 0 {
        let words = format!("all {required} are filled in");
        return Some(Answer::met(words).at(case.place(readme.top())));
    }
    let mut details: Vec<Detail> = case.found(UNFILLED).map(|finding| case.detail(finding)).collect();
    details.sort_by_key(|detail| detail.place.as_ref().map(|place| place.line));
    let place = details.first().and_then(|detail| detail.place.clone());
    let counts = counts.into_iter().filter(|(own, _)| *own > 0).map(|(own, word)| format!("{own} {word}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let are = if total == 1 { "is" } else { "are" };
    let answer = Answer::not_met(format!("{total} of {required} {are} open: {counts}")).at(place).with(details);
    Some(answer.remark(format!("{total} of {} {are} open", counted(required, "section", "sections"))))
}

pub fn unresolved(case: &Case<'_>) -> Option<Answer> {
    let Some(readme) = case.readme() else { return Some(without_readme(case)) };
    let findings: Vec<_> = case.found(UNRESOLVED).collect();
    let Some(first) = findings.first() else {
        return Some(Answer::met("none is open").at(case.place(readme.top())));
    };
    let count: usize = findings.iter().map(|finding| finding.count).sum();
    let words = if count == 1 { "1 is open".to_owned() } else { format!("{count} are open") };
    Some(Answer::not_met(words).at(case.place(first.span)).with(findings.iter().map(|finding| case.detail(finding))))
}

/// At stable, all boxes marked `(R)` are checked. Before, the checklist is shown only if there is something to say about it.
pub fn boxes(case: &Case<'_>) -> Option<Answer> {
    let stale = case.found(STALE).next().map(|finding| {
        Answer::look(finding.message.as_str()).at(case.place(finding.span)).with([case.detail(finding)])
    });
    if case.stage != Some(Stage::Stable) {
        return stale;
    }
    let id = case.section(SectionRole::Signoff)?;
    let Some(readme) = case.readme() else { return Some(without_readme(case)) };
    let Some(place) = readme.matching().place(id) else { return Some(Answer::not_met("there is no checklist")) };
    let at = case.place(readme.span(place.heading.clone()));
    let boxes = readme.boxes.iter().filter(|item| place.subtree.contains(&item.span.start));
    let boxes: Vec<_> = boxes.collect();
    let is_marked = boxes.iter().any(|item| is_required(readme.slice(item.span.end..)));
    let open = boxes.iter().filter(|item| !item.ticked).count();
    let stale_details = stale.iter().flat_map(|answer| answer.details.clone());
    Some(match case.found(UNCHECKED).next() {
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
