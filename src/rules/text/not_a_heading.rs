//! A line looks like a heading, an item or a table, but one character keeps it from being that.
//!
//! ## Why
//!
//! Markdown requires a space after `#`. Without it, or with another character that looks like a space or `#`, the line is a
//! paragraph, and the section is missing from the page's outline and the table of contents. Such characters come from
//! other programs by copy and paste. The same happens to items and to the line of dashes of a table.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! Images are pulled ahead of time.
//!
//! ##Motivation
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! Images are pulled ahead of time.
//!
//! ## Motivation
//! ```

use crate::markdown::look_alike::{HASHES, LookAlike, LookAlikeKind};
use crate::markdown::paragraph;
use crate::markdown::title::Title;
use crate::rules::prelude::*;
use crate::span::is_odd_space;

const LONG: &str = "more than six `#`";

pub const RULE: Rule = Rule {
    name: "not-a-heading",
    summary: "a line looks like a heading, an item or a table, but is none",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    reveals: true,
    docs: docs!("not_a_heading.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Text)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    for kind in [LookAlikeKind::Item, LookAlikeKind::Table] {
        let lines: Vec<&LookAlike> = readme.look_alikes.iter().filter(|found| found.kind == kind).collect();
        report_lines(readme, &lines, kind, out);
    }
    for found in readme.look_alikes.iter().filter(|found| matches!(found.kind, LookAlikeKind::Heading { .. })) {
        let at = readme.document.hidden.partition_point(|hidden| hidden.span.start < found.line.start);
        let hidden = readme.document.hidden.get(at).filter(|hidden| hidden.span == found.line);
        let section = hidden.and_then(|hidden| readme.hidden_section(hidden));
        let link = hidden.and_then(|hidden| hidden.link.as_deref());
        if found.is_weak && section.is_none() && link.is_none() {
            continue;
        }
        let mut found = found.clone();
        let mut safety = Safety::Safe;
        let reason = reason(readme, &found);
        // A sentence that begins with `#name` may be no heading.
        if section.is_none() && link.is_none() && readme.slice(found.line.clone()).ends_with(['.', ',', ';', '!', '?'])
        {
            safety = Safety::Unsafe;
        }
        if reason == LONG {
            let level = link.and_then(|link| listed_level(readme, link));
            match level.or_else(|| Some(ctx.template.get(section?).level.into())) {
                Some(level) => found.right = "#".repeat(level) + " ",
                None => safety = Safety::Unsafe,
            }
        }
        let right = found.repaired(readme.text());
        // The marks at the end need a space before them.
        let open = right.trim_end_matches('#').len();
        let marks = right.len() - right.trim_start_matches('#').len();
        let is_closed = right.len() - open == marks && !slice(&right, ..open).ends_with([' ', '\t', '\\']);
        let right = if is_closed { slice(&right, ..open).to_owned() } else { right };
        let mut finding = Diagnostic::at(readme.span(found.line.clone()), format!("not a heading: {reason}"))
            .help(format!("write {}", quoted(&brief(&right))));
        // HTML may have attributes.
        let is_there_already = hidden.is_some_and(|hidden| is_there_already(ctx, readme, hidden));
        let has_template_title = hidden.is_some_and(|hidden| ctx.template.has_title(&hidden.title));
        if is_there_already && has_template_title {
            finding = finding.help("remove it, or give it another title: the README has this section already");
        } else if found.wrong != found.line && !is_closed && is_alone(readme.text(), &found, &right) {
            // Links may lead to the other one.
            let safety = if is_there_already { Safety::Unsafe } else { safety };
            finding.fix = Some(Fix { safety, ..fix(readme, &[&found], "write it as a heading") });
        }
        if let Some(section) = section {
            finding.covers = vec![Subject::named(ctx.template.path(section))];
        }
        out.report(finding);
    }
}

/// Whether there is a heading with this title or for its section, or another line that would be one.
fn is_there_already(ctx: &Ctx<'_>, readme: Readme<'_>, hidden: &HiddenHeading) -> bool {
    let is_same = |title: &Title| title.key == hidden.title.key;
    let has_heading = |id: TemplateId| readme.matching().place(id).is_some_and(|place| place.section.is_some());
    let before = readme.document.hidden.iter().take_while(|other| other.span.start < hidden.span.start);
    let mut before = before.take(bounds::COMPARED_NAMES);
    before.any(|other| other.by == hidden.by && is_same(&other.title))
        || readme.sections.iter().any(|(_, section)| is_same(&section.title))
        || ctx.template.iter().any(|(id, section)| is_same(&section.title) && has_heading(id))
}

