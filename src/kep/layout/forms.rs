//! The forms that a configuration has for titles, headings and lines, and what documents have of them.

use crate::kep::field::Field;
use crate::kep::front_matter;
use crate::kep::metadata::Metadata;
use crate::span::FileId;
use crate::stage::{Release, Stage, Status};
use crate::suggest;
use crate::yaml::date::Date;
use regex::Regex;
use std::ops::Range;

/// A regular expression, which is the same as another with the same text.
#[derive(Clone, Debug)]
pub struct Expression(Regex);

impl Expression {
    pub fn new(pattern: &str) -> Result<Self, String> {
        Regex::new(pattern).map(Self).map_err(|_| "it is too long".to_owned())
    }

    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// What a placeholder stands for in a text of this form.
    pub fn part<'t>(&self, text: &'t str, name: &str) -> Option<&'t str> {
        Some(self.0.captures(text)?.name(name)?.as_str())
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Expression {}

/// The expression for a form: what its placeholders stand for, each at most once, and what is between them.
pub fn filled(form: &str, known: &[(&str, &str)], fixed: impl Fn(&str) -> String) -> Result<String, String> {
    let between = |text: &str| if text.contains('}') { Err("a brace is not opened") } else { Ok(fixed(text)) };
    let mut parts = form.split('{');
    let mut text = between(parts.next().unwrap_or_default())?;
    for part in parts {
        let (name, after) = part.split_once('}').ok_or("a brace is not closed")?;
        let Some((_, expression)) = known.iter().find(|(known, _)| *known == name) else {
            let names = known.iter().map(|(known, _)| format!("{{{known}}}"));
            return Err(format!("`{{{name}}}` is no placeholder: there are {}", suggest::list(names, "and")));
        };
        if text.contains(expression) {
            return Err(format!("it has `{{{name}}}` twice"));
        }
        text += expression;
        text += &between(after)?;
    }
    Ok(text)
}

/// The expression for the words of a form, with any space between them.
fn words(text: &str) -> String {
    let escaped: Vec<String> = text.split_whitespace().map(regex::escape).collect();
    let begins = if text.starts_with(' ') { r"\s+" } else { "" };
    let ends = if text.ends_with(' ') { r"\s*" } else { "" };
    format!("{begins}{}{ends}", escaped.join(r"\s+"))
}

/// How the titles of documents begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitleForm {
    pub form: String,
    /// Whether it is the form of the key `title` at the top of a document, not of a heading.
    pub is_in_front_matter: bool,
    /// The word before the number, and the number, whatever is between the two.
    number: Expression,
}

impl TitleForm {
    /// Reads a form, or says what is wrong with it.
    pub fn parse(form: &str, is_in_front_matter: bool) -> Result<Self, String> {
        filled(form, &[("number", "{number}"), ("title", "{title}")], str::to_owned)?;
        let (before, _) = form.split_once("{number}").ok_or("it has no `{number}`")?;
        if !form.ends_with("{title}") || form.chars().any(char::is_control) {
            return Err("it must end in `{title}`".to_owned());
        }
        let word = before.trim_end_matches(|mark: char| !mark.is_alphanumeric());
        let number = format!(r"(?i)^\W*{}[\s#:_–-]*(?<number>[0-9]+)(?:\W|$)", regex::escape(word));
        Ok(Self { form: form.to_owned(), is_in_front_matter, number: Expression::new(&number)? })
    }

    pub fn number_in(&self, title: &str) -> Option<Range<usize>> {
        Some(self.number.0.captures(title)?.name("number")?.range())
    }

    /// The title at the top of a document, if this is the form of such titles.
    pub fn of_front_matter(&self, file: FileId, text: &str) -> Option<Field> {
        let front = front_matter::of_document(text).filter(|_| self.is_in_front_matter)?;
        Metadata::parse(file, front).title
    }

    pub fn write(&self, number: &str, title: &str) -> String {
        self.form.replace("{number}", number).replace("{title}", title)
    }

    /// What stands for the number: `VEP #12`.
    pub fn mark(&self, number: &str) -> String {
        self.form.split_inclusive("{number}").next().unwrap_or_default().replace("{number}", number)
    }
}

/// What a document says of a release; without a stage, it is that of the whole proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub stage: Option<Stage>,
    pub release: Release,
}

/// Reads the form of a line that names the release of a stage, or says what is wrong with it.
pub fn target_line(form: &str) -> Result<Expression, String> {
    if !form.trim().ends_with("{release}") {
        return Err("it must end in `{release}`".to_owned());
    }
    let known = [("stage", "(?<stage>[A-Za-z]+)"), ("release", "(?<release>.*)")];
    let line = filled(form.trim(), &known, words)?;
    Expression::new(&format!(r"(?i)^\s*(?:[-*+]\s+)?(?:\[[ x]\]\s+)?{line}$"))
}

