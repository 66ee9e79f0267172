//! `--baseline` and `--write-baseline`: what a file hides, what it cannot hide, and what a change can do behind it.

use crate::support::program::{Printed, kep_lint_with};
use crate::support::scratch::{Scratch, findings};
use serde_json::Value;
use std::fs;

const FILE: &str = "known.jsonl";

/// An active KEP with findings of all severities.
const FLAWED: &str = "keps/sig-scheduling/6132-prequeueing-hints";

/// A KEP whose README names two targets that do not exist.
const LINKS: &str = "keps/sig-storage/2923-csi-migration-ceph-rbd";

/// One of them.
const QUESTIONNAIRE: &str = "625-csi-migration#production-readiness-review-questionnaire";

const HIDING: [&str; 2] = ["--baseline", FILE];
const WRITING: [&str; 2] = ["--write-baseline", FILE];
const SINCE: [&str; 4] = ["--baseline", FILE, "--since", "origin/main"];
const FROM_BASE: [&str; 6] = ["--baseline", FILE, "--since", "origin/main", "--config-from", "base"];

/// The sample with a baseline of all its findings, both in the main branch of its remote.
fn accepted() -> Scratch {
    let repository = Scratch::sample();
    let printed = repository.lint(&WRITING);
    assert_eq!((printed.status, printed.stdout.as_str()), (0, ""), "{}", printed.stderr);
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository
}

/// What was printed to standard error, without line breaks inside of sentences.
fn said(printed: &Printed) -> String {
    printed.stderr.replace("\n  ", " ")
}

fn says(printed: &Printed, words: &str) {
    assert!(said(printed).contains(words), "no {words:?} in:\n{}{}", printed.stdout, printed.stderr);
}

fn is_silent(printed: &Printed) -> bool {
    printed.status == 0 && printed.stdout.is_empty() && !printed.stderr.contains("no finding any more")
}

#[test]
fn what_is_written_is_hidden_and_written_alike_again() {
    let repository = accepted();
    let text = repository.read(FILE);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0], serde_json::json!({"kep-lint-baseline": 1, "release": "v1.37"}));
    let entry = lines.iter().find(|line| line["rule"] == "unacknowledged-test-plan").expect("it has an entry");
    let (file, kep) = (format!("{FLAWED}/README.md"), "6132");
    assert!(entry["file"] == *file && entry["kep"] == kep && entry["severity"] == "warning", "{entry}");
    let places: Vec<(&str, &str)> =
        lines.iter().skip(1).filter_map(|line| Some((line["file"].as_str()?, line["rule"].as_str()?))).collect();
    assert!(places.is_sorted() && places.len() > 60, "{places:?}");
    let printed = repository.lint(&HIDING);
    assert!(is_silent(&printed), "{}{}", printed.stdout, printed.stderr);
    says(&printed, "0 errors, 0 warnings, 0 suggestions; 65 findings in the baseline\n");
    says(&printed, &format!("`{FILE}` makes this run less strict: baseline: 65 findings hidden of {}", places.len()));
    // Of what is not checked, nothing is lost.
    for arguments in
        [&[][..], &["keps/sig-node"], &["--select", "dead-link"], &["--ignore", "sections"], &["--sig", "node"]]
    {
        let printed = repository.lint(&[&WRITING[..], arguments].concat());
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        says(&printed, "0 new, 0 removed");
        assert_eq!(repository.read(FILE), text, "{arguments:?}");
    }
    let printed = repository.lint(&[&WRITING[..], &["keps/sig-node"]].concat());
    says(&printed, " of what was not checked\n");
}

