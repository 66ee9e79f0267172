//! `kep-lint ready`: whether KEPs are ready for a stage and release. A question goes four steps: it is *asked* (which files,
//! which KEPs), all that it needs is *read*, each KEP is *judged*, and the board of the answers is *rendered*.

pub(crate) mod arguments;
mod asked;
pub mod input;
mod judged;
mod judging;
mod list;
mod outputs;
mod pulls;
mod question;
use self::arguments::ReadyArguments;
use self::asked::Asked;
use self::judged::Past;
use self::judging::Judging;
use self::outputs::Outputs;
use self::pulls::Pulls;
use self::pulls::heads::Heads;
use self::question::Question;
use super::check::threads;
use super::outcome::Outcome;
use super::{error, output, today};
use crate::bounds;
use crate::diagnostic::{Failure, brief, counted, named};
use crate::kep::layout::Layout;
use crate::kep::number;
use crate::ready::board::Board;
use crate::ready::calendar::{Family, first_release};
use crate::ready::checklist::Checklist;
use crate::ready::comparison::Comparison;
use crate::ready::outline::{Outline, Since, Snapshot, WHAT};
use crate::report::ready::json;
use crate::repository::Repository;
use crate::stage::Release;
use crate::stage::release::{Meant, OnDay, Reason};
use crate::workspace::change::since::commit;
use crate::workspace::files::disk;
use crate::workspace::files::opened::Kind;
use crate::workspace::git::Git;
use crate::workspace::paths::shown;
use crate::workspace::project::Project;
use crate::workspace::tip::tell_tree_by_default_branch;
use crate::workspace::trees::FEW_KEPS;
use crate::workspace::walked::Walked;
use crate::workspace::{filtered, kep_files};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub fn run(arguments: &ReadyArguments) -> Result<Outcome, Failure> {
    let arguments = question::understood(arguments)?;
    let outputs = Outputs::open(&arguments)?;
    let list = question::list(&arguments)?;
    let question = Question::of(arguments, list)?;
    let base = question.arguments.compare.as_deref().map(base).transpose()?;
    // Texts are nested as deep as their authors like.
    let outcome = threads(None, 1)?.install(|| answer(&question, base, outputs));
    question.conditions.lines().iter().for_each(|line| output::note(line));
    outcome
}

fn answer(question: &Question, base: Option<(Since, Option<Outline>)>, outputs: Outputs) -> Result<Outcome, Failure> {
    let arguments = &question.arguments;
    let mut board = board(question)?;
    let before = match base {
        Some((since, Some(before))) => Some((since, before)),
        Some((since, None)) => Some(at_commit(question, &board, since)?),
        None => None,
    };
    if let Some(handle) = &arguments.waiting_for {
        board.keep_waiting_for(handle.clone());
    }
    if arguments.from.is_none() {
        board.put_worst_first();
    }
    let mut board = board.assembled();
    if let Some((since, before)) = before {
        compare(&mut board, since, before, question)?;
    }
    let mut failures = board.failures.clone();
    let open = board.checklists.len() - if board.is_to_close { 0 } else { board.ready_count() };
    // Without any KEP, an earlier result is better than none.
    if !board.checklists.is_empty() || failures.is_empty() {
        failures.extend(outputs.write(board));
    }
    error::print_all(&failures);
    Ok(match open {
        _ if !failures.is_empty() => Outcome::Incomplete,
        0 => Outcome::Clean,
        _ => Outcome::Findings,
    })
}

/// The answers to the same question at a commit, also if another release was under development then.
fn at_commit(question: &Question, now: &Board, since: Since) -> Result<(Since, Outline), Failure> {
    let at = Some(since.name.clone());
    let mut arguments = ReadyArguments { at, pr: None, prs: None, compare: None, ..question.arguments.clone() };
    if question.changed().is_some() {
        let names = now.checklists.iter().map(|kep| match &kep.number {
            Some(number) => Some(PathBuf::from(format!("KEP-{number}"))),
            None => kep.kep.as_ref().map(PathBuf::from),
        });
        arguments.keps = names.flatten().collect();
    }
    let mut earlier = Question::of(arguments, question.list.clone())?;
    let is_given = now.checklists.iter().all(|checklist| checklist.release == now.release);
    let reason = if is_given { Reason::Given } else { now.release_origin };
    earlier.earlier = Some(Meant { release: now.release, reason, is_kubernetes: now.family.is_of_kubernetes() });
    let board = board(&earlier)?.assembled();
    let judged = earlier.judged.as_ref();
    let commit = judged.map(|judged| judged.snapshot.commit.clone());
    let day = judged.and_then(|judged| judged.git.time_of(&judged.snapshot.commit).ok()?.day());
    Ok((Since { commit, day, ..since }, Outline::of_json(&json::render(&board))?))
}

