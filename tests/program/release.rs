//! Which release is meant: that of the commit that a change is made for, of the default branch, of the KEP, or of today.

use crate::authoring::run as run_today;
use crate::support::program::Printed;
use crate::support::scratch::Scratch;
use kep_lint::ready::calendar::on_day;
use kep_lint::stage::release::OnDay;
use kep_lint::yaml::date::Date;
use std::fs;

const KEP: &str = "keps/sig-node/1-images";

fn yaml(milestone: &str) -> String {
    format!(
        "title: Images\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\napprovers: [\"@lee\"]\n\
         status: implementable\nstage: alpha\nlatest-milestone: {milestone}\nmilestone:\n  alpha: {milestone}\n"
    )
}

/// A repository with a KEP for v1.37 that was committed at this time, which is also the default branch of its remote.
fn committed_at(time: &str) -> Scratch {
    let repository = Scratch::empty();
    repository.write(&format!("{KEP}/README.md"), "# KEP-1: Images\n");
    repository.write(&format!("{KEP}/kep.yaml"), &yaml("v1.37"));
    repository.write("keps/sig-node/2-other/README.md", "# KEP-2: Other\n");
    repository.write("keps/sig-node/2-other/kep.yaml", &yaml("v1.37").replace("number: 1", "number: 2"));
    repository.commit_at(time);
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository
}

/// What the summary says of the release: `v1.37 (newest milestone in this tree)`.
fn release(printed: &Printed) -> &str {
    let (_, rest) = printed.stderr.split_once(" files)").unwrap_or_else(|| panic!("no summary: {}", printed.stderr));
    let (release, _) = rest.split_once(": ").unwrap_or_else(|| panic!("no counts: {rest}"));
    release.strip_prefix(" for ").or(release.strip_prefix(", ")).unwrap_or(release)
}

/// What the summary says where the day of a commit tells the release: that of `2026-09-01` is v1.38, of which more may be known.
fn by_day(time: &str) -> String {
    let day = on(time);
    format!("judged by {}{}", day.release, day.since())
}

fn on(time: &str) -> OnDay {
    on_day(Date::parse(&time[..10]).expect("a day").into())
}

const AT_BASE: &str = "(release on 2026-08-26, newest milestone of the base)";
const ON_BRANCH: &str = "(release on 2026-08-26, newest milestone of the default branch)";

#[test]
fn a_change_is_for_the_release_of_the_day_of_its_base() {
    for (time, wanted) in [
        ("2026-08-25T23:59:59Z", format!("v1.37 {AT_BASE}")),
        ("2026-08-26T00:00:00Z", by_day("2026-08-26")),
        ("2026-08-26T01:00:00+0200", format!("v1.37 {AT_BASE}")),
        ("2028-12-26T12:00:00Z", by_day("2028-12-26")),
        // The newest milestone of the base is later.
        ("2025-01-01T12:00:00Z", format!("v1.37 {AT_BASE}")),
    ] {
        let repository = committed_at(time);
        repository.git(&["checkout", "-q", "-b", "work"]);
        // Neither the day of the change nor its milestones count, and no commit that it is rebased to.
        repository.replace(&format!("{KEP}/kep.yaml"), "latest-milestone: v1.37", "latest-milestone: v1.39");
        repository.commit_at("2030-01-01T12:00:00Z");
        for since in ["main", "origin/main", "auto"] {
            let printed = repository.lint(&["--since", since]);
            assert_eq!(release(&printed), wanted, "{time} {since}");
        }
        let printed = repository.lint(&["--since", "main", "--release", "v1.40"]);
        assert_eq!(release(&printed), "v1.40 (given release)", "{time}");
    }
}

/// Git was told not to look at what is on disk.
#[test]
fn what_the_base_names_is_not_read_from_the_disk() {
    let repository = committed_at("2025-01-01T12:00:00Z");
    for path in [&format!("{KEP}/kep.yaml"), "keps/sig-node/2-other/kep.yaml"] {
        repository.git(&["update-index", "--assume-unchanged", path]);
        repository.replace(path, "latest-milestone: v1.37", "latest-milestone: v1.39");
    }
    repository.replace(&format!("{KEP}/README.md"), "Images", "All images");
    assert_eq!(release(&repository.lint(&["--since", "main"])), format!("v1.37 {AT_BASE}"));
}

