//! What a configuration knows counts in every project.

use crate::support::{files_below, project};
use kep_lint::config;
use kep_lint::report::json;
use kep_lint::source::SourceFile;
use kep_lint::workspace::discover::discover;
use kep_lint::workspace::files::Source;
use kep_lint::workspace::files::memory::Memory;
use kep_lint::workspace::project::{Project, Terms};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

#[test]
fn a_configuration_adds_groups_for_every_project() {
    const METADATA: &str = "keps/sig-node/793-node-os-arch-labels/kep.yaml";
    let root = project().join("fixtures/sample");
    let has_unknown_sig = |config: &str| {
        let mut memory = Memory::default();
        for path in files_below(&root, &|_| true) {
            let way = path.strip_prefix(&root).expect("it is below").to_str().expect("it is UTF-8");
            let mut text = fs::read_to_string(&path).expect("it can be read");
            if way == METADATA {
                text = text.replace("owning-sig: sig-node", "owning-sig: sig-own");
            }
            memory.insert(way, text.into_bytes());
        }
        let mut terms = Terms::default();
        let file = SourceFile::decode(".kep-lint.yaml", config.as_bytes().to_vec());
        terms.options.config = config::parse(&file).unwrap_or_else(|problems| panic!("{problems:?}"));
        let source: Source = Arc::new(memory.into());
        let found = discover(&[PathBuf::from("keps")], terms.options.selection.preset, &|_| Arc::clone(&source));
        json::render(&Project::open(terms, found).check()).contains("unknown-sig")
    };
    assert!(has_unknown_sig("level: suggestion\n"));
    assert!(!has_unknown_sig("groups: [sig-own]\n"));
}
