//! The program from end to end: each test starts it as a user does, and reads what it printed and wrote.

#![expect(clippy::shadow_unrelated, reason = "a test goes on with what its next step gives")]

#[cfg(unix)]
mod action;
mod answer_cli;
mod authoring;
mod book;
mod cli;
mod cli_fix;
mod color;
mod columns;
mod conditions;
mod config;
mod contrib;
mod dashboard;
#[cfg(unix)]
mod directory_links;
mod editors;
mod escapes;
mod facts;
mod filters;
mod forge;
mod gates;
mod gates_import;
mod hostile;
mod html;
mod ignores;
mod layout_init;
mod layout_keys;
mod layout_sections;
mod layout_titles;
mod layouts;
mod list;
mod lsp;
mod lsp_actions;
mod lsp_book;
mod lsp_life;
mod lsp_pull;
mod lsp_random;
mod lsp_read;
mod lsp_robust;
mod lsp_stale;
mod lsp_write;
#[cfg(unix)]
mod maintenance;
mod misplaced;
mod other_trees;
mod own_template;
mod picture;
mod planted;
mod posting;
mod presets;
mod printed;
mod promote_cli;
mod protected;
mod ready_board;
mod ready_cli;
mod ready_comments;
mod ready_compare;
mod ready_counts;
mod ready_prr;
mod ready_pulls;
mod release;
mod saves;
mod schema;
mod shell;
#[cfg(unix)]
mod signals;
mod since;
mod since_git;
mod since_merges;
mod since_places;
mod since_selection;
mod since_told;
mod stdin;
#[path = "../support/mod.rs"]
mod support;
#[cfg(unix)]
mod update_data;
mod upgrade_cli;
mod watch;
