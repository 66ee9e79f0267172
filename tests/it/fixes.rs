//! Fixes keep their promise on every fixture: all of them come to an end, none is reverted, and what no edit names stays
//! as it was.

use crate::support::fixing::{all_are_fixed, line_ends};
use crate::support::keps::{self, Source};
use crate::support::library::{self, Against};
use crate::support::{in_turn, spread};
use kep_lint::diagnostic::Safety;
use kep_lint::repository::Repository;
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use rayon::prelude::*;

#[test]
fn every_fixture_is_fixed() {
    let keps = keps::of_fixtures();
    assert!(keps.len() > 200, "only {} fixtures", keps.len());
    let findings = all_are_fixed(&spread(keps, 60), &[None, Some(Stage::Beta)]);
    assert!(findings.len() >= 4, "{findings:?}");
}

/// What lines end with.
const ENDS: [&str; 3] = ["\n", "\r\n", "\r"];

/// Whatever ends the lines of a KEP, ends those that fixes insert.
#[test]
fn every_kind_of_line_end_stays() {
    let (template, repository) = (Template::built_in(), Repository::default());
    let options = library::options(|options| options.stage = Some(Stage::Beta));
    let against = Against { template: &template, repository: &repository, options: &options };
    let mut keps = spread(keps::of_fixtures(), 110);
    keps.extend(keps::of_sample());
    let fixed = |kep: &Source, end: &'static str| {
        let with_ends = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
            text.replace('\n', end).into_bytes()
        };
        let (readme, metadata) = (with_ends(&kep.readme), with_ends(&kep.metadata));
        let fixed = against.fix(&Source { readme, metadata, ..kep.clone() }.texts(), Safety::Unsafe);
        let changes: Vec<_> = fixed.changes().filter(|(old, _)| !line_ends(&old.text).is_empty()).collect();
        for (_, new) in &changes {
            let ends = line_ends(&new.text);
            assert_eq!(ends.iter().copied().collect::<Vec<_>>(), [end], "{}: {}", kep.name, new.path);
        }
        // A table of contents after such lines has no fix, so that sections which make it stale have none.
        let is_complete = end == "\r" || fixed.reverted.is_empty();
        assert!(is_complete, "{end:?} in {}: {:#?}", kep.name, fixed.reverted);
        (end, changes.len())
    };
    let asked: Vec<(&Source, &str)> =
        keps.iter().enumerate().flat_map(|(at, kep)| in_turn(&ENDS, at).iter().map(move |end| (kep, *end))).collect();
    let changed: Vec<(&str, usize)> = asked.par_iter().map(|(kep, end)| fixed(kep, end)).collect();
    for end in ENDS {
        let files: usize = changed.iter().filter(|(own, _)| *own == end).map(|(_, files)| files).sum();
        assert!(files > 30, "{files} files with {end:?} were fixed");
    }
}

/// A missing section goes where it belongs once the sections around it are at their place.
#[test]
fn sections_are_moved_before_others_are_added() {
    let template = library::template(
        b"# T\n\n## Design Details\n<!--DIRECTIVE: required: true-->\n\n### Test Plan\n<!--DIRECTIVE: required: true-->\n\n\
          ### Version Skew Strategy\n<!--DIRECTIVE: required: true-->\n",
    );
    let readme = b"# KEP-1: T\n\n## Design Details\n\nA field.\n\n## Heuristics\n\nSome.\n\n### Test Plan\n\nTests.\n";
    let (repository, options) = (Repository::default(), library::options(|options| options.stage = Some(Stage::Beta)));
    let against = Against { template: &template, repository: &repository, options: &options };
    let kep = Source { readme: readme.to_vec(), ..keps::of_sample().remove(0) };
    let fixed = against.fix(&kep.texts(), Safety::Unsafe);
    let text = &fixed.changes().next().expect("it is fixed").1.text;
    let place = |heading: &str| text.find(heading).unwrap_or_else(|| panic!("{heading} in {text}"));
    assert!(place("### Heuristics") < place("### Test Plan"), "{text}");
    assert!(place("### Test Plan") < place("### Version Skew Strategy"), "{text}");
}
