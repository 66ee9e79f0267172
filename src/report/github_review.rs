//! One review of a pull request, as the JSON of one call of GitHub's API: suggestions beside lines that a fix
//! changes, and all else in its text. GitHub refuses all of it for one line that is not in the diff.

use super::json::encoding;
use super::look::Look;
use super::markdown::text::{code, inline};
use super::{backticks, counted, in_order, markdown, printable};
use crate::bounds;
use crate::diagnostic::{Diagnostic, Edit, Severity};
use crate::lint::Run;
use crate::lint::changes::Reviewed;
use crate::lint::report::KepReport;
use crate::mdtoc::{self, Markers};
use crate::source::SourceFile;
use crate::span::slice;
use serde_json::{Value, json};
use std::ops::Range;
use std::ptr;

/// More suggestions are not read.
const COMMENTS: usize = 30;

/// The name of the format, which needs more than the others.
pub const NAME: &str = "github-review";

/// A suggestion beside lines of a file.
struct Comment {
    path: String,
    lines: Range<usize>,
    body: String,
}

pub fn render(run: &Run, look: &Look) -> String {
    let nothing = Reviewed::default();
    let reviewed = run.since.as_ref().map_or(&nothing, |since| &since.reviewed);
    let mut comments: Vec<Comment> = Vec::new();
    let mut commented: Vec<&Diagnostic> = Vec::new();
    let findings = in_order(run);
    for severity in Severity::ALL.into_iter().rev().filter(|severity| *severity >= look.level) {
        for (report, finding) in findings.iter().filter(|(_, finding)| finding.severity == severity) {
            let Some(comment) = Comment::of(report, finding, reviewed, look) else { continue };
            let is_taken = comments.iter().any(|other| other.overlaps(&comment));
            if comments.len() < COMMENTS && !is_taken {
                comments.push(comment);
                commented.push(finding);
            }
        }
    }
    let is_commented = |finding: &Diagnostic| commented.iter().any(|other| ptr::eq(*other, finding));
    let mut body = markdown::without(run, look, &is_commented);
    if !comments.is_empty() {
        let suggestions = counted(comments.len(), "finding has a suggestion", "findings have suggestions");
        body += &format!("\n{suggestions} beside the lines.\n");
    }
    encoding::indented(&json!({
        "commit_id": reviewed.commit, "event": "COMMENT", "body": body,
        "comments": comments.iter().map(Comment::json).collect::<Vec<_>>(),
    }))
}

impl Comment {
    /// The fix of a finding as a suggestion; `None` if it is no single change of lines that one hunk shows.
    fn of(report: &KepReport, finding: &Diagnostic, reviewed: &Reviewed, look: &Look) -> Option<Self> {
        let fix = finding.fix.as_ref()?;
        let [edit] = fix.edits.as_slice() else { return None };
        let file = report.files.get(edit.span.file.index())?;
        let path = look.repository_path(&file.path)?;
        let (lines, text) = changed_lines(file, edit.span.range(), &edit.text)?;
        let hunks = reviewed.hunks.get(&path)?;
        let is_shown = |hunk: &Range<usize>| hunk.start <= lines.start && lines.end <= hunk.end;
        let length: usize = hunks.iter().map(ExactSizeIterator::len).sum();
        let is_in_diff = length <= bounds::REVIEWED_LINES && hunks.iter().any(is_shown);
        if !is_in_diff || leaves_toc(&file.text, edit) {
            return None;
        }
        let fence = backticks::fence(&text);
        let (severity, message) = (finding.severity.name(), inline(&finding.message));
        let body = format!(
            "**{severity}**: {message} ({}, {} fix)\n\n{fence}suggestion\n{text}{fence}\n",
            code(finding.rule),
            fix.safety.name()
        );
        let fits = body.chars().count() <= bounds::COMMENT_CHARACTERS;
        fits.then_some(Self { path, lines, body })
    }

    /// Only one of two suggestions for the same lines can be applied.
    fn overlaps(&self, other: &Self) -> bool {
        self.path == other.path && self.lines.start < other.lines.end && other.lines.start < self.lines.end
    }

    /// For GitHub, beside the lines of the file as the pull request has it.
    fn json(&self) -> Value {
        let Self { path, lines, body } = self;
        let (first, last, side) = (lines.start, lines.end - 1, "RIGHT");
        if first == last {
            return json!({ "path": path, "line": last, "side": side, "body": body });
        }
        json!({
            "path": path, "start_line": first, "start_side": side, "line": last, "side": side, "body": body,
        })
    }
}

