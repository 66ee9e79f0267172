//! The paths of a repository.

use crate::kep::number;
use crate::span::slice;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fmt;
use std::ops::Deref;
use std::path::is_separator;
use std::sync::{Arc, LazyLock};

/// The paths of a repository, from `keps` on, with `/`. They are listed when that is asked for: a run over one KEP seldom
/// needs more than to know whether some exist.
#[derive(Clone)]
pub struct Paths {
    has: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    list: Arc<LazyLock<PathList, ListPaths>>,
}

struct PathList {
    paths: Vec<String>,
    /// The ends of the names from the last dot on, in lower case.
    extensions: HashSet<String>,
    /// The directories of KEPs by their numbers, and by their titles in lower case.
    keps: BTreeMap<String, Vec<String>>,
}

type ListPaths = Box<dyn FnOnce() -> PathList + Send + Sync>;

impl Paths {
    /// The paths that `list` returns, in an order that is always the same, and that it `has`.
    pub fn new(
        has: impl Fn(&str) -> bool + Send + Sync + 'static,
        list: impl FnOnce() -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        let list = || {
            let paths = list();
            let extensions: HashSet<&str> = paths.iter().filter_map(|path| extension(path)).collect();
            let extensions = extensions.into_iter().map(str::to_ascii_lowercase).collect();
            let mut keps: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for kep in paths.iter().filter_map(|path| path.strip_suffix("/kep.yaml")) {
                let (number, title) = number_and_title(kep);
                for part in [number, title] {
                    keps.entry(part.to_ascii_lowercase()).or_default().push(kep.to_owned());
                }
            }
            PathList { paths, extensions, keps }
        };
        Self { has: Arc::new(has), list: Arc::new(LazyLock::new(Box::new(list))) }
    }

    /// Whether a file has the extension of `path`, in upper or lower case, or `path` has none.
    pub fn has_extension_of(&self, path: &str) -> bool {
        extension(path).is_none_or(|extension| self.list.extensions.contains(&extension.to_ascii_lowercase()))
    }

    pub fn has(&self, path: &str) -> bool {
        (self.has)(path)
    }

    pub fn keps_named(&self, name: &str) -> &[String] {
        self.list.keps.get(&name.to_ascii_lowercase()).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The number and the title in the name of a KEP or of its directory.
pub fn number_and_title(path: &str) -> (&str, &str) {
    let name = path.strip_suffix("/README.md").unwrap_or(path).rsplit('/').next().unwrap_or_default();
    let name = name.strip_suffix(".md").unwrap_or(name).trim_end_matches('"');
    let (number, title) = name.split_once('-').unwrap_or((name, ""));
    (number::without_zeros(number), title)
}

fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or_default();
    Some(slice(name, name.rfind('.')?..))
}

impl Deref for Paths {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.list.paths
    }
}

impl PartialEq for Paths {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// How two paths compare without `.` and without separators at their ends: as [`std::path::Path`] does it, part by part,
/// so that what is in a directory comes right after it, but without looking for the parts.
pub fn by_parts(one: impl AsRef<OsStr>, other: impl AsRef<OsStr>) -> Ordering {
    let (one, other) = (one.as_ref().as_encoded_bytes(), other.as_ref().as_encoded_bytes());
    let end_first = |byte: &u8| if is_separator(char::from(*byte)) { None } else { Some(*byte) };
    // Windows has two separators.
    let differ = |(a, b): &(&u8, &u8)| a != b && (end_first(a), end_first(b)) != (None, None);
    match one.iter().zip(other).find(differ) {
        Some((a, b)) => end_first(a).cmp(&end_first(b)),
        None => one.len().cmp(&other.len()),
    }
}

impl fmt::Debug for Paths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Paths").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn extensions_are_known_in_either_case() {
        let paths = Paths::new(|_| false, || vec!["keps/c.x/1-x/a.PNG".to_owned()]);
        let has = |path| paths.has_extension_of(path);
        assert!(has("a/b.png") && has("a.x/b") && !has("a/b.svg") && !has("a.x"));
    }

    #[test]
    fn paths_compare_by_their_parts() {
        let paths = ["a", "a/b", "a/b c", "a/b!/c", "a-b", "a-b/c", "a.b", "b", "b/é", "b/ß/x"];
        for one in paths {
            for other in paths {
                let expected = Path::new(one).cmp(Path::new(other));
                assert_eq!(by_parts(one, other), expected, "{one} {other}");
            }
        }
    }
}
