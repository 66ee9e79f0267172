//! The formats of a report: each file below renders a [`Run`] as text, and none of them prints it. Here is
//! what they share: counts, positions in lines and columns, and text that is safe to show on a terminal.

pub mod backticks;
pub mod changes;
pub mod concise;
pub mod facts;
pub mod format;
pub mod github;
pub mod github_review;
pub mod gitlab;
pub mod html;
pub mod json;
pub mod junit;
pub mod kep_schema;
pub mod finding_layout;
pub mod limit;
pub mod list;
pub mod look;
pub mod markdown;
pub mod page;
pub mod paint;
#[cfg(feature = "pretty")]
pub mod pretty;
pub mod ready;
pub mod relaxed;
pub mod requirements;
pub mod rules;
#[cfg(test)]
mod sample;
pub mod sarif;
pub mod settings;
pub mod statistics;
pub mod table;
pub mod uri;
pub mod width;
pub mod wrap;

use crate::diagnostic::{Diagnostic, Safety, Severity, counted};
use crate::lint::Run;
use crate::lint::about::About;
use crate::lint::report::KepReport;
use crate::ready::calendar::release_day;
use crate::requirement::Target;
use crate::rules::select::rule_named;
use crate::span::{Position, Span, grouped, slice};
use crate::stage::release::{Meant, Reason};
use serde::Serialize;
use std::cmp::Reverse;

/// What stands for a SIG, a status or a stage where there is none.
pub const NONE: &str = "none";

/// How many findings there are of each severity. More errors are greater, and among equals more warnings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Summary {
    pub error: usize,
    pub warning: usize,
    pub suggestion: usize,
}

impl Summary {
    pub fn of(run: &Run) -> Self {
        run.reports.iter().map(Self::of_report).fold(Self::default(), Self::plus)
    }

    /// Counts the findings of one report, also those for which the run has no room.
    pub fn of_report(report: &KepReport) -> Self {
        Self::sum(report.counts().map(|(_, severity, count)| (severity, count)))
    }

    pub fn listed(report: &KepReport) -> Self {
        Self::sum(report.diagnostics.iter().map(|finding| (finding.severity, finding.count)))
    }

    /// Counts those findings of one report for which the run has no room.
    pub fn unlisted(report: &KepReport) -> Self {
        Self::sum(report.unlisted.iter().map(|((_, severity), count)| (*severity, *count)))
    }

    pub fn sum(counts: impl Iterator<Item = (Severity, usize)>) -> Self {
        let mut summary = Self::default();
        counts.for_each(|(severity, count)| *summary.count_mut(severity) += count);
        summary
    }

    /// Counts those findings of `run` for which it has no room.
    pub fn all_unlisted(run: &Run) -> Self {
        run.reports.iter().map(Self::unlisted).fold(Self::default(), Self::plus)
    }

    /// The counts with their severities, errors first.
    fn each(self) -> impl Iterator<Item = (Severity, usize)> {
        let Self { error, warning, suggestion } = self;
        [(Severity::Error, error), (Severity::Warning, warning), (Severity::Advice, suggestion)].into_iter()
    }

    /// The highest severity that is counted; `None` without findings.
    pub fn highest(self) -> Option<Severity> {
        self.each().find(|(_, count)| *count > 0).map(|(severity, _)| severity)
    }

    pub fn from_level(self, level: Severity) -> Self {
        Self::sum(self.each().filter(|(severity, _)| *severity >= level))
    }

    pub fn below(self, level: Severity) -> Self {
        Self::sum(self.each().filter(|(severity, _)| *severity < level))
    }

    pub fn plus(self, other: Self) -> Self {
        Self::sum(self.each().chain(other.each()))
    }

