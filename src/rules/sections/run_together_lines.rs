//! Dated lines of the implementation history are shown as one paragraph.
//!
//! ## Why
//!
//! Markdown joins lines without a list marker or an empty line between them, so that readers see one long line of dates.
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

use crate::markdown::dated;
use crate::rules::prelude::*;
use crate::span::last_line_start;
use std::ops::Range;

/// The rule.
pub const RULE: Rule = Rule {
    name: "run-together-lines",
    category: Category::Sections,
    summary: "dated lines of the implementation history are shown as one paragraph",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Safe),
    roles: &[SectionRole::History],
    docs: docs!("run_together_lines.rs"),
    checks: Checks::of_kep(check),
    ..Rule::DEFAULT
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let Some(id) = ctx.template.with_role(SectionRole::History) else { return };
    let Some(place) = readme.matching.place(id) else { return };
    let lines = dated::joined(readme.document, place.subtree.clone());
    let Some((first, others)) = lines.split_first() else { return };
    let message = format!("{} dated lines are shown as one paragraph", lines.len());
    let finding = out.report(readme.span(first.clone()), message);
    finding.help = Some("begin each of them with `- `".to_owned());
    finding.relate_others(others, "on the same line of the page");
    let path = ctx.template.path(id);
    finding.subject = Subject::named(&path);
    finding.section = Some(path);
    finding.covers = lines.iter().map(|line| Subject::named([readme.slice(line.clone())])).collect();
    // In a list, lines with another indentation would be in lists of their own.
    let indentation = |line: &Range<usize>| {
        let before = readme.slice(..line.start);
        slice(before, last_line_start(before)..)
    };
    if others.iter().all(|line| indentation(line) == indentation(first)) {
        let edits = lines.iter().map(|line| Edit { span: readme.span(line.start..line.start), text: "- ".to_owned() });
        let edits = edits.collect();
        finding.fix = Some(Fix { safety: Safety::Safe, title: "write them as a list".to_owned(), edits });
    }
}
