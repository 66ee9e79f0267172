//! A repository's own template decides what is asked of its KEPs.

use crate::support::program::{Printed, kep_lint};
use crate::support::project;
use crate::support::scratch::Scratch;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

const TEMPLATE: &str = "keps/NNNN-kep-template/README.md";
const README: &str = "keps/sig-node/1-prefetch/README.md";
const METADATA: &str = "keps/sig-node/1-prefetch/kep.yaml";
const SKEW: &str = "### Version Skew Strategy\n";
const QUESTION: &str = "###### Will enabling / using this feature result in any new API calls?\n";

/// The built-in template without directives.
fn template() -> String {
    let text = fs::read_to_string(project().join("templates/kep.md")).expect("a file");
    text.lines().filter(|line| !line.starts_with("<!--DIRECTIVE")).map(|line| format!("{line}\n")).collect()
}

/// A tree with that template, and a KEP at beta in which nothing is missing.
fn tree() -> Scratch {
    let tree = Scratch::empty();
    for path in [README, METADATA] {
        let name = path.rsplit('/').next().expect("it has one");
        let bytes = fs::read(project().join("fixtures/clean/beta").join(name)).expect("a file");
        tree.write_bytes(path, &bytes);
    }
    tree.write(TEMPLATE, &template());
    tree.commit();
    tree
}

fn lint(tree: &Scratch, arguments: &[&str]) -> Printed {
    tree.lint(&[&["--release", "v1.37", "--select", "sections"], arguments].concat())
}

/// How many findings there are, each as `severity[rule]`, without those of the template.
fn counts(printed: &Printed) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in printed.stdout.lines().filter(|line| line.starts_with("keps/sig-node")) {
        let finding = line.split(' ').find(|word| word.ends_with(']')).expect("it has a rule");
        *counts.entry(finding.to_owned()).or_default() += 1;
    }
    counts
}

fn found(tree: &Scratch, arguments: &[&str]) -> Vec<String> {
    counts(&lint(tree, arguments)).into_iter().map(|(finding, count)| format!("{count} {finding}")).collect()
}

/// The text from a heading to the next one of its level or above.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let start = text.find(&format!("\n{heading}")).expect(heading) + 1;
    let level = heading.find(' ').expect("it has a space");
    let is_next = |line: &str| line.find(' ').is_some_and(|count| count <= level) && line.starts_with('#');
    let length =
        text[start..].split_inclusive('\n').skip(1).take_while(|line| !is_next(line)).map(str::len).sum::<usize>();
    &text[start..start + heading.len() + length]
}

fn moved(text: &str, heading: &str, new: &str, before: &str) -> String {
    let section = section(text, heading);
    let moved = section.replacen(heading, new, 1);
    text.replacen(section, "", 1).replacen(&format!("\n{before}"), &format!("\n{moved}{before}"), 1)
}

