//! Fills in a template: its boxes, its placeholders, and the line for the action items. All of them are found before anything
//! is filled in, so that nothing of a KEP is taken for one.
use super::boxes;
use super::sheet::Sheet;
use crate::bounds;
use crate::diagnostic::brief;
use crate::markdown::Document;
use crate::markdown::checkbox::TaskBox;
use crate::ready::calendar::comment_names;
use crate::ready::calendar::schedule::{Moment, Schedule};
use crate::ready::checklist::Checklist;
use crate::ready::gate::{Assessment, Gate};
use crate::report::markdown::text::code;
use crate::span::slice;
use std::ops::Range;

pub struct Filler<'a> {
    pub assessment: &'a Assessment<'a>,
    pub schedule: Option<&'a Schedule>,
    /// The action items, each in Markdown that fits after `- `.
    pub items: Vec<String>,
}

pub struct Filled {
    pub sheet: Sheet,
    /// The placeholders and boxes that are left as they are, as people are told of them.
    pub left: Vec<String>,
}

struct Part<'a> {
    range: Range<usize>,
    value: Value<'a>,
}

enum Value<'a> {
    Text(String),
    Owners(&'a [String]),
    Items(String),
}

impl<'a> Filler<'a> {
    pub fn fill(&self, template: &str) -> Filled {
        let document = Document::of_text(template);
        let mut left = Vec::new();
        let mut parts: Vec<Part<'a>> = Vec::new();
        for task in &document.boxes {
            let check = boxes::check(self.assessment.gate, box_text(template, task));
            let is_ticked = check.is_some_and(|check| self.assessment.is_ticked(check));
            if check.is_none() {
                note(&mut left, format!("the box `{}`", brief(box_text(template, task))));
            }
            let mark = if is_ticked { "[x]" } else { "[ ]" };
            parts.push(Part { range: task.span.clone(), value: Value::Text(mark.to_owned()) });
        }
        for range in placeholders(template) {
            match self.part(template, range.clone()) {
                Some(part) => parts.push(part),
                None => note(&mut left, format!("`{}`", brief(slice(template, range)))),
            }
        }
        parts.sort_by_key(|part| part.range.start);
        Filled { sheet: self.written(template, parts), left }
    }

    pub fn has_unknown_boxes(gate: Gate, template: &str) -> bool {
        let document = Document::of_text(template);
        document.boxes.iter().any(|task| boxes::check(gate, box_text(template, task)).is_none())
    }

    fn written(&self, template: &str, parts: Vec<Part<'a>>) -> Sheet {
        let mut sheet = Sheet::default();
        let mut done = 0;
        for Part { range, value } in parts {
            // Of two parts at one place, such as a placeholder in the brackets of a box, the first counts.
            if range.start < done {
                continue;
            }
            sheet.push(slice(template, done..range.start));
            done = range.end;
            match value {
                Value::Text(text) => sheet.push(&text),
                Value::Owners(authors) => push_owners(&mut sheet, authors),
                Value::Items(mark) => self.push_items(&mut sheet, &mark),
            }
        }
        sheet.push(slice(template, done..));
        sheet
    }

    fn push_items(&self, sheet: &mut Sheet, mark: &str) {
        let indent = " ".repeat(mark.len() - mark.trim_start().len());
        for (index, item) in self.items.iter().enumerate() {
            sheet.push(if index == 0 { "" } else { "\n" });
            sheet.push(mark);
            sheet.push_words(&item.replace('\n', &format!("\n{indent}")));
        }
        if self.items.is_empty() {
            sheet.push(mark);
            sheet.push("nothing");
        }
    }

    /// What is written for a placeholder; `None` if that is not known, or has no room there.
    fn part(&self, template: &str, range: Range<usize>) -> Option<Part<'a>> {
        let name = name_of(slice(template, range.clone()));
        let line = line_around(template, &range);
        let before = slice(template, line.start..range.start);
        let is_command = before.trim_start().starts_with('/');
        match name.as_str() {
            "enhancement owner" | "enhancement owners" => {
                let authors = self.assessment.checklist.authors.as_slice();
                let has_some = authors.iter().any(|author| !author.trim().is_empty());
                (has_some && !is_command).then_some(Part { range, value: Value::Owners(authors) })
            }
            "insert list of action items" | "list of action items" | "action items" => {
                let after = slice(template, range.end..line.end);
                let mark = list_mark(before)?;
                after.trim().is_empty().then_some(Part { range: line, value: Value::Items(mark) })
            }
            name => Some(Part { range, value: Value::Text(self.word(name)?) }),
        }
    }

    fn word(&self, name: &str) -> Option<String> {
        let Checklist { family, release, stage, .. } = self.assessment.checklist;
        let moment = |of: fn(&Schedule) -> Option<&Moment>| Some(of(self.schedule?)?.written().to_owned());
        match name {
            "current release" => Some(release.to_string()),
            "stage" => Some(stage.as_ref()?.name().to_owned()),
            "deadline" => Some(family.deadline.as_ref()?.name.clone()),
            _ => {
                let of = name.strip_suffix(" datetime")?;
                let is_one = |names: &[String]| names.iter().any(|known| known.eq_ignore_ascii_case(of));
                if of == "deadline" || is_one(&comment_names().deadline) {
                    moment(|days| days.deadline.as_ref())
                } else if is_one(&comment_names().enhancements) {
                    moment(|days| days.enhancements_freeze.as_ref())
                } else {
                    None
                }
            }
        }
    }
}

fn note(left: &mut Vec<String>, text: String) {
    if !left.contains(&text) {
        left.push(text);
    }
}