/// The base of the comparison is where the change left the branch; the release is that of the branch as it is now.
#[test]
fn the_tip_of_the_branch_counts_and_not_where_a_change_left_it() {
    let repository = committed_at("2026-01-01T12:00:00Z");
    repository.git(&["checkout", "-q", "-b", "work"]);
    repository.replace(&format!("{KEP}/README.md"), "Images", "All images");
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    repository.commit_at("2026-09-01T12:00:00Z");
    repository.git(&["checkout", "-q", "work"]);
    assert_eq!(release(&repository.lint(&["--since", "main"])), by_day("2026-08-26"));
}

#[test]
fn every_run_in_a_clone_is_for_the_release_of_the_default_branch() {
    let repository = committed_at("2026-08-26T12:00:00Z");
    repository.replace(&format!("{KEP}/README.md"), "Images", "All images");
    repository.commit_at("2030-01-01T12:00:00Z");
    let file = format!("{KEP}/README.md");
    let paths: [&[&str]; 8] =
        [&[], &["1"], &[KEP], &[&file], &["1", "2"], &["keps"], &["sig-node"], &["1", "keps/sig-node"]];
    for paths in paths {
        assert_eq!(release(&repository.lint(paths)), by_day("2026-08-26"), "{paths:?}");
    }
    let july = committed_at("2026-07-24T12:00:00Z");
    for paths in paths {
        assert_eq!(release(&july.lint(paths)), format!("v1.37 {ON_BRANCH}"), "{paths:?}");
    }
    repository.git(&["add", "."]);
    repository.replace("keps/sig-node/2-other/kep.yaml", "v1.37", "v1.39");
    repository.git(&["add", "."]);
    assert_eq!(release(&repository.lint(&["--staged"])), by_day("2026-08-26"));
    let printed = repository.lint(&["ready", "1", "--format", "csv"]);
    assert!(printed.stdout.contains("v1.38"), "{}", printed.stdout);
    let printed = repository.lint(&["ready", "keps", "--format", "csv"]);
    let help = "v1.37 came out on 2026-08-26: name it with `--milestone v1.37`";
    assert!(printed.stderr.contains(help), "{}", printed.stderr);
}

#[test]
fn without_a_default_branch_the_newest_milestone_counts() {
    let repository = committed_at("2026-08-26T12:00:00Z");
    let before = repository.lint(&["1"]);
    let is_as_before = |why: &str| {
        let printed = repository.lint(&["1"]);
        assert_eq!(
            (release(&printed), printed.status),
            ("v1.37 (release on 2026-08-26, newest milestone in this tree)", before.status),
            "{why}"
        );
    };
    repository.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
    is_as_before("there is no remote");
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    assert_eq!(release(&repository.lint(&["1"])), by_day("2026-08-26"));
    let printed = repository.lint_in(&repository.root, &["1"], &[("PATH", "/nowhere")]);
    assert_eq!(
        (release(&printed), printed.status),
        ("v1.37 (release on 2026-08-26, newest milestone in this tree)", before.status),
        "no git"
    );
    let kept = repository.git(&["rev-parse", "HEAD:keps"]);
    let object = repository.at(&format!(".git/objects/{}/{}", &kept[..2], &kept[2..]));
    fs::rename(&object, repository.at("object")).expect("it is a loose object");
    is_as_before("an object is missing");
    fs::rename(repository.at(".git/HEAD"), repository.at("HEAD")).expect("it is there");
    is_as_before("git refuses");
}

