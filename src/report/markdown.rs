//! A comment for a pull request, or the summary of a CI run: what is wrong, the worst KEP first, each KEP in a part that
//! can be folded. GitHub takes 65,536 characters for a comment; this has at most 60,000, and counts what does not fit.

pub mod text;

use self::text::{block, code, html, html_code, inline};
use super::look::Look;
use super::{Location, Shown, Summary, changes, counted, kep_count, kep_name, worst_first};
use crate::bounds::{self, COMMENT_CHARACTERS};
use crate::diagnostic::{Diagnostic, Failure, Related, Severity, brief, public};
use crate::lint::Run;
use crate::lint::report::KepReport;
use std::cmp::Reverse;

/// How many of these characters are kept free for the lines at the end, which say what is left out.
const CLOSING_CHARACTERS: usize = 500;

/// How many other places a report in Markdown lists with a finding.
const LISTED_PLACES: usize = 3;

pub fn render(run: &Run, look: &Look) -> String {
    let total = Summary::of(run);
    if total.total() == 0 && run.failures.is_empty() {
        let result = match run.reports.as_slice() {
            [] => "**kep-lint** had no KEP to check.\n".to_owned(),
            _ => format!("**kep-lint** found nothing to report: {}.\n", inline(&Summary::line(run, 0))),
        };
        return changes(run) + &result + &about(run);
    }
    let mut page = Page::new(changes(run) + &heading(run, total));
    failures(&mut page, &run.failures);
    let mut shown = worst_first(run, look.level);
    for part in &mut shown {
        part.findings.sort_by_key(|finding| Reverse(finding.severity));
    }
    let open = if shown.len() == 1 { " open" } else { "" };
    let mut parts: Vec<Part> = shown.iter().map(|shown| Part::of(shown, open, look)).collect();
    let omitted = list(&mut parts, page.left);
    page.text.extend(parts.iter().map(Part::text));
    let unlisted = Summary::all_unlisted(run).from_level(look.level);
    page.finish(omitted.plus(unlisted), total.below(look.level))
}

/// What the change does, which comes first.
fn changes(run: &Run) -> String {
    let lines = changes::lines(run);
    let front = if lines.len() > 1 { "- " } else { "" };
    let text: String = lines.iter().map(|line| format!("{front}{}\n", inline(line))).collect();
    if text.is_empty() { text } else { text + "\n" }
}

fn heading(run: &Run, total: Summary) -> String {
    let state = if run.failures.is_empty() { "" } else { "incomplete run, " };
    let line = inline(&Summary::line(run, 0));
    let line = if kep_count(run) > 0 || run.failures.is_empty() { format!("{line}\n") } else { String::new() };
    format!("### kep-lint: {state}{}\n\n{line}{}", total.words(), about(run))
}

/// What the run is compared with, and what decides how strict it is.
fn about(run: &Run) -> String {
    let known = run.reports.iter().map(|report| report.known).sum();
    let since = run.since.as_ref().map(|since| since.words(known));
    since.into_iter().chain(run.conditions.lines()).map(|line| format!("\n{}.\n", inline(&line))).collect()
}

/// A text that does not grow over the limit.
struct Page {
    text: String,
    left: usize,
}

impl Page {
    fn new(text: String) -> Self {
        let left = (COMMENT_CHARACTERS - CLOSING_CHARACTERS).saturating_sub(text.chars().count());
        Self { text, left }
    }

    fn add(&mut self, piece: &str) -> bool {
        let count = piece.chars().count();
        let fits = count <= self.left;
        if fits {
            self.text += piece;
            self.left -= count;
        }
        fits
    }

    /// The text, with what is not listed: there was no room for it, or it is below the level that is shown.
    fn finish(self, omitted: Summary, hidden: Summary) -> String {
        let mut text = self.text;
        if omitted.total() > 0 {
            let findings = counted(omitted.total(), "more finding", "more findings");
            text += &format!("\n**… and {findings}** ({}), for which there is no room here.\n", omitted.words());
        }
        if hidden.total() > 0 {
            text += &format!("\nBelow the level that is shown: {}.\n", hidden.words());
        }
        text + "\n`kep-lint explain RULE` tells why a rule exists, with examples.\n"
    }
}

