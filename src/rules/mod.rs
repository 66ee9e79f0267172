//! The rules: one table, one file a rule, one folder a category. A rule reads [`Ctx`] and writes to [`Sink`]; how loud
//! it is follows from its ladder and the KEP's phase.

mod approval;
pub mod beyond;
mod metadata;
mod sections;
mod select;
mod sink;
mod text;

use crate::diagnostic::{Diagnostic, Severity};
use crate::gap::Gap;
use crate::kep::anchor::Dialect;
use crate::kep::markdown::Document;
use crate::kep::toc::Markers;
use crate::kep::{Kep, names};
use crate::matching::Matching;
use crate::requirement::{Requirement, Target};
use crate::span::{FileId, Span};
use crate::stage::{Phase, Release};
use crate::template::Template;
use crate::tree::Tree;
use std::ops::Range;

pub use self::beyond::TreeFinding;
pub use self::select::{Selection, UnknownName, rule};
pub use self::sink::{MOST_FINDINGS, MOST_FINDINGS_OF_KEP, Sink, fold};

/// Every rule, by category and then by name.
pub const ALL: &[Rule] = &[
    sections::bad_title::RULE,
    sections::bare_answer::RULE,
    sections::commented_out_section::RULE,
    sections::conflicting_directive::RULE,
    sections::duplicate_section::RULE,
    sections::empty_section::RULE,
    sections::malformed_directive::RULE,
    sections::misplaced_section::RULE,
    sections::missing_graduation_stage::RULE,
    sections::missing_section::RULE,
    sections::placeholder_section::RULE,
    sections::renamed_section::RULE,
    sections::swallowed_heading::RULE,
    sections::template_text::RULE,
    sections::unacknowledged_test_plan::RULE,
    sections::unchecked_signoff::RULE,
    sections::unnumbered_title::RULE,
    text::broken_link_syntax::RULE,
    text::dead_anchor::RULE,
    text::dead_link::RULE,
    text::duplicate_toc::RULE,
    text::long_paragraph_line::RULE,
    text::missing_toc::RULE,
    text::not_a_heading::RULE,
    text::stale_toc::RULE,
    text::stray_comment_marker::RULE,
    text::template_comment::RULE,
    text::unbalanced_unresolved::RULE,
    text::undefined_reference::RULE,
    text::unresolved_marker::RULE,
    metadata::dead_reference::RULE,
    metadata::duplicate_key::RULE,
    metadata::early_implemented::RULE,
    metadata::feature_gate_incomplete::RULE,
    metadata::feature_gate_mismatch::RULE,
    metadata::invalid_date::RULE,
    metadata::invalid_milestone::RULE,
    metadata::invalid_stage::RULE,
    metadata::invalid_status::RULE,
    metadata::invalid_yaml::RULE,
    metadata::kep_number_mismatch::RULE,
    metadata::milestone_order::RULE,
    metadata::missing_disable_supported::RULE,
    metadata::missing_kep_yaml::RULE,
    metadata::missing_key::RULE,
    metadata::missing_metrics::RULE,
    metadata::missing_readme::RULE,
    metadata::missing_successor::RULE,
    metadata::no_approver::RULE,
    metadata::not_utf8::RULE,
    metadata::owning_sig_mismatch::RULE,
    metadata::placeholder_value::RULE,
    metadata::stage_milestone::RULE,
    metadata::stale_kep::RULE,
    metadata::unknown_key::RULE,
    metadata::unknown_sig::RULE,
    metadata::wrong_type::RULE,
    approval::invalid_prr::RULE,
    approval::missing_prr::RULE,
    approval::node_approver::RULE,
    approval::orphan_prr::RULE,
    approval::provisional_but_approved::RULE,
    approval::prr_approver::RULE,
    approval::prr_number_mismatch::RULE,
];

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

    fn severity(self) -> Option<Severity> {
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

/// All that a rule may look at.
pub struct Ctx<'a> {
    /// The KEP.
    pub kep: &'a Kep,
    /// The README and what was made out of it; none where there is none.
    pub readme: Option<Readme<'a>>,
    /// The template.
    pub template: &'a Template,
    /// What is known beyond the KEP.
    pub tree: &'a Tree,
    /// What the KEP is held to.
    pub target: Target,
    /// The release in the making.
    pub current: Release,
    /// The sections that are due.
    pub due: &'a [Requirement],
}

impl Ctx<'_> {
    /// Completes a finding about a gap: the section, the directive's limit, and where the stage was read.
    fn owe(&self, finding: &mut Diagnostic, gap: &Gap) {
        finding.at_most(gap.requirement.cap);
        finding.section = Some(self.template.path(gap.section));
        if gap.requirement.stage.is_some() {
            self.relate_stage(finding);
        }
    }

    /// Points at the `stage` of kep.yaml that the KEP is held to.
    fn relate_stage(&self, finding: &mut Diagnostic) {
        let Some(metadata) = &self.kep.metadata else { return };
        let own = metadata.stage().filter(|stage| Some(*stage) == self.target.stage);
        if let (Some(stage), Some(field)) = (own, &metadata.stage) {
            finding.relate(field.span, format!("the stage is {stage}"));
        }
    }
}

