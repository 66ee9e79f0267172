//! The engine of the page answers what the library does for the same files, and refuses what makes no sense.

mod examples;
mod hostile;
mod parts;
mod settings;
mod upgrade;

use crate::support::{files_below, project};
use kep_lint::diagnostic::{Diagnostic, Safety};
use kep_lint::editor::page::engine::Engine;
use kep_lint::fix::fix;
use kep_lint::kep::Kep;
use kep_lint::lint::report::KepReport;
use kep_lint::lint::{Run, lint_whole};
use kep_lint::ready::board::Board;
use kep_lint::ready::calendar::schedule::Time;
use kep_lint::ready::case::Ask;
use kep_lint::ready::judge;
use kep_lint::report::facts::render;
use kep_lint::report::look::Look;
use kep_lint::report::markdown::text::inline;
use kep_lint::report::{Summary, in_order, markdown};
use kep_lint::repository::facts::Facts;
use kep_lint::source::SourceFile;
use kep_lint::stage::release::{Reason, Told};
use kep_lint::stage::{Release, Stage};
use kep_lint::template::Template;
use kep_lint::workspace::among::rules_without_texts;
use kep_lint::workspace::discover::discover;
use kep_lint::workspace::facts::of_tree;
use kep_lint::workspace::files::{Source, memory::Memory};
use kep_lint::workspace::kep_files::read_kep;
use kep_lint::workspace::project::{Project, Terms};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files by their paths.
type Tree = BTreeMap<String, String>;

fn sample() -> Tree {
    let root = project().join("fixtures/sample");
    let way = |path: &Path| path.strip_prefix(&root).expect("it is below").to_str().expect("it is UTF-8").to_owned();
    let read = |path: PathBuf| (way(&path), std::fs::read_to_string(&path).expect("it is UTF-8"));
    files_below(&root, &|_| true).into_iter().map(read).collect()
}

fn source(tree: &Tree) -> Source {
    let mut memory = Memory::default();
    tree.iter().for_each(|(path, text)| memory.insert(path, text.clone().into_bytes()));
    Arc::new(memory.into())
}

fn open(tree: &Tree, path: &str) -> Project {
    let source = source(tree);
    Project::open(Terms::default(), discover(&[PathBuf::from(path)], Default::default(), &|_| Arc::clone(&source)))
}

/// The KEPs of a tree.
fn directories(tree: &Tree) -> Vec<String> {
    open(tree, "keps").keps.iter().map(|kep| kep.shown.clone()).collect()
}

/// The path of the PRR file of a KEP.
fn review_of(directory: &str) -> String {
    let mut names = directory.split('/').skip(1);
    let (sig, name) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    format!("keps/prod-readiness/{sig}/{}.yaml", name.split('-').next().unwrap_or_default())
}

/// The files of a KEP as a page has them.
fn kep(tree: &Tree, directory: &str) -> Value {
    let start = format!("{directory}/");
    let inside = tree.iter().filter_map(|(path, text)| Some((path.strip_prefix(&start)?, text)));
    let others: BTreeMap<&str, &String> =
        inside.filter(|(path, _)| !["README.md", "kep.yaml"].contains(path)).collect();
    json!({
        "directory": directory,
        "readme": tree.get(&format!("{start}README.md")),
        "metadata": tree.get(&format!("{start}kep.yaml")),
        "review": tree.get(&review_of(directory)),
        "others": others,
    })
}

/// Only these files.
fn own(tree: &Tree, directory: &str) -> Tree {
    let is_own = |path: &str| path.starts_with(&format!("{directory}/")) || path == review_of(directory);
    tree.iter().filter(|(path, _)| is_own(path)).map(|(path, text)| (path.clone(), text.clone())).collect()
}

fn ask(engine: &mut Engine, question: &Value) -> Value {
    serde_json::from_str(&engine.answer(question.to_string().as_bytes())).expect("an answer is JSON")
}

/// The answer to a question that is not refused.
fn answer(engine: &mut Engine, question: Value) -> Value {
    let mut answer = ask(engine, &question);
    let ok = answer.get_mut("ok").map(Value::take);
    ok.unwrap_or_else(|| panic!("{answer}: {}", question.to_string().chars().take(300).collect::<String>()))
}

fn check(engine: &mut Engine, kep: Value, settings: Value) -> Value {
    answer(engine, json!({ "ask": "check", "kep": kep, "settings": settings }))
}

