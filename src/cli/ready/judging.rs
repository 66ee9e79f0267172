//! Judges each KEP that is asked about, with the versions of it that open pull requests have.
use super::arguments::ReadyArguments;
use super::asked::AskedKep;
use super::judged::Past;
use super::pulls::{Pulls, Subject, Version};
use super::question::Question;
use crate::diagnostic::Failure;
use crate::kep::metadata::Metadata;
use crate::kep::{Kep, number};
use crate::lint::panics::caught;
use crate::lint::templates::Templates;
use crate::ready::answer::Answer;
use crate::ready::calendar::schedule::{Schedule, Time};
use crate::ready::calendar::{Family, is_before_freeze};
use crate::ready::checklist::{Checklist, Pull};
use crate::ready::outline::Snapshot;
use crate::ready::pulls::{absent, only_in};
use crate::ready::tracked::Tracked;
use crate::ready::{self, Ask};
use crate::repository::Repository;
use crate::stage::release::{Meant, OnDay, Reason};
use crate::stage::{Release, Stage};
use crate::workspace::directory::KepDirectory;
use crate::workspace::kep_files::{KepTexts, read_kep};
use crate::workspace::paths::RealPath;
use crate::workspace::trees::Repositories;

/// What a question needs, read before any KEP is judged.
pub struct Judging<'a> {
    pub question: &'a Question,
    pub repositories: &'a Repositories,
    pub templates: Templates<'a>,
    /// The open pull requests, if there is a list of them.
    pub pulls: Option<Pulls<'a>>,
    /// The release, unless another one is meant for a KEP.
    pub meant: Meant,
    pub is_of_kubernetes: bool,
    pub now: Time,
    /// What the days of the releases say of today, if the question is about one KEP on disk.
    pub today: Option<OnDay>,
    pub past: Past<'a>,
    pub tree: Option<RealPath>,
    pub schedule: Option<Schedule>,
    pub snapshot: Option<Snapshot>,
    /// How many KEPs of a directory have another milestone.
    pub left_out: usize,
}

pub struct Judgement {
    pub checklist: Option<Checklist>,
    pub meant: Meant,
    pub failures: Vec<Failure>,
}

impl Judging<'_> {
    pub fn judge(&self, kep: &AskedKep) -> Judgement {
        let stage = self.question.arguments.stage.or(kep.stage);
        let listed = kep.tracked.as_ref().and_then(Tracked::release);
        let judged = caught("judge", &kep.name, || match &kep.directory {
            Some(directory) => self.there(directory, stage, listed),
            None => self.absent(kep, stage, listed),
        });
        let judgement =
            judged.unwrap_or_else(|failure| Judgement { checklist: None, meant: self.meant, failures: vec![failure] });
        let track = |checklist| match &kep.tracked {
            Some(tracked) => ready::track(checklist, tracked.clone()),
            None => checklist,
        };
        Judgement { checklist: judgement.checklist.map(track), ..judgement }
    }

    fn ask(&self, stage: Option<Stage>, release: Release) -> Ask<'_> {
        let ReadyArguments { strict, prr, .. } = self.question.arguments;
        Ask { is_strict: strict, has_questions: prr, ..Ask::merged(stage, release) }
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
        let proposed = self.question.judged.as_ref().and_then(|judged| judged.proposed(directory, &kep));
        let past = |own: &Kep, until: Stage| self.past.last(directory, own, until);
        let ask = Ask { proposed: proposed.as_ref(), approvals: Some(&past), ..self.ask(stage, meant.release) };
        let place = number::of_directory(&directory.name).zip(directory.tree());
        let Some((pulls, (number, (tree, _)))) = self.pulls.as_ref().zip(place) else {
            return Judgement { checklist: Some(ready::judge(kep, template, repository, ask)), meant, failures };
        };
        let versions = pulls.versions(Subject { number, tree, merged: Some(&kep.texts), repository });
        failures.extend(versions.iter().flat_map(|version| version.failures.clone()));
        let planned = if milestone == Some(meant.release) { None } else { planned(&versions, meant.release) };
        let changes = changes(&versions);
        let judged = self.versions(pulls, versions, stage, meant.release, repository);
        let ask = Ask { stage: stage.or(planned), open: Some(pulls.open(&changes, None)), ..ask };
        let checklist = ready::judge(kep, template, repository, ask);
        let checklist = Checklist { pulls: Some(judged), ..checklist }.concluded();
        Judgement { checklist: Some(checklist), meant, failures }
    }

    /// A KEP that is not in the tree: as it is in the pull request that was updated last and can be judged, if there is one.
    fn absent(&self, kep: &AskedKep, stage: Option<Stage>, listed: Option<Release>) -> Judgement {
        let AskedKep { name, number, .. } = kep;
        let absent_in = |meant: Meant| {
            let family = if self.is_of_kubernetes { Family::of(meant.release) } else { Family::elsewhere() };
            let is_before_freeze = is_before_freeze(self.schedule.as_ref(), self.now);
            ready::absent(name, number.as_deref(), stage, meant.release, family, is_before_freeze)
        };
        let found = self.tree.as_ref().and_then(|tree| {
            let (_, repository) = self.repositories.facts().find(|(root, _)| *root == Some(tree))?;
            Some((number::without_zeros(number.as_deref()?), tree, self.pulls.as_ref()?, repository))
        });
        let Some((digits, tree, pulls, repository)) = found else {
            return Judgement { checklist: Some(absent_in(self.meant)), meant: self.meant, failures: Vec::new() };
        };
        let versions = pulls.versions(Subject { number: digits, tree, merged: None, repository });
        let failures = versions.iter().flat_map(|version| version.failures.clone()).collect();
        let milestone = versions.iter().find(|version| version.kep.is_some()).and_then(Version::milestone);
        let meant = self.meant_for(milestone, listed);
        let changes = changes(&versions);
        let judged = self.versions(pulls, versions, stage, meant.release, repository);
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

    fn versions(
        &self,
        pulls: &Pulls<'_>,
        versions: Vec<Version>,
        stage: Option<Stage>,
        release: Release,
        repository: &Repository,
    ) -> Vec<Pull> {
        let all = changes(&versions);
        let template = self.templates.for_keps_of(repository);
        let mut judged = Vec::new();
        for Version { pull, kep, proposed, .. } in versions {
            let open = Some(pulls.open(&all, Some(pull.number)));
            let ask = Ask { proposed: Some(&proposed), open, has_questions: false, ..self.ask(stage, release) };
            judged.push(pull.judged(kep.map(|kep| ready::judge(kep, template, repository, ask))));
        }
        judged
    }
}

fn changes(versions: &[Version]) -> Vec<(u64, Option<String>)> {
    versions.iter().map(|version| (version.pull.number, version.pull.changes())).collect()
}

/// The stage of a KEP that a pull request plans for the release: who plans it asks about the stage that is planned there.
fn planned(versions: &[Version], release: Release) -> Option<Stage> {
    let version = versions.iter().find(|version| version.milestone() == Some(release))?;
    version.kep.as_ref()?.metadata.as_ref()?.stage()
}
