//! Tables of contents against what `mdtoc`, which upstream's CI runs, was recorded to write; and their fixes, applied.

mod shared;

use kep_lint::diagnostic::{Diagnostic, Fix, Safety, Severity};
use kep_lint::lint::{Options, lint};
use kep_lint::mdtoc::{self, Markers};
use kep_lint::repository::Repository;
use kep_lint::rules::select::Selection;
use kep_lint::template::Template;
use serde_json::Value;
use sha2::{Digest, Sha256};
use shared::{files_below, is_readme, project, real_data, text, texts};
use std::fs;
use std::path::Path;

/// Markdown that the scan for headings knowingly reads otherwise than mdtoc.
struct Class {
    reason: &'static str,
    cases: &'static [&'static str],
    /// Whether a line looks like it.
    is_seen_in: fn(&str) -> bool,
}

const DIFFERING: [Class; 1] = [Class {
    reason: "definition lists are no part of CommonMark, and a heading in one shows as text on GitHub",
    cases: &["in-deflist2"],
    is_seen_in: |line| line.starts_with(": ") || line.starts_with(":\t"),
}];

/// mdtoc compares carriage returns too, and so finds a file with them out of date whatever it says. Git may have put
/// them there at checkout; they are no fault of the author's.
const WITH_CARRIAGE_RETURNS: [&str; 2] = [
    "real:crlf:keps/sig-scheduling/2372-node-labels-quota/README.md",
    "real:crlf:keps/sig-cli/859-kubectl-headers/README.md",
];

/// What a rule of this category says of a README.
fn findings(readme: &str, rule: &str) -> Vec<Diagnostic> {
    let selection = Selection::new(&[rule.to_owned()], &[]).expect("it is a rule");
    let options = Options { selection, ..Options::default() };
    lint(texts(Some(readme.as_bytes()), None), &Template::built_in(), &Repository::default(), &options).diagnostics
}

fn apply(readme: &str, fix: &Fix) -> String {
    assert_eq!(fix.safety, Safety::Safe);
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| edit.span.start);
    let mut fixed = readme.to_owned();
    for edit in edits.into_iter().rev() {
        fixed.replace_range(edit.span.range(), &edit.text);
    }
    fixed
}

