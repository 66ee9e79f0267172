//! The parts of graduation criteria: which of their text is about which stage. Authors write a heading for each stage, a
//! line in bold, or an item of a list.

use super::answer::{named_stages, names_stage};
use super::content::Content;
use super::phrases::{self, Phrases, is_of_word};
use crate::markdown::Document;
use crate::markdown::paragraph::{Paragraph, paragraphs};
use crate::markdown::section::Section;
use crate::span::slice;
use crate::stage::{Release, Stage};
use crate::template::Template;
use crate::template::role::SectionRole;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

#[derive(Clone, Debug)]
pub enum Criteria {
    Filled,
    /// A part of their own without an answer, and what is there instead.
    Open(Part, Content),
    None,
}

impl Criteria {
    /// Looks in `range` for the parts about `stage`. If a heading names it, other lines do not count.
    pub fn of(document: &Document, range: Range<usize>, template: &Template, stage: Stage) -> Self {
        let mut parts = parts(document, range);
        parts.retain(|part| part.is_about(stage));
        if parts.iter().any(|part| part.mark == Mark::Heading) {
            parts.retain(|part| part.mark == Mark::Heading);
        }
        let content_of = |part: &Part| {
            let below = document.visible_lines(part.text());
            let rest = Some(Cow::Borrowed(part.rest.as_str())).filter(|rest| !rest.is_empty());
            Content::of(rest.into_iter().chain(below), template, Some(SectionRole::GraduationCriteria), Some(stage))
        };
        let contents: Vec<Content> = parts.iter().map(content_of).collect();
        let is_filled = contents.contains(&Content::Answer);
        // An item that only names a stage is no part about it.
        let is_part = |(part, content): &(Part, Content)| part.mark != Mark::Item || *content != Content::Nothing;
        match parts.into_iter().zip(contents).find(is_part) {
            Some(_) if is_filled => Self::Filled,
            Some((part, content)) => Self::Open(part, content),
            None => Self::None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Heading,
    Line,
    Item,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub mark: Mark,
    pub line: Range<usize>,
    words: String,
    pub rest: String,
    pub end: usize,
}

impl Part {
    pub fn text(&self) -> Range<usize> {
        self.line.end..self.end
    }

    /// Whether it is about a stage: `Alpha -> Beta` is about beta, and also what a KEP plans in alpha.
    pub fn is_about(&self, stage: Stage) -> bool {
        let target = after_arrow(&self.words).filter(|target| stage != Stage::Alpha && names_any(target));
        names_stage(target.unwrap_or(&self.words), stage)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub line: Range<usize>,
    pub releases: u32,
}

static RELEASES: Phrases = Phrases::new(
    is_of_word,
    &["two|2|three|3|four|4 [full|consecutive|minor|kubernetes|k8s|beta|alpha]... release|releases"],
);

/// What the criteria for `stage` in `range` ask for: releases in the stage before, or of stability. What comes after the
/// stage, such as a removal, is no criterion for it.
pub fn waits(document: &Document, range: Range<usize>, stage: Stage) -> Vec<Wait> {
    const LATER: [&str; 7] = ["deprecat", "remov", "lock", "support", "skew", "generally", "version"];
    let before = if stage == Stage::Stable { Stage::Beta } else { Stage::Alpha };
    let own = parts(document, range).into_iter().filter(|part| part.is_about(stage));
    let paragraphs = own.flat_map(|part| paragraphs(document, part.line.start..part.end));
    let wait = |paragraph: Paragraph| {
        let words = paragraph.text.to_ascii_lowercase();
        let is_about_before = || words.contains("stab") || names_stage(&words, before);
        let is_about_later = || LATER.iter().any(|word| words.contains(word));
        if !words.contains("release") || is_about_later() || !is_about_before() {
            return None;
        }
        // "Two-release" is two words here.
        let at = RELEASES.find(&words.replace('-', " "), 0)?.start;
        let releases = match slice(&words, at..at + 2) {
            "2 " | "2-" | "tw" => 2,
            "4 " | "4-" | "fo" => 4,
            _ => 3,
        };
        Some(Wait { line: paragraph.line_at(at)?, releases })
    };
    paragraphs.filter_map(wait).collect()
}

pub fn parts(document: &Document, range: Range<usize>) -> Vec<Part> {
    let headings = document.sections.iter().map(|(_, section)| section);
    let inside: Vec<&Section> = headings.filter(|section| range.contains(&section.heading.start)).collect();
    let part_of = |section: &Section| {
        let (words, rest) = section.title.text.split_once(':').unwrap_or((&section.title.text, ""));
        let (words, rest) = if names_any(words) { (words, rest.trim()) } else { (section.title.text.as_str(), "") };
        let (words, rest) = (words.to_owned(), rest.to_owned());
        Part { mark: Mark::Heading, line: section.heading.clone(), words, rest, end: section.subtree.end }
    };
    let mut parts: Vec<Part> =
        inside.iter().filter(|section| names_any(&section.title.text)).map(|section| part_of(section)).collect();
    let mut lines: Vec<Part> = Vec::new();
    for (line, words) in document.visible(range.clone()) {
        // A line below a heading with a stage is about that.
        let earlier = parts.get(..parts.partition_point(|part| part.line.start < line.start));
        if earlier.and_then(<[Part]>::last).is_some_and(|part| line.start < part.end) {
            continue;
        }
        let Some(part) = labelled(line, &words) else { continue };
        let next = inside.get(inside.partition_point(|section| section.heading.start < part.line.start));
        let end = next.map_or(range.end, |section| section.heading.start);
        lines.push(Part { end, ..part });
    }
    // In a part that a line of its own begins, items are criteria.
    if lines.iter().any(|part| part.mark == Mark::Line) {
        lines.retain(|part| part.mark == Mark::Line);
    }
    let starts: Vec<usize> = lines.iter().skip(1).map(|next| next.line.start).collect();
    lines.iter_mut().zip(starts).for_each(|(part, next)| part.end = part.end.min(next));
    parts.extend(lines);
    parts
}

pub fn names_any(words: &str) -> bool {
    !named_stages(words).is_empty()
}

const ARROWS: [&str; 4] = ["->", "=>", "→", " to "];

fn after_arrow(words: &str) -> Option<&str> {
    let end = ARROWS.iter().filter_map(|arrow| Some(words.rfind(arrow)? + arrow.len())).max()?;
    Some(slice(words, end..))
}

/// The part with the line at `bytes`, if that begins with a stage, or announces what is needed for one: `**Beta**`,
/// `- Beta (v1.36) - metrics`, `| Beta | metrics |`, `To move to beta, these criteria must be met:`.
fn labelled(bytes: Range<usize>, line: &str) -> Option<Part> {
    const SHORT: usize = 4;
    const ENDS: [&str; 7] = [":", " - ", " – ", " — ", "|", "**", "__"];
    let is_item = ["- ", "* ", "+ "].iter().any(|mark| line.trim_start().starts_with(mark))
        || line.trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with(". ");
    let mark = if is_item { Mark::Item } else { Mark::Line };
    let line = line.trim_start_matches(|letter: char| !letter.is_alphabetic() && letter != '`');
    let line = line.strip_prefix("[x] ").or(line.strip_prefix("x] ")).unwrap_or(line).trim_start_matches('`');
    let (words, rest) = match ENDS.iter().filter_map(|end| Some((line.find(end)?, end.len()))).min() {
        Some((at, length)) => (slice(line, ..at), slice(line, at + length..).trim_start_matches(['*', '_', ' '])),
        None => (line, ""),
    };
    let first = words.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let names_one = || named_stages(line).iter().collect::<HashSet<_>>().len() == 1;
    let announces = || line.trim_end_matches(['*', '_', ' ']).ends_with(':') && names_one();
    let is_short = || mark == Mark::Line && line.split_whitespace().count() <= SHORT && !line.ends_with('.');
    let named = |name: &str, after: &str| {
        Some(Part { mark, end: bytes.end, line: bytes, words: name.to_owned(), rest: own_words(after) })
    };
    if names_any(first) {
        let end = end_of_arrow(words).unwrap_or(first.len());
        named(slice(words, ..end), &format!("{} {rest}", slice(words, end..)))
    } else if announces() || (is_short() && names_any(line)) {
        named(line, "")
    } else {
        None
    }
}

/// Where the stage ends that an arrow leads to, if the words begin with one stage and an arrow to another.
fn end_of_arrow(words: &str) -> Option<usize> {
    let (at, length) = ARROWS.iter().filter_map(|arrow| Some((words.find(arrow)?, arrow.len()))).min()?;
    let before = phrases::words(slice(words, ..at)).count();
    let rest = slice(words, at + length..);
    let target = phrases::words(rest).next().filter(|target| names_any(target) && before == 1)?;
    Some(at + length + rest.find(target)? + target.len())
}

/// The text after a stage without what only says more about the label: `(v1.36)`, `criteria`.
fn own_words(rest: &str) -> String {
    const OF_LABELS: [&str; 7] = ["criteria", "graduation", "milestone", "phase", "release", "requirements", "stage"];
    let rest = rest.trim_matches(|letter: char| letter.is_whitespace() || "*_|-–—:`".contains(letter));
    let says_more = |word: &str| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        !word.is_empty() && !OF_LABELS.contains(&word.as_str()) && Release::parse(&word).is_none()
    };
    if rest.split_whitespace().any(says_more) { rest.to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Mark, String, String)> {
        labelled(0..line.len(), line).map(|Part { mark, words, rest, .. }| (mark, words, rest))
    }

    fn one(mark: Mark, words: &str, rest: &str) -> Option<(Mark, String, String)> {
        Some((mark, words.to_owned(), rest.to_owned()))
    }

    #[test]
    fn a_label_begins_with_a_stage_or_announces_its_criteria() {
        assert_eq!(read("**Beta**"), one(Mark::Line, "Beta", ""));
        assert_eq!(read("Beta (v1.36)"), one(Mark::Line, "Beta", ""));
        assert_eq!(read("**Beta** – metrics"), one(Mark::Line, "Beta", "metrics"));
        assert_eq!(read("- **Beta (v1.36):** metrics"), one(Mark::Item, "Beta", "(v1.36) metrics"));
        assert_eq!(read("- Beta - Initial status"), one(Mark::Item, "Beta", "Initial status"));
        assert_eq!(read("| Beta | metrics |"), one(Mark::Line, "Beta", "metrics"));
        assert_eq!(read("- Alpha -> Beta: metrics"), one(Mark::Item, "Alpha -> Beta", "metrics"));
        assert_eq!(read("Beta->GA should occur in 1.17"), one(Mark::Line, "Beta->GA", "should occur in 1.17"));
        assert_eq!(read("* GA in 1.33, when all move to GA"), one(Mark::Item, "GA", "in 1.33, when all move to GA"));
        assert_eq!(read("**Graduation to beta**"), one(Mark::Line, "Graduation to beta**", ""));
        let announced = "This capability will move to stable when the following criteria have been met:";
        assert_eq!(read(announced), one(Mark::Line, announced, ""));
        for line in
            ["- [X] OpenTelemetry reaches GA", "Ensure tests are stable and passing.", "- feedback from beta", ""]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn a_part_with_an_arrow_is_about_its_end() {
        let part = |words: &str| Part {
            mark: Mark::Heading,
            line: 0..0,
            words: words.to_owned(),
            rest: String::new(),
            end: 0,
        };
        for words in ["Alpha -> Beta", "From alpha to beta", "Alpha → Beta (v1.36)", "Beta", "Beta / GA"] {
            assert!(part(words).is_about(Stage::Beta), "{words}");
        }
        assert!(!part("Beta -> GA Graduation").is_about(Stage::Beta));
        assert!(part("Beta -> GA Graduation").is_about(Stage::Stable) && part("Alpha -> Beta").is_about(Stage::Alpha));
    }

    #[test]
    fn releases_in_the_stage_before_are_counted() {
        let waits = |text: &str, stage| -> Vec<u32> {
            let document = Document::of_text(text);
            waits(&document, 0..text.len(), stage).into_iter().map(|wait| wait.releases).collect()
        };
        for text in [
            "#### GA\n\n- In beta for two release cycles.\n",
            "#### GA\n\nIt was in beta, without\nbugs, for at least 2 full releases.\n",
            "- GA: stable for at least two consecutive releases\n",
            "**GA**\n\n- Two beta releases\n",
        ] {
            assert_eq!(waits(text, Stage::Stable), [2], "{text}");
            assert_eq!(waits(text, Stage::Beta), [0; 0], "{text}");
        }
        assert_eq!(waits("#### Beta\n\n- Three releases in alpha\n", Stage::Beta), [3]);
        for text in [
            "#### GA\n\n- No bugs reported during two releases.\n",
            "#### GA\n\n- The beta API is removed after three releases.\n",
            "#### GA\n\n- In beta for a release.\n",
            "#### Beta\n\n- In beta for two releases.\n",
        ] {
            assert_eq!(waits(text, Stage::Stable), [0; 0], "{text}");
        }
    }
}
