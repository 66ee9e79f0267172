//! SARIF 2.1.0, which GitHub code scanning, editors and other viewers of findings read.
//!
//! All findings are results, whatever `--level` is, each gap on its own. Lines and columns count from 1, and columns are
//! characters (`unicodeCodePoints`); a byte order mark does not count. Paths are URIs relative to the working directory
//! of the run (`%SRCROOT%`), which GitHub takes for the root of the repository; only paths that were given as absolute
//! ones are `file:` URIs. Errors, warnings and advice are `error`, `warning` and `note`. A failure is a notification, and
//! then `executionSuccessful` is false. GitHub refuses a file with more than 25,000 results: of more findings, errors come
//! before warnings and these before advice, and a notification counts those that are left out.

mod document;

use self::document::{
    ArtifactChange, ArtifactLocation, Configuration, Content, Driver, Finding, Invocation, Log, LogicalLocation,
    Message, Notification, PhysicalLocation, Region, Replacement, RuleDescriptor, Tags, Tool,
};
use super::json::encoding;
use super::limit::Limit;
use super::look::Look;
use super::markdown::text::inline;
use super::{Summary, in_order, pieces, printable, uri, with_help};
use crate::bounds::SARIF_RESULTS;
use crate::diagnostic::{Diagnostic, Edit, Failure, Fix, Severity};
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::rules::ALL;
use crate::rules::rule::Rule;
use crate::source::SourceFile;
use crate::span::{FileId, Position, Span, slice};
use crate::stage::Phase;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What paths are relative to. GitHub and the editors know the name.
const BASE: &str = "%SRCROOT%";

/// Renders the findings and failures of `run`.
pub fn render(run: &Run, look: &Look) -> String {
    pieces::text(|out| write(run, look, out))
}

/// Writes the findings and failures of `run`.
pub fn write(run: &Run, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let mut findings = in_order(run);
    let rules = rules(run, &findings);
    let indices: BTreeMap<&str, usize> = rules.iter().zip(0..).map(|(rule, index)| (rule.name, index)).collect();
    let omitted = omit(&mut findings, SARIF_RESULTS);
    let failures = run.failures.iter().map(notification);
    let conditions = run.conditions.lines().into_iter().map(|text| note("note", printable(&text)));
    let invocation = Invocation {
        execution_successful: run.failures.is_empty(),
        tool_execution_notifications: failures.chain(omission(omitted)).chain(conditions).collect(),
    };
    let base = ArtifactLocation {
        description: Some(own("The directory that kep-lint ran in.".to_owned())),
        ..ArtifactLocation::default()
    };
    let driver = Driver {
        name: env!("CARGO_PKG_NAME"),
        semantic_version: run.version,
        rules: rules.into_iter().map(|rule| descriptor(rule, look)).collect(),
    };
    let log = Log {
        version: "2.1.0",
        schema: SCHEMA,
        runs: [document::Run {
            tool: Tool { driver },
            invocations: [invocation],
            original_uri_base_ids: BTreeMap::from([(BASE, base)]),
            column_kind: "unicodeCodePoints",
            newline_sequences: ["\r\n", "\n", "\r"],
            results: Results { findings, indices },
        }],
    };
    encoding::write_indented(&log, out)
}

/// Some findings of a run. They become JSON one by one.
struct Results<'a> {
    findings: Vec<(&'a KepReport, &'a Diagnostic)>,
    indices: BTreeMap<&'a str, usize>,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.findings.iter().map(|(report, found)| finding(report, found, &self.indices)))
    }
}

/// Keeps the `most` most severe of the findings, in their order, and counts the others.
fn omit(findings: &mut Vec<(&KepReport, &Diagnostic)>, most: usize) -> Summary {
    let mut entries = Summary::default();
    findings.iter().for_each(|(_, finding)| *entries.count_mut(finding.severity) += 1);
    let (mut limit, mut omitted) = (Limit::new(entries, most), Summary::default());
    findings.retain(|(_, finding)| {
        let is_kept = limit.admits(finding.severity);
        *omitted.count_mut(finding.severity) += if is_kept { 0 } else { finding.count };
        is_kept
    });
    omitted
}

/// Says that there are findings that are no results.
fn omission(omitted: Summary) -> Option<Notification> {
    let text = format!("left out {}: GitHub refuses a file with more than {SARIF_RESULTS} results", omitted.words());
    if omitted.total() > 0 { Some(note("warning", text)) } else { None }
}

fn note(level: &'static str, text: String) -> Notification {
    Notification { level, message: own(text), locations: Vec::new() }
}

/// The rules that ran, in the table's order. A configuration may have woken others for some KEPs.
fn rules(run: &Run, findings: &[(&KepReport, &Diagnostic)]) -> Vec<&'static Rule> {
    let names: BTreeSet<&str> =
        run.rules.iter().copied().chain(findings.iter().map(|(_, finding)| finding.rule)).collect();
    ALL.iter().filter(|rule| names.contains(rule.name)).collect()
}

