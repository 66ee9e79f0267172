//! How open documents are checked: those of a repository that have one configuration, by one project.

use crate::cli::args::CheckArguments;
use crate::cli::check;
use crate::cli::plan::Plan;
use crate::cli::stdin;
use crate::diagnostic::{Failure, Severity};
use crate::lint::Run;
use crate::lint::panics::caught;
use crate::workspace::directory::KepDirectory;
use crate::workspace::edge::{Edge, followed};
use crate::workspace::files::{Source, laid_out};
use crate::workspace::kep_files;
use crate::workspace::paths::{RealPath, joined};
use crate::workspace::project::Project;
use crate::workspace::walked::Looked;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The KEP of open documents, or what else they are.
pub struct OpenKep {
    /// What checks it, with the other open KEPs of its repository; `None` if it cannot be checked.
    pub project: Option<Arc<Project>>,
    /// The KEP; several if there are others below its directory, none if the documents belong to none.
    pub keps: Vec<KepDirectory>,
    pub run: Run,
    pub level: Severity,
    pub is_due: bool,
    /// What could not be found or read to find it.
    failures: Vec<Failure>,
    /// The root of its repository, with `/` at the end.
    root: String,
    /// Its documents, each with its path in reports: a link may lead to the same file.
    documents: BTreeMap<PathBuf, PathBuf>,
}

impl OpenKep {
    pub fn documents(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.documents.iter().map(|(path, name)| (path.as_path(), name.as_path()))
    }

    /// The path of a document as it is in reports, if it is one of the KEP.
    pub fn name(&self, document: &Path) -> Option<&Path> {
        self.documents.get(document).map(PathBuf::as_path)
    }

    pub fn remove(&mut self, document: &Path) {
        self.documents.remove(document);
    }

    pub fn add(&mut self, document: PathBuf) {
        let name = self.keps.first().and_then(|kep| name_in_reports(kep, &document));
        self.documents.insert(document.clone(), name.unwrap_or(document));
    }

    /// A text about it, with paths from the root of its repository on, as in reports.
    pub fn within(&self, text: &str) -> String {
        // The root of the file system is a part of every path.
        if self.root.len() > 1 { text.replace(&self.root, "") } else { text.to_owned() }
    }

    pub fn check(&mut self) {
        self.is_due = false;
        let checked = self.project.as_ref().map(|project| caught("check", ".", || project.check_only(&self.keps)));
        self.run = match checked {
            Some(Ok(run)) => run,
            Some(Err(failure)) => Run { failures: vec![failure], ..Run::default() },
            None => Run::default(),
        };
        self.run.failures.splice(0..0, self.failures.iter().cloned());
    }
}

/// The path that reports have for a document of a KEP, which may be open by another name.
fn name_in_reports(kep: &KepDirectory, document: &Path) -> Option<PathBuf> {
    let (root, given) = match kep.tree() {
        Some((root, way)) => (root, kep.given_tree(root, way)),
        None => (&kep.real, kep.given.clone()),
    };
    let real = kep.source.real(document);
    Some(joined(&given, root.way_to(&real)?))
}

/// What a document belongs to.
pub struct Found {
    /// The root of its repository.
    root: RealPath,
    planned: Result<Planned, Vec<Failure>>,
}

/// How the KEPs of a document are checked.
struct Planned {
    plan: Plan,
    keps: Vec<KepDirectory>,
    looked: Looked,
    failures: Vec<Failure>,
}

impl Found {
    /// What a document of the files `source` belongs to.
    pub fn of(arguments: &CheckArguments, document: &Path, source: &Source) -> Self {
        let planned = caught("check", &document.to_string_lossy(), || planned_around(arguments, document, source));
        let planned = planned.unwrap_or_else(|failure| Err(vec![failure]));
        Self { root: Edge::around(document).root().clone(), planned }
    }

    /// The file that says how it is checked.
    fn configuration(&self) -> Option<&str> {
        self.planned.as_ref().ok()?.plan.config.as_ref().map(|file| file.path.as_str())
    }

    fn kep(&self, failures: Vec<Failure>) -> OpenKep {
        let root = self.root.to_string_lossy().into_owned();
        let level = self.planned.as_ref().ok().and_then(|planned| planned.plan.arguments.output.level);
        OpenKep {
            project: None,
            keps: Vec::new(),
            run: Run::default(),
            level: level.unwrap_or(Severity::Advice),
            is_due: false,
            failures,
            root: if root.ends_with('/') { root } else { root + "/" },
            documents: BTreeMap::new(),
        }
    }
}

/// A document with its KEP.
pub struct Opened {
    pub document: PathBuf,
    /// The directory of the KEP; of a document that belongs to none, its own place.
    pub place: PathBuf,
    pub kep: OpenKep,
}

