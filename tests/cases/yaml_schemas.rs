//! The JSON schemas of kep.yaml and PRR files say the same as the rules, as far as a schema can: it sees values, not
//! text, and a milestone or a date by its form alone.

use crate::corpus::Keps;
use crate::oracle::{field, kepval_input, recorded, said};
use crate::support::library::{self, Against};
use crate::support::program::{kep_lint, text};
use crate::support::{files_below, project};
use crate::without_data;
use jsonschema::Validator;
use kep_lint::template::Template;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, LazyLock};

/// The rules about the values that a schema sees.
const RULES: [&str; 12] = [
    "invalid-date",
    "invalid-milestone",
    "invalid-prr",
    "invalid-stage",
    "invalid-status",
    "missing-key",
    "missing-prr",
    "no-approver",
    "placeholder-value",
    "unknown-key",
    "unknown-sig",
    "wrong-type",
];

/// The rules whose findings a schema has too.
const SAME: [&str; 4] = ["invalid-status", "missing-key", "unknown-key", "wrong-type"];

static TEMPLATE: LazyLock<Arc<Template>> = LazyLock::new(Template::built_in);

pub fn trials(corpus: Option<&Arc<Keps>>) -> Vec<Trial> {
    let names =
        ["schemas/the corpus is accepted but where rules say why", "schemas/recorded cases are as the rules say"];
    vec![
        match corpus.cloned() {
            Some(corpus) => Trial::test(names[0], move || accepts_the_corpus(&corpus)),
            None => without_data(names[0]),
        },
        Trial::test(names[1], || {
            let cases = recorded("kepval-cases.jsonl");
            let schema = schema("kep");
            let different: Vec<String> = cases.iter().filter_map(|case| difference(&schema, case)).collect();
            if different.is_empty() { Ok(()) } else { Err(different.join("\n").into()) }
        }),
    ]
}

fn schema(of: &str) -> Validator {
    let printed = kep_lint(project(), ["schema", of]);
    let schema = serde_json::from_str(&printed.stdout).expect("the schema is JSON");
    jsonschema::draft7::new(&schema).expect("the schema is one of draft 7")
}

/// Every file of a KEP that a schema refuses has a finding, and one that it accepts has no error about its values;
/// templates are no KEPs.
fn accepts_the_corpus(corpus: &Keps) -> Result<(), libtest_mimic::Failed> {
    let reviews = corpus.root.join("keps/prod-readiness");
    let mut reasons: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for found in corpus.findings().iter().filter(|found| RULES.contains(&text(&found["rule"]))) {
        reasons.entry(text(&found["path"])).or_default().push(found);
    }
    for (of, least) in [("kep", 600), ("prr", 400)] {
        let schema = schema(of);
        let files = files_below(&corpus.root.join("keps"), &|path| match of {
            "kep" => path.ends_with("kep.yaml"),
            _ => path.starts_with(&reviews) && path.extension().is_some_and(|extension| extension == "yaml"),
        });
        let (mut accepted, mut refused, mut missed) = (0, Vec::new(), Vec::new());
        for path in files.iter().filter(|path| !path.to_string_lossy().contains("template")) {
            let yaml = fs::read_to_string(path)?;
            let value: Value = serde_yaml::from_str(&yaml)?;
            let shown = path.strip_prefix(&corpus.root)?.to_string_lossy().replace('\\', "/");
            let reasons = reasons.get(shown.as_str()).map(Vec::as_slice).unwrap_or_default();
            if schema.is_valid(&value) {
                accepted += 1;
                let errors = reasons.iter().filter(|found| text(&found["severity"]) == "error");
                missed.extend(errors.map(|found| format!("{shown}: {}", text(&found["message"]))));
                continue;
            }
            if reasons.is_empty() {
                let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
                refused.push(format!("{shown}: {}", errors.join("; ")));
            }
        }
        if accepted < least || !refused.is_empty() || !missed.is_empty() {
            let message = format!("refused without a finding: {refused:#?}; accepted with an error: {missed:#?}");
            return Err(format!("{of}: {accepted} accepted; {message}").into());
        }
    }
    Ok(())
}

/// How the schema and the rules differ about a recorded kep.yaml. Left out is what a schema does not see or what JSON does
/// not have: text that is not YAML or that upstream reads otherwise, keys that come twice, tags, numbers such as NaN, and a quoted `<<`.
fn difference(schema: &Validator, case: &Value) -> Option<String> {
    let (repository, texts) = kepval_input(case);
    let yaml = &texts.file(texts.metadata.file()?).text;
    let mut value: serde_yaml::Value = serde_yaml::from_str(yaml).ok()?;
    value.apply_merge().ok()?;
    let value = serde_json::to_value(value).ok()?;
    let options = library::options(|_| {});
    let report = Against { template: &TEMPLATE, repository: &repository, options: &options }.lint(&texts);
    let file = texts.metadata.file();
    let found: Vec<_> = report.diagnostics.into_iter().filter(|found| Some(found.span.file) == file).collect();
    let is_about = |rules: &[&str]| found.iter().any(|found| rules.contains(&found.rule));
    let name = field(case, "name");
    let has_other_values = ["[!", "[.", "[-.", "merge-quoted"].iter().any(|part| name.contains(part));
    if is_about(&["duplicate-key", "invalid-yaml"]) || has_other_values {
        return None;
    }
    if schema.is_valid(&value) {
        return is_about(&SAME).then(|| format!("{name}: only rules refuse it: {}", said(&found)));
    }
    let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
    (!is_about(&RULES)).then(|| format!("{name}: only the schema refuses it: {}", errors.join("; ")))
}
