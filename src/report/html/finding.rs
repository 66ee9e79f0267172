//! One finding: what is wrong and where, the lines, what to do, and the fix.

use super::{change, lines, place};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::script::Script;
use crate::lint::report::KepReport;
use crate::report::look::Look;
use minijinja::{Value, context};

/// The finding with this id, for the template.
pub fn view(report: &KepReport, finding: &Diagnostic, id: String, look: &Look) -> Value {
    context! {
        id,
        rule => finding.rule,
        rule_url => look.rule_url(finding.rule),
        severity => finding.severity.name(),
        count => finding.count,
        message => &finding.message,
        place => place::of(report, finding.span),
        section => finding.section.as_ref().map(|titles| titles.join(" › ")),
        upstream => finding.upstream.map(Script::path),
        snippets => lines::of(report, finding),
        help => finding.help.as_deref(),
        fix => finding.fix.as_ref().map(|fix| change::view(report, fix)),
    }
}