/// The KEPs of these documents, each with what checks it. What checked them `earlier` knows what does not
/// depend on the texts of documents.
pub fn all<'a>(documents: impl Iterator<Item = (&'a Path, &'a mut Found)>, earlier: &[&OpenKep]) -> Vec<Opened> {
    let mut groups: BTreeMap<_, Vec<(&Path, &mut Found)>> = BTreeMap::new();
    for (document, found) in documents {
        let configuration = found.configuration().map(str::to_owned);
        groups.entry((found.root.clone(), configuration)).or_default().push((document, found));
    }
    groups.into_values().flat_map(|group| together(group, earlier)).collect()
}

/// The KEPs of documents of one repository that have one configuration.
fn together(mut documents: Vec<(&Path, &mut Found)>, earlier: &[&OpenKep]) -> Vec<Opened> {
    let is_one = |kep: &&&OpenKep| documents.iter().any(|(document, _)| kep.name(document).is_some());
    let earlier = earlier.iter().find(is_one).and_then(|kep| kep.project.clone());
    let project = caught("check", ".", || project(&mut documents, earlier.as_deref())).flatten();
    let mut all = Vec::new();
    for (document, found) in documents {
        let (keps, mut failures) = match &found.planned {
            Ok(planned) => (planned.keps.as_slice(), planned.failures.clone()),
            Err(failures) => (&[] as &[_], failures.clone()),
        };
        let mut place = followed(document);
        let mut kep = found.kep(Vec::new());
        match &project {
            _ if keps.is_empty() => {}
            Ok(project) => {
                let is_wanted = |it: &&KepDirectory| keps.iter().any(|known| known.real == it.real);
                kep.keps = project.keps.iter().filter(is_wanted).cloned().collect();
                kep.project = Some(Arc::clone(project));
                place = kep.keps.first().map_or(place, |kep| kep.real.clone());
            }
            Err(failure) => failures.push(failure.clone()),
        }
        kep.failures = failures;
        all.push(Opened { document: document.to_owned(), place: place.into(), kep });
    }
    all
}

/// What checks the KEPs of documents of one repository that have one configuration.
fn project(documents: &mut [(&Path, &mut Found)], earlier: Option<&Project>) -> Result<Arc<Project>, Failure> {
    let mut keps = Vec::new();
    let mut looked = Looked::default();
    let mut known = BTreeSet::new();
    for planned in documents.iter().filter_map(|(_, found)| found.planned.as_ref().ok()) {
        // What is known of it was read before it changed.
        keps.extend(planned.keps.iter().filter(|kep| known.insert(kep.real.clone())).map(KepDirectory::again));
        looked.walks.extend(planned.looked.walks.clone());
    }
    let plan = documents.iter_mut().find_map(|(_, found)| Some(&mut found.planned.as_mut().ok()?.plan));
    let Some(plan) = plan else { return Err(Failure::new("there is no KEP")) };
    let numbers = keps.iter().flat_map(kep_files::numbers).collect();
    if let Some(earlier) = earlier {
        looked.earlier = earlier.repositories.around().cloned().collect();
        looked.earlier.iter().flat_map(|walked| &walked.keps).for_each(KepDirectory::forget_unsaved);
    }
    let mut project = Project::read(plan.terms.clone(), keps, &looked, Some(&numbers));
    if let Some(earlier) = earlier {
        project.take_templates(earlier);
    }
    if !earlier.is_some_and(|earlier| project.repositories.take_releases(&earlier.repositories)) {
        check::find_release(&mut project, None)?;
    }
    check::choose(plan, &mut project)?;
    Ok(Arc::new(project))
}

/// How the KEP of a document is checked, with all its files.
fn planned_around(arguments: &CheckArguments, document: &Path, source: &Source) -> Result<Planned, Vec<Failure>> {
    let planned = planned(arguments, document, document, source)?;
    let directory = planned.keps.first().map(|kep| PathBuf::from(kep.given.clone()));
    match directory.filter(|directory| !document.starts_with(directory)) {
        // A PRR file is elsewhere, where another configuration may apply.
        Some(directory) => self::planned(arguments, &directory, document, source),
        None => Ok(planned),
    }
}

/// The same, if that is checked which is in `path`.
fn planned(arguments: &CheckArguments, path: &Path, document: &Path, source: &Source) -> Result<Planned, Vec<Failure>> {
    let plan = Plan::of(&CheckArguments { paths: vec![path.to_owned()], ..arguments.clone() })?;
    let preset = plan.terms.options.selection.preset();
    let found =
        stdin::discover_around(document, preset, &|_| laid_out(Arc::clone(source), &plan.terms.options.config.layout));
    // Nobody named it: any file of any repository may be open.
    let keps = found.keps.into_iter().filter(KepDirectory::has_place).collect();
    Ok(Planned { plan, keps, looked: found.looked, failures: found.failures })
}