/// An engine with the facts of a tree.
fn engine_among(tree: &Tree) -> Engine {
    let (written, failures) = of_tree(Path::new("keps"), &source(tree));
    assert_eq!(failures, []);
    let mut engine = Engine::default();
    let known = answer(&mut engine, json!({ "ask": "facts", "text": render(&written) }));
    let keps = format!("{} KEPs, ", directories(tree).len());
    assert!(known["words"].as_str().is_some_and(|words| words.starts_with(&keps)), "{known}");
    engine
}

/// The bytes of a place.
fn bytes(place: &Value) -> Range<usize> {
    let offset = |key: &str| place[key]["offset"].as_u64().expect("a number") as usize;
    offset("start")..offset("end")
}

/// The role of the file at a path.
fn role(path: &Value) -> &'static str {
    match path.as_str() {
        Some(path) if path.starts_with("keps/prod-readiness/") => "review",
        Some(path) if path.ends_with("/kep.yaml") => "metadata",
        _ => "readme",
    }
}

/// A finding, as both say it.
fn line(path: &str, line: &Value, column: &Value, severity: &str, rule: &str, message: &str, help: &Value) -> String {
    format!("{path}:{line}:{column} {severity}[{rule}] {message} {help}")
}

/// The findings of an answer; each place is between two characters of its text.
fn lines_of(tree: &Tree, answer: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let findings = answer["findings"].as_array().expect("a list");
    let shown = findings.iter().map(|it| {
        let path = text(&it["path"]);
        if let Some(file) = tree.get(&path) {
            let bytes = bytes(it);
            assert!(file.get(bytes.clone()).is_some(), "{it}");
            let lines = SourceFile::decode("x", file[..bytes.start].to_owned().into_bytes());
            assert_eq!(it["start"]["line"], lines.position(bytes.start).line, "{it}");
        }
        line(
            &path,
            &it["start"]["line"],
            &it["start"]["column"],
            &text(&it["severity"]),
            &text(&it["rule"]),
            &text(&it["message"]),
            &it["help"],
        )
    });
    shown.collect()
}

/// The findings of a run in a KEP.
fn lines_in(run: &Run, directory: &str, is_wanted: impl Fn(&Diagnostic) -> bool) -> Vec<String> {
    let own =
        in_order(run).into_iter().filter(|(report, it)| report.kep.as_deref() == Some(directory) && is_wanted(it));
    let shown = own.map(|(report, it)| {
        let file = &report.files[it.span.file.index()];
        let place = file.position(it.span.start);
        let (place, column) = (json!(place.line), json!(place.column));
        line(&file.path, &place, &column, it.severity.name(), it.rule, &it.message, &json!(it.help))
    });
    shown.collect()
}

#[test]
fn a_kep_among_facts_has_the_findings_of_the_whole_tree() {
    let tree = sample();
    let (run, mut engine) = (open(&tree, "keps").check(), engine_among(&tree));
    let is_left = |finding: &Diagnostic| {
        let is_elsewhere = finding.message.contains(" in `keps/");
        !(is_elsewhere && rules_without_texts().any(|rule| rule == finding.rule))
    };
    let mut count = 0;
    for directory in directories(&tree) {
        let checked = check(&mut engine, kep(&tree, &directory), json!({}));
        let (shown, wanted) = (lines_of(&tree, &checked), lines_in(&run, &directory, is_left));
        assert_eq!(shown, wanted, "{directory}");
        count += shown.len();
    }
    assert!(count > 50, "{count}");
}

/// What is wrong only because the rest of the repository is not there.
const NEEDS_REPOSITORY: [&str; 2] = ["dead-link", "dead-reference"];

#[test]
fn a_kep_alone_has_the_findings_of_its_files() {
    let tree = sample();
    let mut engine = Engine::default();
    let (mut count, mut missing) = (0, BTreeSet::new());
    for directory in directories(&tree) {
        let mut project = open(&own(&tree, &directory), &directory);
        // One KEP tells neither what else there is, nor which release is under development.
        project.repositories.leave_out_own_findings();
        project.repositories.trees().for_each(|(_, repository)| repository.told = Told::default());
        let run = project.check();
        let checked = check(&mut engine, kep(&tree, &directory), json!({}));
        let shown = lines_of(&tree, &checked);
        let wanted = lines_in(&run, &directory, |_| true);
        let left: Vec<&String> = wanted.iter().filter(|line| shown.contains(line)).collect();
        assert_eq!(left, shown.iter().collect::<Vec<_>>(), "{directory}");
        let rules = wanted.iter().filter(|line| !shown.contains(line)).filter_map(|line| line.split(['[', ']']).nth(1));
        missing.extend(rules.map(str::to_owned));
        let release = format!(" for {} (release on 2026-08-26, built-in release): ", Release::CURRENT);
        assert!(checked["summary"].as_str().is_some_and(|line| line.contains(&release)), "{checked}");
        count += shown.len();
    }
    assert!(count > 50, "{count}");
    assert_eq!(missing.iter().map(String::as_str).collect::<Vec<_>>(), NEEDS_REPOSITORY);
}

