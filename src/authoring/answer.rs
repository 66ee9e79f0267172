//! How other KEPs answer a section of the template: which answers are good examples, and what of them is shown.

use crate::gap::content::{Content, has_checked_box, is_placeholder};
use crate::gap::{answer, leftover};
use crate::markdown::{Document, title};
use crate::matching::Matching;
use crate::matching::matched::Match;
use crate::matching::written;
use crate::source::SourceFile;
use crate::span::{FileId, slice};
use crate::stage::Stage;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

const EXAMPLE_LINES: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Its Markdown, without comments and without empty lines around it; cut if it is long.
    pub text: String,
    pub line: usize,
    pub left_out: usize,
    pub worth: Worth,
}

/// How well an answer serves as an example, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    /// Short enough to be read whole, long enough to be an answer.
    Short,
    /// Long, very short, or why the question does not apply.
    Other,
}

const LEAST_WORDS: usize = 6;

/// The words that a good example has.
const SHORT: Range<usize> = 15..150;

/// Whether KEPs answer this section in their own words: the boxes of the checklist are the same in each.
pub fn has_answers(template: &Template, id: TemplateId) -> bool {
    template.get(id).role != Some(SectionRole::Signoff)
}

/// The answer of this README to the section `id` of the template; `None` if it has none that could be an example.
pub fn find(readme: Arc<SourceFile>, template: &Template, id: TemplateId) -> Option<Answer> {
    if !has_answers(template, id) {
        return None;
    }
    let document = Document::parse(FileId(0), readme);
    let matching = Matching::new(template, &document);
    let place = matching.place(id)?;
    let line = document.source.position(place.heading.start).line;
    let reader = Reader { document: &document, matching: &matching, template };
    let parts = reader.parts(place);
    let of_question = parts.iter().find(|part| part.id == id)?;
    let read = |answered: &[Part], end: usize| {
        let words = reader.words(answered)?;
        let (shown, left_out) = shown(&document, of_question.range.start..end);
        let is_good = SHORT.contains(&words) && left_out == 0 && !is_declined(&shown);
        let worth = if is_good { Worth::Short } else { Worth::Other };
        (!shown.is_empty()).then_some(Answer { text: shown, line, left_out, worth })
    };
    // One of several questions without an answer to learn from is no example.
    let is_bare = || parts.iter().any(|part| reader.has_bare_line(part));
    let whole = || if is_bare() { None } else { read(&parts, place.subtree.end) };
    read(std::slice::from_ref(of_question), of_question.range.end).or_else(whole)
}

/// The text of one section of the template, up to the first section in it, which has an answer of its own.
struct Part {
    id: TemplateId,
    range: Range<usize>,
    /// Whether sections of the template are in it.
    is_chapter: bool,
}

struct Reader<'a> {
    document: &'a Document,
    matching: &'a Matching,
    template: &'a Template,
}

impl<'a> Reader<'a> {
    /// The parts of a section: its own text, and those of the sections of the template in it.
    fn parts(&self, whole: &Match) -> Vec<Part> {
        let within = whole.heading.start..whole.subtree.end;
        let places = self.template.iter().filter_map(|(id, _)| Some((id, self.matching.place(id)?)));
        let places: Vec<(TemplateId, &Match)> =
            places.filter(|(_, place)| within.contains(&place.heading.start)).collect();
        let part = |(id, place): &(TemplateId, &Match)| {
            let range = written::range(self.document, self.template, *id, self.matching.text_of(place));
            Part { id: *id, is_chapter: range.end < place.subtree.end, range }
        };
        places.iter().map(part).collect()
    }

