//! Findings as a page has them.

use super::held::Held;
use super::text::Units;
use crate::diagnostic::{Diagnostic, Related};
use crate::editor::actions;
use crate::kep::texts::Texts;
use crate::lint::report::KepReport;
use crate::report::look::Look;
use crate::report::{Location, in_order, printable};
use crate::span::Span;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The findings of a check that are shown, in the order of reports.
pub fn all(held: &Held, look: &Look) -> Vec<Value> {
    let mut places = Places { held, texts: held.texts(), units: HashMap::new() };
    let shown = in_order(&held.run).into_iter().filter(|(_, finding)| finding.severity >= held.level);
    shown.map(|(report, finding)| places.finding(report, finding, look)).collect()
}

/// The places in the files of a KEP.
struct Places<'a> {
    held: &'a Held,
    texts: Option<Texts>,
    units: HashMap<&'a str, Units<'a>>,
}

impl<'a> Places<'a> {
    /// The path of a span, and the units around it; those of a file that the page does not have are 0.
    fn range(&mut self, report: &'a KepReport, span: Span) -> (&'a str, (usize, usize)) {
        let held = self.held;
        let path = report.files.get(span.file.index()).map_or(held.place.directory.as_str(), |file| &file.path);
        let Some((_, file)) = held.files.get(path) else { return (path, (0, 0)) };
        let units = self.units.entry(path).or_insert_with(|| Units::of(&file.text));
        (path, units.range(&span.range()))
    }

    fn finding(&mut self, report: &'a KepReport, it: &'a Diagnostic, look: &Look) -> Value {
        let (path, (from, to)) = self.range(report, it.span);
        let start = Location::of(report, it.span).start;
        let related: Vec<Value> = it.related.iter().map(|related| self.related(report, related)).collect();
        // Files that are not the KEP's own are not changed.
        let own = self.texts.as_ref().filter(|texts| report.kep.as_ref() == Some(&texts.directory));
        let remedies = own.map(|texts| actions::remedies(texts, it)).unwrap_or_default();
        let remedies =
            remedies.into_iter().map(|remedy| json!({ "kind": remedy.name(), "title": printable(&remedy.title(it)) }));
        json!({
            "id": it.fingerprint.map(|print| print.to_string()).unwrap_or_default(),
            "rule": it.rule,
            "severity": it.severity.name(),
            "role": self.held.role(path),
            "path": path,
            "from": from,
            "to": to,
            "line": start.line,
            "column": start.column,
            "section": it.section,
            "message": printable(&it.message),
            "help": it.help,
            "related": related,
            "remedies": remedies.collect::<Vec<_>>(),
            "url": look.rule_url(it.rule),
        })
    }

    fn related(&mut self, report: &'a KepReport, related: &Related) -> Value {
        let (path, (from, to)) = self.range(report, related.span);
        let message = printable(&related.message);
        json!({ "role": self.held.role(path), "path": path, "from": from, "to": to, "message": message })
    }
}