#[test]
fn no_change_of_the_template_makes_an_error() {
    let tree = tree();
    assert_eq!(found(&tree, &[]), [""; 0]);
    let text = template();
    let with = |old: &str, new: &str| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    };
    let added = |heading: &str, before: &str| with(before, &format!("{heading}\n\n{before}"));
    let asks = |count: usize| vec![format!("{count} suggestion[missing-section]")];
    let is_elsewhere = || vec!["1 suggestion[misplaced-section]".to_owned()];
    let changes: Vec<(&str, String, Vec<String>)> = vec![
        ("added, depth 6", added("###### How many images?", QUESTION), asks(1)),
        ("added, depth 5", added("##### Fuzz tests", "##### Integration tests\n"), asks(1)),
        ("added, depth 3", added("### Cost of Images", SKEW), asks(1)),
        ("added, depth 2", added("## Sustainability", "## Drawbacks\n"), asks(1)),
        ("added, optional", added("## Sustainability (Optional)\n\n### Energy", "## Drawbacks\n"), vec![]),
        ("around others", added("## Testing", "### Test Plan\n"), asks(1)),
        ("moved", moved(&text, SKEW, SKEW, "### Risks and Mitigations\n"), is_elsewhere()),
        ("deeper", with(SKEW, &format!("#{SKEW}")), is_elsewhere()),
        ("split", with(SKEW, "### Skew of Nodes\n\n### Skew of Clients\n"), asks(2)),
        ("merged", with("### Goals\n", "### Goals and Non-Goals\n").replacen("\n### Non-Goals\n", "\n", 1), vec![]),
        ("renamed", with(SKEW, "### Mixed Releases\n"), vec![]),
        ("renamed with parts", with("## Design Details\n", "## Technical Design\n"), vec![]),
        ("renamed and moved", moved(&text, SKEW, "### Mixed Releases\n", "### Risks and Mitigations\n"), asks(1)),
        ("reworded", with(QUESTION, "###### Will enabling this feature result in any new API calls?\n"), vec![]),
        (
            "renamed and reworded",
            with(QUESTION, "###### Which API calls are new?\n").replacen("### Scalability\n", "### Cost at Scale\n", 1),
            vec![],
        ),
        ("optional", with(SKEW, "### Version Skew Strategy (Optional)\n"), vec![]),
        ("removed", text.replacen(section(&text, SKEW), "", 1), vec![]),
        ("twice", with(SKEW, &format!("{SKEW}\n{SKEW}")), vec![]),
        ("another project's", "# T\n\n## Abstract\n\n## Costs\n\n## Team\n\n## Dates\n".to_owned(), asks(4)),
    ];
    for (name, changed, expected) in changes {
        tree.write(TEMPLATE, &changed);
        assert_eq!(found(&tree, &[]), expected, "{name}");
    }
}

#[test]
fn who_adds_a_kep_or_raises_it_is_told_at_once() {
    let tree = tree();
    tree.write(TEMPLATE, &template().replacen(SKEW, &format!("### Cost of Images\n\n{SKEW}"), 1));
    tree.commit();
    for (path, name) in [(README, "README.md"), (METADATA, "kep.yaml")] {
        tree.write(
            &format!("keps/sig-node/2-again/{name}"),
            &tree.read(path).replace("KEP-1:", "KEP-2:").replace("kep-number: 1", "kep-number: 2"),
        );
    }
    tree.git(&["add", "--all"]);
    assert_eq!(found(&tree, &["--staged"]), ["1 warning[missing-section]"]);
    tree.git(&["rm", "-rqf", "keps/sig-node/2-again"]);
    tree.write(METADATA, &(tree.read(METADATA) + "# a remark\n"));
    assert_eq!(found(&tree, &["--since", "HEAD"]), ["1 suggestion[missing-section]"]);
    tree.write(METADATA, &tree.read(METADATA).replace("stage: beta", "stage: alpha"));
    tree.commit();
    tree.write(METADATA, &tree.read(METADATA).replace("stage: alpha", "stage: beta"));
    let raised = found(&tree, &["--since", "HEAD", "--new-only"]);
    assert!(raised.contains(&"1 warning[missing-section]".to_owned()), "{raised:?}");
    tree.write(".kep-lint.yaml", "sections: required\n");
    assert_eq!(found(&tree, &[]), ["1 error[missing-section]"]);
}

