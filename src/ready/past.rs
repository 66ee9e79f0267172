//! The answers of the PRR questionnaire beside those that were approved. The caller knows the history.
use crate::bounds;
use crate::diagnostic::{Failure, brief, counted};
use crate::fix::hunks::{hunks, part};
use crate::kep::Kep;
use crate::markdown::Document;
use crate::matching::Matching;
use crate::matching::written::{self, Line};
use crate::rules::context::{Ctx, Readme};
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::Stage;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId};
use crate::yaml::date::Date;
use serde::{Serialize, Serializer};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// When the approver was named whom a PRR file names for a stage, or else for the last one before it.
pub type Approvals<'a> = dyn Fn(&Kep, Stage) -> Result<Option<Approved>, Failure> + 'a;

/// An approval, and the README that was approved.
pub type Approved = (Approval, Arc<SourceFile>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    pub stage: Stage,
    pub approver: String,
    /// The day of the commit, in UTC; `None` if it has none.
    pub day: Option<Date>,
    pub commit: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Past {
    Approved(Compared),
    Nothing,
    NotKnown(Failure),
}

/// Answers beside those that were approved, also to questions that only later stages require: authors may write them ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    pub approval: Approval,
    /// How many lines differ, by section; those without a difference are not there.
    pub lines: BTreeMap<TemplateId, usize>,
}

pub fn short(commit: &str) -> &str {
    const SHORT: usize = 9;
    commit.get(..SHORT).unwrap_or(commit)
}

impl Approval {
    pub fn words(&self) -> String {
        let day = self.day.map_or_else(|| short(&self.commit).to_owned(), |day| day.to_string());
        format!("`{}` approved {} ({day})", brief(&self.approver), self.stage)
    }
}

impl Past {
    /// What the answers for `stage` are compared with.
    pub fn of(ctx: &Ctx<'_>, stage: Stage, approvals: &Approvals<'_>) -> Self {
        match approvals(ctx.kep, stage) {
            Ok(Some((approval, readme))) => Self::Approved(Compared::of(ctx, approval, readme)),
            Ok(None) => Self::Nothing,
            Err(reason) => Self::NotKnown(reason),
        }
    }
}

impl Compared {
    fn of(ctx: &Ctx<'_>, approval: Approval, readme: Arc<SourceFile>) -> Self {
        let is_same = ctx.readme.is_some_and(|now| now.text() == readme.text);
        if is_same {
            return Self { approval, lines: BTreeMap::new() };
        }
        let document = Document::parse(FileId(0), readme);
        let matching = Matching::new(ctx.template, &document);
        let before = |id| lines(&document, &matching, ctx.template, id);
        let changed =
            questionnaire(ctx.template).into_iter().map(|id| (id, changed_lines(&before(id), &text(ctx, id))));
        Self { approval, lines: changed.filter(|(_, lines)| *lines > 0).collect() }
    }

    /// How many lines of how many answers differ: "69 lines of 7 answers"; `None` if none does.
    pub fn words(&self) -> Option<String> {
        let (lines, answers) = (self.lines.values().sum::<usize>(), self.lines.len());
        let (lines, changed) = (counted(lines, "line", "lines"), counted(answers, "answer", "answers"));
        (answers > 0).then(|| format!("{lines} of {changed}"))
    }
}

/// What the answers are compared with, as data.
pub fn as_object<S: Serializer>(past: &Option<Past>, serializer: S) -> Result<S::Ok, S::Error> {
    let (mut approval, mut not_known) = (None, None);
    match past {
        Some(Past::Approved(Compared { approval: Approval { stage, approver, day, commit }, lines })) => {
            let (day, changed_lines) = (day.map(|day| day.to_string()), lines.values().sum::<usize>());
            approval = Some(json!({
                "stage": stage, "approver": approver, "day": day, "commit": commit, "changed_lines": changed_lines,
            }));
        }
        Some(Past::NotKnown(reason)) => not_known = Some(&reason.message),
        Some(Past::Nothing) | None => {}
    }
    json!({ "approval": approval, "not_known": not_known }).serialize(serializer)
}

