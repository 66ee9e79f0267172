//! What `cargo bench --bench corpus` says of a record, and how it rewrites one.

#[path = "../../benches/corpus/record.rs"]
mod record;

use crate::support::project;
use record::{Record, Verdict};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const BEFORE: &str = "\
release  sig-storage          5.00  rustc 1.95.0 (old)
release  gone                 1.00  rustc 1.95.0 (old)
test     sig-storage         48.00  rustc 1.95.0 (old)
";

fn read(file: &Path, profile: &'static str) -> Record {
    Record::read(file.to_owned(), profile, "rustc 1.96.0 (new)".to_owned()).expect("the record can be read")
}

fn written() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("record.txt");
    fs::write(&file, BEFORE).expect("it can be written");
    (folder, file)
}

#[test]
fn more_than_five_percent_is_red() {
    let (_folder, file) = written();
    let record = read(&file, "release");
    let verdict = |value| record.verdict("sig-storage", value);
    assert_eq!([4.76, 5.0, 5.24].map(verdict), [Verdict::Same; 3]);
    assert!(matches!(verdict(4.7), Verdict::Less(_)));
    assert!(matches!(verdict(5.3), Verdict::More(_)));
    assert_eq!(record.verdict("other", 1.0), Verdict::Unknown);
    let all = [4.7, 5.0, 5.3].map(verdict).into_iter().chain([Verdict::Unknown, Verdict::Over(200.0)]);
    let shown: Vec<_> = all.map(|verdict| (verdict.is_red(), verdict.to_string())).collect();
    let expected = [
        (false, "6.0 % less: the record can be lowered"),
        (false, "ok"),
        (true, "RED: 6.0 % more"),
        (true, "RED: not recorded"),
        (true, "RED: more than 200"),
    ];
    assert_eq!(shown, expected.map(|(is_red, text)| (is_red, text.to_owned())));
}

#[test]
fn each_profile_is_compared_with_its_own_figures() {
    let (_folder, file) = written();
    assert_eq!(read(&file, "release").value("sig-storage"), Some(5.0));
    assert_eq!(read(&file, "test").value("sig-storage"), Some(48.0));
    assert_eq!(read(&file, "test").value("gone"), None);
    assert_eq!(read(&file, "test").other_rustc("sig-storage"), Some("rustc 1.95.0 (old)"));
}

#[test]
fn an_update_rewrites_what_was_measured() {
    let (_folder, file) = written();
    let mut record = read(&file, "release");
    record.set("sig-storage", 3.1);
    record.set("corpus", 2.4);
    record.write(|figure| figure != "gone").expect("it can be written");
    let text = fs::read_to_string(&file).expect("it is there");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let expected = [
        "release  sig-storage          3.10  rustc 1.96.0 (new)",
        "release  corpus               2.40  rustc 1.96.0 (new)",
        "test     sig-storage         48.00  rustc 1.95.0 (old)",
    ];
    assert_eq!(lines, expected);
    assert_eq!(read(&file, "release").other_rustc("corpus"), None);
}

/// These are what every change is compared with.
#[test]
fn the_project_has_a_record() {
    let record = read(&project().join("benches/corpus.txt"), "test");
    assert!(["sample", "sig-storage"].iter().all(|row| record.value(row).is_some_and(|ratio| ratio > 1.0)));
}
