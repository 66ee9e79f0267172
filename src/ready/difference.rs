//! The items of a KEP that are answered in another way than on an earlier board.

use super::ALL;
use super::answer::State;
use super::outline::{Outline, OutlinedKep};
use crate::diagnostic::brief;
use crate::stage::{Release, Stage};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// An item that is answered in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The name of the item, or of what else is compared.
    pub item: &'static str,
    pub title: String,
    pub before: Value,
    pub after: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// How an item is answered; `None` if it is not asked.
    State(Option<State>),
    Stage(Option<Stage>),
    Release(Release),
}

pub struct Items<'a> {
    pub common: BTreeSet<&'a str>,
    /// Those that only one of them can.
    pub other: BTreeSet<&'a str>,
}

impl<'a> Items<'a> {
    pub fn of(before: &'a Outline, now: &'a Outline) -> Self {
        let (known_before, known_now) = (before.known_items(), now.known_items());
        let optional: BTreeSet<&str> = ALL.iter().filter(|item| item.is_optional()).map(|item| item.name).collect();
        Self { common: &known_before & &known_now, other: &(&known_before ^ &known_now) - &optional }
    }
}

/// What differs between a KEP `before` and `now`. What is asked for another release is not compared.
pub fn differences(before: &OutlinedKep, now: &OutlinedKep, items: &Items<'_>) -> Vec<Difference> {
    if before.release != now.release {
        let (from, to) = (Value::Release(before.release), Value::Release(now.release));
        return difference("release", "release", from, to).into_iter().collect();
    }
    let stages = (Value::Stage(before.name.stage), Value::Stage(now.name.stage));
    let stage = difference("target-stage", "target stage", stages.0, stages.1);
    let asked = ALL.iter().filter(|item| items.common.contains(item.name));
    let answers = asked.filter_map(|item| {
        let (old, new) = (before.state(item.name), now.state(item.name));
        // It was not answered for want of something that is not the KEP's.
        let is_known = !item.is_optional() || old.is_some() && new.is_some();
        let differing = difference(item.name, item.title, Value::State(old), Value::State(new));
        if is_known { differing } else { None }
    });
    let in_time = |kep: &OutlinedKep| Value::State(kep.deadline.as_ref().map(|(_, state)| *state));
    let named = now.deadline.as_ref().or(before.deadline.as_ref());
    let title = named.map(|(name, _)| brief(name)).unwrap_or_default();
    let deadline = difference("deadline", &title, in_time(before), in_time(now));
    stage.into_iter().chain(answers).chain(deadline).collect()
}

fn difference(item: &'static str, title: &str, before: Value, after: Value) -> Option<Difference> {
    (before != after).then(|| Difference { item, title: title.to_owned(), before, after })
}

/// The items with the same answers together: `PRR, PRR freeze not met (were met); target stage beta (was alpha)`.
pub fn words(differences: &[Difference]) -> String {
    let mut groups: Vec<(Value, Value, Vec<&str>)> = Vec::new();
    for Difference { title, before, after, .. } in differences {
        match groups.iter_mut().find(|(old, new, _)| (old, new) == (before, after)) {
            Some((_, _, titles)) => titles.push(title),
            None => groups.push((*before, *after, vec![title])),
        }
    }
    let group = |(before, after, titles): &(Value, Value, Vec<&str>)| {
        let were = if titles.len() == 1 { "was" } else { "were" };
        format!("{} {} ({were} {})", titles.join(", "), after.words(), before.words())
    };
    groups.iter().map(group).collect::<Vec<_>>().join("; ")
}

impl Value {
    /// Its name in data; `None` for what is not asked, and for no stage.
    pub fn name(self) -> Option<Cow<'static, str>> {
        match self {
            Self::State(state) => state.map(|state| state.name().into()),
            Self::Stage(stage) => stage.map(|stage| stage.name().into()),
            Self::Release(release) => Some(release.to_string().into()),
        }
    }

    fn words(self) -> Cow<'static, str> {
        match self {
            Self::State(None) => "not asked".into(),
            Self::State(Some(state)) => state.words().into(),
            Self::Stage(None) => "none".into(),
            Self::Stage(Some(stage)) => stage.name().into(),
            Self::Release(release) => release.to_string().into(),
        }
    }
}
