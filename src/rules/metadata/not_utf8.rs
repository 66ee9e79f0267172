//! A file of the KEP is not UTF-8.
//!
//! ## Why
//!
//! Kubernetes' tools and GitHub read KEPs as UTF-8. The finding is at the first invalid byte. The rest of the file is
//! linted with a `?` in place of each invalid byte; a file in UTF-16 is linted as it is meant. For kep.yaml, this cannot
//! be ignored.
//!
//! ## Bad
//!
//! ```markdown bytes
//! # KEP-1: Caf\xE9
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Café
//! ```

use crate::rules::prelude::*;
use crate::span::FileId;

pub const RULE: Rule = Rule {
    name: "not-utf8",
    summary: "a file of the KEP is not UTF-8",
    severity: Ladder::everywhere(Error),
    reveals: true,
    upstream: &[Script::Metadata, Script::NodeApprovers],
    docs: docs!("not_utf8.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    for (file, source) in ctx.kep.texts.iter() {
        let Some(first) = source.invalid_utf8 else { continue };
        let line = source.position(first).line;
        let end = source.text.ceil_char_boundary(first + 1);
        let mut finding =
            Diagnostic::at(Span::new(file, first..end), format!("byte {first} (line {line}) is not UTF-8"))
                .help("save the file as UTF-8")
                .subject(Subject::File)
                .upstream(script(ctx.kep, file));
        finding.hides_status = ctx.kep.metadata.as_ref().is_some_and(|metadata| metadata.file == file);
        out.report(finding);
    }
}

/// The script that reads a file, and fails because it is not UTF-8. mdtoc, which reads the README, does not mind.
fn script(kep: &Kep, file: FileId) -> Option<Script> {
    let metadata = kep.metadata.as_ref()?;
    let is_review = metadata.needs_review() && kep.review.as_ref().is_some_and(|review| review.file == file);
    let is_read = metadata.file == file || is_review;
    let is_owners = kep.owners.as_ref().is_some_and(|owners| owners.file == file);
    is_read.then_some(Script::Metadata).or(is_owners.then_some(Script::NodeApprovers))
}
