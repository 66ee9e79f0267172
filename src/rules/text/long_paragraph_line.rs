//! A whole paragraph is on one line.
//!
//! ## Why
//!
//! Reviewers comment on lines. If a paragraph is one line, they cannot comment on one sentence, and a diff shows the
//! whole paragraph for every change. This rule is off unless it is selected.
//!
//! ## Bad
//!
//! ```markdown
//! ## Summary
//!
//! Images are pulled ahead of time, so that the first pod of a rollout does not wait for them. The kubelet reads the list of images at its start and once an hour, pulls what is missing one after the other, and leaves what is there. Nothing else changes: the garbage collection of images applies as ever, and a pod that names an image which is not on the list waits for it as it does today, whatever its size may be.
//! ```
//!
//! ## Good
//!
//! ```markdown
//! ## Summary
//!
//! Images are pulled ahead of time, so that the first pod of a rollout does not
//! wait for them.
//! ```

use crate::rules::prelude::*;

/// The rule.
pub const RULE: Rule = Rule {
    name: "long-paragraph-line",
    category: Category::Text,
    summary: "a whole paragraph is on one line",
    severity: Ladder::everywhere(Off),
    docs: docs!("long_paragraph_line.rs"),
    checks: Checks::of_kep(check),
    ..Rule::DEFAULT
};

/// How many characters of prose a line may have.
const LONGEST: usize = 400;

/// How many words at its beginning tell one paragraph from another; its other words change often.
const MOST_WORDS: usize = 12;

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    for line in readme.visible_spans(0..readme.text().len()) {
        let text = readme.slice(line.clone());
        let count = text.chars().count();
        let is_code = || readme.code_around(line.start).is_some_and(|code| line.end <= code.end);
        if count > LONGEST && !is_code() && !text.starts_with('|') && !text.contains("](") {
            let message = format!("paragraph of {count} characters on one line");
            let beginning = text.split_whitespace().take(MOST_WORDS).collect::<Vec<_>>().join(" ");
            let finding = out.report(readme.span(line), message);
            finding.help = Some("wrap it at about 80 characters".to_owned());
            finding.subject = Subject::near(&beginning);
        }
    }
}