/// Adds what changed. Boards that cannot be compared are no reason to print none.
fn compare(board: &mut Board, since: Since, mut before: Outline, question: &Question) -> Result<(), Failure> {
    if let Some(person) = &board.person {
        before.keep_waiting_for(&person.handle);
    }
    let name = brief(&since.name).into_owned();
    let now = Outline { is_selection: board.is_selection, ..Outline::of_json(&json::render(board))? };
    match Comparison::of(since, &before, &now, is_there(question)) {
        Ok(comparison) => {
            comparison.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
            board.comparison = Some(comparison);
        }
        Err(reason) => {
            let failure = Failure::new(format!("cannot compare with `{name}`: {reason}"));
            board.failures.push(failure.help("name the release of both with `--release`"));
        }
    }
    Ok(())
}

fn board(question: &Question) -> Result<Board, Failure> {
    let mut asked = Asked::find(question)?;
    let project = project(&asked, question);
    let judging = read(question, &project, &mut asked)?;
    let judged = asked.keps.iter().map(|kep| judging.judge(kep)).collect();
    assemble(judging, judged)
}

/// Reads what the KEPs that are asked about need, and chooses those that are meant of the ones found in directories.
fn read<'a>(question: &'a Question, project: &'a Project, asked: &mut Asked) -> Result<Judging<'a>, Failure> {
    let Question { arguments, judged, list, .. } = question;
    let (repositories, templates) = (&project.repositories, project.templates());
    let pulls = open_pulls(question, asked);
    let first = repositories.iter().next();
    let meant = question.earlier.unwrap_or_else(|| question.terms.options.release_meant(first));
    let is_of_kubernetes = first.is_none_or(|first| first.has_groups);
    if is_of_kubernetes && meant.release < first_release() {
        let failure = Failure::new(format!("there is no checklist for {}", meant.release));
        return Err(failure.help(format!("name {} or a later release", first_release())));
    }
    let left_out = choose(asked, question, pulls.as_ref(), first, meant.release);
    asked.apply(&arguments.filters.filter(&Layout::default())?, repositories, pulls.is_some())?;
    if let Some(pulls) = &pulls {
        pulls.note_missing(&asked.numbers(), !asked.searched.is_empty());
    }
    // The same list has the same failures.
    asked.failures.extend(list.iter().filter(|_| question.is_now()).flat_map(|list| list.failures.clone()));
    asked.failures.extend_from_slice(&repositories.failures);
    asked.failures.extend_from_slice(&templates.failures);
    asked.failures.extend(judged.as_ref().and_then(|judged| judged.revision.failure()));
    let snapshot = match judged {
        Some(judged) => Some(judged.snapshot.clone()),
        None => judged::on_disk(asked.place(question.tree.as_deref()), &asked.read_from()),
    };
    let is_unmerged = |known: &Snapshot| judged::is_unmerged(judged.as_ref(), &known.commit);
    let board = Board {
        release: meant.release,
        release_origin: meant.reason,
        now: today::time()?,
        schedule: question.days(meant.release, is_of_kubernetes)?,
        family: Family::asked(meant.release, is_of_kubernetes),
        is_unmerged: arguments.gate.is_some() && snapshot.as_ref().is_some_and(is_unmerged),
        snapshot,
        is_strict: arguments.strict,
        is_selection: question.changed().is_some() || list.is_none() && asked.are_named(),
        reviewers: first.map(Repository::active_approvers).unwrap_or_default(),
        left_out,
        filtered: asked.filtered,
        conditions: question.conditions.clone(),
        failures: std::mem::take(&mut asked.failures),
        ..Board::default()
    };
    let past = Past { judged: judged.as_ref(), read: OnceLock::new() };
    Ok(Judging { question, repositories, templates, pulls, meant, past, tree: asked.root(), board })
}

