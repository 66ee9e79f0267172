//! Shared by the fuzz targets: how bytes become a KEP, and which invariants are checked. The tests check the same ones
//! on mutated KEPs.

// The targets use only a part of it.
#[allow(dead_code)]
#[path = "../../tests/shared/soundness.rs"]
mod soundness;
#[path = "../../tests/shared/words.rs"]
mod words;

use kep_lint::diagnostic::Severity;
use kep_lint::kep::Texts;
use kep_lint::source::SourceFile;
use kep_lint::lint::{KepReport, Options, lint, lint_links, lint_template};
use kep_lint::rules::select::Selection;
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use kep_lint::repository::Repository;
use soundness::{Against, Problem};
use std::env;
use std::sync::LazyLock;

/// Separates the files of an input.
const SEPARATOR: u8 = 0x1e;

/// Longer inputs are ignored.
const MOST: usize = 64 << 10;

static TEMPLATE: LazyLock<Template> = LazyLock::new(Template::built_in);
static TREE: LazyLock<Repository> = LazyLock::new(Repository::default);

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
        let options = Options { selection: ABOUT_YAML.clone(), ..against.options.clone() };
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
        let template = Template::parse(SourceFile::decode("template.md", file(0).to_vec()));
        let mut problems = soundness::report_problems(lint_template(&template, Severity::Error, against.options));
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
        let mut keps = [texts("1-a"), texts("2-d")];
        let mut repository = against.repository.clone();
        for (path, bytes) in PATHS.iter().zip(files) {
            let path = format!("keps/{path}");
            let texts = &mut keps[usize::from(path.contains("2-d"))];
            let file = texts.push(SourceFile::decode(path.clone(), bytes.to_vec()));
            if path.ends_with("README.md") {
                (texts.has_readme, texts.readme) = (true, Some(file));
            } else {
                texts.documents.push((file, Some("keps/sig-node/1-a/docs".to_owned())));
            }
            repository.paths.get_or_insert_default().insert(path);
        }
        let against = Against { repository: &repository, ..against };
        let linted = || {
            let lint = |texts: &Texts| lint(texts.clone(), against.template, against.repository, against.options);
            let mut reports: Vec<KepReport> = keps.iter().map(lint).collect();
            lint_links(&mut reports);
            reports
        };
        let (reports, again) = (linted(), linted());
        for (one, other) in reports.iter().zip(&again) {
            assert_eq!(one.diagnostics, other.diagnostics, "linted twice, the findings are the same");
        }
        let mut problems: Vec<Problem> = reports.into_iter().flat_map(soundness::report_problems).collect();
        problems.extend(soundness::fix_problems(&keps[0], against));
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
    let options = Options { stage: stages[data.len() % stages.len()], ..Options::default() };
    let problems = problems(&files, Against { template: &TEMPLATE, repository: &TREE, options: &options });
    let mut unknown = problems.iter().filter(|problem| !KNOWN.iter().any(|known| problem.claim.contains(known)));
    if let Some(Problem { claim, what }) = unknown.next() {
        panic!("violated: {claim}: {what}");
    }
}

fn texts(name: &str) -> Texts {
    let directory = format!("keps/sig-node/{name}");
    Texts { tree_path: Some(directory.clone()), directory, name: name.to_owned(), in_tree: true, ..Texts::default() }
}

fn kep(files: &[&[u8]]) -> Texts {
    let mut texts = texts("1-a");
    let file = |name: &str, bytes: &[u8]| SourceFile::decode(format!("keps/sig-node/1-a/{name}"), bytes.to_vec());
    if let Some(readme) = files.first() {
        (texts.has_readme, texts.readme) = (true, Some(texts.push(file("README.md", readme))));
    }
    if let Some(metadata) = files.get(1) {
        (texts.has_metadata, texts.metadata) = (true, Some(texts.push(file("kep.yaml", metadata))));
    }
    texts
}
