//! SARIF 2.1.0, which GitHub code scanning, editors and other viewers of findings read.
//!
//! All findings are results, whatever `--level` is, each gap on its own. Lines and columns count from 1, and columns are
//! characters (`unicodeCodePoints`); a byte order mark does not count. Paths are URIs relative to the working directory
//! of the run (`%SRCROOT%`), which GitHub takes for the root of the repository; only paths that were given as absolute
//! ones are `file:` URIs. Errors, warnings and suggestions are `error`, `warning` and `note`. A failure is a
//! notification, and then `executionSuccessful` is false. GitHub refuses a file with more than 25,000 results: of
//! more findings, errors come before warnings and these before suggestions, and a notification counts the others.

use super::json::encoding;
use super::limit::Limit;
use super::look::Look;
use super::markdown::text::inline;
use super::{Summary, in_order, printable, uri, with_help};
use crate::bounds::SARIF_RESULTS;
use crate::diagnostic::{Diagnostic, Edit, Failure, Fix, Severity};
use crate::kep::layout::Layout;
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::rules::ALL;
use crate::rules::rule::Rule;
use crate::source::SourceFile;
use crate::span::{FileId, Position, Span, slice};
use crate::stage::Phase;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What paths are relative to. GitHub and the editors know the name.
const BASE: &str = "%SRCROOT%";

pub fn render(run: &Run, look: &Look) -> String {
    let mut findings = in_order(run);
    let rules = rules(run, &findings);
    let indices: BTreeMap<&str, usize> = rules.iter().enumerate().map(|(index, rule)| (rule.name, index)).collect();
    let omitted = omit(&mut findings, SARIF_RESULTS);
    let results: Vec<Value> = findings.into_iter().map(|(report, finding)| result(report, finding, &indices)).collect();
    let driver = json!({
        "name": env!("CARGO_PKG_NAME"),
        "semanticVersion": run.version,
        "rules": rules.into_iter().map(|rule| descriptor(rule, &run.layout, look)).collect::<Vec<_>>(),
    });
    let sarif_run = json!({
        "tool": { "driver": driver },
        "invocations": [invocation(run, omitted)],
        "originalUriBaseIds": { BASE: { "description": own("The directory that kep-lint ran in.") } },
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
    });
    // There may be many results, which `json!` would copy.
    let runs = vec![encoding::with(sarif_run, "results", Value::Array(results))];
    let log = json!({ "version": "2.1.0", "$schema": SCHEMA });
    encoding::indented(&encoding::with(log, "runs", Value::Array(runs)))
}

/// Whether the run is complete, and what else there is to say of it.
fn invocation(run: &Run, omitted: Summary) -> Value {
    let mut notifications: Vec<Value> = run.failures.iter().map(notification).collect();
    if omitted.total() > 0 {
        let omitted = omitted.words();
        let text = format!("left out {omitted}: GitHub refuses a file with more than {SARIF_RESULTS} results");
        notifications.push(note("warning", &text));
    }
    notifications.extend(run.conditions.lines().iter().map(|text| note("note", &printable(text))));
    without_absent(json!({
        "executionSuccessful": run.failures.is_empty(),
        "toolExecutionNotifications": notifications,
    }))
}

/// The object without the keys that have no value: SARIF leaves them out.
fn without_absent(mut object: Value) -> Value {
    if let Value::Object(entries) = &mut object {
        entries.retain(|_, value| match value {
            Value::Null => false,
            Value::Array(items) => !items.is_empty(),
            Value::Object(inner) => !inner.is_empty(),
            _ => true,
        });
    }
    object
}

/// Keeps the `most` most severe of the findings, in their order, and counts the others.
fn omit(findings: &mut Vec<(&KepReport, &Diagnostic)>, most: usize) -> Summary {
    let entries = Summary::sum(findings.iter().map(|(_, finding)| (finding.severity, 1)));
    let (mut limit, mut omitted) = (Limit::new(entries, most), Summary::default());
    findings.retain(|(_, finding)| {
        let is_kept = limit.admits(finding.severity);
        *omitted.count_mut(finding.severity) += if is_kept { 0 } else { finding.count };
        is_kept
    });
    omitted
}

fn note(level: &str, text: &str) -> Value {
    json!({ "level": level, "message": own(text) })
}

/// The rules that ran, in the table's order. A configuration may have woken others for some KEPs.
fn rules(run: &Run, findings: &[(&KepReport, &Diagnostic)]) -> Vec<&'static Rule> {
    let names: BTreeSet<&str> =
        run.rules.iter().copied().chain(findings.iter().map(|(_, finding)| finding.rule)).collect();
    ALL.iter().filter(|rule| names.contains(rule.name)).collect()
}

fn descriptor(rule: &Rule, layout: &Layout, look: &Look) -> Value {
    let highest = Phase::ALL.iter().map(|phase| rule.severity.at(*phase)).max();
    let severity = highest.and_then(|level| level.severity()).unwrap_or(Severity::Advice);
    let first_paragraph: Vec<&str> = rule.docs.lines().take_while(|line| !line.is_empty()).collect();
    let mut summary = format!("{}.", rule.summary);
    layout.say(&mut summary);
    // The page of a rule is written for KEPs.
    let is_shown = layout.is_of_keps();
    without_absent(json!({
        "id": rule.name,
        "name": pascal_case(rule.name),
        "shortDescription": own(&summary),
        "fullDescription": is_shown.then(|| own(&first_paragraph.join(" "))),
        "helpUri": look.rule_url(rule.name),
        "help": is_shown.then(|| json!({ "text": rule.docs, "markdown": rule.docs })),
        "defaultConfiguration": { "level": level(severity) },
        "properties": { "tags": [rule.category.name()] },
    }))
}

