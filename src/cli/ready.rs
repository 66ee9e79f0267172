//! `kep-lint ready`: whether KEPs are ready for a stage and release.

pub mod arguments;
mod asked;
mod days;
mod input;
mod judged;
mod kep_paths;
mod list;
mod on_disk;
mod outputs;
mod pulls;
mod reading;

use self::arguments::ReadyArguments;
use self::asked::{Asked, AskedKep, Found};
use self::judged::{Judged, Proposal};
use self::on_disk::OnDisk;
use self::outputs::Outputs;
use self::pulls::export::Export;
use self::pulls::judging::Judging;
use self::pulls::{Pulls, Reads, Subject, Version};
use self::reading::{Parsed, Reading};
use super::check::threads;
use super::conditions::of_ready;
use super::paths;
use crate::workspace::files::disk;

use super::outcome::Outcome;
use super::{error, output, template as templates, today};
use crate::bounds;
use crate::config::values::Config;
use crate::diagnostic::{Failure, counted};
use crate::kep::directory::{PROD_READINESS, TREE};
use crate::kep::metadata::Metadata;
use crate::kep::number;
use crate::lint::Options;
use crate::lint::conditions::Conditions;
use crate::lint::origin::ReleaseOrigin;
use crate::lint::panics::caught;
use crate::lint::release::Meant;
use crate::lint::templates::Templates;
use crate::ready::board::Board;
use crate::ready::calendar::{Family, first_release, is_before_freeze};
use crate::ready::checklist::{Checklist, Strictness};
use crate::ready::{self, Ask};
use crate::repository::Repository;
use crate::stage::{Release, Stage};
use crate::workspace::directory::KepDirectory;
use crate::workspace::files::Source;
use crate::workspace::git::Git;
use crate::workspace::paths::RealPath;
use crate::workspace::project::Project;
use crate::workspace::terms::Terms;
use crate::workspace::trees::{Extent, Repositories};
use crate::workspace::{config_file, development, kep_files};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::thread;

/// Judges the KEPs that the arguments name, and prints the result.
pub fn run(arguments: &ReadyArguments) -> Result<Outcome, Failure> {
    let outputs = Outputs::open(arguments)?;
    let plan = match Plan::of(arguments) {
        Ok(plan) => plan,
        Err(failures) => {
            error::print_all(&failures);
            return Ok(Outcome::Incomplete);
        }
    };
    let outcome = judge_all(arguments, &plan, outputs);
    plan.conditions.lines().iter().for_each(|line| output::note(line));
    outcome
}

