//! What the fix of a finding changes, as the first lines of a diff.

use crate::bounds;
use crate::diagnostic::{Diagnostic, Edit, Safety, counted};
use crate::fix::hunks::{common, hunks, lines, part};
use crate::lint::report::KepReport;
use crate::report::finding_layout::cut_around;
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::{Location, printable};
use crate::source::SourceFile;
use crate::span::{FileId, LINE_ENDS, slice};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many lines are shown: more are read in a diff.
const LINES: usize = 6;

struct Row {
    number: usize,
    sign: char,
    text: String,
    /// The bytes of it that the other version does not have.
    changed: Range<usize>,
}

/// The lines that the fix of `finding` removes and adds; nothing without a fix.
pub fn of(report: &KepReport, finding: &Diagnostic, look: &Look) -> String {
    let Some(fix) = &finding.fix else { return String::new() };
    let mut files: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for edit in &fix.edits {
        files.entry(edit.span.file).or_default().push(edit);
    }
    let dim = Paint::Dim.only_if(look.color);
    let (mut text, mut shown, mut all) = (String::new(), 0, 0);
    for (id, edits) in files {
        let Some(file) = report.files.get(id.index()) else { continue };
        let changed = rows(file, edits);
        let first = changed.get(..changed.len().min(LINES - shown)).unwrap_or_default();
        if id != finding.span.file && !first.is_empty() {
            let place = Location { path: &file.path, ..Location::of(report, finding.span) };
            text += &(dim.apply(&format!("  in {}", printable(place.path_in(report)))) + "\n");
        }
        text += &drawn(first, look);
        shown += first.len();
        all += changed.len();
    }
    if all > shown {
        let option = if fix.safety == Safety::Safe { "--diff" } else { "--diff --unsafe-fixes" };
        let more = counted(all - shown, "more line", "more lines");
        text += &(dim.apply(&format!("  {} {more}: `{option}`", look.ellipsis())) + "\n");
    }
    text
}

fn drawn(rows: &[Row], look: &Look) -> String {
    let digits = rows.iter().map(|row| row.number.to_string().len()).max().unwrap_or_default();
    let mut text = String::new();
    for Row { number, sign, text: line, changed } in rows {
        let free = look.columns().saturating_sub(digits + 4);
        let line = cut_around(line, changed.clone(), free, look.ellipsis());
        let paint = if *sign == '-' { Paint::Removed } else { Paint::Added };
        let number = Paint::Dim.only_if(look.color).apply(&format!(" {number:>digits$}"));
        let line = paint.only_if(look.color).apply(format!("{sign} {line}").trim_end());
        text += &format!("{number} {line}\n");
    }
    text
}

/// The lines of `file` that these edits remove and add.
fn rows(file: &SourceFile, mut edits: Vec<&Edit>) -> Vec<Row> {
    edits.sort_by_key(|edit| edit.span.start);
    let line_of = |offset: usize| file.lines().line_of(offset);
    let are_apart = |one: &&Edit, next: &&Edit| line_of(one.span.end) < line_of(next.span.start);
    edits.chunk_by(|one, next| !are_apart(one, next)).flat_map(|edits| rows_of(file, edits)).collect()
}

/// The same for edits of lines that follow one another.
fn rows_of(file: &SourceFile, edits: &[&Edit]) -> Vec<Row> {
    let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return Vec::new() };
    let whole = file.text.as_str();
    let line_around = |offset: usize| file.lines().line_range(file.lines().line_of(offset), whole);
    let region = line_around(first.span.start).start..line_around(last.span.end).end;
    let first_line = file.position(region.start).line;
    let (mut after, mut at) = (String::new(), region.start);
    for Edit { span, text } in edits {
        after += slice(whole, at..span.start);
        after += text;
        at = span.end;
    }
    after += slice(whole, at..region.end.max(at));
    let (old, new) = (lines(slice(whole, region)), lines(&after));
    let mut rows = Vec::new();
    for (removed, added) in hunks(&old, &new, bounds::DRAWN_LINES) {
        let (before, changed) = (part(&old, &removed), part(&new, &added));
        for (index, line) in before.iter().enumerate() {
            rows.push(Row::of('-', first_line + removed.start + index, line, changed.get(index)));
        }
        for (index, line) in changed.iter().enumerate() {
            rows.push(Row::of('+', first_line + added.start + index, line, before.get(index)));
        }
    }
    rows
}

