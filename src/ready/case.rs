//! What the items look at: a KEP, the stage and release that are asked about, and what rules find.
use super::answer::{Answer, Detail, Lines, Place};
use super::past::{Approvals, Past};
use crate::diagnostic::{Diagnostic, Severity};
use crate::gap::Gap;
use crate::kep::directory::PROD_READINESS;
use crate::kep::filter::Handle;
use crate::kep::layout::TREE;
use crate::kep::metadata::Metadata;
use crate::kep::review::Review;
use crate::kep::texts::{Slot, Texts};
use crate::repository::ReviewFile;
use crate::rules::context::Ctx;
use crate::span::{FileId, Span};
use crate::stage::{Release, Stage};
use crate::template::TemplateId;

#[derive(Clone, Copy)]
pub struct Open<'a> {
    /// Those that change the KEP, by their numbers, with what they change of the files that must be settled, if they do.
    pub pulls: &'a [(u64, Option<String>)],
    /// The one of the list that the KEP is judged in, which is no other one.
    pub own: Option<u64>,
    /// The numbers of those of which not all files are known, so that they may change it.
    pub unclear: &'a [u64],
    pub count: usize,
    pub is_cut: bool,
}

#[derive(Clone, Copy, Default)]
pub struct Ask<'a> {
    /// The stage; `None` for the one in kep.yaml.
    pub stage: Option<Stage>,
    pub release: Release,
    pub is_strict: bool,
    /// What was merged before the pull request whose files are judged; `None` for files that are merged.
    pub proposed: Option<&'a Proposed>,
    /// When PRR approvers were named; `None` if no history is known.
    pub approvals: Option<&'a Approvals<'a>>,
    pub has_questions: bool,
    /// The open pull requests; `None` if nobody gave a list of them.
    pub open: Option<Open<'a>>,
}

impl Ask<'_> {
    pub fn merged(stage: Option<Stage>, release: Release) -> Self {
        Self { stage, release, ..Self::default() }
    }
}

pub struct Case<'a> {
    pub ctx: &'a Ctx<'a>,
    /// Its stage is that of kep.yaml, if the question names none.
    pub ask: Ask<'a>,
    /// What the rules of all items find, whatever the phase of the KEP.
    pub findings: &'a [Diagnostic],
    /// What the answers of the PRR questionnaire are compared with, if they are.
    pub past: Option<&'a Past>,
}

