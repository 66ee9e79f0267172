//! Where something in a KEP is defined: links lead to their targets, and what is said in two places leads to the other one.

use super::about::{self, Thing};
use super::keps;
use super::view::View;
use crate::kep::names;
use crate::markdown::Document;
use crate::markdown::anchor::{Anchors, Dialect, wanted};
use crate::markdown::section::SectionId;
use crate::rules::context::Page;
use crate::source::SourceFile;
use crate::span::{FileId, Span};
use crate::stage::Stage;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A place in a file of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, by the path that reports show.
    pub file: Arc<SourceFile>,
    pub range: Range<usize>,
}

impl Place {
    pub fn own(view: &View<'_>, span: Span) -> Self {
        Self { file: Arc::clone(view.kep().texts.file(span.file)), range: span.range() }
    }
}

/// The anchors of a document with their headings: as GitHub makes them, and where these leave a name free, as `mdtoc` does.
#[derive(Debug)]
pub struct Headings(HashMap<String, SectionId>);

impl Headings {
    pub fn of(document: &Document) -> Self {
        let mut headings = HashMap::new();
        for dialect in [Dialect::GitHub, Dialect::Mdtoc] {
            let mut anchors = Anchors::new(dialect);
            for (id, shown) in document.shown_headings() {
                let anchor = anchors.next(shown);
                if let Some(id) = id {
                    headings.entry(anchor).or_insert(id);
                }
            }
        }
        Self(headings)
    }

    /// The heading that a link to `#name` leads to.
    pub fn get(&self, name: &str) -> Option<SectionId> {
        self.0.get(&wanted(name)?).copied()
    }
}

/// Where what is at byte `offset` of a file of the KEP is defined.
pub fn of(view: &View<'_>, file: FileId, offset: usize) -> Vec<Place> {
    let Some(about) = about::at(view, file, offset) else { return Vec::new() };
    let own = |span: Option<Span>| span.map(|span| Place::own(view, span)).into_iter().collect();
    match about.thing {
        Thing::Anchor(name) => {
            let heading = |page: Page<'_>| {
                let id = Headings::of(page.document).get(name)?;
                Some(page.span(page.sections.get(id).heading.clone()))
            };
            own(view.page(file).and_then(heading))
        }
        Thing::Heading(id) => view.page(file).map(|page| entries(view, &page, id)).unwrap_or_default(),
        Thing::Path { path, anchor } => at_path(view, &path, anchor).into_iter().collect(),
        Thing::Gate(name) => own(gate(view, file, name)),
        Thing::Key(keys) | Thing::Value { keys, .. } => own(counterpart(view, file, &keys)),
        Thing::Rule(_) => Vec::new(),
    }
}

/// The entries of a heading in the table of contents of its document.
fn entries(view: &View<'_>, page: &Page<'_>, id: SectionId) -> Vec<Place> {
    let contents = page.contents();
    let inside = page.links.iter().filter(|link| contents.contains(&link.span.start));
    let headings = Headings::of(page.document);
    let leads_there = |target: &str| target.strip_prefix('#').is_some_and(|name| headings.get(name) == Some(id));
    let entries = inside.filter(|link| leads_there(&link.target));
    entries.map(|link| Place::own(view, page.span(link.span.clone()))).collect()
}

/// The file at a path from `keps` on, which may be the directory of a KEP, and the heading with an anchor there.
fn at_path(view: &View<'_>, path: &str, anchor: Option<&str>) -> Option<Place> {
    let file = view.read(&keps::file(view, path)?)?;
    let heading = anchor.and_then(|anchor| {
        let document = Document::parse(FileId(0), Arc::clone(&file));
        let id = Headings::of(&document).get(anchor)?;
        Some(document.sections.get(id).heading.clone())
    });
    Some(Place { file, range: heading.unwrap_or(0..0) })
}

/// The name of a gate in kep.yaml; from there, where the README names it.
fn gate(view: &View<'_>, file: FileId, name: &str) -> Option<Span> {
    let kep = view.kep();
    let metadata = kep.metadata.as_ref();
    if metadata.is_some_and(|metadata| metadata.file == file) {
        let readme = view.ctx().readme?;
        let text = readme.document.text();
        let asked = readme.gates().into_iter().find(|gate| text.get(gate.clone()) == Some(name));
        return asked.or_else(|| names::places(text, name).next()).map(|range| readme.document.span(range));
    }
    metadata?.feature_gate_names().find(|gate| gate.text == name).map(|gate| gate.span)
}

