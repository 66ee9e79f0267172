//! A value in kep.yaml has the wrong type.
//!
//! ## Why
//!
//! Upstream's decoder rejects a string where it expects a list, a list where it expects a string, and so on. Any
//! number, date or word is accepted as a string, quoted or not. An empty value is accepted for any type.
//!
//! ## Bad
//!
//! ```yaml
//! status: provisional
//! authors: "@alice"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: provisional
//! authors:
//!   - "@alice"
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "wrong-type",
    summary: "value has the wrong type",
    severity: Ladder::everywhere(Error),
    upstream: &[Script::Metadata],
    docs: docs!("wrong_type.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(_: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    for flaw in &metadata.flaws {
        let is_lost = matches!(flaw.kind, FlawKind::NoKeys(_)) && metadata.has_lost_keys();
        // `invalid-yaml` reports an alias without its anchor.
        let same = metadata.tree.problems.binary_search_by_key(&flaw.span.start, |it| it.span.start);
        if matches!(flaw.kind, FlawKind::WrongType { .. } | FlawKind::NoKeys(_)) && !is_lost {
            let told = if same.is_ok() { Some("invalid-yaml") } else { None };
            out.report(of_flaw(flaw).upstream(Script::Metadata).unless(told));
        }
    }
}
