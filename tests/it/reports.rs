//! Each format, drawn of the three KEPs in `fixtures/reports`. `.ci/refresh` writes the goldens again.

use crate::support::library::{self, Against, kep};
use crate::support::program::{items, paths, text};
use crate::support::project;
use kep_lint::kep::texts::Texts;
use kep_lint::lint::Run;
use kep_lint::report::look::Look;
use kep_lint::report::pretty::{self, Detail};
use kep_lint::report::{Summary, concise, github, json, markdown, statistics};
use kep_lint::repository::Repository;
use kep_lint::rules::select::Selection;
use kep_lint::template::Template;
use serde_json::Value;
use snapbox::{Assert, Data};
use std::fs;

const KEPS: [&str; 3] =
    ["keps/sig-apps/3-ordered-rollout", "keps/sig-network/2-quiet-endpoints", "keps/sig-node/1-prefetch-images"];

/// Few enough rules for a report that is read at a glance: with a fix, with related places, in both files.
const RULES: [&str; 5] = ["bad-title", "empty-section", "placeholder-section", "invalid-yaml", "stale-kep"];

/// A screen of 80 columns, changed like this.
fn look(change: impl FnOnce(&mut Look)) -> Look {
    let mut look = Look::default();
    look.width = 80;
    change(&mut look);
    look
}

fn pretty(run: &Run, change: impl FnOnce(&mut Look)) -> String {
    pretty::render(run, &look(change), Detail::Grouped)
}

/// The findings of a few rules in the KEPs of `fixtures/reports`.
pub fn run() -> Run {
    let template = Template::built_in();
    let selection = Selection::new(&RULES.map(str::to_owned), &[]).expect("these are rules");
    let options = library::options(|options| options.selection = selection);
    let against = Against { template: &template, repository: &Repository::default(), options: &options };
    let mut run = library::run_of(KEPS.iter().map(|kep| against.lint(&read(kep))).collect());
    run.rules = RULES.to_vec();
    run
}

fn read(directory: &str) -> Texts {
    let folder = project().join("fixtures/reports").join(directory);
    kep(directory, ["README.md", "kep.yaml"].map(|name| (name, fs::read(folder.join(name)).expect("it is there"))))
}

/// Compares a report with the file of this name in `fixtures/reports`.
pub fn assert_golden(name: &str, actual: &str) {
    let golden = project().join("fixtures/reports").join(name);
    Assert::new().action_env("SNAPSHOTS").normalize_paths(false).eq(actual, Data::read_from(&golden, None).raw());
}

#[test]
fn pretty_fits_the_terminal() {
    for (width, golden) in [(80, "pretty-80.txt"), (120, "pretty-120.txt")] {
        let drawn = pretty(&run(), |look| look.width = width);
        assert_golden(golden, &drawn);
        let source_lines = drawn.lines().filter(|line| line.contains(" │ "));
        for line in source_lines {
            assert!(line.chars().count() <= width, "{line}");
        }
    }
}

#[test]
fn pretty_ascii_adds_nothing_else() {
    let drawn = pretty(&run(), |look| look.frames = false);
    assert_golden("pretty-ascii.txt", &drawn);
    // The title's own dash stays, and the ellipses of messages.
    assert!(drawn.chars().all(|letter| letter.is_ascii() || matches!(letter, '–' | '…')), "{drawn}");
}

#[test]
fn colour_only_paints() {
    let plain = pretty(&run(), |_| {});
    let coloured = pretty(&run(), |look| look.color = true);
    assert_golden("pretty-coloured.txt", &coloured.replace('\u{1b}', "␛"));
    assert_eq!(without_colour(&coloured), plain);
    assert_eq!(
        without_colour(&concise::render(&run(), &look(|look| look.color = true))),
        concise::render(&run(), &look(|_| {}))
    );
    assert_eq!(
        without_colour(&statistics::render(&run(), &look(|look| look.color = true))),
        statistics::render(&run(), &look(|_| {}))
    );
}

fn without_colour(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let plain = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(plain, |plain, piece| plain + piece.split_once('m').expect("only colours are set").1)
}

#[test]
fn the_loudest_findings_are_shown() {
    let run = run();
    let Summary { error, warning, suggestion } = Summary::of(&run);
    assert!(error > 1 && warning + suggestion > 0, "the fixtures have too few findings");
    let drawn = pretty(&run, |look| look.max_findings = 1);
    assert_eq!(drawn.matches("error[").count(), 1, "{drawn}");
    assert!(
        drawn.contains(&format!("… and {} more ({} error", error + warning + suggestion - 1, error - 1)),
        "{drawn}"
    );

    let drawn = pretty(&run, |look| look.max_findings = error);
    assert_eq!(drawn.matches("error[").count(), error, "{drawn}");
    assert_eq!(drawn.matches("suggestion[").count() + drawn.matches("warning[").count(), 0, "{drawn}");

    let all = pretty(&run, |_| {});
    assert_eq!(pretty(&run, |look| look.max_findings = error + warning + suggestion), all);
    assert!(!all.contains("--max-findings"));
}

