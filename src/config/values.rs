//! What a configuration file says.

use super::globs::Globs;
use crate::diagnostic::Severity;
use crate::gates::Gates;
use crate::kep::Kep;
use crate::kep::filter::Filter;
use crate::kep::layout::Layout;
use crate::rules::levels::Levels;
use crate::rules::preset::Preset;
use crate::span::Span;
use crate::stage::Release;
use std::sync::Arc;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    pub preset: Option<Setting<Preset>>,
    /// `template`, one for each kind of documents: a path from the directory of the file.
    pub templates: Vec<Setting<String>>,
    /// `sections`: the highest severity of a gap that only the repository's template asks to fill.
    pub sections: Option<Setting<Severity>>,
    /// Where the proposals are, if not where KEPs are.
    pub documents: Option<Setting<String>>,
    /// The keys that go with it, each with its value as it is written.
    pub layout_keys: Vec<(String, Setting<String>)>,
    /// What follows from that, and from the keys that go with it.
    pub layout: Layout,
    pub release: Option<Setting<Release>>,
    pub exclude: Option<Setting<Globs>>,
    /// `fail-on`; with `None` a run never fails.
    pub fail_on: Option<Setting<Option<Severity>>>,
    pub level: Option<Setting<Severity>>,
    pub levels: Levels,
    /// `overrides`, in order; the last one that matches wins.
    pub overrides: Vec<Override>,
    pub groups: Option<Setting<Groups>>,
    pub approvers: Option<Setting<Vec<String>>>,
    pub gates: Option<Setting<String>>,
    pub gone: Vec<Setting<String>>,
    pub code: Option<Arc<Gates>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    pub line: usize,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Groups {
    More(Vec<String>),
    /// KEPs belong to no groups, and are approved for no releases of Kubernetes.
    None,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Override {
    /// The KEPs, by the paths of their directories; without patterns, all.
    pub paths: Globs,
    pub filter: Filter,
    pub sigs: Option<Span>,
    pub levels: Levels,
}

impl Config {
    /// Whether the KEP whose directory has this path, from the directory of the file on, is not to be
    /// checked.
    pub fn excludes(&self, path: &str) -> bool {
        // `keps/sig-a/1-b/**` is all that is in a proposal.
        let matches = |globs: &Globs| globs.matches(path) || globs.matches(&format!("{path}/"));
        self.exclude.as_ref().is_some_and(|exclude| matches(&exclude.value))
    }

    pub fn levels_for(&self, kep: &Kep) -> Levels {
        let mut levels = self.levels.clone();
        let path = &kep.texts.config_path;
        let is_for_path = |part: &&Override| part.paths.patterns.is_empty() || part.paths.matches(path);
        let matching = self.overrides.iter().filter(|part| is_for_path(part) && part.filter.admits(kep));
        matching.for_each(|part| levels.extend(&part.levels));
        levels
    }
}

pub const SECTIONS: [(&str, Severity); 2] = [("required", Severity::Error), ("suggested", Severity::Advice)];

pub const NEVER: &str = "never";

pub fn thresholds() -> impl Iterator<Item = &'static str> {
    Severity::ALL.map(Severity::name).into_iter().rev().chain([NEVER])
}

/// The keys of an override that say for which KEPs it is. All but the first are those of the command line's
/// filters.
pub const CONDITIONS: [&str; 7] = ["paths", "sig", "status", "kep-stage", "milestone", "author", "approver"];
