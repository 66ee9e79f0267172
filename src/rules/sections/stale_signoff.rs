//! The Release Signoff Checklist does not fit the KEP: items of the template are missing, items about GA are checked before
//! GA, or no `(R)` item is checked in a KEP for the release under development.
//!
//! ## Why
//!
//! Reviewers see from the list what is missing for the release. A list that was copied from an older template asks less
//! than today's, and a box that is checked too early hides what is still to be done. An item that says "N/A" may be
//! checked at any time. All of a KEP is one finding; at stable, `unchecked-signoff` reports boxes that are open. Hardly
//! anybody keeps the list up to date, so this rule is off unless it is selected.
//!
//! The fix adds the items that are missing, unchecked, where nothing else is wrong with the list. It is unsafe:
//! the author may have removed them on purpose.
//!
//! ## Bad
//!
//! ```markdown beta
//! ## Release Signoff Checklist
//!
//! - [x] (R) Design details are appropriately documented
//! - [x] (R) Minimum Two Week Window for GA e2e tests to prove flake free
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ## Release Signoff Checklist
//!
//! - [x] (R) Enhancement issue in release milestone, which links to KEP dir
//! - [x] (R) KEP approvers have approved the KEP status as `implementable`
//! - [x] (R) Design details are appropriately documented
//! - [x] (R) Test plan is in place, giving consideration to SIG Testing input
//!   - [x] e2e Tests for all Beta API Operations (endpoints)
//!   - [ ] (R) Ensure GA e2e tests meet requirements for [Conformance Tests]
//!   - [ ] (R) Minimum Two Week Window for GA e2e tests to prove flake free
//! - [x] (R) Graduation criteria is in place
//!   - [ ] (R) [all GA Endpoints] must be hit by [Conformance Tests]
//! - [x] (R) Production readiness review completed
//! - [x] (R) Production readiness review approved
//! - [ ] "Implementation History" section is up-to-date for milestone
//! - [ ] User-facing documentation has been created in [kubernetes/website]
//! - [ ] Supporting documentation, such as additional design documents
//! ```

use crate::diagnostic::counted;
use crate::gap::signoff::{is_about_ga, is_required};
use crate::markdown::checkbox::TaskBox;
use crate::markdown::paragraph::is_list_item;
use crate::rules::prelude::*;