    pub fn count_mut(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Error => &mut self.error,
            Severity::Warning => &mut self.warning,
            Severity::Advice => &mut self.suggestion,
        }
    }

    pub fn total(self) -> usize {
        self.error + self.warning + self.suggestion
    }

    /// The counts that are not zero, errors first, each in words.
    pub fn parts(self) -> Vec<(Severity, String)> {
        let some = self.each().filter(|(_, count)| *count > 0);
        some.map(|(severity, count)| (severity, counted_findings(severity, count))).collect()
    }

    /// The same in a sentence: `3 errors, 12 suggestions`.
    pub fn words(self) -> String {
        let words: Vec<String> = self.parts().into_iter().map(|(_, words)| words).collect();
        if words.is_empty() { "no findings".to_owned() } else { words.join(", ") }
    }

    /// All counts in words: `3 errors, 0 warnings, 12 suggestions`.
    pub fn all_words(self) -> String {
        self.each().map(|(severity, count)| counted_findings(severity, count)).collect::<Vec<_>>().join(", ")
    }

    /// The summary line of `run`, which skipped files that are not part of a KEP.
    pub fn line(run: &Run, skipped: usize) -> String {
        format!("{}: {}{}", checked(run), Self::of(run).all_words(), Self::not_shown(run, skipped))
    }

    /// What of `run` is not among its findings: `; left out 1 KEP that is past the stage; 2 findings ignored`.
    pub fn not_shown(run: &Run, skipped: usize) -> String {
        let (kep, keps) = (run.layout.name(), run.layout.names());
        let left_out = run.reports.iter().filter(|report| report.is_left_out).count();
        let targets = || run.reports.iter().filter_map(|report| report.target);
        let older = targets().filter(|target| target.is_older).count();
        let undated = targets().filter(|target| target.is_undated).count();
        let left_out_keps = counted(left_out, &format!("{kep} that is"), &format!("{keps} that are"));
        let files = counted(skipped, "file that is", "files that are");
        let counted_keps = |count| counted(count, kep, &keps);
        let ignored = ignored_count(run);
        let parts = [
            (left_out, format!("left out {left_out_keps} past the stage")),
            (skipped, format!("skipped {files} not part of a {kep}")),
            (older, format!("{} from before the template, and not compared with it", counted_keps(older))),
            (undated, format!("{} without a date, and not compared with the template", counted_keps(undated))),
            (ignored, format!("{} ignored", counted(ignored, "finding", "findings"))),
        ];
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| format!("; {words}")).collect()
    }
}

fn counted_findings(severity: Severity, count: usize) -> String {
    counted(count, severity.name(), &format!("{}s", severity.name()))
}

/// What `run` is about: `checked 2 KEPs (4 files) for v1.37 (release on 2026-08-26, built-in release)`.
pub fn checked(run: &Run) -> String {
    let keps = counted(kep_count(run), run.layout.name(), &run.layout.names());
    let files = counted(file_count(run), "file", "files");
    format!("checked {keps} ({files}){}", release_of(run))
}

/// The release that a KEP is checked for, its own one unless a stage is given: `latest-milestone v1.20`.
fn target_release(target: &Target, about: &About) -> Option<String> {
    let is_own = !target.is_given && about.latest_milestone.is_some();
    Some(format!("{}{}", if is_own { "latest-milestone " } else { "" }, target.release?))
}

/// By which release a run judged: ` for v1.37 (release on 2026-08-26, newest milestone of the base)`.
fn release_of(run: &Run) -> String {
    let Meant { release, reason, is_kubernetes } = run.meant;
    match reason {
        _ if !run.knows_release() => String::new(),
        Reason::Day(_, day) => format!(", judged by {release}{}", day.since()),
        Reason::Plan(_) => format!(", {}", run.meant.plan().unwrap_or_default()),
        reason => {
            let day = if is_kubernetes { release_day(release) } else { None };
            let day = day.map(|day| day + ", ").unwrap_or_default();
            format!(" for {release} ({day}{})", reason.words())
        }
    }
}

/// What a KEP is called: `KEP-5647 Stale controllers`; `None` for a template and for files of no KEP.
pub fn kep_name(report: &KepReport) -> Option<String> {
    let about = report.about.as_ref()?;
    let directory = report.kep.as_deref().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    Some(match (&about.number, &about.title) {
        (Some(number), Some(title)) => format!("{} {title}", report.layout.called(number)),
        (Some(number), None) => report.layout.called(number),
        (None, Some(title)) => title.clone(),
        (None, None) => directory.to_owned(),
    })
}

/// Whether `finding` is about a required section that is not filled in.
pub fn is_gap(finding: &Diagnostic) -> bool {
    finding.section.is_some() && rule_named(finding.rule).is_some_and(|rule| rule.is_gap)
}

