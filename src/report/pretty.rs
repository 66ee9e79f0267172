//! The report for people: findings grouped by KEP, each with the line it is about. No other file uses miette.

use super::layout::{Label, Layout, Snippet};
use super::limit::Limit;
use super::look::Look;
use super::paint::Paint;
use super::{Summary, printable};
use crate::diagnostic::{Diagnostic, Related, Severity};
use crate::lint::{KepReport, Run};
use crate::requirement::Target;
use crate::span::Position;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceSpan};
use miette::{SourceCode, SpanContents, ThemeCharacters, ThemeStyles};
use std::fmt;

/// Renders `run`; empty if it found nothing.
pub fn render(run: &Run, look: &Look) -> String {
    let mut limit = Limit::new(Summary::of(run), look.max_findings);
    let mut blocks = Vec::new();
    for report in &run.reports {
        let mut findings = report.diagnostics.iter().filter(|found| limit.admits(found.severity)).peekable();
        if findings.peek().is_some() {
            blocks.push(heading(report, look));
        }
        let mut shown = Vec::new();
        blocks.extend(findings.map(|found| Drawing::of(report, found, &mut shown, look).render(look)));
    }
    if limit.omitted().total() > 0 {
        blocks.push(omission(limit.omitted(), look));
    }
    harmless_lines(blocks.join("\n"))
}

/// The report without lines that a CI runner takes for a command: after wrapping, a line may begin anywhere in a text.
fn harmless_lines(text: String) -> String {
    let is_command = |line: &str| line.trim_start().starts_with("::");
    if !text.lines().any(is_command) {
        return text;
    }
    let line = |line: &str| if is_command(line) { line.replacen("::", ":?", 1) } else { line.to_owned() };
    text.split_inclusive('\n').map(line).collect()
}

/// `keps/sig-node/1-x — beta, active, v1.37`
fn heading(report: &KepReport, look: &Look) -> String {
    let file = report.files.first().map(|file| file.path.as_str());
    let path = report.kep.as_deref().or(file).unwrap_or_default();
    let path = Paint::Bold.only_if(look.color).apply(&printable(path));
    let dash = if look.unicode { '—' } else { '-' };
    match &report.target {
        Some(Target { stage, phase, release, has_unknown_status, .. }) => {
            let stage = stage.map(|stage| stage.name().to_owned());
            let release = release.map(|release| release.to_string());
            let note = if *has_unknown_status { " (unknown status)" } else { "" };
            let phase = format!("{}{note}", phase.name());
            let words: Vec<String> = stage.into_iter().chain([phase]).chain(release).collect();
            format!("{path} {dash} {}\n", words.join(", "))
        }
        None => format!("{path}\n"),
    }
}

fn omission(omitted: Summary, look: &Look) -> String {
    format!("{} and {} more ({}): `--max-findings 0` shows all\n", mark(look), omitted.total(), omitted.words())
}

fn width(look: &Look) -> usize {
    look.width.max(40)
}

fn mark(look: &Look) -> &'static str {
    if look.unicode { "…" } else { "..." }
}

/// A finding as miette needs it. Its source is not a file but the few lines of its layout: no long text is searched,
/// and a finding may have lines of several files.
#[derive(Debug)]
struct Drawing<'a> {
    found: &'a Diagnostic,
    message: String,
    help: Option<String>,
    layout: Layout<'a>,
}

impl<'a> Drawing<'a> {
    /// `shown` are the places in other files that the earlier findings of the KEP have shown; each is shown once.
    fn of(report: &'a KepReport, found: &'a Diagnostic, shown: &mut Vec<&'a Related>, look: &Look) -> Self {
        let help = found.help.as_ref().map(|help| help.lines().map(printable).collect::<Vec<_>>().join("\n"));
        let is_new = |place: &&Related| place.span.file == found.span.file || !shown.contains(place);
        let related: Vec<&Related> = found.related.iter().filter(is_new).collect();
        shown.extend(&related);
        let layout = Layout::of(report, found, related, width(look), mark(look));
        Self { found, message: printable(&found.message), help, layout }
    }

    fn render(&self, look: &Look) -> String {
        let handler = GraphicalReportHandler::new_themed(self.theme(look))
            .with_width(width(look))
            .with_links(false)
            .with_context_lines(0)
            .without_syntax_highlighting();
        let mut text = String::new();
        // Writing to a string does not fail, and every label is in the source that was made for it.
        let _ = handler.render_report(&mut text, self);
        text
    }

    /// miette begins with a sign for the severity; here its name and the rule replace it.
    fn theme(&self, look: &Look) -> GraphicalTheme {
        let mut characters = if look.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
        let mut styles = if look.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
        let sign = format!("{}[{}]", self.found.severity.name(), self.found.rule);
        let style = match self.found.severity {
            Severity::Error => {
                characters.error = sign;
                styles.error
            }
            Severity::Warning => {
                characters.warning = sign;
                styles.warning
            }
            Severity::Advice => {
                characters.advice = sign;
                styles.advice
            }
        };
        let labels = self.layout.labels.iter();
        styles.highlights = labels.map(|label| if label.is_primary { style } else { styles.help }).collect();
        styles.link = styles.linum;
        GraphicalTheme { characters, styles }
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Drawing<'_> {}

impl miette::Diagnostic for Drawing<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.found.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Advice => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.layout.labels.iter().map(|Label { place, text, is_primary }| match is_primary {
            true => LabeledSpan::new_primary_with_span(text.clone(), place.clone()),
            false => LabeledSpan::new_with_span(text.clone(), place.clone()),
        })))
    }
}