/// What a key of kep.yaml is about in the PRR file, and the other way around.
fn counterpart(view: &View<'_>, file: FileId, keys: &[&str]) -> Option<Span> {
    let kep = view.kep();
    let (metadata, review) = kep.metadata.as_ref().zip(kep.review.as_ref())?;
    let approval = |stage: Stage| review.approval(stage).map(|approval| approval.key);
    match *keys {
        ["kep-number"] if metadata.file == file => review.number.as_ref().map(|number| number.key),
        ["stage"] if metadata.file == file => approval(metadata.stage()?),
        ["milestone", stage] if metadata.file == file => approval(Stage::from_name(stage)?),
        ["kep-number"] if review.file == file => metadata.number.as_ref().map(|number| number.key),
        [stage, ..] if review.file == file => {
            let stage = Stage::from_name(stage)?;
            let own = metadata.stage.as_ref().filter(|_| metadata.stage() == Some(stage)).map(|field| field.key);
            own.or_else(|| metadata.milestone_of(stage).map(|milestone| milestone.key))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::{ask, place};

    const README: &str = "keps/sig-node/1-images/README.md";
    const YAML: &str = "keps/sig-node/1-images/kep.yaml";
    const PRR: &str = "keps/prod-readiness/sig-node/1.yaml";

    const FILES: [(&str, &str); 5] = [
        (
            README,
            "# KEP-1: X\n<!-- toc -->\n- [A](#a)\n- [Feature Enablement](#feature-enablement)\n<!-- /toc -->\n## A\n\nOwnGate is off. See KEP-2, [b](../../sig-net/2-proxy/README.md#b-c) and \
            [gone](#gone).\n\n## Feature Enablement\n\nOwnGates\n",
        ),
        (
            YAML,
            "kep-number: 1\nowning-sig: sig-node\nsee-also:\n  - /keps/sig-net/2-proxy\nstatus: implementable\nstage: beta\nlatest-milestone: v1.37\nmilestone:\n  alpha: v1.30\n  beta: v1.37\n\
            feature-gates:\n  - name: OwnGate\n",
        ),
        (PRR, "kep-number: 1\nalpha:\n  approver: '@a'\nbeta:\n  approver: '@b'\n"),
        ("keps/sig-net/2-proxy/README.md", "# KEP-2: Y\n\n## B c\n"),
        ("keps/sig-net/2-proxy/kep.yaml", "title: Y\n"),
    ];

    /// Where `mark` leads to: the file, and the text there with what is after it.
    fn lead(path: &str, mark: &str, further: usize) -> Vec<(String, String)> {
        ask(&FILES, |view| {
            let (file, at) = place(view, path, mark);
            let shown = |place: Place| (place.file.path.clone(), place.file.text[place.range.clone()].to_owned());
            of(view, file, at + further).into_iter().map(shown).collect()
        })
    }

    fn one(path: &str, text: &str) -> Vec<(String, String)> {
        vec![(path.to_owned(), text.to_owned())]
    }

    #[test]
    fn links_and_numbers_lead_to_their_targets() {
        assert_eq!(lead(README, "KEP-2", 2), one("keps/sig-net/2-proxy/README.md", ""));
        assert_eq!(lead(README, "[b]", 1), one("keps/sig-net/2-proxy/README.md", "## B c"));
        assert_eq!(lead(README, "[gone]", 1), []);
        assert_eq!(lead(YAML, "/keps/sig-net", 9), one("keps/sig-net/2-proxy/README.md", ""));
    }

    #[test]
    fn headings_and_their_entries_lead_to_each_other() {
        assert_eq!(lead(README, "[A](#a)", 1), one(README, "## A"));
        assert_eq!(lead(README, "## A", 3), one(README, "[A](#a)"));
    }

    #[test]
    fn gates_lead_from_the_readme_to_kep_yaml_and_back() {
        assert_eq!(lead(README, "OwnGate is", 1), one(YAML, "OwnGate"));
        assert_eq!(lead(YAML, "OwnGate", 1), one(README, "OwnGate"));
    }

    #[test]
    fn kep_yaml_and_the_prr_file_lead_to_each_other() {
        assert_eq!(lead(YAML, "stage: beta", 8), one(PRR, "beta"));
        assert_eq!(lead(YAML, "alpha: v1.30", 1), one(PRR, "alpha"));
        assert_eq!(lead(YAML, "kep-number", 1), one(PRR, "kep-number"));
        assert_eq!(lead(PRR, "'@b'", 1), one(YAML, "stage"));
        assert_eq!(lead(PRR, "alpha", 1), one(YAML, "alpha"));
        assert_eq!(lead(PRR, "kep-number", 1), one(YAML, "kep-number"));
        assert_eq!(lead(YAML, "status", 1), []);
    }

    #[test]
    fn links_lead_to_headings() {
        let document = Document::of_text("# T\n## A b\n## Zürich\n## A b\n");
        let headings = Headings::of(&document);
        let at = |name: &str| headings.get(name).map(|id| id.0);
        assert_eq!([at("a-b"), at("A-B"), at("a-b-1"), at("user-content-a-b")], [Some(1), Some(1), Some(3), Some(1)]);
        assert_eq!([at("zürich"), at("z%C3%BCrich"), at("zrich")], [Some(2); 3]);
        assert_eq!([at("c"), at("L12"), at("")], [None; 3]);
    }
}
