//! A line is only `-->` and closes no comment, or a comment is closed by `>` instead of `-->`, or not at all.
//!
//! ## Why
//!
//! A stray `-->` is visible on the page. A comment closed by `>` hides all text before the next `-->`, and so does one that
//! is not closed before the next one begins. One that is opened in an item of a list or in a quote ends there in Markdown,
//! but on the page it goes on. One that begins in a line of text ends at the next blank line, and is shown as a whole.
//!
//! ## Bad
//!
//! ```markdown
//! ## Summary
//!
//! Images are pulled ahead of time.
//!
//! -->
//! ```
//!
//! ## Good
//!
//! ```markdown
//! ## Summary
//!
//! Images are pulled ahead of time.
//! ```

use crate::gap::leftover;
use crate::markdown;
use crate::markdown::comment::Comment;
use crate::rules::prelude::*;
use crate::span::text_before;
use std::borrow::Cow;

pub const RULE: Rule = Rule {
    name: "stray-comment-marker",
    summary: "a line that is only `-->`, or a comment without it",
    severity: Ladder { provisional: Warning, active: Warning, stale: Warning, implemented: Warning, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("stray_comment_marker.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Text)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let is_blank = |letter: char| letter.is_whitespace() && !LINE_ENDS.contains(&letter);
    // All text since the heading is read for each.
    let mut read = 0..bounds::COMPARED_NAMES;
    for at in search::words(readme.text(), "-->") {
        let before = readme.slice(..at).trim_end_matches(is_blank);
        let after = readme.slice(at + "-->".len()..).trim_start_matches(is_blank);
        let is_alone =
            (before.is_empty() || before.ends_with(LINE_ENDS)) && (after.is_empty() || after.starts_with(LINE_ENDS));
        if is_alone && !readme.is_hidden(at) {
            let span = readme.span(at..at + "-->".len());
            // It may end HTML, and what follows without a blank line may become another block.
            let above = readme.sections.since_heading(readme.text(), before.len());
            let is_last = after.lines().nth(1).is_some_and(|next| next.trim().is_empty());
            let is_read = read.next().is_some();
            let is_text = is_read && is_last && above.is_some_and(markdown::is_heading_after);
            let own = readme.sections.at(at).map_or(at, |section| readme.sections.get(section).text.start.min(at));
            // A comment that begins in a paragraph ends with that.
            if is_read
                && let Some(open) = readme.slice(own..at).rfind("<!--").map(|open| own + open)
                && !readme.is_hidden(open)
                && !readme.slice(..open).ends_with('`')
            {
                let opening = readme.span(open..open + "<!--".len());
                let finding = Diagnostic::at(
                    opening,
                    "this comment is shown: it begins in a paragraph, and a blank line ends that",
                )
                .help("begin it on a line of its own, after a blank line")
                .related(span, "end of the comment")
                .subject(Subject::near(text_before(readme.text(), at)));
                out.report(finding);
                continue;
            }
            let is_guidance = |line: Cow<'_, str>| leftover::is_guidance(&line, ctx.template);
            let ends_guidance = is_read && readme.visible_lines(own..at).last().is_some_and(is_guidance);
            let fix = Fix::write(Safety::Unsafe, "remove it", span, "");
            let finding = Diagnostic::at(span, "`-->` without `<!--`")
                .help(if ends_guidance {
                    "write `<!--` above the text of the template, or remove both"
                } else {
                    "remove it"
                })
                .fix(if is_text && !ends_guidance { Some(fix) } else { None })
                .subject(Subject::near(text_before(readme.text(), at)));
            out.report(finding);
        }
    }
    for comment in &readme.comments {
        let source = readme.slice(comment.span.clone());
        let first = first_line(source).trim_end();
        if let Some(message) = flaw(ctx, readme, comment, first) {
            let span = comment.span.start..comment.span.start + first.len();
            out.report(Diagnostic::at(readme.span(span), message).help("close it with `-->`"));
        }
    }
}

/// What is wrong with the end of a comment that begins with this line.
fn flaw(ctx: &Ctx<'_>, readme: Readme<'_>, comment: &Comment, first: &str) -> Option<&'static str> {
    let source = readme.slice(comment.span.clone());
    let next = search::bytes(source, b'<').skip(1).find(|at| slice(source, *at..).starts_with("<!--"));
    // `malformed-directive` reports a directive. HTML ends the short ones at once.
    let is_whole = (comment.is_closed && next.is_none()) || ["<!-->", "<!--->"].contains(&first);
    if is_whole || comment.is_directive(readme.text()) {
        return None;
    }
    // One that is in no item and no quote goes on to the end.
    if !comment.is_closed && !readme.slice(comment.span.end..).trim().is_empty() {
        return Some("comment is not closed, and hides what is below it on the page");
    }
    let next = next?;
    if first.ends_with('>') && !first.ends_with("-->") && next >= first.len() {
        return Some("comment is closed by `>`, so it stays open");
    }
    let second = slice(source, first.len()..).trim_start().lines().next()?;
    // What begins with no text, or with the author's own, is a section that is hidden on purpose.
    if first == "<!--" && !Content::is_of_template(second, ctx.template) {
        return None;
    }
    // Text of the template is in comments, and may have one inside.
    let is_own = |line: &str| !line.trim().is_empty() && !Content::is_of_template(line, ctx.template);
    let hidden = slice(source, ..next);
    let hides_own = hidden.ends_with('\n') && hidden.lines().skip(1).any(is_own);
    hides_own.then_some("comment is not closed before the next one, and hides the text between them")
}
