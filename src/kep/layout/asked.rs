//! What the headings of a template ask for, where the repository says it in its own way.

use super::expression::{Expression, words};
use crate::stage::Status;
use crate::yaml::date::Date;

/// What the configuration says of the headings of the template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedSections {
    /// The titles of those that are not asked for.
    pub optional: Vec<Expression>,
    pub directive: Option<DirectiveLine>,
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

/// The form of a line below a heading that says from which status on it is asked for:
/// `[required_in]: # ({phase} status and above)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectiveLine(Expression);

/// How far a proposal is: by the meaning of its status, and then by the place of that among the words of the
/// repository.
pub type Rank = (Status, usize);

impl DirectiveLine {
    /// Reads a form, or says what is wrong with it.
    pub fn parse(form: &str) -> Result<Self, String> {
        let Some((before, after)) = form.split_once("{phase}") else {
            return Err("it has no `{phase}`".to_owned());
        };
        if [before, after].iter().any(|text| text.contains(['{', '}'])) {
            return Err("it can only have `{phase}`, once".to_owned());
        }
        let line = format!(r"(?i)^\s*{}(?<phase>[\w-]+){}\s*$", words(before), words(after));
        Expression::new(&line).map(Self)
    }

    /// The status that a line of this form names.
    pub fn read<'l>(&self, line: &'l str) -> Option<&'l str> {
        Some(self.0.captures(line)?.name("phase")?.as_str())
    }
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
    fn a_line_names_a_status() {
        let line = DirectiveLine::parse("[required_in]: # ({phase} status and above)").expect("it is well-formed");
        assert_eq!(line.read("[required_in]: #  (Provisional status and above) "), Some("Provisional"));
        assert_eq!(line.read("[required_in]: # (status and above)"), None);
        for wrong in ["", "{stage}", "{phase} {phase}", "{phase} {x}"] {
            assert!(DirectiveLine::parse(wrong).is_err(), "{wrong}");
        }
        assert!(titles("Story *").is_ok_and(|story| story.is_match("story 1") && !story.is_match("A story 1")));
    }
}
