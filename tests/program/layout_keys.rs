//! The keys of other proposals: what a configuration calls them, which of their sections are asked for, and their kinds.

use crate::layouts::{CONFIG, PROPOSAL, TEMPLATE, of_kubernetes, tree};
use crate::support::program::{kep_lint, kep_lint_lines};
use crate::support::scratch::Scratch;

/// A configuration of the family with its metadata in a file of its own.
const OF_FILES: &str = "name: GEP
documents: geps/gep-{number}/index.md
metadata: metadata.yaml
template: geps/gep-0/index.md
title: {in: front-matter, form: \"GEP-{number}: {title}\"}
sections: {optional: [\"story *\"], directive: \"[asked]: # ({phase} and above)\"}
phases:
  provisional: [Idea]
  active: [Prototyping, Implementable, Trial]
  implemented: [Standard]
keys: {required: [kind, name, status], optional: [number], names: {title: name}}
";

fn tree_of_files(metadata: &str, document: &str) -> Scratch {
    let tree = Scratch::empty();
    tree.write("kep-lint.yaml", OF_FILES);
    let ask = |phase: &str| format!("[asked]: # ({phase} and above)\n\n(text)\n");
    let sections = [("Goals", "Idea"), ("What/Why", "Prototyping"), ("Story 1", "Idea"), ("Tests", "Trial")];
    let sections: String = sections.iter().map(|(title, phase)| format!("\n## {title}\n\n{}", ask(phase))).collect();
    tree.write(
        "geps/gep-0/index.md",
        &format!("---\ntitle: \"GEP-0: Template\"\n---\n{sections}\n## More\n\n(text)\n"),
    );
    tree.write("geps/gep-12/index.md", document);
    tree.write("geps/gep-12/metadata.yaml", metadata);
    tree.commit();
    tree
}

fn findings_of_files(metadata: &str, document: &str) -> String {
    let tree = tree_of_files(metadata, document);
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion"]);
    assert!(printed.stderr.contains("checked 1 GEP (2 files)"), "{}", printed.stderr);
    assert_eq!(of_kubernetes(&format!("{}{}", printed.stdout, printed.stderr)), None, "{}", printed.stdout);
    printed.stdout
}

#[test]
fn a_line_of_the_template_says_from_which_status_on_a_section_is_asked_for() {
    let front = "---\ntitle: \"GEP-12: Fast\"\n---\n\n";
    let missing = |status: &str| {
        let metadata = format!("kind: Details\nname: Fast\nstatus: {status}\n");
        let found = findings_of_files(&metadata, &format!("{front}## Goals\n\nTo be fast.\n\n## Notes\n\nA note.\n"));
        ["Goals", "What/Why", "Story 1", "Tests", "More"]
            .map(|title| found.contains(&format!("section `{title}` is missing")))
    };
    assert_eq!(missing("Idea"), [false; 5]);
    assert_eq!(missing("prototyping"), [false, true, false, false, false]);
    assert_eq!(missing("Implementable"), [false, true, false, false, false]);
    assert_eq!(missing("Trial"), [false, true, false, true, false]);
    let metadata = "kind: Details\nname: Fast\nstatus: Trial\n";
    let whole = format!("{front}## Goals\n\nTo be fast.\n\n## Why\n\nIt is slow.\n\n## Tests\n\nOne.\n");
    assert_eq!(findings_of_files(metadata, &whole), "", "one of two words is enough");
}

#[test]
fn keys_and_titles_have_the_names_of_the_repository() {
    let document = |title: &str| format!("---\n{title}\n---\n\n## Goals\n\nTo be fast.\n");
    let found = findings_of_files("kind:\nnumber: 12\nnmae: x\nstatus: Idea\n", &document("title: \"GEP 13: Fast\""));
    for words in [
        "`kind` has no value",
        "`name` is missing",
        "unknown key `nmae`",
        "the title has `GEP-13`, but the directory is 12",
    ] {
        assert!(found.contains(words), "{words}: {found}");
    }
    let found = findings_of_files("kind: x\nname: [a]\nstatus: Accepted\n", &document("author: x"));
    for words in ["the front matter has no title", "unknown status `Accepted`", "write `Idea`, `Prototyping`"] {
        assert!(found.contains(words), "{words}: {found}");
    }
    assert!(!found.contains("unknown key") && !found.contains("wrong-type"), "{found}");
    let found = findings_of_files("kind: x\nname: Fast\nstatus: Trial\n", &document("title: Fast"));
    assert!(found.contains("suggestion[unnumbered-title] the title does not begin with `GEP-12`"), "{found}");
}

#[test]
fn a_wrong_number_in_front_matter_is_fixed() {
    let document = "---\ntitle: 'GEP-13: Fast'\n---\n\n## Goals\n\nTo be fast.\n";
    let tree = tree_of_files("kind: x\nname: Fast\nstatus: Idea\n", document);
    let printed = kep_lint(tree.at(".").as_path(), ["--fix"]);
    assert_eq!(tree.read("geps/gep-12/index.md"), document.replace("13", "12"), "{}", printed.stderr);
}

#[test]
fn without_keys_those_of_the_template_are_known() {
    let tree = tree();
    tree.write("veps/NNNN-vep-template/vep.md", &format!("---\ntitle: x\nteam: y\n---\n\n{TEMPLATE}"));
    tree.write("veps/sig-disk/13-slow/vep.md", &format!("---\ntitle: Slow\nteam: z\ntaem: z\n---\n\n{PROPOSAL}"));
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion"]);
    assert!(printed.stdout.contains("suggestion[unknown-key] unknown key `taem`"), "{}", printed.stdout);
    assert!(!printed.stdout.contains("unknown key `team`"), "{}", printed.stdout);
}

#[test]
fn a_template_that_asks_for_nothing_is_refused() {
    for (config, words) in [
        (OF_FILES.replace("[asked]", "[wanted]"), "it asks for no section"),
        (OF_FILES.replace("[Idea]", "[Thought]"), "`Idea` below `Goals` is no status"),
    ] {
        let tree = tree_of_files("kind: x\nname: Fast\nstatus: Trial\n", "---\ntitle: x\n---\n");
        tree.write("kep-lint.yaml", &config);
        let printed = kep_lint_lines(tree.at(".").as_path(), [""; 0]);
        assert!(printed.status == 2 && printed.stderr.contains(words), "{words}: {}", printed.stderr);
    }
}

#[test]
fn each_kind_of_documents_has_its_template() {
    let tree = Scratch::empty();
    let kind = |name: &str| {
        format!("  - {{documents: \"ideas/I-{{number}}-{{name}}/{name}.md\", template: guide/{name}.md}}\n")
    };
    tree.write(
        "kep-lint.yaml",
        &format!(
            "documents:\n{}{}title: 'I-{{number}}: {{title}}'\nsections: required\n",
            kind("design"),
            kind("plan")
        ),
    );
    tree.write("guide/design.md", "# Title\n\n## How\n\n<!-- How it works. -->\n");
    tree.write("guide/plan.md", "# Title\n\n## What\n\n<!-- What people get. -->\n");
    for name in ["I-7-fast", "I-8-slow", "I-8-small"] {
        tree.write(&format!("ideas/{name}/design.md"), "# Fast\n\nText.\n");
        tree.write(&format!("ideas/{name}/plan.md"), "# Fast\n\nText.\n");
        tree.write(&format!("ideas/{name}/more.md"), "# More\n");
    }
    tree.commit();
    let findings = |path: &str| {
        let printed = kep_lint_lines(tree.at(".").as_path(), [path, "--level", "suggestion"]);
        assert!(printed.stderr.contains("checked 1 proposal (1 file)"), "{}", printed.stderr);
        ["section `How` is missing", "section `What` is missing", "another proposal has the number 8"]
            .map(|words| printed.stdout.contains(words))
    };
    assert_eq!(findings("ideas/I-7-fast/design.md"), [true, false, false]);
    assert_eq!(findings("ideas/I-7-fast/plan.md"), [false, true, false]);
    assert_eq!(findings("ideas/I-8-slow/plan.md"), [false, true, false]);
    assert_eq!(findings("ideas/I-8-slow/design.md"), [true, false, true]);
    // What is wrong in one of two proposals with a number is new in the other.
    tree.write("ideas/I-8-small/design.md", "# Fast\n\nText, [x](none.md).\n");
    tree.commit();
    tree.write("ideas/I-8-slow/design.md", "# Fast\n\nText, [x](none.md).\n");
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--since", "HEAD", "--new-only"]);
    assert!(
        printed.stdout.contains("I-8-slow/design.md") && printed.stdout.contains("dead-link"),
        "{}",
        printed.stdout
    );
    let printed = kep_lint(tree.at(".").as_path(), ["list"]);
    assert!(printed.stderr.contains("6 proposals"), "{}", printed.stderr);
    std::fs::remove_file(tree.at("guide/plan.md")).expect("it is there");
    let printed = kep_lint_lines(tree.at(".").as_path(), [""; 0]);
    assert!(printed.status == 2 && printed.stderr.contains("guide/plan.md"), "{}", printed.stderr);
}

#[test]
fn a_number_is_for_one_proposal_of_a_group() {
    let tree = tree();
    for (group, name) in [("sig-disk", "12-more"), ("sig-net", "13-more")] {
        tree.write(&format!("veps/{group}/{name}/vep.md"), PROPOSAL);
    }
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion"]);
    let shared: Vec<&str> = printed.stdout.lines().filter(|line| line.contains("another VEP has the number")).collect();
    let places: Vec<&str> = shared.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(places, ["veps/sig-disk/12-fast/vep.md", "veps/sig-disk/12-more/vep.md"], "{}", printed.stdout);
    assert!(shared.iter().all(|line| line.contains("suggestion[kep-number-mismatch]")), "{shared:?}");
}

#[test]
fn an_optional_heading_leaves_those_below_it() {
    let tree = tree();
    let sections = "sections: {level: required, optional: [Over*]}";
    tree.write("kep-lint.yaml", &CONFIG.replace("sections: required", sections));
    let template = TEMPLATE.replace("What it is. -->", "What it is. -->\n\n### Cost\n\n<!-- What it costs. -->");
    tree.write("veps/NNNN-vep-template/vep.md", &template);
    let printed = kep_lint_lines(tree.at(".").as_path(), [""; 0]);
    assert!(printed.stdout.contains("error[missing-section] section `Cost` is missing"), "{}", printed.stdout);
    assert!(!printed.stdout.contains("`Overview` is missing"), "{}", printed.stdout);
}

#[test]
fn filters_have_the_words_of_the_repository() {
    let tree = tree_of_files("kind: x\nname: Fast\nstatus: Trial\n", "---\ntitle: \"GEP-12: Fast\"\n---\n");
    for (status, code, words) in [
        ("trial", 1, "checked 1 GEP"),
        ("Implementable", 2, "no GEP matches the filters"),
        ("implementable", 2, "no GEP matches the filters"),
        ("trail", 2, "did you mean `Trial`?"),
        ("nothing", 2, "write `Idea`, `Prototyping`, `Implementable`, `Trial` or `Standard`"),
    ] {
        let printed = kep_lint_lines(tree.at(".").as_path(), ["--status", status]);
        assert_eq!((printed.status, printed.stderr.contains(words)), (code, true), "{status}: {}", printed.stderr);
    }
    tree.write(
        "kep-lint.yaml",
        &format!(
            "{OF_FILES}stages: {{beta: preview}}\noverrides:\n  - {{status: Trial, rules: {{missing-section: off}}}}\n"
        ),
    );
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--kep-stage", "previw"]);
    assert!(printed.stderr.contains("did you mean `preview`?"), "{}", printed.stderr);
    let printed = kep_lint_lines(tree.at(".").as_path(), [""; 0]);
    assert!(!printed.stdout.contains("missing-section"), "{}", printed.stdout);
}

#[test]
fn a_filter_sees_what_lines_of_the_text_name() {
    let tree = tree();
    for (arguments, status) in [
        (["--milestone", "v1.8"], 1),
        (["--milestone", "v1.9"], 2),
        (["--kep-stage", "alpha"], 1),
        (["--kep-stage", "GA"], 2),
    ] {
        for metadata in ["front-matter", "none"] {
            tree.write("kep-lint.yaml", &CONFIG.replace("front-matter", metadata));
            let printed = kep_lint_lines(tree.at(".").as_path(), arguments);
            assert_eq!(printed.status, status, "{arguments:?}, {metadata}: {}", printed.stderr);
        }
    }
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--status", "implementable"]);
    assert!(printed.stderr.contains("`metadata` is `none` in the configuration"), "{}", printed.stderr);
}

#[test]
fn releases_are_those_of_the_project_or_of_kubernetes() {
    let tree = tree();
    let release = |releases: &str| {
        tree.write("kep-lint.yaml", &format!("{CONFIG}releases: {releases}\n"));
        tree.commit();
        tree.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        let stderr = kep_lint_lines(tree.at(".").as_path(), [""; 0]).stderr;
        let named = stderr.split(" v1.").nth(1).and_then(|rest| rest.split(|mark: char| !mark.is_ascii_digit()).next());
        named.and_then(|minor| minor.parse::<u32>().ok()).unwrap_or_default()
    };
    assert_eq!(release("own"), 8);
    assert!(release("kubernetes") > 30);
    for path in ["veps/sig-disk/12-fast/vep.md", "veps/sig-disk/13-slow/vep.md"] {
        tree.write(path, "# VEP 12: Fast disks\n");
    }
    assert_eq!(release("own"), 0, "no document names a release");
}

#[test]
fn a_number_is_looked_up_by_the_path() {
    let tree = tree_of_files("kind: x\nname: Fast\nstatus: Trial\n", "---\ntitle: \"GEP-12: Fast\"\n---\n");
    let printed = kep_lint_lines(tree.at(".").as_path(), ["12"]);
    assert!(printed.stderr.contains("checked 1 GEP"), "{}", printed.stderr);
    let printed = kep_lint_lines(tree.at(".").as_path(), ["1"]);
    assert!(printed.stderr.contains("no GEP 1 in `geps`"), "{}", printed.stderr);
}

#[test]
fn a_key_without_a_value_is_there() {
    let found = findings_of_files("kind:\nname: []\nstatus: Idea\n", "---\ntitle: \"GEP-12: Fast\"\n---\n");
    for key in ["kind", "name"] {
        assert!(found.contains(&format!("`{key}` has no value")), "{key}: {found}");
    }
}

#[test]
fn a_heading_that_an_author_needs_elsewhere_is_not_misplaced() {
    let tree = tree();
    let template = TEMPLATE.replace(
        "## Graduation",
        "## Goals\n\n### Needs\n\n<!-- What it needs. -->\n\n## Proposal\n\n<!-- What. -->\n\n### Implementation Details/Notes\n\n\
         <!-- How. -->\n\n## Design Details\n\n<!-- How. -->\n\n## Graduation",
    );
    tree.write("veps/NNNN-vep-template/vep.md", &template);
    let said = |document: &str| {
        tree.write("veps/sig-disk/12-fast/vep.md", &format!("{PROPOSAL}\n{document}"));
        let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion", "veps/sig-disk/12-fast"]);
        let lines = printed.stdout.lines().filter(|line| line.contains("misplaced-section") || line.contains("seems"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let once = "## Goals\n\nText.\n\n## One\n\n### Needs\n\nText.\n";
    assert_eq!(said(once).len(), 1, "{:?}", said(once));
    assert!(said(&format!("{once}\n## Two\n\n### Needs\n\nText.\n")).is_empty());
    assert!(said("## Proposal\n\nText.\n\n### Implementation Details\n\nText.\n\n### More\n\nText.\n").is_empty());
    assert!(said("## Proposal\n\nText.\n\n### Detailed Design\n\nText.\n\n### More\n\nText.\n").is_empty());
}

fn text_of(tree: &Scratch, arguments: &[&str]) -> (String, i32) {
    let printed = kep_lint_lines(tree.at(".").as_path(), [&["--level", "suggestion"], arguments].concat());
    (format!("{}{}", printed.stdout, printed.stderr), printed.status)
}

#[test]
fn a_document_is_left_out_by_its_path() {
    let tree = Scratch::empty();
    let overrides = "overrides: [{paths: [ideas/1-*.md], rules: {dead-link: off}}]";
    let config = format!("exclude: [ideas/2-two.md]\n{overrides}\ndocuments: ideas/{{number}}-{{name}}.md\n");
    tree.write("kep-lint.yaml", &config);
    for name in ["1-one", "2-two"] {
        tree.write(&format!("ideas/{name}.md"), "# Idea\n\n[None](none.md).\n");
    }
    tree.commit();
    let (text, status) = text_of(&tree, &[]);
    assert!(status == 0 && text.contains("checked 1 proposal") && !text.contains("[dead-link]"), "{text}");
}

#[test]
fn a_proposal_is_named_by_the_word_for_it() {
    let tree = tree();
    for (argument, status) in [("VEP-12", 1), ("vep-012", 1), ("sig-disk/VEP-12", 1), ("KEP-12", 2), ("VEP-99", 2)] {
        assert_eq!(text_of(&tree, &[argument]).1, status, "{argument}");
    }
    let listed = kep_lint(tree.at(".").as_path(), ["list", "--format", "csv"]).stdout;
    assert!(listed.lines().nth(1).is_some_and(|line| line.contains(",v1.8,")), "{listed}");
}

#[test]
fn a_change_of_front_matter_is_no_chapter() {
    let tree = tree_of_files("kind: x\nname: Fast\nstatus: Idea\n", "---\ntitle: \"GEP-12: Fast\"\n---\n\n## Goals\n");
    let config = OF_FILES.replace("metadata: metadata.yaml", "metadata: front-matter");
    tree.write("kep-lint.yaml", &config);
    tree.write("geps/gep-12/index.md", "---\nstatus: Idea\ntitle: \"GEP-12: Fast\"\n---\n\n## Goals\n");
    tree.commit();
    tree.write("geps/gep-12/index.md", "---\nstatus: Trial\ntitle: \"GEP-12: Faster\"\n---\n\n## Goals\n\nSpeed.\n");
    let text = kep_lint(tree.at(".").as_path(), ["--since", "HEAD"]).stdout;
    assert!(text.contains("GEP-12: Idea → Trial; Goals +2 lines; 2 of 3"), "{text}");
}

#[test]
fn a_directory_of_keps_beside_the_proposals_is_not_checked() {
    let tree = tree();
    tree.write("keps/notes/README.md", "# Notes\n");
    tree.commit();
    let listed = kep_lint(tree.at(".").as_path(), ["list"]);
    assert_eq!((listed.status, listed.stdout.lines().count()), (0, 3), "{}", listed.stderr);
    for arguments in [&[] as &[&str], &["--since", "HEAD", "--config-from", "base"], &["."]] {
        let (text, status) = text_of(&tree, arguments);
        assert!(status < 2 && !text.contains("found 0"), "{arguments:?}: {text}");
    }
    let (text, status) = text_of(&tree, &["keps"]);
    assert!(status == 2 && text.contains("found 0 documents in `keps`"), "{text}");
}

#[test]
fn front_matter_is_required_where_the_configuration_says_so() {
    let tree = tree();
    tree.write("veps/NNNN-vep-template/vep.md", &format!("---\nstatus: provisional\n---\n\n{TEMPLATE}"));
    for (rules, level) in [
        ("{}", "warning"),
        ("{missing-kep-yaml: error}", "error"),
        ("{missing-kep-yaml: suggestion}", "suggestion"),
        ("{missing-kep-yaml: {closed: error}}", "warning"),
    ] {
        tree.write("kep-lint.yaml", &format!("{CONFIG}rules: {rules}\n"));
        let (text, _) = text_of(&tree, &[]);
        assert!(text.contains(&format!("{level}[missing-kep-yaml]")), "{rules}: {text}");
    }
}

/// The findings of a proposal with this front matter, by a configuration with these further lines.
fn findings_of_front(front: &str, config: &str) -> String {
    let tree = Scratch::empty();
    tree.write("kep-lint.yaml", &format!("documents: ideas/{{number}}-{{name}}.md\ntemplate: guide.md\n{config}\n"));
    let keys = "---\ntitle: x\nstatus: x\nstage: x\nmilestone: x\nsuperseded-by: []\napprovers: []\n---\n\n# Idea\n\n## Text\n";
    tree.write("guide.md", keys);
    tree.write("ideas/1-one.md", &format!("---\ntitle: One\n{front}\n---\n\n# One\n\n## Text\n\nWords.\n"));
    tree.commit();
    text_of(&tree, &[]).0
}

#[test]
fn help_fits_what_is_written() {
    const PHASES: &str = "release: v1.22\nphases: {active: [Draft, Trial], implemented: [Done]}";
    for (front, config, words) in [
        ("status: done\nstage: beta", PHASES, "or `status: Draft` until it is"),
        ("status: trial\nstage: stable\nmilestone: {stable: v1.10}", PHASES, "set `status: Done` if the feature is"),
        ("status: replaced\nsuperseded-by: \"\"", "", "has no `superseded-by`"),
        ("status: Superseded\nsuperseded-by:", "phases: {closed: [superseded]}", "has no `superseded-by`"),
        ("status: replaced\nsuperseded-by:\n  - []", "", "`superseded-by` has an empty item"),
        ("status: implementable\napprovers:\n  - \"@ann”", "", "write `- \"@ann\"`"),
        ("status: implementable\napprovers: []", "", "name the approvers\n"),
        ("Status: implementable", "", "write `status:` instead"),
        ("Status: implementable", "keys: {required: [title], optional: [stage]}", "write `status:` instead"),
        ("status: implemented\nstage: beta", "stages: {stable: GA}", "set `stage: GA`, or"),
    ] {
        let found = findings_of_front(front, config);
        assert!(found.contains(words), "{front}: {found}");
    }
    let found = findings_of_front("status: replaced\nsuperseded-by: 2-two.md", "");
    assert!(!found.contains("missing-successor"), "{found}");
}

#[test]
fn no_release_is_out_where_none_is_known() {
    let missed = |milestones: &str, config: &str| {
        let front = format!("status: implementable\nstage: alpha\nmilestone: {milestones}");
        findings_of_front(&front, config).contains("missed-milestone")
    };
    let milestones = "{alpha: v1.10, beta: v1.20}";
    assert!(!missed(milestones, ""));
    assert!(missed(milestones, "releases: kubernetes"));
    assert!(missed(milestones, "release: v1.22"));
    let early = findings_of_front("status: implemented\nstage: stable\nmilestone: {stable: v2.0}", "");
    assert!(!early.contains("early-implemented"), "{early}");
}

#[test]
fn proposals_that_move_with_their_pattern_count_from_the_next_change_on() {
    let tree = tree();
    tree.git(&["mv", "veps", "ideas"]);
    tree.write("kep-lint.yaml", &CONFIG.replace("veps/", "ideas/"));
    tree.git(&["add", "kep-lint.yaml"]);
    tree.git(&["commit", "-q", "-m", "move"]);
    let (text, status) = text_of(&tree, &["--since", "HEAD~1", "--new-only"]);
    assert!(status == 0 && !text.contains("error["), "{text}");
    let (text, status) = text_of(&tree, &["--since", "HEAD~1", "--config-from", "base"]);
    assert!(status == 0 && text.contains("the layout of this change counts from the next one on"), "{text}");
    // What is left where the base has it is checked.
    tree.write("veps/sig-disk/13-slow/vep.md", PROPOSAL);
    tree.write("ideas/sig-disk/12-fast/vep.md", &format!("{PROPOSAL}\nMore.\n"));
    tree.git(&["add", "."]);
    tree.git(&["commit", "-q", "-m", "one back"]);
    let (text, status) = text_of(&tree, &["--since", "HEAD~2", "--config-from", "base"]);
    assert!(status == 1 && text.contains("veps/sig-disk/13-slow/vep.md"), "{text}");
}

#[test]
fn a_template_that_comes_with_its_layout_replaces_none() {
    let tree = tree();
    tree.git(&["rm", "-q", "--cached", "kep-lint.yaml", "veps/NNNN-vep-template/vep.md"]);
    tree.git(&["commit", "-q", "-m", "none"]);
    tree.git(&["add", "."]);
    let (text, _) = text_of(&tree, &["--staged"]);
    assert!(text.contains("`veps/NNNN-vep-template/vep.md` (new)") && !text.contains("no longer"), "{text}");
}

#[test]
fn what_is_old_stays_old_where_documents_move() {
    let tree = Scratch::empty();
    tree.write("kep-lint.yaml", "documents: ideas/**/{name}.md\n");
    tree.write("ideas/a/one.md", "# One\n\nText with a [link](none.md).\n");
    tree.commit();
    std::fs::create_dir(tree.at("plans")).expect("it is new");
    for (from, to) in [("ideas/a", "plans/a"), ("plans/a", "plans/b")] {
        tree.git(&["mv", from, to]);
        tree.write("kep-lint.yaml", "documents: plans/**/{name}.md\n");
        tree.git(&["commit", "-q", "-a", "-m", "move"]);
        let (text, _) = text_of(&tree, &["--since", "HEAD~1", "--new-only"]);
        assert!(text.contains("; 1 old finding not shown") && !text.contains("dead-link"), "{text}");
    }
}

#[test]
fn nobody_is_chosen_while_a_proposal_is_provisional() {
    for (status, count) in [("provisional", 0), ("implementable", 2)] {
        let found = findings_of_front(&format!("status: {status}\nreviewers:\n  - TBD\napprovers:\n  - TBD"), "");
        assert_eq!(
            found.matches("has the placeholder `TBD`").count() + found.matches("has no approver").count(),
            count
        );
    }
}

#[test]
fn words_of_keps_are_known_unless_all_words_are_named() {
    for (config, words) in [
        ("phases: {active: [trial]}", "`replaced` or `trial`"),
        ("phases: {active: [Implementable, Trial]}", "write `Implementable` or `Trial`"),
    ] {
        let found = findings_of_front("status: someday", config);
        assert!(found.contains(words), "{found}");
    }
    let found = findings_of_front("status: provisional|implementable|trial", "phases: {active: [trial]}");
    assert!(found.contains("is still the template placeholder"), "{found}");
}

#[test]
fn blank_lines_before_front_matter_are_removed() {
    let tree = tree();
    let path = "veps/sig-disk/12-fast/vep.md";
    let text = format!("---\nstatus: implementable\n---\n\n{PROPOSAL}");
    tree.replace("kep-lint.yaml", "sections: required", "sections: {level: required, since: 20}");
    tree.write(path, &format!("\n\r\n{text}"));
    let said =
        || kep_lint(tree.at(".").as_path(), ["--select", "missing-kep-yaml,invalid-yaml,bad-title", path]).stdout;
    assert!(said().contains("there is a blank line before the front matter"), "{}", said());
    let listed = kep_lint(tree.at(".").as_path(), ["list"]).stdout;
    assert!(listed.contains("implementable"), "its keys are read: {listed}");
    kep_lint(tree.at(".").as_path(), ["--fix", "--select", "missing-kep-yaml", path]);
    assert_eq!(tree.read(path), text);
    assert!(!said().contains("blank line"), "{}", said());
    tree.write(path, &format!("\n---\nIt is: so.\n\n---\n\n{PROPOSAL}"));
    assert!(!said().contains("blank line"), "{}", said());
}
