//! PRR files through links.

use super::*;
use crate::workspace::files::disk;
use std::fs;
use std::os::unix::fs::symlink;

/// The SIGs of the PRR files that are found by looking through a tree with these files and links.
fn sigs_with_reviews(files: [&str; 2], links: &[(&str, &str)]) -> Vec<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("it is there");
    for path in files.into_iter().chain(["keps/sig-a/1-x/kep.yaml"]) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        fs::write(path, "kep-number: 1\n").expect("a file");
    }
    for (link, target) in links {
        symlink(target, root.join("keps").join(link)).expect("a link");
    }
    let Walked { keps, walk, .. } = Walked::walk(&root.join("keps"), &disk::around(&root));
    let found = collect(&keps, &Looked { walks: vec![walk], trees: vec![] }, Extent::Whole);
    found.iter().flat_map(|tree| tree.reviews_of("1")).map(|review| review.sig.clone()).collect()
}

#[test]
fn prr_files_are_found_also_through_links() {
    let both = ["sig-a", "sig-b"];
    let own = ["keps/prod-readiness/sig-a/1.yaml", "keps/prod-readiness/sig-b/1.yaml"];
    assert_eq!(sigs_with_reviews(own, &[]), both);
    let other = ["keps/approvals/sig-a/1.yaml", "keps/approvals/sig-b/1.yaml"];
    assert_eq!(sigs_with_reviews(other, &[("prod-readiness", "approvals")]), both);
    let outside = ["reviews/sig-a/1.yaml", "reviews/sig-b/1.yaml"];
    let links = [("approvals", "../reviews/sig-b"), ("prod-readiness", "../reviews")];
    assert_eq!(sigs_with_reviews(outside, &links), both, "another link leads to a part of them");
    let around = ["sig-a/1.yaml", "sig-b/1.yaml"];
    let found = sigs_with_reviews(around, &[("prod-readiness", "..")]);
    assert!(both.iter().all(|sig| found.iter().any(|known| known == sig)), "the tree itself is in it: {found:?}");
}
