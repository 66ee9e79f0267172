//! `kep-lint gates`, the list of feature gates that it prints and updates, and the lists of repositories.

use crate::support::program::{Printed, command, kep_lint, printed};
use crate::support::scratch::{Scratch, findings};

const LIST: &str = "hack/feature-gates.yaml";

/// The list of the tests about Kubernetes, as the built-in one changes with each release.
const KNOWN: &[u8] = include_bytes!("../../fixtures/feature-gates.yaml");

const CONFIGURATION: &[u8] = b"feature-gates: hack/feature-gates.yaml\n";

const HEAD: &str = "since: v0.1\nfinal: v0.1\nnewest: {release: v0.2, date: 2026-01-02, commit: 0123abcd}\ngates:\n";

const README: &[u8] = b"# KEP-7: Quotas\n";

const METADATA: &[u8] =
    b"title: Quotas\nkep-number: 7\nstatus: implementable\nstage: beta\nlatest-milestone: v0.1\nfeature-gates:\n  \
                          - name: QuotaGates\n";

/// A repository of KEPs without SIGs, with a list of its own.
fn own_list(list: &str) -> Scratch {
    let config = format!("feature-gates: {LIST}\n");
    let files: [(&str, &[u8]); 4] = [
        ("keps/7-quotas/README.md", README),
        ("keps/7-quotas/kep.yaml", METADATA),
        (".kep-lint.yaml", config.as_bytes()),
        (LIST, list.as_bytes()),
    ];
    Scratch::of(&files)
}

/// A kep.yaml with one gate.
fn metadata(stage: &str, milestone: &str, gate: &str) -> String {
    format!(
        "status: implementable\nstage: {stage}\nlatest-milestone: {milestone}\nfeature-gates:\n  - name: {gate}\n    \
         components: [kubelet]\n"
    )
}

const GATES: [&str; 2] = ["--select", "unknown-feature-gate,missed-release"];

/// Runs `kep-lint gates`.
fn gates(repository: &Scratch, arguments: &[&str]) -> Printed {
    kep_lint(&repository.at("."), [&["gates"], arguments].concat())
}

#[test]
fn another_repository_is_compared_with_its_own_list() {
    let repository = own_list(&format!("{HEAD}- {{name: QuotaGate, alpha: \"0.1\"}}\n"));
    let printed = repository.lint(&GATES);
    assert!(
        printed.stdout.contains("the code has no feature gate `QuotaGates`, but it has `QuotaGate`"),
        "{printed:?}"
    );
    assert!(
        printed.stderr.contains("makes this run less strict: feature-gates: hack/feature-gates.yaml"),
        "{printed:?}"
    );
    let ready = repository.lint(&["ready", "7", "--release", "v0.1", "--format", "markdown"]);
    assert!(ready.stdout.contains("the code has no feature gate `QuotaGates`"), "{ready:?}");
    assert!(ready.stderr.contains("feature-gates: hack/feature-gates.yaml"), "{ready:?}");

    repository.replace("keps/7-quotas/kep.yaml", "QuotaGates", "QuotaGate");
    let missed = repository.lint(&GATES);
    assert!(
        missed.stdout.contains("the stage is beta and `latest-milestone` is v0.1, but `QuotaGate` is still alpha"),
        "{missed:?}"
    );
    repository.write(".kep-lint.yaml", "");
    repository.replace("keps/7-quotas/kep.yaml", "QuotaGate", "EnvFile");
    assert_eq!(findings(&repository.lint(&GATES)), [""; 0], "without a list, nothing is known of the code");
}

#[test]
fn a_change_cannot_choose_the_list_that_it_is_compared_with() {
    let repository = own_list(&format!("{HEAD}- {{name: QuotaGate, alpha: \"0.1\"}}\n"));
    repository.write(LIST, &format!("{HEAD}- {{name: QuotaGates, beta: \"0.1\"}}\n"));
    repository.replace("keps/7-quotas/README.md", "Quotas", "All quotas");
    repository.commit();
    let since = [&["--since", "origin/main"][..], &GATES].concat();
    let edited = repository.lint(&since);
    assert_eq!(findings(&edited), [""; 0], "{edited:?}");
    assert!(edited.stderr.replace("\n  ", " ").contains("this change edits what decides"), "{edited:?}");
    assert!(edited.stderr.contains(LIST), "{edited:?}");
    let of_base = repository.lint(&[&since[..], &["--config-from", "base"]].concat());
    assert_eq!(findings(&of_base), ["keps/7-quotas/kep.yaml unknown-feature-gate"], "{of_base:?}");
}

