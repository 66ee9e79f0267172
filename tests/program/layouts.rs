//! Proposals that are not called KEPs, by one configuration.

use crate::support::program::{kep_lint, kep_lint_lines};
use crate::support::scratch::Scratch;

/// A configuration of the family with its metadata in lines of the text.
pub const CONFIG: &str = "name: VEP
documents: veps/{group}/{number}-{name}/vep.md
metadata: front-matter
template: veps/NNNN-vep-template/vep.md
sections: required
title: \"VEP #{number}: {title}\"
targets: \"This VEP targets {stage} for version: {release}\"
stages: {stable: GA}
";
pub const TEMPLATE: &str = "# VEP #NNNN: Your short, descriptive title

- This VEP targets alpha for version:

## Overview

<!-- What it is. -->

## Graduation

### Beta

<!-- What beta needs. -->
";
pub const PROPOSAL: &str = "# VEP 12: Fast disks

- This VEP targets alpha for version: v1.8
- This VEP targets beta for version: TBD

## Graduation

A disk is fast. See [the other one](../13-slow/vep.md) and [none](../14-none/vep.md).
";

pub fn tree() -> Scratch {
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
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("front matter"), "the template has none: {text}");
    assert!(!text.contains("`Beta` is missing"), "it is at alpha: {text}");
    assert!(!text.contains("less strict"), "the template is no other than that of the VEPs: {text}");
    assert!(!text.contains("../13-slow/vep.md` does not"), "{text}");
    let formats = [
        "pretty",
        "full",
        "concise",
        "markdown",
        "github",
        "github-review",
        "gitlab",
        "junit",
        "html",
        "json",
        "sarif",
    ];
    for format in formats {
        let printed = kep_lint(tree.at(".").as_path(), ["--level", "suggestion", "--format", format]);
        let text = format!("{}{}", printed.stdout, printed.stderr);
        assert!(format != "pretty" || text.contains("VEP 12 Fast disks"), "{text}");
        assert_eq!(of_kubernetes(&text), None, "{format}: {text}");
    }
    tree.write("CONTRIBUTING.md", "# How\n");
    // So many that they are shown by group.
    for number in 20..50 {
        tree.write(&format!("veps/sig-disk/{number}-x/vep.md"), PROPOSAL);
    }
    for (arguments, status) in [
        ("", 1),
        ("--statistics", 1),
        ("--since HEAD", 1),
        ("--staged", 0),
        ("--author ann", 2),
        ("--sig x", 2),
        ("--status x", 2),
        ("9999", 2),
        ("CONTRIBUTING.md", 2),
        ("explain Risks", 2),
        ("12", 1),
        ("config init --print", 0),
        ("config show", 0),
        ("explain Overview", 0),
        ("list", 0),
        ("list --format markdown", 0),
        ("template check", 0),
        ("template show", 0),
        ("template show --wide", 0),
        // These know no layout, and say so.
        ("answer 12", 2),
        ("explain Overview --answers 1", 2),
        ("facts", 2),
        ("gates", 2),
        ("gates 12", 2),
        ("new 12 x", 2),
        ("promote 12 beta", 2),
        ("ready", 2),
        ("ready 12", 2),
        ("upgrade 12", 2),
    ] {
        let printed = kep_lint(tree.at(".").as_path(), arguments.split_whitespace());
        let text = format!("{}{}", printed.stdout, printed.stderr);
        assert_eq!((of_kubernetes(&text), printed.status), (None, status), "{arguments}: {text}");
    }
}

pub fn of_kubernetes(text: &str) -> Option<&'static str> {
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
fn a_change_of_front_matter_goes_step_by_step() {
    let tree = tree();
    tree.write("kep-lint.yaml", &format!("{CONFIG}steps: {{status: [[provisional, implementable]]}}\n"));
    let front = |status: &str| format!("---\ntitle: Fast disks\nstatus: {status}\n---\n\n{PROPOSAL}");
    tree.write("veps/sig-disk/12-fast/vep.md", &front("provisional"));
    tree.commit();
    for (status, is_step) in [("implemented", false), ("implementable", true), ("provisional", true)] {
        tree.write("veps/sig-disk/12-fast/vep.md", &(front(status) + "\nMore.\n"));
        let printed = kep_lint_lines(tree.at(".").as_path(), ["--since", "HEAD"]);
        let found = printed.stdout.contains("error[invalid-step] the status moves from `provisional` to `implemented`");
        assert_eq!(found, !is_step, "{status}: {}", printed.stdout);
        assert_eq!(printed.stdout.contains("invalid-step"), !is_step, "{}", printed.stdout);
    }
}

