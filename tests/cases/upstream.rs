//! The preset `upstream` against upstream's scripts, case by case: it has a finding exactly where they were recorded to
//! fail, and looks at the same files.

use crate::agreement;
use crate::oracle::{compare_approvers, compare_tree, kepval_errors, kepval_input, lay_out, recorded, said, selection};
use crate::support::library::{self, Against, kep};
use crate::support::program::{items, kep_lint, text};
use crate::support::{project, real_data};
use crate::with_data;
use kep_lint::diagnostic::Diagnostic;
use kep_lint::diagnostic::script::Script;
use kep_lint::kep::texts::Texts;
use kep_lint::repository::Repository;
use kep_lint::rules::ALL;
use kep_lint::rules::preset::Preset;
use kep_lint::template::Template;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

static TEMPLATE: LazyLock<Arc<Template>> = LazyLock::new(Template::built_in);

/// The documents that upstream's list names.
const WITHOUT_TOC: &str = "hack/.notableofcontents";

pub fn trials() -> Vec<Trial> {
    let name = "upstream/the corpus has no finding";
    let mut trials = vec![with_data(name, "corpus", the_corpus_has_no_finding)];
    let names = ["upstream/every document is looked at", "upstream/every kep.yaml is looked at"];
    trials.push(with_data(names[0], "oracle", every_document_is_looked_at));
    trials.push(with_data(names[1], "oracle", every_kep_yaml_is_looked_at));
    let name = "upstream/other releases find what nodeapprovers finds";
    trials.push(with_data(name, "oracle", other_releases_find_what_nodeapprovers_finds));
    let name = "upstream/the script for Prow begins with the header of upstream's";
    trials.push(with_data(name, "upstream", the_script_for_prow_has_the_header));
    let mut add = |oracle_name: &'static str, file: &str, test: fn(&Value) -> Result<(), String>| {
        for case in recorded(file) {
            let name = text(&case["name"]).to_owned();
            trials.push(agreement::trial(oracle_name, &name, move || test(&case)));
        }
    };
    add("upstream-kepval", "kepval-cases.jsonl", kepval_case);
    add("upstream-trees", "kepval-trees.jsonl", tree_case);
    add("upstream-mdtoc", "mdtoc-cases.jsonl", mdtoc_case);
    add("upstream-node-approvers", "node-approvers-cases.jsonl", |case| {
        compare_approvers(case, None, Preset::Upstream)
    });
    trials
}

/// The rules that report what a script fails on.
fn rules_of(script: Script) -> Vec<&'static str> {
    ALL.iter().filter(|rule| rule.upstream.contains(&script)).map(|rule| rule.name).collect()
}

/// What the preset reports of a KEP for one script.
fn findings(texts: &Texts, repository: &Repository, script: Script) -> Vec<Diagnostic> {
    let selection = selection(&[&rules_of(script)]).with(Preset::Upstream);
    let options = library::options(|options| options.selection = selection);
    let found = Against { template: &TEMPLATE, repository, options: &options }.lint(texts).diagnostics;
    assert!(found.iter().all(|found| found.upstream.is_some()), "{found:#?}");
    found
}

fn kepval_case(case: &Value) -> Result<(), String> {
    let (repository, texts) = kepval_input(case);
    let found = findings(&texts, &repository, Script::Metadata);
    let errors = kepval_errors(case);
    match (errors.is_empty(), found.is_empty()) {
        (true, true) | (false, false) => Ok(()),
        (true, false) => Err(format!("kepval accepts it: {}", said(&found))),
        (false, true) => Err(format!("kepval refuses it: {}", errors.join("; "))),
    }
}

fn tree_case(case: &Value) -> Result<(), String> {
    let directory = tempfile::tempdir().expect("a directory");
    lay_out(directory.path(), case);
    compare_tree(case, &run(directory.path(), Script::Metadata))
}

fn mdtoc_case(case: &Value) -> Result<(), String> {
    let (markdown, status) = (text(&case["markdown"]), text(&case["status"]));
    // A document that is not a README is checked alike.
    for file in ["README.md", "notes.md"] {
        let texts = kep("keps/sig-node/1234-images", [(file, markdown)]);
        let found = findings(&texts, &Repository::default(), Script::Toc);
        if found.is_empty() != (status == "up-to-date") {
            return Err(format!("{file} is {status}: {}", said(&found)));
        }
    }
    Ok(())
}