#[test]
fn a_new_title_is_said_once() {
    let tree = tree();
    tree.write(TEMPLATE, &template().replacen(SKEW, "### Mixed Releases\n", 1));
    let said = "has the title `Mixed Releases` instead of `Version Skew Strategy`: KEPs may have either";
    let printed = lint(&tree, &[]);
    assert_eq!(printed.stderr.matches(said).count(), 1, "{}", printed.stderr);
    let report: Value = serde_json::from_str(&lint(&tree, &["--format", "json"]).stdout).expect("it is JSON");
    let renamed = json!([{ "template": TEMPLATE, "old": "Version Skew Strategy", "new": "Mixed Releases" }]);
    assert_eq!(report["conditions"]["renamed"], renamed);
    tree.write(
        README,
        &tree
            .read(README)
            .replacen(SKEW, "### Mixed Releases\n", 1)
            .replace("#version-skew-strategy", "#mixed-releases"),
    );
    assert_eq!(found(&tree, &[]), [""; 0]);
    tree.write(README, &tree.read(README).replacen(section(&tree.read(README), "### Mixed Releases\n"), "", 1));
    assert_eq!(found(&tree, &[]), ["1 error[missing-section]"]);
    let ignore = "<!-- kep-lint-ignore-file missing-section(\"Version Skew Strategy\"): one release only -->\n";
    tree.write(README, &(ignore.to_owned() + &tree.read(README)));
    assert_eq!(found(&tree, &[]), [""; 0]);
}

#[test]
fn what_a_change_no_longer_asks_for_is_said() {
    let tree = tree();
    let metadata = TEMPLATE.replace("README.md", "kep.yaml");
    let keys =
        "title: KEP Template\nkep-number: NNNN\nauthors: []\nowning-sig: sig-xyz\napprovers: []\nstatus: provisional\n";
    tree.write(&metadata, &format!("{keys}stage: alpha|beta|stable\nlatest-milestone: v1.19\n"));
    tree.commit();
    let said = || lint(&tree, &["--since", "HEAD"]).stderr.replace("\n  ", " ");
    for (path, text, words) in [
        (TEMPLATE, template().replacen("<!-- toc -->\n", "", 1), "(no longer asks for a table of contents)"),
        (
            TEMPLATE,
            template().replacen("<!-- toc -->\n", "", 1).replacen(SKEW, "### Version Skew Strategy (Optional)\n", 1),
            "(no longer requires `Version Skew Strategy`, no longer asks for a table of contents)",
        ),
        (&metadata, keys.to_owned(), "(no longer requires `latest-milestone`, `stage`)"),
        (&metadata, keys.to_owned() + "stage: gamma\nlatest-milestone: v1.19\nteam: a\n", "kep.yaml`\n"),
    ] {
        let before = tree.read(path);
        tree.write(path, &text);
        assert!(said().contains(words), "{words}: {}", said());
        tree.write(path, &before);
    }
    tree.git(&["rm", "-q", &metadata]);
    tree.commit();
    tree.write(&metadata, keys);
    tree.git(&["add", "--all"]);
    let new = "(new, no longer requires `latest-milestone`, `stage`)";
    assert!(said().contains(new), "{}", said());
}

#[test]
fn what_is_shown_is_what_is_used() {
    let tree = tree();
    tree.write(TEMPLATE, &template().replacen(SKEW, &format!("### Cost of Images\n\n{SKEW}"), 1));
    let shown = tree.lint_in(&tree.root, &["template", "show", "--format=text"], &[]).stdout;
    assert!(shown.contains("Cost of Images") && shown.contains("alpha (suggestion)"), "{shown}");
    assert!(shown.contains(&format!("`{TEMPLATE}`: ")) && shown.contains(", 1 asked for without one"), "{shown}");
    let explained = crate::support::program::kep_lint(&tree.root, ["explain", "Cost of Images"]).stdout;
    assert!(explained.contains("Asked for: from alpha"), "{explained}");
    assert!(shown.contains("v1.19"), "{shown}");
    fs::rename(tree.at("keps/sig-node"), tree.at("keps/more")).expect("it is there");
    let shown = tree.lint_in(&tree.root, &["template", "show", "--format=text"], &[]).stdout;
    assert!(shown.contains("Cost of Images") && !shown.contains("v1.19"), "{shown}");
    let settings = crate::support::program::kep_lint(&tree.root, ["config", "show"]).stdout;
    let row = |key: &str| settings.lines().find(|line| line.starts_with(key)).expect(key).to_owned();
    assert!(row("groups").ends_with("none") && row("template").ends_with(TEMPLATE), "{settings}");
}

