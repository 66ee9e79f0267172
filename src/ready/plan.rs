//! Evidence about tests: the acknowledgment of the test plan, the coverage of unit tests, and links to tests.

use super::answer::{Answer, Detail, State};
use super::case::Case;
use super::readme::without_readme;
use crate::gap::acknowledgment::{Acknowledgment, SINCE};
use crate::rules::context::Readme;
use crate::span::slice;
use crate::template::role::SectionRole;
use std::ops::Range;

/// The rule that finds a test plan that is not acknowledged.
const ACKNOWLEDGED: &[&str] = &["unacknowledged-test-plan"];

/// The rule that finds tests without a link.
const LINKED: &[&str] = &["unlinked-tests"];

/// Both.
pub const TESTS: &[&str] = &["unacknowledged-test-plan", "unlinked-tests"];

/// The test plan is filled in and acknowledged; unit tests have their coverage, and other tests links.
pub fn tests(case: &Case<'_>) -> Option<Answer> {
    let id = case.section(SectionRole::TestPlan)?;
    let Some(readme) = case.readme() else { return Some(without_readme(case)) };
    let Some(place) = readme.matching.place(id) else {
        return Some(Answer::not_met("the section is missing").at(case.place(readme.top())));
    };
    let at = case.place(readme.span(place.heading.clone()));
    let mut details = Vec::new();
    let mut state = State::Met;
    let mut words: Vec<String> = Vec::new();
    if case.gap(id).is_some() {
        (state, words) = (State::NotMet, vec!["incomplete".to_owned()]);
    }
    let acknowledged: Vec<Detail> = case.found(ACKNOWLEDGED).map(|finding| case.detail(finding)).collect();
    let is_asked = case.ctx.target.since.is_some_and(|release| release >= SINCE);
    match Acknowledgment::of(readme.document, readme.text, place.subtree.clone()) {
        Acknowledgment::Checked => words.push("acknowledged".to_owned()),
        Acknowledgment::Unchecked(_) | Acknowledgment::Missing if is_asked => {
            state = State::NotMet;
            words.push("not acknowledged".to_owned());
        }
        Acknowledgment::Unchecked(_) | Acknowledgment::Missing => {}
    }
    details.extend(acknowledged);
    let coverage = coverage(readme, place.subtree.clone());
    words.push(match coverage.len() {
        0 => "no unit test coverage".to_owned(),
        1 => "1 line of coverage".to_owned(),
        count => format!("{count} lines of coverage"),
    });
    let unlinked: Vec<Detail> = case.found(LINKED).map(|finding| case.detail(finding)).collect();
    if !unlinked.is_empty() {
        words.push("tests without links".to_owned());
    }
    if coverage.is_empty() || !unlinked.is_empty() {
        state = state.max(State::Look);
    }
    details.extend(unlinked);
    Some(Answer::new(state, words.join(", ")).at(at).with(details))
}

/// The lines of `range` that say how much of a package unit tests cover: `` `pkg/a`: `2026-01-02` - `80%` ``.
fn coverage(readme: Readme<'_>, range: Range<usize>) -> Vec<Range<usize>> {
    let lines = readme.document.visible_spans(readme.text, range);
    lines.filter(|line| is_coverage(slice(readme.text, line.clone()))).collect()
}

/// Whether a line names a package, and after it a date and a number, a percentage, or nothing but a number.
fn is_coverage(line: &str) -> bool {
    let line = line.trim_start_matches(|mark: char| mark.is_whitespace() || "-*+|`".contains(mark));
    let end = line.find(|letter: char| letter.is_whitespace() || "`:|".contains(letter)).unwrap_or(line.len());
    let (package, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    let is_package = package.contains('/') && !package.contains("//") && !package.contains('<');
    is_package && (has_percentage(rest) || is_percentage_alone(rest) || has_date_and_number(rest))
}

fn has_percentage(text: &str) -> bool {
    text.match_indices('%').any(|(at, _)| slice(text, ..at).trim_end().ends_with(|last: char| last.is_ascii_digit()))
}

/// Whether the text is one number that can be a percentage: `: 77.4`, or `<66.7>` in a field of the template.
fn is_percentage_alone(text: &str) -> bool {
    let number = text.trim_matches(|mark: char| mark.is_whitespace() || "-:|`<>~=".contains(mark));
    number.parse::<f32>().is_ok_and(|number| (0.0..=100.0).contains(&number))
}

fn has_date_and_number(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|letter: char| letter.is_whitespace() || "`:|,;()<>".contains(letter))
        .filter(|word| !word.is_empty())
        .collect();
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let is_number = |word: &str| has_digit(word) && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_day = |word: &str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_digit());
    // `2026-01-02`, `15-Jun-2022`
    let is_date = |word: &str| {
        let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
        parts.len() == 3 && parts.iter().all(|part| is_number(part) || is_month(part))
    };
    // `June 13, 2022`, `October 9th 2024`
    let written = words.iter().position(|word| is_month(word)).map(|at| at..at.saturating_add(3));
    let is_written = |at: usize| written.as_ref().is_some_and(|written| written.contains(&at));
    let dates = words.iter().any(|word| is_date(word) || is_day(word)) || written.is_some();
    let mut others = words.iter().enumerate().filter(|(at, word)| !is_written(*at) && !is_date(word) && !is_day(word));
    dates && others.any(|(_, word)| is_number(word))
}

/// Whether a word is the name of a month, or at least three letters of one.
fn is_month(word: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    const SHORTEST: usize = 3;
    let word = word.to_lowercase();
    word.len() >= SHORTEST && MONTHS.iter().any(|month| month.starts_with(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_is_a_package_with_a_number() {
        for line in [
            "- `k8s.io/kubernetes/pkg/kubelet`: `2026-01-02` - `80%`",
            "- `pkg/kubelet`: 2026-01-02 - 67.8",
            "* pkg/scheduler/framework: 01/02/2026 - 80.4 %",
            "| `pkg/a/b` | 2026-01-02 | 77 |",
            "- `k8s.io/kubernetes/pkg/api`: `June 13, 2022` - `82.2`",
            "- `pkg/scheduler`: `20250618` - 18.4",
            "- pkg/controller: 77.4",
            "- `pkg/a`: October 9th 2024 - 50",
            "- `pkg/a`: 15-Jun-2022 - 50",
            "- `pkg/a`: `<66.7%>`",
        ] {
            assert!(is_coverage(line), "{line}");
        }
        for line in [
            "- `<package>`: `<date>` - `<test coverage>`",
            "- `pkg/kubelet`: TBD",
            "- `pkg/kubelet`: `2026-01-02`",
            "- `pkg/kubelet`: `20250618`",
            "- `pkg/kubelet`: June 13, 2022",
            "- `pkg/kubelet`: 2026",
            "- `kubelet`: 80%",
            "- https://example.com/a/b: 80%",
            "We aim at 80% in pkg/kubelet",
            "",
        ] {
            assert!(!is_coverage(line), "{line}");
        }
    }
}
