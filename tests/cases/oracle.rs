//! Agreement with upstream's checks of kep.yaml, PRR files and SIG Node's approvers, case by case. Their answers were
//! recorded by running them: those on the corpus are beside it, all others in `fixtures/upstream`.

use crate::agreement;
use crate::corpus::Keps;
use crate::support::library::{self, Against, add_review, kep};
use crate::support::program::{command, text};
use crate::support::{project, real_data};
use crate::without_data;
use data_encoding::BASE64;
use kep_lint::diagnostic::script::Script;
use kep_lint::diagnostic::{Diagnostic, Severity};
use kep_lint::kep::schema::is_template_value;
use kep_lint::kep::texts::Texts;
use kep_lint::repository::Repository;
use kep_lint::rules::ALL;
use kep_lint::rules::preset::Preset;
use kep_lint::rules::select::Selection;
use kep_lint::stage::{Release, Stage};
use kep_lint::template::Template;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

static TEMPLATE: LazyLock<Arc<Template>> = LazyLock::new(Template::built_in);

/// The rules that report what upstream's check rejects, and those of status and stage, which it reads.
fn refusals() -> Vec<&'static str> {
    let rules = ALL.iter().filter(|rule| rule.upstream.contains(&Script::Metadata)).map(|rule| rule.name);
    rules.chain(["invalid-status"]).collect()
}

/// Rules that report more than upstream's check rejects.
const WIDER: [&str; 7] = [
    "invalid-milestone",
    "invalid-stage",
    "invalid-status",
    "missing-kep-yaml",
    "not-utf8",
    "placeholder-value",
    "unknown-sig",
];

/// The rules that report nothing but what upstream's check rejects.
fn strict() -> Vec<&'static str> {
    refusals().into_iter().filter(|rule| !WIDER.contains(rule)).collect()
}

/// Rules that report what upstream's other checks refuse.
const OTHERS: &[&str] = &["early-implemented"];

pub fn trials(corpus: Option<&Arc<Keps>>) -> Vec<Trial> {
    let mut trials = Vec::new();
    let cases = |name: &str| recorded(name).into_iter().map(|case| (field(&case, "name").to_owned(), case));
    for (name, case) in cases("kepval-cases.jsonl") {
        trials.push(agreement::trial("kepval", &name, move || kepval_case(&case)));
    }
    for (name, case) in cases("kepval-trees.jsonl") {
        trials.push(agreement::trial("trees", &name, move || tree_case(&case)));
    }
    for (name, case) in cases("node-approvers-cases.jsonl") {
        trials.push(agreement::trial("node-approvers", &name, move || approvers_case(&case)));
    }
    let accepts = "kepval accepts the corpus, and so does kep-lint";
    let (Some(oracle), Some(corpus)) = (real_data("oracle"), corpus) else {
        trials.extend(["kepctl/all files", accepts].map(without_data));
        return trials;
    };
    let head = fs::read_to_string(oracle.join("kepval-head.json")).expect("kepval-head.json");
    let head: Value = serde_json::from_str(&head).expect("JSON");
    for (path, verdict) in head["files"].as_object().expect("files by path") {
        let errors: Vec<String> = strings(&verdict["semantic"]).into_iter().map(str::to_owned).collect();
        let (corpus, path) = (Arc::clone(corpus), path.clone());
        trials.push(agreement::trial("kepctl", &path.clone(), move || kepctl_case(&corpus, &path, &errors)));
    }
    let corpus = Arc::clone(corpus);
    trials.push(Trial::test(accepts, move || {
        let strict = strict();
        let is_refusal = |found: &&Value| found["severity"] == "error" && strict.contains(&text(&found["rule"]));
        // A PRR file of another KEP's number is an error on its own.
        match corpus.findings().iter().find(is_refusal) {
            Some(refused) => Err(refused.to_string().into()),
            None => Ok(()),
        }
    }));
    trials
}

/// The recorded cases of a file: those of the project, and those that hold text of KEPs where real data is there.
pub fn recorded(file: &str) -> Vec<Value> {
    let mut cases = records(&project().join("fixtures/upstream").join(file));
    assert!(cases.len() > 10, "{file} is whole");
    if let Some(oracle) = real_data("oracle") {
        let known: BTreeSet<String> = cases.iter().map(|case| field(case, "name").to_owned()).collect();
        let all = records(&oracle.join(file)).into_iter();
        cases.extend(all.filter(|case| !known.contains(field(case, "name"))));
    }
    cases
}

/// The records of a file with one a line.
fn records(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A text of a record, which may lack it.
pub fn field<'a>(record: &'a Value, key: &str) -> &'a str {
    record[key].as_str().unwrap_or_default()
}

