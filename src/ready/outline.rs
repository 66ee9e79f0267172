//! What of a board is compared with another one: which KEPs it has, and how each item is answered. It is made of a board, or
//! read from a file that one was written to.

use super::answer::State;
use super::checklist::{Checklist, Strictness};
use super::waiting::Waiting;
use crate::kep::filter::Handle;
use crate::stage::{Release, Stage};
use std::collections::BTreeSet;

/// A board, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    pub release: Release,
    pub strictness: Strictness,
    /// Whether each KEP was named, so that no other one is asked about. A file does not tell.
    pub is_selection: bool,
    pub person: Option<Handle>,
    pub reviewers: BTreeSet<String>,
    /// The names of the items that it asks.
    pub items: BTreeSet<String>,
    /// How much could not be read or done.
    pub failures: usize,
    /// The version of kep-lint that made it.
    pub tool: String,
    pub keps: Vec<OutlinedKep>,
}

/// A KEP of a board, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlinedKep {
    pub name: KepName,
    pub release: Release,
    /// Whether it is judged as it is in an open pull request.
    pub is_proposed: bool,
    pub is_ready: bool,
    /// How the items are answered, by their names.
    pub states: Vec<(String, State)>,
    /// Whether it is in time for the deadline before the freeze, and what that is called; `None` if there is none.
    pub deadline: Option<(String, State)>,
    pub waiting: Waiting,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KepName {
    /// Its number, without leading zeros; of a KEP that is not there, how it was asked for.
    pub number: Option<String>,
    /// Its directory, in a tree from `keps` on; `None` if there is no such KEP.
    pub directory: Option<String>,
    pub title: Option<String>,
    pub sig: Option<String>,
    /// The stage that is asked about: a list may have a KEP twice.
    pub stage: Option<Stage>,
}

impl KepName {
    pub fn of(checklist: &Checklist) -> Self {
        Self {
            number: checklist.about.number.clone(),
            directory: checklist.tree_path.clone().or_else(|| checklist.kep.clone()),
            title: checklist.about.title.clone(),
            sig: checklist.sig.clone(),
            stage: checklist.stage,
        }
    }

    /// What tells it from others on all boards: its number, or its directory if it has none.
    pub fn key(&self) -> &str {
        self.number.as_deref().or(self.directory.as_deref()).unwrap_or_default()
    }

    pub fn is_in_tree(&self) -> bool {
        self.directory.is_some()
    }
}

impl OutlinedKep {
    pub fn of(checklist: &Checklist, strictness: Strictness) -> Self {
        let state = |is_met| if is_met { State::Met } else { State::NotMet };
        let deadline = |it: super::checklist::InTime| (it.deadline.name.clone(), state(it.missing.is_empty()));
        Self {
            name: KepName::of(checklist),
            release: checklist.release,
            is_proposed: checklist.is_proposed,
            is_ready: checklist.is_ready(strictness),
            states: checklist.entries.iter().map(|it| (it.item.name.to_owned(), it.answer.state)).collect(),
            deadline: checklist.in_time().map(deadline),
            waiting: checklist.waiting.clone(),
        }
    }

    /// How the item of this name is answered; `None` if it is not asked.
    pub fn state(&self, item: &str) -> Option<State> {
        self.states.iter().find(|(name, _)| name == item).map(|(_, state)| *state)
    }
}

impl Outline {
    /// Keeps only the KEPs that wait for this person, unless it has only those of a person.
    pub fn keep_waiting_for(&mut self, person: &Handle) {
        if self.person.is_some() {
            return;
        }
        let is_reviewer = self.reviewers.iter().any(|name| Handle::of(name).as_ref() == Some(person));
        self.keps.retain(|kep| !kep.waiting.causes(person, is_reviewer).is_empty());
        self.person = Some(person.clone());
    }

    /// The names of the items that it can tell about: those that it asks of some KEP.
    pub fn known_items(&self) -> BTreeSet<&str> {
        let answered = self.keps.iter().flat_map(|kep| &kep.states).map(|(name, _)| name.as_str());
        self.items.iter().map(String::as_str).chain(answered).collect()
    }
}
