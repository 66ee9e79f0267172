//! Lists as `mdtoc` parses them: which lines belong to an item, and whether headings among them count.

use super::line::{Line, without_indent};
use super::outline::Outline;
use crate::span::slice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bullet,
    Number,
}

#[derive(Clone, Copy)]
struct Marker {
    kind: Kind,
    /// Bytes up to the end of the marker, with one space.
    width: usize,
}

/// The state of a list while it is parsed.
struct List {
    kind: Kind,
    /// Whether an item had a blank line or a heading in it. That item and all after it consist of blocks; those before
    /// it consist of text, in which no line is a heading.
    has_blocks: bool,
    is_over: bool,
}

#[derive(Default)]
struct Item<'a> {
    lines: Vec<Line<'a>>,
    /// The index of the line at which a nested list begins.
    nested: Option<usize>,
}

/// Whether a list can begin with `line`.
pub(super) fn begins(line: Line<'_>) -> bool {
    marker(line).is_some()
}

/// Parses the list that begins with line `at` of `lines`. Returns the index of the line after it.
pub(super) fn read<'a>(outline: &mut Outline<'a>, lines: &[Line<'a>], mut at: usize) -> usize {
    let Some(Marker { kind, .. }) = lines.get(at).copied().and_then(marker) else { return at + 1 };
    let mut list = List { kind, has_blocks: false, is_over: false };
    while !list.is_over
        && let Some(first) = lines.get(at)
        && let Some(marker) = marker(*first)
    {
        let mut item = Item::default();
        item.lines.push(first.from(marker.width).without_spaces());
        let indent = first.text.len() - without_indent(first.text).len();
        at = list.collect(&mut item, lines, at, indent);
        let nested = item.nested.unwrap_or(item.lines.len());
        let (direct, nested) = item.lines.split_at_mut(nested);
        if list.has_blocks {
            outline.scan(direct);
        }
        outline.scan(nested);
    }
    at
}

impl List {
    /// Adds the lines after `start` that belong to the same item, whose marker has this `indent`. Returns the index of
    /// the line after them.
    fn collect<'a>(&mut self, item: &mut Item<'a>, lines: &[Line<'a>], start: usize, indent: usize) -> usize {
        let mut blank = None;
        for (at, line) in lines.iter().enumerate().skip(start + 1) {
            if line.is_blank() {
                blank = Some(*line);
                continue;
            }
            let (depth, mut inner) = unindented(*line);
            let nested = marker(inner).filter(|marker| marker.kind == Kind::Number || !inner.is_rule());
            if depth == 0 && inner.fence().is_some() {
                self.is_over = true;
                return at;
            }
            if let Some(nested) = nested {
                if depth <= indent {
                    self.is_over = nested.kind != self.kind;
                    self.has_blocks |= !self.is_over && blank.is_some();
                    return at;
                }
                if depth == 4 && line.text.starts_with(' ') {
                    // The marker keeps one space, so that lists nested in it are deeper.
                    let spaces = inner.text.len() - without_indent(inner.text).len();
                    inner = line.from(3 - spaces);
                }
                item.nested = item.nested.or(Some(item.lines.len()));
            } else if blank.is_some() && depth < 4 {
                self.is_over = true;
                return at;
            }
            self.has_blocks |= blank.is_some() || (nested.is_none() && inner.heading().is_some());
            item.lines.extend(blank.take());
            item.lines.push(inner);
        }
        lines.len()
    }
}

fn marker(line: Line<'_>) -> Option<Marker> {
    let text = without_indent(line.text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let kind = match text.as_bytes().get(digits)? {
        b'*' | b'+' | b'-' if digits == 0 => Kind::Bullet,
        b'.' | b')' if digits > 0 => Kind::Number,
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
