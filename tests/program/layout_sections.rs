//! What a template of another project asks for, and where its documents say it.

use crate::support::program::{kep_lint, kep_lint_lines};
use crate::support::scratch::Scratch;

pub const CONFIG: &str =
    "name: EP\ndocuments: p/{number}-{name}/README.md\nmetadata: none\ntemplate: t/t.md\nsections: required\n";
const TARGETS: &str = "targets: \"targets {stage} for version: {release}\"\n";

pub fn tree(config: &str, template: &str, document: &str) -> Scratch {
    let tree = Scratch::empty();
    tree.write("kep-lint.yaml", &format!("{CONFIG}{config}"));
    tree.write("t/t.md", &format!("# Title\n\n{template}"));
    tree.write("p/1-a/README.md", &format!("# A\n\n{document}"));
    tree.commit();
    tree
}

/// The findings of the documents, each as its severity, rule and message.
fn said(tree: &Scratch) -> Vec<String> {
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion"]);
    let finding = |line: &str| Some(line.split(" - help:").next()?.splitn(4, ':').nth(3)?.trim().to_owned());
    printed.stdout.lines().filter(|line| line.starts_with("p/")).filter_map(finding).collect()
}

#[track_caller]
pub fn assert_said(tree: &Scratch, findings: &[&str]) {
    let said: Vec<String> =
        said(tree).into_iter().map(|line| line.replace("[unsafe fix] ", "").replace("[fix] ", "")).collect();
    assert_eq!(said, findings);
}

#[test]
fn an_optional_section_may_be_anywhere() {
    let template = "## Proposal\n\nSay it.\n\n## Judgment\n\nJudge it.\n\n### Speed\n\n<!--\n(optional)\n\nHow fast.\n-->\n\n\
        ### Cost\n\nHow much.\n";
    let document = "## Proposal\n\nWe do it.\n\n### Speed\n\nFast.\n\n## Judgment\n\nGood.\n\n### Ours\n\nSo.\n\n#### Cost\n\nMuch.\n";
    let tree = tree("", template, document);
    assert_said(
        &tree,
        &["suggestion[misplaced-section] section `Cost` is under `Ours`, expected directly under `Judgment`"],
    );
    let shown = kep_lint(tree.at(".").as_path(), ["template", "show"]).stdout;
    let of = |title: &str| shown.lines().find(|line| line.contains(title)).unwrap_or_default().split("  ").next();
    assert_eq!((of("Speed"), of("Cost")), (Some("optional"), Some("every EP")), "{shown}");
    assert!(shown.contains("3 asked for without one"), "{shown}");
}

#[test]
fn the_newest_target_that_has_begun_decides() {
    let template = "- targets alpha for version:\n\n## Criteria\n\n### Alpha\n\n### Beta\n\n### GA\n";
    let targets =
        "- targets alpha for version: v1.9\n- targets beta for version: v1.10\n- targets GA for version: v1.11\n";
    let tree = tree(TARGETS, template, &format!("{targets}\n## Criteria\n\n### Alpha\n\nOne.\n"));
    for path in ["p/2-b/README.md", "p/3-c/README.md"] {
        tree.write(path, "# B\n\n- targets alpha for version: v1.10\n\n## Criteria\n\n### Alpha\n\nOne.\n");
    }
    assert_said(&tree, &["error[missing-section] section `Beta` is missing"]);
    let listed = kep_lint(tree.at(".").as_path(), ["list"]).stdout;
    let row: Vec<&str> = listed.lines().nth(1).unwrap_or_default().split_whitespace().collect();
    assert!(row.windows(2).any(|two| two == ["beta", "v1.10"]), "{listed}");
}

#[test]
fn a_stage_that_was_skipped_is_not_asked_for() {
    let template = "- targets alpha for version:\n\n## Criteria\n\n### Alpha\n\n### Beta\n";
    for alpha in ["- targets alpha for version: N/A\n", "- ~targets alpha for version:~\n"] {
        let document = format!("{alpha}- targets beta for version: v1.8\n\n## Criteria\n\n### Beta\n\nTests.\n");
        assert_said(&tree(TARGETS, template, &document), &[]);
    }
}

