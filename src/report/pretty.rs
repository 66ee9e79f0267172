//! The report for people: KEP by KEP, each finding with its lines; the most severe first, in a terminal last.

mod alike;
mod change;
mod finding;
mod groups;
mod snippet;

use self::finding::Page;
use super::finding_layout::snippets;
use super::limit::Limit;
use super::look::{Look, Order};
use super::paint::Paint;
use super::{
    Location, Shown, Summary, changes, harmless_lines, is_gap, kep_name, printable, target_release, worst_first, wrap,
};
use crate::diagnostic::{Diagnostic, Severity};
use crate::kep::layout::{Layout, TREE};
use crate::lint::Run;
use crate::lint::about::About;
use crate::lint::report::KepReport;
use crate::requirement::Target;
use crate::source::SourceFile;
use crate::span::{Span, grouped};
use crate::stage::Phase;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

/// How many gaps of a KEP are shown like all other findings. More are listed by chapter.
const GAPS_IN_FULL: usize = 3;

/// How many KEPs are shown with the lines of all their findings, and in a log, how many findings after the errors.
const KEPS_IN_FULL: usize = 3;

/// How much is shown when there are many findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Many gaps of a KEP with a line each, by chapter; of many KEPs, and in a log, what is no error with a line each.
    Grouped,
    Full,
}

/// Renders `run`; empty if there is nothing to show. What a change does comes first.
pub fn render(run: &Run, look: &Look, detail: Detail) -> String {
    let line = |line: &String| wrap::wrapped(&printable(line), look.columns(), "", "  ") + "\n";
    let changes: String = changes::lines(run).iter().map(line).collect();
    let findings = findings(run, look, detail);
    let gap = if changes.is_empty() || findings.is_empty() { "" } else { "\n" };
    harmless_lines(changes + gap + &findings)
}

fn findings(run: &Run, look: &Look, detail: Detail) -> String {
    let (all, _) = choose(run, look);
    if all.is_empty() {
        return String::new();
    }
    let has_many = all.len() > KEPS_IN_FULL;
    let is_short = detail == Detail::Grouped && (has_many || buries_errors(&all, look));
    // A line has no room for other places.
    let told = if is_short || detail == Detail::Full { Cow::Borrowed(run) } else { alike::told_once(run) };
    let (shown, limit) = choose(&told, look);
    let in_full = if is_short { Severity::Error } else { Severity::Advice };
    let mut text = String::new();
    for part in &shown {
        let entries = entries(part, look, detail, in_full);
        text += &(block(part.report, &entries, look) + "\n");
    }
    if has_many {
        text += &(groups::table(run, look) + "\n");
    }
    let unlisted = Summary::all_unlisted(run).from_level(look.level);
    text += &closing(limit.omitted, unlisted, look);
    if shown.iter().flat_map(|shown| &shown.findings).any(|finding| finding.severity < in_full) {
        text += &hint("`--format full` shows the lines and the help of all findings", look);
    }
    if has_many {
        text += &next(run, &shown, look);
    }
    text
}

/// The line of a file that `span` is in, with what is marked there.
pub fn excerpt(file: &Arc<SourceFile>, span: Span, look: &Look) -> String {
    let report = KepReport { files: vec![Arc::clone(file)], ..KepReport::default() };
    let finding = Diagnostic::new("", Severity::Error, span, "");
    snippet::render(&snippets(&report, &finding, &[], look), Severity::Error, look)
}

/// Whether the lines of what is no error would make a log of a failed run long.
fn buries_errors(shown: &[Shown<'_>], look: &Look) -> bool {
    let all = shown.iter().map(|shown| shown.counts).fold(Summary::default(), Summary::plus);
    look.order == Order::WorstFirst && all.error > 0 && all.total() - all.error > KEPS_IN_FULL
}

fn choose<'a>(run: &'a Run, look: &Look) -> (Vec<Shown<'a>>, Limit) {
    let listed = run.reports.iter().map(Summary::listed).fold(Summary::default(), Summary::plus);
    let mut limit = Limit::new(listed.from_level(look.level), look.max_findings);
    let mut shown = worst_first(run, look.level);
    for part in &mut shown {
        part.findings.retain(|finding| limit.admits(finding.severity));
    }
    shown.retain(|part| !part.findings.is_empty());
    if look.order == Order::WorstLast {
        shown.reverse();
    }
    (shown, limit)
}

