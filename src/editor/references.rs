//! What refers to something in a KEP: to a heading, to a feature gate, to another KEP.

use super::about;
use super::anchors::Headings;
use super::definition::{Place, whole_words};
use super::thing::Thing;
use super::view::View;
use super::{keps, links, tree};
use crate::bounds;
use crate::kep::reference;
use crate::markdown::section::SectionId;
use crate::rules::context::Page;
use crate::span::{FileId, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// What refers to what is at byte `offset` of a file of the KEP, in the files of this KEP; of a KEP, also what other kep.yaml
/// files say. `has_definition` tells whether what is referred to counts as well.
pub fn of(view: &View<'_>, file: FileId, offset: usize, has_definition: bool) -> Vec<Place> {
    let Some(about) = about::at(view, file, offset) else { return Vec::new() };
    let mut places = match about.thing {
        Thing::Heading(id) => of_heading(view, file, id, has_definition),
        Thing::Anchor(name) => {
            let heading = view.page(file).and_then(|page| Headings::of(page.document).get(name));
            heading.map(|id| of_heading(view, file, id, has_definition)).unwrap_or_default()
        }
        Thing::Gate(name) => of_gate(view, name, has_definition),
        Thing::Path { path, .. } => of_kep(view, &path),
        Thing::Key(_) | Thing::Value { .. } | Thing::Rule(_) => Vec::new(),
    };
    places.truncate(bounds::EDITOR_PLACES);
    places
}

/// The links to a heading: those of the table of contents, and all others of this KEP.
fn of_heading(view: &View<'_>, file: FileId, id: SectionId, has_definition: bool) -> Vec<Place> {
    let Some(own) = view.page(file) else { return Vec::new() };
    let mut places = Vec::new();
    if has_definition {
        places.push(Place::own(view, own.span(own.sections.get(id).heading.clone())));
    }
    let (own_path, headings) = (own.tree_path(), Headings::of(own.document));
    let leads_there = |thing: &Thing<'_>, page: &Page<'_>| {
        let anchor = match thing {
            Thing::Anchor(name) if page.file == file => Some(*name),
            Thing::Path { path, anchor } if Some(path) == own_path.as_ref() => *anchor,
            _ => None,
        };
        anchor.is_some_and(|name| headings.get(name) == Some(id))
    };
    for page in view.ctx().pages() {
        let all = links::all(view, page.file).into_iter().filter(|about| leads_there(&about.thing, &page));
        places.extend(all.map(|about| Place::own(view, about.span)));
    }
    places
}

/// Where the documents of the KEP name a gate, and kep.yaml, which defines it.
fn of_gate(view: &View<'_>, name: &str, has_definition: bool) -> Vec<Place> {
    let metadata = view.kep().metadata.iter().flat_map(|metadata| metadata.feature_gate_names());
    let listed = metadata.filter(|gate| has_definition && gate.text == name).map(|gate| gate.span);
    let mut places: Vec<Place> = listed.map(|span| Place::own(view, span)).collect();
    for page in view.ctx().pages() {
        places.extend(whole_words(page.text(), name).map(|range| Place::own(view, page.span(range))));
    }
    places
}

/// What names the KEP that a path is in: the files of this KEP, and the keys of all kep.yaml files for other KEPs.
fn of_kep(view: &View<'_>, named: &str) -> Vec<Place> {
    let Some(directory) = keps::around(view, named) else { return Vec::new() };
    let is_there = |path: &str| keps::around(view, path) == Some(directory);
    let mut places = Vec::new();
    // Many may be the same.
    let mut known: HashMap<String, bool> = HashMap::new();
    for (file, _) in view.kep().texts.iter() {
        let all = links::all(view, file).into_iter().filter_map(|about| {
            let Thing::Path { path, .. } = about.thing else { return None };
            known.entry(path).or_insert_with_key(|path| is_there(path)).then_some(about.span)
        });
        places.extend(all.take(bounds::EDITOR_PLACES).map(|span| Place::own(view, span)));
    }
    let own = view.kep().texts.tree_path.as_deref();
    let number = tree::number_of(directory);
    for other in tree::directories(view.repository).filter(|other| Some(*other) != own) {
        let Some(file) = view.read(&format!("{other}/kep.yaml")) else { continue };
        // Few name it, and only these are parsed.
        if !number.or(directory.rsplit('/').next()).is_some_and(|name| file.text.contains(name)) {
            continue;
        }
        let Some(metadata) = keps::metadata(view, other) else { continue };
        let lists = [&metadata.see_also, &metadata.replaces, &metadata.superseded_by];
        for item in lists.into_iter().flat_map(|list| &list.items) {
            let is_number = reference::is_number(&item.text);
            let is_meant = if is_number {
                keps::numbered(view, item.text.trim()) == Some(directory)
            } else {
                view.repository.referenced_path(&item.text, Some(other)).is_some_and(|path| is_there(&path))
            };
            if is_meant {
                let Span { start, end, .. } = item.span;
                places.push(Place { file: Arc::clone(&file), range: start..end });
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::{ask, place};

    const README: &str = "keps/sig-node/1-images/README.md";
    const YAML: &str = "keps/sig-node/1-images/kep.yaml";

    const FILES: [(&str, &str); 7] = [
        (
            README,
            "# KEP-1: X\n<!-- toc -->\n- [A](#a)\n<!-- /toc -->\n## A\n\nOwnGate `OwnGate` OwnGates [above](#a) KEP-2 [c](#c)\n\n```\nOwnGate\n```\n",
        ),
        (
            "keps/sig-node/1-images/notes.md",
            "# N\n## A\n[a](README.md#a) [own](#a) [readme](README.md) [b](../../sig-net/2-proxy/)\n",
        ),
        (YAML, "see-also: [/keps/sig-net/2-proxy]\nfeature-gates:\n  - name: OwnGate\n"),
        ("keps/sig-net/2-proxy/README.md", "# KEP-2: Y\n"),
        ("keps/sig-net/2-proxy/kep.yaml", "title: Y\n"),
        (
            "keps/sig-net/3-z/kep.yaml",
            "title: 2\nsee-also: [../2-proxy]\nreplaces: ['2', /keps/sig-net/9-x]\nsuperseded-by: [/keps/sig-node/1-images]\n",
        ),
        ("keps/sig-net/3-z/README.md", "# KEP-3\nSee KEP-2.\n"),
    ];

    fn found(path: &str, mark: &str, has_definition: bool) -> Vec<String> {
        ask(&FILES, |view| {
            let (file, at) = place(view, path, mark);
            let shown = |place: Place| {
                let name = place.file.path.rsplit_once("/").expect("it has a directory");
                let directory = name.0.rsplit('/').next().unwrap_or_default();
                format!("{directory}/{} {}", name.1, &place.file.text[place.range.clone()])
            };
            of(view, file, at + 2, has_definition).into_iter().map(shown).collect()
        })
    }

    #[test]
    fn the_links_to_a_heading_are_found_from_both_ends() {
        let links =
            ["1-images/README.md [A](#a)", "1-images/README.md [above](#a)", "1-images/notes.md [a](README.md#a)"];
        assert_eq!(found(README, "## A", false), links);
        assert_eq!(found(README, "[above]", false), links);
        assert_eq!(found(README, "## A", true)[0], "1-images/README.md ## A");
        assert_eq!(found(README, "[c]", true), [""; 0]);
    }

    #[test]
    fn a_gate_is_found_where_it_is_named() {
        let named = ["1-images/README.md OwnGate"; 3];
        assert_eq!(found(README, "OwnGate", false), named);
        let with_definition: Vec<&str> = ["1-images/kep.yaml OwnGate"].into_iter().chain(named).collect();
        assert_eq!(found(YAML, "OwnGate", true), with_definition);
    }

    #[test]
    fn a_kep_is_found_where_kep_yaml_files_name_it() {
        let expected = [
            "1-images/README.md KEP-2",
            "1-images/kep.yaml /keps/sig-net/2-proxy",
            "1-images/notes.md [b](../../sig-net/2-proxy/)",
            "3-z/kep.yaml ../2-proxy",
            "3-z/kep.yaml '2'",
        ];
        assert_eq!(found(README, "KEP-2", false), expected);
        assert_eq!(found(YAML, "/keps/sig-net", true), expected);
        assert_eq!(
            found(README, "KEP-1", false),
            [
                "1-images/README.md KEP-1",
                "1-images/notes.md [a](README.md#a)",
                "1-images/notes.md [readme](README.md)",
                "3-z/kep.yaml /keps/sig-node/1-images"
            ]
        );
    }
}
