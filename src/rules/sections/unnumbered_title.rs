//! The README's title does not begin with `KEP-NNNN:`.
//!
//! ## Why
//!
//! The number leads readers from the title to the tracking issue.
//!
//! The fix puts the number before the title, or into `KEP:`. If the title begins with `KEP-XXXX:` or the name of the directory,
//! such as `1-prefetch-images:`, or has the number somewhere else, the fix replaces that and needs review.
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
    let titles = readme.sections.iter().map(|(_, section)| section).filter(|section| section.level == 1);
    if titles.into_iter().any(|section| number::in_title(&section.title.text).is_some())
        || title.title.text.contains("KEP-NNNN")
    {
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
    let bare = number::bare(written, number);
    if let Some(length) = bare.or_else(|| unnumbered_mark(written)) {
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
                safety: if written.starts_with("KEP:") { Safety::Safe } else { Safety::Unsafe },
                title: format!("write `KEP-{number}:` in its place"),
                edits: vec![Edit { span, text: format!("KEP-{number}: ") }],
            });
        }
        out.report(finding);
        return;
    }
    let is_named = number::only_named(written).is_some_and(|named| number::is_same(named, number));
    let words = written.strip_suffix(&format!("(KEP-{number})")).map_or(written, str::trim_end);
    let shown = if words.len() < written.len() { words } else { title.title.text.as_str() };
    let finding = Diagnostic::at(readme.span(title.heading.clone()), MESSAGE)
        .help(format!("write `# KEP-{number}: {}`", brief(shown)))
        .subject(Subject::File);
    // A title that is only `KEP` says nothing that a number could be put before.
    if matches!(title.title.key.as_str(), "" | "kep") || ctx.links_to(&title.title.text) {
        out.report(finding);
        return;
    }
    let second_number = readme.span(title.text.start + words.len()..title.text.end);
    let heading = readme.slice(title.heading.clone());
    let line = heading.trim_start_matches(' ');
    // The hash of a heading with an underline is part of its text.
    let after_hash = line.strip_prefix('#').filter(|rest| rest.starts_with([' ', '\t']));
    let line = after_hash.unwrap_or(line).trim_start_matches([' ', '\t', '\u{b}', '\u{c}']);
    let start = title.heading.end - line.len();
    let mut edits = vec![Edit { span: readme.span(start..start), text: format!("KEP-{number}: ") }];
    if second_number.start < second_number.end {
        edits.push(Edit { span: second_number, text: String::new() });
    }
    let change = format!("put `KEP-{number}:` before the title");
    let other_number =
        written.strip_prefix('#').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    let safety = if is_named || other_number { Safety::Unsafe } else { Safety::Safe };
    out.report(finding.fix(Fix { safety, title: change, edits }));
}

/// The length of what a title begins with where the number belongs: `KEP:`, `KEP-XXXX:`, `Kubernetes Enhancement Proposal:`.
fn unnumbered_mark(title: &str) -> Option<usize> {
    let (mark, rest) = title.split_once(':')?;
    let lower = mark.to_ascii_lowercase();
    let is_placeholder = |letters: &str| letters.bytes().all(|letter| letter.is_ascii_alphabetic());
    let is_mark = matches!(lower.as_str(), "kep" | "kubernetes enhancement proposal")
        || lower.strip_prefix("kep-").is_some_and(is_placeholder);
    (is_mark && !rest.trim().is_empty()).then_some(mark.len() + ":".len())
}