#[test]
fn what_is_new_speaks_and_what_is_fixed_is_listed() {
    let repository = accepted();
    let readme = format!("{FLAWED}/README.md");
    let all = repository.read(&readme);
    // A paragraph above, and one that moves, change nothing.
    repository.write(&readme, &all.replacen("## Motivation\n", "## Motivation\n\nA new paragraph.\n", 1));
    assert!(is_silent(&repository.lint(&HIDING)));
    repository.write(&readme, &all);
    repository.git(&["mv", FLAWED, "keps/sig-scheduling/6132-other-name"]);
    let printed = repository.lint(&HIDING);
    assert!(is_silent(&printed), "{}{}", printed.stdout, printed.stderr);
    repository.git(&["reset", "-q", "--hard"]);
    // A new finding of a rule that the KEP has already.
    repository.write(&readme, &all.replacen("## Motivation\n", "## Motivation\n\n[there](nowhere.md)\n", 1));
    let printed = repository.lint(&HIDING);
    assert_eq!(findings(&printed), [format!("{readme} dead-link")], "{}", printed.stderr);
    says(&printed, "; 65 findings in the baseline");
    repository.replace(&format!("{FLAWED}/kep.yaml"), "status: implementable", "status: implmentable");
    let printed = repository.lint(&HIDING);
    assert!(printed.status == 1 && findings(&printed).contains(&format!("{FLAWED}/kep.yaml invalid-status")));
    repository.git(&["reset", "-q", "--hard"]);
    // One that is fixed.
    repository.replace(&format!("{LINKS}/README.md"), QUESTIONNAIRE, "2923-csi-migration-ceph-rbd");
    let printed = repository.lint(&HIDING);
    assert_eq!((printed.status, printed.stdout.as_str()), (0, ""), "{}", printed.stderr);
    let fixed = format!("1 entry of `{FILE}` has no finding any more: dead-link in `{LINKS}/README.md`");
    says(&printed, &format!("{fixed}; `--write-baseline` removes it\n"));
    // Only runs that checked it with its rule know.
    for arguments in
        [&["keps/sig-node"][..], &["--select", "stale-toc"], &["--ignore", "dead-link"], &["--stage", "beta"]]
    {
        let printed = repository.lint(&[&HIDING[..], arguments].concat());
        assert!(!printed.stderr.contains("any more"), "{arguments:?}: {}", printed.stderr);
    }
    says(&repository.lint(&[&HIDING[..], &[LINKS]].concat()), &fixed);
    let printed = repository.lint(&WRITING);
    says(&printed, "wrote 64 findings to `known.jsonl`:");
    says(&printed, "0 new, 1 removed\n");
    assert!(is_silent(&repository.lint(&HIDING)));
    // A KEP that is gone, but not one that the configuration excludes.
    repository.write(".kep-lint.yaml", &format!("exclude: [\"{LINKS}\"]\n"));
    assert!(is_silent(&repository.lint(&HIDING)));
    repository.git(&["rm", "-q", "-r", "-f", LINKS]);
    says(&repository.lint(&HIDING), &format!("of `{FILE}` have no finding any more: dead-link in `{LINKS}/README.md`"));
}

/// The file is text that people edit: an entry does what all of it says, or nothing.
#[test]
fn an_entry_hides_what_it_says() {
    let repository = accepted();
    let text = repository.read(FILE);
    let line = text.lines().find(|line| line.contains("unacknowledged-test-plan")).expect("it is there").to_owned();
    for (old, new, is_listed) in [
        ("\"warning\"", "\"advice\"", false),
        ("\"6132\"", "\"281\"", true),
        ("unacknowledged-test-plan", "bad-title", true),
        ("unacknowledged-test-plan", "no-such-rule", true),
    ] {
        repository.write(FILE, &text.replace(&line, &line.replace(old, new)));
        let printed = repository.lint(&HIDING);
        assert_eq!(findings(&printed), [format!("{FLAWED}/README.md unacknowledged-test-plan")], "{new}");
        assert_eq!(printed.stderr.contains("any more"), is_listed, "{new}: {}", printed.stderr);
        says(&printed, "64 findings hidden");
    }
    // A line that is not an entry, and a file that is not a baseline, end the run and are not replaced.
    for (other, words) in [
        (format!("{text}{line}\n"), "has the same fingerprint"),
        (format!("{text}<<<<<<< HEAD\n"), "a merge conflict is not resolved"),
        (text.replace("\"rule\"", "\"rulez\""), ":2: not an entry: unknown field `rulez`"),
        ("# KEP-1\n".to_owned(), ":1: not a baseline of kep-lint"),
        (String::new(), "it is empty"),
    ] {
        repository.write(FILE, &other);
        for arguments in [HIDING, WRITING] {
            let printed = repository.lint(&arguments);
            assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{}", printed.stderr);
            says(&printed, words);
            assert_eq!(repository.read(FILE), other);
        }
    }
    fs::File::create(repository.at(FILE)).and_then(|file| file.set_len(33 << 20)).expect("a file");
    says(&repository.lint(&HIDING), "reduce it to at most 32 MiB");
    fs::remove_file(repository.at(FILE)).expect("it is there");
    fs::create_dir(repository.at(FILE)).expect("a directory");
    says(&repository.lint(&WRITING), "it is a directory");
    let printed = repository.lint(&["--baseline", "nowhere"]);
    assert_eq!(printed.status, 2);
    says(&printed, "cannot read `nowhere`");
}

