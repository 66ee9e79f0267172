//! One finding: what is wrong and where, the lines, what to do, and the fix.

use super::text::{escaped, indented, with_code};
use super::{change, lines, place};
use crate::diagnostic::Diagnostic;
use crate::lint::report::KepReport;
use crate::report::look::Look;

/// The finding as an item of a list, with this id.
pub fn item(report: &KepReport, finding: &Diagnostic, id: &str, look: &Look) -> String {
    let (severity, rule, count) = (finding.severity.name(), finding.rule, finding.count);
    let message = with_code(&finding.message);
    let help = finding.help.as_deref().map(help).unwrap_or_default();
    let (facts, lines, fix) =
        (facts(report, finding, id, look), lines::of(report, finding), change::of(report, finding));
    format!(
        "<li class=\"finding\" id=\"{id}\" data-rule=\"{rule}\" data-severity=\"{severity}\" data-count=\"{count}\">\n\
        <p class=\"message\"><span class=\"severity {severity}\">{severity}</span> {message}</p>\n\
        <p class=\"facts\">{facts}</p>\n{lines}{help}{fix}</li>\n"
    )
}

/// Where it is, its rule, the section, and who else reports it.
fn facts(report: &KepReport, finding: &Diagnostic, id: &str, look: &Look) -> String {
    let place = place::of(report, finding.span);
    let rule = match look.rule_url(finding.rule) {
        Some(url) => format!("<a href=\"{}\">{}</a>", escaped(&url), finding.rule),
        None => finding.rule.to_owned(),
    };
    let mut facts = vec![format!("<a href=\"#{id}\">{place}</a>"), format!("<code>{rule}</code>")];
    if let Some(section) = &finding.section {
        facts.push(section.iter().map(|title| escaped(title)).collect::<Vec<_>>().join(" › "));
    }
    if let Some(script) = finding.upstream {
        facts.push(format!("<code>{}</code> fails", script.path()));
    }
    facts.join(" <span aria-hidden=\"true\">·</span> ")
}

/// What to do; lines to copy keep their own indent.
fn help(help: &str) -> String {
    let lines = indented(help, with_code);
    format!("<p class=\"help\"><span class=\"label\">help:</span> {lines}</p>\n")
}