fn judge_all(arguments: &ReadyArguments, plan: &Plan, outputs: Outputs) -> Result<Outcome, Failure> {
    let pool = threads(None, 1)?;
    let mut board = thread::scope(|scope| {
        let is_on_disk = plan.judged.is_none();
        let on_disk = is_on_disk.then(|| OnDisk::begin(scope, plan.tree.as_deref().unwrap_or(Path::new("."))));
        pool.install(|| board(arguments, plan, on_disk))
    })?;
    if arguments.to_close {
        board.keep_to_close();
    }
    if let Some(handle) = &arguments.waiting_for {
        board.keep_waiting_for(handle.clone());
    }
    if arguments.list.is_none() {
        board.put_worst_first();
    }
    let mut failures = board.failures.clone();
    // Without any KEP, an earlier result is better than none.
    if !board.checklists.is_empty() || failures.is_empty() {
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

/// What is read before any KEP is looked for.
struct Plan {
    judged: Option<Judged>,
    /// The directory `keps` that numbers are looked up in.
    tree: Option<PathBuf>,
    terms: Terms,
    /// The list of open pull requests.
    export: Option<Export>,
    /// What makes the answers less strict than the defaults.
    conditions: Conditions,
}

impl Plan {
    fn of(arguments: &ReadyArguments) -> Result<Self, Vec<Failure>> {
        let one = |failure: Failure| vec![failure];
        let export = arguments.prs.as_deref().map(|path| pulls::list(path, arguments.list.as_deref()));
        let export = export.transpose().map_err(one)?;
        let judged = judged::of(arguments).map_err(one)?;
        let source_of = source_of(judged.as_ref());
        let paths = paths::all(&arguments.keps);
        let config = config_file::find(&paths, &arguments.config.wanted(), &source_of)?;
        let named = config.as_ref().map(|file| file.template()).transpose().map_err(one)?.flatten();
        let path = arguments.template.clone().or(named);
        let template = templates::load_for_check(path.as_deref(), &source_of).map_err(one)?;
        let has_release = arguments.release.or(arguments.milestone).is_some();
        let relaxed = config.as_ref().map(|file| of_ready(file, has_release, arguments.template.is_some()));
        let conditions = Conditions { relaxed: relaxed.unwrap_or_default(), ..Conditions::default() };
        // Of a configuration, only what it says about the repository counts: levels of rules do not.
        let mut known = Config::default();
        if let Some(Config { release, groups, approvers, code, .. }) = config.map(|file| file.config) {
            known = Config { release, groups, approvers, code, ..known };
        }
        let release = arguments.release.or(arguments.milestone);
        let options = Options { release, config: known, ..Options::default() };
        let tree = asked::tree().or_else(|| Some(judged.as_ref()?.root.join(TREE)));
        let terms = Terms { options, template, prefers_own: path.is_none() };
        Ok(Self { judged, tree, terms, export, conditions })
    }
}

/// Where a path is read: in the commit that is judged, else on disk.
fn source_of(judged: Option<&Judged>) -> impl Fn(&Path) -> Source + use<> {
    let commit = judged.map(Judged::source);
    move |path: &Path| commit.clone().unwrap_or_else(|| disk::around(path))
}

fn board(arguments: &ReadyArguments, plan: &Plan, mut on_disk: Option<OnDisk<'_, '_>>) -> Result<Board, Failure> {
    let mut asked = Asked::find(arguments, plan.tree.as_deref(), &source_of(plan.judged.as_ref()))?;
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
    let meant = plan.terms.options.release_meant(first);
    let is_of_kubernetes = first.is_none_or(|first| first.has_groups);
    if is_of_kubernetes {
        refuse_without_checklist(meant.release)?;
    }
    let left_out = choose(&mut asked, arguments, plan, (pulls.as_ref(), first), meant.release);
    asked.apply(&arguments.filters.filter(), &project.repositories)?;
    let filtered = asked.filtered;
    ask_git(on_disk.as_mut(), &asked, plan);
    if let Some(pulls) = &pulls {
        pulls.note_missing(&asked.numbers(), !asked.searched.is_empty());
    }
    let templates = project.templates();
    let proposal = plan.judged.as_ref().and_then(|judged| judged.proposal.as_ref());
    let now = today::time()?;
    let schedule = days::of(meant.release, arguments.sig_release.as_deref())?;
    let is_before_freeze = is_before_freeze(schedule.as_ref(), now);
    let (repositories, pulls, tree) = (&project.repositories, pulls.as_ref(), asked.root());
    let question =
        Question { arguments, repositories, templates: &templates, meant, proposal, pulls, tree, is_before_freeze };
    let judgements: Vec<Judgement> = asked.keps.into_par_iter().map(|kep| question.judge(kep)).collect();
    let snapshot = plan.judged.as_ref().map(|judged| judged.snapshot.clone()).or_else(|| on_disk?.end());
    let mut failures = asked.failures;
    failures.extend_from_slice(&project.repositories.failures);
    failures.extend_from_slice(&templates.failures);
    failures.extend(plan.judged.as_ref().and_then(|judged| judged.revision.failure()));
    let Meant { release, origin: release_origin } = meant_for_all(&judgements).unwrap_or(meant);
    let mut checklists: Vec<Checklist> = Vec::new();
    for judgement in judgements {
        checklists.extend(judgement.checklist);
        failures.extend(judgement.failures);
    }
    if checklists.is_empty() && failures.is_empty() {
        failures.push(match filtered {
            0 => nothing(arguments, plan, meant, left_out),
            _ => Failure::new(format!("the filters admit none of {}", counted(filtered, "KEP", "KEPs"))),
        });
    }
    Ok(Board {
        checklists,
        release,
        now,
        schedule: if is_of_kubernetes { schedule } else { None },
        family: if is_of_kubernetes { Family::of(release) } else { Family::elsewhere() },
        release_origin,
        snapshot,
        strictness: if arguments.strict { Strictness::Evidence } else { Strictness::Verdict },
        person: None,
        is_to_close: false,
        reviewers: first.map(Repository::active_approvers).unwrap_or_default(),
        left_out,
        filtered,
        conditions: plan.conditions.clone(),
        failures,
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
    failure.help(match meant.origin {
        ReleaseOrigin::Given => "name another release, or KEPs by number",
        _ => "name the release with `--milestone`, or KEPs by number",
    })
}

/// What each KEP is asked.
struct Question<'a> {
    arguments: &'a ReadyArguments,
    repositories: &'a Repositories,
    templates: &'a Templates<'a>,
    /// The release, unless another one is meant for a KEP.
    meant: Meant,
    /// What the files of a pull request are compared with.
    proposal: Option<&'a Proposal>,
    /// The open pull requests, if there is a list of them.
    pulls: Option<&'a Pulls<'a>>,
    /// The directory `keps` in which numbers are looked up.
    tree: Option<RealPath>,
    /// Whether a KEP can still be merged.
    is_before_freeze: bool,
}

impl Question<'_> {
    fn judge(&self, AskedKep { found, stage, tracked, reading }: AskedKep) -> Judgement {
        let (stage, meant) = (self.arguments.stage.or(stage), self.meant);
        let mut judgement = self.judge_found(&found, stage, reading, meant);
        if let Some((checklist, tracked)) = judgement.checklist.as_mut().zip(tracked) {
            ready::track(checklist, tracked);
        }
        judgement
    }

    fn judge_found(&self, found: &Found, stage: Option<Stage>, reading: Reading, meant: Meant) -> Judgement {
        match found {
            // A list, as a directory, is about one release.
            Found::There(kep) if kep.is_searched || self.arguments.list.is_some() => {
                self.judge_with(kep, reading, stage, |_| meant)
            }
            Found::There(kep) => {
                let repository = self.repositories.of(kep);
                let of_kep = |milestone| meant.for_kep(milestone, repository);
                self.judge_with(kep, reading, stage, of_kep)
            }
            Found::Absent { name, number } => {
                let absent = |release| ready::absent(name, number.as_deref(), stage, release, self.is_before_freeze);
                self.judge_unmerged(number.as_deref(), stage, absent).unwrap_or_else(|| Judgement {
                    checklist: Some(absent(meant.release)),
                    meant,
                    failures: vec![],
                })
            }
        }
    }

    /// Judges a KEP that is not in the tree in the pull requests that have it; `None` without a list of them.
    fn judge_unmerged(
        &self,
        number: Option<&str>,
        stage: Option<Stage>,
        absent: impl Fn(Release) -> Checklist,
    ) -> Option<Judgement> {
        let (number, tree, pulls) = (number::without_zeros(number?), self.tree.as_ref()?, self.pulls?);
        let (_, repository) = self.repositories.facts().find(|(root, _)| *root == Some(tree))?;
        let versions = pulls.versions(Subject { number, tree, merged: None, repository });
        let milestone = versions.iter().find(|version| version.kep.is_some()).and_then(Version::milestone);
        let meant = if self.arguments.list.is_some() { self.meant } else { self.meant.for_kep(milestone, repository) };
        let template = self.templates.for_keps_of(repository);
        let judging = Judging { pulls, repository, template, stage, release: meant.release };
        let judged = caught("judge", number, || judging.unmerged(absent(meant.release), versions));
        Some(match judged {
            Ok((checklist, failures)) => Judgement { checklist: Some(checklist), meant, failures },
            Err(failure) => Judgement { checklist: None, meant, failures: vec![failure] },
        })
    }

    /// Judges a KEP; `meant` is the release that is meant for one with this latest milestone.
    fn judge_with(
        &self,
        kep: &KepDirectory,
        reading: Reading,
        stage: Option<Stage>,
        meant: impl Fn(Option<Release>) -> Meant,
    ) -> Judgement {
        let repository = self.repositories.of(kep);
        let judged = reading.end(kep).and_then(|Parsed { kep: parsed, mut failures }| {
            caught("judge", &kep.shown, || {
                let meant = meant(parsed.metadata.as_ref().and_then(Metadata::milestone));
                let proposed = self.proposal.map(|proposal| proposal.of(kep, &parsed));
                let (release, template) = (meant.release, self.templates.for_keps_of(repository));
                let checklist = match self.pulls.zip(number::of_directory(&kep.name)).zip(kep.tree()) {
                    Some(((pulls, number), (tree, _))) => {
                        let versions =
                            pulls.versions(Subject { number, tree, merged: Some(&parsed.texts), repository });
                        let judging = Judging { pulls, repository, template, stage, release };
                        let (checklist, unread) = judging.merged(parsed, proposed.as_ref(), versions);
                        failures.extend(unread);
                        checklist
                    }
                    None => {
                        let ask = Ask { stage, release, proposed: proposed.as_ref(), open: None };
                        ready::judge(parsed, template, repository, ask)
                    }
                };
                Judgement { checklist: Some(checklist), meant, failures }
            })
        });
        judged.unwrap_or_else(|failure| Judgement { checklist: None, meant: meant(None), failures: vec![failure] })
    }
}

/// What came of judging a KEP.
struct Judgement {
    checklist: Option<Checklist>,
    /// The release that was asked about.
    meant: Meant,
    failures: Vec<Failure>,
}

/// Reads of the trees what the KEPs need: for a few of them not all PRR files, and if the release is given, not all
/// kep.yaml files.
fn project(asked: &Asked, plan: &Plan) -> Project {
    let options = &plan.terms.options;
    let has_release = options.release.is_some() || options.config.release.is_some();
    // Each once: of two directories with one number, each would be another KEP.
    let mut seen = HashSet::new();
    let all = asked.tree.iter().chain(asked.directories());
    let keps = all.filter(|kep| seen.insert(&kep.real)).cloned().collect();
    // To wait for the READMEs, which are read beside this, would take longer than to read kep.yaml twice.
    let own = || asked.directories().flat_map(kep_files::numbers).chain(asked.numbers()).collect();
    let numbers = if asked.are_few() { own() } else { BTreeSet::new() };
    let extent = if !asked.are_few() {
        Extent::Whole
    } else if has_release {
        Extent::Earlier(&numbers)
    } else {
        Extent::Few(&numbers)
    };
    let mut project = Project::read(plan.terms.clone(), keps, &asked.looked, extent);
    let Project { repositories, terms, .. } = &mut project;
    if plan.judged.is_none() {
        development::find_on_default_branch(repositories, asked.directories(), &terms.options);
    }
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
