//! Regular expressions for forms that people write, which are compared with others, as all that a configuration says of a layout.

use regex::Regex;
use std::ops::Deref;

/// A regular expression, which is the same as another with the same text.
#[derive(Clone, Debug)]
pub struct Expression(Regex);

impl Expression {
    pub fn new(pattern: &str) -> Result<Self, String> {
        Regex::new(pattern).map(Self).map_err(|_| "it is too long".to_owned())
    }
}

impl Deref for Expression {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        &self.0
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Expression {}

/// The expression for the words of a form, with any space between them.
pub fn words(text: &str) -> String {
    let escaped: Vec<String> = text.split_whitespace().map(regex::escape).collect();
    let begins = if text.starts_with(' ') { r"\s+" } else { "" };
    let ends = if text.ends_with(' ') { r"\s*" } else { "" };
    format!("{begins}{}{ends}", escaped.join(r"\s+"))
}
