//! Gives findings their fingerprints, once all findings of a KEP are known. A fingerprint does not depend on
//! lines, messages or counts, nor on where the run began: it is made from the rule, the KEP, the file, the
//! subject, and the number of the finding among those that are equal in all this.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::subject::{Fingerprint, Subject, hash_of};
use crate::hash::Hash;
use crate::kep::Kep;
use crate::kep::directory::PROD_READINESS;
use crate::kep::layout::TREE;
use crate::kep::texts::Texts;
use crate::repository::Repository;
use crate::source::SourceFile;
use crate::span::{FileId, slice};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a KEP and its files are called, wherever the repository is. Files that belong to no KEP are called
/// by their own paths.
#[derive(Clone, Debug, Default)]
pub struct Names {
    kep: String,
    files: Vec<String>,
}

impl Names {
    /// The names of `kep`: its number, unless another KEP of the repository has that too, so that they
    /// remain if it is renamed or moved.
    pub fn of(kep: &Kep, repository: &Repository) -> Self {
        let texts = &kep.texts;
        let known_as = texts.known_as.as_ref();
        let number = match known_as {
            Some(known) => known.number.as_deref(),
            None => kep.number(),
        };
        let number = number.filter(|number| *number != "0" && !repository.shared_numbers.contains(*number));
        let directory = known_as.map(|known| &known.directory).or(texts.tree_path.as_ref()).unwrap_or(&texts.name);
        let directory = if repository.shared_numbers.contains(directory) { &texts.directory } else { directory };
        let review = kep.review.as_ref().map(|review| review.file);
        let name = |(id, file): (FileId, &SourceFile)| match below(texts, file) {
            Some(name) => known_as.and_then(|known| known.files.get(name)).map_or(name, String::as_str).to_owned(),
            // It has the directory of the SIG in its path, which changes if the KEP moves.
            None if review == Some(id) => PROD_READINESS.to_owned(),
            None => repository.from_tree(&file.path).unwrap_or_else(|| from_tree(&file.path)),
        };
        Self {
            kep: format!("{}{}", repository.label, number.unwrap_or(directory)),
            files: texts.iter().map(name).collect(),
        }
    }

    /// The names of a file of `repository` that belongs to no KEP.
    pub fn of_no_kep(repository: Option<&Repository>, file: &SourceFile) -> Self {
        let name = repository.and_then(|repository| repository.from_tree(&file.path));
        Self {
            kep: repository.map(|repository| repository.label.clone()).unwrap_or_default(),
            files: vec![name.unwrap_or_else(|| from_tree(&file.path))],
        }
    }

    pub(super) fn kep(&self) -> &str {
        &self.kep
    }
}

/// The path of a file in the directory of its KEP, nothing if it is the whole of it; `None` for PRR files.
fn below<'a>(texts: &Texts, file: &'a SourceFile) -> Option<&'a str> {
    let way = file.path.strip_prefix(&texts.directory)?;
    if way.is_empty() { Some(way) } else { way.strip_prefix('/') }
}

/// The path from `keps` on, or else the name of the file.
pub(super) fn from_tree(path: &str) -> String {
    let names: Vec<&str> = path.split('/').collect();
    let tree = names.iter().rposition(|name| *name == TREE).unwrap_or(names.len().saturating_sub(1));
    names.get(tree..).unwrap_or_default().join("/")
}

/// Sorts findings by path, offset and rule, and then gives a fingerprint to each that has none.
pub fn settle(names: &Names, files: &[Arc<SourceFile>], diagnostics: &mut [Diagnostic]) {
    sort(diagnostics, files);
    stamp(names, files, diagnostics);
}

fn sort(diagnostics: &mut [Diagnostic], files: &[Arc<SourceFile>]) {
    let path = |diagnostic: &Diagnostic| files.get(diagnostic.span.file.index()).map(|file| file.path.as_str());
    // The sort is stable: findings of one rule at one offset stay in the template's order.
    let key = |diagnostic: &Diagnostic| (diagnostic.span.start, diagnostic.rule);
    diagnostics.sort_by(|one, other| (path(one), key(one)).cmp(&(path(other), key(other))));
}

/// Gives a fingerprint to each of the `diagnostics`, which are in the order of the files, that has none.
pub fn stamp(names: &Names, files: &[Arc<SourceFile>], diagnostics: &mut [Diagnostic]) {
    let mut numbers: BTreeMap<Hash, usize> = BTreeMap::new();
    for finding in diagnostics.iter_mut().filter(|finding| finding.fingerprint.is_none()) {
        let file = files.get(finding.span.file.index());
        let words = words_of(names, file, finding, finding.subject);
        let number = numbers.entry(hash_of(&words)).or_default();
        finding.fingerprint = Some(Fingerprint::of(&words, *number));
        *number += 1;
        let covered = finding.covers.iter().map(|subject| Fingerprint::of(words_of(names, file, finding, *subject), 0));
        let covered: Vec<Fingerprint> = covered.collect();
        finding.covered.extend(covered);
    }
}