/// `git log` and `git show` would check signatures, with the program that the repository names.
#[test]
fn no_program_of_the_repository_is_run() {
    let repository = committed_at("2026-08-26T12:00:00Z");
    let trap = repository.at("trap");
    fs::write(&trap, "#!/bin/sh\ntouch sprung\n").expect("a file");
    let mut permissions = trap.metadata().expect("it is there").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs::set_permissions(&trap, permissions).expect("it is ours");
    repository.git(&["config", "log.showSignature", "true"]);
    repository.git(&["config", "gpg.program", trap.to_str().expect("it is UTF-8")]);
    // The name of the committer, and lines of a signature, are not taken for the day.
    let tree = repository.git(&["rev-parse", "HEAD^{tree}"]);
    let commit = format!(
        "tree {tree}\nauthor committer 1 <a> 1 +0000\ncommitter committer A 7 <a@b> 1787745600 +0000\n\
         gpgsig -----BEGIN PGP SIGNATURE-----\n committer X <x> 1 +0000\n -----END PGP SIGNATURE-----\n\ncommitter X <x> 2 +0000\n"
    );
    repository.write("commit", &commit);
    let signed = repository.git(&["hash-object", "-t", "commit", "-w", "commit"]);
    repository.git(&["update-ref", "refs/remotes/origin/main", &signed]);
    assert_eq!(release(&repository.lint(&["1"])), by_day("2026-08-26"));
    repository.git(&["reset", "-q", "--soft", &signed]);
    repository.replace(&format!("{KEP}/README.md"), "Images", "All images");
    assert_eq!(release(&repository.lint(&["1", "--since", "origin/main"])), by_day("2026-08-26"));
    assert!(!repository.at("sprung").exists());
}

#[test]
fn other_releases_have_no_days() {
    let repository = Scratch::empty();
    repository.write("keps/1-x/README.md", "# KEP-1: X\n");
    repository.write("keps/1-x/kep.yaml", "title: X\nkep-number: 1\nstatus: implementable\nlatest-milestone: v0.20\n");
    repository.commit_at("2026-09-01T12:00:00Z");
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository.replace("keps/1-x/README.md", "X", "Y");
    for arguments in [&["1"][..], &["--since", "HEAD"]] {
        assert_eq!(release(&repository.lint(arguments)), "v0.20 (newest milestone in this tree)", "{arguments:?}");
    }
}

/// A copy of the KEPs in another repository has no day: that of the repository is not theirs.
#[test]
fn a_copy_in_another_repository_is_judged_by_its_milestones() {
    let repository = committed_at("2026-08-26T12:00:00Z");
    repository.write("copy/keps/sig-node/1-images/README.md", "# KEP-1: Images\n");
    repository.write("copy/keps/sig-node/1-images/kep.yaml", &yaml("v1.36"));
    assert_eq!(
        release(&repository.lint(&["copy/keps"])),
        "v1.36 (release on 2026-04-22, newest milestone in this tree)"
    );
}

/// The first line of the checklist that says for what the KEP is judged.
fn asked(repository: &Scratch, arguments: &[&str]) -> String {
    let printed = repository.lint(&[&["ready", "--format", "pretty"], arguments].concat());
    let line = printed.stdout.lines().find(|line| line.contains("ready for"));
    line.unwrap_or_else(|| panic!("{}{}", printed.stdout, printed.stderr)).to_owned()
}

