//! The README's title does not begin with `KEP-NNNN:`.
//!
//! ## Why
//!
//! The number leads readers from the title to the tracking issue.
//!
//! The fix puts the number before the title, or into `KEP:`. If the title begins with `KEP-XXXX:` or the name of the directory,
//! such as `1-prefetch-images:`, or has the number somewhere else, the fix replaces that and needs review. So does the fix of
//! any title that already says "KEP" or the number.
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

use crate::kep::layout::Own;
use crate::rules::prelude::*;
use regex::Regex;
use std::sync::LazyLock;

pub const RULE: Rule = Rule {
    name: "unnumbered-title",
    summary: "the README's title does not begin with the KEP's number",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("unnumbered_title.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

const MESSAGE: &str = "the title does not begin with the KEP's number";

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    if let Some(own) = ctx.layout().own() {
        return check_form(ctx, readme, own, out);
    }
    let Some(title) = readme.sections.title().map(|title| readme.sections.get(title)) else { return };
    let titles = readme.sections.iter().map(|(_, section)| section).filter(|section| section.level == 1);
    if titles.into_iter().any(|section| number::in_title(&section.title.text).is_some())
        || title.title.text.contains("KEP-NNNN")
        || ctx.template.finds_no_title(readme.document)
        || !title.title.text.is_empty() && content::problem_of_title(&title.title.text).is_some()
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
    if let Some(length) = number::bare(written, number).or_else(|| unnumbered_mark(written)) {
        let start = title.text.start;
        let mark = slice(written, ..length).trim_end();
        let rest = slice(written, length..).trim_start();
        // The number stands behind the mark: `KEP: KEP-1234: Title`.
        let right = if number::in_title(rest).is_some() { String::new() } else { format!("KEP-{number}: ") };
        let message = format!("the title begins with `{}`, not with `KEP-{number}:`", brief(mark));
        let mut finding = Diagnostic::at(readme.span(start..start + mark.len()), message)
            .help(format!("write `# {right}{}`", brief(rest.trim_start_matches(['*', '_', '`', ' ']))))
            .subject(Subject::File);
        // What closes emphasis or code that begins before the mark would be left alone, and no fix drops a
        // word.
        if !ctx.links_to(&title.title.text) && rest.starts_with(char::is_alphanumeric) && !right.is_empty() {
            let is_sure = written.starts_with("KEP:") && !is_numbered(rest, number);
            let safety = if is_sure { Safety::Safe } else { Safety::Unsafe };
            let span = readme.span(start..title.text.end - rest.len());
            finding.fix = Some(Fix::write(safety, format!("write `KEP-{number}:` in its place"), span, right));
        }
        out.report(finding);
        return;
    }
    let words = without_number(written, number);
    let shown = if words.len() < written.len() { words } else { title.title.text.as_str() };
    let finding = Diagnostic::at(readme.span(title.heading.clone()), MESSAGE)
        .help(format!("write `# KEP-{number}: {}`", brief(shown)))
        .subject(Subject::File);
    // A title that is only `KEP` says nothing that a number could be put before, and one of a section may be that section.
    let is_other = number::is_only_kep(&title.title.key) || ctx.template.has_title(&title.title);
    if title.title.key.is_empty() || is_other || ctx.links_to(&title.title.text) {
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
    let safety = if is_numbered(written, number) { Safety::Unsafe } else { Safety::Safe };
    out.report(finding.fix(Fix { safety, title: change, edits }));
}

/// Checks a title of a repository that has another form.
fn check_form(ctx: &Ctx<'_>, readme: Readme<'_>, own: &Own, out: &mut Sink) {
    let Some((form, number)) = own.title.as_ref().zip(ctx.kep.number()) else { return };
    let (title, span, before) = if form.is_in_front_matter {
        let text = &ctx.kep.texts.file(readme.file).text;
        let Some(title) = form.of_front_matter(readme.file, text) else { return };
        (title.text, title.span, "")
    } else {
        let Some(title) = readme.sections.title().map(|title| readme.sections.get(title)) else { return };
        (title.title.text.clone(), readme.span(title.heading.clone()), "# ")
    };
    if form.number_in(&title).is_none() {
        let finding = Diagnostic::at(span, format!("the title does not begin with `{}`", form.mark(number)))
            .help(format!("write it as `{before}{}`", form.write(number, "<title>")))
            .subject(Subject::File);
        out.report(finding);
    }
}

/// Whether words may already say that this is a KEP, or which one: `KEP‑1234 Title`, `Enhancement Proposal
/// 1234`, `#12 Title`.
fn is_numbered(words: &str, number: &str) -> bool {
    let lower = words.to_lowercase();
    let mut parts = lower.split(|letter: char| !letter.is_alphanumeric());
    let other_number =
        words.strip_prefix('#').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    other_number
        || lower.contains("enhancement proposal")
        || parts.any(|word| word == "kep" || number::is_same(word.trim_start_matches("kep"), number))
}

/// The title without the number at its end: `Title (KEP-1234)`, `Title - KEP 1234`.
fn without_number<'t>(title: &'t str, number: &str) -> &'t str {
    let named = title.trim_end_matches([')', ']']).strip_suffix(number);
    let before = named.and_then(|named| named.strip_suffix(['-', ' '])?.strip_suffix("KEP"));
    let words = before.map(|before| before.trim_end_matches(['(', '[', '-', '–', '—', ' ']));
    words.filter(|words| words.len() < before.map_or(0, str::len)).unwrap_or(title)
}

/// What a title begins with where the number belongs.
static MARK: LazyLock<Regex> = LazyLock::new(|| {
    let placeholder = r"`?kep-(?:[a-z]+`?:|(?:x+|tbd|\?+|<[a-z -]+>)`?(?:: *| +- +| +))";
    let pattern = format!(r"(?i-u)^(?:(?:kep|kubernetes enhancement proposal):|{placeholder})");
    Regex::new(&pattern).expect("the pattern is well-formed")
});

/// The length of a [`MARK`] before other words: `KEP:`, `KEP-XXXX:`, `Kubernetes Enhancement Proposal:`.
fn unnumbered_mark(title: &str) -> Option<usize> {
    let length = MARK.find(title)?.end();
    (!slice(title, length..).trim().is_empty()).then_some(length)
}
