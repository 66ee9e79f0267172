//! What a KEP is checked against: its stage and phase, and the sections that the template requires for them.

use crate::diagnostic::{RequiredFrom, Severity};
use crate::kep::Kep;
use crate::kep::layout::Own;
use crate::kep::layout::forms::{Rank, Since};
use crate::kep::metadata::Metadata;
use crate::kep::review::Review;
use crate::repository::Repository;
use crate::span::FileId;
use crate::stage::{Phase, Release, Stage, Status};
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId};
use crate::yaml::date::Date;

#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The stage that it is checked against; `None`: its own.
    pub stage: Option<Stage>,
    pub release: Release,
    /// The release that the KEP is planned for: its own latest milestone where that is later, or the release
    /// in which it can reach the given stage; `None` if no release is known.
    pub planned: Option<Release>,
    /// Whether it is asked if it is ready for both, whatever its kep.yaml says.
    pub is_readiness: bool,
    pub scope: Scope,
}

/// Which sections a KEP is asked for, and how certain their places must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Those that its stage requires, where their places are certain.
    #[default]
    Certain,
    /// The same, each at its likely place.
    Likely,
    /// All headings of the template, each at its likely place.
    Whole,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The stage whose sections are required; `None`: only sections required at every stage.
    pub stage: Option<Stage>,
    /// Decides the severity of findings. With a stage given by the user, it is active.
    pub phase: Phase,
    /// The phase that the KEP has without a stage given by the user.
    pub own_phase: Phase,
    pub release: Option<Release>,
    /// The release that a directive's `since` is compared with; `None`: sections with a `since` are not
    /// required.
    pub since: Option<Release>,
    /// Whether `since` counts; not where releases are not those of Kubernetes.
    pub has_since: bool,
    /// Whether sections that only the preset `strict` requires are required.
    pub is_strict: bool,
    pub own_stage: Option<Stage>,
    pub is_given: bool,
    /// The highest severity of a gap that only the repository's template asks to fill.
    pub asked: Severity,
    /// Whether the KEP is withdrawn in the release under development: its feature is removed, which needs
    /// neither a review nor a milestone of its own.
    pub is_withdrawal: bool,
    /// Whether the KEP is provisional, but somebody reviews it for the release under development, or did for
    /// the one before: it is checked as an implementable one, at lower levels.
    pub is_proposed: bool,
    /// Whether the stage is that of kep.yaml before the change that is checked, if there is one.
    pub is_settled: bool,
    /// Whether the status in kep.yaml is unknown, so that the KEP is treated as provisional.
    pub has_unknown_status: bool,
    pub lenience: Option<Lenience>,
    /// The stage and release that SIG Node's approvers are asked for; `None`: those of kep.yaml, as upstream
    /// does.
    pub lead_for: Option<(Stage, Release)>,
    pub scope: Scope,
    /// Whether it is a proposal that is no KEP.
    pub has_own_layout: bool,
    /// How far such a proposal is, by its status.
    pub rank: Option<Rank>,
    /// The first stage that its document names a release for. It has skipped those before.
    pub first: Option<Stage>,
    /// Whether such a proposal is from before the template.
    pub is_older: bool,
    /// Whether it does not say when it is from, where that matters.
    pub is_undated: bool,
}

/// Why gaps of an active KEP are no errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lenience {
    /// The feature is stable in a release that is out; only the status was not updated.
    Shipped,
    /// The feature is at its stage for more than three releases, and is not moved on now.
    Parked,
}

impl Target {
    pub fn of(kep: &Kep, repository: &Repository, question: Question) -> Self {
        let Question { stage, release, planned, is_readiness, scope } = question;
        let target = match &kep.metadata {
            _ if kep.has_no_status() => Self::without_status(kep, release),
            Some(metadata) => Self::own(metadata, kep, repository, release),
            None => Self::new(Some(Stage::Alpha), Phase::Active, Some(release)),
        };
        let target = match stage {
            Some(stage) => Self {
                own_phase: target.phase,
                own_stage: target.own_stage,
                is_given: true,
                is_withdrawal: target.is_withdrawal,
                lead_for: is_readiness.then_some((stage, release)),
                ..Self::new(Some(stage), Phase::Active, planned)
            },
            None => target,
        };
        // What later templates ask is not known yet.
        // Who writes a KEP now, or takes it to another stage, reads the headings of the template.
        let is_new = !target.is_settled && !repository.is_earlier;
        let asked = repository.sections.max(if is_new { Severity::Warning } else { Severity::Advice });
        let has_own_layout = !repository.layout.is_of_keps();
        let rank = repository.layout.own().and_then(|own| rank(kep, own));
        let first = kep.targets.iter().filter_map(|named| named.stage).min();
        let since = target.since.min(planned);
        let is_older = repository.layout.own().map_or(Some(false), |own| is_older(kep, own));
        let (is_older, is_undated) = (is_older == Some(true), is_older.is_none());
        let target = Self { has_own_layout, rank, first, is_older, is_undated, ..target };
        Self { has_since: repository.has_groups, since, asked, scope, ..target }
    }

