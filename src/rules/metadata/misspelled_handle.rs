//! A person in kep.yaml has almost the name of somebody in `OWNERS_ALIASES`, or is not written as `@name`.
//!
//! ## Why
//!
//! With a wrong letter, nobody or somebody else is asked, and the KEP waits for a reviewer who does not know of
//! it. The leads of all groups and the PRR approvers are compared, whose handles are in `OWNERS_ALIASES`. One item is
//! one person.
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
use std::ops::Bound;

pub const RULE: Rule = Rule {
    name: "misspelled-handle",
    summary: "a person in kep.yaml has almost a name of `OWNERS_ALIASES`, or is not written as `@name`",
    severity: Ladder { provisional: Advice, active: Advice, stale: Advice, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    settings: &["groups"],
    docs: docs!("misspelled_handle.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

/// The shortest handle that is compared, in bytes.
const SHORTEST: usize = 5;

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let lists = [&metadata.authors, &metadata.reviewers, &metadata.approvers];
    let items = lists.into_iter().flat_map(|list| list.items.iter().take(bounds::COMPARED_NAMES));
    items.clone().for_each(|person| check_form(person, out));
    if !ctx.repository.has_groups {
        return;
    }
    let mut people: BTreeMap<&str, Vec<&Field>> = BTreeMap::new();
    for person in items {
        people.entry(person.text.trim().trim_start_matches('@')).or_default().push(person);
    }
    for (handle, places) in people {
        let meant = meant(&ctx.repository.aliases.people, handle);
        let (Some(first), Some(meant)) = (places.first(), meant) else { continue };
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

/// Reports several people in one item, and a handle with other characters around it.
fn check_form(person: &Field, out: &mut Sink) {
    let text = person.text.trim();
    let name = text.trim_matches(['@', ' ', ',', ';', ':', '.']);
    let is_handle = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/');
    if names::people(text).len() > 1 {
        let finding = Diagnostic::at(person.span, format!("`{}` names several people", person.shown()));
        out.report(finding.help("write one person per item"));
    } else if text.starts_with('@') && slice(text, 1..) != name && !name.is_empty() && name.bytes().all(is_handle) {
        let finding = Diagnostic::at(person.span, format!("`{}` is not written as `@name`", person.shown()));
        out.report(finding.replacement(format!("write `\"@{name}\"`"), person.span, format!("\"@{name}\"")));
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
    only_one(alike.into_iter().filter(|name| suggest::is_slip(name, handle))).map(String::as_str)
}
