//! Lists as `mdtoc` parses them: which lines belong to an item, and whether headings among them count.

use super::line::{Line, without_indent};
use crate::span::slice;

/// How many lines most items have at most.
const USUAL_LINES: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MarkerKind {
    Bullet,
    Number,
}

#[derive(Clone, Copy)]
struct Marker {
    kind: MarkerKind,
    /// Bytes up to the end of the marker, with one space.
    width: usize,
}

/// The lines of a list that are read as separate texts, and the number of the line after it.
pub(super) struct List<'a> {
    pub texts: Vec<Vec<Line<'a>>>,
    pub end: usize,
    kind: MarkerKind,
    /// Whether an item had a blank line or a heading in it. That item and all after it consist of blocks; those before
    /// it consist of text, in which no line is a heading.
    has_blocks: bool,
    is_over: bool,
}

/// The list that begins with line `at`, if one does.
pub(super) fn read<'a>(lines: &[Line<'a>], at: usize) -> Option<List<'a>> {
    let kind = marker(*lines.get(at)?)?.kind;
    let mut list = List { texts: Vec::new(), end: at, kind, has_blocks: false, is_over: false };
    while !list.is_over
        && let Some(first) = lines.get(list.end)
        && let Some(marker) = marker(*first)
    {
        list.item(lines, *first, marker);
    }
    Some(list)
}

impl<'a> List<'a> {
    /// Adds the item that begins with the line `first`.
    fn item(&mut self, lines: &[Line<'a>], first: Line<'a>, marker: Marker) {
        let indent = first.text.len() - without_indent(first.text).len();
        let mut item = Vec::with_capacity(USUAL_LINES);
        item.push(first.from(marker.width).without_spaces());
        // How many lines of the item come before a nested list, and the last of blank lines.
        let (mut before_list, mut blank) = (None, None);
        self.end += 1;
        while let Some(line) = lines.get(self.end) {
            if line.is_blank() {
                blank = Some(*line);
                self.end += 1;
                continue;
            }
            let (depth, mut inner) = unindented(*line);
            let nested = nested_marker(inner);
            if depth == 0 && inner.fence().is_some() {
                self.is_over = true;
                break;
            }
            if let Some(nested) = nested {
                if depth <= indent {
                    self.is_over = nested.kind != self.kind;
                    self.has_blocks |= !self.is_over && blank.is_some();
                    break;
                }
                if depth == 4 && line.text.starts_with(' ') {
                    // The marker keeps one space, so that lists nested in it are deeper.
                    let spaces = inner.text.len() - without_indent(inner.text).len();
                    inner = line.from(3 - spaces);
                }
                before_list.get_or_insert(item.len());
            } else if blank.is_some() && depth < 4 {
                self.is_over = true;
                break;
            }
            self.has_blocks |= blank.is_some() || (nested.is_none() && inner.heading().is_some());
            item.extend(blank.take());
            item.push(inner);
            self.end += 1;
        }
        let nested = item.split_off(before_list.unwrap_or(item.len()));
        if self.has_blocks {
            self.texts.push(item);
        }
        if !nested.is_empty() {
            self.texts.push(nested);
        }
    }
}

fn nested_marker(line: Line<'_>) -> Option<Marker> {
    marker(line).filter(|marker| marker.kind == MarkerKind::Number || !line.is_rule())
}

fn marker(line: Line<'_>) -> Option<Marker> {
    let text = without_indent(line.text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let kind = match text.as_bytes().get(digits)? {
        b'*' | b'+' | b'-' if digits == 0 => MarkerKind::Bullet,
        b'.' | b')' if digits > 0 => MarkerKind::Number,
        _ => return None,
    };
    let indent = line.text.len() - text.len();
    slice(text, digits + 1..).starts_with([' ', '\t']).then_some(Marker { kind, width: indent + digits + 2 })
}

/// The line without up to four spaces or one tab, and the width of what was removed.
fn unindented(line: Line<'_>) -> (usize, Line<'_>) {
    if line.text.starts_with('\t') {
        return (4, line.from(1));
    }
    let spaces = line.text.bytes().take_while(|byte| *byte == b' ').take(4).count();
    (spaces, line.from(spaces))
}
