//! Findings in full, with place, message, lines and help; and the sections that a KEP still has to fill in,
//! when there are many: a line each, by chapter.

use super::{change, snippet};
use crate::diagnostic::{Diagnostic, Related, counted};
use crate::lint::report::KepReport;
use crate::report::finding_layout::snippets;
use crate::report::look::Look;
use crate::report::paint::{self, Paint};
use crate::report::{Location, by_chapter, fix_mark, printable, width, with_help, wrap};
use crate::rules::select;

pub struct Page<'a> {
    report: &'a KepReport,
    look: &'a Look,
    /// The places in other files that the findings have named so far; each is named once.
    shown: Vec<&'a Related>,
}

impl<'a> Page<'a> {
    pub fn new(report: &'a KepReport, look: &'a Look) -> Self {
        Self { report, look, shown: Vec::new() }
    }

    pub fn path_line(&self, path: &str) -> String {
        let shown = Paint::Bold.only_if(self.look.color).apply(&printable(path));
        linked(&shown, path, self.look) + "\n"
    }

    /// A finding with its help, and with its lines unless those are above it.
    pub fn finding(&mut self, finding: &'a Diagnostic, is_first: bool) -> String {
        let is_in_its_file = |related: &&Related| related.span.file == finding.span.file;
        let (here, others): (Vec<&Related>, Vec<&Related>) = finding.related.iter().partition(is_in_its_file);
        let lines = if is_first || !here.is_empty() {
            snippet::render(&snippets(self.report, finding, &here, self.look), finding.severity, self.look)
        } else {
            String::new()
        };
        let mut text = self.message(finding) + &lines;
        for related in others {
            if !self.shown.contains(&related) {
                text += &self.reason(related);
                self.shown.push(related);
            }
        }
        text += &finding.help.as_deref().map(|help| help_lines(help, self.look)).unwrap_or_default();
        text + &change::of(self.report, finding, self.look)
    }

    /// A place in another file: ``required because `stage: alpha` (kep.yaml:15)``.
    fn reason(&self, Related { span, message }: &Related) -> String {
        let place = Location::of(self.report, *span);
        let text = printable(&format!("{message} ({}:{})", place.path_in(self.report), place.start.line));
        wrap::wrapped(&text, self.look.columns(), "  ", "    ") + "\n"
    }

    /// A finding without its lines, in a log with its help.
    pub fn line(&self, finding: &Diagnostic) -> String {
        let sign = Sign::of(self.report, finding);
        let help = if self.look.may_cut() { None } else { finding.help.as_deref() };
        let front = ("  ".to_owned() + &sign.painted(self.look), 2 + sign.columns());
        row(front, &with_help(&finding.message, self.look.dash(), help), self.look)
    }

    fn message(&self, finding: &Diagnostic) -> String {
        let sign = Sign::of(self.report, finding);
        let front = " ".repeat(2 + sign.columns() + 1);
        let lines = wrap::lines(&printable(&finding.message), self.look.columns(), &front, "    ");
        let bold = |text: &str| Paint::Bold.only_if(self.look.color).apply(text);
        let mut lines = lines.iter().map(|line| line.trim_start());
        let first = lines.next().unwrap_or_default();
        let first = format!("  {} {}\n", sign.painted(self.look), bold(first));
        lines.fold(first, |text, line| text + &format!("    {}\n", bold(line)))
    }
}

/// What a finding begins with: place, severity, rule, and whether a fix is known.
struct Sign<'a> {
    place: Location<'a>,
    finding: &'a Diagnostic,
}

impl<'a> Sign<'a> {
    pub fn of(report: &'a KepReport, finding: &'a Diagnostic) -> Self {
        Self { place: Location::of(report, finding.span), finding }
    }

    pub fn position(&self) -> String {
        format!(":{}:{}", self.place.start.line, self.place.start.column)
    }

