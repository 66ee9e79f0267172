//! Which metrics the KEPs of a repository name. What several of them name is a general metric of Kubernetes.

use crate::kep::names;
use crate::search;
use crate::span::slice;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The metrics that KEPs name in their README or kep.yaml. The files are read when the first metric is asked for: few KEPs
/// need that.
#[derive(Clone)]
pub struct Mentions {
    index: Arc<LazyLock<Index, Read>>,
    /// Those of a later version, and the KEPs of that which are the same in this one.
    later: Option<(Arc<LazyLock<Index, Read>>, Arc<HashSet<String>>)>,
    asked: Arc<Mutex<HashMap<Option<String>, Answers>>>,
}

/// Metrics, and whether another KEP names them.
pub type Answers = BTreeMap<String, bool>;

/// The directories of the KEPs that name a metric.
type Index = HashMap<String, Vec<Arc<str>>>;

type Read = Box<dyn FnOnce() -> Index + Send + Sync>;

impl Mentions {
    /// The metrics of KEPs, each by the path of its directory from `keps` on, with all metrics in its files.
    pub fn new(read: impl FnOnce() -> Vec<(String, HashSet<String>)> + Send + Sync + 'static) -> Self {
        let index = || {
            let mut index = Index::new();
            for (kep, metrics) in read() {
                let kep: Arc<str> = Arc::from(kep);
                for metric in metrics {
                    index.entry(metric).or_default().push(Arc::clone(&kep));
                }
            }
            index
        };
        Self { index: Arc::new(LazyLock::new(Box::new(index))), later: None, asked: Arc::default() }
    }

    /// Those of an earlier version, in which KEPs in the directories `same` name what they name here; `read` is for the
    /// others.
    pub fn before(
        &self,
        same: HashSet<String>,
        read: impl FnOnce() -> Vec<(String, HashSet<String>)> + Send + Sync + 'static,
    ) -> Self {
        Self { later: Some((Arc::clone(&self.index), Arc::new(same))), ..Self::new(read) }
    }

    /// Whether a KEP other than the one in `directory` names `metric`.
    pub fn has_elsewhere(&self, metric: &str, directory: Option<&str>) -> bool {
        let is_elsewhere = |kep: &Arc<str>| Some(&**kep) != directory;
        let own = || self.index.get(metric).into_iter().flatten().any(is_elsewhere);
        let later = || {
            let (index, same) = self.later.as_ref()?;
            Some(index.get(metric)?.iter().any(|kep| same.contains(&**kep) && is_elsewhere(kep)))
        };
        let answer = later() == Some(true) || own();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.entry(directory.map(str::to_owned)).or_default().insert(metric.to_owned(), answer);
        answer
    }

    /// What was asked for the KEP in `directory`, with the answers.
    pub fn asked_for(&self, directory: Option<&str>) -> Answers {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(&directory.map(str::to_owned)).cloned().unwrap_or_default()
    }
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
            move || keps.map(|(kep, text)| (kep.to_owned(), metrics(text))).to_vec()
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
        let mentions = Mentions::new(move || keps.map(|(kep, text)| (kep.to_owned(), metrics(text))).to_vec());
        assert!(mentions.has_elsewhere("apiserver_request_total", Some("keps/1-a")));
        assert!(mentions.has_elsewhere("apiserver_request_total", Some("keps/2-b")));
        assert!(!mentions.has_elsewhere("a_seconds", Some("keps/1-a")) && mentions.has_elsewhere("a_seconds", None));
        assert!(!mentions.has_elsewhere("request_total", None));
        let asked = [("a_seconds".to_owned(), true), ("request_total".to_owned(), false)];
        assert_eq!((mentions.asked_for(None), mentions.asked_for(Some("keps/3-c"))), (asked.into(), Answers::new()));
    }
}
