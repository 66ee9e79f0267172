//! A KEP's own copy of a directive says something else than the template's.
//!
//! ## Why
//!
//! The template decides what is required. A KEP that turns `required: true` into `false` has changed the copy, not the
//! rule, and misleads whoever reads it there.
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

use crate::diagnostic::{Edit, Fix, Safety};
use crate::rules::Level::{Advice, Error, Off, Warning};
use crate::rules::{Category, Ctx, Fixable, Ladder, Rule, Sink};
use crate::template::directive::{self, Directive};

/// The rule.
pub const RULE: Rule = Rule {
    name: "conflicting-directive",
    category: Category::Sections,
    summary: "a KEP's own copy of a directive says something else than the template's",
    severity: Ladder { provisional: Error, active: Error, stale: Warning, implemented: Advice, closed: Off },
    fix: Fixable::Safe,
    source: include_str!("conflicting_directive.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let (directives, problems) = directive::collect(readme.document, readme.text);
    for (at, own) in directives {
        let is_readable = !problems.iter().any(|problem| own.span.range().contains(&problem.span.start));
        let Some(owner) = readme.matching.owner(at).filter(|_| is_readable) else { continue };
        let section = ctx.template.get(owner);
        let Some(difference) = ctx.template.directive(section.source).and_then(|wanted| difference(&own, wanted))
        else {
            continue;
        };
        let message = format!(
            "the directive of `{}` says `{}`, the template `{}`",
            section.title.text, difference.0, difference.1
        );
        let finding = out.report(own.span, message);
        finding.help = Some("remove the comment: the template's directive holds".to_owned());
        finding.section = Some(ctx.template.path(owner));
        finding.fix = Some(Fix {
            safety: Safety::Safe,
            title: "remove the directive".to_owned(),
            edits: vec![Edit { span: own.span, text: String::new() }],
        });
    }
}

/// What the first key that differs says here and there. Keys that the copy leaves out agree.
fn difference(own: &Directive, wanted: &Directive) -> Option<(String, String)> {
    let stage =
        |directive: &Directive| directive.stage.map_or("no stage".to_owned(), |stage| format!("stage: {stage}"));
    if own.required != wanted.required {
        return Some((format!("required: {}", own.required), format!("required: {}", wanted.required)));
    }
    if own.stage.is_some() && own.stage != wanted.stage {
        return Some((stage(own), stage(wanted)));
    }
    let since =
        |directive: &Directive| directive.since.map_or("no since".to_owned(), |since| format!("since: {since}"));
    if own.since.is_some() && own.since != wanted.since {
        return Some((since(own), since(wanted)));
    }
    let severity = |directive: &Directive| {
        directive.severity.map_or("no severity".to_owned(), |severity| format!("severity: {}", severity.name()))
    };
    (own.severity.is_some() && own.severity != wanted.severity).then(|| (severity(own), severity(wanted)))
}
