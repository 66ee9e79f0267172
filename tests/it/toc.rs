//! Tables of contents: what the fixes of the two rules write, neither of them finds fault with; and a quick reading finds the
//! same headings as a thorough one.

use crate::support::case::{self, Case};
use crate::support::library::{self, Against};
use crate::support::mutation::{Random, mutant};
use crate::support::{keps, seed, spread};
use kep_lint::diagnostic::{Safety, Severity};
use kep_lint::mdtoc;
use kep_lint::repository::Repository;
use kep_lint::rules::select::Selection;
use kep_lint::template::Template;

/// The cases of a rule that offer a fix.
fn fixed_cases(rule: &str) -> Vec<Case> {
    let file = case::rule_files().into_iter().find(|file| file.title == rule).expect("the rule has a fixture");
    file.cases.into_iter().filter(|case| case.expected.contains_key(case::DIFF.0)).collect()
}

#[test]
fn fixed_fixtures_have_a_table() {
    let select = ["stale-toc", "missing-toc"].map(str::to_owned);
    let options = library::options(|options| options.selection = Selection::new(&select, &[]).expect("they are rules"));
    let (template, repository) = (Template::built_in(), Repository::default());
    let against = Against { template: &template, repository: &repository, options: &options };
    for (rule, least) in [("stale-toc", 8), ("missing-toc", 3)] {
        let cases = fixed_cases(rule);
        assert!(cases.len() >= least, "{} fixes of {rule}", cases.len());
        for case in cases {
            let fixed = against.fix(&case.kep(), Safety::Unsafe);
            // Where mdtoc and GitHub see different headings, no table is right for both.
            let left = fixed.after.diagnostics.iter().find(|found| found.severity > Severity::Advice);
            assert_eq!(left, None, "{rule}/{}", case.name);
            let text = &fixed.after.files[0].text;
            let lone = text.replace("\r\n", "").matches('\n').count();
            assert!(!text.contains('\r') || lone == 0, "{rule}/{} mixes line ends", case.name);
        }
    }
}

/// `KEP_LINT_SEED=7` makes other mutants.
#[test]
fn mutants_are_read_quickly_as_they_are_thoroughly() {
    let (sample, fixtures) = (keps::of_sample(), spread(keps::of_fixtures(), 400));
    let mut random = Random(seed().0);
    let mut listed = 0;
    for source in sample.iter().chain(&fixtures) {
        for _ in 0..30 {
            let other = random.pick(&sample);
            let changed = mutant(&mut random, source, other);
            let text = String::from_utf8_lossy(&changed.readme) + "\n";
            // After the open tag, no text is read quickly. It is no heading, and hides none.
            let thorough = mdtoc::generate(&format!("{text}\n<div>\n"));
            assert_eq!(mdtoc::generate(&text), thorough, "{text:?}");
            listed += thorough.lines().count();
        }
    }
    assert!(listed > 10_000, "only {listed} headings");
}
