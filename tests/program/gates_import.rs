//! `kep-lint gates import`, on code in the shapes that that of Kubernetes has.

use crate::support::program::kep_lint;
use crate::support::scratch::Scratch;
use kep_lint::gates::Gates;

pub const VERSIONED: &str = "test/compatibility_lifecycle/reference/versioned_feature_list.yaml";

/// The files that are read beside the generated list, with what they declare here.
const SOURCES: [(&str, &str); 9] = [
    (
        "pkg/features/kube_features.go",
        "package features\n\nconst (\n\t// Every gate has a comment:\n\t// // owner: @user\n\t// // kep: https://kep.k8s.io/NNN\n\n\
         \t// owner: @a\n\t// kep: https://kep.k8s.io/3085, https://kep.k8s.io/4138\n\t//\n\t// Words.\n\
         \tTypedGate featuregate.Feature = \"TypedGate\"\n\n\
         \t// owner: @b\n\t// kep : http://kep.k8s.io/2400\n\n\t// Words after a blank line.\n\
         \tCPUQuota featuregate.Feature = \"CustomCPUQuota\"\n\n\t// owner: @c\n\t// kep:\n\tEmptyGate featuregate.Feature = \"EmptyGate\"\n)\n",
    ),
    (
        "staging/src/k8s.io/apiserver/pkg/features/kube_features.go",
        "const (\n\t// owner: @a\n\t// key: https://kep.k8s.io/0012\n\tCalledGate = featuregate.Feature(\"CalledGate\")\n)\n",
    ),
    ("staging/src/k8s.io/apiextensions-apiserver/pkg/features/kube_features.go", "package features\n"),
    ("staging/src/k8s.io/controller-manager/pkg/features/kube_features.go", "package features\n"),
    ("staging/src/k8s.io/component-base/logs/api/v1/kube_features.go", "package v1\n"),
    ("staging/src/k8s.io/component-base/metrics/features/kube_features.go", "package features\n"),
    ("staging/src/k8s.io/component-base/zpages/features/kube_features.go", "package features\n"),
    (
        "staging/src/k8s.io/client-go/features/known_features.go",
        "const (\n\t// owner: @a\n\t// kep: https://kep.k8s.io/4222\n\t// alpha: v1.32\n\tClientGate Feature = \"ClientGate\"\n\n\
         \t// owner: @b\n\tTableGate Feature = \"TableGate\"\n)\n\nvar gates = map[Feature]FeatureSpec{\n\
         \tClientGate: {Default: false, PreRelease: Alpha},\n\tTableGate: {\n\
         \t\t{Version: version.MustParse(\"1.30\"), Default: false, PreRelease: Alpha},\n\
         \t\t{Version: version.MustParse(\"1.35\"), Default: true, PreRelease: GA},\n\t},\n}\n",
    ),
    (
        "cmd/kubeadm/app/features/features.go",
        "const (\n\t// LocalGate is there since v1.34\n\tLocalGate = \"LocalGate\"\n\tprefix = \"KUBE_\"\n)\n\n\
         var InitFeatureGates = FeatureList{\n\tLocalGate: {FeatureSpec: featuregate.FeatureSpec{Default: true, PreRelease: \
         featuregate.Beta}},\n}\n",
    ),
];

const OLD: &str = "since: v1.16\nfinal: v1.36\nnewest: {release: v1.36, date: 2026-04-22, commit: 0123abcd}\ngates:\n\
                   - {name: BackGate, alpha: \"1.20\", removed: \"1.22\", in: apiserver}\n\
                   - {name: GoneGate, alpha: \"1.30\", beta: \"1.33\", keps: [99]}\n\
                   - {name: LocalGate, alpha: \"1.34\", in: kubeadm}\n\
                   - {name: OldGate, ga: \"1.20\", removed: \"1.22\"}\n";

/// A gate of the generated list.
fn entry(name: &str, specs: &[(&str, &str, bool, bool)]) -> String {
    let spec = |(stage, version, is_on, is_locked): &(&str, &str, bool, bool)| {
        format!(
            "  - default: {is_on}\n    lockToDefault: {is_locked}\n    preRelease: {stage}\n    version: \"{version}\"\n"
        )
    };
    format!("- name: {name}\n  versionedSpecs:\n{}", specs.iter().map(spec).collect::<String>())
}

