//! Tests of the whole project that need nothing but a clone of it. What is a list of cases, or needs real data, is in
//! `tests/cases`.

mod authoring;
mod cli;
mod cli_fix;
mod color;
mod config;
mod columns;
mod docs;
mod filters;
mod fingerprints;
mod fixes;
mod hostile;
mod ignores;
mod mutants;
mod presets;
mod promotion;
mod properties;
mod reports;
mod schema;
mod since;
mod since_git;
mod stdin;
#[path = "../support/mod.rs"]
mod support;
mod tidy;
mod toc;
mod watch;
