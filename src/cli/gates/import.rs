//! `kep-lint gates import DIR`: brings a list of feature gates up to date with a checkout of the code.

use crate::bounds;
use crate::cli::args::commands::ImportArguments;
use crate::cli::outcome::Outcome;
use crate::cli::print::print_to_save;
use crate::cli::write::together::{self, Change};
use crate::cli::{destination, output};
use crate::diagnostic::{Failure, named};
use crate::gates::import::{Code, SOURCES, VERSIONED};
use crate::gates::{Gates, HEADER, Newest, code};
use crate::source::SourceFile;
use crate::workspace::config_file::list_of;
use crate::workspace::edge::Edge;
use crate::workspace::files::opened::Opened;
use crate::workspace::files::{Source, disk};
use crate::workspace::git::Git;
use crate::workspace::paths::RealPath;
use std::path::Path;
use std::sync::Arc;

pub fn run(arguments: &ImportArguments) -> Result<Outcome, Failure> {
    let ImportArguments { directory, output: path, .. } = arguments;
    path.as_deref().map(destination::check_output).transpose()?;
    let source = disk::around(directory);
    // Another repository has its gates in one file at most, the first one.
    let has = |file: &str| source.kind(&directory.join(file)).is_some();
    let is_of_kubernetes = SOURCES.iter().skip(1).any(|(file, _)| has(file));
    let known = path.as_deref().map(known).transpose()?.flatten();
    let built_in = is_of_kubernetes.then(|| Gates::built_in().clone());
    let (old, before) = match known {
        Some((list, place, text)) => (Some(list), Some((place, text))),
        None => (built_in, None),
    };
    let code = read(arguments, &source, is_of_kubernetes)?;
    if let Some(old) = &old
        && !arguments.force
    {
        if arguments.is_final {
            refuse_newer(&code, old)?;
        } else {
            refuse_older(&code.newest, &old.newest)?;
        }
    }
    let list = code.update(old.as_ref());
    let head = before.as_ref().map(|(_, text)| comment(text)).filter(|head| !head.is_empty());
    let text = format!("{}{list}", head.unwrap_or_else(|| HEADER.to_owned()));
    // What is written must be readable.
    list_of(&Arc::new(SourceFile::decode("the new list", text.clone().into_bytes())))?;
    let Some(path) = path else {
        print_to_save(&text)?;
        return Ok(Outcome::Clean);
    };
    let change = Change { given: path.clone(), before, after: text };
    together::write(&[change], &Edge::around(path))?;
    output::note(&format!("wrote {}: {}", named(path), difference(old.as_ref(), &list)));
    Ok(Outcome::Clean)
}

fn comment(text: &str) -> String {
    text.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// The list in a file, with its place and its text; `None` if there is no file.
fn known(path: &Path) -> Result<Option<(Gates, RealPath, String)>, Failure> {
    let Some(Opened { file, place }) = destination::known(path, bounds::LIST_BYTES)? else { return Ok(None) };
    let list = list_of(&file)?;
    Ok(Some((list, place, file.text.clone())))
}

fn read(arguments: &ImportArguments, source: &Source, is_of_kubernetes: bool) -> Result<Code, Failure> {
    let directory = &arguments.directory;
    let text = |name: &str| {
        let path = directory.join(name);
        let explained = |failure: Failure| failure.help("name the root of a checkout that has this file");
        let file = source.read(&path, bounds::FILE_BYTES).map_err(explained)?.file;
        match file.invalid_utf8 {
            Some(_) => Err(Failure::of("read", &path, "it is not UTF-8")),
            None => Ok(file.text.clone()),
        }
    };
    let versioned = code::versioned(&text(VERSIONED)?).map_err(|problem| {
        let failure = Failure::of("read", directory.join(VERSIONED), &problem.message);
        problem.help.into_iter().fold(failure, Failure::help)
    })?;
    let has = |file: &str| source.kind(&directory.join(file)).is_some();
    let wanted = SOURCES.iter().filter(|(file, _)| is_of_kubernetes || has(file));
    let sources = wanted.map(|(file, list)| Ok((*list, text(file)?))).collect::<Result<Vec<_>, Failure>>()?;
    let release = arguments
        .release
        .or_else(|| Code::release_of(&versioned))
        .ok_or_else(|| Failure::new("the code names no release").help("name it with `--release`"))?;
    let not_git = |failure: Failure| failure.help("name a checkout of the code, with its git repository");
    let git = Git::around(directory).map_err(not_git)?;
    let commit = git
        .line(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
        .ok_or_else(|| Failure::of("read", directory, "it has no commit").help("name a checkout of the code"))?;
    let date = git.time_of(&commit)?.date()?;
    Ok(Code { versioned, sources, newest: Newest { release, date, commit }, is_final: arguments.is_final })
}

fn refuse_older(newest: &Newest, known: &Newest) -> Result<(), Failure> {
    let (new, old) = ((newest.release, newest.date), (known.release, known.date));
    if new >= old {
        return Ok(());
    }
    let message = format!("the code is of {} ({}), the list of {} ({})", new.0, new.1, old.0, old.1);
    Err(Failure::new(message).help("import newer code, or use `--force`"))
}

/// Fails if the code is of a later release than the one that is out: what is gone in it was still there then. Once the list
/// has that code, only that the release is out is taken.
fn refuse_newer(code: &Code, known: &Gates) -> Result<(), Failure> {
    let (given, known) = (code.newest.release, known.newest.release);
    match Code::release_of(&code.versioned) {
        Some(own) if own > given && known <= given => {
            let failure = Failure::new(format!("the code is of {own}, not of {given}"));
            Err(failure.help("import it first without `--release` and `--final`, or check out that release"))
        }
        _ => Ok(()),
    }
}

/// How many gates are new, changed or gone, and which release is out now.
fn difference(old: Option<&Gates>, new: &Gates) -> String {
    let (mut added, mut changed, mut removed) = (0, 0, 0);
    for gate in new.iter() {
        match old.and_then(|old| old.find(&gate.name)) {
            None => added += 1,
            Some(before) if before.removed != gate.removed => removed += 1,
            Some(before) if before != gate => changed += 1,
            Some(_) => {}
        }
    }
    let dropped = old.into_iter().flat_map(Gates::iter).filter(|gate| new.find(&gate.name).is_none()).count();
    let dropped = if dropped > 0 { format!(", {dropped} dropped, which came later") } else { String::new() };
    let is_same = old.is_some_and(|old| old.last_final == new.last_final);
    let complete = if is_same { String::new() } else { format!("; complete up to {}", new.last_final) };
    format!("{added} new, {changed} changed, {removed} removed{dropped}{complete}")
}