fn assemble(judging: Judging<'_>, judged: Vec<(Option<Checklist>, Vec<Failure>)>) -> Result<Board, Failure> {
    let Judging { question, repositories, meant, mut board, .. } = judging;
    let arguments = &question.arguments;
    for (checklist, failures) in judged {
        board.checklists.extend(checklist);
        board.failures.extend(failures);
    }
    // The release that all KEPs are asked about is said once; else each KEP says its own.
    let mut releases = board.checklists.iter().map(|checklist| (checklist.release, checklist.origin));
    if let Some(common) = releases.next().filter(|first| releases.all(|other| other == *first)) {
        (board.release, board.release_origin) = common;
    }
    if board.release != meant.release {
        let is_of_kubernetes = board.family.is_of_kubernetes();
        board.schedule = question.days(board.release, is_of_kubernetes)?;
        board.family = Family::asked(board.release, is_of_kubernetes);
    }
    // What a KEP says that only a pull request has is known now.
    let count = board.checklists.len();
    let filter = filtered::whole(&arguments.filters.filter(&Layout::default())?, repositories);
    board.checklists.retain(|checklist| checklist.is_in_tree() || filter.admits_facts(&checklist.facts));
    board.filtered += count - board.checklists.len();
    board.is_selection |= board.filtered > 0;
    if board.checklists.is_empty() && board.failures.is_empty() && question.is_now() {
        board.failures.push(match board.filtered {
            0 => nothing(question, meant, board.left_out),
            filtered => Failure::new(format!("the filters admit none of {}", counted(filtered, "KEP", "KEPs"))),
        });
    }
    if arguments.to_close {
        board.checklists.retain(Checklist::is_to_close);
        (board.is_to_close, board.is_selection) = (true, true);
    }
    Ok(board)
}

fn open_pulls<'a>(question: &'a Question, asked: &Asked) -> Option<Pulls<'a>> {
    let export = question.export.as_ref()?;
    let git = match &question.judged {
        Some(judged) if question.arguments.pr.is_some() => {
            return Some(Pulls::beside(export, judged.pull, &judged.snapshot.commit));
        }
        Some(judged) => Some(judged.git.clone()),
        None => Git::of_file(asked.place(question.tree.as_deref())).ok(),
    };
    Some(Pulls::new(export, git.map(|git| Heads::find(git, &export.pulls))))
}

/// Keeps those of the KEPs found in a directory that the question is about: what a pull request changes, or else what is
/// for the release, also in an open pull request. Returns how many have another milestone.
fn choose(
    asked: &mut Asked,
    question: &Question,
    pulls: Option<&Pulls<'_>>,
    repository: Option<&Repository>,
    release: Release,
) -> usize {
    if let Some((changed, judged)) = question.changed().zip(question.judged.as_ref()) {
        asked.keep_changed(changed, judged.git.root());
        return 0;
    }
    let release = question.arguments.milestone.unwrap_or(release);
    let pulls = pulls.filter(|_| !asked.searched.is_empty());
    let brought = pulls.map(|pulls| pulls.brought(release)).unwrap_or_default();
    let is_brought = |number: Option<&str>| number.is_some_and(|number| brought.contains_key(number));
    let left_out = asked.keep_searched(|kep, number| asked::is_for(kep, release) || is_brought(number));
    let is_there = |number: &str| repository.is_some_and(|known| known.has_number(number) == Some(true));
    for (number, directories) in brought.iter().filter(|(number, _)| !is_there(number)) {
        asked.add_brought(number, directories);
    }
    left_out
}

