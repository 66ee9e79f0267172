//! What each KEP is asked, and what comes of it.

use super::arguments::ReadyArguments;
use super::asked::{AskedKep, Found};
use super::judged::Proposal;
use super::past::Past;
use super::pulls::judging::Judging;
use super::pulls::{Pulls, Subject, Version};
use super::reading::{Parsed, Reading};
use crate::diagnostic::Failure;
use crate::kep::metadata::Metadata;
use crate::kep::number;
use crate::lint::panics::caught;
use crate::lint::templates::Templates;
use crate::ready::calendar::Family;
use crate::ready::checklist::Checklist;
use crate::ready::past::Approvals;
use crate::ready::{self, Ask};
use crate::stage::release::Meant;
use crate::stage::{Release, Stage};
use crate::workspace::directory::KepDirectory;
use crate::workspace::paths::RealPath;
use crate::workspace::trees::Repositories;

pub struct Question<'a> {
    pub arguments: &'a ReadyArguments,
    pub repositories: &'a Repositories,
    pub templates: &'a Templates<'a>,
    /// The release, unless another one is meant for a KEP.
    pub meant: Meant,
    /// What the files of a pull request are compared with.
    pub proposal: Option<&'a Proposal>,
    pub past: &'a Past<'a>,
    /// The open pull requests, if there is a list of them.
    pub pulls: Option<&'a Pulls<'a>>,
    /// The directory `keps` in which numbers are looked up.
    pub tree: Option<RealPath>,
    /// Whether the releases are those of Kubernetes.
    pub is_of_kubernetes: bool,
    /// Whether a KEP can still be merged.
    pub is_before_freeze: bool,
}

impl Question<'_> {
    pub fn judge(&self, AskedKep { found, stage, tracked, reading }: AskedKep) -> Judgement {
        let (stage, meant) = (self.arguments.stage.or(stage), self.meant);
        let mut judgement = self.judge_found(&found, stage, reading, meant);
        if let Some((checklist, tracked)) = judgement.checklist.as_mut().zip(tracked) {
            ready::track(checklist, tracked);
        }
        judgement
    }

    fn judge_found(&self, found: &Found, stage: Option<Stage>, reading: Reading, meant: Meant) -> Judgement {
        match found {
            // A list, as a directory, is about one release; a pull request is about its KEPs.
            Found::There(kep) if (kep.is_searched && self.arguments.pr.is_none()) || self.arguments.list.is_some() => {
                self.judge_with(kep, reading, stage, |_| meant)
            }
            Found::There(kep) => {
                let repository = self.repositories.of(kep);
                let of_kep = |milestone| meant.for_kep(milestone, repository.has_groups);
                self.judge_with(kep, reading, stage, of_kep)
            }
            Found::Absent { name, number } => {
                let absent = |release| {
                    let family = if self.is_of_kubernetes { Family::of(release) } else { Family::elsewhere() };
                    ready::absent(name, number.as_deref(), stage, release, family, self.is_before_freeze)
                };
                self.judge_unmerged(number.as_deref(), stage, absent).unwrap_or_else(|| Judgement {
                    checklist: Some(absent(meant.release)),
                    meant,
                    failures: vec![],
                })
            }
        }
    }

    /// Judges a KEP that is not in the tree in the pull requests that have it; `None` without a list of them.
    fn judge_unmerged(
        &self,
        number: Option<&str>,
        stage: Option<Stage>,
        absent: impl Fn(Release) -> Checklist,
    ) -> Option<Judgement> {
        let (number, tree, pulls) = (number::without_zeros(number?), self.tree.as_ref()?, self.pulls?);
        let (_, repository) = self.repositories.facts().find(|(root, _)| *root == Some(tree))?;
        let versions = pulls.versions(Subject { number, tree, merged: None, repository });
        let milestone = versions.iter().find(|version| version.kep.is_some()).and_then(Version::milestone);
        let meant = if self.arguments.list.is_some() {
            self.meant
        } else {
            self.meant.for_kep(milestone, repository.has_groups)
        };
        let template = self.templates.for_keps_of(repository);
        let (release, approvals, has_questions) = (meant.release, None, self.arguments.prr);
        let judging = Judging { pulls, repository, template, stage, release, approvals, has_questions };
        let judged = caught("judge", number, || judging.unmerged(absent(meant.release), versions));
        Some(match judged {
            Ok((checklist, failures)) => Judgement { checklist: Some(checklist), meant, failures },
            Err(failure) => Judgement { checklist: None, meant, failures: vec![failure] },
        })
    }

    /// Judges a KEP; `meant` is the release that is meant for one with this latest milestone.
    fn judge_with(
        &self,
        kep: &KepDirectory,
        reading: Reading,
        stage: Option<Stage>,
        meant: impl Fn(Option<Release>) -> Meant,
    ) -> Judgement {
        let repository = self.repositories.of(kep);
        let judged = reading.end(kep).and_then(|Parsed { kep: parsed, mut failures }| {
            caught("judge", &kep.shown, || {
                let meant = meant(parsed.metadata.as_ref().and_then(Metadata::milestone));
                let proposed = self.proposal.map(|proposal| proposal.of(kep, &parsed));
                let (past, has_questions) = (self.past.of(kep), self.arguments.prr);
                let approvals: Option<&dyn Approvals> = Some(&past);
                let (release, template) = (meant.release, self.templates.for_keps_of(repository));
                let checklist = match self.pulls.zip(number::of_directory(&kep.name)).zip(kep.tree()) {
                    Some(((pulls, number), (tree, _))) => {
                        let versions =
                            pulls.versions(Subject { number, tree, merged: Some(&parsed.texts), repository });
                        let judging = Judging { pulls, repository, template, stage, release, approvals, has_questions };
                        let (checklist, unread) = judging.merged(parsed, proposed.as_ref(), versions);
                        failures.extend(unread);
                        checklist
                    }
                    None => {
                        let proposed = proposed.as_ref();
                        let ask = Ask { stage, release, proposed, open: None, approvals, has_questions };
                        ready::judge(parsed, template, repository, ask)
                    }
                };
                Judgement { checklist: Some(checklist), meant, failures }
            })
        });
        judged.unwrap_or_else(|failure| Judgement { checklist: None, meant: meant(None), failures: vec![failure] })
    }
}

pub struct Judgement {
    pub checklist: Option<Checklist>,
    pub meant: Meant,
    /// What could not be read or done.
    pub failures: Vec<Failure>,
}
