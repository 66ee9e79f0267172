//! Judges each KEP that is asked about, with the versions of it that open pull requests have.
use super::asked::{AskedKep, Found};
use super::past::Past;
use super::pulls::{Pulls, Subject, Version};
use super::question::Question;
use crate::diagnostic::Failure;
use crate::kep::metadata::Metadata;
use crate::kep::{Kep, number};
use crate::lint::panics::caught;
use crate::lint::templates::Templates;
use crate::ready::answer::Answer;
use crate::ready::calendar::Family;
use crate::ready::checklist::{Checklist, Pull};
use crate::ready::pulls::{absent, only_in};
use crate::ready::status::Strictness;
use crate::ready::tracked::Tracked;
use crate::ready::{self, Ask};
use crate::repository::Repository;
use crate::stage::release::{Meant, OnDay, Reason};
use crate::stage::{Release, Stage};
use crate::workspace::directory::KepDirectory;
use crate::workspace::kep_files::{KepTexts, read_kep};
use crate::workspace::paths::RealPath;
use crate::workspace::trees::Repositories;

/// What was read before KEPs are judged.
pub struct Judging<'a> {
    pub question: &'a Question,
    pub repositories: &'a Repositories,
    pub templates: &'a Templates<'a>,
    /// The release, unless another one is meant for a KEP.
    pub meant: Meant,
    /// What the days of the releases say of today, if the question is about one KEP on disk.
    pub today: Option<OnDay>,
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

pub struct Judgement {
    pub checklist: Option<Checklist>,
    pub meant: Meant,
    /// What could not be read or done.
    pub failures: Vec<Failure>,
}

