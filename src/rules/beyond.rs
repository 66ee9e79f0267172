//! What rules say beyond one KEP: of files that belong to none, and of links from one KEP to another.

use super::select::Selection;
use super::{Ctx, Rule, Sink, approval, nearest_section, text};
use crate::diagnostic::{Diagnostic, Severity};
use crate::kep::SourceFile;
use crate::kep::markdown::Document;
use crate::span::{FileId, Span};
use crate::stage::Phase;
use crate::tree::Tree;
use std::collections::BTreeSet;
use std::ops::Range;

/// A link to a place in another document of the tree, to be judged when that document is known.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// The path of the document, from `keps` on.
    pub path: String,
    name: String,
    /// What is to be said if the place is not there.
    finding: Diagnostic,
}

impl Outgoing {
    /// The finding, if the document has no such place.
    pub fn judge(self, anchors: &BTreeSet<String>) -> Option<Diagnostic> {
        (!text::dead_anchor::is_known(&self.name, anchors)).then_some(self.finding)
    }
}

/// The links of a KEP to places in other documents of the tree.
pub fn outgoing(ctx: &Ctx<'_>, selection: &Selection) -> Vec<Outgoing> {
    let rule = &text::dead_anchor::RULE;
    let Some(severity) = selection.level(rule, ctx.target.phase).severity() else { return Vec::new() };
    let mut outgoing = Vec::new();
    for (span, path, name) in text::dead_anchor::outgoing(ctx) {
        let mut diagnostics = Vec::new();
        let mut sink = Sink { rule: rule.name, severity, diagnostics: &mut diagnostics };
        let finding = sink.report(span, format!("no heading of `{path}` has the anchor `#{name}`"));
        finding.help = Some("link to a heading of that document, or to the whole of it".to_owned());
        finding.section = nearest_section(ctx, span);
        outgoing.extend(diagnostics.pop().map(|finding| Outgoing { path, name, finding }));
    }
    outgoing
}

/// The places that links to a document may name.
pub fn anchors(document: &Document) -> BTreeSet<String> {
    text::dead_anchor::anchors(document)
}

/// A finding about a file that belongs to no single KEP.
pub struct TreeFinding {
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

type TreeCheck = fn(&Tree) -> Vec<TreeFinding>;

/// What is wrong with the files of a tree that belong to no single KEP, a file each, by path.
pub fn run_tree(tree: &Tree, selection: &Selection) -> Vec<(SourceFile, Diagnostic)> {
    let checks: [(&Rule, TreeCheck); 2] = [
        (&approval::orphan_prr::RULE, approval::orphan_prr::check_tree),
        (&approval::prr_approver::RULE, approval::prr_approver::check_tree),
    ];
    let mut found = Vec::new();
    for (rule, check) in checks {
        let Some(severity) = selection.level(rule, Phase::Active).severity() else { continue };
        for TreeFinding { file, range, message, help, at_most } in check(tree) {
            let mut diagnostics = Vec::new();
            let mut sink = Sink { rule: rule.name, severity, diagnostics: &mut diagnostics };
            let finding = sink.report(Span::new(FileId(0), range), message);
            finding.help = Some(help);
            finding.at_most(at_most);
            found.extend(diagnostics.into_iter().map(|diagnostic| (file.clone(), diagnostic)));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
    found
}
