//! Ignores on files: what they silence, what is said of them, and what `--add-ignores` writes.

use crate::support::library::{self, Against, Tree, kep};
use crate::support::program::{Printed, kep_lint, kep_lint_json, kep_lint_lines};
use crate::support::{files_below, is_whole, project};
use kep_lint::lint::Options;
use kep_lint::lint::ignoring::IgnoreComments;
use kep_lint::lint::report::KepReport;
use kep_lint::repository::Repository;
use kep_lint::template::Template;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const DIRECTORY: &str = "keps/sig-node/1-prefetch-images";

/// A tree with a KEP that has no findings.
fn clean() -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    let directory = tree.path().join(DIRECTORY);
    fs::create_dir_all(&directory).expect("a directory");
    for name in ["README.md", "kep.yaml"] {
        fs::copy(project().join("fixtures/clean/beta").join(name), directory.join(name)).expect("a file");
    }
    let reviews = tree.path().join("keps/prod-readiness/sig-node");
    fs::create_dir_all(&reviews).expect("a directory");
    let review = "kep-number: 1\nalpha:\n  approver: \"@deads2k\"\nbeta:\n  approver: \"@deads2k\"\n";
    fs::write(reviews.join("1.yaml"), review).expect("a file");
    let aliases = "aliases:\n  prod-readiness-approvers: [deads2k]\n  sig-node-tech-leads: [carol]\n";
    fs::write(tree.path().join("OWNERS_ALIASES"), aliases).expect("a file");
    tree
}

/// Writes another text in place of one that a file of the KEP has.
fn change(tree: &TempDir, name: &str, old: &str, new: &str) {
    let path = tree.path().join(DIRECTORY).join(name);
    let text = fs::read_to_string(&path).expect("it is there");
    assert_eq!(text.matches(old).count(), 1, "{old:?}");
    fs::write(path, text.replace(old, new)).expect("a file");
}

fn read(tree: &TempDir, name: &str) -> String {
    fs::read_to_string(tree.path().join(DIRECTORY).join(name)).expect("it is there")
}

/// The rules of the findings.
fn rules(tree: &TempDir) -> Vec<String> {
    let printed = kep_lint_lines(tree.path(), ["keps", "--level", "suggestion", "--fail-on", "never"]);
    let rule = |line: &str| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned());
    printed.stdout.lines().filter_map(rule).collect()
}

fn summary(tree: &TempDir) -> String {
    kep_lint_lines(tree.path(), ["keps", "--level", "suggestion", "--fail-on", "never"]).stderr
}

#[test]
fn an_ignore_silences_its_finding_and_is_a_finding_without_it() {
    let tree = clean();
    assert_eq!(rules(&tree), [""; 0], "{}", summary(&tree));
    for (name, old, broken, ignore) in [
        (
            "README.md",
            "\n## Drawbacks\n",
            "\n## Drawbacks\n\nSee [it](nowhere.md).\n",
            "<!-- kep-lint-ignore dead-link: why -->\n",
        ),
        (
            "kep.yaml",
            "owning-sig: ",
            "see-also: [/keps/sig-node/9-x]\nowning-sig: ",
            "# kep-lint-ignore dead-reference: why\n",
        ),
        (
            "README.md",
            "\n###### Will enabling / using this feature result in introducing new API types?\n",
            "\n###### Other calls of other parts\n",
            "<!-- kep-lint-ignore missing-section(\"Will enabling / using this feature result in introducing new API types?\"): why -->\n",
        ),
    ] {
        let before = read(&tree, name);
        change(&tree, name, old, broken);
        let [found] = rules(&tree).try_into().unwrap_or_else(|rules| panic!("{rules:?}"));
        assert!(ignore.contains(&found), "{found}");
        let line = match found.as_str() {
            "missing-section" => "### Scalability\n",
            "dead-link" => "## Drawbacks\n",
            _ => "see-also: ",
        };
        let at = read(&tree, name).find(&format!("\n{line}")).map_or(0, |at| at + 1);
        let mut text = read(&tree, name);
        text.insert_str(at, ignore);
        fs::write(tree.path().join(DIRECTORY).join(name), &text).expect("a file");
        assert_eq!(rules(&tree), [""; 0]);
        assert!(summary(&tree).ends_with("0 suggestions; 1 finding ignored\n"), "{}", summary(&tree));
        assert_eq!(kep_lint_json(tree.path(), &["keps"])["ignored"], 1);
        // The cause goes, and then the ignore.
        change(&tree, name, broken.trim_start_matches('\n'), old.trim_start_matches('\n'));
        assert_eq!(rules(&tree), ["unused-ignore"]);
        let fixed = kep_lint(tree.path(), ["keps", "--fix"]);
        assert!(fixed.stderr.contains("0 suggestions; fixed 1 finding in 1 file"), "{}", fixed.stderr);
        assert_eq!(read(&tree, name), before);
    }
}

