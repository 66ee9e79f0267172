//! What a PRR approver reads: the questions of the PRR questionnaire that a stage requires, with the author's answers.
use super::answer::{Answer, Detail, Place, State};
use super::case::Case;
use super::past::{self, Compared, Past};
use crate::diagnostic::{Diagnostic, counted};
use crate::gap::content::Content;
use crate::gap::{Gap, GapKind};
use crate::matching::written::Line;
use crate::span::grouped;
use crate::template::TemplateId;
use serde::{Serialize, Serializer};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Questionnaire {
    pub counts: Counts,
    pub later: usize,
    pub later_changed: usize,
    /// What the answers are compared with; `None` where no PRR is needed.
    #[serde(flatten, serialize_with = "past::as_object")]
    pub past: Option<Past>,
    /// The sections with the questions, in the order of the template.
    pub chapters: Vec<Chapter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chapter {
    pub title: String,
    /// What the author wrote above its questions.
    #[serde(serialize_with = "as_text")]
    pub text: Vec<Line>,
    pub questions: Vec<Question>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    #[serde(rename = "question")]
    pub title: String,
    pub place: Option<Place>,
    pub standing: Standing,
    /// What a reviewer should look at, each kind once.
    pub remarks: Vec<Remark>,
    #[serde(rename = "answer", serialize_with = "as_text")]
    pub text: Vec<Line>,
    #[serde(rename = "changed_lines")]
    pub changed: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    Answered,
    /// It is not there, or in a comment.
    Missing,
    Empty,
    /// Only text of the template, or a word such as TBD, is below it.
    Placeholder,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    pub flaw: Flaw,
    pub words: String,
    pub line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Flaw {
    /// It says only "No" or the like, and no reason.
    Bare,
    /// It is only planned, or is not resolved.
    Unfinished,
    Unticked,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub answered: usize,
    pub bare: usize,
    pub changed: usize,
    pub open: usize,
    pub questions: usize,
    pub unfinished: usize,
}

pub fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn as_text<S: Serializer>(lines: &[Line], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&joined(lines))
}

impl Flaw {
    fn of(rule: &str) -> Self {
        match rule {
            "bare-answer" => Self::Bare,
            "unticked-answer" => Self::Unticked,
            _ => Self::Unfinished,
        }
    }
}

/// The rules that find what may be wrong with an answer.
pub const RULES: &[&str] =
    &["bare-answer", "unfinished-answer", "unticked-answer", "unresolved-marker", "leftover-template-text"];

/// The questions that the stage requires have answers. People judge them: it is refused only if most are open.
pub fn questions(case: &Case<'_>) -> Option<Answer> {
    if !case.ctx.repository.has_groups || case.ctx.target.is_withdrawal || case.ask.stage.is_none() {
        return None;
    }
    let template = case.ctx.template;
    let mut ids = past::questionnaire(template);
    ids.retain(|id| template.get(*id).is_question() && case.is_required(*id));
    let all = ids.len();
    ids.retain(|id| standing(case, *id) != Standing::Answered);
    let open = ids.len();
    if all == 0 {
        return None;
    }
    let heading = heading(case, ids.first().copied());
    if open == 0 {
        return Some(Answer::met(format!("all {all} have answers")).at(heading));
    }
    let state = if 2 * open > all { State::NotMet } else { State::Info };
    let words = format!("{open} of {}", counted(all, "question", "questions"));
    let are = if open == 1 { "is" } else { "are" };
    let answer = Answer::new(state, format!("{open} of {all} {are} open")).at(heading);
    Some(answer.remark(format!("PRR: {words} {are} open")))
}

impl Questionnaire {
    /// The questions of the KEP of `case`; `findings` are those of [`RULES`].
    pub(super) fn of(case: &Case<'_>, findings: &[Diagnostic]) -> Self {
        let template = case.ctx.template;
        let is_question = |id: &TemplateId| template.get(*id).is_question();
        let (asked, mut later): (Vec<TemplateId>, Vec<TemplateId>) =
            past::questionnaire(template).into_iter().partition(|id| case.is_required(*id));
        later.retain(|id| {
            let stage = template.directive(template.get(*id).source).and_then(|directive| directive.stage);
            is_question(id) && stage.is_some_and(|stage| Some(stage) > case.ask.stage)
        });
        let later_changed = later.iter().filter(|id| changed(case, **id) > 0).count();
        let around = |id: TemplateId| if is_question(&id) { template.get(id).parent } else { Some(id) };
        let mut chapters = Vec::new();
        for (chapter, ids) in grouped(asked.into_iter().map(|id| (around(id), id))) {
            let questions = ids.into_iter().filter(is_question);
            chapters.push(Chapter {
                title: chapter.map(|id| case.title(id).to_owned()).unwrap_or_default(),
                text: chapter.map(|id| own_text(case, id)).unwrap_or_default(),
                questions: questions.map(|id| question(case, id, findings)).collect(),
            });
        }
        chapters.retain(|chapter| !chapter.questions.is_empty() || !chapter.text.is_empty());
        Self { counts: Counts::of(&chapters), chapters, later: later.len(), later_changed, past: case.past.cloned() }
    }
}

impl Counts {
    fn of(chapters: &[Chapter]) -> Self {
        let mut counts = Self::default();
        for question in chapters.iter().flat_map(|chapter| &chapter.questions) {
            let has = |flaw| usize::from(question.remarks.iter().any(|remark| remark.flaw == flaw));
            counts.questions += 1;
            counts.answered += usize::from(question.standing == Standing::Answered);
            counts.bare += has(Flaw::Bare);
            counts.unfinished += has(Flaw::Unfinished);
            counts.changed += usize::from(question.changed > 0);
        }
        Self { open: counts.questions - counts.answered, ..counts }
    }
}

fn own_text(case: &Case<'_>, id: TemplateId) -> Vec<Line> {
    let Some(readme) = case.ctx.readme else { return Vec::new() };
    let Some(place) = readme.matching().place(id) else { return Vec::new() };
    let lines = readme.visible_lines(readme.matching().text_of(place));
    let content = Content::of(lines, case.ctx.template, None, case.ask.stage);
    if content == Content::Answer { past::text(case.ctx, id) } else { Vec::new() }
}

/// How many lines of an answer changed since the approval.
fn changed(case: &Case<'_>, id: TemplateId) -> usize {
    match case.past {
        Some(Past::Approved(compared)) => compared.lines.get(&id).copied().unwrap_or_default(),
        _ => 0,
    }
}

fn question(case: &Case<'_>, id: TemplateId, findings: &[Diagnostic]) -> Question {
    Question {
        title: case.title(id).to_owned(),
        place: heading(case, Some(id)),
        standing: standing(case, id),
        remarks: remarks(case, id, findings),
        text: past::text(case.ctx, id),
        changed: changed(case, id),
    }
}

/// The heading of a section, or of what is around it, or the top of a README; `None` without a README.
fn heading(case: &Case<'_>, id: Option<TemplateId>) -> Option<Place> {
    let readme = case.ctx.readme?;
    let around = id.into_iter().flat_map(|id| case.ctx.template.ancestors(id));
    let place = id.into_iter().chain(around).find_map(|id| readme.matching().place(id));
    Some(case.place(place.map_or_else(|| readme.top(), |place| readme.span(place.heading.clone()))))
}

fn standing(case: &Case<'_>, id: TemplateId) -> Standing {
    let Some(readme) = case.ctx.readme.filter(|readme| readme.matching().place(id).is_some()) else {
        return Standing::Missing;
    };
    let is_about = |gap: &&Gap| gap.section == id || gap.covers.contains(&id);
    let Some(gap) = readme.gaps().iter().find(is_about) else { return Standing::Answered };
    if !past::text(case.ctx, id).is_empty() {
        return Standing::Placeholder;
    }
    match gap.kind {
        GapKind::Missing(_) | GapKind::MissingParts(_) | GapKind::CommentedOut(_) => Standing::Missing,
        _ => Standing::Empty,
    }
}

fn remarks(case: &Case<'_>, id: TemplateId, findings: &[Diagnostic]) -> Vec<Remark> {
    let Some(readme) = case.ctx.readme else { return Vec::new() };
    let Some(place) = readme.matching().place(id) else { return Vec::new() };
    let mut remarks: Vec<Remark> = Vec::new();
    for finding in findings {
        let related = finding.related.iter().map(|related| (related.span, &related.message));
        let places = std::iter::once((finding.span, &finding.message)).chain(related);
        let mut inside = places.filter(|(span, _)| span.file == readme.file && place.subtree.contains(&span.start));
        let Some((span, message)) = inside.next() else { continue };
        let remark = Remark { flaw: Flaw::of(finding.rule), words: message.clone(), line: case.place(span).line };
        if !remarks.iter().any(|known| known.flaw == remark.flaw) {
            remarks.push(remark);
        }
    }
    remarks.sort_by_key(|remark| remark.flaw);
    remarks
}

/// The answers are those that were approved for the stage. That others are wrong is for people to say.
pub fn unchanged(case: &Case<'_>) -> Option<Answer> {
    let Some(Past::Approved(compared)) = case.past else { return None };
    let Compared { approval, lines } = compared;
    let readme = case.ctx.readme?;
    if Some(approval.stage) != case.ask.stage {
        return None;
    }
    let Some(changed) = compared.words() else {
        let answer = Answer::met(format!("unchanged since {}", approval.words()));
        return Some(answer.at(case.place(readme.top())));
    };
    let part = |(id, count): (&TemplateId, &usize)| Detail {
        chapter: case.ctx.template.path(*id).into_iter().rev().nth(1),
        count: 1,
        words: format!("{} of `{}`", counted(*count, "line", "lines"), case.title(*id)),
        place: heading(case, Some(*id)),
        help: None,
    };
    let details: Vec<Detail> = lines.iter().map(part).collect();
    let place = details.first().and_then(|detail| detail.place.clone());
    Some(Answer::look(format!("{changed} changed since {}", approval.words())).at(place).with(details))
}
