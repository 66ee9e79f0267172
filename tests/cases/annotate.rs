//! `template annotate` on the templates of real repositories: KEPs have the same findings with the result.

use crate::support::program::{items, kep_lint, kep_lint_json, text};
use crate::support::project;
use crate::with_data;
use kep_lint::markdown::title::Title;
use kep_lint::source::SourceFile;
use kep_lint::template::Template;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The template of Kubernetes.
const KUBERNETES: &str = "keps/NNNN-kep-template/README.md";

pub fn trials() -> Vec<Trial> {
    vec![
        with_data("annotate/kubernetes", "corpus", kubernetes_has_the_findings_of_the_built_in_template),
        with_data("compare/kubernetes", "corpus", kubernetes_is_compared_with_the_built_in_template),
        with_data("annotate/kueue", "other-repositories/kueue", kueue_has_the_findings_of_the_built_in_template),
    ]
}

/// The built-in template has all headings of that of Kubernetes, at their places, and a directive for each.
fn kubernetes_is_compared_with_the_built_in_template(corpus: &Path) {
    let built_in = project().join("templates/kep.md");
    let built_in = built_in.to_str().expect("it is UTF-8");
    let printed = kep_lint(corpus, ["template", "compare", KUBERNETES, built_in, "--format", "json"]);
    let table: Value = serde_json::from_str(&printed.stdout).expect("it is JSON");
    let kinds: BTreeSet<&str> = items(&table).iter().map(|row| text(&row["change"])).collect();
    assert_eq!((printed.status, kinds), (1, BTreeSet::from(["other text"])), "{}", printed.stdout);
    assert!(items(&table).iter().all(|row| row["line"].as_u64().is_some_and(|line| line > 1)), "{}", printed.stdout);
    let printed = kep_lint(corpus, ["template", "compare", built_in, KUBERNETES]);
    assert!(printed.stderr.contains("has no directives: `kep-lint template annotate"), "{}", printed.stderr);
    let printed = kep_lint(corpus, ["template", "compare", KUBERNETES, KUBERNETES]);
    assert!(printed.status == 0 && printed.stderr.contains("no difference"), "{}", printed.stderr);
    let printed = kep_lint(corpus, ["template", "compare", "nowhere.md", KUBERNETES]);
    assert!(printed.status == 2 && printed.stderr.contains("`nowhere.md`"), "{}", printed.stderr);
}

/// Rules about the sections that a template requires.
const GAPS: [&str; 5] =
    ["missing-section", "empty-section", "placeholder-section", "commented-out-section", "template-text"];

/// The annotated template of a repository, in a file.
fn annotated(repository: &Path, template: &str, says: &str) -> (TempDir, PathBuf) {
    let printed = kep_lint(repository, ["template", "annotate", template]);
    assert_eq!((printed.status, printed.stderr.as_str()), (0, says));
    let before = fs::read_to_string(repository.join(template)).expect("the template is UTF-8");
    let is_directive = |line: &&str| line.starts_with("<!--DIRECTIVE: ");
    let rest: String = printed.stdout.split_inclusive('\n').filter(|line| !is_directive(line)).collect();
    assert!(rest == before, "more than directives was added");
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("template.md");
    fs::write(&file, printed.stdout).expect("a file");
    let checked = kep_lint(directory.path(), ["template", "check", "--fail-on", "suggestion", "template.md"]);
    assert_eq!(checked.status, 0, "{}", checked.stdout);
    (directory, file)
}

/// What is found in the KEPs of a directory with this template, by what each finding is about.
fn findings(
    repository: &Path,
    keps: &str,
    template: Option<&Path>,
    about: &dyn Fn(&Value) -> Option<Value>,
) -> Vec<String> {
    let template = template.map(|template| ["--template", path(template)]);
    let arguments = std::iter::once(keps).chain(template.into_iter().flatten());
    let run = kep_lint_json(repository, &arguments.collect::<Vec<_>>());
    assert!(run["keps"].as_u64().is_some_and(|keps| keps > 20), "{}", run["keps"]);
    items(&run["diagnostics"]).iter().filter_map(about).map(|found| found.to_string()).collect()
}

/// A finding as people see it, unless it is about the template itself.
fn as_seen(found: &Value) -> Option<Value> {
    let keys = ["path", "start", "rule", "severity", "message", "help", "section"];
    let is_about_template = text(&found["rule"]) == "unknown-template-section";
    (!is_about_template).then(|| keys.iter().map(|key| found[*key].clone()).collect())
}

fn path(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

fn kubernetes_has_the_findings_of_the_built_in_template(corpus: &Path) {
    let (_keep, template) = annotated(corpus, KUBERNETES, "added 57 directives\n");
    let built_in = project().join("templates/kep.md");
    let found = |template| findings(corpus, "keps/sig-node", Some(template), &as_seen);
    let expected = found(built_in.as_path());
    assert!(expected.len() > 100, "{}", expected.len());
    assert_eq!(found(template.as_path()), expected);
}

fn kueue_has_the_findings_of_the_built_in_template(kueue: &Path) {
    let own = "keps/NNNN-template/README.md";
    let (_keep, template) = annotated(kueue, own, "added 21 directives\n");
    let annotated = fs::read_to_string(&template).expect("it was written");
    assert!(!annotated.contains("since:"), "its releases are not those of Kubernetes");
    // As it is, the template borrows the same directives.
    let expected = findings(kueue, "keps", None, &as_seen);
    assert_eq!(findings(kueue, "keps", Some(template.as_path()), &as_seen), expected);

    let titles = |template: &Template| template.sections.iter().map(|it| it.title.key.clone()).collect::<BTreeSet<_>>();
    let file = SourceFile::decode("template.md", annotated.into_bytes());
    let shared: BTreeSet<String> =
        titles(&Template::parse(file)).intersection(&titles(&Template::built_in())).cloned().collect();
    assert!(shared.len() > 15, "{shared:?}");
    let gap = |found: &Value| {
        let title = found["section"].as_array()?.last()?.as_str()?;
        let is_gap = GAPS.contains(&text(&found["rule"])) && shared.contains(&Title::new(title).key);
        let keys = ["path", "rule", "severity", "section"];
        is_gap.then(|| keys.iter().map(|key| found[*key].clone()).collect())
    };
    let built_in = project().join("templates/kep.md");
    let expected = findings(kueue, "keps", Some(built_in.as_path()), &gap);
    assert!(expected.len() > 20, "{}", expected.len());
    assert_eq!(findings(kueue, "keps", Some(template.as_path()), &gap), expected);
}