#[test]
fn unused_ignores_are_known_only_if_all_rules_run() {
    let tree = clean();
    change(&tree, "README.md", "\n## Drawbacks\n", "\n<!-- kep-lint-ignore dead-link: why -->\n## Drawbacks\n");
    let is_unused = |arguments: &[&str]| {
        let arguments = [&["keps", "--level", "suggestion", "--fail-on", "never"], arguments].concat();
        kep_lint_lines(tree.path(), &arguments).stdout.contains("[unused-ignore]")
    };
    assert!(is_unused(&[]));
    for arguments in [["--select", "dead-link,unused-ignore"], ["--ignore", "dead-anchor"], ["--stage", "beta"]] {
        assert!(!is_unused(&arguments), "{arguments:?}");
    }
}

/// The tree of the sample, with all bytes of its files.
fn sample() -> (TempDir, BTreeMap<PathBuf, Vec<u8>>) {
    let tree = tempfile::tempdir().expect("a directory");
    let source = project().join("fixtures/sample");
    let mut files = BTreeMap::new();
    for path in files_below(&source, &|_| true) {
        let target = tree.path().join(path.strip_prefix(&source).expect("it is below"));
        fs::create_dir_all(target.parent().expect("it has one")).expect("a directory");
        let bytes = fs::read(&path).expect("it is there");
        fs::write(&target, &bytes).expect("a file");
        files.insert(target, bytes);
    }
    (tree, files)
}

/// How many findings `tests/goldens/sample.txt` lists, in how many files, and how many of them are suggestions.
fn golden() -> (usize, usize, usize) {
    let golden = fs::read_to_string(project().join("tests/goldens/sample.txt")).expect("it is there");
    // An unknown status cannot be ignored.
    let lines: Vec<&str> =
        golden.lines().filter(|line| !line.contains("/281-") || !line.contains("invalid-status")).collect();
    let files: BTreeSet<&str> = lines.iter().filter_map(|line| Some(line.split_once(':')?.0)).collect();
    let suggestion = lines.iter().filter(|line| line.ends_with(" suggestion")).count();
    (lines.len(), files.len(), suggestion)
}

fn add(tree: &Path, options: &[&str]) -> Printed {
    let arguments = ["keps", "--add-ignores=it is known", "--level", "suggestion"];
    kep_lint(tree, arguments.iter().chain(options))
}

const LEFT: &str = "1 finding is left, where kep-lint adds no ignore\n";

