//! Fixes keep their promise on every fixture: all of them come to an end, none is reverted, and what no edit names stays
//! as it was.

use crate::support::fixing::all_are_fixed;
use crate::support::keps;
use kep_lint::stage::Stage;

#[test]
fn every_fixture_is_fixed() {
    let keps = keps::of_fixtures();
    assert!(keps.len() > 200, "only {} fixtures", keps.len());
    for stage in [None, Some(Stage::Beta)] {
        let findings = all_are_fixed(&keps, stage);
        assert!(findings.len() >= 4, "{findings:?}");
    }
}
