//! When ignores are applied to the findings of a KEP: once all of them have their fingerprints, which therefore do not
//! depend on ignores, and again for the findings that need other KEPs.

use super::fingerprint::{self, Names};
use crate::diagnostic::Diagnostic;
use crate::kep::Kep;
use crate::rules::context::Ctx;
use crate::rules::judge;
use crate::rules::rule::{Checks, Rule};
use crate::rules::run::OutgoingLinks;
use crate::rules::select::{self, Selection};
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
    /// They are comments like others.
    Disregarded,
}

impl IgnoreComments {
    /// The ignores of `kep` that count.
    pub fn of(self, kep: &Kep) -> Ignores {
        if self == Self::Disregarded { Ignores::default() } else { Ignores::of(kep) }
    }

    /// The ignores of one file that count.
    pub fn of_file(self, source: &Arc<SourceFile>) -> Ignores {
        if self == Self::Disregarded { Ignores::default() } else { Ignores::of_file(FileId(0), source) }
    }
}

/// Removes the findings of a KEP that its `ignores` silence, and adds those about the ignores. Returns how many it
/// removed.
pub fn apply(
    comments: IgnoreComments,
    ignores: &mut Ignores,
    ctx: &Ctx<'_>,
    selection: &Selection,
    outgoing: &OutgoingLinks,
    names: &Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> usize {
    if ignores.is_empty() {
        return 0;
    }
    let knows_all = comments == IgnoreComments::Honored && judge::knows_all(ctx, selection, diagnostics);
    let count = silence(ignores, names, &ctx.kep.texts.files, diagnostics);
    diagnostics.extend(judge::run(ignores, ctx, selection, outgoing, knows_all));
    count
}

/// Drops the ignores that silence nothing in what needs other KEPs: until all of these are known, they are in memory.
pub fn keep_late(ignores: &mut Ignores, outgoing: &OutgoingLinks) {
    let (has_links, has_replaced) = (!outgoing.links.is_empty(), !outgoing.replaced.is_empty());
    let is_late = |name: &Named| {
        let checks = select::rule_named(&name.rule).map(|rule| rule.checks);
        let awaits =
            |checks: Checks| (has_links && checks.links.is_some()) || (has_replaced && checks.replaced.is_some());
        checks.is_some_and(awaits)
    };
    ignores.list.retain(|ignore| ignore.works() && ignore.names.iter().any(is_late));
    ignores.list.shrink_to_fit();
}

/// Does the same as [`apply`] for the findings that need other KEPs.
pub fn apply_late(
    ignores: &mut Ignores,
    outgoing: &OutgoingLinks,
    names: &Names,
    files: &[Arc<SourceFile>],
    diagnostics: &mut Vec<Diagnostic>,
) -> usize {
    if ignores.is_empty() {
        return 0;
    }
    let count = silence(ignores, names, files, diagnostics);
    diagnostics.extend(judge::run_late(ignores, outgoing, files));
    count
}

/// Does the same for all findings in a file that is not part of a KEP, which were made by the rules that `is_checked`
/// knows.
pub fn apply_to_file(
    mut ignores: Ignores,
    names: &Names,
    source: &Arc<SourceFile>,
    selection: &Selection,
    is_checked: fn(&Rule) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> usize {
    if ignores.is_empty() {
        return 0;
    }
    let count = silence(&mut ignores, names, std::slice::from_ref(source), diagnostics);
    diagnostics.extend(judge::run_file(&ignores, source, selection, is_checked));
    count
}

fn silence(
    ignores: &mut Ignores,
    names: &Names,
    files: &[Arc<SourceFile>],
    diagnostics: &mut Vec<Diagnostic>,
) -> usize {
    fingerprint::sort(diagnostics, files);
    fingerprint::stamp(names, files, diagnostics);
    ignores.silence(diagnostics)
}