/// The gaps of each chapter, by its title; `None` for those that are chapters themselves.
pub fn by_chapter<'a>(gaps: &[&'a Diagnostic]) -> Vec<(Option<&'a str>, Vec<&'a Diagnostic>)> {
    grouped(gaps.iter().map(|gap| match gap.section.as_deref().unwrap_or_default() {
        [.., around, _] => (Some(around.as_str()), *gap),
        _ => (None, *gap),
    }))
}

/// How many KEPs `run` checked; a template is not a KEP.
pub fn kep_count(run: &Run) -> usize {
    run.reports.iter().filter(|report| report.kep.is_some() && !report.is_left_out).count()
}

/// How many findings the ignores in the files of `run` silence.
pub fn ignored_count(run: &Run) -> usize {
    run.reports.iter().map(|report| report.ignored).sum()
}

pub fn file_count(run: &Run) -> usize {
    run.reports.iter().map(|report| report.documents).sum()
}

/// A KEP, a template or another file, with what is shown of it.
pub struct Shown<'a> {
    pub report: &'a KepReport,
    pub findings: Vec<&'a Diagnostic>,
    pub counts: Summary,
}

/// What has findings from `level` on, the worst first.
pub fn worst_first(run: &Run, level: Severity) -> Vec<Shown<'_>> {
    let mut all = Vec::new();
    for report in &run.reports {
        let findings: Vec<_> = report.diagnostics.iter().filter(|finding| finding.severity >= level).collect();
        if !findings.is_empty() {
            all.push(Shown { report, findings, counts: Summary::of_report(report).from_level(level) });
        }
    }
    all.sort_by_key(|shown| Reverse(shown.counts));
    all
}

/// Every finding with the report it is in, by path, offset and rule.
pub fn in_order(run: &Run) -> Vec<(&KepReport, &Diagnostic)> {
    let findings =
        run.reports.iter().flat_map(|report| report.diagnostics.iter().map(move |finding| (report, finding)));
    let mut findings: Vec<(&KepReport, &Diagnostic)> = findings.collect();
    findings.sort_by_key(|(report, finding)| {
        let path = report.files.get(finding.span.file.index()).map(|file| file.path.as_str());
        (path, finding.span.start, finding.rule)
    });
    findings
}

/// What is wrong and, after this dash, what to do about it, in one line that is safe to show.
pub fn with_help(message: &str, dash: &str, help: Option<&str>) -> String {
    let help = help.map(|help| printable(&format!(" {dash} help: {help}"))).unwrap_or_default();
    format!("{}{help}", printable(message))
}

/// What marks a finding that has a fix, after its rule; empty for one without.
pub fn fix_mark(finding: &Diagnostic) -> &'static str {
    match finding.fix.as_ref().map(|fix| fix.safety) {
        Some(Safety::Safe) => " [fix]",
        Some(Safety::Unsafe) => " [unsafe fix]",
        None => "",
    }
}

/// A span as people and editors count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    pub path: &'a str,
    pub start: Position,
    pub end: Position,
}

impl<'a> Location<'a> {
    /// Where `span` is; a span of no file is at the start of the KEP's directory.
    pub fn of(report: &'a KepReport, span: Span) -> Self {
        match report.files.get(span.file.index()) {
            Some(file) => Self { path: &file.path, start: file.position(span.start), end: file.position(span.end) },
            None => {
                let start = Position { line: 1, column: 1 };
                Self { path: report.kep.as_deref().unwrap_or_default(), start, end: start }
            }
        }
    }

    /// Its path in the directory of the KEP; for a file that is not there, its whole path.
    pub fn path_in(&self, report: &KepReport) -> &'a str {
        let below = report.kep.as_deref().and_then(|kep| self.path.strip_prefix(kep)?.strip_prefix('/'));
        below.unwrap_or(self.path)
    }
}