#[test]
fn a_heading_with_a_release_is_that_of_the_stage() {
    let template = "- targets alpha for version:\n\n## Criteria\n\n### Alpha\n\n### Beta\n";
    let document = "- targets beta for version: v1.8\n- targets alpha for version: v1.6\n\n## Phases\n\n### Alpha (v1.6)\n\n\
        One.\n\n### Beta\n\nTests.\n";
    assert_said(&tree(TARGETS, template, document), &["warning[missing-section] section `Criteria` is missing"]);
}

#[test]
fn a_heading_at_the_place_counts_before_one_deeper_down() {
    let template = "## Design\n\nSay it.\n\n## API Examples\n\nShow them.\n";
    let document =
        "## Design\n\nWe.\n\n### Policies\n\n#### API example:\n\nOne.\n\n## API Examples (full version)\n\nAll.\n";
    assert_said(&tree("", template, document), &[]);
}

#[test]
fn a_section_before_a_usual_one_is_empty() {
    let template = "## Proposal\n\nSay it.\n\n## Alternatives\n\nSay why not.\n";
    let document = "## Proposal\n\nWe do it.\n\n## Alternatives\n\n## Implementation History\n\n- 2025-01-01: begun\n";
    assert_said(&tree("", template, document), &["error[empty-section] section `Alternatives` is empty"]);
}

#[test]
fn a_section_that_is_filled_in_later_is_left_open() {
    let template = "## Proposal\n\nSay it.\n\n## Pull Requests\n\n<!--\nOnce the EP is implemented, list them.\n-->\n";
    assert_said(&tree("", template, "## Proposal\n\nWe do it.\n\n## Pull Requests\n"), &[]);
}

#[test]
fn below_a_section_that_may_be_skipped_sections_are_asked_for_if_one_is_there() {
    let template = "## Proposal\n\nSay it.\n\n## Screens\n\n*Skip this section if there is no screen.*\n\n### Security\n\n\
        Say who may.\n\n### Failures\n\nSay what fails.\n";
    assert_said(&tree("", template, "## Proposal\n\nWe do it.\n"), &[]);
    let document = "## Proposal\n\nWe do it.\n\n### Security\n\nAll may.\n";
    assert_said(&tree("", template, document), &["error[missing-section] section `Failures` is missing"]);
}

#[test]
fn one_number_is_reported_once_in_a_directory() {
    let tree = tree("", "## Proposal\n\nSay it.\n", "");
    let kind = |file: &str| format!("  - {{documents: 'p/EP-{{number}}-{{name}}/{file}', template: t/t.md}}\n");
    let kinds = format!("documents:\n{}{}", kind("design.md"), kind("prd.md"));
    let config = CONFIG.replace("documents: p/{number}-{name}/README.md\n", &kinds);
    tree.write("kep-lint.yaml", &format!("{config}title: 'EP-{{number}}: {{title}}'\n"));
    for path in ["p/EP-1-a/design.md", "p/EP-1-a/prd.md", "p/EP-1-b/design.md", "p/EP-1-b/prd.md"] {
        tree.write(path, "# EP-1: A\n\n## Proposal\n\nWe do it.\n");
    }
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion"]).stdout;
    let found: Vec<&str> = printed.lines().filter(|line| line.contains("kep-number-mismatch")).collect();
    assert!(found.len() == 2 && found.iter().all(|line| line.contains("the other is `p/EP-1-")), "{printed}");
    let listed = kep_lint(tree.at(".").as_path(), ["list"]).stdout;
    assert!(listed.contains("1 prd.md") && listed.contains("1 design.md"), "{listed}");
}

#[test]
fn a_fence_without_its_partner_is_the_only_finding() {
    let document = "## Proposal\n\nWe.\n\ntype T struct {\n}\n```\n\nThe name:\n```\nA_<NAME>_B=\"x\"\n```\nOr in Go:\n```go\n\
        type U struct {}\n```\n";
    assert_said(
        &tree("", "## Proposal\n\nSay it.\n", document),
        &["warning[unclosed-code-span] one of the code fences up to this one has no partner"],
    );
}

