//! What was not opened is not missing: the page says what it lacks, and no finding is about that.

use super::place::{Files, METADATA, Place, README, REVIEW};
use crate::diagnostic::{Diagnostic, Severity, brief};
use crate::kep::metadata::Metadata;
use crate::lint::Run;
use crate::ready::answer::Answer;
use crate::ready::checklist::Entry;
use crate::repository::facts::Facts;
use crate::rules::select::rule_named;
use crate::span::FileId;
use crate::stage::Phase;
use serde_json::{Value, json};

/// The role of a file that has no pane before it is opened.
const OWNERS: &str = "OWNERS";

/// How the message ends that asks for a file beside kep.yaml.
const NO_OWNERS: &str = "but there is no OWNERS file";

/// How the help begins for a feature gate that no KEP is known to have.
const ADD_GATE: &str = "add it to `feature-gates` in kep.yaml";

/// Which files of a KEP nobody knows, because they were neither opened nor are among the facts.
#[derive(Clone, Copy, Default)]
pub struct Absent {
    readme: bool,
    metadata: bool,
    pub review: bool,
    /// Whether kep.yaml asks for a PRR file.
    needs_review: bool,
    owners: bool,
    /// Neither the directory nor the number is more than a guess.
    directory: bool,
    number: bool,
    /// Without a status and a stage, nobody knows what the README needs.
    pub target: bool,
    /// The other KEPs of the repository.
    others: bool,
}

impl Absent {
    /// Those of a page that asks about `stage`, or about that of kep.yaml.
    pub fn of(files: &Files, place: &Place, stage: Option<&str>, facts: Option<&Facts>) -> Self {
        // Of a KEP that is among the facts, they tell which files it has.
        if !place.is_guess && facts.is_some_and(|facts| facts.written.keps.contains_key(&place.directory)) {
            return Self::default();
        }
        let is_owners = |path: &String| path.rsplit('/').next() == Some(OWNERS);
        let needs_review = |text: &String| Metadata::parse(FileId(0), text).needs_review();
        Self {
            readme: files.readme.is_none(),
            metadata: files.metadata.is_none(),
            review: files.review.is_none(),
            needs_review: files.metadata.as_ref().is_some_and(needs_review),
            owners: !files.others.keys().any(is_owners),
            directory: place.is_guess,
            number: !place.has_number,
            target: files.metadata.is_none() && stage.unwrap_or_default().is_empty(),
            others: facts.is_none(),
        }
    }

    /// Leaves out what nobody knows; returns what the page lacks for it.
    pub fn leave_out(self, run: &mut Run) -> Vec<Value> {
        let mut needs_owners = false;
        for report in &mut run.reports {
            needs_owners |= report.diagnostics.iter().any(|finding| self.owners && lacks_owners(finding));
            report.diagnostics.retain_mut(|finding| self.keeps(finding));
        }
        let of_any = "only what every README needs is checked; kep.yaml, or a stage above, tells what this one needs";
        let lacks = [
            (self.readme, README, "README.md", None),
            (self.metadata, METADATA, "kep.yaml", self.target.then_some(of_any)),
            (self.review && self.needs_review, REVIEW, "the PRR file", None),
            (needs_owners, OWNERS, OWNERS, None),
        ];
        let lacks = lacks.into_iter().filter(|(is_lacking, ..)| *is_lacking);
        lacks.map(|(_, role, name, why)| json!({ "role": role, "name": name, "why": why })).collect()
    }

    /// Whether a finding is about what is known. One that depends on the status has the lowest severity that
    /// it may have.
    fn keeps(self, finding: &mut Diagnostic) -> bool {
        let is_about_absent = match finding.rule {
            "missing-kep-yaml" => self.metadata,
            "missing-readme" => self.readme,
            "node-approver" => self.owners && lacks_owners(finding),
            "unnumbered-title" => self.number,
            "placeholder-value" => self.directory && finding.message.starts_with("the directory is "),
            _ => false,
        };
        if is_about_absent {
            return false;
        }
        if self.directory && finding.rule == "bad-title" {
            finding.message = finding.message.replace("but the directory is", "but `kep-number` is");
        }
        let is_gate = finding.rule == "feature-gate-mismatch";
        let may_be_of_another_kep = is_gate && finding.help.as_deref().is_some_and(|help| help.starts_with(ADD_GATE));
        if self.others && may_be_of_another_kep {
            finding.severity = finding.severity.min(Severity::Advice);
        }
        let Some(rule) = rule_named(finding.rule).filter(|_| self.target) else { return true };
        if rule.is_gap {
            return false;
        }
        let lowest = rule.severity.at(Phase::Provisional).min(rule.severity.at(Phase::Implemented)).severity();
        finding.severity = lowest.map_or(finding.severity, |lowest| finding.severity.min(lowest));
        lowest.is_some()
    }

    /// Says of an item that it is not known here, if the answer is about what was not opened.
    pub fn answer(self, entry: &mut Entry) {
        let words = entry.answer.words.as_str();
        let lacks = match entry.item.name {
            "tree" if self.directory => "the directory of the KEP",
            "prr" if self.review && words == "the PRR files are not known here" => "the PRR file",
            "node-approver" if self.owners && words.ends_with(NO_OWNERS) => OWNERS,
            _ if self.readme && words == "README.md is missing" => "README.md",
            _ if self.metadata && WITHOUT_METADATA.contains(&words) => "kep.yaml",
            _ => return,
        };
        entry.answer = Answer::look(format!("not known here: {} is not open", brief(lacks)));
    }
}

const WITHOUT_METADATA: [&str; 3] =
    ["kep.yaml is missing", "without a kep.yaml, its PRR file is not known", "there is no stage to be approved"];

fn lacks_owners(finding: &Diagnostic) -> bool {
    finding.rule == "node-approver" && finding.message.ends_with(NO_OWNERS)
}