/// `text` without anything that controls a terminal, hides or reorders other text, or is a command to a CI runner.
/// White space becomes a space, another such character a `?` for each of its bytes, so that offsets stay right.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // How many characters other than blanks there were, and how many of them were colons.
    let (mut count, mut colons) = (0, 0);
    for character in text.chars() {
        match character {
            _ if character.is_ascii_whitespace() => shown.push(' '),
            _ if is_hidden(character) => (0..character.len_utf8()).for_each(|_| shown.push('?')),
            // A line that begins with `::`, and `##[` or `##vso[` anywhere in one, are commands.
            ':' if (count, colons) == (1, 1) => shown.push('?'),
            '[' if opens_command(&shown) => shown.push('?'),
            _ => shown.push(character),
        }
        count += usize::from(!character.is_whitespace());
        colons += usize::from(character == ':');
    }
    shown
}

/// Whether a character shows as a `?` for each of its bytes: it controls, has no width, or turns the direction.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0d}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{fffe}'..='\u{ffff}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether a `[` after `shown` would begin a command: `##[`, `##vso[`, `##teamcity[`.
fn opens_command(shown: &str) -> bool {
    const LONGEST_WORD: usize = 16;
    let letters = shown.bytes().rev().take(LONGEST_WORD).take_while(u8::is_ascii_alphanumeric).count();
    slice(shown, ..shown.len() - letters).ends_with("##")
}

/// A report without lines that a CI runner takes for a command: its lines may begin anywhere in a text.
pub fn harmless_lines(text: String) -> String {
    let is_command = |line: &str| line.trim_start().starts_with("::");
    if !text.lines().any(is_command) {
        return text;
    }
    let line = |line: &str| if is_command(line) { line.replacen("::", ":?", 1) } else { line.to_owned() };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_in_english() {
        assert_eq!(
            Summary::line(&Run::default(), 0),
            "checked 0 KEPs (0 files) for v1.37 (built-in release): 0 errors, 0 warnings, 0 suggestions"
        );
        let mut run = sample::run();
        run.reports.push(KepReport { is_left_out: true, ..sample::report("keps/sig-node/3-z", &[]) });
        assert_eq!(
            Summary::line(&run, 1),
            "checked 1 KEP (2 files) for v1.37 (built-in release): 1 error, 1 warning, 1 suggestion; left out 1 KEP \
             that is past the stage; skipped 1 file that is not part of a KEP"
        );
        run.reports[0].ignored = 2;
        assert!(Summary::line(&run, 0).ends_with("past the stage; 2 findings ignored"));
    }

    #[test]
    fn a_run_is_counted() {
        let run = sample::run();
        assert_eq!(Summary::of(&run), Summary { error: 1, warning: 1, suggestion: 1 });
        assert_eq!((kep_count(&run), file_count(&run)), (1, 2));
    }

    #[test]
    fn a_span_of_no_file_has_a_place() {
        let report = sample::report("keps/x", &[]);
        let place = Location::of(&report, Span::new(crate::span::FileId(3), 5..9));
        assert_eq!((place.path, place.start), ("keps/x", Position { line: 1, column: 1 }));
    }

    #[test]
    fn a_terminal_is_not_steered_by_a_kep() {
        let text = "a\tb\r\n\u{1b}[31m\u{85}\u{202e}é";
        assert_eq!(printable(text), "a b  ?[31m?????é");
        assert_eq!(printable(text).len(), text.len());
        for hidden in "\u{2028}\u{2029}\u{200e}\u{61c}\u{200b}\u{feff}\u{e0041}\u{fe00}\u{fe0d}\u{1d173}\0".chars() {
            assert_eq!(printable(&format!("a{hidden}b")), format!("a{}b", "?".repeat(hidden.len_utf8())));
        }
        assert_eq!(printable("✔\u{fe0f}"), "✔\u{fe0f}");
    }

    #[test]
    fn a_runner_gets_no_command() {
        for (text, shown) in [
            ("::error file=x::y", ":?error file=x::y"),
            (" \t::stop-commands::z", "  :?stop-commands::z"),
            (":::", ":?:"),
            ("std::fs: ::", "std::fs: ::"),
            ("a ##[add-mask]b", "a ##?add-mask]b"),
            ("##vso[task.x]", "##vso?task.x]"),
            ("# [a] and ## [b] and #[c]", "# [a] and ## [b] and #[c]"),
        ] {
            assert_eq!(printable(text), shown);
        }
    }
}
