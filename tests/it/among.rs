//! A KEP among the facts of its repository has the findings that it has in the whole tree, also if the facts are older than
//! the KEP. A file of facts is data: whatever is in it, nothing panics.

use crate::support::among::{Tree, assert_same, check_whole, differences, facts_of, keps as checked, memory, read};
use crate::support::mutation::Random;
use crate::support::{project, seed};
use kep_lint::editor::keps;
use kep_lint::editor::view::View;
use kep_lint::report::facts::render;
use kep_lint::repository::facts::{Facts, Written};
use kep_lint::rules::preset::Preset;
use kep_lint::rules::select::Selection;
use kep_lint::source::SourceFile;
use kep_lint::stage::{Release, Stage};
use kep_lint::workspace::among::rules_without_texts;
use kep_lint::workspace::files::memory::Memory;
use kep_lint::workspace::project::{Project, Terms};
use serde_json::{Value, json};
use std::sync::Arc;

fn sample() -> Tree {
    read(&project().join("fixtures/sample"))
}

fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
}

#[test]
fn a_kep_of_the_sample_is_checked_as_in_its_tree() {
    let mut tree = sample();
    assert!(assert_same(&tree, &Terms::default(), |_| true) > 50);
    // Without this, upstream's scripts find nothing.
    let metadata = tree.iter_mut().filter(|(path, _)| path.ends_with("/kep.yaml"));
    metadata.for_each(|(_, text)| text.extend(b"\nowner: ann\n"));
    for preset in [Preset::Strict, Preset::Upstream] {
        let mut terms = Terms::default();
        terms.options.selection = Selection::default().with(preset);
        let compared = assert_same(&tree, &terms, |_| true);
        assert!(compared > 0, "{preset:?}");
    }
    let mut terms = Terms::default();
    (terms.options.stage, terms.options.release) = (Some(Stage::Beta), Release::parse("v1.36"));
    assert!(assert_same(&tree, &terms, |_| true) > 50);
    assert_eq!(rules_without_texts().collect::<Vec<_>>(), ["dead-anchor"]);
}

/// What is put in the place of a line of kep.yaml, by its key.
const LINES: [&str; 9] = [
    "kep-number: 793",
    "status: implementable",
    "status: replaced",
    "stage: alpha",
    "latest-milestone: \"v1.37\"",
    "latest-milestone: \"v1.41\"",
    "owning-sig: sig-nod",
    "replaces: [/keps/sig-cli/2551-return-code-normalization]",
    "feature-gates: [{name: HTTP3, components: [kubelet]}]",
];

#[test]
fn a_kep_that_is_newer_than_the_facts_counts_as_it_is_now() {
    let before = sample();
    let facts = facts_of(&before);
    let directories =
        checked(&check_whole(&before, &Terms::default())).into_iter().map(str::to_owned).collect::<Vec<_>>();
    let mut seen = 0;
    for (number, directory) in directories.iter().enumerate() {
        let line = LINES[number % LINES.len()];
        let key = line.split_once(':').expect("each line has a key").0;
        let mut after = before.clone();
        let Some(metadata) = after.get_mut(&format!("{directory}/kep.yaml")) else { continue };
        let text = String::from_utf8(metadata.clone()).expect("it is UTF-8");
        let mut lines: Vec<&str> = text.lines().filter(|old| !old.starts_with(&format!("{key}:"))).collect();
        lines.insert(0, line);
        *metadata = (lines.join("\n") + "\n").into_bytes();
        if let Some(readme) = after.get_mut(&format!("{directory}/README.md")) {
            readme.extend(b"\nSee [this](/keps/sig-node/README.md).\n");
        }
        let reviews = after.iter_mut().filter(|(path, _)| path.starts_with("keps/prod-readiness/"));
        reviews.for_each(|(_, text)| text.extend(b"\nbeta:\n  approver: \"@nobody\"\n"));
        let whole = check_whole(&after, &Terms::default());
        let different = differences(&facts, &Terms::default(), &after, &whole, directory);
        assert!(different.is_empty(), "{line} in {directory}\n{}", different.join("\n"));
        seen += 1;
    }
    assert!(seen >= LINES.len(), "{seen} KEPs");
}

const KEP: &str = "keps/sig-node/1-images";