    /// The visible lines of a part, each without a question in bold that it begins with.
    fn lines(&self, part: &Part) -> Vec<Cow<'a, str>> {
        let answer = |line: Cow<'a, str>| match line.rfind("?**") {
            Some(at) => Cow::Owned(slice(&line, at + "?**".len()..).trim().to_owned()),
            None => line,
        };
        self.document.visible_lines(part.range.clone()).map(answer).collect()
    }

    /// Whether a line of a part is only "N/A" or the like.
    fn has_bare_line(&self, part: &Part) -> bool {
        const BARE: [&str; 5] = ["n/a", "na", "no", "none", "not applicable"];
        self.lines(part).iter().any(|line| {
            let words = line.trim_matches(|letter: char| !letter.is_alphanumeric());
            BARE.iter().any(|bare| words.eq_ignore_ascii_case(bare))
        })
    }

    /// How many of the words are the author's, if the parts together can be an example.
    fn words(&self, parts: &[Part]) -> Option<usize> {
        let mut words = 0;
        for part in parts {
            let is_empty = self.document.visible_spans(part.range.clone()).next().is_none();
            if !(is_empty && part.is_chapter && parts.len() > 1) {
                words += self.words_of(part)?;
            }
        }
        (words >= LEAST_WORDS).then_some(words)
    }

    fn words_of(&self, part: &Part) -> Option<usize> {
        let Self { document, template, .. } = *self;
        let lines = self.lines(part);
        let role = template.get(part.id).role;
        if Content::of(lines.iter().cloned(), template, role, Some(Stage::Stable)) != Content::Answer {
            return None;
        }
        let visible = lines.join("\n");
        let has_marks = document.unresolved().iter().any(|mark| part.range.contains(&mark.span.start));
        let is_open = has_marks
            || lines.iter().any(|line| leftover::stand_in(line).is_some() || leftover::is_instruction(line, template))
            || lines.iter().any(|line| is_placeholder(line, Some(Stage::Stable)))
            || answer::unfinished(&visible).is_some()
            || is_blank_form(&lines, template)
            || is_reference(&visible)
            || (template.children(part.id).next().is_some() && is_declined_as_a_whole(&visible));
        let written = self.own_lines(part);
        let words = written.iter().map(|line| line.split_whitespace().count()).sum();
        (!is_open && words > 0).then_some(words)
    }

    /// The lines of a part that are not the template's, whether a box in them is ticked or not, and wherever they are
    /// broken.
    fn own_lines(&self, part: &Part) -> Vec<Cow<'a, str>> {
        let Self { document, template, .. } = *self;
        let known = template.document.sections.get(template.get(part.id).source).subtree.clone();
        let known: String = template.document.visible_lines(known).collect();
        let known = title::key(&known);
        let spans = document.visible_spans(part.range.clone());
        let lines: Vec<(Range<usize>, Cow<'_, str>)> = spans.zip(self.lines(part)).collect();
        let mut written = Vec::new();
        for paragraph in
            lines.chunk_by(|(one, _), (next, _)| document.slice(one.end..next.start).matches('\n').count() < 2)
        {
            let text: Vec<&str> = paragraph.iter().map(|(_, line)| without_box(line)).collect();
            if known.contains(&title::key(&text.join(" "))) {
                continue;
            }
            let own = paragraph.iter().map(|(_, line)| line.clone());
            written.extend(own.filter(|line| Content::of_line(without_box(line), template, None) == Content::Answer));
        }
        written
    }
}

/// A line without the box that it begins with.
fn without_box(line: &str) -> &str {
    let item = line.trim_start_matches(['-', '*', '+', ' ']);
    let rest = item.strip_prefix('[').and_then(|item| item.split_once(']'));
    rest.filter(|(inside, _)| inside.trim().is_empty() || inside.trim().eq_ignore_ascii_case("x"))
        .map_or(line, |(_, rest)| rest.trim())
}

/// Whether none of the boxes of a form is ticked, or its fields are blank.
fn is_blank_form(lines: &[Cow<'_, str>], template: &Template) -> bool {
    let is_blank = |line: &Cow<'_, str>| {
        (line.contains("[ ]") || line.trim_end().ends_with(':'))
            && Content::of_line(line, template, None) == Content::Form
    };
    !lines.iter().any(|line| has_checked_box(line)) && lines.iter().any(is_blank)
}

/// Whether a text only says where the answer is, or that there will be one.
fn is_reference(text: &str) -> bool {
    const MOST_WORDS: usize = 20;
    const STARTS: [&str; 9] = [
        "refer to",
        "please refer",
        "please see",
        "see ",
        "yes, see ",
        "same as",
        "described in",
        "covered in",
        "as described in",
    ];
    let is_short = text.split_whitespace().nth(MOST_WORDS).is_none();
    (is_short && begins_with(text, &STARTS)) || begins_with(text, &["tbd", "todo:", "todo "])
}

/// Whether a text begins by saying that there is nothing to answer.
fn is_declined(text: &str) -> bool {
    begins_with(text, &["n/a", "na.", "not applicable"])
}

/// Whether a text says that nothing of a chapter applies, and not much more.
fn is_declined_as_a_whole(text: &str) -> bool {
    const MOST_WORDS: usize = 30;
    let is_said = || ["is n/a", "is not applicable"].iter().any(|words| text.to_lowercase().contains(words));
    (is_declined(text) || is_said()) && text.split_whitespace().nth(MOST_WORDS).is_none()
}

/// Whether the first words of a text are one of these, whatever marks are before them.
fn begins_with(text: &str, words: &[&str]) -> bool {
    let text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    words.iter().any(|words| text.starts_with(words))
}