    pub fn rule(&self) -> String {
        format!("{}[{}]", self.finding.severity.name(), self.finding.rule)
    }

    pub fn columns(&self) -> usize {
        self.position().len() + 1 + self.rule().len() + fix_mark(self.finding).len()
    }

    /// The sign with its colors, and links to the file and to the page of the rule.
    pub fn painted(&self, look: &Look) -> String {
        let rule = Paint::Of(self.finding.severity).only_if(look.color).apply(&self.rule());
        let page = look.links.as_ref().and_then(|_| look.rule_url(self.finding.rule));
        let rule = page.map_or_else(|| rule.clone(), |url| paint::link(&rule, &url));
        let mark = fix_mark(self.finding);
        let mark = Paint::Added.only_if(look.color && !mark.is_empty()).apply(mark);
        format!("{} {rule}{mark}", self.painted_position(look))
    }

    pub fn painted_position(&self, look: &Look) -> String {
        linked(&Paint::Dim.only_if(look.color).apply(&self.position()), self.place.path, look)
    }
}

/// `text` as a link to the file at `path`, where the screen can follow links.
fn linked(text: &str, path: &str, look: &Look) -> String {
    look.url_of(path).map_or_else(|| text.to_owned(), |url| paint::link(text, &url))
}

/// A text after a front of so many columns, cut inside where that may be: its end says what is wrong.
fn row((front, columns): (String, usize), text: &str, look: &Look) -> String {
    if look.may_cut() {
        let free = look.columns().saturating_sub(columns + 1);
        return format!("{front} {}\n", width::cut_inside(text, free, look.ellipsis()));
    }
    let lines = wrap::wrapped(text, look.columns(), &" ".repeat(columns + 1), "      ");
    format!("{front} {}\n", lines.trim_start())
}

fn help_lines(help: &str, look: &Look) -> String {
    let label = Paint::Of(crate::diagnostic::Severity::Advice).only_if(look.color).apply("help:");
    let mut text = String::new();
    for (index, line) in help.lines().enumerate() {
        // Lines to copy keep their own indent.
        let indent = " ".repeat("  help: ".len() + line.len() - line.trim_start().len());
        for wrapped in wrap::lines(&printable(line.trim_start()), look.columns(), &indent, &indent) {
            let is_first = index == 0 && text.is_empty();
            text += &if is_first { format!("  {label} {}\n", wrapped.trim_start()) } else { format!("{wrapped}\n") };
        }
    }
    text
}

/// What stands for the chapter of sections that are chapters themselves.
const TOP: &str = "Top-level sections";

/// The gaps by chapter, with one help for all.
pub fn gaps(report: &KepReport, gaps: &[&Diagnostic], look: &Look) -> String {
    let chapters = by_chapter(gaps);
    let signs: Vec<Sign<'_>> = gaps.iter().map(|gap| Sign::of(report, gap)).collect();
    let position = signs.iter().map(|sign| sign.position().len()).max().unwrap_or_default();
    let rule = signs.iter().map(|sign| sign.rule().len()).max().unwrap_or_default();
    let mut text = String::new();
    for (chapter, inside) in &chapters {
        text += &heading(chapter.unwrap_or(TOP), inside, report.layout.name(), look);
        for gap in inside {
            text += &line(&Sign::of(report, gap), (position, rule), look);
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
fn line(sign: &Sign<'_>, (position, rule): (usize, usize), look: &Look) -> String {
    let pad = |text: &str, columns: usize| " ".repeat(columns.saturating_sub(text.len()));
    let front = 4 + position + 1 + rule;
    let painted_rule = Paint::Of(sign.finding.severity).only_if(look.color).apply(&sign.rule());
    let position = format!("{}{}", sign.painted_position(look), pad(&sign.position(), position));
    let painted = format!("    {position} {painted_rule}{}", pad(&sign.rule(), rule));
    row((painted, front), &printable(&title(sign.finding)), look)
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
