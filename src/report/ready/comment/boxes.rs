//! What the boxes of a template ask, by their words. A box that asks for anything else, or for more, is unknown.

use crate::ready::gate::{Check, Gate};
use crate::span::slice;

struct Known {
    check: Check,
    /// It has one of the words of each list.
    keys: &'static [&'static [&'static str]],
    /// The words that it may have beside these.
    words: &'static str,
}

/// Words that make no difference in any box.
const COMMON: &str = "a an and are as be been by can check checked for from has have here in information into is it its kep kep's keps \
     latest more must of on open opened or out pr prs process pull request requests section that the there this to up update \
     updated using via was where which with your enhancement enhancements k current please see";

const KNOWN: &[Known] = &[
    Known {
        check: Check::Questionnaire,
        keys: &[&["questionnaire"]],
        words: "prr production readiness review filled answered answers questions complete completed merged stage target \
                targeted targeting",
    },
    Known {
        check: Check::Metadata,
        keys: &[&["kep.yaml", "yaml"], &["milestone", "latest-milestone"], &["stage"]],
        words: "struct filled file set target correct fields merged",
    },
    Known {
        check: Check::Reviewer,
        keys: &[&["prr"], &["approver", "reviewer"], &["stage"], &["file"]],
        words: "production readiness review approval listed lists named names merged targeting target targeted yaml",
    },
    Known {
        check: Check::Template,
        keys: &[&["readme"], &["template"], &["merged"]],
        words: "k/enhancements repo repository sections follows uses use main master branch",
    },
    Known {
        check: Check::Status,
        keys: &[&["status"], &["implementable"], &["latest-milestone", "milestone"]],
        words: "marked set kep.yaml stable implemented after code merged need targeting will release value yaml file",
    },
    Known {
        check: Check::Graduation,
        keys: &[&["graduation"], &["criteria"]],
        words: "readme up-to-date date stage target targeted targeting detailed defined listed lists complete completed filled",
    },
    Known {
        check: Check::ReviewAsked,
        keys: &[&["prr", "production"], &["assigned", "requested"], &["approver", "reviewer"]],
        words: "readiness review submitted approval asked stage",
    },
    Known {
        check: Check::ReviewDone,
        keys: &[&["prr", "production"], &["merged"], &["completed", "approved", "complete", "done"]],
        words: "readiness review k/enhancements repo repository file stage",
    },
    Known {
        check: Check::PullRequests,
        keys: &[
            &["no"],
            &["pr", "prs", "pull"],
            &["modify", "modifies", "change", "changes", "touch"],
            &["readme", "kep.yaml"],
        ],
        words: "outstanding unmerged other readme kep.yaml file files yaml",
    },
];

/// What a box with this text asks at a gate; `None` if that is not certain.
pub fn check(gate: Gate, text: &str) -> Option<Check> {
    let words = words(&without_targets(text));
    let mut known = KNOWN.iter().filter(|known| gate.checks().contains(&known.check) && known.is(&words));
    let first = known.next()?;
    known.next().is_none().then_some(first.check)
}

impl Known {
    fn is(&self, words: &[String]) -> bool {
        let is_key = |word: &str| self.keys.iter().any(|keys| keys.contains(&word));
        let has_keys = self.keys.iter().all(|keys| words.iter().any(|word| keys.contains(&word.as_str())));
        let is_expected = |word: &str| {
            is_key(word) || [COMMON, self.words].iter().any(|list| list.split(' ').any(|known| known == word))
        };
        let others: Vec<&str> = words.iter().map(String::as_str).filter(|word| !is_expected(word)).collect();
        // A word that is not known may ask for something else.
        has_keys && others.is_empty()
    }
}

/// The words of a text, in lower case. Those of a name in code, such as `latest-milestone`, stay together.
fn words(text: &str) -> Vec<String> {
    let is_apart = |letter: char| !(letter.is_alphanumeric() || "-./'{}".contains(letter));
    let lower = text.to_lowercase().replace('’', "'");
    let trimmed = lower.split(is_apart).map(|word| word.trim_matches(['-', '.', '/', '\'']));
    // What is filled in is neither known nor unknown.
    let words = trimmed.filter(|word| !word.is_empty() && !word.contains(['{', '}']));
    let is_release = |word: &str| word.strip_prefix("v1.").is_some_and(|minor| minor.parse::<u32>().is_ok());
    words.filter(|word| !is_release(word)).map(str::to_owned).collect()
}

/// The text without the targets of its links, and without placeholders.
fn without_targets(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("](").into_iter().chain(rest.find('{')).min() {
        let close = if slice(rest, at..).starts_with('{') { '}' } else { ')' };
        let Some(end) = slice(rest, at..).find(close) else { break };
        kept += slice(rest, ..at);
        kept.push(' ');
        rest = slice(rest, at + end + 1..);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_known_by_their_words() {
        for (gate, text, expected) in [
            (
                Gate::Deadline,
                "An open or merged PR has the PRR questionnaire filled in for the target stage",
                Some(Check::Questionnaire),
            ),
            (
                Gate::Deadline,
                "PR with [kep.yaml](https://x/questionnaire) updated with the `stage` and `milestone`",
                Some(Check::Metadata),
            ),
            (Gate::Deadline, "A PRR file that lists an approver for the stage", Some(Check::Reviewer)),
            (Gate::Deadline, "PR open or merged with the PRR questionnaire **not** filled out", None),
            (Gate::Deadline, "The readme lists graduation criteria.", None),
            (Gate::Enhancements, "The readme lists graduation criteria.", Some(Check::Graduation)),
            (
                Gate::Enhancements,
                "KEP readme has graduation criteria, e2e tests, a docs PR and a blog placeholder",
                None,
            ),
            (Gate::Enhancements, "There are outstanding PRs that modify the KEP readme", None),
            (Gate::Enhancements, "No open pull request changes README or kep.yaml", Some(Check::PullRequests)),
            (Gate::Enhancements, "KEP status isn't `implementable` for `latest-milestone`", None),
            (Gate::Enhancements, "KEP status is `implementable` for `latest-milestone: { X }`", Some(Check::Status)),
            (Gate::Enhancements, "The docs PR is open", None),
            (Gate::Enhancements, "There are no PRs that modify the API", None),
            (Gate::Enhancements, "KEP readme has up-to-date graduation criteria and test plan", None),
            (Gate::Deadline, "PRR questionnaire has been approved by the PRR team", None),
            (Gate::Deadline, "kep.yaml has stage, milestone and reviewers", None),
            (Gate::Enhancements, "", None),
            (Gate::Enhancements, "PRR assigned to an approver, completed and merged", None),
        ] {
            assert_eq!(check(gate, text), expected, "{text}");
        }
    }
}