#[test]
fn a_history_that_names_no_stage_need_not() {
    let template = "- targets alpha for version:\n\n## Implementation History\n\n<!-- The dates. -->\n";
    // A release is out once others are worked on for the next one.
    let out = |tree: Scratch| {
        for path in ["p/2-b/README.md", "p/3-c/README.md"] {
            tree.write(
                path,
                "# B\n\n- targets alpha for version: v1.10\n\n## Implementation History\n\n- 2026-03-01: begun\n",
            );
        }
        tree
    };
    let history = |line: &str| {
        let targets = "- targets alpha for version: v1.7\n- targets beta for version: v1.9\n";
        out(tree(TARGETS, template, &format!("{targets}\n## Implementation History\n\n- {line}\n")))
    };
    assert_said(&history("2026-03-01: implemented"), &[]);
    assert_said(&history("2026-03-01: for v1.9"), &[]);
    let named = history("2026-03-01: alpha");
    assert_said(&named, &["suggestion[stale-history] the history names neither beta nor its release (v1.9)"]);
    let targets = "- targets alpha for version: v1.7\n- targets GA for version: v1.9\n";
    let config = format!("{TARGETS}stages: {{stable: GA}}\n");
    let last = tree(&config, template, &format!("{targets}\n## Implementation History\n\n- 2026-03-01: alpha\n"));
    assert_said(&last, &[]);
}

#[test]
fn a_level_that_the_template_skips_may_be_there() {
    let template = "## Conformance\n\nSay it.\n\n#### Names\n\nName them.\n";
    for level in ["###", "####"] {
        assert_said(&tree("", template, &format!("## Conformance\n\nYes.\n\n{level} Names\n\nOne.\n")), &[]);
    }
}

#[test]
fn markers_of_other_tools_are_a_table_of_contents() {
    let template = "<!-- toc -->\n- [Proposal](#proposal)\n<!-- /toc -->\n\n## Proposal\n\nSay it.\n";
    let document = "<!-- TOC -->\n- [Proposal](#proposal)\n<!-- TOC -->\n\n## Proposal\n\nWe do it.\n";
    assert_said(&tree("", template, document), &[]);
}

#[test]
fn a_list_of_metadata_is_no_markdown() {
    let front = |authors: &str| {
        let tree = tree("", "## Proposal\n\nSay it.\n", "");
        tree.write("kep-lint.yaml", &CONFIG.replace("none", "front-matter"));
        tree.write("p/1-a/README.md", &format!("---\nauthors:\n{authors}\n---\n# A\n\n## Proposal\n\nWe do it.\n"));
        kep_lint_lines(tree.at(".").as_path(), [""; 0]).stdout
    };
    let star = front("* \"@a\"");
    assert!(star.contains("list item begins with `*` - help: write `- \"@a\"`"), "{star}");
    let remark = front("- \"@a\" (the first)");
    assert!(remark.contains("write `- \"@a\" # the first`"), "{remark}");
}

#[test]
fn what_is_of_kubernetes_alone_is_off() {
    let tree = tree("", "---\ntitle: x\n---\n\n## Proposal\n\nSay it.\n", "## Proposal\n\nWe do it.\n");
    tree.write("t/t.md", "---\ntitle: x\n---\n# Title\n\n## Proposal\n\nSay it.\n");
    let printed = |arguments: &str| kep_lint(tree.at(".").as_path(), arguments.split(' '));
    for arguments in ["explain missing-prr", "rules missing-prr", "rules missing-prr --format json"] {
        let text = printed(arguments).stdout;
        assert!(text.contains("off") && !text.contains("active error"), "{arguments}: {text}");
    }
    for arguments in ["new", "promote", "answer", "upgrade", "new --no-such-option"] {
        let text = printed(arguments).stderr;
        assert!(text.contains("this command does not support `documents`") && !text.contains("SIG"), "{text}");
    }
    assert!(!printed("template show").stdout.contains("title: x"));
}

#[test]
fn a_placeholder_is_reported_once_with_what_is_below_it() {
    let template = "## Criteria\n\nSay them.\n\n### Trial\n\nSay when.\n\n### General\n\nSay when.\n";
    let of = |trial: &str| tree("", template, &format!("## Criteria\n\nTBD\n\n### Trial\n\n{trial}\n\n### General\n"));
    assert_said(&of("TBD"), &["error[placeholder-section] section `Criteria` has only placeholder text"]);
    assert_said(&of("Fast."), &["error[empty-section] section `General` is empty"]);
}

