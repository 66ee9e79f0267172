//! The README still has guidance comments of the template.
//!
//! ## Why
//!
//! The template says: "When your KEP is complete, all of these comment blocks should be removed". Most KEPs keep them,
//! and they are not rendered, so this rule is off unless it is selected. One finding counts all of them.
//!
//! ## Bad
//!
//! ```markdown
//! ## Drawbacks
//!
//! <!--
//! Why should this KEP _not_ be implemented?
//! -->
//!
//! More disk space is in use.
//! ```
//!
//! ## Good
//!
//! ```markdown
//! ## Drawbacks
//!
//! More disk space is in use.
//! ```

use crate::markdown::comment::Comment;
use crate::mdtoc::Markers;
use crate::rules::prelude::*;
use crate::span::line_end;
use crate::template;
use std::ops::Range;

/// The rule.
pub const RULE: Rule = Rule {
    name: "template-comment",
    category: Category::Text,
    summary: "the README still has guidance comments of the template",
    severity: Ladder::everywhere(Off),
    fix: Some(Safety::Safe),
    docs: docs!("template_comment.rs"),
    checks: Checks::of_kep(check),
    ..Rule::DEFAULT
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let comments = readme.comments.iter().filter(|comment| comment.is_block && comment.is_closed);
    let guidance: Vec<&Comment> = comments.filter(|comment| is_guidance(readme, comment)).collect();
    let Some(first) = guidance.first() else { return };
    let message = match guidance.len() {
        1 => "1 guidance comment of the template remains".to_owned(),
        count => format!("{count} guidance comments of the template remain"),
    };
    let edits: Vec<Edit> = guidance.iter().filter_map(|comment| removal(readme, &comment.span)).collect();
    let finding = out.report(readme.span(first.span.clone()), message);
    finding.help = Some("remove them when the KEP is complete".to_owned());
    finding.subject = Subject::File;
    let texts = guidance.iter().map(|comment| readme.slice(comment.span.clone()));
    finding.covers = texts.map(|text| Subject::named([text])).collect();
    if !edits.is_empty() {
        finding.fix = Some(Fix { safety: Safety::Safe, title: "remove the guidance comments".to_owned(), edits });
    }
}

/// The edit that removes a comment on its own lines. `None` if the text after it may become a part of the text before
/// it: the rest of its line, a list, a quote, a table or indented text. Between text on both sides, a blank line
/// remains.
fn removal(readme: Readme<'_>, comment: &Range<usize>) -> Option<Edit> {
    let text = readme.text();
    let range = with_blank_lines(text, comment)?;
    let (before, after) = (slice(text, ..range.start), slice(text, range.end..));
    let next = after.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_separate = next.is_empty() || next.starts_with(['#', '<']) || next.starts_with(char::is_alphabetic);
    let is_parted = before.trim().is_empty() || before.ends_with("\n\n") || before.ends_with("\n\r\n");
    let is_followed = !after.is_empty() && !after.starts_with(['\n', '\r']);
    let newline = if !is_parted && is_followed { line_end(text, range.start) } else { "" };
    is_separate.then(|| Edit { span: readme.span(range), text: newline.to_owned() })
}

/// Whether a comment consists of template guidance; markers of the table of contents are not guidance.
fn is_guidance(readme: Readme<'_>, comment: &Comment) -> bool {
    !Markers::is_one(readme.slice(comment.span.clone())) && template::is_guidance(comment.body(readme.text()))
}

/// The lines of a comment that has no other text on them, and one blank line after it.
fn with_blank_lines(text: &str, comment: &Range<usize>) -> Option<Range<usize>> {
    if comment.start > 0 && !slice(text, ..comment.start).ends_with('\n') {
        return None;
    }
    let rest = slice(text, comment.end..);
    let line_end = rest.find('\n').map_or(rest.len(), |newline| newline + 1);
    if !slice(rest, ..line_end).trim().is_empty() {
        return None;
    }
    let after = slice(rest, line_end..);
    let blank =
        after.find('\n').filter(|newline| slice(after, ..*newline).trim().is_empty()).map_or(0, |newline| newline + 1);
    Some(comment.start..comment.end + line_end + blank)
}
