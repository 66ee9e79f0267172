//! What the boxes of a template ask, by their words. A box that asks for anything else, or for more, is unknown.
use crate::ready::calendar::{Check, comment_names};
use crate::ready::gate::Gate;
use crate::span::slice;

/// What a box with this text asks at a gate; `None` if that is not certain.
pub fn check(gate: Gate, text: &str) -> Option<&'static Check> {
    let words = words(&without_targets(text));
    let mut known = gate.checks().iter().filter(|check| is_asked(check, &words));
    let first = known.next()?;
    known.next().is_none().then_some(first)
}

/// Whether words ask for a check. One that is not known may ask for something else.
fn is_asked(check: &Check, words: &[String]) -> bool {
    let Check { keys, words: others, .. } = check;
    let has_keys = keys.iter().all(|keys| words.iter().any(|word| keys.contains(word)));
    let is_key = |word: &String| keys.iter().any(|keys| keys.contains(word));
    let is_known = |word: &String| {
        let mut known = comment_names().any_words.split(' ').chain(others.split(' '));
        is_key(word) || known.any(|known| known == word)
    };
    has_keys && words.iter().all(is_known)
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
                Some("questions"),
            ),
            (
                Gate::Deadline,
                "PR with [kep.yaml](https://x/questionnaire) updated with the `stage` and `milestone`",
                Some("latest-milestone"),
            ),
            (Gate::Deadline, "A PRR file that lists an approver for the stage", Some("prr")),
            (Gate::Deadline, "PR open or merged with the PRR questionnaire **not** filled out", None),
            (Gate::Deadline, "The readme lists graduation criteria.", None),
            (Gate::Enhancements, "The readme lists graduation criteria.", Some("graduation")),
            (
                Gate::Enhancements,
                "KEP readme has graduation criteria, e2e tests, a docs PR and a blog placeholder",
                None,
            ),
            (Gate::Enhancements, "There are outstanding PRs that modify the KEP readme", None),
            (Gate::Enhancements, "No open pull request changes README or kep.yaml", Some("pulls")),
            (Gate::Enhancements, "KEP status isn't `implementable` for `latest-milestone`", None),
            (Gate::Enhancements, "KEP status is `implementable` for `latest-milestone: { X }`", Some("metadata")),
            (Gate::Enhancements, "The docs PR is open", None),
            (Gate::Enhancements, "There are no PRs that modify the API", None),
            (Gate::Enhancements, "KEP readme has up-to-date graduation criteria and test plan", None),
            (Gate::Deadline, "PRR questionnaire has been approved by the PRR team", None),
            (Gate::Deadline, "kep.yaml has stage, milestone and reviewers", None),
            (Gate::Enhancements, "", None),
            (Gate::Enhancements, "PRR assigned to an approver, completed and merged", None),
        ] {
            let item = check(gate, text).and_then(|check| check.items.first()).map(String::as_str);
            assert_eq!(item, expected, "{text}");
        }
    }
}