/// A checkout of code, with a list beside it.
pub fn code() -> Scratch {
    let repository = Scratch::empty();
    for (path, text) in SOURCES {
        repository.write(path, text);
    }
    let versioned = [
        entry("BackGate", &[("Alpha", "1.37", false, false)]),
        entry("CalledGate", &[("Beta", "1.33", true, false), ("GA", "1.36", true, true)]),
        entry("CustomCPUQuota", &[("Alpha", "1.12", false, false)]),
        entry("EmptyGate", &[("GA", "1.0", true, false), ("Deprecated", "1.31", false, false)]),
        entry(
            "TypedGate",
            &[("Alpha", "1.30", false, false), ("Beta", "1.31", false, false), ("Beta", "1.37", true, false)],
        ),
    ];
    repository.write(VERSIONED, &format!("# generated\n\n{}", versioned.concat()));
    repository.commit();
    repository.write("list.yaml", OLD);
    repository
}

fn import(repository: &Scratch, arguments: &[&str]) -> (i32, String, String) {
    let printed = kep_lint(&repository.at("."), [&["gates", "import", "."], arguments].concat());
    (printed.status, printed.stdout, printed.stderr)
}

/// The list without its comment.
fn lines(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

#[test]
fn code_in_every_shape_is_read() {
    let repository = code();
    let (status, _, stderr) = import(&repository, &["--output", "list.yaml"]);
    assert_eq!((status, stderr.trim_end()), (0, "wrote `list.yaml`: 6 new, 1 changed, 2 removed"));
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let expected = format!(
        "since: v1.16\nfinal: v1.36\nnewest: {{release: v1.37, date: 2026-07-24, commit: {}}}\ngates:\n{}",
        commit.trim_end(),
        r#"- {name: BackGate, alpha: "1.37", in: apiserver}
- {name: CalledGate, beta: "1.33", ga: "1.36", enabled: "1.33", locked: "1.36", keps: [12], in: apiserver}
- {name: ClientGate, alpha: "1.32", keps: [4222], in: client-go}
- {name: CustomCPUQuota, alpha: "1.12", keps: [2400]}
- {name: EmptyGate, ga: "1.0", deprecated: "1.31", enabled: "1.0"}
- {name: GoneGate, alpha: "1.30", beta: "1.33", removed: "1.37", keps: [99]}
- {name: LocalGate, alpha: "1.34", beta: "1.37", enabled: "1.37", in: kubeadm}
- {name: OldGate, ga: "1.20", removed: "1.22"}
- {name: TableGate, alpha: "1.30", ga: "1.35", enabled: "1.35", in: client-go}
- {name: TypedGate, alpha: "1.30", beta: "1.31", enabled: "1.37", keps: [3085, 4138]}
"#
    );
    let written = repository.read("list.yaml");
    assert_eq!(lines(&written), expected);
    let (_, _, again) = import(&repository, &["--output", "list.yaml", "--final"]);
    assert_eq!(again.trim_end(), "wrote `list.yaml`: 0 new, 0 changed, 0 removed; complete up to v1.37");
    assert_eq!(lines(&repository.read("list.yaml")), expected.replacen("final: v1.36", "final: v1.37", 1));
}

#[test]
fn a_list_that_is_written_is_read_again_and_keeps_its_comment() {
    let repository = code();
    std::fs::remove_file(repository.at("list.yaml")).expect("it is there");
    let (refused, _, why) = import(&repository, &["--output", "-"]);
    assert!(refused == 2 && why.contains("`-` is not a file"), "{why}");
    assert_eq!(import(&repository, &["--output", "list.yaml", "--release", "v1.99"]).0, 0);
    let written = repository.read("list.yaml");
    assert!(written.starts_with("# Feature gates, as `kep-lint gates import` reads them"), "{written}");
    assert!(written.contains("in: component-base/"), "{written}");
    repository.write("list.yaml", &format!("# Our list.\n{}", lines(&written)));
    let (status, _, stderr) = import(&repository, &["--output", "list.yaml", "--release", "v1.99"]);
    assert!(status == 0 && stderr.contains("0 new, 0 changed, 0 removed"), "{stderr}");
    assert_eq!(repository.read("list.yaml"), format!("# Our list.\n{}", lines(&written)));
}

#[test]
fn of_an_older_release_only_that_it_is_out_is_taken() {
    let repository = code();
    let newer = OLD.replace("release: v1.36, date: 2026-04-22", "release: v1.38, date: 2026-12-01");
    repository.write("list.yaml", &newer);
    let (status, _, stderr) = import(&repository, &["--output", "list.yaml", "--release", "v1.37", "--final"]);
    assert!(status == 0 && stderr.contains("0 new, 0 changed, 0 removed; complete up to v1.37"), "{stderr}");
    assert_eq!(lines(&repository.read("list.yaml")), newer.replacen("final: v1.36", "final: v1.37", 1));
    repository.write("list.yaml", OLD);
    let arguments = ["--output", "list.yaml", "--release", "v1.36", "--final"];
    let (status, _, stderr) = import(&repository, &arguments);
    assert!(status == 2 && stderr.contains("the code is of v1.37, not of v1.36"), "{stderr}");
    let old = newer.replace("- {name: OldGate", "- {name: NewGate, alpha: \"1.38\"}\n- {name: OldGate");
    repository.write("list.yaml", &old);
    let (_, _, forced) = import(&repository, &["--output", "list.yaml", "--force"]);
    assert!(forced.contains("1 dropped, which came later"), "{forced}");
}

#[test]
fn without_a_file_the_built_in_list_is_updated_and_printed() {
    let repository = code();
    let (status, stdout, stderr) = import(&repository, &["--release", "v1.99"]);
    assert_eq!(status, 0, "{stderr}");
    let list = lines(&stdout);
    let last = Gates::built_in().last_final;
    let head = format!("since: v1.16\nfinal: {last}\nnewest: {{release: v1.99, date: 2026-07-24, commit: ");
    assert!(list.starts_with(&head), "{list}");
    assert!(list.contains("- {name: OneGate") || list.contains("- {name: TypedGate, alpha: \"1.30\""), "{list}");
    assert!(
        list.contains("- {name: EnvFiles, alpha: \"1.34\", beta: \"1.35\", enabled: \"1.35\", removed: \"1.99\""),
        "{list}"
    );
    assert_eq!(repository.read("list.yaml"), OLD);
}

#[test]
fn older_code_and_other_directories_are_refused() {
    let repository = code();
    let before = OLD.replace("v1.36, date", "v1.38, date");
    repository.write("list.yaml", &before);
    let (status, _, stderr) = import(&repository, &["--output", "list.yaml"]);
    assert!(
        status == 2 && stderr.contains("the code is of v1.37 (2026-07-24), the list of v1.38 (2026-04-22)"),
        "{stderr}"
    );
    assert!(stderr.contains("help: import newer code, or use `--force`"), "{stderr}");
    assert_eq!(repository.read("list.yaml"), before);
    assert_eq!(import(&repository, &["--output", "list.yaml", "--force"]).0, 0);
    assert!(repository.read("list.yaml").contains("release: v1.37"));

    repository.write("list.yaml", "gates: [\n");
    let (status, _, stderr) = import(&repository, &["--output", "list.yaml"]);
    assert!(
        status == 2 && stderr.contains("list.yaml:1:1: a list of feature gates has no line `gates: [`"),
        "{stderr}"
    );
    assert_eq!(repository.read("list.yaml"), "gates: [\n");

    std::fs::remove_file(repository.at("cmd/kubeadm/app/features/features.go")).expect("it is there");
    let (status, _, stderr) = import(&repository, &[]);
    assert!(status == 2 && stderr.contains("features.go") && stderr.contains("help: "), "{stderr}");
    std::fs::remove_file(repository.at(VERSIONED)).expect("it is there");
    let (status, _, stderr) = import(&repository, &[]);
    assert!(status == 2 && stderr.contains("versioned_feature_list.yaml"), "{stderr}");
}

#[test]
fn hostile_code_gives_no_line_of_its_own() {
    let repository = code();
    for versioned in [
        entry("Ab}\\n- {name: Evil", &[("Alpha", "1.30", false, false)]),
        entry("AbGate", &[("Alpha\\n", "1.30", false, false)]),
        entry("AbGate", &[("Alpha", "99999999999.1", false, false)]),
        format!("{}- name: &a AbGate\n", entry("OneGate", &[])),
        "[".repeat(50_000),
    ] {
        repository.write(VERSIONED, &versioned);
        let (status, stdout, stderr) = import(&repository, &[]);
        assert!(
            status == 2 && stdout.is_empty() && stderr.contains("versioned_feature_list.yaml"),
            "{versioned:.80}: {stderr}"
        );
    }
}
