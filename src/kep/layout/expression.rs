//! Regular expressions that are compared with others, as all that a configuration says of a layout.

use regex::Regex;

/// A regular expression, which is the same as another with the same text.
#[derive(Clone, Debug)]
pub struct Expression(pub Regex);

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
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
