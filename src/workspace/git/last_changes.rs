//! When the directories below a tree of KEPs were changed last, by the history of the branch that is
//! checked out. A merge counts as one change of it.

use super::{Git, log};
use crate::workspace::paths::{RealPath, path_of};
use crate::yaml::date::{Date, SECONDS_PER_DAY};
use std::collections::HashMap;
use std::path::PathBuf;

/// The day in UTC of the last commit that changes each directory below the `tree`, as far as git knows it.
pub fn of_tree(tree: &RealPath) -> HashMap<RealPath, Date> {
    let read = || {
        let git = Git::of_file(tree).ok()?;
        let way = git.root().way_to(tree)?.to_owned();
        let options = ["--name-only", "--no-renames", "--format=tformat:%ct %P", "HEAD"];
        let items = git.items("read the history of KEPs", log(&options, &way)).ok()?;
        Some(days(&git, &items, &way))
    };
    read().unwrap_or_default()
}

/// Reads `<seconds> <parents>` for each commit, and below it the paths that it changes.
fn days(git: &Git, items: &[Vec<u8>], tree: &PathBuf) -> HashMap<RealPath, Date> {
    let is_shallow = git.is_shallow();
    let mut days = HashMap::new();
    let mut day = None;
    for item in items.iter().map(|item| item.strip_prefix(b"\n").unwrap_or(item)) {
        let path = path_of(item);
        if !path.starts_with(tree) {
            let head = String::from_utf8_lossy(item);
            let (seconds, parents) = head.split_once(' ').unwrap_or((&head, ""));
            // Where the history of a clone begins, all files seem to be new.
            let is_known = !is_shallow || !parents.is_empty();
            let seconds = seconds.parse::<u64>().ok().filter(|_| is_known);
            day = seconds.and_then(|seconds| Date::after_epoch(seconds / SECONDS_PER_DAY));
            continue;
        }
        let Some(day) = day else { continue };
        for directory in path.ancestors().skip(1).take_while(|around| around.starts_with(tree)) {
            days.entry(git.root().below(directory)).or_insert(day);
        }
    }
    days
}
