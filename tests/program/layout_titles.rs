//! Which headings of a document are which sections of another project's template, and which may be missing.

use crate::layout_sections::{CONFIG, assert_said, tree};
use crate::support::program::{kep_lint, kep_lint_lines};

#[test]
fn titles_that_mean_the_same_are_those_of_the_template() {
    let template = "## Summary\n\nSay it.\n\n## Motivation (Why)\n\nSay why.\n";
    for document in ["## TL;DR\n\nIt.\n\n## Purpose\n\nSo.\n", "## Overview\n\nIt.\n\n## Introduction\n\nSo.\n"] {
        assert_said(&tree("", template, document), &[]);
    }
    assert_said(&tree("", "## Non-Goals\n\nSay them.\n", "## Out of scope\n\nThat.\n"), &[]);
    assert_said(&tree("", "## Test Details\n\nSay it.\n", "## Test\n\nSo.\n"), &[]);
    let parts = "## Goals and Non-Goals\n\n### Goals\n\nThis.\n\n### Non-Goals\n\nThat.\n";
    assert_said(&tree("", "## In Scope\n\nSay it.\n\n## Out of Scope\n\nSay it.\n", parts), &[]);
    let both = "## Introduction/Overview\n\nSay what.\n\n## Purpose (Why)\n\nSay why.\n";
    assert_said(&tree("", both, "## Motivation\n\nSo.\n"), &[]);
    let template = "## Summary\n\nSay it.\n\n## Overview\n\nSay all.\n";
    let missing = "error[missing-section] section `Summary` is missing";
    assert_said(&tree("", template, "## Overview\n\nAll.\n"), &[missing]);
}

#[test]
fn a_design_in_the_proposal_keeps_its_parts() {
    let template = "## Proposal\n\nSay it.\n\n## Design Details\n\nSay how.\n\n### Test Plan\n\nSay what.\n";
    let tests = "### Test Plan\n\nUnit tests.\n";
    let of = |parts: &str| tree("", template, &format!("## Proposal\n\nWe do it.\n\n{parts}\n{tests}"));
    assert_said(&of("### Design Details\n\nSo.\n"), &[]);
    assert_said(&of("### Architecture\n\nSo.\n"), &[]);
    assert_said(&of("### The cache\n\nSo.\n\n### The disk\n\nSo.\n"), &[]);
    let missing = ["error[missing-section] section `Design Details` is missing"];
    assert_said(&of("### The cache\n\nSo.\n"), &missing);
    assert_said(&of("### The cache\n\n### The disk\n"), &missing);
}

#[test]
fn a_word_below_another_section_is_no_section() {
    for (wanted, other, title) in [
        ("Summary", "Costs", "Overview"),
        ("Motivation", "API", "Purpose"),
        ("Design Details", "Costs", "Architecture"),
    ] {
        let template = format!("## {wanted}\n\nSay it.\n\n## {other}\n\nSay it.\n");
        let document = format!("## {other}\n\nThis.\n\n### {title}\n\nThat.\n");
        let missing = format!("error[missing-section] section `{wanted}` is missing");
        assert_said(&tree("", &template, &document), &[missing.as_str()]);
    }
}

#[test]
fn an_author_may_leave_a_section_out_and_has_no_history_yet() {
    let template = "## Drawbacks\n\nSay them.\n\n## Implementation History\n\nSay when.\n";
    assert_said(&tree("", template, "## Drawbacks\n\nIt is slow.\n"), &[]);
    assert_said(&tree("", template, "## Drawbacks [omitted]\n\n## Implementation History\n"), &[]);
    assert_said(
        &tree("", template, "## Drawbacks\n\n## Implementation History\n"),
        &["error[empty-section] section `Drawbacks` is empty"],
    );
}

#[test]
fn an_optional_section_that_is_there_is_filled_in() {
    let config = CONFIG.replace("sections: required", "sections: {level: required, optional: [Costs]}");
    let of = |document: &str| {
        let tree = tree("", "## Proposal\n\nSay it.\n\n## Costs\n\nSay them.\n", document);
        tree.write("kep-lint.yaml", &config);
        tree
    };
    assert_said(&of("## Proposal\n\nWe do it.\n"), &[]);
    let empty = "error[empty-section] section `Costs` is empty";
    assert_said(&of("## Proposal\n\nWe do it.\n\n## Costs\n"), &[empty]);
}

#[test]
fn what_the_template_refers_to_may_stay() {
    let template = "## Words\n\nRefer to the [glossary](g.md). If this proposal adds new words, add them there, too.\n";
    let tree = tree("", template, "## Words\n\nRefer to the [glossary](g.md).\n");
    tree.write("p/1-a/g.md", "# Words\n");
    assert_said(&tree, &[]);
}

