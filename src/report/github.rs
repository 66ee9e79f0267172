//! Findings as annotations of GitHub Actions: one command of the runner per line, which shows it beside the changed line.

use super::limit::Limit;
use super::look::Look;
use super::{Location, Summary, counted, in_order, printable, with_help};
use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::span::Position;

pub const NAME: &str = "github";

/// How many annotations of each kind GitHub shows of one step; it drops the others without a word.
const ANNOTATIONS: usize = 10;

/// Renders the failures of `run`, and the findings that `look` asks for, as many as GitHub shows.
pub fn render(run: &Run, look: &Look) -> String {
    let mut text = String::new();
    let mut limit = Limit::of_each(ANNOTATIONS);
    let mut failures = 0;
    for Failure { message, help, .. } in &run.failures {
        if limit.admits(Severity::Error) {
            text += &format!("::error title=kep-lint::{}\n", sentence(message, help.as_deref()));
        } else {
            failures += 1;
        }
    }
    let mut omitted = Summary::default();
    for (report, finding) in in_order(run).into_iter().filter(|(_, finding)| finding.severity >= look.level) {
        if limit.admits(finding.severity) {
            text += &of_finding(report, finding, look);
        } else {
            *omitted.count_mut(finding.severity) += finding.count;
        }
    }
    let unlisted = Summary::all_unlisted(run).from_level(look.level);
    text + &rest(failures, omitted.plus(unlisted))
}

fn rest(failures: usize, omitted: Summary) -> String {
    let failures = (failures > 0).then(|| counted(failures, "failure", "failures"));
    let findings = (omitted.total() > 0).then(|| omitted.words());
    let words: Vec<String> = failures.into_iter().chain(findings).collect();
    if words.is_empty() {
        return String::new();
    }
    format!("not annotated, because GitHub shows only {ANNOTATIONS} of a kind: {}\n", words.join(", "))
}

fn of_finding(report: &KepReport, finding: &Diagnostic, look: &Look) -> String {
    let Location { path, start, end } = Location::of(report, finding.span);
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Advice => "notice",
    };
    let path = look.repository_path(path).unwrap_or_else(|| path.to_owned());
    let (file, lines) = (property(&path), lines(start, end));
    let title = property(&format!("kep-lint: {}", finding.rule));
    let text = sentence(&finding.message, finding.help.as_deref());
    format!("::{command} file={file},{lines},title={title}::{text}\n")
}

/// Where a finding is. GitHub takes columns only on a single line, and counts the last character in.
fn lines(start: Position, end: Position) -> String {
    let Position { line, column } = start;
    // A place that ends before the first character of a line ends with the line before.
    let last = if end.column == 1 && end.line > line { end.line - 1 } else { end.line };
    if last > line {
        return format!("line={line},endLine={last}");
    }
    let end_column = if end.line == line { end.column.saturating_sub(1).max(column) } else { column };
    format!("line={line},col={column},endLine={line},endColumn={end_column}")
}

fn sentence(message: &str, help: Option<&str>) -> String {
    data(&with_help(message, "—", help))
}

/// A text behind the last `::` of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(&printable(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::report::uri::Checkout;

    #[test]
    fn every_finding_is_a_command_with_its_place() {
        let expected = "\
::error file=keps/sig-node/1-x/README.md,line=5,col=1,endLine=5,endColumn=13,title=kep-lint%3A empty-section::section \
`Test Plan` is empty — help: answer it, or say why it does not apply
::notice file=keps/sig-node/1-x/README.md,line=7,col=1,endLine=7,endColumn=3,title=kep-lint%3A placeholder::`TBD` is left
::warning file=keps/template/README.md,line=2,col=1,endLine=2,endColumn=1,title=kep-lint%3A placeholder::a title is missing
";
        assert_eq!(render(&sample::run(), &Look::default()), expected);
        let look = Look { level: Severity::Error, ..Look::default() };
        assert_eq!(render(&sample::run(), &look).lines().count(), 1);
        let below = Look { checkout: Some(Checkout::new("/r", "/r/sub")), ..Look::default() };
        assert!(render(&sample::run(), &below).starts_with("::error file=sub/keps/sig-node/1-x/README.md,line=5,"));
    }

    #[test]
    fn what_would_end_a_value_is_escaped() {
        let mut run = sample::run();
        run.reports.truncate(1);
        let message = "100%\n::error::x%0A \u{1b}[31m a: b, c";
        run.reports[0].diagnostics.truncate(1);
        message.clone_into(&mut run.reports[0].diagnostics[0].message);
        run.reports[0].files[0] = sample::report("a,b:c%\r", &[("README.md", sample::README)]).files[0].clone();
        run.failures = vec![Failure::new("cannot read `50%\n::stop-commands::x`")];
        let expected = "\
::error title=kep-lint::cannot read `50%25 ::stop-commands::x`
::error file=a%2Cb%3Ac%25 /README.md,line=5,col=1,endLine=5,endColumn=13,title=kep-lint%3A empty-section::100%25 \
::error::x%250A ?[31m a: b, c — help: answer it, or say why it does not apply
";
        assert_eq!(render(&run, &Look::default()), expected);
    }

    #[test]
    fn ten_of_a_kind_are_annotated_and_the_rest_is_counted() {
        let mut run = sample::run();
        let of = |severity, count| vec![sample::finding("placeholder", severity, 0..1, "x"); count];
        run.reports[0].diagnostics =
            [of(Severity::Error, 9), of(Severity::Warning, 13), of(Severity::Advice, 10)].concat();
        run.reports[0].diagnostics[21].count = 5;
        run.reports.truncate(1);
        run.failures = vec![Failure::new("cannot read `x`"); 2];
        let text = render(&run, &Look::default());
        let count = |command: &str| text.lines().filter(|line| line.starts_with(command)).count();
        assert_eq!([count("::error "), count("::warning "), count("::notice ")], [10, 10, 10]);
        assert_eq!(
            text.lines().last(),
            Some("not annotated, because GitHub shows only 10 of a kind: 1 error, 7 warnings")
        );
        run.failures = vec![Failure::new("cannot read `x`"); 12];
        let with_failures = render(&run, &Look::default());
        assert!(with_failures.ends_with(": 2 failures, 9 errors, 7 warnings\n"), "{with_failures}");
    }

    #[test]
    fn several_lines_have_no_columns() {
        let at = |line, column| Position { line, column };
        assert_eq!(lines(at(2, 3), at(4, 5)), "line=2,endLine=4");
        assert_eq!(lines(at(2, 3), at(3, 1)), "line=2,col=3,endLine=2,endColumn=3");
        assert_eq!(lines(at(2, 3), at(2, 3)), "line=2,col=3,endLine=2,endColumn=3");
        assert_eq!(lines(at(2, 3), at(2, 9)), "line=2,col=3,endLine=2,endColumn=8");
    }
}