impl<'a> Case<'a> {
    pub fn metadata(&self) -> Option<&'a Metadata> {
        self.ctx.kep.metadata.as_ref()
    }

    pub fn found(&self, rules: &'a [&str]) -> impl Iterator<Item = &'a Diagnostic> {
        self.findings.iter().filter(|finding| rules.contains(&finding.rule))
    }

    /// Whether a finding says that another KEP has the number, too, and the PRR file is that of this KEP.
    pub fn is_shared_number(&self, finding: &Diagnostic) -> bool {
        finding.rule == "kep-number-mismatch" && finding.severity < Severity::Error && self.ctx.kep.review.is_some()
    }

    pub fn place(&self, span: Span) -> Place {
        let file = self.ctx.kep.texts.file(span.file);
        self.place_in(&file.path, file.position(span.start).line)
    }

    pub fn place_in(&self, path: &str, line: usize) -> Place {
        Place { path: from_root(&self.ctx.kep.texts, path), line, given: path.to_owned() }
    }

    pub fn lines(&self, path: &str, text: impl Into<String>) -> Lines {
        Lines { path: from_root(&self.ctx.kep.texts, path), text: text.into(), given: path.to_owned() }
    }

    pub fn detail(&self, finding: &Diagnostic) -> Detail {
        let section = finding.section.clone().or_else(|| self.ctx.section_at(finding.span));
        Detail {
            chapter: section.and_then(|section| section.into_iter().next()),
            count: finding.covers.len().max(finding.count),
            words: finding.message.clone(),
            place: Some(self.place(finding.span)),
            help: finding.help.clone(),
        }
    }

    /// What is not met by what rules find: the first of these findings in words, and all of them as its parts.
    pub fn refused(&self, findings: &[&Diagnostic]) -> Option<Answer> {
        let first = findings.first()?;
        let answer = Answer::not_met(first.message.as_str()).at(self.place(first.span));
        Some(answer.with(findings.iter().map(|finding| self.detail(finding))))
    }

    /// The gap that the section `id`, or a section below it, is or is a part of.
    pub fn gap(&self, id: TemplateId) -> Option<&'a Gap> {
        let template = self.ctx.template;
        let is_inside = |other: TemplateId| other == id || template.ancestors(other).any(|around| around == id);
        let gaps = self.ctx.readme.map(|readme| readme.gaps()).unwrap_or_default();
        gaps.iter().find(|gap| is_inside(gap.section) || gap.covers.iter().any(|covered| is_inside(*covered)))
    }

    pub fn is_required(&self, id: TemplateId) -> bool {
        self.ctx.requirements.iter().any(|requirement| requirement.section == id)
    }

    pub fn title(&self, id: TemplateId) -> &'a str {
        &self.ctx.template.get(id).title.text
    }

    /// Whether the KEP is at a later stage: nobody takes it back to the one that is asked about.
    pub fn has_passed(&self) -> bool {
        let stage = self.metadata().and_then(Metadata::stage);
        stage.zip(self.ask.stage).is_some_and(|(stage, target)| stage > target)
    }
}

/// A path of the KEP or of its PRR file from the root of the repository on, for readers elsewhere.
pub fn from_root(texts: &Texts, path: &str) -> String {
    if let (Some(tree), Some(rest)) = (&texts.tree_path, path.strip_prefix(&texts.directory))
        && (rest.is_empty() || rest.starts_with('/'))
    {
        return format!("{tree}{rest}");
    }
    match path.rsplit_once(PROD_READINESS) {
        Some((_, rest)) if rest.starts_with('/') => format!("{TREE}/{PROD_READINESS}{rest}"),
        _ => path.to_owned(),
    }
}

/// Why there is no text of the file of this name.
pub fn unread(slot: Slot, name: &str) -> String {
    let why = if slot == Slot::Unreadable { "cannot be read" } else { "is missing" };
    format!("{name} {why}")
}

/// Whom a PRR file names as approver of `stage`.
pub fn approver(review: &Review, stage: Stage) -> Option<Handle> {
    Handle::of(&review.approval(stage)?.approver.as_ref()?.text)
}

#[derive(Clone, Debug, Default)]
pub struct Proposed {
    /// The PRR file where the pull request began.
    merged: Option<Review>,
    /// The KEP's number and PRR files as the pull request has them; `None` if the repository has them.
    pub reviews: Option<(String, Vec<ReviewFile>)>,
}

impl Proposed {
    /// What a pull request proposes that began with this `review`, the text of the PRR file.
    pub fn after(review: &str) -> Self {
        Self { merged: Some(Review::parse(FileId(0), review)), reviews: None }
    }

    /// Whether the approver of this `name` was named for `stage` before.
    pub fn is_merged(&self, stage: Stage, name: &str) -> bool {
        let merged = self.merged.as_ref().and_then(|review| approver(review, stage));
        merged.is_some() && merged == Handle::of(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approver_who_was_named_before_is_not_asked_again() {
        let proposed = Proposed::after("kep-number: 1\nalpha:\n  approver: \"@ann\"\nbeta:\n  approver: TBD\n");
        assert!(proposed.is_merged(Stage::Alpha, "Ann"));
        assert!(!proposed.is_merged(Stage::Beta, "ann") && !proposed.is_merged(Stage::Alpha, "bob"));
        assert!(!Proposed::default().is_merged(Stage::Alpha, "ann"));
    }
}
