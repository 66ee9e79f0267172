//! The release under development as git tells it: by the day of a commit, and by the KEPs that it has. It is that of the
//! commit that a change is made for, so that no change decides by which release it is judged.

use super::briefs;
use super::change::since::default_branch;
use super::directory::KepDirectory;
use super::files::Source;
use super::git::Git;
use super::git::revision::{Revision, from_root};
use super::paths::GivenPath;
use super::trees::Repositories;
use super::walked::Walked;
use crate::diagnostic::Failure;
use crate::lint::Options;
use crate::ready::calendar::under_development;
use crate::repository::Repository;
use crate::stage::development::ToldBy;
use crate::stage::milestones::Milestones;
use std::path::Path;
use std::sync::Arc;

pub struct At<'a> {
    pub git: &'a Git,
    pub commit: &'a str,
    /// Its files, which are listed only if they are asked for.
    pub files: &'a dyn Fn() -> Result<Arc<Revision>, Failure>,
    /// The milestones of the KEPs in a tree of these files.
    pub milestones: &'a dyn Fn(&Path, &Source) -> Milestones,
}

/// Finds the release of the trees at a commit, unless the `options` name one.
pub fn find_at(
    repositories: &mut Repositories,
    at: &At<'_>,
    told_by: ToldBy,
    options: &Options,
) -> Result<(), Failure> {
    let At { git, commit, files, milestones } = at;
    let is_there = |given: &Path| from_root(git.root(), given).is_some();
    let trees = repositories.trees().filter(|(given, tree)| tree.has_groups && is_there(given));
    let trees: Vec<(&GivenPath, &mut Repository)> = trees.collect();
    if options.release_meant(None).is_chosen() || trees.is_empty() {
        return Ok(());
    }
    let on_day = under_development(git.day_of(commit)?);
    let revision = files()?;
    let source: Source = revision.clone();
    let found: Vec<Milestones> = trees.iter().map(|(given, _)| milestones(given, &source)).collect();
    if let Some(failure) = revision.failure() {
        return Err(failure);
    }
    for ((_, tree), known) in trees.into_iter().zip(found) {
        tree.take_release(on_day, &known, told_by);
    }
    Ok(())
}

/// The same for `keps` that are named one by one, by the default branch, so that such a run says what a pull request is
/// told. Where git does not know that branch, the newest milestone of the tree counts.
pub fn find_on_default_branch<'k>(
    repositories: &mut Repositories,
    mut keps: impl Iterator<Item = &'k KepDirectory>,
    options: &Options,
) {
    if options.release_meant(None).is_chosen() || keps.any(|kep| kep.is_searched) {
        return;
    }
    let Some(Ok(git)) = repositories.given().next().map(|given| Git::of_file(given)) else { return };
    let Some((_, commit)) = default_branch(&git) else { return };
    // What cannot be read there is no failure of this run.
    let files = || Revision::of_commit(&git, &commit).map(Arc::new);
    let at = At { git: &git, commit: &commit, files: &files, milestones: &of_tree };
    let _ = find_at(repositories, &at, ToldBy::DefaultBranch, options);
}

/// The milestones of the KEPs in a tree at another version.
fn of_tree(tree: &Path, source: &Source) -> Milestones {
    of_keps(&Walked::walk(tree, source).keps.iter().collect::<Vec<_>>())
}

pub fn of_keps(keps: &[&KepDirectory]) -> Milestones {
    let briefs = briefs::all(keps);
    briefs.into_iter().filter_map(|(_, brief)| brief.milestone).collect()
}
