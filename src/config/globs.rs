//! Patterns of paths. No other file uses fast-glob.

use fast_glob::{ErrorKind, glob_match, validate};

/// Patterns such as `keps/*/1234-*`: `*` matches no `/`; what matches a directory matches all below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Globs {
    pub patterns: Vec<String>,
}

/// All combinations of alternatives are tried.
const MOST_ALTERNATIVES: usize = 10;

impl Globs {
    /// Reads patterns. The error is the index of the first one that is not valid or can never match, with the reason.
    /// Where documents are proposals, a pattern may name them.
    pub fn new(patterns: Vec<String>, of_documents: bool) -> Result<Self, (usize, &'static str)> {
        let mut reasons = patterns.iter().map(|pattern| mistake(meant(pattern), of_documents)).enumerate();
        match reasons.find_map(|(index, reason)| Some((index, reason?))) {
            Some(error) => Err(error),
            None => Ok(Self { patterns }),
        }
    }

    /// Whether a pattern matches `path`, a path with `/`, or a directory that it is in.
    pub fn matches(&self, path: &str) -> bool {
        let is_match = |around: &str| self.patterns.iter().any(|pattern| glob_match(meant(pattern), around));
        let mut around = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
        around.any(is_match) || is_match(path)
    }
}

fn meant(pattern: &str) -> &str {
    pattern.trim_start_matches("./").trim_end_matches('/')
}

fn mistake(pattern: &str, of_documents: bool) -> Option<&'static str> {
    let is_file = [".yaml", "/OWNERS", ".md"].iter().any(|end| pattern.ends_with(end));
    let is_document = of_documents && pattern.ends_with(".md");
    match pattern {
        _ if pattern.starts_with('!') => Some("it cannot begin with `!`"),
        _ if pattern.starts_with('/') => Some("it begins with `/`, but paths are from the directory of this file on"),
        _ if pattern.split('/').any(|part| part == "..") => Some("it leads out of the directory of this file"),
        "" | "." => Some("it names no directory below that of this file"),
        _ if is_file && !is_document => Some("it names files, but KEPs are named by their directories"),
        _ if pattern.contains('\\') => Some("it has `\\`, but `/` separates directories"),
        _ if pattern.matches(['{', ',']).count() > MOST_ALTERNATIVES => Some("it has too many alternatives in braces"),
        _ if pattern.matches('}').count() > pattern.matches('{').count() => Some("`}` has no `{`"),
        _ if pattern.split('[').skip(1).any(is_reversed) => Some("a range in `[` ends before it begins"),
        _ => validate(pattern).err().map(|error| match error.kind {
            ErrorKind::UnclosedBracket => "`[` is not closed",
            _ => "`{` is not closed",
        }),
    }
}

/// Whether a class such as `z-a]` has a range that nothing is in.
fn is_reversed(class: &str) -> bool {
    let ranges = class.split(']').next().unwrap_or_default().as_bytes().windows(3);
    ranges.into_iter().any(|range| matches!(range, [from, b'-', to] if from > to))
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
        for pattern in [
            "!keps/sig-a",
            "/keps/sig-a",
            "../keps",
            "keps/../keps",
            "./",
            ".",
            "keps/**/*.md",
            "a/kep.yaml",
            "keps\\sig-a",
            "keps/{a,b,c,d,e,f,g,h,i,j,k}",
            "keps/a}",
            "keps/{a",
            "keps/[z-a]",
        ] {
            assert!(Globs::new(vec![pattern.to_owned()], false).is_err(), "{pattern}");
        }
        assert_eq!(Globs::new(vec!["a".to_owned(), "[".to_owned()], false), Err((1, "`[` is not closed")));
    }
}
