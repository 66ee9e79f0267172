//! The sections that are not filled in, by chapter: a reviewer asks which these are, not where they belong.

use super::text::{code, inline};
use super::{place, rule};
use crate::diagnostic::{Diagnostic, Severity, brief};
use crate::lint::report::KepReport;
use crate::report::by_chapter;
use crate::report::look::Look;
use std::collections::BTreeSet;

/// The rule of sections that are in no place that could be shown.
const MISSING: &str = "missing-section";

/// An item of a list for each chapter, with its sections below, and how many findings it has.
pub fn listed(report: &KepReport, gaps: &[&Diagnostic], look: &Look) -> Vec<(String, usize)> {
    let mut items = Vec::new();
    for (chapter, inside) in by_chapter(gaps) {
        let severity = inside.first().map_or(Severity::Advice, |gap| gap.severity);
        let rules: BTreeSet<&str> = inside.iter().map(|gap| gap.rule).collect();
        let rules: Vec<String> = rules.into_iter().map(|name| rule(name, look)).collect();
        let around = match chapter {
            Some(title) => format!("in {}", code(&brief(title))),
            None => "top-level sections".to_owned(),
        };
        // The line above suggestions says what they are.
        let is_suggestion = severity == Severity::Advice;
        let severity = if is_suggestion { String::new() } else { format!("**{}** ", severity.name()) };
        let mut text = format!("- {severity}{around} ({}):\n", rules.join(", "));
        for gap in &inside {
            let message = inline(gap.message.strip_prefix("section ").unwrap_or(&gap.message));
            text += "  - ";
            if gap.rule != MISSING {
                text += &format!("{}: ", place(report, gap, look));
            }
            text += &(message + "\n");
        }
        items.push((text, inside.iter().map(|gap| gap.count).sum()));
    }
    items
}
