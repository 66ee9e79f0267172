//! What makes a run less strict is said in every case, and a change cannot switch off its own check.

use crate::support::in_turn;
use crate::support::program::{Printed, kep_lint};
use crate::support::scratch::{Scratch, findings};

const KEP: &str = "keps/sig-node/1-a";

const METADATA: &str = "title: A\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\nstatus: implementable\n\
                        creation-date: 2024-01-01\nstage: alpha\nlatest-milestone: v1.37\n";

const SINCE: [&str; 3] = ["--since", "origin/main", "--new-only"];

/// The same with the configuration of the base.
const FROM_BASE: [&str; 5] = ["--since", "origin/main", "--new-only", "--config-from", "base"];

/// A repository with a KEP that the last commit breaks, which also writes `files`.
fn broken(files: &[(&str, &str)]) -> Scratch {
    let aliases = b"aliases:\n  prod-readiness-approvers:\n  - wojtek-t\n";
    let repository = Scratch::of(&[
        ("keps/sig-node/1-a/README.md", b"# KEP-1: A\n"),
        ("keps/sig-node/1-a/kep.yaml", METADATA.as_bytes()),
        ("OWNERS_ALIASES", aliases),
    ]);
    repository.replace(&format!("{KEP}/kep.yaml"), "status: implementable", "status: implmentable");
    files.iter().for_each(|(path, text)| repository.write(path, text));
    repository.commit();
    repository
}

fn has_status(printed: &Printed) -> bool {
    findings(printed).iter().any(|finding| finding.ends_with("kep.yaml invalid-status"))
}

/// Configurations with which the broken status does not fail a run, and what is said of each.
const RELAXED: [(&str, &str); 8] = [
    ("exclude: [\"**/1-a/**\"]\n", "exclude: 1 KEP"),
    ("fail-on: never\n", "fail-on: never"),
    ("preset: upstream\n", "preset: upstream"),
    ("rules: {invalid-status: suggestion}\n", "rules: invalid-status lowered (1 finding lowered)"),
    ("rules: {invalid-status: off}\n", "rules: invalid-status off (1 finding silenced)"),
    (
        "overrides: [{paths: [\"**\"], rules: {invalid-status: suggestion}}]\n",
        "overrides: invalid-status lowered (1 finding lowered)",
    ),
    (
        "overrides: [{sig: sig-node, rules: {invalid-status: {provisional: off, active: warning}}}]\n",
        "overrides: invalid-status lowered",
    ),
    (
        "fail-on: never\nrelease: v1.20\ngroups: [sig-x]\napprovers: [\"@a\", \"@b\", c, d, e, f]\n",
        "fail-on: never; release: v1.20; groups: sig-x added; approvers: a, b, c, d, e and 1 more added",
    ),
];

#[test]
fn what_a_change_writes_into_its_configuration_is_said() {
    for (at, (config, says)) in RELAXED.iter().enumerate() {
        for path in in_turn(&[".kep-lint.yaml", "keps/kep-lint.yaml"], at) {
            let repository = broken(&[(path, config)]);
            for arguments in [&SINCE[..], &["--quiet"], &["--since", "HEAD", "-q"], &["--diff"], &[KEP]] {
                let printed = repository.lint(arguments);
                let line =
                    format!("`{path}` makes this run less strict: {}", says.split(" (").next().unwrap_or_default());
                let is_about_nothing = arguments.contains(&"HEAD");
                assert!(
                    printed.stderr.replace("\n  ", " ").contains(&line),
                    "{config}{arguments:?}: {}",
                    printed.stderr
                );
                assert_eq!(
                    printed.stderr.contains("this change edits"),
                    arguments.contains(&"origin/main"),
                    "{config}"
                );
                assert!(is_about_nothing || printed.status < 2, "{}", printed.stderr);
            }
            let printed = repository.lint(&SINCE);
            let line = format!("less strict: {says}");
            assert!(printed.stderr.replace("\n  ", " ").contains(&line), "{config}: {}", printed.stderr);
            let edited = format!("this change edits what decides how strict this run is: `{path}` (new)");
            assert!(printed.stderr.replace("\n  ", " ").contains(&edited), "{config}: {}", printed.stderr);
        }
    }
}

