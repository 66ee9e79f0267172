//! What a place of a KEP is about, which decides what is known of it and where it leads.

use super::keps;
use super::view::View;
use crate::gates;
use crate::kep::{number, reference};
use crate::markdown::section::SectionId;
use crate::rules::context::Page;
use crate::rules::rule::Rule;
use crate::rules::select::rule_named;
use crate::span::{FileId, Span, last_until, slice};
use crate::suppress::Ignores;
use crate::yaml::tree::{Node, Value};
use std::ops::Range;

pub struct About<'v> {
    pub span: Span,
    pub thing: Thing<'v>,
}

/// Something in a file of a KEP.
pub enum Thing<'v> {
    Heading(SectionId),
    /// A link to an anchor in the same document, without `#`.
    Anchor(&'v str),
    /// A file or a directory of the repository.
    Path {
        path: String,
        anchor: Option<&'v str>,
    },
    Gate(&'v str),
    /// A key of a YAML file, with those around it, the outermost first.
    Key(Vec<&'v str>),
    Value {
        keys: Vec<&'v str>,
        text: &'v str,
    },
    Rule(&'static Rule),
}

#[cfg(test)]
impl Thing<'_> {
    pub fn words(&self) -> String {
        match self {
            Self::Heading(id) => format!("heading {}", id.0),
            Self::Anchor(name) => format!("#{name}"),
            Self::Path { path, anchor: None } => path.clone(),
            Self::Path { path, anchor: Some(anchor) } => format!("{path}#{anchor}"),
            Self::Gate(name) => (*name).to_owned(),
            Self::Key(keys) => format!("key {}", keys.join(".")),
            Self::Value { keys, text } => format!("{}={text}", keys.join(".")),
            Self::Rule(rule) => format!("rule {}", rule.name),
        }
    }
}

/// What is at byte `offset` of a file of the KEP: the smallest part of the text that is about something.
pub fn at<'v>(view: &'v View<'_>, file: FileId, offset: usize) -> Option<About<'v>> {
    ignored(view, file, offset)
        .or_else(|| reference(view, file, offset))
        .or_else(|| gate(view, file, offset))
        .or_else(|| heading(view, file, offset))
        .or_else(|| yaml(view, file, offset))
}

fn is_at(range: &Range<usize>, offset: usize) -> bool {
    range.start <= offset && offset <= range.end
}

/// A rule that an ignore names there.
fn ignored<'v>(view: &View<'_>, file: FileId, offset: usize) -> Option<About<'v>> {
    let ignores = Ignores::of(view.kep());
    let names = ignores.list.iter().filter(|ignore| ignore.comment.file == file).flat_map(|ignore| &ignore.names);
    names.filter(|name| is_at(&name.range, offset)).find_map(|name| {
        let rule = rule_named(&name.rule)?;
        Some(About { span: Span::new(file, name.range.clone()), thing: Thing::Rule(rule) })
    })
}

/// The shortest reference there: to a heading, a document, another KEP or a feature gate. One in the text of
/// a link counts as well.
fn reference<'v>(view: &'v View<'_>, file: FileId, offset: usize) -> Option<About<'v>> {
    let mut references = match view.page(file) {
        Some(page) => links(view, &page, offset),
        None => entries(view, file, offset),
    };
    let text = view.kep().texts.file(file).text.as_str();
    let number = mention(text, offset).filter(|(range, _)| {
        let begins_with_sign = slice(text, range.start..).starts_with('#');
        match view.page(file) {
            Some(page) => {
                let is_in_link = page.links.iter().any(|link| link.span.contains(&range.start));
                !(is_in_link || begins_with_sign && page.is_hidden(range.start))
            }
            // It begins a comment.
            None => !begins_with_sign,
        }
    });
    references.extend(number.and_then(|(range, number)| numbered(view, Span::new(file, range), number)));
    references.into_iter().min_by_key(|about| (about.span.end - about.span.start, about.span.start))
}

fn links<'v>(view: &View<'_>, page: &Page<'v>, offset: usize) -> Vec<About<'v>> {
    let directory = page.directory();
    let links = page.document.links.iter().filter(|link| is_at(&link.span, offset));
    let about = links.filter_map(|link| {
        let thing = linked(view, &link.target, directory.as_deref())?;
        Some(About { span: page.span(link.span.clone()), thing })
    });
    about.collect()
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

/// The KEPs and the feature gates that kep.yaml lists at the place.
fn entries<'v>(view: &'v View<'_>, file: FileId, offset: usize) -> Vec<About<'v>> {
    let kep = view.kep();
    let Some(metadata) = kep.metadata.as_ref().filter(|metadata| metadata.file == file) else { return Vec::new() };
    let directory = kep.texts.directory_of(file);
    let lists = [&metadata.see_also, &metadata.replaces, &metadata.superseded_by];
    let items = lists.into_iter().flat_map(|list| &list.items).filter(|item| is_at(&item.span.range(), offset));
    let keps = items.filter_map(|item| {
        if reference::is_number(&item.text) {
            return numbered(view, item.span, item.text.trim());
        }
        let path = view.repository.referenced_path(&item.text, directory.as_deref());
        let path = path.filter(|path| view.repository.has_path(path) == Some(true))?;
        Some(About { span: item.span, thing: Thing::Path { path, anchor: None } })
    });
    let gates = metadata.feature_gate_names().filter(|name| is_at(&name.span.range(), offset));
    keps.chain(gates.map(|name| About { span: name.span, thing: Thing::Gate(&name.text) })).collect()
}

/// A number that is that of a KEP.
fn numbered<'v>(view: &View<'_>, span: Span, number: &str) -> Option<About<'v>> {
    let path = keps::numbered(view, number)?.to_owned();
    Some(About { span, thing: Thing::Path { path, anchor: None } })
}

/// The words at the place that name a KEP, and the number in them: `KEP-1234`, `KEP 1234`, `#1234`.
fn mention(text: &str, offset: usize) -> Option<(Range<usize>, &str)> {
    const MOST_DIGITS: usize = 5;
    // The longest first: `KEP #1` has two of them.
    const BEGINNINGS: [&str; 5] = ["KEP #", "KEP-", "KEP ", "kep-", "#"];
    let mut begun = BEGINNINGS.iter().flat_map(|beginning| text.match_indices(beginning));
    begun.find_map(|(at, beginning)| {
        let rest = slice(text, at + beginning.len()..);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = (slice(rest, ..digits), slice(rest, digits..));
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '/' | '#' | '&' | '-');
        let is_whole = !slice(text, ..at).ends_with(is_part)
            && !after.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        let range = at..at + beginning.len() + digits;
        let is_meant = (1..=MOST_DIGITS).contains(&digits) && is_whole && is_at(&range, offset);
        is_meant.then(|| (range, number::without_zeros(number)))
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

    #[test]
    fn keps_are_named_in_many_ways() {
        let found = |text: &'static str| {
            let mut found: Vec<_> = (0..=text.len()).filter_map(|offset| mention(text, offset)).collect();
            found.dedup();
            found.into_iter().map(|(range, number)| (&text[range], number)).collect::<Vec<_>>()
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
            let all = (0..source.text.len()).filter(|at| source.text.is_char_boundary(*at));
            let mut all: Vec<String> = all.filter_map(|at| reference(view, file, at)).map(|it| shown(&it)).collect();
            all.dedup();
            all
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
