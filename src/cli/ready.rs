//! `kep-lint ready`: whether KEPs are ready for a stage and release.

pub(crate) mod arguments;
mod asked;
mod comments;
mod compared;
mod days;
mod input;
mod judged;
mod kep_paths;
mod list;
mod on_disk;
mod outputs;
mod past;
mod plan;
mod pulls;
mod question;
mod reading;

use self::arguments::ReadyArguments;
use self::asked::{Age, Asked};
use self::compared::Base;
use self::judged::Judged;
use self::list::List;
use self::on_disk::OnDisk;
use self::outputs::Outputs;
use self::past::Past;
use self::plan::{Plan, source_of};
use self::pulls::{Pulls, Reads};
use self::question::{Judgement, Question};
use super::check::threads;

use super::outcome::Outcome;
use super::{error, output, today};
use crate::bounds;
use crate::diagnostic::{Failure, brief, counted};
use crate::kep::directory::PROD_READINESS;
use crate::kep::number;
use crate::ready::board::{Board, Snapshot};
use crate::ready::calendar::{Family, first_release, is_before_freeze};
use crate::ready::checklist::{Checklist, Strictness};
use crate::ready::comparison::{Comparison, Since};
use crate::ready::outline::Outline;
use crate::repository::Repository;
use crate::stage::Release;
use crate::stage::release::Meant;
use crate::stage::release::Reason;
use crate::workspace::directory::KepDirectory;
use crate::workspace::git::Git;
use crate::workspace::project::Project;
use crate::workspace::tip::tell_tree_by_default_branch;
use crate::workspace::trees::Extent;
use crate::workspace::{filtered, kep_files};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::thread;

/// Judges the KEPs that the arguments name, and prints the result.
pub fn run(arguments: &ReadyArguments) -> Result<Outcome, Failure> {
    let outputs = Outputs::open(arguments)?;
    pulls::refuse_one_input(arguments)?;
    let list = arguments.list.as_deref().map(asked::read_list).transpose()?;
    let plans = Plan::of(arguments, list.clone()).and_then(|plan| {
        let base = compared::of(arguments).map_err(|failure| vec![failure])?;
        Ok((plan, base.map(|base| Earlier::of(arguments, list, base)).transpose()?))
    });
    let (plan, earlier) = match plans {
        Ok(plans) => plans,
        Err(failures) => {
            error::print_all(&failures);
            return Ok(Outcome::Incomplete);
        }
    };
    let outcome = judge_all(arguments, &plan, earlier, outputs);
    plan.conditions.lines().iter().for_each(|line| output::note(line));
    outcome
}

fn judge_all(
    arguments: &ReadyArguments,
    plan: &Plan,
    earlier: Option<Earlier>,
    outputs: Outputs,
) -> Result<Outcome, Failure> {
    let pool = threads(None, 1)?;
    let mut board = thread::scope(|scope| {
        let is_on_disk = plan.judged.is_none();
        let on_disk = is_on_disk.then(|| OnDisk::begin(scope, plan.tree.as_deref().unwrap_or(Path::new("."))));
        pool.install(|| board(arguments, plan, on_disk))
    })?;
    if arguments.to_close {
        board.keep_to_close();
    }
    let before = earlier.map(|earlier| pool.install(|| earlier.outline(plan, &board))).transpose()?;
    if let Some(handle) = &arguments.waiting_for {
        board.keep_waiting_for(handle.clone());
    }
    if arguments.list.is_none() {
        board.put_worst_first();
    }
    if let Some(before) = before {
        compare(&mut board, before, plan);
    }
    let mut failures = board.failures.clone();
    // Without any KEP, an earlier result is better than none.
    if !board.checklists.is_empty() || failures.is_empty() {
        outputs.prepare(&mut board);
        failures.extend(outputs.write(&board));
    }
    error::print_all(&failures);
    let is_clean =
        if board.is_to_close { board.checklists.is_empty() } else { board.ready_count() == board.checklists.len() };
    Ok(if !failures.is_empty() {
        Outcome::Incomplete
    } else if is_clean {
        Outcome::Clean
    } else {
        Outcome::Findings
    })
}

/// What a board is compared with, before that is known.
enum Earlier {
    Written(Box<Before>),
    Judged { arguments: Box<ReadyArguments>, plan: Box<Plan>, name: String },
}

struct Before {
    since: Since,
    outline: Outline,
    note: Option<String>,
}