#[test]
fn a_list_that_cannot_be_used_is_refused_where_it_is_wrong() {
    let anchors = "a: &a [x, x, x]\nb: [*a, *a, *a]\n".to_owned();
    for (list, problem) in [
        (
            format!("{HEAD}- {{name: A b}}\n"),
            "hack/feature-gates.yaml:5:1: a list of feature gates has no line `- {name: A b}`",
        ),
        (anchors, "hack/feature-gates.yaml:1:1: a list of feature gates has no line `a: &a [x, x, x]`"),
        (
            format!("{HEAD}- {{name: Ab, alpha: \"1.2\\n- {{name: Cd}}\"}}\n"),
            "5:1: a list of feature gates has no line `- {name: Ab, alpha: \"1.2\\n- {name: Cd}\"}`",
        ),
        ("[".repeat(100_000), "hack/feature-gates.yaml:1:"),
        (format!("#{}\n", "a".repeat(2 << 20)), "cannot read `hack/feature-gates.yaml`"),
        (String::new(), "hack/feature-gates.yaml:1:1: `since` is missing here"),
    ] {
        let repository = own_list(&list);
        let printed = repository.lint(&[]);
        assert_eq!(printed.status, 2, "{printed:?}");
        assert!(
            printed.stderr.contains(problem),
            "{problem}: {}",
            printed.stderr.get(..400).unwrap_or(&printed.stderr)
        );
    }
    for path in ["../gates.yaml", "/etc/passwd", "missing.yaml"] {
        let repository = own_list(HEAD);
        repository.write(".kep-lint.yaml", &format!("feature-gates: {path}\n"));
        let printed = repository.lint(&[]);
        assert!(printed.status == 2 && printed.stderr.contains("help: "), "{path}: {printed:?}");
    }
}