/// The bytes of all `{…}` that are in one line each.
fn placeholders(template: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    for (at, letter) in template.char_indices() {
        match letter {
            '{' => open = Some(at),
            '\n' | '\r' => open = None,
            '}' => found.extend(open.take().map(|start| start..at + 1)),
            _ => {}
        }
    }
    found.retain(|range| !name_of(slice(template, range.clone())).is_empty());
    found
}

/// `{ PRR_FREEZE_DATETIME }` is `prr freeze datetime`.
fn name_of(placeholder: &str) -> String {
    let inner = placeholder.trim_matches(['{', '}']).to_lowercase();
    let words = inner.split(|letter: char| letter.is_whitespace() || ['_', '-'].contains(&letter));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The line that a part of a text is in, without its end.
fn line_around(text: &str, range: &Range<usize>) -> Range<usize> {
    let ends = ['\n', '\r'];
    let start = slice(text, ..range.start).rfind(ends).map_or(0, |end| end + 1);
    let end = slice(text, range.end..).find(ends).map_or(text.len(), |end| range.end + end);
    start..end
}

/// What is before each item of a list, if this is before the first of them; `None` for other words.
fn list_mark(before: &str) -> Option<String> {
    let mark = before.trim();
    let blanks = slice(before, ..before.len() - before.trim_start().len());
    match mark {
        "-" | "*" | "+" if !blanks.contains('\t') => Some(format!("{blanks}{mark} ")),
        "" => Some("- ".to_owned()),
        _ => None,
    }
}

/// The words of a box: up to the next item, or a blank line.
fn box_text<'t>(template: &'t str, task: &TaskBox) -> &'t str {
    let rest = slice(template, task.span.end..);
    let is_end = |line: &&str| {
        let line = line.trim_start();
        let after_number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let is_numbered = after_number.len() < line.len() && after_number.starts_with(['.', ')']);
        line.is_empty() || line.starts_with(['-', '*', '+', '#', '/']) || is_numbered
    };
    let mut lines = rest.split_inclusive('\n');
    let first = lines.next().unwrap_or_default().len();
    let length = first + lines.take_while(|line| !is_end(line)).map(str::len).sum::<usize>();
    slice(rest, ..length).trim()
}

/// What stands in the place of an author who is not known yet.
const NOBODY: [&str; 4] = ["tbd", "todo", "none", "n/a"];

/// Adds the authors. Whoever has a handle is mentioned; teams, remarks and everything else are code.
fn push_owners(sheet: &mut Sheet, authors: &[String]) {
    let mut seen: Vec<String> = Vec::new();
    for author in authors.iter().map(|author| author.trim()).filter(|author| !author.is_empty()) {
        let name = author.strip_prefix('@').unwrap_or(author).to_lowercase();
        if seen.contains(&name) {
            continue;
        }
        if seen.len() == bounds::LISTED_NAMES {
            sheet.push(" and others");
            return;
        }
        sheet.push(if seen.is_empty() { "" } else { ", " });
        match handle(author) {
            Some(handle) => sheet.push_mention(&format!("@{handle}")),
            None => sheet.push_words(&code(&author.chars().take(bounds::QUOTED_CHARACTERS).collect::<String>())),
        }
        seen.push(name);
    }
}

/// The handle of an author, without @, if all of the text is one.
fn handle(author: &str) -> Option<&str> {
    let name = author.strip_prefix('@').unwrap_or(author);
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_handle = name.len() <= bounds::HANDLE_BYTES && name.split('-').all(is_part);
    (is_handle && !NOBODY.contains(&name.to_lowercase().as_str())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_read_in_any_spelling() {
        let text = "a {b} { C_D } {e\nf} {{ g }} {} { } }{ h";
        let names: Vec<String> = placeholders(text).into_iter().map(|range| name_of(slice(text, range))).collect();
        assert_eq!(names, ["b", "c d", "g"]);
    }

    #[test]
    fn a_box_ends_with_its_item() {
        let text = "- [ ] a\n  b\n- [x] c\n\nd\n* [x] e\n/label f\n1. [ ] g\n2. h\n";
        let document = Document::of_text(text);
        let texts: Vec<&str> = document.boxes.iter().map(|task| box_text(text, task)).collect();
        assert_eq!(texts, ["a\n  b", "c", "e", "g"]);
    }

    #[test]
    fn items_take_a_line_of_their_own() {
        assert_eq!(list_mark("  - ").as_deref(), Some("  - "));
        assert_eq!((list_mark("").as_deref(), list_mark("1. "), list_mark("/cc ")), (Some("- "), None, None));
    }

    fn shown(authors: &[&str]) -> String {
        let authors: Vec<String> = authors.iter().map(|author| (*author).to_owned()).collect();
        let mut sheet = Sheet::default();
        push_owners(&mut sheet, &authors);
        sheet.finish().expect("it is safe")
    }

    #[test]
    fn only_handles_are_mentioned() {
        assert_eq!(shown(&["@Ann-1", "bob", " @ann-1 ", ""]), "@Ann-1, @bob");
        for author in [
            "@kubernetes/sig-node-leads",
            "@a\n/lgtm",
            "@ann (API)",
            "@jane.doe",
            "-->",
            "/label x",
            "@-a",
            "@a--b",
            "@a_b",
            "TBD",
            "@@ann",
            "@é",
        ] {
            assert_eq!(shown(&[author]), code(author), "{author}");
        }
        assert_eq!(shown(&["@a\n/lgtm", "`"]), "`@a /lgtm`, `` ` ``");
        assert_eq!(shown(&[&"a".repeat(40)]), format!("`{}`", "a".repeat(40)));
        let many: Vec<String> = (0..1000).map(|number| format!("a{number}")).collect();
        assert_eq!(
            shown(&many.iter().map(String::as_str).collect::<Vec<_>>()).matches('@').count(),
            bounds::LISTED_NAMES
        );
    }
}