#[test]
fn ready_asks_for_the_release_that_the_kep_is_planned_for() {
    let repository = committed_at("2026-07-24T12:00:00Z");
    let plan = |milestone: &str| repository.write(&format!("{KEP}/kep.yaml"), &yaml(milestone));
    for (milestone, wanted) in [
        ("v1.36", ["for alpha in v1.37 (", "release on 2026-08-26):"]),
        ("v1.37", ["for alpha in v1.37 (", "release on 2026-08-26):"]),
        ("v1.38", ["for alpha in v1.38 (", "milestones of the KEP"]),
        ("v1.39", ["for alpha in v1.39 (", "milestones of the KEP"]),
        ("v1.83", ["for alpha in v1.37 (", "release on 2026-08-26):"]),
    ] {
        plan(milestone);
        let asked = asked(&repository, &["1"]);
        assert!(wanted.iter().all(|words| asked.contains(words)), "{milestone}: {asked}");
    }
    let printed = repository.lint(&["ready", "1", "--format", "pretty"]);
    assert!(printed.stdout.contains("latest-milestone: it is v1.83, not v1.37"), "{}", printed.stdout);
    plan("v1.38");
    assert!(asked(&repository, &["1", "--release", "v1.37"]).contains("in v1.37 "));
    // Of several KEPs, each is asked about its own release; a list is about one release.
    let printed = repository.lint(&["ready", "1", "2", "--format", "csv"]);
    assert_eq!(printed.stdout.matches("v1.38").count(), 2, "{}", printed.stdout);
    let printed = repository.lint(&["ready", "1", "2", "--format", "pretty"]);
    assert!(printed.stdout.starts_with("Readiness for v1.37 (release on 2026-08-26)"), "{}", printed.stdout);
    assert!(printed.stdout.contains("alpha in v1.38"), "{}", printed.stdout);
    for (list, wanted) in [
        ("1\n2\n", ["alpha,v1.38,", "alpha,v1.37,"]),
        ("number,milestone\n1,v1.37\n2,v1.38\n", ["alpha,v1.38,", "alpha,v1.38,"]),
        ("number,milestone\n1,v1.39\n2,v1.83\n", ["alpha,v1.39,", "alpha,v1.37,"]),
    ] {
        repository.write("list", list);
        let printed = repository.lint(&["ready", "--from", "list", "--format", "csv"]);
        let rows: Vec<&str> = printed.stdout.lines().skip(1).collect();
        assert!(rows[0].contains(wanted[0]) && rows[1].contains(wanted[1]), "{list}: {}", printed.stdout);
        let printed = repository.lint(&["ready", "--from", "list", "--format", "csv", "--release", "v1.37"]);
        assert_eq!(printed.stdout.matches("alpha,v1.37,").count(), 2, "{list}: {}", printed.stdout);
    }
    let printed = repository.lint(&["ready", "1", "--format", "json"]);
    let board: serde_json::Value = serde_json::from_str(&printed.stdout).expect("JSON");
    assert_eq!(board["release"], serde_json::json!({"name": "v1.38", "source": "kep"}));
}

