//! Lines that were meant to be apart are shown as one paragraph.
//!
//! ## Why
//!
//! Markdown joins lines without a list marker or an empty line between them, so that readers see one long line. Reported are
//! dated lines of the implementation history, the fields of a form that are indented so deep that they belong to the text of
//! their box, and a table whose line of dashes has another number of columns than its header.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Implementation History
//!
//! 2025-05-02: KEP accepted
//! 2026-01-15: alpha in v1.36
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Implementation History
//!
//! - 2025-05-02: KEP accepted
//! - 2026-01-15: alpha in v1.36
//! ```

use crate::markdown::joined::{self, WideRow};
use crate::rules::prelude::*;
use crate::span::text_before;

pub const RULE: Rule = Rule {
    name: "run-together-lines",
    summary: "dates, fields of a form, or rows of a table are shown as one paragraph",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    roles: &[SectionRole::History],
    docs: docs!("run_together_lines.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Text)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    check_history(ctx, readme, out);
    let fields = joined::items(readme.document, 0..readme.text().len());
    if let Some((first, others)) = fields.split_first() {
        let finding = Diagnostic::at(readme.span(first.clone()), "GitHub shows this line as part of the line above")
            .help("indent it by two spaces more than the box")
            .related_others(others, "another one")
            .subject(Subject::named(["fields"]))
            .covers(fields.iter().map(|line| Subject::named([readme.slice(line.clone())])).collect());
        out.report(finding);
    }
    for page in ctx.pages() {
        joined::wide_rows(page.document).iter().for_each(|row| report_wide(page, row, out));
        for line in joined::tables(page.document) {
            let message =
                "this table is shown as text: its header has another number of columns than the line of dashes";
            let finding = Diagnostic::at(page.span(line.clone()), message)
                .help("write as many columns as the header has")
                .subject(Subject::near(text_before(page.text(), line.start)));
            out.report(finding);
        }
    }
}

/// Whether no bold text, tag or the like goes on in the next line.
fn has_whole_marks(line: &str) -> bool {
    let count = |mark: &str| line.matches(mark).count();
    ["**", "*", "_", "~"].iter().all(|mark| count(mark).is_multiple_of(2)) && count("<") == count(">")
}

fn report_wide(page: Page<'_>, row: &WideRow, out: &mut Sink) {
    let WideRow { line, of_header, cells } = row;
    let source = page.slice(line.clone());
    let pieces: Vec<&str> = source.split('`').collect();
    // Every second piece is code.
    let has_code = pieces.len() % 2 == 1 && pieces.iter().skip(1).step_by(2).any(|code| code.contains('|'));
    let in_code = "in a table write `\\|` for a bar, in code too";
    let help = if has_code { in_code } else { "add a column to the header, or remove a bar" };
    let message = format!("the header of this table has {of_header} cells, this row {cells}: the last is not shown");
    let finding = Diagnostic::at(page.span(line.clone()), message).help(help).subject(Subject::near(source));
    out.report(finding);
}

fn check_history(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let Some((id, place)) = readme.with_role(SectionRole::History) else { return };
    let lines = joined::dates(readme.document, place.subtree.clone());
    let Some((first, others)) = lines.split_first() else { return };
    let message = format!("{} dated lines are shown as one paragraph", lines.len());
    let mut finding = Diagnostic::at(readme.span(first.clone()), message)
        .help("begin each of them with `- `")
        .related_others(others, "on the same line of the page")
        .of_section(ctx.template.path(id))
        .covers(lines.iter().map(|line| Subject::named([readme.slice(line.clone())])).collect());
    // In a list, lines with another indentation would be in lists of their own.
    let indentation = |line: &Range<usize>| {
        let before = readme.slice(..line.start);
        slice(before, last_line_start(before)..)
    };
    // Code or a link may go on over the end of a line.
    let is_inside = |at: usize| readme.is_hidden(at) || readme.is_link(at);
    let is_whole = |line: &Range<usize>| {
        let line_end = readme.slice(..line.start).rfind('\n').unwrap_or_default();
        indentation(line) == indentation(first) && !is_inside(line_end) && has_whole_marks(readme.slice(line.clone()))
    };
    if lines.iter().all(is_whole) {
        let edits = lines.iter().map(|line| Edit { span: readme.span(line.start..line.start), text: "- ".to_owned() });
        let edits = edits.collect();
        let above = line_around(readme.text(), last_line_start(readme.slice(..first.start)).saturating_sub(1)).trim();
        // In the middle of a paragraph, a date may be a word of a sentence.
        let begins = above.is_empty() || (above.starts_with(['#', '-', '*', '+']) && indentation(first).is_empty());
        let goes_on = others.iter().any(|line| {
            let before = readme.slice(..line.start).trim_end();
            [" and", " or", " in", " since", " until", " by", " from"].iter().any(|word| before.ends_with(word))
        });
        let safety = if begins && !goes_on { Safety::Safe } else { Safety::Unsafe };
        finding.fix = Some(Fix { safety, title: "write them as a list".to_owned(), edits });
    }
    out.report(finding);
}
