//! The checklists of several KEPs, with what they were judged on: what reports of readiness render.

use super::ALL;
use super::answer::State;
use super::calendar::schedule::{Schedule, Time};
use super::calendar::{Family, schedule_of};
use super::checklist::{Checklist, Pull, Readiness, Strictness};
use super::comparison::Comparison;
use super::item::{Item, Kind};
use super::load::{Load, loads};
use super::outline::{Outline, OutlinedKep};
use super::past::short;
use super::waiting::Cause;
use crate::diagnostic::Failure;
use crate::kep::filter::Handle;
use crate::lint::conditions::Conditions;
use crate::repository::Repository;
use crate::stage::release::Meant;
use crate::stage::release::Reason;
use crate::stage::{Release, Stage};
use std::collections::BTreeSet;

#[derive(Clone)]
pub struct Board {
    /// The checklists, in the order of reports.
    pub checklists: Vec<Checklist>,
    pub release: Release,
    pub now: Time,
    /// The days of the release; `None` if they are not known.
    pub schedule: Option<Schedule>,
    pub family: &'static Family,
    pub release_origin: Reason,
    /// Which version of the files was judged; `None` without git.
    pub snapshot: Option<Snapshot>,
    /// Whether the commit that was judged is known to be on no branch that pull requests are for.
    pub is_unmerged: bool,
    pub strictness: Strictness,
    /// Whether each KEP was named or chosen by filters, so that no other one is asked about.
    pub is_selection: bool,
    /// Whose work the board is limited to.
    pub person: Option<Person>,
    /// Whether it is limited to KEPs that are to be closed at the end of the release.
    pub is_to_close: bool,
    /// The PRR approvers who can be asked for a review.
    pub reviewers: BTreeSet<String>,
    /// How many KEPs were left out, because they have another `latest-milestone`.
    pub left_out: usize,
    /// How many KEPs were left out, because the filters do not admit them.
    pub filtered: usize,
    /// What makes the answers less strict than the defaults.
    pub conditions: Conditions,
    /// What could not be read or done.
    pub failures: Vec<Failure>,
    /// What changed since an earlier board, if that is asked.
    pub comparison: Option<Comparison>,
}

impl Board {
    /// The board of one KEP, without what git and others know of it.
    pub fn of_one(checklist: Checklist, repository: &Repository, meant: Meant, now: Time) -> Self {
        Self {
            family: checklist.family,
            checklists: vec![checklist],
            release: meant.release,
            now,
            schedule: schedule_of(meant.release).cloned(),
            release_origin: meant.reason,
            snapshot: None,
            is_unmerged: false,
            strictness: Strictness::Verdict,
            is_selection: true,
            person: None,
            is_to_close: false,
            reviewers: repository.active_approvers(),
            left_out: 0,
            filtered: 0,
            conditions: Conditions::default(),
            failures: Vec::new(),
            comparison: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// What it is called: a branch, or as the user wrote it.
    pub name: String,
    pub commit: String,
    /// Whether the files are those of the commit.
    pub changes: Changes,
}

/// Whether files differ from those of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    None,
    /// Some of them were changed and not committed.
    Uncommitted,
}

impl Snapshot {
    pub fn short(&self) -> &str {
        short(&self.commit)
    }

    /// What it is called, in a sentence: `main at 64765b4b0, with uncommitted changes`.
    pub fn words(&self) -> String {
        format!("{} at {}{}", self.name, self.short(), self.changes_words())
    }

    /// What follows the commit in a sentence: ", with uncommitted changes".
    pub fn changes_words(&self) -> &'static str {
        match self.changes {
            Changes::None => "",
            Changes::Uncommitted => ", with uncommitted changes",
        }
    }
}

/// A person that KEPs may wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub handle: Handle,
    pub is_reviewer: bool,
    /// Whether some KEP that was judged names them at all.
    pub is_known: bool,
}

impl Person {
    /// The person with this handle, as far as `board` knows them.
    pub fn of(handle: Handle, board: &Board) -> Self {
        let is = |name: &String| Handle::of(name).as_ref() == Some(&handle);
        let is_reviewer = board.reviewers.iter().any(is);
        let is_approver = board.checklists.iter().any(|checklist| checklist.approvers.iter().any(is));
        let mut person = Self { is_reviewer, is_known: is_reviewer || is_approver, handle };
        // An emeritus approver may still be the one who is named.
        person.is_known |= board.checklists.iter().any(|checklist| person.is_waited_for(checklist));
        person
    }

    /// Whether a KEP, or an open pull request that changes it, waits for them.
    fn is_waited_for(&self, checklist: &Checklist) -> bool {
        !self.causes(checklist).is_empty() || !self.pulls(checklist).is_empty()
    }

    /// The open pull requests that change a KEP and wait for them, each with its checklist and why.
    pub fn pulls<'a>(&self, checklist: &'a Checklist) -> Vec<(&'a Pull, &'a Checklist, Vec<Cause>)> {
        checklist.pulls_waiting_for(&self.handle, self.is_reviewer)
    }

    /// Why a KEP waits for them. One that is in a pull request only does so as that.
    pub fn causes(&self, checklist: &Checklist) -> Vec<Cause> {
        if checklist.is_only_in_pull() {
            return Vec::new();
        }
        checklist.waiting.causes(&self.handle, self.is_reviewer)
    }
}

