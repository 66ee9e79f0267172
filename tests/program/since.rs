//! `--since`, `--staged` and `--new-only` in git repositories of the tests' own.

use crate::support::scratch::{Scratch, findings};
use std::fs;

/// An active alpha KEP without findings.
const ALPHA: &str = "keps/sig-storage/5502-emptydir-volume-mode";

/// An active beta KEP with ten findings.
const FLAWED: &str = "keps/sig-scheduling/6132-prequeueing-hints";

/// A provisional KEP with findings.
const PROVISIONAL: &str = "keps/sig-cloud-provider/2394-support-out-of-tree-AWS-cloud-provider";

/// An implementable KEP whose milestone is old.
const STALE: &str = "keps/sig-cli/2551-return-code-normalization";

const SINCE: [&str; 2] = ["--since", "HEAD~1"];
const NEW: [&str; 3] = ["--since", "HEAD~1", "--new-only"];

fn file(directory: &str, name: &str) -> String {
    format!("{directory}/{name}")
}

/// The rules of findings below `directory`, which are all there are.
fn rules<'f>(found: &'f [String], directory: &str) -> Vec<&'f str> {
    let rule = |finding: &'f String| {
        let (path, rule) = finding.split_once(' ').expect("a path and a rule");
        assert!(path.starts_with(directory), "{finding} is elsewhere");
        rule
    };
    found.iter().map(rule).collect()
}

/// Removes a section of a README, up to the next heading of its level.
fn cut(repository: &Scratch, path: &str, heading: &str) {
    let text = repository.read(path);
    let from = text.find(&format!("\n{heading}\n")).expect("the heading is there") + 1;
    let level = heading.split(' ').next().expect("marks");
    let rest = &text[from + heading.len()..];
    let next = (1..=level.len()).filter_map(|level| rest.find(&format!("\n{} ", "#".repeat(level)))).min();
    let end = next.map_or(text.len(), |next| from + heading.len() + next + 1);
    repository.write(path, &format!("{}{}", &text[..from], &text[end..]));
}

#[test]
fn only_the_promoted_kep_is_checked_and_only_what_its_stage_adds_is_new() {
    let repository = Scratch::sample();
    cut(&repository, &file(ALPHA, "README.md"), "### Dependencies");
    repository.commit();
    assert_eq!(rules(&repository.findings(&[ALPHA]), ALPHA), ["stale-toc"]);
    repository.replace(&file(ALPHA, "kep.yaml"), "stage: alpha", "stage: beta");
    repository.commit();
    let all = repository.lint(&SINCE);
    assert!(all.stderr.starts_with("checked 1 KEP (3 files) for v1.37"), "{}", all.stderr);
    assert!(all.stderr.contains("; changed since HEAD~1"), "{}", all.stderr);
    let new = repository.lint(&NEW);
    let is_new = |finding: &&String| !finding.ends_with(" stale-toc");
    assert_eq!(findings(&new), findings(&all).iter().filter(is_new).cloned().collect::<Vec<_>>());
    let found = findings(&new);
    assert!(rules(&found, "keps").contains(&"missing-prr"), "{found:?}");
    assert!(new.stdout.contains("required from beta, since v1.21; newly required: alpha → beta"), "{}", new.stdout);
    assert!(new.stderr.contains("; 1 old finding not shown (--new-only)"), "{}", new.stderr);
}

#[test]
fn a_reworded_paragraph_has_no_new_findings() {
    let repository = Scratch::sample();
    let old = repository.findings(&[FLAWED]).len();
    assert!(old > 5);
    let readme = repository.read(&file(FLAWED, "README.md"));
    let readme = readme.replacen(
        "\n## Motivation\n",
        "\nOne more paragraph, which moves all lines below.\n\n## Motivation\n",
        1,
    );
    repository.write(&file(FLAWED, "README.md"), &readme);
    repository.commit();
    assert_eq!(repository.findings(&SINCE).len(), old);
    let new = repository.lint(&NEW);
    assert_eq!((new.stdout.as_str(), new.status), ("", 0), "{}", new.stderr);
    assert!(new.stderr.contains(&format!("; {old} old findings not shown (--new-only)")), "{}", new.stderr);
}

