//! The entry point of the library: takes a template, repositories and KEPs, and returns findings and failures. It does
//! no input or output, and never fails as a whole.
//!
//! A program asks [`Env::lint_kep`] about each KEP, and [`join`] for what all of them say together: the one place that
//! knows the order of the steps. `src/embedding.md` shows how.

pub mod about;
pub mod baseline;
pub mod changes;
pub mod conditions;
mod fingerprint;
pub mod ignoring;
pub mod links;
pub mod origin;
pub mod panics;
pub mod prepared;
pub mod report;
pub mod templates;

use self::about::About;
use self::baseline::Baseline;
use self::conditions::{Conditions, RenamedHeading};
use self::fingerprint::Names;
use self::ignoring::IgnoreComments;
use self::links::{Documents, Known};
use self::origin::{Since, TemplateOrigin};
use self::prepared::Prepared;
use self::report::{Checked, KepReport, keep_most_severe};
use self::templates::Templates;
use crate::bounds;
use crate::config::values::Config;
use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::kep::Kep;
use crate::kep::layout::Layout;
use crate::kep::metadata::Metadata;
use crate::kep::texts::Texts;
use crate::repository::Repository;
use crate::requirement::{self, Question, Scope};
use crate::rules::ALL;
use crate::rules::cause::rule_about;
use crate::rules::judge;
use crate::rules::preset::Preset;
use crate::rules::rule::{Check, Rule};
use crate::rules::run::{self as rules, Found, OutgoingLinks, is_for};
use crate::rules::select::{self, Selection};
use crate::source::SourceFile;
use crate::stage::release::{self, Meant, OnDay, is_far, last_planned};
use crate::stage::{Release, Stage};
use crate::suppress::Ignores;
use crate::template::Template;
use std::sync::Arc;

/// How each KEP of a run is checked.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The stage that every KEP is checked against, instead of its own.
    pub stage: Option<Stage>,
    /// The release under development; by default the one that the KEPs of the repository name, or else the
    /// built-in one.
    pub release: Option<Release>,
    /// What the days of the releases say of today, if KEPs are named: a stage ahead of theirs is planned now.
    pub today: Option<OnDay>,
    /// The rules to run.
    pub selection: Selection,
    /// The levels of rules, and the release.
    pub config: Config,
    /// The findings of an earlier version, which are not reported again.
    pub baseline: Option<Arc<Baseline>>,
    /// Whether the ignores in the files of KEPs count.
    pub ignores: IgnoreComments,
    /// Which sections of the template are asked for.
    pub scope: Scope,
    /// Whether only rules run that find errors in some phase. No error yields to what the others find.
    pub errors_only: bool,
}

impl Options {
    /// The release that KEPs of a repository are checked against.
    pub fn release_meant(&self, repository: Option<&Repository>) -> Meant {
        release::meant(&self.question(repository))
    }

    /// The release that a KEP is planned for `today`, at its own stage or at a later one: its milestones may be later.
    pub fn release_planned(
        &self,
        repository: &Repository,
        metadata: Option<&Metadata>,
        stage: Option<Stage>,
        today: Option<OnDay>,
    ) -> Meant {
        let own = metadata.and_then(Metadata::milestone);
        let ahead = metadata.zip(stage).and_then(|(metadata, stage)| metadata.milestone_ahead(stage));
        release::meant(&release::Question { own, ahead, today, ..self.question(Some(repository)) })
    }

    /// The release that a question about one KEP means. A stage ahead of its own is planned `today`.
    pub fn release_asked(
        &self,
        repository: &Repository,
        metadata: Option<&Metadata>,
        stage: Option<Stage>,
        today: Option<OnDay>,
    ) -> Meant {
        let own = metadata.and_then(Metadata::stage);
        let is_ahead = own.is_some_and(|own| stage.is_some_and(|stage| stage > own));
        self.release_planned(repository, metadata, stage, today.filter(|_| is_ahead))
    }

