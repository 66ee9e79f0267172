//! A backtick or a code fence has no partner.
//!
//! ## Why
//!
//! A single backtick is shown as a backtick, and the text after it is not code; or the wrong words are. A fence that is
//! never closed turns the rest of the document into code. If it hides headings of the template, `swallowed-heading` reports
//! it.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! The field `imagePullPolicy is ignored.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! The field `imagePullPolicy` is ignored.
//! ```

use crate::markdown::joined;
use crate::markdown::unclosed::UnclosedCode;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "unclosed-code-span",
    summary: "a backtick or a code fence without its partner",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    reveals: true,
    docs: docs!("unclosed_code_span.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

fn check(ctx: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let contents = page.contents();
    let mut unclosed = page.unclosed_code.iter().filter(|code| !contents.contains(&code.span.start)).peekable();
    // A bar ends a cell and the code in it, which `run-together-lines` says.
    let rows = if unclosed.peek().is_some() { joined::wide_rows(page.document) } else { Vec::new() };
    let is_in_row = |code: &&UnclosedCode| rows.iter().any(|row| row.line.contains(&code.span.start));
    let unclosed = unclosed.filter(|code| !is_in_row(code));
    for UnclosedCode { span, block, other, first: bare } in unclosed {
        let mut hidden = page.hidden.iter().filter(|hidden| Some(&hidden.within) == block.as_ref());
        let cause = hidden.find_map(|hidden| cause::of_hidden(ctx, page, hidden));
        let around = line_around(page.text(), span.start);
        // The others of the line are paired from the left, so that any of them may be the one without a partner.
        let line = last_line_start(page.slice(..span.start));
        let first = if block.is_none() { page.slice(line..span.start).find('`') } else { None };
        let (message, help) = match block {
            Some(_) if bare.is_some() => (
                "one of the code fences up to this one has no partner",
                "add the other fence, or remove the one too many",
            ),
            Some(_) if other.is_some() => {
                ("the closing fence of this block is missing", "add the closing fence before the next opening one")
            }
            Some(_) => ("code fence is never closed", "add the closing fence, with the same indentation"),
            None if first.is_some() => {
                ("one of these backticks has no partner", "add the other backtick, or remove the one too many")
            }
            None if around.contains('´') => ("backtick without a partner", "write a backtick for the `´`"),
            None => {
                ("backtick without a partner", "add the other backtick, remove this one, or put a backslash before it")
            }
        };
        let subject = match (other, first) {
            (Some(other), _) => Subject::near(line_around(page.text(), other.start)),
            (None, Some(_)) => Subject::near(around),
            (None, None) => {
                let below = if block.is_some() { text_after(page.text(), span.end) } else { "" };
                Subject::near(&format!("{around} {below}"))
            }
        };
        let start = first.map_or(span.start, |first| line + first);
        let finding = Diagnostic::at(page.span(start..span.end), message)
            .help(help)
            .related_others(bare.map(|bare| bare..bare + span.len()).as_ref(), "the first that may have no partner")
            .related_others(other, "this opens another block")
            .subject(subject)
            .unless(cause);
        out.report(finding);
    }
}
