//! Agreement with upstream's own tools, case by case. Their answers were recorded by running them; see `README.md` in
//! the folder that `KEP_LINT_SHARED` names, without which these tests skip.

use kep_lint::diagnostic::{Diagnostic, Severity};
use kep_lint::kep::Texts;
use kep_lint::kep::template_values::is_template_value;
use kep_lint::lint::{Options, lint};
use kep_lint::repository::Repository;
use kep_lint::rules::select::Selection;
use kep_lint::source::SourceFile;
use kep_lint::stage::{Release, Stage};
use kep_lint::template::Template;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The rules that speak of what upstream's check refuses.
const REFUSALS: &[&str] = &[
    "invalid-yaml",
    "not-utf8",
    "unknown-key",
    "duplicate-key",
    "missing-key",
    "wrong-type",
    "missing-prr",
    "invalid-prr",
    "prr-approver",
    "invalid-milestone",
    "invalid-stage",
    "invalid-status",
];

/// Those of them that never speak of anything else.
const STRICT: &[&str] = &[
    "invalid-yaml",
    "unknown-key",
    "duplicate-key",
    "missing-key",
    "wrong-type",
    "missing-prr",
    "invalid-prr",
    "prr-approver",
];

/// Cases that upstream accepts and kep-lint refuses, each with the reason.
const STRICTER: &[(&str, &str)] = &[
    ("ls-2028-keysep", "in YAML 1.2, which GitHub and editors follow, U+2028 ends no line"),
    (r#"kep-number-prrfile[\"a/b\"][a/b]"#, "a number is a file's name, not a path"),
    ("kep-number-traversal", "a number is a file's name, not a path"),
];

/// Cases that upstream refuses and kep-lint accepts, each with the reason.
const LAXER: &[(&str, &str)] = &[];

/// Layouts of which kep-lint says something else than upstream's walk, each with the reason.
const LAID_OUT_OTHERWISE: &[(&str, &str)] = &[
    ("kepyaml-at-keps-root", "a stray file does not silence the whole tree"),
    ("lower-readme", "a README is one in whichever case it is written, and wants a kep.yaml"),
    ("template-bad", "the template's directory is no KEP"),
];

/// How many of a hundred cases have to agree.
const LEAST_AGREEMENT: usize = 99;

fn shared() -> Option<PathBuf> {
    let shared = std::env::var_os("KEP_LINT_SHARED").map(PathBuf::from);
    if shared.is_none() {
        eprintln!("skipped: KEP_LINT_SHARED is not set");
    }
    shared
}

fn records(shared: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(shared.join("oracle").join(name)).expect(name);
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn text<'a>(record: &'a Value, key: &str) -> &'a str {
    record[key].as_str().unwrap_or_default()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// `key` of a record, or what `key_b64` encodes.
fn bytes(record: &Value, key: &str) -> Option<Vec<u8>> {
    match record[format!("{key}_b64")].as_str() {
        Some(encoded) => Some(from_base64(encoded)),
        None => record[key].as_str().map(|text| text.as_bytes().to_vec()),
    }
}

fn from_base64(encoded: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in encoded.chars().filter_map(|letter| DIGITS.find(letter)) {
        bits = (bits << 6 | u32::try_from(digit).expect("a digit is below 64")) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).expect("eight bits"));
        }
    }
    bytes
}

fn selection(rules: &[&str]) -> Selection {
    Selection::new(&rules.iter().map(|rule| (*rule).to_owned()).collect::<Vec<_>>(), &[]).expect("rules there are")
}

/// The texts of a KEP in `directory`.
fn kep(directory: &str, metadata: Vec<u8>) -> Texts {
    let mut texts = Texts {
        directory: directory.to_owned(),
        name: directory.rsplit('/').next().unwrap_or_default().to_owned(),
        tree_path: Some(directory.to_owned()),
        in_tree: true,
        has_readme: true,
        has_metadata: true,
        ..Texts::default()
    };
    texts.readme = Some(texts.push(SourceFile::decode("README.md", b"# KEP-1234: Foo\n".to_vec())));
    texts.metadata = Some(texts.push(SourceFile::decode("kep.yaml", metadata)));
    texts
}

/// What kep-lint says of a case of `kepval-cases.jsonl`.
fn lint_case(case: &Value, template: &Template, options: &Options) -> Vec<Diagnostic> {
    let mut tree = Repository { reviews: Some(Default::default()), ..Repository::default() };
    if let Some(review) = bytes(case, "prr_yaml") {
        let path = case["prr_path"].as_str().unwrap_or("keps/prod-readiness/sig-node/1234.yaml");
        let mut parts = path.trim_end_matches(".yaml").rsplit('/');
        let (name, sig) = (parts.next().expect("a name"), parts.next().expect("a directory"));
        tree.add_review(sig.to_owned(), name.to_owned(), SourceFile::decode(path, review));
    }
    let directory = text(case, "path").trim_end_matches("/kep.yaml");
    let metadata = bytes(case, "kep_yaml").expect("a kep.yaml");
    lint(kep(directory, metadata), template, &tree, options).diagnostics
}