#[test]
fn with_the_configuration_of_the_base_a_change_cannot_switch_off_its_check() {
    for (at, (config, _)) in RELAXED.iter().enumerate() {
        for path in in_turn(&[".kep-lint.yaml", "keps/kep-lint.yaml", "keps/sig-node/1-a/kep-lint.yaml"], at) {
            let repository = broken(&[(path, config)]);
            for arguments in [&FROM_BASE[..], &[&FROM_BASE[..], &[KEP]].concat(), &[&FROM_BASE[..], &["."]].concat()] {
                let printed = repository.lint(arguments);
                assert!(printed.status == 1 && has_status(&printed), "{path} {config}: {}", printed.stderr);
                assert!(!printed.stderr.contains("less strict:"), "{path} {config}: {}", printed.stderr);
            }
            let printed = repository.lint(&[&FROM_BASE[..], &[KEP]].concat());
            let words = printed.stderr.replace("\n  ", " ");
            let says = format!(
                "your configuration file does not count here: that of `origin/main` does; this change edits `{path}` (new), which counts from the next one on\n"
            );
            assert!(words.contains(&says), "{words}");
            repository.git(&["reset", "-q", "--soft", "origin/main"]);
            let printed = repository.lint(&["--staged", "--config-from", "base"]);
            assert!(printed.status == 1 && has_status(&printed), "{path} {config}: {}", printed.stderr);
        }
    }
}

#[test]
fn the_configuration_of_the_base_counts_and_is_said() {
    let repository = broken(&[]);
    repository.git(&["checkout", "-q", "-B", "base", "origin/main"]);
    repository.write(".kep-lint.yaml", "rules: {invalid-status: warning}\ntemplate: hack/template.md\n");
    repository.write(
        "hack/template.md",
        "# KEP-NNNN: Title\n\n<!--DIRECTIVE: required: true-->\n## Own\n\n<!--DIRECTIVE: required: true-->\n",
    );
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository.replace(&format!("{KEP}/kep.yaml"), "status: implementable", "status: implmentable");
    repository.write(".kep-lint.yaml", "rules: {invalid-status: off}\n");
    repository.git(&["rm", "-q", "hack/template.md"]);
    repository.commit();
    let printed = repository.lint(&FROM_BASE);
    let words = printed.stderr.replace("\n  ", " ");
    assert!(printed.status == 0 && printed.stdout.contains("warning[invalid-status]"), "{}{words}", printed.stdout);
    assert!(
        words.contains("less strict: rules: invalid-status lowered (1 finding lowered); template: hack/template.md\n"),
        "{words}"
    );
    assert!(
        words.contains("this change edits `.kep-lint.yaml`, `hack/template.md` (deleted), which counts"),
        "{words}"
    );
    // A file that is named and that the base does not have is not taken from the change.
    repository.write("other.yaml", "fail-on: never\n");
    repository.write("other.md", "# X\n\n## Other\n\n<!--DIRECTIVE: required: true-->\n");
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD~1"]);
    repository.commit();
    let printed = repository.lint(&[&FROM_BASE[..], &["--config", "other.yaml", "--template", "other.md"]].concat());
    assert!(printed.status == 1 && has_status(&printed), "{}", printed.stderr);
    assert!(!printed.stdout.contains("`Other`"), "{}", printed.stdout);
    // One from elsewhere is whose who runs kep-lint.
    let elsewhere = tempfile::tempdir().expect("a directory");
    let config = elsewhere.path().join("own.yaml");
    std::fs::write(&config, "fail-on: never\n").expect("a file");
    let config = config.to_str().expect("it is UTF-8");
    let printed = repository.lint(&[&FROM_BASE[..], &["--config", config]].concat());
    assert!(printed.status == 0 && has_status(&printed), "{}", printed.stderr);
}

/// The author of a change chooses where it leaves the branch, so that an old configuration is not taken from there.
#[test]
fn the_base_of_the_configuration_is_the_tip_of_the_branch() {
    let repository = broken(&[]);
    repository.git(&["checkout", "-q", "-B", "main", "origin/main"]);
    repository.write(".kep-lint.yaml", "fail-on: never\n");
    repository.commit();
    repository.git(&["branch", "work"]);
    repository.git(&["rm", "-q", ".kep-lint.yaml"]);
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository.git(&["checkout", "-q", "work"]);
    repository.replace(&format!("{KEP}/kep.yaml"), "status: implementable", "status: implmentable");
    repository.commit();
    let printed = repository.lint(&SINCE);
    assert!(printed.status == 0 && printed.stderr.contains("fail-on: never"), "{}", printed.stderr);
    let printed = repository.lint(&FROM_BASE);
    assert!(
        printed.status == 1
            && printed.stderr.contains("\nyour configuration file does not count here: that of `origin/main` does\n"),
        "{}",
        printed.stderr
    );
}