#[test]
fn added_ignores_silence_all_findings_and_change_nothing_else() {
    let (tree, files) = sample();
    let (findings, places, _) = golden();
    let shown = add(tree.path(), &["--diff"]);
    let says = format!("would add ignores for {findings} findings in {places} files; {LEFT}");
    assert!(shown.stderr.ends_with(&says), "{}", shown.stderr);
    assert!(files.iter().all(|(path, bytes)| fs::read(path).expect("it is there") == *bytes));
    let added = add(tree.path(), &[]);
    assert_eq!((added.status, added.stdout.matches("error[").count()), (1, 1));
    let says = format!(
        "1 error, 0 warnings, 0 suggestions; {findings} findings ignored; added ignores for {findings} findings in {places} \
         files; {LEFT}"
    );
    assert!(added.stderr.ends_with(&says), "{}", added.stderr);
    for (path, bytes) in &files {
        let text = fs::read_to_string(path).expect("it is text");
        let is_own = |line: &&str| !line.contains("kep-lint-ignore");
        let rest: String = text.split_inclusive('\n').filter(is_own).collect();
        assert_eq!(rest.as_bytes(), bytes, "{}", path.display());
    }
    let before: BTreeSet<Vec<u8>> = files.keys().map(|path| fs::read(path).expect("it is there")).collect();
    let again = add(tree.path(), &[]);
    let says = format!("{findings} findings ignored; added ignores for 0 findings in 0 files; {LEFT}");
    assert!(again.stderr.ends_with(&says), "{}", again.stderr);
    assert_eq!(files.keys().map(|path| fs::read(path).expect("it is there")).collect::<BTreeSet<_>>(), before);
}

#[test]
fn advice_is_ignored_only_if_it_is_asked_for() {
    let (tree, _) = sample();
    let added = kep_lint(tree.path(), ["keps", "--add-ignores=it is known", "-q"]);
    assert_eq!(added.status, 1);
    let summary = kep_lint(tree.path(), ["keps"]).stderr;
    let (findings, _, suggestion) = golden();
    let says = format!("1 error, 0 warnings, {suggestion} suggestions; {} findings ignored", findings - suggestion);
    assert!(summary.contains(&says), "{summary}");
    let added = kep_lint(tree.path(), ["keps", "--add-ignores=it is known", "--select", "stale-kep"]);
    assert!(added.stderr.contains("added ignores for 3 findings in 3 files"), "{}", added.stderr);
}

#[test]
fn a_reason_that_would_end_the_comment_is_refused() {
    let (tree, _) = sample();
    for reason in ["", " ", "-", "a --> b", "a --- b", "a\nb", "a\u{202e}b"] {
        let printed = kep_lint(tree.path(), ["keps", &format!("--add-ignores={reason}")]);
        assert_eq!(printed.status, 2, "{reason:?}");
        assert!(printed.stderr.contains("--add-ignores"), "{}", printed.stderr);
    }
    let printed = kep_lint(tree.path(), ["keps", "--fix", "--add-ignores=it is known"]);
    assert_eq!(printed.status, 2);
}

#[test]
fn what_has_no_place_for_an_ignore_is_left() {
    let tree = clean();
    let directory = tree.path().join(DIRECTORY);
    fs::write(directory.join("kep.yaml"), "title: a: b\nstatus: implementable\n").expect("a file");
    let mut bytes = fs::read(directory.join("README.md")).expect("it is there");
    bytes.extend(b"\n## Drawbacks\n\n\xff\n");
    fs::write(directory.join("README.md"), &bytes).expect("a file");
    let printed = add(tree.path(), &["--fail-on", "never"]);
    assert!(printed.stderr.contains("added ignores for 0 findings in 0 files; "), "{}", printed.stderr);
    assert!(printed.stderr.contains("left, where kep-lint adds no ignore"), "{}", printed.stderr);
    assert_eq!(fs::read(directory.join("README.md")).expect("it is there"), bytes);
}