/// The texts after edits, by role.
fn edited(kep: &Value, edits: &Value) -> Value {
    let mut kep = kep.clone();
    for role in ["readme", "metadata", "review"] {
        let mut text = kep[role].as_str().unwrap_or_default().to_owned();
        let of_role = edits.as_array().expect("a list").iter().filter(|edit| self::role(&edit["path"]) == role);
        let of_role: Vec<&Value> = of_role.collect();
        for edit in of_role.iter().rev() {
            text.replace_range(bytes(edit), edit["text"].as_str().expect("a text"));
        }
        if !of_role.is_empty() {
            kep[role] = json!(text);
        }
    }
    kep
}

#[test]
fn safe_fixes_are_those_of_the_command_line_and_each_change_is_rid_of_its_finding() {
    let tree = sample();
    let mut engine = Engine::default();
    let (mut fixed, mut changed, mut typed) = (0, 0, 0);
    for directory in directories(&tree) {
        let given = kep(&tree, &directory);
        let checked = check(&mut engine, given.clone(), json!({}));
        for finding in checked["findings"].as_array().expect("a list") {
            for remedy in finding["remedies"].as_array().expect("a list") {
                let (id, kind) = (&finding["fingerprint"], &remedy["kind"]);
                let asked = ask(&mut engine, &json!({ "ask": "change", "id": id, "kind": kind }));
                let Some(change) = asked.get("ok") else {
                    let refused = asked["refused"]["message"].as_str().expect("a text");
                    assert!(refused.starts_with("not changed: "), "{asked}");
                    continue;
                };
                let after = edited(&given, &change["edits"]);
                assert_ne!(after, given, "{finding}");
                let select = &change["select"];
                if !select.is_null() {
                    let text = after[role(&select["path"])].as_str().expect("a text");
                    assert_eq!(&text[bytes(select)], "…");
                    typed += 1;
                }
                changed += 1;
            }
        }
        let change = answer(&mut engine, json!({ "ask": "fix-all" }));
        let project = open(&own(&tree, &directory), &directory);
        let (kep, terms) = (&project.keps[0], &project.terms);
        let mut repository = project.repositories.of(kep).clone();
        (repository.paths, repository.numbers) = (None, None);
        repository.told = Told::default();
        let lint = |texts: &_| lint_whole(texts, &terms.template, &repository, &terms.options);
        let wanted = fix(&read_kep(kep).texts, Safety::Safe, &lint);
        assert_eq!(change["fixed"], wanted.applied.values().sum::<usize>(), "{directory}");
        let after = edited(&given, &change["edits"]);
        for file in &wanted.after.files {
            let role = if file.path.ends_with("/README.md") { "readme" } else { "metadata" };
            if file.path.ends_with("/README.md") || file.path.ends_with("/kep.yaml") {
                assert_eq!(after[role], file.text, "{directory}");
            }
        }
        fixed += wanted.applied.len();
    }
    assert!(fixed > 1 && changed > 50 && typed > 20, "{fixed} {changed} {typed}");
}

/// The report of a run that found these.
fn report<'r>(run: &'r Run, directory: &str) -> &'r KepReport {
    run.reports.iter().find(|report| report.kep.as_deref() == Some(directory)).expect("it was checked")
}