impl Row {
    /// A line of one version, beside `other` in the other version.
    fn of(sign: char, number: usize, text: &str, other: Option<&&str>) -> Self {
        let text = text.trim_end_matches(LINE_ENDS);
        let (front, back) = other.map_or((0, 0), |other| common(text, other.trim_end_matches(LINE_ENDS)));
        Self { number, sign, text: text.to_owned(), changed: front..text.len() - back }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Fix, Severity};
    use crate::report::sample;
    use crate::span::Span;

    /// What is drawn of a change of these bytes in the first of two files.
    fn drawn(text: &str, edits: &[(usize, Range<usize>, &str)], safety: Safety) -> String {
        let report = sample::report("keps/x", &[("README.md", text), ("kep.yaml", "stage: beta\n")]);
        let edit = |(file, at, new): &(usize, Range<usize>, &str)| Edit {
            span: Span::new(FileId::at(*file), at.clone()),
            text: (*new).to_owned(),
        };
        let mut finding = sample::finding("rule", Severity::Error, 0..1, "wrong");
        finding.fix = Some(Fix { safety, title: "fix".to_owned(), edits: edits.iter().map(edit).collect() });
        of(&report, &finding, &Look { width: 40, ..Look::default() })
    }

    #[test]
    fn changed_lines_are_drawn_and_no_others() {
        let text = "one\nthe the two\nthree\nfour\n";
        assert_eq!(drawn(text, &[(0, 4..8, "")], Safety::Safe), " 2 - the the two\n 2 + the two\n");
        assert_eq!(drawn(text, &[(0, 4..4, "new\n\n")], Safety::Safe), " 2 + new\n 3 +\n");
        assert_eq!(drawn(text, &[(0, 4..16, "")], Safety::Safe), " 2 - the the two\n");
        let both = drawn(text, &[(0, 22..26, "4"), (0, 0..3, "1")], Safety::Safe);
        assert_eq!(both, " 1 - one\n 1 + 1\n 4 - four\n 4 + 4\n");
        assert_eq!(drawn("a", &[(0, 1..1, "\n")], Safety::Safe), " 1 - a\n 1 + a\n");
        assert_eq!(drawn(text, &[], Safety::Safe), "");
    }

    #[test]
    fn more_lines_are_counted() {
        let text = "x\n".repeat(9);
        let expected = " 1 + y\n 2 + y\n 3 + y\n 4 + y\n 5 + y\n 6 + y\n  … 3 more lines: `--diff";
        let drawn = |safety| drawn(&text, &[(0, 0..0, &"y\n".repeat(9))], safety);
        assert_eq!(drawn(Safety::Safe), format!("{expected}`\n"));
        assert_eq!(drawn(Safety::Unsafe), format!("{expected} --unsafe-fixes`\n"));
    }

    #[test]
    fn a_long_line_shows_what_changes() {
        let text = format!("{}the the{}\n", "abcd ".repeat(30), " efgh".repeat(30));
        let drawn = drawn(&text, &[(0, 150..154, "")], Safety::Safe);
        assert!(drawn.lines().all(|line| line.chars().count() <= 40), "{drawn}");
        assert!(drawn.contains(" the the ") && drawn.matches('…').count() == 4, "{drawn}");
    }

    #[test]
    fn another_file_is_named() {
        let drawn = drawn("a\n", &[(1, 7..11, "alpha"), (7, 0..1, "")], Safety::Safe);
        assert_eq!(drawn, "  in kep.yaml\n 1 - stage: beta\n 1 + stage: alpha\n");
    }

    #[test]
    fn any_text_is_drawn() {
        let text = "é漢\t\u{1b}[2J\u{202e}::error::\r\n\r\n-->\n";
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let drawn = drawn(text, &[(0, at..at, "\u{1b}漢\n##[x]")], Safety::Safe);
            assert!(!drawn.contains(['\u{1b}', '\u{202e}']) && !drawn.contains("##["), "{drawn}");
            assert!(drawn.lines().count() > 1, "{drawn}");
        }
    }
}
