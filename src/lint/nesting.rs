//! Files of a KEP whose nesting is too deep to be read completely: then findings may be missing, which is a failure.

use crate::bounds;
use crate::diagnostic::Failure;
use crate::kep::Kep;
use crate::source::SourceFile;
use crate::span::FileId;
use std::sync::Arc;

/// The files of `kep` that are too deep.
pub fn too_deep(kep: &Kep) -> Vec<FileId> {
    let metadata = kep.metadata.as_ref().and_then(|metadata| metadata.too_deep);
    let owners = kep.owners.as_ref().and_then(|owners| owners.too_deep);
    let review = kep.review.as_ref().and_then(|review| review.too_deep);
    [metadata, owners, review].into_iter().flatten().map(|span| span.file).collect()
}

/// The failures to read those of `files` that are too deep.
pub fn failures(files: &[Arc<SourceFile>], too_deep: &[FileId]) -> Vec<Failure> {
    let files = too_deep.iter().filter_map(|file| files.get(file.index()));
    let failure = |file: &Arc<SourceFile>| {
        let reason = format!("it is nested more than {} levels deep", bounds::YAML_DEPTH);
        Failure::of("read all of", &file.path, &reason).help("reduce the nesting")
    };
    files.map(failure).collect()
}
