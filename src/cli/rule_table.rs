//! `kep-lint rules`: the table of all rules, or of some.

use super::args::RulesArguments;
use super::option_values::TableFormat;
use super::outcome::Outcome;
use super::print::print;
use super::screen;
use crate::diagnostic::Failure;
use crate::report::rules::{brief_table, table};
use crate::rules::select::{self, UnknownName};

pub fn run(arguments: &RulesArguments) -> Result<Outcome, Failure> {
    let rules = select::rules(&arguments.names).map_err(UnknownName::failure)?;
    print(&match arguments.format {
        TableFormat::Text if arguments.wide => table(&rules).text(),
        TableFormat::Text => brief_table(&rules).fitted(screen::width()),
        TableFormat::Markdown => table(&rules).markdown(),
        TableFormat::Json => table(&rules).json(),
    })?;
    Ok(Outcome::Clean)
}
