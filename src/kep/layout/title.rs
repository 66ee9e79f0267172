//! The form of a title: `VEP #{number}: {title}`.

use super::expression::Expression;
use crate::kep::field::Field;
use crate::kep::front_matter;
use crate::kep::metadata::Metadata;
use crate::span::FileId;
use std::ops::Range;

/// How the titles of documents begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitleForm {
    /// As it is written.
    pub form: String,
    /// Whether it is the form of the key `title` at the top of a document, not of a heading.
    pub is_in_front_matter: bool,
    /// The word before the number, and the number, whatever is between the two.
    number: Expression,
}

impl TitleForm {
    /// Reads a form, or says what is wrong with it.
    pub fn parse(form: &str, is_in_front_matter: bool) -> Result<Self, String> {
        let Some((before, after)) = form.split_once("{number}") else {
            return Err("it has no `{number}`".to_owned());
        };
        if after.contains("{number}") || before.contains(['{', '}']) || after.matches(['{', '}']).count() > 2 {
            return Err("it must have `{number}` once, and `{title}` after it".to_owned());
        }
        if !after.ends_with("{title}") || form.chars().any(char::is_control) {
            return Err("it must end in `{title}`".to_owned());
        }
        let word = before.trim_end_matches(|mark: char| !mark.is_alphanumeric());
        let number = format!(r"(?i)^\W*{}[\s#:_–-]*(?<number>[0-9]+)(?:\W|$)", regex::escape(word));
        Ok(Self { form: form.to_owned(), is_in_front_matter, number: Expression::new(&number)? })
    }

    pub fn number_in(&self, title: &str) -> Option<Range<usize>> {
        Some(self.number.captures(title)?.name("number")?.range())
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
        let mark = self.form.split_once("{number}").map_or("", |(before, _)| before);
        format!("{mark}{number}")
    }
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
}
