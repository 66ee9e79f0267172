//! The KEPs that have an open document, each with the project that checks it.

use crate::cli::args::CheckArguments;
use crate::cli::check;
use crate::cli::plan::Plan;
use crate::cli::stdin;
use crate::diagnostic::{Failure, Severity};
use crate::kep::directory::is_markdown;
use crate::lint::Run;
use crate::lint::panics::caught;
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::Discovery;
use crate::workspace::edge::{Edge, followed};
use crate::workspace::files::{Source, disk};
use crate::workspace::project::Project;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The KEP of an open document, or what else the document is.
pub struct OpenKep {
    /// What checks it; `None` if it cannot be checked.
    pub project: Option<Project>,
    pub run: Run,
    pub level: Severity,
    /// The root of its repository, with `/` at the end.
    root: String,
    documents: BTreeSet<PathBuf>,
    due: Due,
}

/// What has changed since a KEP was checked last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Due {
    #[default]
    Nothing,
    /// The text of a Markdown file, on which nothing depends but the findings in it, and links to it.
    Text,
    /// The text of another file of the KEP: what is known of the repository is read again.
    Metadata,
    All,
}

pub struct Keps {
    arguments: CheckArguments,
    /// The texts of open documents, by the root of their repository.
    unsaved: BTreeMap<PathBuf, Source>,
    /// Open documents, each with those texts that it is among.
    homes: BTreeMap<PathBuf, Source>,
    open: BTreeMap<PathBuf, OpenKep>,
    latest: Option<PathBuf>,
}

impl Keps {
    /// None yet. They are checked as with these arguments.
    pub fn new(arguments: CheckArguments) -> Self {
        Self { arguments, unsaved: BTreeMap::new(), homes: BTreeMap::new(), open: BTreeMap::new(), latest: None }
    }

    /// Checks with other arguments from now on.
    pub fn set(&mut self, arguments: CheckArguments) {
        self.arguments = arguments;
        self.all_changed();
    }

    /// A document is open with this text. Fails for what is no file that kep-lint may read.
    pub fn open(&mut self, document: &Path, text: &str) -> Result<(), Failure> {
        // What was refused may be accepted once the directories around it have changed.
        let home = self.home_of(document);
        self.homes.insert(document.to_owned(), Arc::clone(&home));
        home.set(document, text.as_bytes().to_vec())?;
        let (key, kep) = self.load(document);
        if !is_text(document) {
            self.all_changed();
        }
        // What was loaded just now has the text already.
        let due = if self.open.contains_key(&key) { Due::All } else { Due::Text };
        let entry = self.open.entry(key.clone()).or_insert(kep);
        entry.documents.insert(document.to_owned());
        entry.due = due;
        self.latest = Some(key);
        Ok(())
    }

    /// A document that is open has another text. Fails as [`Self::open`] does.
    pub fn edit(&mut self, document: &Path, text: &str) -> Result<(), Failure> {
        let Some(home) = self.homes.get(document) else { return Ok(()) };
        if self.of(document).is_none() {
            // It was refused, and may be accepted now.
            return self.open(document, text);
        }
        home.set(document, text.as_bytes().to_vec())?;
        for kep in self.open.values_mut() {
            let due = match (is_text(document), kep.documents.contains(document)) {
                (true, _) => Due::Text,
                (false, true) => Due::Metadata,
                (false, false) => Due::All,
            };
            kep.due = kep.due.max(due);
        }
        let has_it = |kep: &OpenKep| kep.documents.contains(document);
        self.latest = self.open.iter().find(|(_, kep)| has_it(kep)).map(|(key, _)| key.clone());
        Ok(())
    }

    /// A document is closed: what is on disk counts again.
    pub fn close(&mut self, document: &Path) {
        if let Some(home) = self.homes.remove(document) {
            home.forget(document);
        }
        for kep in self.open.values_mut() {
            kep.documents.remove(document);
        }
        self.open.retain(|_, kep| !kep.documents.is_empty());
        self.all_changed();
    }

    pub fn all_changed(&mut self) {
        self.open.values_mut().for_each(|kep| kep.due = Due::All);
    }

    /// Whether a KEP is to be checked.
    pub fn is_due(&self) -> bool {
        self.open.values().any(|kep| kep.due > Due::Nothing)
    }

