//! The required sections that a promotion could not insert, and why.

use crate::bounds;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::subject::Subject;
use crate::lint::report::KepReport;
use crate::mdtoc::Markers;
use crate::rules::sections::missing_section;
use crate::suggest;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    NoTitle,
    OneMarker,
    Similar,
    InText,
    NoPlace,
}

impl Reason {
    const ALL: [Self; 5] = [Self::NoTitle, Self::OneMarker, Self::Similar, Self::InText, Self::NoPlace];

    /// Why `finding`, one of `missing-section` in `report`, is left.
    fn of(finding: &Diagnostic, report: &KepReport) -> Self {
        let text = report.files.get(finding.span.file.index()).map(|file| file.text.as_str()).unwrap_or_default();
        let markers = Markers::find(text);
        let relates = |label: &str| finding.related.iter().any(|related| related.message == label);
        match &finding.section {
            None => Self::NoTitle,
            Some(section) if finding.subject != Subject::gap(section) => Self::InText,
            _ if relates(missing_section::SIMILAR) => Self::Similar,
            _ if relates(missing_section::ELSEWHERE) => Self::InText,
            _ if markers.opening.is_some() != markers.closing.is_some() => Self::OneMarker,
            _ => Self::NoPlace,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::NoTitle => "README.md has no title: write it and the sections by hand",
            Self::OneMarker => "the table of contents has only one of its markers: write by hand what is missing",
            Self::Similar => "another heading may be meant: rename that, or write by hand what is missing",
            Self::InText => "the text there may have the answers: move them under headings",
            Self::NoPlace => "the place is not certain: write by hand what is missing",
        }
    }
}

/// A note for each reason, as a sentence without a full stop; `report` is the KEP after the promotion.
pub fn notes(report: &KepReport) -> Vec<String> {
    let left = report.diagnostics.iter().filter(|finding| finding.rule == missing_section::RULE.name);
    let left: Vec<(Reason, &Diagnostic)> = left.map(|finding| (Reason::of(finding, report), finding)).collect();
    let note = |reason: Reason| {
        let of_reason = left.iter().filter(|(other, _)| *other == reason);
        let findings: Vec<&Diagnostic> = of_reason.map(|(_, finding)| *finding).collect();
        (!findings.is_empty()).then(|| format!("not inserted: {}: {}", titles(reason, &findings), reason.text()))
    };
    Reason::ALL.into_iter().filter_map(note).collect()
}

/// What is missing, in a few words.
fn titles(reason: Reason, findings: &[&Diagnostic]) -> String {
    let sections = findings.iter().filter_map(|finding| finding.section.as_ref());
    let titles: Vec<&str> = sections.filter_map(|section| Some(section.last()?.as_str())).collect();
    let named = match titles.split_at_checked(bounds::LEFT_OUT_TITLES) {
        Some((first, rest)) if !rest.is_empty() => format!("`{}` and {} more", first.join("`, `"), rest.len()),
        _ => suggest::list(&titles, "and"),
    };
    match reason {
        Reason::NoTitle => "several sections".to_owned(),
        Reason::InText => format!("subsections of {named}"),
        _ => named,
    }
}
