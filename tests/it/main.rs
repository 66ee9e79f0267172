//! Tests of the whole project that need nothing but a clone of it. What is a list of cases, or needs real data, is in
//! `tests/cases`.

mod cli;
mod cli_fix;
mod color;
mod columns;
mod docs;
mod fingerprints;
mod fixes;
mod hostile;
mod ignores;
mod mutants;
mod properties;
mod reports;
mod schema;
#[path = "../support/mod.rs"]
mod support;
mod tidy;
mod toc;
