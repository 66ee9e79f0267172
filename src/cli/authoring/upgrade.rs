//! `kep-lint upgrade KEP`: brings a README to today's template.

use super::arguments::UpgradeArguments;
use super::change;
use super::chosen::{Choice, Chosen};
use crate::authoring::upgrade::{Extent, Upgraded};
use crate::cli::fixing::complaints;
use crate::cli::outcome::Outcome;
use crate::cli::print::print;
use crate::cli::write::together::{self, Change};
use crate::cli::{error, output, screen};
use crate::diagnostic::Failure;
use crate::report::printable;
use crate::report::wrap::wrapped;
use crate::requirement::Scope;
use crate::source::SourceFile;
use crate::workspace::directory::KepDirectory;
use crate::workspace::files::{Source, disk};
use crate::workspace::kep_files::Origin;
use std::path::Path;
use std::sync::Arc;

pub fn run(arguments: &UpgradeArguments) -> Result<Outcome, Failure> {
    let Planned { changes, upgraded, directory } = Planned::of(arguments, &disk::around)?;
    if arguments.diff {
        let outcome = change::show(&changes, arguments.color)?;
        lines("would upgrade", &upgraded).iter().for_each(|line| output::note(line));
        return Ok(outcome);
    }
    let edge = directory.source.edge().ok_or_else(|| Failure::new("a KEP is upgraded only on disk"))?;
    together::write(&changes, edge)?;
    let width = screen::width();
    let wrap = |line: &String| {
        let indent = &" ".repeat(line.len() - line.trim_start().len());
        wrapped(printable(line).trim_start(), width, indent, &format!("{indent}  ")) + "\n"
    };
    print(&lines("upgraded", &upgraded).iter().map(wrap).collect::<String>())?;
    let failures = complaints(&upgraded.fixed);
    error::print_all(&failures);
    Ok(if failures.is_empty() { Outcome::Clean } else { Outcome::Incomplete })
}

/// What is done, with this verb, and what is left.
fn lines(done: &str, upgraded: &Upgraded) -> Vec<String> {
    let kep = upgraded.fixed.after.kep.as_deref().unwrap_or_default();
    let verb = if upgraded.fixed.changes().next().is_some() { done } else { "nothing to upgrade in" };
    let mut lines = upgraded.lines();
    if let Some(first) = lines.first_mut() {
        first.insert_str(0, &format!("{verb} {kep}: "));
    }
    lines
}

pub struct Planned {
    /// README.md, if it changes.
    pub changes: Vec<Change>,
    pub upgraded: Upgraded,
    directory: KepDirectory,
}

impl Planned {
    /// What the arguments ask for, of the files that `source_of` has.
    pub fn of(arguments: &UpgradeArguments, source_of: &dyn Fn(&Path) -> Source) -> Result<Self, Failure> {
        let UpgradeArguments { kep, stage, only_required, config, .. } = arguments;
        let choice = Choice { kep, template: arguments.template.as_deref(), release: None, config };
        let Chosen { directory, texts, places, project } = Chosen::of(&choice, source_of)?;
        let scope = if *only_required { Scope::Likely } else { Scope::Whole };
        let (repository, templates) = (project.repositories.of(&directory), project.templates());
        let (template, options) = (templates.for_keps_of(repository), &project.terms.options);
        let upgraded = Upgraded::of(&texts, template, repository, options, Extent { stage: *stage, scope })?;
        let files = texts.files.iter().zip(&upgraded.fixed.after.files).zip(&places);
        let changes = files.filter(|((before, after), _)| before.text != after.text);
        let change = |((before, after), place): ((&Arc<SourceFile>, &Arc<SourceFile>), &Origin)| Change {
            given: place.given.clone().into(),
            before: Some((place.real.clone(), before.text.clone())),
            after: after.text.clone(),
        };
        Ok(Self { changes: changes.map(change).collect(), upgraded, directory })
    }
}
