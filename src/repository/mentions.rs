//! Which metrics the KEPs of a repository name. What several of them name is a general metric of Kubernetes.

use crate::kep::names;
use crate::search;
use crate::span::slice;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The metrics that KEPs name in their README or kep.yaml.
#[derive(Clone)]
pub struct Mentions {
    index: Arc<Mutex<Index>>,
    later: Option<Later>,
    asked: Arc<Mutex<HashMap<Option<String>, Answers>>>,
}

/// The metrics of a later version, and the KEPs of that which are the same in the earlier one.
type Later = (Arc<Mutex<Index>>, Arc<HashSet<String>>);

/// Metrics, and whether another KEP names them.
pub type Answers = BTreeMap<String, bool>;

/// The KEPs that were read. Few KEPs ask for a metric, and most of these for one that is found soon, so that KEPs are read
/// one by one. They are not read side by side: a thread that waits for others may take up another KEP, which asks for a
/// metric, too, and then waits for itself.
struct Index {
    /// The directories of the KEPs that name a metric.
    keps: HashMap<String, Vec<Arc<str>>>,
    unread: Box<dyn Iterator<Item = Named> + Send>,
}

/// The path of a KEP's directory from `keps` on, and the metrics in its files.
pub type Named = (String, HashSet<String>);

impl Index {
    /// Whether one of the KEPs that count names `metric`.
    fn has(&mut self, metric: &str, counts: &dyn Fn(&str) -> bool) -> bool {
        if self.keps.get(metric).into_iter().flatten().any(|kep| counts(kep)) {
            return true;
        }
        for (kep, metrics) in &mut self.unread {
            let kep: Arc<str> = Arc::from(kep);
            let is_found = counts(&kep) && metrics.contains(metric);
            for name in metrics {
                self.keps.entry(name).or_default().push(Arc::clone(&kep));
            }
            if is_found {
                return true;
            }
        }
        false
    }
}

impl Mentions {
    /// The metrics of KEPs, which are read as they are asked for.
    pub fn new(keps: impl Iterator<Item = Named> + Send + 'static) -> Self {
        let index = Index { keps: HashMap::new(), unread: Box::new(keps) };
        Self { index: Arc::new(Mutex::new(index)), later: None, asked: Arc::default() }
    }

    /// Those of an earlier version, in which KEPs in the directories `same` name what they name here; `others` are its
    /// other KEPs.
    pub fn before(&self, same: HashSet<String>, others: impl Iterator<Item = Named> + Send + 'static) -> Self {
        Self { later: Some((Arc::clone(&self.index), Arc::new(same))), ..Self::new(others) }
    }

    /// Reads all KEPs, before some of them are changed.
    pub fn read_all(&self) {
        // No KEP has this metric.
        lock(&self.index).has("", &|_| false);
    }

    /// Whether a KEP other than the one in `directory` names `metric`.
    pub fn has_elsewhere(&self, metric: &str, directory: Option<&str>) -> bool {
        let is_elsewhere = |kep: &str| Some(kep) != directory;
        let later = self.later.as_ref();
        let answer = lock(&self.index).has(metric, &is_elsewhere)
            || later.is_some_and(|(index, same)| {
                lock(index).has(metric, &|kep: &str| same.contains(kep) && is_elsewhere(kep))
            });
        lock(&self.asked).entry(directory.map(str::to_owned)).or_default().insert(metric.to_owned(), answer);
        answer
    }

    /// What was asked for the KEP in `directory`, with the answers.
    pub fn asked_for(&self, directory: Option<&str>) -> Answers {
        lock(&self.asked).get(&directory.map(str::to_owned)).cloned().unwrap_or_default()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The metrics in a text. Each has an underscore, so that only the words around these are looked at: it is the text of all
/// KEPs.
pub fn metrics(text: &str) -> HashSet<String> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut metrics = HashSet::new();
    let mut at = 0;
    while let Some(gap) = search::byte(slice(text, at..), b'_') {
        let (before, after) = text.as_bytes().split_at_checked(at + gap).unwrap_or_default();
        let start = before.iter().rposition(|byte| !is_part(byte)).map_or(0, |last| last + 1);
        at = before.len() + after.iter().position(|byte| !is_part(byte)).unwrap_or(after.len());
        let word = slice(text, start..at);
        if names::is_metric(word) && !metrics.contains(word) {
            metrics.insert(word.to_owned());
        }
    }
    metrics
}

impl fmt::Debug for Mentions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Mentions").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_words_in_snake_case() {
        let found = metrics("é_a a_b, `a_b{c=\"d_e\"}` A_b _x a__b é");
        let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, ["a_b", "d_e"]);
    }

    #[test]
    fn an_earlier_version_has_what_did_not_change() {
        let read = |keps: [(&'static str, &'static str); 2]| {
            keps.into_iter().map(|(kep, text)| (kep.to_owned(), metrics(text)))
        };
        let later = Mentions::new(read([("keps/1-a", "a_total b_total"), ("keps/2-b", "c_total")]));
        let same = HashSet::from(["keps/2-b".to_owned()]);
        let earlier = later.before(same, read([("keps/1-a", "d_total"), ("keps/3-c", "e_total")]));
        let has = |metric: &str| earlier.has_elsewhere(metric, None);
        assert!(has("c_total") && has("d_total") && has("e_total") && !has("a_total") && !has("b_total"));
        assert!(!earlier.has_elsewhere("c_total", Some("keps/2-b")));
    }

    #[test]
    fn a_metric_of_two_keps_is_elsewhere_for_both() {
        let keps =
            [("keps/1-a", "the `apiserver_request_total` and a_seconds"), ("keps/2-b", "- apiserver_request_total\n")];
        let mentions = Mentions::new(keps.into_iter().map(|(kep, text)| (kep.to_owned(), metrics(text))));
        assert!(mentions.has_elsewhere("apiserver_request_total", Some("keps/1-a")));
        assert!(mentions.has_elsewhere("apiserver_request_total", Some("keps/2-b")));
        assert!(!mentions.has_elsewhere("a_seconds", Some("keps/1-a")) && mentions.has_elsewhere("a_seconds", None));
        assert!(!mentions.has_elsewhere("request_total", None));
        let asked = [("a_seconds".to_owned(), true), ("request_total".to_owned(), false)];
        assert_eq!((mentions.asked_for(None), mentions.asked_for(Some("keps/3-c"))), (asked.into(), Answers::new()));
    }
}
