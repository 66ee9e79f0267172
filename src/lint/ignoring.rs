//! Which ignores of a KEP count, and which of them are kept for the findings that need other KEPs.

use crate::kep::Kep;
use crate::rules::preset::Preset;
use crate::rules::rule::Checks;
use crate::rules::run::OutgoingLinks;
use crate::rules::select;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::suppress::Ignores;
use crate::suppress::ignore::Named;
use std::sync::Arc;

/// Whether the ignores in the files of KEPs count.
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

    /// The ignores of one file that count.
    pub fn of_file(self, source: &Arc<SourceFile>) -> Ignores {
        if self == Self::Disregarded { Ignores::default() } else { Ignores::of_file(FileId(0), source) }
    }
}

/// Drops the ignores that silence nothing in what needs other KEPs: until all of these are known, they are in memory.
pub fn keep_late(ignores: &mut Ignores, outgoing: &OutgoingLinks) {
    let (has_links, has_replaced) = (!outgoing.links.is_empty(), !outgoing.replaced.is_empty());
    let needs_other_keps =
        |checks: Checks| (has_links && checks.links.is_some()) || (has_replaced && checks.replaced.is_some());
    let is_late = |name: &Named| select::rule_named(&name.rule).is_some_and(|rule| needs_other_keps(rule.checks));
    ignores.list.retain(|ignore| ignore.works() && ignore.names.iter().any(is_late));
    ignores.list.shrink_to_fit();
}