#[test]
fn where_there_is_no_configuration_none_is_named() {
    let printed = broken(&[]).lint(&FROM_BASE);
    assert!(printed.status == 1 && !printed.stderr.contains("configuration"), "{}", printed.stderr);
    let printed = broken(&[(".kep-lint.yaml", "level: [")]).lint(&FROM_BASE);
    assert!(printed.status == 1 && printed.stderr.contains("does not count here"), "{}", printed.stderr);
}

const TEMPLATE: &str = "keps/NNNN-kep-template/README.md";

#[test]
fn a_shorter_template_is_said_and_does_not_count_with_that_of_the_base() {
    let template = "# KEP-NNNN: Title\n\n<!-- toc -->\n<!-- /toc -->\n\n\
                    ## Summary\n\n<!--DIRECTIVE: required: true-->\n\n## Risks\n\n\
                    <!--DIRECTIVE: required: true-->\n";
    let repository = broken(&[]);
    repository.git(&["checkout", "-q", "-B", "main", "origin/main"]);
    repository.write(TEMPLATE, template);
    repository.write("hack/.notableofcontents", "");
    repository.write(&format!("{KEP}/README.md"), "# KEP-1: A\n\n<!-- toc -->\n- [Summary](#summary)\n- [Risks](#risks)\n<!-- /toc -->\n\n## Summary\n\nText.\n\n## Risks\n\nText.\n");
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository.write(TEMPLATE, template.split("## Risks").next().expect("it is there"));
    repository.write(&format!("{KEP}/README.md"), "# KEP-1: A\n\n## Summary\n\nText.\n");
    repository.write("hack/.notableofcontents", &format!("{KEP}/README.md\n"));
    repository.commit();
    let rules = |printed: &Printed| {
        findings(printed).iter().filter(|finding| finding.starts_with(KEP)).cloned().collect::<Vec<_>>()
    };
    let printed = repository.lint(&SINCE);
    let words = printed.stderr.replace("\n  ", " ");
    assert_eq!(rules(&printed), [""; 0], "{words}");
    let edited =
        format!("`hack/.notableofcontents` (adds `{KEP}/README.md`), `{TEMPLATE}` (no longer requires `Risks`)");
    assert!(words.contains(&edited), "{words}");
    let printed = repository.lint(&FROM_BASE);
    let readme = format!("{KEP}/README.md");
    assert_eq!(
        rules(&printed),
        [format!("{readme} missing-toc"), format!("{readme} missing-section")],
        "{}",
        printed.stderr
    );
    let words = printed.stderr.replace("\n  ", " ");
    assert!(words.contains("your configuration file does not count here: that of `origin/main` does; this change edits `hack/.notableofcontents`"), "{words}");
}

#[test]
fn formats_for_programs_and_pages_have_the_same_facts() {
    let config = "rules: {invalid-status: suggestion}\ntemplate: \"a<b>\\u0007.md\"\n";
    let template = "# X\n\n## A\n\n<!--DIRECTIVE: required: true-->\n";
    let repository = broken(&[(".kep-lint.yaml", config), ("a<b>\u{7}.md", template)]);
    let written = |format: &str| repository.lint(&[&SINCE[..], &[&format!("--format={format}")]].concat()).stdout;
    for format in ["json", "sarif", "junit", "markdown", "html"] {
        let text = written(format);
        // In Markdown it is code.
        let is_harmless = ["json", "sarif"].contains(&format) || text.contains("`a<b>?.md`");
        assert!(text.contains("invalid-status lowered (1 finding lowered)"), "{format}: {text}");
        assert!(text.contains(".kep-lint.yaml") && text.contains("new"), "{format}: {text}");
        assert!(!text.contains('\u{7}') && (is_harmless || !text.contains("a<b>")), "{format}: {text}");
        let empty = repository.lint(&["--isolated", &format!("--format={format}")]).stdout;
        assert!(!empty.contains("less strict") && !empty.contains("\"relaxed\""), "{format}: {empty}");
    }
    for format in ["concise", "gitlab", "github"] {
        assert!(!written(format).contains("1 finding lowered"), "{format}");
    }
    let report: serde_json::Value = serde_json::from_str(&written("json")).expect("JSON");
    let conditions = &report["conditions"];
    assert_eq!(conditions["relaxed"][0]["key"], "rules");
    assert_eq!(conditions["edited"][0]["path"], ".kep-lint.yaml");
}

