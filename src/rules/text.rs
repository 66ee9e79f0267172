//! Category "text": checks the README as a document.

pub(crate) mod broken_link_syntax;
pub(crate) mod dead_anchor;
pub(crate) mod dead_link;
pub(crate) mod doubled_word;
pub(crate) mod duplicate_toc;
pub(crate) mod malformed_checkbox;
pub(crate) mod merge_conflict;
pub(crate) mod mismatched_kep_link;
pub(crate) mod missing_toc;
pub(crate) mod not_a_heading;
pub(crate) mod run_together_lines;
pub(crate) mod stale_stage_words;
pub(crate) mod stale_toc;
pub(crate) mod stray_comment_marker;
pub(crate) mod swallowed_tag;
pub(crate) mod unbalanced_unresolved;
pub(crate) mod unclosed_code_span;
pub(crate) mod undefined_reference;
pub(crate) mod unresolved_marker;
