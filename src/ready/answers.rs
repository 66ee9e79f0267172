//! Evidence about the answers of the PRR questionnaire: a KEP that stays in its stage needs another review if they changed.
use super::answer::{Answer, Detail};
use super::case::Case;
use super::past::{Compared, Past};
use crate::diagnostic::counted;
use crate::template::TemplateId;

/// The answers are those that were approved for the stage. That others are wrong is for people to say.
pub fn unchanged(case: &Case<'_>) -> Option<Answer> {
    let Some(Past::Approved(compared)) = case.past else { return None };
    let Compared { approval, lines } = compared;
    let readme = case.readme()?;
    if Some(approval.stage) != case.stage {
        return None;
    }
    let Some(changed) = compared.words() else {
        let answer = Answer::met(format!("unchanged since {}", approval.words()));
        return Some(answer.at(case.place(readme.top())));
    };
    let part = |(id, count): (&TemplateId, &usize)| {
        let heading = readme.matching().place(*id).map(|place| readme.span(place.heading.clone()));
        Detail {
            chapter: case.ctx.template.path(*id).into_iter().rev().nth(1),
            count: 1,
            words: format!("{} of `{}`", counted(*count, "line", "lines"), case.title(*id)),
            place: Some(case.place(heading.unwrap_or_else(|| readme.top()))),
            help: None,
        }
    };
    let details: Vec<Detail> = lines.iter().map(part).collect();
    let place = details.first().and_then(|detail| detail.place.clone());
    Some(Answer::look(format!("{changed} changed since {}", approval.words())).at(place).with(details))
}
