//! The KEPs that have an open document. Those of a repository are checked by one project.

use super::opened::{self, Found, OpenKep};
use crate::cli::args::CheckArguments;
use crate::diagnostic::Failure;
use crate::kep::directory::is_markdown;
use crate::workspace::edge::Edge;
use crate::workspace::files::{Source, disk};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct OpenDocument {
    /// The texts that it is among.
    home: Source,
    /// What it belongs to, if that is known since files have changed.
    found: Option<Found>,
}

pub struct Keps {
    arguments: CheckArguments,
    /// The texts of open documents, by the root of their repository.
    unsaved: BTreeMap<PathBuf, Source>,
    documents: BTreeMap<PathBuf, OpenDocument>,
    open: BTreeMap<PathBuf, OpenKep>,
    /// The document whose KEP is checked first.
    latest: Option<PathBuf>,
    /// Whether the repositories must be read before a KEP is checked.
    is_stale: bool,
    /// Whether it is told when other files change.
    pub is_watched: bool,
}

impl Keps {
    pub fn new(arguments: CheckArguments) -> Self {
        Self {
            arguments,
            unsaved: BTreeMap::new(),
            documents: BTreeMap::new(),
            open: BTreeMap::new(),
            latest: None,
            is_stale: false,
            is_watched: false,
        }
    }

    pub fn set(&mut self, arguments: CheckArguments) {
        self.arguments = arguments;
        self.all_changed();
    }

    /// A document is open with this text. Fails for what is no file that kep-lint may read.
    pub fn open(&mut self, document: &Path, text: &str) -> Result<(), Failure> {
        // What was refused may be accepted once the directories around it have changed.
        let home = self.home_of(document);
        home.set(document, text.as_bytes().to_vec())?;
        self.documents.insert(document.to_owned(), OpenDocument { home, found: None });
        if !is_text(document) {
            self.all_changed();
        }
        self.is_stale = true;
        self.latest = Some(document.to_owned());
        Ok(())
    }

    /// A document that is open has another text. Fails as [`Self::open`] does.
    pub fn edit(&mut self, document: &Path, text: &str) -> Result<(), Failure> {
        let Some(known) = self.documents.get(document) else {
            // It was refused, and may be accepted now.
            return self.open(document, text);
        };
        known.home.set(document, text.as_bytes().to_vec())?;
        // On the text of a Markdown file nothing depends but the findings in it, and links to it.
        self.is_stale |= !is_text(document);
        if !self.is_watched && !is_text(document) {
            self.all_changed();
        }
        self.open.values_mut().for_each(|kep| kep.is_due = true);
        self.latest = Some(document.to_owned());
        Ok(())
    }

    /// A document is closed: what is on disk counts again.
    pub fn close(&mut self, document: &Path) {
        if let Some(known) = self.documents.remove(document) {
            known.home.forget(document);
        }
        self.open.values_mut().for_each(|kep| kep.remove(document));
        self.open.retain(|_, kep| kep.documents().next().is_some());
        self.all_changed();
    }

    pub fn all_changed(&mut self) {
        self.is_stale = true;
        self.documents.values_mut().for_each(|document| document.found = None);
    }

    pub fn is_due(&self) -> bool {
        (self.is_stale && !self.documents.is_empty()) || self.open.values().any(|kep| kep.is_due)
    }

    /// Whether the KEP of a document is to be checked, which is the next one then.
    pub fn prefers(&mut self, document: &Path) -> bool {
        if !self.documents.contains_key(document) {
            return false;
        }
        self.latest = Some(document.to_owned());
        self.is_stale || self.of(document).is_some_and(|kep| kep.is_due)
    }

    /// Checks one KEP that is due, the one that was changed or asked about last first. Returns whether there
    /// was one.
    pub fn check_next(&mut self) -> bool {
        if self.is_stale {
            self.read();
        }
        let is_latest = |kep: &OpenKep| self.latest.as_ref().is_some_and(|latest| kep.name(latest).is_some());
        let due = self.open.values_mut().filter(|kep| kep.is_due);
        let Some(kep) = due.max_by_key(|kep| is_latest(kep)) else { return false };
        kep.check();
        true
    }

    /// Finds out about documents that were opened since.
    pub fn know_all(&mut self) {
        if self.documents.keys().any(|document| self.of(document).is_none()) {
            self.read();
        }
    }

    pub fn of(&self, document: &Path) -> Option<&OpenKep> {
        self.open.values().find(|kep| kep.name(document).is_some())
    }

    pub fn iter(&self) -> impl Iterator<Item = &OpenKep> {
        self.open.values()
    }

    /// The texts of the repository that a document is in now.
    fn home_of(&mut self, document: &Path) -> Source {
        let root = Edge::around(document).root().clone();
        let home = self.unsaved.entry(root.into()).or_insert_with(|| disk::around(document));
        Arc::clone(home)
    }

    /// The same for a document that is open, of which the repository may have been made or removed
    /// meanwhile, or a directory may be a link to another one.
    fn settled(&mut self, document: &Path) -> Source {
        let home = self.home_of(document);
        if let Some(known) = self.documents.get_mut(document) {
            let old = std::mem::replace(&mut known.home, Arc::clone(&home));
            if (!Arc::ptr_eq(&old, &home) || old.has_moved(document))
                && let Some(text) = old.forget(document)
            {
                // What is outside of it has its own text there, as for the command line.
                let _ = home.set(document, text);
            }
        }
        home
    }