impl Earlier {
    fn of(arguments: &ReadyArguments, list: Option<List>, base: Base) -> Result<Self, Vec<Failure>> {
        match base {
            Base::Written(written, note) => {
                let (since, outline) = *written;
                Ok(Self::Written(Box::new(Before { since, outline, note })))
            }
            Base::Commit(name) => {
                let arguments = compared::arguments_at(arguments, &name);
                let plan = Plan::of(&arguments, list)?;
                Ok(Self::Judged { arguments: Box::new(arguments), plan: Box::new(plan), name })
            }
        }
    }

    /// What `now`, the board by `plan_now`, is compared with: the answers to the same question, also if another release was
    /// under development then.
    fn outline(self, plan_now: &Plan, now: &Board) -> Result<Before, Failure> {
        let (mut arguments, mut plan, name) = match self {
            Self::Written(before) => return Ok(*before),
            Self::Judged { arguments, plan, name } => (arguments, plan, name),
        };
        if plan_now.judged.as_ref().is_some_and(|judged| judged.changed.is_some()) {
            arguments.keps = compared::names_of(now);
        }
        let is_given = now.checklists.iter().all(|checklist| checklist.release == now.release);
        let reason = if is_given { Reason::Given } else { now.release_origin };
        plan.earlier = Some(Meant { release: now.release, reason });
        let mut board = board(&arguments, &plan, None)?;
        if arguments.to_close {
            board.keep_to_close();
        }
        let since = compared::since(board.snapshot.as_ref(), &name);
        Ok(Before { since, outline: board.outline(), note: None })
    }
}

/// Adds what changed. Boards that cannot be compared are no reason to print none.
fn compare(board: &mut Board, Before { since, mut outline, note }: Before, plan: &Plan) {
    if let Some(person) = &board.person {
        outline.keep_waiting_for(&person.handle);
    }
    let source_of = source_of(plan.judged.as_ref());
    let is_there = compared::is_there(plan.tree.as_deref(), &source_of);
    let name = brief(&since.name).into_owned();
    match Comparison::of(since, &outline, &board.outline(), is_there) {
        Ok(mut comparison) => {
            comparison.notes.splice(..0, note);
            comparison.notes.iter().for_each(|it| output::note(&format!("note: {it}")));
            board.comparison = Some(comparison);
        }
        Err(reason) => {
            let failure = Failure::new(format!("cannot compare with `{name}`: {reason}"));
            board.failures.push(failure.help("name the release of both with `--release`"));
        }
    }
}

