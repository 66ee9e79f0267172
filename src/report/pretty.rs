//! The report for people: KEP by KEP and file by file, each finding with the lines it is about. The KEPs with the most
//! severe findings come last, because that is where a terminal stops.

mod finding;
mod gaps;
mod heading;
mod snippet;
mod worst;

use self::finding::Page;
use super::layout::Layout;
use super::limit::Limit;
use super::look::Look;
use super::paint::Paint;
use super::{Summary, harmless_lines, pieces, wrap};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::{KepReport, Run};
use crate::source::SourceFile;
use crate::span::Span;
use std::cmp::Reverse;
use std::io::{self, Write};
use std::sync::Arc;

/// How gaps of a KEP are shown when there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// One line each, by chapter.
    Grouped,
    /// Like all other findings.
    Full,
}

/// What is shown of a KEP, a template, or another file.
struct Shown<'a> {
    report: &'a KepReport,
    findings: Vec<&'a Diagnostic>,
    counts: Summary,
}

/// Renders `run`; empty if there is nothing to show.
pub fn render(run: &Run, look: &Look, detail: Detail) -> String {
    pieces::text(|out| write(run, look, detail, out).map(drop))
}

/// Writes the same, and returns whether there is something to show.
pub fn write(run: &Run, look: &Look, detail: Detail, out: &mut dyn Write) -> io::Result<bool> {
    let listed = run.reports.iter().map(Summary::listed).fold(Summary::default(), Summary::plus);
    let mut limit = Limit::new(listed.from_level(look.level), look.max_findings);
    let shown = choose(run, &mut limit, look.level);
    if shown.is_empty() {
        return Ok(false);
    }
    for shown in &shown {
        out.write_all(harmless_lines(block(shown, look, detail) + "\n").as_bytes())?;
    }
    if let Some(table) = worst::table(&shown, look) {
        out.write_all(harmless_lines(table + "\n").as_bytes())?;
    }
    let unlisted = Summary::all_unlisted(run).from_level(look.level);
    out.write_all(harmless_lines(closing(limit.omitted(), unlisted, look)).as_bytes())?;
    Ok(true)
}

/// The line of a file that `span` is in, with what is marked there.
pub fn excerpt(file: &Arc<SourceFile>, span: Span, look: &Look) -> String {
    let report = KepReport { files: vec![Arc::clone(file)], ..KepReport::default() };
    let found = Diagnostic::new("", Severity::Error, span, "");
    snippet::render(&Layout::of(&report, &found, [], look), &file.path, Severity::Error, look)
}

/// The findings to show, the most severe last.
fn choose<'a>(run: &'a Run, limit: &mut Limit, level: Severity) -> Vec<Shown<'a>> {
    let counted = |report: &'a KepReport| (report, Summary::of_report(report).from_level(level));
    let mut reports: Vec<(&KepReport, Summary)> = run.reports.iter().map(counted).collect();
    let rank = |(_, Summary { error, warning, advice }): &(&KepReport, Summary)| Reverse((*error, *warning, *advice));
    reports.sort_by_key(rank);
    let mut shown: Vec<Shown<'_>> = reports
        .into_iter()
        .map(|(report, counts)| {
            let is_shown = |found: &&Diagnostic| found.severity >= level && limit.admits(found.severity);
            Shown { report, findings: report.diagnostics.iter().filter(is_shown).collect(), counts }
        })
        .filter(|shown| !shown.findings.is_empty())
        .collect();
    shown.reverse();
    shown
}

/// A KEP: its heading, and its findings file by file.
fn block(shown: &Shown<'_>, look: &Look, detail: Detail) -> String {
    let Shown { report, findings, .. } = shown;
    let is_grouped = detail == Detail::Grouped && gaps::count(findings) > gaps::MOST_IN_FULL;
    let mut page = Page::new(report, look);
    let mut parts: Vec<String> = heading::of(report, look).into_iter().collect();
    for (path, findings) in by_file(report, findings) {
        let mut text = page.path_line(path);
        let (gaps, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
            findings.into_iter().partition(|found| is_grouped && gaps::is_gap(found));
        let others: Vec<String> = others.into_iter().map(|found| page.finding(found)).collect();
        text += &others.join("\n");
        if !gaps.is_empty() {
            let separator = if others.is_empty() { "" } else { "\n" };
            text += &format!("{separator}{}", gaps::grouped(report, &gaps, look));
        }
        parts.push(text);
    }
    parts.join("\n")
}

/// The findings of each file, with its path: kep.yaml, the files of reviews and owners, README.md, the others.
fn by_file<'a>(report: &'a KepReport, findings: &[&'a Diagnostic]) -> Vec<(&'a str, Vec<&'a Diagnostic>)> {
    let rank = |path: &str| match path.rsplit('/').next().unwrap_or_default() {
        "kep.yaml" => 0,
        "README.md" => 2,
        name if name.ends_with(".md") => 3,
        _ => 1,
    };
    let mut files: Vec<(&str, Vec<&Diagnostic>)> = Vec::new();
    for found in findings {
        let file = report.files.get(found.span.file.index()).map(|file| file.path.as_str());
        let path = file.or(report.kep.as_deref()).unwrap_or_default();
        match files.iter_mut().find(|(other, _)| *other == path) {
            Some((_, findings)) => findings.push(found),
            None => files.push((path, vec![found])),
        }
    }
    files.sort_by_key(|(path, _)| rank(path));
    files
}

/// What is not shown, and where to read more.
fn closing(omitted: Summary, unlisted: Summary, look: &Look) -> String {
    let mut text = String::new();
    let ellipsis = look.ellipsis();
    if unlisted.total() > 0 {
        text += &format!("{ellipsis} and {} more ({}), too many to be listed\n", unlisted.total(), unlisted.words());
    }
    if omitted.total() > 0 {
        text +=
            &format!("{ellipsis} and {} more ({}): `--max-findings 0` shows all\n", omitted.total(), omitted.words());
    }
    let hint = wrap::lines("`kep-lint explain RULE` tells why a rule exists, with examples", look.columns(), "", "");
    text + &Paint::Dim.only_if(look.color).apply(&hint.join("\n")) + "\n"
}

#[cfg(test)]
mod tests;