/// What is shown together: findings about one place, of which only the first has lines, or gaps.
struct Entry<'a> {
    path: &'a str,
    kind: Kind,
    findings: Vec<&'a Diagnostic>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Full,
    Line,
    Gaps,
}

/// A KEP: its heading, and its findings with the path of their file above them.
fn block(report: &KepReport, entries: &[Entry<'_>], look: &Look) -> String {
    let mut page = Page::new(report, look);
    let mut text = heading(report, look).unwrap_or_default();
    let mut last: Option<&Entry<'_>> = None;
    for entry in entries {
        let is_in_list = entry.kind == Kind::Line && last.is_none_or(|last| last.kind == Kind::Line);
        if !text.is_empty() && !is_in_list {
            text.push('\n');
        }
        if last.is_none_or(|last| last.path != entry.path) {
            text += &page.path_line(entry.path);
        }
        text += &match entry.kind {
            Kind::Full => (0..).zip(&entry.findings).map(|(at, finding)| page.finding(finding, at == 0)).collect(),
            Kind::Line => entry.findings.iter().map(|finding| page.line(finding)).collect(),
            Kind::Gaps => finding::gaps(report, &entry.findings, look),
        };
        last = Some(entry);
    }
    text
}

/// The findings of a KEP in the order of the look, those of one severity file by file; from the severity `in_full` on with
/// their lines.
fn entries<'a>(shown: &Shown<'a>, look: &Look, detail: Detail, in_full: Severity) -> Vec<Entry<'a>> {
    let Shown { report, findings, .. } = shown;
    let (full, lines): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        findings.iter().partition(|finding| finding.severity >= in_full);
    let gap_count = full.iter().filter(|finding| is_gap(finding)).count();
    let is_grouped = detail == Detail::Grouped && gap_count > GAPS_IN_FULL;
    let (gaps, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        full.into_iter().partition(|finding| is_grouped && is_gap(finding));
    let mut entries: Vec<Entry<'_>> = Vec::new();
    // Findings about one place follow one another.
    for finding in others {
        let is_at_its_place =
            |entry: &Entry<'_>| entry.findings.first().is_some_and(|first| is_at_one_place(report, first, finding));
        match entries.last_mut() {
            Some(entry) if detail == Detail::Grouped && is_at_its_place(entry) => entry.findings.push(finding),
            _ => entries.push(Entry { path: path_of(report, finding), kind: Kind::Full, findings: vec![finding] }),
        }
    }
    for entry in &mut entries {
        entry.findings.sort_by_key(|finding| Reverse(finding.severity));
    }
    let by_path = grouped(gaps.into_iter().map(|gap| (path_of(report, gap), gap)));
    entries.extend(by_path.into_iter().map(|(path, inside)| Entry { path, kind: Kind::Gaps, findings: inside }));
    let line = |finding| Entry { path: path_of(report, finding), kind: Kind::Line, findings: vec![finding] };
    entries.extend(lines.into_iter().map(line));
    entries.sort_by_key(|entry| {
        let severity = entry.findings.iter().map(|finding| finding.severity).max();
        let (first, last) = match look.order {
            Order::WorstFirst => (Some(Reverse(severity)), None),
            Order::WorstLast => (None, Some(severity)),
        };
        (first, last, file_rank(entry.path), entry.path)
    });
    entries
}

/// Whether two findings are about one place, so that its lines tell enough of both.
fn is_at_one_place(report: &KepReport, one: &Diagnostic, other: &Diagnostic) -> bool {
    let line = |finding: &Diagnostic| Location::of(report, finding.span).start.line;
    let overlaps = one.span.start < other.span.end && other.span.start < one.span.end;
    let share_a_line =
        one.span == other.span || (one.span.file == other.span.file && overlaps && line(one) == line(other));
    let has_others =
        |finding: &Diagnostic| finding.related.iter().any(|related| related.span.file == finding.span.file);
    share_a_line && !has_others(one) && !has_others(other)
}

