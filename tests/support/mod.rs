//! What both test programs need: the project's files, fixtures as they are written, calls into the library, and the
//! program run with its output read back.

// Each of the two uses a part of this.
#![allow(dead_code)]

pub mod acts;
pub mod among;
pub mod case;
pub mod editor;
pub mod fixing;
pub mod keps;
pub mod library;
pub mod mutation;
pub mod mutants;
pub mod page;
pub mod program;
pub mod readiness;
pub mod scratch;
pub mod soundness;
pub mod source;
pub mod wording;
pub mod words;
pub mod workspace_edit;

use kep_lint::gates::Gates;
use kep_lint::source::SourceFile;
use similar::{ChangeTag, TextDiff};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use walkdir::WalkDir;

/// The root of this project.
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The JSON schema of reports that the program prints.
pub fn report_schema() -> jsonschema::Validator {
    let printed = program::kep_lint(project(), ["schema", "report"]);
    let schema = serde_json::from_str(&printed.stdout).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is valid")
}

/// All files below `folder` for which `is_wanted` holds, by path; links are not followed.
pub fn files_below(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let entries = entries.map(|entry| entry.unwrap_or_else(|error| panic!("{error}")));
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter(|path| is_wanted(path)).collect()
}

/// The folder `name` of the real data; none where there is no real data.
pub fn real_data(name: &str) -> Option<PathBuf> {
    let folder = Path::new(&std::env::var_os("KEP_LINT_SHARED")?).join(name);
    folder.is_dir().then(|| folder.canonicalize().expect("a folder has a real path"))
}

/// The seed of what is made by chance: always the same one, unless `KEP_LINT_SEED` says another. After a colon it may
/// name the one value that is wanted.
pub fn seed() -> (u64, Option<String>) {
    let asked = std::env::var("KEP_LINT_SEED").unwrap_or_else(|_| "4".to_owned());
    let (seed, only) = asked.split_once(':').map_or((asked.as_str(), None), |(seed, only)| (seed, Some(only)));
    (seed.parse().expect("KEP_LINT_SEED is a number"), only.map(str::to_owned))
}

/// Whether everything is tried, as at night, and not only a part of it.
pub fn is_whole() -> bool {
    std::env::var_os("KEP_LINT_WHOLE").is_some_and(|value| value == OsStr::new("1"))
}

/// Which of `kinds` the value of this number is tried as: each of them in turn, and all of them where everything is tried.
pub fn in_turn<T>(kinds: &[T], number: usize) -> &[T] {
    if is_whole() { kinds } else { &kinds[number % kinds.len()..][..1] }
}

/// At most so many of `all`, evenly spread, and all of them where everything is tried.
pub fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let step = if is_whole() { 1 } else { all.len().div_ceil(most).max(1) };
    all.into_iter().step_by(step).collect()
}

/// Asserts that a generated text is up to date. Otherwise only the lines that differ are shown, and how to write it again.
pub fn assert_generated(name: &str, recorded: &str, wanted: &str) {
    let diff = TextDiff::from_lines(recorded, wanted);
    let changes = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    let changes: String = changes.map(|change| format!("{}{change}", change.tag())).collect();
    assert!(recorded == wanted, "{name} is out of date; `.ci/refresh` writes it again:\n{changes}");
}

/// Asserts the same of what a page has between its lines `<!-- part -->` and `<!-- /part -->`, or writes it there.
pub fn assert_generated_part(page: &str, part: &str, wanted: &str) {
    let path = project().join(page);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
    let (opening, closing) = (format!("<!-- {part} -->\n"), format!("<!-- /{part} -->"));
    let parts = text.split_once(&opening).and_then(|(before, rest)| Some((before, rest.split_once(&closing)?)));
    let (before, (recorded, after)) = parts.unwrap_or_else(|| panic!("{page} lacks {opening}{closing}"));
    if is_refresh() {
        std::fs::write(&path, format!("{before}{opening}{wanted}{closing}{after}")).expect("the page is written");
    } else {
        assert_generated(&format!("The part `{part}` of {page}"), recorded, wanted);
    }
}

/// Whether the goldens are written again.
pub fn is_refresh() -> bool {
    std::env::var_os("SNAPSHOTS").is_some_and(|action| action == OsStr::new("overwrite"))
}

/// A few of Kubernetes' feature gates on a day, in place of the built-in list, which a release replaces.
pub fn known_gates() -> Arc<Gates> {
    static LIST: LazyLock<Arc<Gates>> = LazyLock::new(|| {
        let text = std::fs::read(project().join("fixtures/feature-gates.yaml")).expect("the list is there");
        Arc::new(Gates::parse(&SourceFile::decode("feature-gates.yaml", text)).expect("it is well-formed"))
    });
    Arc::clone(&LIST)
}