/// A small repository: a KEP, one that it replaces, links to, and shares a gate and a number with.
fn small() -> Tree {
    let readme = "# KEP-1: Images\n\nSee [it](/keps/sig-apps/1-pods/README.md#nowhere).\n";
    let metadata = |sig: &str, more: &str| {
        format!(
            "title: X\nkep-number: 1\nowning-sig: {sig}\nstatus: implementable\nstage: alpha\n\
            latest-milestone: \"v1.37\"\nfeature-gates:\n  - name: HTTP3\n    components: [kubelet]\n{more}"
        )
    };
    let own = metadata("sig-node", "replaces: [/keps/sig-apps/1-pods]\n");
    tree(&[
        ("keps/sig-node/1-images/README.md", readme),
        ("keps/sig-node/1-images/kep.yaml", &own),
        ("keps/sig-apps/1-pods/README.md", "# KEP-1: Pods\n"),
        ("keps/sig-apps/1-pods/kep.yaml", &metadata("sig-apps", "")),
        ("keps/prod-readiness/sig-node/1.yaml", "kep-number: 1\nalpha:\n  approver: \"@ann\"\n"),
        ("keps/prod-readiness/sig-apps/1.yaml", "kep-number: 1\n"),
        ("OWNERS_ALIASES", "aliases:\n  prod-readiness-approvers: [ann]\n"),
    ])
}

/// The rules that find something in the KEP of the small repository.
fn rules(facts: &Arc<Facts>, files: &Tree) -> Vec<&'static str> {
    let own = files.iter().filter(|(path, _)| path.starts_with(&format!("{KEP}/")));
    let run = Project::among(Terms::default(), facts, memory(own)).check();
    assert_eq!(run.failures, []);
    let report = run.reports.iter().find(|report| report.kep.as_deref() == Some(KEP)).expect("it is checked");
    report.diagnostics.iter().map(|finding| finding.rule).collect()
}

#[test]
fn what_other_keps_count_for_is_known() {
    let mut files = small();
    assert_same(&files, &Terms::default(), |_| true);
    let facts = facts_of(&files);
    let found = rules(&facts, &files);
    assert!(found.contains(&"one-sided-replacement"), "the status of the other one: {found:?}");
    assert!(!found.contains(&"missing-prr"), "its PRR file is in the facts: {found:?}");
    assert!(!found.contains(&"dead-link") && !found.contains(&"dead-anchor"), "only the path is known: {found:?}");
    // Whether the link to the other KEP is dead is not known, so neither is whether this ignore is used.
    let comment = "<!-- kep-lint-ignore dead-anchor: it will be there -->\nSee [it](/keps/sig-apps";
    let readme = files.get_mut("keps/sig-node/1-images/README.md").expect("it is there");
    *readme =
        String::from_utf8(readme.clone()).expect("it is UTF-8").replace("See [it](/keps/sig-apps", comment).into();
    assert!(!rules(&facts, &files).contains(&"unused-ignore"));
}

#[test]
fn a_later_project_keeps_what_was_parsed() {
    let mut files = small();
    files.insert("keps/NNNN-kep-template/README.md".to_owned(), b"# KEP-NNNN: T\n\n## Summary\n".to_vec());
    let facts = facts_of(&files);
    let open =
        || Project::among(Terms::default(), &facts, memory(files.iter().filter(|(path, _)| path.starts_with(KEP))));
    let (first, mut second) = (open(), open());
    second.take_templates(&first);
    let template = |project: &Project| {
        std::ptr::from_ref(project.templates().for_keps_of(project.repositories.of(&project.keps[0])))
    };
    assert_eq!(template(&first), template(&second));
    assert_ne!(template(&first), template(&open()));
    assert_eq!(first.check().reports.len(), second.check().reports.len());
}

#[test]
fn two_keps_at_once_are_both_those_in_memory() {
    let before = small();
    let facts = facts_of(&before);
    let mut after = before.clone();
    for directory in [KEP, "keps/sig-apps/1-pods"] {
        let text = after.get_mut(&format!("{directory}/kep.yaml")).expect("it is there");
        *text = String::from_utf8(text.clone()).expect("it is UTF-8").replace("HTTP3", "Other").into();
    }
    let mut memory = Memory::default();
    let files = after.iter().filter(|(path, _)| !path.starts_with("OWNERS"));
    files.for_each(|(path, bytes)| memory.insert(path, bytes.clone()));
    let project = Project::among(Terms::default(), &facts, memory);
    let repository = project.repositories.of(&project.keps[0]);
    assert_eq!(repository.gates.keys().collect::<Vec<_>>(), ["Other"]);
    let alone: Vec<_> = project.check().reports.into_iter().map(|report| report.diagnostics).collect();
    let whole: Vec<_> =
        check_whole(&after, &Terms::default()).reports.into_iter().map(|report| report.diagnostics).collect();
    assert_eq!(alone, whole);
}