fn path_of<'a>(report: &'a KepReport, finding: &Diagnostic) -> &'a str {
    let file = report.files.get(finding.span.file.index()).map(|file| file.path.as_str());
    file.or(report.kep.as_deref()).unwrap_or_default()
}

/// The order of files: kep.yaml, the files of reviews and owners, README.md, the others.
fn file_rank(path: &str) -> u8 {
    match path.rsplit('/').next().unwrap_or_default() {
        "kep.yaml" => 0,
        "README.md" => 2,
        name if name.ends_with(".md") => 3,
        _ => 1,
    }
}

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
    text + &hint("`kep-lint explain RULE` tells why a rule exists, with examples", look)
}

/// How to see less, after a report on many KEPs.
fn next(run: &Run, shown: &[Shown<'_>], look: &Look) -> String {
    let worst = shown.iter().max_by_key(|shown| shown.counts);
    let named = worst.and_then(|worst| {
        let directory = worst.report.kep.as_deref()?;
        // A number is looked up in `keps` here or above; another tree is not found by it.
        let is_found = run.layout.is_of_keps() && Path::new(directory).starts_with(TREE);
        let number = worst.report.about.as_ref()?.number.as_deref().filter(|_| is_found);
        Some(printable(number.unwrap_or(directory)))
    });
    let one = named.map(|named| format!("only one {}: `kep-lint {named}`", run.layout.name()));
    let new = run.since.is_none().then(|| "only new findings: `kep-lint --since auto --new-only`".to_owned());
    let parts: Vec<String> = one.into_iter().chain(new).collect();
    if parts.is_empty() { String::new() } else { hint(&parts.join("; "), look) }
}

fn hint(text: &str, look: &Look) -> String {
    Paint::Dim.only_if(look.color).apply(&wrap::wrapped(text, look.columns(), "", "")) + "\n"
}

#[cfg(test)]
mod tests;

/// Which KEP it is, and what it was checked for: `KEP-5647 Stale controllers — implementable, checked for beta,
/// v1.37 (--stage; kep.yaml: alpha)`; nothing for a template and for files that belong to no KEP.
fn heading(report: &KepReport, look: &Look) -> Option<String> {
    let about = report.about.as_ref()?;
    let name = printable(&kep_name(report)?);
    let state = report.target.as_ref().map(|target| state(about, target, &report.layout)).unwrap_or_default();
    let text = printable(&format!("{name} {} {state}", look.dash()));
    let lines = wrap::lines(&text, look.columns(), "", "  ");
    // The name is bold; with a long title, up to the last line that it is on.
    let mut left = name.chars().filter(|letter| *letter != ' ').count();
    let painted = lines.iter().map(|line| {
        let end = line.char_indices().find(|(_, letter)| {
            let is_after = left == 0;
            left = left.saturating_sub(usize::from(*letter != ' '));
            is_after
        });
        let (bold, rest) = line.split_at(end.map_or(line.len(), |(at, _)| at));
        Paint::Bold.only_if(look.color && !bold.trim().is_empty()).apply(bold) + rest + "\n"
    });
    Some(painted.collect())
}

fn state(about: &About, target: &Target, layout: &Layout) -> String {
    let status = match about.status.as_deref() {
        Some(status) if target.has_unknown_status => format!("unknown status `{status}`"),
        Some(status) => status.to_owned(),
        None => "no status".to_owned(),
    };
    let stale = if target.phase == Phase::Stale { " (stale)" } else { "" };
    let stage = target.stage.map(|stage| format!("checked for {stage}"));
    let release = target_release(target, about);
    let mut origin = match (target.is_given, target.own_stage) {
        (false, _) => String::new(),
        (true, None) => " (--stage; kep.yaml: no stage)".to_owned(),
        (true, stage_of_kep) if stage_of_kep == target.stage => " (--stage)".to_owned(),
        (true, Some(stage_of_kep)) => format!(" (--stage; kep.yaml: {stage_of_kep})"),
    };
    let words: Vec<String> = [format!("{status}{stale}")].into_iter().chain(stage).chain(release).collect();
    layout.say(&mut origin);
    words.join(", ") + &origin
}
