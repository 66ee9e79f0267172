//! `--baseline` and `--write-baseline`: findings that are there already, in a file, so that a run reports only others.

use super::paths::STDIN;
use super::write::together::{self, Change};
use crate::bounds;
use crate::diagnostic::{Failure, brief, counted, named};
use crate::kep::directory::is_markdown;
use crate::kep::number;
use crate::lint::Run;
use crate::lint::accepted::Accepted;
use crate::lint::accepted::document::{self, Document, Entry};
use crate::lint::ignoring::IgnoreComments;
use crate::lint::recorded::{Reach, Recorded};
use crate::rules::preset::Preset;
use crate::stage::Release;
use crate::workspace::directory::KepDirectory;
use crate::workspace::edge::Edge;
use crate::workspace::files::{Opened, Source, disk};
use crate::workspace::paths::{RealPath, shown};
use crate::workspace::project::Project;
use clap::Args;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The options.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Baseline")]
pub struct BaselineArguments {
    /// Do not report the findings that FILE has, unless they are more severe now
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the present findings to FILE, for --baseline
    ///
    /// With --fix, those that are left. Entries of FILE about what is not checked stay.
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
}

/// What the options name.
#[derive(Default)]
pub struct Given {
    /// The entries of the file, hidden or to be replaced.
    pub accepted: Option<Accepted>,
    /// The file that is written.
    pub rewrite: Option<Rewrite>,
}

/// A baseline file that is written at the end of a run.
pub struct Rewrite {
    path: PathBuf,
    /// Where it is and its text, as it was read; `None` if it is new.
    before: Option<(RealPath, String)>,
}

impl BaselineArguments {
    /// Reads the file. `source_of` says where the one of `--baseline` is read.
    pub fn read(&self, preset: Preset, source_of: &dyn Fn(&Path) -> Source) -> Result<Given, Failure> {
        let Some(path) = self.baseline.as_ref().or(self.write_baseline.as_ref()) else { return Ok(Given::default()) };
        if preset == Preset::Upstream {
            let message = "the preset `upstream` reports what upstream's scripts fail on, which know no baseline";
            return Err(Failure::new(message).help("leave out the baseline, or use another preset"));
        }
        if path.as_os_str() == STDIN {
            return Err(Failure::new("a baseline is a file, and not standard input or output").help("name a file"));
        }
        let read = |source: Source| source.read(path, bounds::BASELINE_BYTES);
        if self.baseline.is_some() {
            let opened = read(source_of(path)).map_err(|failure| match failure.help {
                None => failure.help("write it with `--write-baseline`, or name another file"),
                Some(_) => failure,
            })?;
            let accepted = Accepted::new(shown(path), document::parse(&opened.file)?, true);
            return Ok(Given { accepted: Some(accepted), rewrite: None });
        }
        if path.file_name().is_some_and(is_read) {
            let message = format!("{} is a name that files of KEPs have", named(path));
            return Err(Failure::new(message).help("name another file, such as `baseline.jsonl`"));
        }
        let is_new = path.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
        let (before, document) = if is_new {
            (None, Document::default())
        } else {
            let Opened { file, place } = read(disk::around(path))?;
            let document = document::parse(&file)?;
            (Some((place, file.text.clone())), document)
        };
        let accepted = Some(Accepted::new(shown(path), document, false));
        Ok(Given { accepted, rewrite: Some(Rewrite { path: path.clone(), before }) })
    }
}

/// Whether a file with this name is checked, or says how files are checked.
fn is_read(name: &OsStr) -> bool {
    is_markdown(name) || Path::new(name).extension().is_some_and(|kind| kind == "yaml" || kind == "yml")
}

/// What a run over `project`, of which no KEP is left out yet, knows of it, if it needs that for a baseline file. Fails for
/// several trees, whose fingerprints depend on which trees are checked together.
pub fn reach(project: &Project) -> Result<Option<Reach>, Failure> {
    let options = &project.terms.options;
    if options.accepted.is_none() {
        return Ok(None);
    }
    if project.repositories.roots().nth(1).is_some() {
        let failure = Failure::new("a baseline is for one directory `keps`, and the paths are in several");
        return Err(failure.help("run kep-lint once for each, with a baseline of its own"));
    }
    let names = |kep: &KepDirectory| {
        let number = number::of_directory(&kep.name).map(str::to_owned);
        [number, kep.tree_path().map(String::from), Some(kep.name.clone())].into_iter().flatten()
    };
    let found: BTreeSet<String> = project.keps.iter().flat_map(names).collect();
    let selection = options.selection.with_levels(options.config.levels.clone());
    Ok(Some(Reach { is_whole: false, found, selection }))
}

/// What came of a baseline file.
#[derive(Default)]
pub struct Ended {
    /// What is said after the summary.
    pub lines: Vec<String>,
    /// How many entries were written.
    pub written: Option<usize>,
    /// Why nothing was written.
    pub failure: Option<Failure>,
}

