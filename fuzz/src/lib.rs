//! Shared by the fuzz targets: how bytes become a KEP, and which invariants are checked. The tests check the same ones
//! on mutated KEPs.

// The targets use only a part of these.
#[allow(dead_code)]
#[path = "../../tests/support/library.rs"]
mod library;
#[allow(dead_code)]
#[path = "../../tests/support/soundness.rs"]
mod soundness;
#[path = "../../tests/support/words.rs"]
mod words;

use kep_lint::kep::texts::Texts;
use kep_lint::repository::Repository;
use kep_lint::rules::select::Selection;
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use library::{Against, Tree, lint_as_template};
use soundness::Problem;
use std::env;
use std::sync::LazyLock;

/// Separates the files of an input.
const SEPARATOR: u8 = 0x1e;

/// Longer inputs are ignored.
const MOST: usize = 64 << 10;

static TEMPLATE: LazyLock<Template> = LazyLock::new(Template::built_in);
static REPOSITORY: LazyLock<Repository> = LazyLock::new(Repository::default);

static ABOUT_YAML: LazyLock<Selection> =
    LazyLock::new(|| Selection::new(&["metadata", "approval"].map(str::to_owned), &[]).expect("these are categories"));

/// Parts of the names of invariants that are known to be violated; these are skipped.
static KNOWN: LazyLock<Vec<String>> = LazyLock::new(|| {
    let list = env::var("KEP_LINT_KNOWN").unwrap_or_default();
    list.split(',').map(|claim| claim.trim().to_owned()).filter(|claim| !claim.is_empty()).collect()
});

/// README.md, then kep.yaml.
pub fn lint_a_kep(data: &[u8]) {
    check(data, |files, against| soundness::lint_problems(&kep(files), against));
}

/// README.md, then kep.yaml.
pub fn fix_a_kep(data: &[u8]) {
    check(data, |files, against| soundness::fix_problems(&kep(files), against));
}

/// kep.yaml with a short README. The README is not checked, because fixing its sections takes longer than everything
/// else.
pub fn read_yaml(data: &[u8]) {
    check(data, |_, against| {
        let mut options = against.options.clone();
        options.selection = ABOUT_YAML.clone();
        let against = Against { options: &options, ..against };
        let texts = kep(&[b"# KEP-1: X\n\n## Summary\n\nText.\n", data]);
        let mut problems = soundness::lint_problems(&texts, against);
        problems.extend(soundness::fix_problems(&texts, against));
        problems
    });
}

/// A template, then a README.md to lint with it.
pub fn read_a_template(data: &[u8]) {
    check(data, |files, against| {
        let file = |at: usize| files.get(at).copied().unwrap_or_default();
        let template = library::template(file(0));
        let mut problems = soundness::report_problems(lint_as_template(&template, against.options));
        let texts = kep(&[file(1)]);
        problems.extend(soundness::lint_problems(&texts, Against { template: &template, ..against }));
        problems
    });
}

/// README.md and two documents of a KEP, then README.md of another KEP; all may link to each other.
pub fn link_documents(data: &[u8]) {
    const PATHS: [&str; 4] =
        ["sig-node/1-a/README.md", "sig-node/1-a/docs/b.md", "sig-node/1-a/docs/c.md", "sig-node/2-d/README.md"];
    check(data, |files, against| {
        let paths = PATHS.map(|path| format!("keps/{path}"));
        let tree = Tree::of(paths.iter().zip(files).map(|(path, bytes)| (path.as_str(), *bytes)));
        let against = tree.against(against.template, against.options);
        let (reports, again) = (against.lint_together(&tree.keps), against.lint_together(&tree.keps));
        for (one, other) in reports.iter().zip(&again) {
            assert_eq!(one.diagnostics, other.diagnostics, "linted twice, the findings are the same");
        }
        let mut problems: Vec<Problem> = reports.into_iter().flat_map(soundness::report_problems).collect();
        problems.extend(soundness::fix_problems(&tree.keps[0], against));
        problems
    });
}

/// Splits the input into files, and panics if there is a problem that is not known.
fn check(data: &[u8], problems: impl Fn(&[&[u8]], Against<'_>) -> Vec<Problem>) {
    if data.len() > MOST {
        return;
    }
    let files: Vec<&[u8]> = data.split(|byte| *byte == SEPARATOR).collect();
    // The length of the input selects the stage that the KEP is checked against.
    let stages = [None, Some(Stage::Alpha), Some(Stage::Beta), Some(Stage::Stable)];
    let options = library::options(|options| options.stage = stages[data.len() % stages.len()]);
    let problems = problems(&files, Against { template: &TEMPLATE, repository: &REPOSITORY, options: &options });
    let mut unknown = problems.iter().filter(|problem| !KNOWN.iter().any(|known| problem.claim.contains(known)));
    if let Some(Problem { claim, what }) = unknown.next() {
        panic!("violated: {claim}: {what}");
    }
}

/// The KEP of README.md and kep.yaml.
fn kep(files: &[&[u8]]) -> Texts {
    library::kep("keps/sig-node/1-a", ["README.md", "kep.yaml"].into_iter().zip(files))
}