impl Board {
    /// Puts the KEPs that are farthest from ready first.
    pub fn put_worst_first(&mut self) {
        let strictness = self.strictness;
        self.checklists.sort_by_cached_key(|checklist| {
            let open = |kind| checklist.count(kind, State::NotMet) + checklist.count(kind, State::Look);
            let number = checklist.about.number.as_deref().and_then(|number| number.parse::<u64>().ok());
            // Of a KEP that is not there, nothing else is known.
            let verdict = if checklist.kep.is_none() { usize::MAX } else { open(Kind::Verdict) };
            let order = (checklist.is_ready(strictness), usize::MAX - verdict, usize::MAX - open(Kind::Evidence));
            (order, number, checklist.kep.clone())
        });
    }

    /// Keeps only the KEPs that wait for this person, or of which an open pull request does.
    pub fn keep_waiting_for(&mut self, handle: Handle) {
        let person = Person::of(handle, self);
        self.checklists.retain(|checklist| person.is_waited_for(checklist));
        self.person = Some(person);
    }

    /// Keeps only the KEPs that are stable in the release and not `implemented`: their issues are to be closed.
    pub fn keep_to_close(&mut self) {
        self.checklists.retain(Checklist::is_to_close);
        (self.is_to_close, self.is_selection) = (true, true);
    }

    /// What of it is compared with another board.
    pub fn outline(&self) -> Outline {
        Outline {
            release: self.release,
            strictness: self.strictness,
            is_selection: self.is_selection,
            person: self.person.as_ref().map(|person| person.handle.clone()),
            reviewers: self.reviewers.clone(),
            items: self.items().map(|item| item.name.to_owned()).collect(),
            failures: self.failures.len(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            keps: self.checklists.iter().map(|checklist| OutlinedKep::of(checklist, self.strictness)).collect(),
        }
    }

    /// What must be checked by hand, because no file shows it, and nobody gave the data.
    pub fn by_hand(&self) -> impl Iterator<Item = &'static str> {
        let by_hand = self.family.by_hand.iter().filter(|(item, _)| !self.answers(item));
        by_hand.map(|(_, words)| words.as_str())
    }

    /// Whether some KEP has an answer to the item of this name.
    fn answers(&self, name: &str) -> bool {
        self.checklists.iter().any(|checklist| checklist.answer(name).is_some())
    }

    /// Whether there is a list of open pull requests.
    pub fn has_pulls(&self) -> bool {
        self.checklists.iter().any(|checklist| checklist.pulls.is_some())
    }

    /// How many of the KEPs are ready.
    pub fn ready_count(&self) -> usize {
        self.checklists.iter().filter(|checklist| checklist.is_ready(self.strictness)).count()
    }

    /// The items of the release that some KEP has an answer to, or that every KEP is asked.
    pub fn items(&self) -> impl Iterator<Item = &'static Item> {
        let (family, is_answered) = (self.family, |item: &Item| self.answers(item.name));
        let is_asked = move |item: &Item| family.asks(item.name) && !item.is_optional();
        let may_be_asked = move |item: &Item| family.asks(item.name) || family.by_hand.contains_key(item.name);
        ALL.iter().filter(move |item| is_asked(item) || (may_be_asked(item) && is_answered(item)))
    }

    /// How many KEPs of each stage are how far, in the order of stages; those without a stage come last.
    pub fn by_stage(&self) -> Vec<StageTotal> {
        let stages = Stage::ALL.into_iter().map(Some).chain([None]);
        let total = |stage: Option<Stage>| {
            let checklists = self.checklists.iter().filter(|checklist| checklist.stage == stage);
            let readiness: Vec<Readiness> = checklists.map(|checklist| checklist.readiness(self.strictness)).collect();
            let count = |wanted| readiness.iter().filter(|readiness| **readiness == wanted).count();
            StageTotal { stage, keps: readiness.len(), counts: Readiness::ALL.map(|one| (one, count(one))) }
        };
        stages.map(total).filter(|total| total.keps > 0).collect()
    }

    /// How many KEPs each PRR approver has, the most first.
    pub fn loads(&self) -> Vec<Load> {
        loads(&self.checklists)
    }

    /// The totals by SIG, by name; KEPs that are not there belong to none.
    pub fn by_sig(&self) -> Vec<SigTotal> {
        let sigs: BTreeSet<Option<&str>> = self.checklists.iter().map(|checklist| checklist.sig.as_deref()).collect();
        let total = |sig: Option<&str>| {
            let checklists: Vec<&Checklist> =
                self.checklists.iter().filter(|checklist| checklist.sig.as_deref() == sig).collect();
            let ready = checklists.iter().filter(|checklist| checklist.is_ready(self.strictness)).count();
            SigTotal { sig: sig.map(str::to_owned), keps: checklists.len(), ready }
        };
        sigs.into_iter().map(total).collect()
    }
}

/// How many KEPs of a stage are how far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageTotal {
    /// The stage that is asked about; `None` for KEPs without one.
    pub stage: Option<Stage>,
    pub keps: usize,
    /// How many of them are how far.
    pub counts: [(Readiness, usize); Readiness::ALL.len()],
}

/// How many KEPs a SIG has on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigTotal {
    /// The SIG; `None` for KEPs of which it is not known.
    pub sig: Option<String>,
    pub keps: usize,
    pub ready: usize,
}
