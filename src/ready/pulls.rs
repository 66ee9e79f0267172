//! The item about open pull requests: the Release Team asks that none changes the README or kep.yaml.
use super::answer::Answer;
use super::case::{Case, Open};
use crate::diagnostic::counted;

const NAMED: usize = 3;

/// No other open pull request changes the README or kep.yaml. It is only asked if somebody gave a list of them.
pub fn pulls(case: &Case<'_>) -> Option<Answer> {
    Some(judge(&case.ask.open?))
}

pub fn judge(open: &Open<'_>) -> Answer {
    let is_other = |number: u64| open.own != Some(number);
    let others = open.pulls.iter().filter(|(number, _)| is_other(*number));
    let changing: Vec<String> = others.filter_map(|(_, changes)| changes.clone()).collect();
    if !changing.is_empty() {
        return Answer::not_met(named(&changing, "; "));
    }
    let unclear = open.unclear.iter().filter(|number| is_other(**number)).map(|number| format!("#{number}"));
    let unclear: Vec<String> = unclear.collect();
    if !unclear.is_empty() {
        let change = if unclear.len() == 1 { "changes" } else { "change" };
        return Answer::look(format!("{} {change} more files than the list has", named(&unclear, ", ")));
    }
    let (other, only) = if open.own.is_some() { ("other ", "other") } else { ("", "only") };
    let words = match open.count.saturating_sub(usize::from(open.own.is_some())) {
        0 => format!("there is no {other}open one"),
        1 => format!("the {only} open one does not change its README or kep.yaml"),
        count => format!("none of the {count} {other}open ones changes its README or kep.yaml"),
    };
    // A list that may be cut does not tell.
    if open.is_cut { Answer::look(format!("{words}, but the list may be cut")) } else { Answer::met(words) }
}

fn named(all: &[String], separator: &str) -> String {
    let first = all.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(separator);
    match all.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first}{separator}and {}", counted(more, "other", "others")),
    }
}

/// What the item about the tree says of a KEP that is not there, and in no pull request that could be judged.
pub fn absent(open: &Open<'_>) -> Answer {
    let numbers: Vec<String> = open.pulls.iter().map(|(number, _)| format!("#{number}")).collect();
    Answer::not_met(match (numbers.is_empty(), open.is_cut || !open.unclear.is_empty()) {
        (false, _) => format!("not in the tree; {} may have it, but could not be judged", named(&numbers, ", ")),
        (true, true) => "not in the tree; a pull request that the list does not show may have it".to_owned(),
        (true, false) => "not in the tree, and in no open pull request".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ready::answer::State;
    use crate::ready::checklist::Pull;

    /// The answer about pull requests of these numbers that change these files.
    fn answer(pulls: &[(u64, &[&str])], own: Option<u64>, unclear: &[u64], is_cut: bool) -> (State, String) {
        let pull = |(number, names): &(u64, &[&str])| Pull {
            number: *number,
            author: Some("ann".to_owned()),
            is_draft: *number == 2,
            files: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Pull::default()
        };
        let pulls: Vec<(u64, Option<String>)> = pulls.iter().map(|it| (it.0, pull(it).changes())).collect();
        let Answer { state, words, .. } = judge(&Open { pulls: &pulls, own, unclear, count: 9, is_cut });
        (state, words)
    }

    #[test]
    fn another_pull_request_that_changes_the_kep_is_named() {
        let pulls: [(u64, &[&str]); 3] =
            [(1, &["README.md", "kep.yaml"]), (2, &["kep.yaml"]), (3, &["docs/README.md"])];
        let both = "#1 by `ann` changes README.md and kep.yaml; #2 (a draft) by `ann` changes kep.yaml";
        assert_eq!(answer(&pulls, None, &[], false), (State::NotMet, both.to_owned()));
        let (state, words) = answer(&pulls[1..], Some(2), &[], false);
        assert_eq!(
            (state, words.as_str()),
            (State::Met, "none of the 8 other open ones changes its README or kep.yaml")
        );
        let many: Vec<(u64, &[&str])> = (10..15).map(|number| (number, ["README.md"].as_slice())).collect();
        assert!(answer(&many, None, &[], false).1.ends_with("#12 by `ann` changes README.md; and 2 others"));
    }

    #[test]
    fn what_the_list_does_not_tell_is_to_be_looked_at() {
        let pulls: [(u64, &[&str]); 1] = [(3, &["docs/README.md"])];
        let met = "none of the 9 open ones changes its README or kep.yaml".to_owned();
        assert_eq!(answer(&pulls, None, &[], false), (State::Met, met.clone()));
        assert_eq!(answer(&pulls, None, &[], true), (State::Look, format!("{met}, but the list may be cut")));
        let unclear = "#7 changes more files than the list has".to_owned();
        assert_eq!(answer(&pulls, None, &[7], false), (State::Look, unclear));
        assert_eq!(answer(&pulls, Some(7), &[7], false).0, State::Met);
    }
}
