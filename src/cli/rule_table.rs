//! `kep-lint rules`: the table of all rules, or of some; or all that is documented of them as pages.

use super::args::RulesArguments;
use super::option_values::{RulesFormat, TableFormat};
use super::outcome::Outcome;
use super::plan::unknown_name;
use super::print::print;
use super::{screen, site};
use crate::diagnostic::Failure;
use crate::report::rules::{brief_table, table};
use crate::rules::rule::Rule;
use crate::rules::select;

/// Prints the table, or writes the pages.
pub fn run(arguments: &RulesArguments) -> Result<Outcome, Failure> {
    let rules = select::rules(&arguments.names).map_err(unknown_name)?;
    match &arguments.format {
        RulesFormat::Table(format) => print(&rendered(&rules, *format, arguments))?,
        RulesFormat::Site(_) if !arguments.names.is_empty() => {
            let failure = Failure::new("`--format site=DIR` writes the pages of all rules, which link to each other");
            return Err(failure.help("name no rules"));
        }
        RulesFormat::Site(directory) => site::write(directory)?,
    }
    Ok(Outcome::Clean)
}

fn rendered(rules: &[&Rule], format: TableFormat, arguments: &RulesArguments) -> String {
    match format {
        TableFormat::Text if arguments.wide => table(rules).text(),
        TableFormat::Text => brief_table(rules).fitted(screen::width()),
        TableFormat::Markdown => table(rules).markdown(),
        TableFormat::Json => table(rules).json(),
    }
}
