//! One line per finding, `path:line:column: severity[rule] message — help: …`, as editors and `grep` read it.

use super::look::Look;
use super::paint::Paint;
use super::{Location, fix_mark, harmless_lines, in_order, printable, with_help};
use crate::diagnostic::Diagnostic;
use crate::lint::Run;
use crate::lint::report::KepReport;

pub fn render(run: &Run, look: &Look) -> String {
    let shown = in_order(run).into_iter().filter(|(_, finding)| finding.severity >= look.level);
    shown.map(|(report, finding)| harmless_lines(line(report, finding, look))).collect()
}

pub fn line(report: &KepReport, finding: &Diagnostic, look: &Look) -> String {
    let Location { path, start, .. } = Location::of(report, finding.span);
    let path = Paint::Bold.only_if(look.color).apply(&printable(path));
    let severity = Paint::Of(finding.severity).only_if(look.color).apply(finding.severity.name());
    let (mark, message) = (fix_mark(finding), with_help(&finding.message, look.dash(), finding.help.as_deref()));
    format!("{path}:{}:{}: {severity}[{}]{mark} {message}\n", start.line, start.column, finding.rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::report::sample;

    #[test]
    fn every_finding_is_one_line() {
        let all = "keps/sig-node/1-x/README.md:5:1: error[empty-section] section `Test Plan` is empty — help: answer it, or \
                   say why it does not apply\n\
                   keps/sig-node/1-x/README.md:7:1: suggestion[placeholder] [unsafe fix] `TBD` is left\n\
                   keps/template/README.md:2:1: warning[placeholder] a title is missing\n";
        assert_eq!(render(&sample::run(), &Look::default()), all);
        let mut run = sample::run();
        run.reports[0].diagnostics[0].message = "two\nlines".to_owned();
        run.reports[0].diagnostics[0].help = Some("two\nlines".to_owned());
        assert_eq!(render(&run, &Look::default()).lines().count(), 3);
    }

    #[test]
    fn lower_levels_are_left_out() {
        let text = render(&sample::run(), &Look { level: Severity::Warning, ..Look::default() });
        assert!(text.lines().count() == 2 && !text.contains("suggestion["), "{text}");
    }

    #[test]
    fn color_marks_path_and_severity() {
        let text = render(&sample::run(), &Look { color: true, ..Look::default() });
        let first = text.lines().next().unwrap_or_default();
        assert!(
            first.starts_with(
                "\u{1b}[1mkeps/sig-node/1-x/README.md\u{1b}[0m:5:1: \u{1b}[31merror\u{1b}[0m[empty-section] section \
                 `Test Plan` is empty"
            ),
            "{first}"
        );
    }
}
