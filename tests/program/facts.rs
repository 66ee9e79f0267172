//! `kep-lint facts`: what it writes is what a run in the whole tree knows, with its configuration, links and templates.

use crate::support::program::{Printed, items, kep_lint, text};
use crate::support::scratch::Scratch;
use crate::support::{files_below, project};
use kep_lint::report::json;
use kep_lint::repository::facts::Facts;
use kep_lint::source::SourceFile;
use kep_lint::workspace::files::memory::Memory;
use kep_lint::workspace::project::{Project, Terms};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Runs `kep-lint facts` in a repository.
fn facts(repository: &Scratch, arguments: &[&str]) -> Printed {
    kep_lint(&repository.at("."), [&["facts"], arguments].concat())
}

fn read(printed: &Printed) -> Arc<Facts> {
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""));
    let file = SourceFile::decode("facts.json", printed.stdout.clone().into_bytes());
    Arc::new(Facts::parse(&file).expect("it was written just now"))
}

/// The findings of a report, each as a line.
fn lines(report: &Value, directory: &str) -> Vec<String> {
    let is_own = |found: &&Value| text(&found["path"]).starts_with(&format!("{directory}/"));
    let is_elsewhere = |found: &Value| text(&found["message"]).contains("` in `keps/");
    let found = items(&report["diagnostics"]).iter().filter(is_own).filter(|found| !is_elsewhere(found));
    found
        .map(|found| {
            ["path", "start", "severity", "rule", "message", "help", "fingerprint"]
                .map(|key| found[key].to_string())
                .join(" ")
        })
        .collect()
}

/// Asserts that each KEP of the tree, which is in the directory `around`, has the findings that a run over all has.
fn assert_same(repository: &Scratch, around: &str, options: &[&str]) -> Vec<String> {
    let tree = repository.at(around);
    let report = kep_lint(&tree, [&["keps", "--format", "json"], options].concat());
    let report: Value = serde_json::from_str(&report.stdout).unwrap_or_else(|_| panic!("{report:?}"));
    let facts = read(&kep_lint(&tree, [&["facts"], options].concat()));
    let mut all = Vec::new();
    let keps: Vec<&str> = items(&report["targets"]).iter().map(|target| text(&target["kep"])).collect();
    for kep in keps.iter().filter(|kep| tree.join(kep).canonicalize().is_ok_and(|real| real.ends_with(kep))) {
        let mut files = Memory::default();
        for path in files_below(&tree.join(kep), &|_| true) {
            let way = path.strip_prefix(&tree).expect("it is below").to_str().expect("it is UTF-8");
            files.insert(way, fs::read(&path).expect("it can be read"));
        }
        let project = Project::among(Terms::known(&facts).expect("it is known"), &facts, files);
        let run = project.check();
        let alone: Value = serde_json::from_str(&json::render(&run)).expect("it is JSON");
        let inside = lines(&report, kep);
        assert_eq!(lines(&alone, kep), inside, "{kep}");
        all.extend(inside);
    }
    assert!(!all.is_empty(), "there are findings");
    all
}

const METADATA: &str = "title: Images\nkep-number: 1\nowning-sig: sig-node\nstatus: implementable\nstage: alpha\n\
                        latest-milestone: \"v1.37\"\n";

#[test]
fn the_configuration_counts_as_in_a_run() {
    let repository = Scratch::sample();
    let template = fs::read_to_string(project().join("templates/kep.md")).expect("it is there");
    repository.write("docs/template.md", &template.replace("## Infrastructure Needed", "## Machines Needed"));
    repository.write(
        "hack/gates.yaml",
        "since: v0.1\nfinal: v0.1\nnewest: {release: v0.2, date: 2026-01-02, commit: 0123abcd}\ngates:\n- {name: QuotaGate, alpha: \"0.1\"}\n",
    );
    repository.write(
        ".kep-lint.yaml",
        "template: docs/template.md\nfeature-gates: hack/gates.yaml\npreset: strict\napprovers: [nobody]\nrelease: v1.36\n\
         groups: [sig-nod]\noverrides:\n  - paths: [keps/sig-node]\n    rules: {missing-section: off}\n",
    );
    let configured = assert_same(&repository, ".", &[]);
    let is_of_node = |line: &&String| line.contains("keps/sig-node/") && line.contains("\"missing-section\"");
    assert!(!configured.iter().any(|line| is_of_node(&line)));
    assert!(configured.iter().any(|line| line.contains("\"missing-section\"")), "{configured:?}");
    let isolated = read(&facts(&repository, &["--isolated"]));
    assert_eq!(isolated.written.configuration, None);

    // In `keps` itself, and elsewhere.
    fs::remove_file(repository.at(".kep-lint.yaml")).expect("it is there");
    repository.write("keps/.kep-lint.yaml", "overrides:\n  - paths: [sig-node]\n    rules: {missing-section: off}\n");
    let inside = assert_same(&repository, ".", &[]);
    assert!(!inside.iter().any(|line| is_of_node(&line)) && inside.len() > 10);
    let deep = Scratch::empty();
    deep.write("a/b/keps/sig-node/1-images/README.md", "# KEP-1: Images\n");
    deep.write("a/b/keps/sig-node/1-images/kep.yaml", METADATA);
    deep.write("own.yaml", "overrides:\n  - paths: [a/b/keps/sig-node]\n    rules: {missing-section: off}\n");
    assert!(assert_same(&deep, "a/b", &[]).iter().any(|line| is_of_node(&line)));
    assert!(!assert_same(&deep, "a/b", &["--config", "../../own.yaml"]).iter().any(|line| is_of_node(&line)));
    deep.write("a/b/kep-lint.yaml", "ruels: {}\n");
    let wrong = facts(&deep, &["a/b/keps"]);
    assert!(wrong.status == 2 && wrong.stdout.is_empty() && wrong.stderr.contains("unknown key `ruels`"), "{wrong:?}");
}

