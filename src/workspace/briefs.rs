//! Reads what is needed of all KEPs of a tree, also if only a few are checked.

use super::directory::KepDirectory;
use super::pool::each;
use crate::kep::brief::Brief;
use crate::markdown::Document;
use crate::span::FileId;

/// What is read of each kep.yaml of a tree. Files that cannot be read are reported where they are checked.
pub fn all<'a>(keps: &[&'a KepDirectory]) -> Vec<(&'a KepDirectory, Brief)> {
    let brief = |kep: &&'a KepDirectory| Some((*kep, of(kep)?));
    each(keps, brief).into_iter().flatten().collect()
}

pub fn of(kep: &KepDirectory) -> Option<Brief> {
    let layout = kep.source.layout();
    let metadata = kep.metadata().and_then(Result::ok).map(|opened| Brief::of(&opened.file.text));
    let mut brief = if layout.is_of_keps() { metadata? } else { metadata.unwrap_or_default() };
    if layout.own().is_some_and(|own| !own.targets.is_empty()) {
        let document = Document::parse(FileId(0), kep.read(kep.files.readme.as_ref()?).ok()?.file);
        brief.milestone = layout.targets(&document).iter().map(|target| target.release).max().or(brief.milestone);
    }
    Some(brief)
}