fn failures(page: &mut Page, failures: &[Failure]) {
    if failures.is_empty() {
        return;
    }
    page.add("\n**The run could not be completed:**\n\n");
    let item = |failure: &Failure| {
        let help = failure.help.as_ref().map(|help| format!("<br>help: {}", inline(help))).unwrap_or_default();
        format!("- {}{help}\n", inline(&failure.public_message()))
    };
    let listed = failures.iter().take(bounds::LISTED_NAMES).filter(|failure| page.add(&item(failure))).count();
    let more = failures.len() - listed;
    if more > 0 {
        page.text += &format!("- and {}\n", counted(more, "more failure", "more failures"));
    }
}

const END: &str = "\n</details>\n";

struct Part {
    opening: String,
    items: Vec<Item>,
    /// Whether any of its findings is listed.
    is_open: bool,
}

struct Item {
    text: String,
    severity: Severity,
    count: usize,
    is_listed: bool,
}

impl Part {
    fn of<'r>(shown: &Shown<'r>, open: &str, look: &Look) -> Self {
        let mut known = Vec::new();
        let item = |finding: &'r Diagnostic| Item {
            text: item(shown.report, finding, &mut known, look),
            severity: finding.severity,
            count: finding.count,
            is_listed: false,
        };
        Self {
            opening: opening(shown, open),
            items: shown.findings.iter().copied().map(item).collect(),
            is_open: false,
        }
    }

    /// A part is closed wherever the report is cut: an element that stays open would fold what follows.
    fn text(&self) -> String {
        if !self.is_open {
            return String::new();
        }
        let items = self.items.iter().filter(|item| item.is_listed).map(|item| item.text.as_str());
        format!("{}{}{END}", self.opening, items.collect::<String>())
    }
}

/// Lists as many findings as fit into so many characters: no warning takes the place of an error in another KEP. Returns
/// the others.
fn list(parts: &mut [Part], mut left: usize) -> Summary {
    let mut omitted = Summary::default();
    for severity in Severity::ALL.into_iter().rev() {
        for Part { opening, items, is_open } in parts.iter_mut() {
            for item in items.iter_mut().filter(|item| item.severity == severity) {
                let markup = if *is_open { 0 } else { opening.chars().count() + END.len() };
                let needed = markup + item.text.chars().count();
                if needed <= left {
                    left -= needed;
                    (*is_open, item.is_listed) = (true, true);
                } else {
                    *omitted.count_mut(severity) += item.count;
                }
            }
        }
    }
    omitted
}

/// `<summary>` with what the KEP is called, how much is wrong, and where it is.
fn opening(shown: &Shown<'_>, open: &str) -> String {
    let Shown { report, counts, .. } = shown;
    let file = || report.files.first().map(|file| file.path.as_str()).unwrap_or_default();
    let path = html_code(public(report.kep.as_deref().unwrap_or_else(file)));
    let name = kep_name(report).map(|name| format!("<b>{}</b> ", html(&brief(&name)))).unwrap_or_default();
    format!("\n<details{open}>\n<summary>{name}{path}: {}</summary>\n\n", counts.words())
}