#[test]
fn of_two_templates_the_first_counts_and_without_one_the_built_in_one() {
    let tree = tree();
    let asking = template().replacen(SKEW, &format!("### Cost of Images\n\n{SKEW}"), 1);
    tree.write("keps/NNNN-template/README.md", &asking);
    tree.write("keps/NNNN-Template/README.md", &asking);
    assert_eq!(found(&tree, &[]), [""; 0]);
    tree.git(&["rm", "-rq", "keps/NNNN-kep-template"]);
    assert_eq!(found(&tree, &[]), ["1 suggestion[missing-section]"]);
    fs::remove_dir_all(tree.at("keps/NNNN-template")).expect("it is there");
    assert_eq!(found(&tree, &[]), ["1 suggestion[missing-section]"]);
    tree.write(README, &(tree.read(README) + "\nMore.\n"));
    fs::remove_dir_all(tree.at("keps/NNNN-Template")).expect("it is there");
    let deleted = lint(&tree, &["--since", "HEAD"]);
    assert_eq!(deleted.status, 0, "{}", deleted.stdout);
    assert!(deleted.stderr.contains(&format!("`{TEMPLATE}` (deleted)")), "{}", deleted.stderr);
}

#[test]
fn no_template_breaks_a_run() {
    let tree = tree();
    let many: String = (0..10_000).map(|number| format!("## Part {number}\n\n")).collect();
    let templates = [
        ("", "it has no heading"),
        ("# T\n", "it requires no section"),
        (&many, "it has 10000 headings"),
        ("# T\n\n## A\n\n## A\n", ""),
        (
            "# T\n\n## A\n<!--DIRECTIVE required true>\n\n## B\n<!--DIRECTIVE: stage: x, stage: beta\n",
            "it requires no section",
        ),
        ("---\ntitle: x\n---\n\n## A (optional)\n\n### B\n\n## [Optional] C\n", "it requires no section"),
        ("---\n---\n---\n\n# \u{1b}[31mT\n\n###### \u{1b}[31mA\n\n## ???\n", ""),
    ];
    for (text, failure) in templates {
        tree.write(TEMPLATE, text);
        for arguments in [&[][..], &["--fix", "--unsafe-fixes", "--select", "sections"]] {
            let printed = tree.lint(&[&["--release", "v1.37"], arguments].concat());
            assert!(
                printed.stderr.contains(failure) && !printed.stderr.contains("panic"),
                "{text:.60}: {}",
                printed.stderr
            );
            assert!(!printed.stdout.contains('\u{1b}') && !printed.stderr.contains('\u{1b}'), "{text:.60}");
            assert_eq!(printed.status == 2, !failure.is_empty(), "{text:.60}: {}", printed.stderr);
        }
    }
}

#[test]
fn a_readme_about_proposals_is_none() {
    let tree = Scratch::empty();
    tree.write("docs/proposals/README.md", "# Proposals\n");
    tree.write("docs/proposals/5-images/README.md", "# KEP-5: Images\n");
    tree.commit();
    let printed = tree.lint(&["docs/proposals"]);
    let said =
        printed.stderr.contains("`docs/proposals` contains no KEP") && printed.stderr.contains("`docs/proposals/*/`");
    assert!(printed.status == 2 && said, "{}", printed.stderr);
    let printed = tree.lint(&["docs/proposals/README.md"]);
    assert!(printed.status == 2 && printed.stderr.contains("belongs to no KEP"), "{}", printed.stderr);
    let printed = tree.lint(&["pre-commit", "docs/proposals/README.md"]);
    assert!(printed.stdout.is_empty() && printed.status != 1, "{} {}", printed.stdout, printed.stderr);
    assert!(tree.lint(&["docs/proposals/5-images"]).stderr.contains("checked 1 KEP"));
}