fn board(arguments: &ReadyArguments, plan: &Plan, mut on_disk: Option<OnDisk<'_, '_>>) -> Result<Board, Failure> {
    let age = if plan.earlier.is_some() { Age::Earlier } else { Age::Now };
    let source_of = source_of(plan.judged.as_ref());
    let mut asked = Asked::find(arguments, plan.list.as_ref(), plan.tree.as_deref(), age, &source_of)?;
    // Which KEPs of a directory are judged is known only with the release.
    if asked.directories().all(|kep| !kep.is_searched) {
        ask_git(on_disk.as_mut(), &asked, plan);
    }
    let (project, ((), pulls)) = rayon::join(
        || project(&asked, plan),
        || rayon::join(|| asked.read_few(), || open_pulls(arguments, plan, &asked)),
    );
    let pulls = pulls?;
    let first = project.repositories.iter().next();
    let meant = plan.earlier.unwrap_or_else(|| plan.terms.options.release_meant(first));
    let is_of_kubernetes = first.is_none_or(|first| first.has_groups);
    if is_of_kubernetes {
        refuse_without_checklist(meant.release)?;
    }
    let left_out = choose(&mut asked, arguments, plan, (pulls.as_ref(), first), meant.release);
    let filter = arguments.filters.filter();
    asked.apply(&filter, &project.repositories, pulls.is_some())?;
    let mut filtered = asked.filtered;
    ask_git(on_disk.as_mut(), &asked, plan);
    let is_of_change = plan.judged.as_ref().is_some_and(|judged| judged.changed.is_some());
    let is_selection = is_of_change || plan.list.is_none() && asked.are_named();
    if let Some(pulls) = &pulls {
        pulls.note_missing(&asked.numbers(), !asked.searched.is_empty());
    }
    let templates = project.templates();
    let proposal = plan.judged.as_ref().and_then(|judged| judged.proposal.as_ref());
    let now = today::time()?;
    let schedule = days::of(meant.release, arguments.sig_release.as_deref())?;
    let is_before_freeze = is_before_freeze(schedule.as_ref(), now);
    let past = Past::new(plan.judged.as_ref());
    let (pulls, tree) = (pulls.as_ref(), asked.root());
    let question = Question {
        arguments,
        repositories: &project.repositories,
        templates: &templates,
        meant,
        proposal,
        past: &past,
        pulls,
        tree,
        is_of_kubernetes,
        is_before_freeze,
    };
    let judgements: Vec<Judgement> = asked.keps.into_par_iter().map(|kep| question.judge(kep)).collect();
    let snapshot = plan.judged.as_ref().map(|judged| judged.snapshot.clone()).or_else(|| on_disk?.end());
    let mut failures = asked.failures;
    // The same list has the same failures.
    failures.extend(plan.list.iter().filter(|_| age == Age::Now).flat_map(|list| list.failures.clone()));
    failures.extend_from_slice(&project.repositories.failures);
    failures.extend_from_slice(&templates.failures);
    failures.extend(plan.judged.as_ref().and_then(|judged| judged.revision.failure()));
    let Meant { release, reason: release_origin } = meant_for_all(&judgements).unwrap_or(meant);
    let mut checklists: Vec<Checklist> = Vec::new();
    for judgement in judgements {
        checklists.extend(judgement.checklist);
        failures.extend(judgement.failures);
    }
    // What a KEP says that only a pull request has is known now.
    let count = checklists.len();
    let whole = filtered::whole(&filter, &project.repositories);
    checklists.retain(|checklist| checklist.is_in_tree() || whole.admits_facts(&checklist.facts));
    filtered += count - checklists.len();
    if checklists.is_empty() && failures.is_empty() && age == Age::Now {
        failures.push(match filtered {
            0 => nothing(arguments, plan, meant, left_out),
            _ => Failure::new(format!("the filters admit none of {}", counted(filtered, "KEP", "KEPs"))),
        });
    }
    Ok(Board {
        checklists,
        release,
        now,
        schedule: if !is_of_kubernetes {
            None
        } else if release == meant.release {
            schedule
        } else {
            days::of(release, arguments.sig_release.as_deref())?
        },
        family: if is_of_kubernetes { Family::of(release) } else { Family::elsewhere() },
        release_origin,
        is_unmerged: arguments.gate.is_some() && snapshot.as_ref().is_some_and(|one| is_unmerged(plan, one)),
        snapshot,
        strictness: if arguments.strict { Strictness::Evidence } else { Strictness::Verdict },
        is_selection: is_selection || filtered > 0,
        person: None,
        is_to_close: false,
        reviewers: first.map(Repository::active_approvers).unwrap_or_default(),
        left_out,
        filtered,
        conditions: plan.conditions.clone(),
        failures,
        comparison: None,
    })
}

/// The open pull requests, if there is a list of them.
fn open_pulls<'a>(arguments: &ReadyArguments, plan: &'a Plan, asked: &Asked) -> Result<Option<Pulls<'a>>, Failure> {
    let Some(export) = &plan.export else { return Ok(None) };
    let reads = match &plan.judged {
        Some(judged) if arguments.pr.is_some() => Reads::Own(judged.pull, judged.snapshot.commit.clone()),
        Some(_) => Reads::Of(judged::repository()?),
        None => Git::of_file(asked.place(plan.tree.as_deref())).map_or(Reads::Nothing, Reads::Of),
    };
    Pulls::new(export, reads).map(Some)
}

/// Whether the files that were judged are known not to be merged.
fn is_unmerged(plan: &Plan, snapshot: &Snapshot) -> bool {
    let git = plan.judged.as_ref().map(|judged| judged.git.clone()).or_else(|| judged::repository().ok());
    git.is_some_and(|git| judged::is_unmerged(&git, &snapshot.commit))
}

/// Asks git about the files of the KEPs, if those on disk are judged.
fn ask_git(on_disk: Option<&mut OnDisk<'_, '_>>, asked: &Asked, plan: &Plan) {
    if let Some(on_disk) = on_disk {
        on_disk.ask(asked.place(plan.tree.as_deref()), read_from(asked));
    }
}

