//! What a change does to KEPs: the first lines of each format, of `--since` and of `--staged`.

use crate::support::program::{items, text};
use crate::support::scratch::Scratch;
use serde_json::Value;
use std::fs;

/// An active alpha KEP without findings, which has an answer for beta to each question.
const ALPHA: &str = "keps/sig-storage/5502-emptydir-volume-mode";

const NEW: [&str; 3] = ["--since", "HEAD~1", "--new-only"];

/// An active beta KEP with open sections.
const FLAWED: &str = "keps/sig-scheduling/6132-prequeueing-hints";

fn first_line(repository: &Scratch, arguments: &[&str], format: &str) -> String {
    repository.lint(&[arguments, &["--format", format]].concat()).stdout.lines().next().unwrap_or_default().to_owned()
}

fn promoted() -> Scratch {
    let repository = Scratch::sample();
    let metadata = format!("{ALPHA}/kep.yaml");
    repository.replace(&metadata, "stage: alpha", "stage: beta");
    repository.replace(&metadata, "latest-milestone: \"v1.37\"", "latest-milestone: \"v1.38\"");
    let review = "keps/prod-readiness/sig-storage/5502.yaml";
    let text = repository.read(review);
    repository.write(review, &format!("{text}beta:\n  approver: \"@deads2k\"\n"));
    let readme = format!("{ALPHA}/README.md");
    repository.replace(&readme, "\n## Motivation\n", "\nA line more.\n\n## Motivation\n");
    repository
}

/// A key without a value is no milestone that moves.
#[test]
fn a_value_that_was_empty_is_new() {
    let repository = Scratch::sample();
    let metadata = format!("{ALPHA}/kep.yaml");
    repository.write(&metadata, &(repository.read(&metadata) + "\n"));
    let told = |value: &str| {
        let text = repository.read(&metadata);
        let without = |line: &&str| !line.trim_start().starts_with("stable:");
        let lines: Vec<&str> = text.lines().filter(without).collect();
        let text = lines.join("\n").replacen("\nmilestone:\n", &format!("\nmilestone:\n  stable: {value}\n"), 1);
        repository.write(&metadata, &(text + "\n"));
        repository.commit();
        repository.lint(&[&NEW[..], &["--format", "pretty"]].concat()).stdout
    };
    told("\"\"");
    let new = told("\"v1.40\"");
    assert!(new.contains("KEP-5502: milestone.stable v1.40\n"), "{new}");
    assert!(told("\"v1.41\"").contains("KEP-5502: milestone.stable v1.40 → v1.41"));
}

#[test]
fn a_promotion_is_the_first_line_of_each_format() {
    let repository = promoted();
    let staged = |format: &str| {
        repository.git(&["add", "--all"]);
        first_line(&repository, &["--staged"], format)
    };
    let wanted = "KEP-5502: alpha → beta, v1.37 → v1.38, asks `deads2k` for PRR; Summary +2 lines";
    for format in ["pretty", "full", "markdown"] {
        assert_eq!(staged(format), wanted, "{format}");
    }
    repository.commit();
    assert_eq!(first_line(&repository, &NEW, "pretty"), wanted);
    let html = repository.lint(&[&NEW[..], &["--format", "html"]].concat()).stdout;
    let shown =
        "<p class=\"change\">KEP-5502: alpha → beta, v1.37 → v1.38, asks <code>deads2k</code> for PRR; Summary +2";
    assert!(html.contains(shown), "{html}");
    let json = repository.lint(&[&NEW[..], &["--format", "json"]].concat()).stdout;
    let report: Value = serde_json::from_str(&json).expect("it is JSON");
    let [kep] = items(&report["changes"]) else { panic!("one KEP: {}", report["changes"]) };
    assert_eq!((text(&kep["kep"]), text(&kep["asks"])), (ALPHA, "deads2k"));
    assert_eq!(kep["values"][0], serde_json::json!({"key": "stage", "before": "alpha", "after": "beta"}));
    assert_eq!(kep["chapters"], serde_json::json!([{"title": "Summary", "added": 2, "removed": 0}]));
    // The summary of a workflow is the comment.
    let summary = repository.at("../summary.md");
    let variables = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", summary.to_str().expect("it is UTF-8"))];
    repository.lint_in(&repository.root, &[&NEW[..], &["--format", "github"]].concat(), &variables);
    let written = fs::read_to_string(&summary).expect("it is written");
    assert!(written.starts_with(&format!("{wanted}\n\n")), "{written}");
}

/// Those that move with `latest-milestone`, and those that a promotion brings, say nothing more.
#[test]
fn milestones_that_move_by_themselves_are_told() {
    let told = |from: &str, to: &str| {
        let repository = Scratch::sample();
        repository.replace(&format!("{ALPHA}/kep.yaml"), from, to);
        repository.commit();
        first_line(&repository, &[&NEW[..], &["--fail-on", "never"]].concat(), "pretty")
    };
    let alpha = "  alpha: \"v1.37\"\n";
    assert_eq!(told(alpha, "  alpha: \"v1.36\"\n"), "KEP-5502: milestone.alpha v1.37 → v1.36");
    assert_eq!(told(alpha, ""), "KEP-5502: no milestone.alpha (was v1.37)");
    let later = "latest-milestone: \"v1.38\"\n\nmilestone:\n  alpha: \"v1.38\"\n";
    assert_eq!(told(&format!("latest-milestone: \"v1.37\"\n\nmilestone:\n{alpha}"), later), "KEP-5502: v1.37 → v1.38");
}

