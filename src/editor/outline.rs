//! The outline of a file of a KEP: the sections of a document with their state, the keys of a YAML file.

use super::state;
use super::view::View;
use crate::bounds;
use crate::diagnostic::brief;
use crate::markdown::section::SectionId;
use crate::rules::context::{Page, Readme};
use crate::span::FileId;
use crate::yaml::tree::{Entry, Node, Value};
use std::ops::Range;

/// An entry of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is called; never empty.
    pub name: String,
    /// More about it: the state of a section, the value of a key. Empty if there is nothing to say.
    pub detail: String,
    /// What it is.
    pub kind: Kind,
    /// Its bytes, with those of the entries in it.
    pub range: Range<usize>,
    /// The bytes of its heading or key.
    pub selection: Range<usize>,
    /// The entries in it.
    pub children: Vec<Symbol>,
}

/// What an entry of an outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A section of a document.
    Section,
    /// A key with one value.
    Key,
    /// A key with several.
    Group,
}

/// How many keys in another one are listed: no known one has more than six.
const MOST_INNER: usize = 20;

/// The outline of a file of the KEP.
pub fn of(view: &View<'_>, file: FileId) -> Vec<Symbol> {
    if let Some(page) = view.page(file) {
        return sections(view, &page);
    }
    let root = view.kep().yaml(file).and_then(Node::as_mapping);
    root.into_iter().flatten().take(bounds::EDITOR_PLACES).filter_map(|entry| key(entry, true)).collect()
}

fn sections(view: &View<'_>, page: &Page<'_>) -> Vec<Symbol> {
    let ctx = view.ctx();
    let readme = ctx.readme.filter(|readme| readme.document.file == page.file);
    // From the last one on, so that each finds those in it complete.
    let mut done: Vec<(SectionId, Symbol)> = Vec::new();
    let all: Vec<SectionId> = page.sections.iter().map(|(id, _)| id).take(bounds::EDITOR_PLACES).collect();
    for id in all.into_iter().rev() {
        let section = page.sections.get(id);
        let mut children = Vec::new();
        while let Some((_, child)) = done.pop_if(|(child, _)| page.sections.get(*child).parent == Some(id)) {
            children.push(child);
        }
        let title = section.title.text.trim();
        let symbol = Symbol {
            name: if title.is_empty() { "(no title)".to_owned() } else { brief(title).into_owned() },
            detail: readme.and_then(|readme| detail(view, &readme, id)).unwrap_or_default(),
            kind: Kind::Section,
            range: section.heading.start..section.subtree.end.max(section.heading.end),
            selection: section.heading.clone(),
            children,
        };
        done.push((id, symbol));
    }
    done.into_iter().rev().map(|(_, symbol)| symbol).collect()
}

/// The state of a section: "empty, required".
fn detail(view: &View<'_>, readme: &Readme<'_>, id: SectionId) -> Option<String> {
    let standing = state::of(view, readme, id)?;
    let state = standing.state?;
    let is_open = standing.is_required && state != state::State::Filled;
    Some(state.words().to_owned() + if is_open { ", required" } else { "" })
}

/// A key of a YAML file, and those directly in it.
fn key(entry: &Entry, has_inner: bool) -> Option<Symbol> {
    let Entry { key: name, value } = entry;
    let name_text = name.as_str().map(str::trim).filter(|name| !name.is_empty())?;
    let (mut kind, mut detail, mut children) = (Kind::Key, String::new(), Vec::new());
    match &value.value {
        Value::Scalar(scalar) => detail = brief(&scalar.text).into_owned(),
        Value::Alias(_) => {}
        Value::Mapping(entries) => {
            kind = Kind::Group;
            if has_inner {
                children = entries.iter().take(MOST_INNER).filter_map(|inner| key(inner, false)).collect();
            }
        }
        Value::Sequence(items) => {
            kind = Kind::Group;
            let texts: Vec<&str> =
                items.iter().filter_map(|item| item.as_str().or_else(|| first_value(item))).collect();
            detail = brief(&texts.join(", ")).into_owned();
        }
    }
    let end = value.span.end.max(name.span.end);
    Some(Symbol {
        name: brief(name_text).into_owned(),
        detail,
        kind,
        range: name.span.start..end,
        selection: name.span.range(),
        children,
    })
}

/// The first value of a mapping in a list, such as the name of a gate.
fn first_value(item: &Node) -> Option<&str> {
    item.as_mapping()?.first()?.value.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::ask;

    fn shown(symbols: &[Symbol], depth: usize) -> Vec<String> {
        let line = |symbol: &Symbol| format!("{}{}: {}", "  ".repeat(depth), symbol.name, symbol.detail);
        let with_children = |symbol: &Symbol| {
            let own = line(symbol);
            for child in &symbol.children {
                assert!(symbol.range.start <= child.range.start && child.range.end <= symbol.range.end, "{child:?}");
                assert!(child.range.start <= child.selection.start && child.selection.end <= child.range.end);
            }
            std::iter::once(own).chain(shown(&symbol.children, depth + 1)).collect::<Vec<_>>()
        };
        symbols.iter().flat_map(with_children).collect()
    }

    fn outline(readme: &str, yaml: &str, name: &str) -> Vec<String> {
        let files = [("keps/sig-node/1-images/README.md", readme), ("keps/sig-node/1-images/kep.yaml", yaml)];
        ask(&files, |view| {
            let file = view.file(&format!("keps/sig-node/1-images/{name}")).expect("it is there");
            shown(&of(view, file), 0)
        })
    }

    #[test]
    fn sections_have_their_state() {
        let readme = "# KEP-1: X\n\n## Summary\n\nTBD\n\n## Motivation\n\nPods wait for images.\n\n### Goals\n\n## Own\n\n### \n\nwords\n\n\
            ## Release Signoff Checklist\n\n- [ ] (R) Enhancement issue in release milestone, which links to KEP dir in [kubernetes/enhancements] (not the initial KEP PR)\n";
        let expected = [
            "KEP-1: X: ",
            "  Summary: placeholder, required",
            "  Motivation: filled in",
            "    Goals: empty, required",
            "  Own: ",
            "    (no title): ",
            "  Release Signoff Checklist: ",
        ];
        assert_eq!(
            outline(readme, "status: implementable\nstage: alpha\nlatest-milestone: v1.37\n", "README.md"),
            expected
        );
    }

    #[test]
    fn keys_have_their_values() {
        let yaml = "title: X\nauthors: ['@a', '@b']\nmilestone:\n  alpha: v1.30\n  beta:\nfeature-gates:\n  - name: G\n    components: [x]\n'': y\nstage:\n";
        let expected =
            ["title: X", "authors: @a, @b", "milestone: ", "  alpha: v1.30", "  beta: ", "feature-gates: G", "stage: "];
        assert_eq!(outline("# KEP-1\n", yaml, "kep.yaml"), expected);
        assert_eq!(outline("", "", "kep.yaml"), [""; 0]);
        assert_eq!(outline("", "- a\n", "README.md"), [""; 0]);
    }
}
