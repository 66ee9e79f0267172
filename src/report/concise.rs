//! One line per finding, `path:line:column: severity[rule] message`, as editors and `grep` read it.

use super::paint::Paint;
use super::{Location, in_order, printable};
use crate::diagnostic::Diagnostic;
use crate::lint::{KepReport, Run};

/// Renders `run`, in color if `look` says so.
pub fn render(run: &Run, color: bool) -> String {
    in_order(run).into_iter().map(|(report, found)| line(report, found, color)).collect()
}

fn line(report: &KepReport, found: &Diagnostic, color: bool) -> String {
    let Location { path, start, .. } = Location::of(report, found.span);
    let path = Paint::Bold.only_if(color).apply(&printable(path));
    let severity = Paint::Of(found.severity).only_if(color).apply(found.severity.name());
    let message = printable(&found.message);
    format!("{path}:{}:{}: {severity}[{}] {message}\n", start.line, start.column, found.rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn every_finding_is_one_line() {
        assert_eq!(
            render(&sample::run(), false),
            "keps/sig-node/1-x/README.md:5:1: error[empty-section] section `Test Plan` is empty\n\
             keps/sig-node/1-x/README.md:7:1: advice[placeholder] `TBD` is left\n\
             keps/template/README.md:2:1: warning[placeholder] a title is missing\n"
        );
        let mut run = sample::run();
        run.reports[0].diagnostics[0].message = "two\nlines".to_owned();
        assert_eq!(render(&run, false).lines().count(), 3);
    }

    #[test]
    fn color_marks_path_and_severity() {
        let text = render(&sample::run(), true);
        let first = text.lines().next().unwrap_or_default();
        assert_eq!(
            first,
            "\u{1b}[1mkeps/sig-node/1-x/README.md\u{1b}[0m:5:1: \u{1b}[31merror\u{1b}[0m[empty-section] \
             section `Test Plan` is empty"
        );
    }
}
