//! The required sections that a promotion could not insert, and why.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::subject::Subject;
use crate::lint::report::KepReport;
use crate::mdtoc::Markers;
use crate::rules::sections::missing_section;
use crate::suggest;

/// As many titles are named.
const MOST: usize = 6;

/// Why a section was not inserted.
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

    /// Why `found`, a finding of `missing-section` in `report`, is left.
    fn of(found: &Diagnostic, report: &KepReport) -> Self {
        let text = report.files.get(found.span.file.index()).map(|file| file.text.as_str()).unwrap_or_default();
        let markers = Markers::find(text);
        let relates = |label: &str| found.related.iter().any(|related| related.message == label);
        match &found.section {
            None => Self::NoTitle,
            Some(section) if found.subject != Subject::gap(section) => Self::InText,
            _ if relates(missing_section::SIMILAR) => Self::Similar,
            _ if relates(missing_section::ELSEWHERE) => Self::InText,
            _ if markers.opening.is_some() != markers.closing.is_some() => Self::OneMarker,
            _ => Self::NoPlace,
        }
    }

    /// The reason, and what to do.
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
    let left = report.diagnostics.iter().filter(|found| found.rule == missing_section::RULE.name);
    let left: Vec<(Reason, &Diagnostic)> = left.map(|found| (Reason::of(found, report), found)).collect();
    let of = |reason: Reason| left.iter().filter(move |(own, _)| *own == reason).map(|(_, found)| *found);
    let note = |reason: Reason| {
        let found: Vec<&Diagnostic> = of(reason).collect();
        (!found.is_empty()).then(|| format!("not inserted: {}: {}", titles(reason, &found), reason.text()))
    };
    Reason::ALL.into_iter().filter_map(note).collect()
}

/// What is missing, in a few words.
fn titles(reason: Reason, found: &[&Diagnostic]) -> String {
    let titles: Vec<&str> = found.iter().filter_map(|found| Some(found.section.as_ref()?.last()?.as_str())).collect();
    let rest = titles.len().saturating_sub(MOST);
    let named = match titles.get(..MOST).filter(|_| rest > 0) {
        Some(first) => format!("`{}` and {rest} more", first.join("`, `")),
        None => suggest::list(&titles, "and"),
    };
    match reason {
        Reason::NoTitle => "several sections".to_owned(),
        Reason::InText => format!("subsections of {named}"),
        _ => named,
    }
}
