//! What must be true of whatever is linted, drawn and fixed, each claim under a name. Apart from the tests because the
//! fuzzer asks the same, so that this uses nothing but the library and JSON.

use super::library::{self, Against};
use super::words;
use kep_lint::diagnostic::{Diagnostic, Safety};
use kep_lint::fix::Fixed;
use kep_lint::kep::texts::Texts;
use kep_lint::lint::report::KepReport;
use kep_lint::report::look::Look;
use kep_lint::report::pretty::{self, Detail};
use kep_lint::report::{concise, json};

/// The most characters of a message, and of a help.
const LONGEST: (usize, usize) = (801, 4_001);

/// A claim that does not hold, and what shows it.
pub struct Problem {
    /// The claim's name.
    pub claim: &'static str,
    /// A finding, a line or a word.
    pub what: String,
}

/// What is wrong with the linting and the drawing of a KEP.
pub fn lint_problems(texts: &Texts, against: Against<'_>) -> Vec<Problem> {
    let (report, again) = (against.lint(texts), against.lint(texts));
    let mut problems = Problems(Vec::new());
    let differing = report.diagnostics.iter().zip(&again.diagnostics).find(|(one, other)| one != other);
    let is_same = report.diagnostics == again.diagnostics;
    problems.claim("linted twice, the findings are the same", is_same, || format!("{differing:?}"));
    problems.says_it_well(&report);
    problems.is_drawn_well(report);
    problems.0
}

/// What is wrong with the fixing of a KEP.
pub fn fix_problems(texts: &Texts, against: Against<'_>) -> Vec<Problem> {
    let found = against.lint(texts).diagnostics;
    let fixes = || found.iter().filter_map(|found| found.fix.as_ref());
    let mut problems = Problems(Vec::new());
    for safety in [Safety::Safe, Safety::Unsafe] {
        // Where no fix is offered, there is nothing to apply.
        if fixes().any(|fix| fix.safety == safety) {
            problems.is_fixed_well(&against.fix(texts, safety), texts, safety, against);
        }
    }
    problems.0
}

/// What is wrong with a report on its own, and with how it is drawn.
pub fn report_problems(report: KepReport) -> Vec<Problem> {
    let mut problems = Problems(Vec::new());
    problems.says_it_well(&report);
    problems.is_drawn_well(report);
    problems.0
}

struct Problems(Vec<Problem>);

impl Problems {
    fn claim(&mut self, claim: &'static str, holds: bool, what: impl FnOnce() -> String) {
        if !holds && self.0.iter().all(|known| known.claim != claim) {
            self.0.push(Problem { claim, what: what() });
        }
    }

    fn says_it_well(&mut self, report: &KepReport) {
        for found in &report.diagnostics {
            let rule = found.rule;
            let is_inside = |span: kep_lint::span::Span| {
                report.files.get(span.file.index()).is_some_and(|file| file.text.get(span.range()).is_some())
            };
            let bad = spans(found).find(|span| !is_inside(*span));
            self.claim("a span is a part of its file", bad.is_none(), || format!("{rule}: {bad:?}"));
            let related = found.related.iter().map(|related| &related.message);
            for message in std::iter::once(&found.message).chain(related) {
                let is_line = !message.contains(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']);
                self.claim("a message is one line", is_line, || format!("{rule}: {message:?}"));
                let length = message.chars().count();
                self.claim("a message is short", length <= LONGEST.0, || format!("{rule}: {length} characters"));
            }
            let length = found.help.as_ref().map_or(0, |help| help.chars().count());
            self.claim("a help is not too long", length <= LONGEST.1, || format!("{rule}: {length} characters"));
        }
    }

    fn is_drawn_well(&mut self, report: KepReport) {
        let count = report.diagnostics.len();
        let run = library::run_of(vec![report]);
        let lines = concise::render(&run, &Look::default());
        let shown = lines.split_terminator('\n').count();
        self.claim("concise has a line for each finding", shown == count, || {
            format!("{shown} lines, {count} findings")
        });
        let parsed = serde_json::from_str::<serde_json::Value>(&json::render(&run));
        let is_whole = parsed.as_ref().is_ok_and(|json| json["diagnostics"].as_array().map(Vec::len) == Some(count));
        self.claim("JSON has all findings", is_whole, || format!("{:?}", parsed.err()));
        let mut look = Look::default();
        look.width = 80;
        let [full, grouped] = [Detail::Full, Detail::Grouped].map(|detail| pretty::render(&run, &look, detail));
        for text in [&lines, &full, &grouped] {
            let bad = |is_bad: fn(char) -> bool| {
                let line = text.split('\n').find(|line| line.contains(is_bad));
                line.map(|line| cut(&format!("{line:?}"), 300))
            };
            let found = bad(char::is_control);
            self.claim("no control characters are drawn", found.is_none(), || found.unwrap_or_default());
            let found = bad(is_unseen);
            self.claim("no unseen characters are drawn", found.is_none(), || found.unwrap_or_default());
            let command = text.split('\n').find(|line| line.trim_start().starts_with("::") || line.contains("##["));
            self.claim("no line is a command to a CI system", command.is_none(), || cut(&format!("{command:?}"), 300));
        }
    }

    fn is_fixed_well(&mut self, fixed: &Fixed, texts: &Texts, safety: Safety, against: Against<'_>) {
        let reverted = fixed.reverted.first();
        self.claim("no fix is taken back", reverted.is_none(), || cut(&format!("{safety:?}: {reverted:?}"), 400));
        let again = against.fix_again(texts, fixed, safety);
        let change = again.changes().next();
        self.claim("what is fixed has nothing to fix", change.is_none(), || format!("{safety:?}: {:?}", again.applied));
        let bad = fixed.changes().find(|(old, _)| old.invalid_utf8.is_some());
        self.claim("what is not UTF-8 is left alone", bad.is_none(), || format!("{safety:?}"));
        let lost = words::lost(fixed, safety);
        let claim = match safety {
            Safety::Safe => "safe fixes keep all words",
            Safety::Unsafe => "unsafe fixes keep all words",
        };
        let rules: Vec<&str> = fixed.applied.keys().copied().collect();
        self.claim(claim, lost.is_none(), || format!("{}: {}", rules.join(", "), lost.unwrap_or_default()));
    }
}

/// Every place that a finding names: its own, those of related ones, those of its edits.
fn spans(found: &Diagnostic) -> impl Iterator<Item = kep_lint::span::Span> {
    let related = found.related.iter().map(|related| related.span);
    let edits = found.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    std::iter::once(found.span).chain(related).chain(edits)
}

/// Characters that turn the reading direction, break lines for some programs, or are not seen at all.
fn is_unseen(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// `text` with no more than so many bytes of it.
pub fn cut(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most);
    if end == text.len() { text.to_owned() } else { format!("{}… ({} bytes)", &text[..end], text.len()) }
}
