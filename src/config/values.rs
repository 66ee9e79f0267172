//! What a configuration file says.

use super::globs::Globs;
use crate::diagnostic::Severity;
use crate::rules::levels::Levels;
use crate::stage::Release;

/// What a configuration file says; what it does not say is empty.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// `template`: a path from the directory of the file.
    pub template: Option<Setting<String>>,
    /// `release`.
    pub release: Option<Setting<Release>>,
    /// `exclude`: KEPs that are not checked.
    pub exclude: Option<Setting<Globs>>,
    /// `fail-on`; with `None` a run never fails.
    pub fail_on: Option<Setting<Option<Severity>>>,
    /// `level`.
    pub level: Option<Setting<Severity>>,
    /// `rules`.
    pub levels: Levels,
    /// `overrides`, in order; the last one that matches wins.
    pub overrides: Vec<Override>,
    /// `groups`.
    pub groups: Option<Setting<Groups>>,
    /// `approvers`: more PRR approvers.
    pub approvers: Option<Setting<Vec<String>>>,
}

/// A value, and the line that it is on, from 1 on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// The line of its key.
    pub line: usize,
}

/// The groups that KEPs belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Groups {
    /// These as well.
    More(Vec<String>),
    /// KEPs belong to no groups, and are approved for no releases of Kubernetes.
    None,
}

/// Levels of rules for some KEPs.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Override {
    /// The KEPs, by the paths of their directories.
    pub paths: Globs,
    /// The levels.
    pub levels: Levels,
}

impl Config {
    /// Whether the KEP whose directory has this path, from the directory of the file on, is not to be checked.
    pub fn excludes(&self, path: &str) -> bool {
        self.exclude.as_ref().is_some_and(|exclude| exclude.value.matches(path))
    }

    /// The levels of rules for the KEP whose directory has this path, from the directory of the file on.
    pub fn levels_for(&self, path: &str) -> Levels {
        let mut levels = self.levels.clone();
        let matching = self.overrides.iter().filter(|part| part.paths.matches(path));
        matching.for_each(|part| levels.extend(&part.levels));
        levels
    }
}

/// The value of `fail-on` with which a run never fails.
pub const NEVER: &str = "never";

/// The values of `fail-on`.
pub fn thresholds() -> impl Iterator<Item = &'static str> {
    Severity::ALL.map(Severity::name).into_iter().rev().chain([NEVER])
}
