//! Which of the KEPs found are checked, by what their kep.yaml says.

use super::pool::each;
use crate::diagnostic::{Failure, brief};
use crate::kep::Kep;
use crate::kep::directory::{group_names, short_group_name};
use crate::kep::filter::{Facts, Filter, Sig};
use crate::kep::texts::Slot;
use crate::lint::panics::caught;
use crate::repository::RETIRED_GROUPS;
use crate::suggest;
use crate::workspace::directory::KepDirectory;
use crate::workspace::kep_files::{self, KepTexts};
use crate::workspace::trees::Repositories;
use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub struct Filtered {
    pub keps: Vec<KepDirectory>,
    pub left_out: usize,
    /// The first option that none of them matches, if none matches all.
    pub unmatched: Option<&'static str>,
    /// Why it is not known whether some are admitted.
    pub failures: Vec<Failure>,
}

/// Applies `filter` to `keps`, which are all that were found. Fails for a SIG that is unknown, so that a typo does not
/// look like KEPs without findings.
pub fn apply(filter: &Filter, keps: Vec<KepDirectory>, repositories: &Repositories) -> Result<Filtered, Failure> {
    if filter.is_empty() || keps.is_empty() {
        return Ok(Filtered { keps, ..Filtered::default() });
    }
    let groups = groups(repositories);
    let whole = whole(filter, repositories);
    let judged: Vec<Judged> = each(&keps, |kep| judge(&whole, kep, repositories));
    let owning = judged.iter().filter_map(|judged| judged.facts.sig.clone());
    let known: BTreeSet<Sig> = groups.iter().cloned().chain(owning).collect();
    let is_known = |sig: &Sig| known.contains(sig) || full_name(sig, &groups).is_some();
    if let Some(unknown) = filter.sigs.iter().find(|sig| !is_known(sig)) {
        return Err(unknown_sig(unknown, &known));
    }
    let is_matched = |alone: &Filter| judged.iter().any(|judged| alone.admits_facts(&judged.facts));
    let unmatched = whole.each().into_iter().find(|(_, alone)| !is_matched(alone)).map(|(option, _)| option);
    let mut filtered = Filtered { unmatched, ..Filtered::default() };
    for (kep, Judged { is_admitted, failures, .. }) in keps.into_iter().zip(judged) {
        if is_admitted {
            filtered.keps.push(kep);
        } else {
            filtered.left_out += 1;
        }
        filtered.failures.extend(failures);
    }
    Ok(filtered)
}

/// The filter with the full names of its SIGs beside short ones, which a KEP may have in its kep.yaml, too.
pub fn whole(filter: &Filter, repositories: &Repositories) -> Filter {
    let groups = groups(repositories);
    let full = filter.sigs.iter().filter(|sig| !groups.contains(sig)).filter_map(|sig| full_name(sig, &groups));
    Filter { sigs: filter.sigs.iter().cloned().chain(full).collect(), ..filter.clone() }
}

fn groups(repositories: &Repositories) -> BTreeSet<Sig> {
    let groups = repositories.iter().filter(|repository| repository.has_groups).flat_map(|it| &it.groups);
    groups.filter_map(|name| Sig::of(name)).collect()
}

/// Fails if one of the `sigs` is none that the KEPs can belong to, by the groups and directories of their trees.
pub fn check_sigs(sigs: &[Sig], keps: &[KepDirectory], repositories: &Repositories) -> Result<(), Failure> {
    let groups = repositories.iter().flat_map(|it| it.groups.iter().map(String::as_str).chain(RETIRED_GROUPS.lines()));
    let directories = keps.iter().filter_map(|kep| kep.tree()?.1.iter().next()?.to_str());
    let known: BTreeSet<Sig> = groups.chain(directories).filter_map(Sig::of).collect();
    // Without a tree, nothing tells which SIGs there are.
    let unknown = sigs.iter().find(|sig| !known.is_empty() && !known.contains(sig));
    unknown.map_or(Ok(()), |sig| Err(unknown_sig(sig, &known)))
}

/// What a filter says about a KEP.
struct Judged {
    is_admitted: bool,
    facts: Facts,
    failures: Vec<Failure>,
}

fn judge(filter: &Filter, kep: &KepDirectory, repositories: &Repositories) -> Judged {
    let judged = caught("check", &kep.shown, || {
        let KepTexts { texts, failures, .. } = kep_files::read_metadata(kep);
        let is_unreadable = texts.metadata == Slot::Unreadable;
        let mut kep_of_yaml = Kep::parse(texts);
        repositories.of(kep).attach_reviews(&mut kep_of_yaml);
        // A KEP whose kep.yaml does not say enough is checked: else breaking that file would hide it.
        let is_broken = match &kep_of_yaml.metadata {
            Some(metadata) => !metadata.tree.problems.is_empty(),
            None => kep_of_yaml.texts.layout.metadata_file().is_some(),
        };
        let of_sig = Filter { sigs: filter.sigs.clone(), ..Filter::default() };
        let facts = Facts::of(&kep_of_yaml);
        let is_admitted = filter.admits_facts(&facts) || (is_broken && !is_unreadable && of_sig.admits_facts(&facts));
        // Those of a KEP that is admitted are reported when it is checked.
        let failures = if is_unreadable && !is_admitted { failures } else { Vec::new() };
        Judged { is_admitted, facts, failures }
    });
    judged.unwrap_or_else(|failure| Judged { is_admitted: false, facts: Facts::default(), failures: vec![failure] })
}

/// The SIG that one without `sig-` means.
fn full_name(sig: &Sig, known: &BTreeSet<Sig>) -> Option<Sig> {
    group_names(sig.name()).filter_map(|name| Sig::of(&name)).find(|sig| known.contains(sig))
}

fn unknown_sig(unknown: &Sig, known: &BTreeSet<Sig>) -> Failure {
    // Many leave out the part that all names have.
    let all: Vec<(&str, &Sig)> = known.iter().map(|sig| (short_group_name(sig.name()), sig)).collect();
    let nearest = suggest::nearest(short_group_name(unknown.name()), all.iter().map(|(name, _)| *name));
    let nearest = all.iter().find(|(name, _)| Some(*name) == nearest);
    let help = match (nearest, known.first()) {
        (Some((_, nearest)), _) => format!("did you mean `{}`?", nearest.name()),
        (None, Some(first)) => format!("name a SIG of these KEPs, such as `{}`", first.name()),
        (None, None) => "leave out `--sig`: these KEPs belong to no SIG".to_owned(),
    };
    Failure::new(format!("unknown SIG `{}`", brief(unknown.name()))).help(help)
}