/// The release that people mean: `v1.9.0`, `1.9` and `v1.9.` are v1.9; `TBD` is none.
pub fn release_of(text: &str) -> Option<Release> {
    let word = text.split_whitespace().next()?.trim_matches(['.', ',', ';', '`', '*', '_', '"']);
    Release::parse(&word.to_lowercase()).filter(|release| !release.is_unknown())
}

/// What the configuration says of the headings of the template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedSections {
    /// The titles of those that are not asked for.
    pub optional: Vec<Expression>,
    /// The form of a line below a heading that says from which status on it is asked for:
    /// `[required_in]: # ({phase} status and above)`.
    pub directive: Option<Expression>,
    pub since: Option<Since>,
}

/// The first proposal that was written from the template as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    Day(Date),
    Number(u32),
}

impl Since {
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = || text.parse().ok().map(Self::Number);
        Date::parse(text).map(Self::Day).or_else(number).ok_or_else(|| "this is no day and no number".to_owned())
    }
}

/// How far a proposal is: the meaning of its status, and the place of that among the words of the repository.
pub type Rank = (Status, usize);

/// Reads the form of a line that names a status, or says what is wrong with it.
pub fn directive_line(form: &str) -> Result<Expression, String> {
    if !form.contains("{phase}") {
        return Err("it has no `{phase}`".to_owned());
    }
    let line = filled(form, &[("phase", r"(?<phase>[\w-]+)")], words)?;
    Expression::new(&format!(r"(?i)^\s*{line}\s*$"))
}

/// The titles that a pattern with `*` matches.
pub fn titles(pattern: &str) -> Result<Expression, String> {
    let parts: Vec<String> = pattern.trim().split('*').map(regex::escape).collect();
    Expression::new(&format!("(?i)^{}$", parts.join(".*")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_around_the_number_do_not_matter() {
        let form = TitleForm::parse("IDEA #{number}: {title}", false).expect("it is well-formed");
        let number = |title: &'static str| form.number_in(title).map(|range| &title[range]);
        for title in ["IDEA #12: x", "IDEA 12: x", "idea-12 x", "[IDEA-12](y)", "IDEA 12"] {
            assert_eq!(number(title), Some("12"), "{title}");
        }
        for title in ["x", "12: x", "IDEA #NNNN: x", "IDEA: x", "IDEAS 1x"] {
            assert_eq!(number(title), None, "{title}");
        }
        assert_eq!((form.write("7", "Fast"), form.mark("7")), ("IDEA #7: Fast".to_owned(), "IDEA #7".to_owned()));
        for wrong in ["{title}", "{number}", "{number} {number} {title}", "{x} {number}: {title}"] {
            assert!(TitleForm::parse(wrong, false).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_release_is_read_as_people_write_it() {
        for text in ["v1.9", " 1.9", "v1.9.0", "v1.9. ", "V1.9 (planned)", "`v1.9`"] {
            assert_eq!(release_of(text), Some(Release { major: 1, minor: 9 }), "{text}");
        }
        for text in ["", "TBD", "N/A", "[]", "next", "v0.0"] {
            assert_eq!(release_of(text), None, "{text}");
        }
    }

    #[test]
    fn a_form_is_read_or_refused() {
        let line = target_line("This targets {stage} for version: {release}").expect("it is well-formed").0;
        let read = |text: &str| {
            let found = line.captures(text)?;
            Some(format!("{} {}", &found["stage"], found["release"].trim()))
        };
        assert_eq!(read("- This targets alpha for version: v1.8").as_deref(), Some("alpha v1.8"));
        assert_eq!(read("  * this  targets GA for version:").as_deref(), Some("GA "));
        assert_eq!(read("This targets version: v1.8"), None);
        for form in ["", "{stage}", "{release} {stage}", "{x} {release}", "{stage} {stage} {release}"] {
            assert!(target_line(form).is_err(), "{form}");
        }
    }

    #[test]
    fn a_line_names_a_status() {
        let line = directive_line("[required_in]: # ({phase} status and above)").expect("it is well-formed");
        assert_eq!(line.part("[required_in]: #  (Provisional status and above) ", "phase"), Some("Provisional"));
        assert_eq!(line.part("[required_in]: # (status and above)", "phase"), None);
        for wrong in ["", "{stage}", "{phase} {phase}", "{phase} {x}"] {
            assert!(directive_line(wrong).is_err(), "{wrong}");
        }
        assert!(titles("Story *").is_ok_and(|story| story.is_match("story 1") && !story.is_match("A story 1")));
    }
}
