//! Finds what a place of a KEP is about.

use super::links;
use super::thing::{About, Thing};
use super::view::View;
use crate::gates;
use crate::rules::select::rule_named;
use crate::span::{FileId, Span, last_until, slice};
use crate::suppress::Ignores;
use crate::yaml::tree::{Node, Value};
use std::ops::Range;

/// What is at byte `offset` of a file of the KEP: the smallest part of the text that is about something.
pub fn at<'v>(view: &'v View<'_>, file: FileId, offset: usize) -> Option<About<'v>> {
    let is_at = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    if let Some(about) = ignored(view, file, is_at) {
        return Some(about);
    }
    let references = links::all(view, file).into_iter().filter(|about| is_at(&about.span.range()));
    let reference = references.min_by_key(|about| about.span.end - about.span.start);
    reference
        .or_else(|| gate(view, file, offset))
        .or_else(|| heading(view, file, offset))
        .or_else(|| yaml(view, file, offset))
}

/// A rule that an ignore names there.
fn ignored<'v>(view: &View<'_>, file: FileId, is_at: impl Fn(&Range<usize>) -> bool) -> Option<About<'v>> {
    let ignores = Ignores::of(view.kep());
    let names = ignores.list.iter().filter(|ignore| ignore.comment.file == file).flat_map(|ignore| &ignore.names);
    names.filter(|name| is_at(&name.range)).find_map(|name| {
        let rule = rule_named(&name.rule)?;
        Some(About { span: Span::new(file, name.range.clone()), thing: Thing::Rule(rule) })
    })
}

fn heading<'v>(view: &View<'_>, file: FileId, offset: usize) -> Option<About<'v>> {
    let page = view.page(file)?;
    let id = page.sections.at(offset)?;
    let heading = &page.sections.get(id).heading;
    (offset <= heading.end).then(|| About { span: page.span(heading.clone()), thing: Thing::Heading(id) })
}

/// The name of a feature gate in a document: one of kep.yaml, or of the code.
fn gate<'v>(view: &'v View<'_>, file: FileId, offset: usize) -> Option<About<'v>> {
    let text = view.page(file)?.document.text();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let start = offset - slice(text, ..offset).chars().rev().take_while(|letter| is_part(*letter)).count();
    let end = offset + slice(text, offset..).chars().take_while(|letter| is_part(*letter)).count();
    let name = slice(text, start..end);
    let is_own = || {
        let metadata = view.kep().metadata.iter();
        metadata.flat_map(|metadata| metadata.feature_gate_names()).any(|gate| gate.text == name)
    };
    let is_known = || view.repository.list_of_gates().is_some_and(|list| list.find(name).is_some());
    let is_gate = gates::is_meant(name) && (is_own() || is_known());
    is_gate.then(|| About { span: Span::new(file, start..end), thing: Thing::Gate(name) })
}

/// A key or a value of a YAML file.
fn yaml<'v>(view: &'v View<'_>, file: FileId, offset: usize) -> Option<About<'v>> {
    let mut node = view.kep().yaml(file)?;
    let mut keys = Vec::new();
    loop {
        node = match &node.value {
            Value::Mapping(entries) => {
                let entry = last_until(entries, offset, |entry| entry.key.span.start)?;
                keys.push(entry.key.as_str()?);
                if offset <= entry.key.span.end {
                    return Some(About { span: entry.key.span, thing: Thing::Key(keys) });
                }
                &entry.value
            }
            Value::Sequence(items) => last_until(items, offset, |item| item.span.start)?,
            Value::Scalar(_) | Value::Alias(_) => break,
        };
    }
    let Node { span, .. } = node;
    let is_at = span.start <= offset && offset <= span.end && span.start < span.end;
    let text = node.as_str().filter(|_| is_at)?;
    Some(About { span: *span, thing: Thing::Value { keys, text } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::{ask, place};

    const README: &str = "keps/sig-node/1-images/README.md";
    const YAML: &str = "keps/sig-node/1-images/kep.yaml";

    #[test]
    fn each_place_is_about_the_smallest_thing() {
        let readme = "# KEP-1: X\n\n<!-- kep-lint-ignore missing-section, nothing: why -->\n\n## Summary\n\nThe OwnGate and EnvFiles, \
            not Kubelet or `Summary`. [x](#summary) é\n";
        let yaml = "title: 'X y'\nmilestone:\n  alpha: v1.30\nstatus:\nfeature-gates:\n  - name: OwnGate\n    components: [a]\n";
        let files = [(README, readme), (YAML, yaml)];
        ask(&files, |view| {
            let about = |path: &str, mark: &str, further: usize| {
                let (file, at) = place(view, path, mark);
                let about = at + further;
                super::at(view, file, about).map(|about| about.thing.words())
            };
            let of = |mark: &str| about(README, mark, 1);
            assert_eq!(of("# KEP").as_deref(), Some("heading 0"));
            assert_eq!(of("KEP-1").as_deref(), Some("keps/sig-node/1-images"));
            assert_eq!(of("missing-section").as_deref(), Some("rule missing-section"));
            assert_eq!((of("nothing"), of("Kubelet"), of("`Summary"), about(README, "é", 0)), (None, None, None, None));
            assert_eq!(of("## Summary").as_deref(), Some("heading 1"));
            assert_eq!((of("OwnGate").as_deref(), of("EnvFiles").as_deref()), (Some("OwnGate"), Some("EnvFiles")));
            assert_eq!(of("(#summary)").as_deref(), Some("#summary"));
            let in_yaml = |mark: &str| about(YAML, mark, 1);
            assert_eq!(in_yaml("title").as_deref(), Some("key title"));
            assert_eq!(in_yaml("'X y'").as_deref(), Some("title=X y"));
            assert_eq!(
                (in_yaml("alpha").as_deref(), in_yaml("v1.30").as_deref()),
                (Some("key milestone.alpha"), Some("milestone.alpha=v1.30"))
            );
            assert_eq!(in_yaml("name").as_deref(), Some("key feature-gates.name"));
            assert_eq!(
                (in_yaml("OwnGate").as_deref(), in_yaml("[a]").as_deref()),
                (Some("OwnGate"), Some("feature-gates.components=a"))
            );
            assert_eq!(about(YAML, "status:", 7), None);
        });
    }

    #[test]
    fn any_offset_of_any_text_has_an_answer() {
        let readme = "# é\n\n🎉 `x` [a](#é)\n\n- [ ] EnvFiles🎉\n\r\n<!-- kep-lint-ignore";
        let yaml = "a: [é, {b: 🎉}]\n? x\n: &y [*y]\n<<: *y\n";
        ask(&[(README, readme), (YAML, yaml)], |view| {
            for path in [README, YAML] {
                let file = view.file(path).expect("it is there");
                let text = view.kep().texts.file(file).text.clone();
                for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                    if let Some(about) = at(view, file, offset) {
                        assert!(text.get(about.span.range()).is_some(), "{}", about.thing.words());
                    }
                }
            }
        });
    }
}
