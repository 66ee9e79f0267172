//! A `DIRECTIVE` comment is invalid.
//!
//! ## Why
//!
//! Directives say what a template requires. One with a misspelled key has no effect, and one closed by `>` instead of
//! `-->` leaves its comment open, so that the headings after it disappear from the page.
//!
//! An invalid directive is an error in a KEP, and in a template that `kep-lint template check` checks. When KEPs are
//! linted, an invalid directive of the template is reported once, as a warning.
//!
//! ## Bad
//!
//! ```markdown
//! ## Summary
//! <!--DIRECTIVE: required: true, stage: betta-->
//!
//! Images are pulled ahead of time.
//! ```
//!
//! ## Good
//!
//! ```markdown
//! ## Summary
//! <!--DIRECTIVE: required: true, stage: beta-->
//!
//! Images are pulled ahead of time.
//! ```

use crate::rules::prelude::*;
use crate::template::Template;
use crate::template::directive::{self, Problem};

pub const RULE: Rule = Rule {
    name: "malformed-directive",
    summary: "invalid DIRECTIVE comment in the template or in a KEP",
    severity: Ladder::everywhere(Error),
    fix: Some(Safety::Safe),
    reveals: true,
    docs: docs!("malformed_directive.rs"),
    checks: &[Check::Readme(check), Check::Template(check_template)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let (_, problems) = directive::collect(readme.document);
    for problem in &problems {
        let section = ctx.section_at(problem.span).unwrap_or_default();
        let text = readme.slice(problem.span.range()).to_owned();
        out.report(finding(problem).subject(Subject::named([text].into_iter().chain(section))));
    }
}

fn check_template(template: &Template, out: &mut Sink) {
    for problem in &template.problems {
        out.report(finding(problem));
    }
}

fn finding(problem: &Problem) -> Diagnostic {
    Diagnostic::at(problem.span, problem.message.as_str()).help(problem.help.as_str()).fix(problem.fix.clone())
}
