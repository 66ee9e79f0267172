//! `##Title` without a space is not a heading.
//!
//! ## Why
//!
//! Markdown requires a space after `#`. Without it the line is a paragraph, and the section is missing from the page's
//! outline and the table of contents.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! Images are pulled ahead of time.
//!
//! ##Motivation
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! Images are pulled ahead of time.
//!
//! ## Motivation
//! ```

use crate::rules::prelude::*;
use crate::span::{LINE_ENDS, first_line};

pub const RULE: Rule = Rule {
    name: "not-a-heading",
    summary: "`##Title` without a space is not a heading",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Safe),
    reveals: true,
    docs: docs!("not_a_heading.rs"),
    checks: Checks::of_readme(check),
    ..Rule::of(Category::Text)
};

fn check(_: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink<'_>) {
    for hashes in &readme.hash_lines {
        let line = first_line(readme.slice(hashes.start..)).trim_end();
        let span = readme.span(hashes.start..hashes.start + line.len());
        let mut finding = Diagnostic::at(span, "not a heading: missing space after `#`").help(format!(
            "write `{} {}`",
            slice(line, ..hashes.len()),
            brief(slice(line, hashes.len()..))
        ));
        if is_alone(readme.text(), hashes.start, line) {
            let edits = vec![Edit { span: readme.span(hashes.end..hashes.end), text: " ".to_owned() }];
            finding.fix = Some(Fix { safety: Safety::Safe, title: "add a space after `#`".to_owned(), edits });
        }
        out.report(finding);
    }
}

/// Whether the line at `start` can become a heading without other changes: it begins a paragraph, the next line is not
/// an underline or a table row, and everything that it opens is closed on the same line.
fn is_alone(text: &str, start: usize, line: &str) -> bool {
    let before = slice(text, ..start).trim_end_matches([' ', '\t']);
    let before = before.strip_suffix('\n').map_or(before, |before| before.strip_suffix('\r').unwrap_or(before));
    let above = before.rsplit(LINE_ENDS).next().unwrap_or_default();
    let after = slice(text, start + line.len()..).trim_start_matches([' ', '\t']);
    let after = after.strip_prefix('\r').unwrap_or(after);
    let below = first_line(after.strip_prefix('\n').unwrap_or(after)).trim();
    let is_underline = below.starts_with(['=', '-']) && below.trim_matches(['=', '-']).is_empty();
    let begins = above.trim().is_empty() || above.starts_with('#') || above.trim_end().ends_with("-->");
    let count = |mark: char| line.matches(mark).count();
    let is_closed = count('[') == count(']') && count('(') == count(')') && count('<') == count('>');
    let is_even = ['`', '*', '_', '~', '$'].iter().all(|mark| count(*mark) % 2 == 0);
    let has_marker = line.contains("<!--");
    begins && !is_underline && !below.contains('|') && is_closed && is_even && !has_marker
}
