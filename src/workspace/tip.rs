//! The release under development as git tells it: by the day of a commit, and by the KEPs that it has. It is
//! that of the commit that a change is made for, so that no change decides by which release it is judged.

use super::change::since::default_branch;
use super::edge::from_root;
use super::git::Git;
use super::git::approvals::object;
use super::git::contents::Contents;
use super::git::revision::list;
use super::paths::{path_of, shown};
use super::trees::Repositories;
use crate::bounds;
use crate::diagnostic::Failure;
use crate::kep::brief::Brief;
use crate::kep::directory::{is_set_apart, is_test_data};
use crate::kep::layout::TREE;
use crate::lint::Options;
use crate::ready::calendar::on_day;
use crate::repository::Repository;
use crate::stage::Release;
use crate::stage::milestones::Milestones;
use crate::stage::release::{Teller, Told};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

const METADATA: &[u8] = b"/kep.yaml";

/// The question about the files that git knows, with their objects and whether they differ on disk.
const INDEX: [&str; 7] = ["ls-files", "--stage", "--modified", "-v", "-z", "--", TREE];

/// The commit that tells the release.
pub struct Tip<'a> {
    pub git: &'a Git,
    pub commit: &'a str,
    pub by: Teller,
    /// The files that may differ on disk, if they are known.
    pub differing: Option<BTreeSet<PathBuf>>,
}

impl Tip<'_> {
    /// Tells the release of a tree at the top of the repository, unless the `options` name one. Other trees
    /// are copies, of which git knows no day.
    pub fn tell(&self, given: &Path, tree: &mut Repository, options: &Options) -> Result<(), Failure> {
        let Self { git, commit, by, .. } = *self;
        let is_at_top = from_root(git.root(), given).is_some_and(|path| path == Path::new(TREE));
        if !is_at_top || !tree.has_groups || options.release_meant(None).is_chosen() {
            return Ok(());
        }
        let on_day = Some(on_day(git.time_of(commit)?));
        tree.told = Told { by, milestones: self.milestones(&tree.saved_milestones)?, on_day };
        Ok(())
    }

    /// The latest milestones of the KEPs of the commit. Most of them are `saved` on disk in the same
    /// kep.yaml.
    fn milestones(&self, saved: &BTreeMap<String, Option<Release>>) -> Result<Milestones, Failure> {
        let Self { git, commit, .. } = *self;
        let is_index_asked = self.differing.is_none() && !saved.is_empty();
        let index = if is_index_asked { git.items("list the files of the repository", INDEX)? } else { Vec::new() };
        // A file that differs on disk is listed again, with another tag. One that git was told not to look at has no `H`.
        let on_disk = index.iter().filter(|item| item.ends_with(METADATA)).filter_map(|item| {
            let (object, path) = object(item)?;
            Some((path, if item.starts_with(b"H ") { object } else { "" }))
        });
        let on_disk: HashMap<&[u8], &str> = on_disk.collect();
        let is_saved = |path: &[u8], object: &str| match &self.differing {
            Some(differing) => !differing.contains(&path_of(path)),
            None => on_disk.get(path) == Some(&object),
        };
        let contents = Contents::new(git);
        let mut milestones = Vec::new();
        for item in list(git, commit, &[TREE])?.iter().filter(|item| item.ends_with(METADATA)) {
            let Some((object, name)) = object(item) else { continue };
            let path = path_of(name);
            let directory = path.parent().unwrap_or(&path);
            match saved.get(&shown(directory)) {
                Some(milestone) if is_saved(name, object) => milestones.extend(*milestone),
                _ if is_set_apart(&git.root().join(directory)) || is_test_data(directory) => {}
                _ => {
                    let file = contents.read(object, &path, bounds::FILE_BYTES).ok();
                    milestones.extend(file.and_then(|file| Brief::of(&file.text).milestone));
                }
            }
        }
        contents.failure().map_or_else(|| Ok(milestones.into_iter().collect()), Err)
    }
}

/// Lets the default branch tell the release of the trees, so that a run says what a pull request is told.
/// Where git does not know that branch, or cannot read it, the newest milestone of the tree counts.
pub fn tell_by_default_branch(repositories: &mut Repositories, options: &Options) {
    repositories.trees().for_each(|(given, tree)| tell_tree_by_default_branch(given, tree, options));
}

/// The same for one tree.
pub fn tell_tree_by_default_branch(given: &Path, tree: &mut Repository, options: &Options) {
    if !tree.has_groups || options.release_meant(None).is_chosen() {
        return;
    }
    let Ok(git) = Git::of_file(given) else { return };
    if let Some((_, commit)) = default_branch(&git) {
        let tip = Tip { git: &git, commit: &commit, by: Teller::DefaultBranch, differing: None };
        let _ = tip.tell(given, tree, options);
    }
}
