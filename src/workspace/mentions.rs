//! Reads which metrics the KEPs of a tree name, when that is asked for.

use super::directory::KepDirectory;
use super::pool::each;
use crate::repository::mentions::{Mentions, metrics};
use std::collections::HashSet;

/// The metrics that these KEPs name. Files that cannot be read are reported where they are checked.
pub fn of(keps: &[&KepDirectory]) -> Mentions {
    let keps: Vec<KepDirectory> = keps.iter().map(|kep| (*kep).clone()).collect();
    Mentions::new(move || {
        let read = |kep: &KepDirectory| {
            let readme = kep.files.readme.as_ref().map(|path| kep.read(path));
            let texts = readme.into_iter().chain(kep.metadata()).flatten();
            let named: HashSet<String> = texts.flat_map(|opened| metrics(&opened.file.text)).collect();
            Some((kep.tree_path()?.into(), named))
        };
        each(&keps, read).into_iter().flatten().collect()
    })
}
