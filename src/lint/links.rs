//! What needs the anchors and statuses of all KEPs: links from one KEP to an anchor in a document of another, and the
//! KEPs that a KEP replaces.

use super::kept::Kept;
use super::{Documents, Options, ignoring};
use crate::kep::Kep;
use crate::kep::texts::{Role, Texts};
use crate::markdown::Document;
use crate::markdown::anchor::AnchorSet;
use crate::rules::run as rules;
use crate::span::FileId;
use crate::stage::Status;
use crate::suppress::Ignores;
use std::collections::{BTreeMap, BTreeSet};

/// Adds these findings to the reports that have been put into `kept`.
pub(super) fn check(kept: &mut Kept, documents: &Documents<'_>, options: &Options) {
    let reports = kept.reports();
    let links = reports.iter().flat_map(|report| &report.outgoing.links);
    let wanted: BTreeSet<&str> = links.map(|link| &*link.path).collect();
    let wanted: BTreeSet<String> = wanted.into_iter().map(str::to_owned).collect();
    let pages = reports.iter_mut().flat_map(|report| std::mem::take(&mut report.pages));
    let mut pages: Vec<(String, AnchorSet)> = pages.filter(|(path, _)| wanted.contains(path)).collect();
    let read: BTreeSet<String> = pages.iter().map(|(path, _)| path.clone()).collect();
    let others = wanted.into_iter().filter(|path| !read.contains(path));
    pages.extend(others.filter_map(|path| {
        let file = documents(&path)?;
        let anchors = Document::parse(FileId(0), &file.text, &file.lines).anchors().clone();
        Some((path, anchors))
    }));
    let known: BTreeMap<&str, &AnchorSet> = pages.iter().map(|(path, anchors)| (path.as_str(), anchors)).collect();
    let mut statuses: BTreeMap<String, Status> = reports.iter_mut().filter_map(|report| report.status.take()).collect();
    let replaced: BTreeSet<&str> =
        reports.iter().flat_map(|report| &report.outgoing.replaced).map(|replaced| replaced.path.as_str()).collect();
    for path in replaced {
        let Some(status) = statuses.get(path).copied().or_else(|| status_of(path, documents)) else { continue };
        statuses.insert(path.to_owned(), status);
    }
    kept.change_each(|report| {
        let links = std::mem::take(&mut report.outgoing);
        let known_before = report.diagnostics.len();
        rules::run_links(&links, &known, &mut report.diagnostics);
        rules::run_replaced(&links, &statuses, &mut report.diagnostics);
        let mut late = report.diagnostics.split_off(known_before);
        report.ignored += ignoring::apply_late(&mut report.ignores, &links, &report.names, &report.files, &mut late);
        report.diagnostics.append(&mut late);
        report.fold(options);
        report.ignores = Ignores::default();
        if !links.links.is_empty() || !links.replaced.is_empty() {
            report.drop_unused_texts();
        }
    });
}

/// The status of a KEP that is not part of the run, by the path of its directory.
fn status_of(path: &str, documents: &Documents<'_>) -> Option<Status> {
    let texts = Texts::new(path).with(Role::Metadata, documents(&format!("{path}/kep.yaml"))?);
    Kep::parse(texts).metadata?.status()
}