#[test]
fn without_milestones_the_status_decides() {
    let tree = Scratch::empty();
    let metadata = "title: Images\nkep-number: 1\nauthors: [\"@alice\"]\nstatus: implementable\n";
    tree.write("keps/1-images/kep.yaml", metadata);
    tree.write("keps/1-images/README.md", "# KEP-1: Images\n\n## Summary\n\nImages.\n");
    tree.write("keps/2-cache/kep.yaml", &metadata.replace("implementable", "withdrawn").replace('1', "2"));
    tree.commit();
    assert!(found_in(&tree).contains(&"error[missing-section]".to_owned()), "{:?}", found_in(&tree));
    tree.write("keps/2-cache/kep.yaml", &(tree.read("keps/2-cache/kep.yaml") + "latest-milestone: v0.2\n"));
    assert!(!found_in(&tree).contains(&"error[missing-section]".to_owned()), "{:?}", found_in(&tree));
}

#[test]
fn keys_that_most_kep_yaml_lack_are_not_asked_for_without_a_template() {
    let tree = Scratch::empty();
    for number in ["1", "2", "3"] {
        let metadata =
            "title: Images\nkep-number: 1\nauthors: [\"@alice\"]\napprovers: [\"@bob\"]\nstatus: implementable\n";
        tree.write(&format!("docs/proposals/{number}-images/kep.yaml"), &metadata.replace('1', number));
        tree.write(&format!("docs/proposals/{number}-images/README.md"), "# KEP: Images\n");
    }
    tree.write("docs/proposals/3-images/kep.yaml", "title: Images\nkep-number: 3\nstatus: implementable\n");
    tree.commit();
    let missing = || {
        let printed = tree.lint(&["docs/proposals/3-images", "--select", "missing-key"]).stdout;
        printed.lines().filter(|line| line.contains("is missing")).count()
    };
    assert_eq!(missing(), 2, "authors and approvers");
    assert!(tree.lint(&["docs/proposals", "--preset", "upstream"]).stdout.contains("`stage` is missing"));
    tree.write("docs/proposals/2-images/kep.yaml", "title: Images\nstage: alpha\n");
    tree.write("docs/proposals/1-images/kep.yaml", "title: Images\nstage: alpha\napprovers: [\"@bob\"]\n");
    assert_eq!(missing(), 1, "the stage");
}

#[test]
fn directives_name_releases_only_where_those_of_kubernetes_are_meant() {
    let template = "# Title\n\n## Summary\n\n## Test Plan\n";
    let questionnaire = format!("{template}\n## Production Readiness Review Questionnaire\n");
    for (path, text, group, is_kubernetes) in [
        ("keps/NNNN-template/README.md", template, "keps/5-images", false),
        ("keps/NNNN-template/README.md", &questionnaire, "keps/5-images", false),
        ("keps/NNNN-template/README.md", template, "keps/sig-node/5-images", true),
        ("docs/template.md", template, "docs/5-images", false),
        ("docs/template.md", &questionnaire, "docs/5-images", true),
    ] {
        let tree = Scratch::empty();
        tree.write(path, text);
        tree.write(&format!("{group}/README.md"), "# KEP-5: Images\n");
        let printed = kep_lint(&tree.root, ["template", "annotate", path]);
        let has_releases = printed.stdout.contains(", since: v1.");
        assert!(printed.status == 0 && printed.stdout.contains("role: test-plan"), "{printed:?}");
        assert_eq!(has_releases, is_kubernetes, "{path} {group} {}", printed.stdout);
    }
}

fn found_in(tree: &Scratch) -> Vec<String> {
    let printed = tree.lint(&[]).stdout;
    let lines = printed.lines().filter(|line| line.starts_with("keps/1-images"));
    lines.filter_map(|line| line.split(' ').find(|word| word.ends_with(']'))).map(str::to_owned).collect()
}
