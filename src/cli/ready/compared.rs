//! What a board is compared with: one that was written earlier, or the answers to the same question at a commit.
use super::arguments::ReadyArguments;
use super::question::Question;
use crate::bounds;
use crate::diagnostic::{Failure, brief, named};
use crate::kep::number;
use crate::ready::board::Board;
use crate::ready::comparison::KepName;
use crate::ready::outline::{Outline, Since, Snapshot};
use crate::workspace::change::since::commit;
use crate::workspace::files::{Kind, disk};
use crate::workspace::git::Git;
use crate::workspace::paths::shown;
use crate::workspace::walked::Walked;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const WHAT: &str = "name a board that `kep-lint ready --format json=FILE` wrote, or a commit";

pub enum Base {
    Written(Box<(Since, Outline)>),
    Commit(String),
}

impl Base {
    /// What `--compare` names. A file counts if there is one.
    pub fn of(value: &str) -> Result<Self, Failure> {
        let path = Path::new(value);
        let refused = |reason: &str, help: String| {
            let failure = Failure::new(format!("cannot compare with {}: {reason}", named(path)));
            Err(failure.at(path).help(help))
        };
        let git = Git::around(Path::new("."));
        let is_commit = git.as_ref().is_ok_and(|git| !matches!(commit(git, value), Ok(None)));
        match (disk::around(path).kind(path), git) {
            (Some(Kind::Other), _) => {
                let (mut since, outline) = read(path)?;
                if is_commit {
                    let note = format!("`{}` is also a commit; the file of this name counts", brief(value));
                    since.note = Some(note);
                }
                Ok(Self::Written(Box::new((since, outline))))
            }
            (Some(Kind::Directory), _) if !is_commit => refused("it is a directory", WHAT.to_owned()),
            _ if !is_commit && path.extension().is_some_and(|extension| extension == "json") => {
                let help = format!("write a board with `kep-lint ready --format json={}`", shown(path));
                refused("there is no such file", help)
            }
            (_, Ok(_)) => Ok(Self::Commit(value.to_owned())),
            (_, Err(failure)) if failure.help.as_ref().is_some_and(|help| help.starts_with("trust it")) => Err(failure),
            (_, Err(_)) => {
                let reason = "there is no such file, and no git repository here";
                let failure = Failure::new(format!("cannot compare with `{}`: {reason}", brief(value)));
                Err(failure.help(format!("{WHAT}, in a clone")))
            }
        }
    }
}

fn read(path: &Path) -> Result<(Since, Outline), Failure> {
    let file = disk::around(path).read(path, bounds::EXPORT_BYTES)?.file;
    if file.invalid_utf8.is_some() {
        let failure = Failure::new(format!("cannot compare with {}: it is not UTF-8", named(path))).at(path);
        return Err(failure.help(WHAT));
    }
    let (since, outline) = Outline::read(&shown(path), &file.text)?;
    // What is published must not tell where somebody's files are.
    let name = path.file_name().map_or(since.name, |name| shown(Path::new(name)));
    Ok((Since { name, ..since }, outline))
}

pub fn arguments_at(arguments: &ReadyArguments, name: &str) -> ReadyArguments {
    ReadyArguments { at: Some(name.to_owned()), pr: None, prs: None, compare: None, ..arguments.clone() }
}

/// What names the KEPs of `board`, one by one.
pub fn names_of(board: &Board) -> Vec<PathBuf> {
    let names = board.checklists.iter().map(|kep| match &kep.number {
        Some(number) => Some(PathBuf::from(format!("KEP-{number}"))),
        None => kep.kep.as_ref().map(PathBuf::from),
    });
    names.flatten().collect()
}

/// The commit that a board is about.
pub fn since(snapshot: Option<&Snapshot>, name: &str) -> Since {
    let commit = snapshot.map(|snapshot| snapshot.commit.clone());
    let git = Git::around(Path::new(".")).ok();
    let day = git.zip(commit.as_deref()).and_then(|(git, commit)| git.time_of(commit).ok()?.day());
    Since { name: name.to_owned(), judged: None, commit, day, note: None }
}

/// Tells which KEPs are still in the tree.
pub fn is_there(question: &Question) -> impl Fn(&KepName) -> bool {
    let known = question.tree.as_deref().map(|tree| {
        let keps = Walked::walk(tree, &question.source(tree)).keps;
        let numbers = keps.iter().filter_map(|kep| number::of_directory(&kep.name)).map(str::to_owned);
        let directories = keps.iter().filter_map(|kep| kep.tree_path()).map(String::from);
        numbers.chain(directories).collect::<BTreeSet<String>>()
    });
    move |name| {
        // Where there is no tree, nobody knows.
        known.as_ref().is_none_or(|known| name.number.iter().chain(&name.kep).any(|own| known.contains(own)))
    }
}