#[test]
fn a_title_is_asked_for_where_the_template_or_the_configuration_has_one() {
    let tree = tree();
    let untitled = |path: &str, text: &str| tree.write(path, text.split_once("\n\n").map_or("", |(_, rest)| rest));
    untitled("veps/sig-disk/12-fast/vep.md", PROPOSAL);
    let says = || {
        let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion", "veps/sig-disk/12-fast"]);
        printed.stdout.contains("bad-title")
    };
    assert!(says(), "the template has a title");
    untitled("veps/NNNN-vep-template/vep.md", TEMPLATE);
    assert!(says(), "the configuration has a form for titles");
    tree.write("kep-lint.yaml", &CONFIG.replace("title: ", "# title: "));
    assert!(!says());
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
        ("documents: \"ideas/\\e[31m{name}.md\"\n", "it has a control character"),
        ("documents: x/{name}.md\nkeys: {required: [\"a\\nb\"]}\n", "it has a control character"),
        ("documents: x/{name}.md\ntitle: \"X\\e[31m{number}: {title}\"\n", "2:8: it has a control character"),
        ("documents: \"\"\n", "1:12: this names no documents"),
        ("name: VEP\n", "`name` needs `documents`"),
        ("documents: []\n", "this names no documents"),
        (
            "documents: ideas/{number}-{name}.md\ntemplate: none.md\n",
            "or leave `template` out, here or in the configuration",
        ),
        ("documents: x/{name}.md\nname: \"a/b\"\n", "this is not a word"),
        ("documents: x/{name}.md\nmetadata: ../x.yaml\n", "this is no file beside the document"),
        ("documents: x/{name}.md\ntitle: VEP\n", "it has no `{number}`"),
        ("documents: x/{name}.md\ntitle: {form: \"VEP {number}: {title}\"}\n", "this needs `in` and `form`"),
        ("documents: x/{name}.md\ntitle: {in: heading, form: VEP}\n", "unknown value `heading`"),
        ("documents: x/{name}.md\nkeys: {names: {titel: name}}\n", "did you mean `title`?"),
        ("documents: x/{name}.md\nkeys: {names: {title: name, editor: name}}\n", "two keys would have this name"),
        ("sections: {optional: [Story]}\n", "`sections` needs `documents`"),
        ("documents: x/{name}.md\nsections: {directive: soon}\n", "it has no `{phase}`"),
        ("documents: x/{name}.md\nsections: {levle: required}\n", "did you mean `level`?"),
        ("documents: x/{name}.md\ntargets: soon\n", "it must end in `{release}`"),
        ("steps: {}\n", "`steps` needs `documents`"),
        ("documents: x/{name}.md\nsteps: {phase: []}\n", "unknown key `phase`"),
        ("documents: x/{name}.md\nsections: {since: soon}\n", "this is no day and no number"),
        ("documents: x/{name}.md\nsteps: {status: [provisional, implementable]}\n", "this is no step"),
        ("documents: x/{name}.md\nsteps: {status: [[provisional, aproved]]}\n", "unknown word `aproved`"),
        ("documents: x/{name}.md\nsteps: {stage: [[alpha, gamma]]}\n", "unknown word `gamma`"),
        (
            "steps: {status: [[draft, draft]]}\nphases: {active: [drift]}\ndocuments: x/{name}.md\n",
            "unknown word `draft`",
        ),
        ("documents: x/{name}.md\nphases: {active: [done], closed: [Done]}\n", "`Done` has another meaning already"),
        ("documents: x/{name}.md\nphases: {active: [implemented]}\n", "`implemented` has another meaning already"),
        ("documents: x/{name}.md\nstages: {stable: done, beta: done}\n", "`done` has another meaning already"),
        ("documents: x/{name}.md\nstages: {stable: done, stable: GA}\n", "duplicate key `stable`"),
        ("documents: x/{name}.md\nkeys: {required: [a, b], optional: [b]}\n", "the key `b` is required and optional"),
        ("documents: x/{name}.md\nreleases: mine\n", "write one of: own, kubernetes"),
        ("releases: own\n", "`releases` needs `documents`"),
        ("documents: x/{name}.md\nmetadata: x.yaml\n", "several documents may be beside this file"),
        ("documents: x/{name}.md\noverrides: [{status: doen, rules: {}}]\n", "unknown value `doen`"),
        (
            "documents: x/{name}.md\nmetadata: none\noverrides: [{author: ann, rules: {}}]\n",
            "`author` matches nothing: `metadata` is `none`",
        ),
        ("documents: x/{name}.md\ntemplate: ../x.md\n", "`template` leads out of its directory"),
        ("documents: [\"x/{name}.md\"]\n", "this must be keys with values"),
        ("documents: [{documents: \"x/{name}.md\"}]\n", "a kind of documents needs a template"),
        ("documents: [{documents: \"x/{name}.md\", template: a.md, name: x}]\n", "unknown key `name`"),
        (
            "documents: [{documents: \"x/{name}.md\", template: a.md}, {documents: \"y/{name}.md\", template: b.md}]\n",
            "it must begin with the same directory as the first, `x/`",
        ),
        (
            "documents: [{documents: \"x/{name}.md\", template: a.md}, {documents: \"x/{name}.txt\", template: ../b.md}]\n",
            "it must end in `.md`",
        ),
        ("documents: x/{name}/y.md\nexclude: [x/a/y.md]\n", "but proposals are named by their directories"),
        ("documents: x/{name}/y.md\nexclude: [/x]\n", "write a path such as `x/old/**`"),
        ("documents: veps/{date}-{name}.md\n", "there are 3 `ideas/{number}-{name}.md`"),
        ("documents: ideas/{date}-{name}.md\n", "there are 3 `ideas/{number}-{name}.md`"),
        ("name: VEP\ndocuments: veps/{date}-{name}.md\n", "kep-lint.yaml:2:12: found 0 documents"),
        ("documents: ideas/{number}-{name}.md\ntemplate: none.md\n", "kep-lint.yaml:2:11: cannot read `none.md`"),
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

/// Each line of a document is compared with each form.
#[test]
fn so_many_forms_of_targets_are_read() {
    for (count, status) in [(20, 0), (21, 2)] {
        let forms: String = (0..count).map(|form| format!("  - \"Form {form} of {{stage}}: {{release}}\"\n")).collect();
        let tree = Scratch::empty();
        tree.write("kep-lint.yaml", &format!("documents: ideas/{{number}}-{{name}}.md\ntargets:\n{forms}"));
        tree.write("ideas/1-idea.md", "# Idea\n");
        tree.commit();
        let printed = kep_lint_lines(tree.at(".").as_path(), ["--fail-on", "never"]);
        assert_eq!(printed.status, status, "{count}: {}", printed.stderr);
        assert_eq!(printed.stderr.contains("there are more than 20 forms"), status == 2, "{}", printed.stderr);
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
    assert!(printed.status == 0 && printed.stderr.contains("counts from the next one on"), "{}", printed.stderr);
    let arguments = ["--since", "HEAD~1", "--config-from", "base", "--format", "markdown"];
    let markdown = kep_lint(tree.at(".").as_path(), arguments).stdout;
    assert!(markdown.contains("had no ") && !markdown.contains("KEP"), "{markdown}");
}

#[test]
fn a_configuration_is_written_by_what_is_seen() {
    let tree = tree();
    for number in ["14", "15", "16"] {
        tree.write(
            &format!("veps/sig-disk/{number}-more/vep.md"),
            &PROPOSAL.replace("VEP 12", &format!("VEP {number}")),
        );
    }
    std::fs::remove_file(tree.at("kep-lint.yaml")).expect("it is there");
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let written = tree.read(".kep-lint.yaml");
    for line in [
        "documents: \"veps/{group}/{number}-{name}/vep.md\"",
        "metadata: none",
        "template: \"veps/NNNN-vep-template/vep.md\"",
        "name: VEP",
        "title: \"VEP {number}: {title}\"",
        "targets: \"This VEP targets {stage} for version: {release}\"",
        "stages: {stable: GA}",
    ] {
        assert!(written.lines().any(|own| own == line), "{line}: {written}");
    }
}

#[test]
fn front_matter_and_a_status_are_asked_for_where_the_template_has_them() {
    let tree = tree();
    tree.write("veps/NNNN-vep-template/vep.md", &format!("---\ntitle: x\nstatus: provisional\n---\n\n{TEMPLATE}"));
    tree.write("veps/sig-disk/13-slow/vep.md", &format!("---\ntitle: Slow\n---\n\n{PROPOSAL}"));
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--level", "suggestion"]);
    assert!(printed.stdout.contains("warning[missing-kep-yaml] the VEP has no front matter"), "{}", printed.stdout);
    assert!(printed.stdout.contains("warning[missing-key] `status` is missing"), "{}", printed.stdout);
    assert!(!printed.stdout.contains("stage-milestone"), "lines of the text name releases: {}", printed.stdout);
}

#[test]
fn a_list_has_the_words_of_the_repository() {
    let tree = tree();
    for format in ["text", "markdown"] {
        let printed = kep_lint(tree.at(".").as_path(), ["list", "--format", format]);
        let head = printed.stdout.lines().next().unwrap_or_default();
        assert!(head.contains("VEP") && head.contains("group") && !head.contains("KEP"), "{}", printed.stdout);
        assert!(!head.contains("SIG"), "{}", printed.stdout);
    }
    let printed = kep_lint(tree.at(".").as_path(), ["12", "--format", "concise"]);
    assert!(printed.stdout.starts_with("veps/sig-disk/12-fast/vep.md:"), "{}", printed.stdout);
}

#[test]
fn a_change_that_takes_the_layout_away_is_told_so() {
    let tree = tree();
    tree.git(&["rm", "-q", "kep-lint.yaml"]);
    tree.git(&["commit", "-q", "-m", "without"]);
    let printed = kep_lint_lines(tree.at(".").as_path(), ["--since", "HEAD~1"]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert!(printed.stderr.contains("and this change removes the configuration `kep-lint.yaml`"));
    assert!(!printed.stderr.contains("KEP"), "{}", printed.stderr);
}

#[test]
fn a_configuration_that_is_only_shown_knows_words_of_statuses() {
    let tree = Scratch::empty();
    for number in 1..4 {
        let text = "---\nstatus: Experimental\n---\n\n# Idea\n\n## Text\n\n```sh\n## Risk: all\n```\n";
        tree.write(&format!("ideas/{number}-idea.md"), text);
    }
    tree.write("ideas/4-idea.md", "---\nstatus: Accepted\n---\n\n# Idea\n");
    tree.write(
        "guide/template.md",
        "---\ntitle: x\nstatus: sketched|draft|implemented\n---\n\n# Idea\n\n## Text\n\n## Risk: all\n\n* Status: Prototyping|draft\n* Status: TBD\n",
    );
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]);
    for line in [
        "documents: \"ideas/{number}-{name}.md\"",
        "metadata: front-matter",
        "phases: {provisional: [draft], active: [sketched, Prototyping, Experimental], implemented: [implemented]}",
        "# Move the status `sketched` to another phase if it is not active.",
        "# `level: required, since: DAY`, or the NUMBER of the first proposal from then",
        "sections: {optional: [\"Risk: all\"]}",
        "# The keys that most have: `keys: {required: [status]}`",
    ] {
        assert!(printed.stdout.lines().any(|own| own == line), "{line}: {}", printed.stdout);
    }
    assert!(!tree.at(".kep-lint.yaml").exists(), "it is only shown");
}

#[test]
fn a_template_may_be_named_as_a_document() {
    for (template, document) in [
        ("guide/README.md", "ideas/{number}-{name}/README.md"),
        ("enhancements/template.md", "enhancements/**/{name}.md"),
        ("enhancements/_template.md", "enhancements/**/{name}.md"),
    ] {
        let tree = Scratch::empty();
        for number in ["1", "2", "3"] {
            let path = document.replace("{number}", number).replace("{name}", number).replace("/**", "");
            tree.write(&path, "# Idea\n");
        }
        tree.write(template, "# Idea\n\n## Text\n");
        tree.write("guide/metadata.yaml", "status: draft\n");
        tree.commit();
        let printed = kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]).stdout;
        let keys = format!("documents: \"{document}\"\ntemplate: \"{template}\"\n");
        assert!(printed.contains(&keys) && printed.contains("3 documents"), "{template}: {printed}");
    }
    let nothing = kep_lint(Scratch::empty().at(".").as_path(), ["config", "init", "--print"]);
    assert!(nothing.stderr.contains("found no proposals"), "{}", nothing.stderr);
}