/// Counts how often a claim about the cases holds.
#[derive(Default)]
struct Agreement {
    held: usize,
    broken: Vec<String>,
}

impl Agreement {
    fn note(&mut self, name: &str, holds: bool, what: impl FnOnce() -> String) {
        match holds {
            true => self.held += 1,
            false => self.broken.push(format!("{name}: {}", what())),
        }
    }

    fn print(&self, claim: &str) {
        println!("{claim}: {} of {}", self.held, self.held + self.broken.len());
        self.broken.iter().for_each(|case| println!("  {case}"));
    }

    fn assert(&self, claim: &str) {
        let total = self.held + self.broken.len();
        assert!(self.held * 100 >= total * LEAST_AGREEMENT && total > 0, "{claim}: {:#?}", self.broken);
    }
}

fn is_named(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(case, _)| *case == name)
}

fn said(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|found| format!("{} {}", found.rule, found.message)).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_kepval_refuses_is_an_error_and_what_it_accepts_is_none() {
    let Some(shared) = shared() else { return };
    let template = Template::built_in();
    let others = ["unknown-sig", "early-implemented", "placeholder-value"];
    let known = others.iter().filter(|rule| kep_lint::rules::select::rule(rule).is_ok());
    let rules: Vec<&str> = REFUSALS.iter().chain(known).copied().collect();
    let options = Options { selection: selection(&rules), ..Options::default() };
    let (mut refused, mut accepted, mut semantic) = (Agreement::default(), Agreement::default(), Agreement::default());
    for case in records(&shared, "kepval-cases.jsonl") {
        let name = text(&case, "name");
        let found = lint_case(&case, &template, &options);
        let is_error =
            |found: &&Diagnostic, rules: &[&str]| found.severity == Severity::Error && rules.contains(&found.rule);
        let errors: Vec<&str> = ["parse_error", "prr_error"].iter().filter_map(|key| case[*key].as_str()).collect();
        if !errors.is_empty() && !is_named(LAXER, name) {
            refused.note(name, found.iter().any(|found| is_error(&found, REFUSALS)), || errors.join("; "));
        }
        let validation = strings(&case["validate_errors"]);
        for error in &validation {
            if let Some((rules, least)) = speaking_of(error) {
                let holds = found.iter().any(|found| found.severity >= least && rules.contains(&found.rule));
                semantic.note(name, holds, || (*error).to_owned());
            }
        }
        if errors.is_empty() && validation.is_empty() && !is_named(STRICTER, name) {
            accepted.note(name, !found.iter().any(|found| is_error(&found, STRICT)), || said(&found));
        }
    }
    let claims = [
        ("what kepval refuses is an error", refused),
        ("what `kepctl create` refuses is a finding", semantic),
        ("what kepval accepts is no error", accepted),
    ];
    claims.iter().for_each(|(claim, agreement)| agreement.print(claim));
    claims.iter().for_each(|(claim, agreement)| agreement.assert(claim));
}

/// The rules that speak of an error of `KEPHandler.Validate`, and how loud at least; none where it is no concern.
fn speaking_of(error: &str) -> Option<(&'static [&'static str], Severity)> {
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

#[test]
fn trees_have_the_keps_that_kepval_finds() {
    let Some(shared) = shared() else { return };
    let mut agreement = Agreement::default();
    for case in records(&shared, "kepval-trees.jsonl") {
        let name = text(&case, "name");
        let directory = tempfile::tempdir().expect("a directory");
        lay_out(directory.path(), &case);
        let expected: BTreeSet<(String, &str)> = case["repo_validate"]
            .as_object()
            .into_iter()
            .flatten()
            .flat_map(|(path, errors)| {
                strings(errors).into_iter().map(move |error| (directory_of(path), kind_of(error)))
            })
            .collect();
        let rules: Vec<&str> = REFUSALS.iter().copied().chain(["missing-kep-yaml"]).collect();
        let run = run(directory.path(), "keps", &rules);
        let found: BTreeSet<(String, &str)> = errors(&run)
            .map(|found| {
                let kind = if text(found, "rule") == "missing-kep-yaml" { "missing" } else { "broken" };
                (directory_of(text(found, "path")), kind)
            })
            .collect();
        if is_named(LAID_OUT_OTHERWISE, name) {
            assert_ne!(found, expected, "{name} is a deviation no longer");
        } else {
            agreement.note(name, found == expected, || format!("{found:?} instead of {expected:?}"));
        }
    }
    agreement.print("trees have the KEPs that kepval finds");
    agreement.assert("trees have the KEPs that kepval finds");
}

fn kind_of(error: &str) -> &'static str {
    if error.starts_with("metadata file missing") { "missing" } else { "broken" }
}

