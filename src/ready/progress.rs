//! Evidence about the stage: its graduation criteria, its entry in the implementation history, the headings that the template
//! got, and the test plan with coverage and links.
use super::answer::{Answer, Detail, State};
use super::calendar::came_before;
use super::case::Case;
use super::readme::without_readme;
use crate::diagnostic::counted;
use crate::gap::acknowledgment::Acknowledgment;
use crate::gap::answer::{names_release, names_stage};
use crate::gap::criteria::{Criteria, names_any};
use crate::markdown::checkbox;
use crate::matching::matched::Match;
use crate::rules::context::Readme;
use crate::stage::{Release, Stage};
use crate::template::TemplateId;
use crate::template::role::SectionRole;
use crate::yaml::date::MONTHS;
use std::ops::Range;

/// The rule that finds graduation criteria that are only for other stages.
pub const GRADUATION: &[&str] = &["missing-graduation-stage"];

pub const HISTORY: &[&str] = &["stale-history"];

pub fn graduation(case: &Case<'_>) -> Option<Answer> {
    let id = case.ctx.template.with_role(SectionRole::GraduationCriteria)?;
    let (readme, place) = match filled(case, id) {
        Ok(filled) => filled,
        Err(answer) => return Some(*answer),
    };
    let Some(stage) = case.ask.stage else { return Some(Answer::look("there is no stage to compare with")) };
    let at = case.place(readme.span(place.heading.clone()));
    if let Some(finding) = case.found(GRADUATION).next() {
        let detail = case.detail(finding);
        return Some(Answer::not_met(format!("they name other stages, not {stage}")).at(at).with([detail]));
    }
    Some(match Criteria::of(readme.document, place.subtree.clone(), case.ctx.template, stage) {
        Criteria::Filled => Answer::met(format!("they name {stage}")).at(at),
        Criteria::Open(part, _) => {
            let line = case.place(readme.span(part.line));
            Answer::not_met(format!("those for {stage} are not filled in")).at(line)
        }
        Criteria::None => Answer::look(perhaps(&readme.words(place), stage)).at(at),
    })
}

/// The words about criteria without a part for the stage. The rule also reads later headings such as `## GA`.
fn perhaps(words: &str, stage: Stage) -> String {
    if names_stage(words, stage) {
        format!("they mention {stage}, but have no part for it")
    } else if names_any(words) || stage.is_removal() {
        format!("perhaps they are not about {stage}")
    } else {
        "they name no stage".to_owned()
    }
}

/// The history names the stage or the release, as far as the rule asks for that.
pub fn history(case: &Case<'_>) -> Option<Answer> {
    let id = case.ctx.template.with_role(SectionRole::History)?;
    let (readme, place) = match filled(case, id) {
        Ok(filled) => filled,
        // Nothing is against the KEP before the template requires a history.
        Err(answer) if case.ctx.readme.is_some() && !case.is_required(id) => {
            return Some(Answer { state: State::Look, ..*answer });
        }
        Err(answer) => return Some(*answer),
    };
    let at = case.place(readme.span(place.heading.clone()));
    let Some(stage) = case.ask.stage else { return Some(Answer::look("there is no stage to compare with").at(at)) };
    if let Some(finding) = case.found(HISTORY).next() {
        let words = format!("it names neither {stage} nor its release");
        return Some(Answer::not_met(words).at(at).with([case.detail(finding)]));
    }
    let text = readme.words(place);
    Some(if names_release(&text, case.ask.release) {
        Answer::met(format!("it names {}", case.ask.release)).at(at)
    } else if names_stage(&text, stage) {
        Answer::met(format!("it names {stage}")).at(at)
    } else {
        Answer::met("it is filled in").at(at)
    })
}

/// Where the section `id` is; else the answer that it is missing, or not filled in.
fn filled<'a>(case: &Case<'a>, id: TemplateId) -> Result<(Readme<'a>, &'a Match), Box<Answer>> {
    let readme = case.ctx.readme.ok_or_else(|| without_readme(case))?;
    let missing = || Answer::not_met("the section is missing").at(case.place(readme.top()));
    let place = readme.matching().place(id).ok_or_else(missing)?;
    let at = case.place(readme.span(place.heading.clone()));
    let empty = || Answer::not_met("the section is not filled in").at(at);
    Ok((readme, readme.filled(id).ok_or_else(empty)?))
}

