//! Whether the visible lines of a section are an answer, or only look like one.

use super::answer;
use super::phrases::words;
use crate::diagnostic::brief;
use crate::markdown::{checkbox, fingerprint};
use crate::search;
use crate::span::{is_invisible, slice};
use crate::stage::Stage;
use crate::template::role::SectionRole;
use crate::template::{Template, is_known_line};
use std::borrow::Cow;

/// What the lines of a section contain, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    Nothing,
    PlaceholderWord,
    /// Lines of the template to fill in or check, left unchanged.
    Form,
    Guidance,
    /// A short text that begins with a word like TBD.
    Note,
    Answer,
}

pub(super) const GRADUATION_EXAMPLES: [&str; 3] = ["features A, B, C", "N examples", "N installs"];

impl Content {
    /// Classifies the visible `lines` of a section with this role, in a KEP at `stage`.
    pub fn of<'a>(
        lines: impl Iterator<Item = Cow<'a, str>>,
        template: &Template,
        role: Option<SectionRole>,
        stage: Option<Stage>,
    ) -> Self {
        let mut most = Self::Nothing;
        let are_criteria = role == Some(SectionRole::GraduationCriteria);
        let mut has_example = false;
        let mut words = OwnWords::default();
        for line in lines.filter(|line| !shows_nothing(line)) {
            let is_suspicious = may_be_placeholder(&line);
            let content = Self::of_line_if(is_suspicious, &line, template, stage);
            most = most.max(content);
            has_example |= are_criteria && GRADUATION_EXAMPLES.iter().any(|example| line.contains(example));
            if matches!(content, Self::PlaceholderWord | Self::Answer) {
                words.add(&line, is_suspicious);
            }
            if most == Self::Answer && words.are_answer {
                return most;
            }
        }
        match most {
            Self::Answer => words.content(stage),
            // The template's bullets for graduation criteria are meant to be kept.
            Self::Guidance if are_criteria && !has_example => Self::Answer,
            _ => most,
        }
    }

    pub fn is_placeholder(self) -> bool {
        matches!(self, Self::PlaceholderWord | Self::Note)
    }

    pub fn of_line(line: &str, template: &Template, stage: Option<Stage>) -> Self {
        Self::of_line_if(may_be_placeholder(line), line, template, stage)
    }

    /// Whether a line is one of the template, unchanged.
    pub fn is_of_template(line: &str, template: &Template) -> bool {
        matches!(Self::of_line(line, template, None), Self::Form | Self::Guidance)
    }

    fn of_line_if(is_suspicious: bool, line: &str, template: &Template, stage: Option<Stage>) -> Self {
        if is_suspicious && is_placeholder(line, stage) {
            return Self::PlaceholderWord;
        }
        if has_checked_box(line) {
            return Self::Answer;
        }
        match fingerprint::hash(line) {
            Some(hash) if template.form_lines.contains(hash) => Self::Form,
            Some(hash) if is_known_line(hash) => Self::Guidance,
            _ => Self::Answer,
        }
    }
}

/// Whether a page shows nothing of a line there: it has only spaces that are written as text, and characters
/// without a width, or is a footnote, whose text is at the end of the page.
fn shows_nothing(line: &str) -> bool {
    if let Some(footnote) = line.strip_prefix("[^") {
        let rest = footnote.split_once(']').map(|(_, rest)| rest);
        return rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    }
    const SPACES: [&str; 7] = ["&nbsp;", "&#160;", "&#8203;", "&ZeroWidthSpace;", "&zwnj;", "&zwj;", "&shy;"];
    let may_be = line.starts_with(|first: char| first == '&' || !first.is_ascii());
    may_be && SPACES.iter().fold(line.to_owned(), |rest, space| rest.replace(space, "")).chars().all(is_blank)
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || is_invisible(letter) || matches!(letter, '…' | '–' | '—')
}

/// The first of the author's own words in a section, until they are certainly an answer.
#[derive(Default)]
struct OwnWords {
    text: String,
    count: usize,
    are_suspicious: bool,
    are_answer: bool,
}

impl OwnWords {
    fn add(&mut self, line: &str, is_suspicious: bool) {
        self.are_suspicious |= is_suspicious;
        let most = if self.are_suspicious { MOST_WORDS } else { MOST_BEFORE + PROMISE };
        self.count += line.split_ascii_whitespace().take(most + 1).count();
        self.are_answer |= self.count > most;
        if !self.are_answer {
            self.text.push_str(line);
            self.text.push(' ');
        }
    }

    fn content(&self, stage: Option<Stage>) -> Content {
        let is_named = |rest: &str| {
            let name = rest.strip_prefix('(').and_then(|name| name.split_once(')'));
            name.is_some_and(|(_, after)| after.starts_with(':'))
        };
        match after_marker(&self.text) {
            Some(rest) if is_named(rest) => Content::PlaceholderWord,
            Some(_) => Content::Note,
            None if self.are_suspicious && is_placeholder(&self.text, stage) => Content::PlaceholderWord,
            None => Content::Answer,
        }
    }
}

