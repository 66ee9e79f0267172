//! What of the files of a KEP is not read, because it is too deep or too much: then findings may be missing or too many,
//! which is a failure.

use crate::bounds;
use crate::diagnostic::Failure;
use crate::kep::Kep;
use crate::source::SourceFile;
use crate::suppress::Ignores;
use std::sync::Arc;

/// The failures to read all of the nesting in the files of `kep`.
pub fn nesting(kep: &Kep) -> impl Iterator<Item = Failure> {
    let metadata = kep.metadata.as_ref().and_then(|metadata| metadata.too_deep);
    let owners = kep.owners.as_ref().and_then(|owners| owners.too_deep);
    let review = kep.review.as_ref().and_then(|review| review.too_deep);
    let reason = format!("it is nested more than {} levels deep", bounds::YAML_DEPTH);
    [metadata, owners, review].into_iter().flatten().map(move |span| {
        Failure::of("read all of", &kep.texts.file(span.file).path, &reason).help("reduce the nesting")
    })
}

/// The failures to read all of the ignores in these files.
pub fn ignores(ignores: &Ignores, files: &[Arc<SourceFile>]) -> impl Iterator<Item = Failure> {
    let reason = format!("its ignores name more than {} rules", bounds::IGNORED_NAMES);
    let excessive = ignores.excessive.iter().filter_map(|file| files.get(file.index()));
    excessive.map(move |file| {
        Failure::of("read all of", &file.path, &reason).help("remove some, or ignore a rule in the whole file")
    })
}
