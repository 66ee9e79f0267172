//! A tree of which most files are not there, but facts are.

use super::{Repositories, Tree};
use crate::authoring::scalar;
use crate::kep::layout::TREE;
use crate::repository::Repository;
use crate::repository::facts::{Facts, KnownKep};
use crate::source::SourceFile;
use crate::workspace::files::Source;
use crate::yaml::tree::Style;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Repositories {
    /// The tree `keps` of these files, of which this is known.
    pub(in crate::workspace) fn among(source: Source, repository: Repository, facts: Arc<Facts>) -> Self {
        let root = source.real(Path::new(TREE));
        let tree = Tree { given: PathBuf::from(TREE), source, repository, around: None, facts: Some(facts) };
        Self { known: BTreeMap::from([(root, tree)]), other: Repository::default(), failures: Vec::new() }
    }

    /// What is known of the kep.yaml at a path, which is not there, as a file.
    pub(super) fn known_metadata(&self, path: &str) -> Option<Arc<SourceFile>> {
        let directory = path.strip_suffix("/kep.yaml")?;
        let kep = self.known.values().find_map(|tree| tree.facts.as_ref()?.written.keps.get(directory))?;
        Some(Arc::new(SourceFile::decode(path, written(kep, directory).into_bytes())))
    }
}

/// A KEP as a kep.yaml with as much as is known of it.
fn written(kep: &KnownKep, directory: &str) -> String {
    let KnownKep { title, status, stage, milestone, owning_sig, superseded_by, .. } = kep;
    let around = directory.split('/').nth(1).unwrap_or_default();
    let sig = if owning_sig.is_empty() { around } else { owning_sig };
    let fields = [
        ("title", title.as_str()),
        ("owning-sig", sig),
        ("status", status),
        ("stage", stage),
        ("latest-milestone", milestone),
    ];
    let quoted = |text: &str| scalar::written(text, Style::Plain);
    let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
    let lines = fields.map(|(key, value)| format!("{key}: {}\n", quoted(value)));
    let later = superseded_by.iter().map(|path| format!("  - {}\n", quoted(path)));
    let key = if superseded_by.is_empty() { "" } else { "superseded-by:\n" };
    lines.chain([key.to_owned()]).chain(later).collect()
}
