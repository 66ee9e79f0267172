//! Proposals that are not called KEPs, by one configuration.

use crate::support::program::{kep_lint, kep_lint_lines};
use crate::support::scratch::Scratch;

/// A configuration of the family with its metadata in lines of the text.
const CONFIG: &str = "name: VEP
documents: veps/{group}/{number}-{name}/vep.md
metadata: front-matter
template: veps/NNNN-vep-template/vep.md
sections: required
title: \"VEP #{number}: {title}\"
targets: \"This VEP targets {stage} for version: {release}\"
stages: {stable: GA}
";
const TEMPLATE: &str = "# VEP #NNNN: Your short, descriptive title

- This VEP targets alpha for version:

## Overview

<!-- What it is. -->

## Graduation

### Beta

<!-- What beta needs. -->
";
const PROPOSAL: &str = "# VEP 12: Fast disks

- This VEP targets alpha for version: v1.8
- This VEP targets beta for version: TBD

## Graduation

A disk is fast. See [the other one](../13-slow/vep.md) and [none](../14-none/vep.md).
";

fn tree() -> Scratch {
    let tree = Scratch::empty();
    tree.write("kep-lint.yaml", CONFIG);
    tree.write("veps/NNNN-vep-template/vep.md", TEMPLATE);
    tree.write("veps/sig-disk/12-fast/vep.md", PROPOSAL);
    let other = PROPOSAL.replace("VEP 12", "VEP 99").replace("../13-slow/", "../12-fast/");
    tree.write("veps/sig-disk/13-slow/vep.md", &other);
    tree.commit();
    tree
}

/// Words that only Kubernetes has.
const OF_KUBERNETES: [&str; 7] = ["KEP", "kep.yaml", "SIG", "PRR", "README", "Kubernetes", "v1.37"];

#[test]
fn proposals_are_found_and_checked_in_their_own_words() {
    let tree = tree();
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion"]);
    let text = format!("{}{}", printed.stdout, printed.stderr);
    assert_eq!(printed.status, 1, "{text}");
    for words in [
        "checked 2 VEPs (2 files)",
        "section `Overview` is missing",
        "link target `../14-none/vep.md` does not exist",
        "the title has `VEP #99`, but the directory is 13",
        "the VEP has no front matter",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("`Beta` is missing"), "it is at alpha: {text}");
    assert!(!text.contains("less strict"), "the template is no other than that of the VEPs: {text}");
    assert!(!text.contains("../13-slow/vep.md` does not"), "{text}");
    let formats = ["pretty", "full", "concise", "markdown", "github", "gitlab", "junit", "html"];
    for format in formats {
        let printed = kep_lint(tree.at(".").as_path(), ["--level", "suggestion", "--format", format]);
        let text = format!("{}{}", printed.stdout, printed.stderr);
        assert!(format != "pretty" || text.contains("VEP 12 Fast disks"), "{text}");
        assert_eq!(of_kubernetes(&text), None, "{format}: {text}");
    }
    // So many that they are shown by group.
    for number in 20..50 {
        tree.write(&format!("veps/sig-disk/{number}-x/vep.md"), PROPOSAL);
    }
    for arguments in ["", "--statistics", "--since HEAD", "--staged"] {
        let printed = kep_lint(tree.at(".").as_path(), arguments.split_whitespace());
        let text = format!("{}{}", printed.stdout, printed.stderr);
        assert_eq!(of_kubernetes(&text), None, "{arguments}: {text}");
    }
}

fn of_kubernetes(text: &str) -> Option<&'static str> {
    OF_KUBERNETES.into_iter().find(|word| text.contains(word))
}

#[test]
fn front_matter_is_metadata_and_no_text() {
    let tree = tree();
    let front = "---\ntitle: Fast disks\nstatus: withdrawn\n# stage: none\nreplaces: \"\"\n---\n\n";
    tree.write("veps/sig-disk/13-slow/vep.md", &format!("{front}{}", PROPOSAL.replace("VEP 12", "VEP #13")));
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion", "veps/sig-disk/13-slow"]);
    let text = format!("{}{}", printed.stdout, printed.stderr);
    assert!(!text.contains("front matter") && !text.contains("is missing") && !text.contains("title"), "{text}");
}

