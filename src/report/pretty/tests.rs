//! Small runs, and how they are shown.

use super::*;
use crate::diagnostic::subject::Subject;
use crate::diagnostic::{Edit, Fix, Related, RequiredFrom, Safety};
use crate::report::sample;
use crate::span::{FileId, Span};
use crate::stage::Stage;
use std::ops::Range;

fn look(change: impl FnOnce(&mut Look)) -> Look {
    let mut look = Look { width: 80, ..Look::default() };
    change(&mut look);
    look
}

fn pretty(run: &Run, change: impl FnOnce(&mut Look)) -> String {
    render(run, &look(change), Detail::Grouped)
}

fn draw(readme: &str, at: Range<usize>) -> String {
    let mut report = sample::report("keps/x", &[("README.md", readme)]);
    report.diagnostics = vec![sample::finding("rule", Severity::Error, at, "wrong")];
    pretty(&Run { reports: vec![report], ..Run::default() }, |_| {})
}

/// The lines of the finding.
fn snippet(readme: &str, at: Range<usize>) -> String {
    let text = draw(readme, at);
    let lines = text.lines().skip_while(|line| !line.contains("] wrong")).skip(1);
    lines.take_while(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// A run over one KEP whose README has these gaps, each below the one before.
fn run_with_gaps(paths: &[&[&str]]) -> Run {
    let readme: String = paths.iter().map(|path| format!("## {}\n\n", path.last().unwrap_or(&""))).collect();
    let mut report = sample::report("keps/sig-node/1-x", &[("README.md", &readme)]);
    for path in paths {
        let title = path.last().unwrap_or(&"");
        let heading = format!("## {title}\n");
        let at = readme.find(&heading).unwrap_or_default();
        let message = format!("section `{title}` is empty");
        let mut finding = sample::finding("empty-section", Severity::Error, at..at + heading.len() - 1, &message);
        finding.requirement = Some(RequiredFrom { stage: Some(Stage::Beta), since: None });
        finding.section = Some(path.iter().map(|part| (*part).to_owned()).collect());
        report.diagnostics.push(finding);
    }
    Run { reports: vec![report], ..Run::default() }
}

#[test]
fn findings_are_listed_by_kep_and_file() {
    let expected = "\
keps/template/README.md
  :2:1 warning[placeholder] a title is missing
 2 │ \n   · ▲

KEP-1 Prefetch — implementable, checked for beta, v1.37

keps/sig-node/1-x/README.md
  :7:1 suggestion[placeholder] [unsafe fix] `TBD` is left
 5 │ ### Test Plan
 6 │ \n 7 │ TBD
   · ───
 7 - TBD
 7 +

  :5:1 error[empty-section] section `Test Plan` is empty
 5 │ ### Test Plan
  stage is `beta` here (kep.yaml:1)
  help: answer it, or say why it does not apply

`kep-lint explain RULE` tells why a rule exists, with examples
";
    assert_eq!(pretty(&sample::run(), |_| {}), expected);
}

#[test]
fn the_least_severe_are_left_out_and_a_log_is_in_ascii() {
    let expected = "\
KEP-1 Prefetch - implementable, checked for beta, v1.37

keps/sig-node/1-x/README.md
  :5:1 error[empty-section] section `Test Plan` is empty
 5 | ### Test Plan
  stage is `beta` here (kep.yaml:1)
  help: answer it, or say why it does not apply

... and 2 more (1 warning, 1 suggestion): `--max-findings 0` shows all
`kep-lint explain RULE` tells why a rule exists, with examples
";
    let change = |look: &mut Look| (look.frames, look.max_findings) = (false, 1);
    assert_eq!(pretty(&sample::run(), change), expected);
}

#[test]
fn findings_below_the_level_are_not_shown() {
    let text = pretty(&sample::run(), |look| look.level = Severity::Error);
    assert!(text.contains("error[") && !text.contains("warning[") && !text.contains("suggestion["), "{text}");
    assert!(!text.contains("more ("), "{text}");
    let mut run = sample::run();
    run.reports.iter_mut().for_each(|report| report.diagnostics.retain(|found| found.severity < Severity::Error));
    assert_eq!(pretty(&run, |look| look.level = Severity::Error), "");
}

#[test]
fn many_gaps_are_listed_by_chapter() {
    let monitoring: &[&str] =
        &["Questionnaire", "Monitoring", "What are the SLOs of this enhancement in a large cluster?"];
    let run = run_with_gaps(&[
        &["Design", "Test Plan"],
        monitoring,
        &["Questionnaire", "Monitoring", "SLIs"],
        &["Drawbacks"],
    ]);
    let expected = "\
KEP-1 Prefetch — implementable, checked for beta, v1.37

keps/sig-node/1-x/README.md
  Design (required from beta)
    :1:1 error[empty-section] Test Plan
  Monitoring (required from beta)
    :3:1 error[empty-section] What are the SLOs of…in a large cluster?
    :5:1 error[empty-section] SLIs
  Top-level sections (required from beta)
    :7:1 error[empty-section] Drawbacks
  help: fill in each section, or write why it does not apply
  4 of 9 required sections are not filled in; `kep-lint explain
  \"Monitoring\"` shows what is asked

`kep-lint explain RULE` tells why a rule exists, with examples
";
    assert_eq!(pretty(&run, |look| look.width = 71), expected);
    let full = render(&run, &look(|_| {}), Detail::Full);
    assert_eq!(full.matches("section `").count(), 4, "{full}");
    assert_eq!(
        pretty(&run_with_gaps(&[&["A", "B"], &["A", "C"], &["A", "D"]]), |_| {}).matches("section `").count(),
        3
    );
}

#[test]
fn a_group_says_what_the_rule_does_not() {
    let mut run = run_with_gaps(&[&["A", "B"], &["A", "C"], &["A", "D"], &["A", "E"]]);
    let gaps = &mut run.reports[0].diagnostics;
    gaps[0].requirement = Some(RequiredFrom { stage: None, since: None });
    gaps[0].covers = vec![Subject::File; 3];
    gaps[0].message = "section `B` and its subsections are empty".to_owned();
    gaps[1].message = "section `C` is empty: its text is under `D`".to_owned();
    gaps[2].message = "`D` lacks the subsections `F` and `G`".to_owned();
    let fix = Fix { safety: Safety::Unsafe, title: "insert it".to_owned(), edits: Vec::new() };
    gaps[3].fix = Some(fix);
    let text = pretty(&run, |_| {});
    for line in [
        "] B and its subsections are empty\n",
        "] C: its text is under `D`\n",
        "] `D` lacks the subsections `F` and `G`\n",
        "] E\n",
        "  A\n    :1:1 ",
        "  6 of 9 required sections are not filled in; the 4 findings above cover 6;\n  `kep-lint explain",
        "        `--fix --unsafe-fixes` adds headings that are missing\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn sections_that_are_not_shown_are_counted() {
    let mut run = run_with_gaps(&[&["A", "B"], &["A", "C"], &["A", "D"], &["A", "E"], &["A", "F"]]);
    run.reports[0].diagnostics[4].severity = Severity::Advice;
    let text = pretty(&run, |look| look.level = Severity::Error);
    assert!(text.contains("\n  5 of 9 required sections are not filled in; the 4 findings above cover 4;"), "{text}");
}

/// KEPs of a SIG with these findings each.
fn many(sig: &str, severities: &[&[Severity]]) -> Vec<KepReport> {
    let report = |(number, of_kep): (usize, &&[Severity])| {
        let mut report = sample::report(&format!("keps/{sig}/{number}-x"), &[("README.md", "text\n")]);
        report.about.as_mut().expect("it is a KEP").sig = Some(sig.to_owned());
        let finding = |severity: &Severity| Diagnostic {
            help: Some("write it".to_owned()),
            ..sample::finding("rule", *severity, 0..1, "wrong")
        };
        report.diagnostics = of_kep.iter().map(finding).collect();
        report
    };
    (1..).zip(severities).map(report).collect()
}

#[test]
fn the_keps_of_a_sig_are_cut_between_two_and_not_in_a_log() {
    let run = Run { reports: many("sig-apps", &[&[Severity::Warning][..]; 120]), ..Run::default() };
    for (width, order) in (60..90).flat_map(|width| [(width, Order::WorstLast), (width, Order::WorstFirst)]) {
        let text = pretty(&run, |look| (look.width, look.order) = (width, order));
        let rows = text.split("first\n").nth(1).and_then(|table| table.split("\n\n").next()).expect("it has a table");
        let end = if order == Order::WorstLast { ", …" } else { " 120" };
        assert!(rows.ends_with(end) && rows.lines().all(|row| crate::report::width::columns(row) <= width), "{rows}");
    }
}

#[test]
fn of_many_keps_only_errors_have_lines_and_sigs_are_counted() {
    use Severity::{Advice, Error, Warning};
    let reports = [
        many("sig-node", &[&[Warning], &[Advice, Error], &[Error, Warning, Error]]),
        many("sig-apps", &[&[Warning], &[Warning]]),
        many("sig-cli", &[&[Advice]]),
        many("sig-auth", &[&[Error]]),
    ];
    let run = Run { reports: reports.concat(), ..Run::default() };
    let text = pretty(&run, |_| {});
    assert_eq!((text.matches("error[rule] wrong\n").count(), text.matches("help: write it").count()), (4, 4), "{text}");
    assert!(text.contains("v1.37\nkeps/sig-apps/2-x/README.md\n  :1:1 warning[rule] wrong\n\nKEP-"), "{text}");
    let expected = "\
  errors  warnings  suggestions  SIG       KEPs, most findings first
       3         2            1  sig-node  3, 2, 1
       1         0            0  sig-auth  1
       0         2            1  others

`kep-lint explain RULE` tells why a rule exists, with examples
`--format full` shows the lines and the help of all findings
only one KEP: `kep-lint 3`; only new findings: `kep-lint --since auto
--new-only`
";
    assert!(pretty(&run, |look| look.width = 70).ends_with(expected), "{}", pretty(&run, |look| look.width = 70));
    let full = render(&run, &look(|_| {}), Detail::Full);
    assert!(full.matches(" 1 │ text").count() > 7 && full.contains("only one KEP"), "{full}");
    // Elsewhere a number is not found.
    let mut elsewhere = run.clone();
    let directories = elsewhere.reports.iter_mut().filter_map(|report| report.kep.as_mut());
    directories.for_each(|directory| directory.insert_str(0, "a/"));
    let elsewhere = pretty(&elsewhere, |_| {});
    assert!(elsewhere.contains("only one KEP: `kep-lint a/keps/sig-node/3-x`"), "{elsewhere}");
    let few = Run { reports: many("sig-node", &[&[Warning], &[Warning], &[Warning]]), ..Run::default() };
    let few = pretty(&few, |_| {});
    assert!(few.matches(" 1 │ text").count() == 3 && !few.contains("most findings first"), "{few}");
}

#[test]
fn the_most_severe_come_last_in_a_terminal_and_first_in_a_log() {
    use Severity::{Advice, Error, Warning};
    let mut run = Run { reports: many("sig-node", &[&[Warning], &[Error, Error]]), ..Run::default() };
    let mut report = sample::report("keps/sig-node/3-x", &[("README.md", "a b c\n"), ("kep.yaml", "x: y\n")]);
    report.diagnostics = [(0, Advice), (2, Error), (4, Warning)]
        .map(|(at, severity)| sample::finding("rule", severity, at..at + 1, severity.name()))
        .to_vec();
    report
        .diagnostics
        .push(Diagnostic { span: Span::new(FileId(1), 0..1), ..sample::finding("rule", Error, 0..1, "in kep.yaml") });
    run.reports.push(report);
    let order = |order: Order| {
        let text = pretty(&run, |look| look.order = order);
        let of = |line: &str| {
            let names = ["KEP-1 ", "KEP-2 ", "KEP-3 ", "] in kep.yaml", "] error", "] warning", "] suggestion"];
            names.into_iter().find(|name| line.contains(name)).map(|name| name.trim_matches([']', ' ']).to_owned())
        };
        text.lines().filter_map(of).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(order(Order::WorstFirst), "KEP-3 in kep.yaml error warning suggestion KEP-2 KEP-1");
    assert_eq!(order(Order::WorstLast), "KEP-1 KEP-2 KEP-3 suggestion warning in kep.yaml error");
}

#[test]
fn a_log_is_short_beside_an_error() {
    use Severity::{Advice, Error, Warning};
    let boxes = |severities: &[Severity], order: Order| {
        let mut report = sample::report("keps/sig-node/1-x", &[("README.md", &"text\n".repeat(9))]);
        let found =
            |(at, severity): (usize, &Severity)| sample::finding("rule", *severity, at * 5..at * 5 + 4, "wrong");
        report.diagnostics = severities.iter().enumerate().map(found).collect();
        pretty(&Run { reports: vec![report], ..Run::default() }, |look| look.order = order).matches("│ text").count()
    };
    let mixed = [Warning, Advice, Error, Warning, Advice];
    assert_eq!((boxes(&mixed, Order::WorstFirst), boxes(&mixed, Order::WorstLast)), (1, 5));
    assert_eq!((boxes(&mixed[..4], Order::WorstFirst), boxes(&[Warning; 5], Order::WorstFirst)), (4, 5));
}

#[test]
fn findings_about_one_place_share_its_lines() {
    let mut report = sample::report("keps/x", &[("README.md", "## Abstract\n\n## Abstract\n")]);
    let found = |rule, severity, at: Range<usize>, help: &str| Diagnostic {
        help: Some(help.to_owned()),
        ..sample::finding(rule, severity, at, "wrong")
    };
    report.diagnostics = vec![
        found("missing-section", Severity::Error, 0..11, "add `## Motivation` after `## Abstract`"),
        found("renamed-section", Severity::Advice, 3..11, "rename it to `Summary`"),
        found("renamed-section", Severity::Advice, 16..24, "rename it"),
    ];
    let text = pretty(&Run { reports: vec![report], ..Run::default() }, |look| look.order = Order::WorstFirst);
    let expected = "\
  :1:1 error[missing-section] wrong
 1 │ ## Abstract
  help: add `## Motivation` after `## Abstract`
  :1:4 suggestion[renamed-section] wrong
  help: rename it to `Summary`

  :3:4 suggestion[renamed-section] wrong
 3 │ ## Abstract
   ·    ────────
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_limit_keeps_the_findings_of_the_worst_kep() {
    let mut run = run_with_gaps(&[&["A"], &["B"]]);
    let mut other = sample::report("keps/sig-node/2-y", &[("README.md", "text")]);
    other.diagnostics = vec![sample::finding("rule", Severity::Error, 0..1, "less")];
    run.reports.insert(0, other);
    let text = pretty(&run, |look| look.max_findings = 2);
    assert!(text.contains("section `B`") && !text.contains("less"), "{text}");
}

#[test]
fn a_place_of_many_lines_shows_its_first() {
    let text = "a\n<!-- long\nlong\n-->\nb\n";
    assert_eq!(snippet(text, 2..20), " 2 │ <!-- long\n   · ───────── to line 4\n");
    assert_eq!(snippet("## Long\n", 0..8), " 1 │ ## Long\n");
}

#[test]
fn a_long_line_is_cut_and_keeps_its_column() {
    let text = format!("x\n{}TBD{}\n", "abcd ".repeat(300), " efgh".repeat(300));
    let drawn = draw(&text, 1502..1505);
    assert!(drawn.contains("  :2:1501 error[rule]"), "{drawn}");
    assert!(drawn.lines().all(|line| line.chars().count() <= 80), "{drawn}");
    assert!(drawn.contains(" 2 │ …abcd abcd "), "{drawn}");
}

#[test]
fn odd_places_are_drawn() {
    assert_eq!(snippet("", 0..0), " 1 │ \n   · ▲\n");
    assert_eq!(snippet("abcd\r\n", 4..6), " 1 │ abcd\n   ·     ▲\n");
    assert_eq!(snippet("\tabcd", 1..3), " 1 │  abcd\n   ·  ──\n");
    assert_eq!(snippet("漢字漢字 x", 13..14), " 1 │ 漢字漢字 x\n   ·          ─\n");
    assert_eq!(snippet("é", 1..99), " 1 │ é\n");
    assert_eq!(snippet("é.", 0..2), " 1 │ é.\n   · ─\n");
}

#[test]
fn places_on_one_line_share_it() {
    let mut run = sample::run();
    let span = Span::new(FileId(0), 39..43);
    run.reports[0].diagnostics.truncate(1);
    run.reports[0].diagnostics[0].related = vec![Related { span, message: "a plan".to_owned() }];
    let text = pretty(&run, |_| {});
    assert!(text.contains(" 5 │ ### Test Plan\n   · ─────────────\n   ·         ──── a plan\n"), "{text}");
    assert_eq!(text.matches("### Test Plan").count(), 1);
}

#[test]
fn marks_share_a_row_until_one_has_a_text() {
    let mut report = sample::report("keps/x", &[("README.md", "one two three four\n")]);
    let related = [(4..7, "second"), (8..13, "third"), (9..11, "inside it")];
    let related = related.map(|(at, message)| Related { span: Span::new(FileId(0), at), message: message.to_owned() });
    let finding = sample::finding("rule", Severity::Error, 0..3, "wrong");
    report.diagnostics = vec![Diagnostic { related: related.to_vec(), ..finding }];
    let text = pretty(&Run { reports: vec![report], ..Run::default() }, |_| {});
    let expected = "\
 1 │ one two three four
   · ─── ─── second
   ·         ───── third
   ·          ── inside it
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_text_of_a_mark_keeps_to_the_width() {
    let drawn = |message: &str| {
        let mut report = sample::report("keps/x", &[("README.md", &format!("{}x y\n", "a ".repeat(20)))]);
        let other = Related { span: Span::new(FileId(0), 42..43), message: message.to_owned() };
        let finding = sample::finding("rule", Severity::Error, 0..1, "wrong");
        report.diagnostics = vec![Diagnostic { related: vec![other], ..finding }];
        let text = pretty(&Run { reports: vec![report], ..Run::default() }, |look| look.width = 50);
        let rows = text.lines().filter(|line| line.starts_with("   ·"));
        rows.map(|line| format!("{line}\n")).collect::<String>()
    };
    let marks = format!("   · ─{}─", " ".repeat(41));
    assert_eq!(drawn("a"), format!("{marks} a\n"));
    assert_eq!(drawn("word"), format!("{marks}\n   · {}word\n", " ".repeat(41)));
    assert_eq!(drawn("more words"), format!("{marks}\n   · {}more words\n", " ".repeat(35)));
    let long = "word ".repeat(20);
    assert_eq!(drawn(&long).lines().map(|line| line.chars().count()).collect::<Vec<_>>(), [48, 49, 49, 14]);
}

#[test]
fn a_line_that_is_cut_is_marked_unless_all_of_it_is_meant() {
    let text = "word ".repeat(40);
    assert_eq!(snippet(&text, 0..200).lines().count(), 1);
    assert_eq!(snippet(&text, 5..200).lines().count(), 2);
}

#[test]
fn a_log_has_all_of_a_line_and_its_help() {
    use Severity::{Error, Warning};
    let mut report = sample::report("keps/x", &[("README.md", "text\n")]);
    let found = |severity| Diagnostic {
        help: Some("write the name".to_owned()),
        ..sample::finding("rule", severity, 0..4, &format!("{}is not `The end`", "long ".repeat(20)))
    };
    report.diagnostics = [Error, Warning, Warning, Warning, Warning].map(found).to_vec();
    let run = Run { reports: vec![report], ..Run::default() };
    let log = pretty(&run, |look| look.order = Order::WorstFirst);
    assert_eq!((log.matches("`The end`").count(), log.matches("help: write the").count()), (5, 5), "{log}");
    assert!(log.lines().all(|line| line.chars().count() <= 80), "{log}");
}

#[test]
fn lines_to_copy_keep_their_indent() {
    let mut run = sample::run();
    run.reports[0].diagnostics[0].help = Some("add to it:\nbeta:\n  approver: \"@x\"".to_owned());
    let text = pretty(&run, |_| {});
    assert!(text.contains("  help: add to it:\n        beta:\n          approver: \"@x\"\n"), "{text}");
}

#[test]
fn a_wrapped_line_is_no_command() {
    let mut run = sample::run();
    run.reports[0].diagnostics[0].help = Some(format!("write {}", ":: ".repeat(200)));
    let text = pretty(&run, |_| {});
    assert!(text.matches(":: ::").count() > 10, "{text}");
    assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
}

#[test]
fn color_and_links_are_there_only_when_asked_for() {
    assert!(!pretty(&sample::run(), |_| {}).contains('\u{1b}'));
    let text = pretty(&sample::run(), |look| look.color = true);
    assert!(text.contains("\u{1b}[31merror[empty-section]\u{1b}["), "{text}");
    assert!(!text.contains("\u{1b}]8"));
    let linked = pretty(&sample::run(), |look| look.links = Some("file:///a%20b/".to_owned()));
    let url = "file:///a%20b/keps/sig-node/1-x/README.md";
    assert!(linked.contains(&format!("\u{1b}]8;;{url}\u{1b}\\:5:1\u{1b}]8;;\u{1b}\\ error[")), "{linked}");
    assert!(
        linked.contains(&format!("\u{1b}]8;;{url}\u{1b}\\keps/sig-node/1-x/README.md\u{1b}]8;;\u{1b}\\\n")),
        "{linked}"
    );
    let with_book = |look: &mut Look| look.docs_base = Some("https://x.org".to_owned());
    assert!(!pretty(&sample::run(), with_book).contains("x.org"), "a screen that cannot follow links");
    let with_pages = pretty(&sample::run(), |look| {
        with_book(look);
        look.links = Some("file:///a/".to_owned());
    });
    let page = "https://x.org/rules/empty-section.html";
    assert!(
        with_pages.contains(&format!(" \u{1b}]8;;{page}\u{1b}\\error[empty-section]\u{1b}]8;;\u{1b}\\")),
        "{with_pages}"
    );
}

/// Nothing that a KEP says can leave its line, or the width of the screen; only paths can be longer.
#[test]
fn no_text_of_a_kep_breaks_a_line() {
    let hostile =
        format!("\u{1b}[2J::error::\u{202e}##[x]\u{200b}{}\n\r\u{85}{}", "漢字".repeat(90), "e\u{301}-".repeat(90));
    let readme = format!("## {hostile}\n\n{} {hostile}\ttext\n", "word ".repeat(9)).replace('\n', "\n\n");
    let mut reports = Vec::new();
    for number in 0..KEPS_IN_FULL + 2 {
        let mut report =
            sample::report(&format!("keps/sig-node/{number}-x"), &[("README.md", &readme), ("kep.yaml", &hostile)]);
        let about = report.about.as_mut().expect("it is a KEP");
        (about.sig, about.title) = (Some(hostile.clone()), Some(hostile.clone()));
        for (at, severity) in Severity::ALL.into_iter().cycle().take(9).enumerate() {
            let span = |start: usize| readme.floor_char_boundary(start)..readme.floor_char_boundary(start + 9 * at);
            let mut finding = sample::finding("rule", severity, span(at * 70), &hostile);
            finding.help = Some(hostile.clone());
            for (file, start) in [(0, 90), (0, 400), (1, 3)] {
                finding.relate(Span::new(FileId(file), span(start)), hostile.clone());
            }
            let edit = Edit { span: Span::new(FileId(0), span(at * 80)), text: hostile.clone() };
            finding.fix = Some(Fix { safety: Safety::Unsafe, title: hostile.clone(), edits: vec![edit] });
            if at > 2 {
                finding.rule = "empty-section";
                finding.section = Some(vec![hostile.clone(), hostile.clone(), hostile.clone()]);
            }
            report.diagnostics.push(finding);
        }
        reports.push(report);
    }
    let run = Run { reports, ..Run::default() };
    for (width, order) in [(80, Order::WorstFirst), (80, Order::WorstLast), (120, Order::WorstFirst)] {
        for detail in [Detail::Grouped, Detail::Full] {
            for frames in [false, true] {
                let look = look(|look| (look.width, look.order, look.frames) = (width, order, frames));
                let text = render(&run, &look, detail);
                assert!(!text.contains(['\u{1b}', '\r', '\u{85}', '\u{202e}', '\u{200b}']), "{text:?}");
                for line in text.lines().filter(|line| !line.starts_with("keps/")) {
                    assert!(crate::report::width::columns(line) <= width, "{width} {order:?} {detail:?}: {line}");
                    assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{line}");
                }
            }
        }
    }
}
