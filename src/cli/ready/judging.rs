//! Judges each KEP that is asked about, with the versions of it that open pull requests have.
use super::arguments::ReadyArguments;
use super::asked::AskedKep;
use super::judged::Past;
use super::pulls::{Pulls, Subject, Version, Versions};
use super::question::Question;
use crate::diagnostic::Failure;
use crate::kep::metadata::Metadata;
use crate::kep::{Kep, number};
use crate::lint::panics::caught;
use crate::lint::templates::Templates;
use crate::ready::answer::Answer;
use crate::ready::board::Board;
use crate::ready::calendar::{Family, is_before_freeze, on_day};
use crate::ready::checklist::{Checklist, Pull};
use crate::ready::pulls::absent;
use crate::ready::tracked::Tracked;
use crate::ready::{self, case::Ask};
use crate::repository::Repository;
use crate::stage::release::{Meant, Reason};
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
    pub past: Past<'a>,
    pub tree: Option<RealPath>,
    /// The board, as far as it is known without its KEPs.
    pub board: Board,
}

impl Judging<'_> {
    /// The checklist of a KEP, if it can be judged, and what cannot be read.
    pub fn judge(&self, kep: &AskedKep) -> (Option<Checklist>, Vec<Failure>) {
        let stage = self.question.arguments.stage.or(kep.stage);
        let listed = kep.tracked.as_ref().and_then(Tracked::release);
        let judged = caught("judge", &kep.name, || match &kep.directory {
            Some(directory) => self.there(directory, stage, listed),
            None => self.absent(kep, stage, listed),
        });
        match (judged, &kep.tracked) {
            (Ok((checklist, failures)), Some(tracked)) => (Some(ready::track(checklist, tracked.clone())), failures),
            (Ok((checklist, failures)), None) => (Some(checklist), failures),
            (Err(failure), _) => (None, vec![failure]),
        }
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

    /// The release for a KEP in the tree. A directory is about one release, and so is a list; a KEP that is named is planned
    /// for as `promote` does it, on the day of the commit that is judged, or else today.
    fn meant_in_tree(
        &self,
        directory: &KepDirectory,
        metadata: Option<&Metadata>,
        stage: Option<Stage>,
        listed: Option<Release>,
    ) -> Meant {
        let Question { arguments, list, earlier, judged, terms, .. } = self.question;
        let milestone = metadata.and_then(Metadata::milestone);
        let ahead = || metadata?.milestone_ahead(stage?);
        if directory.is_searched && arguments.pr.is_none() {
            return self.meant;
        }
        if list.is_some() || earlier.is_some() {
            let ahead = if list.is_none() { ahead() } else { None };
            return self.meant_for(milestone.max(ahead), listed);
        }
        let repository = self.repositories.of(directory);
        let day = if judged.is_some() { repository.told.on_day } else { Some(on_day(self.board.now)) };
        terms.options.release_asked(repository, metadata, stage, day)
    }

    fn there(
        &self,
        directory: &KepDirectory,
        stage: Option<Stage>,
        listed: Option<Release>,
    ) -> (Checklist, Vec<Failure>) {
        let KepTexts { texts, mut failures, .. } = read_kep(directory);
        let kep = Kep::parse(texts);
        let repository = self.repositories.of(directory);
        let template = self.templates.for_keps_of(repository);
        let meant = self.meant_in_tree(directory, kep.metadata.as_ref(), stage, listed);
        let proposed = self.question.judged.as_ref().and_then(|judged| judged.proposed(directory, &kep));
        let past = |own: &Kep, until: Stage| self.past.last(directory, own, until);
        let mut ask = Ask { proposed: proposed.as_ref(), approvals: Some(&past), ..self.ask(stage, meant.release) };
        let place = number::of_directory(&directory.name).zip(directory.tree());
        let mut judged = None;
        let changes;
        if let Some((pulls, (number, (tree, _)))) = self.pulls.as_ref().zip(place) {
            let mut versions =
                pulls.versions(Subject { number, way: pulls.way(tree), merged: Some(&kep.texts), repository });
            failures.append(&mut versions.failures);
            if kep.metadata.as_ref().and_then(Metadata::milestone) != Some(meant.release) {
                ask.stage = stage.or(versions.planned(meant.release));
            }
            changes = versions.changes();
            ask.open = Some(pulls.open(&changes, None));
            judged = Some(self.in_pulls(pulls, versions, self.ask(stage, meant.release), repository));
        }
        let checklist = ready::judge(kep, template, repository, ask);
        (Checklist { origin: meant.reason, pulls: judged, ..checklist }.concluded(), failures)
    }

    /// A KEP that is not in the tree: as it is in the pull request that was updated last and can be judged, if there is one.
    fn absent(&self, kep: &AskedKep, stage: Option<Stage>, listed: Option<Release>) -> (Checklist, Vec<Failure>) {
        let AskedKep { name, number, .. } = kep;
        let absent_in = |meant: Meant| {
            let family = Family::asked(meant.release, self.board.family.is_of_kubernetes());
            let is_before_freeze = is_before_freeze(self.board.schedule.as_ref(), self.board.now);
            let checklist = ready::absent(name, number.as_deref(), stage, meant.release, family, is_before_freeze);
            Checklist { origin: meant.reason, ..checklist }
        };
        let found = self.tree.as_ref().and_then(|tree| {
            let repository = self.repositories.at(tree)?;
            Some((number::without_zeros(number.as_deref()?), tree, self.pulls.as_ref()?, repository))
        });
        let Some((digits, tree, pulls, repository)) = found else { return (absent_in(self.meant), Vec::new()) };
        let mut versions = pulls.versions(Subject { number: digits, way: pulls.way(tree), merged: None, repository });
        let (failures, changes) = (std::mem::take(&mut versions.failures), versions.changes());
        let meant = self.meant_for(versions.milestone(), listed);
        let judged = self.in_pulls(pulls, versions, self.ask(stage, meant.release), repository);
        let newest = judged.iter().find_map(|pull| Some((pull.number, pull.checklist.as_deref()?.clone())));
        let (mut checklist, answer) = match newest {
            Some((pull, checklist)) => (checklist, Answer::not_met(format!("in #{pull} only"))),
            None => (absent_in(meant), absent(&pulls.open(&changes, None))),
        };
        if let Some(entry) = checklist.entries.iter_mut().find(|entry| entry.item.name == "tree") {
            entry.answer = Answer { place: entry.answer.place.take(), ..answer };
        }
        (Checklist { origin: meant.reason, pulls: Some(judged), ..checklist }.concluded(), failures)
    }

    /// The pull requests that change a KEP, each with the KEP as it is there.
    fn in_pulls(&self, pulls: &Pulls<'_>, versions: Versions, ask: Ask<'_>, repository: &Repository) -> Vec<Pull> {
        let template = self.templates.for_keps_of(repository);
        let changes = versions.changes();
        let judged = versions.found.into_iter().map(|Version { pull, kep, proposed }| {
            let open = Some(pulls.open(&changes, Some(pull.number)));
            let ask = Ask { proposed: Some(&proposed), open, has_questions: false, ..ask };
            pull.judged(kep.map(|kep| ready::judge(kep, template, repository, ask)))
        });
        judged.collect()
    }
}
