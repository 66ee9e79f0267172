//! Evidence about the stage: its graduation criteria, and its entry in the implementation history.

use super::answer::Answer;
use super::case::Case;
use super::readme::without_readme;
use crate::gap::answer::{names_release, names_stage};
use crate::matching::matched::Match;
use crate::rules::context::Readme;
use crate::stage::Stage;
use crate::template::TemplateId;
use crate::template::role::SectionRole;

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
    let names_any = Stage::ALL.iter().any(|stage| names_stage(&words(readme, place), *stage));
    Some(match names_stage(&words(readme, place), stage) {
        true => Answer::met(format!("they name {stage}")).at(at),
        false if names_any || stage.is_removal() => Answer::look(format!("they may not be about {stage}")).at(at),
        false => Answer::look("they name no stage").at(at),
    })
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
    titles + &readme.visible_text(place.subtree.clone())
}
