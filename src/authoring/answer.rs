//! How other KEPs answer a section of the template: which answers are good examples, and what of them is shown.

use crate::gap::content::{Content, is_placeholder};
use crate::gap::{answer, leftover};
use crate::markdown::{Document, unresolved};
use crate::matching::Matching;
use crate::matching::matched::Match;
use crate::source::SourceFile;
use crate::span::{FileId, slice};
use crate::stage::Stage;
use crate::template::{Template, TemplateId};
use std::ops::Range;

/// An answer in a README.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Its Markdown, without comments and without empty lines around it; cut if it is long.
    pub text: String,
    /// The line of its heading.
    pub line: usize,
    /// How many lines are cut.
    pub left_out: usize,
    /// How well it serves as an example.
    pub worth: Worth,
}

/// How well an answer serves as an example, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    /// Short enough to be read whole, long enough to be an answer.
    Short,
    /// Long, or very short.
    Other,
}

/// The fewest words of an example.
const LEAST_WORDS: usize = 6;

/// The words that a good example has.
const SHORT: Range<usize> = 15..150;

/// The most lines that are shown.
const MOST_LINES: usize = 20;

/// The answer of this README to the section `id` of the template; `None` if it has none that could be an example.
pub fn find(readme: &SourceFile, template: &Template, id: TemplateId) -> Option<Answer> {
    let text = &readme.text;
    let document = Document::parse(FileId(0), text, &readme.lines);
    let matching = Matching::new(template, &document, text);
    let place = matching.place(id)?;
    let own = own_text(&matching, template, place);
    let line = readme.position(place.heading.start).line;
    let reader = Reader { readme, document: &document, template, id, line };
    let whole = || Some(place.subtree.clone()).filter(|whole| !reader.has_bare_line(whole.clone()));
    reader.read(own).or_else(|| reader.read(whole()?))
}

/// Reads answers to one section of the template.
struct Reader<'a> {
    readme: &'a SourceFile,
    document: &'a Document,
    template: &'a Template,
    id: TemplateId,
    /// The line of its heading.
    line: usize,
}

impl Reader<'_> {
    /// Whether a line is only "N/A" or the like, so that one of several questions has no answer to learn from.
    fn has_bare_line(&self, range: Range<usize>) -> bool {
        const BARE: [&str; 5] = ["n/a", "na", "no", "none", "not applicable"];
        let mut lines = self.document.visible_lines(&self.readme.text, range);
        lines.any(|line| {
            let words = line.trim_matches(|letter: char| !letter.is_alphanumeric());
            BARE.iter().any(|bare| words.eq_ignore_ascii_case(bare))
        })
    }

    /// The text in `range`, if it can be an example.
    fn read(&self, range: Range<usize>) -> Option<Answer> {
        let Self { readme, document, template, id, line } = *self;
        let text = &readme.text;
        let lines: Vec<_> = document.visible_lines(text, range.clone()).collect();
        let role = template.get(id).role;
        if Content::of(lines.iter().cloned(), template, role, Some(Stage::Stable)) != Content::Answer {
            return None;
        }
        let own = lines.iter().filter(|line| Content::of_line(line, template, None) == Content::Answer);
        let words: usize = own.map(|line| line.split_whitespace().count()).sum();
        let visible = lines.join("\n");
        let has_marks = unresolved::marks(document, text).iter().any(|mark| range.contains(&mark.span.start));
        let is_open = has_marks
            || lines.iter().any(|line| leftover::stand_in(line).is_some() || leftover::is_instruction(line, template))
            || lines.iter().any(|line| is_placeholder(line, Some(Stage::Stable)))
            || answer::unfinished(&visible).is_some();
        if is_open || words < LEAST_WORDS {
            return None;
        }
        let (shown, left_out) = shown(document, text, range);
        let worth = if SHORT.contains(&words) && left_out == 0 { Worth::Short } else { Worth::Other };
        (!shown.is_empty()).then_some(Answer { text: shown, line, left_out, worth })
    }
}

/// The text of a section up to the first section of the template in it, which has an answer of its own.
fn own_text(matching: &Matching, template: &Template, place: &Match) -> Range<usize> {
    let inner = template.iter().filter_map(|(other, _)| matching.place(other)).map(|other| other.heading.start);
    let first = inner.filter(|start| (place.own.start..place.subtree.end).contains(start)).min();
    place.own.start..first.unwrap_or(place.subtree.end)
}