#[test]
fn a_part_of_a_title_is_that_section() {
    let template = "## Proposal\n\nSay it.\n\n## Design\n\nSay how.\n\n### Upgrade / Downgrade Strategy\n\nSay how.\n";
    for above in ["## Design\n\nSo.\n", "## Design\n\nSo.\n\n### Notes\n\nSo.\n"] {
        for title in ["Upgrade Strategy", "Downgrade Strategy"] {
            let document = format!("## Proposal\n\nSo.\n\n{above}\n### {title}\n\nIt stays.\n");
            assert_said(&tree("", template, &document), &[]);
        }
    }
}

#[test]
fn the_words_of_a_longer_title_are_not_those_of_a_shorter_one() {
    let template = "## In Scope\n\nSay it.\n\n## Not in Scope\n\nName it.\n";
    let document = "## Aims\n\n### 2.2 Services in Scope\n\nOne.\n\n## Not in Scope\n\nTwo.\n";
    assert_said(&tree("", template, document), &["error[missing-section] section `In Scope` is missing"]);
}

#[test]
fn a_number_in_the_metadata_is_that_of_the_path() {
    let config = CONFIG.replace("metadata: none", "metadata: front-matter") + "keys: {names: {number: ep-number}}\n";
    let of = |number: &str| {
        let tree = tree("", "## Proposal\n\nSay it.\n", "");
        tree.write("kep-lint.yaml", &config);
        tree.write("p/1-a/README.md", &format!("---\nep-number: {number}\n---\n\n# A\n\n## Proposal\n\nWe do it.\n"));
        tree
    };
    assert_said(&of("1"), &[]);
    assert_said(&of("2"), &["error[kep-number-mismatch] `ep-number` is 2, but the directory is 1"]);
}

#[test]
fn a_number_is_shared_where_only_paths_have_it() {
    let shared = |config: &str| {
        let tree = tree(config, "## Proposal\n\nSay it.\n", "## Proposal\n\nWe do it.\n");
        for name in ["1-a", "1-b"] {
            tree.write(&format!("p/{name}/README.md"), "# EP 1: A\n\n## Proposal\n\nWe do it.\n");
        }
        tree
    };
    assert_said(&shared(""), &[]);
    let another = "suggestion[kep-number-mismatch] another EP has the number 1, too";
    assert_said(&shared("title: \"EP {number}: {title}\"\n"), &[another, another]);
}

#[test]
fn a_finished_table_of_contents_may_be_old() {
    let toc = "<!-- toc -->\n- [Costs](#costs)\n<!-- /toc -->\n";
    let of = |status: &str| {
        let tree = tree("", &format!("{toc}\n## Costs\n\nSay them.\n"), "");
        tree.write("kep-lint.yaml", &CONFIG.replace("metadata: none", "metadata: front-matter"));
        let front = format!("---\nstatus: {status}\n---\n\n");
        let text = format!("{front}# A\n\n{toc}\n## Costs\n\nNone.\n\n## Risks\n\nNone.\n");
        tree.write("p/1-a/README.md", &text);
        tree
    };
    assert_said(&of("implementable"), &["error[stale-toc] the table of contents is out of date"]);
    assert_said(&of("implemented"), &[]);
    assert_said(&of("withdrawn"), &[]);
    // Another project may list headings that Kubernetes leaves out.
    let deep = of("implementable");
    let few = "## Costs\n\nNone.\n\n###### Few\n\nNone.\n";
    let listed = toc.replace("<!-- /toc", "        - [Few](#few)\n<!-- /toc");
    deep.write("p/1-a/README.md", &format!("# A\n\n{listed}\n{few}"));
    assert_said(&deep, &[]);
    deep.write("p/1-a/README.md", &format!("# A\n\n{}\n{few}", toc.replace("Costs", "Cost")));
    assert_said(&deep, &["error[stale-toc] the table of contents is out of date"]);
    deep.write("p/1-a/README.md", &format!("# A\n\n{toc}\n{few}\n## More\n\n###### Costs\n\nNone.\n"));
    assert_said(&deep, &["error[stale-toc] the table of contents is out of date"]);
}

