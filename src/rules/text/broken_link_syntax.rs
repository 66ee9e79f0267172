//! A link is malformed, has no target, or has a target without `https://`.
//!
//! ## Why
//!
//! `(text)[address]`, `[text] (address)`, `[text][address]` and `[text](./some file)` are not rendered as links;
//! `[text]((address))` and a target without `https://` lead to a page that does not exist, and so does a target with an
//! invisible character or with a bracket at its end. A target counts as a web site if it begins with a host with a common top-level domain; `kubernetes.io/finalizer` is a
//! name.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! See (the documentation)[https://kubernetes.io/docs/].
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! See [the documentation](https://kubernetes.io/docs/).
//! ```

use crate::markdown::anchor::Dialect;
use crate::markdown::checkbox;
use crate::markdown::link::{self, Link};
use crate::rules::prelude::*;
use crate::span::is_invisible;
use regex::Regex;
use std::sync::LazyLock;

/// How many links around a broken one are compared with it; those that may be nested are next to it.
const NESTED_LINKS: usize = 8;

/// The longest link that a help quotes in full, in bytes: it is what to write.
const QUOTED_LINK_BYTES: usize = 250;

pub const RULE: Rule = Rule {
    name: "broken-link-syntax",
    summary: "malformed link, or a link whose target is missing or has no scheme",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("broken_link_syntax.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

/// A link that is written wrong, with the name of its kind in [`KINDS`] for its address. A word in quotes is a title.
static BROKEN: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?x)
        \((?<words>[^()\[\]]+)\)\[(?<swapped>https?://[^\[\]\ \t\n]+)\]
        | \[(?<text>[^\[\]\n]+)
          (?:
            \]\(\((?<doubled>[^()\ \t\n]+)\)\)
            | \[\((?<bracket>[^()\ \t\n]+)\)
            | \](?:\ |\r?\n\ {0,8})\((?<spaced>https?://[^()\ \t\r\n]+)\)
            | \]\(\[[^\[\]\n]+\]\((?<nested>https?://[^()\ \t\r\n]+)\)\)
            | \]\[(?<label>https?://[^\[\]\ \t\r\n]+)\]
            | \]\((?<heading>\#{1,6}\ [^()\n]+|\#[^()<>"'\ \n]+\ +[^()<>"'\ \n][^()<>"'\n]*)\)
            | \]\((?<lines>(?:\.{0,2}/|https?://)[^()<>"'\ \t\n]+?(?<gap>[\ \t\r]*\n[\ \t]{0,8})[^()<>"'\ \t:\r\n]+)\)
            | \]\((?<target>(?:\.{0,2}/|https?://)[^()<>"'\ \n]+(?:\ +[^()<>"'\ \t\r\n]+)+)\)
          )
        "#;
    Regex::new(pattern).expect("the pattern is well-formed")
});

struct BrokenKind {
    name: &'static str,
    message: &'static str,
    safety: Safety,
}

const fn kind(name: &'static str, message: &'static str, safety: Safety) -> BrokenKind {
    BrokenKind { name, message, safety }
}

static KINDS: [BrokenKind; 9] = [
    kind("swapped", "the brackets and parentheses of this link are swapped", Safety::Safe),
    kind("doubled", "this link has two pairs of parentheses", Safety::Safe),
    kind("bracket", "this link has `[(` instead of `](`", Safety::Unsafe),
    kind("spaced", "this link has a space or line end between `]` and `(`", Safety::Safe),
    kind("nested", "this link has a link as its address", Safety::Unsafe),
    kind("label", "this link has its address in brackets instead of parentheses", Safety::Safe),
    kind("heading", "this link has a heading as its address", Safety::Unsafe),
    kind("lines", "this link has a line end in its address", Safety::Safe),
    kind("target", "this link has a space in its address", Safety::Unsafe),
];

/// The longest text of a link of some kinds, in characters: a longer one is more than a link.
const LINKED_CHARACTERS: usize = 120;

fn check(_: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    report_broken(page, out);
    let mut definitions = HashSet::new();
    for link in &page.links {
        let target = link.target.trim();
        let invisible = if target.is_ascii() { None } else { target.chars().find(|one| is_invisible(*one)) };
        let (message, right) = if let Some(letter) = invisible {
            let message = format!("link target has the invisible character U+{:04X}", u32::from(letter));
            (message, Some(target.replace(is_invisible, "")))
        } else if target.is_empty() {
            ("link has no target".to_owned(), None)
        } else if ["todo", "tbd"].iter().any(|word| target.eq_ignore_ascii_case(word)) {
            (format!("link target is `{}`", brief(target)), None)
        } else if let Some(inside) = link::in_brackets(target) {
            (format!("link target `{}` ends with `]`", brief(target)), Some(inside.to_owned()))
        } else if reference::lacks_scheme(target) && !is_label(page, &link.span, target) {
            let message = format!("`{}` has no `https://`, so it is treated as a relative path", brief(target));
            (message, Some(format!("https://{target}")))
        } else {
            continue;
        };
        let definition = definition_of(page, link);
        // Other links may use it.
        if definition.is_some_and(|definition| !definitions.insert(definition.start)) {
            continue;
        }
        let written = definition.unwrap_or(&link.span);
        let mut finding = Diagnostic::at(page.span(written.clone()), message);
        if invisible.is_some() || reference::lacks_scheme(target) {
            finding.subject = Subject::named([target]);
        }
        let safety = if invisible.is_some() { Safety::Safe } else { Safety::Unsafe };
        out.report(match right {
            Some(right) => {
                finding.help = Some(format!("write `{}`", brief(&right)));
                finding.fix(fix(page, written, target, right, safety))
            }
            None => finding.help("add a target, or write plain text"),
        });
    }
}

fn fix(page: Page<'_>, written: &Range<usize>, target: &str, right: String, safety: Safety) -> Option<Fix> {
    let source = slice(page.slice(written.clone()), ..written.len().min(bounds::LINE_BYTES));
    let after = |before: &str| Some(source.rfind(&format!("{before}{target}"))? + before.len());
    let start = written.start + after("(").or_else(|| after("]: "))?;
    Some(Fix::write(safety, "correct the address", page.span(start..start + target.len()), right))
}

fn report_broken(page: Page<'_>, out: &mut Sink) {
    let labels = LazyCell::new(|| labels(page.text()));
    let is_label = |label: &str| label.starts_with('^') || labels.contains(label);
    for broken in BROKEN.captures_iter(page.text()) {
        let (Some(whole), Some(text)) = (broken.get(0), broken.name("text").or(broken.name("words"))) else { continue };
        let named = KINDS.iter().find_map(|kind| Some((kind, broken.name(kind.name)?.as_str())));
        let Some((BrokenKind { name, message, safety }, address)) = named else { continue };
        let text = text.as_str();
        let is_too_long = || text.chars().count() > LINKED_CHARACTERS;
        // `[ ] (https://…)` and `[ x ] (https://…)` are checkboxes.
        let is_box = || text.chars().count() == 1 || checkbox::at_start(whole.as_str()).is_some();
        if ["swapped", "spaced"].contains(name) && (is_too_long() || *name == "spaced" && is_box()) {
            continue;
        }
        // With other brackets next to it, the intended link is not certain.
        let is_part = page.slice(..whole.start()).ends_with([']', '(', ')', '[']);
        if page.is_hidden(whole.start()) || is_part {
            continue;
        }
        // `[label] (address)` is a link to the definition of `label`, with a remark.
        if whole.as_str().contains(['\n', ' ']) && is_label(text) {
            continue;
        }
        let span = page.span(whole.range());
        let words = address.trim_start_matches(['.', '/']);
        // `./TODO: Link here`
        if ["TODO", "TBD"].contains(&words.split(':').next().unwrap_or_default()) {
            let finding = Diagnostic::at(span, format!("link target is `{}`", brief(address)));
            out.report(finding.help("add a target, or write plain text"));
            continue;
        }
        if *name == "target" && has_space_in_name(address) {
            let help = "remove the space, or write the right name: names in an address have no spaces";
            out.report(Diagnostic::at(span, *message).help(help));
            continue;
        }
        let gap = broken.name("gap");
        let titled = address.split_once(" “").and_then(|(to, title)| Some((to, title.strip_suffix('”')?)));
        let target = match (address.strip_prefix('#'), gap, titled) {
            (Some(heading), ..) => format!("#{}", Dialect::GitHub.anchor(heading.trim_start_matches('#').trim())),
            (_, Some(gap), _) => address.replace(gap.as_str(), ""),
            (_, _, Some((to, title))) => format!("{} \"{title}\"", to.trim_end()),
            _ => address.replace(' ', "%20"),
        };
        let is_image = page.slice(..whole.start()).ends_with('!');
        let link = format!("{}[{}]({target})", if is_image { "!" } else { "" }, text);
        let help = match link.len() {
            ..=QUOTED_LINK_BYTES => format!("write {}", quoted(&link.replace(LINE_ENDS, " "))),
            _ => "write it as `[text](address)`".to_owned(),
        };
        let mut finding =
            Diagnostic::at(span, if is_image { message.replace("link", "image") } else { (*message).to_owned() })
                .help(help);
        let is_reference = || is_label(text) || is_label(address);
        if is_plain(page, &whole.range(), text, address) && !is_reference() {
            let (place, written) = gap.map_or((span, link), |gap| (page.span(gap.range()), String::new()));
            finding.fix = Some(Fix::write(*safety, "write it as a link", place, written));
        }
        out.report(finding);
    }
}

/// Whether a space is in the name of a host, or of an owner or a repository on GitHub: none of them has one.
fn has_space_in_name(address: &str) -> bool {
    let names = if address.starts_with("https://github.com/") { 5 } else { 3 };
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.contains("://") && path.split('/').take(names).any(|name| name.contains(' '))
}

/// Where the target of a link is written, if that is in the definition of its label.
fn definition_of<'a>(page: Page<'a>, link: &Link) -> Option<&'a Range<usize>> {
    let written = page.slice(link.span.clone()).strip_suffix(']').filter(|_| link.span.len() <= bounds::LINE_BYTES)?;
    let label = written.strip_suffix('[').and_then(|written| written.strip_suffix(']')).unwrap_or(written);
    let definition = page.document.definitions.get(label.rsplit('[').next()?)?;
    (definition.target == link.target).then_some(&definition.span)
}

/// Whether only the brackets are wrong: there is no code, comment, tag or other link in or next to them, and the text
/// is in one paragraph.
fn is_plain(page: Page<'_>, whole: &Range<usize>, text: &str, address: &str) -> bool {
    let from = page.text().floor_char_boundary(whole.start.saturating_sub(bounds::LINE_BYTES));
    let before = page.slice(from..whole.start);
    let after = page.slice(whole.end..);
    let is_one_paragraph =
        text.split(LINE_ENDS).skip(1).all(|line| line.starts_with(|first: char| first.is_alphanumeric()));
    let line = before.rsplit(LINE_ENDS).next().filter(|line| line.len() < before.len() || from == 0);
    // Right after a letter it may be a call such as `f[T]((x))`, and right after a backtick it may be code.
    let is_free = !before.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '\\' | '!' | '_' | '`'));
    let ends = !after.starts_with(['(', '[', ':', '`', '_']) && line.is_some_and(|line| !line.contains(['|', '<']));
    // Links are ordered by their start, and only a few are nested.
    let links = &page.links;
    let before_end = links.partition_point(|link| link.span.start < whole.end);
    let near = links.iter().take(before_end).rev().take(NESTED_LINKS);
    let is_alone = near.into_iter().all(|link| link.span == *whole || link.span.end <= whole.start);
    let has_marks =
        text.contains(['`', '<', '>', '|', '\\', '*']) || address.contains(['(', ')', '\\', '<', '>', '|', '`']);
    is_free && ends && is_one_paragraph && is_alone && !has_marks
}

fn labels(text: &str) -> HashSet<&str> {
    let lines = text
        .split('\n')
        .flat_map(|line| line.split('\r'))
        .map(|line| line.trim_start_matches([' ', '>', '-', '*', '\t']));
    lines.filter_map(|line| line.strip_prefix('[')?.split_once("]:").map(|(label, _)| label)).collect()
}

/// Whether a link's text is its target, as for labels and finalizers in brackets: `[kubernetes.io/x](kubernetes.io/x)`.
fn is_label(page: Page<'_>, link: &Range<usize>, target: &str) -> bool {
    link.len() <= bounds::LINE_BYTES
        && !target.starts_with("www.")
        && !target.contains(".com/")
        && page.slice(link.clone()).matches(target).nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_found() {
        for (name, text) in [
            ("swapped", "(text)[https://x]"),
            ("doubled", "[text]((x))"),
            ("bracket", "[text[(x)"),
            ("spaced", "[text] (https://x)"),
            ("spaced", "[text]\r\n  (https://x)"),
            ("nested", "[text]([x](https://x))"),
            ("label", "[text][https://x]"),
            ("heading", "[text](## Heading)"),
            ("heading", "[text](#Heading of this)"),
            ("lines", "[text](https://a/\n  b)"),
            ("lines", "[text](../a-\r\nb/README.md#c)"),
            ("target", "[text](./a b)"),
            ("target", "[text](/a b c)"),
            ("target", "[text](https://a/b c)"),
        ] {
            let found = BROKEN.captures(text).expect(text);
            let names: Vec<&str> =
                KINDS.iter().map(|kind| kind.name).filter(|kind| found.name(kind).is_some()).collect();
            assert_eq!(names, [name], "{text}");
        }
        for none in [
            "[a](#b) [c](./d \"e\") [f](https://g).\n",
            "[text](#a \"b c\")",
            "[text](./a 'b c')",
            "[text](./a (b))",
            "[text](<./a b>)",
            "[text](./a )",
            "[text](https://a\n\"title\")",
            "[text](https://a\n\nb)",
            "[text](https://a\nhttps://b)",
            "[text](a\nb)",
        ] {
            assert!(!BROKEN.is_match(none), "{none}");
        }
    }
}
