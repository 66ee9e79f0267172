//! Reads which metrics the KEPs of a tree name, when that is asked for.

use super::directory::KepDirectory;
use super::pool::each;
use super::walked::Walked;
use crate::repository::mentions::{Mentions, metrics};
use std::collections::HashSet;
use std::sync::Arc;

/// The metrics that these KEPs name. Files that cannot be read are reported where they are checked.
pub fn of<'k>(keps: impl Iterator<Item = &'k KepDirectory>) -> Mentions {
    let keps: Vec<KepDirectory> = keps.cloned().collect();
    Mentions::new(move || read(&keps))
}

/// The same for the KEPs of a tree that was looked through.
pub fn of_walked(walked: &Arc<Walked>) -> Mentions {
    let walked = Arc::clone(walked);
    Mentions::new(move || read(&walked.keps))
}

/// The metrics that KEPs named before they became those of `later`. What `is_same` is not read again.
pub fn before<'k>(
    later: &Mentions,
    keps: impl Iterator<Item = &'k KepDirectory>,
    is_same: impl Fn(&KepDirectory) -> bool,
) -> Mentions {
    let (same, others): (Vec<&KepDirectory>, Vec<&KepDirectory>) = keps.partition(|kep| is_same(kep));
    let others: Vec<KepDirectory> = others.into_iter().cloned().collect();
    let same = same.into_iter().filter_map(|kep| Some(kep.tree_path()?.into())).collect();
    later.before(same, move || read(&others))
}

fn read(keps: &[KepDirectory]) -> Vec<(String, HashSet<String>)> {
    let read = |kep: &KepDirectory| {
        let readme = kep.files.readme.as_ref().map(|path| kep.read(path));
        let texts = readme.into_iter().chain(kep.metadata()).flatten();
        let named: HashSet<String> = texts.flat_map(|opened| metrics(&opened.file.text)).collect();
        Some((kep.tree_path()?.into(), named))
    };
    each(keps, read).into_iter().flatten().collect()
}
