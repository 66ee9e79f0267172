//! A value or key of kep.yaml has a character that cannot be seen, or that looks like another one.
//!
//! ## Why
//!
//! Text that is copied from a page or a chat may have no-break or zero-width spaces, and curly quotes. For programs
//! they are a part of the name: nobody has the handle `“@ann”`, and a gate with U+200B in its name is another one.
//! kep-lint reads the value as it is meant.
//!
//! ## Bad
//!
//! ```yaml
//! approvers:
//!   - “@carol”
//! ```
//!
//! ## Good
//!
//! ```yaml
//! approvers:
//!   - "@carol"
//! ```

use crate::kep::odd::{OddScalar, looks_like};
use crate::rules::prelude::*;
use crate::span::DASHES;

pub const RULE: Rule = Rule {
    name: "odd-character",
    summary: "kep.yaml has a character that cannot be seen, or looks like another one",
    severity: Ladder::everywhere(Error),
    fix: Some(Safety::Safe),
    upstream: &[Script::Metadata],
    reveals: true,
    docs: docs!("odd_character.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    for odd in &metadata.odd {
        let OddScalar { span, key, letter, meant, written, is_block } = odd;
        let number = u32::from(*letter);
        let what = match (letter, looks_like(*letter)) {
            (_, Some(ascii)) => format!("has U+{number:04X}, which looks like `{ascii}`"),
            ('“' | '‘', _) => format!("begins with U+{number:04X}, a quote that is part of the value"),
            _ if DASHES.contains(letter) => format!("has U+{number:04X}, which is no `-`"),
            _ if letter.is_whitespace() => format!("has U+{number:04X}, which is no space"),
            _ => format!("has the invisible character U+{number:04X}"),
        };
        let upstream = if key.is_empty() || key == "disable-supported" || *is_block {
            Some(Script::Metadata)
        } else {
            ctx.script_that_reads(metadata, key)
        };
        let is_error = upstream.is_some() || key == "status" || key == "stage";
        let write = written.as_ref().map(|text| format!("write `{}`", brief(text)));
        let fix = written.as_ref().zip(write.clone()).map(|(text, title)| Fix::write(Safety::Safe, title, *span, text));
        let finding = Diagnostic::at(*span, format!("`{}` {what}", brief(meant)))
            .help(write.unwrap_or_else(|| "write it again by hand".to_owned()))
            .at_most(if is_error { Severity::Error } else { Severity::Warning })
            .fix(fix)
            .upstream(upstream)
            .subject(Subject::named([key, meant]))
            .alike(Some("quote").filter(|_| matches!(letter, '“' | '‘')));
        out.report(finding);
    }
}