#[test]
fn an_editor_knows_the_other_keps() {
    let files = small();
    let title = |text: &str| {
        files.get("keps/sig-apps/1-pods/kep.yaml").map(|old| {
            String::from_utf8(old.clone()).expect("it is UTF-8").replace("title: X", &format!("title: {text}"))
        })
    };
    let mut files = files.clone();
    let quoted = title("'It''s: \"pods\"'").expect("it is there");
    files.insert("keps/sig-apps/1-pods/kep.yaml".to_owned(), quoted.into());
    let facts = facts_of(&files);
    assert_eq!(facts.written.keps.get("keps/sig-apps/1-pods").map(|kep| kep.title.as_str()), Some("It's: \"pods\""));
    let own = files.iter().filter(|(path, _)| path.starts_with(KEP));
    let project = Project::among(Terms::default(), &facts, memory(own));
    let listed =
        |query: &str| keps::listed(&project.repositories, query).into_iter().map(|kep| kep.path).collect::<Vec<_>>();
    assert_eq!(listed("pods"), ["keps/sig-apps/1-pods/README.md"]);
    assert_eq!(listed(""), ["keps/sig-apps/1-pods/README.md", "keps/sig-node/1-images/README.md"]);
    let templates = project.templates();
    let repository = project.repositories.of(&project.keps[0]);
    let view = View::of(&project, templates.for_keps_of(repository), &project.keps[0]);
    let card = keps::card(&view, "keps/sig-apps/1-pods").expect("it is known");
    assert!(card.starts_with("**KEP-1: It's: \"pods\"**\n\nimplementable, alpha, v1.37, sig-apps\n\n"), "{card}");
    assert_eq!(keps::card(&view, "keps/sig-apps/2-none"), None);
}

fn parse(text: &str) -> Result<Facts, String> {
    let parsed = Facts::parse(&SourceFile::decode("facts.json", text.as_bytes().to_vec()));
    parsed.map_err(|failure| format!("{}; {}", failure.message, failure.help.unwrap_or_default()))
}

/// The facts of the small repository, changed.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(&render(&facts_of(&small()).written)).expect("it is JSON");
    change(&mut value);
    value.to_string()
}

#[test]
fn what_is_wrong_with_facts_is_named() {
    let newer = changed(|facts| {
        facts["kep-lint-facts"] = json!(3);
        facts["kep-lint"] = json!("9.9.9");
        facts["keps"] = json!(7);
    });
    let many: Vec<String> = (0..120_000).map(|number| format!("sig-{number}")).collect();
    let long = "# x\n".repeat(1 << 20);
    let cases = [
        (String::new(), "cannot read `facts.json`: EOF while parsing"),
        ("{}".to_owned(), "missing field `kep-lint-facts`"),
        ("[".repeat(100_000), "cannot read `facts.json`"),
        (newer, "made by a newer kep-lint (9.9.9): version 3 of facts is unknown"),
        (changed(|facts| facts["kep-lint-facts"] = json!(0)), "made by another kep-lint (0.1.0)"),
        (changed(|facts| facts["keps"] = json!([])), "invalid type: sequence, expected a map"),
        (changed(|facts| facts["approvers"] = json!([1])), "invalid type"),
        (changed(|facts| facts["paths"] = json!(["keps", "keps/../../etc"])), "`keps/../../etc` is no path"),
        (changed(|facts| facts["paths"] = json!(["/etc/passwd"])), "`/etc/passwd` is no path"),
        (changed(|facts| facts["paths"] = json!(["keps/"])), "`keps/` is no path"),
        (changed(|facts| facts["paths"] = json!(["keps/./a"])), "`keps/./a` is no path"),
        (changed(|facts| facts["paths"] = json!([""])), "`` is no path"),
        (changed(|facts| facts["paths"] = json!(["a/".repeat(5_000) + "x"])), "is no path"),
        (changed(|facts| facts["keps"]["/etc/passwd"] = json!({})), "`/etc/passwd` is no path"),
        (changed(|facts| facts["keps"]["keps/.."] = json!({})), "`keps/..` is no path"),
        (changed(|facts| facts["reviews"]["../x"] = json!({"1": ""})), "`1` in `../x` is no PRR file"),
        (changed(|facts| facts["groups"] = json!(many)), "the list of groups in it has more than 1 MiB"),
        (changed(|facts| facts["reviews"]["sig-node"]["1"] = json!(long)), "a PRR file in it has more than 1 MiB"),
        (
            changed(|facts| facts["template"] = json!({"path": "x", "text": long})),
            "the template in it has more than 2 MiB",
        ),
        (format!("{}x", changed(|_| ())), "trailing characters"),
    ];
    for (text, expected) in cases {
        let message = parse(&text).map(drop).expect_err(expected);
        assert!(message.contains(expected), "{message}");
        assert!(message.contains("kep-lint facts` "), "it says what to do: {message}");
    }
    for field in ["kep-lint", "has-groups", "groups", "approvers", "keps", "paths", "reviews"] {
        let text = changed(|facts| drop(facts.as_object_mut().expect("it is an object").remove(field)));
        let message = parse(&text).map(drop).expect_err(field);
        assert!(message.contains(&format!("missing field `{field}`")), "{message}");
    }
    let invalid = Facts::parse(&SourceFile::decode("facts.json", vec![b'{', 0xff]));
    assert!(invalid.is_err_and(|failure| failure.message.contains("not UTF-8")));
    for (size, is_read) in [(16 << 20, true), ((16 << 20) + 1, false)] {
        let mut text = changed(|_| ()).into_bytes();
        text.resize(size, b' ');
        let parsed = Facts::parse(&SourceFile::decode("facts.json", text));
        assert_eq!(parsed.is_ok(), is_read);
        assert!(parsed.map_or_else(|failure| failure.message.contains("more than 16 MiB"), |_| true));
    }
}

