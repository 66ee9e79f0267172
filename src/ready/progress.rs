//! Evidence about the stage: its graduation criteria, and its entry in the implementation history.

use super::answer::Answer;
use super::case::Case;
use super::readme::without_readme;
use crate::gap::answer::{names_release, names_stage};
use crate::gap::content::Content;
use crate::markdown::section::Section;
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
    let names_any = Stage::ALL.iter().any(|stage| names_stage(&words(readme, place), *stage));
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

/// Looks for the part about `stage`: below a heading, or below or after a line that begins with the stage.
fn criteria(case: &Case<'_>, readme: Readme<'_>, place: &Match, stage: Stage) -> Criteria {
    let labels = labels(readme, place.subtree.clone());
    let mut open = None;
    for label in labels.iter().filter(|label| names_stage(&label.words, stage)) {
        let below = readme.document.visible_lines(readme.text, label.line.end..label.end);
        let lines = label.rest.as_deref().map(Cow::Borrowed).into_iter().chain(below);
        let role = Some(SectionRole::GraduationCriteria);
        if Content::of(lines, case.ctx.template, role, Some(stage)) == Content::Answer {
            return Criteria::Filled;
        }
        open = open.or(Some(label.line.clone()));
    }
    match open {
        Some(line) => Criteria::Open(line),
        None if names_stage(&words(readme, place), stage) => Criteria::Mentioned,
        None => Criteria::None,
    }
}

/// Where the criteria for a stage begin.
struct Label {
    line: Range<usize>,
    /// What names the stage.
    words: String,
    /// What follows on the same line.
    rest: Option<String>,
    /// Where they end.
    end: usize,
}

/// The headings in `range` that name a stage, and the lines that begin with one.
fn labels(readme: Readme<'_>, range: Range<usize>) -> Vec<Label> {
    let headings = readme.document.sections.iter().map(|(_, section)| section);
    let inside: Vec<&Section> = headings.filter(|section| range.contains(&section.heading.start)).collect();
    let headings = inside.iter().map(|section| Label {
        line: section.heading.clone(),
        words: section.title.text.clone(),
        rest: None,
        end: section.subtree.end,
    });
    let lines = readme.document.visible(readme.text, range.clone()).map(|(line, text)| {
        let (words, rest) = label(&text);
        let next = inside.get(inside.partition_point(|section| section.heading.start < line.start));
        let end = next.map_or(range.end, |section| section.heading.start);
        Label { line, words, rest: Some(rest).filter(|rest| !rest.is_empty()), end }
    });
    let names_any = |label: &Label| Stage::ALL.iter().any(|stage| names_stage(&label.words, *stage));
    let mut lines: Vec<Label> = lines.filter(names_any).collect();
    // What follows the next line with a stage is about that one.
    let starts: Vec<usize> = lines.iter().skip(1).map(|next| next.line.start).collect();
    lines.iter_mut().zip(starts).for_each(|(label, next)| label.end = label.end.min(next));
    headings.filter(names_any).chain(lines).collect()
}

/// The words of a line that may be a label, and the rest of it: `**Beta**`, `- Beta (v1.36): metrics`, `For beta, …`.
fn label(line: &str) -> (String, String) {
    const MOST_WORDS: usize = 8;
    const FIRST_WORDS: usize = 4;
    let line = line.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let short = |text: &str| text.split_whitespace().count() <= MOST_WORDS;
    match line.split_once(':') {
        Some((words, rest)) if short(words) => (words.to_owned(), rest.trim_matches(['*', '_', ' ']).to_owned()),
        _ if short(line) && !line.ends_with('.') => (line.to_owned(), String::new()),
        _ => {
            let first: Vec<&str> = line.split_whitespace().take(FIRST_WORDS).collect();
            (first.join(" "), line.to_owned())
        }
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

    #[test]
    fn a_label_is_at_the_beginning_of_a_line() {
        let read = |line: &str| label(line);
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(read("**Beta**"), pair("Beta**", ""));
        assert_eq!(read("- **Beta (v1.36):** metrics"), pair("Beta (v1.36)", "metrics"));
        assert_eq!(read("- Alpha -> Beta"), pair("Alpha -> Beta", ""));
    }
}