#[test]
fn concise_is_a_line_a_finding() {
    let drawn = concise::render(&run(), &look(|_| {}));
    assert_golden("concise.txt", &drawn);
    assert_eq!(drawn.lines().count(), Summary::of(&run()).total());
}

#[test]
fn forges_get_every_finding() {
    let link_base = Some("https://github.com/kubernetes/enhancements/blob/master".to_owned());
    let drawn = markdown::render(&run(), &look(|look| look.link_base = link_base));
    assert_golden("comment.md", &drawn);
    // Each is an item, or an item below the chapter of a section.
    let chapters = drawn.lines().filter(|line| line.starts_with("- ") && line.ends_with(':')).count();
    let items = drawn.lines().filter(|line| line.trim_start().starts_with("- ")).count();
    assert_eq!(items - chapters, Summary::of(&run()).total());
    let drawn = github::render(&run(), &look(|_| {}));
    assert_golden("github.txt", &drawn);
    assert_eq!(drawn.lines().count(), Summary::of(&run()).total());
}

#[test]
fn statistics_count_every_finding() {
    let drawn = statistics::render(&run(), &look(|_| {}));
    assert_golden("statistics.txt", &drawn);
    let (rules, sigs) = drawn.split_once("\n\n").expect("two tables");
    let errors = |table: &str| -> Vec<usize> {
        let cells = table.lines().skip(1).map(|line| line.split_whitespace().nth(1).unwrap_or_default());
        cells.map(|count| count.parse().expect("a count")).collect()
    };
    let rules = errors(rules);
    let (total, rules) = rules.split_last().expect("a total");
    assert_eq!(rules.iter().sum::<usize>(), *total);
    assert_eq!(errors(sigs).iter().sum::<usize>(), *total);
    assert_eq!(*total, Summary::of(&run()).error);
}

#[test]
fn json_says_all_that_the_run_knows() {
    let run = run();
    let drawn = json::render(&run);
    assert_golden("run.json", &drawn);
    let parsed: Value = serde_json::from_str(&drawn).expect("it is JSON");
    let findings: Vec<_> =
        run.reports.iter().flat_map(|report| report.diagnostics.iter().map(move |found| (report, found))).collect();
    assert_eq!(items(&parsed["diagnostics"]).len(), findings.len());
    for (entry, (report, found)) in items(&parsed["diagnostics"]).iter().zip(findings) {
        assert_eq!((text(&entry["rule"]), text(&entry["message"])), (found.rule, found.message.as_str()));
        assert_eq!(entry["severity"], found.severity.name());
        assert_eq!(entry["start"]["offset"], found.span.start);
        assert_eq!(entry["end"]["offset"], found.span.end);
        assert_eq!(entry["path"], report.files[found.span.file.index()].path.as_str());
        assert_eq!(entry["section"].as_array().map(Vec::len), found.section.as_ref().map(Vec::len));
        assert_eq!(items(&entry["related"]).len(), found.related.len());
        assert_eq!(entry["fix"].is_null(), found.fix.is_none());
        assert_eq!(entry["fixable"], found.fix.is_some());
        assert_eq!(entry["requirement"].is_null(), found.requirement.is_none());
        assert_eq!(entry["fingerprint"], found.fingerprint.expect("there is one").to_string());
        assert_eq!(entry["phase"], report.target.expect("it is a KEP").phase.name());
        assert!(text(&entry["path"]).starts_with("keps/"), "{entry}");
    }
    let Summary { error, warning, suggestion } = Summary::of(&run);
    assert_eq!(parsed["summary"], serde_json::json!({"error": error, "warning": warning, "suggestion": suggestion}));
    let targets: Vec<&str> = items(&parsed["targets"]).iter().map(|target| text(&target["kep"])).collect();
    assert_eq!(targets, KEPS);
}

#[test]
fn nothing_found_is_next_to_nothing_said() {
    let mut run = run();
    run.reports.iter_mut().for_each(|report| report.diagnostics.clear());
    assert_eq!(pretty(&run, |_| {}), "");
    assert_eq!(concise::render(&run, &look(|_| {})), "");
    let parsed: Value = serde_json::from_str(&json::render(&run)).expect("it is JSON");
    assert_eq!((&parsed["keps"], &parsed["files"]), (&Value::from(3), &Value::from(6)));
    assert_eq!(parsed["diagnostics"], serde_json::json!([]));
}

/// The paths in a pretty report: on lines of their own, and above lines of other files.
#[test]
fn a_path_is_never_wrapped() {
    let narrow = pretty(&run(), |look| look.width = 40);
    let wide = pretty(&run(), |look| look.width = 200);
    assert!(paths(&narrow).iter().any(|path| path.len() > 40));
    assert_eq!(paths(&narrow), paths(&wide));
}