    /// Reads the repositories of all open documents, and finds the KEPs of those whose files have changed.
    fn read(&mut self) {
        self.is_stale = false;
        let is_unknown = |(path, known): (&PathBuf, &OpenDocument)| known.found.is_none().then(|| path.clone());
        let unknown: Vec<PathBuf> = self.documents.iter().filter_map(is_unknown).collect();
        for document in &unknown {
            let home = self.settled(document);
            let found = Found::of(&self.arguments, document, &home);
            if let Some(known) = self.documents.get_mut(document) {
                known.found = Some(found);
            }
        }
        let documents = self.documents.iter_mut();
        let all = documents.filter_map(|(path, document)| Some((path.as_path(), document.found.as_mut()?)));
        // If only texts have changed, much is as it was.
        let earlier = if unknown.is_empty() { &self.open } else { &BTreeMap::new() };
        let open = opened::all(all, earlier);
        let mut before = std::mem::replace(&mut self.open, open);
        for (place, kep) in &mut self.open {
            match before.remove(place) {
                // Its findings are shown until it is checked.
                Some(known) => (kep.run, kep.is_due) = (known.run, known.is_due),
                None => kep.is_due = true,
            }
            kep.is_due |= unknown.iter().any(|document| kep.name(document).is_some());
        }
    }
}

/// Whether only links depend on the text of a document.
fn is_text(document: &Path) -> bool {
    document.file_name().is_some_and(is_markdown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::lsp::settings::Settings;
    use serde_json::Value;
    use std::fs;

    /// None yet, in an empty repository.
    fn keps_in(directory: &Path) -> Keps {
        fs::create_dir(directory.join(".git")).expect("a directory");
        Keps::new(Settings::of(&Value::Null, None).expect("there are none").arguments())
    }

    #[test]
    fn the_list_of_a_tree_is_kept_while_texts_change_if_other_changes_are_told() {
        let directory = tempfile::tempdir().expect("a directory");
        let document = |name: &str, file: &str| directory.path().join("keps/sig-node").join(name).join(file);
        let mut keps = keps_in(directory.path());
        let (readme, metadata) = (document("1-a", "README.md"), document("1-a", "kep.yaml"));
        fs::create_dir_all(document("1-a", "")).expect("a directory");
        fs::write(&readme, "# KEP-1: A\n\nSee [two](../2-b/README.md) and [three](../3-c/README.md).\n")
            .expect("a file");
        fs::write(&metadata, "title: A\n").expect("a file");
        keps.open(&metadata, "title: A\n").expect("it may be read");
        let mut dead = |change: &dyn Fn(&mut Keps)| {
            change(&mut keps);
            while keps.check_next() {}
            let run = &keps.of(&metadata).expect("it is open").run;
            let findings = run.reports.iter().flat_map(|report| &report.diagnostics);
            findings.filter(|finding| finding.rule == "dead-link").count()
        };
        let typed = |all: &mut Keps| all.edit(&metadata, "title: B\n").expect("it may be read");
        assert_eq!(dead(&|_| {}), 2);
        for name in ["2-b", "3-c"] {
            fs::create_dir_all(document(name, "")).expect("a directory");
        }
        fs::write(document("2-b", "README.md"), "# KEP-2: B\n").expect("a file");
        assert_eq!(dead(&typed), 1, "nobody tells");
        dead(&|all| all.is_watched = true);
        fs::write(document("3-c", "README.md"), "# KEP-3: C\n").expect("a file");
        assert_eq!(dead(&typed), 1, "it is told, but not yet");
        assert_eq!(dead(&Keps::all_changed), 0);
    }

    #[test]
    fn the_kep_that_is_asked_about_is_checked_first() {
        let directory = tempfile::tempdir().expect("a directory");
        let document = |name: &str, file: &str| directory.path().join("keps/sig-node").join(name).join(file);
        let mut keps = keps_in(directory.path());
        for name in ["1-a", "2-b", "3-c"] {
            fs::create_dir_all(document(name, "")).expect("a directory");
            fs::write(document(name, "README.md"), "# KEP\n").expect("a file");
            fs::write(document(name, "kep.yaml"), "title: X\n").expect("a file");
            keps.open(&document(name, "README.md"), "# KEP\n").expect("it may be read");
        }
        while keps.check_next() {}
        let due = |all: &Keps| -> Vec<String> {
            let due = all.iter().filter(|kep| kep.is_due);
            due.flat_map(|kep| kep.keps.iter().map(|kep| kep.name.clone())).collect()
        };
        keps.open(&document("2-b", "kep.yaml"), "title: Y\n").expect("it may be read");
        for (asked, left) in [("2-b", vec!["1-a", "3-c"]), ("3-c", vec!["1-a"])] {
            assert!(keps.prefers(&document(asked, "README.md")));
            assert!(keps.check_next());
            assert_eq!(due(&keps), left);
            assert!(!keps.prefers(&document(asked, "README.md")), "it is checked");
        }
        let projects: Vec<_> = keps.iter().filter_map(|kep| kep.project.clone()).collect();
        assert_eq!(projects.len(), 3);
        assert!(projects.iter().all(|project| projects.first().is_some_and(|first| Arc::ptr_eq(first, project))));
        keps.edit(&document("1-a", "README.md"), "# KEP-1: A\n").expect("it may be read");
        assert_eq!(due(&keps), ["1-a", "2-b", "3-c"], "links may lead to its headings");
        assert!(!keps.is_stale);
        keps.edit(&document("2-b", "kep.yaml"), "title: Z\n").expect("it may be read");
        assert!(keps.is_stale);
        assert!(!keps.prefers(Path::new("/nowhere/README.md")));
    }
}