    pub fn new(stage: Option<Stage>, phase: Phase, release: Option<Release>) -> Self {
        Self {
            stage,
            phase,
            own_phase: phase,
            release,
            since: release,
            has_since: true,
            own_stage: stage,
            is_settled: true,
            ..Self::default()
        }
    }

    fn own(metadata: &Metadata, kep: &Kep, repository: &Repository, current: Release) -> Self {
        let stage = metadata.stage();
        let known = |release: &Release| !release.is_unknown();
        let latest = metadata.milestone().filter(known);
        let begun = stage.and_then(|stage| metadata.milestone_of(stage)?.value).filter(known);
        let status = metadata.status();
        let phase = match Phase::of(status, latest.max(begun), current) {
            // Else it would be enough to touch kep.yaml of a stale KEP to make its old findings errors.
            Phase::Stale if kep.texts.change.is_some() => Phase::Active,
            // Where KEPs have no milestone, none can be behind.
            Phase::Stale if latest.max(begun).is_none() && repository.has_no_milestones() => Phase::Active,
            // Elsewhere, the status decides where no release is named.
            Phase::Stale if metadata.latest_milestone.is_none() && !kep.texts.layout.is_of_keps() => Phase::Active,
            phase => phase,
        };
        // What a change declares for the first time was not shipped before it.
        let change = kep.texts.change.as_ref();
        let is_new = change.is_some_and(|change| change.base.is_none());
        let was = change
            .and_then(|change| Some(kep.texts.layout.read_metadata(FileId(0), &change.base.as_ref()?.text)?.stage()));
        let is_settled = change.is_none() || was.is_some_and(|was| was == stage);
        let is_approved = stage.zip(kep.review.as_ref()).is_some_and(|(stage, review)| review.is_approved(stage));
        // A stage that was approved for an earlier release is not approved again for each new one.
        let passed = begun.filter(|begun| is_approved && latest.is_some_and(|latest| *begun < latest));
        let lenience = match (phase, stage, begun) {
            (Phase::Active, Some(Stage::Stable), Some(begun)) if begun < current && !is_new => Some(Lenience::Shipped),
            (Phase::Active, Some(_), Some(begun))
                if is_approved && !begun.is_fresh(current) && latest != Some(current) =>
            {
                Some(Lenience::Parked)
            }
            _ => None,
        };
        let is_recent = latest.is_some_and(|latest| latest.plus(1) >= current);
        let has_approver = kep.review.as_ref().is_some_and(Review::names_approver);
        let is_proposed = status == Some(Status::Provisional) && is_recent && has_approver;
        let required = if phase == Phase::Provisional && !is_proposed { None } else { stage };
        let has_unknown_status = status.is_none() && metadata.status.as_ref().is_some_and(|own| !own.text.is_empty());
        let since = passed.or(latest);
        let is_withdrawal = status == Some(Status::Withdrawn) && latest == Some(current);
        Self {
            own_stage: stage,
            since,
            is_withdrawal,
            is_proposed,
            is_settled,
            has_unknown_status,
            lenience,
            ..Self::new(required, phase, latest)
        }
    }

    /// Of a proposal that does not say what its status is: by the releases that its document names.
    fn without_status(kep: &Kep, current: Release) -> Self {
        let own = kep.texts.layout.own();
        let stage = kep.metadata.as_ref().and_then(Metadata::stage);
        let Some(newest) = kep.target(current) else {
            return Self::new(stage, own.map_or(Phase::Active, |own| own.without_status), None);
        };
        let is_stable = newest.stage == Some(Stage::Stable);
        let phase = match newest.release {
            release if is_stable && release < current => Phase::Implemented,
            release if release.plus(1) >= current => Phase::Active,
            _ if kep.texts.change.is_some() => Phase::Active,
            _ => Phase::Stale,
        };
        Self::new(newest.stage.or(stage), phase, Some(newest.release))
    }

    /// Whether the text of the KEP is only a record: its feature is stable, or is being removed, and not
    /// only since the change that is checked.
    pub fn is_record(&self) -> bool {
        let is_over = self.lenience == Some(Lenience::Shipped) || self.stage.is_some_and(Stage::is_removal);
        is_over && self.is_settled
    }

    pub fn given_stage(&self) -> Option<Stage> {
        if self.is_given { self.stage } else { None }
    }

    /// The release that a stage given by the user is planned for.
    pub fn given_release(&self) -> Option<Release> {
        self.release.filter(|_| self.is_given)
    }

    pub fn is_past(&self, stage: Stage) -> bool {
        matches!(self.own_phase, Phase::Implemented | Phase::Closed) || self.own_stage.is_some_and(|own| own > stage)
    }