/// What is about the check itself is never hidden, and a file that was not written whole is not written.
#[test]
fn failures_and_what_hides_other_findings_are_reported() {
    let repository = accepted();
    repository.write("keps/NNNN-kep-template/x/kep.yaml", "status: implementable\n");
    repository.replace(&format!("{FLAWED}/kep.yaml"), "title: ", "title: [");
    let printed = repository.lint(&WRITING);
    assert_eq!(printed.status, 1, "{}", printed.stderr);
    let found = findings(&printed);
    assert!(found.iter().any(|finding| finding.ends_with("misplaced-kep")), "{found:?}");
    assert!(found.iter().any(|finding| finding.ends_with("kep.yaml invalid-yaml")), "{found:?}");
    assert!(!repository.read(FILE).contains("misplaced-kep") && !repository.read(FILE).contains("invalid-yaml"));
    assert_eq!(findings(&repository.lint(&HIDING)), found);
    repository.git(&["reset", "-q", "--hard"]);
    let before = repository.read(FILE);
    fs::create_dir(repository.at("keps/sig-node/9-x")).expect("a directory");
    fs::File::create(repository.at("keps/sig-node/9-x/README.md"))
        .and_then(|file| file.set_len(3 << 20))
        .expect("a file");
    let printed = repository.lint(&WRITING);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    says(&printed, "cannot write `known.jsonl`: not everything could be checked");
    assert_eq!(repository.read(FILE), before);
    let printed = repository.lint(&HIDING);
    assert!(printed.status == 2 && printed.stderr.contains("2 MiB"), "{}", printed.stderr);
}

#[test]
fn a_change_cannot_hide_behind_the_file_unseen() {
    let break_it = |repository: &Scratch| {
        repository.replace(&format!("{FLAWED}/kep.yaml"), "status: implementable", "status: implmentable");
    };
    let is_seen = |printed: &Printed| findings(printed).contains(&format!("{FLAWED}/kep.yaml invalid-status"));
    // It adds entries.
    let repository = accepted();
    break_it(&repository);
    assert_eq!(repository.lint(&WRITING).status, 0);
    repository.commit();
    let printed = repository.lint(&SINCE);
    assert!(!is_seen(&printed), "{}", printed.stdout);
    says(&printed, &format!("this change edits what decides how strict this run is: `{FILE}` (adds 1 entry"));
    let printed = repository.lint(&FROM_BASE);
    assert!(is_seen(&printed) && printed.status == 1, "{}", printed.stderr);
    says(&printed, &format!("this change edits `{FILE}` (adds 1 entry"));
    says(&printed, ", which counts from the next one on\n");
    let staged = || repository.git(&["reset", "-q", "--soft", "origin/main"]);
    staged();
    let printed = repository.lint(&[&HIDING[..], &["--staged", "--config-from", "base"]].concat());
    assert!(is_seen(&printed) && printed.status == 1, "{}", printed.stderr);
    // It allows more.
    let repository = accepted();
    let text = repository.read(FILE);
    repository.write(FILE, &text.replace("\"severity\":\"warning\"", "\"severity\":\"error\""));
    repository.commit();
    says(&repository.lint(&SINCE), "(raises the severity of 15 entries)\n");
    says(&repository.lint(&FROM_BASE), "(raises the severity of 15 entries), which counts from the next one on\n");
    // Its entries are about others than before.
    let repository = accepted();
    let text = repository.read(FILE);
    repository.write(FILE, &text.replace("\"rule\":\"missing-section\"", "\"rule\":\"dead-link\""));
    repository.commit();
    says(&repository.lint(&SINCE), "(changes the rule or KEP of ");
    // It deletes it.
    let repository = accepted();
    break_it(&repository);
    repository.git(&["rm", "-q", FILE]);
    repository.commit();
    let printed = repository.lint(&SINCE);
    assert_eq!(printed.status, 2);
    says(&printed, "cannot read `known.jsonl`");
    let printed = repository.lint(&FROM_BASE);
    assert!(is_seen(&printed) && printed.status == 1, "{}", printed.stderr);
    says(&printed, &format!("this change edits `{FILE}` (deleted), which counts"));
    // It brings the file: the base has none, so that all findings are reported.
    let repository = Scratch::sample();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    break_it(&repository);
    assert_eq!(repository.lint(&WRITING).status, 0);
    repository.commit();
    let printed = repository.lint(&FROM_BASE);
    assert!(is_seen(&printed) && printed.status == 1, "{}", printed.stderr);
    says(&printed, &format!("this change edits `{FILE}` (new, adds "));
    says(&repository.lint(&SINCE), &format!("`{FILE}` (new, adds "));
}