/// Whether an edit changes headings and not the table of contents, which `--fix` would write as well.
fn leaves_toc(before: &str, edit: &Edit) -> bool {
    let after = [slice(before, ..edit.span.start), &edit.text, slice(before, edit.span.end..)].concat();
    let listed = mdtoc::generate(&after);
    let is_written = |between| slice(&after, between).trim().lines().eq(listed.trim().lines());
    listed != mdtoc::generate(before) && Markers::find(&after).between().is_some_and(|between| !is_written(between))
}

/// The lines that a change of these bytes is in, counted from 1, and what they are after it, each with
/// a line end. `None` if that cannot be shown as it is, or does something where it is posted: a line
/// that begins with `/` is a command to Prow.
fn changed_lines(file: &SourceFile, bytes: Range<usize>, text: &str) -> Option<(Range<usize>, String)> {
    let (index, whole) = (file.lines(), file.text.as_str());
    let (mut first, mut last) = (index.line_of(bytes.start), index.line_of(bytes.end));
    let begins_line = |line: usize| index.line_range(line, whole).start == bytes.end;
    if first == last && bytes.end == whole.len() && begins_line(last) {
        // What is added at the end of the file is beside its last line.
        (first, last) = (first.checked_sub(1)?, last.checked_sub(1)?);
    } else if first < last && begins_line(last) && (text.is_empty() || text.ends_with('\n')) {
        last -= 1;
    }
    let (start, end) = (index.line_range(first, whole).start, index.line_range(last, whole).end);
    let before = slice(whole, start..end);
    let mut after =
        format!("{}{text}{}", slice(whole, start..bytes.start), slice(whole, bytes.end..end.max(bytes.end)));
    if !after.is_empty() && !after.ends_with('\n') {
        after.push('\n');
    }
    let acts = |line: &str| line.trim_start().starts_with('/');
    let is_changed = |line: &str| printable(&line.replace('\t', " ")) != line.replace('\t', " ");
    let has_returns = whole.contains('\r') || after.contains('\r');
    let is_lost = file.invalid_utf8.is_some() || has_returns || after == before;
    if is_lost || after.lines().any(|line| acts(line) || is_changed(line)) {
        return None;
    }
    Some((first + 1..last + 2, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Fix, Safety};
    use crate::lint::origin::Since;
    use crate::report::sample;
    use crate::span::{FileId, Span};

    fn changed(text: &str, bytes: Range<usize>, new: &str) -> Option<(Range<usize>, String)> {
        changed_lines(&SourceFile::decode("README.md", text.into()), bytes, new)
    }

    #[test]
    fn a_change_is_whole_lines() {
        let text = "a\nbc\nd\n";
        let lines = |at: Range<usize>, after: &str| Some((at, after.to_owned()));
        assert_eq!(changed(text, 2..3, "x"), lines(2..3, "xc\n"));
        assert_eq!(changed(text, 2..2, "x\n"), lines(2..3, "x\nbc\n"));
        assert_eq!(changed(text, 0..5, ""), lines(1..3, ""));
        assert_eq!(changed(text, 0..5, "x\n"), lines(1..3, "x\n"));
        assert_eq!(changed(text, 0..5, "x"), lines(1..4, "xd\n"));
        assert_eq!(changed(text, 7..7, "\n## E\n"), lines(3..4, "d\n\n## E\n"));
        assert_eq!(changed("a\nb", 3..3, "\nc"), lines(2..3, "b\nc\n"));
        assert_eq!(changed("", 0..0, "x"), None);
    }

    #[test]
    fn what_is_not_shown_as_it_is_or_acts_is_no_suggestion() {
        for new in ["\u{202e}x", "x\u{1b}[31m", "##[error]x", "/lgtm", "x\n  /close\n", "x\r\n", "b"] {
            assert_eq!(changed("a\nb\n", 2..3, new), None, "{new:?}");
        }
        assert_eq!(changed("a\r\nb\n", 3..4, "x"), None);
    }

    /// A review of a README with this text, of which the lines of `hunk` are in the diff. The edits
    /// delete the bytes.
    fn review(text: &str, hunk: Range<usize>, edits: &[Range<usize>], new: &str) -> Value {
        let mut report = sample::report("keps/sig-node/1-x", &[("README.md", text)]);
        for bytes in edits {
            let mut finding = sample::finding("bad-title", Severity::Error, bytes.clone(), "a title of @ann is wrong");
            let edit = Edit { span: Span::new(FileId(0), bytes.clone()), text: new.to_owned() };
            finding.fix = Some(Fix { safety: Safety::Safe, title: "write it".to_owned(), edits: vec![edit] });
            report.diagnostics.push(finding);
        }
        let hunks = [("keps/sig-node/1-x/README.md".to_owned(), vec![hunk])].into();
        let reviewed = Reviewed { commit: Some("1a2b".to_owned()), hunks };
        let since = Since { reviewed, ..Since::default() };
        let run = Run { reports: vec![report], since: Some(since), ..Run::default() };
        serde_json::from_str(&render(&run, &Look::default())).expect("JSON")
    }

    #[test]
    fn a_fix_in_the_diff_is_a_suggestion_and_another_one_is_listed() {
        let text = "# T\n\none\ntwo\nthree\n";
        let review_of = |hunk: Range<usize>| review(text, hunk, std::slice::from_ref(&(5..13)), "1\n2\n");
        let inside = review_of(3..5);
        let body = "**error**: a title of `@ann` is wrong (`bad-title`, safe fix)\n\n```suggestion\n1\n2\n```\n";
        let comment = json!({
            "path": "keps/sig-node/1-x/README.md", "start_line": 3, "start_side": "RIGHT", "line": 4, "side": "RIGHT", "body": body,
        });
        assert_eq!((&inside["comments"], &inside["commit_id"]), (&json!([comment]), &json!("1a2b")));
        assert!(!inside["body"].to_string().contains("a title of"), "{inside}");
        for hunk in [3..4, 4..6, 1..3] {
            let outside = review_of(hunk);
            assert_eq!(outside["comments"], json!([]));
            assert!(outside["body"].to_string().contains("a title of `@ann` is wrong"), "{outside}");
        }
        let one = review(text, 1..5, std::slice::from_ref(&(5..8)), "1");
        assert!(one["comments"][0].get("start_line").is_none() && one["comments"][0]["line"] == 3, "{one}");
    }

    #[test]
    fn a_suggestion_leaves_no_table_of_contents_out_of_date() {
        let text = "<!-- toc -->\n- [A](#a)\n<!-- /toc -->\n## A\n\ntext\n";
        let count = |at: Range<usize>, new: &str| {
            let review = review(text, 1..7, std::slice::from_ref(&at), new);
            let listed = review["body"].to_string().contains("a title of");
            review["comments"].as_array().map(|comments| (comments.len(), listed))
        };
        let end = text.len();
        assert_eq!(count(end..end, "\n### B\n"), Some((0, true)));
        assert_eq!(count(40..40, "B "), Some((0, true)));
        assert_eq!(count(end..end, "\n###### B\n"), Some((1, false)));
        assert_eq!(count(end - 2..end - 1, "s"), Some((1, false)));
        assert_eq!(count(22..23, "A](#a)\n- [B"), Some((1, false)));
        // Without its mark of the byte order, the heading is as it is listed.
        for (listed, wanted) in [("- [A](#a)\n", (1, false)), ("", (0, true))] {
            let marked = format!("<!-- toc -->\n{listed}<!-- /toc -->\n## \u{feff}A\n");
            let (start, after) = (marked.len() - "\u{feff}A\n".len(), marked.len() - "A\n".len());
            let review = review(&marked, 1..7, std::slice::from_ref(&(start..after)), "");
            let comments = review["comments"].as_array().map(Vec::len);
            assert_eq!((comments, review["body"].to_string().contains("a title of")), (Some(wanted.0), wanted.1));
        }
    }

    #[test]
    fn no_text_ends_a_suggestion_and_there_are_thirty_at_most() {
        let fence = review("# T\n\nx\n", 1..4, std::slice::from_ref(&(5..6)), "```\n````suggestion\n~~~\n@ann");
        let body = fence["comments"][0]["body"].as_str().expect("a comment");
        assert!(body.ends_with("\n\n`````suggestion\n```\n````suggestion\n~~~\n@ann\n`````\n"), "{body}");
        let text = "x\n".repeat(40);
        let edits: Vec<Range<usize>> = (0..40).map(|line| 2 * line..2 * line + 1).collect();
        let many = review(&text, 1..41, &edits, "y");
        assert_eq!(many["comments"].as_array().map(Vec::len), Some(30));
        assert_eq!(many["body"].as_str().map(|review| review.matches("is wrong").count()), Some(10));
        // Of two suggestions for a line, one can be applied.
        let twice = review("# T\n\none\n", 1..4, &[5..6, 7..8], "x");
        assert_eq!(twice["comments"].as_array().map(Vec::len), Some(1));
    }
}