/// A finding as an item of a list. Places in other files that are `known` from earlier findings are left out.
fn item<'r>(report: &'r KepReport, finding: &'r Diagnostic, known: &mut Vec<&'r Related>, look: &Look) -> String {
    let place = |span| place(report, &Location::of(report, span), look);
    let (severity, message) = (finding.severity.name(), inline(&finding.message));
    let rule = look
        .rule_url(finding.rule)
        .map_or_else(|| code(finding.rule), |url| format!("[{}]({url})", code(finding.rule)));
    let fix = finding.fix.as_ref().map(|fix| format!(", {} fix", fix.safety.name())).unwrap_or_default();
    let mut item = format!("- **{severity}** {}: {message} ({rule}{fix})", place(finding.span));
    let is_new = |related: &&Related| related.span.file == finding.span.file || !known.contains(related);
    let shown: Vec<&Related> = finding.related.iter().filter(is_new).take(LISTED_PLACES).collect();
    shown.iter().for_each(|related| item += &format!("<br>{}: {}", place(related.span), inline(&related.message)));
    known.extend(shown);
    let Some(help) = &finding.help else { return item + "\n" };
    let (first, lines) = help.split_once('\n').unwrap_or((help, ""));
    item += &format!("<br>help: {}\n", inline(first));
    if lines.is_empty() { item } else { item + &format!("\n{}\n", block(lines, "", "  ")) }
}