/// The questionnaire and the sections in it, in the template's order.
pub fn questionnaire(template: &Template) -> Vec<TemplateId> {
    let Some(questionnaire) = template.with_role(SectionRole::Questionnaire) else { return Vec::new() };
    let is_inside =
        |id: TemplateId| id == questionnaire || template.ancestors(id).any(|around| around == questionnaire);
    template.iter().map(|(id, _)| id).filter(|id| is_inside(*id)).collect()
}

/// The text of a section of the README up to the first section of the template in it.
pub fn text(ctx: &Ctx<'_>, id: TemplateId) -> Vec<Line> {
    let of = |readme: Readme<'_>| lines(readme.document, readme.matching(), ctx.template, id);
    ctx.readme.map(of).unwrap_or_default()
}

fn lines(document: &Document, matching: &Matching, template: &Template, id: TemplateId) -> Vec<Line> {
    let Some(place) = matching.place(id) else { return Vec::new() };
    let mut range = written::range(document, template, id, matching.text_of(place));
    // Below a question, headings of the author belong to the answer, of whatever level they are.
    let around = matching.with_role(template, SectionRole::Questionnaire).map(|around| around.subtree.clone());
    if let Some(around) = around.filter(|around| around.contains(&place.heading.start)) {
        range.end = matching.next_after(place).unwrap_or(around.end).clamp(range.end, around.end.max(range.end));
    }
    written::lines(document, range)
}

fn changed_lines(before: &[Line], now: &[Line]) -> usize {
    let (old, new) = (paragraphs(before), paragraphs(now));
    let joined = |paragraphs: &[Vec<String>]| paragraphs.iter().map(|lines| lines.join(" ")).collect::<Vec<_>>();
    let most = bounds::COMPARED_LINES;
    let parts = hunks(&joined(&old), &joined(&new), most);
    let lines = parts.iter().flat_map(|(from, to)| hunks(&part(&old, from).concat(), &part(&new, to).concat(), most));
    lines.map(|(removed, added)| removed.len() + added.len()).sum()
}

/// The paragraphs and items of lists of a text: their lines, with one blank between two words.
fn paragraphs(lines: &[Line]) -> Vec<Vec<String>> {
    let mut paragraphs: Vec<Vec<String>> = Vec::new();
    let mut is_apart = true;
    for Line { text, .. } in lines {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match paragraphs.last_mut() {
            _ if line.is_empty() => {}
            Some(last) if !is_apart && !begins_item(&line) => last.push(line.clone()),
            _ => paragraphs.push(vec![line.clone()]),
        }
        is_apart = line.is_empty();
    }
    paragraphs
}

/// Whether a line begins an item of a list, or a row of a table.
fn begins_item(line: &str) -> bool {
    let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    is_numbered || ["- ", "* ", "+ ", "|"].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(before: &str, now: &str) -> usize {
        let read =
            |text: &str| -> Vec<Line> { text.lines().map(|line| Line { number: 0, text: line.to_owned() }).collect() };
        changed_lines(&read(before), &read(now))
    }

    #[test]
    fn lines_that_differ_are_counted_and_their_wrapping_is_not() {
        assert_eq!(count("a b\nc\n\nd", "a b\nc\n\nd"), 0);
        assert_eq!(count("a b\nc d", "a\n  b c\nd"), 0, "wrapped in another way");
        assert_eq!(count("- a\n- b\n", "\n* x\n"), 3, "two removed, one added");
        assert_eq!(count("- a b\n  c\n- d", "- a\n  b c\n- e"), 2, "of a list, only the item that changed");
        assert_eq!(count("a\nb\nc", "a\nx\nc"), 2);
        assert_eq!(count("", "a\n\nb"), 2);
        assert_eq!(count("a\n\nb", "b\n\na"), 2, "a paragraph that moved");
    }

    #[test]
    fn a_long_change_is_counted_as_a_whole() {
        let text =
            |word: &str| (0..=bounds::COMPARED_LINES).map(|line| format!("{word} {line}\n\n")).collect::<String>();
        assert_eq!(count(&text("a"), &text("b")), 2 * (bounds::COMPARED_LINES + 1));
    }
}