/// The board of `ready` counts open sections in the same way.
#[test]
fn open_sections_are_those_of_ready() {
    let repository = Scratch::sample();
    repository.replace(&format!("{FLAWED}/README.md"), "\n## Motivation\n", "\nA line more.\n\n## Motivation\n");
    repository.commit();
    let ready = repository.lint(&["ready", "6132", "--format", "csv"]).stdout;
    let mut lines = ready.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a head");
    let row = lines.next().expect("a row");
    let column = names.iter().position(|name| *name == "open-sections").expect("a column");
    let line = first_line(&repository, &NEW, "pretty");
    assert_eq!(line, format!("KEP-6132: Summary +2 lines; {} of 49 sections open", row[column]));
}

#[test]
fn nothing_to_say_is_not_said() {
    let repository = Scratch::sample();
    repository.write(&format!("{ALPHA}/notes.txt"), "Notes\n");
    repository.commit();
    let printed = repository.lint(&[&NEW[..], &["--format", "pretty"]].concat());
    assert_eq!(printed.stdout, "", "{}", printed.stderr);
    assert!(printed.stderr.starts_with("checked 1 KEP"), "{}", printed.stderr);
    let all = repository.lint(&["--format", "json"]).stdout;
    assert!(!all.contains("\"changes\""), "{all}");
}

#[test]
fn what_is_new_or_gone_is_told_and_five_keps_at_most() {
    let repository = Scratch::sample();
    for number in 9001..9008 {
        repository.write(
            &format!("keps/sig-node/{number}-new/kep.yaml"),
            &format!("title: New\nkep-number: {number}\nowning-sig: sig-node\nstatus: provisional\nstage: alpha\n"),
        );
        repository.write(&format!("keps/sig-node/{number}-new/README.md"), &format!("# KEP-{number}: New\n"));
    }
    let untracked = repository.lint(&["--since", "HEAD", "--format", "pretty"]).stdout;
    let lines: Vec<&str> = untracked.lines().take(6).collect();
    assert_eq!((lines[0], lines[5]), ("KEP-9001: new, provisional", "and 2 more"), "{untracked}");
    repository.commit();
    repository.git(&["rm", "-r", "--quiet", "keps/sig-node/9003-new"]);
    repository.commit();
    assert_eq!(first_line(&repository, &NEW, "pretty"), "KEP-9003: removed");
}

/// A file of a KEP may have a number in its name.
#[test]
fn a_picture_that_is_gone_is_no_kep() {
    let repository = Scratch::sample();
    let picture = format!("{ALPHA}/2025-design.md");
    repository.write(&picture, "Notes\n");
    repository.commit();
    repository.git(&["rm", "--quiet", &picture]);
    repository.commit();
    let printed = repository.lint(&[&NEW[..], &["--format", "pretty"]].concat());
    assert_eq!(printed.stdout, "", "{}", printed.stderr);
}

/// What a KEP says mentions nobody, wherever it is posted.
#[test]
fn no_text_of_a_change_acts() {
    let repository = Scratch::sample();
    let metadata = format!("{ALPHA}/kep.yaml");
    repository.replace(&metadata, "stage: alpha", "stage: \"@kubernetes/sig-node `<script>` #1\\u202e\\e[31m\"");
    let readme = format!("{ALPHA}/README.md");
    let chapter = "\n## `@ann` ![x](https://x.y) \u{202e}<b>\n\nA line.\n\n## Motivation\n";
    repository.replace(&readme, "\n## Motivation\n", chapter);
    repository.commit();
    let markdown = first_line(&repository, &NEW, "markdown");
    let bare: String = markdown.split('`').step_by(2).collect();
    assert!(!bare.contains(['@', '#', '<', '!', '[', '\u{202e}', '\u{1b}']), "{markdown}");
    assert!(markdown.contains("`@kubernetes/sig-node`"), "{markdown}");
    let html = repository.lint(&[&NEW[..], &["--format", "html"]].concat()).stdout;
    assert!(!html.contains("<script>`") && !html.contains('\u{202e}'), "{html}");
    let pretty = first_line(&repository, &NEW, "pretty");
    assert!(!pretty.contains(['\u{202e}', '\u{1b}']), "{pretty}");
}

#[test]
fn a_readme_that_git_calls_binary_has_a_first_line() {
    let repository = Scratch::sample();
    let readme = format!("{ALPHA}/README.md");
    repository.replace(&readme, "\n## Motivation\n", "\nNUL\0\n\n## Motivation\n");
    repository.commit();
    assert_eq!(first_line(&repository, &NEW, "pretty"), "KEP-5502: README.md changed");
    repository.replace(&readme, "\nNUL\0\n", "\n");
    repository.write(".gitattributes", "*.md -diff\n");
    repository.commit();
    assert_eq!(first_line(&repository, &NEW, "pretty"), "KEP-5502: README.md changed");
}