    /// Checks one KEP that is due, the one that was changed last first. Returns whether there was one.
    pub fn check_next(&mut self) -> bool {
        let is_due = |key: &&PathBuf| self.open.get(*key).is_some_and(|kep| kep.due > Due::Nothing);
        let latest = self.latest.as_ref().filter(is_due);
        let Some(key) = latest.or_else(|| self.open.keys().find(is_due)).cloned() else { return false };
        let Some(mut kep) = self.open.remove(&key) else { return false };
        if kep.due == Due::Text {
            kep.check();
            self.open.insert(key, kep);
            return true;
        }
        // Its documents may belong to other KEPs now; but if only texts have changed, not those in its directory.
        for document in &kep.documents {
            if kep.due == Due::Metadata
                && document.starts_with(&key)
                && let Some(same) = self.open.get_mut(&key)
            {
                same.documents.insert(document.clone());
                continue;
            }
            let (place, mut loaded) = self.load(document);
            let entry = self.open.entry(place).or_insert_with(|| {
                loaded.check();
                loaded
            });
            entry.documents.insert(document.clone());
        }
        true
    }

    /// The KEP that a document belongs to.
    pub fn of(&self, document: &Path) -> Option<&OpenKep> {
        self.open.values().find(|kep| kep.documents.contains(document))
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
        if let Some(old) = self.homes.insert(document.to_owned(), Arc::clone(&home))
            && (!Arc::ptr_eq(&old, &home) || old.has_moved(document))
            && let Some(text) = old.forget(document)
        {
            // What is outside of it has its own text there, as for the command line.
            let _ = home.set(document, text);
        }
        home
    }

    /// The KEP of a document, not checked yet, and where it is.
    fn load(&mut self, document: &Path) -> (PathBuf, OpenKep) {
        let unsaved = self.settled(document);
        let loaded = caught("check", &document.to_string_lossy(), || project(&self.arguments, document, &unsaved));
        let loaded = loaded.unwrap_or_else(|failure| Err(vec![failure]));
        let (project, level, failures) = match loaded {
            Ok((project, level)) => (Some(project), level, Vec::new()),
            Err(failures) => (None, None, failures),
        };
        let root = Edge::around(document).root().to_string_lossy().into_owned();
        let kep = OpenKep {
            project,
            run: Run { failures, ..Run::default() },
            level: level.unwrap_or(Severity::Advice),
            root: if root.ends_with('/') { root } else { root + "/" },
            documents: BTreeSet::new(),
            due: Due::Nothing,
        };
        let directory = kep.project.as_ref().and_then(|known| Some(known.keps.first()?.real.clone().into()));
        (directory.unwrap_or_else(|| followed(document).into()), kep)
    }
}

impl OpenKep {
    pub fn documents(&self) -> impl Iterator<Item = &Path> {
        self.documents.iter().map(PathBuf::as_path)
    }

    /// A text about it, with paths from the root of its repository on, as in reports.
    pub fn within(&self, text: &str) -> String {
        // The root of the file system is a part of every path.
        if self.root.len() > 1 { text.replace(&self.root, "") } else { text.to_owned() }
    }

    fn check(&mut self) {
        self.due = Due::Nothing;
        if let Some(project) = &self.project {
            self.run = match caught("check", ".", || project.check(None)) {
                Ok(run) => run,
                Err(failure) => Run { failures: vec![failure], ..Run::default() },
            };
        }
    }
}

/// What checks a KEP, and the lowest severity that is shown, if that is configured.
type Loaded = (Project, Option<Severity>);

/// The project that checks the KEP of a document with all its files.
fn project(arguments: &CheckArguments, document: &Path, source: &Source) -> Result<Loaded, Vec<Failure>> {
    let (mut plan, mut found) = planned(arguments, document, document, source)?;
    let directory = found.keps.first().map(|kep| PathBuf::from(kep.given.clone()));
    if let Some(directory) = directory.filter(|directory| !document.starts_with(directory)) {
        // A PRR file is elsewhere, where another configuration may apply.
        (plan, found) = planned(arguments, &directory, document, source)?;
    }
    let one = |failure: Failure| vec![failure];
    let mut project = check::opened(&plan, found).map_err(one)?;
    check::choose(&mut plan, &mut project).map_err(one)?;
    Ok((project, plan.arguments.output.level))
}

/// How the KEP of a document is checked if that in `path` is, and the KEP.
fn planned(
    arguments: &CheckArguments,
    path: &Path,
    document: &Path,
    source: &Source,
) -> Result<(Plan, Discovery), Vec<Failure>> {
    let plan = Plan::of(&CheckArguments { paths: vec![path.to_owned()], ..arguments.clone() })?;
    let preset = plan.terms.options.selection.preset();
    let mut found = stdin::discover_around(document, preset, &|_| Arc::clone(source));
    // Nobody named it: any file of any repository may be open.
    found.keps.retain(KepDirectory::has_place);
    found.strangers.clear();
    Ok((plan, found))
}

/// Whether only links depend on the text of a document.
fn is_text(document: &Path) -> bool {
    document.file_name().is_some_and(is_markdown)
}
