//! The release under development as git tells it: by the day of a commit, and by the KEPs that it has. It is
//! that of the commit that a change is made for, so that no change decides by which release it is judged.

use super::briefs;
use super::change::since::default_branch;
use super::edge::from_root;
use super::git::Git;
use super::git::revision::of_commit;
use super::trees::Repositories;
use super::walked::Walked;
use crate::diagnostic::Failure;
use crate::kep::directory::TREE;
use crate::lint::Options;
use crate::ready::calendar::on_day;
use crate::repository::Repository;
use crate::stage::release::{Teller, Told};
use std::path::Path;

/// The commit that tells the release.
pub struct Tip<'a> {
    pub git: &'a Git,
    pub commit: &'a str,
    pub by: Teller,
}

impl Tip<'_> {
    /// Tells the release of a tree at the top of the repository, unless the `options` name one. Other trees
    /// are copies, of which git knows no day.
    pub fn tell(&self, given: &Path, tree: &mut Repository, options: &Options) -> Result<(), Failure> {
        let Self { git, commit, by } = *self;
        let is_at_top = from_root(git.root(), given).is_some_and(|path| path == Path::new(TREE));
        if !is_at_top || !tree.has_groups || options.release_meant(None).is_chosen() {
            return Ok(());
        }
        let time = git.time_of(commit)?;
        let source = of_commit(git, commit)?;
        let keps = Walked::walk(given, &source).keps;
        let briefs = briefs::all(&keps.iter().collect::<Vec<_>>());
        let milestones = briefs.into_iter().filter_map(|(_, brief)| brief.milestone).collect();
        if let Some(failure) = source.failure() {
            return Err(failure);
        }
        tree.told = Told { by, milestones, on_day: Some(on_day(time)) };
        Ok(())
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
        let tip = Tip { git: &git, commit: &commit, by: Teller::DefaultBranch };
        let _ = tip.tell(given, tree, options);
    }
}
