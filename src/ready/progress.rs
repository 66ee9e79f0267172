//! Evidence about the stage: its graduation criteria, and its entry in the implementation history.

use super::answer::Answer;
use super::case::Case;
use super::criteria::{Mark, Part, names_any, parts};
use super::readme::without_readme;
use crate::gap::answer::{names_release, names_stage};
use crate::gap::content::Content;
use crate::matching::matched::Match;
use crate::rules::context::Readme;
use crate::stage::Stage;
use crate::template::TemplateId;
use crate::template::role::SectionRole;
use std::borrow::Cow;
use std::ops::Range;

/// The rule that finds graduation criteria that are only for other stages.
pub const GRADUATION: &[&str] = &["missing-graduation-stage"];

/// The graduation criteria name the stage.
pub fn graduation(case: &Case<'_>) -> Option<Answer> {
    let id = case.section(SectionRole::GraduationCriteria)?;
    let (readme, place) = match filled(case, id) {
        Ok(found) => found,
        Err(answer) => return Some(*answer),
    };
    let Some(stage) = case.stage else { return Some(Answer::look("there is no stage to compare with")) };
    let at = case.place(readme.span(place.heading.clone()));
    if let Some(finding) = case.found(GRADUATION).next() {
        let detail = case.detail(finding);
        return Some(Answer::not_met(format!("they name other stages, not {stage}")).at(at).with([detail]));
    }
    // The rule also reads criteria after the section, under headings such as `## GA`.
    let names_any = names_any(&words(readme, place));
    Some(match criteria(case, readme, place, stage) {
        Criteria::Filled => Answer::met(format!("they name {stage}")).at(at),
        Criteria::Open(heading) => {
            let at = case.place(readme.span(heading));
            Answer::not_met(format!("those for {stage} are not filled in")).at(at)
        }
        Criteria::Mentioned => Answer::look(format!("they mention {stage}, but have no part for it")).at(at),
        Criteria::None if names_any || stage.is_removal() => {
            Answer::look(format!("perhaps they are not about {stage}")).at(at)
        }
        Criteria::None => Answer::look("they name no stage").at(at),
    })
}

/// What the criteria have for a stage.
enum Criteria {
    /// A part of their own.
    Filled,
    /// A part of their own, at this heading or line, without an answer.
    Open(Range<usize>),
    /// Only words somewhere.
    Mentioned,
    /// Nothing.
    None,
}

/// Looks for the part about `stage`. If a heading names it, other lines do not count.
fn criteria(case: &Case<'_>, readme: Readme<'_>, place: &Match, stage: Stage) -> Criteria {
    let mut parts = parts(readme.document, readme.text, place.subtree.clone());
    parts.retain(|part| part.is_about(stage));
    if parts.iter().any(|part| part.mark == Mark::Heading) {
        parts.retain(|part| part.mark == Mark::Heading);
    }
    let is_filled = |part: &Part| {
        let below = readme.document.visible_lines(readme.text, part.line.end..part.end);
        let rest = Some(Cow::Borrowed(part.rest.as_str())).filter(|rest| !rest.is_empty());
        let role = Some(SectionRole::GraduationCriteria);
        Content::of(rest.into_iter().chain(below), case.ctx.template, role, Some(stage)) == Content::Answer
    };
    match parts.first() {
        Some(_) if parts.iter().any(is_filled) => Criteria::Filled,
        Some(first) => Criteria::Open(first.line.clone()),
        None if names_stage(&words(readme, place), stage) => Criteria::Mentioned,
        None => Criteria::None,
    }
}

/// The history names the stage or the release; before beta, it is enough that there is one.
pub fn history(case: &Case<'_>) -> Option<Answer> {
    let id = case.section(SectionRole::History)?;
    let (readme, place) = match filled(case, id) {
        Ok(found) => found,
        Err(answer) => return Some(*answer),
    };
    let at = case.place(readme.span(place.heading.clone()));
    let (text, release) = (words(readme, place), case.release);
    let Some(stage) = case.stage else { return Some(Answer::look("there is no stage to compare with").at(at)) };
    Some(if names_release(&text, release) {
        Answer::met(format!("it names {release}")).at(at)
    } else if names_stage(&text, stage) {
        Answer::met(format!("it names {stage}")).at(at)
    } else if stage == Stage::Alpha {
        Answer::met("it is filled in").at(at)
    } else {
        Answer::not_met(format!("it names neither {stage} nor {release}")).at(at)
    })
}

/// Where the section `id` is; else the answer that it is missing, or not filled in.
fn filled<'a>(case: &Case<'a>, id: TemplateId) -> Result<(Readme<'a>, &'a Match), Box<Answer>> {
    let Some(readme) = case.readme() else { return Err(Box::new(without_readme(case))) };
    let Some(place) = readme.matching.place(id) else {
        return Err(Box::new(Answer::not_met("the section is missing").at(case.place(readme.top()))));
    };
    match readme.filled(case.ctx.template, id) {
        Some(place) => Ok((readme, place)),
        None => {
            let at = case.place(readme.span(place.heading.clone()));
            Err(Box::new(Answer::not_met("the section is not filled in").at(at)))
        }
    }
}

/// What a reader sees in a section, with the headings in it.
fn words(readme: Readme<'_>, place: &Match) -> String {
    let headings = readme.document.sections.iter().map(|(_, section)| section);
    let inside = headings.filter(|section| {
        section.heading.start > place.heading.start && place.subtree.contains(&section.heading.start)
    });
    let titles: String = inside.map(|section| format!("{}\n", section.title.text)).collect();
    without_addresses(&(titles + &readme.visible_text(place.subtree.clone())))
}

/// `text` without addresses, which may have the words of anything: `[kept](https://example.com/v1.37/beta)` is "kept".
fn without_addresses(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        kept += before;
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    kept += rest;
    let is_address = |word: &&str| word.contains("://");
    let lines = kept.lines().map(|line| line.split(' ').filter(|word| !is_address(word)).collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_left_out() {
        let text = "- [kept](https://a.b/v1.37) in v1.36\n- https://a.b/beta and alpha";
        assert_eq!(without_addresses(text), "- [kept in v1.36\n- and alpha");
    }
}
