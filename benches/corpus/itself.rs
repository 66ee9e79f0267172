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

/// The findings of so many checks of a KEP in memory, each of them from its text on.
fn findings(directory: &Path, times: usize) -> usize {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let mut texts = Texts::new(format!("keps/sig-node/{name}"));
    for (role, file) in [(Role::Readme, "README.md"), (Role::Metadata, "kep.yaml")] {
        let bytes = fs::read(directory.join(file)).expect("the KEP has it");
        texts.add(role, SourceFile::decode(format!("{}/{file}", texts.directory), bytes));
    }
    let (template, repository, options) = (Template::built_in(), Repository::default(), Options::default());
    let check = |_| lint(black_box(&texts), &template, &repository, &options).diagnostics.len();
    (0..times).map(check).sum()
}
