//! kep-lint: a linter and validator for Kubernetes Enhancement Proposals.
//!
//! Two principles: **the template defines what is required, rules define how to check it, and the phase of a KEP and
//! the options define the severity**; and **the core never fails**: a broken `kep.yaml`, directive or README is a
//! finding with a span, not an error.
//!
//! contrib/architecture.md follows a finding through the modules, says where to change what, and explains the words of the
//! code. CONTRIBUTING.md says how to build and test, and how to add a rule.
//!
//! # Invariants
//!
//! - The core (everything except [`cli`] and what [`workspace`] has with the feature `cli`) does not use the file system,
//!   environment, clock or processes.
//! - Each module uses only those above it in the list below, there are no import cycles between files, and no rule uses
//!   another rule.
//! - pulldown-cmark, the YAML parser and miette are each used in one place: [`markdown`], [`yaml`], [`report::pretty`].
//! - Spans are byte ranges of the file as it is on disk, on character boundaries.
//! - A fix changes only the bytes of its edits, and deletes only words that it is about. It is kept only if the rules
//!   no longer report the finding, and report no new error.
//! - Cost grows linearly with the input, and recursion over the input has a depth limit.
//! - Texts are sliced with [`span::slice`], quoted in messages with [`diagnostic::brief`], and printed with
//!   [`report::printable`].
//! - Output is ordered by path, offset and rule, independent of the number of threads.
//!
//! Without the features `cli`, `lsp` and `pretty` the library is the core and the plain formats: it reads no file and starts
//! no thread, and is what an editor or another tool embeds, as the second part of this page shows.
//!
#![doc = include_str!("embedding.md")]
// No input may cause a panic: `span::slice` and `span::tail` return nothing where indexing would panic.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::string_slice, clippy::panic, clippy::unwrap_used))]

#[doc(hidden)]
pub mod bounds;
pub(crate) mod search;
pub mod span;
pub(crate) mod hash;
pub mod source;
pub mod stage;
#[doc(hidden)]
pub mod suggest;
pub mod diagnostic;
#[doc(hidden)]
pub mod markdown;
#[doc(hidden)]
pub mod mdtoc;
#[doc(hidden)]
pub mod yaml;
#[doc(hidden)]
pub mod gates;
pub mod kep;
pub mod repository;
pub mod template;
#[doc(hidden)]
pub mod requirement;
pub(crate) mod matching;
#[doc(hidden)]
pub mod gap;
#[doc(hidden)]
pub mod suppress;
pub mod rules;
pub mod config;
pub mod lint;
pub mod fix;
pub mod ready;
#[doc(hidden)]
pub mod authoring;
pub mod workspace;
pub mod report;
pub mod editor;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