/// The failure for a question about no KEP: nothing is ready then.
fn nothing(question: &Question, meant: Meant, left_out: usize) -> Failure {
    if question.changed().is_some() {
        let failure = Failure::new("the pull request changes no KEP");
        return failure.help("name KEPs by number, or a release with `--milestone`");
    }
    let release = question.arguments.milestone.unwrap_or(meant.release);
    let failure = Failure::new(format!("no KEP has `latest-milestone` {release}, out of {left_out}"));
    failure.help(match meant.reason {
        Reason::Given => "name another release, or KEPs by number".to_owned(),
        Reason::Day(_, OnDay { before: Some((before, day)), .. }) => {
            format!("{before} came out on {day}: name it with `--milestone {before}`, or KEPs by number")
        }
        _ => "name the release with `--milestone`, or KEPs by number".to_owned(),
    })
}

/// Reads of the trees what the KEPs need: for a few of them not all PRR files.
fn project(asked: &Asked, question: &Question) -> Project {
    // Each once: of two directories with one number, each would be another KEP.
    let mut seen = HashSet::new();
    let all = asked.tree().chain(asked.directories());
    let keps = all.filter(|kep| seen.insert(&kep.real)).cloned().collect();
    let own = || asked.directories().flat_map(kep_files::numbers).chain(asked.numbers()).collect();
    let numbers: Option<BTreeSet<String>> = if asked.keps.len() <= FEW_KEPS { Some(own()) } else { None };
    let mut project = Project::read(question.terms.clone(), keps, &asked.looked, numbers.as_ref());
    let Project { repositories, terms, .. } = &mut project;
    let mut failures = Vec::new();
    for (given, tree) in repositories.trees() {
        match &question.judged {
            None => tell_tree_by_default_branch(given, tree, &terms.options),
            Some(judged) => failures.extend(judged.tip().tell(given, tree, &terms.options).err()),
        }
    }
    repositories.failures.extend(failures);
    project
}

/// The board that `--compare` names, without an outline for a commit, at which it is still to be judged. A file counts if
/// there is one.
fn base(value: &str) -> Result<(Since, Option<Outline>), Failure> {
    let path = Path::new(value);
    let refused = |reason: &str, help: String| {
        let failure = Failure::new(format!("cannot compare with {}: {reason}", named(path)));
        Err(failure.at(path).help(help))
    };
    let git = Git::around(Path::new("."));
    let is_commit = git.as_ref().is_ok_and(|git| !matches!(commit(git, value), Ok(None)));
    match (disk::around(path).kind(path), git) {
        (Some(Kind::Other), _) => {
            let (since, outline) = written(path)?;
            let note = format!("`{}` is also a commit; the file of this name counts", brief(value));
            let note = Some(note).filter(|_| is_commit);
            Ok((Since { note, ..since }, Some(outline)))
        }
        (Some(Kind::Directory), _) if !is_commit => refused("it is a directory", WHAT.to_owned()),
        _ if !is_commit && path.extension().is_some_and(|extension| extension == "json") => {
            let help = format!("write a board with `kep-lint ready --format json={}`", shown(path));
            refused("there is no such file", help)
        }
        (_, Ok(_)) => Ok((Since { name: value.to_owned(), ..Since::default() }, None)),
        (_, Err(failure)) if failure.help.as_ref().is_some_and(|help| help.starts_with("trust it")) => Err(failure),
        (_, Err(_)) => {
            let reason = "there is no such file, and no git repository here";
            let failure = Failure::new(format!("cannot compare with `{}`: {reason}", brief(value)));
            Err(failure.help(format!("{WHAT}, in a clone")))
        }
    }
}

fn written(path: &Path) -> Result<(Since, Outline), Failure> {
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

/// Tells which KEPs are still in the tree.
fn is_there(question: &Question) -> impl Fn(&Checklist) -> bool {
    let known = question.tree.as_deref().map(|tree| {
        let keps = Walked::walk(tree, &question.source(tree)).keps;
        let numbers = keps.iter().filter_map(|kep| number::of_directory(&kep.name)).map(str::to_owned);
        let directories = keps.iter().filter_map(|kep| kep.tree_path());
        numbers.chain(directories).collect::<BTreeSet<String>>()
    });
    move |kep| {
        // Where there is no tree, nobody knows.
        known.as_ref().is_none_or(|known| kep.number.iter().chain(&kep.kep).any(|own| known.contains(own)))
    }
}