#[test]
fn the_comment_and_the_checklist_are_those_of_the_command_line() {
    let tree = sample();
    let mut engine = engine_among(&tree);
    let facts = {
        let (written, _) = of_tree(Path::new("keps"), &source(&tree));
        Arc::new(
            Facts::parse(&SourceFile::decode("facts.json", render(&written).into_bytes())).expect("it is well-formed"),
        )
    };
    for directory in directories(&tree) {
        let mut memory = Memory::default();
        own(&tree, &directory).iter().for_each(|(path, text)| memory.insert(path, text.clone().into_bytes()));
        let project = Project::among(Terms::known(&facts).expect("it is well-formed"), &facts, memory);
        let run = project.check();
        let checked = check(&mut engine, kep(&tree, &directory), json!({}));
        assert_eq!(checked["summary"], Summary::line(&run, 0));
        let comment = answer(&mut engine, json!({ "ask": "comment" }));
        assert_eq!(comment["markdown"], markdown::render(&run, &Look::default()), "{directory}");
        assert_eq!(
            checked["kep"]["title"].as_str(),
            report(&run, &directory).about.as_ref().and_then(|it| it.title.as_deref())
        );
        for stage in [Stage::Alpha, Stage::Beta, Stage::Stable] {
            let question = json!({ "ask": "ready", "stage": stage.name(), "release": "v1.37", "today": "2026-05-01" });
            let ready = answer(&mut engine, question);
            let directory = &project.keps[0];
            let repository = project.repositories.of(directory);
            let kep = Kep::parse(read_kep(directory).texts);
            let release = Release { major: 1, minor: 37 };
            let checklist = judge(kep, &Template::built_in(), repository, Ask::merged(Some(stage), release));
            let is_ready = checklist.is_ready;
            let mut meant = project.terms.options.release_meant(None);
            (meant.release, meant.reason) = (release, Reason::Given);
            let board = Board::of_one(checklist, repository, meant, Time(1_777_593_600));
            let written = ready["markdown"].as_str().expect("a text");
            for entry in &board.checklists[0].entries {
                let line = format!("{}: {}\n", entry.item.title, inline(&entry.answer.words));
                assert!(written.contains(&line), "{line} is not in {written}");
            }
            assert_eq!(ready["isReady"], is_ready);
            assert!(ready["title"].as_str().is_some_and(|title| title.contains(stage.name())), "{ready}");
            let entries = ready["entries"].as_array().expect("a list");
            let states: Vec<&str> = entries.iter().filter_map(|entry| entry["state"].as_str()).collect();
            let wanted: Vec<&str> = board.checklists[0].entries.iter().map(|entry| entry.answer.state.name()).collect();
            assert_eq!(states, wanted);
        }
    }
}

