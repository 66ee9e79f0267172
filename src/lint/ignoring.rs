//! Which ignores of a KEP count.

use crate::kep::Kep;
use crate::rules::preset::Preset;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::suppress::Ignores;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IgnoreComments {
    /// They silence findings, and findings about them are reported.
    #[default]
    Honored,
    /// They silence findings, but none is reported as unused: the run is not like others, so that another may need it.
    Unjudged,
    Disregarded,
}

impl IgnoreComments {
    /// What a run does with them. Upstream's scripts know none. With another release or template, other sections are
    /// required than in the runs that ignores are for, which makes a run unusual.
    pub fn of_run(preset: Preset, is_unusual: bool) -> Self {
        match preset {
            Preset::Upstream => Self::Disregarded,
            Preset::Recommended | Preset::Strict if is_unusual => Self::Unjudged,
            Preset::Recommended | Preset::Strict => Self::Honored,
        }
    }

    pub fn of(self, kep: &Kep) -> Ignores {
        if self == Self::Disregarded { Ignores::default() } else { Ignores::of(kep) }
    }

    pub fn of_file(self, source: &Arc<SourceFile>) -> Ignores {
        if self == Self::Disregarded { Ignores::default() } else { Ignores::of_file(FileId(0), source) }
    }
}
