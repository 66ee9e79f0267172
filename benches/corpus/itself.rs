//! What this program does itself, while valgrind counts its instructions: its first argument then is the name of a job.

use super::floor::drain;
use kep_lint::kep::texts::{Role, Texts};
use kep_lint::lint::{Options, lint};
use kep_lint::repository::Repository;
use kep_lint::source::SourceFile;
use kep_lint::template::Template;
use std::fs;
use std::hint::black_box;
use std::path::Path;

/// `--drain TIMES PATH…`: reads the files at or below the paths, and drains their parsers so many times.
pub const DRAIN: &str = "--drain";

/// `--lint TIMES DIRECTORY`: reads the README and kep.yaml of a KEP, and checks it so many times.
pub const LINT: &str = "--lint";

/// Does the job that the arguments name, if they do.
pub fn is_done(arguments: &[String]) -> bool {
    let [job, times, paths @ ..] = arguments else { return false };
    let paths = paths.iter().map(Path::new);
    let times = || times.parse().expect("a number");
    let done: usize = match job.as_str() {
        DRAIN => paths.map(|path| drain(path, times())).sum(),
        LINT => paths.map(|path| findings(path, times())).sum(),
        _ => return false,
    };
    println!("{done}");
    true
}

/// The findings of so many checks of a KEP in memory, each of them from the text of its README on, as an editor checks it
/// while the README is edited: kep.yaml is the same, and so is parsed once.
fn findings(directory: &Path, times: usize) -> usize {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let read = |file: &str| {
        let bytes = fs::read(directory.join(file)).expect("the KEP has it");
        SourceFile::decode(format!("keps/sig-node/{name}/{file}"), bytes)
    };
    let (readme, metadata) = (read("README.md"), read("kep.yaml"));
    let mut unchanged = Texts::new(format!("keps/sig-node/{name}")).with(Role::Metadata, metadata);
    unchanged.parse_metadata_once(&Texts::default());
    let (template, repository, options) = (Template::built_in(), Repository::default(), Options::default());
    let check = |_| {
        let readme = SourceFile::decode(&readme.path, black_box(&readme).text.clone().into_bytes());
        lint(&unchanged.clone().with(Role::Readme, readme), &template, &repository, &options).diagnostics.len()
    };
    (0..times).map(check).sum()
}
