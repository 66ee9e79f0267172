//! The files that no report may replace: those that a run reads, and those that git tracks; and those that no new file
//! may.

use crate::diagnostic::Failure;
use crate::kep::directory::{is_readme, is_set_apart};
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::{is_read_beside_keps, kep_around};
use crate::workspace::edge::followed;
use crate::workspace::files::disk;
use crate::workspace::git::{Git, quoted};
use crate::workspace::paths::{RealPath, path_of, shown};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Fails if a report at `given` would replace one of the `inputs` of a run, belong to a KEP, or replace a
/// file that git tracks.
pub fn refuse_report(given: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    let place = followed(given);
    if place.exists() && !place.is_file() {
        // A pipe or a device keeps nothing.
        return Ok(());
    }
    refuse_input(given, inputs)?;
    if place.exists() && !tracked(&place)?.is_empty() { Err(is_tracked(given)) } else { Ok(()) }
}

/// The same for comments, which are files such as `1.md` in a directory.
pub fn refuse_comments(directory: &Path) -> Result<(), Failure> {
    refuse_input(&directory.join("1.md"), &[])?;
    let place = followed(directory);
    let is_comment = |file: &&PathBuf| {
        let name = file.file_name().and_then(OsStr::to_str).and_then(|name| name.strip_suffix(".md"));
        file.parent() == Some(&place) && name.is_some_and(|name| name.bytes().all(|letter| letter.is_ascii_digit()))
    };
    match tracked(&place)?.iter().find(is_comment).and_then(|file| file.file_name()) {
        Some(name) => Err(is_tracked(&directory.join(name))),
        None => Ok(()),
    }
}

/// Fails if a file at `given` would be one of the `inputs` of a run, or belong to a KEP.
pub fn refuse_input(given: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    let place = followed(given);
    let source = disk::around(&place);
    let kep_there = kep_around(&place, &source).filter(KepDirectory::has_place);
    let mut keps = kep_there.into_iter().chain(inputs.iter().filter_map(|input| kep_of(input)));
    if keps.any(|kep| place.starts_with(&kep.real)) {
        return Err(Failure::of("write", given, "it is in the directory of a KEP").help("name a file outside of KEPs"));
    }
    let name = place.file_name().unwrap_or_default();
    let tree = place.parent().and_then(|directory| source.tree_of(&directory));
    let way = tree.as_ref().and_then(|tree| tree.way_to(&place));
    let is_read_in_tree = way.is_some_and(|way| is_set_apart(way) || is_readme(name) || name == "kep.yaml");
    if is_read_in_tree || is_read_beside_keps(name) || inputs.iter().any(|input| followed(input) == place) {
        return Err(Failure::of("write", given, "kep-lint reads it").help("name another file"));
    }
    Ok(())
}

/// The KEP that an argument names. One that is not in `keps` is named by its README, or its directory.
fn kep_of(input: &Path) -> Option<KepDirectory> {
    let file = if input.is_dir() { input.join("README.md") } else { input.to_owned() };
    kep_around(&file, &disk::around(input))
}

/// Fails if a sparse checkout left out the file at `given`: a new one would replace its text in the next commit.
pub fn refuse_left_out(given: &Path) -> Result<(), Failure> {
    let place = followed(given);
    let Ok(git) = Git::of_file(&place) else { return Ok(()) };
    let question = ["ls-files", "-t", "-z", "--"].map(OsStr::new).into_iter().chain([place.as_os_str()]);
    if git.items("list files", question)?.iter().any(|file| file.starts_with(b"S ")) {
        let failure = Failure::of("write", given, "this sparse checkout leaves it out");
        return Err(failure.help("get it with `git sparse-checkout disable` or `git sparse-checkout add`"));
    }
    Ok(())
}

/// The files at or below `place` that git tracks; none where git is not.
fn tracked(place: &RealPath) -> Result<Vec<PathBuf>, Failure> {
    let Ok(git) = Git::of_file(place) else { return Ok(Vec::new()) };
    let question = ["ls-files", "-z", "--"].map(OsStr::new).into_iter().chain([place.as_os_str()]);
    let files = git.items("list files", question)?;
    Ok(files.iter().map(|file| git.root().join(path_of(file))).collect())
}

fn is_tracked(given: &Path) -> Failure {
    let remedy = format!("name another file, or take this one out of git: `git rm --cached {}`", quoted(&shown(given)));
    Failure::of("write", given, "git tracks it").help(remedy)
}