/// Lines end as they did, and a byte order mark stays first.
#[test]
fn added_lines_end_like_the_others() {
    let tree = clean();
    change(&tree, "README.md", "\n## Drawbacks\n", "\n## Drawbacks\n\nSee [it](nowhere.md).\n");
    let path = tree.path().join(DIRECTORY).join("README.md");
    let text = format!("\u{feff}{}", read(&tree, "README.md").replace('\n', "\r\n"));
    fs::write(&path, &text).expect("a file");
    add(tree.path(), &["-q"]);
    let line = "<!-- kep-lint-ignore dead-link: it is known -->\r\n";
    let wanted = text.replace("See [it](nowhere.md).", &format!("{line}See [it](nowhere.md)."));
    assert_eq!(read(&tree, "README.md"), wanted);
    assert_eq!(rules(&tree), [""; 0]);
}

fn report_on(readme: &str, change: impl FnOnce(&mut Options)) -> KepReport {
    let options = library::options(change);
    let path = format!("{DIRECTORY}/README.md");
    let tree = Tree::of([(path.as_str(), readme.as_bytes())]);
    tree.lint(&Template::built_in(), &options).pop().expect("there is a KEP")
}

#[test]
fn ignores_change_no_fingerprint() {
    let lines = "\n[a](nowhere.md)\n\n<!-- X dead-link: why -->\n[b](nowhere.md)\n\n[c](nowhere.md#d)\n";
    let text = format!("# KEP-1: T\n{}", lines.repeat(3));
    let found = |readme: &str, ignores| -> BTreeSet<String> {
        let report = report_on(readme, |options| options.ignores = ignores);
        report.diagnostics.iter().map(|found| format!("{} {:?}", found.rule, found.fingerprint)).collect()
    };
    let ignored = text.replace("X dead-link", "kep-lint-ignore dead-link, dead-anchor");
    let (all, left) = (found(&ignored, IgnoreComments::Disregarded), found(&ignored, IgnoreComments::Honored));
    let own = |set: &BTreeSet<String>| -> BTreeSet<String> {
        set.iter().filter(|found| !found.starts_with("unused-ignore")).cloned().collect()
    };
    assert!(own(&left).is_subset(&all), "{left:?} {all:?}");
    assert_eq!(all, found(&text, IgnoreComments::Honored));
    assert!(own(&left).len() <= all.len());
}

#[test]
fn many_ignores_and_many_findings_take_little_time() {
    let count = if is_whole() { 20_000 } else { 8_000 };
    let ignore = "<!-- kep-lint-ignore unused-ignore, dead-link(\"Test Plan\"), dead-anchor, x y: why -->\n";
    let stacked = format!("# KEP-1: T\n\n{}## A\n\n{}", ignore.repeat(count), "##B\n\n".repeat(count));
    let inline = format!("# KEP-1: T\n\n{}\n", format!("a {} [b](#c) ", ignore.trim_end()).repeat(count / 4));
    let names = format!("# KEP-1: T\n\n<!-- kep-lint-ignore {}: why -->\ntext\n", "dead-links, ".repeat(count * 4));
    let titles = format!("# KEP-1: T\n\n<!-- kep-lint-ignore {}: why -->\ntext\n", "a(\"b, ".repeat(count * 4));
    let line = |number| format!("# kep-lint-ignore unknown-key, x: why\na{number}: b # kep-lint-ignore x: why\n");
    let lines: String = (0..count / 2).map(line).collect();
    let files =
        [stacked, inline, names, titles].map(|text| ("README.md", text)).into_iter().chain([("kep.yaml", lines)]);
    // The ignores of a file name no more than 1,000 rules.
    for ((file, text), ignored) in files.zip([0, 1, 0, 0, 333]) {
        let keps = [kep(DIRECTORY, [(file, text)])];
        let (template, repository) = (Template::built_in(), Repository::default());
        let run = Against { template: &template, repository: &repository, options: &Options::default() }.run(&keps);
        assert_eq!(run.failures.len(), 1, "{:?}", run.failures);
        assert_eq!(run.reports.iter().map(|report| report.ignored).sum::<usize>(), ignored);
    }
}

