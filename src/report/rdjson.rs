//! Reviewdog's diagnostic format (`rdjson`): reviewdog comments on the changed lines of pull requests.
//!
//! All findings are diagnostics, whatever `--level` is. Lines and columns count from 1, and columns are UTF-8 bytes; the
//! end of a range is the position after it. Paths are relative to the working directory of the run, and only absolute if
//! they were given so. Errors, warnings and advice are `ERROR`, `WARNING` and `INFO`. A fix in the file of its finding is
//! a suggestion. The format has no place for failures: each is an `ERROR`, because a report without it would look
//! complete.

use super::json::encoding;
use super::look::Look;
use super::markdown::text::inline;
use super::{in_order, pieces, uri, with_help};
use crate::bounds;
use crate::diagnostic::{Diagnostic as Found, Edit, Failure, Fix, Severity};
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::source::SourceFile;
use crate::span::{FileId, Span, slice};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// Writes the findings and failures of `run`.
pub fn write(run: &Run, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let source = Source { name: env!("CARGO_PKG_NAME") };
    encoding::write_indented(&Report { source, diagnostics: Diagnostics { run, look } }, out)
}

/// Renders the findings and failures of `run`.
pub fn render(run: &Run, look: &Look) -> String {
    pieces::text(|out| write(run, look, out))
}

#[derive(Serialize)]
struct Report<'a> {
    source: Source,
    diagnostics: Diagnostics<'a>,
}

/// All entries. They become JSON one by one.
struct Diagnostics<'a> {
    run: &'a Run,
    look: &'a Look,
}

impl Serialize for Diagnostics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings = in_order(self.run).into_iter().map(|(report, found)| finding(report, found, self.look));
        serializer.collect_seq(findings.chain(self.run.failures.iter().map(failure)))
    }
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
}

#[derive(Serialize)]
struct Diagnostic {
    message: String,
    location: Location,
    severity: &'static str,
    code: Code,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion>,
}

