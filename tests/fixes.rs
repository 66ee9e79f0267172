//! Fixes keep their promise: on every fixture, and on every real KEP where there are some, all of them come to an end,
//! none is taken back, and what no edit names stays as it was.

mod shared;

use kep_lint::kep::Texts;
use kep_lint::lint::Options;
use kep_lint::source::SourceFile;
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use rayon::prelude::*;
use shared::fixing::{fixed_soundly, keeps_headings};
use shared::{files_below, is_readme, project, real_data};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The KEPs below `root`, as they would be read.
fn keps(root: &Path) -> Vec<Texts> {
    files_below(root, &is_readme).iter().map(|readme| kep(readme)).collect()
}

fn kep(readme: &Path) -> Texts {
    let folder = readme.parent().expect("a file lies in a folder");
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let directory = folder.display().to_string();
    let mut texts = Texts { directory, name, in_tree: true, has_readme: true, ..Texts::default() };
    let mut read = |path: &Path| Some(texts.push(SourceFile::decode(path.display().to_string(), fs::read(path).ok()?)));
    let (readme, metadata) = (read(readme), read(&readme.with_file_name("kep.yaml")));
    (texts.readme, texts.metadata, texts.has_metadata) = (readme, metadata, metadata.is_some());
    texts
}

/// Fixes all of `keps`, tells how many findings of which rules and in how many rounds, and asserts that all went well.
fn all_are_fixed(keps: &[Texts], stage: Option<Stage>) -> BTreeMap<&'static str, usize> {
    let template = Template::built_in();
    let options = Options { stage, ..Options::default() };
    let outcomes: Vec<_> = keps
        .par_iter()
        .map(|texts| {
            keeps_headings(texts, &template, &options)?;
            fixed_soundly(texts, &template, &options)
        })
        .collect();
    let mut findings = BTreeMap::new();
    let mut rounds: BTreeMap<usize, usize> = BTreeMap::new();
    let mut failed = Vec::new();
    for (texts, outcome) in keps.iter().zip(outcomes) {
        match outcome {
            Ok(fixed) => {
                fixed.applied.iter().for_each(|(rule, count)| *findings.entry(*rule).or_default() += count);
                *rounds.entry(fixed.rounds).or_default() += 1;
            }
            Err(problem) => failed.push(format!("{}: {problem}", texts.directory)),
        }
    }
    println!("held to {stage:?}: findings fixed {findings:?}, KEPs by rounds {rounds:?}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    findings
}

#[test]
fn every_fixture_is_fixed() {
    let keps = keps(&project().join("fixtures"));
    assert!(keps.len() > 200, "only {} fixtures", keps.len());
    for stage in [None, Some(Stage::Beta)] {
        let findings = all_are_fixed(&keps, stage);
        assert!(findings.len() >= 4, "{findings:?}");
    }
}

#[test]
fn every_real_kep_is_fixed() {
    let Some(corpus) = real_data("corpus") else { return };
    let keps = keps(&corpus.join("keps"));
    assert!(keps.len() > 600, "only {} KEPs", keps.len());
    for stage in [None, Some(Stage::Stable)] {
        let findings = all_are_fixed(&keps, stage);
        let count = |rule: &str| findings.get(rule).copied().unwrap_or_default();
        assert!(count("missing-section") > 20 && count("renamed-section") > 10, "{findings:?}");
    }
}

#[test]
fn every_seed_is_fixed() {
    let Some(seeds) = real_data("seeds") else { return };
    all_are_fixed(&keps(&seeds), Some(Stage::Stable));
}
