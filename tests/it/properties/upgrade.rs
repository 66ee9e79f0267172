//! Whatever a README holds, an upgrade loses no line of it and leaves nothing for a second one.

use super::pieces::MARKDOWN;
use super::{Change, REPOSITORY, TEMPLATE, check, keps, metadata, readme, texts};
use crate::support::keps::of_sample;
use kep_lint::authoring::upgrade::{Extent, Upgraded};
use kep_lint::kep::texts::Texts;
use kep_lint::lint::Options;
use kep_lint::lint::ignoring::IgnoreComments;
use kep_lint::markdown::Document;
use kep_lint::mdtoc::Markers;
use kep_lint::source::SourceFile;
use kep_lint::span::FileId;
use kep_lint::stage::Stage;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;

/// The lines of a README that an upgrade must keep: those with words that are no heading, have no link, and are not in the
/// table of contents.
fn own_lines(file: &Arc<SourceFile>) -> Vec<String> {
    let document = Document::parse(FileId(0), Arc::clone(file));
    let headings: Vec<_> = document.sections.iter().map(|(_, section)| section.heading.clone()).collect();
    let contents = Markers::find(&file.text).whole().unwrap_or_default();
    let mut at = 0;
    let mut lines = Vec::new();
    for line in file.text.split_inclusive(['\n', '\r']) {
        let is_heading = headings.iter().any(|heading| heading.start < at + line.len() && at < heading.end);
        if !is_heading && !contents.contains(&at) && !line.contains("](#") && !line.trim().is_empty() {
            lines.push(line.trim_end().to_owned());
        }
        at += line.len();
    }
    lines
}

fn upgraded(texts: &Texts, stage: Option<Stage>, only_required: bool) -> Option<Upgraded> {
    let mut options = Options::default();
    options.ignores = IgnoreComments::Disregarded;
    Upgraded::of(texts, &TEMPLATE, &REPOSITORY, &options, Extent { stage, only_required }).ok()
}

fn keeps_all(texts: &Texts, stage: Option<Stage>, only_required: bool) -> Result<(), TestCaseError> {
    let Some(first) = upgraded(texts, stage, only_required) else { return Ok(()) };
    prop_assert!(first.fixed.reverted.is_empty(), "{:?}", first.fixed.reverted);
    for (before, after) in texts.files.iter().zip(&first.fixed.after.files) {
        let after_lines = own_lines(after);
        let mut rest = after_lines.iter();
        if after.path.ends_with("README.md") {
            let gone = own_lines(before).into_iter().find(|line| !rest.any(|other| other == line));
            prop_assert_eq!(gone, None, "{}", after.text);
        } else {
            prop_assert_eq!(&before.text, &after.text);
        }
    }
    let texts = Texts { files: first.fixed.after.files.clone(), ..texts.clone() };
    let second = upgraded(&texts, stage, only_required).map(|second| second.fixed);
    let changes = second.as_ref().map(|second| second.changes().count());
    prop_assert_eq!(changes, Some(0), "{}", second.map(|it| it.after.files[0].text.clone()).unwrap_or_default());
    Ok(())
}

fn stages() -> impl Strategy<Value = Option<Stage>> {
    select(vec![None, Some(Stage::Alpha), Some(Stage::Beta), Some(Stage::Stable)])
}

#[test]
fn the_sample_is_upgraded() {
    let mut refused = Vec::new();
    for kep in of_sample() {
        let texts = texts(Some(&kep.readme), Some(&kep.metadata));
        for only_required in [false, true] {
            keeps_all(&texts, Some(Stage::Stable), only_required)
                .unwrap_or_else(|error| panic!("{}: {error}", kep.name));
        }
        let Some(whole) = upgraded(&texts, Some(Stage::Stable), false) else {
            refused.push(kep.name);
            continue;
        };
        let left = whole.fixed.after.diagnostics.iter();
        let left = left.filter(|it| ["missing-section", "stale-toc"].contains(&it.rule));
        assert_eq!(left.map(|it| &it.message).collect::<Vec<_>>(), [""; 0], "{}", kep.name);
    }
    // A code block that is not closed hides the rest of it.
    assert_eq!(refused, ["sig-storage/3107-csi-nodeexpandsecret"]);
}

#[test]
fn mutated_keps_are_upgraded() {
    let changes = vec(Change::any(&MARKDOWN), 1..6);
    check(
        60,
        &(select(keps()), changes, stages(), any::<bool>()),
        |((mut readme, metadata), changes, stage, only_required)| {
            changes.iter().for_each(|change| change.apply(&mut readme));
            keeps_all(&texts(Some(readme.as_bytes()), Some(metadata.as_bytes())), stage, only_required)
        },
    );
}

#[test]
fn arbitrary_keps_are_upgraded() {
    check(200, &(readme(), metadata(), stages(), any::<bool>()), |(readme, metadata, stage, only_required)| {
        keeps_all(&texts(Some(readme.as_bytes()), Some(metadata.as_bytes())), stage, only_required)
    });
}
