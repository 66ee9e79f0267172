//! A comment for a pull request, or the summary of a CI run: what the change does, and what is wrong,
//! the worst KEP first. Suggestions are in a part that is folded. GitHub takes 65,536 characters for a
//! comment; this has at most 60,000, and counts what does not fit.

pub mod text;

use self::text::{block, code, html, html_code, inline};
use super::backticks;
use super::look::Look;
use super::{
    Location, Shown, Summary, by_chapter, changes, checked, counted, is_gap, kep_count, kep_name, worst_first,
};
use crate::bounds::{self, COMMENT_CHARACTERS};
use crate::diagnostic::{Diagnostic, Failure, Related, Severity, brief, public};
use crate::lint::Run;
use crate::lint::report::KepReport;
use std::collections::BTreeSet;

/// How many of these characters are kept free for the lines around findings and at the end.
const CLOSING_CHARACTERS: usize = 600;

/// The rule of sections that are in no place that could be shown.
const MISSING: &str = "missing-section";

/// How many other places are listed with a finding: a reviewer looks at the first one.
const LISTED_PLACES: usize = 1;

/// Of so many KEPs, all errors and warnings are seen at once.
const OPEN_KEPS: usize = 3;

pub fn render(run: &Run, look: &Look) -> String {
    without(run, look, &|_| false)
}

/// The same without the findings that are said elsewhere.
pub fn without(run: &Run, look: &Look, is_elsewhere: &dyn Fn(&Diagnostic) -> bool) -> String {
    let total = Summary::of(run);
    if total.total() == 0 && run.failures.is_empty() {
        let result = match run.reports.as_slice() {
            [] => format!("**kep-lint** had no {} to check.\n", run.layout.name()),
            _ => "**kep-lint** found nothing to report.\n".to_owned(),
        };
        return changes(run) + &result + &about(run);
    }
    let state = if run.failures.is_empty() { "" } else { "incomplete run, " };
    let about = about(run);
    let mut text = format!("{}### kep-lint: {state}{}\n", changes(run), total.words());
    let left = |taken: &str| {
        let taken = taken.chars().count() + about.chars().count();
        (COMMENT_CHARACTERS - CLOSING_CHARACTERS).saturating_sub(taken)
    };
    text += &failures(&run.failures, left(&text));
    let mut shown = worst_first(run, look.level);
    shown.iter_mut().for_each(|part| part.findings.retain(|finding| !is_elsewhere(finding)));
    let mut parts = parts(&shown, look);
    let omitted = list(&mut parts, left(&text));
    text.extend(parts.iter().filter(|part| !part.is_folded).map(Part::text));
    text += &folded(&parts);
    let unlisted = Summary::all_unlisted(run).from_level(look.level);
    text + &closing(omitted.plus(unlisted), total.below(look.level)) + &about
}

/// What the change does, which comes first.
fn changes(run: &Run) -> String {
    let lines = changes::lines(run);
    let front = if lines.len() > 1 { "- " } else { "" };
    let text: String = lines.iter().map(|line| format!("{front}{}\n", inline(line))).collect();
    if text.is_empty() { text } else { text + "\n" }
}

/// What was checked, what the run is compared with, and what decides how strict it is.
fn about(run: &Run) -> String {
    let known = run.reports.iter().map(|report| report.known).sum();
    let checked = (kep_count(run) > 0).then(|| checked(run) + &Summary::not_shown(run, 0));
    let since = run.since.as_ref().map(|since| since.words(known));
    let lines: Vec<String> = checked.into_iter().chain(since).chain(run.conditions.lines()).collect();
    let text: Vec<String> = lines.iter().map(|line| inline(line) + ".\n").collect();
    if text.is_empty() { String::new() } else { format!("\n{}", text.concat()) }
}

