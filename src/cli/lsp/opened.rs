//! How open documents are checked: those of a repository that have one configuration, by one project.

use crate::cli::args::CheckArguments;
use crate::cli::check;
use crate::cli::plan::Plan;
use crate::cli::stdin;
use crate::diagnostic::{Failure, Severity};
use crate::lint::Run;
use crate::lint::panics::caught;
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::Discovery;
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
    let root = kep.tree().map_or(&kep.real, |(root, _)| root);
    let given = kep.given_tree().unwrap_or_else(|| kep.given.clone());
    let real = kep.source.real(document);
    Some(joined(&given, root.way_to(&real)?))
}

/// What a document belongs to, and how that is checked.
pub struct Found {
    /// The root of its repository.
    root: RealPath,
    /// `None` if the configuration or the template cannot be read.
    plan: Option<Plan>,
    keps: Vec<KepDirectory>,
    looked: Looked,
    failures: Vec<Failure>,
}

impl Found {
    /// What a document of the files `source` belongs to, with all files of the KEP.
    pub fn of(arguments: &CheckArguments, document: &Path, source: &Source) -> Self {
        let found = Self::checked_as(document, arguments, document, source);
        let directory = found.keps.first().map(|kep| kep.given.clone());
        match directory.filter(|directory| !document.starts_with(directory)) {
            // A PRR file is elsewhere, where another configuration may apply.
            Some(directory) => Self::checked_as(&directory, arguments, document, source),
            None => found,
        }
    }

    /// The same, if that is checked which is in `path`.
    fn checked_as(path: &Path, arguments: &CheckArguments, document: &Path, source: &Source) -> Self {
        let root = Edge::around(document).root().clone();
        let plan = match Plan::of(&CheckArguments { paths: vec![path.to_owned()], ..arguments.clone() }) {
            Ok(plan) => plan,
            Err(failures) => return Self { root, plan: None, keps: Vec::new(), looked: Looked::default(), failures },
        };
        let options = &plan.terms.options;
        let source_of = |_: &Path| laid_out(Arc::clone(source), &options.config.layout);
        let Discovery { keps, looked, failures, .. } =
            stdin::discover_around(document, options.selection.preset, &source_of);
        // Nobody named it: any file of any repository may be open.
        let keps = keps.into_iter().filter(KepDirectory::has_place).collect();
        Self { root, plan: Some(plan), keps, looked, failures }
    }

    /// The file that says how it is checked.
    fn configuration(&self) -> Option<String> {
        Some(self.plan.as_ref()?.config.as_ref()?.path.clone())
    }

    fn kep(&self, project: &Result<Arc<Project>, Failure>) -> OpenKep {
        let root = self.root.to_string_lossy().into_owned();
        let level = self.plan.as_ref().and_then(|plan| plan.arguments.output.level);
        let mut kep = OpenKep {
            project: None,
            keps: Vec::new(),
            run: Run::default(),
            level: level.unwrap_or(Severity::Advice),
            is_due: false,
            failures: self.failures.clone(),
            root: if root.ends_with('/') { root } else { root + "/" },
            documents: BTreeMap::new(),
        };
        match project {
            _ if self.keps.is_empty() => {}
            Ok(project) => {
                let is_wanted = |it: &&KepDirectory| self.keps.iter().any(|known| known.real == it.real);
                kep.keps = project.keps.iter().filter(is_wanted).cloned().collect();
                kep.project = Some(Arc::clone(project));
            }
            Err(failure) => kep.failures.push(failure.clone()),
        }
        kep
    }
}

/// The KEPs of these documents by their directories; what belongs to none is at its own place. What checked
/// them `earlier` knows what does not depend on the texts of documents.
pub fn all<'a>(
    documents: impl Iterator<Item = (&'a Path, &'a mut Found)>,
    earlier: &BTreeMap<PathBuf, OpenKep>,
) -> BTreeMap<PathBuf, OpenKep> {
    let mut groups: BTreeMap<_, Vec<(&Path, &mut Found)>> = BTreeMap::new();
    for (document, found) in documents {
        groups.entry((found.root.clone(), found.configuration())).or_default().push((document, found));
    }
    let mut open = BTreeMap::new();
    for mut group in groups.into_values() {
        let is_of_group = |kep: &&OpenKep| group.iter().any(|(document, _)| kep.name(document).is_some());
        let earlier = earlier.values().find(is_of_group).and_then(|kep| kep.project.clone());
        let project = project(&mut group, earlier.as_deref());
        for (document, found) in group {
            let kep = found.kep(&project);
            let place = kep.keps.first().map_or_else(|| followed(document), |kep| kep.real.clone());
            open.entry(place.into()).or_insert(kep).add(document.to_owned());
        }
    }
    open
}

/// What checks the KEPs of documents of one repository that have one configuration.
fn project(documents: &mut [(&Path, &mut Found)], earlier: Option<&Project>) -> Result<Arc<Project>, Failure> {
    let mut keps = Vec::new();
    let mut looked = Looked::default();
    let mut known = BTreeSet::new();
    for (_, found) in documents.iter() {
        keps.extend(found.keps.iter().filter(|kep| known.insert(kep.real.clone())).cloned());
        looked.walks.extend(found.looked.walks.clone());
    }
    let plan = documents.iter_mut().find_map(|(_, found)| found.plan.as_mut());
    let Some(plan) = plan else { return Err(Failure::new("there is no KEP")) };
    let numbers = keps.iter().flat_map(kep_files::numbers).collect();
    looked.earlier.extend(earlier.iter().flat_map(|earlier| earlier.repositories.around().cloned()));
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