#[test]
fn a_status_decides_where_no_release_is_named() {
    let tree = tree();
    let front = "---\ntitle: Fast disks\nstatus: implementable\nstage: alpha\nmilestone:\n  alpha: v1.1\n---\n\n";
    tree.write("veps/sig-disk/12-fast/vep.md", &format!("{front}{PROPOSAL}"));
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion", "veps/sig-disk/12-fast"]);
    let text = format!("{}{}", printed.stdout, printed.stderr);
    assert!(text.contains("error[missing-section]") && !text.contains("stale-kep"), "{text}");
}

#[test]
fn each_document_may_be_a_proposal() {
    let tree = Scratch::empty();
    tree.write("kep-lint.yaml", "documents: ideas/{number}-{name}.md\ntitle: \"Idea {number}: {title}\"\n");
    tree.write(
        "ideas/1-one.md",
        "---\nstatus: provisional\n---\n\n# Idea 1: One\n\n[Two](2-two.md), [three](3-three.md).\n",
    );
    tree.write("ideas/2-two.md", "# Idea 3: Two\n\nText.\n");
    tree.write("ideas/README.md", "# All ideas\n");
    tree.commit();
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion"]);
    let text = format!("{}{}", printed.stdout, printed.stderr);
    assert!(text.contains("checked 2 proposals (3 files)") || text.contains("checked 2 proposals (2 files)"), "{text}");
    assert!(text.contains("the title has `Idea 3`, but the directory is 2"), "{text}");
    assert!(!text.contains("table of contents") && !text.contains("is missing"), "no template asks for it: {text}");
    assert!(text.contains("`3-three.md` does not exist") && !text.contains("`2-two.md` does not"), "{text}");
}

#[test]
fn a_configuration_that_makes_no_sense_is_refused() {
    for (config, words) in [
        ("documents: ideas/{number}/{number}.md\n", "it has `{number}` twice"),
        ("documents: ideas/{sig}/{name}.md\n", "`{sig}` is no placeholder"),
        ("documents: ../{name}.md\n", "it must be a path from the directory of this file on"),
        ("documents: \"ideas/\\e[31m{name}.md\"\n", "invalid pattern"),
        ("name: VEP\n", "`name` needs `documents`"),
        ("documents: x/{name}.md\nname: \"a\\tb\"\n", "this is not a word"),
        ("documents: x/{name}.md\nmetadata: ../x.yaml\n", "this is no file beside the document"),
        ("documents: x/{name}.md\ntitle: VEP\n", "it has no `{number}`"),
        ("documents: x/{name}.md\ntargets: soon\n", "it must end in `{release}`"),
        ("documents: x/{name}.md\ntemplate: ../x.md\n", "`template` leads out of its directory"),
        ("documents: veps/{date}-{name}.md\n", "there are 3 `ideas/{number}-{name}.md`"),
    ] {
        let tree = Scratch::empty();
        tree.write("kep-lint.yaml", config);
        for number in 1..4 {
            tree.write(&format!("ideas/{number}-idea.md"), "# Idea\n");
        }
        tree.commit();
        let printed = kep_lint_lines(tree.at(".").as_path(), [""; 0]);
        assert_eq!(printed.status, 2, "{config}: {}", printed.stderr);
        assert!(printed.stderr.contains(words), "{config}: {}", printed.stderr);
    }
}

#[test]
fn the_first_change_with_a_layout_is_not_checked_by_it() {
    let tree = tree();
    tree.git(&["rm", "-q", "--cached", "kep-lint.yaml"]);
    tree.git(&["commit", "-q", "-m", "without"]);
    tree.git(&["add", "kep-lint.yaml"]);
    tree.git(&["commit", "-q", "-m", "with"]);
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--since", "HEAD~1", "--config-from", "base"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(printed.stderr.contains("the layout of this change counts from the next one on"), "{}", printed.stderr);
}

#[test]
fn a_configuration_is_written_by_what_is_seen() {
    let tree = tree();
    tree.write("veps/sig-disk/14-more/vep.md", PROPOSAL);
    std::fs::remove_file(tree.at("kep-lint.yaml")).expect("it is there");
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let written = tree.read(".kep-lint.yaml");
    for line in [
        "documents: \"veps/{group}/{number}-{name}/vep.md\"",
        "metadata: none",
        "template: \"veps/NNNN-vep-template/vep.md\"",
        "title: \"VEP #{number}: {title}\"",
    ] {
        assert!(written.lines().any(|own| own == line), "{line}: {written}");
    }
}
