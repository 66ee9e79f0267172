//! Tables of contents: what the fixes of the two rules write, neither of them finds fault with.

use crate::support::case::{self, Case};
use crate::support::library::{self, Against};
use kep_lint::diagnostic::{Safety, Severity};
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