fn json(path: &Path) -> Vec<Value> {
    let content = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    content.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

fn is_named(case: &str) -> bool {
    DIFFERING.iter().any(|class| class.cases.contains(&case))
}

#[test]
fn the_recorded_cases_are_reproduced() {
    let Some(oracle) = real_data("oracle") else { return };
    let cases = json(&oracle.join("mdtoc-cases.jsonl"));
    let mut equal = 0;
    for case in &cases {
        let (name, markdown) = (text(&case["name"]), text(&case["markdown"]));
        let (ours, theirs) = (mdtoc::generate(markdown), text(&case["toc"]));
        assert_eq!(ours != theirs, is_named(name), "{name}\nours:\n{ours}\ntheirs:\n{theirs}");
        equal += usize::from(ours == theirs);
    }
    println!("{equal} of {} cases are equal", cases.len());
    assert!(cases.len() == 195 && equal * 100 >= cases.len() * 85);
}

#[test]
fn the_rules_speak_where_mdtoc_does() {
    let Some(oracle) = real_data("oracle") else { return };
    for case in json(&oracle.join("mdtoc-cases.jsonl")) {
        let (name, markdown) = (text(&case["name"]), text(&case["markdown"]));
        if is_named(name) {
            continue;
        }
        let is_stale = findings(markdown, "stale-toc").iter().any(|found| found.severity > Severity::Advice);
        let is_missing = !findings(markdown, "missing-toc").is_empty();
        let ours = match (is_missing, is_stale) {
            (true, false) => "error",
            (false, true) => "out-of-date",
            (false, false) => "up-to-date",
            (true, true) => panic!("{name}: missing and stale"),
        };
        let wanted = if WITH_CARRIAGE_RETURNS.contains(&name) { "up-to-date" } else { text(&case["status"]) };
        assert_eq!(ours, wanted, "{name}");
    }
}

/// The files that mdtoc was run on, by path: what was recorded, and their text.
fn recorded() -> Option<Vec<(String, Value, String)>> {
    let (oracle, corpus) = (real_data("oracle")?, real_data("corpus")?);
    let head = fs::read_to_string(oracle.join("mdtoc-head.json")).expect("the record is there");
    let head: Value = serde_json::from_str(&head).expect("the record is JSON");
    let files = head["files"].as_object().expect("files by path");
    Some(files.iter().map(|(path, record)| (path.clone(), record.clone(), read_linked(&corpus.join(path)))).collect())
}

/// The text of a file. A link may be there as a file of one line that names its target, as git writes it where the file
/// system has no links.
fn read_linked(path: &Path) -> String {
    let content = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let is_link = !content.contains('\n') && content.ends_with(".md");
    if is_link { read_linked(&path.with_file_name(content)) } else { content }
}

#[test]
fn the_tables_of_the_corpus_are_reproduced() {
    let Some(recorded) = recorded() else { return };
    let mut differing = Vec::new();
    for (path, record, readme) in &recorded {
        let hash: String = Sha256::digest(mdtoc::generate(readme)).iter().map(|byte| format!("{byte:02x}")).collect();
        if hash != text(&record["toc_sha256"]) {
            differing.push(path);
        }
    }
    println!("{} of {} tables are equal; not those of {differing:?}", recorded.len() - differing.len(), recorded.len());
    assert_eq!(recorded.len(), 671);
    assert!(differing.len() <= 3, "{differing:?}");
}

#[test]
fn no_up_to_date_table_is_an_error() {
    let Some(recorded) = recorded() else { return };
    let mut advice = Vec::new();
    for (path, record, readme) in &recorded {
        assert_eq!(record["status"], "up-to-date", "{path}");
        for found in findings(readme, "stale-toc") {
            assert_eq!(found.severity, Severity::Advice, "{path}: {found:?}");
            advice.push(path);
        }
    }
    println!("mdtoc and GitHub see different headings in {advice:?}");
    assert!(advice.len() <= 9, "{advice:?}");
}

#[test]
fn differing_classes_are_not_seen_in_the_corpus() {
    let Some(recorded) = recorded() else { return };
    for Class { reason, is_seen_in, .. } in DIFFERING {
        let seen = recorded.iter().find_map(|(path, _, readme)| {
            let line = readme.lines().find(|line| is_seen_in(line))?;
            Some(format!("{path}: {line}"))
        });
        assert_eq!(seen, None, "{reason}");
    }
}

#[test]
fn emptied_tables_are_written_again() {
    let Some(recorded) = recorded() else { return };
    let (mut same, mut trimmed) = (0, 0);
    let mut not_fixed = Vec::new();
    for (path, _, readme) in &recorded {
        let between = Markers::find(readme).between().unwrap_or_else(|| panic!("{path} has no markers"));
        let with = |table: &str| [&readme[..between.start], table, &readme[between.end..]].concat();
        let emptied = with("");
        let found = findings(&emptied, "stale-toc");
        let Some(fix) = found.first().and_then(|found| found.fix.as_ref()) else {
            assert!(found.iter().all(|found| found.severity <= Severity::Warning), "{path}: {found:?}");
            not_fixed.push(path);
            continue;
        };
        let fixed = apply(&emptied, fix);
        if fixed == *readme {
            same += 1;
        } else {
            // mdtoc is content with blank lines around a table, but writes none.
            assert_eq!(fixed, with(&format!("\n{}\n", readme[between.clone()].trim())), "{path}");
            trimmed += 1;
        }
    }
    println!("{same} tables are written as they were, {trimmed} without blank lines around them, not {not_fixed:#?}");
    assert_eq!(same + trimmed + not_fixed.len(), recorded.len());
    assert!(trimmed <= 8 && not_fixed.len() <= 9);
}

#[test]
fn the_table_of_3920_is_brought_up_to_date() {
    let Some(seeds) = real_data("seeds") else { return };
    let readme = fs::read_to_string(seeds.join("3920/README.md")).expect("the seed is there");
    let found = findings(&readme, "stale-toc");
    assert_eq!(found.iter().map(|found| found.severity).collect::<Vec<_>>(), [Severity::Error]);
    let fixed = apply(&readme, found[0].fix.as_ref().expect("it can be fixed"));
    let (before, after) = (Markers::find(&readme).between(), Markers::find(&fixed).between());
    let (before, after) = (before.expect("markers"), after.expect("markers"));
    assert_eq!(readme[..before.start], fixed[..after.start]);
    assert_eq!(readme[before.end..], fixed[after.end..]);
    let table = &fixed[after];
    for listed in ["- [High-level design](#", "- [Client Flow](#", "- [API](#", "- [Server flow](#"] {
        assert_eq!(table.matches(listed).count(), 1, "{listed} in {table}");
    }
    assert_eq!(table.matches("- [Story: ").count(), 4, "{table}");
    assert_eq!(findings(&fixed, "stale-toc"), []);
}

/// The READMEs of a rule's fixtures, with their case's name.
fn fixtures(rule: &str) -> Vec<(String, String)> {
    let folder = project().join("fixtures/rules").join(rule);
    let case =
        |path: &Path| path.strip_prefix(&folder).expect("it lies below").iter().next().map(|name| name.to_owned());
    let name = |path: &Path| case(path).unwrap_or_default().to_string_lossy().into_owned();
    let read = |path: &Path| fs::read_to_string(path).expect("fixtures can be read");
    let is_input = |path: &Path| is_readme(path) && path.iter().any(|part| part == "input");
    files_below(&folder, &is_input).iter().map(|path| (name(path), read(path))).collect()
}

#[test]
fn fixed_fixtures_have_a_table() {
    for (rule, least) in [("stale-toc", 8), ("missing-toc", 3)] {
        let mut count = 0;
        for (case, readme) in fixtures(rule) {
            for fix in findings(&readme, rule).iter().filter_map(|found| found.fix.as_ref()) {
                let fixed = apply(&readme, fix);
                let left: Vec<_> =
                    ["stale-toc", "missing-toc"].iter().flat_map(|rule| findings(&fixed, rule)).collect();
                assert_eq!(left, [], "{rule}/{case}:\n{fixed}");
                let lone = fixed.replace("\r\n", "").matches('\n').count();
                assert!(!fixed.contains('\r') || lone == 0, "{rule}/{case} mixes line ends");
                count += 1;
            }
        }
        assert!(count >= least, "{count} fixes of {rule}");
    }
}

#[test]
fn a_missing_table_comes_below_the_title_and_its_comments() {
    let readmes = fixtures("missing-toc");
    let fixed = |case: &str| {
        let (_, readme) = readmes.iter().find(|(name, _)| name == case).expect("there is such a case");
        findings(readme, "missing-toc")[0].fix.as_ref().map(|fix| apply(readme, fix))
    };
    const TABLE: &str = "<!-- toc -->\n- [Summary](#summary)\n- [Motivation](#motivation)\n  - [Goals](#goals)\n<!-- /toc -->\n\n## Summary";
    for (case, above) in [
        ("none", "# KEP-1: Prefetch images\n\n"),
        ("none-below-comments", "<!-- And another. -->\n\n"),
        ("never-closed", ""),
    ] {
        let fixed = fixed(case).unwrap_or_else(|| panic!("{case} is not fixed"));
        assert!(fixed.contains(&format!("{above}{TABLE}")), "{case}:\n{fixed}");
    }
    for case in ["no-title", "written-by-hand", "never-opened", "never-closed-nothing-listed", "closed-before-opened"] {
        assert_eq!(fixed(case), None, "{case}");
    }
}