#[test]
fn a_comment_is_no_text() {
    let of =
        |comment: &str| tree("", "## Proposal\n\n<!-- Say it. -->\n", &format!("## Proposal\n\n<!-- {comment} -->\n"));
    assert_said(&of("Say it."), &["error[empty-section] section `Proposal` is empty"]);
    let own = "error[empty-section] section `Proposal` has only a comment, which the page does not show";
    assert_said(&of("Not needed, see above."), &[own]);
}

#[test]
fn stories_may_be_their_headings() {
    let template = "## Stories\n\nTell them.\n\n### Story 1\n";
    let document = "## Stories\n\n### Story 1: As a user of a node I want a disk\n";
    assert_said(&tree("", template, document), &[]);
}

#[test]
fn where_nobody_runs_mdtoc_only_the_links_of_a_table_of_contents_matter() {
    let document = "<!-- toc -->\n- [The  way](#the-way)\n<!-- /toc -->\n\n## The way\n\nSo.\n";
    let toc = "<!-- toc -->\n- [The way](#the-way)\n<!-- /toc -->\n\n";
    let template = "## The way\n\nSay it.\n";
    assert_said(&tree("", template, document), &[]);
    let stale = "stale-toc] the table of contents is out of date";
    assert_said(&tree("", template, &document.replace("#the", "#a")), &[&format!("warning[{stale}")]);
    assert_said(&tree("", &format!("{toc}{template}"), document), &[&format!("error[{stale}")]);
    let deeper = format!("{document}\n### Deeper\n\nSo.\n");
    assert_said(&tree("", template, &deeper), &[]);
    let more = tree("", template, &format!("{deeper}\n## What `it` & I\n\nSo.\n"));
    assert_said(&more, &[&format!("warning[{stale}")]);
    let text = kep_lint_lines(more.at(".").as_path(), [""; 0]).stdout;
    assert!(text.contains("add `` - [What `it` & I](#what-it--i) `` before the marker"), "{text}");
    kep_lint(more.at(".").as_path(), ["--fix"]);
    assert_said(&more, &[]);
}

#[test]
fn a_bare_answer_is_for_the_template_to_refuse() {
    let document = "## Risks and Mitigations\n\nNone.\n\n###### What are other known failure modes?\n\nNone.\n";
    let template =
        "## Risks and Mitigations\n\nName them.\n\n###### What are other known failure modes?\n\nName them.\n";
    assert_said(
        &tree("", template, document),
        &["suggestion[bare-answer] `None` alone does not answer `What are other known failure modes?`"],
    );
}

#[test]
fn sentences_of_the_template_are_no_text_of_the_author_and_its_items_may_be() {
    let template = "## Drawbacks\n\nSay why this proposal should not be built, and what it costs its users.\n\n\
        ## Criteria\n\n- It works from one end to the other, and has tests.\n\n## Owners\n\nThose of the project.\n";
    let findings = ["error[placeholder-section] section `Drawbacks` has only placeholder text"];
    assert_said(&tree("", template, template), &findings);
}

#[test]
fn brackets_around_an_anchor_are_meant_as_a_link() {
    let tree = tree("", "## Way\n\nSay it.\n", "## Way\n\nSee [the way back][#way].\n");
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion"]).stdout;
    assert!(printed.contains("write `(#way)`: it is a heading of this document"), "{printed}");
}

/// The rules that report something, with how often each does.
fn counted(tree: &Scratch) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for line in said(tree) {
        let rule = line.split(['[', ']']).nth(1).unwrap_or_default().to_owned();
        match counts.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, count)) => *count += 1,
            None => counts.push((rule, 1)),
        }
    }
    counts
}

const FRONT: &str = "metadata: front-matter\n";