/// The rule. It is off, because a quarter of the active KEPs have such a list.
pub const RULE: Rule = Rule {
    name: "stale-signoff",
    summary: "the signoff checklist lacks items, has those of GA checked too early, or none at all",
    severity: Ladder::everywhere(Off),
    fix: Some(Safety::Unsafe),
    roles: &[SectionRole::Signoff],
    docs: docs!("stale_signoff.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let is_open = |stage: &Stage| !stage.is_removal() && !ctx.target.is_record();
    let Some(stage) = ctx.target.stage.filter(is_open) else { return };
    let Some((id, place)) = readme.with_role(SectionRole::Signoff) else { return };
    let range = readme.matching().text_of(place);
    let known = ctx.template.signoff_items(id);
    let items = items(readme, range.clone());
    // What is no checklist is not compared with one.
    if items.iter().filter(|(_, words)| known.include(words)).nth(1).is_none() {
        return;
    }
    let lines = known.lacking(items.iter().map(|(_, words)| words.as_str()));
    let lacking = lines.iter().map(|(_, line)| line.trim_start().trim_start_matches("- [ ] "));
    let lacking: Vec<&str> = lacking.collect();
    let is_upgrade = ctx.target.scope != Scope::Certain;
    let boxes: Vec<&TaskBox> = readme.boxes.iter().filter(|item| range.contains(&item.span.start)).collect();
    let ends = boxes.iter().skip(1).map(|next| next.span.start).chain([range.end]);
    let is_early = |item: &TaskBox, end| item.ticked && is_about_ga(readme.slice(item.span.end..end));
    let early =
        boxes.iter().zip(ends).filter(|(item, end)| stage < Stage::Stable && !is_upgrade && is_early(item, *end));
    let early: Vec<&TaskBox> = early.map(|(item, _)| *item).collect();
    let required: Vec<&&TaskBox> = boxes.iter().filter(|item| is_required(readme.slice(item.span.end..))).collect();
    let is_due = stage < Stage::Stable && !is_upgrade && ctx.target.release == Some(ctx.current);
    let untouched = if is_due && !required.iter().any(|item| item.ticked) { required.len() } else { 0 };

    let path = ctx.template.path(id);
    let subject = |part: &str| Subject::named(path.iter().map(String::as_str).chain([part]));
    let (mut parts, mut helps, mut covers) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(first) = lacking.first() {
        parts.push(format!("lacks {} of the template", counted(lacking.len(), "item", "items")));
        helps.push(format!(
            "add `{}`{}",
            brief(first).replace('`', ""),
            if lacking.len() > 1 { " and the others" } else { "" }
        ));
        covers.extend(lacking.iter().map(|item| subject(item)));
    }
    if !early.is_empty() {
        parts.push(format!("has {} about GA checked at {stage}", counted(early.len(), "item", "items")));
        helps.push("uncheck what is not done, or write `N/A` to it".to_owned());
        covers.extend(early.iter().map(|item| subject(text_after(readme.text(), item.span.end))));
    }
    if untouched > 0 {
        parts.push(format!("has none of {} checked", counted(untouched, "(R) item", "(R) items")));
        helps.push("check what is done".to_owned());
        covers.push(subject("none checked"));
    }
    if parts.is_empty() {
        return;
    }
    let is_only_lacking = !lacking.is_empty() && early.is_empty() && untouched == 0;
    let message = format!("the signoff checklist {}", parts.join(", and "));
    let finding = Diagnostic::at(readme.span(place.heading.clone()), message)
        .help(helps.join("; "))
        .related_others(early.iter().map(|item| &item.span), "checked before GA")
        .covers(covers)
        .subject(subject("stale"))
        .section(path)
        .fix(if is_only_lacking { fix(readme, &items, &lines, &ctx.template.guidance(id)) } else { None });
    out.report(finding);
}

/// The items of a list, each with its lines and their words.
fn items(readme: Readme<'_>, range: Range<usize>) -> Vec<(Range<usize>, String)> {
    let text = readme.text();
    let mut items: Vec<(Range<usize>, String)> = Vec::new();
    for (line, words) in readme.visible(range).filter(|(line, _)| !readme.is_in_block(line)) {
        match items.last_mut().filter(|_| !is_list_item(&words)) {
            Some((item, all)) => (item.end, *all) = (line.end, format!("{all} {words}")),
            None => items.push((last_line_start(slice(text, ..line.start))..line.end, words.into_owned())),
        }
    }
    items
}

/// Adds the `lines` that the checklist with these items lacks, each after the item before it in the template and
/// what is below that, and the addresses that only they need.
fn fix(
    readme: Readme<'_>,
    items: &[(Range<usize>, String)],
    lines: &[(Option<usize>, &str)],
    guidance: &str,
) -> Option<Fix> {
    let text = readme.text();
    let is_below =
        |at: usize| items.get(at).is_some_and(|(item, _)| slice(text, item.start..).starts_with([' ', '\t']));
    let mut added: BTreeMap<usize, String> = BTreeMap::new();
    let newline = line_end(text, items.first()?.0.start);
    for (after, line) in lines {
        let Some(mut after) = *after else {
            let (first, _) = items.iter().find(|(item, _)| is_list_item(slice(text, item.start..)))?;
            *added.entry(first.start).or_default() += &format!("{line}{newline}");
            continue;
        };
        while !line.starts_with(' ') && is_below(after + 1) {
            after += 1;
        }
        let (item, _) = items.get(after)?;
        *added.entry(item.end).or_default() += &format!("{newline}{line}");
    }
    let is_used =
        |label: &str| lines.iter().any(|(_, line)| line.contains(label)) && !text.contains(&format!("{label}:"));
    let addresses = guidance.lines().filter(|line| line.starts_with('[') && line.contains("]: "));
    let addresses = addresses.filter(|line| line.find("]: ").is_some_and(|end| is_used(slice(line, ..=end))));
    let addresses: String = addresses.map(|line| format!("{newline}{line}")).collect();
    if let Some((item, _)) = items.last().filter(|_| !addresses.is_empty()) {
        *added.entry(item.end).or_default() += &format!("{newline}{addresses}");
    }
    let edits = added.into_iter().map(|(at, block)| Edit { span: readme.span(at..at), text: block }).collect();
    Some(Fix { safety: Safety::Unsafe, title: "add what the checklist lacks, unchecked".to_owned(), edits })
}