    pub fn phases(&self) -> [Phase; 2] {
        [self.phase, self.own_phase]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    pub section: TemplateId,
    /// The highest severity of a finding about a gap in it.
    pub cap: Severity,
    pub stage: Option<Stage>,
    /// The first release whose KEPs must have it; `None`: all releases.
    pub since: Option<Release>,
    /// Whether it may be missing, but not empty.
    pub is_optional: bool,
}

impl Requirement {
    pub fn required_from(&self) -> RequiredFrom {
        RequiredFrom { stage: self.stage, since: self.since }
    }

    /// When the section is required, for a help text: "required from beta, since v1.21"; or which template
    /// asks for it.
    pub fn reason(&self, template: &Template) -> String {
        if template.is_asking(self.section) {
            return format!("asked for: a heading of `{}`", template.document.source.path);
        }
        let since = self.since.map(|since| format!(", since {since}")).unwrap_or_default();
        match self.stage {
            Some(stage) => format!("required from {stage}{since}"),
            None => format!("required in every KEP{since}"),
        }
    }
}

/// How many sections must be there.
pub fn count(requirements: &[Requirement]) -> usize {
    requirements.iter().filter(|requirement| !requirement.is_optional).count()
}

pub fn for_target(template: &Template, target: &Target) -> Vec<Requirement> {
    // An idea says why, and not yet how.
    let is_idea = target.has_own_layout && target.phase == Phase::Provisional;
    let how = template.with_role(SectionRole::Proposal).filter(|_| is_idea);
    // No heading of a KEP can match a title without letters.
    let titled = template.iter().filter(|(_, wanted)| !wanted.title.key.is_empty());
    let requirements = titled.filter_map(|(section, wanted)| {
        let directive = template.directive(wanted.source);
        if target.scope == Scope::Whole {
            let stage = directive.and_then(|directive| directive.stage);
            return Some(Requirement { section, cap: Severity::Advice, stage, since: None, is_optional: false });
        }
        let directive = directive.filter(|it| it.required && (!it.strict || target.is_strict))?;
        // What only a template of another project has is asked for at every stage, unless it names one.
        let is_of_others = target.has_own_layout && template.is_asking(section);
        let is_ranked = directive.from.is_some();
        let is_how = how.is_some_and(|how| section >= how || wanted.role == Some(SectionRole::Signoff));
        let is_later = || is_how || target.release.is_none() && template.is_postponed(section);
        if is_of_others && !is_ranked && is_later() {
            return None;
        }
        let stage = if is_ranked {
            None
        } else if is_of_others {
            // Below a heading that names a stage.
            template.path(section).iter().rev().find_map(|title| Stage::from_word(title.trim()))
        } else {
            directive.stage
        };
        let is_far_enough = directive.from.is_none_or(|from| target.rank >= Some(from));
        let is_reached = is_far_enough && (stage.is_none() || (target.first..=target.stage).contains(&stage));
        let since = if target.has_since { directive.since } else { None };
        let is_known = since.is_none_or(|since| target.since.is_some_and(|release| release >= since));
        let cap = if template.is_asking(section) { Some(target.asked) } else { directive.severity };
        let (cap, is_optional) = (cap.unwrap_or(Severity::Error), directive.is_optional);
        (is_reached && is_known).then_some(Requirement { section, cap, stage, since, is_optional })
    });
    requirements.collect()
}

/// How far a proposal is. Without a status, it is what such proposals are.
fn rank(kep: &Kep, own: &Own) -> Option<Rank> {
    let status = kep.metadata.as_ref().and_then(|metadata| metadata.status.as_ref());
    let is_early = own.without_status == Phase::Provisional;
    let without = if is_early { Status::Provisional } else { Status::Implementable };
    status.map_or(Some((without, 0)), |status| own.rank(&status.text))
}

/// Whether a proposal is from before the template, by its own date or number; `None` if it has none. What the change
/// that is checked adds is new, whatever its number: that may be of an old ticket.
fn is_older(kep: &Kep, own: &Own) -> Option<bool> {
    let Some(since) = own.sections.since else { return Some(false) };
    let fields = kep.metadata.iter().flat_map(|metadata| [&metadata.creation_date, &metadata.last_updated]);
    let mut written = fields.flatten().filter_map(|field| Date::guess(&field.text));
    let in_path = || own.documents.date(kep.texts.tree_path.as_deref()?);
    let is_added = kep.texts.change.as_ref().is_some_and(|change| change.base.is_none());
    let is_older = match since {
        Since::Day(first) => written.next().or_else(in_path).map(|day| day < first),
        Since::Number(_) if is_added => Some(false),
        Since::Number(first) => kep.number().and_then(|number| number.parse().ok()).map(|number: u32| number < first),
    };
    is_older.or_else(|| is_added.then_some(false))
}
