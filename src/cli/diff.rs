//! The unified diff of a file that fixes would change, as `patch -p1` and `git apply` read it.

use crate::report::{is_hidden, printable};
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};
use std::ops::Range;

/// How many unchanged lines are shown around a change.
const CONTEXT: usize = 3;

/// Texts whose changed parts have more lines than this are not compared line by line, which could take as many steps as
/// there are pairs of lines: the part is shown as removed and added whole.
const MOST_COMPARED: usize = 10_000;

/// For whom a diff is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether added and removed lines are painted.
    pub color: bool,
    /// Whether a terminal shows it, which no KEP shall steer.
    pub terminal: bool,
}

/// What changes from `before` to `after` in the file of this path; nothing if they are the same. A line that would steer
/// what shows it is made harmless, and no longer as the file has it.
pub fn render(path: &str, before: &str, after: &str, look: Look) -> Rendered {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<_>>();
    let (old, new) = (lines(before), lines(after));
    let changes = changes(&old, &new);
    let mut diff = Diff { text: String::new(), altered: 0, look };
    for group in group_diff_ops(changes, CONTEXT) {
        if diff.text.is_empty() {
            diff.header("---", "a", path);
            diff.header("+++", "b", path);
        }
        diff.hunk(&group, &old, &new);
    }
    Rendered { text: diff.text, altered: diff.altered }
}

/// A diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// Its text.
    pub text: String,
    /// How many of its lines are not as the file has them.
    pub altered: usize,
}

fn changes(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old.iter().skip(front).rev().zip(new.iter().skip(front).rev());
    let back = rest.take_while(|(old, new)| old == new).count();
    let (old_len, new_len) = (old.len() - front - back, new.len() - front - back);
    if old_len.max(new_len) <= MOST_COMPARED {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    vec![
        DiffOp::Equal { old_index: 0, new_index: 0, len: front },
        DiffOp::Replace { old_index: front, old_len, new_index: front, new_len },
        DiffOp::Equal { old_index: front + old_len, new_index: front + new_len, len: back },
    ]
}

/// What a pipe gets of a line: a patch needs its tabs and the `\r` at its end, and nobody needs anything else that steers.
fn harmless(content: &str) -> String {
    let (body, end) = content.strip_suffix('\r').map_or((content, ""), |body| (body, "\r"));
    let parts: Vec<String> = body.split('\t').map(printable).collect();
    parts.join("\t") + end
}

struct Diff {
    text: String,
    altered: usize,
    look: Look,
}

impl Diff {
    fn header(&mut self, sign: &str, side: &str, path: &str) {
        let path = path.trim_start_matches("./").trim_start_matches('/');
        let name = format!("{side}/{path}");
        // Such names are quoted for git.
        let is_plain = name.chars().all(|letter| !is_hidden(letter) && !matches!(letter, '"' | '\\'));
        let name = if is_plain { name } else { format!("\"{}\"", name.escape_default()) };
        let name = printable(&name);
        self.line(&format!("{sign} {name}"), "\n", 1);
    }

    fn hunk(&mut self, group: &[DiffOp], old: &[&str], new: &[&str]) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        let range = |range: Range<usize>| match range.len() {
            1 => format!("{}", range.start + 1),
            0 => format!("{},0", range.start),
            count => format!("{},{count}", range.start + 1),
        };
        let removed = range(first.old_range().start..last.old_range().end);
        let added = range(first.new_range().start..last.new_range().end);
        self.line(&format!("@@ -{removed} +{added} @@"), "\n", 36);
        for change in group {
            let (gone, come) = (old.get(change.old_range()), new.get(change.new_range()));
            let (gone, come) = (gone.unwrap_or_default(), come.unwrap_or_default());
            if change.tag() == DiffTag::Equal {
                gone.iter().for_each(|line| self.content(' ', line, 0));
            } else {
                gone.iter().for_each(|line| self.content('-', line, 31));
                come.iter().for_each(|line| self.content('+', line, 32));
            }
        }
    }

    fn content(&mut self, sign: char, line: &str, paint: u8) {
        let (content, end) = match line.strip_suffix('\n') {
            Some(content) => (content, "\n"),
            None => (line, "\n\\ No newline at end of file\n"),
        };
        let harmless = harmless(content);
        self.altered += usize::from(harmless != content);
        let content = if self.look.terminal { printable(content) } else { harmless };
        self.line(&format!("{sign}{content}"), end, paint);
    }

    fn line(&mut self, line: &str, end: &str, paint: u8) {
        let is_painted = self.look.color && paint != 0;
        let (on, off) = if is_painted { (format!("\u{1b}[{paint}m"), "\u{1b}[0m") } else { (String::new(), "") };
        self.text += &format!("{on}{line}{off}{end}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look = Look { color: false, terminal: false };

    #[test]
    fn equal_texts_have_no_diff() {
        assert_eq!(render("x", "a\nb", "a\nb", PLAIN), Rendered::default());
    }

    #[test]
    fn changes_have_three_lines_around_them() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(
            render("/keps/x", before, &before.replace("5\n", "five\nmore\n"), PLAIN).text,
            "--- a/keps/x\n+++ b/keps/x\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+more\n 6\n 7\n 8\n"
        );
    }

    #[test]
    fn line_ends_are_kept() {
        assert_eq!(
            render("./x", "a\r\nb", "a\r\nc", PLAIN).text,
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\r\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
        );
        assert_eq!(render("x", "", "a\n", PLAIN).text, "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
    }

    #[test]
    fn a_terminal_is_not_steered() {
        let look = Look { color: true, terminal: true };
        let diff = render("a\"\u{1b}", "\u{1b}[2J\n", "b\n", look).text;
        assert!(diff.contains("\u{1b}[31m-?[2J\u{1b}[0m\n\u{1b}[32m+b\u{1b}[0m\n"), "{diff:?}");
        assert!(diff.starts_with("\u{1b}[1m--- \"a/a\\\"\\u{1b}\"\u{1b}[0m\n"), "{diff:?}");
    }

    #[test]
    fn a_log_is_not_steered_and_a_patch_keeps_its_blanks() {
        let before = "::error::x\n\t##[add-mask]\n\u{1b}[2J\na\tb\r\nold\n";
        let diff = render("x", before, &before.replace("old", "new"), PLAIN);
        assert!(diff.text.contains(" \t##?add-mask]\n ?[2J\n a\tb\r\n-old\n+new\n"), "{diff:?}");
        assert_eq!(diff.altered, 2);
        let first = render("x", "::error::x\n", "::error::y\n", PLAIN);
        assert!(first.text.contains("-:?error::x\n+:?error::y\n"), "{first:?}");
        assert_eq!(first.altered, 2);
    }

    #[test]
    fn long_changes_are_shown_whole() {
        let text = |word: &str| format!("a\n{}z\n", format!("{word}\n").repeat(MOST_COMPARED + 1));
        let diff = render("x", &text("old"), &text("new"), PLAIN).text;
        assert_eq!(
            (diff.matches("\n-old").count(), diff.matches("\n+new").count()),
            (MOST_COMPARED + 1, MOST_COMPARED + 1)
        );
        assert!(diff.contains("\n a\n-old\n") && diff.ends_with("+new\n z\n"));
    }
}
