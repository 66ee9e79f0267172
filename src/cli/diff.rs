//! The unified diff of a file that fixes would change, as `patch -p1` and `git apply` read it.

use super::options::When;
use super::screen;
use crate::bounds;
use crate::fix::hunks::lines;
use crate::report::paint::Paint;
use crate::report::{is_hidden, printable};
use crate::workspace::edge::Edge;
use crate::workspace::paths::shown;
use similar::{ChangeTag, TextDiff};
use std::borrow::Cow;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::time::{Duration, Instant};

const CONTEXT: usize = 3;

#[derive(Clone, Copy)]
pub struct Look {
    color: bool,
    /// Whether a terminal shows it, so that control characters have to be replaced.
    terminal: bool,
}

impl Look {
    pub fn of(when: When) -> Self {
        Self { color: screen::has_color(when), terminal: stdout().is_terminal() }
    }
}

/// What changes from `before`, of which a new file has none, to `after` in the file of this path; nothing if they are the
/// same. Control characters and commands to a CI runner are replaced, so that such a line differs from the file.
pub fn render(path: &str, before: Option<&str>, after: &str, look: Look) -> Rendered {
    let (old, new) = (lines(before.unwrap_or_default()), lines(after));
    let mut drawing = Drawing { diff: Rendered::default(), look };
    // Hunks are printed by hand: their lines have to be harmless first.
    for hunk in compare(&old, &new).unified_diff().context_radius(CONTEXT).iter_hunks() {
        if drawing.diff.text.is_empty() {
            match before {
                Some(_) => drawing.header("---", "a", path),
                None => drawing.line("--- /dev/null", "\n", Paint::Bold),
            }
            drawing.header("+++", "b", path);
        }
        drawing.line(&hunk.header().to_string(), "\n", Paint::Hunk);
        for change in hunk.iter_changes() {
            drawing.change(change.tag(), change.value());
        }
    }
    drawing.diff
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    pub text: String,
    /// How many of its lines differ from the file.
    pub altered: usize,
}

fn compare<'a>(old: &[&'a str], new: &[&'a str]) -> TextDiff<'a, 'a, str> {
    let front = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let rest = old.iter().skip(front).rev().zip(new.iter().skip(front).rev());
    let same = front + rest.take_while(|(one, other)| one == other).count();
    let mut comparison = TextDiff::configure();
    if old.len().max(new.len()) - same > bounds::COMPARED_LINES {
        // A deadline in the past gives the same result on every computer.
        comparison.deadline(Instant::now().checked_sub(Duration::from_secs(1)).unwrap_or_else(Instant::now));
    }
    comparison.diff_slices(old, new)
}

/// A line for a pipe: a patch needs its tabs and the `\r` at its end, but no other control character.
fn harmless(content: &str) -> String {
    let (body, end) = content.strip_suffix('\r').map_or((content, ""), |body| (body, "\r"));
    let parts: Vec<String> = body.split('\t').map(printable).collect();
    parts.join("\t") + end
}

/// A path that leads upward as seen from the root of its repository: `patch` and `git apply` refuse `..`.
fn from_root(path: &str) -> Cow<'_, str> {
    let place = Path::new(path);
    let upward = if place.starts_with("..") { Edge::around(place).inner(place) } else { None };
    upward.map_or(Cow::Borrowed(path), |inner| Cow::Owned(shown(&inner)))
}

struct Drawing {
    diff: Rendered,
    look: Look,
}

impl Drawing {
    fn header(&mut self, sign: &str, side: &str, path: &str) {
        let path = from_root(path);
        let path = path.trim_start_matches("./").trim_start_matches('/');
        let name = format!("{side}/{path}");
        // Such names are quoted for git.
        let is_plain = name.chars().all(|letter| !is_hidden(letter) && !matches!(letter, '"' | '\\'));
        let name = if is_plain { name } else { format!("\"{}\"", name.escape_default()) };
        let name = printable(&name);
        self.line(&format!("{sign} {name}"), "\n", Paint::Bold);
    }

