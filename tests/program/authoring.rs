//! The way of a KEP: written by `new`, filled in, and promoted from stage to stage.

use crate::support::program::{Printed, command, printed};
use crate::support::scratch::Scratch;
use std::fs;
use std::os::unix::fs::symlink;

const ALIASES: &[u8] = b"aliases:\n  prod-readiness-approvers:\n    - pat\n  sig-node-tech-leads:\n    - lee\n";

/// A KEP whose milestone is that of the tree.
const OTHER: &[u8] = b"title: X\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\napprovers: [\"@lee\"]\n\
    status: withdrawn\nlatest-milestone: v1.37\n";

const KEP: &str = "keps/sig-node/42-prefetch-images";

/// A tree with one KEP, in which `ann` works.
pub fn tree() -> Scratch {
    let scratch = Scratch::of(&[
        ("OWNERS_ALIASES", ALIASES),
        ("keps/sig-node/1-x/README.md", b"# KEP-1: X\n"),
        ("keps/sig-node/1-x/kep.yaml", OTHER),
    ]);
    scratch.git(&["config", "github.user", "ann"]);
    scratch
}

/// 2026-09-07.
const TODAY: (&str, &str) = ("SOURCE_DATE_EPOCH", "1788739200");

/// Runs kep-lint on that day.
pub fn run(scratch: &Scratch, arguments: &[&str]) -> Printed {
    let mut command = command(&scratch.root);
    command.env(TODAY.0, TODAY.1).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    printed(&command.args(arguments).output().expect("the program was built with this test"))
}