#[derive(Serialize)]
struct Location {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

#[derive(Clone, Copy, Serialize)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Clone, Copy, Serialize)]
struct Position {
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Code {
    value: &'static str,
    /// The page about the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Serialize)]
struct Suggestion {
    range: Range,
    text: String,
}

fn finding(report: &KepReport, finding: &Found, look: &Look) -> Diagnostic {
    let file = report.files.get(finding.span.file.index());
    let path = file.map_or(report.kep.as_deref().unwrap_or_default(), |file| &file.path);
    let fix = finding.fix.as_ref().zip(file);
    Diagnostic {
        message: inline(&with_help(&finding.message, finding.help.as_deref())),
        location: Location { path: uri::plain(path), range: file.map(|file| range(file, finding.span)) },
        severity: severity(finding.severity),
        code: Code { value: finding.rule, url: look.rule_url(finding.rule) },
        suggestions: fix.and_then(|(fix, fixed)| suggestion(fix, finding.span.file, fixed)).into_iter().collect(),
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Advice => "INFO",
    }
}

fn failure(failure: &Failure) -> Diagnostic {
    Diagnostic {
        message: inline(&with_help(&failure.message, failure.help.as_deref())),
        location: Location { path: uri::plain(failure.path.as_deref().unwrap_or_default()), range: None },
        severity: "ERROR",
        code: Code { value: "failure", url: None },
        suggestions: Vec::new(),
    }
}

/// The fix as one replacement, with the text between its edits: half of a fix would be wrong. `None` if it changes another
/// file as well, or edits are too far apart.
fn suggestion(fix: &Fix, id: FileId, file: &SourceFile) -> Option<Suggestion> {
    let mut edits: Vec<&Edit> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let (start, end) = (edits.first()?.span.start, edits.iter().map(|edit| edit.span.end).max()?);
    if edits.iter().any(|edit| edit.span.file != id) || edits.len() > 1 && end - start > bounds::SUGGESTION_BYTES {
        return None;
    }
    let (mut text, mut at) = (String::new(), start);
    for edit in edits {
        text += slice(&file.text, at..edit.span.start);
        text += &edit.text;
        at = edit.span.end;
    }
    Some(Suggestion { range: range(file, Span::new(id, start..end)), text })
}

fn range(file: &SourceFile, span: Span) -> Range {
    Range { start: position(file, span.start), end: position(file, span.end) }
}

fn position(file: &SourceFile, offset: usize) -> Position {
    let line = file.lines().line_of(offset);
    let start = file.lines().line_range(line, &file.text).start;
    Position { line: line + 1, column: offset.min(file.text.len()).saturating_sub(start) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Safety;
    use crate::report::sample;
    use serde_json::{Value, json};

    fn parsed(run: &Run) -> Value {
        serde_json::from_str(&render(run, &Look::default())).expect("it is JSON")
    }

    /// The sample with a fix of these edits in the README, which has this text.
    fn fixed(readme: &str, edits: &[(u32, std::ops::Range<usize>, &str)]) -> Value {
        let mut run = sample::run();
        run.reports[0].files = sample::report("keps/x", &[("README.md", readme), ("kep.yaml", "stage: beta\n")]).files;
        let found = &mut run.reports[0].diagnostics[0];
        (found.span, found.related) = (Span::new(FileId(0), 0..1), Vec::new());
        let edits = edits.iter().map(|(file, range, text)| Edit {
            span: Span::new(FileId(*file), range.clone()),
            text: (*text).to_owned(),
        });
        found.fix = Some(Fix { safety: Safety::Safe, title: "change it".to_owned(), edits: edits.collect() });
        run.reports.truncate(1);
        run.reports[0].diagnostics.truncate(1);
        parsed(&run)["diagnostics"][0]["suggestions"].take()
    }

    #[test]
    fn a_diagnostic_has_the_fields_that_reviewdog_reads() {
        let mut run = sample::run();
        run.failures.push(Failure::of("read", "./keps/x", "it is gone"));
        let value = parsed(&run);
        assert_eq!(value["source"], json!({"name": "kep-lint"}));
        assert_eq!(
            value["diagnostics"][0],
            json!({
                "message": "section `Test Plan` is empty — help: answer it, or say why it does not apply",
                "location": {
                    "path": "keps/sig-node/1-x/README.md",
                    "range": {"start": {"line": 5, "column": 1}, "end": {"line": 5, "column": 14}},
                },
                "severity": "ERROR", "code": {"value": "empty-section"},
            })
        );
        let tbd = json!({"start": {"line": 7, "column": 1}, "end": {"line": 7, "column": 4}});
        assert_eq!(value["diagnostics"][1]["suggestions"], json!([{"range": tbd, "text": ""}]));
        assert_eq!(value["diagnostics"][2]["severity"], "WARNING");
        assert_eq!(value["diagnostics"][3]["location"], json!({"path": "keps/x"}));
        assert_eq!(value["diagnostics"][3]["code"], json!({"value": "failure"}));
    }

    #[test]
    fn columns_are_bytes() {
        let file = SourceFile::decode("x", "a\u{10400}b\r\né\n".into());
        let positions = [0, 1, 5, 8, 10, 11, 99].map(|offset| position(&file, offset));
        let positions = positions.map(|Position { line, column }| (line, column));
        assert_eq!(positions, [(1, 1), (1, 2), (1, 6), (2, 1), (2, 3), (3, 1), (3, 1)]);
    }

    #[test]
    fn a_fix_is_one_suggestion() {
        let range =
            |from: usize, to: usize| json!({"start": {"line": 1, "column": from}, "end": {"line": 1, "column": to}});
        assert_eq!(fixed("abcdef\n", &[(0, 2..2, "X")]), json!([{"range": range(3, 3), "text": "X"}]));
        let both = [(0, 4..5, "Y"), (0, 1..2, "X")];
        assert_eq!(fixed("abcdef\n", &both), json!([{"range": range(2, 6), "text": "XcdY"}]));
        assert_eq!(fixed("abcdef\n", &[(0, 1..2, "X"), (1, 0..1, "Y")]), Value::Null);
        let far = format!("a{}z\n", "b".repeat(bounds::SUGGESTION_BYTES));
        assert_eq!(fixed(&far, &[(0, 0..1, "X"), (0, far.len() - 2..far.len() - 1, "Y")]), Value::Null);
        assert_ne!(fixed(&far, &[(0, 0..far.len() - 1, "X")]), Value::Null);
    }
}
