//! KEPs made worse by the hundred, of the fixtures and of the sample. Those of the corpus are a case of their own.

use crate::support::{keps, mutants, spread};

#[test]
fn mutants_keep_all_promises() {
    let sample = keps::of_sample();
    assert_eq!(sample.len(), 20, "the sample is whole");
    mutants::keep_all_promises(&sample, &sample, 1);
    let fixtures = keps::of_fixtures();
    assert!(fixtures.len() > 500, "only {} KEPs to make mutants of", fixtures.len());
    mutants::keep_all_promises(&spread(fixtures, 90), &sample, 1);
}