/// What the program reports of a tree for one script; nothing where there is nothing to lint.
fn run(root: &Path, script: Script) -> Value {
    let rules = rules_of(script).join(",");
    let arguments = ["keps", "-q", "--preset", "upstream", "--format", "json", "--select", rules.as_str()];
    serde_json::from_str(&kep_lint(root, arguments).stdout).unwrap_or_default()
}

/// `hack/verify-boilerplate.sh` compares what follows the first line, but for empty lines, byte for byte.
fn the_script_for_prow_has_the_header(upstream: &Path) {
    let header = fs::read_to_string(upstream.join("boilerplate.sh.txt")).expect("the header");
    let script = project().join("contrib/prow/verify-kep-lint.sh");
    let script = fs::read_to_string(script).expect("the script");
    let (first, rest) = script.split_once('\n').expect("several lines");
    assert_eq!(first, "#!/usr/bin/env bash");
    assert!(header.len() > 500 && rest.trim_start_matches('\n').starts_with(&header), "{rest}");
}

fn the_corpus_has_no_finding(corpus: &Path) {
    let printed = kep_lint(corpus, ["keps", "--preset", "upstream", "--level", "suggestion", "--format", "json"]);
    assert_eq!(printed.status, 0, "{}{}", printed.stdout, printed.stderr);
    let run: Value = serde_json::from_str(&printed.stdout).expect("`--format json` prints JSON");
    assert_eq!(items(&run["diagnostics"]).len(), 0);
    // The documents of no KEP are not counted as KEPs.
    assert_eq!(run["keps"], 654);
}

/// The paths of a record of the corpus.
fn paths(oracle: &Path, name: &str, list: &str) -> BTreeSet<String> {
    let record = fs::read_to_string(oracle.join(name)).expect("the record is there");
    let record: Value = serde_json::from_str(&record).expect("the record is JSON");
    match &record[list] {
        Value::Object(files) => files.keys().cloned().collect(),
        list => items(list).iter().map(|path| text(path).to_owned()).collect(),
    }
}

/// Writes all files with the same bad content, and returns the paths of those that have a finding.
fn found_in(
    files: &[&BTreeSet<String>],
    content: &str,
    excluded: &BTreeSet<String>,
    script: Script,
) -> BTreeSet<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |path: &str, content: &str| {
        let path = directory.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, content).expect("a file");
    };
    files.iter().copied().flatten().for_each(|path| write(path, content));
    write(WITHOUT_TOC, &excluded.iter().map(|path| format!("{path}\n")).collect::<String>());
    let run = run(directory.path(), script);
    items(&run["diagnostics"]).iter().map(|found| text(&found["path"]).to_owned()).collect()
}

fn every_document_is_looked_at(oracle: &Path) {
    let [files, excluded] = ["files", "excluded"].map(|list| paths(oracle, "mdtoc-head.json", list));
    assert_eq!(excluded.len(), 5);
    assert_eq!(found_in(&[&files, &excluded], "# X\n", &excluded, Script::Toc), files);
}

fn every_kep_yaml_is_looked_at(oracle: &Path) {
    let files = paths(oracle, "kepval-head.json", "files");
    assert_eq!(found_in(&[&files], "bad: x\n", &BTreeSet::new(), Script::Metadata), files);
}

/// The release under development decides which KEPs need a tech lead.
fn other_releases_find_what_nodeapprovers_finds(oracle: &Path) {
    let corpus = real_data("corpus").expect("what was recorded of it is beside it");
    let record = oracle.join("node-approvers-head.json");
    let record: Value = serde_json::from_str(&fs::read_to_string(record).expect("it is there")).expect("it is JSON");
    for release in [36, 37, 999] {
        let release_name = format!("v1.{release}");
        // The script reads the KEPs of SIG Node alone.
        let arguments = ["keps/sig-node", "--preset", "upstream", "--release", &release_name, "--format", "json"];
        let run: Value =
            serde_json::from_str(&kep_lint(&corpus, arguments).stdout).expect("`--format json` prints JSON");
        let found: Vec<&str> = items(&run["diagnostics"]).iter().map(|found| text(&found["path"])).collect();
        let violations = items(&record[format!("TechLead_upcoming_{release}")]["violations"]);
        let wanted: Vec<&str> = violations.iter().map(|violation| text(&violation["kep"])).collect();
        assert_eq!(found, wanted, "{release_name}");
    }
}
