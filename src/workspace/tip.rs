//! The release under development as git tells it: by the day of a commit, and by the KEPs that it has. It is
//! that of the commit that a change is made for, so that no change decides by which release it is judged.

use super::change::since::{Known, default_branch};
use super::edge::from_root;
use super::git::Git;
use super::paths::path_of;
use super::trees::Repositories;
use crate::diagnostic::Failure;
use crate::kep::brief;
use crate::kep::directory::{is_set_apart, is_test_data};
use crate::kep::layout::TREE;
use crate::lint::Options;
use crate::ready::calendar::on_day;
use crate::ready::calendar::schedule::Time;
use crate::repository::Repository;
use crate::stage::release::{Milestones, Teller, Told};
use std::collections::BTreeMap;
use std::path::Path;

/// The commit that tells the release.
pub struct Tip<'a> {
    pub git: &'a Git,
    pub commit: &'a str,
    /// When it was made, if that is known.
    pub time: Option<Time>,
    pub by: Teller,
}

impl Tip<'_> {
    /// Tells the release of a tree at the top of the repository, unless the `options` name one. Other trees
    /// are copies, of which git knows no day.
    pub fn tell(&self, given: &Path, tree: &mut Repository, options: &Options) -> Result<(), Failure> {
        let Self { git, commit, time, by } = *self;
        let top = Path::new(tree.layout.tree());
        let is_at_top = from_root(git.root(), given).is_some_and(|path| path == top);
        if !is_at_top || !tree.has_releases_of_kubernetes() || options.release_meant(None).is_chosen() {
            return Ok(());
        }
        let on_day = Some(on_day(time.map_or_else(|| git.time_of(commit), Ok)?));
        let of_tree = tree.told.milestones.clone();
        let milestones = if tree.layout.is_of_keps() { self.milestones()? } else { of_tree };
        tree.told = Told { by, milestones, on_day };
        Ok(())
    }

    fn milestones(&self) -> Result<Milestones, Failure> {
        let files = format!(":(glob){TREE}/**/kep.yaml");
        let lines = self.git.lines_with(brief::MILESTONE, self.commit, &files)?;
        let mut milestones = BTreeMap::new();
        for line in lines.split(|byte| *byte == b'\n') {
            let Some(end) = line.iter().position(|byte| *byte == 0) else { continue };
            let (file, text) = line.split_at(end);
            let text = String::from_utf8_lossy(text.get(1..).unwrap_or_default());
            let path = path_of(file.get(self.commit.len() + 1..).unwrap_or_default());
            if let Some(milestone) = brief::milestone_in(&text)
                && !is_set_apart(&path)
                && !is_test_data(&path)
            {
                // The first line of a file counts.
                milestones.entry(file).or_insert(milestone);
            }
        }
        Ok(milestones.into_values().collect())
    }
}

/// Lets the default branch tell the release of the trees, so that a run says what a pull request is told.
/// Where git does not know that branch, or cannot read it, the newest milestone of the tree counts.
pub fn tell_by_default_branch(repositories: &mut Repositories, options: &Options) {
    repositories.trees().for_each(|(given, tree)| tell_tree_by_default_branch(given, tree, options));
}

/// The same for one tree.
pub fn tell_tree_by_default_branch(given: &Path, tree: &mut Repository, options: &Options) {
    if !tree.has_releases_of_kubernetes() || options.release_meant(None).is_chosen() {
        return;
    }
    let Ok(git) = Git::of_file(given) else { return };
    if let Some(Known { object, time, .. }) = default_branch(&git) {
        let tip = Tip { git: &git, commit: &object, time, by: Teller::DefaultBranch };
        let _ = tip.tell(given, tree, options);
    }
}
