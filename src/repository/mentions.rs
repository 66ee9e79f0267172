//! Which metrics the KEPs of a repository name. What several of them name is a general metric of Kubernetes.

use crate::kep::names;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The metrics that KEPs name in their README or kep.yaml. The files are read when the first metric is asked for: few KEPs
/// need that.
#[derive(Clone)]
pub struct Mentions {
    index: Arc<LazyLock<Index, Read>>,
    asked: Arc<Mutex<HashMap<Option<String>, Answers>>>,
}

/// Metrics, and whether another KEP names them.
pub type Answers = BTreeMap<String, bool>;

/// The directories of the first two KEPs that name a metric.
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
                    let keps = index.entry(metric).or_default();
                    if keps.len() < 2 && !keps.contains(&kep) {
                        keps.push(Arc::clone(&kep));
                    }
                }
            }
            index
        };
        Self { index: Arc::new(LazyLock::new(Box::new(index))), asked: Arc::default() }
    }

    /// Whether a KEP other than the one in `directory` names `metric`.
    pub fn has_elsewhere(&self, metric: &str, directory: Option<&str>) -> bool {
        let answer = self.index.get(metric).is_some_and(|keps| keps.iter().any(|kep| Some(&**kep) != directory));
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

/// The metrics in a text.
pub fn metrics(text: &str) -> HashSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| names::is_metric(word)).map(str::to_owned).collect()
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