#[test]
fn ready_does_not_ask_to_undo_what_promote_wrote() {
    let repository = committed_at("2026-07-24T12:00:00Z");
    let printed = run_today(&repository, &["promote", "1", "beta", "--release", "v1.38"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let printed = repository.lint(&["ready", "1", "--format", "json"]);
    let board: serde_json::Value = serde_json::from_str(&printed.stdout).expect("JSON");
    let answers = board["keps"][0]["answers"].as_array().expect("a list");
    let asks = answers.iter().filter(|answer| !answer["write"].is_null());
    let asks: Vec<&str> = asks.filter_map(|answer| answer["item"].as_str()).collect();
    assert_eq!(asks, ["prr"], "only a person can say who approves: {}", printed.stdout);
}

/// Today is 2026-09-07, after v1.37.
#[test]
fn a_plan_is_for_the_release_under_development_today() {
    let repository = committed_at("2026-07-24T12:00:00Z");
    let words = &format!("planned for v1.38: {}", on("2026-09-07").why());
    let shown = run_today(&repository, &["new", "node", "42", "Prefetch images", "--diff"]);
    assert!(shown.stderr.contains(words) && shown.stdout.contains("v1.38"), "{}", shown.stderr);
    let printed = run_today(&repository, &["new", "node", "42", "Prefetch images"]);
    assert!(printed.stderr.contains(words), "{}", printed.stderr);
    assert!(repository.read("keps/sig-node/42-prefetch-images/kep.yaml").contains("latest-milestone: \"v1.38\""));
    let printed = run_today(&repository, &["promote", "1", "beta"]);
    assert!(printed.stdout.replace("\n    ", " ").contains(words), "{}", printed.stdout);
    assert!(repository.read(&format!("{KEP}/kep.yaml")).contains("latest-milestone: v1.38"));
    // The KEP's own plan is later.
    repository.write(&format!("{KEP}/kep.yaml"), &yaml("v1.39"));
    let printed = run_today(&repository, &["promote", "1", "beta"]);
    assert!(printed.stdout.contains("planned for v1.39 (milestones of the KEP)"), "{}", printed.stdout);
    assert!(repository.read(&format!("{KEP}/kep.yaml")).contains("beta: v1.39"));
    // Somebody has chosen it.
    repository.write(".kep-lint.yaml", "release: v1.37\n");
    let printed = run_today(&repository, &["new", "node", "43", "Keep images"]);
    assert!(printed.stderr.contains("planned for v1.37 (configured release)"), "{}", printed.stderr);
    assert!(repository.read("keps/sig-node/43-keep-images/kep.yaml").contains("latest-milestone: \"v1.37\""));
}

/// The plan of a KEP at alpha in v1.36.
fn planned(later: &str) -> String {
    format!("{}  {later}\n", yaml("v1.36"))
}

#[test]
fn a_plan_for_a_release_is_missed_after_its_enhancements_freeze() {
    let words =
        "beta is planned for v1.37, whose enhancements freeze was on 2026-06-16 AoE, but `latest-milestone` is v1.36";
    for (time, is_missed) in [("2026-06-17T11:59:59Z", false), ("2026-06-17T12:00:00Z", true)] {
        let repository = committed_at(time);
        let is_said = |metadata: &str, arguments: &[&str]| {
            repository.write(&format!("{KEP}/kep.yaml"), metadata);
            repository.lint(&[&["1", "--select", "missed-milestone"], arguments].concat()).stdout.contains(words)
        };
        assert_eq!(is_said(&planned("beta: v1.37"), &[]), is_missed, "{time}");
        assert_eq!(is_said(&planned("beta: v1.37"), &["--since", "main"]), is_missed, "{time}");
        assert!(!is_said(&planned("beta: v1.38"), &[]) && !is_said(&yaml("v1.37"), &[]), "{time}");
        assert!(
            !is_said(&planned("beta: v1.37"), &["--release", "v1.36"]),
            "the freeze of v1.37 is not known in v1.36"
        );
        repository.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
        assert!(!is_said(&planned("beta: v1.37"), &[]), "without a day, nothing is said");
    }
}

/// Today is 2026-09-07, after v1.37, and the tree is of July.
#[test]
fn a_stage_ahead_of_one_kep_is_planned_as_promote_does() {
    let repository = committed_at("2026-07-24T12:00:00Z");
    let words = &format!(", planned for v1.38: {}: ", on("2026-09-07").why());
    let check = |arguments: &[&str]| run_today(&repository, &[arguments, &["--level", "suggestion"]].concat());
    let printed = check(&["1", "--stage", "beta"]);
    assert!(printed.stderr.contains(words), "{}", printed.stderr);
    assert!(printed.stdout.contains("add `beta: \"v1.38\"` under `milestone:`"), "{}", printed.stdout);
    let of_july = [["keps", "--stage", "beta"].as_slice(), &["1", "--stage", "alpha"], &["1", "2", "--stage", "alpha"]];
    for arguments in of_july {
        let printed = check(arguments);
        assert_eq!(release(&printed), format!("v1.37 {ON_BRANCH}"), "{arguments:?}");
        // Its alpha is in v1.37.
        let asks = printed.stdout.contains("beta: \"v1.38\"");
        assert_eq!(asks, arguments.contains(&"beta"), "{arguments:?}: {}", printed.stdout);
        assert!(!printed.stdout.contains("beta: \"v1.37\""), "{arguments:?}: {}", printed.stdout);
    }
    let printed = check(&["1", "--stage", "beta", "--release", "v1.37"]);
    assert_eq!(release(&printed), "v1.37 (release on 2026-08-26, given release)");
    let ready =
        |arguments: &[&str]| run_today(&repository, &[&["ready", "--format", "csv"], arguments].concat()).stdout;
    for arguments in [["1", "beta"].as_slice(), &["1", "--stage", "beta"]] {
        assert!(ready(arguments).contains("beta,v1.38,"), "{arguments:?}: {}", ready(arguments));
    }
    for arguments in [["1"].as_slice(), &["1", "alpha"], &["keps", "--stage", "beta"]] {
        assert!(ready(arguments).contains(",v1.37,"), "{arguments:?}: {}", ready(arguments));
    }
    let printed = run_today(&repository, &["ready", "1", "beta", "--format", "pretty"]);
    assert!(printed.stdout.contains("for beta in v1.38 ("), "{}", printed.stdout);
    let promoted = run_today(&repository, &["promote", "1", "beta"]);
    assert!(promoted.stdout.contains("planned for v1.38"), "{}", promoted.stdout);
    let printed = check(&["1", "--stage", "beta"]);
    assert!(!printed.stdout.contains("milestone"), "{}", printed.stdout);
}

#[test]
fn what_came_after_the_release_is_not_known_in_it() {
    let repository = committed_at("2026-07-24T12:00:00Z");
    let gates = "feature-gates:\n  - name: NodeSwap\n    components: [kubelet]\n";
    let metadata = yaml("v1.27").replace("stage: alpha", "stage: beta").replace("  alpha:", "  beta:");
    repository.write(&format!("{KEP}/kep.yaml"), &format!("{metadata}{gates}"));
    let found = |release: &str| {
        let printed = repository.lint(&["1", "--level", "suggestion", "--format", "concise", "--release", release]);
        ["missed-milestone", "node-approver"].map(|rule| printed.stdout.contains(rule))
    };
    assert_eq!(found("v1.28"), [true, false], "NodeSwap was alpha in v1.27");
    assert_eq!(found("v1.27"), [false, false], "v1.27 is not out");
    repository.write(&format!("{KEP}/kep.yaml"), &yaml("v1.36"));
    assert_eq!((found("v1.36"), found("v1.37")), ([false, false], [false, true]), "upstream checks it since v1.37");
}

#[test]
fn a_release_that_is_far_ahead_is_refused() {
    let repository = committed_at("2026-07-24T12:00:00Z");
    let printed = run_today(&repository, &["promote", "1", "beta", "--release", "v1.83"]);
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.contains("v1.83 is long after v1.37"), "{}", printed.stderr);
    assert!(printed.stderr.contains("use v1.39 or an earlier release"), "{}", printed.stderr);
    let printed = run_today(&repository, &["new", "node", "42", "Prefetch images", "--release", "v1.83"]);
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.contains("v1.83 is long after v1.37"), "{}", printed.stderr);
    assert!(!repository.at("keps/sig-node/42-prefetch-images").exists());
    assert_eq!(run_today(&repository, &["promote", "1", "beta", "--release", "v1.39"]).status, 0);
    // Also by how many releases it is ahead is counted from the tree, though today is after the release of v1.37.
    repository.write(&format!("{KEP}/kep.yaml"), &yaml("v1.40"));
    let printed = run_today(&repository, &["promote", "1", "beta"]);
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.contains("`latest-milestone` is v1.40, long after v1.37"), "{}", printed.stderr);
    let printed = run_today(&repository, &["1", "--level", "suggestion"]);
    assert_eq!(release(&printed), format!("v1.37 {ON_BRANCH}"));
    assert!(printed.stdout.contains("is v1.40, long after v1.37"), "{}", printed.stdout);
}

