//! The configuration file: where it is found, what it changes, what is refused, and that docs/configuration.md and the schema say
//! the same.

use crate::support::program::{Printed, kep_lint, kep_lint_json, kep_lint_lines};
use crate::support::scratch::Scratch;
use crate::support::{assert_generated_part, project};
use kep_lint::config::{json_schema, key, parse};
use kep_lint::source::SourceFile;
use serde_json::Value;
use std::fs;
use std::path::Path;

const METADATA: &str = "title: X\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\napprovers: [\"@bob\"]\n\
                        status: provisional\nsee-also: [/keps/sig-node/9-gone]\n";

/// A repository with three KEPs, each with a wrong title and a dead reference, and this configuration.
fn repository(config: &str) -> tempfile::TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    for kep in ["sig-node/1-a", "sig-node/2-b", "sig-apps/3-c"] {
        let directory = tree.path().join("keps").join(kep);
        fs::create_dir_all(&directory).expect("a directory");
        fs::write(directory.join("README.md"), "# KEP-9: X\n\n## Summary\n\nText.\n").expect("a file");
        fs::write(directory.join("kep.yaml"), METADATA).expect("a file");
    }
    fs::create_dir(tree.path().join(".git")).expect("a directory");
    fs::write(tree.path().join(".kep-lint.yaml"), config).expect("a file");
    tree
}

/// Which of two rules report how severely in which KEP.
fn found(printed: &Printed) -> Vec<String> {
    let line = |line: &str| {
        let (path, rest) = line.split_once(": ")?;
        let kep = path.split('/').find(|name| name.as_bytes().get(1) == Some(&b'-'))?;
        let sign = rest.split(']').next()?;
        (sign.ends_with("[bad-title") || sign.ends_with("[dead-reference")).then(|| format!("{kep} {sign}]"))
    };
    printed.stdout.lines().filter_map(line).collect()
}

fn run(tree: &Path, arguments: &[&str]) -> Printed {
    kep_lint_lines(tree, ["--level", "suggestion"].iter().chain(arguments))
}

#[test]
fn levels_are_those_of_the_last_match() {
    let config = "rules:\n  bad-title: warning\n  dead-reference: {provisional: error, active: off}\noverrides:\n\
                  - paths: [keps/sig-node]\n  rules: {bad-title: off}\n- paths: keps/*/2-*\n  rules: {bad-title: suggestion}\n";
    let tree = repository(config);
    let printed = run(tree.path(), &[]);
    let expected = [
        "3-c warning[bad-title]",
        "3-c error[dead-reference]",
        "1-a error[dead-reference]",
        "2-b suggestion[bad-title]",
        "2-b error[dead-reference]",
    ];
    assert_eq!(found(&printed), expected, "{}", printed.stderr);
    assert!(printed.stderr.contains("\n`.kep-lint.yaml` makes this run less strict: "), "{}", printed.stderr);
    let json = kep_lint_json(tree.path(), &["--isolated"]);
    assert_eq!(json["summary"]["error"], Value::from(3 + 2), "{}", json["summary"]);
    // The command line wakes a rule that is off.
    let selected = run(tree.path(), &["--select", "bad-title", "keps/sig-node/1-a"]);
    assert_eq!(found(&selected), ["1-a suggestion[bad-title]"]);
}

#[test]
fn levels_count_for_prr_files_without_a_kep() {
    let sign = |config: &str| {
        let tree = repository(config);
        let reviews = tree.path().join("keps/prod-readiness/sig-node");
        fs::create_dir_all(&reviews).expect("a directory");
        fs::write(reviews.join("7.yaml"), "kep-number: 7\n").expect("a file");
        let printed = run(tree.path(), &["--select", "orphan-prr"]);
        let line =
            printed.stdout.lines().find_map(|line| line.strip_prefix("keps/prod-readiness/sig-node/7.yaml:1:1: "));
        line.and_then(|line| line.split(']').next()).map(str::to_owned)
    };
    assert_eq!(sign("").as_deref(), Some("warning[orphan-prr"));
    assert_eq!(sign("rules: {orphan-prr: error}\n").as_deref(), Some("error[orphan-prr"));
}