/// Fails if there is no checklist for a release of Kubernetes.
fn refuse_without_checklist(release: Release) -> Result<(), Failure> {
    if release >= first_release() {
        return Ok(());
    }
    let failure = Failure::new(format!("there is no checklist for {release}"));
    Err(failure.help(format!("name {} or a later release", first_release())))
}

/// Keeps those of the KEPs found in a directory that the question is about: what a pull request changes, or else what is
/// for the release, also in an open pull request. Returns how many have another milestone.
fn choose(
    asked: &mut Asked,
    arguments: &ReadyArguments,
    plan: &Plan,
    (pulls, repository): (Option<&Pulls<'_>>, Option<&Repository>),
    release: Release,
) -> usize {
    match &plan.judged {
        Some(Judged { changed: Some(changed), root, .. }) => {
            asked.keep_changed(changed, root);
            0
        }
        _ => {
            let release = arguments.milestone.unwrap_or(release);
            let searched = pulls.filter(|_| !asked.searched.is_empty());
            let brought = searched.map(|searched| searched.brought(release)).unwrap_or_default();
            let is_brought =
                |kep: &KepDirectory| number::of_directory(&kep.name).is_some_and(|number| brought.contains_key(number));
            let left_out = asked.keep_those_for(release, is_brought);
            let is_there = |number: &str| repository.is_some_and(|known| known.has_number(number) == Some(true));
            for (number, directories) in brought.iter().filter(|(number, _)| !is_there(number)) {
                asked.add_brought(number, directories);
            }
            left_out
        }
    }
}

/// The release that all KEPs are asked about, which is said once; else each KEP says its own.
fn meant_for_all(judgements: &[Judgement]) -> Option<Meant> {
    let (first, others) = judgements.split_first()?;
    others.iter().all(|judgement| judgement.meant == first.meant).then_some(first.meant)
}

/// The failure for a question about no KEP: nothing is ready then.
fn nothing(arguments: &ReadyArguments, plan: &Plan, meant: Meant, left_out: usize) -> Failure {
    if plan.judged.as_ref().is_some_and(|judged| judged.changed.is_some()) {
        let failure = Failure::new("the pull request changes no KEP");
        return failure.help("name KEPs by number, or a release with `--milestone`");
    }
    let release = arguments.milestone.unwrap_or(meant.release);
    let failure = Failure::new(format!("no KEP has `latest-milestone` {release}, out of {left_out}"));
    failure.help(match meant.reason {
        Reason::Given => "name another release, or KEPs by number",
        _ => "name the release with `--milestone`, or KEPs by number",
    })
}

/// Reads of the trees what the KEPs need: for a few of them not all PRR files.
fn project(asked: &Asked, plan: &Plan) -> Project {
    // Each once: of two directories with one number, each would be another KEP.
    let mut seen = HashSet::new();
    let all = asked.tree.iter().chain(asked.directories());
    let keps = all.filter(|kep| seen.insert(&kep.real)).cloned().collect();
    // To wait for the READMEs, which are read beside this, would take longer than to read kep.yaml twice.
    let own = || asked.directories().flat_map(kep_files::numbers).chain(asked.numbers()).collect();
    let numbers = if asked.are_few() { own() } else { BTreeSet::new() };
    let extent = if asked.are_few() { Extent::Few(&numbers) } else { Extent::Whole };
    let mut project = Project::read(plan.terms.clone(), keps, &asked.looked, extent);
    let Project { repositories, terms, .. } = &mut project;
    let mut failures = Vec::new();
    for (given, tree) in repositories.trees() {
        match &plan.judged {
            None => tell_tree_by_default_branch(given, tree, &terms.options),
            Some(judged) => failures.extend(judged.tip().tell(given, tree, &terms.options).err()),
        }
    }
    repositories.failures.extend(failures);
    project
}

/// The files that answers are read from, each or by their directories.
fn read_from(asked: &Asked) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut trees = BTreeSet::new();
    for kep in asked.directories() {
        trees.extend(kep.tree().map(|(tree, _)| PathBuf::from(tree.clone())));
        paths.push(kep.real.clone().into());
    }
    if paths.len() > bounds::FEW_KEPS {
        paths.clear();
        paths.extend(trees.iter().cloned());
    }
    paths.extend(trees.iter().map(|tree| tree.join(PROD_READINESS)));
    paths.extend(trees.iter().filter_map(|tree| Some(tree.parent()?.join("OWNERS_ALIASES"))));
    paths
}
