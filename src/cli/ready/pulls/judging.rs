//! The checklist of a KEP together with those of its open pull requests.

use super::{Pulls, Version};
use crate::diagnostic::Failure;
use crate::kep::Kep;
use crate::kep::metadata::Metadata;
use crate::ready::answer::Answer;
use crate::ready::checklist::{Checklist, Pull};
use crate::ready::open::OpenPull;
use crate::ready::past::Approvals;
use crate::ready::proposed::Proposed;
use crate::ready::pulls::{absent, only_in};
use crate::ready::{self, Ask};
use crate::repository::Repository;
use crate::stage::{Release, Stage};
use crate::template::Template;

/// How a KEP and its versions are judged.
pub struct Judging<'a> {
    pub pulls: &'a Pulls<'a>,
    pub repository: &'a Repository,
    pub template: &'a Template,
    /// The stage that is asked about, if somebody names it.
    pub stage: Option<Stage>,
    pub release: Release,
    pub approvals: Option<&'a dyn Approvals>,
    /// Whether the questions of the PRR questionnaire are wanted.
    pub has_questions: bool,
}

impl Judging<'_> {
    /// The checklist of a KEP that is in the tree, and what could not be read of its `versions`.
    pub fn merged(&self, kep: Kep, proposed: Option<&Proposed>, versions: Vec<Version>) -> (Checklist, Vec<Failure>) {
        let milestone = kep.metadata.as_ref().and_then(Metadata::milestone);
        // Who plans a KEP for the release in a pull request asks about the stage that is planned there.
        let planned = || versions.iter().find(|version| version.milestone() == Some(self.release))?.stage();
        let is_planned = milestone == Some(self.release);
        let stage = self.stage.or_else(|| if is_planned { None } else { planned() });
        let (pulls, failures) = self.versions(versions);
        let others: Vec<OpenPull<'_>> = pulls.iter().map(Pull::as_open).collect();
        let open = Some(self.pulls.open(&others, None));
        let Self { release, approvals, has_questions, .. } = *self;
        let ask = Ask { stage, release, proposed, open, approvals, has_questions };
        let checklist = ready::judge(kep, self.template, self.repository, ask);
        (Checklist { pulls: Some(pulls), ..checklist }, failures)
    }

    /// The same for a KEP that is not in the tree: as it is in the pull request that was updated last, or `missing` if no
    /// pull request can be judged.
    pub fn unmerged(&self, missing: Checklist, versions: Vec<Version>) -> (Checklist, Vec<Failure>) {
        let (pulls, failures) = self.versions(versions);
        let newest = pulls.iter().find_map(|pull| Some((pull.number, pull.checklist.as_deref()?.clone())));
        let (mut checklist, answer) = match newest {
            Some((number, checklist)) => (checklist, only_in(number)),
            None => {
                let others: Vec<OpenPull<'_>> = pulls.iter().map(Pull::as_open).collect();
                (missing, absent(&self.pulls.open(&others, None)))
            }
        };
        let tree = checklist.entries.iter_mut().find(|entry| entry.item.name == "tree");
        if let Some(entry) = tree {
            entry.answer = Answer { place: entry.answer.place.take(), ..answer };
        }
        (Checklist { pulls: Some(pulls), ..checklist }, failures)
    }

    fn versions(&self, versions: Vec<Version>) -> (Vec<Pull>, Vec<Failure>) {
        let (pulls, contents): (Vec<Pull>, Vec<_>) = versions
            .into_iter()
            .map(|Version { pull, kep, proposed, failures }| (pull, (kep, proposed, failures)))
            .unzip();
        let others: Vec<OpenPull<'_>> = pulls.iter().map(Pull::as_open).collect();
        let mut failures = Vec::new();
        let judged = pulls.iter().zip(contents).map(|(pull, (kep, proposed, own))| {
            failures.extend(own);
            let open = Some(self.pulls.open(&others, Some(pull.number)));
            let ask = Ask { proposed: Some(&proposed), open, ..Ask::merged(self.stage, self.release) };
            let checklist = kep.map(|kep| Box::new(ready::judge(kep, self.template, self.repository, ask)));
            Pull { checklist, ..pull.clone() }
        });
        (judged.collect(), failures)
    }
}

impl Version {
    /// Its latest milestone, if it is here.
    pub fn milestone(&self) -> Option<Release> {
        self.metadata()?.milestone()
    }

    fn stage(&self) -> Option<Stage> {
        self.metadata()?.stage()
    }

    fn metadata(&self) -> Option<&Metadata> {
        self.kep.as_ref()?.metadata.as_ref()
    }
}
