//! `kep-lint schema`: the JSON schemas of what kep-lint writes.

use super::args::SchemaKind;
use super::{Outcome, print};
use crate::diagnostic::Failure;
use crate::report::{json, ready};

/// Prints a schema.
pub fn run(of: SchemaKind) -> Result<Outcome, Failure> {
    print(&match of {
        SchemaKind::Report => json::schema(),
        SchemaKind::Ready => ready::json::schema(),
    })?;
    Ok(Outcome::Clean)
}