/// Of one KEP, the heading and the summary say what each release is.
/// Each KEP that is named has its own plan, alone, with others, and at a commit, and it is the one that `promote` writes.
/// The enhancements freeze of v1.37 is over; the second KEP plans beta for v1.39, and the third has reached it.
#[test]
fn each_kep_that_is_named_is_planned_as_promote_does() {
    /// The day of the commit.
    const TODAY: (&str, &str) = ("SOURCE_DATE_EPOCH", "1784901600");
    const NUMBERS: [&str; 3] = ["1", "2", "3"];
    const RELEASES: [&str; 3] = ["v1.38", "v1.39", "v1.37"];
    let repository = Scratch::empty();
    let of_beta = yaml("v1.37").replace("stage: alpha", "stage: beta") + "  beta: v1.37\n";
    for (number, text) in NUMBERS.into_iter().zip([yaml("v1.36"), yaml("v1.37") + "  beta: v1.39\n", of_beta]) {
        let text = text.replace("number: 1", &format!("number: {number}"));
        repository.write(&format!("keps/sig-node/{number}-x/README.md"), &format!("# KEP-{number}: X\n"));
        repository.write(&format!("keps/sig-node/{number}-x/kep.yaml"), &text);
    }
    repository.commit_at("2026-07-24T12:00:00Z");
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let run = |arguments: &[&[&str]]| repository.lint_in(&repository.root, &arguments.concat(), &[TODAY]);
    let ready = |arguments: &[&str]| -> Vec<String> {
        let printed = run(&[&["ready", "--stage", "beta", "--format", "csv"], arguments]);
        let mut rows: Vec<String> = printed.stdout.lines().skip(1).map(str::to_owned).collect();
        rows.sort_unstable();
        rows.iter().map(|row| row.split(',').nth(4).unwrap_or_default().to_owned()).collect()
    };
    let check = |arguments: &[&str]| {
        run(&[arguments, &["--stage", "beta", "--format", "pretty", "--level", "suggestion"]]).stdout
    };
    let several = check(&NUMBERS);
    assert_eq!(ready(&NUMBERS), RELEASES);
    assert_eq!(ready(&["1", "2", "3", "--at", "HEAD"]), RELEASES);
    for (number, release) in NUMBERS.into_iter().zip(RELEASES) {
        assert_eq!(ready(&[number]), [release]);
        assert_eq!(ready(&[number, "--at", "HEAD"]), [release]);
        for printed in [&check(&[number]), &several] {
            let own = printed.split(&format!("KEP-{number} ")).nth(1).and_then(|own| own.split("KEP-").next());
            let is_said = own.is_some_and(|own| own.contains(&format!("{release} (--stage")));
            assert!(is_said, "{number}: {printed}");
        }
        let promoted = run(&[&["promote", number, "beta", "--diff"]]);
        assert!(promoted.stdout.contains(&format!("beta: {release}")), "{}", promoted.stdout);
    }
}

