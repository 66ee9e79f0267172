//! Tests of the whole project that need nothing but a clone of it. What is a list of cases, or needs real data, is in
//! `tests/cases`.

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
mod properties;
mod ready;
mod ready_cli;
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
