//! The table of the items: what the Release Team checks, each with its name, its title, its rules and a function.
use super::answer::Answer;
use super::case::Case;
use super::{approval, metadata, progress, pulls, questionnaire, readme};
use serde::Serialize;

/// Every item, in the order of reports. Which of them are asked for a release is said in `templates/releases.yaml`.
pub const ALL: &[Item] = &[
    verdict("tree", "KEP in the tree", &["missing-readme", "missing-kep-yaml"], metadata::tree),
    verdict("metadata", "valid kep.yaml", metadata::INVALID, metadata::valid),
    verdict("status", "status", &["invalid-status"], metadata::status),
    verdict("latest-milestone", "latest-milestone", &["missed-milestone"], metadata::latest_milestone),
    verdict("stage", "stage", &["invalid-stage"], metadata::stage),
    verdict("stage-milestone", "milestone of the stage", &["stage-milestone"], metadata::stage_milestone),
    verdict("prr", "PRR", approval::REVIEW, approval::review),
    verdict("node-approver", "SIG Node approver", approval::NODE, approval::node),
    verdict("toc", "table of contents", readme::TOC, readme::toc),
    verdict("signoff", "Release Signoff Checklist", &[], readme::signoff),
    verdict("pulls", "other open pull requests", &[], pulls::pulls),
    evidence("sections", "required sections", readme::UNFILLED, readme::required),
    evidence("questions", "PRR questions", &[], questionnaire::questions),
    evidence("test-plan", "test plan", progress::TESTS, progress::tests),
    evidence("graduation", "graduation criteria", progress::GRADUATION, progress::graduation),
    evidence("unresolved", "open discussions", readme::UNRESOLVED, readme::unresolved),
    evidence("gates", "feature gates", metadata::GATES, metadata::gates),
    evidence("template", "template", &[], progress::gained),
    evidence("answers", "answers since the approval", &[], questionnaire::unchanged),
    evidence("history", "implementation history", progress::HISTORY, progress::history),
    evidence("boxes", "(R) boxes", readme::BOXES, readme::boxes),
    evidence(ERRORS, "other errors", &[], |_| None),
    evidence(BOARD, "tracking board", &[], |_| None),
];

/// The items that are answered after the others.
pub const ERRORS: &str = "errors";
pub const BOARD: &str = "board";

/// What an item of another version of kep-lint is here.
pub const UNKNOWN: Item = evidence("", "", &[], |_| None);

type Check = fn(&Case<'_>) -> Option<Answer>;

const fn verdict(name: &'static str, title: &'static str, rules: &'static [&'static str], check: Check) -> Item {
    Item { name, kind: Kind::Verdict, title, rules, check }
}

const fn evidence(name: &'static str, title: &'static str, rules: &'static [&'static str], check: Check) -> Item {
    Item { name, kind: Kind::Evidence, title, rules, check }
}

pub fn item(name: &str) -> Option<&'static Item> {
    ALL.iter().find(|item| item.name == name)
}

#[derive(Serialize)]
pub struct Item {
    pub name: &'static str,
    pub kind: Kind,
    pub title: &'static str,
    /// The rules whose findings it looks at, or that find the same.
    #[serde(skip)]
    pub rules: &'static [&'static str],
    /// Answers it; `None` if it is not asked of this KEP.
    #[serde(skip)]
    pub check: Check,
}

impl Item {
    /// Whether it is answered only if more than the files of KEPs is given, or if there is something to say.
    pub fn is_optional(&self) -> bool {
        ["answers", ERRORS, BOARD].contains(&self.name)
    }
}

/// Whether an item decides if a KEP is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Verdict,
    Evidence,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ready::calendar::Family;
    use crate::rules::select::rule_named;
    use crate::stage::Release;
    use std::collections::BTreeSet;

    #[test]
    fn items_have_names_of_their_own_and_rules_that_exist() {
        let names: BTreeSet<&str> = ALL.iter().map(|item| item.name).collect();
        assert_eq!(names.len(), ALL.len());
        for rule in ALL.iter().flat_map(|item| item.rules).chain(questionnaire::RULES) {
            assert!(rule_named(rule).is_some(), "{rule}");
        }
        assert!(ALL.is_sorted_by_key(|item| item.kind), "verdict items come first");
    }

    #[test]
    fn every_item_is_asked_for_in_some_release_and_none_is_unknown() {
        let newest = Family::of(Release { major: 1, minor: 999 });
        assert!(ALL.iter().all(|item| newest.asks(item.name) || newest.by_hand.contains_key(item.name)));
        assert!(
            newest.items.iter().chain(newest.by_hand.keys()).all(|name| ALL.iter().any(|item| item.name == name)),
            "{newest:?}"
        );
    }
}
