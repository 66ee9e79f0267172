//! A promotion of a KEP of a project, with the sections that its new stage requires: what changes, before it is written.

use crate::authoring::promotion::{self, Goal, Promotion, Request, ReviewText};
use crate::authoring::upgrade;
use crate::diagnostic::script::Script;
use crate::diagnostic::{Failure, Safety};
use crate::fix::{Fixed, fix};
use crate::kep::Kep;
use crate::kep::texts::Texts;
use crate::lint::Options;
use crate::lint::ignoring::IgnoreComments;
use crate::lint::report::KepReport;
use crate::ready::calendar::on_day;
use crate::ready::calendar::schedule::Time;
use crate::repository::Repository;
use crate::rules::levels::Levels;
use crate::rules::rule::Rule;
use crate::rules::select;
use crate::source::SourceFile;
use crate::stage::release::Meant;
use crate::workspace::directory::KepDirectory;
use crate::workspace::project::Project;
use std::sync::Arc;

pub struct Promoted {
    /// What changes in kep.yaml and in the PRR file, and what the author should know.
    pub promotion: Promotion,
    /// The KEP before it, and after it, with all that is inserted into the README.
    pub fixed: Fixed,
    pub texts: Texts,
    /// The release that the KEP is promoted in.
    pub meant: Meant,
}

/// Makes these the options by which a project finds what a promotion inserts: what a stage requires is inserted even if it is
/// not reported.
pub fn prepare(options: &mut Options) {
    options.config.levels = Levels::default();
    options.config.overrides.clear();
    options.ignores = IgnoreComments::Disregarded;
}

impl Promoted {
    /// The KEP with these texts in `directory` at its goal, or why it cannot be promoted. It may go from alpha to stable if it
    /// `skips_beta`. The project has options that [`prepare`] made, and knows the new PRR file afterwards.
    pub fn of(
        project: &mut Project,
        directory: &KepDirectory,
        texts: Texts,
        goal: Goal,
        skips_beta: bool,
        now: Time,
    ) -> Result<Self, Failure> {
        let repository = project.repositories.of(directory).clone();
        let mut kep = Kep::parse(texts.clone());
        repository.attach_reviews(&mut kep);
        let stage = if let Goal::Stage(stage) = goal { Some(stage) } else { None };
        let metadata = kep.metadata.as_ref();
        let meant = project.terms.options.release_written(&repository, metadata, stage, on_day(now))?;
        let (release, today) = (meant.release, now.date()?);
        project.terms.options.release = Some(release);
        let request = Request { goal, release, skips_beta, today, repository: &repository };
        let mut promotion = promotion::promote(&kep, &request)?;
        promotion.notes.extend(meant.plan());
        let texts_after = with_metadata(&texts, &promotion);
        *project.repositories.of_mut(directory) = with_review(repository, promotion.review.as_ref());
        let repository_after = project.repositories.of(directory);
        let env = project.env();
        let lint = |version: &Texts| with_fixes_of(goal, env.lint_whole(version, repository_after), version);
        let mut fixed = fix(&texts_after, Safety::Unsafe, &lint);
        fixed.before.files.clone_from(&texts.files);
        let run = project.join(vec![Ok(fixed.after.clone().reduced())]);
        if let Some(failure) = run.failures.into_iter().next() {
            return Err(failure);
        }
        if matches!(goal, Goal::Stage(_)) {
            promotion.notes.extend(promotion::left_out(&fixed.after));
            let kep_promoted = Kep::parse(Texts { files: fixed.after.files.clone(), ..texts_after });
            let templates = project.templates();
            let template = templates.for_keps_of(project.repositories.of(directory));
            promotion.notes.extend(upgrade::offer(&kep_promoted, template));
        }
        Ok(Self { promotion, fixed, texts, meant })
    }
}

fn with_metadata(texts: &Texts, promotion: &Promotion) -> Texts {
    let mut texts = texts.clone();
    let metadata = texts.metadata.file().and_then(|file| texts.files.get_mut(file.index()));
    if let Some(file) = metadata {
        *file = Arc::new(SourceFile::decode(file.path.as_str(), promotion.metadata.clone().into_bytes()));
    }
    texts
}

fn with_review(mut repository: Repository, review: Option<&ReviewText>) -> Repository {
    let Some(ReviewText { sig, name, path, text, .. }) = review else { return repository };
    for files in repository.reviews.iter_mut().flat_map(|reviews| reviews.values_mut()) {
        files.retain(|known| known.sig != *sig || known.name != *name);
    }
    let file = SourceFile::decode(path.as_str(), text.clone().into_bytes());
    repository.add_review(sig.clone(), name.clone(), file);
    repository
}

/// A report in which only the README has fixes, and only those that belong to the promotion: to a stage,
/// those that insert what is missing, and those of the table of contents.
fn with_fixes_of(goal: Goal, mut report: KepReport, texts: &Texts) -> KepReport {
    let readme = texts.readme.file();
    let is_part = |rule: &Rule| rule.is_gap || rule.upstream.contains(&Script::Toc);
    for finding in &mut report.diagnostics {
        let is_wanted = matches!(goal, Goal::Stage(_)) && select::rule_named(finding.rule).is_some_and(is_part);
        finding.fix.take_if(|fix| !is_wanted || fix.edits.iter().any(|edit| Some(edit.span.file) != readme));
    }
    report
}
