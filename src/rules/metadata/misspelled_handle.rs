//! A person in kep.yaml has almost the name of somebody in `OWNERS_ALIASES`.
//!
//! ## Why
//!
//! With a wrong letter, nobody or somebody else is asked, and the KEP waits for a reviewer who does not know of
//! it. The leads of all groups and the PRR approvers are compared, whose handles are in `OWNERS_ALIASES`.
//!
//! ## Bad
//!
//! ```yaml
//! approvers:
//!   - "@wojtec-t"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! approvers:
//!   - "@wojtek-t"
//! ```

use crate::rules::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

pub const RULE: Rule = Rule {
    name: "misspelled-handle",
    summary: "a person in kep.yaml has almost the name of somebody in `OWNERS_ALIASES`",
    severity: Ladder { provisional: Advice, active: Advice, stale: Advice, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    settings: &["groups"],
    docs: docs!("misspelled_handle.rs"),
    checks: Checks::of_metadata(check),
    ..Rule::of(Category::Metadata)
};

/// The shortest handle that is compared, in bytes.
const SHORTEST: usize = 5;

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink<'_>) {
    if !ctx.repository.has_groups {
        return;
    }
    let lists = [&metadata.authors, &metadata.reviewers, &metadata.approvers];
    let mut people: BTreeMap<&str, Vec<&Field>> = BTreeMap::new();
    for person in lists.into_iter().flat_map(|list| list.items.iter().take(bounds::COMPARED_NAMES)) {
        people.entry(person.text.trim().trim_start_matches('@')).or_default().push(person);
    }
    for (handle, places) in people {
        let (Some(first), Some(meant)) = (places.first(), meant(&ctx.repository.people, handle)) else { continue };
        let message = format!("`{}` is one letter away from `@{meant}` in `OWNERS_ALIASES`", first.shown());
        let text = format!("\"@{meant}\"");
        let edits = places.iter().map(|place| Edit { span: place.span, text: text.clone() }).collect();
        let mut finding = Diagnostic::at(first.span, message)
            .edits(format!("write `{text}`"), edits)
            .help(format!("did you mean `@{meant}`?"));
        places.iter().skip(1).for_each(|place| finding.relate(place.span, "and here"));
        out.report(finding);
    }
}

/// The only one of `people` whose handle differs in one letter, but not in the first.
fn meant<'a>(people: &'a BTreeSet<String>, handle: &str) -> Option<&'a str> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !(SHORTEST..=bounds::HANDLE_BYTES).contains(&handle.len()) || !handle.bytes().all(is_part) {
        return None;
    }
    let first = slice(handle, ..1);
    let from = (Bound::Included(first), Bound::Unbounded);
    let alike: Vec<&String> = people.range::<str, _>(from).take_while(|name| name.starts_with(first)).collect();
    if alike.iter().any(|name| name.eq_ignore_ascii_case(handle)) {
        return None;
    }
    let mut near = alike.into_iter().filter(|name| suggest::is_slip(name, handle));
    near.next().filter(|_| near.next().is_none()).map(String::as_str)
}