#[test]
fn a_new_kep_can_be_checked_and_promoted() {
    let mut engine = Engine::default();
    let question = json!({
        "ask": "new", "number": "4242", "title": "Prefetch images", "sig": "node", "authors": ["@ann", "bob"],
        "today": "2026-05-01",
    });
    let made = answer(&mut engine, question.clone());
    let kep = &made["kep"];
    assert_eq!(kep["directory"], "keps/sig-node/4242-prefetch-images");
    let metadata = kep["metadata"].as_str().expect("a text");
    assert!(
        metadata.contains("  - \"@ann\"\n  - \"@bob\"\n") && metadata.contains("creation-date: 2026-05-01"),
        "{metadata}"
    );
    let checked = check(&mut engine, kep.clone(), json!({}));
    assert!(checked["summary"].to_string().contains(": 0 errors, "), "{checked}");
    assert_eq!(checked["kep"]["number"], "4242");
    // Without its directory, the same place is guessed.
    let mut without = kep.clone();
    without["directory"] = Value::Null;
    let guessed = check(&mut engine, without, json!({}));
    assert_eq!(guessed["place"]["directory"], kep["directory"]);
    assert_eq!((&guessed["place"]["isKnown"], &guessed["findings"]), (&json!(true), &checked["findings"]));

    let promoted =
        answer(&mut engine, json!({ "ask": "promote", "goal": "alpha", "release": "v1.38", "today": "2026-06-02" }));
    let after = edited(kep, &promoted["edits"]);
    let metadata = after["metadata"].as_str().expect("a text");
    for part in ["status: implementable", "latest-milestone: \"v1.38\"", "  alpha: \"v1.38\""] {
        assert!(metadata.contains(part), "{part}: {metadata}");
    }
    check(&mut engine, after.clone(), json!({}));
    let promoted =
        answer(&mut engine, json!({ "ask": "promote", "goal": "beta", "release": "v1.39", "today": "2026-06-02" }));
    let beta = edited(&after, &promoted["edits"]);
    assert!(beta["review"].as_str().is_some_and(|text| text.contains("beta:")), "{promoted}");
    // A PRR file that is not there is a new one.
    let mut without = after.clone();
    without["review"] = Value::Null;
    check(&mut engine, without.clone(), json!({}));
    let promoted =
        answer(&mut engine, json!({ "ask": "promote", "goal": "beta", "release": "v1.39", "today": "2026-06-02" }));
    assert!(promoted["notes"].to_string().contains("if the repository has `keps/prod-readiness/"), "{promoted}");
    let review = edited(&without, &promoted["edits"])["review"].as_str().map(str::to_owned);
    assert!(
        review.as_ref().is_some_and(|text| text.contains("kep-number: 4242") && text.contains("beta:")),
        "{review:?}"
    );
    let refused =
        ask(&mut engine, &json!({ "ask": "promote", "goal": "implemented", "release": null, "today": "2026-06-02" }));
    assert!(refused["refused"]["message"].as_str().is_some_and(|words| words.contains("not stable")), "{refused}");
    // A directory that is guessed is not named.
    let mut without = after;
    without["directory"] = Value::Null;
    without["readme"] = json!("# KEP-4242: Prefetch images\n\n## Summary\n");
    check(&mut engine, without, json!({}));
    for (question, words) in [
        (
            json!({ "ask": "promote", "goal": "implemented", "today": "2026-06-02" }),
            "cannot promote `kep.yaml`: its stage is alpha, not stable",
        ),
        (
            json!({ "ask": "promote", "goal": "alpha", "release": "v1.38", "today": "2026-06-02" }),
            "cannot promote: it is",
        ),
    ] {
        let refused = ask(&mut engine, &question)["refused"]["message"].clone();
        assert!(refused.as_str().is_some_and(|message| message.starts_with(words)), "{refused}");
    }
    let comment = answer(&mut engine, json!({ "ask": "comment" }));
    let comment = comment["markdown"].as_str().expect("a text");
    assert!(comment.contains("KEP-4242 Prefetch images**\n") && !comment.contains("keps/sig-node"), "{comment}");
    let ready = answer(&mut engine, json!({ "ask": "ready", "release": "v1.40", "today": "2026-06-01" }));
    let entries = ready["entries"].as_array().expect("a list").iter();
    let paths: Vec<&str> = entries.filter_map(|entry| entry["write"]["path"].as_str()).collect();
    assert!(paths.contains(&"kep.yaml") && !paths.iter().any(|path| path.starts_with("keps/sig-node")), "{paths:?}");

    // Among facts, the number may be another KEP's.
    let tree = sample();
    let mut among = engine_among(&tree);
    let taken =
        directories(&tree).iter().find_map(|path| path.rsplit('/').next()?.split('-').next().map(str::to_owned));
    let mut again = question;
    again["number"] = json!(taken);
    assert!(ask(&mut among, &again)["refused"]["message"].as_str().is_some_and(|words| words.contains(" exists: ")));
}

#[test]
fn places_are_bytes() {
    let readme = "# KEP-1: 🎉\n\n## Summary\n\n🎉🎉 Images, [x](#sumary) 🎉\n\n## Motivation\n\nTBD\n";
    let metadata = "title: 🎉\nkep-number: 1\nowning-sig: sig-node\nstatus: Implementable # 🎉\nstage: alpha\nsta";
    let kep = json!({ "directory": null, "readme": readme, "metadata": metadata, "review": null, "others": {} });
    let mut engine = Engine::default();
    let checked = check(&mut engine, kep.clone(), json!({}));
    assert_eq!(checked["place"]["directory"], "keps/sig-node/1-kep");
    let at = |text: &str, mark: &str| text.find(mark).expect("it is there");
    let finding = checked["findings"].as_array().expect("a list").iter().find(|it| it["rule"] == "dead-anchor");
    let finding = finding.expect("it is reported");
    let paths = &checked["place"]["paths"];
    assert_eq!(finding["path"], paths["readme"]);
    assert!([at(readme, "[x]"), at(readme, "#sumary")].contains(&bytes(finding).start), "{finding}");
    let hover = answer(&mut engine, json!({ "ask": "hover", "path": paths["readme"], "at": at(readme, "Motivation") }));
    assert_eq!((&hover["path"], &readme[bytes(&hover)]), (&paths["readme"], "## Motivation"));
    let end = metadata.len();
    let complete = answer(&mut engine, json!({ "ask": "complete", "path": paths["metadata"], "at": end }));
    assert_eq!(bytes(&complete), end - 3..end);
    assert!(
        complete["items"].as_array().is_some_and(|items| items.iter().any(|item| item["label"] == "latest-milestone")),
        "{complete}"
    );
    let change = answer(&mut engine, json!({ "ask": "fix-all" }));
    let after = edited(&kep, &change["edits"]);
    assert!(after["metadata"].as_str().is_some_and(|text| text.contains("status: implementable # 🎉")), "{change}");
}
