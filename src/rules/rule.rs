//! What a rule is: the vocabulary of the table.

use super::context::Ctx;
use super::sink::Sink;
use crate::diagnostic::Severity;
use crate::stage::Phase;

/// A rule: what it is called, how loud it is, and how it looks.
pub struct Rule {
    /// Kebab-case; says the bad pattern.
    pub name: &'static str,
    /// The folder it lives in.
    pub category: Category,
    /// One line, lower case, for tables.
    pub summary: &'static str,
    /// How loud it is in which phase.
    pub severity: Ladder,
    /// Whether its findings carry a fix.
    pub fix: Fixable,
    /// Its source file, whose `//!` lines are its documentation.
    pub source: &'static str,
    /// Looks at a KEP and reports.
    pub check: fn(&Ctx<'_>, &mut Sink<'_>),
}

impl Rule {
    /// The documentation: the file's `//!` lines, as Markdown.
    pub fn docs(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
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

/// Whether a rule's findings carry a fix, and which kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixable {
    /// No fix.
    No,
    /// One that may be applied unseen.
    Safe,
    /// One that wants a look.
    Unsafe,
}

impl Fixable {
    /// The word for it in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::No => "none",
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
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
