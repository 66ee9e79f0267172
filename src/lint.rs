//! The façade: a template, what is known of repositories, and KEPs in; findings and failures out. Pure and total.
//!
//! [`run`] is the only place that knows the order of things: repositories, KEPs, links between KEPs, the template.
//!
//! ```
//! use kep_lint::kep::texts::{Role, Texts};
//! use kep_lint::lint::{Options, Workspace, run};
//! use kep_lint::{repository::Repository, source::SourceFile, template::Template};
//!
//! let readme = SourceFile::decode("keps/sig-node/1-images/README.md", b"# KEP-1: Images\n".to_vec());
//! let kep = Texts::new("keps/sig-node/1-images").with(Role::Readme, readme);
//! let (template, repository) = (Template::built_in(), Repository::default());
//! let run = run(&Workspace::in_memory(&template, &repository, &[kep]), &Options::default());
//! assert!(run.reports[0].diagnostics.iter().any(|finding| finding.rule == "missing-kep-yaml"));
//! ```

pub mod panics;

use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::gap;
use crate::kep::Kep;
use crate::kep::texts::Texts;
use crate::markdown::anchor::{AnchorSet, anchor_hashes};
use crate::matching::Matching;
use crate::repository::Repository;
use crate::requirement::{self, Target};
use crate::rules::context::{Ctx, Readme};
use crate::rules::run::{self as rules, OutgoingLinks};
use crate::rules::select::Selection;
use crate::rules::sink;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::{Phase, Release, Stage};
use crate::template::Template;
use crate::yaml::tree::MAX_DEPTH;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a run is asked to do with each KEP.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The stage that every KEP is checked against, instead of its own.
    pub stage: Option<Stage>,
    /// The release under development; none: the one that is built in.
    pub release: Option<Release>,
    /// Which rules run.
    pub selection: Selection,
    /// How many findings are listed.
    pub listing: Listing,
}

impl Options {
    /// The release under development.
    pub fn release(&self) -> Release {
        self.release.unwrap_or(Release::CURRENT)
    }
}

/// How many findings of one rule in one file are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listing {
    /// As many as anybody reads; the others are counted.
    #[default]
    Short,
    /// All, to be fixed; [`run`] makes it short in the end.
    Whole,
}

/// What a run is over.
pub struct Workspace<'a> {
    /// What decides which sections are required.
    pub template: &'a Template,
    /// What is known of the repositories that the KEPs are in.
    pub repositories: Vec<&'a Repository>,
    /// Where the KEPs come from.
    pub keps: Supply<'a>,
}

/// Hands each KEP to [`Linter::check`], one at a time or on several threads, and returns what that gave in the order of
/// the KEPs.
pub type Supply<'a> = Box<dyn Fn(&Linter<'_>) -> Vec<Checked> + 'a>;

impl<'a> Workspace<'a> {
    /// KEPs of one repository whose texts are all in memory.
    pub fn in_memory(template: &'a Template, repository: &'a Repository, keps: &'a [Texts]) -> Self {
        let supply = |linter: &Linter<'_>| keps.iter().map(|texts| linter.check(texts, repository)).collect();
        Self { template, repositories: vec![repository], keps: Box::new(supply) }
    }
}

/// What checking one KEP gave.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Its findings; none if it could not be checked.
    pub report: Option<KepReport>,
    /// What could not be read or done.
    pub failures: Vec<Failure>,
}

/// What linting one KEP, one file of a repository, or one template gave.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct KepReport {
    /// The KEP's directory as given on the command line plus the rest; none for a template.
    pub kep: Option<String>,
    /// The files that spans point into: `FileId(n)` is `files[n]`.
    pub files: Vec<Arc<SourceFile>>,
    /// How many of them are README.md or kep.yaml.
    pub documents: usize,
    /// What the KEP was checked against; none for a template.
    pub target: Option<Target>,
    /// The findings, by path, offset and rule.
    pub diagnostics: Vec<Diagnostic>,
    /// Files that are nested too deep to be read whole.
    pub(crate) too_deep: Vec<FileId>,
    /// Its Markdown files by their path from `keps` on, and the places that links to them may name.
    pub(crate) pages: Vec<(String, AnchorSet)>,
    /// Its links to places in the documents of other KEPs.
    pub(crate) outgoing: OutgoingLinks,
}

impl KepReport {
    /// Lists as many findings as anybody reads, and counts the others.
    fn fold(&mut self) {
        sink::fold(&mut self.diagnostics);
        sort(&mut self.diagnostics, &self.files);
    }

