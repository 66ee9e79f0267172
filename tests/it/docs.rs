//! The documentation is true: each rule reports its Bad example and not its Good one.

use crate::support::case::unescape;
use crate::support::library::{self, Tree};
use kep_lint::diagnostic::Diagnostic;
use kep_lint::rules::ALL;
use kep_lint::rules::example::{Example, part};
use kep_lint::rules::rule::Rule;
use kep_lint::stage::Release;
use kep_lint::template::Template;
use kep_lint::template::role::SectionRole;
use std::sync::{Arc, LazyLock};

const DIRECTORY: &str = "keps/sig-node/1-prefetch";

static TEMPLATE: LazyLock<Arc<Template>> = LazyLock::new(Template::built_in);

#[test]
fn bad_examples_are_reported() {
    let failed = ALL.iter().filter(|rule| findings(rule, "Bad", &TEMPLATE).is_empty());
    let names: Vec<&str> = failed.map(|rule| rule.name).collect();
    assert!(names.is_empty(), "nothing is found in the Bad example of {names:?}");
}

#[test]
fn good_examples_are_not_reported() {
    let failed: Vec<Diagnostic> = ALL.iter().flat_map(|rule| findings(rule, "Good", &TEMPLATE)).collect();
    assert!(failed.is_empty(), "something is found in a Good example: {failed:#?}");
}

#[test]
fn every_example_block_is_read() {
    for rule in ALL {
        for heading in ["Bad", "Good"] {
            let Example { readme, metadata, others, .. } = example(rule, heading);
            assert!(
                readme.is_some() || metadata.is_some() || !others.is_empty(),
                "{}: `## {heading}` has no block",
                rule.name
            );
        }
    }
}

/// Without the role, a rule that looks for it has no section to look at. `tidy` compares the code with the list as well.
#[test]
fn a_rule_that_depends_on_a_role_says_so() {
    let reported: Vec<usize> = ALL.iter().map(|rule| findings(rule, "Bad", &TEMPLATE).len()).collect();
    let mut seen = 0;
    for role in SectionRole::names().filter_map(SectionRole::from_name) {
        let mut template = Template::clone(&TEMPLATE);
        for section in template.sections.iter_mut().filter(|section| section.role == Some(role)) {
            section.role = None;
        }
        for (rule, reported) in ALL.iter().zip(&reported) {
            if findings(rule, "Bad", &template).len() != *reported {
                assert!(rule.roles.contains(&role), "{} looks at {}", rule.name, role.name());
                seen += 1;
            }
        }
    }
    assert!(seen >= 10, "only {seen} roles made a difference");
}

/// What `rule` finds in its example. Examples are short and lack most required sections, so a finding about a
/// section counts only if the last title of its path is written in one of the two examples.
fn findings(rule: &Rule, heading: &str, template: &Template) -> Vec<Diagnostic> {
    let Example { readme, has_escapes, metadata, base, others, stage } = example(rule, heading);
    let bytes =
        |text: String| if has_escapes { unescape(&text).expect("it is escaped well") } else { text.into_bytes() };
    let (readme, metadata) = (readme.map(bytes), metadata.map(String::into_bytes));
    let own = [("README.md", readme), ("kep.yaml", metadata)];
    let mut files: Vec<(String, Vec<u8>)> =
        own.into_iter().filter_map(|(name, bytes)| Some((format!("{DIRECTORY}/{name}"), bytes?))).collect();
    let base = base.map(|text| ("base.yaml".to_owned(), text));
    files.extend(others.into_iter().chain(base).map(|(path, text)| {
        let path = if path.starts_with("keps/") { path } else { format!("{DIRECTORY}/{path}") };
        (path, text.into_bytes())
    }));
    let tree = Tree::of(files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())));
    let mut options = library::options_for(rule.name);
    options.stage = stage;
    options.release = Some(Release::CURRENT);
    let reports = tree.lint(template, &options).into_iter().filter(|report| report.kep.is_some() || !rule.is_of_kep());
    let found = reports.flat_map(|report| report.diagnostics).filter(|found| found.rule == rule.name);
    let written = ["Bad", "Good"].map(|heading| part(rule.docs, heading)).concat();
    let is_about = |finding: &Diagnostic| {
        let title = finding.section.as_ref().and_then(|path| path.last());
        // A gap without a section is about several, which no example lacks on purpose.
        title.map_or(!rule.is_gap, |title| written.contains(title.as_str()))
    };
    found.filter(is_about).collect()
}

fn example(rule: &Rule, heading: &str) -> Example {
    Example::of(rule, heading).unwrap_or_else(|| panic!("{}: `## {heading}` cannot be read", rule.name))
}