fn descriptor(rule: &'static Rule, look: &Look) -> RuleDescriptor {
    let highest = Phase::ALL.iter().map(|phase| rule.severity.at(*phase)).max();
    let severity = highest.and_then(|level| level.severity()).unwrap_or(Severity::Advice);
    RuleDescriptor {
        id: rule.name,
        name: pascal_case(rule.name),
        short_description: own(format!("{}.", rule.summary)),
        full_description: own(first_paragraph(rule.docs)),
        help_uri: look.rule_url(rule.name),
        help: Message { text: rule.docs.to_owned(), markdown: Some(rule.docs.to_owned()) },
        default_configuration: Configuration { level: level(severity) },
        properties: Tags { tags: [rule.category.name()] },
    }
}

/// `stale-toc` as `StaleToc`, which is how SARIF wants names to look.
fn pascal_case(name: &str) -> String {
    let capital = |word: &str| slice(word, ..1).to_ascii_uppercase() + slice(word, 1..);
    name.split('-').map(capital).collect()
}

fn first_paragraph(docs: &str) -> String {
    docs.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Advice => "note",
    }
}

fn notification(failure: &Failure) -> Notification {
    let location = |path: &String| document::Location {
        physical_location: PhysicalLocation { artifact_location: artifact(path), region: None },
        ..document::Location::default()
    };
    Notification {
        level: "error",
        message: message(&with_help(&failure.message, failure.help.as_deref())),
        locations: failure.path.iter().map(location).collect(),
    }
}

fn finding<'a>(report: &'a KepReport, finding: &'a Diagnostic, indices: &BTreeMap<&str, usize>) -> Finding<'a> {
    let related = finding.related.iter().zip(0..).map(|(related, id)| document::Location {
        id: Some(id),
        message: Some(message(&printable(&related.message))),
        ..location(report, related.span)
    });
    // GitHub recognizes a finding by the first key, whose value it would else make from the line.
    let fingerprints = finding.fingerprint.map(|fingerprint| {
        ["primaryLocationLineHash", "kepLintFingerprint/v1"].map(|key| (key, fingerprint.to_string()))
    });
    Finding {
        rule_id: finding.rule,
        rule_index: indices.get(finding.rule).copied(),
        level: level(finding.severity),
        message: message(&with_help(&finding.message, finding.help.as_deref())),
        locations: [document::Location {
            logical_locations: finding.section.iter().filter_map(|titles| section(titles)).collect(),
            ..location(report, finding.span)
        }],
        related_locations: related.collect(),
        partial_fingerprints: fingerprints.into_iter().flatten().collect(),
        occurrence_count: Some(finding.count).filter(|count| *count > 1),
        fixes: finding.fix.as_ref().map(|it| [fix(report, it)]),
    }
}

/// The section of the template that a finding is about.
fn section(titles: &[String]) -> Option<LogicalLocation> {
    let titles: Vec<String> = titles.iter().map(|title| printable(title)).collect();
    Some(LogicalLocation { name: titles.last()?.clone(), fully_qualified_name: titles.join("/") })
}

fn fix<'a>(report: &'a KepReport, fix: &'a Fix) -> document::Fix<'a> {
    let mut edits: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    fix.edits.iter().for_each(|edit| edits.entry(edit.span.file).or_default().push(edit));
    let changes = edits.into_iter().filter_map(|(id, mut edits)| {
        let file = report.files.get(id.index())?;
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let replacements = edits.into_iter().map(|edit| Replacement {
            deleted_region: region(file, edit.span),
            inserted_content: Some(Content { text: &edit.text }).filter(|content| !content.text.is_empty()),
        });
        Some(ArtifactChange { artifact_location: artifact(&file.path), replacements: replacements.collect() })
    });
    document::Fix { description: message(&printable(&fix.title)), artifact_changes: changes.collect() }
}

/// Where `span` is; a span of no file is the whole directory of the KEP.
fn location(report: &KepReport, span: Span) -> document::Location {
    let file = report.files.get(span.file.index());
    let path = file.map_or(report.kep.as_deref().unwrap_or_default(), |file| &file.path);
    let region = file.map(|file| region(file, span));
    document::Location {
        physical_location: PhysicalLocation { artifact_location: artifact(path), region },
        ..document::Location::default()
    }
}

fn artifact(path: &str) -> ArtifactLocation {
    let uri = uri::of(path);
    let uri_base_id = if uri.starts_with("file:") { None } else { Some(BASE) };
    ArtifactLocation { uri: Some(uri), uri_base_id, description: None }
}

fn region(file: &SourceFile, span: Span) -> Region {
    let (start, end) = (position(file, span.start), position(file, span.end));
    Region { start_line: start.line, start_column: start.column, end_line: end.line, end_column: end.column }
}

/// The position of a byte as SARIF counts it: the end of the file is on its last line, behind the line end, and a byte
/// order mark is not there.
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

/// A message in which nothing is a placeholder (`{0}`) or a link (`[text](target)`). The backslash that prevents a link
/// shows, so that there is a form without it.
fn message(text: &str) -> Message {
    let doubled = |words: &str| words.replace('{', "{{").replace('}', "}}");
    let plain = doubled(text);
    let linkless = without_links(&plain);
    let markdown = if linkless == plain { None } else { Some(doubled(&inline(text))) };
    Message { text: linkless, markdown }
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

fn own(text: String) -> Message {
    Message { text, markdown: None }
}

#[cfg(test)]
mod tests;