pub fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// `key` of a record, or what `key_b64` encodes.
fn bytes(record: &Value, key: &str) -> Option<Vec<u8>> {
    match record[format!("{key}_b64")].as_str() {
        Some(encoded) => Some(BASE64.decode(encoded.as_bytes()).expect("it is Base64")),
        None => record[key].as_str().map(|text| text.as_bytes().to_vec()),
    }
}

pub fn selection(rules: &[&[&str]]) -> Selection {
    let rules: Vec<String> = rules.concat().iter().map(|rule| (*rule).to_owned()).collect();
    Selection::new(&rules, &[]).expect("these are rules")
}

pub fn said(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|found| format!("{} {}", found.rule, found.message)).collect::<Vec<_>>().join("; ")
}

/// What kepval refuses is an error, what it accepts is none, and what `kepctl create` refuses is a finding.
fn kepval_case(case: &Value) -> Result<(), String> {
    let (repository, texts) = kepval_input(case);
    let options = library::options(|options| options.selection = selection(&[&refusals(), OTHERS]));
    let found = Against { template: &TEMPLATE, repository: &repository, options: &options }.lint(&texts).diagnostics;

    let is_error =
        |rules: &[&str]| found.iter().any(|found| found.severity == Severity::Error && rules.contains(&found.rule));
    let errors = kepval_errors(case);
    if !errors.is_empty() && !is_error(&refusals()) {
        return Err(format!("kepval refuses it, kep-lint does not: {}", errors.join("; ")));
    }
    let validation = strings(&case["validate_errors"]);
    for error in &validation {
        if let Some((rules, least)) = reporting(error)
            && !found.iter().any(|found| found.severity >= least && rules.contains(&found.rule))
        {
            return Err(format!("`kepctl create` refuses it, kep-lint does not: {error}"));
        }
    }
    if errors.is_empty() && validation.is_empty() && is_error(&strict()) {
        return Err(format!("kepval accepts it, kep-lint does not: {}", said(&found)));
    }
    Ok(())
}

/// The KEP of a case of kepval, and its repository.
pub fn kepval_input(case: &Value) -> (Repository, Texts) {
    let mut repository = Repository { reviews: Some([].into()), ..Repository::default() };
    if let Some(review) = bytes(case, "prr_yaml") {
        let path = case["prr_path"].as_str().unwrap_or("keps/prod-readiness/sig-node/1234.yaml");
        add_review(&mut repository, path, &review);
    }
    let metadata = bytes(case, "kep_yaml").expect("a kep.yaml");
    let files = [("README.md", b"# KEP-1234: Foo\n".to_vec()), ("kep.yaml", metadata)];
    (repository, kep(field(case, "path").trim_end_matches("/kep.yaml"), files))
}

/// What kepval, as upstream's CI calls it, says of a case.
pub fn kepval_errors(case: &Value) -> Vec<&str> {
    ["parse_error", "prr_error"].iter().filter_map(|key| case[*key].as_str()).collect()
}

/// The rules that report an error of `KEPHandler.Validate`, and at which severity at least; none where it is no concern.
fn reporting(error: &str) -> Option<(&'static [&'static str], Severity)> {
    let value = error.split_once(": ").map(|(_, value)| value)?;
    let is_template = is_template(error);
    match error.split(':').next()? {
        "invalid status" | "invalid stage" if value.starts_with(',') => None,
        "invalid status" | "invalid stage" if is_template => Some((&["placeholder-value"], Severity::Advice)),
        "invalid status" => Some((&["invalid-status"], Severity::Error)),
        "invalid stage" => Some((&["invalid-stage"], Severity::Error)),
        "invalid owning-sig" | "invalid participating-sig" if value.is_empty() => None,
        "invalid owning-sig" | "invalid participating-sig" => {
            Some((&["unknown-sig", "placeholder-value"], Severity::Advice))
        }
        "status" if ["deprecated", "disabled", "removed"].iter().any(|stage| error.ends_with(stage)) => None,
        "status" => Some((&["early-implemented", "missing-key", "invalid-stage"], Severity::Advice)),
        _ => None,
    }
}

/// Whether an error of `KEPHandler.Validate` is about a value of the template, which is `placeholder-value`'s.
fn is_template(error: &str) -> bool {
    let Some((what, value)) = error.split_once(": ") else { return false };
    let value = value.split(',').next().unwrap_or_default();
    let key = what.trim_start_matches("invalid ").replace("participating-sig", "participating-sigs");
    is_template_value(&key, value)
}

/// What `kepctl create` would refuse of a kep.yaml of the corpus is a finding.
fn kepctl_case(corpus: &Keps, path: &str, errors: &[String]) -> Result<(), String> {
    let kep = directory_of(path);
    let mut targets = corpus.run()["targets"].as_array().into_iter().flatten();
    let is_closed = targets.any(|target| text(&target["kep"]) == kep && text(&target["phase"]) == "closed");
    for error in errors {
        let Some((rules, _)) = reporting(error) else { continue };
        let is_off = rules[0] == "unknown-sig" && is_closed;
        if is_off || kep.ends_with("kep-template") || is_template(error) {
            continue;
        }
        let is_it = |found: &Value| text(&found["path"]) == path && rules.contains(&text(&found["rule"]));
        if !corpus.findings().iter().any(is_it) {
            return Err(error.clone());
        }
    }
    Ok(())
}