#[test]
fn a_check_of_one_kep_says_what_its_releases_are() {
    let repository = committed_at("2026-07-24T12:00:00Z");
    for (milestone, summary) in [("v1.20", ["v1.37 (", ON_BRANCH]), ("v1.38", ["v1.38 (", "milestones of the KEP)"])] {
        repository.write(&format!("{KEP}/kep.yaml"), &yaml(milestone));
        let printed = repository.lint(&["1", "--format", "pretty"]);
        assert!(summary.iter().all(|words| release(&printed).contains(words)), "{}", release(&printed));
        let heading = format!("checked for alpha, latest-milestone {milestone}");
        assert!(printed.stdout.contains(&heading), "{}", printed.stdout);
    }
}

/// A pull request is judged by the branch that it is for, whatever its own commits say, and `--at` by the commit.
#[test]
fn ready_judges_a_pull_request_by_the_branch_that_it_is_for() {
    let repository = committed_at("2026-04-01T12:00:00Z");
    repository.git(&["checkout", "-q", "-b", "work"]);
    repository.write(&format!("{KEP}/kep.yaml"), &yaml("v1.36"));
    repository.commit_at("2030-01-01T12:00:00Z");
    repository.git(&["update-ref", "refs/pull/7/head", "HEAD"]);
    repository.git(&["checkout", "-q", "main"]);
    repository.commit_at("2026-09-01T12:00:00Z");
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let release = |arguments: &[&str]| {
        let printed = repository.lint(&[&["ready", "--format", "json"], arguments].concat());
        let board: serde_json::Value = serde_json::from_str(&printed.stdout).expect("JSON");
        board["release"].clone()
    };
    assert_eq!(release(&["--pr", "7"]), serde_json::json!({"name": "v1.38", "source": "base"}));
    assert_eq!(release(&["1", "--at", "main"]), serde_json::json!({"name": "v1.38", "source": "repository"}));
    assert_eq!(release(&["1", "--at", "main~1"]), serde_json::json!({"name": "v1.37", "source": "repository"}));
}
