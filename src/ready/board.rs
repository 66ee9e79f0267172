//! The checklists of several KEPs, with what they were judged on: what reports of readiness render.
use super::answer::{Readiness, State};
use super::approval::Role;
use super::calendar::schedule::{Schedule, Time};
use super::calendar::{Family, schedule_of};
use super::checklist::{Checklist, Pull};
use super::comparison::Comparison;
use super::items::{ALL, Item, Kind};
use super::outline::Snapshot;
use crate::diagnostic::Failure;
use crate::kep::filter::Handle;
use crate::lint::conditions::Conditions;
use crate::repository::Repository;
use crate::stage::release::{Meant, Reason};
use crate::stage::{Release, Stage};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Default)]
pub struct Board {
    pub checklists: Vec<Checklist>,
    pub release: Release,
    pub release_origin: Reason,
    pub now: Time,
    pub schedule: Option<Schedule>,
    pub family: &'static Family,
    pub snapshot: Option<Snapshot>,
    /// Whether the commit that was judged is known to be on no branch that pull requests are for.
    pub is_unmerged: bool,
    /// Whether evidence decides as well.
    pub is_strict: bool,
    /// Whether each KEP was named or chosen by filters, so that no other one is asked about.
    pub is_selection: bool,
    pub person: Option<Person>,
    /// Whether it is limited to KEPs that are to be closed at the end of the release.
    pub is_to_close: bool,
    /// The PRR approvers who can be asked for a review.
    pub reviewers: BTreeSet<String>,
    /// How many KEPs were left out, because they have another `latest-milestone`.
    pub left_out: usize,
    /// How many KEPs were left out, because the filters do not admit them.
    pub filtered: usize,
    pub conditions: Conditions,
    pub failures: Vec<Failure>,
    pub comparison: Option<Comparison>,
    /// The items of the release that some KEP has an answer to, or that every KEP is asked.
    pub items: Vec<&'static Item>,
    /// What must be checked by hand, because no file shows it, and nobody gave the data.
    pub by_hand: Vec<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub handle: Handle,
    pub is_reviewer: bool,
    /// Whether some KEP that was judged names them at all.
    pub is_known: bool,
}

impl Person {
    /// The person with this handle, as far as `board` knows them.
    fn of(handle: Handle, board: &Board) -> Self {
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
    pub fn pulls<'a>(&self, checklist: &'a Checklist) -> Vec<(&'a Pull, &'a Checklist, Vec<&'static str>)> {
        let waiting = checklist.pulls.iter().flatten().filter_map(|pull| {
            let causes = pull.waiting.as_ref()?.causes(&self.handle, self.is_reviewer);
            Some((pull, pull.checklist.as_deref()?, causes))
        });
        waiting.filter(|(.., causes)| !causes.is_empty()).collect()
    }

    /// Why a KEP waits for them. One that is in a pull request only does so as that.
    pub fn causes(&self, checklist: &Checklist) -> Vec<&'static str> {
        if checklist.is_only_in_pull() {
            return Vec::new();
        }
        checklist.waiting.causes(&self.handle, self.is_reviewer)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Load {
    #[serde(rename = "approver")]
    pub name: String,
    /// How many KEPs name them for the stage that is asked about.
    pub keps: usize,
    /// In how many of these they are only asked.
    pub asked: usize,
}

impl Board {
    pub fn of_one(checklist: Checklist, repository: &Repository, meant: Meant, now: Time) -> Self {
        let Meant { release, reason, .. } = meant;
        let board = Self { release, release_origin: reason, now, family: checklist.family, ..Self::default() };
        let (schedule, reviewers) = (schedule_of(release).cloned(), repository.active_approvers());
        Self { checklists: vec![checklist], schedule, reviewers, is_selection: true, ..board }.assembled()
    }

    /// Adds what follows from all of its KEPs.
    pub fn assembled(mut self) -> Self {
        let is_answered = |name: &str| self.checklists.iter().any(|checklist| checklist.answer(name).is_some());
        let family = self.family;
        let is_shown = |item: &&Item| match (family.asks(item.name), family.by_hand.contains_key(item.name)) {
            (true, _) if !item.is_optional() => true,
            (false, false) => false,
            _ => is_answered(item.name),
        };
        self.items = ALL.iter().filter(is_shown).collect();
        let by_hand = family.by_hand.iter().filter(|(item, _)| !is_answered(item));
        self.by_hand = by_hand.map(|(_, words)| words.as_str()).collect();
        self
    }

    pub fn put_worst_first(&mut self) {
        self.checklists.sort_by_cached_key(|checklist| {
            let open = |kind| checklist.count(kind, State::NotMet) + checklist.count(kind, State::Look);
            let number = checklist.number.as_deref().and_then(|number| number.parse::<u64>().ok());
            // Of a KEP that is not there, nothing else is known.
            let verdict = if checklist.kep.is_none() { usize::MAX } else { open(Kind::Verdict) };
            let is_to_look_at = checklist.readiness == Readiness::Look;
            let order = (checklist.is_ready, is_to_look_at, Reverse(verdict), Reverse(open(Kind::Evidence)));
            (order, number, checklist.kep.clone())
        });
    }

    /// Keeps only the KEPs that wait for this person, or of which an open pull request does.
    pub fn keep_waiting_for(&mut self, handle: Handle) {
        let person = Person::of(handle, self);
        self.checklists.retain(|checklist| person.is_waited_for(checklist));
        self.person = Some(person);
    }

    /// Whether it answers what somebody asks, in the place of showing how far all KEPs are.
    pub fn is_query(&self) -> bool {
        self.person.is_some() || self.is_to_close
    }

    pub fn has_pulls(&self) -> bool {
        self.checklists.iter().any(|checklist| checklist.pulls.is_some())
    }

    pub fn ready_count(&self) -> usize {
        self.checklists.iter().filter(|checklist| checklist.is_ready).count()
    }

    /// The KEPs with each value of a key, in the order of these values.
    pub fn grouped<K: Ord>(&self, key: impl Fn(&Checklist) -> K) -> BTreeMap<K, Vec<&Checklist>> {
        let mut groups: BTreeMap<K, Vec<&Checklist>> = BTreeMap::new();
        self.checklists.iter().for_each(|checklist| groups.entry(key(checklist)).or_default().push(checklist));
        groups
    }

    /// The KEPs of each stage; those without one come last.
    pub fn by_stage(&self) -> Vec<(Option<Stage>, Vec<&Checklist>)> {
        let groups = self.grouped(|checklist| (checklist.stage.is_none(), checklist.stage));
        groups.into_iter().map(|((_, stage), keps)| (stage, keps)).collect()
    }

    /// How many KEPs each PRR approver has, the most first.
    pub fn loads(&self) -> Vec<Load> {
        let mut loads: BTreeMap<Handle, Load> = BTreeMap::new();
        for approver in self.checklists.iter().filter_map(|checklist| checklist.approver.as_ref()) {
            let Some(handle) = Handle::of(&approver.name) else { continue };
            let load = loads.entry(handle).or_insert_with(|| Load { name: approver.name.clone(), keps: 0, asked: 0 });
            load.keps += 1;
            load.asked += usize::from(approver.role == Role::Asked);
        }
        let mut loads: Vec<Load> = loads.into_values().collect();
        loads.sort_by_key(|load| Reverse(load.keps));
        loads
    }
}
