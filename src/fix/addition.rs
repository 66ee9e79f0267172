//! Adds ignores for the findings of a KEP to its files, and validates them by linting it again. Apart from fixes, because
//! these lines are for findings that stay.

use super::{Fixed, Identity, counted, tally};
use crate::diagnostic::{Diagnostic, Severity};
use crate::kep::texts::Texts;
use crate::lint::report::KepReport;
use crate::rules::rule::Category;
use crate::rules::select;
use crate::source::SourceFile;
use crate::span::{FileId, slice};
use crate::suppress::insertion::{Addition, Wanted, additions};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many lines of a KEP are tested one by one if not all of them have the effect that they should have.
const TESTED_LINES: usize = 50;

#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub reason: &'a str,
    pub level: Severity,
    /// All findings of the KEP, also those that are only known together with other KEPs.
    pub known: &'a [Diagnostic],
    pub is_own: &'a dyn Fn(FileId) -> bool,
}

/// Adds ignores for the findings that `lint` returns, and for those that `request` knows.
pub fn add_ignores(texts: &Texts, request: Request<'_>, lint: &dyn Fn(&Texts) -> KepReport) -> Fixed {
    let before = lint(texts);
    let reported: BTreeSet<_> = before.diagnostics.iter().map(|finding| (finding.rule, finding.span)).collect();
    let late =
        request.known.iter().filter(|finding| !reported.contains(&(finding.rule, finding.span)) && finding.count == 1);
    let wanted = before.diagnostics.iter().chain(late);
    let wanted =
        wanted.filter(|finding| (request.is_own)(finding.span.file) && is_wanted(finding, texts, request.level));
    let wanted: Vec<&Diagnostic> = wanted.collect();
    add(texts, &before, &wanted, request.reason, lint)
}

/// Adds an ignore for one finding, which may only be known together with other KEPs, if it can be ignored.
pub fn add_ignore(
    texts: &Texts,
    finding: &Diagnostic,
    reason: &str,
    lint: &dyn Fn(&Texts) -> KepReport,
) -> Option<Fixed> {
    if !is_wanted(finding, texts, finding.severity) {
        return None;
    }
    let fixed = add(texts, &lint(texts), &[finding], reason, lint);
    (!fixed.applied.is_empty()).then_some(fixed)
}

fn add(
    texts: &Texts,
    before: &KepReport,
    wanted: &[&Diagnostic],
    reason: &str,
    lint: &dyn Fn(&Texts) -> KepReport,
) -> Fixed {
    let mut job = Job { texts, lint, before, lines: Vec::new() };
    let mut files: BTreeMap<FileId, Vec<Wanted<'_>>> = BTreeMap::new();
    for finding in wanted.iter().copied() {
        let is_gap = select::rule_named(finding.rule).is_some_and(|rule| rule.is_gap);
        files.entry(finding.span.file).or_default().push(Wanted { finding, is_gap });
    }
    for (file, findings) in files {
        job.lines.extend(additions(file, texts.file(file), &findings, reason));
    }
    let after = job.keep_those_that_work();
    let applied = tally(job.lines.iter().flat_map(|line| &line.findings).map(|finding| finding.rule));
    Fixed { before: before.clone(), after, applied, rounds: 1, ..Fixed::default() }
}

/// Whether a finding is to be ignored, and can be: in a file of the KEP's directory whose bytes are all known.
fn is_wanted(finding: &Diagnostic, texts: &Texts, level: Severity) -> bool {
    let is_about_ignores = select::rule_named(finding.rule).is_some_and(|rule| rule.category == Category::Ignores);
    let file = texts.files.get(finding.span.file.index());
    let is_writable = file.is_some_and(|file| file.invalid_utf8.is_none());
    finding.severity >= level && finding.count == 1 && !is_about_ignores && !finding.hides_status && is_writable
}

struct Job<'a> {
    texts: &'a Texts,
    lint: &'a dyn Fn(&Texts) -> KepReport,
    before: &'a KepReport,
    lines: Vec<Addition<'a>>,
}

impl Job<'_> {
    /// Drops the lines that do not silence their findings, or change others, and lints the KEP with the rest.
    fn keep_those_that_work(&mut self) -> KepReport {
        let all: Vec<&Addition<'_>> = self.lines.iter().collect();
        let after = self.with(&all);
        if self.is_right(&after, &all) {
            return after;
        }
        let works = |line: &&Addition<'_>| self.is_right(&self.with(&[line]), &[line]);
        let working: Vec<bool> =
            all.iter().enumerate().map(|(number, line)| number < TESTED_LINES && works(line)).collect();
        let mut working = working.into_iter();
        self.lines.retain(|_| working.next().unwrap_or(false));
        let rest: Vec<&Addition<'_>> = self.lines.iter().collect();
        let after_rest = self.with(&rest);
        if self.is_right(&after_rest, &rest) {
            return after_rest;
        }
        self.lines.clear();
        self.before.clone()
    }

    fn with(&self, lines: &[&Addition<'_>]) -> KepReport {
        let mut texts = self.texts.clone();
        for (id, file) in (0..).map(FileId::at).zip(&mut texts.files) {
            let mut added: Vec<&&Addition<'_>> = lines.iter().filter(|line| line.file == id).collect();
            if added.is_empty() {
                continue;
            }
            added.sort_by_key(|line| line.at);
            let (mut text, mut at) = (String::with_capacity(file.text.len()), 0);
            for line in added {
                text += slice(&file.text, at..line.at);
                text += &line.text;
                at = line.at;
            }
            text += slice(&file.text, at..);
            *file = Arc::new(SourceFile::decode(file.path.as_str(), text.into_bytes()));
        }
        (self.lint)(&texts)
    }

    /// Whether exactly the findings of these lines are gone. What is only known together with other KEPs cannot be
    /// seen here.
    fn is_right(&self, after: &KepReport, lines: &[&Addition<'_>]) -> bool {
        let mut expected = counted(self.before);
        for finding in lines.iter().flat_map(|line| &line.findings) {
            if let Some(count) = expected.get_mut(&Identity::of(finding)) {
                *count = count.saturating_sub(1);
            }
        }
        let left = counted(after);
        // One line may silence more findings of its rules.
        left.iter().all(|(identity, count)| expected.get(identity).is_some_and(|expected| count <= expected))
    }
}
