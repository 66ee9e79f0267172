//! How a page says that a KEP is checked, and where it is.

use super::{answer, check, directories, kep, sample};
use kep_lint::editor::page::engine::Engine;
use kep_lint::rules::ALL;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn settings_are_the_options_of_the_command_line() {
    let tree = sample();
    let mut engine = Engine::default();
    let count = |directory: &String| {
        let findings = check(&mut Engine::default(), kep(&tree, directory), json!({}))["findings"].take();
        findings.as_array().map_or(0, Vec::len)
    };
    let directory = directories(&tree).into_iter().max_by_key(count).expect("there are KEPs");
    let mut checked = |settings: Value| check(&mut engine, kep(&tree, &directory), settings);
    let names = |answer: &Value, key: &str| -> BTreeSet<String> {
        let findings = answer["findings"].as_array().expect("a list").iter();
        findings.map(|finding| finding[key].as_str().expect("a text").to_owned()).collect()
    };
    let all = checked(json!({}));
    let empty = json!({ "stage": "", "release": null, "preset": "", "level": "", "config": " \n", "select": null });
    assert_eq!(checked(empty), all, "what is empty is as if it were not there");
    let stable = checked(json!({ "stage": "ga", "release": "v1.40" }));
    assert!(stable["kep"]["lines"][1].to_string().contains("Checked for stable in v1.40"), "{stable}");
    assert_eq!(stable["kep"]["stage"], all["kep"]["stage"], "that of kep.yaml");
    assert_ne!(stable["kep"]["stage"], "stable");
    let errors = checked(json!({ "level": "error" }));
    assert!(names(&errors, "severity").iter().all(|name| name == "error"));
    assert_eq!(errors["summary"], all["summary"], "all are counted");
    let text = checked(json!({ "select": ["text"] }));
    let rules: BTreeSet<&str> =
        ALL.iter().filter(|rule| rule.category.name() == "text").map(|rule| rule.name).collect();
    assert!(names(&text, "rule").iter().all(|rule| rules.contains(rule.as_str())), "{text}");
    let rule = names(&all, "rule").into_iter().next().expect("there is one");
    let quiet = checked(json!({ "config": format!("exclude: [keps]\nrules: {{{rule}: off}}\n") }));
    assert!(!names(&quiet, "rule").contains(&rule) && quiet["summary"] != all["summary"]);
    let conditions = quiet["conditions"].as_array().expect("a list");
    assert!(conditions[0].as_str().is_some_and(|line| line.contains(&format!("rules: {rule} off"))), "{conditions:?}");
}

#[test]
fn a_prr_file_that_belongs_to_no_kep_is_not_taken_for_checked() {
    let review = "kep-number: 12\nalpha:\n  approver: \"@johnbelamaric\"\n";
    let conditions = |metadata: Option<&str>, review: Option<&str>| {
        let files = json!({ "readme": "# Images\n", "metadata": metadata, "review": review, "others": {} });
        check(&mut Engine::default(), files, json!({}))["conditions"].take()
    };
    let said = json!(["the PRR file is not checked: that needs a kep.yaml with `kep-number` and `owning-sig`"]);
    assert_eq!(conditions(None, Some(review)), said);
    assert_eq!(conditions(Some("title: Pods\nowning-sig: sig-node\n"), Some(review)), said);
    assert_eq!(conditions(Some("title: Pods\nkep-number: 12\n"), Some(review)), said);
    assert_eq!(conditions(Some("title: Pods\nkep-number: 12\nowning-sig: sig-node\n"), Some(review)), json!([]));
    assert_eq!(conditions(None, None), json!([]));
}

#[test]
fn a_kep_without_a_number_is_called_so() {
    let titles = |readme: &str| {
        let mut engine = Engine::default();
        let files = json!({ "readme": readme, "metadata": "title: Pods\n", "others": {} });
        let number = check(&mut engine, files, json!({}))["kep"]["number"].take();
        let today = json!({ "ask": "ready", "stage": "alpha", "today": "2026-11-25" });
        let checklist = answer(&mut engine, today);
        let markdown = checklist["markdown"].as_str().and_then(|text| text.lines().next()).map(str::to_owned);
        (number, checklist["title"].as_str().map(str::to_owned), markdown.unwrap_or_default())
    };
    let (number, title, heading) = titles("# Images\n");
    assert_eq!(number, Value::Null);
    assert!(title.is_some_and(|title| title.starts_with("KEP without a number for alpha in v1.")));
    assert!(heading.starts_with("### KEP without a number for alpha in v1."), "{heading}");
    assert!(titles("# KEP-12: Images\n").1.is_some_and(|title| title.starts_with("KEP-12 for alpha in v1.")));
}