impl SourceCode for Drawing<'_> {
    /// The snippet that holds `span`. Each snippet holds one line, so that miette renders them separately.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let place = span.offset()..span.offset() + span.len();
        let Snippet { path, position, offset, excerpt, .. } =
            self.layout.snippet_of(&place).ok_or(MietteError::OutOfBounds)?;
        let all = SourceSpan::from((*offset, excerpt.text.len()));
        let Position { line, column } = *position;
        let (path, text) = (printable(path), excerpt.text.as_bytes());
        Ok(Box::new(MietteSpanContents::new_named(path, text, all, line - 1, column - 1, 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::span::{FileId, Span};

    const PLAIN: Look = Look { width: 80, color: false, unicode: true, max_findings: 0 };

    fn draw(readme: &str, at: std::ops::Range<usize>) -> String {
        let mut report = sample::report("keps/x", &[("README.md", readme)]);
        report.diagnostics = vec![sample::finding("rule", Severity::Error, at, "wrong")];
        render(&Run { reports: vec![report], ..Run::default() }, &PLAIN)
    }

    /// The source line and the lines below it.
    fn snippet(readme: &str, at: std::ops::Range<usize>) -> String {
        let text = draw(readme, at);
        text.lines().skip(4).take_while(|line| !line.contains('╰')).map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn findings_stand_under_their_kep() {
        let expected = "\
keps/sig-node/1-x — beta, active, v1.37

  error[empty-section] section `Test Plan` is empty
   ╭─[README.md:5:1]
 5 │ ### Test Plan
   · ─────────────
   ╰────
   ╭─[kep.yaml:1:8]
 1 │ stage: beta
   ·        ──┬─
   ·          ╰── stage is `beta` here
   ╰────
  help: answer it, or say why it does not apply

  advice[placeholder] `TBD` is left
   ╭─[README.md:7:1]
 7 │ TBD
   · ───
   ╰────

keps/template/README.md

  warning[placeholder] a title is missing
   ╭─[keps/template/README.md:2:1]
 2 │ \n   · ▲
   ╰────
";
        assert_eq!(render(&sample::run(), &PLAIN), expected);
    }

    #[test]
    fn the_least_severe_are_left_out_and_ascii_is_ascii() {
        let expected = "\
keps/sig-node/1-x - beta, active, v1.37

  error[empty-section] section `Test Plan` is empty
   ,-[README.md:5:1]
 5 | ### Test Plan
   : ^^^^^^^^^^^^^
   `----
   ,-[kep.yaml:1:8]
 1 | stage: beta
   :        ^^|^
   :          `-- stage is `beta` here
   `----
  help: answer it, or say why it does not apply

... and 2 more (1 warning, 1 advice finding): `--max-findings 0` shows all
";
        assert_eq!(render(&sample::run(), &Look { unicode: false, max_findings: 1, ..PLAIN }), expected);
    }

    #[test]
    fn a_place_of_many_lines_shows_its_first() {
        let text = "a\n<!--\nlong\n-->\nb\n";
        assert_eq!(snippet(text, 2..15), " 2 │ <!--\n   · ──┬─\n");
        assert!(draw(text, 2..15).contains("╰── to line 4\n"));
        assert_eq!(snippet("## A\n", 0..5), " 1 │ ## A\n   · ────\n");
    }

    #[test]
    fn a_long_line_is_cut_and_keeps_its_column() {
        let text = format!("x\n{}TBD{}\n", "abcd ".repeat(300), " efgh".repeat(300));
        let drawn = draw(&text, 1502..1505);
        assert!(drawn.contains("[README.md:2:1501]"), "{drawn}");
        assert!(drawn.lines().all(|line| line.chars().count() <= 80), "{drawn}");
        assert!(drawn.contains(" 2 │ …abcd abcd "), "{drawn}");
    }

    #[test]
    fn odd_places_are_drawn() {
        assert_eq!(snippet("", 0..0), " 1 │ \n   · ▲\n");
        assert_eq!(snippet("ab\r\n", 2..4), " 1 │ ab\n   ·   ▲\n");
        assert_eq!(snippet("\tab", 1..3), " 1 │  ab\n   ·  ──\n");
        assert_eq!(snippet("漢字 x", 7..8), " 1 │ 漢字 x\n   ·      ─\n");
        assert_eq!(snippet("é", 1..99), " 1 │ é\n   · ─\n");
    }

    #[test]
    fn places_on_one_line_share_it() {
        let mut run = sample::run();
        let span = Span::new(FileId(0), 39..43);
        run.reports[0].diagnostics[0].related = vec![Related { span, message: "a plan".to_owned() }];
        let text = render(&run, &PLAIN);
        assert!(text.contains(" 5 │ ### Test Plan\n   · ────────────"), "{text}");
        assert_eq!(text.matches("### Test Plan").count(), 1);
    }

    #[test]
    fn a_wrapped_line_is_no_command() {
        let mut run = sample::run();
        run.reports[0].diagnostics[0].help = Some(format!("write {}", "::".repeat(200)));
        let text = render(&run, &PLAIN);
        assert!(text.matches("::::").count() > 10, "{text}");
        assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
    }

    #[test]
    fn color_is_there_only_when_asked_for() {
        assert!(!render(&sample::run(), &PLAIN).contains('\u{1b}'));
        let text = render(&sample::run(), &Look { color: true, ..PLAIN });
        assert!(text.contains("\u{1b}[31merror[empty-section]\u{1b}["), "{text}");
        assert!(!text.contains("\u{1b}]8"));
    }
}