#[test]
fn a_named_configuration_is_that_of_the_base_or_from_elsewhere() {
    let repository = Scratch::of(&[("ci/own.yaml", b"preset: recommended\n"), (".gitignore", b"ignored.yaml\n")]);
    repository.write(&format!("{KEP}/README.md"), "# KEP-1: A\n");
    repository.write(&format!("{KEP}/kep.yaml"), &METADATA.replace("implementable", "implmentable"));
    repository.write("ci/own.yaml", "rules: {invalid-status: off}\n");
    repository.commit();
    // By a link from elsewhere, it is the same file.
    let elsewhere = tempfile::tempdir().expect("a directory");
    std::os::unix::fs::symlink(repository.at("ci"), elsewhere.path().join("ci")).expect("a link");
    let link = elsewhere.path().join("ci/own.yaml");
    for config in ["ci/own.yaml", link.to_str().expect("it is UTF-8")] {
        let printed = repository.lint(&[&FROM_BASE[..], &["--config", config]].concat());
        assert!(printed.status == 1 && has_status(&printed), "{config}: {}", printed.stderr);
    }
    // A file that neither the base nor the change has is a mistake.
    repository.write("ignored.yaml", "fail-on: warning\n");
    for option in ["--config", "--template"] {
        for file in ["ignored.yaml", "nowhere.yaml"] {
            let printed = repository.lint(&[&FROM_BASE[..], &[option, file]].concat());
            assert_eq!(printed.status, 2, "{option} {file}: {}", printed.stderr);
            assert!(printed.stderr.contains("`origin/main` does not have it"), "{}", printed.stderr);
        }
    }
}

#[test]
fn a_broken_configuration_of_the_base_says_of_which_version_it_is() {
    let repository = broken(&[]);
    repository.git(&["checkout", "-q", "-B", "main", "origin/main"]);
    repository.write(".kep-lint.yaml", "rulez: {}\n");
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository.git(&["rm", "-q", ".kep-lint.yaml"]);
    repository.commit();
    let printed = repository.lint(&FROM_BASE);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert!(printed.stderr.replace("\n  ", " ").contains("(in the version origin/main)"), "{}", printed.stderr);
    // The base's SIGs may be gone.
    repository.git(&["checkout", "-q", "-B", "main", "origin/main"]);
    repository.write(".kep-lint.yaml", "overrides: [{sig: sig-node, rules: {bare-answer: off}}]\n");
    repository.write("keps/sig-apps/2-b/README.md", "# KEP-2: B\n");
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository.git(&["mv", KEP, "keps/sig-apps/1-a"]);
    repository.commit();
    assert!(repository.lint(&FROM_BASE).status < 2, "{}", repository.lint(&FROM_BASE).stderr);
}

#[test]
fn decoys_do_not_hide_what_a_change_edits() {
    let repository = broken(&[("OWNERS_ALIASES", "aliases:\n  prod-readiness-approvers: [\"`mallory`\", wojtek-t]\n")]);
    for number in 0..200 {
        repository.write(&format!("keps/sig-node/x{number:03}/OWNERS_ALIASES"), "");
        repository.write(&format!("keps/sig-node/x{number:03}/.gitattributes"), "");
    }
    repository.commit();
    let printed = repository.lint(&SINCE);
    let line = printed.stderr.replace("\n  ", " ");
    assert!(line.contains("`OWNERS_ALIASES` (adds `'mallory'` to the PRR approvers)"), "{line}");
    assert!(line.len() < 4_000 && line.contains("more files"), "{line}");
}

#[test]
fn people_and_groups_that_a_change_adds_are_named() {
    let repository = broken(&[
        (
            "OWNERS_ALIASES",
            "aliases:\n  prod-readiness-approvers:\n  - mallory\n  - wojtek-t\n  sig-node-tech-leads: [eve]\n",
        ),
        ("sigs.yaml", "sigs: [{dir: sig-node}, {dir: sig-own}]\n"),
    ]);
    for arguments in [&SINCE[..], &FROM_BASE] {
        let printed = repository.lint(arguments);
        let words = printed.stderr.replace("\n  ", " ");
        for part in [
            "`OWNERS_ALIASES` (adds `mallory` to the PRR approvers, adds `eve` to SIG Node's tech leads)",
            "`sigs.yaml` (adds `sig-own`)",
        ] {
            assert!(words.contains(part), "{arguments:?}: {words}");
        }
        assert!(has_status(&printed), "{words}");
    }
}

