//! Which paths differ from a base, as git says.

use super::since::{Comparison, Head};
use crate::diagnostic::Failure;
use crate::workspace::paths::{RealPath, path_of};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const LINK: &[u8] = b"120000";

/// The question what differs from a commit, whatever the user has set. Without the refresh, a file that was saved without
/// a change differs. `-l` says how many files are compared to find those that were moved and changed.
pub fn question(settings: &str, options: &str, head: Head, base: &str) -> Vec<OsString> {
    const DIFF: &str = "-c diff.autoRefreshIndex=true -c diff.relative=false diff --no-ext-diff --no-textconv \
        --no-color --ignore-submodules=all --find-renames -l3000";
    let words = [settings, DIFF, options].into_iter().flat_map(str::split_ascii_whitespace);
    words.chain((head == Head::Index).then_some("--cached")).chain([base, "--"]).map(OsString::from).collect()
}

/// The paths that differ from a base, all from the repository's root on.
#[derive(Debug, Default)]
pub struct Changed {
    pub base: String,
    /// Those of files that were changed, added, deleted or moved, there and from there.
    pub touched: BTreeSet<PathBuf>,
    pub gone: BTreeSet<PathBuf>,
    /// Files that were moved: from where, and to where.
    pub moved: Vec<(PathBuf, PathBuf)>,
    pub links: BTreeSet<PathBuf>,
}

impl Changed {
    /// Asks git what differs from a base of the comparison; it does not know the `untracked` files yet.
    pub fn read(comparison: &Comparison, base: &str, untracked: &[PathBuf]) -> Result<Self, Failure> {
        let Comparison { git, head, .. } = comparison;
        let mut changed = Self { base: base.to_owned(), ..Self::default() };
        let mut items = git.items("compare with the base", question("", "--raw -z", *head, base))?.into_iter();
        // `:<mode before> <mode after> <object> <object> <status>`
        while let Some((modes, path)) = items.next().zip(items.next()) {
            let path = path_of(&path);
            let words: Vec<&[u8]> = modes.split(|byte| *byte == b' ').collect();
            let [before, after, _, _, status] = words.as_slice() else { break };
            changed.touched.insert(path.clone());
            if before.ends_with(LINK) || *after == LINK {
                changed.links.insert(path.clone());
            }
            match status.first() {
                Some(b'D') => drop(changed.gone.insert(path)),
                Some(b'R' | b'C') => {
                    let Some(new) = items.next().map(|new| path_of(&new)) else { break };
                    changed.touched.insert(new.clone());
                    if *after == LINK {
                        changed.links.insert(new.clone());
                    }
                    if status.first() == Some(&b'R') {
                        changed.gone.insert(path.clone());
                        changed.moved.push((path, new));
                    }
                }
                _ => {}
            }
        }
        for path in untracked {
            changed.gone.remove(path);
            if git.root().join(path).is_symlink() {
                changed.links.insert(path.clone());
            }
            changed.touched.insert(path.clone());
        }
        Ok(changed)
    }

    /// Whether the file or link at an absolute path was touched. What a link leads to has another path.
    pub fn has_touched(&self, root: &RealPath, path: &Path) -> bool {
        !self.touched.is_empty() && path.strip_prefix(root).is_ok_and(|way| self.touched.contains(way))
    }
}
