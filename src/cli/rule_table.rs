//! `kep-lint rules`: the table of all rules.

use super::args::TableFormat;
use super::{Outcome, print};
use crate::diagnostic::Failure;
use crate::report::rules::table;

/// Prints the table.
pub fn run(format: TableFormat) -> Result<Outcome, Failure> {
    print(&match format {
        TableFormat::Text => table().text(),
        TableFormat::Markdown => table().markdown(),
        TableFormat::Json => table().json(),
    })?;
    Ok(Outcome::Clean)
}
