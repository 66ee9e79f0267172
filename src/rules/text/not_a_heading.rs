//! `##Title` without a space is no heading.
//!
//! ## Why
//!
//! Markdown wants a space behind the hashes. Without it the line is a paragraph, and the section is missing from the
//! page's outline and the table of contents.
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

use crate::diagnostic::{Edit, Fix, Safety, brief};
use crate::rules::Level::{Advice, Off, Warning};
use crate::rules::{Category, Ctx, Fixable, Ladder, Rule, Sink};
use crate::span::{first_line, slice};

/// The rule.
pub const RULE: Rule = Rule {
    name: "not-a-heading",
    category: Category::Text,
    summary: "`##Title` without a space is no heading",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Off, closed: Off },
    fix: Fixable::Safe,
    source: include_str!("not_a_heading.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    for hashes in &readme.document.hash_lines {
        let line = first_line(slice(readme.text, hashes.start..)).trim_end();
        let span = readme.span(hashes.start..hashes.start + line.len());
        let finding = out.report(span, "this is no heading: there is no space behind the hashes");
        finding.help = Some(format!("write `{} {}`", slice(line, ..hashes.len()), brief(slice(line, hashes.len()..))));
        let edits = vec![Edit { span: readme.span(hashes.end..hashes.end), text: " ".to_owned() }];
        finding.fix = Some(Fix { safety: Safety::Safe, title: "put a space behind the hashes".to_owned(), edits });
    }
}