#[test]
fn the_directory_of_a_configuration_is_checked_outside_of_a_repository() {
    let tree = Scratch::empty();
    tree.write("kep-lint.yaml", CONFIG);
    tree.write("veps/NNNN-vep-template/vep.md", TEMPLATE);
    tree.write("veps/sig-disk/12-fast/vep.md", PROPOSAL);
    let printed = kep_lint_lines(tree.at(".").as_path(), ["."]);
    assert!(printed.stderr.contains("checked 1 VEP"), "{}", printed.stderr);
}

#[test]
fn documented_configurations_find_proposals() {
    let mut count = 0;
    for page in ["docs/other-repositories.md", "contrib/upstream/kubevirt.md"] {
        let text = std::fs::read_to_string(page).expect(page);
        let blocks = text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
        for config in blocks.filter(|block| block.contains("\ndocuments: ")) {
            let value = |key: &str| config.lines().find_map(|line| line.strip_prefix(key));
            let documents = value("documents: ").expect(config);
            let filled = documents.replace("{group}", "sig-disk").replace("{number}", "12").replace("{name}", "fast");
            let tree = Scratch::empty();
            tree.write(".kep-lint.yaml", config);
            tree.write(&filled.replace("**", "area"), PROPOSAL);
            if let Some(template) = value("template: ") {
                let asked = "[required_in]: # (Provisional status and above)\n";
                tree.write(template, &format!("{TEMPLATE}\n{asked}"));
            }
            tree.commit();
            let printed = kep_lint_lines(tree.at(".").as_path(), [""; 0]);
            let found = format!("checked 1 {}", value("name: ").expect(config));
            assert!(printed.status < 2 && printed.stderr.contains(&found), "{config}: {}", printed.stderr);
            count += 1;
        }
    }
    assert_eq!(count, 4, "each configuration of the two pages is tried");
}

