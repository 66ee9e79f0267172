//! What was found in one KEP, in one file that belongs to none, or in a template.

#![warn(missing_docs)]

use super::about::About;
use super::baseline::Baseline;
use super::fingerprint::{self, Names};
use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::kep::layout::Layout;
use crate::markdown::anchor::AnchorSet;
use crate::requirement::Target;
use crate::rules::run::OutgoingLinks;
use crate::rules::sink;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::Status;
use crate::suppress::Ignores;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The report on a KEP, or why it could not be checked.
pub type Checked = Result<KepReport, Failure>;

/// The result of linting one KEP, one other file of a repository, or one template.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct KepReport {
    /// The KEP's directory, as given on the command line and extended; `None` for a template.
    pub kep: Option<String>,
    /// The files that spans point into: `FileId(n)` is `files[n]`. After a run, a text ends some lines after
    /// the last place that something points to, and is empty if nothing does.
    pub files: Vec<Arc<SourceFile>>,
    /// How many of them were read for the KEP: all, but for a template none.
    pub documents: usize,
    /// The stage, phase and release that the KEP was checked against; `None` for a template.
    pub target: Option<Target>,
    /// Which KEP it is; `None` for a template.
    pub about: Option<About>,
    /// Whether a run with a given stage has nothing to say about this KEP, which is already past it.
    pub is_left_out: bool,
    /// How many findings the configuration silences.
    pub silenced: usize,
    /// Of how many findings the configuration lowers the severity.
    pub lowered: usize,
    /// The findings, by path, offset and rule.
    pub diagnostics: Vec<Diagnostic>,
    /// How many findings there are for which the run has no room, by rule and severity.
    pub unlisted: BTreeMap<(&'static str, Severity), usize>,
    /// How many findings are not reported because an earlier version has them.
    pub known: usize,
    /// How many findings its ignores silence.
    pub ignored: usize,
    /// Its ignores.
    pub(crate) ignores: Ignores,
    /// What fingerprints call the KEP and its files.
    pub(crate) names: Names,
    /// What could not be read of it. In a run, these are among the failures of the run.
    pub(crate) failures: Vec<Failure>,
    /// Its Markdown files: the path from `keps` on, and the anchors.
    pub(crate) pages: Vec<(String, AnchorSet)>,
    /// The path of its directory, from `keps` on, and its status.
    pub(crate) status: Option<(String, Status)>,
    /// How the proposals of its repository lie.
    pub(crate) layout: Layout,
    /// Its links to anchors in the documents of other KEPs, and the KEPs that it replaces.
    pub(crate) outgoing: OutgoingLinks,
}

impl KepReport {
    /// Whether it has no findings, listed or not.
    pub fn is_clean(&self) -> bool {
        self.diagnostics.is_empty() && self.unlisted.is_empty()
    }

    /// How many findings of a rule and severity there are, listed or not.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, Severity, usize)> {
        let listed = self.diagnostics.iter().map(|finding| (finding.rule, finding.severity, finding.count));
        listed.chain(self.unlisted.iter().map(|(&(rule, severity), count)| (rule, severity, *count)))
    }

    /// Drops the findings that are ignored, and gives the others their fingerprints, which do not depend on
    /// ignores.
    pub(super) fn silence(&mut self, findings: &mut Vec<Diagnostic>) {
        fingerprint::settle(&self.names, &self.files, findings);
        self.ignored += self.ignores.silence(findings);
    }

    /// Adds findings that are not ignored: gives them their fingerprints, drops those that are known, and
    /// sorts them.
    pub(super) fn add(&mut self, mut findings: Vec<Diagnostic>, earlier: Option<&Baseline>) {
        fingerprint::settle(&self.names, &self.files, &mut findings);
        if let Some(earlier) = earlier {
            self.known += earlier.retain_new(&self.names, self.target, &mut findings);
        }
        findings.iter_mut().for_each(|finding| finding.texts().for_each(|text| self.layout.say(text)));
        let is_first = self.diagnostics.is_empty();
        self.diagnostics.append(&mut findings);
        if !is_first {
            fingerprint::settle(&self.names, &self.files, &mut self.diagnostics);
        }
    }

    /// Limits how many findings are listed; the others are only counted.
    pub(super) fn fold(&mut self) {
        if sink::fold(&mut self.diagnostics) {
            fingerprint::settle(&self.names, &self.files, &mut self.diagnostics);
        }
    }

    /// What a run keeps of it, after the KEP is fixed, if it is to be fixed at all.
    #[must_use]
    pub(crate) fn reduced(mut self) -> Self {
        self.fold();
        self.drop_unused_texts();
        self
    }

    /// Keeps the first findings of this severity, at most so many, and only counts the others. Returns how
    /// many are kept.
    pub(super) fn keep_first(&mut self, severity: Severity, most: usize) -> usize {
        let mut kept = 0;
        let unlisted = &mut self.unlisted;
        self.diagnostics.retain(|finding| {
            if finding.severity != severity {
                return true;
            }
            if kept == most {
                *unlisted.entry((finding.rule, severity)).or_default() += finding.count;
                return false;
            }
            kept += 1;
            true
        });
        kept
    }

    /// The directory of a KEP; the path of another file.
    pub fn path(&self) -> &str {
        self.kep.as_deref().unwrap_or_else(|| self.file())
    }

    /// What tells it from the other reports of a run.
    pub(super) fn place(&self) -> String {
        format!("{}\0{}", self.path(), self.file())
    }

    fn file(&self) -> &str {
        self.files.first().map(|file| file.path.as_str()).unwrap_or_default()
    }

    /// Drops the texts that nothing points into, and what follows the last place of the others, so that the
    /// memory of a run grows with its findings, not its input.
    pub(super) fn drop_unused_texts(&mut self) {
        let findings = self.diagnostics.iter().flat_map(Diagnostic::spans);
        let outgoing = self.outgoing.links.iter().map(|link| link.span);
        let outgoing = outgoing.chain(self.outgoing.replaced.iter().map(|replaced| replaced.span));
        let mut ends: BTreeMap<FileId, usize> = BTreeMap::new();
        for span in findings.chain(outgoing) {
            let end = ends.entry(span.file).or_default();
            *end = span.end.max(*end);
        }
        for (id, file) in (0..).map(FileId::at).zip(&mut self.files) {
            let needed = match ends.get(&id) {
                Some(end) => file.until(*end),
                None => Some(SourceFile::decode(file.path.as_str(), Vec::new())),
            };
            if let Some(needed) = needed {
                *file = Arc::new(needed);
            }
        }
    }
}