    fn change(&mut self, tag: ChangeTag, line: &str) {
        let (content, end) = match line.strip_suffix('\n') {
            Some(content) => (content, "\n"),
            None => (line, "\n\\ No newline at end of file\n"),
        };
        let harmless = harmless(content);
        self.diff.altered += usize::from(harmless != content);
        let content = if self.look.terminal { printable(content) } else { harmless };
        let paint = match tag {
            ChangeTag::Equal => Paint::Plain,
            ChangeTag::Delete => Paint::Removed,
            ChangeTag::Insert => Paint::Added,
        };
        self.line(&format!("{tag}{content}"), end, paint);
    }

    fn line(&mut self, line: &str, end: &str, paint: Paint) {
        self.diff.text += &paint.only_if(self.look.color).apply(line);
        self.diff.text += end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look = Look { color: false, terminal: false };

    #[test]
    fn equal_texts_have_no_diff() {
        assert_eq!(render("x", Some("a\nb"), "a\nb", PLAIN), Rendered::default());
    }

    #[test]
    fn changes_have_three_lines_around_them() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(
            render("/keps/x", Some(before), &before.replace("5\n", "five\nmore\n"), PLAIN).text,
            "--- a/keps/x\n+++ b/keps/x\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+more\n 6\n 7\n 8\n"
        );
    }

    #[test]
    fn line_ends_are_kept() {
        assert_eq!(
            render("./x", Some("a\r\nb"), "a\r\nc", PLAIN).text,
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\r\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
        );
        assert_eq!(render("x", Some(""), "a\n", PLAIN).text, "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
    }

    #[test]
    fn a_new_file_has_no_old_path() {
        assert_eq!(render("x", None, "a\n", PLAIN).text, "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
    }

    #[test]
    fn control_characters_are_replaced_in_a_terminal() {
        let look = Look { color: true, terminal: true };
        let diff = render("a\"\u{1b}", Some("\u{1b}[2J\n"), "b\n", look).text;
        assert!(diff.contains("\u{1b}[31m-?[2J\u{1b}[0m\n\u{1b}[32m+b\u{1b}[0m\n"), "{diff:?}");
        assert!(diff.starts_with("\u{1b}[1m--- \"a/a\\\"\\u{1b}\"\u{1b}[0m\n"), "{diff:?}");
    }

    #[test]
    fn commands_are_replaced_in_a_log_and_a_patch_keeps_its_blanks() {
        let before = "::error::x\n\t##[add-mask]\n\u{1b}[2J\na\tb\r\nold\n";
        let diff = render("x", Some(before), &before.replace("old", "new"), PLAIN);
        assert!(diff.text.contains(" \t##?add-mask]\n ?[2J\n a\tb\r\n-old\n+new\n"), "{diff:?}");
        assert_eq!(diff.altered, 2);
        let first = render("x", Some("::error::x\n"), "::error::y\n", PLAIN);
        assert!(first.text.contains("-:?error::x\n+:?error::y\n"), "{first:?}");
        assert_eq!(first.altered, 2);
    }

    #[test]
    fn long_changes_are_shown_whole() {
        let text = |word: &str| {
            let lines = (0..=bounds::COMPARED_LINES)
                .map(|line| if line % 2 == 0 { format!("{word}\n") } else { format!("{line}\n") });
            format!("a\n{}z\n", lines.collect::<String>())
        };
        let diff = render("x", Some(&text("old")), &text("new"), PLAIN).text;
        let count = |sign| diff.lines().skip(2).filter(|line| line.starts_with(sign)).count();
        assert_eq!((count('-'), count('+'), count(' ')), (bounds::COMPARED_LINES + 1, bounds::COMPARED_LINES + 1, 2));
        assert!(diff.contains("\n a\n-old\n-1\n") && diff.ends_with("\n+new\n z\n"));
    }

    #[test]
    fn a_lone_carriage_return_ends_no_line() {
        assert_eq!(
            render("x", Some("a\rb\nc\r"), "a\rb\nd\r", PLAIN).text,
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a b\n-c\r\n\\ No newline at end of file\n+d\r\n\\ No newline at end of file\n"
        );
    }
}