/// The KEP has the headings that the template got up to the release. Its newest one tells which template it took.
pub fn gained(case: &Case<'_>) -> Option<Answer> {
    let template = case.ctx.template;
    let came_in = |id: TemplateId| {
        let required = template.directive(template.get(id).source)?.since?;
        Some(came_before(case.title(id)).unwrap_or(required))
    };
    let dated: Vec<(TemplateId, Release)> = template.iter().filter_map(|(id, _)| Some((id, came_in(id)?))).collect();
    if dated.is_empty() || !case.ctx.target.has_since {
        return None;
    }
    let Some(readme) = case.ctx.readme else { return Some(without_readme(case)) };
    let top = case.place(readme.top());
    let known = dated.iter().filter(|(_, since)| *since <= case.ask.release);
    let taken = known.filter(|(id, _)| readme.matching().place(*id).is_some()).map(|(_, since)| *since).max();
    let Some(taken) = taken else {
        return Some(Answer::not_met("the README has no heading of the template").at(top));
    };
    let is_newer = |(_, since): &&(TemplateId, Release)| *since > taken && *since <= case.ask.release;
    let gained: Vec<&(TemplateId, Release)> = dated.iter().filter(is_newer).collect();
    if gained.is_empty() {
        return Some(Answer::met(format!("nothing new since {taken}")).at(top));
    }
    let detail = |(id, since): &&(TemplateId, Release)| {
        let required = template.directive(template.get(*id).source).filter(|directive| directive.is_required());
        let from = match required.map(|directive| directive.stage) {
            None => "optional".to_owned(),
            Some(None) => "required in every KEP".to_owned(),
            Some(Some(stage)) => format!("required from {stage}"),
        };
        Detail {
            chapter: template.path(*id).into_iter().next(),
            count: 1,
            words: format!("`{}` ({since}, {from})", case.title(*id)),
            ..Detail::default()
        }
    };
    let newer = format!("{} newer than {taken}", counted(gained.len(), "heading is", "headings are"));
    let answer = if gained.iter().any(|(id, _)| case.is_required(*id)) {
        let name = case.ctx.kep.number().unwrap_or(&case.ctx.kep.texts.directory);
        Answer::look(format!("{newer}: `kep-lint upgrade {name}` adds what is missing"))
    } else {
        Answer::met(format!("{newer}, none is required yet"))
    };
    Some(answer.at(top).with(gained.iter().map(detail)))
}

pub const TESTS: &[&str] = &["unacknowledged-test-plan", "unlinked-tests"];

/// The test plan is filled in and acknowledged; unit tests have their coverage, and other tests links.
pub fn tests(case: &Case<'_>) -> Option<Answer> {
    let id = case.ctx.template.with_role(SectionRole::TestPlan)?;
    let Some(readme) = case.ctx.readme else { return Some(without_readme(case)) };
    let Some(place) = readme.matching().place(id) else {
        return Some(Answer::not_met("the section is missing").at(case.place(readme.top())));
    };
    let at = case.place(readme.span(place.heading.clone()));
    let details = |rule| case.found(rule).map(|finding| case.detail(finding)).collect::<Vec<Detail>>();
    let (unacknowledged, unlinked) = (details(&["unacknowledged-test-plan"]), details(&["unlinked-tests"]));
    let is_refused = !unacknowledged.is_empty();
    let is_acknowledged =
        !is_refused && Acknowledgment::of(readme.document, place.subtree.clone()) == Acknowledgment::Checked;
    let coverage = coverage(readme, place.subtree.clone());
    let covered = match coverage {
        0 => "no unit test coverage".to_owned(),
        lines => counted(lines, "line of coverage", "lines of coverage"),
    };
    let is_incomplete = case.gap(id).is_some();
    let words = [
        (is_incomplete, "incomplete"),
        (is_refused, "not acknowledged"),
        (is_acknowledged, "acknowledged"),
        (true, &covered),
        (!unlinked.is_empty(), "tests without links"),
    ];
    let words = words.into_iter().filter(|(is_so, _)| *is_so).map(|(_, words)| words);
    let state = match (is_incomplete || is_refused, coverage == 0 || !unlinked.is_empty()) {
        (true, _) => State::NotMet,
        (false, true) => State::Look,
        (false, false) => State::Met,
    };
    Some(
        Answer::new(state, words.collect::<Vec<_>>().join(", "))
            .at(at)
            .with(unacknowledged.into_iter().chain(unlinked)),
    )
}

/// How many lines of `range` say how much of a package unit tests cover: `` `pkg/a`: `2026-01-02` - `80%` ``.
fn coverage(readme: Readme<'_>, range: Range<usize>) -> usize {
    readme.visible_spans(range).filter(|line| is_coverage(readme.slice(line.clone()))).count()
}

