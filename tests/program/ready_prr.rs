//! `kep-lint ready --prr` as a PRR approver meets it: the questions of a stage with their answers, what changed since the
//! approval by the history of a repository, and how many KEPs each approver has.

use crate::ready_cli::demo_at;
use crate::support::program::{Printed, command, items, kep_lint, printed, text};
use crate::support::readiness::{METADATA, README, REVIEW};
use crate::support::scratch::Scratch;
use crate::support::{files_below, project};
use serde_json::Value;
use std::fs;
use std::path::Path;

const BEFORE: &str = "2026-01-15T12:00:00Z";
const APPROVED: &str = "2026-01-20T12:00:00Z";
const LATER: &str = "2026-03-01T12:00:00Z";

const ENABLED: &str = "###### How can this feature be enabled / disabled in a live cluster?";
const TESTS: &str =
    "###### Are there any tests for feature enablement/disablement?\n\nUnit tests switch the gate on and off.\n";

/// The demo, whose KEP 4 stays in alpha. Nobody is named for it yet.
fn requested() -> Scratch {
    let demo = project().join("fixtures/demo");
    let scratch = Scratch::empty();
    for file in files_below(&demo, &|_| true) {
        let path = file.strip_prefix(&demo).expect("it is below").to_str().expect("it is UTF-8");
        scratch.write_bytes(path, &fs::read(&file).expect("a file"));
    }
    scratch.write("OWNERS_ALIASES", "aliases:\n  prod-readiness-approvers:\n    - heidi\n    - judy\n");
    scratch.write(REVIEW, "kep-number: 4\n");
    scratch.commit_at(BEFORE);
    scratch
}

/// The same, approved by heidi in a commit of its own.
fn approved() -> Scratch {
    let scratch = requested();
    approve(&scratch, "alpha", "heidi");
    scratch.commit_at(APPROVED);
    scratch
}

fn approve(scratch: &Scratch, stage: &str, approver: &str) {
    scratch.write(REVIEW, &format!("{}{stage}:\n  approver: \"@{approver}\"\n", scratch.read(REVIEW)));
}

/// Changes two lines of an answer: one is removed, one is added.
fn change(scratch: &Scratch) {
    scratch.replace(README, "Yes, all snapshots are taken again.", "No, hints stay.");
}

fn ready(folder: &Path, arguments: &[&str]) -> Printed {
    kep_lint(folder, [&["ready"], arguments].concat())
}

