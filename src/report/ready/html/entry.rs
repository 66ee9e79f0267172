//! An item of a KEP that is not met: what there is, where that was read, and its parts.

use super::mark;
use crate::ready::answer::{Detail, Place};
use crate::ready::checklist::{Checklist, Entry};
use crate::report::html::text::{escaped, indented, with_code};
use crate::report::look::Look;
use crate::report::ready::words;

pub fn item(checklist: &Checklist, entry: &Entry, look: &Look) -> String {
    let Entry { item, answer } = entry;
    let parts: String = answer.details.iter().map(|detail| part(checklist, detail, &answer.words, look)).collect();
    let parts = if parts.is_empty() { parts } else { format!("<ul>\n{parts}</ul>\n") };
    let place = answer.place.as_ref().map(|named| place(checklist, named, look)).unwrap_or_default();
    format!(
        "<li data-item=\"{}\">{} <strong>{}</strong>: {}{place}\n{parts}</li>\n",
        item.name,
        mark::with_word(answer.state),
        escaped(item.title),
        with_code(&answer.words),
    )
}

/// A part of an answer; `said` are the words of the whole.
fn part(checklist: &Checklist, detail: &Detail, said: &str, look: &Look) -> String {
    let Detail { chapter, words, place: at, help, .. } = detail;
    let chapter = chapter.as_deref().map(|chapter| format!("{} › ", escaped(chapter))).unwrap_or_default();
    let words = if words == said { String::new() } else { format!("{chapter}{}", with_code(words)) };
    let place = at.as_ref().map(|at| place(checklist, at, look)).unwrap_or_default();
    let help = help.as_deref().map(|help| indented(help, with_code)).unwrap_or_default();
    match (words.is_empty(), help.is_empty()) {
        (true, true) => String::new(),
        (true, false) => format!("<li class=\"help\">{help}</li>\n"),
        (false, true) => format!("<li>{words}{place}</li>\n"),
        (false, false) => format!("<li>{words}{place}<br>\n<span class=\"help\">{help}</span></li>\n"),
    }
}

/// A place in parentheses, which links to the file if it is on the web.
fn place(checklist: &Checklist, place: &Place, look: &Look) -> String {
    let shown = escaped(&words::place(checklist, place));
    if shown.is_empty() {
        return shown;
    }
    let shown = match look.line_url(&place.path, place.line) {
        Some(url) => format!("<a href=\"{}\">{shown}</a>", escaped(&url)),
        None => shown,
    };
    format!(" <span class=\"where\">({shown})</span>")
}