/// What is not listed: there was no room for it, or it is below the level that is shown.
fn closing(omitted: Summary, hidden: Summary) -> String {
    let mut text = String::new();
    if omitted.total() > 0 {
        let findings = counted(omitted.total(), "more finding", "more findings");
        text += &format!("\n**… and {findings}** ({}), for which there is no room here.\n", omitted.words());
    }
    if hidden.total() > 0 {
        text += &format!("\nBelow the level that is shown: {}.\n", hidden.words());
    }
    text + "\n`kep-lint explain RULE` tells why a rule exists, with examples.\n"
}

/// What could not be read or done, as far as so many characters have room for it.
fn failures(failures: &[Failure], most: usize) -> String {
    if failures.is_empty() {
        return String::new();
    }
    let mut text = "\n**The run could not be completed:**\n\n".to_owned();
    let mut more = failures.len();
    for failure in failures.iter().take(bounds::LISTED_NAMES) {
        let help = failure.help.as_ref().map(|help| format!("<br>help: {}", inline(help))).unwrap_or_default();
        let item = format!("- {}{help}\n", inline(&failure.public_message()));
        if text.chars().count() + item.chars().count() <= most {
            text += &item;
            more -= 1;
        }
    }
    if more > 0 {
        text += &format!("- and {}\n", counted(more, "more failure", "more failures"));
    }
    text
}

const END: &str = "\n</details>\n";

/// What is shown of a KEP: its errors and warnings, or its suggestions.
struct Part {
    opening: String,
    items: Vec<Item>,
    closing: &'static str,
    is_folded: bool,
    /// Whether any of its findings is listed.
    is_open: bool,
}

struct Item {
    text: String,
    severity: Severity,
    count: usize,
    is_listed: bool,
}