/// A proposal with this front matter, by a template with a status and four sections.
fn with_front(sections: &str, front: &str, document: &str) -> Scratch {
    let config = CONFIG.replace("sections: required", &format!("sections: {{level: required{sections}}}"));
    let tree = Scratch::empty();
    tree.write("kep-lint.yaml", &config.replace("metadata: none\n", FRONT));
    tree.write(
        "t/t.md",
        "---\ntitle: x\nstatus: x\n---\n\n# T\n\n## Summary\n\nSay it.\n\n## Why\n\nSay why.\n\n\
        ## Proposal\n\nSay what.\n\n## Test Plan\n\n**Note:** *Section not required until targeted at a release.*\n\n\
        ### Units\n\nSay which.\n",
    );
    tree.write("p/1-a/README.md", &format!("---\ntitle: A\n{front}---\n\n# A\n\n{document}"));
    tree.commit();
    tree
}

#[test]
fn a_proposal_from_before_the_template_is_not_compared_with_it() {
    let document = "## Summary\n\n## Proposal\n\nWe do it.\n";
    let own = ["missing-key", "empty-section", "missing-section"].map(|rule| (rule.to_owned(), 1));
    let of = |since: &str, front: &str| {
        let tree = with_front(since, front, document);
        (counted(&tree), kep_lint(tree.at(".").as_path(), [""; 0]).stderr.contains("; 1 EP from before the template"))
    };
    let (young, older, old) = (&own[..], &own[1..2], &own[..0]);
    for (since, front, wanted) in [
        ("", "creation-date: 2024-01-01\n", young),
        (", since: 2024-06-01", "creation-date: 2024-06-01\n", young),
        (", since: 2024-06-01", "creation-date: 2024-05-31\n", older),
        (", since: 2024-06-01", "creation-date: 2024-5-31\n", older),
        (", since: 2024-06-01", "creation-date: 2024-05-31\nlast-updated: 2026-25-03\n", older),
        (", since: 2024-06-01", "last-updated: 2024-05-31\n", old),
        (", since: 2024-06-01", "creation-date: 2024-05-31\nlast-updated: 2024-07-31\n", older),
        (", since: 1", "", young),
        (", since: 2", "", older),
    ] {
        let (found, is_said) = of(since, front);
        let found: Vec<_> = found.into_iter().filter(|(rule, _)| rule != "invalid-date").collect();
        assert_eq!((found.as_slice(), is_said), (wanted, wanted.len() < own.len()), "{since} {front}");
    }
    // What a change adds is new.
    let tree = with_front(", since: 2024-06-01", "last-updated: 2024-05-31\n", document);
    tree.git(&["rm", "-q", "--cached", "-r", "p"]);
    tree.git(&["commit", "-qm", "none"]);
    tree.git(&["add", "p"]);
    let staged = kep_lint(tree.at(".").as_path(), ["--staged"]);
    assert!(staged.stdout.contains("empty-section"), "{}", staged.stdout);
}

#[test]
fn a_proposal_without_a_day_is_compared_with_the_template_only_as_it_is_added() {
    for front in ["", "creation-date: 2024-20-01\n", "creation-date: yyyy-mm-dd\n"] {
        let tree = with_front(", since: 2024-06-01", front, "## Summary\n\n## Proposal\n\nWe do it.\n");
        let missing = |arguments: &[&str]| {
            let printed = kep_lint(tree.at(".").as_path(), arguments);
            let is_said = printed.stderr.contains("; 1 EP without a date, and not compared with the template");
            (printed.stdout.contains("section `Why` is missing"), is_said)
        };
        assert_eq!(missing(&[]), (false, true), "{front}");
        tree.git(&["rm", "-q", "--cached", "-r", "p"]);
        tree.git(&["commit", "-qm", "none"]);
        tree.git(&["add", "p"]);
        assert_eq!(missing(&["--staged"]), (true, false), "{front}");
    }
    let tree = with_front(", since: 2024-06-01", "", "");
    tree.write("p/1-a/README.md", "# A\n\n## Summary\n\nWords.\n");
    assert_eq!(counted(&tree), [("missing-kep-yaml".to_owned(), 1)]);
}

