//! A directive in a KEP differs from the template's directive for the same section.
//!
//! ## Why
//!
//! The template decides what is required. A KEP that changes `required: true` to `false` changes only its copy, and
//! misleads readers.
//!
//! ## Bad
//!
//! ```markdown
//! ## Summary
//! <!--DIRECTIVE: required: false-->
//!
//! Images are pulled ahead of time.
//! ```
//!
//! ## Good
//!
//! ```markdown
//! ## Summary
//!
//! Images are pulled ahead of time.
//! ```

use crate::rules::prelude::*;
use crate::template::directive::{self, Directive};

pub const RULE: Rule = Rule {
    name: "conflicting-directive",
    summary: "directive differs from the template",
    severity: Ladder { provisional: Error, active: Error, stale: Warning, implemented: Advice, closed: Off },
    fix: Some(Safety::Safe),
    docs: docs!("conflicting_directive.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let (directives, problems) = directive::collect(readme.document);
    let flawed: BTreeSet<usize> = problems.iter().map(|problem| problem.span.start).collect();
    for (heading, directive) in directives {
        if flawed.range(directive.span.range()).next().is_some() {
            continue;
        }
        let Some(owner) = readme.matching().owner(heading) else { continue };
        let section = ctx.template.get(owner);
        let Some((of_kep, of_template)) =
            ctx.template.directive(section.source).and_then(|wanted| difference(&directive, wanted))
        else {
            continue;
        };
        let message = format!("directive of `{}` has {of_kep}, but the template has {of_template}", section.title.text);
        let finding = Diagnostic::at(directive.span, message)
            .help("remove the directive: the template decides what is required")
            .section(ctx.template.path(owner))
            .fix(removal(readme, readme.sections.get(heading), directive.span));
        out.report(finding);
    }
}

/// Removes the lines of a directive that comes right after its heading. Elsewhere it may separate two paragraphs.
fn removal(readme: Readme<'_>, section: &Section, directive: Span) -> Option<Fix> {
    let before = readme.text().get(section.heading.end..directive.start)?;
    // A directive that is never closed may contain the author's text.
    if !readme.slice(directive.range()).ends_with("-->") {
        return None;
    }
    // If there are several directives, another one would take its place.
    let comments = readme.comments.iter().filter(|comment| section.own.contains(&comment.span.start));
    if comments.filter(|comment| comment.is_directive(readme.text())).count() != 1 {
        return None;
    }
    let after = readme.slice(directive.end..);
    let (line, rest) = after.split_at(after.find('\n').map_or(after.len(), |at| at + 1));
    if !before.trim().is_empty() || !before.contains('\n') || !line.trim().is_empty() {
        return None;
    }
    let last_line = before.rfind('\n').map_or(0, |at| at + 1);
    let mut lines = section.heading.end + last_line..directive.end + line.len();
    if rest.is_empty() && !line.ends_with('\n') {
        // The last line has no line end, so the new last line gets none either.
        lines.start = section.heading.end + slice(before, ..last_line).trim_end_matches(['\r', '\n']).len();
    }
    Some(Fix::write(Safety::Safe, "remove the directive", readme.span(lines), ""))
}

/// The first key with another value, as it is here and in the template. Keys that are left out here do not differ.
fn difference(own: &Directive, wanted: &Directive) -> Option<(String, String)> {
    if own.required != wanted.required {
        return Some((format!("`required: {}`", own.required), format!("`required: {}`", wanted.required)));
    }
    let texts = |directive: &Directive| {
        let Directive { stage, since, severity, .. } = directive;
        [
            ("stage", stage.map(|stage| stage.to_string())),
            ("since", since.map(|since| since.to_string())),
            ("severity", severity.map(|severity| severity.name().to_owned())),
        ]
    };
    let shown = |(key, value): (&str, Option<String>)| match value {
        Some(value) => format!("`{key}: {value}`"),
        None => format!("no `{key}`"),
    };
    let mut pairs = texts(own).into_iter().zip(texts(wanted));
    let (left, right) = pairs.find(|((_, left), (_, right))| left.is_some() && left != right)?;
    Some((shown(left), shown(right)))
}
