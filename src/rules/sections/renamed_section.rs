//! A heading differs from the template's wording: it is from a former template, another known name, shortened or
//! extended.
//!
//! ## Why
//!
//! The section counts as present, but readers who search for the template's heading do not find it. Case, punctuation,
//! singular and plural, and "(Optional)" are ignored. A heading that has the template's words and more, such as
//! "Goals for Windows" or "Summary and Motivation", is not reported: readers find it.
//!
//! The fix renames the heading and updates the links to it in the README. It is unsafe because links in other
//! documents keep the old anchor, and because the author may have chosen the words on purpose. There is no fix if
//! the heading has words that the template has not, or if a file of the KEP links to it by `README.md#…`. An answer
//! after a question becomes the first line under it, and a question that goes on in the next line gets it back.
//!
//! ## Bad
//!
//! ```markdown beta
//! ###### How can a rollout fail? Can it impact already running workloads?
//!
//! The kubelet may not start.
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ###### How can a rollout or rollback fail? Can it impact already running workloads?
//!
//! The kubelet may not start.
//! ```

use crate::markdown::anchor::Dialect;
use crate::markdown::title::{self, Title};
use crate::matching::matched::Wording;
use crate::rules::prelude::*;
use crate::span::strip_line_end;

pub const RULE: Rule = Rule {
    name: "renamed-section",
    summary: "heading differs from the template's wording",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("renamed_section.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let is_upgrade = ctx.target.scope != Scope::Certain;
    for (id, wanted) in ctx.template.iter() {
        let Some(place) = readme.matching().place(id) else { continue };
        // Authors are expected to rename optional headings such as user stories.
        let is_required = ctx.template.directive(wanted.source).is_some_and(|directive| directive.required);
        let Some(section) = place.section.map(|heading| readme.sections.get(heading)) else { continue };
        let is_renamed = match place.wording {
            Wording::Template | Wording::Structural | Wording::Joint => false,
            // Beside the rest of the proposal, "Implementation" is no mistake.
            Wording::Former if readme.matching().is_design_of_proposal(ctx.template, &readme.sections, id) => false,
            // Of a title that only the repository's template changed, the run says it once.
            Wording::Former => is_upgrade || !ctx.template.is_renamed(id),
            // Who searches for "Goals" finds "Goals for Windows" as well.
            Wording::Own if !wanted.is_question() && adds_words(section, &wanted.words) => false,
            Wording::Own => is_required,
        };
        if !is_renamed {
            continue;
        }
        let message = format!("heading `{}` is `{}` in the template", section.title.text, wanted.title.text);
        let finding = Diagnostic::at(readme.span(section.text.clone()), message)
            .help(format!("rename it to `{}`", wanted.title.text))
            .of_section(ctx.template.path(id))
            .fix(fix(ctx, readme, section, id, place.wording));
        out.report(finding);
    }
}

/// Whether a heading has these words of the template one after another, and more.
fn adds_words(section: &Section, words: &[String]) -> bool {
    let own = section.title.words();
    title::has_phrase(&own, words) && title::adds_words(&own, words)
}

/// Renames the heading and updates the links to it; an answer in the heading becomes the first line under
/// it. `None` if more than words would change, or if the heading has additional words.
fn fix(ctx: &Ctx<'_>, readme: Readme<'_>, section: &Section, id: TemplateId, wording: Wording) -> Option<Fix> {
    let before = readme.slice(section.heading.start..section.text.start);
    let after = readme.slice(section.text.end..section.heading.end);
    let is_plain = before.trim_matches(['#', ' ', '\t']).is_empty()
        && after.trim_matches(['#', '=', '-', ' ', '\t', '\r', '\n']).is_empty();
    // A heading with a tag, a comment or an anchor name has more than words.
    let words = readme.slice(section.heading.clone());
    if !is_plain || words.contains(['<', '{']) {
        return None;
    }
    let wanted = ctx.template.get(id);
    let (question, answer) = split_answer(&section.title);
    let known: Vec<String> = wanted.former.iter().flat_map(Title::words).chain(wanted.words.iter().cloned()).collect();
    // More words of a question tell nothing that its answer does not tell.
    let is_question = ctx.target.scope != Scope::Certain && wanted.is_question();
    if wording != Wording::Former && !is_question && title::adds_words(&question.words(), &known) {
        return None;
    }
    let (mut end, mut after) = (section.heading.end, after);
    // A heading that is broken over two lines goes on below.
    let is_end = |text: &str| !title::key(text).is_empty() && wanted.title.key.ends_with(&title::key(text));
    let first = readme.visible(section.own.clone()).next();
    if let Some((line, _)) = first.filter(|(_, text)| is_end(text)) {
        let whole = section.title.key.clone() + &title::key(readme.slice(end..line.end));
        if whole != wanted.title.key || !after.trim().is_empty() {
            return None;
        }
        (end, after) = (line.end, "");
    }
    let title = ctx.template.heading(id);
    let newline = line_end(readme.text(), section.heading.end);
    let next = readme.slice(section.heading.end..).trim_start_matches([' ', '\t']);
    let below = strip_line_end(next).map(|next| next.trim_start_matches([' ', '\t']));
    let is_followed = below.is_some_and(|below| !below.is_empty() && !below.starts_with(LINE_ENDS));
    let closing = if is_followed { newline } else { "" };
    let begins_line = readme.slice(..section.heading.start).ends_with(LINE_ENDS);
    if answer.is_some() && !begins_line {
        return None;
    }
    let moved = answer.map(|answer| format!("{newline}{newline}{answer}{closing}")).unwrap_or_default();
    let span = readme.span(section.text.start..end);
    let mut edits = vec![Edit { span, text: format!("{title}{after}{moved}") }];
    let (old, new) = (Dialect::Mdtoc.anchor(&section.title.text), Dialect::Mdtoc.anchor(&wanted.title.text));
    if old != new {
        edits.extend(links(ctx, readme, section, &old, &new, title)?);
    }
    Some(Fix { safety: Safety::Unsafe, title: format!("rename the heading to `{title}`, and update its links"), edits })
}

/// A question and the answer after it in the same heading: `Will it fail? No`.
fn split_answer(title: &Title) -> (Title, Option<&str>) {
    const ANSWERS: [&str; 4] = ["yes", "no", "none", "na"];
    match title.text.rsplit_once('?') {
        Some((question, answer)) if ANSWERS.contains(&title::key(answer).as_str()) => {
            (Title::new(&format!("{question}?")), Some(answer.trim()))
        }
        _ => (title.clone(), None),
    }
}

/// The edits that change the links to `section` to its new anchor, and their text if it is the old title.
/// `None` if a link may mean another heading or cannot be changed.
fn links(ctx: &Ctx<'_>, readme: Readme<'_>, section: &Section, old: &str, new: &str, title: &str) -> Option<Vec<Edit>> {
    let named = |anchor: &str| {
        readme.sections.iter().filter(|(_, other)| Dialect::Mdtoc.anchor(&other.title.text) == anchor).count()
    };
    // The anchor of a heading whose name another one has as well ends with a number, which goes to that.
    let is_only = named(old) == 1;
    let is_old = |anchor: &str| anchor == old || (!is_only && anchor.starts_with(old));
    let contents = Markers::find(readme.text()).whole().unwrap_or_default();
    let is_linked = readme
        .links
        .iter()
        .any(|link| !contents.contains(&link.span.start) && link.target.strip_prefix('#').is_some_and(is_old));
    // Other ways to this anchor, such as `README.md#old`, would be dead.
    let mut links = ctx.kep.documents.iter().chain([readme.document]).flat_map(|document| &document.links);
    let is_linked_elsewhere =
        links.any(|link| link.target.rsplit_once("README.md#").is_some_and(|(_, anchor)| is_old(anchor)));
    if named(new) != 0 || (!is_only && is_linked) || is_linked_elsewhere {
        return None;
    }
    let target = format!("#{old}");
    let opening = format!("]({target}");
    let mut edits = Vec::new();
    for link in readme.links.iter().filter(|link| link.target == target) {
        let at = link.span.start + readme.slice(link.span.clone()).rfind(&opening)?;
        let words = link.span.start + "[".len()..at;
        let is_outside = link.span.end <= section.heading.start || section.heading.end <= link.span.start;
        if !is_outside || words.end < words.start {
            return None;
        }
        let is_titled = readme.slice(words.clone()) == readme.slice(section.text.clone());
        if is_titled && !title.contains(['[', ']']) {
            edits.push(Edit { span: readme.span(words), text: title.to_owned() });
        }
        let anchor = at + "](#".len();
        edits.push(Edit { span: readme.span(anchor..anchor + old.len()), text: new.to_owned() });
    }
    Some(edits)
}
