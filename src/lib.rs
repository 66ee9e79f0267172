//! kep-lint: a linter and validator for Kubernetes Enhancement Proposals.
//!
//! Two sentences to carry everywhere: **the template decides what is required, rules decide how to look, options decide
//! how loud**; and **the core never fails**: a broken `kep.yaml`, directive or README is a finding with a span.
//!
//! ```text
//!  paths ──discover──▶ KEP directories ──read──▶ Texts ──parse──▶ Kep ───────┐
//!  templates/kep.md ──parse──▶ Template ──for(stage, release)──▶ Requirements ┤
//!                                       └──▶ Matching (heading ↔ section) ────┤
//!                                                        Gaps (what is owed) ─┤
//!                                                                             ▼
//!                                             rules::run(Ctx) ──▶ Diagnostics ──▶ report::{pretty, concise, json}
//!                                                                ╰──▶ fix::fix ──▶ Texts, linted again
//!  └──────── cli: input and output ───────┘└──────────── core: pure, total ───────────┘└── reports: pure ──┘
//! ```
//!
//! # Invariants
//!
//! - The core (everything but [`cli`] and [`report`]) names no file system, environment, clock or process.
//! - Each module uses only those above it in the list below, files form no circle, and a rule uses no other rule.
//! - pulldown-cmark, the YAML parser and miette are each named in one place: [`markdown`], [`yaml`],
//!   [`report::pretty`].
//! - Spans are bytes of the file as it is on disk, on character boundaries.
//! - A fix changes the bytes of its edits and no others, and loses no word that it is not about; it is kept only if the
//!   rules agree that it fixed something.
//! - Cost grows linearly with the input, and what recurses over it has a limit to its depth.
//! - A slice of a text is taken by [`span::slice`], a text that a message quotes is cut by [`diagnostic::brief`], and what
//!   is printed passes [`report::printable`].
//! - Output is ordered by path, offset and rule, whatever the number of threads.
//!
//! # Features
//!
//! - `cli` (on by default): the binary and the module [`cli`]: arguments, files, threads and exit status. It needs `pretty`.
//! - `pretty` (on by default): [`report::pretty`], the report for people.
//!
//! Without them the library is the core and the plain formats: it reads no file and starts no thread, and is what an
//! editor or another tool embeds.
//!
//! # Where to change what
//!
//! - What is required, and since when: the directives in `templates/kep.md`.
//! - A rule: its file below `src/rules/`; a new one also wants a line in its category's module, one in [`rules::ALL`], and
//!   fixtures.
//! - How a heading is recognised: [`matching`]. What counts as an answer: [`gap`].
//! - A fix: the rule that offers it. When fixes are applied, and which are taken back: [`fix`].
//! - A format of reports: a file below `src/report/`, and a row in [`report::format::ALL`].
//! - How Markdown is read: [`markdown`]. Rules never look at raw syntax.
//! - How upstream's `mdtoc` reads it, which is otherwise: [`mdtoc`].

// Whatever a text holds, no slice of it ends the run: `span::slice` and `span::tail` give nothing where an index panics.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::string_slice, clippy::panic, clippy::unwrap_used))]

pub mod span;
pub mod source;
pub mod diagnostic;
pub mod stage;
pub mod suggest;
pub mod markdown;
pub mod mdtoc;
pub mod yaml;
pub mod kep;
pub mod repository;
pub mod template;
pub mod requirement;
pub mod matching;
pub mod gap;
pub mod rules;
pub mod lint;
pub mod fix;
pub mod report;
#[cfg(feature = "cli")]
pub mod cli;