/// Whether a line begins with a checked box, in a list or not; `[ X ]` is one.
pub fn has_checked_box(line: &str) -> bool {
    checkbox::at_start(line.trim_start_matches(['-', '*', '+', ' '])).is_some_and(|boxed| boxed.ticked)
}

/// The most words of a text that is no answer because of how it begins.
const MOST_WORDS: usize = 15;

/// The most words before a promise; more say what is promised.
const MOST_BEFORE: usize = 5;

const PROMISE: usize = 3;

const MARKERS: [&str; 3] = ["tbd", "todo", "tba"];

fn after_marker(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let begins = |marker: &str| text.get(..marker.len()).is_some_and(|start| start.eq_ignore_ascii_case(marker));
    let marker = MARKERS.into_iter().find(|marker| begins(marker))?;
    let rest = slice(text, marker.len()..);
    (!rest.starts_with(char::is_alphanumeric)).then_some(rest)
}

/// What announces text if it is all that there is, in words of letters and digits.
const ANNOUNCEMENTS: [&str; 12] = [
    "wip",
    "tbc",
    "t b d",
    "fixme",
    "xxx",
    "to do",
    "placeholder",
    "coming soon",
    "work in progress",
    "in progress",
    "pending",
    "details to follow",
];

/// The most bytes of a line that is one, with what may be around its words.
const LONGEST_ANNOUNCEMENT: usize = 24;

fn is_announcement(text: &str) -> bool {
    // Nearly all lines begin with another letter.
    let first = text.bytes().find(u8::is_ascii_alphabetic).unwrap_or_default().to_ascii_lowercase();
    ANNOUNCEMENTS.iter().filter(|known| known.starts_with(char::from(first))).any(|known| {
        let mut own = words(text);
        known.split(' ').all(|word| own.next().is_some_and(|own| own.eq_ignore_ascii_case(word)))
            && own.next().is_none()
    })
}

/// Whether `text` only announces text: "TBD", "==TODO==", "Will be added.", and once a KEP has reached beta,
/// "Tests will be added for beta": a plan is an answer in alpha.
pub fn is_placeholder(text: &str, stage: Option<Stage>) -> bool {
    let text = text.to_lowercase();
    let first_words: Vec<&str> = words(&text).take(MOST_WORDS + 1).collect();
    match first_words.as_slice() {
        _ if first_words.len() > MOST_WORDS => false,
        _ if is_announcement(&text) => true,
        [first, rest @ ..] if MARKERS.contains(first) => time(rest).is_some(),
        _ => match promised(&first_words) {
            Some(Time::At(promised)) => stage.is_some_and(|stage| stage >= promised.max(Stage::Beta)),
            Some(Time::Unknown) => true,
            None => false,
        },
    }
}

/// What is wrong with a title whose words, without the number, are these: it says nothing of the KEP.
pub fn problem_of_title(words: &str) -> Option<String> {
    if !words.contains(char::is_alphabetic) {
        return Some("has no words".to_owned());
    }
    let says_nothing = is_placeholder(words, None) || answer::is_bare(words);
    says_nothing.then(|| format!("has only the placeholder `{}`", brief(words)))
}

/// Whether a line has a marker at its beginning, or the "be" of a promise; most lines have neither.
fn may_be_placeholder(line: &str) -> bool {
    let is_be = |at: usize| {
        let around = at.checked_sub(1).and_then(|before| line.as_bytes().get(before..at + 3));
        around.is_some_and(|around| [b" be ", b" Be ", b" BE "].iter().any(|verb| around == *verb))
    };
    let has_be = || search::either(line, b'b', b'B').any(is_be);
    let is_announced = || line.len() <= LONGEST_ANNOUNCEMENT && is_announcement(line);
    after_marker(line).is_some() || is_announced() || line.starts_with("be ") || line.ends_with(" be") || has_be()
}

#[derive(Clone, Copy)]
enum Time {
    Unknown,
    At(Stage),
}

/// When the text is promised for, if the words only promise it: "to be filled in later", "e2e tests will be
/// added for beta".
fn promised(words: &[&str]) -> Option<Time> {
    const VERBS: &str = "filled completed added announced confirmed determined decided defined discussed done written \
        provided implemented updated";
    let is_promise =
        |three: &[&str]| matches!(three, ["will" | "to", "be", verb] if VERBS.split(' ').any(|known| known == *verb));
    let at = words.windows(PROMISE).position(is_promise)?;
    let (before, rest) = words.split_at_checked(at)?;
    // "No. Tests will be added for beta" answers the question.
    if matches!(before, ["yes" | "no" | "none" | "n", ..]) || before.len() > MOST_BEFORE {
        return None;
    }
    let (begins, ends) = (before.split_at_checked(2).map(|(phrase, _)| phrase), time(rest.get(PROMISE..)?)?);
    match (begins.and_then(stage_phrase), ends) {
        (_, Time::At(stage)) | (Some(stage), Time::Unknown) => Some(Time::At(stage)),
        (None, Time::Unknown) => before.is_empty().then_some(Time::Unknown),
    }
}