fn parts(shown: &[Shown<'_>], look: &Look) -> Vec<Part> {
    let is_serious = |finding: &&Diagnostic| finding.severity > Severity::Advice;
    let serious = shown.iter().filter(|part| part.findings.iter().any(is_serious)).count();
    let mut parts = Vec::new();
    for part in shown {
        let (findings, suggestions): (Vec<_>, Vec<_>) = part.findings.iter().copied().partition(is_serious);
        let heading = format!("\n{}\n\n", name(part.report));
        let (opening, closing) = if serious > OPEN_KEPS {
            let counts = part.counts.from_level(Severity::Warning).words();
            (format!("\n<details>\n<summary>{}: {counts}</summary>\n\n", html_name(part.report)), END)
        } else {
            (heading.clone(), "")
        };
        let mut known = Vec::new();
        let serious_items = items(part.report, &findings, &mut known, look);
        parts.push(Part { opening, items: serious_items, closing, is_folded: false, is_open: false });
        let folded_opening = if shown.len() > 1 { heading } else { "\n".to_owned() };
        let items = items(part.report, &suggestions, &mut known, look);
        parts.push(Part { opening: folded_opening, items, closing: "", is_folded: true, is_open: false });
    }
    parts
}

impl Part {
    /// A part is closed wherever the report is cut: an element that stays open would fold what follows.
    fn text(&self) -> String {
        if !self.is_open {
            return String::new();
        }
        let items = self.items.iter().filter(|item| item.is_listed).map(|item| item.text.as_str());
        format!("{}{}{}", self.opening, items.collect::<String>(), self.closing)
    }
}

/// The suggestions of all KEPs, below one line that tells how many they are.
fn folded(parts: &[Part]) -> String {
    let listed = || parts.iter().filter(|part| part.is_folded);
    let items = listed().flat_map(|part| &part.items).filter(|item| item.is_listed);
    let counts = Summary::sum(items.map(|item| (item.severity, item.count)));
    if counts.total() == 0 {
        return String::new();
    }
    format!("\n<details>\n<summary>{}</summary>\n{}{END}", counts.words(), listed().map(Part::text).collect::<String>())
}

/// Lists what fits into so many characters, errors of all KEPs before warnings. Returns the others.
fn list(parts: &mut [Part], mut left: usize) -> Summary {
    let mut omitted = Summary::default();
    for severity in Severity::ALL.into_iter().rev() {
        for Part { opening, items, closing, is_open, .. } in &mut *parts {
            for item in items.iter_mut().filter(|item| item.severity == severity) {
                let markup = if *is_open { 0 } else { opening.chars().count() + closing.len() };
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

/// What a KEP is called, and where it is, as Markdown: not as HTML, whose text would be read as Markdown.
fn name(report: &KepReport) -> String {
    let name = kep_name(report).map(|name| format!("**{}** ", inline(&brief(&name)).trim())).unwrap_or_default();
    name + &code(public(report.path()))
}

/// The same in an element of HTML.
fn html_name(report: &KepReport) -> String {
    let name = kep_name(report).map(|name| format!("<b>{}</b> ", html(&brief(&name)))).unwrap_or_default();
    name + &html_code(public(report.path()))
}

/// The findings as items of a list, the most severe first; gaps by chapter.
fn items<'r>(
    report: &'r KepReport,
    findings: &[&'r Diagnostic],
    known: &mut Vec<&'r Related>,
    look: &Look,
) -> Vec<Item> {
    let mut items = Vec::new();
    for severity in Severity::ALL.into_iter().rev() {
        let all = findings.iter().copied().filter(|finding| finding.severity == severity);
        let (gaps, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) = all.partition(|finding| is_gap(finding));
        for finding in others {
            let text = item(report, finding, known, look);
            items.push(Item { text, severity, count: finding.count, is_listed: false });
        }
        items.extend(self::gaps(report, &gaps, severity, look));
    }
    items
}

/// What an item begins with: the line above suggestions says what they are.
fn label(severity: Severity) -> String {
    if severity == Severity::Advice { String::new() } else { format!("**{}** ", severity.name()) }
}

/// A finding as an item of a list. Places in other files that are `known` from earlier findings are left out.
fn item<'r>(report: &'r KepReport, finding: &'r Diagnostic, known: &mut Vec<&'r Related>, look: &Look) -> String {
    let (label, message) = (label(finding.severity), inline(&finding.message));
    let rule = rule(finding.rule, look);
    let fix = finding.fix.as_ref().map(|fix| format!(", {} fix", fix.safety.name())).unwrap_or_default();
    let mut item = format!("- {label}{}: {message} ({rule}{fix})", place(report, finding, look));
    let is_new = |related: &&Related| related.span.file == finding.span.file || !known.contains(related);
    let shown: Vec<&Related> = finding.related.iter().filter(is_new).take(LISTED_PLACES).collect();
    for related in &shown {
        let place = code(&short_place(report, &Location::of(report, related.span)));
        item += &format!("<br>{place}: {}", inline(&related.message));
    }
    known.extend(shown);
    let help = finding.help.as_ref().filter(|help| says_more(help, &finding.message));
    let Some(help) = help else { return item + "\n" };
    let (first, lines) = help.split_once('\n').unwrap_or((help, ""));
    item += &format!("<br>help: {}\n", inline(first));
    if lines.is_empty() { item } else { item + &format!("\n{}\n", block(lines, "", "  ")) }
}

/// An item of a list for each chapter of gaps of this severity, with its sections below.
fn gaps(report: &KepReport, gaps: &[&Diagnostic], severity: Severity, look: &Look) -> Vec<Item> {
    let mut items = Vec::new();
    for (chapter, inside) in by_chapter(gaps) {
        let rules: BTreeSet<&str> = inside.iter().map(|gap| gap.rule).collect();
        let rules: Vec<String> = rules.into_iter().map(|name| rule(name, look)).collect();
        let around = match chapter {
            Some(title) => format!("in {}", code(&brief(title))),
            None => "top-level sections".to_owned(),
        };
        let mut text = format!("- {}{around} ({}):\n", label(severity), rules.join(", "));
        for gap in &inside {
            let message = inline(gap.message.strip_prefix("section ").unwrap_or(&gap.message));
            text += "  - ";
            if gap.rule != MISSING {
                text += &format!("{}: ", place(report, gap, look));
            }
            text += &(message + "\n");
        }
        let count = inside.iter().map(|gap| gap.count).sum();
        items.push(Item { text, severity, count, is_listed: false });
    }
    items
}

/// Whether a help has more than what the message quotes, such as a heading.
fn says_more(help: &str, message: &str) -> bool {
    let quoted = |part| if let backticks::Part::Code { whole, .. } = part { Some(whole) } else { None };
    let quoted: Vec<&str> = backticks::parts(help).into_iter().filter_map(quoted).collect();
    if quoted.is_empty() { !message.contains(help) } else { !quoted.iter().all(|code| message.contains(code)) }
}

/// The name of a rule, with a link to its page if one is known.
fn rule(name: &str, look: &Look) -> String {
    look.rule_url(name).map_or_else(|| code(name), |url| format!("[{}]({url})", code(name)))
}

/// Where a finding is, with a link if one is known.
fn place(report: &KepReport, finding: &Diagnostic, look: &Look) -> String {
    let location = Location::of(report, finding.span);
    let shown = code(&short_place(report, &location));
    let url = look.line_url(location.path, location.start.line);
    url.map_or_else(|| shown.clone(), |url| format!("[{shown}]({url})"))
}

/// The file, from the KEP's directory on, and the line.
fn short_place(report: &KepReport, location: &Location<'_>) -> String {
    format!("{}:{}", public(location.path_in(report)), location.start.line)
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

**KEP-1 Prefetch** `keps/sig-node/1-x`

- **error** in `Design Details` (`empty-section`):
  - [`README.md:5`](https://x.y/r/keps/sig-node/1-x/README.md?plain=1#L5): `Test Plan` is empty

`keps/template/README.md`

- **warning** [`keps/template/README.md:2`](https://x.y/r/keps/template/README.md?plain=1#L2): a title is missing \
(`placeholder`)

<details>
<summary>1 suggestion</summary>

**KEP-1 Prefetch** `keps/sig-node/1-x`

- [`README.md:7`](https://x.y/r/keps/sig-node/1-x/README.md?plain=1#L7): `TBD` is left (`placeholder`, \
unsafe fix)

</details>

`kep-lint explain RULE` tells why a rule exists, with examples.

checked 1 KEP (2 files) for v1.37 (built-in release).
";
        assert_eq!(text, expected);
        let errors = render(&sample::run(), &Look { level: Severity::Error, ..Look::default() });
        assert!(!errors.contains("<details") && !errors.contains("`TBD` is left"), "{errors}");
        assert!(errors.contains("\nBelow the level that is shown: 1 warning, 1 suggestion.\n"), "{errors}");
    }

    #[test]
    fn nothing_found_is_one_sentence_and_a_failure_is_not_nothing() {
        assert_eq!(render(&Run::default(), &Look::default()), "**kep-lint** had no KEP to check.\n");
        let mut run = Run { reports: vec![sample::report("keps/x/1-x", &[("kep.yaml", "")])], ..Run::default() };
        let text = render(&run, &Look::default());
        assert_eq!(
            text,
            "**kep-lint** found nothing to report.\n\nchecked 1 KEP (1 file) for v1.37 (built-in release).\n"
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
        let expected = "\ncompared with `0123456789 (PULL_BASE_SHA)` (f123456789): 3 old findings are not shown.\n";
        assert!(text.ends_with(expected), "{text}");
        run.reports.iter_mut().for_each(|report| report.diagnostics.clear());
        let since = run.since.as_mut().expect("it is there");
        (since.name, since.is_new_only) = ("refs/remotes/origin/master (default branch)".to_owned(), false);
        let clean = render(&run, &Look::default());
        assert!(clean.ends_with("\ncompared with `master` (f123456789), only what changed.\n"), "{clean}");
    }

    #[test]
    fn lines_to_copy_are_a_block() {
        let mut run = sample::run();
        run.reports[0].diagnostics[0].section = None;
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
            assert_eq!(text.matches("<details>\n<summary>").count(), text.matches("</summary>\n\n").count());
            let listed = text.matches("\n- ").count();
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
        assert!(text.matches("\n- `README.md:1`").count() > 100, "{text}");
        assert!(text.contains(" more findings** (") && !text.contains("(1 error"), "{text}");
    }
}
