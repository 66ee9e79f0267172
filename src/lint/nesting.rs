//! Files of a KEP whose nesting is too deep to be read completely: then findings may be missing, which is a failure.

use crate::bounds;
use crate::diagnostic::Failure;
use crate::kep::Kep;

pub fn failures(kep: &Kep) -> Vec<Failure> {
    let metadata = kep.metadata.as_ref().and_then(|metadata| metadata.too_deep);
    let owners = kep.owners.as_ref().and_then(|owners| owners.too_deep);
    let review = kep.review.as_ref().and_then(|review| review.too_deep);
    let too_deep = [metadata, owners, review].into_iter().flatten();
    let reason = format!("it is nested more than {} levels deep", bounds::YAML_DEPTH);
    let failure = |path: &str| Failure::of("read all of", path, &reason).help("reduce the nesting");
    too_deep.map(|span| failure(&kep.texts.file(span.file).path)).collect()
}