#[test]
fn other_repositories_have_facts_too() {
    let repository = Scratch::of(&[
        ("keps/7-quotas/README.md", b"# KEP-7: Quotas\n\nSee [it](../8-x/README.md) and [this](/keps/9-z).\n"),
        (
            "keps/7-quotas/kep.yaml",
            b"title: Quotas\nkep-number: 7\nstatus: implementable\nstage: beta\nlatest-milestone: v0.1\n",
        ),
        ("keps/8-x/README.md", b"# KEP-8: X\n"),
        ("keps/NNNN-template/README.md", b"# KEP-NNNN: Title\n\n## Summary\n\n## Own Section\n"),
    ]);
    let found = assert_same(&repository, ".", &[]);
    let names = |section: &str| {
        found.iter().any(|line| line.contains("\"missing-section\"") && line.contains(&format!("`{section}`")))
    };
    assert!(names("Summary") && !names("Goals"), "its own template counts: {found:?}");
    assert!(!read(&facts(&repository, &[])).written.has_groups);
}

#[cfg(unix)]
#[test]
fn the_facts_are_those_of_the_tree_from_any_place_in_it() {
    use std::os::unix::fs::symlink;
    let repository = Scratch::sample();
    repository.write("keps/sig-node/1-images/README.md", "# KEP-1: Images\n\n[a](/keps/dangling) [b](/keps/x.md)\n");
    repository.write("keps/sig-node/1-images/kep.yaml", METADATA);
    symlink("nowhere", repository.at("keps/dangling")).expect("a link");
    symlink("sig-node/1-images/README.md", repository.at("keps/x.md")).expect("a link");
    assert_same(&repository, ".", &[]);
    let printed = facts(&repository, &[]);
    assert_eq!(facts(&repository, &["keps/sig-node/1-images"]).stdout, printed.stdout);
    assert_eq!(facts(&repository, &["./keps/../keps/"]).stdout, printed.stdout);
    assert_eq!(kep_lint(&repository.at("keps/sig-node"), ["facts"]).stdout, printed.stdout);
    let absolute = repository.at("keps");
    assert_eq!(kep_lint(Path::new("/"), ["facts", absolute.to_str().expect("it is UTF-8")]).stdout, printed.stdout);
}

#[test]
fn facts_are_written_into_a_new_file_or_over_others() {
    let repository = Scratch::sample();
    let written = facts(&repository, &["--output", "facts.json"]);
    assert_eq!((written.status, written.stdout.as_str()), (0, ""), "{written:?}");
    assert!(written.stderr.starts_with("wrote `facts.json`: facts of `keps` with "), "{written:?}");
    assert_eq!(repository.read("facts.json"), facts(&repository, &[]).stdout);
    repository.write("keps/sig-node/1-images/README.md", "# KEP-1: Images\n");
    assert_eq!(facts(&repository, &["--output", "facts.json"]).status, 0);
    assert!(repository.read("facts.json").contains("1-images"));
    for (file, content) in [("README.md", "# Mine\n"), ("report.json", "{\"version\": 1}\n")] {
        repository.write(file, content);
        let refused = facts(&repository, &["--output", file]);
        assert_eq!(refused.status, 2);
        assert!(refused.stderr.contains(&format!("`{file}` exists, and has no facts")), "{refused:?}");
        assert_eq!(repository.read(file), content);
    }
    let refused = facts(&repository, &["--output", "-"]);
    assert!(refused.status == 2 && refused.stderr.contains("`-` is not a file"), "{refused:?}");
    assert!(!repository.at("-").exists());
}

#[test]
fn what_cannot_be_read_is_said_and_nothing_is_written() {
    let repository = Scratch::sample();
    repository.write("keps/sig-node/1-images/kep.yaml", &"title: Images\n".repeat(200_000));
    let large = facts(&repository, &["--output", "facts.json"]);
    assert!(large.status == 2 && large.stderr.contains("1-images/kep.yaml"), "{large:?}");
    assert!(!repository.at("facts.json").exists());
    let large = facts(&repository, &[]);
    assert!(large.status == 2 && large.stdout.is_empty(), "{large:?}");
    repository.write("docs/note.txt", "");
    for (path, message) in [
        ("nowhere", "`nowhere` does not exist"),
        ("docs", "contains no KEP"),
        ("OWNERS_ALIASES", "name a directory `keps`"),
    ] {
        let none = facts(&repository, &[path]);
        assert!(none.status == 2 && none.stderr.contains(message), "{none:?}");
    }
    for tree in ["two/a", "two/b"] {
        repository.write(&format!("{tree}/keps/sig-node/2-pods/README.md"), "# KEP-2: Pods\n");
    }
    let two = facts(&repository, &["two"]);
    let message = "there are several trees of KEPs: `two/a/keps`, `two/b/keps`";
    assert!(two.status == 2 && two.stderr.contains(message), "{two:?}");
    assert_eq!(read(&facts(&repository, &["two/b"])).written.keps.keys().collect::<Vec<_>>(), ["keps/sig-node/2-pods"]);
}
