//! What all KEPs of a run say that links from one to another need: the anchors of documents, and statuses.

use super::report::{Checked, KepReport};
use crate::kep::Kep;
use crate::kep::texts::{Role, Texts};
use crate::markdown::Document;
use crate::markdown::anchor::AnchorSet;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::Status;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Documents and kep.yaml files that no KEP of a run has, by their paths from `keps` on.
pub type Documents = BTreeMap<String, Arc<SourceFile>>;

pub struct Known {
    /// The documents that are linked to, by their paths from `keps` on.
    pub pages: BTreeMap<String, AnchorSet>,
    /// The statuses of KEPs, by the paths of their directories.
    pub statuses: BTreeMap<String, Status>,
}

impl Known {
    /// What the KEPs of a run have of that, and else `documents`. The reports need their part no longer.
    pub fn of(reports: &mut [KepReport], documents: &Documents) -> Self {
        let wanted: BTreeSet<String> =
            reports.iter().flat_map(|report| &report.outgoing.links).map(|link| link.path.clone()).collect();
        let mut known = Self { pages: BTreeMap::new(), statuses: BTreeMap::new() };
        for (path, file) in documents {
            match path.strip_suffix("/kep.yaml") {
                Some(directory) => known.statuses.extend(status(file).map(|status| (directory.to_owned(), status))),
                None => {
                    let anchors = Document::parse(FileId(0), Arc::clone(file)).anchors().clone();
                    known.pages.insert(path.clone(), anchors);
                }
            }
        }
        for report in reports {
            let pages = std::mem::take(&mut report.pages);
            known.pages.extend(pages.into_iter().filter(|(path, _)| wanted.contains(path)));
            known.statuses.extend(report.status.take());
        }
        known
    }
}

/// The paths from `keps` on of the documents that the KEPs link to, and of the kep.yaml files of those that they replace,
/// which are in none of the reports.
pub fn missing_documents(reports: &[Checked]) -> BTreeSet<String> {
    let reports = || reports.iter().flatten();
    let pages: BTreeSet<&str> = reports().flat_map(|report| &report.pages).map(|(path, _)| path.as_str()).collect();
    let statuses: BTreeSet<&str> =
        reports().filter_map(|report| report.status.as_ref()).map(|(path, _)| path.as_str()).collect();
    let mut missing = BTreeSet::new();
    for report in reports() {
        let links = report.outgoing.links.iter().filter(|link| !pages.contains(link.path.as_str()));
        missing.extend(links.map(|link| link.path.clone()));
        let replaced = report.outgoing.replaced.iter().filter(|kep| !statuses.contains(kep.path.as_str()));
        missing.extend(replaced.map(|kep| format!("{}/kep.yaml", kep.path)));
    }
    missing
}

fn status(file: &Arc<SourceFile>) -> Option<Status> {
    let texts = Texts::default().with(Role::Metadata, Arc::clone(file));
    Kep::parse(texts).metadata?.status()
}