/// Writes the baseline file after `run`, or else says which entries have no finding any more. The run is about a part of
/// the project if `is_part`.
pub fn end(given: Option<&Rewrite>, run: &mut Run, project: &Project, reach: Option<Reach>, is_part: bool) -> Ended {
    let options = &project.terms.options;
    let Some((accepted, mut reach)) = options.accepted.as_deref().zip(reach) else { return Ended::default() };
    let mut trees = project.repositories.iter().peekable();
    reach.is_whole = !is_part && trees.peek().is_some() && trees.all(|tree| tree.is_whole);
    let is_complete = project.failures.is_empty() && run.failures.is_empty();
    let has_unlisted = run.reports.iter().any(|report| !report.unlisted.is_empty());
    match given {
        Some(rewrite) if is_complete && has_unlisted => {
            let failure = Failure::of("write", &rewrite.path, "there are more findings than kep-lint lists");
            Ended {
                failure: Some(
                    failure.help("nothing was written; write it for a part of the KEPs, and then for another"),
                ),
                ..Ended::default()
            }
        }
        Some(rewrite) if is_complete => {
            let mut left = run.reports.clone();
            let ended = rewrite.finish(&accepted.record(&mut left, &reach), run.release);
            // What is in no file is still reported.
            if ended.failure.is_none() {
                run.reports = left;
            }
            ended
        }
        Some(rewrite) => {
            let failure = Failure::of("write", &rewrite.path, "not everything could be checked");
            Ended {
                failure: Some(failure.help("nothing was written; fix the other failures first")),
                ..Ended::default()
            }
        }
        None => {
            // With another stage, release or template, other findings are missing than those that were fixed.
            let is_usual = options.stage.is_none() && options.ignores == IgnoreComments::Honored;
            let line = match accepted.release {
                Some(release) if release != run.release => Some(for_another(accepted, release, run)),
                _ if is_complete && is_usual => without_finding(accepted, run, &reach),
                _ => None,
            };
            Ended { lines: line.into_iter().collect(), ..Ended::default() }
        }
    }
}

impl Rewrite {
    fn finish(&self, recorded: &Recorded, release: Release) -> Ended {
        let text = document::render(release, &recorded.entries);
        if let Err(failure) = self.write(text) {
            return Ended { failure: Some(failure), ..Ended::default() };
        }
        let Recorded { entries, findings, added, removed, unchecked } = recorded;
        let unchecked = match unchecked {
            0 => String::new(),
            count => format!(", {count} of what was not checked"),
        };
        let findings = counted(*findings, "finding", "findings");
        let count = counted(entries.len(), "entry", "entries");
        let file = named(&self.path);
        let line = format!("wrote {findings} to {file}: {count}, {added} new, {removed} removed{unchecked}");
        Ended { lines: vec![line], written: Some(entries.len()), failure: None }
    }

    fn write(&self, after: String) -> Result<(), Failure> {
        document::check_size(&shown(&self.path), &after)?;
        let change = Change { given: self.path.clone(), before: self.before.clone(), after };
        together::write(&[change], &Edge::around(&self.path))
    }
}

/// The sentence about a file that was written for another release. That of a change is not the one that a file is written
/// for.
fn for_another(accepted: &Accepted, old: Release, run: &Run) -> String {
    let (file, new) = (quoted(&accepted.path), run.release);
    let remedy = if run.since.is_none() { ": `--write-baseline` writes it again" } else { "" };
    format!("{file} was written for {old}, and KEPs are checked for {new}{remedy}")
}

/// The sentence about entries that have no finding any more.
fn without_finding(accepted: &Accepted, run: &Run, reach: &Reach) -> Option<String> {
    let fixed = accepted.without_finding(&run.reports, reach);
    if fixed.is_empty() {
        return None;
    }
    let mut named: Vec<String> = fixed.values().map(|Entry { rule, file, .. }| words(rule, file)).collect();
    named.sort_unstable();
    named.dedup();
    let rest = named.len().saturating_sub(bounds::ENTRIES_WITHOUT_FINDING);
    named.truncate(bounds::ENTRIES_WITHOUT_FINDING);
    let more = if rest > 0 { format!(" and {}", counted(rest, "other place", "other places")) } else { String::new() };
    let file = quoted(&accepted.path);
    let have = counted(fixed.len(), "entry of", "entries of");
    let (has, them) = if fixed.len() == 1 { ("has", "it") } else { ("have", "them") };
    let named = named.join(", ");
    Some(format!("{have} {file} {has} no finding any more: {named}{more}; `--write-baseline` removes {them}"))
}

/// A rule and a file, as an entry names them.
fn words(rule: &str, file: &str) -> String {
    format!("{} in {}", brief(rule).replace('`', "'"), quoted(file))
}

fn quoted(text: &str) -> String {
    format!("`{}`", brief(text).replace('`', "'"))
}
