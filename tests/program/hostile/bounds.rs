//! Sizes and numbers: what is too large, too many or too deep is told, and costs no more than what is read.

use super::{PROVISIONAL, WITHDRAWN, World, readme, says};
use crate::support::program::{items, kep_lint, kep_lint_json};
use crate::support::spread;
use rayon::prelude::*;
use std::fs;
use std::path::Path;

#[path = "../../../benches/growth/patterns.rs"]
#[allow(dead_code, reason = "the growth check uses all of it")]
mod patterns;

/// How the cost of these grows is counted by `cargo bench --bench growth`; here each of them is seen to come to its end.
#[test]
fn b1_b2_patterns_come_to_an_end() {
    let size = 25_000;
    let all = patterns::PATTERNS.iter().chain(patterns::commands::IGNORES).chain(patterns::commands::NEWER);
    let texts = all.map(|pattern| (pattern.0, vec![patterns::file(*pattern, size)]));
    let trees = patterns::TREES.iter().map(|(name, [few, _], files)| (*name, files(*few)));
    let runs = spread(texts.chain(trees).collect(), 25);
    let failed: Vec<String> =
        runs.into_par_iter().filter_map(|(name, files)| Some(format!("{name}: {}", end(files)?))).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What is wrong with the end of a run over these files.
fn end(files: Vec<(String, String)>) -> Option<String> {
    let world = World::new();
    world.kep("1-x", patterns::README, patterns::METADATA);
    let template =
        if files.iter().any(|(path, _)| path == "template.md") { &["--template", "template.md"][..] } else { &[] };
    for (path, text) in files {
        world.write(&format!("r/{path}"), text);
    }
    let printed = kep_lint(&world.path("r"), ["--format", "json", "."].iter().chain(template));
    let has_ended = matches!(printed.status, 0..=2) && !printed.stderr.contains("panicked");
    let json: Result<serde_json::Value, _> = serde_json::from_str(&printed.stdout);
    let has_keps = json.is_ok_and(|json| json["keps"].as_u64() > Some(0));
    (!has_ended || !has_keps).then(|| format!("{} {}", printed.status, printed.stderr))
}

#[test]
fn b3_a_kep_has_bounds() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN).kep("2-b", "# KEP-2: Y\n", "status: nope\n");
    let large = format!("# X\n\n{}", "word ".repeat((2 << 20) / 5));
    for at in 0..9 {
        world.write(&format!("r/keps/sig-node/1-a/d{at}.md"), &large[..(2 << 20) - 10]);
    }
    let says_of = ["d7.md`: the KEP has more than 16 MiB of text", "2-b/kep.yaml:1:9", "checked 2 KEPs"];
    says(&world.run(&["keps", "--format", "concise"]), 2, &says_of);
    world.write("r/keps/sig-node/1-a/README.md", vec![b'x'; (2 << 20) + 1]);
    says(&world.run(&["keps"]), 2, &["1-a/README.md`: it has 2.1 MiB", "reduce it to at most 2 MiB"]);
}

#[test]
fn b3_nesting_beyond_the_limit_is_a_failure_that_nothing_silences() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", &format!("{PROVISIONAL}see-also: {}\n", "[".repeat(200)));
    let printed = world.run(&["keps", "--ignore", "invalid-yaml"]);
    says(&printed, 2, &["cannot read all of `keps/sig-node/1-a/kep.yaml`: it is nested more than 100 levels deep"]);
}

#[test]
fn b3_findings_are_counted_beyond_a_limit() {
    let world = World::new();
    let dead: String = (0..40_000).map(|number| format!("- /keps/sig-node/0-dead{number}\n")).collect();
    world.kep("1-a", "# KEP-1: X\n", &format!("{PROVISIONAL}see-also:\n{dead}"));
    let run = kep_lint_json(&world.path("r"), &["keps", "--select", "dead-reference"]);
    assert_eq!(items(&run["diagnostics"]).len(), 101);
    assert_eq!(run["diagnostics"][100]["count"], 39_900);
    assert_eq!(run["summary"]["suggestion"], 40_000);
    let printed = world.run(&["keps", "--select", "dead-reference"]);
    says(&printed, 0, &["39900 more findings of this rule in this file", "40000 suggestions"]);
}