#[test]
fn an_idea_is_not_asked_how_and_what_is_written_later_not_yet() {
    let of = |front: &str, document: &str| counted(&with_front("", front, document));
    let missing = |count: usize| if count == 0 { Vec::new() } else { vec![("missing-section".to_owned(), count)] };
    let said = "## Summary\n\nWords.\n\n## Why\n\nSo.\n\n";
    assert_eq!(of("status: provisional\n", said), missing(0));
    assert_eq!(of("status: provisional\n", &format!("{said}## Proposal\n\n## Test Plan\n\nTBD\n")), missing(0));
    assert_eq!(of("status: provisional\n", "## Summary\n\nWords.\n"), missing(1));
    assert_eq!(of("status: implementable\n", said), missing(1));
    let whole = format!("{said}## Proposal\n\nWe do it.\n");
    assert_eq!(of("status: implementable\n", &whole), missing(0));
    assert_eq!(of("status: implementable\nlatest-milestone: v1.2\n", &whole), missing(1));
}

#[test]
fn many_missing_sections_are_one_finding() {
    let template = |count: u8| {
        (0..count).map(|at| format!("## Part {}\n\nSay it.\n\n", char::from(b'A' + at))).collect::<String>()
    };
    let of = |count: u8| said(&tree("", &template(count), "## Part A\n\nWords.\n"));
    assert_eq!(of(4).len(), 3);
    let listed = "error[missing-section] sections `Part B`, `Part C`, `Part D` and `Part E` are missing";
    assert_eq!(of(5), [listed]);
}

#[test]
fn notes_beside_proposals_are_not_compared_with_the_template() {
    let tree = with_front(
        "",
        "status: implementable\n",
        "## Summary\n\nWords.\n\n## Why\n\nSo.\n\n## Proposal\n\nWe.\n\n\
        ## Test Plan\n\n### Units\n\nAll.\n",
    );
    tree.write("p/2-b/README.md", "# Notes\n\n## What we saw\n\nWords.\n");
    assert_eq!(counted(&tree), [("missing-kep-yaml".to_owned(), 1)]);
}

#[test]
fn parts_at_the_level_of_their_section_are_beside_it() {
    let template = "## Criteria\n\nSay them.\n\n### Fast\n\nSay when.\n\n### Small\n\nSay when.\n";
    let beside = "warning[empty-section] section `Criteria` is empty: its subsections are at the same heading level";
    assert_said(&tree("", template, "## Criteria\n\n## Fast\n\nSoon.\n\n## Small\n\nLater.\n"), &[beside]);
}

#[test]
fn nothing_is_asked_of_what_is_built() {
    let of =
        |status: &str| counted(&with_front("", &format!("status: {status}\n"), "## Summary\n\nTBD\n\n## Why\n\nSo.\n"));
    assert_eq!(of("implemented"), []);
    assert_eq!(of("implementable"), ["placeholder-section", "missing-section"].map(|rule| (rule.to_owned(), 1)));
}

#[test]
fn pages_of_a_site_are_not_files_beside_proposals() {
    let document = "## Way\n\nSee [all](../overview.md#states), [one](../2-b/README.md) and [more](more.md).\n";
    let found = said(&tree("", "## Way\n\nSay it.\n", document));
    let dead = |target: &str| format!("warning[dead-link] link target `{target}` does not exist");
    assert_eq!(found, [dead("../2-b/README.md"), dead("more.md")]);
}

#[test]
fn nobody_is_an_approver_where_the_template_allows_it() {
    let severity = |template: &str, approvers: &str, is_required: bool| {
        let front = format!("status: implementable\napprovers: {approvers}\n");
        let tree = with_front("", &front, "## Why\n\nSo.\n");
        tree.write("t/t.md", &format!("# Title\n\n## Why\n\n{template}\n"));
        let config = tree.read("kep-lint.yaml");
        let required = "keys: {required: [approvers]}\n";
        tree.write("kep-lint.yaml", &if is_required { config + required } else { config });
        let said = said(&tree);
        said.iter().find_map(|line| Some(line.split_once("[no-approver]")?.0.to_owned())).unwrap_or_default()
    };
    for template in ["If nobody is chosen, write `TBD`.", "```yaml\napprovers:\n  - TBD\n```"] {
        assert_eq!(severity(template, "[TBD]", false), "suggestion", "{template}");
        assert_eq!(severity(template, "[TBD]", true), "error", "{template}");
    }
    for (template, approvers) in [("If nobody is chosen, write `TBD`.", "[]"), ("TBD", "[TBD]")] {
        assert_eq!(severity(template, approvers, false), "error", "{template}: {approvers}");
    }
}

