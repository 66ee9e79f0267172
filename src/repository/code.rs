//! What the code of Kubernetes says of the feature gates of a KEP.

use super::Repository;
use crate::bounds;
use crate::gates::gate::{Gate, Presence, Since};
use crate::gates::{Gates, is_meant};
use crate::kep::Kep;
use crate::kep::components;
use crate::kep::field::{Field, List};
use crate::kep::metadata::{FeatureGate, Metadata};
use crate::stage::{Release, Stage};
use std::collections::HashSet;
use std::slice;

#[derive(Clone, Debug)]
pub struct InCode<'a> {
    pub list: &'a Gates,
    pub known: Vec<(&'a Field, Gate)>,
    pub unknown: Vec<&'a Field>,
    pub milestone: Option<Release>,
    repository: &'a Repository,
    number: Option<&'a str>,
}

/// What is most likely meant by a gate that the code does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// The gate that is a typo away.
    Near(Gate),
    /// The gates at which the code names this KEP, which no KEP lists, and which are near none of its names.
    Named(Vec<Gate>),
    OfReadme(Gate),
    Unknown,
}

impl Meant {
    pub fn has(&self, name: &str) -> bool {
        let gates = match self {
            Self::Near(gate) | Self::OfReadme(gate) => slice::from_ref(gate),
            Self::Named(gates) => gates,
            Self::Unknown => &[],
        };
        gates.iter().any(|gate| gate.name == name)
    }
}

