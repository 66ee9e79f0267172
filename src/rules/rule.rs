//! The types of the rule table.

use super::context::{Ctx, JudgedIgnore, OutgoingLink, Page, Readme, ReplacedKep};
use super::sink::Sink;
use crate::diagnostic::script::Script;
use crate::diagnostic::{Safety, Severity};
use crate::kep::metadata::Metadata;
use crate::markdown::anchor::AnchorSet;
use crate::repository::Repository;
use crate::repository::shared::SharedFile;
use crate::stage::{Phase, Status};
use crate::template::Template;
use crate::template::role::SectionRole;

pub struct Rule {
    pub name: &'static str,
    pub category: Category,
    pub summary: &'static str,
    pub severity: Ladder,
    /// The least safe fix that its findings offer; `None` if they offer no fix.
    pub fix: Option<Safety>,
    /// Whether its findings can hide others: once they are fixed, new findings may appear.
    pub reveals: bool,
    pub is_gap: bool,
    pub roles: &'static [SectionRole],
    /// The keys of the configuration that change what it reports, besides those that set levels.
    pub settings: &'static [&'static str],
    /// The scripts of kubernetes/enhancements that fail for what it reports, or a part of it: those that its findings name
    /// as [`Diagnostic::upstream`](crate::diagnostic::Diagnostic::upstream).
    pub upstream: &'static [Script],
    /// The version of kep-lint that first has it: `0.1`.
    pub since: &'static str,
    pub docs: &'static str,
    pub checks: &'static [Check],
    /// Whether a KEP is checked that is most likely none at all: a README alone.
    pub checks_strays: bool,
}

/// A function of a rule, by what it checks.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    Kep(fn(&Ctx<'_>, &mut Sink)),
    Metadata(fn(&Ctx<'_>, &Metadata, &mut Sink)),
    Readme(fn(&Ctx<'_>, Readme<'_>, &mut Sink)),
    Pages(fn(&Ctx<'_>, Page<'_>, &mut Sink)),
    /// A file of the repository that is not part of one KEP.
    Shared(fn(&SharedFile<'_>, &Repository, &mut Sink)),
    /// A link of a KEP to an anchor in another document, with the anchors of that document.
    Link(fn(&OutgoingLink, &AnchorSet, &mut Sink)),
    /// A KEP that another one replaces, with its status.
    Replaced(fn(&ReplacedKep, Status, &mut Sink)),
    Template(fn(&Template, &mut Sink)),
    /// An ignore, once the findings that it could silence are known.
    Ignore(fn(&JudgedIgnore<'_>, &mut Sink)),
}

impl Rule {
    /// What most rules of a category have in common; the other fields are empty, and each rule sets them.
    pub const fn of(category: Category) -> Self {
        Self {
            name: "",
            category,
            summary: "",
            severity: Ladder::everywhere(Level::Off),
            fix: None,
            reveals: false,
            is_gap: false,
            roles: &[],
            settings: if matches!(category, Category::Approval) { &["groups"] } else { &[] },
            upstream: &[],
            since: "0.1",
            docs: "",
            checks: &[],
            checks_strays: false,
        }
    }

    /// Whether it checks KEPs one by one.
    pub fn is_of_kep(&self) -> bool {
        self.checks
            .iter()
            .any(|check| matches!(check, Check::Kep(_) | Check::Metadata(_) | Check::Readme(_) | Check::Pages(_)))
    }

    pub fn run(&self, ctx: &Ctx<'_>, out: &mut Sink) {
        for check in self.checks {
            match (check, &ctx.kep.metadata, ctx.readme) {
                (Check::Kep(check), ..) => check(ctx, out),
                (Check::Metadata(check), Some(metadata), _) => check(ctx, metadata, out),
                (Check::Readme(check), _, Some(readme)) => check(ctx, readme, out),
                (Check::Pages(check), ..) => ctx.pages().for_each(|page| check(ctx, page, out)),
                _ => {}
            }
        }
    }

    pub fn fix_name(&self) -> &'static str {
        self.fix.map_or("none", Safety::name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    Sections,
    Text,
    Metadata,
    Approval,
    Ignores,
}

impl Category {
    pub const ALL: [Self; 5] = [Self::Sections, Self::Text, Self::Metadata, Self::Approval, Self::Ignores];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sections => "sections",
            Self::Text => "text",
            Self::Metadata => "metadata",
            Self::Approval => "approval",
            Self::Ignores => "ignores",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::Sections => {
                "The README against the template: is each section that the template requires at the KEP's stage there \
                 and answered, and do headings, forms and directives agree with the template? Reviewers find their way \
                 through a KEP by these sections."
            }
            Self::Text => {
                "The README and the other documents of the KEP as Markdown: tables of contents, links and anchors, \
                 comments, code, and open UNRESOLVED discussions. These problems show on GitHub, or fail the checks of \
                 kubernetes/enhancements."
            }
            Self::Metadata => {
                "`kep.yaml`: is it valid YAML with the keys and values that upstream's tools expect, and does it agree \
                 with the README, the KEP's directory and other KEPs? Tools and the Release Team read the KEP's status, \
                 stage and milestones from it."
            }
            Self::Approval => {
                "The production readiness review (PRR) of the KEP in `keps/prod-readiness`, who approved it, and the \
                 approvers that SIG Node requires. Upstream's checks reject a KEP that lacks the review of its stage."
            }
            Self::Ignores => {
                "The comments `<!-- kep-lint-ignore RULE: reason -->` and `# kep-lint-ignore RULE: reason`, which silence \
                 findings: does each of them name rules, say why, and silence something? Otherwise a finding that comes \
                 back later stays unnoticed, or is not silenced at all."
            }
        }
    }
}

/// The severity of a rule in one phase, or off; the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Off,
    Advice,
    Warning,
    Error,
}

impl Level {
    pub const ALL: [Self; 4] = [Self::Off, Self::Advice, Self::Warning, Self::Error];

    pub fn from_name(name: &str) -> Option<Self> {
        let severity = Severity::from_option(name);
        Self::ALL.into_iter().find(|level| level.name() == name || (severity.is_some() && level.severity() == severity))
    }

    pub fn name(self) -> &'static str {
        self.severity().map_or("off", Severity::name)
    }

    /// The next lower level.
    pub fn lower(self) -> Self {
        match self {
            Self::Off | Self::Advice => Self::Off,
            Self::Warning => Self::Advice,
            Self::Error => Self::Warning,
        }
    }

    /// The severity of a finding at this level; `None` if the rule is off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Advice => Some(Severity::Advice),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Ladder {
    pub provisional: Level,
    /// For implementable KEPs that are worked on.
    pub active: Level,
    /// For implementable KEPs that are no longer worked on.
    pub stale: Level,
    pub implemented: Level,
    /// For deferred, rejected, withdrawn and replaced KEPs.
    pub closed: Level,
}

impl Ladder {
    pub const fn everywhere(level: Level) -> Self {
        Self { provisional: level, active: level, stale: level, implemented: level, closed: level }
    }

    pub fn at(&self, phase: Phase) -> Level {
        match phase {
            Phase::Provisional => self.provisional,
            Phase::Active => self.active,
            Phase::Stale => self.stale,
            Phase::Implemented => self.implemented,
            Phase::Closed => self.closed,
        }
    }
}
