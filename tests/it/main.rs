//! Tests of the whole project that need nothing but a clone of it. What is a list of cases, or needs real data, is in
//! `tests/cases`.

#[cfg(unix)]
mod action;
mod authoring;
mod cli;
mod cli_fix;
mod color;
mod config;
mod columns;
mod conditions;
mod contrib;
mod dashboard;
mod docs;
mod escapes;
mod filters;
mod fingerprints;
mod fixes;
mod formats;
mod forge;
mod hostile;
mod html;
mod ignores;
mod misplaced;
mod mutants;
mod picture;
mod planted;
mod presets;
mod promote_cli;
mod promotion;
mod properties;
mod ready;
mod ready_cli;
mod ready_readme;
mod reports;
mod saves;
mod schema;
mod shell;
mod since;
mod since_git;
mod since_places;
mod stdin;
#[path = "../support/mod.rs"]
mod support;
mod tidy;
mod toc;
mod watch;
