//! What rules say beyond one KEP: of files that belong to none, and of links from one KEP to another.

use super::context::Ctx;
use super::rule::Rule;
use super::run::nearest_section;
use super::select::Selection;
use super::sink::Sink;
use super::{approval, text};
use crate::diagnostic::{Diagnostic, Severity, brief};
use crate::markdown::anchor::AnchorSet;
use crate::repository::Repository;
use crate::source::SourceFile;
use crate::span::{FileId, Span};
use crate::stage::Phase;
use std::collections::BTreeMap;
use std::ops::Range;

/// A link to a place in another document of the repository, to be checked when that document is known.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// The path of the document, from `keps` on.
    pub path: String,
    name: String,
    /// The link.
    pub span: Span,
    section: Option<Vec<String>>,
}

/// The links of a KEP to places in other documents of the repository.
#[derive(Clone, Debug, Default)]
pub struct OutgoingLinks {
    /// What is said of those that are dead; none: nothing.
    severity: Option<Severity>,
    /// The links, document by document.
    pub links: Vec<Outgoing>,
}

impl OutgoingLinks {
    /// The links of a KEP.
    pub fn of(ctx: &Ctx<'_>, selection: &Selection) -> Self {
        let severity = selection.level(&text::dead_anchor::RULE, ctx.target.phase).severity();
        if severity.is_none() {
            return Self::default();
        }
        let link = |(span, path, name)| Outgoing { path, name, span, section: nearest_section(ctx, span) };
        Self { severity, links: text::dead_anchor::outgoing(ctx).into_iter().map(link).collect() }
    }

    /// Reports the links whose documents are among the `known` ones and have no such place.
    pub fn report(self, known: &BTreeMap<&str, &AnchorSet>, diagnostics: &mut Vec<Diagnostic>) {
        let Some(severity) = self.severity else { return };
        let mut sink = Sink::new(text::dead_anchor::RULE.name, severity, diagnostics);
        for Outgoing { path, name, span, section } in self.links {
            let Some(anchors) = known.get(path.as_str()) else { continue };
            if anchors.contains(&name) {
                continue;
            }
            let message = format!("no heading of `{}` has the anchor `#{}`", brief(&path), brief(&name));
            let finding = sink.report(span, message);
            finding.help = Some("link to a heading of that document, or to the whole of it".to_owned());
            finding.section = section;
        }
        sink.finish();
    }
}

/// A finding about a file that belongs to no single KEP.
pub struct RepositoryFinding {
    /// The file.
    pub file: SourceFile,
    /// Bytes of what is to change.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// How loud it is at most.
    pub at_most: Severity,
}

type TreeCheck = fn(&Repository) -> Vec<RepositoryFinding>;

/// What is wrong with the files of a tree that belong to no single KEP, a file each, by path.
pub fn run_repository(repository: &Repository, selection: &Selection) -> Vec<(SourceFile, Diagnostic)> {
    let checks: [(&Rule, TreeCheck); 2] = [
        (&approval::orphan_prr::RULE, approval::orphan_prr::check_repository),
        (&approval::prr_approver::RULE, approval::prr_approver::check_repository),
    ];
    let mut found = Vec::new();
    for (rule, check) in checks {
        let Some(severity) = selection.level(rule, Phase::Active).severity() else { continue };
        for RepositoryFinding { file, range, message, help, at_most } in check(repository) {
            let mut diagnostics = Vec::new();
            let mut sink = Sink::new(rule.name, severity, &mut diagnostics);
            let finding = sink.report(Span::new(FileId(0), range), message);
            finding.help = Some(help);
            finding.at_most(at_most);
            sink.finish();
            found.extend(diagnostics.into_iter().map(|diagnostic| (file.clone(), diagnostic)));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
    found
}