fn words_of(names: &Names, file: Option<&Arc<SourceFile>>, finding: &Diagnostic, subject: Subject) -> Vec<String> {
    let name = || from_tree(file.map(|file| file.path.as_str()).unwrap_or_default());
    let name = names.files.get(finding.span.file.index()).cloned().unwrap_or_else(name);
    // A gap is the same finding whether the section is missing, empty or a placeholder.
    let rule = if matches!(subject, Subject::Gap(_)) { "" } else { finding.rule };
    let (kind, hash) = match subject {
        Subject::Text => {
            let text = file.map(|file| slice(&file.text, finding.span.range())).unwrap_or_default();
            ("text", hash_of([text]))
        }
        Subject::Near(hash) => ("near", hash),
        Subject::File => ("file", Hash::EMPTY),
        Subject::Gap(hash) => ("gap", hash),
        Subject::Named(hash) => ("named", hash),
    };
    let mut words = vec![names.kep.clone(), name, rule.to_owned(), kind.to_owned(), hash.to_string()];
    if matches!(subject, Subject::Text | Subject::Near(_)) {
        words.extend(finding.section.iter().flatten().cloned());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::kep::texts::Role;
    use crate::span::Span;

    fn names(directory: &str, repository: &Repository) -> Names {
        let file = |name: &str, text: &str| SourceFile::decode(format!("{directory}/{name}"), text.into());
        let mut texts = Texts::new(directory)
            .with(Role::Readme, file("README.md", ""))
            .with(Role::Metadata, file("kep.yaml", "kep-number: 1\nowning-sig: sig-node\n"));
        texts.add(Role::Document, file("docs/notes.md", ""));
        let mut kep = Kep::parse(texts);
        for sig in ["sig-node", "sig-apps"] {
            let path = format!("here/keps/prod-readiness/{sig}/1.yaml");
            kep.add_review(sig, "1", Arc::new(SourceFile::decode(path, Vec::new())));
        }
        Names::of(&kep, repository)
    }

    #[test]
    fn names_do_not_depend_on_where_the_repository_is() {
        let repository = Repository::default();
        let named = names("here/keps/sig-node/0001-x", &repository);
        let files = ["README.md", "kep.yaml", "docs/notes.md", "prod-readiness", "keps/prod-readiness/sig-apps/1.yaml"];
        assert_eq!((named.kep.as_str(), named.files), ("1", files.map(str::to_owned).to_vec()));
        assert_eq!(names("keps/sig-node/x", &repository).kep, "keps/sig-node/x");
        assert_eq!(names("/there/keps/sig-node/0000-x", &repository).kep, "keps/sig-node/0000-x");
        assert_eq!(names("drafts/x", &repository).kep, "x");
        let shared = Repository { shared_numbers: ["1".to_owned()].into(), ..repository };
        assert_eq!(names("here/keps/sig-node/0001-x", &shared).kep, "keps/sig-node/0001-x");
        assert_eq!(from_tree("/a/keps/prod-readiness/sig-node/1.yaml"), "keps/prod-readiness/sig-node/1.yaml");
        assert_eq!(from_tree("../own/template.md"), "template.md");
    }

    #[test]
    fn equal_findings_are_numbered_and_their_message_does_not_count() {
        let file = Arc::new(SourceFile::decode("README.md", b"a a b".to_vec()));
        let find = |at: usize, message: &str| {
            Diagnostic::new("rule", Severity::Error, Span::new(FileId(0), at..at + 1), message)
        };
        let stamped = |findings: &[Diagnostic]| -> Vec<Fingerprint> {
            let mut findings = findings.to_vec();
            stamp(&Names::default(), std::slice::from_ref(&file), &mut findings);
            findings.into_iter().filter_map(|finding| finding.fingerprint).collect()
        };
        let [first, second, third] = stamped(&[find(0, "x"), find(2, "x"), find(4, "x")])[..] else { panic!("three") };
        assert!(first != second && second != third && first != third);
        assert_eq!(stamped(&[find(2, "y")]), [first]);
        let elsewhere = Diagnostic { section: Some(vec!["S".to_owned()]), ..find(0, "x") };
        assert_ne!(stamped(&[elsewhere]), [first]);
    }

    #[test]
    fn what_has_a_fingerprint_keeps_it() {
        let mut findings = vec![Diagnostic::new("rule", Severity::Error, Span::new(FileId(0), 0..0), "x")];
        stamp(&Names::default(), &[], &mut findings);
        let before = findings.clone();
        stamp(&Names { kep: "other".to_owned(), ..Names::default() }, &[], &mut findings);
        assert_eq!(findings, before);
    }
}
