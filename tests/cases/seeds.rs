//! The five documents that the project was made from: what must be found in each, and what must not.

use crate::support::fixing::all_are_fixed;
use crate::support::keps;
use crate::support::program::{items, kep_lint, kep_lint_json, section, text};
use crate::with_data;
use kep_lint::requirement::{self, Target};
use kep_lint::stage::{Phase, Release, Stage};
use kep_lint::template::{Template, TemplateId};
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A test's name, and what it does with the folder of the seeds.
type SeedTest = (&'static str, fn(&Path));

const SEED_TESTS: [SeedTest; 7] = [
    ("commented out sections of 3027", commented_out_sections_of_3027),
    ("unfilled sections of 3920", unfilled_sections_of_3920),
    ("unfilled sections of 4080", unfilled_sections_of_4080),
    ("the golden template has two malformed directives", the_golden_template_has_two_malformed_directives),
    ("the golden template can be linted with", the_golden_template_can_be_linted_with),
    (
        "every required section of the captured template is a gap",
        every_required_section_of_the_captured_template_is_a_gap,
    ),
    ("every seed is fixed", every_seed_is_fixed),
];

pub fn trials() -> Vec<Trial> {
    SEED_TESTS.iter().map(|(name, test)| with_data(&format!("seeds/{name}"), "seeds", *test)).collect()
}

/// The rules that say that a section is not filled.
const GAPS: [&str; 5] =
    ["missing-section", "empty-section", "placeholder-section", "commented-out-section", "template-text"];

const TESTS: [&str; 3] = ["Unit tests", "Integration tests", "e2e tests"];

const FIRST_QUESTION: &str = "How can this feature be enabled / disabled in a live cluster?";

const OTHER_QUESTIONS: [&str; 4] = [
    "Does enabling the feature change any default behavior?",
    "Can the feature be disabled once it has been enabled (i.e. can we roll back the enablement)?",
    "What happens if we reenable the feature if it was previously rolled back?",
    "Are there any tests for feature enablement/disablement?",
];

const STRATEGIES: [&str; 3] = ["Graduation Criteria", "Upgrade / Downgrade Strategy", "Version Skew Strategy"];

/// What is found in a seed.
struct Findings(Vec<Value>);

impl Findings {
    fn of(seeds: &Path, seed: &str, stage: &str) -> Self {
        let run = kep_lint_json(seeds, &[seed, "--stage", stage]);
        assert_eq!(run["keps"], 1);
        Self(items(&run["diagnostics"]).to_vec())
    }

    /// The sections that `rule` reports, in order, each as often as it does.
    fn sections(&self, rule: &str, severity: Option<&str>) -> Vec<&str> {
        let of_rule = self.0.iter().filter(|finding| finding["rule"] == rule);
        let found = of_rule.filter(|finding| severity.is_none_or(|severity| finding["severity"] == severity));
        found.map(|finding| section(finding).expect("these rules name a section")).collect()
    }

    /// The sections with a gap.
    fn gaps(&self) -> BTreeSet<&str> {
        GAPS.iter().flat_map(|rule| self.sections(rule, None)).collect()
    }
}

fn commented_out_sections_of_3027(seeds: &Path) {
    let found = Findings::of(seeds, "3027", "alpha");
    let expected = [
        "Test Plan",
        "Upgrade / Downgrade Strategy",
        "Version Skew Strategy",
        "Production Readiness Review Questionnaire",
    ];
    assert_eq!(found.sections("commented-out-section", Some("error")), expected);
    let answered = [
        "Summary",
        "Motivation",
        "Goals",
        "Non-Goals",
        "Proposal",
        "Risks and Mitigations",
        "Graduation Criteria",
        // The sections around and below one that is commented out are not reported beside it.
        "Design Details",
        "Unit tests",
        "Feature Enablement and Rollback",
        FIRST_QUESTION,
    ];
    for title in answered {
        assert!(!found.gaps().contains(title), "{title}");
    }
}

fn unfilled_sections_of_3920(seeds: &Path) {
    let found = Findings::of(seeds, "3920", "alpha");
    let placeholders = ["Design Details"].iter().chain(&TESTS).chain([&FIRST_QUESTION]).copied();
    assert_eq!(found.sections("placeholder-section", None), placeholders.collect::<Vec<_>>());
    let empty = STRATEGIES.iter().chain(&OTHER_QUESTIONS).copied();
    assert_eq!(found.sections("empty-section", Some("error")), empty.collect::<Vec<_>>());
    let beta = sections_required_at(Stage::Beta);
    let early: Vec<&str> = found.0.iter().filter_map(section).filter(|title| beta.contains(*title)).collect();
    assert!(early.is_empty(), "{early:?}");
}

fn unfilled_sections_of_4080(seeds: &Path) {
    let found = Findings::of(seeds, "4080", "alpha");
    assert_eq!(found.sections("placeholder-section", None), TESTS);
    let empty = STRATEGIES.iter().chain(&OTHER_QUESTIONS).copied();
    assert_eq!(found.sections("empty-section", Some("error")), empty.collect::<Vec<_>>());
    assert!(!found.gaps().contains(FIRST_QUESTION));

    let later = Findings::of(seeds, "4080", "beta");
    let beta = sections_required_at(Stage::Beta);
    let new: BTreeSet<&str> = later.gaps().difference(&found.gaps()).copied().collect();
    assert!(new.len() >= 10, "{new:?}");
    assert!(new.iter().all(|title| beta.contains(*title)), "{new:?}");
    assert!(later.gaps().is_superset(&found.gaps()));
}

/// The titles whose directive names `stage`.
fn sections_required_at(stage: Stage) -> BTreeSet<String> {
    let template = Template::built_in();
    let required = template.iter().filter(|(_, section)| {
        template.directive(section.source).is_some_and(|directive| directive.stage == Some(stage))
    });
    required.map(|(_, section)| section.title.text.clone()).collect()
}

fn the_golden_template_has_two_malformed_directives(seeds: &Path) {
    let template = "golden-template/README.md";
    let checked = kep_lint(seeds, ["template", "check", template, "--format", "json"]);
    assert_eq!(checked.status, 1, "{}", checked.stderr);
    let run: Value = serde_json::from_str(&checked.stdout).expect("it is JSON");
    let found: Vec<(&str, &str, u64)> = items(&run["diagnostics"])
        .iter()
        .map(|finding| {
            let line = finding["start"]["line"].as_u64().expect("lines are numbers");
            (text(&finding["rule"]), text(&finding["severity"]), line)
        })
        .collect();
    assert_eq!(found, [("malformed-directive", "error", 157), ("malformed-directive", "error", 166)]);

    let shown = kep_lint(seeds, ["template", "show", template]);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    assert!(shown.stdout.ends_with("57 headings, 56 directives\n"), "{}", shown.stdout);
}

fn the_golden_template_can_be_linted_with(seeds: &Path) {
    let template = seeds.join("golden-template/README.md");
    let folder = tempfile::tempdir().expect("a folder for the test");
    // Its malformed directive would swallow the heading, were it not repaired.
    let readme = "# KEP-1: Prefetch images\n\n## Proposal\n\nNodes fetch the images.\n";
    let kep = folder.path().join("keps/sig-node/1-prefetch-images");
    fs::create_dir_all(&kep).expect("a folder for the KEP");
    fs::write(kep.join("README.md"), readme).expect("a README");
    fs::write(kep.join("kep.yaml"), "status: implementable\nstage: alpha\nlatest-milestone: \"v1.37\"\n")
        .expect("a kep.yaml");
    let run = kep_lint_json(folder.path(), &["keps", "--template", path(&template)]);

    let missing = items(&run["diagnostics"]).iter().filter(|finding| finding["rule"] == "missing-section");
    let risks: Vec<&Value> = missing
        .filter(|finding| finding["section"] == serde_json::json!(["Proposal", "Risks and Mitigations"]))
        .collect();
    assert_eq!(risks.len(), 1, "{}", run["diagnostics"]);
    assert_eq!(risks[0]["severity"], "error");

    let of_template = items(&run["diagnostics"]).iter().filter(|finding| finding["rule"] == "malformed-directive");
    let of_template: Vec<(&str, &str)> =
        of_template.map(|finding| (text(&finding["severity"]), text(&finding["path"]))).collect();
    assert_eq!(of_template, [("warning", path(&template)); 2]);
}

fn path(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

fn every_required_section_of_the_captured_template_is_a_gap(seeds: &Path) {
    let found = Findings::of(seeds, "template-capture", "alpha");
    assert!(found.0.iter().any(|finding| finding["rule"] == "bad-title"));
    let gaps: BTreeSet<Vec<&str>> = found
        .0
        .iter()
        .filter(|finding| GAPS.contains(&text(&finding["rule"])))
        .map(|finding| items(&finding["section"]).iter().map(text).collect())
        .collect();
    let template = Template::built_in();
    let target = Target::new(Some(Stage::Alpha), Phase::Active, Some(Release::CURRENT));
    let path = |id: TemplateId| template.path(id);
    let is_reported = |id: TemplateId| gaps.iter().any(|gap| is_one_around_the_other(gap, &path(id)));
    let required = requirement::for_target(&template, &target);
    assert!(required.len() > 20, "{}", required.len());
    for requirement in required {
        let title = &template.get(requirement.section).title.text;
        assert!(title == "Release Signoff Checklist" || is_reported(requirement.section), "{title}");
    }
}

/// Whether one of two paths leads to the other's section or to one around it.
fn is_one_around_the_other(one: &[&str], other: &[String]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

fn every_seed_is_fixed(seeds: &Path) {
    all_are_fixed(&keps::below(seeds), &[Some(Stage::Stable)]);
}