    /// Drops the texts that no finding and no link to another KEP points into, so that a run needs memory for what it
    /// found and not for what it read.
    fn drop_unused_texts(&mut self) {
        let found = self.diagnostics.iter().flat_map(Diagnostic::spans);
        let used: BTreeSet<FileId> =
            found.chain(self.outgoing.links.iter().map(|link| link.span)).map(|span| span.file).collect();
        for (_, file) in (0..).map(FileId::at).zip(&mut self.files).filter(|(id, _)| !used.contains(id)) {
            *file = Arc::new(SourceFile::decode(file.path.as_str(), Vec::new()));
        }
    }

    /// The files that were not read whole.
    fn failures(&self) -> Vec<Failure> {
        let files = self.too_deep.iter().filter_map(|file| self.files.get(file.index()));
        let failure = |file: &Arc<SourceFile>| {
            let reason = format!("it is nested more than {MAX_DEPTH} levels deep");
            Failure::of("read all of", &file.path, &reason).help("write it flatter")
        };
        files.map(failure).collect()
    }
}

/// The outcome of a run over many KEPs, by path.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Run {
    /// A report for each KEP, those of the repositories' other files and the template's own before them.
    pub reports: Vec<KepReport>,
    /// What could not be read or done.
    pub failures: Vec<Failure>,
    /// The rules that ran.
    pub rules: Vec<&'static str>,
    /// The version of kep-lint.
    pub version: &'static str,
    /// The release under development.
    pub release: Release,
    /// Where the release is from.
    pub release_origin: ReleaseOrigin,
}

/// Where the release under development is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReleaseOrigin {
    /// It is the newest that this version of kep-lint knows.
    BuiltIn,
    /// The user named it.
    Given,
}

impl Default for Run {
    /// A run over nothing.
    fn default() -> Self {
        Self::new(&Options::default())
    }
}

impl Run {
    fn new(options: &Options) -> Self {
        Self {
            reports: Vec::new(),
            failures: Vec::new(),
            rules: options.selection.rules().map(|rule| rule.name).collect(),
            version: env!("CARGO_PKG_VERSION"),
            release: options.release(),
            release_origin: options.release.map_or(ReleaseOrigin::BuiltIn, |_| ReleaseOrigin::Given),
        }
    }
}

/// Lints all KEPs of a workspace, what its repositories hold besides, and its template.
pub fn run(workspace: &Workspace<'_>, options: &Options) -> Run {
    let mut run = Run::new(options);
    let repositories = workspace.repositories.iter();
    run.reports.extend(repositories.flat_map(|repository| lint_repository(repository, options)));
    let linter = Linter { template: workspace.template, options };
    for Checked { report, failures } in (workspace.keps)(&linter) {
        run.reports.extend(report);
        run.failures.extend(failures);
    }
    lint_links(&mut run.reports);
    let own = lint_template(workspace.template, Severity::Warning, options);
    if !own.diagnostics.is_empty() {
        run.reports.insert(0, own);
    }
    run
}

/// Checks a template alone.
pub fn run_template(template: &Template, options: &Options) -> Run {
    Run { reports: vec![lint_template(template, Severity::Error, options)], ..Run::new(options) }
}

/// Lints KEPs one by one.
#[derive(Clone, Copy)]
pub struct Linter<'a> {
    template: &'a Template,
    options: &'a Options,
}

impl Linter<'_> {
    /// Lints a KEP of `repository`. A panic is a failure; texts without findings are dropped.
    pub fn check(&self, texts: &Texts, repository: &Repository) -> Checked {
        let linted = panics::caught("check", &texts.directory, || self.lint(texts, repository));
        linted.map_or_else(Checked::failed, |report| self.finished(report))
    }

    /// The findings of a KEP, with all texts: what fixes are made of.
    pub fn lint(&self, texts: &Texts, repository: &Repository) -> KepReport {
        lint(texts, self.template, repository, self.options)
    }

    /// What is reported of a KEP once all that is to be done with it is done.
    pub fn finished(&self, mut report: KepReport) -> Checked {
        report.fold();
        let failures = report.failures();
        report.drop_unused_texts();
        Checked { report: Some(report), failures }
    }
}

impl Checked {
    /// A KEP that could not be checked.
    pub fn failed(failure: Failure) -> Self {
        Self { report: None, failures: vec![failure] }
    }
}

