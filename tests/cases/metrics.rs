//! The list of general metrics is made from real KEPs.

use crate::support::{assert_generated, is_refresh, keps, project};
use crate::with_data;
use kep_lint::kep::metadata::Metadata;
use kep_lint::kep::names;
use kep_lint::kep::schema::is_template_value;
use kep_lint::markdown::Document;
use kep_lint::source::SourceFile;
use kep_lint::span::FileId;
use libtest_mimic::Trial;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// How many KEPs name a general metric.
const LEAST_KEPS: usize = 3;

pub fn trials() -> Vec<Trial> {
    vec![with_data("metrics/the list is that of the corpus", "corpus", the_list_is_that_of_the_corpus)]
}

fn the_list_is_that_of_the_corpus(corpus: &Path) {
    let path = project().join("templates/metrics.txt");
    let recorded = fs::read_to_string(&path).expect("the list is there");
    let comment: String = recorded.split_inclusive('\n').take_while(|line| line.starts_with('#')).collect();
    let wanted: String = general(corpus).iter().map(|metric| format!("{metric}\n")).collect();
    let wanted = comment + &wanted;
    if is_refresh() {
        fs::write(path, wanted).expect("the list is written");
    } else {
        assert_generated("templates/metrics.txt", &recorded, &wanted);
    }
}

/// The metrics of some KEP that so many KEPs name.
fn general(corpus: &Path) -> BTreeSet<String> {
    let mut metrics: BTreeSet<String> = BTreeSet::new();
    let mut naming: BTreeMap<String, usize> = BTreeMap::new();
    let word = Regex::new("[0-9A-Za-z]*_[0-9A-Za-z_]*").expect("it is a pattern");
    for source in keps::below(&corpus.join("keps")).into_iter().filter(|source| !source.metadata.is_empty()) {
        let readme = Document::parse(FileId(0), Arc::new(SourceFile::decode("README.md", source.readme)));
        let metadata = SourceFile::decode("kep.yaml", source.metadata).text;
        let fields = names::metrics(&readme, 0..readme.text().len());
        metrics.extend(fields.into_iter().map(|metric| readme.slice(metric).to_owned()));
        let listed = Metadata::parse(FileId(0), &metadata).metrics.items;
        metrics.extend(listed.iter().filter_map(|item| names::metric_at_start(&item.text)).map(str::to_owned));
        let words = [readme.text(), &metadata].into_iter().flat_map(|text| word.find_iter(text));
        for word in words.map(|word| word.as_str()).collect::<BTreeSet<_>>() {
            *naming.entry(word.to_owned()).or_default() += 1;
        }
    }
    metrics.retain(|metric| naming[metric] >= LEAST_KEPS && !is_template_value("metrics", metric));
    metrics
}