#[test]
fn what_is_missing_goes_before_what_follows_in_the_template() {
    let template = "## How\n\n### Overview\n\nSay it.\n\n### Parts\n\nSay them.\n\n### Safety\n\nSay it.\n\n### Risks\n\nSay them.\n";
    let fixed = |document: &str| {
        let tree = tree("", template, document);
        kep_lint_lines(tree.at(".").as_path(), ["--fix", "--unsafe-fixes"]);
        let text = std::fs::read_to_string(tree.at("p/1-a/README.md")).expect("it is there");
        text.lines().filter(|line| line.starts_with('#')).skip(1).collect::<Vec<_>>().join(" ")
    };
    let first = "### Overview\n\nSo.\n\n### Parts\n\n";
    assert_eq!(
        fixed(&format!("## How\n\n{first}### Reader\n\nReads.\n\n### Risks\n\nNone.\n")),
        "## How ### Overview ### Parts ### Reader ### Safety ### Risks"
    );
    assert_eq!(
        fixed(&format!("## How\n\n{first}So.\n\n### Safety\n\nSo.\n\n### Reader\n\nReads.\n")),
        "## How ### Overview ### Parts ### Safety ### Reader ### Risks"
    );
    assert_eq!(
        fixed(
            "## How\n\n### Reader\n\nReads.\n\n### Writer\n\nWrites.\n\n### Parts\n\nSo.\n\n### Safety\n\nSo.\n\n### Risks\n\nSo.\n"
        ),
        "## How ### Reader ### Writer ### Overview ### Parts ### Safety ### Risks"
    );
}

#[test]
fn a_heading_that_begins_like_a_subsection_is_probably_the_section() {
    let template =
        "## API\n\nSay it.\n\n## Conformance Details\n\nSay them.\n\n### Conformance test scenarios\n\nSay them.\n";
    let help = |heading: &str| {
        let tree = tree("", template, &format!("## API\n\nSo.\n\n### {heading}\n\nOne.\n"));
        kep_lint_lines(tree.at(".").as_path(), [""; 0]).stdout
    };
    let found = help("Conformance Tests");
    let start = "warning[missing-section] section `Conformance Details` is missing - help: did you mean";
    assert!(found.contains(start) && !found.contains("fix]"), "{found}");
    assert!(help("Conformance Tiers").contains(" error[missing-section] "), "{found}");
}

#[test]
fn the_line_of_a_lost_heading_goes_from_a_table_of_contents_only_on_demand() {
    let toc = "<!-- toc -->\n- [Way](#way)\n- [Risks](#risks)\n- [Ours](#ours)\n<!-- /toc -->\n\n";
    let template = "## Way\n\nSay it.\n\n## Risks\n\nName them.\n";
    let lost = tree("", template, &format!("{toc}## Way\n\nSo.\n\nRisks\n"));
    lost.write("kep-lint.yaml", &CONFIG.replace("required", "{level: required, optional: [Risks]}"));
    let found = kep_lint_lines(lost.at(".").as_path(), [""; 0]).stdout;
    assert!(found.contains("[unsafe fix]") && found.contains("the heading `Risks` is gone"), "{found}");
    lost.write("p/1-a/README.md", &format!("# A\n\n{toc}## Way\n\nSo.\n\n## Risks\n\nNone.\n"));
    let found = kep_lint_lines(lost.at(".").as_path(), [""; 0]).stdout;
    assert!(found.contains("[fix]") && !found.contains("is gone"), "{found}");
}

#[test]
fn what_has_no_fix_promises_no_other_change() {
    let template = "## Design\n\nSay it.\n\n### Tests\n\nSay them.\n\n## Risks\n\nSay them.\n\n## Costs\n\nSay them.\n";
    let of = |design: &str| {
        let tree = tree("", template, design);
        kep_lint_lines(tree.at(".").as_path(), [""; 0]).stdout
    };
    let found = of("## Design\n\nSo.\n\n### Tests\n\nMany.\n\n### Risks\n\nFew.\n\n### Costs\n\nFew.\n");
    assert!(found.contains("write it as `## Risks`; 1 more section needs the same change"), "{found}");
    let found = of("## Design\n\nSo.\n\n### Risks\n\nFew.\n\n### Costs\n\nFew.\n\n### Tests\n\nMany.\n");
    assert!(found.contains("`## Risks`") && !found.contains("same change"), "{found}");
}

#[test]
fn no_script_of_kubernetes_is_named() {
    let tree = tree("", "## Risks\n\nName them.\n", "## Risks\n\nNone.\n\n<!-- toc -->\n<!-- /toc -->\n");
    tree.write("kep-lint.yaml", &CONFIG.replace("none", "meta.yaml"));
    tree.write("p/1-a/meta.yaml", "status: *x\n");
    let found = kep_lint(tree.at(".").as_path(), ["--format", "json"]).stdout;
    assert!(found.contains("invalid-yaml") && !found.contains("wrong-type") && !found.contains("hack/"), "{found}");
}