    /// The release that a KEP is written for `today`. Fails for one that nobody plans for yet, which is most
    /// likely a slip.
    pub fn release_written(
        &self,
        repository: &Repository,
        metadata: Option<&Metadata>,
        stage: Option<Stage>,
        today: OnDay,
    ) -> Result<Meant, Failure> {
        let written = self.release_planned(repository, metadata, stage, Some(today));
        let question = release::Question { given: None, ..self.question(Some(repository)) };
        let current = release::meant(&question).release;
        let last = last_planned(current);
        let is_far = |release: &Release| is_far(*release, current, written.is_kubernetes);
        if is_far(&written.release) {
            let failure = Failure::new(format!("{} is long after {current}", written.release));
            return Err(failure.help(format!("use {last} or an earlier release")));
        }
        if let Some(latest) = metadata.and_then(Metadata::milestone).filter(is_far) {
            let failure = Failure::new(format!("`latest-milestone` is {latest}, long after {current}"));
            return Err(failure.help(format!("write {last} or an earlier release in kep.yaml")));
        }
        Ok(written)
    }

    /// What a KEP of a repository is asked.
    pub fn question_about(&self, kep: &Kep, repository: &Repository) -> Question {
        let planned = self.release_asked(repository, kep.metadata.as_ref(), self.stage, self.today);
        Question {
            stage: self.stage,
            release: self.release_meant(Some(repository)).release,
            planned: if planned.is_known(repository.layout.is_of_keps()) { Some(planned.release) } else { None },
            is_readiness: false,
            scope: self.scope,
        }
    }

    fn question<'a>(&self, repository: Option<&'a Repository>) -> release::Question<'a> {
        release::Question {
            given: self.release,
            configured: self.config.release.as_ref().map(|setting| setting.value),
            told: repository.map(|repository| &repository.told),
            is_kubernetes: repository.is_some_and(Repository::has_releases_of_kubernetes),
            own: None,
            ahead: None,
            today: None,
        }
    }

    fn selection_of_files(&self) -> Selection {
        self.selection.with_levels(self.config.levels.clone())
    }

    pub(crate) fn selection_of(&self, kep: &Kep) -> Selection {
        self.selection.with_levels(self.config.levels_for(kep))
    }
}

/// What the KEPs of a run have in common.
pub struct Env<'a> {
    options: &'a Options,
    repositories: Vec<&'a Repository>,
    templates: Templates<'a>,
}

impl<'a> Env<'a> {
    /// KEPs of these repositories, which are checked against these templates.
    pub fn new(templates: Templates<'a>, repositories: Vec<&'a Repository>, options: &'a Options) -> Self {
        // Upstream's scripts require no sections, so that it is no failure if a template cannot be used.
        let is_upstream = options.selection.preset == Preset::Upstream;
        let templates = if is_upstream { templates.without_own() } else { templates };
        Self { options, repositories, templates }
    }

    /// What a run keeps of the findings of one KEP of `repository`.
    pub fn lint_kep(&self, texts: &Texts, repository: &Repository) -> KepReport {
        self.lint_whole(texts, repository).reduced()
    }

    /// All findings of a KEP of `repository`, with all its texts, as fixes need them.
    pub fn lint_whole(&self, texts: &Texts, repository: &Repository) -> KepReport {
        let template = self.templates.for_document(texts.tree_path.as_deref(), repository);
        lint_whole(texts, template, repository, self.options)
    }
}

/// The result of a run over many KEPs, ordered by path.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Run {
    /// A report for each KEP, after those of the template and of the repositories' other files.
    pub reports: Vec<KepReport>,
    /// What could not be read or done.
    pub failures: Vec<Failure>,
    /// The rules that ran.
    pub rules: Vec<&'static str>,
    /// The version of kep-lint.
    pub version: &'static str,
    /// The release that they are checked against, and why.
    pub meant: Meant,
    /// What the KEPs are compared with, if only changed ones are checked.
    pub since: Option<Since>,
    /// Where the template comes from; that of the first repository, if there are several.
    pub template: TemplateOrigin,
    /// What makes the run less strict than the defaults.
    pub conditions: Conditions,
    /// How the proposals lie.
    pub layout: Layout,
}

impl Default for Run {
    /// A run without input.
    fn default() -> Self {
        Self::new(&Options::default(), None)
    }
}

impl Run {
    /// Whether a release is known; the one that is built in is of Kubernetes.
    pub fn knows_release(&self) -> bool {
        self.meant.is_known(self.layout.is_of_keps())
    }

    /// A run that has found nothing yet.
    pub fn new(options: &Options, repository: Option<&Repository>) -> Self {
        let layout = &options.config.layout;
        Self {
            reports: Vec::new(),
            failures: Vec::new(),
            rules: options.selection.rules().filter(|rule| is_for(rule, layout)).map(|rule| rule.name).collect(),
            version: env!("CARGO_PKG_VERSION"),
            meant: options.release_meant(repository),
            since: None,
            template: TemplateOrigin::BuiltIn,
            conditions: Conditions::default(),
            layout: layout.clone(),
        }
    }
}

