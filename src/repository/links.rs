//! What links and references of a KEP lead to.

use super::Repository;
use crate::kep::reference;

impl Repository {
    /// The path of [`reference::linked_path`], if it is one of this repository: URLs lead to
    /// kubernetes/enhancements.
    pub fn linked_path(&self, target: &str, directory: &str) -> Option<String> {
        let path = reference::linked_path(target, directory, self.layout.tree())?;
        // A site may have pages of its own beside the directories of proposals: `../overview.md`.
        let documents = self.layout.documents().filter(|documents| documents.file.is_some());
        let way = documents.and_then(|documents| path.strip_prefix(&documents.tree)).filter(|_| path.ends_with(".md"));
        let is_of_site = way.is_some_and(|way| way.rfind('/') == Some(0));
        if is_of_site || self.is_foreign(target) { None } else { Some(path) }
    }

    pub fn referenced_path(&self, text: &str, directory: Option<&str>) -> Option<String> {
        if self.is_foreign(text) { None } else { reference::path(text, directory, self.layout.tree()) }
    }

    /// Other projects show proposals on sites, whose pages are no files: `/ideas/overview/#states`.
    fn is_foreign(&self, target: &str) -> bool {
        let path = || target.split_once('#').map_or(target, |(path, _)| path);
        let is_page = !self.layout.is_of_keps() && target.starts_with('/') && path().ends_with('/');
        is_page || (!self.has_groups && target.contains("://"))
    }
}
