//! The paths of a repository, and an index of them, so that the lookup for each dead reference is fast.

use crate::kep::number;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

/// The paths of a repository, from `keps` on, with `/`. They are listed when the first is asked for: a run over one KEP
/// seldom needs them.
#[derive(Clone)]
pub struct Paths(Arc<LazyLock<HashSet<String>, List>>);

type List = Box<dyn FnOnce() -> HashSet<String> + Send + Sync>;

impl Paths {
    /// The paths that `list` returns.
    pub fn new(list: impl FnOnce() -> HashSet<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(list))))
    }
}

impl Deref for Paths {
    type Target = HashSet<String>;

    fn deref(&self) -> &HashSet<String> {
        &self.0
    }
}

impl FromIterator<String> for Paths {
    fn from_iter<I: IntoIterator<Item = String>>(paths: I) -> Self {
        let paths: HashSet<String> = paths.into_iter().collect();
        Self::new(|| paths)
    }
}

impl fmt::Debug for Paths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Paths").finish_non_exhaustive()
    }
}

/// The KEPs of a repository by number and by title, and the extensions of its files.
#[derive(Clone, Debug, Default)]
pub struct Index {
    by_number: HashMap<String, String>,
    by_title: HashMap<String, String>,
    by_both: HashMap<(String, String), String>,
    kinds: HashSet<String>,
}

impl Index {
    /// The index of `paths`, from `keps` on.
    pub(super) fn new<'a>(paths: impl IntoIterator<Item = &'a String>) -> Self {
        let mut index = Self::default();
        for path in paths {
            if let Some(kind) = kind(path).filter(|kind| !index.kinds.contains(kind)) {
                index.kinds.insert(kind);
            }
            let Some(kep) = path.strip_suffix("/kep.yaml") else { continue };
            let (number, title) = name(kep);
            last(&mut index.by_number, number.clone(), kep);
            last(&mut index.by_title, title.clone(), kep);
            last(&mut index.by_both, (number, title), kep);
        }
        index
    }

    /// See [`super::Repository::nearest_kep`].
    pub(super) fn nearest_kep(&self, path: &str) -> Option<&str> {
        let (number, title) = name(path);
        // Before 2020, KEPs were numbered from 1 on; those numbers are not valid any more.
        let (has_number, has_title) = (number.len() > 2, !title.is_empty());
        let by_number = if has_number { self.by_number.get(&number) } else { None };
        let by_title = if has_title { self.by_title.get(&title) } else { None };
        let by_both = if has_number && has_title { self.by_both.get(&(number, title)) } else { None };
        by_both.or(by_number).or(by_title).map(String::as_str)
    }

    /// See [`super::Repository::could_contain`].
    pub(super) fn has_kind_of(&self, path: &str) -> bool {
        kind(path).is_none_or(|kind| self.kinds.contains(&kind))
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

/// The extension of a file.
fn kind(path: &str) -> Option<String> {
    Some(path.rsplit('/').next()?.rsplit_once('.')?.1.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_several_paths_is_used() {
        let paths = ["keps/b/1234-x/kep.yaml", "keps/a/1234-x/kep.yaml", "keps/c/1234-y/kep.yaml", "keps/c/1-x/a.PNG"];
        let index = Index::new(&paths.map(str::to_owned));
        assert_eq!(index.nearest_kep("keps/z/1234-x.md"), Some("keps/b/1234-x"));
        assert_eq!(index.nearest_kep("keps/z/1234-z"), Some("keps/c/1234-y"));
        assert_eq!(index.nearest_kep("keps/z/9-Y"), Some("keps/c/1234-y"));
        assert_eq!(index.nearest_kep("keps/z/1-"), None);
        assert!(index.has_kind_of("a/b.png") && index.has_kind_of("a/b") && !index.has_kind_of("a/b.svg"));
    }
}