#[test]
fn gates_are_told_by_name_and_by_kep() {
    let repository = Scratch::of(&[
        (".kep-lint.yaml", CONFIGURATION),
        (LIST, KNOWN),
        ("keps/sig-node/4188-pods/README.md", b"# KEP-4188: Pods\n"),
        ("keps/sig-node/4188-pods/kep.yaml", metadata("alpha", "v1.37", "PodInfoAPI").as_bytes()),
        ("keps/sig-node/3721-env/README.md", b"# KEP-3721: Env\n"),
        ("keps/sig-node/3721-env/kep.yaml", metadata("stable", "v1.36", "EnvFiles").as_bytes()),
        ("keps/sig-node/5-none/README.md", b"# KEP-5: None\n"),
        ("keps/sig-node/5-none/kep.yaml", b"status: implementable\nstage: alpha\nlatest-milestone: v1.37\n"),
    ]);
    let told = |names: &[&str]| {
        let printed = gates(&repository, names);
        assert_eq!(printed.status, 0, "{printed:?}");
        printed.stdout
    };
    let env_files = "EnvFiles: alpha v1.34, beta v1.35, on by default since v1.35. KEP-3721. (v1.37, 2026-07-24)\n";
    assert_eq!(told(&["EnvFiles"]), env_files);
    assert_eq!(
        told(&["SidecarContainers"]),
        "SidecarContainers: stable v1.33, removed in v1.37. KEP-753. (v1.37, 2026-07-24)\n"
    );
    assert!(told(&[]).contains("complete up to v1.36; v1.37 as of 2026-07-24"));
    assert_eq!(told(&["5"]), "KEP-5 lists no feature gate\n");
    let both = told(&["KEP-4188", "keps/sig-node/3721-env"]);
    assert!(
        both.starts_with(
            "KEP-4188: Kubernetes has no feature gate `PodInfoAPI`; the code's comment at gate `PodsAPI` names"
        ),
        "{both}"
    );
    assert!(
        both.ends_with(
            "KEP-3721: EnvFiles: alpha v1.34, beta v1.35 (on by default); v1.37 as of 2026-07-24: still beta\n"
        ),
        "{both}"
    );

    // The same words as in the checklist, and as the rules.
    let ready = repository.lint(&["ready", "4188", "3721", "--format", "markdown"]);
    for line in both.lines() {
        let words = line.split_once(": ").map_or(line, |(_, words)| words).split("; write").next().unwrap_or_default();
        assert!(ready.stdout.contains(words), "{words}: {}", ready.stdout);
    }
    for (name, help) in
        [("EnvFile", "did you mean `EnvFiles`?"), ("envfiles", "did you mean `EnvFiles`?"), ("Zzzzzzzzz", "name a")]
    {
        let unknown = gates(&repository, &[name, "EnvFiles"]);
        assert!(unknown.status == 2 && unknown.stderr.contains(help), "{unknown:?}");
        assert_eq!(unknown.stdout, env_files, "the others are told");
    }
    for (name, reason) in
        [("99", "no KEP 99"), ("OWNERS_ALIASES", "no KEP in"), ("keps/sig-node/7-broken", "is not closed")]
    {
        repository.write("OWNERS_ALIASES", "aliases: {}\n");
        repository.write("keps/sig-node/7-broken/kep.yaml", "feature-gates: [\n");
        let printed = gates(&repository, &[name]);
        assert!(printed.status == 2 && printed.stderr.contains(reason), "{name}: {printed:?}");
    }
    repository.write("EnvFiles", "");
    assert_eq!(told(&["EnvFiles"]), env_files, "a file of that name is not meant");
    repository.write("keps/sig-node/5-none/kep.yaml", &metadata("alpha", "v1.37", "KUBECTL_PODS"));
    assert_eq!(told(&["5"]), "KEP-5 lists no feature gate that could be in the list\n");
    let narrow =
        command(&repository.at(".")).args(["gates", "EnvFiles"]).env("COLUMNS", "40").output().expect("it runs");
    assert!(
        printed(&narrow).stdout.lines().count() > 1 && printed(&narrow).stdout.lines().all(|line| line.len() <= 40)
    );
    let other = own_list(HEAD);
    assert!(gates(&other, &["7", "--isolated"]).stdout.contains("no list of feature gates is known here"));
}

#[test]
fn readiness_is_compared_with_the_code_only_after_its_freeze() {
    let repository = Scratch::of(&[
        (".kep-lint.yaml", CONFIGURATION),
        (LIST, KNOWN),
        ("keps/sig-node/3721-env/README.md", b"# KEP-3721: Env\n"),
        ("keps/sig-node/3721-env/kep.yaml", metadata("stable", "v1.37", "EnvFiles").as_bytes()),
    ]);
    let evidence = |arguments: &[&str]| {
        let printed = repository.lint(&[&["ready", "3721", "--format", "json"], arguments].concat());
        let json: serde_json::Value = serde_json::from_str(&printed.stdout).expect("it is JSON");
        let answers = json["keps"][0]["answers"].as_array().cloned().unwrap_or_default();
        let item = answers.into_iter().find(|item| item["item"] == "gates").unwrap_or_else(|| panic!("{json:#}"));
        (item["state"].as_str().unwrap_or_default().to_owned(), item["words"].as_str().unwrap_or_default().to_owned())
    };
    let still = "EnvFiles: alpha v1.34, beta v1.35 (on by default); v1.37 as of 2026-07-24: still beta";
    assert_eq!(evidence(&[]), ("not-met".to_owned(), still.to_owned()), "the list is of two days after the freeze");
    assert_eq!(evidence(&["--stage", "beta"]).0, "met");
    let later = evidence(&["--release", "v1.38"]);
    assert!(
        later.0 == "info" && later.1.ends_with("; the list of feature gates ends at v1.37 (2026-07-24)"),
        "{later:?}"
    );
}