#[cfg(unix)]
#[test]
fn a_change_that_makes_the_file_a_link_is_seen() {
    use std::os::unix::fs::symlink;
    let repository = accepted();
    repository.replace(&format!("{FLAWED}/kep.yaml"), "status: implementable", "status: implmentable");
    assert_eq!(repository.lint(&["--write-baseline", "other.jsonl"]).status, 0);
    fs::remove_file(repository.at(FILE)).expect("it is there");
    symlink("other.jsonl", repository.at(FILE)).expect("a link");
    repository.commit();
    let printed = repository.lint(&SINCE);
    assert_eq!(printed.status, 0, "{}{}", printed.stdout, printed.stderr);
    says(&printed, &format!("how strict this run is: `{FILE}` (adds 1 entry"));
    let printed = repository.lint(&FROM_BASE);
    assert!(printed.status == 1 && printed.stdout.contains("invalid-status"), "{}", printed.stderr);
    // What is outside of the repository is not read.
    let elsewhere = tempfile::tempdir().expect("a directory");
    let outside = elsewhere.path().join("own.jsonl");
    fs::rename(repository.at("other.jsonl"), &outside).expect("a file");
    fs::remove_file(repository.at(FILE)).expect("it is there");
    symlink(&outside, repository.at(FILE)).expect("a link");
    let printed = repository.lint(&HIDING);
    assert_eq!(printed.status, 2);
    says(&printed, "it is outside of");
    assert_eq!(repository.lint(&WRITING).status, 2);
    // But whoever runs kep-lint may name it.
    let own = outside.to_str().expect("it is UTF-8");
    assert_eq!(repository.lint(&["--baseline", own]).stdout, "");
}

/// What a baseline cannot tell apart: docs/baseline.md names it.
#[test]
fn what_is_alike_takes_the_place_of_what_was_fixed() {
    let repository = accepted();
    let readme = format!("{LINKS}/README.md");
    let text = repository.read(&readme);
    // The same dead target elsewhere in the file, in place of the old one, is the old finding; another one is new.
    let line = text.lines().find(|line| line.contains(QUESTIONNAIRE)).expect("it is there");
    repository.write(&readme, &format!("{}\n## More\n\n{line}\n", text.replacen(line, "", 1)));
    let printed = repository.lint(&HIDING);
    assert!(!printed.stdout.contains("dead-link"), "{}", printed.stdout);
    repository.write(&readme, &format!("{text}\n{}\n", line.replace(QUESTIONNAIRE, "nowhere")));
    let printed = repository.lint(&[&HIDING[..], &["--select", "dead-link"]].concat());
    assert_eq!(findings(&printed), [format!("{readme} dead-link")]);
    repository.write(&readme, &text);
    // Another KEP with the number: none of the two is known then, and both are reported.
    let copy = "keps/sig-storage/2923-another";
    repository.write(&format!("{copy}/README.md"), &text);
    repository.write(&format!("{copy}/kep.yaml"), &repository.read(&format!("{LINKS}/kep.yaml")));
    let found = repository.lint(&[&HIDING[..], &["--select", "dead-link"]].concat());
    assert_eq!(findings(&found).len(), 4, "{}", found.stdout);
    // In place of the KEP, it has its entries.
    repository.git(&["rm", "-q", "-r", LINKS]);
    let printed = repository.lint(&[&HIDING[..], &["--select", "dead-link"]].concat());
    assert_eq!(printed.stdout, "");
}

