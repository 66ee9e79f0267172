//! A small run that the tests of all formats render.

use crate::diagnostic::{Diagnostic, Edit, Fix, Related, Safety, Severity};
use crate::kep::number;
use crate::lint::Run;
use crate::lint::about::About;
use crate::lint::report::KepReport;
use crate::requirement::Target;
use crate::source::SourceFile;
use crate::span::{FileId, Span};
use crate::stage::{Phase, Release, Stage};
use std::sync::Arc;

pub const README: &str = "# KEP-1: X\n\n## Design Details\n\n### Test Plan\n\nTBD\n";

/// One KEP with an error that its `kep.yaml` takes part in and a suggestion with a fix, and one template.
pub fn run() -> Run {
    let plan = README.find("### Test Plan").unwrap_or_default();
    let mut error = finding("empty-section", Severity::Error, plan..plan + 13, "section `Test Plan` is empty");
    error.help = Some("answer it, or say why it does not apply".to_owned());
    error.section = Some(vec!["Design Details".to_owned(), "Test Plan".to_owned()]);
    error.related = vec![Related { span: Span::new(FileId(1), 7..11), message: "stage is `beta` here".to_owned() }];
    let tbd = README.find("TBD").unwrap_or_default();
    let mut suggestion = finding("placeholder", Severity::Advice, tbd..tbd + 3, "`TBD` is left");
    let edits = vec![Edit { span: suggestion.span, text: String::new() }];
    suggestion.fix = Some(Fix { safety: Safety::Unsafe, title: "remove it".to_owned(), edits });
    let mut kep = report("keps/sig-node/1-x", &[("README.md", README), ("kep.yaml", "stage: beta\n")]);
    kep.diagnostics = vec![error, suggestion];
    let mut template = report("keps/template", &[("README.md", "# T\n")]);
    template.kep = None;
    template.target = None;
    template.about = None;
    template.documents = 0;
    template.diagnostics = vec![finding("placeholder", Severity::Warning, 4..4, "a title is missing")];
    Run { reports: vec![kep, template], ..Run::default() }
}

pub fn report(kep: &str, files: &[(&str, &str)]) -> KepReport {
    let file =
        |(name, text): &(&str, &str)| Arc::new(SourceFile::decode(format!("{kep}/{name}"), text.as_bytes().to_vec()));
    KepReport {
        kep: Some(kep.to_owned()),
        files: files.iter().map(file).collect(),
        documents: files.len(),
        about: Some(About {
            number: kep.rsplit('/').next().and_then(number::of_directory).map(str::to_owned),
            title: Some("Prefetch".to_owned()),
            status: Some("implementable".to_owned()),
            required: 9,
            ..About::default()
        }),
        target: Some(Target::new(Some(Stage::Beta), Phase::Active, Some(Release { major: 1, minor: 37 }))),
        ..KepReport::default()
    }
}

pub fn finding(rule: &'static str, severity: Severity, at: std::ops::Range<usize>, message: &str) -> Diagnostic {
    Diagnostic::new(rule, severity, Span::new(FileId(0), at), message)
}