/// Lints one KEP of `repository`, for an editor or for fixes.
pub fn lint(texts: &Texts, template: &Template, repository: &Repository, options: &Options) -> KepReport {
    let mut kep = Kep::parse(texts.clone());
    repository.attach_reviews(&mut kep);
    let target = target(&kep, options);
    let due = requirement::due(template, &target);
    let text = kep.texts.readme.file().map(|file| kep.texts.file(file).text.as_str()).unwrap_or_default();
    let matching = kep.readme.as_ref().map(|document| Matching::new(template, document, text));
    let parsed = kep.readme.as_ref().zip(matching.as_ref());
    let gaps = parsed.map(|(document, matching)| gap::find(template, document, text, matching, &due));
    let readme = parsed.zip(gaps.as_deref());
    let readme = readme.map(|((document, matching), gaps)| Readme { document, text, matching, gaps });
    let ctx = Ctx { kep: &kep, readme, template, repository, target, current: options.release(), requirements: &due };
    let mut diagnostics = rules::run(&ctx, &options.selection);
    if options.listing == Listing::Short {
        sink::fold(&mut diagnostics);
    }
    sort(&mut diagnostics, &kep.texts.files);
    let outgoing = OutgoingLinks::of(&ctx, &options.selection);
    let pages = ctx.pages().filter_map(|page| Some((page.tree_path()?, anchor_hashes(page.document)))).collect();
    let metadata = kep.metadata.as_ref().and_then(|metadata| metadata.too_deep);
    let owners = kep.owners.as_ref().and_then(|owners| owners.too_deep);
    let review = kep.review.as_ref().and_then(|review| review.too_deep);
    let too_deep = [metadata, owners, review].into_iter().flatten().map(|span| span.file).collect();
    let documents = [kep.texts.readme, kep.texts.metadata].iter().filter(|slot| slot.file().is_some()).count();
    KepReport {
        kep: Some(kep.texts.directory),
        files: kep.texts.files,
        documents,
        target: Some(target),
        diagnostics,
        too_deep,
        pages,
        outgoing,
    }
}

/// Checks a template's directives: as errors when the template is what is linted, as warnings beside KEPs.
fn lint_template(template: &Template, severity: Severity, options: &Options) -> KepReport {
    let files = vec![Arc::clone(&template.file)];
    let mut diagnostics = rules::run_template(template, severity, &options.selection);
    sort(&mut diagnostics, &files);
    KepReport { files, diagnostics, ..KepReport::default() }
}

/// Checks what belongs to no single KEP: aliases, and PRR files without a KEP.
fn lint_repository(repository: &Repository, options: &Options) -> Vec<KepReport> {
    let found = rules::run_repository(repository, &options.selection);
    let report =
        |(file, diagnostic)| KepReport { files: vec![file], diagnostics: vec![diagnostic], ..KepReport::default() };
    found.into_iter().map(report).collect()
}

/// Checks links from one KEP to a place in another's document, now that all of them are known.
fn lint_links(reports: &mut [KepReport]) {
    let links: Vec<OutgoingLinks> = reports.iter_mut().map(|report| std::mem::take(&mut report.outgoing)).collect();
    let wanted: BTreeSet<&str> = links.iter().flat_map(|links| &links.links).map(|link| link.path.as_str()).collect();
    let pages = reports.iter_mut().flat_map(|report| std::mem::take(&mut report.pages));
    let pages: Vec<(String, AnchorSet)> = pages.filter(|(path, _)| wanted.contains(path.as_str())).collect();
    let known: BTreeMap<&str, &AnchorSet> = pages.iter().map(|(path, anchors)| (path.as_str(), anchors)).collect();
    for (report, links) in reports.iter_mut().zip(links) {
        rules::run_links(&links, &known, &mut report.diagnostics);
        report.fold();
    }
}

fn target(kep: &Kep, options: &Options) -> Target {
    let release = options.release();
    if let Some(stage) = options.stage {
        return Target { stage: Some(stage), phase: Phase::Active, release: Some(release) };
    }
    let Some(metadata) = &kep.metadata else {
        return Target { stage: Some(Stage::Alpha), phase: Phase::Active, release: Some(release) };
    };
    let phase = Phase::of(metadata.status(), metadata.milestone(), release);
    let stage = metadata.stage().filter(|_| phase != Phase::Provisional);
    Target { stage, phase, release: metadata.milestone().filter(|milestone| !milestone.is_unknown()) }
}

fn sort(diagnostics: &mut [Diagnostic], files: &[Arc<SourceFile>]) {
    let path = |diagnostic: &Diagnostic| files.get(diagnostic.span.file.index()).map(|file| file.path.as_str());
    // Findings of one rule at one place stay in the template's order.
    let key = |diagnostic: &Diagnostic| (diagnostic.span.start, diagnostic.rule);
    diagnostics.sort_by(|one, other| (path(one), key(one)).cmp(&(path(other), key(other))));
}
