//! Findings as the protocol has them.

use super::edit::Writer;
use super::opened::OpenKep;
use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::lint::report::KepReport;
use crate::report::printable;
use gen_lsp_types::{
    Code, CodeDescription, Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Message,
    Uri,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What marks them as findings of kep-lint.
pub const SOURCE: &str = "kep-lint";

/// The findings of KEPs by file: also those files that have none any more.
pub type ByFile = BTreeMap<PathBuf, Vec<Shown>>;

impl Writer<'_> {
    /// Adds all that was found in a KEP to `files`.
    pub fn add(&self, kep: &OpenKep, files: &mut ByFile) {
        for report in &kep.run.reports {
            for finding in report.diagnostics.iter().filter(|finding| finding.severity >= kep.level) {
                let Some(file) = report.files.get(finding.span.file.index()) else { continue };
                let mut shown = self.finding(report, finding);
                if let Message::String(message) = &mut shown.message {
                    *message = kep.within(message);
                }
                let all = files.entry(PathBuf::from(&file.path)).or_default();
                // Two KEPs may both have a file that they share.
                if !all.contains(&shown) {
                    all.push(shown);
                }
            }
        }
        for failure in &kep.run.failures {
            if let Some((document, _)) = kep.documents().next() {
                files.entry(document.to_owned()).or_default().push(failed(failure));
            }
        }
        for (document, name) in kep.documents().filter(|(document, name)| document != name) {
            // A file that is open by two names has its findings in both.
            let found = files.get(name).cloned().unwrap_or_default();
            files.entry(document.to_owned()).or_default().extend(found);
        }
    }

    pub fn finding(&self, report: &KepReport, finding: &Diagnostic) -> Shown {
        let related = finding.related.iter().filter_map(|related| {
            let file = report.files.get(related.span.file.index())?;
            let uri = self.documents.uri(Path::new(&file.path));
            let location = Location { uri, range: self.range_in(file, &related.span.range()) };
            Some(DiagnosticRelatedInformation { location, message: printable(&related.message) })
        });
        let related: Vec<_> = related.collect();
        let file = report.files.get(finding.span.file.index());
        Shown {
            range: file.map(|file| self.range_in(file, &finding.span.range())).unwrap_or_default(),
            severity: Some(severity(finding.severity)),
            code: Some(Code::String(finding.rule.to_owned())),
            code_description: self.look.rule_url(finding.rule).map(|url| CodeDescription { href: Uri(url) }),
            source: Some(SOURCE.to_owned()),
            message: words(&finding.message, finding.help.as_deref()),
            related_information: (!related.is_empty()).then_some(related),
            data: finding.fingerprint.map(|print| json!(print.to_string())),
            ..Shown::default()
        }
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Advice => DiagnosticSeverity::Information,
    }
}

/// What could not be checked, at the top of a file.
fn failed(failure: &Failure) -> Shown {
    Shown {
        severity: Some(DiagnosticSeverity::Error),
        source: Some(SOURCE.to_owned()),
        message: words(&failure.message, failure.help.as_deref()),
        ..Shown::default()
    }
}

/// A message, and below it what to do.
fn words(message: &str, help: Option<&str>) -> Message {
    let help = help.into_iter().flat_map(str::lines).map(printable).collect::<Vec<_>>().join("\n");
    let help = if help.is_empty() { help } else { format!("\nhelp: {help}") };
    Message::String(printable(message) + &help)
}
