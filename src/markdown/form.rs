//! Form fields of the template, such as `- Metric name:`, and the values that authors write on the same line or in a
//! list below it.

use super::Document;
use super::checkbox::{self, TaskBox};
use crate::span::{last_line_start, slice, tail};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormField {
    pub start: usize,
    /// Its values: bytes of each line, without the list marker.
    pub values: Vec<Range<usize>>,
}

/// A checkbox with the lines below it that belong to it.
#[derive(Clone, Debug)]
pub struct FormItem {
    pub task: TaskBox,
    pub line: Range<usize>,
    /// The lines that are indented deeper, each with its indentation.
    pub below: Vec<(Range<usize>, usize)>,
}

impl Document {
    /// The values of the fields with this `label` in `range`, also `label for …`. For a field within a field, each line
    /// is returned once.
    pub fn filled_in(&self, range: Range<usize>, label: &str) -> Vec<Range<usize>> {
        self.form_fields(range, label).into_iter().flat_map(|field| field.values).collect()
    }

    /// The fields with this `label` in `range`, also `label for …`, with the values of each.
    pub fn form_fields(&self, range: Range<usize>, label: &str) -> Vec<FormField> {
        let text = self.text();
        let lines: Vec<Range<usize>> = self.visible_spans(range).collect();
        let mut fields = Vec::new();
        // The first line that no outer field has taken.
        let mut taken = 0;
        for (at, line) in lines.iter().enumerate() {
            let Some(rest) = after_label(text, line, label) else { continue };
            let is_empty = rest.is_empty();
            // Lines below a value explain it, unless it ends with a comma and the list continues.
            let mut continues = is_empty || slice(text, rest.clone()).ends_with(',');
            let mut values: Vec<Range<usize>> = Vec::new();
            values.extend(std::iter::once(rest).filter(|rest| !rest.is_empty()));
            for (below, next) in lines.iter().enumerate().skip(at + 1) {
                if !continues || indent(text, next) <= indent(text, line) {
                    break;
                }
                continues = is_empty || slice(text, next.clone()).ends_with(',');
                if below >= taken {
                    values.push(content(text, next));
                    taken = below + 1;
                }
            }
            fields.push(FormField { start: line.start, values });
        }
        fields
    }

    /// The checkboxes in `range` with their lines. A line belongs to the last checkbox before it.
    pub fn form_items(&self, range: Range<usize>) -> Vec<FormItem> {
        let text = self.text();
        let first = self.boxes.partition_point(|task| task.span.start < range.start);
        let mut boxes = tail(&self.boxes, first).iter().peekable();
        let mut items: Vec<FormItem> = Vec::new();
        // The indentation of the last checkbox, while its lines last.
        let mut open: Option<usize> = None;
        let mut before = 0;
        for line in self.visible_spans(range) {
            let before = std::mem::replace(&mut before, line.end);
            if let Some(task) = boxes.next_if(|task| task.span.start < line.end) {
                open = Some(indent(text, &line));
                items.push(FormItem { task: task.clone(), line, below: Vec::new() });
            } else if let Some(outer) = open {
                let depth = indent(text, &line);
                if depth > outer || is_continued(text, before, &line) {
                    items.last_mut().into_iter().for_each(|item| item.below.push((line.clone(), depth)));
                } else {
                    open = None;
                }
            } else if boxes.peek().is_none() {
                break;
            }
        }
        items
    }
}

/// Whether `line` continues the paragraph that ends at `before`, whatever its indentation.
fn is_continued(text: &str, before: usize, line: &Range<usize>) -> bool {
    let is_item = slice(text, line.clone()).starts_with(['-', '*', '+', '|', '#', '<']);
    !is_item && before <= line.start && slice(text, before..line.start).matches('\n').count() == 1
}

/// The bytes after the colon, if the line begins with `label:` or `label for …:`.
fn after_label(text: &str, line: &Range<usize>, label: &str) -> Option<Range<usize>> {
    let content = content(text, line);
    let body = slice(text, content.clone()).trim_start_matches('*');
    let (before, rest) = body.split_once(':')?;
    let before = before.trim_end_matches(['*', ' ']);
    let before = match before.split_once(" for ") {
        Some((words, _)) if !label.contains(" for ") => words,
        _ => before,
    };
    let before = before.strip_suffix("(s)").or(before.strip_suffix('s')).unwrap_or(before);
    let rest = rest.trim_start_matches(['*', ' ', '\t']);
    before.eq_ignore_ascii_case(label).then(|| content.end - rest.len()..content.end)
}

/// The line without the marker and the checkbox of a list item.
fn content(text: &str, line: &Range<usize>) -> Range<usize> {
    let whole = slice(text, line.clone());
    let item = whole.strip_prefix(['-', '*', '+']).filter(|item| item.starts_with([' ', '[']));
    let body = item.unwrap_or(whole).trim_start();
    let boxed = checkbox::at_start(body).map_or(body, |boxed| boxed.rest);
    line.end - boxed.trim_start().len()..line.end
}

pub(super) fn indent(text: &str, line: &Range<usize>) -> usize {
    let start = last_line_start(slice(text, ..line.start));
    slice(text, start..line.start).chars().map(|blank| if blank == '\t' { 4 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Vec<&str> {
        let document = Document::of_text(text);
        let filled = document.filled_in(0..text.len(), "Metric name");
        filled.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn a_value_is_on_the_line_of_its_field_or_below() {
        assert_eq!(filled("- [ ] Metrics\n  - Metric name: `a_b`\n  - Components: x\n"), ["`a_b`"]);
        assert_eq!(filled("* **Metric names:** a_b,\n  c_d\n    - of all\n* Other: y\n"), ["a_b,", "c_d"]);
        assert_eq!(filled("- Metric name(s):\n  - a_b\n  - [x] c_d\n- Other\n"), ["a_b", "c_d"]);
        assert_eq!(filled("- [] Metric name:\n  -[ x ] a_b\n"), ["a_b"]);
        assert_eq!(filled("- Metric name:\n- Other: y\n"), Vec::<&str>::new());
        assert_eq!(filled("- Metric name:\r  - a_b\r- Other\r"), ["a_b"]);
        assert_eq!(filled("- Metric name for the cache: a_b\n"), ["a_b"]);
    }

    #[test]
    fn a_field_in_a_field_returns_no_line_twice() {
        let text = "- Metric name:\n  - Metric name:\n    - a_b\n    - Metric name: c_d\n      - e_f\n";
        assert_eq!(filled(text), ["Metric name:", "a_b", "Metric name: c_d", "e_f", "c_d"]);
    }
}
