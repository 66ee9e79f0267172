//! Comparisons with several bases: a merge that is not committed yet, branches that were merged into each other, and a push
//! of a merge. What one of the bases has is not new.

use crate::support::scratch::{Scratch, findings};

const KEP: &str = "keps/sig-storage/5502-emptydir-volume-mode";
/// A KEP with findings.
const FLAWED: &str = "keps/sig-scheduling/6132-prequeueing-hints";

fn readme(kep: &str) -> String {
    format!("{kep}/README.md")
}

/// Adds a dead link at the end of a README.
fn add_dead_link(repository: &Scratch, kep: &str, target: &str) {
    let text = repository.read(&readme(kep));
    repository.write(&readme(kep), &format!("{text}\nSee [there]({target}).\n"));
}

/// Adds a sentence without a finding at the start of a README.
fn add_sentence(repository: &Scratch, kep: &str) {
    repository.replace(&readme(kep), "\n## Motivation\n", "\n## Motivation\n\nOne more sentence.\n");
}

/// A repository in which `main` got a dead link, and `work`, which is checked out, a sentence in the same README. `main` is
/// being merged.
fn merging() -> Scratch {
    let repository = Scratch::sample();
    repository.git(&["checkout", "-q", "-b", "work"]);
    add_sentence(&repository, FLAWED);
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    add_dead_link(&repository, FLAWED, "of-main.md");
    repository.commit();
    repository.git(&["checkout", "-q", "work"]);
    repository.git(&["merge", "-q", "--no-commit", "main"]);
    repository
}

#[test]
fn a_merge_is_about_what_neither_parent_has() {
    let repository = merging();
    let file = readme(FLAWED);
    let runs = [
        vec!["--staged", "--new-only"],
        vec!["--since", "HEAD", "--new-only"],
        vec!["--since", "main", "--new-only"],
        vec!["pre-commit", "--new-only", &file],
        vec!["pre-commit", "--new-only", "--fix", &file],
    ];
    for arguments in &runs {
        assert_eq!(repository.findings(arguments), [""; 0], "{arguments:?}");
    }
    add_dead_link(&repository, FLAWED, "of-the-merge.md");
    repository.git(&["add", "."]);
    for arguments in &runs {
        assert_eq!(repository.findings(arguments), [format!("{file} dead-link")], "{arguments:?}");
    }
}

#[test]
fn a_conflict_that_is_resolved_as_in_one_parent_brings_nothing() {
    let repository = merging();
    let file = readme(FLAWED);
    for parent in ["HEAD", "MERGE_HEAD"] {
        repository.git(&["checkout", "-q", parent, "--", &file]);
        // pre-commit passes a file that was in conflict, whatever became of it.
        let printed = repository.lint(&["pre-commit", &file]);
        assert_eq!((printed.status, printed.stdout.as_str()), (0, ""), "{parent}: {}", printed.stderr);
    }
}

#[test]
fn a_merge_of_three_branches_has_three_parents() {
    let repository = Scratch::sample();
    for branch in ["one", "two"] {
        repository.git(&["checkout", "-q", "-b", branch, "main"]);
        let link = format!("\n## Motivation\n\n[a](of-{branch}.md)\n");
        let heading = if branch == "one" { "\n## Motivation\n" } else { "\n## Proposal\n" };
        repository.replace(&readme(KEP), heading, &link.replace("\n## Motivation\n", heading));
        repository.commit();
    }
    repository.git(&["checkout", "-q", "main"]);
    add_dead_link(&repository, KEP, "of-main.md");
    repository.commit();
    repository.git(&["merge", "-q", "--no-commit", "one", "two"]);
    assert_eq!(repository.findings(&["--staged", "--new-only"]), [""; 0]);
    add_dead_link(&repository, KEP, "of-the-merge.md");
    repository.git(&["add", "."]);
    assert_eq!(repository.findings(&["--staged", "--new-only"]), [format!("{} dead-link", readme(KEP))]);
}

#[test]
fn what_only_the_parents_together_lack_is_new() {
    let repository = Scratch::sample();
    let metadata = format!("{KEP}/kep.yaml");
    repository.git(&["checkout", "-q", "-b", "work"]);
    repository.replace(&metadata, "stage: alpha", "stage: beta");
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    // Alpha does not need it.
    let text = repository.read(&readme(KEP));
    let (before, rest) = text.split_once("\n### Monitoring Requirements").expect("it has the section");
    let (_, after) = rest.split_once("\n### Dependencies").expect("it has the next one");
    repository.write(&readme(KEP), &format!("{before}\n### Dependencies{after}"));
    repository.commit();
    repository.git(&["checkout", "-q", "work"]);
    repository.git(&["merge", "-q", "--no-commit", "main"]);
    let select = ["--select", "missing-section", "--new-only"];
    let missing = [format!("{} missing-section", readme(KEP))];
    assert_eq!(repository.findings(&[&["--staged"][..], &select].concat()), missing);
    assert_eq!(repository.findings(&[&["pre-commit"][..], &select].concat()), missing);
}