#[test]
fn overrides_have_the_conditions_of_filters() {
    let tree = repository(
        "overrides:\n- {status: provisional, author: ann, rules: {bad-title: warning}}\n\
                           - {paths: keps/sig-apps, approver: [zoe, \"@BOB\"], rules: {bad-title: suggestion}}\n\
                           - {milestone: v1.30, rules: {bad-title: off}}\n",
    );
    let printed = run(tree.path(), &["--select", "bad-title"]);
    assert_eq!(found(&printed), ["3-c suggestion[bad-title]", "1-a warning[bad-title]", "2-b warning[bad-title]"]);
    let printed = run(repository("overrides:\n- {status: donne, sig: x}\n- {rules: {}}\n").path(), &[]);
    assert!(printed.status == 2 && printed.stderr.contains(":2:12: "), "{}", printed.stderr);
}

#[test]
fn excluded_keps_are_not_checked_and_still_known() {
    let tree = repository("exclude: [\"**/1-a\"]\n");
    let linked = tree.path().join("keps/sig-node/2-b/README.md");
    fs::write(&linked, "# KEP-2: X\n\nSee [1](../1-a/README.md#summary).\n").expect("a file");
    let printed = run(tree.path(), &[]);
    assert!(!printed.stdout.contains("1-a/") && !printed.stdout.contains("[dead-anchor]"), "{}", printed.stdout);
    assert!(
        printed.stderr.contains("checked 2 KEPs") && printed.stderr.contains("exclude: 1 KEP\n"),
        "{}",
        printed.stderr
    );
    for path in ["keps/sig-node/1-a", "keps/sig-node/1-a/kep.yaml", "1"] {
        let printed = run(tree.path(), &[path]);
        assert_eq!((printed.status, printed.stdout.as_str()), (0, ""), "{path}: {}", printed.stderr);
        assert!(printed.stderr.contains("exclude: 1 KEP\n"), "{}", printed.stderr);
        assert_eq!(run(tree.path(), &[path, "--no-exclude"]).status, 1);
    }
}

#[test]
fn the_nearest_file_up_to_the_root_of_the_repository_is_read() {
    let tree = repository("fail-on: never\n");
    let node = tree.path().join("keps/sig-node");
    assert_eq!(run(&node.join("1-a"), &[]).status, 0);
    assert_eq!(run(&node, &["../sig-apps", "2-b/kep.yaml"]).status, 0);
    assert_eq!(run(tree.path(), &["--isolated"]).status, 1);
    fs::write(node.join("kep-lint.yml"), "exclude: [2-b]\n").expect("a file");
    let printed = run(tree.path(), &["keps/sig-node"]);
    assert_eq!(printed.status, 1);
    assert!(
        printed.stderr.contains("\n`keps/sig-node/kep-lint.yml` makes this run less strict: exclude: 1 KEP\n"),
        "{}",
        printed.stderr
    );
    let printed = run(tree.path(), &["keps/sig-node", "keps/sig-apps"]);
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.contains("error: the paths have different configuration files: "), "{}", printed.stderr);
    let printed = run(tree.path(), &["--config", "keps/sig-node/kep-lint.yml"]);
    assert!(printed.stderr.contains("checked 2 KEPs"), "{}", printed.stderr);
    fs::write(node.join(".kep-lint.yaml"), "").expect("a file");
    let printed = run(tree.path(), &["keps/sig-node"]);
    let says = "error: both `keps/sig-node/.kep-lint.yaml` and `keps/sig-node/kep-lint.yml` exist\n  help: remove one";
    assert!(printed.status == 2 && printed.stderr.contains(says), "{}", printed.stderr);
    // Not above the repository.
    fs::create_dir(node.join("1-a/.git")).expect("a directory");
    assert_eq!(run(&node.join("1-a"), &["--isolated"]).status, run(&node.join("1-a"), &[]).status);
}

/// A folder's configuration must not speak for the rest of the repository.
#[test]
fn a_configuration_for_some_paths_alone_is_refused() {
    let tree = repository("");
    fs::remove_file(tree.path().join(".kep-lint.yaml")).expect("it is there");
    fs::write(tree.path().join("keps/sig-apps/.kep-lint.yaml"), "fail-on: never\n").expect("a file");
    for paths in [["keps/sig-apps", "keps/sig-node"], ["keps/sig-node/1-a/README.md", "keps/sig-apps/3-c/README.md"]] {
        let printed = run(tree.path(), &paths);
        let says = "error: the paths have different configuration files: ";
        assert!(printed.status == 2 && printed.stderr.contains(says), "{}", printed.stderr);
    }
    assert_eq!(run(tree.path(), &["keps/sig-apps"]).status, 0);
}

