//! What people read in a terminal fits its columns.

use crate::support::program::{command, kep_lint, printed as printed_of};
use crate::support::project;
use kep_lint::report::width::columns;
use kep_lint::rules::ALL;
use kep_lint::template::Template;

const DEFAULT: usize = 80;

fn printed(arguments: &[&str]) -> String {
    let printed = kep_lint(project(), arguments);
    assert_eq!(printed.status, 0, "{arguments:?}: {}", printed.stderr);
    assert!(printed.stdout.lines().count() > 5, "{arguments:?} prints next to nothing");
    printed.stdout
}

fn assert_fits(text: &str, width: usize, what: &str) {
    for line in text.lines() {
        assert!(columns(line) <= width, "{what} has {} columns: {line}", columns(line));
    }
}

#[test]
fn tables_and_pages_fit_80_columns() {
    for arguments in [
        &["rules"][..],
        &["rules", "metadata"],
        &["template", "show"],
        &["template", "show", "--stage", "beta"],
        &["explain", "missing-prr"],
        &["explain", "sections", "text", "metadata", "approval"],
        &["explain", "Version Skew Strategy"],
        &["explain", "scalability"],
    ] {
        assert_fits(&printed(arguments), DEFAULT, &arguments.join(" "));
    }
}

/// Only paths and addresses are longer than a line.
#[test]
fn reports_fit_the_screen() {
    for width in [80, 120] {
        for report in [&["--level=suggestion"][..], &["--format", "full"], &["--color", "never"], &["--statistics"]] {
            let mut program = command(&project().join("fixtures/sample"));
            program.args(["keps", "--max-findings", "0"]).args(report).env("COLUMNS", width.to_string());
            let shown = printed_of(&program.output().expect("it was built")).stdout;
            assert!(shown.lines().count() > 20, "{report:?}: {shown}");
            let is_path =
                |line: &&str| line.split_whitespace().any(|word| word.contains('/') && columns(word) > width / 2);
            let words: Vec<&str> = shown.lines().filter(|line| !is_path(line)).collect();
            assert_fits(&words.join("\n"), width, &report.join(" "));
        }
    }
}

/// All of a page but the forms of the template, which authors copy.
#[test]
fn the_page_of_every_section_fits() {
    let template = Template::built_in();
    let titles: Vec<&str> = template.iter().map(|(_, section)| section.title.text.as_str()).collect();
    let pages = printed(&[&["explain"], titles.as_slice()].concat());
    let outside = pages.split("\n```").step_by(2).flat_map(str::lines);
    let text: String = outside.filter(|line| !line.starts_with("# ")).map(|line| format!("{line}\n")).collect();
    assert_eq!(text.matches("\n- Required: ").count(), titles.len());
    assert_fits(&text, DEFAULT, "the page of a section");
}

/// The lines of an example that quote the template cannot be shorter.
#[test]
fn the_page_of_every_rule_fits() {
    const QUOTED: [&str; 2] = ["###### ", "existing tests to make this code solid enough"];
    for rule in ALL {
        let page = printed(&["explain", rule.name]);
        let is_own = |line: &&str| !QUOTED.iter().any(|quoted| line.starts_with(quoted));
        let text: Vec<&str> = page.lines().filter(is_own).collect();
        assert_fits(&text.join("\n"), DEFAULT, rule.name);
    }
}

#[test]
fn the_screen_decides() {
    let with_columns = |columns: &str, arguments: &[&str]| {
        let output = command(project()).args(arguments).env("COLUMNS", columns).output().expect("it was built");
        String::from_utf8(output.stdout).expect("the program prints UTF-8")
    };
    assert_fits(&with_columns("60", &["explain", "stale-toc"]), 60, "COLUMNS=60");
    let longest = |text: &str| text.lines().map(columns).max().unwrap_or_default();
    assert!(longest(&with_columns("300", &["rules"])) > 120);
    assert!((90..=100).contains(&longest(&with_columns("300", &["explain", "missing-prr"]))));
    for invalid in ["", "0", "-1", "many"] {
        assert_eq!(with_columns(invalid, &["rules"]), printed(&["rules"]), "COLUMNS={invalid}");
    }
}

#[test]
fn color_only_paints_a_page() {
    let colored = printed(&["explain", "missing-prr", "--color", "always"]);
    assert!(colored.contains("\u{1b}[1m# missing-prr\u{1b}[0m\n"), "{colored}");
    let plain = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m"].iter().fold(colored, |text, code| text.replace(code, ""));
    assert_eq!(plain, printed(&["explain", "missing-prr"]));
}

/// `--template` explains sections that the built-in template does not have.
#[test]
fn a_template_of_ones_own_is_explained() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = "# T\n\n## Cost\n<!--DIRECTIVE: required: true, stage: beta, role: signoff, aka: \"Price\"-->\n\n<!--\nWho pays?\n-->\n";
    std::fs::write(directory.path().join("own.md"), text).expect("a file");
    let explained = |name: &str| kep_lint(directory.path(), ["explain", name, "--template", "own.md"]);
    for name in ["Cost", "`COST`", "costs", "price"] {
        let printed = explained(name);
        let start = "# Cost\n\n- Required: from beta\n- Template: own.md\n- Also accepted as heading: `Price`\n\n## What the template asks\n\nWho pays?\n";
        assert!(printed.stdout.starts_with(start), "{name}: {}{}", printed.stdout, printed.stderr);
        assert!(printed.stdout.contains("\n    unchecked-signoff "), "{}", printed.stdout);
    }
    let printed = explained("Scalability");
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.starts_with("error: unknown rule, category or section `Scalability`"), "{}", printed.stderr);
}

/// In a repository with its own template, its authors see its guidance; a section that it lacks is still explained.
#[test]
fn the_guidance_of_the_repository_is_shown() {
    let directory = tempfile::tempdir().expect("a directory");
    let template = directory.path().join("keps/NNNN-kep-template");
    std::fs::create_dir_all(&template).expect("a directory");
    std::fs::create_dir_all(directory.path().join("keps/sig-node/1-x")).expect("a directory");
    let text = "# KEP-NNNN: Title\n\n## Summary\n\n<!--\nTell it to a user.\n-->\n";
    std::fs::write(template.join("README.md"), text).expect("a file");
    let explained = |place: &str, name: &str| kep_lint(&directory.path().join(place), ["explain", name]).stdout;
    for place in ["", "keps/sig-node/1-x"] {
        let page = explained(place, "summary");
        let path = std::path::Path::new(place).iter().map(|_| "../").collect::<String>();
        let template = format!("\n- Template: {path}keps/NNNN-kep-template/README.md\n");
        assert!(page.contains("\n- Required: in every KEP\n") && page.contains(&template), "{page}");
        assert!(page.contains("\n## What the template asks\n\nTell it to a user.\n"), "{page}");
        assert!(explained(place, "Scalability").contains("- In: Production Readiness Review Questionnaire\n"));
    }
}