#[test]
fn the_configuration_of_the_base_needs_a_base() {
    let repository = broken(&[]);
    for arguments in [&["--config-from", "base"][..], &["pre-commit", "--config-from", "nowhere"]] {
        assert_eq!(repository.lint(arguments).status, 2);
    }
    let printed = repository.lint(&["--config-from", "base"]);
    assert!(printed.stderr.contains("`--config-from base` needs `--since REF` or `--staged`"), "{}", printed.stderr);
    let printed = repository.lint(&["pre-commit", "--config-from", "base", &format!("{KEP}/kep.yaml")]);
    assert!(printed.status < 2 || printed.stderr.contains("needs"), "{}", printed.stderr);
}

#[test]
fn readiness_says_what_makes_it_less_strict() {
    let repository = broken(&[(".kep-lint.yaml", "groups: none\nrelease: v1.30\nfail-on: never\n")]);
    let printed = kep_lint(&repository.root, ["ready", "1"]);
    let words = printed.stderr.replace("\n  ", " ");
    let says =
        "`.kep-lint.yaml` makes this run less strict: release: v1.30; groups: KEPs belong to none, and need no PRR\n";
    assert!(words.contains(says), "{words}");
    let printed = kep_lint(&repository.root, ["ready", "1", "--release", "v1.37"]);
    assert!(!printed.stderr.contains("release: v1.30"), "{}", printed.stderr);
}

#[test]
fn readiness_says_it_in_its_formats_as_well() {
    let printed_in = |repository: &Scratch, format: &str| {
        kep_lint(&repository.root, ["ready", "1", "--stage", "alpha", "--format", format]).stdout
    };
    let relaxed = broken(&[(".kep-lint.yaml", "groups: none\n")]);
    let json: serde_json::Value = serde_json::from_str(&printed_in(&relaxed, "json")).expect("it is JSON");
    let setting = &json["conditions"]["relaxed"][0];
    assert_eq!((&setting["file"], &setting["key"]), (&".kep-lint.yaml".into(), &"groups".into()), "{json}");
    let says = "makes this run less strict: groups: KEPs belong to none, and need no PRR.";
    for format in ["markdown", "html"] {
        let text = printed_in(&relaxed, format);
        assert!(text.contains(says), "{format}: {text}");
    }
    let strict = broken(&[]);
    for format in ["json", "markdown", "html"] {
        let text = printed_in(&strict, format);
        assert!(!text.contains("less strict") && !text.contains("\"conditions\""), "{format}: {text}");
    }
    let table = |repository: &Scratch| printed_in(repository, "csv").lines().next().map(str::to_owned);
    assert_eq!(table(&relaxed), table(&strict));
}

#[test]
fn what_git_makes_of_files_counts_in_this_run() {
    let repository = broken(&[(".gitattributes", "*.md text\n")]);
    for arguments in [&SINCE[..], &FROM_BASE] {
        let words = repository.lint(arguments).stderr.replace("\n  ", " ");
        let says = "this change edits what decides how strict this run is: `.gitattributes` (new)";
        assert!(words.contains(says) && !words.contains("from the next one on"), "{arguments:?}: {words}");
    }
}

#[test]
fn what_the_command_line_says_is_not_of_the_file() {
    let repository = broken(&[(".kep-lint.yaml", "fail-on: never\npreset: upstream\nlevel: error\n")]);
    let printed = repository.lint(&["--fail-on", "error", "--preset", "recommended"]);
    assert!(printed.status == 1 && !printed.stderr.contains("less strict"), "{}", printed.stderr);
    let printed = kep_lint(&repository.root, [""; 0]);
    let says = "preset: upstream; fail-on: never; level: error is the lowest that is shown";
    assert!(printed.stderr.replace("\n  ", " ").contains(says), "{}", printed.stderr);
    let stricter = broken(&[(
        ".kep-lint.yaml",
        "fail-on: warning\npreset: strict\nlevel: suggestion\nrules: {bad-title: error}\n",
    )]);
    let printed = stricter.lint(&[]);
    assert!(!printed.stderr.contains("less strict"), "{}", printed.stderr);
    let quiet = repository.lint(&["--isolated", "--quiet"]);
    assert_eq!(quiet.stderr, "");
}
