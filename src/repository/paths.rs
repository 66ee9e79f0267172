//! The paths of a repository, and an index of them, so that the lookup for each dead reference is fast.

use crate::kep::number;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fmt;
use std::ops::Deref;
use std::path::is_separator;
use std::sync::{Arc, LazyLock};

/// The paths of a repository, from `keps` on, with `/`. They are listed when that is asked for: a run over one KEP seldom
/// needs more than to know whether some exist.
#[derive(Clone)]
pub struct Paths(Arc<Known>);

struct Known {
    has: Has,
    list: LazyLock<Vec<String>, List>,
}

type Has = Box<dyn Fn(&str) -> bool + Send + Sync>;
type List = Box<dyn FnOnce() -> Vec<String> + Send + Sync>;

impl Paths {
    /// The paths that `list` returns, in an order that is always the same, and that it `has`.
    pub fn new(
        has: impl Fn(&str) -> bool + Send + Sync + 'static,
        list: impl FnOnce() -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Known { has: Box::new(has), list: LazyLock::new(Box::new(list)) }))
    }

    pub fn has(&self, path: &str) -> bool {
        (self.0.has)(path)
    }
}

impl Deref for Paths {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0.list
    }
}

impl FromIterator<String> for Paths {
    fn from_iter<I: IntoIterator<Item = String>>(paths: I) -> Self {
        let list: Vec<String> = paths.into_iter().collect();
        let known: HashSet<String> = list.iter().cloned().collect();
        Self::new(move |path| known.contains(path), || list)
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

/// The KEPs of a repository by number and by title.
#[derive(Clone, Debug, Default)]
pub struct Index {
    by_number: HashMap<String, String>,
    by_title: HashMap<String, String>,
    by_both: HashMap<(String, String), String>,
}

impl Index {
    /// The index of `paths`, from `keps` on.
    pub(super) fn new<'a>(paths: impl IntoIterator<Item = &'a String>) -> Self {
        let mut index = Self::default();
        for path in paths {
            let Some(kep) = path.strip_suffix("/kep.yaml") else { continue };
            let (number, title) = name(kep);
            last(&mut index.by_number, number.clone(), kep);
            last(&mut index.by_title, title.clone(), kep);
            last(&mut index.by_both, (number, title), kep);
        }
        index
    }

    pub(super) fn nearest_kep(&self, path: &str) -> Option<&str> {
        let (number, title) = name(path);
        // Before 2020, KEPs were numbered from 1 on; those numbers are not valid any more.
        let (has_number, has_title) = (number.len() > 2, !title.is_empty());
        let by_number = if has_number { self.by_number.get(&number) } else { None };
        let by_title = if has_title { self.by_title.get(&title) } else { None };
        let by_both = if has_number && has_title { self.by_both.get(&(number, title)) } else { None };
        by_both.or(by_number).or(by_title).map(String::as_str)
    }
}

/// Stores `kep` under `key`, unless a KEP with a later path is there.
fn last<K: Eq + std::hash::Hash>(keps: &mut HashMap<K, String>, key: K, kep: &str) {
    let stored = keps.entry(key).or_default();
    if stored.as_str() < kep {
        *stored = kep.to_owned();
    }
}

/// The number in a KEP's path, and the title after it.
fn name(path: &str) -> (String, String) {
    let name = path.trim_end_matches("/README.md").rsplit('/').next().unwrap_or_default();
    let name = name.trim_end_matches(".md").trim_end_matches('"');
    let (number, rest) = name.split_once('-').unwrap_or((name, ""));
    (number::without_zeros(number).to_owned(), rest.to_lowercase())
}

/// The extensions of the files of a repository, in lower case.
#[derive(Clone, Debug, Default)]
pub struct Kinds(HashSet<String>);

impl Kinds {
    pub(super) fn new<'a>(paths: impl IntoIterator<Item = &'a String>) -> Self {
        let written: HashSet<&str> = paths.into_iter().filter_map(|path| kind(path)).collect();
        Self(written.into_iter().map(str::to_lowercase).collect())
    }

    pub(super) fn has_that_of(&self, path: &str) -> bool {
        kind(path).is_none_or(|kind| self.0.contains(&kind.to_lowercase()))
    }
}

fn kind(path: &str) -> Option<&str> {
    Some(path.rsplit('/').next()?.rsplit_once('.')?.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

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

    #[test]
    fn the_last_of_several_paths_is_used() {
        let paths = ["keps/b/1234-x/kep.yaml", "keps/a/1234-x/kep.yaml", "keps/c/1234-y/kep.yaml", "keps/c/1-x/a.PNG"];
        let paths = paths.map(str::to_owned);
        let (index, kinds) = (Index::new(&paths), Kinds::new(&paths));
        assert_eq!(index.nearest_kep("keps/z/1234-x.md"), Some("keps/b/1234-x"));
        assert_eq!(index.nearest_kep("keps/z/1234-z"), Some("keps/c/1234-y"));
        assert_eq!(index.nearest_kep("keps/z/9-Y"), Some("keps/c/1234-y"));
        assert_eq!(index.nearest_kep("keps/z/1-"), None);
        assert!(kinds.has_that_of("a/b.png") && kinds.has_that_of("a/b") && !kinds.has_that_of("a/b.svg"));
    }
}
