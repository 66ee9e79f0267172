//! The sections that a KEP still has to fill in, when there are many: a line each, by chapter.

use super::finding::{Sign, help_lines, row};
use crate::diagnostic::{Diagnostic, counted};
use crate::lint::report::KepReport;
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::{by_chapter, printable, width, wrap};
use crate::rules::select;

/// What stands for the chapter of sections that are chapters themselves.
const TOP: &str = "Top-level sections";

/// The gaps by chapter, with one help for all.
pub fn grouped(report: &KepReport, gaps: &[&Diagnostic], look: &Look) -> String {
    let chapters = by_chapter(gaps);
    let signs: Vec<Sign<'_>> = gaps.iter().map(|gap| Sign::of(report, gap)).collect();
    let position = signs.iter().map(|sign| sign.position().len()).max().unwrap_or_default();
    let rule = signs.iter().map(|sign| sign.rule().len()).max().unwrap_or_default();
    let mut text = String::new();
    for (chapter, inside) in &chapters {
        text += &heading(chapter.unwrap_or(TOP), inside, report.layout.name(), look);
        for gap in inside {
            text += &line(&Sign::of(report, gap), gap, (position, rule), look);
        }
    }
    let longest = chapters.iter().rev().max_by_key(|(chapter, inside)| (chapter.is_some(), inside.len()));
    let section = match longest {
        Some((None, inside)) => inside.first().map(|gap| title(gap)).unwrap_or_default(),
        Some((Some(chapter), _)) => (*chapter).to_owned(),
        None => String::new(),
    };
    let is_insertable = gaps.iter().any(|gap| gap.fix.is_some());
    let insert = if is_insertable { "\n`--fix --unsafe-fixes` adds headings that are missing" } else { "" };
    let help = format!("fill in each section, or write why it does not apply{insert}");
    text + &help_lines(&help, look) + &progress(report, gaps, &section, look)
}

fn heading(chapter: &str, gaps: &[&Diagnostic], kep: &str, look: &Look) -> String {
    let stages = || gaps.iter().map(|gap| gap.requirement.map(|requirement| requirement.stage));
    let common = stages().next().flatten().filter(|first| stages().all(|stage| stage == Some(*first)));
    let reason = match common {
        Some(Some(stage)) => format!(" (required from {stage})"),
        Some(None) => format!(" (required in every {kep})"),
        None => String::new(),
    };
    let free = look.columns().saturating_sub("  ".len() + reason.len());
    let name = width::cut_inside(&printable(chapter), free, look.ellipsis());
    let name = Paint::Bold.only_if(look.color).apply(&name);
    format!("  {name}{}\n", Paint::Dim.only_if(look.color && !reason.is_empty()).apply(&reason))
}

/// `    :341:1  error[empty-section]    How can a rollout or rollback fail? …`
fn line(sign: &Sign<'_>, gap: &Diagnostic, (position, rule): (usize, usize), look: &Look) -> String {
    let pad = |text: &str, columns: usize| " ".repeat(columns.saturating_sub(text.len()));
    let front = 4 + position + 1 + rule;
    let painted_rule = Paint::Of(gap.severity).only_if(look.color).apply(&sign.rule());
    let position = format!("{}{}", sign.painted_position(look), pad(&sign.position(), position));
    let painted = format!("    {position} {painted_rule}{}", pad(&sign.rule(), rule));
    row((painted, front), &printable(&title(gap)), look)
}

/// The section, and what the name of the rule does not say about it.
fn title(gap: &Diagnostic) -> String {
    let title = gap.section.as_deref().unwrap_or_default().last().map(String::as_str).unwrap_or_default();
    match gap.message.strip_prefix(&format!("section `{title}` ")) {
        Some(rest) if rest.starts_with("and ") => format!("{title} {rest}"),
        Some(rest) => rest.split_once(": ").map_or_else(|| title.to_owned(), |(_, why)| format!("{title}: {why}")),
        None => gap.message.clone(),
    }
}

/// How many of the required sections are not filled in, and where to read what is expected.
fn progress(report: &KepReport, gaps: &[&Diagnostic], section: &str, look: &Look) -> String {
    let count = select::open_sections(&report.diagnostics);
    let required = report.about.as_ref().map_or(count, |about| about.required);
    let sections = counted(required, "required section", "required sections");
    let are = if count == 1 { "is" } else { "are" };
    let mut counts = format!("{count} of {sections} {are} not filled in");
    let covered = select::open_sections(gaps.iter().copied());
    // The lines above are fewer than the sections, or some of them are hidden.
    if (gaps.len(), covered) != (count, count) {
        let covers = if gaps.len() == 1 { "covers" } else { "cover" };
        counts += &format!("; the {} above {covers} {covered}", counted(gaps.len(), "finding", "findings"));
    }
    let text = format!("{counts}; `kep-lint explain \"{section}\"` shows what is asked");
    wrap::lines(&printable(&text), look.columns(), "  ", "  ").into_iter().map(|line| line + "\n").collect()
}
