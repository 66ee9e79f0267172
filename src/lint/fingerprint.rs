//! Gives findings their fingerprints, once all findings of a KEP are known. A fingerprint does not depend on lines,
//! messages or counts, nor on where the run began: it is made from the rule, the KEP, the file, the subject, and the
//! number of the finding among those that are equal in all this.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::subject::{Fingerprint, Subject, hash_of};
use crate::hash::Hash;
use crate::kep::Kep;
use crate::kep::directory::{PROD_READINESS, TREE};
use crate::kep::texts::Texts;
use crate::repository::Repository;
use crate::source::SourceFile;
use crate::span::{FileId, slice};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a KEP and its files are called, wherever the repository is. Nothing for files that belong to no KEP: these are
/// called by their own paths.
#[derive(Clone, Debug, Default)]
pub struct Names {
    kep: String,
    files: Vec<String>,
}

impl Names {
    /// The names of `kep`: its number, unless another KEP of the repository has that too, so that they remain if it is
    /// renamed or moved.
    pub fn of(kep: &Kep, repository: &Repository) -> Self {
        let texts = &kep.texts;
        let number = kep.number().filter(|number| *number != "0" && !repository.shared_numbers.contains(*number));
        let directory = texts.tree_path.as_ref().unwrap_or(&texts.name);
        let own_review = kep.review.as_ref().map(|review| review.file);
        let name = |(id, file): (FileId, &SourceFile)| match below(texts, file) {
            Some(name) => name.to_owned(),
            // It has the directory of the SIG in its path, which changes if the KEP moves.
            None if own_review == Some(id) => PROD_READINESS.to_owned(),
            None => from_tree(&file.path),
        };
        Self { kep: number.unwrap_or(directory).to_owned(), files: texts.iter().map(name).collect() }
    }
}

/// The path of a file in the directory of its KEP; `None` for PRR files.
fn below<'a>(texts: &Texts, file: &'a SourceFile) -> Option<&'a str> {
    file.path.strip_prefix(&texts.directory)?.strip_prefix('/')
}

/// The path from `keps` on, or else the name of the file.
fn from_tree(path: &str) -> String {
    let names: Vec<&str> = path.split('/').collect();
    let tree = names.iter().rposition(|name| *name == TREE).unwrap_or(names.len().saturating_sub(1));
    names.get(tree..).unwrap_or_default().join("/")
}

/// Gives a fingerprint to each of the `diagnostics`, which are in the order of the files, that has none.
pub fn stamp(names: &Names, files: &[Arc<SourceFile>], diagnostics: &mut [Diagnostic]) {
    let mut numbers: BTreeMap<Hash, usize> = BTreeMap::new();
    for found in diagnostics.iter_mut().filter(|found| found.fingerprint.is_none()) {
        let file = files.get(found.span.file.index());
        let words = words_of(names, file, found, found.subject);
        let number = numbers.entry(hash_of(&words)).or_default();
        found.fingerprint = Some(Fingerprint::of(&words, *number));
        *number += 1;
        let covered = found.covers.iter().map(|subject| Fingerprint::of(words_of(names, file, found, *subject), 0));
        let covered: Vec<Fingerprint> = covered.collect();
        found.covered.extend(covered);
    }
}

/// What a fingerprint of a finding about `subject` is made from.
fn words_of(names: &Names, file: Option<&Arc<SourceFile>>, found: &Diagnostic, subject: Subject) -> Vec<String> {
    let name = || from_tree(file.map(|file| file.path.as_str()).unwrap_or_default());
    let name = names.files.get(found.span.file.index()).cloned().unwrap_or_else(name);
    // A gap is the same finding whether the section is missing, empty or a placeholder.
    let rule = if matches!(subject, Subject::Gap(_)) { "" } else { found.rule };
    let (kind, hash) = match subject {
        Subject::Text => {
            let text = file.map(|file| slice(&file.text, found.span.range())).unwrap_or_default();
            ("text", hash_of([text]))
        }
        Subject::Near(hash) => ("near", hash),
        Subject::File => ("file", Hash::EMPTY),
        Subject::Gap(hash) => ("gap", hash),
        Subject::Named(hash) => ("named", hash),
    };
    let mut words = vec![names.kep.clone(), name, rule.to_owned(), kind.to_owned(), hash.to_string()];
    if matches!(subject, Subject::Text | Subject::Near(_)) {
        words.extend(found.section.iter().flatten().cloned());
    }
    words
}