#[test]
fn b4_messages_have_an_end() {
    let long = "9".repeat(1 << 19);
    let keps = [
        ("# KEP-1: X\n".to_owned(), format!("kep-number: {long}\nstatus: {long}\nstage: {long}\n{long}: x\n")),
        (
            format!("# KEP-1: {long}\n\n<!-- toc -->\n<!-- /toc -->\n\n## {long}\n[{long}](#{long})\n"),
            PROVISIONAL.to_owned(),
        ),
        (format!("# X\n\n## Y\n<!--DIRECTIVE: {long}: x, stage: {long}-->\n"), format!("latest-milestone: {long}\n")),
    ];
    for (at, (readme, metadata)) in keps.iter().enumerate() {
        let world = World::new();
        world.kep(&format!("{}-a", at + 1), readme, metadata);
        let printed = world.run(&["keps", "--format", "concise"]);
        assert!(!printed.stdout.is_empty());
        assert!(printed.stdout.lines().all(|line| line.len() < 700), "{}", printed.stdout.len());
        assert!(world.run(&["keps", "--format", "pretty"]).stdout.len() < 60_000);
    }
}

#[test]
fn b5_more_documents_than_are_read_are_told() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n\n## Summary\n\nText.\n\n## Motivation\n\nText.\n", PROVISIONAL);
    for at in 0..1_100 {
        world.write(&format!("r/keps/sig-node/1-a/docs/{at:06}.md"), format!("# D{at}\n"));
    }
    says(&world.run(&["--fix", "keps"]), 2, &["it has more than 1000 Markdown files", "fixed 1 finding in 1 file"]);
    assert!(world.read(&readme("1-a")).contains("<!-- toc -->"));
    for at in 0..1_100 {
        assert_eq!(world.read(&format!("r/keps/sig-node/1-a/docs/{at:06}.md")), format!("# D{at}\n"));
    }
}

#[test]
fn b6_ignores_beyond_the_limit_are_told() {
    let told = "cannot read all of `keps/sig-node/1-a/README.md`: its ignores name more than 1000 rules";
    for (count, status, is_told) in [(1_000, 0, false), (1_001, 2, true)] {
        let world = World::new();
        let ignores = "<!-- kep-lint-ignore dead-link: x -->\n\n".repeat(count);
        world.kep("1-a", format!("# KEP-1: X\n\n{ignores}"), WITHDRAWN);
        let printed = world.run(&["keps", "--fail-on", "never"]);
        says(&printed, status, &["checked 1 KEP"]);
        assert_eq!(printed.stderr.contains(told), is_told, "{}", printed.stderr);
    }
}

/// Repositories and KEPs by the thousand cost what they hold.
#[test]
fn many_trees_are_read() {
    let world = World::new();
    for at in 0..400 {
        world.write(&format!("r/t{at}/keps/sig-node/1-a/README.md"), "# KEP-1: X\n");
        world.write(&format!("r/t{at}/keps/sig-node/1-a/kep.yaml"), WITHDRAWN);
    }
    says(&world.run(&["."]), 0, &["checked 400 KEPs (800 files)"]);
}

/// The bounds that the book promises are those of the program.
#[test]
fn the_bounds_are_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("docs/security.md")).expect("docs/security.md");
    for figure in [
        "2 MiB",
        "1 MiB",
        "16 MiB",
        "64 MiB",
        "1,000",
        "250,000",
        "100 levels",
        "100 per rule and file",
        "2,000 per KEP",
        "50,000 per run",
        "25,000 results",
    ] {
        assert!(readme.contains(figure), "README.md does not say `{figure}`");
    }
}

#[test]
fn a_template_has_bounds() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN);
    let with = |headings: usize| {
        let sections: String = (1..headings).map(|number| format!("## A{number}\n")).collect();
        world.write("r/template.md", format!("# T\n{sections}<!--DIRECTIVE: required: true-->\n"));
        world.run(&["keps", "--template", "template.md"])
    };
    says(&with(500), 0, &["checked 1 KEP"]);
    says(&with(501), 2, &["cannot use `template.md`: it has 501 headings", "name a template with at most 500"]);
}