#[test]
fn many_entries_are_read_in_order() {
    let many: Vec<String> = (0..500_000).rev().map(|at| format!("keps/{at}")).collect();
    let facts = parse(&changed(|facts| facts["paths"] = json!(many))).expect("there is room for them");
    let repository = facts.repository();
    assert_eq!((repository.has_path("keps/4999"), repository.has_path("keps/x")), (Some(true), Some(false)));
    let known = json!({"gates": ["A"], "milestone": "v1.37"});
    let many: Value = (0..50_000).map(|at| (format!("keps/sig-node/{at}-x"), known.clone())).collect();
    let facts = Arc::new(parse(&changed(|facts| facts["keps"] = many)).expect("there is room"));
    assert_eq!(rules(&facts, &small()).iter().filter(|rule| **rule == "invalid-yaml").count(), 0);
}

/// Another value in the place of one, often of the same type.
fn odd(value: &Value, random: &mut Random) -> Value {
    let long = "x".repeat(5_000);
    let texts = ["", "\u{0}\u{202e}../\u{1b}[31m", "keps", "keps/é/ß", "v99999999999.1", "/", "..", &long];
    match value {
        Value::String(_) if !random.one_in(8) => json!(random.pick(&texts)),
        Value::Array(_) if !random.one_in(3) => json!(["keps", "keps/keps", random.pick(&texts)]),
        Value::Object(_) if !random.one_in(3) => json!({(*random.pick(&texts)): {}}),
        _ => random
            .pick(&[json!(null), json!(1 << 30), json!([]), json!({}), json!(true), json!({"": {"": {}}})])
            .clone(),
    }
}

/// Changes something somewhere in a value.
fn mutate(value: &mut Value, random: &mut Random) {
    let children: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    let count = children.len();
    match children.into_iter().nth(random.below(count.max(1))) {
        Some(child) if !random.one_in(8) => mutate(child, random),
        _ => *value = odd(value, random),
    }
}

#[test]
fn facts_that_are_changed_anywhere_are_read_or_refused() {
    let mut random = Random(seed().0);
    let whole: Value = serde_json::from_str(&render(&facts_of(&small()).written)).expect("it is JSON");
    let mut read = 0;
    for _ in 0..600 {
        let mut value = whole.clone();
        for _ in 0..=random.below(2) {
            mutate(&mut value, &mut random);
        }
        if let Ok(facts) = parse(&value.to_string()) {
            read += 1;
            let _ = Terms::known(&facts);
            rules(&Arc::new(facts), &small());
        }
    }
    assert!(read > 50, "{read} of 600 were read");
}

#[test]
fn facts_without_anything_are_those_of_an_empty_repository() {
    let facts = parse(&render(&Written::new())).expect("nothing is missing");
    assert_eq!(facts.written.keps.len(), 0);
    assert_eq!(facts.repository().has_path("keps"), Some(false));
}
