//! `kep-lint rules`: the table of all rules, or of some.

use super::args::RulesArguments;
use super::options::TableFormat;
use super::outcome::Outcome;
use super::print::print;
use super::{screen, template};
use crate::diagnostic::Failure;
use crate::report::rules::{brief_table, table};
use crate::rules::select::{self, UnknownName};

pub fn run(arguments: &RulesArguments) -> Result<Outcome, Failure> {
    let rules = select::rules(&arguments.names).map_err(UnknownName::failure)?;
    // A configuration that is wrong hides no rule.
    let (_, layout) = template::around().unwrap_or_default();
    print(&match arguments.format {
        TableFormat::Text if arguments.wide => table(&rules, &layout).text(),
        TableFormat::Text => brief_table(&rules, &layout).fitted(screen::width()),
        TableFormat::Markdown => table(&rules, &layout).markdown(),
        TableFormat::Json => table(&rules, &layout).json(),
    })?;
    Ok(Outcome::Clean)
}