fn board(folder: &Path, arguments: &[&str]) -> Value {
    let printed = ready(folder, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {}", printed.stderr))
}

/// The evidence of KEP 4, as state and words; `None` if it is not asked.
fn evidence(folder: &Path, arguments: &[&str]) -> Option<String> {
    let board = board(folder, &[&["4"], arguments].concat());
    let answer = items(&board["keps"][0]["answers"]).iter().find(|answer| answer["item"] == "answers")?;
    Some(format!("{}: {}", text(&answer["state"]), text(&answer["words"])))
}

/// What a PRR approver reads of KEP 4, with each paragraph on a line.
fn read(folder: &Path, arguments: &[&str]) -> String {
    ready(folder, &[&["4", "--prr"], arguments].concat()).stdout.replace("\n  ", " ")
}

#[test]
fn changed_answers_are_found() {
    let repository = requested();
    repository.replace(README, TESTS, "");
    repository.commit_at(BEFORE);
    approve(&repository, "alpha", "heidi");
    repository.commit_at(APPROVED);
    let unchanged = Some("met: unchanged since `heidi` approved alpha (2026-01-20)".to_owned());
    assert_eq!(evidence(&repository.root, &[]), unchanged);
    repository.replace(README, "## Drawbacks", "A line that is no answer.\n\n## Drawbacks");
    repository.replace(README, ENABLED, &format!("{ENABLED}\n\n<!-- A comment is no answer. -->"));
    repository.replace(
        README,
        "No, claims without a hint are treated as before.",
        "No, claims without a\nhint are\ntreated as before.",
    );
    repository.commit_at(LATER);
    assert_eq!(evidence(&repository.root, &[]), unchanged, "an answer that is only wrapped in another way is the same");
    repository.replace(README, "Feature gate name: SnapshotHints", "Feature gate name: SnapshotHint");
    repository.replace(README, "are\ntreated as before", "are\nignored");
    change(&repository);
    repository.commit_at(LATER);
    repository.replace(README, "## Implementation History", &format!("{TESTS}\n## Implementation History"));
    repository.commit_at(LATER);
    // Of the first three, each line that is removed and each that is added; the wrapped one has one line before, three now.
    let changed = "look: 9 lines of 4 answers changed since `heidi` approved alpha (2026-01-20)";
    assert_eq!(evidence(&repository.root, &[]).as_deref(), Some(changed));
    let board = board(&repository.root, &["4", "--prr"]);
    let prr = &board["keps"][0]["prr"];
    let questions = items(&prr["chapters"][0]["questions"]);
    let counts: Vec<u64> = questions.iter().filter_map(|question| question["changed_lines"].as_u64()).collect();
    assert_eq!(counts, [2, 4, 2, 0, 1]);
    assert_eq!((&prr["counts"]["changed"], &prr["approval"]["changed_lines"]), (&Value::from(4), &Value::from(9)));
    let history = repository.git(&["log", "--format=%H", "--reverse"]);
    assert_eq!(prr["approval"]["commit"].as_str(), history.lines().nth(2), "the commit that added the entry");
    repository.replace(README, "Unit tests switch", "E2e tests switch");
    assert!(
        evidence(&repository.root, &[]).expect("it is asked").starts_with("look: 9 lines of 4"),
        "not committed yet"
    );
    let strict = ready(&repository.root, &["4", "--strict"]);
    let said = &strict.stdout;
    assert!(
        said.contains("9 of 9 items are met, 1\n  item of evidence is against it"),
        "it is for people to judge: {said}"
    );
    assert!(said.contains("[ ] not met  other errors: 1 (`feature-gate-mismatch`)\n[?] look "), "{said}");
}

/// What is said of two KEPs whose approvals are commits of their own.
const TWO_KEPS: &str = "\
KEP-1 Prefetch images (sig-node)
keps/sig-node/1-prefetch-images, judged on main at <HEAD>
PRR for alpha in v1.37 (release on 2026-08-26): `judy` approves it
5 questions: 5 answered, 0 open, 1 bare; 20 questions of later stages are not
  shown
the answers are unchanged since `judy` approved alpha (2026-03-01) in <HEAD~1>

Feature Enablement and Rollback

  How can this feature be enabled / disabled in a live cluster? (README.md:92)
    - [x] Feature gate (also fill in values in `kep.yaml`)
      - Feature gate name: PrefetchImages
      - Components depending on the feature gate: kubelet

  Does enabling the feature change any default behavior? (README.md:98)
    No.

  Can the feature be disabled once it has been enabled (i.e. can we roll back
  the enablement)? (README.md:102)
    Yes. Images that were pulled stay until they are collected.

  What happens if we reenable the feature if it was previously rolled back?
  (README.md:106)
  [?] bare
    N/A

  Are there any tests for feature enablement/disablement? (README.md:110)
    Unit tests switch the gate on and off.

KEP-4 Snapshot hints (sig-storage)
keps/sig-storage/4-snapshot-hints, judged on main at <HEAD>
PRR for alpha in v1.37 (release on 2026-08-26): `heidi` approves it
5 questions: 5 answered, 0 open, 1 changed; 20 questions of later stages are not
  shown
2 lines of 1 answer changed since `heidi` approved alpha (2026-01-20) in
  <HEAD~2>

Feature Enablement and Rollback

  How can this feature be enabled / disabled in a live cluster? (README.md:103)
    - [x] Feature gate (also fill in values in `kep.yaml`)
      - Feature gate name: SnapshotHints
      - Components depending on the feature gate: kube-controller-manager

  Does enabling the feature change any default behavior? (README.md:109)
    No, claims without a hint are treated as before.

  Can the feature be disabled once it has been enabled (i.e. can we roll back
  the enablement)? (README.md:113)
  [?] 2 lines changed
    No, hints stay.

  What happens if we reenable the feature if it was previously rolled back?
  (README.md:117)
    The hints that are still stored are followed again.

  Are there any tests for feature enablement/disablement? (README.md:121)
    Unit tests switch the gate on and off.

load: heidi 1, judy 1
";

#[test]
fn an_approval_is_found_before_that_of_another_kep() {
    let repository = approved();
    repository.replace("keps/prod-readiness/sig-node/1.yaml", "TBD", "\"@judy\"");
    repository.commit_at(LATER);
    change(&repository);
    repository.commit_at(LATER);
    let commit = |revision: &str| repository.git(&["rev-parse", "--short=9", revision]);
    let expected = ["HEAD", "HEAD~1", "HEAD~2"]
        .iter()
        .fold(TWO_KEPS.to_owned(), |text, revision| text.replace(&format!("<{revision}>"), &commit(revision)));
    assert_eq!(ready(&repository.root, &["1", "4", "--prr"]).stdout, expected);
}

#[test]
fn the_approver_who_is_named_now_counts() {
    let repository = approved();
    change(&repository);
    repository.commit_at(LATER);
    repository.replace(REVIEW, "heidi", "judy");
    repository.commit_at("2026-04-01T12:00:00Z");
    let unchanged = Some("met: unchanged since `judy` approved alpha (2026-04-01)".to_owned());
    assert_eq!(evidence(&repository.root, &[]), unchanged);
    repository.replace(REVIEW, "@judy", "Judy");
    repository.write("keps/prod-readiness/sig-storage/5.yaml", "kep-number: 5\n");
    repository.commit_at("2026-05-01T12:00:00Z");
    assert_eq!(evidence(&repository.root, &[]), unchanged, "another spelling is the same person");
    repository.replace(REVIEW, "Judy", "heidi");
    assert_eq!(evidence(&repository.root, &[]), unchanged, "judy approved it, whoever is asked now");
    let first = read(&repository.root, &[]);
    assert!(!first.contains("first request"), "{first}");
}

#[test]
fn an_entry_counts_from_its_merge_on() {
    let repository = requested();
    repository.git(&["checkout", "-q", "-b", "topic"]);
    approve(&repository, "alpha", "heidi");
    repository.commit_at(BEFORE);
    change(&repository);
    repository.commit_at(BEFORE);
    repository.git(&["checkout", "-q", "main"]);
    repository.write("other.txt", "Other work goes on.\n");
    repository.commit_at(BEFORE);
    repository.git_at(APPROVED, &["merge", "-q", "--no-ff", "-m", "merge", "topic"]);
    let unchanged = Some("met: unchanged since `heidi` approved alpha (2026-01-20)".to_owned());
    assert_eq!(evidence(&repository.root, &[]), unchanged, "what was changed before the merge was read");
    repository.replace(README, "No, hints stay.", "They stay.");
    repository.commit_at(LATER);
    assert!(evidence(&repository.root, &[]).expect("it is asked").starts_with("look: 2 lines of 1 answer changed"));
    assert_eq!(evidence(&repository.root, &["--at", "HEAD~1"]), unchanged, "the history of what is judged counts");
}

#[test]
fn an_entry_may_come_with_the_answers() {
    let repository = requested();
    repository.git(&["checkout", "-q", "--orphan", "alone"]);
    approve(&repository, "alpha", "heidi");
    repository.commit_at(APPROVED);
    let unchanged = Some("met: unchanged since `heidi` approved alpha (2026-01-20)".to_owned());
    assert_eq!(evidence(&repository.root, &[]), unchanged);
    change(&repository);
    assert!(evidence(&repository.root, &[]).expect("it is asked").starts_with("look: 2 lines of 1 answer changed"));
}

#[test]
fn a_kep_that_moved_is_followed() {
    let changed = |evidence: Option<String>| {
        let expected = "look: 2 lines of 1 answer changed since `heidi` approved alpha (2026-01-20)";
        assert_eq!(evidence.as_deref(), Some(expected));
    };
    let repository = approved();
    change(&repository);
    repository.commit_at(LATER);
    repository.git(&["mv", "keps/sig-storage/4-snapshot-hints", "keps/sig-node/4-hints-for-snapshots"]);
    repository.git(&["mv", REVIEW, "keps/prod-readiness/sig-node/4.yaml"]);
    let metadata = METADATA.replace("sig-storage/4-snapshot-hints", "sig-node/4-hints-for-snapshots");
    repository.replace(&metadata, "owning-sig: sig-storage", "owning-sig: sig-node");
    repository.commit_at(LATER);
    changed(evidence(&repository.root, &[]));
    // With a new number, and the file itself changed in another commit.
    repository.git(&["mv", "keps/prod-readiness/sig-node/4.yaml", "keps/prod-readiness/sig-node/44.yaml"]);
    repository.git(&["mv", "keps/sig-node/4-hints-for-snapshots", "keps/sig-node/44-hints"]);
    repository.replace("keps/sig-node/44-hints/kep.yaml", "kep-number: 4", "kep-number: 44");
    repository.commit_at(LATER);
    repository.replace("keps/prod-readiness/sig-node/44.yaml", "kep-number: 4", "kep-number: 44");
    repository.commit_at(LATER);
    let board = board(&repository.root, &["44"]);
    let answer = items(&board["keps"][0]["answers"]).iter().find(|answer| answer["item"] == "answers");
    changed(answer.map(|answer| format!("{}: {}", text(&answer["state"]), text(&answer["words"]))));
}

#[test]
fn what_the_history_does_not_tell_is_not_known() {
    let repository = approved();
    change(&repository);
    repository.commit_at(LATER);
    let clone = tempfile::tempdir().expect("a directory");
    let url = format!("file://{}", repository.root.display());
    let path = clone.path().to_str().expect("it is UTF-8");
    repository.git(&["clone", "-q", "--depth", "1", &url, path]);
    assert_eq!(evidence(clone.path(), &[]), None);
    let shallow = read(clone.path(), &[]);
    let reason = "not known: this clone lacks the history; get it with `git fetch --unshallow origin`";
    assert!(shallow.contains(reason), "{shallow}");
    let deeper = tempfile::tempdir().expect("a directory");
    repository.git(&["clone", "-q", "--depth", "2", &url, deeper.path().to_str().expect("it is UTF-8")]);
    assert_eq!(evidence(deeper.path(), &[]), None, "that the entry is older is known, but not when it came");
    let demo = demo_at("");
    assert_eq!(evidence(demo.path(), &[]), None);
    let outside = read(demo.path(), &[]);
    assert!(outside.contains("what changed since an approval is not known: this is no clone of git"), "{outside}");
    assert!(
        outside.contains("5 questions: 5 answered, 0 open; 20 questions of later stages are not shown"),
        "{outside}"
    );
}

#[test]
fn evidence_is_asked_of_kep_that_stay_in_their_stage() {
    let repository = approved();
    change(&repository);
    repository.commit_at(LATER);
    assert!(evidence(&repository.root, &[]).is_some());
    assert_eq!(evidence(&repository.root, &["--release", "v1.36"]), None, "alpha begins in this release");
    assert!(evidence(&repository.root, &["--release", "v1.36", "--prr"]).is_some(), "it was asked for");
    assert_eq!(evidence(&repository.root, &["--stage", "beta"]), None, "nobody is named for beta");
    repository.replace(REVIEW, "@heidi", "TBD");
    repository.commit_at(LATER);
    assert_eq!(evidence(&repository.root, &[]), None);
}

#[test]
fn a_new_stage_is_compared_with_the_last_one() {
    let repository = approved();
    change(&repository);
    repository.commit_at(LATER);
    let first = read(&repository.root, &["--stage", "beta"]);
    assert!(
        first.contains(
            "PRR for beta in v1.37 (release on 2026-08-26, its enhancements freeze is on 2026-06-16 AoE): nobody"
        ),
        "{first}"
    );
    let since = "first request for beta; 2 lines of 1 answer changed since `heidi` approved alpha (2026-01-20) in ";
    assert!(first.contains(since), "{first}");
    assert!(first.contains("25 questions: 5 answered, 20 open"), "{first}");
    repository.git(&["checkout", "-q", "-b", "topic"]);
    approve(&repository, "beta", "judy");
    repository.commit_at(LATER);
    let asked = read(&repository.root, &["--pr", "topic", "--stage", "beta"]);
    assert!(asked.contains("`judy` is asked (not yet approved)") && asked.contains(since), "{asked}");
    repository.git(&["checkout", "-q", "main"]);
    repository.git_at(LATER, &["merge", "-q", "--no-ff", "-m", "merge", "topic"]);
    let merged = read(&repository.root, &["--stage", "beta"]);
    assert!(merged.contains("the answers are unchanged since `judy` approved beta (2026-03-01)"), "{merged}");
}

#[test]
fn questions_are_shown_with_what_is_wrong_with_their_answers() {
    let repository = approved();
    repository.replace(README, "The hints that are still stored are followed again.", "None");
    repository.replace(README, "Yes, all snapshots are taken again.", "TBD");
    repository.replace(
        README,
        "  - Feature gate name: SnapshotHints\n  - Components depending on the feature gate: kube-controller-manager\n",
        "",
    );
    repository.replace(README, TESTS, "");
    let long: String = (1..=12).map(|line| format!("{line}. A step of the answer.\n")).collect();
    repository.replace(README, "No, claims without a hint are treated as before.\n", &long);
    let mut run = command(&repository.root);
    let shown = printed(&run.args(["ready", "4", "--prr"]).env("COLUMNS", "80").output().expect("it runs")).stdout;
    for line in [
        "5 questions: 3 answered, 2 open, 1 bare, 5 changed; 20 questions of later stages\n  are not shown\n",
        "\nFeature Enablement and Rollback\n\n  How can this feature be enabled",
        "    8. A step of the answer.\n    ... 4 more lines (README.md:117)\n",
        "  [ ] placeholder\n",
        "  (README.md:126)\n  [?] bare\n  [?] 2 lines changed\n    None\n",
        "  Are there any tests for feature enablement/disablement?\n  [ ] missing\n",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let comment = ready(&repository.root, &["4", "--prr", "--format", "markdown"]).stdout;
    assert!(comment.contains("\n12. A step of the answer.\n```\n"), "it is whole: {comment}");
    let html = ready(&repository.root, &["4", "--prr", "--format", "html"]).stdout;
    assert!(html.contains("<details class=\"prr\">") && html.contains("12. A step of the answer."), "{html}");
    let csv = |arguments: &[&str]| ready(&repository.root, &[&["4", "--format", "csv"], arguments].concat()).stdout;
    assert_eq!(csv(&[]), csv(&["--prr"]));
}

#[test]
fn answers_are_only_text() {
    let repository = approved();
    let hostile =
        "@all #12 --> <img src=x> https://evil.example\n/lgtm\n```\n@all\n````\n</pre><script>\u{1b}[2J\u{202e}\n";
    repository.replace(README, "Yes, all snapshots are taken again.\n", hostile);
    repository.replace(METADATA, "title: Snapshot hints", "title: \"@all `<b> /hold\"");
    repository.commit_at(LATER);
    let comment = ready(&repository.root, &["4", "--prr", "--format", "markdown"]).stdout;
    let mut options = comrak::Options::default();
    options.extension.autolink = true;
    let parsed = comrak::markdown_to_html(&comment, &options);
    assert!(!parsed.contains("<img") && !parsed.contains("<a ") && !parsed.contains("<script"), "{parsed}");
    let outside = parsed.split("<code").map(|part| part.rsplit("</code>").next().unwrap_or_default());
    assert!(!outside.collect::<String>().contains('@'), "{parsed}");
    let html = ready(&repository.root, &["4", "--prr", "--format", "html"]).stdout;
    assert!(!html.contains("</pre><script") && !html.contains("<img"), "{html}");
    for format in ["pretty", "markdown", "html", "json"] {
        let shown = ready(&repository.root, &["4", "--prr", "--format", format]).stdout;
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{format}: {shown}");
    }
    let mut bytes = repository.read(README).into_bytes();
    bytes.extend(b"\n\xff\n");
    repository.write_bytes(README, &bytes);
    assert!(ready(&repository.root, &["4", "--prr"]).status < 2, "it is not UTF-8");
    repository.write_bytes(README, &vec![b'x'; 3 << 20]);
    let large = ready(&repository.root, &["4", "--prr"]);
    assert_eq!((large.status, large.stdout.contains("5 questions: 0 answered, 5 open")), (2, true), "{}", large.stdout);
}

#[test]
fn the_load_of_each_approver_is_counted() {
    let repository = approved();
    repository.replace("keps/prod-readiness/sig-node/1.yaml", "TBD", "judy");
    for number in 5..8 {
        let (old, new) = ("sig-storage/4-snapshot-hints", format!("sig-storage/{number}-x"));
        for file in [README, METADATA] {
            let text = repository.read(file).replace("kep-number: 4", &format!("kep-number: {number}"));
            repository.write(&file.replace(old, &new), &text);
        }
        let review = repository.read(REVIEW).replace("kep-number: 4", &format!("kep-number: {number}"));
        repository.write(&REVIEW.replace("4.yaml", &format!("{number}.yaml")), &review);
    }
    repository.commit_at(LATER);
    let table = ready(&repository.root, &["--prr", "--milestone", "v1.37"]);
    assert!(table.stdout.ends_with("\nload: heidi 4, judy 1\n"), "{}", table.stdout);
    assert!(table.stdout.contains("KEP  SIG          stage  approver  answers  to read"), "{}", table.stdout);
    assert!(!ready(&repository.root, &["--milestone", "v1.37"]).stdout.contains("load:"));
    let found = board(&repository.root, &["--prr", "--milestone", "v1.37"]);
    let load = |at: usize| (text(&found["prr_load"][at]["approver"]), found["prr_load"][at]["keps"].as_u64());
    assert_eq!([load(0), load(1)], [("heidi", Some(4)), ("judy", Some(1))]);
    let page = ready(&repository.root, &["--milestone", "v1.37", "--format", "html"]).stdout;
    assert!(page.contains("<th scope=\"row\">heidi</th><td>4</td><td>0</td>"), "{page}");
    let comment = ready(&repository.root, &["--prr", "--milestone", "v1.37", "--format", "markdown"]).stdout;
    assert!(comment.ends_with("\nLoad: heidi 4, judy 1\n"), "{comment}");
    let absent = ready(&repository.root, &["--prr", "99"]);
    assert!(absent.status == 1 && absent.stdout.contains("not in the tree"), "{}", absent.stdout);
}

#[test]
fn the_json_is_what_its_schema_says() {
    let schema = kep_lint(project(), ["schema", "ready"]);
    let schema = serde_json::from_str(&schema.stdout).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is valid");
    let repository = approved();
    change(&repository);
    for arguments in [&["4", "--prr"][..], &["4", "--prr", "--stage", "ga"], &["--prr"], &["99", "--prr"]] {
        let errors: Vec<String> =
            schema.iter_errors(&board(&repository.root, arguments)).map(|it| it.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    }
}

#[test]
fn what_is_below_headings_of_the_author_belongs_to_the_answer() {
    const QUESTION: &str = "###### How can this feature be enabled / disabled in a live cluster?\n";
    let repository = approved();
    let path = repository.root.join(README);
    let text = std::fs::read_to_string(&path).expect("a file");
    assert!(text.contains(QUESTION), "{text}");
    let with = text.replacen(QUESTION, &format!("{QUESTION}\n#### More\n\nText, which NOBODY approved.\n"), 1);
    std::fs::write(&path, with).expect("a file");
    repository.commit_at(LATER);
    assert!(evidence(&repository.root, &[]).expect("it is asked").starts_with("look: 2 lines of 1 answer"));
    let shown = read(&repository.root, &["--format", "markdown"]);
    assert!(shown.contains("NOBODY approved"), "{shown}");
}