#[test]
fn the_file_is_named_in_every_case() {
    let repository = accepted();
    let line = format!("`{FILE}` makes this run less strict: baseline: ");
    let none = [&SINCE[..], &["--since", "HEAD"]].concat();
    assert_eq!(repository.lint(&none).status, 2, "twice");
    for arguments in [
        &["-q"][..],
        &["--diff"],
        &["--statistics"],
        &["--since", "HEAD"],
        &["--since", "HEAD", "-q"],
        &["--sig", "release"],
        &["--preset", "strict"],
        &["--select", "dead-link"],
        &["--fail-on", "never"],
        &["--template", "nowhere.md", "--jobs", "1", "keps/nowhere"],
    ] {
        let printed = repository.lint(&[&HIDING[..], arguments].concat());
        let is_read = !arguments.contains(&"--template");
        assert_eq!(said(&printed).contains(&line), is_read, "{arguments:?}: {}", printed.stderr);
    }
    says(&repository.lint(&[&HIDING[..], &["--since", "HEAD"]].concat()), "baseline: 0 findings hidden of ");
    says(&repository.lint(&[&HIDING[..], &["keps/nowhere"]].concat()), "baseline: 0 findings hidden of ");
    let written = |format: &str| repository.lint(&[&HIDING[..], &[&format!("--format={format}")]].concat()).stdout;
    for format in ["json", "jsonl", "sarif", "junit", "markdown", "html"] {
        assert!(written(format).contains("65 findings hidden of "), "{format}");
    }
    let report: Value = serde_json::from_str(&written("json")).expect("JSON");
    assert_eq!((&report["baseline"], &report["conditions"]["relaxed"][0]["key"]), (&65.into(), &"baseline".into()));
    assert_eq!(report["diagnostics"], serde_json::json!([]));
}