/// Whether a line names a package, and after it nothing but a percentage, or a date and a number.
fn is_coverage(line: &str) -> bool {
    let line =
        line.trim_start_matches(|mark: char| mark.is_ascii_digit() || mark.is_whitespace() || ".-*+|".contains(mark));
    let line = checkbox::at_start(line).map_or(line, |boxed| boxed.rest);
    let line = line.trim_start_matches(|mark: char| mark.is_whitespace() || "`*".contains(mark));
    let end = line.find(|letter: char| letter.is_whitespace() || "`:|".contains(letter)).unwrap_or(line.len());
    let (package, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    let is_package = package.contains('/') && !package.contains("//") && !package.contains('<');
    is_package && !package.split('/').all(is_month) && is_measured(rest)
}

/// Whether the text has a percentage that was measured, or one number after a date.
fn is_measured(text: &str) -> bool {
    let words = text.split(|letter: char| letter.is_whitespace() || "`:|,;()[]<>~=".contains(letter));
    let words = words.map(|word| word.trim_matches(['-', '–', '*'])).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let word = |index: usize| words.get(index).copied().unwrap_or_default();
    let is_marked = |index: usize| word(index).ends_with('%') || word(index + 1) == "%";
    match (0..words.len()).find(|index| is_marked(*index) && is_percentage(word(*index).trim_end_matches('%'))) {
        Some(index) => !words.iter().take(index).any(|earlier| is_plan(earlier)),
        None => {
            let other = (0..words.len())
                .find(|index| !is_of_date(word(*index), index.checked_sub(1).map(word), Some(word(index + 1))));
            // What is counted is no percentage: `3 tests`.
            other.is_some_and(|index| is_percentage(word(index)) && !word(index + 1).starts_with(char::is_alphabetic))
        }
    }
}

fn is_percentage(word: &str) -> bool {
    word.parse::<f32>().is_ok_and(|number| (0.0..=100.0).contains(&number))
}

fn is_plan(word: &str) -> bool {
    const PLANS: [&str; 11] =
        ["aim", "expected", "goal", "least", "plan", "planned", "should", "target", "tbd", "todo", "will"];
    PLANS.iter().any(|plan| word.eq_ignore_ascii_case(plan))
}

/// Whether a word is a date or a part of one: `2026-01-02`, `20260102`, `15-Jun-2022`, `June 13, 2022`, `9th`.
fn is_of_date(word: &str, before: Option<&str>, next: Option<&str>) -> bool {
    const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
    let is_whole = parts.len() == 3 && parts.iter().all(|part| is_digits(part) || is_month(part));
    let is_day = word.len() == 8 && is_digits(word);
    let is_year = word.len() == 4 && is_digits(word);
    let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end));
    let is_weekday = DAYS.iter().any(|day| word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(day)));
    let is_near_month = before.is_some_and(is_month) || next.is_some_and(is_month);
    let is_number_of_day = (ordinal.is_some_and(is_digits) || word.len() <= 2 && is_digits(word)) && is_near_month;
    is_whole || is_day || is_year || is_month(word) || is_weekday || is_number_of_day
}

/// Whether a word is the name of a month, or at least three letters of one.
fn is_month(word: &str) -> bool {
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
            "1. pkg/a: 2026-01-02 - 80%",
            "- `pkg/a`: `<Thu 06 Oct 2022>` - `76.2`",
            "- `pkg/a`: `2025-01-14 JST (commit: ccd2b4e)` - `87.5% of statements`",
            "pkg/a/helpers.go:25:  HasCondition  100.0%",
            "- [x] pkg/a: 2026-01-02 - 80% (was 70%)",
            "- `k8s.io/kubernetes/pkg/kubelet`: [2025-02-11 - 70.7%](https://testgrid.k8s.io/x#y)",
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
            "- `pkg/kubelet`: TBD, at least 80%",
            "- `pkg/kubelet`: goal is 80%",
            "- `pkg/kubelet`: since 2026-01-02 3 tests",
            "- `pkg/kubelet`: 2026-01-02 3 tests",
            "Jan/Feb 2021. Beyond Feb 2021, we will need to re-evaluate testing",
            "- `kubelet`: 80%",
            "- https://example.com/a/b: 80%",
            "We aim at 80% in pkg/kubelet",
            "",
        ] {
            assert!(!is_coverage(line), "{line}");
        }
    }
}