/// The level of the heading that `link`, in the table of contents, leads to.
fn listed_level(readme: Readme<'_>, link: &str) -> Option<usize> {
    let contents = Markers::find(readme.text()).between()?;
    let highest = readme.sections.iter().filter(|(_, section)| section.heading.start > contents.end);
    let highest = highest.map(|(_, section)| usize::from(section.level)).min()?;
    let target = format!("]({link})");
    let line = readme.slice(contents).lines().find(|line| line.trim_end().ends_with(&target))?;
    Some(highest + (line.len() - line.trim_start().len()) / 2)
}

/// Reports the lines of one kind together, where the first one is.
fn report_lines(readme: Readme<'_>, lines: &[&LookAlike], kind: LookAlikeKind, out: &mut Sink) {
    let Some((first, others)) = lines.split_first() else { return };
    let (what, title) = match kind {
        LookAlikeKind::Table => ("a table", "remove it"),
        _ => ("an item of a list", "write a space in its place"),
    };
    let finding = Diagnostic::at(readme.span(first.wrong.clone()), format!("not {what}: {}", reason(readme, first)))
        .help(title)
        .related_others(others.iter().map(|other| &other.wrong), "and here")
        .subject(Subject::near(readme.slice(first.line.clone())));
    let begins = |found: &&LookAlike| {
        // A fence in the item would end with it, before its code.
        let below = readme.slice(found.line.end..readme.text().len()).trim_start_matches(['\r', '\n']);
        if below.starts_with([' ', '\t']) && ["```", "~~~"].iter().any(|fence| below.trim_start().starts_with(fence)) {
            return false;
        }
        let above = line_around(readme.text(), last_line_start(readme.slice(..found.line.start)).saturating_sub(1));
        kind == LookAlikeKind::Table
            || above.trim().is_empty()
            || above.trim_start().starts_with(['-', '*', '+'])
            || paragraph::is_list_item(&above.trim_start().replace(is_odd_space, " "))
    };
    let is_list = lines.iter().all(begins);
    out.report(if is_list { finding.fix(fix(readme, lines, title)) } else { finding });
}

fn fix(readme: Readme<'_>, lines: &[&LookAlike], title: &str) -> Fix {
    let end = |found: &LookAlike| line_end(readme.text(), found.line.start);
    let text = |found: &LookAlike| found.right.replace('\n', end(found));
    let edits = lines.iter().map(|found| Edit { span: readme.span(found.wrong.clone()), text: text(found) });
    Fix { safety: Safety::Safe, title: title.to_owned(), edits: edits.collect() }
}

/// What is wrong with a line, by the number of the character where nobody could see it.
fn reason(readme: Readme<'_>, found: &LookAlike) -> String {
    let wrong = readme.slice(found.wrong.clone());
    if found.is_weak {
        return match found.right.as_str() {
            "" => "it is indented like code",
            "\n\n" => "HTML is before it on its line",
            _ => "mdtoc does not list headings in HTML",
        }
        .to_owned();
    }
    match wrong.chars().find(|letter| !letter.is_ascii()) {
        None if wrong.is_empty() => "missing space after `#`".to_owned(),
        None => LONG.to_owned(),
        Some(letter) if HASHES.contains(&letter) => format!("U+{:04X} looks like `#`", u32::from(letter)),
        Some(letter) => format!("U+{:04X} is no space", u32::from(letter)),
    }
}

/// Whether a line can become a heading without other changes: it begins a paragraph, the next line is not
/// an underline or a table row, and everything that it opens is closed on the same line. With the
/// correction, it is `line`.
fn is_alone(text: &str, found: &LookAlike, line: &str) -> bool {
    let start = found.wrong.start.min(found.line.start);
    let before = slice(text, ..start).trim_end_matches([' ', '\t', '\u{feff}']);
    let before = before.strip_suffix('\n').map_or(before, |before| before.strip_suffix('\r').unwrap_or(before));
    let above = before.rsplit(LINE_ENDS).next().unwrap_or_default();
    let after = slice(text, found.line.end..).trim_start_matches([' ', '\t']);
    let after = after.strip_prefix('\r').unwrap_or(after);
    let below = first_line(after.strip_prefix('\n').unwrap_or(after)).trim();
    let is_underline = below.starts_with(['=', '-']) && below.trim_matches(['=', '-']).is_empty();
    let is_tag = above.starts_with('<') && above.trim_end().ends_with('>');
    let begins = is_tag || above.trim().is_empty() || above.starts_with('#') || above.trim_end().ends_with("-->");
    let count = |mark: char| line.matches(mark).count();
    let is_closed = count('[') == count(']') && count('(') == count(')') && count('<') == count('>');
    let is_even = ['`', '*', '_', '~', '$'].iter().all(|mark| count(*mark) % 2 == 0);
    let has_marker = line.contains("<!--");
    begins && !is_underline && !below.contains('|') && is_closed && is_even && !has_marker
}
