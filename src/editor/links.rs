//! What a file of a KEP refers to: other KEPs and documents, headings, feature gates.

use super::keps;
use super::thing::{About, Thing};
use super::view::View;
use crate::kep::{number, reference};
use crate::rules::context::Page;
use crate::span::{FileId, Span, last_until, slice};
use std::ops::Range;

/// The references in a file of the KEP, in the order of its text. One in the text of a link counts as well.
pub fn all<'v>(view: &'v View<'_>, file: FileId) -> Vec<About<'v>> {
    let mut all = match view.page(file) {
        Some(page) => of_page(view, &page),
        None => of_yaml(view, file),
    };
    all.sort_by_key(|about| (about.span.start, about.span.end));
    all
}

fn of_page<'v>(view: &'v View<'_>, page: &Page<'v>) -> Vec<About<'v>> {
    let directory = page.directory();
    let document = page.document;
    let links = document.links.iter().filter_map(|link| {
        let thing = linked(view, &link.target, directory.as_deref())?;
        Some(About { span: Span::new(document.file, link.span.clone()), thing })
    });
    let mut all: Vec<About<'_>> = links.collect();
    let is_in_link = in_links(page);
    let mentions = mentions(document.text()).into_iter().filter(|(range, _)| {
        let is_code = || slice(document.text(), range.start..).starts_with('#') && document.is_hidden(range.start);
        !is_in_link(range.start) && !is_code()
    });
    all.extend(mentions.filter_map(|(range, number)| numbered(view, Span::new(document.file, range), number)));
    all
}

/// Whether an offset of the document is in one of its links, which may be nested.
fn in_links(page: &Page<'_>) -> impl Fn(usize) -> bool {
    let mut spans: Vec<(usize, usize)> = page.links.iter().map(|link| (link.span.start, link.span.end)).collect();
    spans.sort_unstable();
    let mut furthest = 0;
    for (_, end) in &mut spans {
        furthest = furthest.max(*end);
        *end = furthest;
    }
    move |at| last_until(&spans, at, |(start, _)| *start).is_some_and(|(_, end)| at < *end)
}

/// What the target of a link in a directory of the KEP leads to.
fn linked<'v>(view: &View<'_>, target: &'v str, directory: Option<&str>) -> Option<Thing<'v>> {
    if let Some(name) = target.strip_prefix('#') {
        return (!name.is_empty()).then_some(Thing::Anchor(name));
    }
    let directory = directory?;
    let anchor = target.split_once('#').map(|(_, anchor)| anchor).filter(|anchor| !anchor.is_empty());
    let path = view.repository.linked_path(target, directory);
    if let Some(path) = path.filter(|path| view.repository.has_path(path) == Some(true)) {
        return Some(Thing::Path { path, anchor });
    }
    let number = reference::kep_number(target, directory)?;
    keps::numbered(view, &number).map(|kep| Thing::Path { path: kep.to_owned(), anchor: None })
}

fn of_yaml<'v>(view: &'v View<'_>, file: FileId) -> Vec<About<'v>> {
    let kep = view.kep();
    let text = kep.texts.file(file).text.as_str();
    let mut all: Vec<About<'_>> = mentions(text)
        .into_iter()
        .filter(|(range, _)| !slice(text, range.start..).starts_with('#'))
        .filter_map(|(range, number)| numbered(view, Span::new(file, range), number))
        .collect();
    let Some(metadata) = kep.metadata.as_ref().filter(|metadata| metadata.file == file) else { return all };
    let directory = kep.texts.directory_of(file);
    for item in [&metadata.see_also, &metadata.replaces, &metadata.superseded_by].into_iter().flat_map(|it| &it.items) {
        if reference::is_number(&item.text) {
            all.extend(numbered(view, item.span, item.text.trim()));
            continue;
        }
        let path = view.repository.referenced_path(&item.text, directory.as_deref());
        let path = path.filter(|path| view.repository.has_path(path) == Some(true));
        all.extend(path.map(|path| About { span: item.span, thing: Thing::Path { path, anchor: None } }));
    }
    all.extend(metadata.feature_gate_names().map(|name| About { span: name.span, thing: Thing::Gate(&name.text) }));
    all
}

/// A number that is that of a KEP.
fn numbered<'v>(view: &View<'_>, span: Span, number: &str) -> Option<About<'v>> {
    let path = keps::numbered(view, number)?.to_owned();
    Some(About { span, thing: Thing::Path { path, anchor: None } })
}