#[test]
fn what_a_parent_does_to_kep_yaml_is_not_done_by_the_merge() {
    let repository = Scratch::sample();
    let metadata = format!("{KEP}/kep.yaml");
    repository.replace(&metadata, "latest-milestone: \"v1.37\"", "latest-milestone: \"v1.35\"");
    repository.commit();
    repository.git(&["checkout", "-q", "-b", "work"]);
    repository.replace(&metadata, "\nstatus:", "\nlast-updated: 2026-07-01\nstatus:");
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    repository.replace(&metadata, "stage: alpha", "stage: beta");
    repository.commit();
    let select = ["--select", "forgotten-milestone", "--new-only"];
    let forgotten = [format!("{metadata} forgotten-milestone")];
    assert_eq!(repository.findings(&[&["--since", "HEAD~1"][..], &select].concat()), forgotten);
    repository.git(&["checkout", "-q", "work"]);
    repository.git(&["merge", "-q", "--no-commit", "main"]);
    assert_eq!(repository.findings(&[&["--staged"][..], &select].concat()), [""; 0]);
}

/// A repository in which `main` and `work` took over the first commit of the other, so that both are merge bases. That of
/// `main` adds a dead link.
fn merged_both_ways() -> Scratch {
    let repository = Scratch::sample();
    repository.git(&["checkout", "-q", "-b", "work"]);
    add_sentence(&repository, KEP);
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    add_dead_link(&repository, FLAWED, "of-main.md");
    repository.commit();
    repository.git(&["branch", "first"]);
    repository.git(&["merge", "-q", "--no-edit", "work"]);
    repository.git(&["checkout", "-q", "work"]);
    repository.git(&["merge", "-q", "--no-edit", "first"]);
    repository
}

#[test]
fn of_two_merge_bases_both_count() {
    let repository = merged_both_ways();
    let bases = repository.git(&["merge-base", "--all", "main", "work"]);
    assert_eq!(bases.lines().count(), 2, "{bases}");
    for branch in ["work", "main"] {
        repository.git(&["checkout", "-q", branch]);
        for since in ["main", "work"] {
            assert_eq!(repository.findings(&["--since", since]), [""; 0], "{since} on {branch}");
        }
    }
    repository.git(&["checkout", "-q", "work"]);
    add_dead_link(&repository, KEP, "of-work.md");
    repository.commit();
    assert_eq!(repository.findings(&["--since", "main", "--new-only"]), [format!("{} dead-link", readme(KEP))]);
    // The branch that is named counts as well.
    repository.git(&["checkout", "-q", "main"]);
    add_dead_link(&repository, KEP, "of-work.md");
    repository.commit();
    repository.git(&["checkout", "-q", "work"]);
    assert_eq!(repository.findings(&["--since", "main", "--new-only"]), [""; 0]);
}

#[test]
fn a_push_of_a_merge_is_not_about_the_default_branch() {
    let repository = merging();
    let pushed = repository.git(&["rev-parse", "work"]);
    repository.commit();
    let push = || {
        let variables = [("PRE_COMMIT_FROM_REF", pushed.as_str())];
        findings(&repository.lint_in(&repository.root, &["pre-commit", "--new-only"], &variables))
    };
    let dead_link = format!("{} dead-link", readme(FLAWED));
    assert_eq!(push(), [dead_link.as_str()], "no default branch is known");
    repository.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    assert_eq!(push(), [""; 0]);
    add_dead_link(&repository, FLAWED, "of-work.md");
    repository.commit();
    assert_eq!(push(), [dead_link.as_str()]);
    // After it is merged, nothing is left that could be compared with.
    repository.git(&["update-ref", "refs/remotes/origin/main", "work"]);
    assert_eq!(push(), [dead_link.as_str(), dead_link.as_str()]);
}

#[test]
fn so_many_bases_that_a_run_would_take_minutes_are_refused() {
    let repository = Scratch::sample();
    add_dead_link(&repository, KEP, "nowhere.md");
    repository.git(&["add", "."]);
    let parent = |number: usize| repository.git(&["commit-tree", "HEAD^{tree}", "-m", &number.to_string()]);
    let parents: Vec<String> = (1..=16).map(parent).collect();
    repository.write(".git/MERGE_HEAD", &parents[1..].join("\n"));
    assert_eq!(repository.findings(&["--staged", "--new-only"]), [format!("{} dead-link", readme(KEP))]);
    repository.write(".git/MERGE_HEAD", &parents.join("\n"));
    let printed = repository.lint(&["--staged", "--new-only"]);
    assert_eq!(printed.status, 2, "{}", printed.stdout);
    assert!(printed.stderr.contains("cannot compare with `HEAD`: it has 17 bases, more than 16"), "{}", printed.stderr);
}