#[test]
fn what_makes_no_sense_together_is_refused() {
    let repository = accepted();
    let before = repository.read(FILE);
    for arguments in [
        &["--baseline", "other"][..],
        &["--since", "HEAD"],
        &["--staged"],
        &["-", "--stdin-filename", "keps/x/README.md"],
        &["--watch"],
        &["--fix", "--diff"],
        &["--add-ignores=reason"],
        &["--stage", "beta"],
        &["--release", "v1.38"],
        &["--template", FILE],
        &["--preset", "upstream"],
    ] {
        let printed = repository.lint(&[&WRITING[..], arguments].concat());
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{arguments:?}: {}", printed.stderr);
        assert!(said(&printed).contains("baseline"), "{arguments:?}: {}", printed.stderr);
    }
    let printed = repository.lint(&["pre-commit", "--write-baseline", FILE, "keps/x/README.md"]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    for name in ["README.md", "keps/new.yaml"] {
        let printed = repository.lint(&["--write-baseline", name]);
        says(&printed, "is a name that files of KEPs have");
        assert!(printed.status == 2 && !repository.at(name).exists(), "{}", printed.stderr);
    }
    assert_eq!(repository.lint(&[&HIDING[..], &["--preset", "upstream"]].concat()).status, 2);
    // Of two trees, the fingerprints would depend on each other.
    repository.write("other/keps/sig-node/1-x/README.md", "# KEP-1: X\n");
    repository.write("other/keps/sig-node/1-x/kep.yaml", "title: X\n");
    fs::create_dir(repository.at("other/.git")).expect("a directory");
    let printed = repository.lint(&[&HIDING[..], &["keps", "other/keps"]].concat());
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    says(&printed, "a baseline is for one directory `keps`");
    assert_eq!(repository.read(FILE), before);
    // For another release, other things are required: that is said, and not which entries have no finding.
    let printed = repository.lint(&[&HIDING[..], &["--release", "v1.39"]].concat());
    says(&printed, "was written for v1.37, and KEPs are checked for v1.39");
    assert!(!printed.stderr.contains("any more"), "{}", printed.stderr);
}

#[test]
fn fixes_ignores_and_hooks_leave_alone_what_is_hidden() {
    let repository = accepted();
    for arguments in
        [&["--fix"][..], &["--unsafe-fixes", "--fix"], &["--add-ignores=later", "--level=advice", "--format=concise"]]
    {
        let printed = repository.lint(&[&HIDING[..], arguments].concat());
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        assert_eq!(repository.git(&["status", "--porcelain"]), "", "{arguments:?}");
    }
    // An ignore for it is still used.
    let readme = format!("{FLAWED}/README.md");
    let text = repository.read(&readme);
    repository.write(
        &readme,
        &text.replacen("## Motivation\n", "<!-- kep-lint-ignore-file dead-link: none -->\n\n## Motivation\n", 1),
    );
    assert_eq!(findings(&repository.lint(&HIDING)), [format!("{readme} unused-ignore")]);
    repository.write(&readme, &text);
    let input = text.replacen("## Motivation\n", "## Motivation\n\n[there](nowhere.md)\n", 1);
    let arguments = [&HIDING[..], &["-", "--stdin-filename", &readme, "--format", "concise"]].concat();
    let printed = kep_lint_with(&repository.root, input.as_bytes(), &arguments);
    assert_eq!(findings(&printed), [format!("{readme} dead-link")], "{}", printed.stderr);
    repository.write(&readme, &input);
    repository.git(&["add", "--all"]);
    for arguments in [&["--staged"][..], &["--staged", "--new-only"], &["pre-commit"]] {
        let own = if arguments == ["pre-commit"] {
            vec!["pre-commit", "--baseline", FILE]
        } else {
            [&HIDING[..], arguments].concat()
        };
        assert_eq!(findings(&repository.lint(&own)), [format!("{readme} dead-link")], "{arguments:?}");
    }
    // With --fix, what is left is written.
    let repository = Scratch::sample();
    let printed = repository.lint(&[&WRITING[..], &["--fix"]].concat());
    assert!(!repository.read(FILE).contains("malformed-checkbox"), "{}", printed.stderr);
    says(&printed, "fixed ");
    assert!(is_silent(&repository.lint(&HIDING)));
}

#[test]
fn findings_are_the_same_wherever_the_run_begins() {
    let repository = accepted();
    let review = repository.read("keps/prod-readiness/sig-node/4742.yaml");
    repository.write("keps/prod-readiness/sig-nope/77777.yaml", &review);
    assert_eq!(repository.lint(&WRITING).status, 0);
    // Another file of the same name is another finding, also from inside of the tree.
    repository.write("keps/prod-readiness/sig-other/77777.yaml", &review);
    let inside =
        kep_lint_with(&repository.at("keps"), b"", &["--baseline", "../known.jsonl", "--select", "orphan-prr"]);
    assert!(inside.stdout.contains("prod-readiness/sig-other/77777.yaml"), "{inside:?}");
    assert!(!inside.stdout.contains("sig-nope"), "{inside:?}");
    assert!(!inside.stderr.contains("no finding any more"), "{inside:?}");
}

#[test]
fn what_is_only_counted_may_still_get_more_severe() {
    let repository = accepted();
    let readme = format!("{FLAWED}/README.md");
    let markers: String =
        (0..130).map(|number| format!("\n<<[UNRESOLVED thing {number}]>>\nx\n<<[/UNRESOLVED]>>\n")).collect();
    repository.write(&readme, &(repository.read(&readme) + &markers));
    assert_eq!(repository.lint(&WRITING).status, 0);
    let severities = |text: &str| -> Vec<String> {
        let entries = text.lines().filter(|line| line.contains("unresolved-marker") && line.contains(FLAWED));
        let mut all: Vec<String> =
            entries.map(|line| line.split("\"severity\":").nth(1).expect("it has one")[..6].to_owned()).collect();
        all.sort();
        all.dedup();
        all
    };
    let reported = repository.lint(&["--select", "unresolved-marker"]);
    assert_eq!(severities(&repository.read(FILE)).len(), 1, "all have that of the findings: {}", reported.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_reported() {
    let repository = accepted();
    let printed = repository.lint(&["--write-baseline", "/proc/known.jsonl"]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert!(printed.stdout.lines().count() > 60, "{}", printed.stdout);
    let printed = repository.lint(&["--write-baseline", "-"]);
    says(&printed, "a baseline is a file");
}
