//! Whether the visible lines of a section are an answer, or only look like one.

use crate::markdown::fingerprint;
use crate::stage::Stage;
use crate::template::role::SectionRole;
use crate::template::{Template, is_known_line};
use std::borrow::Cow;

/// What the lines of a section contain, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// Nothing visible.
    Nothing,
    /// Only words like TBD.
    PlaceholderWord,
    /// Lines of the template to fill in or check, left unchanged.
    Form,
    /// The template's guidance as visible text.
    Guidance,
    /// The author's own words.
    Answer,
}

/// The template's examples, which show that graduation criteria were not edited.
pub(super) const GRADUATION_EXAMPLES: [&str; 3] = ["features A, B, C", "N examples", "N installs"];

impl Content {
    /// Classifies the visible `lines` of a section with this role.
    pub fn of<'a>(lines: impl Iterator<Item = Cow<'a, str>>, template: &Template, role: Option<SectionRole>) -> Self {
        let mut most = Self::Nothing;
        let mut has_example = false;
        for line in lines {
            most = most.max(Self::of_line(&line, template));
            has_example |= GRADUATION_EXAMPLES.iter().any(|example| line.contains(example));
            if most == Self::Answer {
                return most;
            }
        }
        // The template's bullets for graduation criteria are meant to be kept.
        let is_graduation = role == Some(SectionRole::GraduationCriteria);
        if most == Self::Guidance && is_graduation && !has_example { Self::Answer } else { most }
    }

    /// Whether there are only words like TBD.
    pub fn is_placeholder_word(self) -> bool {
        self == Self::PlaceholderWord
    }

    /// Classifies one visible line.
    pub fn of_line(line: &str, template: &Template) -> Self {
        if is_placeholder(line) {
            return Self::PlaceholderWord;
        }
        match fingerprint::hash(line) {
            _ if has_checked_box(line) => Self::Answer,
            Some(hash) if template.form_lines.contains(hash) => Self::Form,
            Some(hash) if is_known_line(hash) => Self::Guidance,
            _ => Self::Answer,
        }
    }
}

/// Whether a line begins with a checked box, in a list or not; `[ X ]` is one.
pub fn has_checked_box(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '+', ' ']);
    let inside = line.strip_prefix('[').and_then(|line| line.split_once(']')).map(|(inside, _)| inside.trim());
    inside.is_some_and(|inside| inside.eq_ignore_ascii_case("x"))
}

/// Whether `line` only announces text: "TBD", "==TODO==", "to be filled in before beta".
pub fn is_placeholder(line: &str) -> bool {
    const MOST_WORDS: usize = 10;
    const OPENINGS: [&str; 5] = ["tbd", "todo", "tba", "will", "to"];
    let words = || line.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_opening = |first: &str| OPENINGS.iter().any(|opening| first.eq_ignore_ascii_case(opening));
    if !words().next().is_some_and(is_opening) || words().take(MOST_WORDS + 1).count() > MOST_WORDS {
        return false;
    }
    let words: Vec<String> = words().map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["tbd" | "todo" | "tba", rest @ ..]
        | [
            "will" | "to",
            "be",
            "filled" | "completed" | "added" | "determined" | "decided" | "defined" | "done",
            rest @ ..,
        ] => is_time(rest),
        _ => false,
    }
}

/// Whether the words after a placeholder only say when: "", "in later", "before beta".
fn is_time(words: &[&str]) -> bool {
    let words = match words {
        ["in" | "out" | "later" | "soon"] | [] => return true,
        ["in" | "out", rest @ ..] if !is_stage_phrase(words) => rest,
        _ => words,
    };
    matches!(words, ["later" | "soon"]) || is_stage_phrase(words)
}

fn is_stage_phrase(words: &[&str]) -> bool {
    let rest = match words {
        ["prior", "to", rest @ ..]
        | ["before" | "for" | "in" | "by" | "at" | "during" | "with" | "upon", rest @ ..] => rest,
        _ => return false,
    };
    let rest = rest.strip_prefix(&["the"]).unwrap_or(rest);
    let (stage, rest) = match rest {
        [stage, rest @ ..] => (Stage::from_word(stage), rest),
        [] => return false,
    };
    let is_end = matches!(rest, [] | ["release" | "stage" | "graduation" | "phase"]);
    is_end && stage.is_some_and(|stage| !stage.is_removal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_has_no_other_text() {
        for line in
            ["TBD", "- TBD.", "==TODO==", r"\<TBD\>", "// TODO //", "To be filled in", "Will be completed before Beta."]
        {
            assert!(is_placeholder(line), "{line}");
        }
        for line in ["TODO: measure the latency", "None", "To be filled the form must exist", "TBD by the owners"] {
            assert!(!is_placeholder(line), "{line}");
        }
    }
}
