//! Evidence about the template: what it has gained since the KEP last took it.

use super::answer::{Answer, Detail};
use super::calendar::came_before;
use super::case::Case;
use super::readme::without_readme;
use crate::stage::Release;
use crate::template::TemplateId;

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
