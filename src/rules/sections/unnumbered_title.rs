//! The README's title does not begin with `KEP-NNNN:`.
//!
//! ## Why
//!
//! The number leads readers from the title to the tracking issue.
//!
//! The fix puts the number before the title. If the title begins with the name of the directory, such as
//! `1-prefetch-images:`, or with the number alone, the fix replaces it and needs review.
//!
//! ## Bad
//!
//! ```markdown
//! # Prefetch images
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Prefetch images
//! ```

use crate::kep::number;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "unnumbered-title",
    summary: "the README's title does not begin with the KEP's number",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("unnumbered_title.rs"),
    checks: Checks::of_readme(check),
    ..Rule::of(Category::Sections)
};

const MESSAGE: &str = "the title does not begin with the KEP's number";

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink<'_>) {
    let Some(title) = readme.sections.title().map(|title| readme.sections.get(title)) else { return };
    if number::in_title(&title.title.text).is_some() || title.title.text.contains("KEP-NNNN") {
        return;
    }
    let Some(number) = ctx.kep.number() else {
        let finding = Diagnostic::at(readme.span(title.heading.clone()), MESSAGE)
            .help("write it as `# KEP-NNNN: <title>`")
            .subject(Subject::File);
        out.report(finding);
        return;
    };
    let written = readme.slice(title.text.clone());
    if let Some(length) = number::bare(written, number) {
        let start = title.text.start;
        let message =
            format!("the title begins with `{}`, not with `KEP-{number}:`", brief(slice(written, ..length).trim_end()));
        let mut finding =
            Diagnostic::at(readme.span(start..start + slice(written, ..length).trim_end().len()), message)
                .help(format!("write `# KEP-{number}: {}`", brief(slice(written, length..).trim_start())))
                .subject(Subject::File);
        if !ctx.links_to(&title.title.text) {
            let rest = slice(written, length..);
            let span = readme.span(start..start + length + rest.len() - rest.trim_start().len());
            finding.fix = Some(Fix {
                safety: Safety::Unsafe,
                title: format!("write `KEP-{number}:` in its place"),
                edits: vec![Edit { span, text: format!("KEP-{number}: ") }],
            });
        }
        out.report(finding);
        return;
    }
    let finding = Diagnostic::at(readme.span(title.heading.clone()), MESSAGE)
        .help(format!("write `# KEP-{number}: {}`", brief(&title.title.text)))
        .subject(Subject::File);
    if title.title.text.is_empty() || ctx.links_to(&title.title.text) {
        out.report(finding);
        return;
    }
    let heading = readme.slice(title.heading.clone());
    let words = heading.trim_start_matches(' ');
    // The hash of a heading with an underline is part of its text.
    let after_hash = words.strip_prefix('#').filter(|rest| rest.starts_with([' ', '\t']));
    let words = after_hash.unwrap_or(words).trim_start_matches([' ', '\t', '\u{b}', '\u{c}']);
    let start = title.heading.end - words.len();
    let edits = vec![Edit { span: readme.span(start..start), text: format!("KEP-{number}: ") }];
    let change = format!("put `KEP-{number}:` before the title");
    out.report(finding.fix(Fix { safety: Safety::Safe, title: change, edits }));
}
