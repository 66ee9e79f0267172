//! A checkbox is not written as `- [ ]` or `- [x]`, so that GitHub shows its brackets.
//!
//! ## Why
//!
//! GitHub recognizes a checkbox only with one space or an `x` in its brackets, and with spaces around them. The other rules
//! read `- []`, `- [ x ]` and `-[ ]` as what was meant.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! - [] Read the list of images
//! - [ x ] Pull the images
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! - [ ] Read the list of images
//! - [x] Pull the images
//! ```

use crate::markdown::checkbox::TaskBox;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "malformed-checkbox",
    summary: "a checkbox that GitHub shows as brackets",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("malformed_checkbox.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

fn check(_: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let malformed: Vec<&TaskBox> = page.boxes.iter().filter(|task| task.is_malformed).collect();
    let Some((first, others)) = malformed.split_first() else { return };
    let well_formed = well_formed(page, first);
    let start = first.span.start - usize::from(well_formed.starts_with(' '));
    let message = format!("`{}` is not a checkbox", page.slice(start..first.span.end));
    let space = if well_formed.ends_with(' ') { " and a space" } else { "" };
    let subjects = malformed.iter().map(|task| Subject::named([text_after(page.text(), task.span.end)]));
    let edits =
        malformed.iter().map(|task| Edit { span: page.span(task.span.clone()), text: self::well_formed(page, task) });
    let title = "write `- [ ]` or `- [x]`".to_owned();
    // One item that begins with `[]` may be about an empty list.
    let is_apart = |one: &TaskBox, next: &TaskBox| {
        let between = page.text().get(one.span.end..next.span.start).unwrap_or_default();
        between.lines().skip(1).any(|line| line.trim().is_empty())
    };
    let mut lists = page.boxes.chunk_by(|one, next| !is_apart(one, next));
    let is_doubtful = lists.any(|list| matches!(list, [only] if page.slice(only.span.clone()) == "[]"));
    let safety = if is_doubtful { Safety::Unsafe } else { Safety::Safe };
    let finding = Diagnostic::at(page.span(first.span.clone()), message)
        .help(format!("write `- {}`{space}", well_formed.trim()))
        .related_others(others.iter().map(|other| &other.span), "another one")
        .subject(Subject::File)
        .covers(subjects.collect())
        .fix(Fix { safety, title, edits: edits.collect() });
    out.report(finding);
}

/// What to write for a box, with the spaces around it that are not there.
fn well_formed(page: Page<'_>, task: &TaskBox) -> String {
    let before = if page.slice(..task.span.start).ends_with(['-', '*', '+']) { " " } else { "" };
    let after = if page.slice(task.span.end..).starts_with([' ', '\t']) { "" } else { " " };
    format!("{before}{}{after}", if task.ticked { "[x]" } else { "[ ]" })
}