/// The Markdown in `range` without comments, and how many lines of it are cut. A code block is cut where it ends.
fn shown(document: &Document, range: Range<usize>) -> (String, usize) {
    let lines = written::lines(document, range);
    let example = lines.get(..EXAMPLE_LINES).unwrap_or(&lines);
    (written::closed(example), lines.len() - example.len())
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
        find(Arc::new(SourceFile::decode("README.md", readme.into_bytes())), &template, id)
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
    fn text_of_the_template_is_no_answer() {
        let ticked = "[X] I/we understand the owners of the involved components may require updates to existing tests to make\n\
            this code solid enough prior to committing the changes necessary to implement this enhancement.";
        let plan = |own: &str| found(&format!("### Test Plan\n\n{ticked}\n\n{own}"), "Test Plan");
        assert_eq!(plan(""), None);
        assert!(plan("The kubelet is restarted while it pulls.").is_some());
        let signoff = "Items marked with (R) are required. We checked all of them more than once.\n\n- [x] all of it";
        assert_eq!(found(&format!("## Release Signoff Checklist\n\n{signoff}"), "Release Signoff Checklist"), None);
    }

    #[test]
    fn the_rest_of_a_question_is_not_part_of_the_answer() {
        const TITLE: &str = "Is the rollout accompanied by any deprecations and/or removals of features, APIs, fields of API types, flags, etc.?";
        let chapter = "### Rollout, Upgrade and Rollback Planning\n\n";
        let shown = |body: &str| found(&format!("{chapter}{body}"), TITLE).map(|answer| answer.text);
        let (start, end) = TITLE.split_once(" fields").expect("it has the word");
        for body in [
            format!("* **{start}\n  fields{end}**\n{ANSWER}"),
            format!("##### {start}\nfields{end}\n{ANSWER}"),
            format!("* **{TITLE}** {ANSWER}"),
            format!("##### {TITLE}\n\n{ANSWER}"),
        ] {
            assert_eq!(shown(&body).as_deref(), Some(ANSWER), "{body}");
        }
        assert_eq!(shown(&format!("##### {start}\nfields{end}\nNo")), None);
        let asks = "Why would there be any? The field is new, and it is off by default.";
        assert_eq!(shown(&format!("##### {TITLE}\n\n{asks}")).as_deref(), Some(asks));
    }

    #[test]
    fn a_heading_for_two_sections_has_one_answer() {
        let template = Template::built_in();
        let text = format!("# KEP-1: X\n\n## Summary and Motivation\n\n{ANSWER}\n");
        for title in ["Summary", "Motivation"] {
            let (id, _) = template.iter().find(|(_, section)| section.title.text == title).expect("it is there");
            let readme = SourceFile::decode("README.md", text.clone().into_bytes());
            assert_eq!(
                find(Arc::new(readme), &template, id).map(|answer| answer.text).as_deref(),
                Some(ANSWER),
                "{title}"
            );
        }
    }

    #[test]
    fn a_form_or_reference_alone_is_no_answer() {
        let sli =
            "What are the SLIs (Service Level Indicators) an operator can use to determine the health of the service?";
        let monitoring =
            |body: &str| found(&format!("### Monitoring Requirements\n\n{body}"), "Monitoring Requirements");
        let form = |tick: char, name: &str| {
            format!(
                "###### {sli}\n\n{ANSWER}\n\n- [{tick}] Metrics\n  - Metric name:{name}\n- [ ] Other (treat as last resort)\n  - Details:\n"
            )
        };
        assert_eq!(monitoring(&form(' ', "")), None);
        assert!(monitoring(&form('x', " images_pulled_total")).is_some());
        let used = "How can an operator determine if the feature is in use by workloads?";
        assert_eq!(monitoring(&format!("* **{used}** {ANSWER}\n* **{sli}** N/A.\n")), None);
        assert!(monitoring(&format!("* **{used}** {ANSWER}\n* **{sli}** The rate of failed pulls.\n")).is_some());
        assert_eq!(
            answered(
                "TBD: the owners of the kubelet and those of the runtime have to settle it first, in this release or in the next one."
            ),
            None
        );
        let declined = answered(&format!("N/A. {ANSWER}")).expect("it has a reason");
        assert_eq!(declined.worth, Worth::Other);
        assert_eq!(answered("Please refer to the [questionnaire of the parent](https://a.example/keps/1-x#y)."), None);
        assert_eq!(monitoring("N/A, as nothing of this runs in a production cluster."), None);
        assert_eq!(monitoring(&format!("See [the parent](x).\n\n###### {used}\n\n{ANSWER}\n")), None);
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