#[test]
fn a_reference_that_is_an_example_of_the_template_is_removed() {
    let tree = with_front("", "see-also:\n  - /p/neat.md\n  - /p/gone.md\n", "## Summary\n");
    let template = std::fs::read_to_string(tree.at("t/t.md")).expect("it is there");
    tree.write("t/t.md", &template.replace("status: x\n", "status: x\nsee-also:\n  - \"/p/neat.md\"  \n"));
    let helps = |path: &str| {
        let printed = kep_lint(tree.at(".").as_path(), ["--format", "json"]).stdout;
        let report: serde_json::Value = serde_json::from_str(&printed).expect("it is JSON");
        let findings = report["diagnostics"].as_array().expect("a list").clone();
        let finding = findings.into_iter().find(|it| it["message"].to_string().contains(path)).expect("it is told");
        finding["help"].as_str().expect("a text").to_owned()
    };
    assert_eq!(helps("/p/neat.md"), "remove it: it is an example of the template");
    assert_eq!(helps("/p/gone.md"), "write the path of a EP, from the root of the repository on");
}

#[test]
fn people_that_are_required_are_named() {
    let config = "metadata: front-matter\nkeys: {required: [status, reviewers, approvers]}\n";
    let tree = tree("", "## Proposal\n\nSay it.\n", "");
    tree.write("kep-lint.yaml", &CONFIG.replace("metadata: none\n", config));
    let document = |front: &str| tree.write("p/1-a/README.md", &format!("{front}# A\n\n## Proposal\n\nWe do it.\n"));
    document("---\nstatus: implementable\nreviewers: [\"@a\", TBD]\napprovers: [\"@b\", TBD]\n---\n");
    let placeholder = |key: &str| format!("error[placeholder-value] `{key}` has the placeholder `TBD`");
    assert_said(&tree, &[&placeholder("reviewers"), &placeholder("approvers")]);
    document("---\nstatus: provisional\nreviewers: [\"@a\", TBD]\napprovers: [TBD]\n---\n");
    assert_said(&tree, &[]);
    document("");
    assert_said(&tree, &["error[missing-kep-yaml] the EP has no front matter"]);
}

#[test]
fn a_part_of_a_title_may_be_meant() {
    let template =
        "## Proposal\n\nSay it.\n\n### Security, Risks, and Mitigations\n\nSay who may.\n\n## Design\n\nHow.\n";
    let document = "## Proposal\n\nWe do it.\n\n## Design\n\nSo.\n\n### Risks\n\nNone.\n";
    let tree = tree("", template, document);
    assert_said(&tree, &["warning[missing-section] section `Security, Risks, and Mitigations` is missing"]);
    let shown = kep_lint(tree.at(".").as_path(), ["--level", "suggestion"]).stdout;
    assert!(shown.contains("did you mean `Risks`?") && !shown.contains("insert"), "{shown}");
}

#[test]
fn a_section_whose_parts_are_elsewhere_is_not_inserted() {
    let template = "## Motivation\n\nSay why.\n\n### Goals\n\nSay what.\n\n### Non-Goals\n\nSay what not.\n\n\
        ## Plan\n\n### Tests\n\nSay which.\n\n## References\n\nName them.\n";
    let document = "## Motivation\n\nSo.\n\n## Goals\n\nIt.\n\n### Tests\n\nAll.\n\n## References\n\nNone.\n";
    let tree = tree("", template, document);
    let shown = kep_lint(tree.at(".").as_path(), ["--level", "suggestion"]).stdout;
    for help in ["add `### Non-Goals` under `## Motivation`", "add `## Plan` before `## References`"] {
        assert!(shown.contains(help), "{help}: {shown}");
    }
    let fixed = kep_lint(tree.at(".").as_path(), ["--fix", "--unsafe-fixes", "--select", "missing-section"]);
    assert!(!tree.read("p/1-a/README.md").contains("Non-Goals"), "{}", fixed.stdout);
}
