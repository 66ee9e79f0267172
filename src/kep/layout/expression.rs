//! Regular expressions for forms that people write.

/// The expression for the words of a form, with any space between them.
pub fn words(text: &str) -> String {
    let escaped: Vec<String> = text.split_whitespace().map(regex::escape).collect();
    let begins = if text.starts_with(' ') { r"\s+" } else { "" };
    let ends = if text.ends_with(' ') { r"\s*" } else { "" };
    format!("{begins}{}{ends}", escaped.join(r"\s+"))
}
