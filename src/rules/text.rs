//! Category "text": checks the README as a document.

pub mod broken_link_syntax;
pub mod dead_anchor;
pub mod dead_link;
pub mod doubled_word;
pub mod duplicate_toc;
pub mod malformed_checkbox;
pub mod mismatched_kep_link;
pub mod missing_toc;
pub mod not_a_heading;
pub mod run_together_lines;
pub mod stale_stage_words;
pub mod stale_toc;
pub mod stray_comment_marker;
pub mod swallowed_tag;
pub mod unbalanced_unresolved;
pub mod unclosed_code_span;
pub mod undefined_reference;
pub mod unresolved_marker;
