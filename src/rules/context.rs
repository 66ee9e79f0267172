//! What a rule may look at: the KEP, its README beside the template, and what is known beyond it.

use crate::diagnostic::Diagnostic;
use crate::gap::Gap;
use crate::kep::{Kep, names};
use crate::markdown::Document;
use crate::markdown::anchor::Dialect;
use crate::matching::Matching;
use crate::mdtoc::Markers;
use crate::repository::Repository;
use crate::requirement::{Requirement, Target};
use crate::span::Span;
use crate::stage::Release;
use crate::template::Template;
use std::ops::Range;

/// All that a rule may look at.
pub struct Ctx<'a> {
    /// The KEP.
    pub kep: &'a Kep,
    /// The README and what was made out of it; none where there is none.
    pub readme: Option<Readme<'a>>,
    /// The template.
    pub template: &'a Template,
    /// What is known beyond the KEP.
    pub repository: &'a Repository,
    /// What the KEP is held to.
    pub target: Target,
    /// The release in the making.
    pub current: Release,
    /// The sections that are due.
    pub due: &'a [Requirement],
}

impl Ctx<'_> {
    /// Completes a finding about a gap: the section, the directive's limit, and where the stage was read.
    pub(super) fn owe(&self, finding: &mut Diagnostic, gap: &Gap) {
        finding.at_most(gap.requirement.cap);
        finding.section = Some(self.template.path(gap.section));
        if gap.requirement.stage.is_some() {
            self.relate_stage(finding);
        }
    }

    /// Points at the `stage` of kep.yaml that the KEP is held to.
    pub(super) fn relate_stage(&self, finding: &mut Diagnostic) {
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
