//! Lines of a merge conflict are still in the text.
//!
//! ## Why
//!
//! Git writes them where two changes meet. Both sides are then in the text, and headings twice: what other rules say of it is
//! about a text that nobody means. Lines of code do not count, and a line of `=======` alone is an underline.
//!
//! ## Bad
//!
//! ```markdown beta
//! ## Summary
//!
//! <<<<<<< HEAD
//! Images are pulled ahead of time.
//! =======
//! Images are fetched early.
//! >>>>>>> topic
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ## Summary
//!
//! Images are pulled ahead of time.
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "merge-conflict",
    summary: "lines of a merge conflict are still in the text",
    severity: Ladder { provisional: Error, active: Error, stale: Error, implemented: Error, closed: Warning },
    docs: docs!("merge_conflict.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

fn check(_: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let markers = page.document.conflict_markers();
    let Some((first, others)) = markers.split_first() else { return };
    let message = format!("merge conflict marker `{}`", brief(page.slice(first.clone())));
    let finding = Diagnostic::at(page.span(first.clone()), message)
        .help("keep one side of the merge and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`")
        .related_others(others.iter(), "another marker")
        .subject(Subject::File);
    out.report(finding);
}
