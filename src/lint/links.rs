//! What all KEPs of a run say that links from one to another need: the anchors of documents, and statuses.

use crate::kep::Kep;
use crate::kep::texts::{Role, Texts};
use crate::markdown::Document;
use crate::markdown::anchor::AnchorSet;
use crate::rules::run::OutgoingLinks;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::Status;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Default)]
pub struct Known {
    /// The documents that are linked to, by their paths from `keps` on.
    pages: BTreeMap<String, AnchorSet>,
    /// The statuses of KEPs, by the paths of their directories.
    pub statuses: BTreeMap<String, Status>,
}

impl Known {
    /// What the KEPs of a run have of that, and else `documents`.
    pub fn of<'a>(
        links: impl Iterator<Item = &'a OutgoingLinks> + Clone,
        pages: impl Iterator<Item = (String, AnchorSet)>,
        statuses: impl Iterator<Item = (String, Status)>,
        documents: &dyn Fn(&str) -> Option<Arc<SourceFile>>,
    ) -> Self {
        let wanted: BTreeSet<&str> = links.clone().flat_map(|links| &links.links).map(|link| &*link.path).collect();
        let mut pages: BTreeMap<String, AnchorSet> = pages.filter(|(path, _)| wanted.contains(path.as_str())).collect();
        for path in wanted {
            if !pages.contains_key(path)
                && let Some(file) = documents(path)
            {
                let anchors = Document::parse(FileId(0), file).anchors().clone();
                pages.insert(path.to_owned(), anchors);
            }
        }
        let mut statuses: BTreeMap<String, Status> = statuses.collect();
        let replaced: BTreeSet<&str> =
            links.flat_map(|links| &links.replaced).map(|replaced| replaced.path.as_str()).collect();
        for path in replaced {
            let Some(status) = statuses.get(path).copied().or_else(|| status_of(path, documents)) else { continue };
            statuses.insert(path.to_owned(), status);
        }
        Self { pages, statuses }
    }

    pub fn pages(&self) -> BTreeMap<&str, &AnchorSet> {
        self.pages.iter().map(|(path, anchors)| (path.as_str(), anchors)).collect()
    }
}

/// The status of a KEP that is not part of the run, by the path of its directory.
fn status_of(path: &str, documents: &dyn Fn(&str) -> Option<Arc<SourceFile>>) -> Option<Status> {
    let texts = Texts::new(path).with(Role::Metadata, documents(&format!("{path}/kep.yaml"))?);
    Kep::parse(texts).metadata?.status()
}