fn new(scratch: &Scratch) {
    let printed = run(scratch, &["new", "node", "42", "Prefetch", "images", "--release", "v1.37"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
}

/// Asserts that a run is refused, says why, and writes nothing.
pub fn is_refused(scratch: &Scratch, arguments: &[&str], says: &str) {
    scratch.commit();
    let printed = run(scratch, arguments);
    assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{arguments:?}: {}", printed.stderr);
    assert!(printed.stderr.contains(says), "{arguments:?}: {}", printed.stderr);
    assert_eq!(scratch.git(&["status", "--short"]), "", "{arguments:?}");
}

/// The findings of KEP 42, each as line, rule and rest of the line.
fn findings(scratch: &Scratch, release: &str) -> Vec<(String, usize, String, String)> {
    let arguments = ["42", "--format", "concise", "--level", "suggestion", "--fail-on", "never", "--release", release];
    let printed = run(scratch, &arguments);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let finding = |line: &str| {
        let (path, rest) = line.split_once(':')?;
        let (number, rest) = rest.split_once(':')?;
        let (level, rest) = rest.split_once('[')?;
        let level = level.split_whitespace().next_back()?.to_owned();
        let rule = rest.split(']').next()?.to_owned();
        Some((path.to_owned(), number.parse().ok()?, level, rule))
    };
    printed.stdout.lines().filter_map(finding).collect()
}

fn rules(scratch: &Scratch, release: &str, level: &str) -> Vec<String> {
    let found = findings(scratch, release).into_iter().filter(|(_, _, own, _)| own == level);
    let mut rules: Vec<String> = found.map(|(.., rule)| rule).collect();
    rules.sort();
    rules.dedup();
    rules
}

/// Writes an answer below each heading that a finding of this level or a higher one says is not filled in.
fn fill_in(scratch: &Scratch, release: &str) {
    let path = format!("{KEP}/README.md");
    for _ in 0..5 {
        let found = findings(scratch, release);
        let gaps = found.iter().filter(|(.., rule)| ["empty-section", "placeholder-section"].contains(&rule.as_str()));
        let mut gaps: Vec<usize> = gaps.map(|(_, line, ..)| *line).collect();
        gaps.sort_unstable();
        if gaps.is_empty() {
            return;
        }
        let mut lines: Vec<String> = scratch.read(&path).lines().map(str::to_owned).collect();
        for line in gaps.into_iter().rev() {
            let answer =
                "The kubelet pulls the images of the list with the gate PrefetchImages, from alpha to beta and stable.";
            lines.splice(line..line, ["", answer].map(str::to_owned));
        }
        scratch.write(&path, &(lines.join("\n") + "\n"));
    }
    panic!("sections stay empty: {:?}", findings(scratch, release));
}

#[test]
fn a_kep_goes_from_an_idea_to_implemented() {
    let scratch = tree();
    new(&scratch);
    // The reviewer who is not known yet is only a suggestion.
    let first = [
        "empty-section",
        "no-approver",
        "placeholder-value",
        "placeholder-value",
        "prr-approver",
        "unacknowledged-test-plan",
    ];
    let mut found = rules(&scratch, "v1.37", "warning");
    found.extend(rules(&scratch, "v1.37", "suggestion"));
    found.sort();
    assert_eq!((found, rules(&scratch, "v1.37", "error")), (first.map(str::to_owned).to_vec(), Vec::new()));

    let yaml = format!("{KEP}/kep.yaml");
    let review = "keps/prod-readiness/sig-node/42.yaml";
    scratch.replace(&yaml, "reviewers:\n  - TBD", "reviewers:\n  - \"@bob\"");
    scratch.replace(&yaml, "approvers:\n  - TBD", "approvers:\n  - \"@lee\" # for SIG Node");
    scratch.replace(&yaml, "MyFeature", "PrefetchImages");
    scratch.replace(&format!("{KEP}/README.md"), "[ ] I/we understand", "[x] I/we understand");
    let printed = run(&scratch, &["promote", "42", "alpha", "--release", "v1.37"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(printed.stdout.starts_with(&format!("promoted {KEP}\n  status: provisional → implementable\n")));
    fill_in(&scratch, "v1.37");
    assert_eq!(rules(&scratch, "v1.37", "error"), ["prr-approver"]);
    scratch.replace(review, "@TBD", "pat");
    assert_eq!(rules(&scratch, "v1.37", "error"), [""; 0]);

    for (stage, release) in [("beta", "v1.38"), ("stable", "v1.39")] {
        let printed = run(&scratch, &["promote", "42", stage, "--release", release]);
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        assert!(!rules(&scratch, release, "error").contains(&"stale-toc".to_owned()));
        fill_in(&scratch, release);
        assert_eq!(rules(&scratch, release, "error"), ["prr-approver"], "{stage}");
        scratch.replace(review, "@TBD", "@pat");
        assert_eq!(rules(&scratch, release, "error"), [""; 0], "{stage}");
    }
    assert_eq!(
        scratch.read(review),
        "# The approver must be one of the prod-readiness-approvers in OWNERS_ALIASES.\nkep-number: 42\nalpha:\n  \
         approver: \"pat\"\nbeta:\n  approver: \"@pat\"\nstable:\n  approver: \"@pat\"\n"
    );
    let map = "milestone:\n  alpha: \"v1.37\"\n  beta: \"v1.38\"\n  stable: \"v1.39\"\n";
    assert!(scratch.read(&yaml).contains(map), "{}", scratch.read(&yaml));
    is_refused(&scratch, &["promote", "42", "implemented", "--release", "v1.38"], "its milestone is v1.39");
    is_refused(&scratch, &["promote", "42", "beta", "--release", "v1.39"], "it is at stable, which is after beta");
    let printed = run(&scratch, &["promote", "42", "implemented", "--release", "v1.39"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(scratch.read(&yaml).contains("\nstatus: implemented\n"));
    assert_eq!(rules(&scratch, "v1.41", "error"), [""; 0]);
    is_refused(&scratch, &["promote", "42", "stable", "--release", "v1.39"], "the KEP is implemented");
}

#[test]
fn every_other_byte_of_kep_yaml_stays() {
    let scratch = tree();
    let yaml = "---\r\n# stage: alpha\r\ntitle:   'Prefetch'   # two  spaces\r\nkep-number: \"0042\"\r\nauthors: [ \"@ann\" , '@bob' ]\r\n\
        owning-sig: sig-node\r\nstatus: 'implementable' # agreed\r\napprovers:\r\n- \"@lee\"\r\n\
        stage: \"alpha\"\t# alpha|beta|stable\r\nmilestone: { alpha: v1.36 } # beta: later\r\nlatest-milestone:   v1.36\r\n\r\n\
        last-updated: 2020-01-01";
    scratch.write(&format!("{KEP}/kep.yaml"), yaml);
    let readme = "# KEP-42: Prefetch\r\n\r\n## Summary\r\n\r\nText without an end of line";
    scratch.write(&format!("{KEP}/README.md"), readme);
    scratch.commit();
    let shown = run(&scratch, &["promote", "42", "beta", "--diff"]);
    assert_eq!((shown.status, scratch.git(&["status", "--short"]).as_str()), (1, ""), "{}", shown.stderr);
    // A patch has its paths from the root on.
    let below = scratch.lint_in(&scratch.at(KEP), &["promote", "42", "beta", "--diff"], &[TODAY]);
    assert_eq!((below.status, &below.stdout), (1, &shown.stdout), "{}", below.stderr);
    assert_eq!(run(&scratch, &["promote", "42", "beta"]).status, 0);
    let wanted = yaml.replace("\"alpha\"\t", "\"beta\"\t").replace("{ alpha: v1.36 }", "{ alpha: v1.36, beta: v1.38 }");
    let wanted = wanted.replace(":   v1.36", ":   v1.38").replace("2020-01-01", "2026-09-07");
    assert_eq!(scratch.read(&format!("{KEP}/kep.yaml")), wanted);
    let after = scratch.read(&format!("{KEP}/README.md"));
    assert!(after.contains("\r\n## Summary\r\n\r\nText without an end of line\r\n\r\n## Motivation\r\n"), "{after}");
    assert!(after.starts_with("# KEP-42: Prefetch\r\n") && !after.replace("\r\n", "").contains('\n'), "{after}");
    assert!(scratch.at("keps/prod-readiness/sig-node/0042.yaml").is_file());
    // What is shown is what is written.
    let written = scratch.read(&format!("{KEP}/kep.yaml"));
    scratch.git(&["add", "--all"]);
    scratch.git(&["reset", "-q", "--hard"]);
    fs::write(scratch.at("x.patch"), &shown.stdout).expect("a file");
    scratch.git(&["apply", "x.patch"]);
    assert_eq!(scratch.read(&format!("{KEP}/kep.yaml")), written);
    assert_eq!(scratch.read(&format!("{KEP}/README.md")), after);
}

#[test]
fn what_is_there_is_not_overwritten() {
    let scratch = tree();
    for (arguments, says) in [
        (["new", "node", "1", "Y"], "KEP 1 exists: `keps/sig-node/1-x`"),
        (["new", "cli", "1", "Y"], "KEP 1 exists"),
        (["new", "nod", "42", "Y"], "did you mean `sig-node`?"),
        (["new", "node", "042", "Y"], "write `42`"),
        (["new", "node", "NNNN", "Y"], "open its tracking issue"),
        (["new", "node", "0", "Y"], "`0` is not the number of a KEP"),
        (["new", "node", "42", " "], "it is empty"),
        (["new", "node", "42", "a --- b"], "as a delimiter"),
        (["new", "node", "42", "αβγ"], "no directory can be named after the title"),
        (["new", "node", "42", "KEP-NNNN: Images"], "it is the template's"),
        (["new", "node", "42", "Your short, descriptive title"], "it is the template's"),
        (["new", "node", "42", "KEP-1: Images"], "it begins with the number of another KEP"),
        (["new", "node", "42", "TBD"], "it is a placeholder"),
        (["new", "42", "Prefetch", "images"], "the SIG is missing"),
    ] {
        is_refused(&scratch, &arguments, says);
    }
    is_refused(&scratch, &["new", "sig-node", "42"], "the title is missing");
    is_refused(&scratch, &["new", "nod", "42"], "did you mean `sig-node`?");
    is_refused(&scratch, &["new", "42", "Images"], "the SIG is missing");
    scratch.write("keps/prod-readiness/sig-cli/42.yaml", "kep-number: 42\n");
    is_refused(&scratch, &["new", "node", "42", "Y"], "a PRR file for KEP 42 exists");
    fs::remove_file(scratch.at("keps/prod-readiness/sig-cli/42.yaml")).expect("it is there");
    scratch.write("keps/sig-node/42-other/notes.txt", "");
    is_refused(&scratch, &["new", "node", "42", "Y"], "keps/sig-node/42-other`: it exists");
    fs::remove_dir_all(scratch.at("keps/sig-node/42-other")).expect("it is there");
    // The directory of PRR files cannot be made, so nothing is.
    fs::remove_dir_all(scratch.at("keps/prod-readiness")).expect("it is there");
    scratch.write("keps/prod-readiness", "");
    is_refused(&scratch, &["new", "node", "42", "Y"], "prod-readiness");
    fs::remove_file(scratch.at("keps/prod-readiness")).expect("it is there");
    scratch.write("keps/prod-readiness/sig-node", "");
    is_refused(&scratch, &["new", "node", "42", "Y"], "help: move the file that is in the place of the directory");
    assert!(!scratch.at("keps/sig-node/42-y").exists());
}

#[test]
fn a_promotion_that_cannot_be_written_changes_nothing() {
    let scratch = tree();
    new(&scratch);
    // The heading of a required section is missing, so that README.md is one of the files to write.
    scratch.replace(&format!("{KEP}/README.md"), "### Scalability", "### Size");
    scratch.commit();
    let readme = scratch.at(&format!("{KEP}/README.md"));
    let mut permissions = readme.metadata().expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&readme, permissions).expect("it is ours");
    is_refused(&scratch, &["promote", "42", "beta"], "README.md`: it is read-only");
    scratch.write_bytes("keps/prod-readiness/sig-node/42.yaml", b"kep-number: 42 # \xff\n");
    is_refused(&scratch, &["promote", "42", "beta"], "42.yaml`: it is not UTF-8");
    scratch.write("keps/prod-readiness/sig-node/42.yaml", "kep-number: [\n");
    is_refused(&scratch, &["promote", "42", "beta"], "42.yaml`: line 1: ");
    is_refused(&scratch, &["promote", "keps", "beta"], "`keps` has 2 KEPs, not one");
    is_refused(&scratch, &["promote", "7", "beta"], "no KEP 7");
    fs::remove_file(scratch.at("keps/prod-readiness/sig-node/42.yaml")).expect("it is there");
    symlink("../../../lost", scratch.at("keps/prod-readiness/sig-node/42.yaml")).expect("a link");
    is_refused(&scratch, &["promote", "42", "beta"], "42.yaml`: dangling symlink");
    fs::remove_file(scratch.at("keps/prod-readiness/sig-node/42.yaml")).expect("it is there");
    scratch.write(&format!("{KEP}/kep.yaml"), "status: [\n");
    is_refused(&scratch, &["promote", "42", "beta"], "kep.yaml`: line 1: ");
}

#[test]
fn an_entry_without_an_approver_gets_the_stand_in() {
    let scratch = tree();
    new(&scratch);
    let path = "keps/prod-readiness/sig-node/42.yaml";
    for (entry, wanted) in [
        ("beta:\n  approver:\n", "beta:\n  approver: \"@TBD\"\n"),
        ("beta:\n  approver: '' # who?\n", "beta:\n  approver: '@TBD' # who?\n"),
        ("beta: {approver: ~}\n", "beta: {approver: \"@TBD\"}\n"),
        ("beta:\n", "beta:\n  approver: \"@TBD\"\n"),
        ("beta:\n  approver: someone\n", "beta:\n  approver: someone\n"),
    ] {
        scratch.write(path, &format!("kep-number: 42\n{entry}"));
        scratch.commit();
        let printed = run(&scratch, &["promote", "42", "beta"]);
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        assert_eq!(scratch.read(path), format!("kep-number: 42\n{wanted}"));
        scratch.git(&["reset", "-q", "--hard"]);
    }
}

#[test]
fn a_repository_without_sigs_has_keps_without_sigs() {
    let template: &[u8] = b"# KEP-NNNN: T\n\n<!-- toc -->\n<!-- /toc -->\n\n## Summary\n\n## Test Plan\n";
    let yaml: &[u8] = b"title: KEP Template\nkep-number: NNNN\nauthors: # people\n  - \"@jane.doe\"\nstatus: provisional|x\n\
        approvers:\n  - TBD\n  - \"@oscar.doe\"\nsee-also:\n  - \"/keps/1234-we-heard-you-like-keps\"\nstage: alpha|beta|stable\nlatest-milestone: \"v0.2\"\nmilestone:\n  alpha: \"v0.2\"\n  beta: \"v0.3\"\n";
    let other: &[u8] = b"title: X\nkep-number: 1\nauthors: [\"@ann\"]\napprovers: [\"@bob\"]\nstatus: withdrawn\nlatest-milestone: v0.20\n";
    let scratch = Scratch::of(&[
        ("keps/1-x/README.md", b"# KEP-1: X\n"),
        ("keps/1-x/kep.yaml", other),
        ("keps/NNNN-template/README.md", template),
        ("keps/NNNN-template/kep.yaml", yaml),
    ]);
    is_refused(&scratch, &["new", "node", "42", "Prefetch images"], "leave out `node`");
    let printed = run(&scratch, &["new", "42", "KEP-42: Prefetch <all> images"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert_eq!(
        scratch.read("keps/42-prefetch-all-images/kep.yaml"),
        "title: \"Prefetch <all> images\"\nkep-number: 42\nauthors: # people\n  - \"@jane.doe\"\nstatus: provisional\n\
         approvers:\n  - TBD\ncreation-date: 2026-09-07\nsee-also: []\nstage: alpha\nlatest-milestone: \"v0.20\"\nmilestone:\n  alpha: \"v0.20\"\n"
    );
    assert_eq!(
        scratch.read("keps/42-prefetch-all-images/README.md"),
        "# KEP-42: Prefetch \\<all> images\n\n<!-- toc -->\n- [Summary](#summary)\n- [Test Plan](#test-plan)\n<!-- /toc -->\n\n## Summary\n\n## Test Plan\n"
    );
    assert!(!scratch.at("keps/prod-readiness").exists());
    let printed = run(&scratch, &["promote", "42", "alpha"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(!scratch.at("keps/prod-readiness").exists());
}

#[test]
fn an_empty_tree_gets_its_first_kep() {
    let scratch = Scratch::empty();
    is_refused(&scratch, &["new", "node", "42", "Prefetch images"], "there is no directory `keps` here or above");
    fs::create_dir(scratch.at("keps")).expect("a directory");
    let shown = run(&scratch, &["new", "node", "42", "Prefetch images", "--diff"]);
    assert_eq!((shown.status, scratch.at("keps/sig-node").exists()), (1, false), "{}", shown.stderr);
    let printed = run(&scratch, &["new", "node", "42", "Prefetch images"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let readme = scratch.read(&format!("{KEP}/README.md"));
    assert!(readme.starts_with("# KEP-42: Prefetch images\n\n<!--\n") && !readme.contains("DIRECTIVE"), "{readme}");
    assert!(scratch.read(&format!("{KEP}/kep.yaml")).contains("  - \"@jane.doe\"\n"));
    fs::write(scratch.at("x.patch"), &shown.stdout).expect("a file");
    fs::remove_dir_all(scratch.at("keps")).expect("it is there");
    scratch.git(&["apply", "x.patch"]);
    assert_eq!(scratch.read(&format!("{KEP}/README.md")), readme);
}

#[test]
fn answers_come_from_implemented_keps() {
    let scratch = tree();
    let kep = |directory: &str, status: &str, milestone: &str, answer: &str| {
        let (sig, name) = directory.split_once('/').unwrap_or_default();
        let number = name.split('-').next().unwrap_or_default();
        let yaml = format!(
            "title: Title {number}\nkep-number: {number}\nauthors: [\"@ann\"]\nowning-sig: {sig}\napprovers: [\"@lee\"]\nstatus: {status}\n\
             stage: stable\nlatest-milestone: {milestone}\n"
        );
        scratch.write(&format!("keps/{directory}/kep.yaml"), &yaml);
        scratch
            .write(&format!("keps/{directory}/README.md"), &format!("# KEP-{number}: X\n\n## Drawbacks\n\n{answer}\n"));
    };
    let good = |what: &str| {
        format!("The list of {what} grows with the cluster, and its owner has to keep it short, which no tool can do.")
    };
    kep("sig-node/2-a", "implemented", "v1.30", &good("nodes"));
    kep("sig-cli/3-b", "implemented", "v1.36", &good("commands\u{1b}[31m"));
    kep("sig-cli/4-c", "implementable", "v1.36", &good("flags"));
    kep("sig-cli/5-d", "implemented", "v1.36", "None.");
    kep("sig-cli/6-e", "implemented", "v1.35", &format!("{}\n\n```yaml\n  a:   b\n```", good("keys")));
    let answers = |arguments: &[&str]| {
        let printed = run(&scratch, &[&["explain", "Drawbacks", "--answers"], arguments].concat());
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        let (_, answers) = printed.stdout.split_once("## Answers of implemented KEPs\n\n").expect("a heading");
        answers.to_owned()
    };
    let all = answers(&["9"]);
    let numbers: Vec<&str> = all.lines().filter_map(|line| line.strip_prefix("KEP-")?.split(':').next()).collect();
    assert_eq!(numbers, ["3", "6", "2"], "{all}");
    assert!(
        all.starts_with(
            "keps/sig-cli/3-b/README.md:3\nKEP-3: Title 3, sig-cli, v1.36\n\n    The list of commands?[31m"
        ),
        "{all}"
    );
    assert!(all.contains("\n    ```yaml\n      a:   b\n    ```\n"), "{all}");
    let own = answers(&["1", "--sig", "node"]);
    assert!(
        own.starts_with("keps/sig-node/2-a/")
            && own.ends_with(
                "2 more of 4 implemented KEPs have an answer; `kep-lint explain` with a higher\n`--answers` shows them\n"
            ),
        "{own}"
    );
    is_refused(&scratch, &["explain", "stale-toc", "--answers", "1"], "only about sections");
    is_refused(&scratch, &["explain", "Drawbacks", "--answers", "1", "--keps", "OWNERS_ALIASES"], "not a directory");
}

#[test]
fn a_kep_in_no_tree_gets_no_prr_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let kep = directory.path().join("42-images");
    fs::create_dir(&kep).expect("a directory");
    let yaml = "title: X\nkep-number: 42\nowning-sig: sig-node\nstatus: implementable\nstage: alpha\n";
    fs::write(kep.join("kep.yaml"), yaml).expect("a file");
    let mut command = command(directory.path());
    let output = command.args(["promote", "42-images", "beta", "--release", "v1.38"]).output().expect("it is built");
    assert_eq!(printed(&output).status, 0, "{}", printed(&output).stderr);
    let text = fs::read_to_string(kep.join("kep.yaml")).expect("it is there");
    assert_eq!(text, yaml.replace("alpha", "beta") + "latest-milestone: v1.38\nmilestone:\n  beta: v1.38\n");
    assert_eq!(directory.path().read_dir().expect("it is there").count(), 1);
}
