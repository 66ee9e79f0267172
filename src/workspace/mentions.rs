//! Reads which metrics the KEPs of a tree name, when that is asked for.

use super::directory::KepDirectory;
use super::walked::Walked;
use crate::repository::mentions::{Mentions, Named, metrics};
use std::sync::Arc;

/// The metrics that these KEPs name. Files that cannot be read are reported where they are checked.
pub fn of<'k>(keps: impl Iterator<Item = &'k KepDirectory>) -> Mentions {
    Mentions::new(all_named(keps.cloned().collect()))
}

/// The same for the KEPs of a tree that was looked through.
pub fn of_walked(walked: &Arc<Walked>) -> Mentions {
    let walked = Arc::clone(walked);
    Mentions::new((0..walked.keps.len()).filter_map(move |at| named(walked.keps.get(at)?)))
}

/// The metrics that KEPs named before they became those of `later`. What `is_same` is not read again.
pub fn before<'k>(
    later: &Mentions,
    keps: impl Iterator<Item = &'k KepDirectory>,
    is_same: impl Fn(&KepDirectory) -> bool,
) -> Mentions {
    let (same, others): (Vec<&KepDirectory>, Vec<&KepDirectory>) = keps.partition(|kep| is_same(kep));
    let same = same.into_iter().filter_map(|kep| Some(kep.tree_path()?.into())).collect();
    later.before(same, all_named(others.into_iter().cloned().collect()))
}

fn all_named(keps: Vec<KepDirectory>) -> impl Iterator<Item = Named> + Send + 'static {
    keps.into_iter().filter_map(|kep| named(&kep))
}

/// The metrics that a KEP names.
pub fn named(kep: &KepDirectory) -> Option<Named> {
    let readme = kep.files.readme.as_ref().map(|path| kep.read(path));
    let texts = readme.into_iter().chain(kep.metadata()).flatten();
    Some((kep.tree_path()?.into(), texts.flat_map(|opened| metrics(&opened.file.text)).collect()))
}