#[test]
fn a_guess_adds_no_finding_of_its_own() {
    let mut engine = Engine::default();
    let mut found = |metadata: &str| {
        let kep =
            json!({ "directory": null, "readme": "# Images\n", "metadata": metadata, "review": null, "others": {} });
        let checked = check(&mut engine, kep, json!({}));
        let findings = checked["findings"].as_array().expect("a list").iter();
        let about = findings.filter(|it| {
            ["misplaced-kep", "owning-sig-mismatch", "kep-number-mismatch", "unknown-sig"]
                .map(Value::from)
                .contains(&it["rule"])
        });
        let rules: Vec<String> = about.map(|it| it["rule"].as_str().expect("a text").to_owned()).collect();
        (checked["place"]["directory"].as_str().expect("a text").to_owned(), rules)
    };
    let some = |directory: &str, rules: &[&str]| {
        (directory.to_owned(), rules.iter().map(|rule| (*rule).to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(found("title: Pods\nkep-number: 12\nowning-sig: sig-node\n"), some("keps/sig-node/12-pods", &[]));
    assert_eq!(found("kep-number: 12\nowning-sig: node\n"), some("keps/node/12-images", &["unknown-sig"]));
    assert_eq!(found("owning-sig: ug-vmware\n"), some("keps/ug-vmware/0-images", &["unknown-sig"]));
    assert_eq!(found("title: ../..\n"), some("keps/sig-unknown/0-kep", &[]));
}

const METADATA: &str = "title: Pods\nkep-number: 12\nowning-sig: sig-node\nstatus: implementable\nstage: alpha\n\
    latest-milestone: \"v1.37\"\napprovers:\n  - \"@ann\" # sig-node-assigned-approver\n";

/// The names of what a page lacks, and the rules that report something.
fn lacked(files: Value, settings: Value) -> (Vec<String>, BTreeSet<String>) {
    let checked = check(&mut Engine::default(), files, settings);
    let texts = |list: &Value, key: &str| -> Vec<String> {
        let list = list.as_array().expect("a list").iter();
        list.map(|it| it[key].as_str().expect("a text").to_owned()).collect()
    };
    (texts(&checked["lacks"], "name"), texts(&checked["findings"], "rule").into_iter().collect())
}

#[test]
fn what_is_not_open_is_not_missing() {
    let readme = "# Images\n\n## Summary\n\nTBD\n";
    let files = |metadata: Option<&str>, readme: Option<&str>, others: Value| json!({ "readme": readme, "metadata": metadata, "review": null, "others": others });
    let (lacks, rules) = lacked(files(None, Some(readme), json!({})), json!({}));
    assert_eq!((lacks, rules), (vec!["kep.yaml".to_owned()], BTreeSet::from(["missing-toc".to_owned()])));
    let (lacks, rules) = lacked(files(None, Some(readme), json!({})), json!({ "stage": "alpha" }));
    assert_eq!(lacks, ["kep.yaml"]);
    assert!(rules.contains("missing-section") && !rules.contains("missing-kep-yaml"), "{rules:?}");
    let (lacks, rules) = lacked(files(Some(METADATA), None, json!({})), json!({}));
    assert_eq!(lacks, ["README.md", "the PRR file", "OWNERS"]);
    assert!(["missing-readme", "missing-prr"].iter().all(|rule| !rules.contains(*rule)), "{rules:?}");
    let (lacks, _) = lacked(files(Some(METADATA), None, json!({ "OWNERS": "approvers:\n  - bob\n" })), json!({}));
    assert_eq!(lacks, ["README.md", "the PRR file"]);
    // Whoever asks for a rule wants what it says.
    let (lacks, rules) = lacked(files(Some(METADATA), None, json!({})), json!({ "select": ["missing-prr"] }));
    assert_eq!((lacks, rules), (Vec::new(), BTreeSet::from(["missing-prr".to_owned()])));
}

#[test]
fn a_checklist_says_what_is_not_known() {
    let answers = |files: Value| -> Vec<String> {
        let mut engine = Engine::default();
        check(&mut engine, files, json!({}));
        let ready = answer(&mut engine, json!({ "ask": "ready", "today": "2026-06-01" }));
        let entries = ready["entries"].as_array().expect("a list").iter();
        let entries =
            entries.filter(|entry| entry["words"].as_str().is_some_and(|words| words.starts_with("not known")));
        entries.map(|entry| format!("{}: {}, {}", entry["name"], entry["state"], entry["words"])).collect()
    };
    let alone = answers(json!({ "readme": "# Images\n", "others": {} }));
    assert!(alone.iter().any(|line| line.contains("kep.yaml is not open")), "{alone:?}");
    assert!(alone.contains(&r#""tree": "look", "not known here: the directory of the KEP is not open""#.to_owned()));
    let without = answers(json!({ "readme": "# Images\n", "metadata": METADATA, "others": {} }));
    assert!(
        without.contains(&r#""prr": "look", "not known here: the PRR file is not open""#.to_owned()),
        "{without:?}"
    );
    let without = answers(json!({ "metadata": METADATA, "others": {} }));
    assert!(without.iter().any(|line| line.contains("README.md is not open")), "{without:?}");
}

#[test]
fn another_release_and_an_empty_list_of_rules_are_said_and_ignored() {
    let tree = sample();
    let directory = directories(&tree).swap_remove(0);
    let checked = |settings: Value| check(&mut Engine::default(), kep(&tree, &directory), settings);
    assert_eq!(checked(json!({ "select": [] })), checked(json!({})));
    let conditions = checked(json!({ "release": "v1.99" }))["conditions"].take();
    assert!(conditions.to_string().contains("v1.99 is chosen, so that this check may be less strict"), "{conditions}");
}

#[test]
fn a_gate_may_be_that_of_a_kep_that_is_not_open() {
    let question = "How can this feature be enabled / disabled in a live cluster?";
    let gate = "- [x] Feature gate (also fill in values in `kep.yaml`)\n  - Feature gate name: OtherGate\n";
    let around = "## Production Readiness Review Questionnaire\n\n### Feature Enablement and Rollback";
    let readme = format!("# KEP-1: Prefetch images\n\n{around}\n\n###### {question}\n\n{gate}");
    let metadata = "kep-number: 1\nstage: alpha\nstatus: implementable\nfeature-gates:\n  - name: PrefetchImages\n";
    let kep = json!({ "directory": null, "readme": readme, "metadata": metadata, "review": null });
    let checked = check(&mut Engine::default(), kep, json!({}));
    let mut findings = checked["findings"].as_array().expect("a list").iter();
    let found = findings.find(|finding| finding["rule"] == "feature-gate-mismatch").expect("it is reported");
    assert_eq!(found["severity"], "suggestion", "{found}");
}