/// A directory layout has the KEPs that kepval finds in it.
fn tree_case(case: &Value) -> Result<(), String> {
    let directory = tempfile::tempdir().expect("a directory");
    lay_out(directory.path(), case);
    let rules = refusals().join(",");
    let output = command(directory.path())
        .args(["check", "keps", "-q", "--format", "json", "--select", &rules])
        .output()
        .expect("kep-lint runs");
    // Nothing is printed where there is nothing to lint.
    let run: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    compare_tree(case, &run)
}

/// Compares the errors of a run with what kepval says of a directory layout.
pub fn compare_tree(case: &Value, run: &Value) -> Result<(), String> {
    let verdicts = case["repo_validate"].as_object().into_iter().flatten();
    let expected: BTreeSet<(String, &str)> = verdicts
        .flat_map(|(path, errors)| {
            strings(errors).into_iter().map(move |error| {
                let is_missing = error.starts_with("metadata file missing");
                (directory_of(path), if is_missing { "missing" } else { "broken" })
            })
        })
        .collect();
    let found = run["diagnostics"].as_array().into_iter().flatten().filter(|found| found["severity"] == "error");
    let found: BTreeSet<(String, &str)> = found
        .map(|found| {
            let kind = if found["rule"] == "missing-kep-yaml" { "missing" } else { "broken" };
            (directory_of(text(&found["path"])), kind)
        })
        .collect();
    if found == expected { Ok(()) } else { Err(format!("{found:?} instead of {expected:?}")) }
}

pub fn directory_of(path: &str) -> String {
    path.rsplit_once('/').map_or(path, |(directory, _)| directory).to_owned()
}

pub fn lay_out(root: &Path, case: &Value) {
    let entries = |key: &str| case[key].as_object().cloned().unwrap_or_default();
    for (path, content) in entries("files") {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, content.as_str().expect("text")).expect("a file");
    }
    let aliases = "aliases:\n  prod-readiness-approvers: [wojtek-t]\n";
    fs::write(root.join("OWNERS_ALIASES"), aliases).expect("a file");
    for (path, target) in entries("symlinks") {
        let target = target.as_str().expect("a path");
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, root.join(path)).expect("a link");
        #[cfg(not(unix))]
        fs::copy(root.join(&path).with_file_name(target), root.join(&path)).expect("a copy");
    }
}

/// SIG Node's approvers are accepted or refused as upstream's check does.
fn approvers_case(case: &Value) -> Result<(), String> {
    // The check came in v1.37; what it says of an earlier release, only upstream's preset repeats.
    if case["upcoming"].as_u64() < Some(37) {
        return Ok(());
    }
    // The stage makes the KEP active whatever its status; which one does not matter, the rule reads kep.yaml's.
    compare_approvers(case, Some(Stage::Alpha), Preset::Recommended)
}

/// Compares the errors with what SIG Node's check says of a case.
pub fn compare_approvers(case: &Value, stage: Option<Stage>, preset: Preset) -> Result<(), String> {
    let mut files = vec![("README.md", "# KEP-1234: Foo\n"), ("kep.yaml", field(case, "kep_yaml"))];
    files.extend(case["owners"].as_str().map(|owners| ("OWNERS", owners)));
    let texts = kep("keps/sig-node/1234-foo", files);
    let mut repository = Repository::default();
    repository.aliases.tech_leads = strings(&case["tech_leads"]).into_iter().map(str::to_lowercase).collect();
    let minor = u32::try_from(case["upcoming"].as_u64().expect("a minor release")).expect("a small one");
    let options = library::options(|options| {
        options.stage = stage;
        options.release = Some(Release { major: 1, minor });
        options.selection = selection(&[&["node-approver", "no-approver", "invalid-yaml", "wrong-type"]]).with(preset);
    });
    let found = Against { template: &TEMPLATE, repository: &repository, options: &options }.lint(&texts).diagnostics;
    let is_refused = ["verify_kep_error", "tech_lead_error"].iter().any(|key| case[*key].is_string())
        || ["verify_kep", "tech_lead"].iter().any(|key| !strings(&case[*key]).is_empty());
    // An unreadable list of approvers is refused as such, if not by the rule about approvers.
    let counts = |found: &&Diagnostic| found.rule != "wrong-type" || found.message.contains("`approvers`");
    let has_error = found.iter().filter(counts).any(|found| found.severity == Severity::Error);
    if is_refused != has_error {
        return Err(format!("{} {} | {}", case["verify_kep"], case["tech_lead"], said(&found)));
    }
    Ok(())
}