fn directory_of(path: &str) -> String {
    path.rsplit_once('/').map_or(path, |(directory, _)| directory).to_owned()
}

fn lay_out(root: &Path, case: &Value) {
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

/// The JSON report on `path` in `directory`; an empty one where there is nothing to lint.
fn run(directory: &Path, path: &str, rules: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_kep-lint"))
        .args(["check", path, "-q", "--format", "json", "--select", &rules.join(",")])
        .current_dir(directory)
        .output()
        .expect("kep-lint runs");
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

fn errors(run: &Value) -> impl Iterator<Item = &Value> {
    run["diagnostics"].as_array().into_iter().flatten().filter(|found| text(found, "severity") == "error")
}

#[test]
fn kepval_and_kep_lint_pass_the_same_corpus() {
    let Some(shared) = shared() else { return };
    let mut rules = STRICT.to_vec();
    rules.extend(["unknown-sig", "invalid-status", "invalid-stage", "early-implemented"]);
    let run = run(&shared.join("corpus"), "keps", &rules);
    let refused: Vec<&Value> = errors(&run).filter(|found| STRICT.contains(&text(found, "rule"))).collect();
    assert!(refused.is_empty(), "{refused:#?}");
    assert!(run["keps"].as_u64() >= Some(650), "{}", run["summary"]);
    let closed: BTreeSet<&str> = run["targets"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|target| text(target, "phase") == "closed")
        .map(|target| text(target, "kep"))
        .collect();
    let head = fs::read_to_string(shared.join("oracle/kepval-head.json")).expect("kepval-head.json");
    let head: Value = serde_json::from_str(&head).expect("JSON");
    let mut agreement = Agreement::default();
    for (path, verdict) in head["files"].as_object().expect("files") {
        let kep = directory_of(path);
        for error in strings(&verdict["semantic"]) {
            let Some((rules, _)) = speaking_of(error) else { continue };
            let is_quiet = rules[0] == "unknown-sig" && closed.contains(kep.as_str());
            if is_quiet || kep.ends_with("kep-template") || is_template(error) {
                continue;
            }
            let found = run["diagnostics"].as_array().into_iter().flatten();
            let holds =
                found.into_iter().any(|found| text(found, "path") == path && rules.contains(&text(found, "rule")));
            agreement.note(path, holds, || error.to_owned());
        }
    }
    agreement.print("what `kepctl create` would refuse of the corpus is a finding");
    agreement.assert("what `kepctl create` would refuse of the corpus is a finding");
}

/// Whether an error of `KEPHandler.Validate` is about a value of the template, which is `placeholder-value`'s.
fn is_template(error: &str) -> bool {
    let Some((what, value)) = error.split_once(": ") else { return false };
    let value = value.split(',').next().unwrap_or_default();
    let key = what.trim_start_matches("invalid ").replace("participating-sig", "participating-sigs");
    is_template_value(&key, value)
}

#[test]
fn node_approvers_are_judged_as_upstream_judges_them() {
    let Some(shared) = shared() else { return };
    let template = Template::built_in();
    let rules = ["node-approver", "invalid-yaml"];
    let mut agreement = Agreement::default();
    for case in records(&shared, "node-approvers-cases.jsonl") {
        let mut texts = kep("keps/sig-node/1234-foo", text(&case, "kep_yaml").into());
        if let Some(owners) = case["owners"].as_str() {
            texts.owners = Some(texts.push(SourceFile::decode("OWNERS", owners.into())));
        }
        let tree = Repository {
            tech_leads: strings(&case["tech_leads"]).into_iter().map(str::to_lowercase).collect(),
            ..Repository::default()
        };
        let minor = u32::try_from(case["upcoming"].as_u64().expect("a minor release")).expect("a small one");
        // The stage makes the KEP active whatever its status; which one does not matter, the rule reads kep.yaml's.
        let options = Options {
            stage: Some(Stage::Alpha),
            release: Release { major: 1, minor },
            selection: selection(&rules),
            ..Options::default()
        };
        let found = lint(texts, &template, &tree, &options).diagnostics;
        let is_refused = ["verify_kep_error", "tech_lead_error"].iter().any(|key| case[*key].is_string())
            || ["verify_kep", "tech_lead"].iter().any(|key| !strings(&case[*key]).is_empty());
        let has_error = found.iter().any(|found| found.severity == Severity::Error);
        let told = || format!("{} {} | {}", case["verify_kep"], case["tech_lead"], said(&found));
        agreement.note(text(&case, "name"), is_refused == has_error, told);
    }
    agreement.print("SIG Node's approvers are judged alike");
    agreement.assert("SIG Node's approvers are judged alike");
}
