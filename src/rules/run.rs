//! The one loop over the rules.

use super::context::Ctx;
use super::rule::Category;
use super::select::Selection;
use super::sink::Sink;
use super::{ALL, sections};
use crate::diagnostic::{Diagnostic, Severity};
use crate::span::{FileId, Span};
use crate::stage::Phase;
use crate::template::Template;

/// Runs the selected rules over a KEP.
pub fn run(ctx: &Ctx<'_>, selection: &Selection) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for rule in ALL {
        let Some(severity) = selection.level(rule, ctx.target.phase).severity() else { continue };
        let first = diagnostics.len();
        let mut sink = Sink::new(rule.name, severity, &mut diagnostics);
        (rule.check)(ctx, &mut sink);
        sink.finish();
        // At a removal stage a KEP's text is a record; nothing that it owes is worth an error.
        let is_removal = ctx.target.stage.is_some_and(|stage| stage.is_removal());
        for diagnostic in diagnostics.iter_mut().skip(first) {
            if is_removal && rule.category == Category::Sections {
                diagnostic.at_most(Severity::Warning);
            }
            if diagnostic.section.is_none() && rule.category != Category::Sections {
                diagnostic.section = nearest_section(ctx, diagnostic.span);
            }
        }
    }
    diagnostics
}

/// What is wrong with a template's directives, at `severity`.
pub fn run_template(template: &Template, severity: Severity, selection: &Selection) -> Vec<Diagnostic> {
    let rule = &sections::malformed_directive::RULE;
    let mut diagnostics = Vec::new();
    if selection.level(rule, Phase::Active).severity().is_some() {
        let mut sink = Sink::new(rule.name, severity, &mut diagnostics);
        sections::malformed_directive::report(&template.problems, &mut sink);
        sink.finish();
    }
    diagnostics
}

pub(super) fn nearest_section(ctx: &Ctx<'_>, span: Span) -> Option<Vec<String>> {
    let readme = ctx.readme.filter(|readme| is_in(span, readme.document.file))?;
    let around = readme.document.sections.at(span.start)?;
    readme.matching.nearest_owner(readme.document, around).map(|owner| ctx.template.path(owner))
}

fn is_in(span: Span, file: FileId) -> bool {
    span.file == file
}
