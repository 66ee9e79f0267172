//! Which KEPs refer to what a change removed. All texts of a tree are searched for its names, so that few are parsed.

use crate::kep::metadata::Metadata;
use crate::kep::texts::Texts;
use crate::kep::{number, reference};
use crate::markdown::Document;
use crate::repository::Repository;
use crate::workspace::directory::KepDirectory;
use crate::workspace::kep_files;
use crate::workspace::paths::TreePath;
use regex::Regex;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

pub struct Removed {
    paths: BTreeSet<TreePath>,
    /// The numbers of KEPs, without leading zeros.
    numbers: BTreeSet<String>,
    /// The directories of KEPs that files were in.
    directories: BTreeSet<String>,
    /// What is in each text that refers to one of the paths, unless the text is in one of the directories: a name, or a
    /// letter that is written in another way. `None` if there are too many names.
    name: Option<Regex>,
}

impl Removed {
    pub fn new(paths: BTreeSet<TreePath>, numbers: BTreeSet<String>) -> Self {
        let mut directories = BTreeSet::new();
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for path in &paths {
            // The name of a KEP's directory is seldom that of anything else, as README.md is.
            let is_kep = |name: &str| number::of_directory(name).is_some();
            let mut end = 0;
            let kep = path.split_inclusive('/').find(|part| {
                end += part.len();
                is_kep(part)
            });
            names.extend(kep.or(path.rsplit('/').next()).map(|name| name.trim_end_matches('/')));
            directories.extend(kep.and_then(|_| path.get(..end)).map(|path| path.trim_end_matches('/').to_owned()));
        }
        let patterns: Vec<String> = names.into_iter().map(as_target).chain([ESCAPED.to_owned()]).collect();
        let name = Regex::new(&patterns.join("|")).ok();
        Self { paths, numbers, directories, name }
    }

    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.numbers.is_empty()
    }

    /// The numbers of KEPs that are gone, without leading zeros.
    pub fn into_numbers(self) -> BTreeSet<String> {
        self.numbers
    }

    /// Whether a KEP refers to something of it.
    pub fn is_known_to(&self, kep: &KepDirectory, repository: &Repository) -> bool {
        let texts = kep_files::read_kep(kep).texts;
        let own = texts.tree_path.as_deref().map(Path::new);
        let is_near =
            |directory: &Path| own.is_some_and(|own| own.starts_with(directory) || directory.starts_with(own));
        let is_near = self.directories.iter().any(|directory| is_near(Path::new(directory)));
        self.is_linked_from(&texts, is_near, repository) || self.is_listed_by(&texts, is_near, repository)
    }

    fn may_be_named_in(&self, text: &str) -> bool {
        !self.paths.is_empty() && self.name.as_ref().is_none_or(|name| name.is_match(text))
    }

    /// Whether a document of the KEP has a link to one of the paths.
    fn is_linked_from(&self, texts: &Texts, is_near: bool, repository: &Repository) -> bool {
        texts.readme.file().iter().chain(&texts.documents).any(|id| {
            let source = texts.file(*id);
            let Some(directory) = texts.directory_of(*id) else { return false };
            (is_near || self.may_be_named_in(&source.text))
                && Document::parse(*id, Arc::clone(source)).links.iter().any(|link| {
                    repository
                        .linked_path(&link.target, &directory)
                        .is_some_and(|path| self.paths.contains(path.as_str()))
                })
        })
    }

    /// Whether kep.yaml names one of the paths, or one of the numbers.
    fn is_listed_by(&self, texts: &Texts, is_near: bool, repository: &Repository) -> bool {
        let Some(id) = texts.metadata.file() else { return false };
        let text = &texts.file(id).text;
        // In quotes, YAML has other ways to write a letter.
        let is_possible = || {
            is_near
                || text.contains('\\')
                || text.contains("''")
                || self.may_be_named_in(text)
                || self.numbers.iter().any(|number| text.contains(number))
        };
        if !is_possible() {
            return false;
        }
        let Metadata { see_also, replaces, superseded_by, .. } = Metadata::parse(id, text);
        let own = texts.tree_path.as_deref();
        [see_also, replaces, superseded_by].iter().flat_map(|list| &list.items).any(|item| {
            if reference::is_number(&item.text) {
                self.numbers.contains(number::without_zeros(item.text.trim()))
            } else {
                repository.referenced_path(&item.text, own).is_some_and(|path| self.paths.contains(path.as_str()))
            }
        })
    }
}

/// A pattern of letters and digits that are written with `%`, and of what HTML writes with `&`, as hardly anybody does.
const ESCAPED: &str =
    "%(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])|&#[xX]?[0-9A-Fa-f]+;|&(?:lowbar|UnderBar|period|dash|hyphen);";

/// A pattern of the ways to write a name in the target of a link: with `\` before punctuation, and with `%20`.
fn as_target(name: &str) -> String {
    let mut pattern = String::new();
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            pattern.push(letter);
            continue;
        }
        let own = regex::escape(letter.encode_utf8(&mut [0; 4]));
        let escape = if letter.is_ascii_punctuation() { r"\\?" } else { "" };
        let (mut upper, mut lower) = (String::new(), String::new());
        for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
            // Nothing goes wrong when a string is written to.
            let _ = (write!(upper, "%{byte:02X}"), write!(lower, "%{byte:02x}"));
        }
        pattern.push_str(&format!("(?:{escape}{own}|{upper}|{lower})"));
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_however_it_is_written() {
        let pattern = Regex::new(&as_target("1-a_b ü+c.md")).expect("it is a pattern");
        for target in ["1-a_b ü+c.md", r"1\-a\_b%20%C3%BC\+c\.md", "1-a%5Fb%20%c3%bc%2bc.md"] {
            assert!(pattern.is_match(target), "{target}");
        }
        for other in ["1-a_b ü+c-md", "1-ab ü+c.md", "1-a_b  ü+c.md"] {
            assert!(!pattern.is_match(other), "{other}");
        }
    }

    #[test]
    fn what_is_in_a_kep_is_searched_by_the_name_of_the_kep() {
        let paths = ["sig-a/1-x/docs", "sig-a/1-x/docs/a.md", "sig-a/notes.md"];
        let removed = Removed::new(paths.iter().map(|path| TreePath::of(Path::new(path))).collect(), BTreeSet::new());
        assert_eq!(removed.directories, BTreeSet::from(["keps/sig-a/1-x".to_owned()]));
        let named = |text: &str| removed.may_be_named_in(text);
        assert!(named("(../1-x/docs/a.md)") && named("../notes.md"));
        assert!(!named("docs/a.md") && !named("../sig-a") && !named("50%, R&D; a%20b"));
        assert!(named("../%31-x/docs/a.md") && named("../&#49;-x/docs/a.md"));
        assert!(!Removed::new(BTreeSet::new(), BTreeSet::from(["1".to_owned()])).may_be_named_in("1"));
    }
}