impl<'a> Ctx<'a> {
    /// Whether a document of the KEP links to a heading with this text, so that the link would be dead if it changed.
    /// Tables of contents do not count: they are regenerated.
    pub fn links_to(&self, heading: &str) -> bool {
        let anchors = [Dialect::Mdtoc, Dialect::GitHub].map(|dialect| dialect.anchor(heading));
        let is_it = |target: &str| {
            let name = target.rsplit_once('#').map(|(_, name)| name);
            name.is_some_and(|name| anchors.iter().any(|anchor| name.eq_ignore_ascii_case(anchor)))
        };
        self.pages().any(|page| {
            let contents = Markers::find(page.text).between().unwrap_or_default();
            let mut links = page.document.links.iter().filter(|link| !contents.contains(&link.span.start));
            links.any(|link| is_it(&link.target))
        })
    }

    /// The documents of the KEP: the README first, then the others.
    pub fn pages(&self) -> impl Iterator<Item = Page<'a>> {
        let texts = &self.kep.texts;
        let readme = self.readme.map(|readme| (readme.document, texts.tree_path.as_deref()));
        let others = self.kep.documents.iter().zip(&texts.documents);
        let others = others.map(|(document, (_, directory))| (document, directory.as_deref()));
        readme.into_iter().chain(others).map(|(document, directory)| {
            let source = texts.file(document.file);
            let name = source.path.rsplit('/').next().unwrap_or_default();
            Page { document, text: &source.text, name, directory }
        })
    }
}

/// A document of the KEP.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    /// Its Markdown.
    pub document: &'a Document,
    /// Its text.
    pub text: &'a str,
    /// Its file's name.
    pub name: &'a str,
    /// The directory that it lies in, from `keps` on, if that is known.
    pub directory: Option<&'a str>,
}

impl Page<'_> {
    /// Its path from `keps` on, if that is known.
    pub fn tree_path(&self) -> Option<String> {
        Some(format!("{}/{}", self.directory?, self.name))
    }

    /// A span of the document.
    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.document.file, range)
    }
}

/// The README of a KEP, beside the template.
#[derive(Clone, Copy)]
pub struct Readme<'a> {
    /// Its Markdown.
    pub document: &'a Document,
    /// Its text.
    pub text: &'a str,
    /// Which headings stand for which template sections.
    pub matching: &'a Matching,
    /// The due sections that are not filled.
    pub gaps: &'a [Gap],
}

impl Readme<'_> {
    /// A span of the README.
    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.document.file, range)
    }

    /// The feature gates that it names where the template asks for them.
    pub fn gates(&self, template: &Template) -> Vec<Range<usize>> {
        const QUESTION: &str = "How can this feature be enabled / disabled in a live cluster?";
        let place = self.matching.titled(template, QUESTION);
        let gates = place.map(|place| names::gates(self.document, self.text, place.subtree.clone()));
        gates.unwrap_or_default()
    }

    /// Where something belongs that is missing at the top of the document: its title, or else its first line.
    pub fn top(&self) -> Span {
        let title = self.document.sections.title().map(|title| self.document.sections.get(title).heading.clone());
        self.span(title.unwrap_or_else(|| 0..self.text.lines().next().unwrap_or_default().len()))
    }
}

/// Runs the selected rules over a KEP.
pub fn run(ctx: &Ctx<'_>, selection: &Selection) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for rule in ALL {
        let Some(severity) = selection.level(rule, ctx.target.phase).severity() else { continue };
        let first = diagnostics.len();
        let mut sink = Sink::new(rule.name, severity, &mut diagnostics);
        (rule.check)(ctx, &mut sink);
        sink.finish();
        // At a removal stage a KEP's text is a record; nothing that it owes is worth an error.
        let is_removal = ctx.target.stage.is_some_and(|stage| stage.is_removal());
        for diagnostic in diagnostics.iter_mut().skip(first) {
            if is_removal && rule.category == Category::Sections {
                diagnostic.at_most(Severity::Warning);
            }
            if diagnostic.section.is_none() && rule.category != Category::Sections {
                diagnostic.section = nearest_section(ctx, diagnostic.span);
            }
        }
    }
    diagnostics
}

/// What is wrong with a template's directives, at `severity`.
pub fn run_template(template: &Template, severity: Severity, selection: &Selection) -> Vec<Diagnostic> {
    let rule = &sections::malformed_directive::RULE;
    let mut diagnostics = Vec::new();
    if selection.level(rule, Phase::Active).severity().is_some() {
        let mut sink = Sink::new(rule.name, severity, &mut diagnostics);
        sections::malformed_directive::report(&template.problems, &mut sink);
        sink.finish();
    }
    diagnostics
}

fn nearest_section(ctx: &Ctx<'_>, span: Span) -> Option<Vec<String>> {
    let readme = ctx.readme.filter(|readme| is_in(span, readme.document.file))?;
    let around = readme.document.sections.at(span.start)?;
    readme.matching.nearest_owner(readme.document, around).map(|owner| ctx.template.path(owner))
}

fn is_in(span: Span, file: FileId) -> bool {
    span.file == file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_ordered_and_names_are_unique() {
        let keys: Vec<_> = ALL.iter().map(|rule| (rule.category, rule.name)).collect();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    }

    #[test]
    fn every_rule_explains_itself() {
        for rule in ALL {
            let docs = rule.docs();
            for part in ["## Why", "## Bad", "## Good"] {
                assert!(docs.contains(part), "{} has no `{part}`", rule.name);
            }
            assert!(!rule.summary.ends_with('.'), "{}", rule.name);
        }
    }
}
