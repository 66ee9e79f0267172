//! What a board is compared with: one that was written earlier, or the answers to the same question at a commit.
use super::arguments::ReadyArguments;
use crate::bounds;
use crate::diagnostic::{Failure, brief, named};
use crate::kep::number;
use crate::ready::board::Board;
use crate::ready::comparison::KepName;
use crate::ready::outline::{Outline, Since, Snapshot};
use crate::workspace::change::since::commit;
use crate::workspace::files::{Kind, Source, disk};
use crate::workspace::git::Git;
use crate::workspace::paths::shown;
use crate::workspace::walked::Walked;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const WHAT: &str = "name a board that `kep-lint ready --format json=FILE` wrote, or a commit";

pub enum Base {
    /// A board that was written, and what the user must know of it.
    Written(Box<(Since, Outline)>, Option<String>),
    /// The board of this commit, branch or tag.
    Commit(String),
}

/// What `--compare` names. A file counts if there is one.
pub fn of(arguments: &ReadyArguments) -> Result<Option<Base>, Failure> {
    let Some(value) = &arguments.compare else { return Ok(None) };
    let path = Path::new(value);
    let git = Git::around(Path::new("."));
    let is_commit = git.as_ref().is_ok_and(|git| !matches!(commit(git, value), Ok(None)));
    let kind = disk::around(path).kind(path);
    if !is_commit && kind == Some(Kind::Directory) {
        let failure = Failure::new(format!("cannot compare with {}: it is a directory", named(path))).at(path);
        return Err(failure.help(WHAT));
    }
    if kind == Some(Kind::Other) {
        let note = format!("`{}` is also a commit; the file of this name counts", brief(value));
        return Ok(Some(Base::Written(Box::new(read(path)?), is_commit.then_some(note))));
    }
    if !is_commit && path.extension().is_some_and(|extension| extension == "json") {
        let failure = Failure::new(format!("cannot compare with {}: there is no such file", named(path))).at(path);
        return Err(failure.help(format!("write a board with `kep-lint ready --format json={}`", shown(path))));
    }
    match git {
        Ok(_) => Ok(Some(Base::Commit(value.clone()))),
        Err(failure) if failure.help.as_ref().is_some_and(|help| help.starts_with("trust it")) => Err(failure),
        Err(_) => {
            let reason = "there is no such file, and no git repository here";
            let failure = Failure::new(format!("cannot compare with `{}`: {reason}", brief(value)));
            Err(failure.help(format!("{WHAT}, in a clone")))
        }
    }
}

fn read(path: &Path) -> Result<(Since, Outline), Failure> {
    let file = disk::around(path).read(path, bounds::EXPORT_BYTES)?.file;
    let name = shown(path);
    if file.invalid_utf8.is_some() {
        let failure = Failure::new(format!("cannot compare with {}: it is not UTF-8", named(path))).at(path);
        return Err(failure.help(WHAT));
    }
    let (since, outline) = Outline::read(&name, &file.text)?;
    // What is published must not tell where somebody's files are.
    let name = path.file_name().map_or(name, |name| shown(Path::new(name)));
    Ok((Since { name, ..since }, outline))
}

/// The same question about the files of a commit.
pub fn arguments_at(arguments: &ReadyArguments, name: &str) -> ReadyArguments {
    ReadyArguments { at: Some(name.to_owned()), pr: None, prs: None, compare: None, ..arguments.clone() }
}

/// What names the KEPs of `board`, one by one.
pub fn names_of(board: &Board) -> Vec<PathBuf> {
    let name = |name: KepName| match name.number {
        Some(number) => Some(PathBuf::from(format!("KEP-{number}"))),
        None => name.kep.map(PathBuf::from),
    };
    board.checklists.iter().map(KepName::of).filter_map(name).collect()
}

/// The commit that a board is about.
pub fn since(snapshot: Option<&Snapshot>, name: &str) -> Since {
    let commit = snapshot.map(|snapshot| snapshot.commit.clone());
    let git = Git::around(Path::new(".")).ok();
    let day = git.zip(commit.as_deref()).and_then(|(git, commit)| git.time_of(commit).ok()?.day());
    Since { name: name.to_owned(), judged: None, commit, day }
}

/// Tells which KEPs are still in the tree.
pub fn is_there(tree: Option<&Path>, source_of: &dyn Fn(&Path) -> Source) -> impl Fn(&KepName) -> bool {
    let known = tree.map(|tree| {
        let keps = Walked::walk(tree, &source_of(tree)).keps;
        let numbers = keps.iter().filter_map(|kep| number::of_directory(&kep.name)).map(str::to_owned);
        let directories = keps.iter().filter_map(|kep| kep.tree_path()).map(String::from);
        numbers.chain(directories).collect::<BTreeSet<String>>()
    });
    // Where there is no tree, nobody knows.
    move |name| {
        known.as_ref().is_none_or(|known| {
            let names = name.number.iter().chain(&name.kep);
            names.into_iter().any(|own| known.contains(own))
        })
    }
}
