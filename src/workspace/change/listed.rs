//! What git's index says of files that a comparison with the files on disk would not see: those in other
//! repositories, and those that a sparse checkout leaves out on purpose, which would look like deleted ones.

use crate::diagnostic::Failure;
use crate::kep::directory::is_below;
use crate::kep::layout::TREE;
use crate::repository::WITHOUT_TOC;
use crate::workspace::discover::BESIDE_KEPS;
use crate::workspace::git::nested::with_trees;
use crate::workspace::git::{Git, at_tab};
use crate::workspace::paths::path_of;
use std::path::{Path, PathBuf};

/// What is not compared, all from the repository's root on.
#[derive(Debug, Default)]
pub struct Listed {
    pub others: Vec<PathBuf>,
    /// Files that git does not know yet.
    pub untracked: Vec<PathBuf>,
    /// Files that are not on disk on purpose.
    left_out: Vec<PathBuf>,
}

impl Listed {
    pub fn read(git: &Git) -> Result<Self, Failure> {
        let mut listed = Self::default();
        let question = ["ls-files", "--stage", "--others", "--exclude-standard", "-v", "-z"];
        // `<tag> <mode> <object> <stage>\t<path>`, or `? <path>`
        for item in git.items("list the files of the repository", question)? {
            if let Some(path) = item.strip_prefix(b"? ") {
                listed.untracked.push(path_of(path));
                continue;
            }
            let Some((head, path)) = at_tab(&item) else { continue };
            let path = || path_of(path);
            if head.get(2..).is_some_and(|mode| mode.starts_with(b"160000 ")) {
                listed.others.push(path());
                continue;
            }
            if head.first().is_some_and(|tag| tag.eq_ignore_ascii_case(&b'S')) {
                listed.left_out.push(path());
            }
        }
        // Without a sparse checkout, it is the user who said that git does not have to look at such a file.
        let is_sparse = || git.line(["config", "--type=bool", "core.sparseCheckout"]).as_deref() == Some("true");
        if !listed.left_out.is_empty() && !is_sparse() {
            listed.left_out.clear();
        }
        Ok(listed)
    }

    /// Fails if a file that the run reads is left out: one in a tree of `checked`, which are absolute paths,
    /// one of those beside it, or one of `named`, which options and the configuration name.
    pub fn refuse_left_out(&self, root: &Path, checked: &[PathBuf], named: &[PathBuf]) -> Result<(), Failure> {
        let own = checked.iter().filter_map(|path| path.strip_prefix(root).ok()).map(Path::to_owned);
        let places: Vec<PathBuf> = with_trees(own).collect();
        let is_read = |path: &&PathBuf| {
            let is_without_toc = path.ends_with(WITHOUT_TOC);
            let is_named = |name: &str| path.file_name().is_some_and(|last| last == name);
            let is_list = is_without_toc || BESIDE_KEPS.into_iter().any(is_named);
            let around = path.ancestors().nth(if is_without_toc { 2 } else { 1 });
            let is_beside = |place: &PathBuf| around.is_some_and(|around| place.starts_with(around));
            let is_in = |place: &PathBuf| path.starts_with(place) && is_below(path, TREE);
            places.iter().any(|place| is_in(place) || (is_list && is_beside(place))) || named.contains(&root.join(path))
        };
        let Some(path) = self.left_out.iter().find(is_read) else { return Ok(()) };
        let reason = "this sparse checkout leaves it out";
        let failure = Failure::of("compare with git", path, reason);
        Err(failure.help("get it with `git sparse-checkout disable` or `git sparse-checkout add`, or use `--staged`"))
    }
}