#[test]
fn of_fixed_and_added_findings_the_added_one_is_new() {
    let repository = Scratch::sample();
    let readme = file(ALPHA, "README.md");
    let metadata = file(ALPHA, "kep.yaml");
    let good = repository.read(&metadata);
    repository.write(&metadata, &format!("{good}one: 1\ntwo: 2\nthree: 3\n"));
    repository.commit();
    assert_eq!(repository.findings(&[ALPHA]).len(), 3);
    repository.write(&metadata, &good);
    let text = repository.read(&readme);
    repository.write(&readme, &format!("{text}\nSee [there](nowhere.md).\n"));
    repository.commit();
    assert_eq!(repository.findings(&NEW), [format!("{readme} dead-link")]);
}

#[test]
fn the_children_of_a_parent_that_is_added_are_not_new() {
    const PARENT: &str = "\n## Motivation\n\nIt is slow.\n\n### Goals\n\n### Non-Goals\n\n## Proposal\n";
    let repository = Scratch::sample();
    let readme = file(ALPHA, "README.md");
    cut(&repository, &readme, "## Motivation");
    repository.commit();
    let missing = repository.lint(&["--select", "missing-section", ALPHA]);
    assert_eq!(missing.stdout.lines().count(), 1, "{}", missing.stdout);
    let text = repository.read(&readme);
    repository.write(&readme, &text.replacen("\n## Proposal\n", PARENT, 1));
    repository.commit();
    let sections = ["--select", "sections"];
    let children = repository.findings(&[&SINCE[..], &sections[..]].concat());
    assert_eq!(rules(&children, ALPHA), ["empty-section"; 2]);
    assert_eq!(repository.findings(&[&NEW[..], &sections[..]].concat()), [""; 0]);
}

#[test]
fn a_moved_and_a_renumbered_kep_are_the_same() {
    for (old, new) in [
        (FLAWED, "keps/sig-scheduling/6132-renamed"),
        (FLAWED, "keps/sig-scheduling/6133-prequeueing-hints"),
        (FLAWED, "keps/sig-scheduling/NNNN-prequeueing-hints"),
    ] {
        let repository = Scratch::sample();
        repository.git(&["mv", old, new]);
        let about = ["--ignore", "kep-number-mismatch,bad-title,missing-prr,orphan-prr"];
        // Before it is committed, and after that.
        for base in ["HEAD", "HEAD~1"] {
            let since = [&["--since", base][..], &about].concat();
            assert!(repository.findings(&since).len() > 5, "{new}");
            assert_eq!(repository.findings(&[&since[..], &["--new-only"]].concat()), [""; 0], "{new} {base}");
            repository.commit();
        }
    }
}

#[test]
fn a_number_that_is_no_longer_unique_makes_nothing_new() {
    let repository = Scratch::sample();
    repository.write("keps/sig-node/6132-other/README.md", "# KEP-6132: Other\n");
    repository.replace(&file(FLAWED, "README.md"), "\n## Motivation\n", "\nMore.\n\n## Motivation\n");
    repository.commit();
    let found = repository.findings(&NEW);
    assert!(found.iter().all(|finding| finding.starts_with("keps/sig-node/6132-other/")), "{found:?}");
}

#[test]
fn a_deleted_kep_yaml_is_missing() {
    let repository = Scratch::sample();
    fs::remove_file(repository.at(&file(ALPHA, "kep.yaml"))).expect("it is removed");
    repository.commit();
    assert!(repository.findings(&NEW).contains(&format!("{ALPHA}/README.md missing-kep-yaml")));
}

