//! `kep-lint upgrade KEP`: brings a README to today's template.

use super::arguments::UpgradeArguments;
use super::chosen::Chosen;
use crate::authoring::upgrade::{Extent, Upgraded};
use crate::cli::fixing::{self, complaints, write};
use crate::cli::outcome::Outcome;
use crate::cli::print::print;
use crate::cli::write::together::Change;
use crate::cli::{error, output, screen};
use crate::diagnostic::Failure;
use crate::workspace::directory::KepDirectory;
use crate::workspace::files::{Source, disk};
use std::path::Path;

pub fn run(arguments: &UpgradeArguments) -> Result<Outcome, Failure> {
    let planned = Planned::of(arguments, &disk::around)?;
    let Planned { changes, upgraded, directory } = &planned;
    if arguments.diff {
        let outcome = fixing::show(changes, arguments.kep.color)?;
        planned.said("would upgrade").lines().for_each(output::note);
        return Ok(outcome);
    }
    write(changes, &directory.source)?;
    let width = screen::width();
    print(&planned.said("upgraded").lines().map(|line| output::fitting(line, width) + "\n").collect::<String>())?;
    Ok(error::outcome(&complaints(&upgraded.fixed)))
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
        let UpgradeArguments { stage, only_required, kep, .. } = arguments;
        let Chosen { directory, texts, places, project } = Chosen::of(kep, None, source_of)?;
        let (repository, templates) = (project.repositories.of(&directory), project.templates());
        let (template, options) = (templates.for_keps_of(repository), &project.terms.options);
        let extent = Extent { stage: *stage, only_required: *only_required };
        let upgraded = Upgraded::of(&texts, template, repository, options, extent)?;
        Ok(Self { changes: fixing::changes(&upgraded.fixed, &places), upgraded, directory })
    }

    /// What is done, with this verb, and what is left.
    fn said(&self, done: &str) -> String {
        let Upgraded { lines, fixed, .. } = &self.upgraded;
        let verb = if self.changes.is_empty() { "nothing to upgrade in" } else { done };
        format!("{verb} {}: {}", fixed.after.kep.as_deref().unwrap_or_default(), lines.join("\n"))
    }
}
