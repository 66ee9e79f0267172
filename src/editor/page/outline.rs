//! `outline`: the sections of a document with their state, or the keys of a YAML file.

use super::ask::{Of, read};
use super::engine::{Answer, Engine, Question};
use super::text::Units;
use crate::bounds;
use crate::diagnostic::brief;
use crate::editor::state::{self, State};
use crate::editor::view::View;
use crate::markdown::section::SectionId;
use crate::rules::context::{Page, Readme};
use crate::span::FileId;
use crate::yaml::tree::{Entry, Node, Value as Yaml};
use serde_json::{Value, json};
use std::iter;
use std::ops::Range;

pub const OUTLINE: Question = Question { name: "outline", answer };

/// How many keys in another one are listed: no known one has more than six.
const MOST_INNER: usize = 20;

struct OutlineEntry {
    title: String,
    level: usize,
    /// The bytes of its heading or key.
    range: Range<usize>,
    /// The state of a section, the value of a key. Empty if there is nothing to say.
    state: String,
}

fn answer(engine: &mut Engine, fields: Value) -> Answer {
    let Of { role } = read(fields)?;
    let held = engine.held()?;
    held.ask(|view| {
        let (file, _) = held.offset(view, &role, 0)?;
        let units = Units::of(&view.kep().texts.file(file).text);
        let mut entries = Vec::new();
        for OutlineEntry { title, level, range, state } in outline(view, file) {
            let (from, to) = units.range(&range);
            entries.push(json!({ "title": title, "level": level, "from": from, "to": to, "state": state }));
        }
        Ok(Value::Array(entries))
    })
}

/// The outline of a file of the KEP.
fn outline(view: &View<'_>, file: FileId) -> Vec<OutlineEntry> {
    match view.page(file) {
        Some(page) => sections(view, &page),
        None => keys(view.kep().yaml(file).and_then(Node::as_mapping).unwrap_or_default()),
    }
}

fn sections(view: &View<'_>, page: &Page<'_>) -> Vec<OutlineEntry> {
    let ctx = view.ctx();
    let readme = ctx.readme.filter(|readme| readme.document.file == page.file);
    let mut entries = Vec::new();
    for (id, section) in page.sections.iter().take(bounds::OUTLINE_ENTRIES) {
        let title = section.title.text.trim();
        entries.push(OutlineEntry {
            title: if title.is_empty() { "(no title)".to_owned() } else { brief(title).into_owned() },
            level: iter::successors(Some(id), |inner| page.sections.get(*inner).parent).count(),
            range: section.heading.clone(),
            state: readme.and_then(|readme| state_words(view, &readme, id)).unwrap_or_default(),
        });
    }
    entries
}

/// The state of a section: "empty, required".
fn state_words(view: &View<'_>, readme: &Readme<'_>, id: SectionId) -> Option<String> {
    let standing = state::of(view, readme, id)?;
    let state = standing.state?;
    let is_open = standing.is_required && state != State::Filled;
    Some(state.words().to_owned() + if is_open { ", required" } else { "" })
}

/// The keys of a YAML file, and those directly in them.
fn keys(outermost: &[Entry]) -> Vec<OutlineEntry> {
    let mut keys = Vec::new();
    for entry in outermost.iter().take(bounds::OUTLINE_ENTRIES) {
        let Some(outer) = key(entry, 1) else { continue };
        keys.push(outer);
        let inner = entry.value.as_mapping().unwrap_or_default();
        keys.extend(inner.iter().take(MOST_INNER).filter_map(|inner| key(inner, 2)));
    }
    keys
}

fn key(entry: &Entry, level: usize) -> Option<OutlineEntry> {
    let name = entry.key.as_str().map(str::trim).filter(|name| !name.is_empty())?;
    let state = match &entry.value.value {
        Yaml::Scalar(scalar) => brief(&scalar.text).into_owned(),
        Yaml::Sequence(items) => {
            let texts = items.iter().filter_map(|item| item.as_str().or_else(|| first_value(item)));
            brief(&texts.collect::<Vec<_>>().join(", ")).into_owned()
        }
        Yaml::Mapping(_) | Yaml::Alias(_) => String::new(),
    };
    Some(OutlineEntry { title: brief(name).into_owned(), level, range: entry.key.span.range(), state })
}

/// The first value of a mapping in a list, such as the name of a gate.
fn first_value(item: &Node) -> Option<&str> {
    item.as_mapping()?.first()?.value.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::ask;

    /// Each entry with its level, its title, its state, and the text that it is about.
    fn lines(readme: &str, yaml: &str, name: &str) -> Vec<String> {
        let files = [("keps/sig-node/1-images/README.md", readme), ("keps/sig-node/1-images/kep.yaml", yaml)];
        ask(&files, |view| {
            let file = view.file(&format!("keps/sig-node/1-images/{name}")).expect("it is there");
            let text = &view.kep().texts.file(file).text;
            let mut lines = Vec::new();
            for OutlineEntry { title, level, range, state } in outline(view, file) {
                lines.push(format!("{level} {title}: {state} | {}", text[range].trim_end()));
            }
            lines
        })
    }

    #[test]
    fn sections_have_their_state() {
        let readme = "# KEP-1: X\n\n## Summary\n\nTBD\n\n## Motivation\n\nPods wait for images.\n\n### Goals\n\n## Own\n\n### \n\nwords\n\n\
            ## Release Signoff Checklist\n\n- [ ] (R) Enhancement issue in release milestone, which links to KEP dir in [kubernetes/enhancements] (not the initial KEP PR)\n";
        let expected = [
            "1 KEP-1: X:  | # KEP-1: X",
            "2 Summary: placeholder, required | ## Summary",
            "2 Motivation: filled in | ## Motivation",
            "3 Goals: empty, required | ### Goals",
            "2 Own:  | ## Own",
            "3 (no title):  | ###",
            "2 Release Signoff Checklist:  | ## Release Signoff Checklist",
        ];
        assert_eq!(
            lines(readme, "status: implementable\nstage: alpha\nlatest-milestone: v1.37\n", "README.md"),
            expected
        );
    }

    #[test]
    fn keys_have_their_values() {
        let yaml = "title: X\nauthors: ['@a', '@b']\nmilestone:\n  alpha: v1.30\n  beta:\nfeature-gates:\n  - name: G\n    components: [x]\n'': {a: y}\nstage:\n";
        let expected = [
            "1 title: X | title",
            "1 authors: @a, @b | authors",
            "1 milestone:  | milestone",
            "2 alpha: v1.30 | alpha",
            "2 beta:  | beta",
            "1 feature-gates: G | feature-gates",
            "1 stage:  | stage",
        ];
        assert_eq!(lines("# KEP-1\n", yaml, "kep.yaml"), expected);
        assert_eq!(lines("", "", "kep.yaml"), [""; 0]);
        assert_eq!(lines("", "- a\n", "README.md"), [""; 0]);
    }
}