impl Judging<'_> {
    pub fn judge(&self, AskedKep { found, stage, tracked }: AskedKep) -> Judgement {
        let stage = self.question.arguments.stage.or(stage);
        let listed = tracked.as_ref().and_then(Tracked::release);
        let judged = match &found {
            Found::There(kep) => caught("judge", &kep.shown, || self.there(kep, stage, listed)),
            Found::Absent { name, number } => {
                caught("judge", name, || self.absent(name, number.as_deref(), stage, listed))
            }
        };
        match judged {
            Ok(mut judgement) => {
                if let Some(tracked) = tracked {
                    judgement.checklist = judgement.checklist.map(|checklist| ready::track(checklist, tracked));
                }
                judgement
            }
            Err(failure) => Judgement { checklist: None, meant: self.meant, failures: vec![failure] },
        }
    }

    fn ask(&self, stage: Option<Stage>, release: Release) -> Ask<'_> {
        let strictness = if self.question.arguments.strict { Strictness::Evidence } else { Strictness::Verdict };
        Ask { strictness, has_questions: self.question.arguments.prr, ..Ask::merged(stage, release) }
    }

    /// The release for a KEP with this latest milestone that is named, in a list or by a pull request.
    fn meant_for(&self, milestone: Option<Release>, listed: Option<Release>) -> Meant {
        let of_kep = self.meant.for_kep(milestone, Reason::Kep);
        let of_list = self.meant.for_kep(listed, Reason::List);
        if of_list.release > of_kep.release { of_list } else { of_kep }
    }

    fn there(&self, directory: &KepDirectory, stage: Option<Stage>, listed: Option<Release>) -> Judgement {
        let KepTexts { texts, mut failures, .. } = read_kep(directory);
        let kep = Kep::parse(texts);
        let repository = self.repositories.of(directory);
        let template = self.templates.for_keps_of(repository);
        let milestone = kep.metadata.as_ref().and_then(Metadata::milestone);
        let meant = match self.today {
            Some(today) => self.question.terms.options.release_asked(repository, kep.metadata.as_ref(), stage, today),
            // A directory is about one release.
            None if directory.is_searched && self.question.arguments.pr.is_none() => self.meant,
            None => self.meant_for(milestone, listed),
        };
        let proposal = self.question.judged.as_ref().and_then(|judged| judged.proposal.as_ref());
        let proposed = proposal.map(|proposal| proposal.of(directory, &kep));
        let past = |own: &Kep, until: Stage| self.past.last(directory, own, until);
        let mut ask = Ask { proposed: proposed.as_ref(), approvals: Some(&past), ..self.ask(stage, meant.release) };
        let place = number::of_directory(&directory.name).zip(directory.tree());
        let checklist = match (self.pulls, place) {
            (Some(pulls), Some((number, (tree, _)))) => {
                let subject = Subject { number, tree, merged: Some(&kep.texts), repository };
                let versions = pulls.versions(subject);
                if milestone != Some(meant.release) {
                    ask.stage = stage.or_else(|| planned(&versions, meant.release));
                }
                let changes = changes(&versions);
                let judged = self.versions(pulls, versions, stage, meant.release, repository, &mut failures);
                ask.open = Some(pulls.open(&changes, None));
                let checklist = ready::judge(kep, template, repository, ask);
                Checklist { pulls: Some(judged), ..checklist }.concluded()
            }
            _ => ready::judge(kep, template, repository, ask),
        };
        Judgement { checklist: Some(checklist), meant, failures }
    }

    /// A KEP that is not in the tree: as it is in the pull request that was updated last and can be judged, if there is one.
    fn absent(&self, name: &str, number: Option<&str>, stage: Option<Stage>, listed: Option<Release>) -> Judgement {
        let absent_in = |meant: Meant| {
            let family = if self.is_of_kubernetes { Family::of(meant.release) } else { Family::elsewhere() };
            ready::absent(name, number, stage, meant.release, family, self.is_before_freeze)
        };
        let mut failures = Vec::new();
        let found = self.tree.as_ref().and_then(|tree| {
            let (_, repository) = self.repositories.facts().find(|(root, _)| *root == Some(tree))?;
            Some((number::without_zeros(number?), tree, self.pulls?, repository))
        });
        let Some((digits, tree, pulls, repository)) = found else {
            return Judgement { checklist: Some(absent_in(self.meant)), meant: self.meant, failures };
        };
        let versions = pulls.versions(Subject { number: digits, tree, merged: None, repository });
        let milestone = versions.iter().find(|version| version.kep.is_some()).and_then(Version::milestone);
        let meant = self.meant_for(milestone, listed);
        let changes = changes(&versions);
        let judged = self.versions(pulls, versions, stage, meant.release, repository, &mut failures);
        let newest = judged.iter().find_map(|pull| Some((pull.number, pull.checklist.as_deref()?.clone())));
        let (mut checklist, answer) = match newest {
            Some((pull, checklist)) => (checklist, only_in(pull)),
            None => (absent_in(meant), absent(&pulls.open(&changes, None))),
        };
        if let Some(entry) = checklist.entries.iter_mut().find(|entry| entry.item.name == "tree") {
            entry.answer = Answer { place: entry.answer.place.take(), ..answer };
        }
        let checklist = Checklist { pulls: Some(judged), ..checklist }.concluded();
        Judgement { checklist: Some(checklist), meant, failures }
    }

    /// The versions of a KEP, each with its checklist.
    fn versions(
        &self,
        pulls: &Pulls<'_>,
        versions: Vec<Version>,
        stage: Option<Stage>,
        release: Release,
        repository: &Repository,
        failures: &mut Vec<Failure>,
    ) -> Vec<Pull> {
        let all = changes(&versions);
        let template = self.templates.for_keps_of(repository);
        let mut judged = Vec::new();
        for Version { pull, kep, proposed, failures: own } in versions {
            failures.extend(own);
            let open = Some(pulls.open(&all, Some(pull.number)));
            let ask = Ask { proposed: Some(&proposed), open, has_questions: false, ..self.ask(stage, release) };
            let checklist = kep.map(|kep| Box::new(ready::judge(kep, template, repository, ask)));
            judged.push(Pull { checklist, ..pull });
        }
        judged
    }
}

/// What each pull request changes.
fn changes(versions: &[Version]) -> Vec<(u64, Option<String>)> {
    versions.iter().map(|version| (version.pull.number, version.pull.changes())).collect()
}

/// The stage of a KEP that a pull request plans for the release: who plans it asks about the stage that is planned there.
fn planned(versions: &[Version], release: Release) -> Option<Stage> {
    versions.iter().find(|version| version.milestone() == Some(release))?.stage()
}
