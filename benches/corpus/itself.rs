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

/// `--lint TIMES README`: reads the README of a KEP and its kep.yaml, and checks it so many times.
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

/// The findings of so many checks of a KEP in memory, as an editor checks it while its README is edited: from the texts on.
fn findings(readme: &Path, times: usize) -> usize {
    let path = Path::new("keps/sig-node").join(readme.iter().rev().nth(1).expect("it is in a directory"));
    let read = |file: &Path| fs::read(file).expect("the KEP has it");
    let decode = |name: &str, bytes| SourceFile::decode(path.join(name).display().to_string(), bytes);
    let metadata = decode("kep.yaml", read(&readme.with_file_name("kep.yaml")));
    let unchanged = Texts::new(path.display().to_string()).with(Role::Metadata, metadata);
    let (template, repository, options) = (Template::built_in(), Repository::default(), Options::default());
    let bytes = read(readme);
    let check = |_| {
        let texts = unchanged.clone().with(Role::Readme, decode("README.md", black_box(&bytes).clone()));
        lint(&texts, &template, &repository, &options).diagnostics.len()
    };
    (0..times).map(check).sum()
}