/// A comment that the author forgot to close goes on to the end of the next one: all between is the author's.
#[test]
fn a_comment_that_is_not_closed_is_not_removed() {
    let tree = clean();
    for opening in [
        "<!-- kep-lint-ignore bad-title: old title",
        "<!-- kep-lint-ignore bad-titl",
        "<!-- kep-lint-ignore dead-link --",
    ] {
        let path = tree.path().join(DIRECTORY).join("README.md");
        let text = fs::read_to_string(project().join("fixtures/clean/beta/README.md")).expect("it is there");
        let text = text.replacen("\n## Summary\n", &format!("\n{opening}\n\n## Summary\n\n<!-- a note -->\n"), 1);
        fs::write(&path, &text).expect("a file");
        kep_lint(tree.path(), ["--fix", "--unsafe-fixes", "--select", "ignores", "keps"]);
        kep_lint(tree.path(), ["--fix", "--ignore", "stale-toc,missing-section", "keps"]);
        assert_eq!(read(&tree, "README.md"), text, "{opening}");
    }
}

/// Another release or template requires other sections.
#[test]
fn an_ignore_is_not_unused_in_an_unusual_run() {
    let tree = clean();
    let ignore = "<!-- kep-lint-ignore-file placeholder-section: agreed -->\n";
    let text = format!("{ignore}{}", read(&tree, "README.md"));
    fs::write(tree.path().join(DIRECTORY).join("README.md"), &text).expect("a file");
    kep_lint(tree.path(), ["--fix", "--release", "v1.30", "keps"]);
    assert_eq!(read(&tree, "README.md"), text);
    kep_lint(tree.path(), ["--fix", "keps"]);
    assert!(!read(&tree, "README.md").contains("kep-lint-ignore"));
}

/// What a code block that is not closed hides is not known, so that no ignore is unused.
#[test]
fn an_ignore_whose_finding_may_be_hidden_is_not_unused() {
    let tree = clean();
    let ignore = "<!-- kep-lint-ignore-file placeholder-section: agreed -->\n";
    let text = read(&tree, "README.md");
    let hidden = text.replacen("\n## Drawbacks\n", "\n```\n\n## Drawbacks\n", 1);
    fs::write(tree.path().join(DIRECTORY).join("README.md"), format!("{ignore}{hidden}")).expect("a file");
    assert!(rules(&tree).contains(&"swallowed-heading".to_owned()), "{:?}", rules(&tree));
    assert!(!rules(&tree).contains(&"unused-ignore".to_owned()), "{:?}", rules(&tree));
    kep_lint(tree.path(), ["--fix", "keps"]);
    assert!(read(&tree, "README.md").starts_with(ignore));
}

#[test]
fn a_syntax_error_is_not_ignored() {
    let tree = clean();
    change(&tree, "kep.yaml", "status: implementable", "status: [implementable");
    let before = format!("# kep-lint-ignore-file invalid-yaml: in a hurry\n{}", read(&tree, "kep.yaml"));
    fs::write(tree.path().join(DIRECTORY).join("kep.yaml"), &before).expect("a file");
    assert!(rules(&tree).iter().any(|rule| rule == "invalid-yaml"), "{:?}", rules(&tree));
    add(tree.path(), &["--select", "invalid-yaml"]);
    assert_eq!(read(&tree, "kep.yaml"), before);
}

#[test]
fn one_wrong_number_is_one_finding_until_that_is_ignored() {
    let tree = clean();
    change(&tree, "kep.yaml", "kep-number: 1\n", "kep-number: 7\n");
    assert_eq!(rules(&tree), ["missing-prr"]);
    let alone = kep_lint_lines(tree.path(), ["keps", "--select", "kep-number-mismatch"]);
    assert!(alone.stdout.contains("error[kep-number-mismatch]"), "{alone:?}");
    let ignore = "# kep-lint-ignore missing-prr: it was moved\nkep-number: 7\n";
    change(&tree, "kep.yaml", "kep-number: 7\n", ignore);
    assert_eq!(rules(&tree), ["kep-number-mismatch"]);
}
