//! Real KEPs have the findings of the whole tree among the facts of their repository.

use crate::support::among::{assert_same, read};
use crate::support::is_whole;
use crate::with_data;
use kep_lint::workspace::project::Terms;
use libtest_mimic::Trial;
use std::path::Path;

pub fn trials() -> Vec<Trial> {
    vec![
        with_data("among/the corpus", "corpus", |corpus| has_the_same_findings(corpus, 9, 100)),
        with_data("among/kueue", "other-repositories/kueue", |kueue| has_the_same_findings(kueue, 1, 100)),
    ]
}

/// One KEP of `every` is compared, or each where everything is tried.
fn has_the_same_findings(root: &Path, every: usize, least: usize) {
    let compared = assert_same(&read(root), &Terms::default(), |number| is_whole() || number % every == 0);
    assert!(compared >= least, "{compared} findings");
}
