//! Tests of the library and of the project's own text. They start no program and need nothing but a clone: what starts
//! one is in `tests/program`, what is a list of cases or needs real data in `tests/cases`.

#![expect(clippy::shadow_unrelated, reason = "a test goes on with what its next step gives")]

mod among;
mod book;
mod causes;
mod ci;
mod docs;
mod editor_read;
mod engine;
mod escapes;
mod fingerprints;
mod fixes;
mod formats;
mod mutants;
mod project;
mod promotion;
mod properties;
mod ready;
mod ready_comments;
mod ready_readme;
mod recorded_cost;
mod releases;
mod reports;
mod rule_pages;
#[path = "../support/mod.rs"]
mod support;
mod tidy;
mod toc;
