//! Reads which metrics the KEPs of a tree name, when that is asked for.

use super::directory::KepDirectory;
use super::pool::each;
use crate::bounds;
use crate::repository::mentions::{Mentions, metrics};
use std::collections::HashSet;

/// The metrics that these KEPs name. Files that cannot be read are reported where they are checked.
pub fn of(keps: &[&KepDirectory]) -> Mentions {
    let keps: Vec<KepDirectory> = keps.iter().map(|kep| (*kep).clone()).collect();
    Mentions::new(move || {
        let read = |kep: &KepDirectory| {
            let files = [&kep.files.readme, &kep.files.metadata].into_iter().flatten();
            let texts = files.filter_map(|path| kep.source.read_in(&kep.real, path, bounds::FILE_BYTES).ok());
            let named: HashSet<String> = texts.flat_map(|opened| metrics(&opened.file.text)).collect();
            Some((kep.tree_path()?, named))
        };
        each(&keps, read).into_iter().flatten().collect()
    })
}