/// The file, from the KEP's directory on, and the line, with a link if one is known.
fn place(report: &KepReport, location: &Location<'_>, look: &Look) -> String {
    let (path, line) = (location.path, location.start.line);
    let inner = report.kep.as_deref().and_then(|kep| path.strip_prefix(kep)?.strip_prefix('/'));
    let shown = code(&format!("{}:{line}", inner.unwrap_or(public(path))));
    look.line_url(path, line).map_or_else(|| shown.clone(), |url| format!("[{shown}]({url})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::origin::Since;
    use crate::report::sample;

    #[test]
    fn the_worst_comes_first_and_lines_are_linked() {
        let look = Look { link_base: Some("https://x.y/r".to_owned()), ..Look::default() };
        let text = render(&sample::run(), &look);
        let expected = "\
### kep-lint: 1 error, 1 warning, 1 suggestion

checked 1 KEP (2 files) for v1.37 (built-in release): 1 error, 1 warning, 1 suggestion

<details>
<summary><b>KEP-1 Prefetch</b> <code>keps/sig-node/1-x</code>: 1 error, 1 suggestion</summary>

- **error** [`README.md:5`](https://x.y/r/keps/sig-node/1-x/README.md?plain=1#L5): section `Test Plan` is empty \
(`empty-section`)<br>[`kep.yaml:1`](https://x.y/r/keps/sig-node/1-x/kep.yaml#L1): stage is `beta` here<br>help: \
answer it, or say why it does not apply
- **advice** [`README.md:7`](https://x.y/r/keps/sig-node/1-x/README.md?plain=1#L7): `TBD` is left (`placeholder`, \
unsafe fix)

</details>

<details>
<summary><code>keps/template/README.md</code>: 1 warning</summary>

- **warning** [`keps/template/README.md:2`](https://x.y/r/keps/template/README.md?plain=1#L2): a title is missing \
(`placeholder`)

</details>

`kep-lint explain RULE` tells why a rule exists, with examples.
";
        assert_eq!(text, expected);
        let errors = render(&sample::run(), &Look { level: Severity::Error, ..Look::default() });
        assert!(errors.contains("<details open>") && !errors.contains("`TBD` is left"), "{errors}");
        assert!(errors.contains("\nBelow the level that is shown: 1 warning, 1 suggestion.\n"), "{errors}");
    }

    #[test]
    fn nothing_found_is_one_sentence_and_a_failure_is_not_nothing() {
        assert_eq!(render(&Run::default(), &Look::default()), "**kep-lint** had no KEP to check.\n");
        let mut run = Run { reports: vec![sample::report("keps/x/1-x", &[("kep.yaml", "")])], ..Run::default() };
        let text = render(&run, &Look::default());
        assert_eq!(
            text,
            "**kep-lint** found nothing to report: checked 1 KEP (1 file) for v1.37 (built-in release): 0 errors, 0 \
             warnings, 0 suggestions.\n"
        );
        run.failures =
            vec![Failure::of("read", "keps/x", "it is gone").help("look for @ann"); bounds::LISTED_NAMES + 2];
        let failed = render(&run, &Look::default());
        assert!(failed.starts_with("### kep-lint: incomplete run, no findings\n"), "{failed}");
        assert!(failed.contains("- cannot read `keps/x`: it is gone<br>help: look for `@ann`\n"), "{failed}");
        assert!(failed.contains("- and 2 more failures\n"), "{failed}");
    }

    #[test]
    fn what_is_new_is_said_and_since_when() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let mut run = sample::run();
        run.since = Some(Since {
            name: format!("{hash} (PULL_BASE_SHA)"),
            commit: hash.replace('0', "f"),
            is_new_only: true,
            ..Since::default()
        });
        run.reports[0].known = 3;
        let text = render(&run, &Look::default());
        let expected = "\n\nOnly findings that are new since `0123456789 (PULL_BASE_SHA)` (f123456789) are shown; 3 old ones are \
                        not.\n\n<details>";
        assert!(text.contains(expected), "{text}");
        run.reports.iter_mut().for_each(|report| report.diagnostics.clear());
        run.since.as_mut().expect("it is there").is_new_only = false;
        let clean = render(&run, &Look::default());
        assert!(
            clean.ends_with("Only KEPs that changed since `0123456789 (PULL_BASE_SHA)` (f123456789) are checked.\n")
        );
    }

    #[test]
    fn lines_to_copy_are_a_block() {
        let mut run = sample::run();
        run.reports[0].diagnostics[0].help = Some("add to kep.yaml:\nstage: beta\n  - ```".to_owned());
        let text = render(&run, &Look::default());
        assert!(text.contains("<br>help: add to kep.yaml:\n\n  ````\n  stage: beta\n    - ```\n  ````\n"), "{text}");
    }

    #[test]
    fn a_long_report_is_cut_between_findings_and_the_rest_is_counted() {
        for (keps, findings, length) in [(1, 2_000, 60), (900, 3, 60), (40, 40, 1), (3, 5, 70_000), (2, 30, 2_900)] {
            let report = |at: usize| {
                let mut report = sample::report(&format!("keps/sig-node/{at}-x"), &[("README.md", sample::README)]);
                let message = format!("漢{}", "x".repeat(length));
                let finding =
                    |number: usize| sample::finding("empty-section", Severity::ALL[number % 3], 0..1, &message);
                report.diagnostics = (0..findings).map(finding).collect();
                report
            };
            let run = Run { reports: (0..keps).map(report).collect(), ..Run::default() };
            let text = render(&run, &Look::default());
            assert!(text.chars().count() <= COMMENT_CHARACTERS, "{}", text.chars().count());
            assert_eq!(text.matches("<details").count(), text.matches("</details>").count());
            assert_eq!(text.matches("<summary>").count(), text.matches("</summary>\n\n- **").count());
            let listed = text.matches("\n- **").count();
            let more = text.split("**… and ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
            assert_eq!(listed + more.unwrap_or(0), keps * findings, "{keps} {findings} {length}");
            let is_full = listed == 0 || text.chars().count() > COMMENT_CHARACTERS - CLOSING_CHARACTERS - length - 500;
            assert!(more.is_none() || is_full, "{keps} {findings} {length}: {}", text.chars().count());
        }
    }

    #[test]
    fn no_advice_takes_the_place_of_an_error() {
        let report = |name: &str, errors: usize| {
            let mut report = sample::report(name, &[("README.md", sample::README)]);
            let of = |severity, count| vec![sample::finding("empty-section", severity, 0..1, "x"); count];
            report.diagnostics = [of(Severity::Advice, 2_000), of(Severity::Error, errors)].concat();
            report
        };
        let run = Run { reports: vec![report("keps/a/1-x", 2), report("keps/a/2-y", 1)], ..Run::default() };
        let text = render(&run, &Look::default());
        assert_eq!(text.matches("- **error**").count(), 3, "{text}");
        assert!(text.matches("- **advice**").count() > 100, "{text}");
        assert!(text.contains(" more findings** (") && !text.contains("(1 error"), "{text}");
    }
}
