//! Evidence about tests: the acknowledgment of the test plan, the coverage of unit tests, and links to tests.

use super::answer::{Answer, Detail, State};
use super::case::Case;
use super::readme::without_readme;
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
    // Without a stage in kep.yaml, the rule does not ask.
    let is_asked = case.metadata().is_some_and(|metadata| metadata.stage().is_some());
    if !acknowledged.is_empty() {
        state = State::NotMet;
        words.push("not acknowledged".to_owned());
    } else if is_asked && state == State::Met {
        words.push("acknowledged".to_owned());
    } else if state == State::Met {
        state = State::Look;
        words.push("kep.yaml has no stage".to_owned());
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

/// Whether a line names a package, and after it a date and a number, or a percentage.
fn is_coverage(line: &str) -> bool {
    let line = line.trim_start_matches(|mark: char| mark.is_whitespace() || "-*+|`".contains(mark));
    let end = line.find(|letter: char| letter.is_whitespace() || "`:|".contains(letter)).unwrap_or(line.len());
    let (package, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    let is_package = package.contains('/') && !package.contains("//") && !package.contains('<');
    is_package && (has_percentage(rest) || has_date_and_number(rest))
}

fn has_percentage(text: &str) -> bool {
    text.match_indices('%').any(|(at, _)| slice(text, ..at).trim_end().ends_with(|last: char| last.is_ascii_digit()))
}

fn has_date_and_number(text: &str) -> bool {
    let words = text.split(|letter: char| letter.is_whitespace() || "`:|,;()".contains(letter));
    let is_number = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_digit())
            && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let is_date = |word: &str| {
        let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
        parts.len() == 3 && parts.into_iter().all(is_number)
    };
    let (dates, others): (Vec<&str>, Vec<&str>) =
        words.filter(|word| is_date(word) || is_number(word)).partition(|word| is_date(word));
    !dates.is_empty() && !others.is_empty()
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
        ] {
            assert!(is_coverage(line), "{line}");
        }
        for line in [
            "- `<package>`: `<date>` - `<test coverage>`",
            "- `pkg/kubelet`: TBD",
            "- `pkg/kubelet`: `2026-01-02`",
            "- `kubelet`: 80%",
            "- https://example.com/a/b: 80%",
            "We aim at 80% in pkg/kubelet",
            "",
        ] {
            assert!(!is_coverage(line), "{line}");
        }
    }
}
