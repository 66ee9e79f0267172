//! Whether the fields below a checkbox of the template's forms are filled in.

use super::answer;
use super::content::is_placeholder;
use crate::markdown::form::FormItem;
use crate::span::slice;
use crate::template::Template;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// A field has a value; the label of the first one.
    Filled(String),
    /// The template's fields are all blank, and nothing else is there; the label of the first one.
    Blank(String),
    /// It has no field of the template, or text outside of the fields.
    Other,
}

/// The state of the fields of `item`. A field is a line that begins with a label of the template.
pub fn state(item: &FormItem, text: &str, template: &Template) -> State {
    let mut blank: Option<String> = None;
    let mut has_text = !template.is_form_line(slice(text, item.line.clone()));
    // The label and the indentation of the field that the next lines may belong to.
    let mut open: Option<(String, usize)> = None;
    for (line, depth) in &item.below {
        if let Some((label, value)) = field(text, line, template) {
            if is_value(value) {
                return State::Filled(label);
            }
            has_text |= !value.is_empty();
            blank = blank.or_else(|| Some(label.clone()));
            open = Some((label, *depth));
        } else if template.is_form_line(slice(text, line.clone())) {
            open = None;
        } else if let Some((label, _)) = open.as_ref().filter(|(_, around)| depth > around) {
            if is_value(slice(text, line.clone())) {
                return State::Filled(label.clone());
            }
            has_text = true;
        } else {
            open = None;
            has_text = true;
        }
    }
    if has_text { State::Other } else { blank.map_or(State::Other, State::Blank) }
}

fn field<'a>(text: &'a str, line: &Range<usize>, template: &Template) -> Option<(String, &'a str)> {
    let content = slice(text, line.clone()).trim_start_matches(['-', '*', '+', ' ']);
    let (label, value) = content.split_once(':')?;
    let is_known = template.is_form_line(&format!("- {label}:"));
    is_known.then(|| (label.trim().to_owned(), value.trim_start_matches('*').trim()))
}

/// Whether the text after a label is a value: not "N/A", "None" or "TBD".
fn is_value(text: &str) -> bool {
    let begins_none = text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("none "));
    !text.is_empty()
        && !begins_none
        && !answer::is_bare(text)
        && !answer::begins_not_applicable(text)
        && !is_placeholder(text, None)
        && !text.starts_with("<!--")
}