/// The run that the `reports` on all its KEPs make, with the findings that need several KEPs. `documents` are those that
/// [`links::missing_documents`] names.
pub fn join(reports: Vec<Checked>, documents: &Documents, env: &Env<'_>) -> Run {
    let mut run = join_whole(reports, documents, env);
    keep_most_severe(run.reports.iter_mut(), bounds::FINDINGS_OF_RUN);
    run.failures.splice(0..0, report::unlisted_failure(&run.reports));
    run
}

/// The findings of a run, which a later run does not have to report again: all of them, however many there
/// are.
pub fn baseline(reports: Vec<Checked>, documents: &Documents, env: &Env<'_>) -> Baseline {
    let mut known = Baseline::new(env.options.selection_of_files());
    for report in join_whole(reports, documents, env).reports {
        known.add(&report.names, report.target, &report.diagnostics);
    }
    known
}

fn join_whole(reports: Vec<Checked>, documents: &Documents, env: &Env<'_>) -> Run {
    let Env { options, repositories, templates } = env;
    let first = repositories.first().copied();
    let mut run = Run { template: templates.origin(first), ..Run::new(options, first) };
    run.failures.extend_from_slice(&templates.failures);
    for template in templates.of_others() {
        run.conditions.renamed.extend(RenamedHeading::of(template));
        let report = lint_template(template, Severity::Warning, options);
        if !report.diagnostics.is_empty() || report.ignored > 0 {
            run.reports.push(report);
        }
    }
    for repository in repositories {
        run.reports.extend(lint_repository(repository, options));
    }
    for report in reports {
        match report {
            Ok(report) => run.reports.push(report),
            Err(failure) => run.failures.push(failure),
        }
    }
    run.reports.iter_mut().for_each(|report| run.failures.append(&mut report.failures));
    lint_links(&mut run.reports, documents, options);
    run
}

/// Checks only a template.
pub fn run_template(template: &Template, options: &Options) -> Run {
    let reports = vec![lint_template(template, Severity::Error, options)];
    Run { reports, template: TemplateOrigin::of(template), ..Run::new(options, None) }
}

/// Lints one KEP of `repository`, for an editor.
pub fn lint(texts: &Texts, template: &Template, repository: &Repository, options: &Options) -> KepReport {
    let mut report = lint_whole(texts, template, repository, options);
    report.fold();
    report
}

/// Lints one KEP of `repository`. All findings are listed, as fixes need them.
pub fn lint_whole(texts: &Texts, template: &Template, repository: &Repository, options: &Options) -> KepReport {
    let mut kep = Kep::parse(texts.clone());
    repository.attach_reviews(&mut kep);
    lint_prepared(&mut prepare(kep, template, repository, options), options)
}

/// Prepares a KEP, which has its PRR files, to be linted.
pub fn prepare<'a>(kep: Kep, template: &'a Template, repository: &'a Repository, options: &Options) -> Prepared<'a> {
    let question = options.question_about(&kep, repository);
    let preset = options.selection_of(&kep).preset;
    Prepared::new(kep, template, repository, question, preset)
}