/// A configuration that works must not stop all runs once a rule is gone.
#[test]
fn a_rule_that_is_gone_has_no_effect() {
    let config = "rules:\n  template-comment: error\n  bad-title: warning\noverrides:\n- paths: [keps/sig-apps]\n  \
                  rules: {long-paragraph-line: off, bad-title: error}\n";
    let tree = repository(config);
    let lines = ".kep-lint.yaml:2: `template-comment` is gone: remove the comments of the template by hand; it has no effect \
                 here\n.kep-lint.yaml:6: `long-paragraph-line` is gone: wrap long lines with a Markdown formatter; it has no \
                 effect here\n";
    let printed = run(tree.path(), &["--select", "bad-title", "--quiet"]);
    assert_eq!(found(&printed), ["3-c error[bad-title]", "1-a warning[bad-title]", "2-b warning[bad-title]"]);
    assert!(printed.stderr.ends_with(lines), "{}", printed.stderr);
    let printed = kep_lint(tree.path(), ["config", "show"]);
    assert_eq!((printed.status, printed.stderr.as_str()), (0, lines));
    assert!(!printed.stdout.contains("template-comment"), "{}", printed.stdout);
}

#[test]
fn what_is_wrong_is_shown_and_nothing_is_checked() {
    let config = "rules:\n  bad-titel: off\n  dead-link: {activ: of}\nfail-onn: x\nrelease: soon\nexclude: [\"[\"]\n\
                  overrides:\n- rules: {}\nlevel: []\n";
    let printed = run(repository(config).path(), &[]);
    assert_eq!((printed.status, printed.stdout.as_str()), (2, ""));
    for says in [
        "error: .kep-lint.yaml:2:3: unknown rule `bad-titel`\n 1 | rules:\n 2 |   bad-titel: off\n   |   ^^^^^^^^^\n  \
         help: did you mean `bad-title`?\n",
        ":3:15: unknown value `activ`",
        "help: did you mean `active`?",
        ":3:22: unknown value `of`",
        ":4:1: unknown key `fail-onn`",
        ":5:10: this is not a release",
        ":6:11: invalid pattern: `[` is not closed",
        ":8:3: this has no condition",
        ":9:8: this must be one value",
    ] {
        assert!(printed.stderr.contains(says), "{says}: {}", printed.stderr);
    }
    for (config, says) in [
        ("rules: &a {}\nlevel: *a\n", ":1:8: YAML anchors and aliases are not allowed here"),
        ("level: error\nlevel: error\n", ":2:1: duplicate key `level`"),
        ("level: error\n---\nlevle: x\n", ":2:1: only the first YAML document is read"),
        ("- a\n", ":1:3: this must be keys with values"),
        ("template: ../../x.md\n", ":1:11: `template` leads out of its directory"),
        ("template: /etc/passwd\n", ":1:11: `template` leads out of its directory"),
        ("template: gone.md\n", "cannot read `gone.md`"),
        ("exclude: [\"!keps/sig-node\"]\n", ":1:11: invalid pattern: it cannot begin with `!`"),
        ("overrides: [{status: implementabl, rules: {}}]\n", ":1:22: unknown value `implementabl`\n"),
        ("groups: [sig-new, None]\n", ":1:19: `none` cannot be used with names"),
        ("overrides: [{sig: sig-nod, rules: {}}]\n", ":1:19: unknown SIG `sig-nod`\n"),
    ] {
        let printed = run(repository(config).path(), &[]);
        assert!(printed.status == 2 && printed.stderr.contains(says), "{config}: {}", printed.stderr);
    }
    for (size, is_told) in [(64 << 10, false), ((64 << 10) + 1, true)] {
        let printed = run(repository(&"#".repeat(size)).path(), &[]);
        let told = printed.status == 2 && printed.stderr.contains("reduce it to at most 64 KiB");
        assert_eq!(told, is_told, "{}", printed.stderr);
    }
    let printed = kep_lint(repository("level: x\n").path(), ["--format", "json"]);
    let json: Value = serde_json::from_str(&printed.stdout).expect("it is JSON");
    assert_eq!(json["failures"][0]["path"], ".kep-lint.yaml");
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_repository() {
    let tree = repository("");
    let secret = tempfile::NamedTempFile::new().expect("a file");
    fs::write(secret.path(), "top-secret: 1\n").expect("a file");
    let config = tree.path().join(".kep-lint.yaml");
    fs::remove_file(&config).expect("it is there");
    std::os::unix::fs::symlink(secret.path(), &config).expect("a link");
    let printed = run(tree.path(), &[]);
    assert!(printed.status == 2 && printed.stderr.contains("it is outside of"), "{}", printed.stderr);
    assert!(!printed.stderr.contains("top-secret"), "{}", printed.stderr);
    // Without a directory `keps`, too.
    for link in [".kep-lint.yaml", "gates.yaml"] {
        let alone = tempfile::tempdir().expect("a directory");
        fs::write(alone.path().join("README.md"), "# X\n").expect("a file");
        fs::write(alone.path().join(".kep-lint.yaml"), "feature-gates: gates.yaml\n").expect("a file");
        let _ = fs::remove_file(alone.path().join(link));
        std::os::unix::fs::symlink(secret.path(), alone.path().join(link)).expect("a link");
        let told = run(alone.path(), &[]).stderr;
        assert!(told.contains("it is outside of") && !told.contains("top-secret"), "{link}: {told}");
    }
}

#[test]
fn groups_and_approvers_are_added() {
    let tree = repository("");
    let review = tree.path().join("keps/prod-readiness/sig-new");
    fs::create_dir_all(&review).expect("a directory");
    fs::write(review.join("1.yaml"), "kep-number: 1\nalpha:\n  approver: \"@zoe\"\n").expect("a file");
    let kep = tree.path().join("keps/sig-node/1-a/kep.yaml");
    let metadata = METADATA.replace("sig-node\n", "sig-new\n").replace("provisional", "implementable");
    fs::write(kep, metadata + "stage: alpha\nlatest-milestone: v1.37\nmilestone: {alpha: v1.37}\n").expect("a file");
    let rules = |tree: &Path| run(tree, &["--select", "unknown-sig,prr-approver", "keps/sig-node/1-a"]).stdout;
    let before = rules(tree.path());
    let summary = |tree: &Path| run(tree, &["keps/sig-node/1-a"]).stderr;
    assert!(before.contains("[unknown-sig]") && before.contains("[prr-approver] `@zoe`"), "{before}");
    fs::write(tree.path().join(".kep-lint.yaml"), "groups: sig-new\napprovers: [\"@zoe\"]\n").expect("a file");
    let after = rules(tree.path());
    assert!(!after.contains("[unknown-sig]") && !after.contains("`@zoe`"), "{after}");
    let said = "`.kep-lint.yaml` makes this run less strict: groups: sig-new added; approvers: zoe added\n";
    assert!(summary(tree.path()).contains(said), "{}", summary(tree.path()));
    // Upstream's scripts know no configuration.
    let upstream = run(tree.path(), &["--preset", "upstream", "keps/sig-node/1-a"]).stdout;
    assert!(upstream.contains("[prr-approver] `@zoe`"), "{upstream}");
    for none in ["none", "None", "[none]"] {
        fs::write(tree.path().join(".kep-lint.yaml"), format!("groups: {none}\n")).expect("a file");
        assert!(!rules(tree.path()).contains("prr-approver"), "{none}");
        assert!(summary(tree.path()).contains("less strict: groups: KEPs belong to none, and need no PRR\n"), "{none}");
    }
}

#[test]
fn the_first_file_changes_nothing_and_is_not_overwritten() {
    let tree = repository("");
    fs::remove_file(tree.path().join(".kep-lint.yaml")).expect("it is there");
    let before = run(tree.path(), &[]);
    let node = tree.path().join("keps/sig-node");
    assert_eq!(kep_lint(&node, ["config", "init"]).stdout, "wrote `../../.kep-lint.yaml`\n");
    let after = run(tree.path(), &[]);
    assert_eq!((after.stdout, after.stderr, after.status), (before.stdout, before.stderr, before.status));
    let printed = kep_lint(&node, ["config", "init"]);
    assert!(printed.status == 2 && printed.stderr.contains("`../../.kep-lint.yaml` exists"), "{}", printed.stderr);
}

#[test]
fn every_value_has_an_origin() {
    let tree = repository("# what\nrelease: v1.36\nrules:\n  bad-title: off\n");
    let printed = kep_lint(tree.path(), ["config", "show"]);
    let row = |key: &str| printed.stdout.lines().find(|line| line.starts_with(key)).expect(key).to_owned();
    assert_eq!(row("release").split_whitespace().collect::<Vec<_>>(), ["release", ".kep-lint.yaml:2", "v1.36"]);
    assert_eq!(row("bad-title").split_whitespace().collect::<Vec<_>>(), ["bad-title", ".kep-lint.yaml:4", "off"]);
    assert_eq!(row("fail-on").split_whitespace().collect::<Vec<_>>(), ["fail-on", "default", "error"]);
    let keys = key::ALL.iter().filter(|key| !needs_documents(key)).count();
    assert!(printed.stdout.lines().count() > keys - 2);
}

/// Whether a key says something of another layout.
fn needs_documents(key: &key::Key) -> bool {
    key.about.starts_with("with `documents`")
}

/// The schema allows what is read, and nothing else.
#[test]
fn the_schema_is_that_of_the_file() {
    let schema: Value = serde_json::from_str(&json_schema()).expect("it is JSON");
    let schema = jsonschema::validator_for(&schema).expect("it is a schema");
    let with_documents = |key: &key::Key| format!("documents: a/{{name}}/b.md\n{}", key.example);
    let examples =
        key::ALL.iter().map(|key| if needs_documents(key) { with_documents(key) } else { key.example.to_owned() });
    let others = [
        "level:",
        "release: 1.37",
        "documents: [{documents: \"a/{name}.md\", template: b.md}]",
        "documents: a/{name}.md\ntitle: {in: front-matter, form: \"A-{number}: {title}\"}",
        "documents: a/{name}.md\nkeys: {names: {number: a-number, title: name}}",
        "documents: a/{name}.md\nsections: {level: required, optional: [b], directive: \"{phase}\"}",
    ];
    let good = [key::initial(true), key::initial(false)].into_iter().chain(others.map(str::to_owned));
    let bad = [
        "levle: error",
        "level: off",
        "rules: {bad-titel: off}",
        "rules: {bad-title: {activ: off}}",
        "overrides: [{rules: {}}]",
        "overrides: {}",
        "exclude: [[a]]",
        "rules: {bad-title: on}",
        "[a]",
        "release: soon",
        "name: VEP",
        "documents: [\"a/{name}.md\"]",
        "documents: a/{name}.md\ntitle: {form: \"A-{number}: {title}\"}",
        "documents: a/{name}.md\nkeys: {names: {titel: name}}",
        "documents: a/{name}.md\nsteps: {status: [a]}",
        "documents: a/{name}.md\nsections: {levle: required}",
    ];
    let is_read = |text: &str| parse(&SourceFile::decode("x", text.as_bytes().to_vec())).is_ok();
    let is_valid = |text: &str| schema.is_valid(&serde_yaml::from_str(text).expect("it is YAML"));
    for text in good.chain(examples) {
        assert_eq!((is_read(&text), is_valid(&text)), (true, true), "{text}");
    }
    for text in bad {
        assert_eq!((is_read(text), is_valid(text)), (false, false), "{text}");
    }
    assert_eq!(kep_lint(project(), ["config", "schema"]).stdout, json_schema());
}

#[test]
fn the_book_has_the_table_of_keys() {
    let row = |key: &key::Key| {
        let effect = if key.adds() { "adds" } else { "replaces" };
        format!("| `{}` | {} | {effect} | {} | `{}` |\n", key.name, key.takes, key.about, key.example)
    };
    let rows: String = key::ALL.iter().map(row).collect();
    let wanted =
        format!("| key | value | replaces or adds | meaning | example |\n| --- | --- | --- | --- | --- |\n{rows}");
    assert_generated_part("docs/configuration.md", "config", &wanted);
}

#[test]
fn options_and_the_configuration_accept_the_former_name_of_suggestions() {
    let repository = Scratch::of(&[
        ("keps/sig-node/1-x/README.md", b"# KEP-1: X\n".as_slice()),
        (
            ".kep-lint.yaml",
            b"level: advice\nfail-on: advice\nrules: {missing-kep-yaml: advice, stale-toc: {active: advice}}\n",
        ),
    ]);
    let printed = kep_lint(&repository.root, ["keps", "--select", "missing-kep-yaml", "--format", "concise"]);
    assert!(printed.stdout.contains(" suggestion[missing-kep-yaml]") && printed.status == 1, "{}", printed.stderr);
    let printed = kep_lint(&repository.root, ["--isolated", "keps", "--level", "advice", "--fail-on", "advice"]);
    assert!(printed.status == 1 && printed.stderr.starts_with("checked"), "{}", printed.stderr);
    let help = kep_lint(&repository.root, ["--help"]).stdout;
    assert!(help.contains("[possible values: error, warning, suggestion]") && !help.contains("advice"), "{help}");
}