/// The Markdown in `range` without comments, and how many lines of it are cut. A code block is cut where it ends.
fn shown(document: &Document, text: &str, range: Range<usize>) -> (String, usize) {
    let comments = document.comments.iter().filter(|comment| range.contains(&comment.span.start));
    let (mut kept, mut at) = (String::new(), range.start);
    for comment in comments.filter(|comment| comment.span.end <= range.end) {
        kept += slice(text, at..comment.span.start.max(at));
        at = comment.span.end.max(at);
    }
    kept += slice(text, at..range.end);
    let mut lines: Vec<&str> = kept.lines().map(str::trim_end).collect();
    lines.dedup_by(|next, line| next.is_empty() && line.is_empty());
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    let lines = lines.get(first..last).unwrap_or_default();
    let kept = lines.get(..MOST_LINES).unwrap_or(lines);
    let mut fence: Option<&str> = None;
    for line in kept {
        let own = line.trim_start();
        let is_mark = ["```", "~~~"].into_iter().find(|mark| own.starts_with(mark));
        match (fence, is_mark) {
            (None, Some(_)) => fence = Some(slice(own, ..own.len() - own.trim_start_matches(['`', '~']).len())),
            (Some(open), Some(_)) if own.starts_with(open) && own.trim_matches(['`', '~']).is_empty() => fence = None,
            _ => {}
        }
    }
    let mut shown = kept.join("\n");
    if let Some(fence) = fence {
        shown += &format!("\n{fence}");
    }
    (shown, lines.len() - kept.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str =
        "Yes. The field is dropped when the gate is off, and pods that have it keep running as they are now.";

    fn found(body: &str, title: &str) -> Option<Answer> {
        let template = Template::built_in();
        let (id, _) = template.iter().find(|(_, section)| section.title.text == title).expect("it is in the template");
        let readme =
            format!("# KEP-1: X\n\n## Production Readiness Review Questionnaire\n\n{body}\n\n## Drawbacks\n\nNone.\n");
        find(&SourceFile::decode("README.md", readme.into_bytes()), &template, id)
    }

    const ROLLBACK: &str =
        "Can the feature be disabled once it has been enabled (i.e. can we roll back the enablement)?";

    fn answered(text: &str) -> Option<Answer> {
        found(&format!("### Feature Enablement and Rollback\n\n###### {ROLLBACK}\n\n{text}"), ROLLBACK)
    }

    #[test]
    fn a_good_answer_is_shown_without_comments() {
        let answer = answered(&format!("<!--\nWhat happens?\n-->\n\n{ANSWER}\n\n\n- more\n")).expect("it is one");
        assert_eq!(answer.text, format!("{ANSWER}\n\n- more"));
        assert_eq!((answer.line, answer.left_out, answer.worth), (7, 0, Worth::Short));
    }

    #[test]
    fn what_is_not_an_example_is_left_out() {
        for text in ["", "No.", "TBD", "N/A", "<!-- text that is a comment, with many words in it -->"] {
            assert_eq!(answered(text), None, "{text}");
        }
        assert_eq!(answered(&format!("{ANSWER}\n\n<<[UNRESOLVED]>>\nWho?\n<<[/UNRESOLVED]>>")), None);
        assert_eq!(answered(&format!("{ANSWER}\n\nTBD")), None);
    }

    #[test]
    fn a_long_answer_is_cut_and_its_code_block_is_closed() {
        let code = format!("{ANSWER}\n\n````yaml\n{}````\n", "a: b\n".repeat(50));
        let answer = answered(&code).expect("it is one");
        assert!(answer.text.ends_with("\na: b\n````"), "{}", answer.text);
        assert_eq!((answer.left_out, answer.worth), (34, Worth::Other));
    }

    #[test]
    fn a_section_around_others_has_their_answers() {
        let body = |second: &str| {
            format!(
                "### Scalability\n\n###### Will enabling / using this feature result in any new API calls?\n\n{ANSWER}\n\n###### Will enabling / using this feature result in introducing new API types?\n\n{second}"
            )
        };
        assert!(found(&body("No, it adds fields to a type that is there."), "Scalability").is_some());
        assert_eq!(found(&body("No."), "Scalability"), None);
    }
}
