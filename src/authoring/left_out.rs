//! The required sections that a promotion could not insert, and why.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::subject::Subject;
use crate::lint::report::KepReport;
use crate::mdtoc::Markers;
use crate::rules::sections::missing_section;
use crate::suggest;

/// How many titles of sections are named that a promotion could not insert, for each reason; the others are counted.
const LEFT_OUT_TITLES: usize = 6;

const NO_TITLE: &str = "README.md has no title: write it and the sections by hand";
const ONE_MARKER: &str = "the table of contents has only one of its markers: write by hand what is missing";
const SIMILAR: &str = "another heading may be meant: rename that, or write by hand what is missing";
const IN_TEXT: &str = "the text there may have the answers: move them under headings";
const NO_PLACE: &str = "the place is not certain: write by hand what is missing";

/// A note for each reason, as a sentence without a full stop; `report` is the KEP after the promotion.
pub fn notes(report: &KepReport) -> Vec<String> {
    let left = report.diagnostics.iter().filter(|finding| finding.rule == missing_section::RULE.name);
    let left: Vec<(&str, &Diagnostic)> = left.map(|finding| (reason(finding, report), finding)).collect();
    let mut notes = Vec::new();
    for reason in [NO_TITLE, ONE_MARKER, SIMILAR, IN_TEXT, NO_PLACE] {
        let of_reason = left.iter().filter(|(other, _)| *other == reason);
        let findings: Vec<&Diagnostic> = of_reason.map(|(_, finding)| *finding).collect();
        if !findings.is_empty() {
            notes.push(format!("not inserted: {}: {reason}", titles(reason, &findings)));
        }
    }
    notes
}

/// Why `finding`, one of `missing-section` in `report`, is left.
fn reason(finding: &Diagnostic, report: &KepReport) -> &'static str {
    let text = report.files.get(finding.span.file.index()).map(|file| file.text.as_str()).unwrap_or_default();
    let markers = Markers::find(text);
    let relates = |label: &str| finding.related.iter().any(|related| related.message == label);
    match &finding.section {
        None => NO_TITLE,
        Some(section) if finding.subject != Subject::gap(section) => IN_TEXT,
        _ if relates(missing_section::SIMILAR) => SIMILAR,
        _ if relates(missing_section::ELSEWHERE) => IN_TEXT,
        _ if markers.opening.is_some() != markers.closing.is_some() => ONE_MARKER,
        _ => NO_PLACE,
    }
}

/// What is missing, in a few words.
fn titles(reason: &str, findings: &[&Diagnostic]) -> String {
    let sections = findings.iter().filter_map(|finding| finding.section.as_ref());
    let titles: Vec<&str> = sections.filter_map(|section| Some(section.last()?.as_str())).collect();
    let named = match titles.split_at_checked(LEFT_OUT_TITLES) {
        Some((first, rest)) if !rest.is_empty() => format!("`{}` and {} more", first.join("`, `"), rest.len()),
        _ => suggest::list(&titles, "and"),
    };
    match reason {
        NO_TITLE => "several sections".to_owned(),
        IN_TEXT => format!("subsections of {named}"),
        _ => named,
    }
}
