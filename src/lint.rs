//! The façade: texts, template and options in, findings out. Pure and total.

use crate::diagnostic::{Diagnostic, Severity};
use crate::gap;
use crate::kep::{Kep, Texts};
use crate::markdown::anchor::{AnchorSet, anchor_hashes};
use crate::matching::Matching;
use crate::repository::Repository;
use crate::requirement::{self, Target};
use crate::rules::beyond::{self, OutgoingLinks};
use crate::rules::context::{Ctx, Readme};
use crate::rules::select::Selection;
use crate::rules::{run, sink};
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::{Phase, Release, Stage};
use crate::template::Template;
use std::collections::{BTreeMap, BTreeSet};

/// What a run is asked to do with each KEP.
#[derive(Clone, Debug)]
pub struct Options {
    /// The stage to hold every KEP to, instead of its own.
    pub stage: Option<Stage>,
    /// The release in the making.
    pub release: Release,
    /// Which rules run.
    pub selection: Selection,
    /// How many findings are listed.
    pub listing: Listing,
}

/// How many findings of one rule in one file are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listing {
    /// As many as anybody reads; the others are counted.
    #[default]
    Short,
    /// All, to be fixed; [`KepReport::fold`] makes it short.
    Whole,
}

impl Default for Options {
    fn default() -> Self {
        Self { stage: None, release: Release::CURRENT, selection: Selection::default(), listing: Listing::Short }
    }
}

/// What linting one KEP, or one template, gave.
#[derive(Clone, Debug, Default)]
pub struct KepReport {
    /// The KEP's directory as given on the command line plus the rest; none for a template.
    pub kep: Option<String>,
    /// The files that spans point into: `FileId(n)` is `files[n]`.
    pub files: Vec<SourceFile>,
    /// How many of them are README.md or kep.yaml.
    pub documents: usize,
    /// What the KEP was held to; none for a template.
    pub target: Option<Target>,
    /// The findings, by path, offset and rule.
    pub diagnostics: Vec<Diagnostic>,
    /// Files that are nested too deep to be read whole.
    pub too_deep: Vec<FileId>,
    /// Its Markdown files by their path from `keps` on, and the places that links to them may name.
    pub pages: Vec<(String, AnchorSet)>,
    /// Its links to places in the documents of other KEPs.
    pub outgoing: OutgoingLinks,
}

impl KepReport {
    /// Lists as many findings as anybody reads, and counts the others.
    pub fn fold(&mut self) {
        sink::fold(&mut self.diagnostics);
        sort(&mut self.diagnostics, &self.files);
    }

    /// Drops the texts that no finding and no link to another KEP points into, so that a run needs memory for what it
    /// found and not for what it read.
    pub fn drop_unused_texts(&mut self) {
        let found = self.diagnostics.iter().flat_map(Diagnostic::spans);
        let used: BTreeSet<FileId> =
            found.chain(self.outgoing.links.iter().map(|link| link.span)).map(|span| span.file).collect();
        for (_, file) in (0..).map(FileId::at).zip(&mut self.files).filter(|(id, _)| !used.contains(id)) {
            *file = SourceFile::decode(std::mem::take(&mut file.path), Vec::new());
        }
    }
}

/// The outcome of a run over many KEPs, by path.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// One report a KEP; a template's own comes first.
    pub reports: Vec<KepReport>,
}

/// Lints one KEP of `repository`.
pub fn lint(texts: Texts, template: &Template, repository: &Repository, options: &Options) -> KepReport {
    let mut kep = Kep::parse(texts);
    repository.hand_reviews(&mut kep);
    let target = target(&kep, options);
    let due = requirement::due(template, &target);
    let text = kep.texts.readme.map(|file| kep.texts.file(file).text.as_str()).unwrap_or_default();
    let matching = kep.readme.as_ref().map(|document| Matching::new(template, document, text));
    let parsed = kep.readme.as_ref().zip(matching.as_ref());
    let gaps = parsed.map(|(document, matching)| gap::find(template, document, text, matching, &due));
    let readme = parsed.zip(gaps.as_deref());
    let readme = readme.map(|((document, matching), gaps)| Readme { document, text, matching, gaps });
    let ctx = Ctx { kep: &kep, readme, template, repository, target, current: options.release, due: &due };
    let mut diagnostics = run::run(&ctx, &options.selection);
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
    let documents = usize::from(kep.texts.readme.is_some()) + usize::from(kep.texts.metadata.is_some());
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
pub fn lint_template(template: &Template, severity: Severity, options: &Options) -> KepReport {
    let files = vec![template.file.clone()];
    let mut diagnostics = run::run_template(template, severity, &options.selection);
    sort(&mut diagnostics, &files);
    KepReport { files, diagnostics, ..KepReport::default() }
}

/// Checks what belongs to no single KEP: aliases, and PRR files without a KEP.
pub fn lint_repository(repository: &Repository, options: &Options) -> Vec<KepReport> {
    let found = beyond::run_repository(repository, &options.selection);
    let report =
        |(file, diagnostic)| KepReport { files: vec![file], diagnostics: vec![diagnostic], ..KepReport::default() };
    found.into_iter().map(report).collect()
}

/// Checks links from one KEP to a place in another's document, now that all of them are known.
pub fn lint_links(reports: &mut [KepReport]) {
    let links: Vec<OutgoingLinks> = reports.iter_mut().map(|report| std::mem::take(&mut report.outgoing)).collect();
    let wanted: BTreeSet<&str> = links.iter().flat_map(|links| &links.links).map(|link| link.path.as_str()).collect();
    let pages = reports.iter_mut().flat_map(|report| std::mem::take(&mut report.pages));
    let pages: Vec<(String, AnchorSet)> = pages.filter(|(path, _)| wanted.contains(path.as_str())).collect();
    let known: BTreeMap<&str, &AnchorSet> = pages.iter().map(|(path, anchors)| (path.as_str(), anchors)).collect();
    for (report, links) in reports.iter_mut().zip(links) {
        links.report(&known, &mut report.diagnostics);
        report.fold();
    }
}

fn target(kep: &Kep, options: &Options) -> Target {
    if let Some(stage) = options.stage {
        return Target { stage: Some(stage), phase: Phase::Active, release: Some(options.release) };
    }
    let Some(metadata) = &kep.metadata else {
        return Target { stage: Some(Stage::Alpha), phase: Phase::Active, release: Some(options.release) };
    };
    let phase = Phase::of(metadata.status(), metadata.milestone(), options.release);
    let stage = metadata.stage().filter(|_| phase != Phase::Provisional);
    Target { stage, phase, release: metadata.milestone().filter(|milestone| !milestone.is_unknown()) }
}

fn sort(diagnostics: &mut [Diagnostic], files: &[SourceFile]) {
    let path = |diagnostic: &Diagnostic| files.get(diagnostic.span.file.index()).map(|file| file.path.as_str());
    // Findings of one rule at one place stay in the template's order.
    let key = |diagnostic: &Diagnostic| (diagnostic.span.start, diagnostic.rule);
    diagnostics.sort_by(|one, other| (path(one), key(one)).cmp(&(path(other), key(other))));
}