/// `stale-toc` as `StaleToc`, which is how SARIF wants names to look.
fn pascal_case(name: &str) -> String {
    let capital = |word: &str| slice(word, ..1).to_ascii_uppercase() + slice(word, 1..);
    name.split('-').map(capital).collect()
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Advice => "note",
    }
}

fn notification(failure: &Failure) -> Value {
    let location = |path: &String| json!({ "physicalLocation": { "artifactLocation": artifact(path) } });
    without_absent(json!({
        "level": "error",
        "message": message(&with_help(&failure.message, "—", failure.help.as_deref())),
        "locations": failure.path.iter().map(location).collect::<Vec<_>>(),
    }))
}

fn result(report: &KepReport, finding: &Diagnostic, indices: &BTreeMap<&str, usize>) -> Value {
    let sections: Vec<Value> = finding.section.iter().filter_map(|titles| section(titles)).collect();
    let location = json!({ "physicalLocation": place(report, finding.span), "logicalLocations": sections });
    let related = finding.related.iter().enumerate().map(|(id, related)| {
        let text = message(&printable(&related.message));
        json!({ "id": id, "message": text, "physicalLocation": place(report, related.span) })
    });
    // GitHub recognizes a finding by the first key, whose value it would else make from the line.
    let fingerprints = finding.fingerprint.map(|fingerprint| {
        let fingerprint = fingerprint.to_string();
        json!({ "kepLintFingerprint/v1": fingerprint, "primaryLocationLineHash": fingerprint })
    });
    without_absent(json!({
        "ruleId": finding.rule,
        "ruleIndex": indices.get(finding.rule),
        "level": level(finding.severity),
        "message": message(&with_help(&finding.message, "—", finding.help.as_deref())),
        "locations": [without_absent(location)],
        "relatedLocations": related.collect::<Vec<_>>(),
        "partialFingerprints": fingerprints,
        "occurrenceCount": Some(finding.count).filter(|count| *count > 1),
        "fixes": finding.fix.iter().map(|it| fix(report, it)).collect::<Vec<_>>(),
    }))
}

fn section(titles: &[String]) -> Option<Value> {
    let titles: Vec<String> = titles.iter().map(|title| printable(title)).collect();
    Some(json!({ "name": titles.last()?, "fullyQualifiedName": titles.join("/") }))
}

fn fix(report: &KepReport, fix: &Fix) -> Value {
    let mut edits: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for edit in &fix.edits {
        edits.entry(edit.span.file).or_default().push(edit);
    }
    let changes = edits.into_iter().filter_map(|(id, mut edits)| {
        let file = report.files.get(id.index())?;
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let replacements: Vec<Value> = edits.into_iter().map(|edit| replacement(file, edit)).collect();
        Some(json!({ "artifactLocation": artifact(&file.path), "replacements": replacements }))
    });
    json!({ "description": message(&printable(&fix.title)), "artifactChanges": changes.collect::<Vec<_>>() })
}

fn replacement(file: &SourceFile, Edit { span, text }: &Edit) -> Value {
    if text.is_empty() {
        return json!({ "deletedRegion": region(file, *span) });
    }
    json!({ "deletedRegion": region(file, *span), "insertedContent": { "text": text } })
}

/// Where `span` is; a span of no file is the whole directory of the KEP.
fn place(report: &KepReport, span: Span) -> Value {
    match report.files.get(span.file.index()) {
        Some(file) => json!({ "artifactLocation": artifact(&file.path), "region": region(file, span) }),
        None => json!({ "artifactLocation": artifact(report.kep.as_deref().unwrap_or_default()) }),
    }
}

fn artifact(path: &str) -> Value {
    let uri = uri::of(path);
    if uri.starts_with("file:") { json!({ "uri": uri }) } else { json!({ "uri": uri, "uriBaseId": BASE }) }
}

fn region(file: &SourceFile, span: Span) -> Value {
    let (start, end) = (position(file, span.start), position(file, span.end));
    json!({
        "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column,
    })
}

/// A position as SARIF counts it: the end of a file is behind its last line end, and a byte order mark is nothing.
fn position(file: &SourceFile, offset: usize) -> Position {
    let mut position = file.position(offset);
    if offset >= file.text.len() && position.column == 1 && position.line > 1 {
        let last = file.lines().line_range(position.line - 2, &file.text);
        position = Position { line: position.line - 1, column: slice(&file.text, last).chars().count() + 1 };
    }
    if position.line == 1 && file.text.starts_with('\u{feff}') {
        position.column = (position.column - 1).max(1);
    }
    position
}

/// A message without a placeholder (`{0}`) or a link; where its backslashes show, also a form without them.
fn message(text: &str) -> Value {
    let doubled = |words: &str| words.replace('{', "{{").replace('}', "}}");
    let plain = doubled(text);
    let linkless = without_links(&plain);
    if linkless == plain { own(&linkless) } else { json!({ "text": linkless, "markdown": doubled(&inline(text)) }) }
}

fn without_links(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (number, part) in text.split("](").enumerate() {
        if number > 0 {
            let backslashes = shown.len() - shown.trim_end_matches('\\').len();
            shown += if backslashes.is_multiple_of(2) { "\\](" } else { "](" };
        }
        shown += part;
    }
    shown
}

fn own(text: &str) -> Value {
    json!({ "text": text })
}

#[cfg(test)]
mod tests;
