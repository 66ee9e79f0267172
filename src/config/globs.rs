//! Patterns of paths. No other file uses globset.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::path::Path;

/// Patterns such as `keps/*/1234-*`: `*` matches no `/`; what matches a directory matches all below it.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    patterns: Vec<String>,
    set: GlobSet,
}

/// The patterns are the whole of it: the set is made from them.
impl PartialEq for Globs {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for Globs {}

impl Globs {
    /// Reads patterns. The error is the index of the first one that is not valid or can never match, with the reason.
    /// Where documents are proposals, a pattern may name them.
    pub fn new(patterns: Vec<String>, of_documents: bool) -> Result<Self, (usize, String)> {
        let mut set = GlobSetBuilder::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let meant = pattern.trim_start_matches("./").trim_end_matches('/');
            if let Some(reason) = never_matches(meant, of_documents) {
                return Err((index, reason.to_owned()));
            }
            let glob = GlobBuilder::new(meant).literal_separator(true).build();
            set.add(glob.map_err(|error| (index, error.kind().to_string()))?);
        }
        let set = set.build().map_err(|error| (0, error.kind().to_string()))?;
        Ok(Self { patterns, set })
    }

    /// Whether a pattern matches `path`, a path with `/`, or a directory that it is in.
    pub fn matches(&self, path: &str) -> bool {
        !self.is_empty() && Path::new(path).ancestors().any(|around| self.set.is_match(around))
    }

    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

fn never_matches(pattern: &str, of_documents: bool) -> Option<&'static str> {
    let is_file = [".yaml", "/OWNERS", ".md"].iter().any(|end| pattern.ends_with(end));
    let is_document = of_documents && pattern.ends_with(".md");
    match pattern {
        _ if pattern.starts_with('!') => Some("it cannot begin with `!`"),
        _ if pattern.starts_with('/') => Some("it begins with `/`, but paths are from the directory of this file on"),
        _ if pattern.split('/').any(|part| part == "..") => Some("it leads out of the directory of this file"),
        "" | "." => Some("it names no directory below that of this file"),
        _ if is_file && !is_document => Some("it names files, but KEPs are named by their directories"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_what_is_below() {
        let matches =
            |pattern: &str, path: &str| Globs::new(vec![pattern.to_owned()], false).expect("valid").matches(path);
        for pattern in ["keps/sig-a", "./keps/sig-a/", "keps/sig-a/**", "keps/*/1-x", "**/1-x", "keps/{sig-a,sig-b}"] {
            assert!(matches(pattern, "keps/sig-a/1-x"), "{pattern}");
        }
        for pattern in ["keps/sig", "keps/*-x", "sig-a", "keps/sig-a/1", "keps/sig-b/**"] {
            assert!(!matches(pattern, "keps/sig-a/1-x"), "{pattern}");
        }
        assert!(!Globs::default().matches("keps"));
        for pattern in
            ["!keps/sig-a", "/keps/sig-a", "../keps", "keps/../keps", "./", ".", "keps/**/*.md", "a/kep.yaml"]
        {
            assert!(Globs::new(vec![pattern.to_owned()], false).is_err(), "{pattern}");
        }
        assert_eq!(Globs::new(vec!["a".to_owned(), "[".to_owned()], false).map_err(|(index, _)| index).err(), Some(1));
    }
}
