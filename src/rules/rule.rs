//! What a rule is: the vocabulary of the table.

use super::context::{Ctx, OutgoingLink};
use super::sink::Sink;
use crate::diagnostic::{Safety, Severity};
use crate::markdown::anchor::AnchorSet;
use crate::repository::Repository;
use crate::source::SourceFile;
use crate::stage::Phase;
use crate::template::Template;
use std::ops::Range;
use std::sync::Arc;

/// A rule, with all that is known about it.
pub struct Rule {
    /// Kebab-case; says the bad pattern.
    pub name: &'static str,
    /// The folder of its file.
    pub category: Category,
    /// One line, lower case, for tables.
    pub summary: &'static str,
    /// Its severity in each phase.
    pub severity: Ladder,
    /// The riskiest fix that its findings offer; none: they offer no fix.
    pub fix: Option<Safety>,
    /// Whether what it reports keeps other things from being read: once it is fixed, more may be found.
    pub reveals: bool,
    /// Whether it reports a required section that is not filled.
    pub is_gap: bool,
    /// The scripts of kubernetes/enhancements that refuse what it reports, all of it or a part.
    pub upstream: &'static [&'static str],
    /// Its source file, whose `//!` lines are its documentation.
    pub source: &'static str,
    /// How it looks.
    pub checks: Checks,
}

/// What a rule looks at, each by a function of its own.
#[derive(Clone, Copy)]
pub struct Checks {
    /// A KEP.
    pub kep: Option<fn(&Ctx<'_>, &mut Sink<'_>)>,
    /// Files of the repository that belong to no single KEP.
    pub repository: Option<fn(&Repository) -> Vec<RepositoryFinding>>,
    /// A link of a KEP to a place in another document, whose places are known now.
    pub links: Option<fn(&OutgoingLink, &AnchorSet, &mut Sink<'_>)>,
    /// A template's directives.
    pub template: Option<fn(&Template, &mut Sink<'_>)>,
}

impl Checks {
    /// Nothing, for the fields that a rule does not name.
    pub const NONE: Self = Self { kep: None, repository: None, links: None, template: None };

    /// A KEP alone.
    pub const fn of_kep(check: fn(&Ctx<'_>, &mut Sink<'_>)) -> Self {
        Self { kep: Some(check), ..Self::NONE }
    }
}

/// A finding about a file that belongs to no single KEP.
pub struct RepositoryFinding {
    /// The file.
    pub file: Arc<SourceFile>,
    /// Bytes of what is to change.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// Its severity at most.
    pub at_most: Severity,
}

impl Rule {
    /// The documentation: the file's `//!` lines, as Markdown.
    pub fn docs(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    }

    /// The word for its fixes in tables.
    pub fn fix_name(&self) -> &'static str {
        self.fix.map_or("none", Safety::name)
    }
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The README against the template.
    Sections,
    /// The README as a document.
    Text,
    /// kep.yaml.
    Metadata,
    /// Production readiness and owners.
    Approval,
}

impl Category {
    /// In the order of the rule table.
    pub const ALL: [Self; 4] = [Self::Sections, Self::Text, Self::Metadata, Self::Approval];

    /// The word for it in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sections => "sections",
            Self::Text => "text",
            Self::Metadata => "metadata",
            Self::Approval => "approval",
        }
    }
}

/// How loud a rule is in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Says nothing.
    Off,
    /// Worth knowing.
    Advice,
    /// A reviewer would ask for it.
    Warning,
    /// A maintainer would want it fixed.
    Error,
}

impl Level {
    /// The word for it in tables.
    pub fn name(self) -> &'static str {
        self.severity().map_or("off", Severity::name)
    }

    /// The severity of a finding at this level; none where the rule says nothing.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Advice => Some(Severity::Advice),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

/// How loud a rule is in which phase.
#[derive(Clone, Copy, Debug)]
pub struct Ladder {
    /// At provisional KEPs.
    pub provisional: Level,
    /// At KEPs that are worked on.
    pub active: Level,
    /// At implementable KEPs left alone.
    pub stale: Level,
    /// At implemented KEPs.
    pub implemented: Level,
    /// At deferred, rejected, withdrawn and replaced KEPs.
    pub closed: Level,
}

impl Ladder {
    /// The same in every phase.
    pub const fn everywhere(level: Level) -> Self {
        Self { provisional: level, active: level, stale: level, implemented: level, closed: level }
    }

    /// How loud it is at `phase`.
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