#[test]
fn a_kep_that_links_to_a_deleted_document_is_touched() {
    let repository = Scratch::sample();
    repository.write(&file(FLAWED, "more.md"), "# More\n");
    let text = repository.read(&file(ALPHA, "README.md"));
    let link = "\nSee [more](../../sig-scheduling/6132-prequeueing-hints/more.md).\n";
    repository.write(&file(ALPHA, "README.md"), &format!("{text}{link}"));
    repository.replace(&file(STALE, "kep.yaml"), "title:", &format!("see-also:\n  - /{FLAWED}\ntitle:"));
    repository.commit();
    fs::remove_file(repository.at(&file(FLAWED, "more.md"))).expect("it is removed");
    repository.commit();
    assert_eq!(repository.findings(&NEW), [format!("{ALPHA}/README.md dead-link")]);
    // A KEP that is removed leaves its PRR file, and whoever refers to it.
    repository.git(&["rm", "-rq", FLAWED]);
    repository.commit();
    let found = repository.findings(&[&NEW[..], &["--ignore", "duplicate-key"]].concat());
    let expected = [
        "keps/prod-readiness/sig-scheduling/6132.yaml orphan-prr".to_owned(),
        format!("{STALE}/kep.yaml dead-reference"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_prr_file_in_a_wrong_directory_is_reported() {
    let repository = Scratch::sample();
    repository.write("keps/prod-readiness/sig-node/2551.yaml", "kep-number: 2551\nalpha:\n  approver: \"@deads2k\"\n");
    repository.write("keps/prod-readiness/sig-node/9999.yaml", "kep-number: 9999\nalpha:\n  approver: \"@deads2k\"\n");
    let expected = ["2551", "9999"].map(|number| format!("keps/prod-readiness/sig-node/{number}.yaml orphan-prr"));
    let found = repository.findings(&["--since", "HEAD", "--new-only"]);
    assert_eq!(found, expected);
    repository.commit();
    assert_eq!(repository.findings(&NEW), expected);
    // It is old as soon as it was there before.
    repository.replace("keps/prod-readiness/sig-node/9999.yaml", "deads2k", "johnbelamaric");
    repository.commit();
    assert_eq!(repository.findings(&SINCE), expected[1..]);
    assert_eq!(repository.findings(&NEW), [""; 0]);
}

#[test]
fn phases_stay_but_for_an_implementable_kep_with_a_changed_kep_yaml() {
    let repository = Scratch::sample();
    repository.replace(&file(PROVISIONAL, "kep.yaml"), "status: provisional", "status: provisional # soon");
    repository.commit();
    let printed = repository.lint(&SINCE);
    assert_eq!(printed.status, 0, "{}", printed.stdout);
    assert!(!findings(&printed).is_empty());
    // A stale KEP is judged as active, before and after the change.
    let stale = repository.findings(&[STALE]);
    assert!(rules(&stale, STALE).contains(&"stale-kep"), "{stale:?}");
    let text = repository.read(&file(STALE, "kep.yaml"));
    repository.write(&file(STALE, "kep.yaml"), &format!("# A comment\n{text}"));
    repository.commit();
    let active = repository.findings(&SINCE);
    assert!(active.len() > stale.len() && !rules(&active, "keps").contains(&"stale-kep"), "{active:?}");
    assert_eq!(repository.findings(&NEW), [""; 0]);
    // Its README alone does not make it active.
    let text = repository.read(&file(STALE, "README.md"));
    repository.write(&file(STALE, "README.md"), &format!("{text}\nMore.\n"));
    repository.commit();
    assert_eq!(repository.findings(&SINCE), stale);
}

#[test]
fn a_kep_that_is_implemented_needs_no_new_milestone() {
    let repository = Scratch::sample();
    let metadata = file(STALE, "kep.yaml");
    repository.replace(&metadata, "stage: alpha", "stage: stable");
    repository.commit();
    assert!(rules(&repository.findings(&NEW), "keps").contains(&"forgotten-milestone"));
    repository.replace(&metadata, "stage: stable", "stage: alpha");
    repository.commit();
    repository.replace(&metadata, "stage: alpha", "stage: stable");
    repository.replace(&metadata, "status: implementable", "status: implemented");
    repository.commit();
    assert!(!rules(&repository.findings(&NEW), "keps").contains(&"forgotten-milestone"));
}

#[test]
fn a_finding_that_got_louder_is_new() {
    let repository = Scratch::sample();
    repository.replace(
        &file(PROVISIONAL, "kep.yaml"),
        "status: provisional",
        "status: implementable\nlatest-milestone: v1.37\nstage: alpha",
    );
    repository.commit();
    let new = repository.lint(&NEW);
    assert_eq!(new.status, 1, "{}", new.stderr);
    assert!(new.stdout.contains("newly required: provisional → alpha"), "{}", new.stdout);
    assert!(new.stdout.contains("; was a suggestion while the KEP was provisional"), "{}", new.stdout);
}

#[test]
fn a_gap_that_is_an_error_now_says_why() {
    const HEADING: &str = "\n### Risks and Mitigations\n";
    for (latest, why) in
        [("v1.35", "was a warning until the KEP aimed at v1.37"), ("v1.29", "was a warning: the KEP was stale (v1.29)")]
    {
        let repository = Scratch::sample();
        let (metadata, readme) = (file(ALPHA, "kep.yaml"), file(ALPHA, "README.md"));
        let text = repository.read(&readme);
        let (before, after) = text.split_once(HEADING).expect("the section is there");
        let (_, after) = after.split_once("\n## ").expect("the next one is there");
        repository.write(&readme, &format!("{before}{HEADING}\n## {after}"));
        repository.replace(&metadata, "latest-milestone: \"v1.37\"", &format!("latest-milestone: \"{latest}\""));
        repository.replace(&metadata, "alpha: \"v1.37\"", "alpha: \"v1.29\"");
        repository.commit();
        repository.replace(&metadata, &format!("latest-milestone: \"{latest}\""), "latest-milestone: \"v1.37\"");
        repository.commit();
        let new = repository.lint(&[&NEW[..], &["--release", "v1.37", "--select", "empty-section"]].concat());
        assert_eq!(findings(&new), [format!("{readme} empty-section")], "{latest}: {}", new.stderr);
        assert!(
            new.stdout.contains("error[") && new.stdout.contains(&format!("; {why}\n")),
            "{latest}: {}",
            new.stdout
        );
    }
}

#[test]
fn what_was_not_checked_before_says_so() {
    let repository = Scratch::sample();
    let metadata = file(ALPHA, "kep.yaml");
    repository.replace(&metadata, "status: implementable", "status: withdrawn");
    cut(&repository, &file(ALPHA, "README.md"), "## Motivation");
    repository.commit();
    repository.replace(&metadata, "status: withdrawn", "status: implementable");
    repository.commit();
    let new = repository.lint(&[&NEW[..], &["--select", "missing-section"]].concat());
    assert!(new.stdout.contains("required in every KEP; not checked while the KEP was closed\n"), "{}", new.stdout);
}

#[test]
fn what_matters_for_all_keps_touches_them_all() {
    let repository = Scratch::sample();
    let text = repository.read("OWNERS_ALIASES");
    repository.write("OWNERS_ALIASES", &format!("# A comment\n{text}"));
    assert!(repository.lint(&["--since", "HEAD"]).stderr.starts_with("checked 20 KEPs"));
    assert_eq!(repository.findings(&["--since", "HEAD", "--new-only"]), [""; 0]);
    repository.git(&["checkout", "-q", "."]);
    repository.write(".kep-lint.yaml", "");
    assert!(repository.lint(&["--since", "HEAD"]).stderr.starts_with("checked 20 KEPs"));
}

#[test]
fn nothing_changed_is_one_sentence() {
    let repository = Scratch::sample();
    repository.write("docs/README.md", "# Docs\n");
    let readme = file(ALPHA, "README.md");
    // What was touched and put back is not changed.
    let text = repository.read(&readme);
    repository.write(&readme, "# X\n");
    repository.write(&readme, &text);
    for arguments in [&["--since", "HEAD"][..], &["--since", "HEAD", "--new-only"]] {
        let printed = repository.lint(arguments);
        assert_eq!(
            (printed.stdout.as_str(), printed.stderr.as_str()),
            ("", "no KEP to check has changed since HEAD\n")
        );
        assert_eq!(printed.status, 0);
    }
    assert_eq!(repository.lint(&["--staged"]).stderr, "no KEP to check has staged changes\n");
    let printed = repository.lint(&["--since", "HEAD", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&printed.stdout).expect("it is JSON");
    assert_eq!(report["keps"], 0);
}

#[test]
fn paths_limit_what_is_checked_and_are_shown_as_given() {
    let repository = Scratch::sample();
    for kep in [ALPHA, STALE] {
        let text = repository.read(&file(kep, "README.md"));
        repository.write(&file(kep, "README.md"), &format!("{text}\nSee [there](nowhere.md).\n"));
    }
    repository.commit();
    assert_eq!(repository.findings(&[&NEW[..], &["keps/sig-cli"]].concat()), [format!("{STALE}/README.md dead-link")]);
    let inner = repository.at(ALPHA);
    assert_eq!(findings(&repository.lint_in(&inner, &NEW, &[])), ["./README.md dead-link"]);
    let printed = repository.lint_in(&repository.at("keps/sig-node"), &[&NEW[..], &["../sig-cli"]].concat(), &[]);
    assert_eq!(findings(&printed), ["../sig-cli/2551-return-code-normalization/README.md dead-link"]);
    let absolute = repository.at("keps/sig-cli");
    let absolute = absolute.to_str().expect("it is UTF-8");
    assert_eq!(repository.findings(&[&NEW[..], &[absolute]].concat()).len(), 1);
}

#[test]
fn what_is_staged_counts_and_not_what_is_on_disk() {
    let repository = Scratch::sample();
    let readme = file(ALPHA, "README.md");
    let text = repository.read(&readme);
    repository.write(&readme, &format!("{text}\nSee [staged](nowhere.md).\n"));
    repository.git(&["add", &readme]);
    repository.write(&readme, &format!("{text}\nSee [on disk](elsewhere.md).\n"));
    repository.write("keps/sig-node/1-untracked/README.md", "# KEP-1: X\n");
    for arguments in [&["--staged"][..], &["--staged", "--new-only"]] {
        let printed = repository.lint(arguments);
        assert_eq!(findings(&printed), [format!("{readme} dead-link")], "{}", printed.stderr);
        assert!(printed.stdout.contains("nowhere.md"), "{}", printed.stdout);
    }
    // A hook may say which index is meant.
    let index = repository.at(".git/other");
    fs::copy(repository.at(".git/index"), &index).expect("a copy");
    repository.git(&["reset", "-q"]);
    assert_eq!(findings(&repository.lint(&["--staged"])), [""; 0]);
    let variables = [("GIT_INDEX_FILE", index.to_str().expect("it is UTF-8")), ("GIT_DIR", ".git")];
    assert_eq!(findings(&repository.lint_in(&repository.root, &["--staged"], &variables)).len(), 1);
    // What is deleted on disk is still staged.
    repository.git(&["add", &readme]);
    fs::remove_file(repository.at(&readme)).expect("it is removed");
    assert_eq!(findings(&repository.lint(&["--staged"])), [format!("{readme} dead-link")]);
}

#[test]
fn before_the_first_commit_all_that_is_staged_is_new() {
    let repository = Scratch::empty();
    repository.write("keps/sig-node/1-x/README.md", "# KEP-1: X\n");
    repository.git(&["add", "."]);
    let select = ["--select", "missing-kep-yaml"];
    let found = repository.findings(&[&["--staged", "--new-only"][..], &select].concat());
    assert_eq!(found, ["keps/sig-node/1-x/README.md missing-kep-yaml"]);
    let printed = repository.lint(&["--since", "main"]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
}

#[test]
fn only_new_findings_are_fixed() {
    let repository = Scratch::sample();
    let readme = file(STALE, "README.md");
    let text = repository.read(&readme);
    repository.write(&readme, &format!("{text}\nSee [old]((https://example.com/old)).\n"));
    repository.commit();
    let text = repository.read(&readme);
    repository.write(&readme, &format!("{text}\nSee [new]((https://example.com/new)).\n"));
    let options = ["--since", "HEAD", "--new-only", "--select", "broken-link-syntax", "--release", "v1.24"];
    let printed = repository.lint(&[&options[..], &["--fix"]].concat());
    assert!(printed.stderr.contains("fixed 1 finding in 1 file"), "{}", printed.stderr);
    let fixed = repository.read(&readme);
    assert!(fixed.contains("[old]((https://example.com/old))") && fixed.contains("[new](https://example.com/new)"));
}

#[test]
fn a_file_of_a_kep_with_another_name_is_the_same() {
    let repository = Scratch::sample();
    repository.write(&file(FLAWED, "more.md"), "# More\n\nSee [there](/keps/nowhere.md) and [that](#nothing).\n");
    repository.commit();
    assert_eq!(repository.findings(&[FLAWED]).iter().filter(|found| found.contains("more.md")).count(), 3);
    repository.git(&["mv", &file(FLAWED, "README.md"), &file(FLAWED, "readme.md")]);
    repository.git(&["mv", &file(FLAWED, "more.md"), &file(FLAWED, "other.md")]);
    for base in ["HEAD", "HEAD~1"] {
        let since = ["--since", base, "--ignore", "missing-readme"];
        assert!(repository.findings(&since).iter().any(|found| found.contains("other.md")));
        assert_eq!(repository.findings(&[&since[..], &["--new-only"]].concat()), [""; 0], "{base}");
        repository.commit();
    }
}

/// The configuration of today judges both versions, so that a change of it makes nothing new.
#[test]
fn a_changed_configuration_makes_nothing_new() {
    let repository = Scratch::sample();
    let all = repository.findings(&[]).len();
    repository.write(
        ".kep-lint.yaml",
        "rules: {bare-answer: error}\ngroups: none\noverrides:\n- paths: keps/sig-scheduling/9999-*\n  rules: {dead-link: error}\n",
    );
    repository.commit();
    let since = repository.lint(&SINCE);
    assert!(since.stderr.starts_with("checked 20 KEPs"), "{}", since.stderr);
    assert!(all > 10 && findings(&since).iter().any(|finding| finding.ends_with("bare-answer")));
    assert_eq!(repository.findings(&NEW), Vec::<String>::new());
    // The levels of a KEP that moves are those that it has now.
    repository.write(
        &file(FLAWED, "README.md"),
        &format!("{}\nSee [x](gone.md).\n", repository.read(&file(FLAWED, "README.md"))),
    );
    repository.commit();
    repository.git(&["mv", FLAWED, "keps/sig-scheduling/9999-prequeueing-hints"]);
    repository.commit();
    let found = repository.findings(&NEW);
    assert!(found.iter().all(|finding| !finding.ends_with("dead-link")), "{found:?}");
}

#[test]
fn a_removed_ignore_makes_its_finding_new() {
    let repository = Scratch::sample();
    let readme = file(ALPHA, "README.md");
    let text = repository.read(&readme);
    repository
        .write(&readme, &format!("{text}\n<!-- kep-lint-ignore dead-link: it comes later -->\nSee [x](gone.md).\n"));
    repository.commit();
    assert_eq!(repository.findings(&NEW), Vec::<String>::new());
    repository.write(&readme, &format!("{text}\nSee [x](gone.md).\n"));
    repository.commit();
    assert_eq!(repository.findings(&NEW), [format!("{readme} dead-link")]);
}

#[test]
fn a_prr_file_touches_the_kep_with_its_number_in_kep_yaml() {
    let repository = Scratch::sample();
    let moved = "keps/sig-storage/0000-emptydir-volume-mode";
    repository.git(&["mv", ALPHA, moved]);
    repository.commit();
    repository.git(&["rm", "-q", "keps/prod-readiness/sig-storage/5502.yaml"]);
    repository.commit();
    let found = repository.findings(&NEW);
    assert!(found.iter().any(|finding| finding.ends_with(" missing-prr")), "{found:?}");
}

#[test]
fn a_prr_file_that_a_deleted_kep_leaves_is_reported() {
    let repository = Scratch::sample();
    repository.git(&["rm", "-rq", ALPHA]);
    repository.commit();
    let found = repository.findings(&NEW);
    assert_eq!(found, ["keps/prod-readiness/sig-storage/5502.yaml orphan-prr"]);
}
