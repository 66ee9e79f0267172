//! Evidence about the stage: its graduation criteria, and its entry in the implementation history.
use super::answer::{Answer, Detail, State};
use super::calendar::came_before;
use super::case::Case;
use super::readme::without_readme;
use crate::gap::answer::{names_release, names_stage};
use crate::gap::criteria::{Criteria, names_any};
use crate::matching::matched::Match;
use crate::rules::context::Readme;
use crate::stage::{Release, Stage};
use crate::template::TemplateId;
use crate::template::role::SectionRole;

/// The rule that finds graduation criteria that are only for other stages.
pub const GRADUATION: &[&str] = &["missing-graduation-stage"];

pub const HISTORY: &[&str] = &["stale-history"];

pub fn graduation(case: &Case<'_>) -> Option<Answer> {
    let id = case.section(SectionRole::GraduationCriteria)?;
    let (readme, place) = match filled(case, id) {
        Ok(filled) => filled,
        Err(answer) => return Some(*answer),
    };
    let Some(stage) = case.stage else { return Some(Answer::look("there is no stage to compare with")) };
    let at = case.place(readme.span(place.heading.clone()));
    if let Some(finding) = case.found(GRADUATION).next() {
        let detail = case.detail(finding);
        return Some(Answer::not_met(format!("they name other stages, not {stage}")).at(at).with([detail]));
    }
    Some(match Criteria::of(readme.document, place.subtree.clone(), case.ctx.template, stage) {
        Criteria::Filled => Answer::met(format!("they name {stage}")).at(at),
        Criteria::Open(part, _) => {
            let line = case.place(readme.span(part.line));
            Answer::not_met(format!("those for {stage} are not filled in")).at(line)
        }
        Criteria::None => Answer::look(perhaps(&readme.words(place), stage)).at(at),
    })
}

/// The words about criteria that have no part for the stage. The rule also reads those after the section, under headings
/// such as `## GA`.
fn perhaps(words: &str, stage: Stage) -> String {
    if names_stage(words, stage) {
        format!("they mention {stage}, but have no part for it")
    } else if names_any(words) || stage.is_removal() {
        format!("perhaps they are not about {stage}")
    } else {
        "they name no stage".to_owned()
    }
}

/// The history names the stage or the release, as far as the rule asks for that.
pub fn history(case: &Case<'_>) -> Option<Answer> {
    let id = case.section(SectionRole::History)?;
    let (readme, place) = match filled(case, id) {
        Ok(filled) => filled,
        // Nothing is against the KEP before the template requires a history.
        Err(answer) if case.readme().is_some() && !case.is_required(id) => {
            return Some(Answer { state: State::Look, ..*answer });
        }
        Err(answer) => return Some(*answer),
    };
    let at = case.place(readme.span(place.heading.clone()));
    let Some(stage) = case.stage else { return Some(Answer::look("there is no stage to compare with").at(at)) };
    if let Some(finding) = case.found(HISTORY).next() {
        let words = format!("it names neither {stage} nor {}", case.release);
        return Some(Answer::not_met(words).at(at).with([case.detail(finding)]));
    }
    let text = readme.words(place);
    Some(if names_release(&text, case.release) {
        Answer::met(format!("it names {}", case.release)).at(at)
    } else if names_stage(&text, stage) {
        Answer::met(format!("it names {stage}")).at(at)
    } else {
        Answer::met("it is filled in").at(at)
    })
}

/// Where the section `id` is; else the answer that it is missing, or not filled in.
fn filled<'a>(case: &Case<'a>, id: TemplateId) -> Result<(Readme<'a>, &'a Match), Box<Answer>> {
    let Some(readme) = case.readme() else { return Err(Box::new(without_readme(case))) };
    let Some(place) = readme.matching().place(id) else {
        return Err(Box::new(Answer::not_met("the section is missing").at(case.place(readme.top()))));
    };
    match readme.filled(case.ctx.template, id) {
        Some(filled) => Ok((readme, filled)),
        None => {
            let at = case.place(readme.span(place.heading.clone()));
            Err(Box::new(Answer::not_met("the section is not filled in").at(at)))
        }
    }
}

/// The KEP has the headings that the template got up to the release. The newest heading that the KEP has tells which
/// version of the template it took last.
pub fn gained(case: &Case<'_>) -> Option<Answer> {
    let template = case.ctx.template;
    let came_in = |id: TemplateId| {
        let required = template.directive(template.get(id).source)?.since?;
        Some(came_before(case.title(id)).unwrap_or(required))
    };
    let dated: Vec<(TemplateId, Release)> = template.iter().filter_map(|(id, _)| Some((id, came_in(id)?))).collect();
    if dated.is_empty() || !case.ctx.target.has_since {
        return None;
    }
    let Some(readme) = case.readme() else { return Some(without_readme(case)) };
    let top = case.place(readme.top());
    let known = dated.iter().filter(|(_, since)| *since <= case.release);
    let taken = known.filter(|(id, _)| readme.matching().place(*id).is_some()).map(|(_, since)| *since).max();
    let Some(taken) = taken else {
        return Some(Answer::not_met("the README has no heading of the template").at(top));
    };
    let is_newer = |(_, since): &&(TemplateId, Release)| *since > taken && *since <= case.release;
    let gained: Vec<&(TemplateId, Release)> = dated.iter().filter(is_newer).collect();
    if gained.is_empty() {
        return Some(Answer::met(format!("nothing new since {taken}")).at(top));
    }
    let detail = |(id, since): &&(TemplateId, Release)| {
        let required = template.directive(template.get(*id).source).filter(|directive| directive.is_required());
        let from = match required.map(|directive| directive.stage) {
            None => "optional".to_owned(),
            Some(None) => "required in every KEP".to_owned(),
            Some(Some(stage)) => format!("required from {stage}"),
        };
        Detail {
            chapter: template.path(*id).into_iter().next(),
            count: 1,
            words: format!("`{}` ({since}, {from})", case.title(*id)),
            place: None,
            help: None,
        }
    };
    let newer = match gained.len() {
        1 => format!("1 heading is newer than {taken}"),
        count => format!("{count} headings are newer than {taken}"),
    };
    let answer = if gained.iter().any(|(id, _)| case.is_required(*id)) {
        Answer::look(newer)
    } else {
        Answer::met(format!("{newer}, none is required yet"))
    };
    Some(answer.at(top).with(gained.iter().map(detail)))
}