/// Lints a KEP that is prepared with the same options.
pub fn lint_prepared(prepared: &mut Prepared<'_>, options: &Options) -> KepReport {
    let selection = options.selection_of(&prepared.kep);
    let (preset, repository) = (selection.preset, prepared.repository);
    mark_unnamed(prepared, &selection);
    let (ctx, target) = (prepared.ctx(), prepared.target);
    let kep = ctx.kep;
    let is_kep = !kep.texts.is_loose;
    let mut report = KepReport {
        about: is_kep.then(|| About::of(kep, ctx.current, requirement::count(&prepared.requirements))),
        names: Names::of(kep, repository),
        layout: kep.texts.layout.clone(),
        kep: is_kep.then(|| kep.texts.directory.clone()),
        files: kep.texts.files.clone(),
        failures: kep.unread().collect(),
        pages: ctx.pages().filter_map(|page| Some((page.tree_path()?, page.anchors().clone()))).collect(),
        status: kep.metadata.as_ref().and_then(|metadata| Some((kep.texts.tree_path.clone()?, metadata.status()?))),
        ..KepReport::default()
    };
    let is_past = options.stage.is_some_and(|stage| kep.texts.is_searched && target.is_past(stage));
    if is_past && preset != Preset::Upstream {
        report.is_left_out = true;
        return report;
    }
    report.documents = kep.texts.files.len();
    report.target = is_kep.then_some(target);
    report.ignores = options.ignores.of(kep);
    report.ignores.follow(ctx.template);
    report.failures.extend(report.ignores.unread(&report.files));
    let is_wanted = |rule: &&Rule| !options.errors_only || rule.can_be_error();
    let Found { mut diagnostics, silenced, lowered } = rules::run(ALL.iter().filter(is_wanted), &ctx, &selection);
    (report.silenced, report.lowered) = (silenced, lowered);
    let outgoing = OutgoingLinks::of(&ctx, &selection);
    if !report.ignores.is_empty() {
        let knows_all = options.ignores == IgnoreComments::Honored && judge::knows_all(&ctx, &selection, &diagnostics);
        report.silence(&mut diagnostics);
        diagnostics.extend(judge::run(&report.ignores, &ctx, &selection, &outgoing, knows_all));
    }
    rules::drop_yielding(&mut diagnostics);
    report.add(diagnostics, options.baseline.as_deref());
    report.outgoing = outgoing;
    report
}

/// Marks the hidden headings of which no rule of the run says what hides them.
fn mark_unnamed(prepared: &mut Prepared<'_>, selection: &Selection) {
    let target = prepared.target;
    for hidden in prepared.kep.readme.iter_mut().flat_map(|readme| &mut readme.hidden) {
        let rule = select::rule_named(rule_about(hidden.by));
        hidden.is_named = rule.is_some_and(|rule| selection.severity(rule, &target).is_some());
    }
}

/// Checks a template's directives: `severity` is error if only the template is linted, else warning.
fn lint_template(template: &Template, severity: Severity, options: &Options) -> KepReport {
    let diagnostics = rules::run_template(template, severity, &options.selection_of_files(), &options.config.layout);
    report_on_file(Arc::clone(&template.document.source), None, diagnostics, options, |rule| {
        rule.checks.iter().any(|check| matches!(check, Check::Template(_)))
    })
}

/// Checks the files that belong to no single KEP: `OWNERS_ALIASES`, and PRR files without a KEP.
fn lint_repository(repository: &Repository, options: &Options) -> Vec<KepReport> {
    let (all, selection) = (repository.shared_files(), options.selection_of_files());
    let by_path = all.chunk_by(|one, other| one.source.path == other.source.path);
    let reports = by_path.filter_map(|files| {
        let diagnostics = rules::run_shared(files, repository, &selection);
        if diagnostics.is_empty() {
            return None;
        }
        let source = Arc::clone(&files.first()?.source);
        // Which ignores are unused is not known: a PRR file that has a KEP is also checked with that.
        Some(report_on_file(source, Some(repository), diagnostics, options, |_| false))
    });
    reports.collect()
}

fn report_on_file(
    file: Arc<SourceFile>,
    repository: Option<&Repository>,
    mut diagnostics: Vec<Diagnostic>,
    options: &Options,
    is_checked: fn(&Rule) -> bool,
) -> KepReport {
    let mut report = KepReport {
        names: Names::of_no_kep(repository, &file),
        layout: options.config.layout.clone(),
        ignores: options.ignores.of_file(&file),
        files: vec![file],
        ..KepReport::default()
    };
    report.failures.extend(report.ignores.unread(&report.files));
    report.silence(&mut diagnostics);
    diagnostics.extend(judge::run_files(&report.ignores, &report.files, &options.selection_of_files(), is_checked));
    report.add(diagnostics, options.baseline.as_deref());
    report.fold();
    report
}

/// Checks links to anchors in documents of other KEPs, and the KEPs that a KEP replaces. This needs all KEPs.
fn lint_links(reports: &mut [KepReport], documents: &Documents, options: &Options) {
    let known = Known::of(reports, documents);
    for report in reports {
        let outgoing = std::mem::take(&mut report.outgoing);
        let mut late = rules::run_outgoing(&outgoing, &known.pages, &known.statuses);
        report.silence(&mut late);
        report.add(late, options.baseline.as_deref());
        report.fold();
        report.ignores = Ignores::default();
        if !outgoing.links.is_empty() || !outgoing.replaced.is_empty() {
            report.drop_unused_texts();
        }
    }
}