/// Where the own gates of a KEP are, compared with a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing<'a> {
    /// All of them are before it.
    Below(Vec<(&'a Field, Presence)>),
    /// All of them have reached it: the last one, and since when.
    Reached(&'a Field, Since),
    Unclear,
}

impl Repository {
    /// The list of the feature gates that KEPs here are about; `None` if that is not known.
    pub fn list_of_gates(&self) -> Option<&Gates> {
        self.code.as_deref().or_else(|| self.has_groups.then(Gates::built_in))
    }

    pub fn owner_of_gates(&self) -> &'static str {
        if self.has_groups { "Kubernetes" } else { "the code" }
    }

    /// The gates of a KEP beside those of the code; `None` if it has none, or if no list is known.
    pub fn in_code<'a>(&'a self, kep: &'a Kep) -> Option<InCode<'a>> {
        let metadata = kep.metadata.as_ref()?;
        if metadata.feature_gates.is_empty() {
            return None;
        }
        let list = self.list_of_gates()?;
        let mut in_code = InCode {
            list,
            known: Vec::new(),
            unknown: Vec::new(),
            milestone: metadata.milestone(),
            repository: self,
            number: kep.number(),
        };
        let mut seen = HashSet::new();
        let mut names = metadata.feature_gate_names().filter(|name| seen.insert(name.text.as_str()));
        for name in names.by_ref().take(bounds::COMPARED_NAMES) {
            match list.find(&name.text) {
                Some(gate) => in_code.known.push((name, gate)),
                None if is_meant(&name.text) && self.is_of_code(metadata, name) => in_code.unknown.push(name),
                None => {}
            }
        }
        Some(in_code)
    }

    /// Whether the code that the list is of could have the gate. What other programs have is not in the list of Kubernetes.
    fn is_of_code(&self, metadata: &Metadata, name: &Field) -> bool {
        let mut gates = metadata.feature_gates.iter();
        let gate = gates.find(|gate| gate.name.as_ref().is_some_and(|other| other.span == name.span));
        let is_of_kubernetes = |FeatureGate { components: List { items, .. }, .. }: &FeatureGate| {
            let names_component = |item: &Field| components::in_line(&item.text).is_some_and(|names| !names.is_empty());
            items.is_empty() || items.iter().any(names_component)
        };
        !self.has_groups || gate.is_some_and(is_of_kubernetes)
    }
}

impl<'a> InCode<'a> {
    /// Whether the list says something of the release that the KEP is for.
    pub fn covers(&self, metadata: &Metadata) -> bool {
        metadata.milestone().is_some_and(|latest| !latest.is_unknown() && latest <= self.list.newest.release)
    }

    /// What is meant by each gate of kep.yaml that the code does not have: first what is a typo away, then
    /// the others. `readme` are the gates that the README names. After the release `last` a gate may be new.
    pub fn meant(&self, readme: &[&str], last: Release) -> Vec<(&'a Field, Meant)> {
        let may_be_new = self.milestone.is_some_and(|milestone| milestone > last);
        let is_others = |gate: &str| self.repository.other_kep_of(gate, self.number).is_some();
        let near = |name: &str| {
            let is_unfit = |gate: &Gate| is_others(&gate.name) || (may_be_new && self.lists(&gate.name));
            self.list.in_other_case(name).or_else(|| self.list.near(name).find(|gate| !is_unfit(gate)))
        };
        let near = self.unknown.iter().map(|gate| (*gate, near(&gate.text)));
        let near: Vec<(&'a Field, Option<Gate>)> = near.collect();
        let left = near.iter().filter(|(_, gate)| gate.is_none()).count();
        let is_taken = |gate: &Gate| near.iter().any(|(_, taken)| taken.as_ref() == Some(gate));
        let mut named = self.named_for_this();
        named.retain(|gate| !is_taken(gate));
        // A feature that the code names at one of its gates may get another one.
        if self.known.iter().any(|(_, gate)| self.is_named(gate)) || (may_be_new && left > named.len()) {
            named.clear();
        }
        let mut of_readme = readme.iter().filter(|gate| !self.lists(gate) && !is_others(gate));
        let of_readme = match (of_readme.next().and_then(|gate| self.list.find(gate)), of_readme.next()) {
            (Some(gate), None) if self.unknown.len() == 1 => Meant::OfReadme(gate),
            _ => Meant::Unknown,
        };
        let others = if named.is_empty() { of_readme } else { Meant::Named(named) };
        near.into_iter().map(|(name, near)| (name, near.map_or_else(|| others.clone(), Meant::Near))).collect()
    }

    pub fn lists(&self, name: &str) -> bool {
        self.known.iter().any(|(known, _)| known.text == name)
    }

    fn is_named(&self, gate: &Gate) -> bool {
        self.number.is_some_and(|number| gate.keps.iter().any(|kep| kep == number))
    }

    /// The gates at which the code names this KEP, and which neither it nor another KEP lists.
    pub fn named_for_this(&self) -> Vec<Gate> {
        let Some(number) = self.number else { return Vec::new() };
        let mut gates = self.list.named_for(number);
        gates.retain(|gate| !self.lists(&gate.name) && self.repository.other_kep_of(&gate.name, None).is_none());
        gates
    }

    /// The known gates that belong to this KEP and go through the stages with it.
    pub fn own(&self) -> impl Iterator<Item = &(&'a Field, Gate)> {
        self.known.iter().filter(|(_, gate)| {
            let mut keps = self.repository.gates.get(&gate.name).into_iter().flatten();
            let mut is_others = || keps.any(|(kep, is_open)| *is_open && Some(kep.as_str()) != self.number);
            !gate.is_umbrella() && (self.is_named(gate) || !is_others())
        })
    }

    /// The own gates, if there are any and all of them are before `stage` in `release`, each with what it is there.
    pub fn below(&self, stage: Stage, release: Release) -> Option<Vec<(&'a Field, Presence)>> {
        let gates = self.own().map(|(name, gate)| (*name, gate.presence(release)));
        let gates: Vec<(&'a Field, Presence)> = gates.collect();
        let is_below = |presence: &Presence| match presence {
            Presence::NotYet => true,
            Presence::At(reached) => *reached < stage,
            Presence::Gone | Presence::Guard => false,
        };
        let is_feature = matches!(stage, Stage::Alpha | Stage::Beta | Stage::Stable);
        let are_below = !gates.is_empty() && gates.iter().all(|(_, presence)| is_below(presence));
        (is_feature && are_below).then_some(gates)
    }

    /// Where the own gates are in `release`, compared with `stage`.
    pub fn standing(&self, stage: Stage, release: Release) -> Standing<'a> {
        if !self.unknown.is_empty() {
            return Standing::Unclear;
        }
        if let Some(gates) = self.below(stage, release) {
            return Standing::Below(gates);
        }
        let reached = self.own().map(|(name, gate)| Some((*name, gate.reached(stage, release)?)));
        let reached: Option<Vec<(&'a Field, Since)>> = reached.collect();
        let last = reached.and_then(|gates| gates.into_iter().max_by_key(|(_, since)| *since));
        last.map_or(Standing::Unclear, |(name, since)| Standing::Reached(name, since))
    }
}
