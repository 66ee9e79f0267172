//! An ignore names no rule, or one that does not exist.
//!
//! ## Why
//!
//! It silences nothing, so the finding that it is for is still reported. A category is not ignored as a whole, so that
//! each ignore shows what it hides; the rules about ignores cannot be ignored at all.
//!
//! An earlier version may have had the rule: the message says what to do instead, and the ignore has no effect.
//!
//! The fix writes the name that is probably meant, or else removes the ignore. It needs review.
//!
//! ## Bad
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- kep-lint-ignore dead-lnk: the page will be added with the beta -->
//! ## Summary
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- kep-lint-ignore dead-link: the page will be added with the beta -->
//! ## Summary
//! ```

use crate::rules::context::{JudgedIgnore, Verdict};
use crate::rules::prelude::*;
use crate::suppress::ignore::{FILE_WORD, Kind, Named, WORD};

pub const RULE: Rule = Rule {
    name: "unknown-ignore",
    summary: "an ignore names no rule, or one that does not exist",
    severity: Ladder::everywhere(Warning),
    fix: Some(Safety::Unsafe),
    docs: docs!("unknown_ignore.rs"),
    checks: &[Check::Ignore(check)],
    ..Rule::of(Category::Ignores)
};

fn check(judged: &JudgedIgnore<'_>, out: &mut Sink) {
    let ignore = judged.ignore;
    if ignore.names.is_empty() {
        let finding = Diagnostic::at(ignore.comment, "ignore names no rule")
            .help(format!("write `{WORD} RULE: reason`"))
            .subject(Subject::named(["no rule"]))
            .fix(judged.removal(Safety::Unsafe, &[]));
        out.report(finding);
    }
    for (index, (name, verdict)) in ignore.names.iter().zip(&judged.verdicts).enumerate() {
        let written = brief(&name.rule);
        let span = Span::new(ignore.comment.file, name.range.clone());
        let (message, help) = match verdict {
            Verdict::Fine | Verdict::Unused => continue,
            _ if ignore.kind == Kind::Unknown => {
                let help =
                    format!("write `{WORD} RULE: reason`, or `{FILE_WORD} RULE: reason` for all findings in the file");
                (format!("unknown ignore `{written}`"), help)
            }
            Verdict::Unknown(Some(nearest)) => {
                (format!("unknown rule `{written}`"), format!("did you mean `{nearest}`?"))
            }
            Verdict::Unknown(None) if name.rule.contains(char::is_whitespace) => {
                (format!("unknown rule `{written}`"), "write a comma between two rules".to_owned())
            }
            Verdict::Unknown(None) => (
                format!("unknown rule `{written}`"),
                "write the name of a rule; `kep-lint rules` lists them".to_owned(),
            ),
            Verdict::Gone(gone) => (gone.clone(), "remove this ignore: it has no effect".to_owned()),
            Verdict::Category(category) => (
                format!("`{category}` is a category, not a rule"),
                format!("write the rules that are meant; `kep-lint rules {category}` lists them"),
            ),
            Verdict::AboutIgnores => (
                format!("`{written}` cannot be ignored"),
                format!("remove it; `--ignore {written}` turns the rule off"),
            ),
        };
        let fix = match verdict {
            Verdict::Unknown(Some(nearest)) => right_name(judged, name, nearest),
            // What another form says may be worth more than a removal.
            _ if ignore.kind == Kind::Unknown && !name.rule.starts_with(WORD) => None,
            _ => judged.removal(Safety::Unsafe, &[index]),
        };
        out.report(Diagnostic::at(span, message).help(help).subject(Subject::named([&name.rule])).fix(fix));
    }
}

fn right_name(judged: &JudgedIgnore<'_>, name: &Named, nearest: &str) -> Option<Fix> {
    let range = name.range.start..name.range.start + name.rule.len();
    let span = Span::new(judged.ignore.comment.file, range);
    judged.is_fixable.then(|| Fix::write(Safety::Unsafe, format!("write `{nearest}`"), span, nearest))
}