#[test]
fn several_kinds_of_documents_are_seen() {
    let tree = Scratch::empty();
    for number in 1..5 {
        for name in ["design", "plan", "notes"] {
            if name != "notes" || number == 1 {
                tree.write(&format!("enhancements/I-{number}-idea/{name}.md"), "# Idea\n");
            }
        }
    }
    for name in ["design", "plan"] {
        tree.write(&format!("guide/{name}-template.md"), "# Idea\n");
    }
    tree.commit();
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]);
    let kinds = "documents:
  - {documents: \"enhancements/I-{number}-{name}/design.md\", template: \"guide/design-template.md\"}
  - {documents: \"enhancements/I-{number}-{name}/plan.md\", template: \"guide/plan-template.md\"}
metadata: none
";
    assert!(printed.stdout.contains(kinds) && printed.stdout.contains("8 documents"), "{}", printed.stdout);
    std::fs::remove_file(tree.at("guide/plan-template.md")).expect("it is there");
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]);
    let one = "documents: \"enhancements/I-{number}-{name}/design.md\"
template: \"guide/design-template.md\"
";
    assert!(printed.stdout.contains(one), "{}", printed.stdout);
    // The name of a file writes no keys.
    for number in 1..5 {
        tree.write(&format!("enhancements/I-{number}-idea/m.yaml\nexclude: ['**']\n#.yaml"), "status: draft\n");
    }
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]);
    assert!(printed.stdout.contains(one) && !printed.stdout.contains("exclude"), "{}", printed.stdout);
}