/// The time that the words after a placeholder say, if they say nothing else: "", "in later", "before beta".
fn time(words: &[&str]) -> Option<Time> {
    match words {
        [] | ["in" | "out" | "later" | "soon"] | ["in" | "out", "later" | "soon"] => Some(Time::Unknown),
        ["in" | "out", rest @ ..] => stage_phrase(words).or_else(|| stage_phrase(rest)).map(Time::At),
        _ => stage_phrase(words).map(Time::At),
    }
}

/// The stage of "for beta", "before the beta release" or "once it moves to beta".
fn stage_phrase(words: &[&str]) -> Option<Stage> {
    let rest = match words {
        // What is promised after a stage is due for the next one.
        ["after", rest @ ..] => {
            return match stage_phrase(&[&["for"], rest].concat())? {
                Stage::Alpha => Some(Stage::Beta),
                Stage::Beta => Some(Stage::Stable),
                _ => None,
            };
        }
        ["once" | "when", .., last] => std::slice::from_ref(last),
        ["prior", "to", rest @ ..]
        | ["before" | "for" | "in" | "by" | "at" | "during" | "with" | "upon", rest @ ..] => rest,
        _ => return None,
    };
    let rest = rest.strip_prefix(&["the"]).unwrap_or(rest);
    let (stage, rest) = rest.split_first()?;
    let is_end = matches!(rest, [] | ["release" | "stage" | "graduation" | "phase"]);
    Stage::from_word(stage).filter(|stage| is_end && !stage.is_removal())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str, stage: Stage) -> Content {
        Content::of(text.lines().map(Cow::Borrowed), &Template::built_in(), None, Some(stage))
    }

    #[test]
    fn a_placeholder_has_no_other_text() {
        for line in [
            "TBD",
            "- TBD.",
            "==TODO==",
            r"\<TBD\>",
            "// TODO //",
            "To be filled in",
            "To be filled in later.",
            "Will be completed before Beta.",
            "Will be added.",
            "TODO(jane): describe the metric",
            "E2e tests will be added in beta.",
            "For beta, tests will be added.",
            "This section will be filled once we move to beta.",
            "To be discussed after alpha release.",
            "T.B.D.",
            "- TBC",
            "**To do**",
            "_Coming soon._",
            "FIXME",
            "Work in progress!",
        ] {
            assert_eq!(content(line, Stage::Beta), Content::PlaceholderWord, "{line}");
        }
        for line in [
            "None",
            "In progress: the tests of the kubelet",
            "To do that, a list is read.",
            "To be filled the form must exist",
            "Tests will be added.",
            "No. Tests will be added for beta",
            "Will be added for beta users.",
            "To be discussed after beta.",
        ] {
            assert_eq!(content(line, Stage::Beta), Content::Answer, "{line}");
        }
    }

    #[test]
    fn a_plan_for_a_later_stage_is_an_answer() {
        for line in
            ["Will be completed before Beta.", "E2e tests will be added in beta.", "For beta, tests will be added."]
        {
            assert_eq!(content(line, Stage::Alpha), Content::Answer, "{line}");
            assert_eq!(content(line, Stage::Stable), Content::PlaceholderWord, "{line}");
        }
        assert_eq!(content("The tests will be added in alpha.", Stage::Alpha), Content::Answer);
        assert_eq!(content("For alpha, tests of the cache of a node will be added.", Stage::Beta), Content::Answer);
        assert_eq!(content("Will be added.", Stage::Alpha), Content::PlaceholderWord);
        assert_eq!(content("To be discussed after beta.", Stage::Stable), Content::PlaceholderWord);
    }

    #[test]
    fn an_answer_after_many_placeholders_is_an_answer() {
        let text = format!("{}Images are pulled ahead of time.", "TBD\n".repeat(MOST_WORDS + 1));
        assert_eq!(content(&text, Stage::Beta), Content::Answer);
    }

    #[test]
    fn a_promise_may_be_broken_into_lines() {
        let text = "E2e tests of the\nkubelet will be\nadded for beta.";
        assert_eq!(content(text, Stage::Beta), Content::PlaceholderWord);
        assert_eq!(content(text, Stage::Alpha), Content::Answer);
    }

    #[test]
    fn a_short_text_after_a_placeholder_word_is_a_note() {
        let words = |count: usize| format!("TODO: {}", "word ".repeat(count));
        assert_eq!(content("TBD by the owners\nof the node", Stage::Beta), Content::Note);
        assert_eq!(content(&words(14), Stage::Beta), Content::Note);
        assert_eq!(content(&words(15), Stage::Beta), Content::Answer);
        assert_eq!(content("- TBD\n- Metric name:", Stage::Beta), Content::Form);
    }
}