/// The words of a text that name a KEP, each with the number in it: `KEP-1234`, `KEP 1234`, `#1234`.
fn mentions(text: &str) -> Vec<(Range<usize>, &str)> {
    const MOST_DIGITS: usize = 5;
    const BEGINNINGS: [&str; 5] = ["KEP-", "KEP ", "KEP #", "kep-", "#"];
    let mut mentions: Vec<(Range<usize>, &str)> = Vec::new();
    for beginning in BEGINNINGS {
        for (at, _) in text.match_indices(beginning) {
            let rest = slice(text, at + beginning.len()..);
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, after) = (slice(rest, ..digits), slice(rest, digits..));
            let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '/' | '#' | '&' | '-');
            let is_whole = !slice(text, ..at).ends_with(is_part)
                && !after.starts_with(|next: char| next.is_alphanumeric() || next == '_');
            if (1..=MOST_DIGITS).contains(&digits) && is_whole {
                mentions.push((at..at + beginning.len() + digits, number::without_zeros(number)));
            }
        }
    }
    // `KEP #1` has both.
    mentions.sort_by_key(|(range, _)| (range.start, range.end));
    mentions.dedup_by(|later, former| later.0.start < former.0.end);
    mentions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::ask;

    #[test]
    fn keps_are_named_in_many_ways() {
        let found = |text: &'static str| {
            mentions(text).into_iter().map(|(range, number)| (&text[range], number)).collect::<Vec<_>>()
        };
        assert_eq!(
            found("KEP-12, (#0034) KEP 5. kep-6-x"),
            [("KEP-12", "12"), ("#0034", "34"), ("KEP 5", "5"), ("kep-6", "6")]
        );
        assert_eq!(found("see KEP #7!"), [("KEP #7", "7")]);
        for text in ["SKEP-1", "a#1", "k/k#12", "#123456", "KEP-", "#", "&#39;", "KEP-1a", "keps/kep-", "##1"] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    /// The references in a file, each as its text and what it leads to.
    fn references(text: &str, yaml: &str, name: &str) -> Vec<String> {
        let readme = "keps/sig-node/1-images/README.md";
        let files = [
            (readme, text),
            ("keps/sig-node/1-images/kep.yaml", yaml),
            ("keps/sig-net/2-proxy/kep.yaml", "title: Proxy\n"),
            ("keps/sig-net/2-proxy/README.md", "# KEP-2\n## A\n"),
        ];
        ask(&files, |view| {
            let file = view.file(&format!("keps/sig-node/1-images/{name}")).expect("it is there");
            let source = view.kep().texts.file(file);
            let shown = |about: &About<'_>| format!("{} > {}", &source.text[about.span.range()], about.thing.words());
            all(view, file).iter().map(shown).collect()
        })
    }

    #[test]
    fn a_document_refers_to_keps_files_and_headings() {
        let text = "# KEP-1: X\n[a](#b) [b](../../sig-net/2-proxy/README.md#a) [c](https://github.com/kubernetes/enhancements/issues/2)\n\
            [gone](../9-z) [out](../../../../etc/passwd) [web](https://x.example) #2 #9 [KEP-2](https://x.example)\n\n```\n#2\n```\n";
        let expected = [
            "KEP-1 > keps/sig-node/1-images",
            "[a](#b) > #b",
            "[b](../../sig-net/2-proxy/README.md#a) > keps/sig-net/2-proxy/README.md#a",
            "[c](https://github.com/kubernetes/enhancements/issues/2) > keps/sig-net/2-proxy",
            "#2 > keps/sig-net/2-proxy",
        ];
        assert_eq!(references(text, "title: X\n", "README.md"), expected);
    }

    #[test]
    fn kep_yaml_refers_to_keps_and_gates() {
        let yaml = "title: X # as in KEP-2, see #2\nsee-also: [/keps/sig-net/2-proxy, '2', /keps/sig-net/9-z, /etc]\nfeature-gates:\n  - name: EnvFiles\n";
        let expected = [
            "KEP-2 > keps/sig-net/2-proxy",
            "/keps/sig-net/2-proxy > keps/sig-net/2-proxy",
            "'2' > keps/sig-net/2-proxy",
            "EnvFiles > EnvFiles",
        ];
        assert_eq!(references("", yaml, "kep.yaml"), expected);
    }
}
