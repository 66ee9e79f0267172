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

use crate::markdown::link::Link;
use crate::rules::prelude::*;

impl Page<'_> {
    /// Writes `end` in place of the `(target)` that each of `links` ends with, if that is possible for all
    /// of them. Another target keeps the title of the link.
    pub fn with_end(&self, links: &[&Link], end: &str, safety: Safety, title: &str) -> Option<Fix> {
        let written = format!("]({}", links.first()?.target);
        let edits = links.iter().map(|link| {
            let source = self.slice(link.span.clone());
            let at = source.rfind(&written)?;
            let rest = slice(source, at + written.len()..);
            let (end, kept) = match end.strip_suffix(')') {
                Some(address) if rest.starts_with(' ') => (address, rest.len()),
                _ if rest == ")" => (end, 0),
                _ => return None,
            };
            let span = self.span(link.span.start + at + 1..link.span.end - kept);
            Some(Edit { span, text: end.to_owned() })
        });
        let edits: Vec<Edit> = edits.collect::<Option<_>>()?;
        Some(Fix { safety, title: title.to_owned(), edits })
    }
}
