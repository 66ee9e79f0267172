//! What `config init` sees in other projects, besides where their proposals are.

use crate::support::program::{kep_lint, kep_lint_lines};
use crate::support::scratch::Scratch;

#[test]
fn proposals_are_compared_with_headings_from_the_day_of_their_last_change_on() {
    let tree = Scratch::empty();
    for number in 1..7 {
        let text = format!("---\ncreation-date: 2024-0{number}-01\n---\n\n# Idea\n\n## Text\n");
        tree.write(&format!("ideas/{number}-idea.md"), &text);
    }
    tree.write("ideas/template.md", "# Idea\n\n## Text\n");
    tree.commit_at("2024-01-15T12:00:00Z");
    tree.write("ideas/template.md", "# Idea\n\n## Text\n\n## Risk\n");
    tree.commit_at("2024-03-15T12:00:00Z");
    tree.write("ideas/template.md", "# Idea\n\nOne line.\n\n## Text\n\n## Risk\n");
    tree.commit_at("2024-05-15T12:00:00Z");
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]).stdout;
    assert!(printed.contains("\nsections: {since: 2024-03-15, optional: [\"Risk\"]}\n"), "{printed}");
}

#[test]
fn proposals_without_a_day_are_compared_with_headings_from_a_number_on() {
    let tree = Scratch::empty();
    let text =
        |number: u8| format!("# Idea\n\n## Text\n\nThe words of idea {number}: {}\n", "so ".repeat(number.into()));
    for number in [3, 7] {
        tree.write(&format!("ideas/old-{number}.md"), &text(number));
    }
    tree.write("ideas/12-idea.md", &text(12));
    tree.write("ideas/template.md", "# Idea\n\n## Text\n");
    tree.commit();
    // What the same commit adds is new.
    tree.write("ideas/template.md", "# Idea\n\n## Text\n\n## Risk\n");
    tree.write("ideas/14-idea.md", "# Idea 14\n\n## Risk\n\nNone of 14.\n");
    tree.commit();
    // What has only another name is not new.
    for number in [3, 7] {
        tree.git(&["mv", &format!("ideas/old-{number}.md"), &format!("ideas/{number}-idea.md")]);
    }
    for (number, name) in [(9, "idea"), (15, "idé"), (21, "idea")] {
        tree.write(&format!("ideas/{number}-{name}.md"), &format!("# Idea {number}\n\n## Risk\n\nNone of {number}.\n"));
    }
    tree.commit();
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]).stdout;
    assert!(printed.contains("\nsections: {since: 13,"), "{printed}");
    // Headings that nobody committed are of no day.
    tree.write("ideas/template.md", "# Idea\n\n## Text\n\n## Risk\n\n## Cost\n");
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]).stdout;
    assert!(!printed.contains("since: 1"), "{printed}");
}

#[test]
fn lines_of_the_template_that_name_statuses_are_its_directive() {
    let tree = Scratch::empty();
    for number in 1..4 {
        tree.write(&format!("ideas/idea-{number}/index.md"), "# Idea\n");
        tree.write(&format!("ideas/idea-{number}/metadata.yaml"), "status: Trial\n");
    }
    tree.write("ideas/template.md", "# Idea\n");
    tree.commit();
    let asked = |title: &str, status: &str| format!("## {title}\n\n(from {status} on)\n\nSay it.\n\n");
    let parts: Vec<String> = [("Why", "Draft"), ("How", "Trial"), ("Tests", "Implementable")]
        .map(|(title, status)| asked(title, status))
        .into();
    let list = "* Status: Draft|Implementable|Trial|Standard|Withdrawn\n\n";
    tree.write("ideas/template.md", &format!("# Idea\n\n{list}{}", parts.concat()));
    tree.commit();
    let printed = kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]).stdout;
    for line in [
        "sections: {since: 4, directive: \"(from {phase} on)\"}",
        "phases: {provisional: [Draft], active: [Implementable, Trial], implemented: [Standard], closed: [Withdrawn]}",
        "# Move the status `Trial` to another phase if it is not active.",
    ] {
        assert!(printed.lines().any(|own| own == line), "{line}: {printed}");
    }
    tree.write("kep-lint.yaml", &printed);
    let checked = kep_lint_lines(tree.at(".").as_path(), [""; 0]);
    assert_eq!(checked.status, 0, "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn what_documents_say_otherwise_is_not_rare() {
    let tree = Scratch::empty();
    for number in 1..4 {
        tree.write(&format!("ideas/I-{number}-a.md"), "# Idea\n\n## Non-Goals\n\nMore.\n\n## Text\n\nThis.\n");
        tree.write(&format!("plans/I-{number}-a.md"), "# Idea\n");
    }
    tree.write("ideas/I-4-a.md", "# Idea\n\n## Risk\n\nNone.\n");
    let hidden = "[from]: # (\u{202e}Draft)";
    let parts = ["Non-Goals/Future Work", "Text", "Risk", "Story 1", "Notes (optional)"];
    let parts: Vec<String> = parts.map(|title| format!("## {title}\n\nSay it.\n\n")).into();
    tree.write("ideas/template.md", &format!("# Idea\n\n{}", parts.concat()));
    let printed = || kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]).stdout;
    assert!(printed().contains("\nsections: {optional: [\"Risk\"]}\n"), "{}", printed());
    assert!(printed().contains("\n# Not read: 3 files at \"plans/I-{number}-{name}.md\". All"), "{}", printed());
    let parts: Vec<String> = ["A", "B", "C"].map(|title| format!("## {title}\n\n{hidden}\n\n")).into();
    tree.write("ideas/template.md", &format!("# Idea\n\n* Status: Draft|Done\n\n{}", parts.concat()));
    assert!(printed().contains(r#"directive: "[from]: # (\U0000202e{phase})""#), "{}", printed());
}

#[test]
fn a_status_that_few_have_is_not_one_of_the_project() {
    let tree = Scratch::empty();
    let statuses = |all: usize| {
        for number in 0..all {
            let status = if number < 2 { "proposed" } else { "implementable" };
            tree.write(&format!("ideas/{number}-idea.md"), &format!("---\nstatus: {status}\n---\n\n# Idea\n"));
        }
        kep_lint(tree.at(".").as_path(), ["config", "init", "--print"]).stdout
    };
    assert!(statuses(200).contains("phases: {provisional: [proposed]"));
    assert!(!statuses(201).contains("proposed"));
}
