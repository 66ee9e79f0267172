//! `kep-lint schema`: the JSON schemas of what kep-lint writes and reads.

use super::args::SchemaKind;
use super::outcome::Outcome;
use super::print::print;
use crate::diagnostic::Failure;
use crate::report::{json, kep_schema, list, ready};

pub fn run(of: SchemaKind) -> Result<Outcome, Failure> {
    print(&match of {
        SchemaKind::Report => json::SCHEMA.to_owned(),
        SchemaKind::Ready => ready::json::SCHEMA.to_owned(),
        SchemaKind::List => list::SCHEMA.to_owned(),
        SchemaKind::Kep => kep_schema::proposal(),
        SchemaKind::Prr => kep_schema::review(),
    })?;
    Ok(Outcome::Clean)
}
