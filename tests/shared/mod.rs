//! What several test files need: the real data, and the program with its JSON read back.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

pub mod fixing;

use kep_lint::diagnostic::Diagnostic;
use kep_lint::kep::Texts;
use kep_lint::lint::KepReport;
use kep_lint::source::SourceFile;
use kep_lint::span::Span;
use serde_json::Value;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder `name` of the real data; none, saying so, where there is no real data.
pub fn real_data(name: &str) -> Option<PathBuf> {
    match env::var_os("KEP_LINT_SHARED") {
        Some(root) => {
            let folder = Path::new(&root).join(name);
            assert!(folder.is_dir(), "KEP_LINT_SHARED is set, but `{}` is no folder", folder.display());
            Some(folder.canonicalize().expect("a folder has a real path"))
        }
        None => {
            eprintln!("skipped: KEP_LINT_SHARED is not set, so there is no `{name}`");
            None
        }
    }
}

/// What the program printed, and how it ended.
pub struct Printed {
    pub stdout: String,
    pub stderr: String,
    pub status: i32,
}

/// Runs the program in `folder`.
pub fn kep_lint<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Printed {
    let output = Command::new(env!("CARGO_BIN_EXE_kep-lint"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("FORCE_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("the program was built with this test");
    let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
    Printed {
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        status: output.status.code().expect("the program ends by itself"),
    }
}

/// Runs the program with `--format json` and reads what it printed.
pub fn kep_lint_json(folder: &Path, arguments: &[&str]) -> Value {
    let printed = kep_lint(folder, arguments.iter().chain(&["--format", "json"]));
    assert!(printed.status < 2, "{}", printed.stderr);
    serde_json::from_str(&printed.stdout).expect("`--format json` prints JSON")
}

/// The items of a JSON list.
pub fn items(value: &Value) -> &[Value] {
    value.as_array().expect("it is a list")
}

/// A JSON string.
pub fn text(value: &Value) -> &str {
    value.as_str().expect("it is a string")
}

/// The last title of a finding's section, which may be none.
pub fn section(finding: &Value) -> Option<&str> {
    finding["section"].as_array()?.last()?.as_str()
}

/// The KEP of these two texts.
pub fn texts(readme: Option<&[u8]>, metadata: Option<&[u8]>) -> Texts {
    let directory = "keps/sig-node/1234-images".to_owned();
    let mut texts = Texts {
        name: "1234-images".to_owned(),
        in_tree: true,
        has_readme: readme.is_some(),
        has_metadata: metadata.is_some(),
        ..Texts::default()
    };
    let file = |name: &str, bytes: &[u8]| SourceFile::decode(format!("{directory}/{name}"), bytes.to_vec());
    texts.readme = readme.map(|bytes| texts.push(file("README.md", bytes)));
    texts.metadata = metadata.map(|bytes| texts.push(file("kep.yaml", bytes)));
    texts.directory = directory;
    texts
}

/// Every place that a finding names: its own, those of related ones, those of its edits.
pub fn places(found: &Diagnostic) -> impl Iterator<Item = Span> {
    let related = found.related.iter().map(|related| related.span);
    let edits = found.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    std::iter::once(found.span).chain(related).chain(edits)
}

/// Why a place of `found` cannot be shown or edited, if that is so.
pub fn bad_place(report: &KepReport, found: &Diagnostic) -> Option<String> {
    let is_bad = |span: &Span| {
        let file = report.files.get(span.file.index());
        file.is_none_or(|file| file.text.get(span.range()).is_none())
    };
    places(found).find(is_bad).map(|span| format!("{span:?} of {found:?} is no part of its file"))
}

/// All files below `folder` for which `is_wanted` holds, by path; links are not followed.
pub fn files_below(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let entry = entry.expect("a listed entry can be looked at");
            let kind = entry.file_type().expect("an entry has a type");
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() && is_wanted(&entry.path()) {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    files
}

/// Whether a path is that of a README.md.
pub fn is_readme(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "README.md")
}

/// The root of this project.
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
