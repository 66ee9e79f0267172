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

use crate::bounds;
use crate::kep::reference;
use crate::markdown::anchor::Dialect;
use crate::markdown::link::{self, Link};
use crate::rules::prelude::*;
use crate::search;
use crate::span::LINE_ENDS;
use regex::Regex;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

pub const RULE: Rule = Rule {
    name: "broken-link-syntax",
    category: Category::Text,
    summary: "malformed link, or a link whose target is missing or has no scheme",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Advice, closed: Off },
    fix: Some(Safety::Safe),
    docs: docs!("broken_link_syntax.rs"),
    checks: Checks::of_kep(check),
    ..Rule::DEFAULT
};

/// `(text)[https://…]`; the text may be on two lines.
static SWAPPED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\(([^()\[\]]{1,120})\)\[(https?://[^\[\] \t\n]+)\]"));

static DOUBLE_PARENTHESES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\[\]\n]+)\]\(\(([^() \t\n]+)\)\)"));

static WRONG_BRACKET: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\[\]\n]+)\[\(([^() \t\n]+)\)"));

/// `[text] (https://…)`; the address may be on the next line.
static SPACED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\[([^\[\]\n]{2,120})\](?: |\r?\n {0,8})\((https?://[^() \t\r\n]+)\)"));

static NESTED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\[([^\[\]\n]+)\]\(\[[^\[\]\n]+\]\((https?://[^() \t\r\n]+)\)\)"));

static ADDRESS_AS_LABEL: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\[\]\n]+)\]\[(https?://[^\[\] \t\r\n]+)\]"));

/// `[text](## Heading)` and `[text](#Some heading)`; a word in quotes is a title.
static HEADING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\[([^\[\]\n]+)\]\((#{1,6} [^()\n]+|#[^()<>"' \n]+ +[^()<>"' \n][^()<>"'\n]*)\)"#));

static SPACED_TARGET: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\[([^\[\]\n]+)\]\(((?:\.{0,2}/|https?://)[^()<>"' \n]+(?: +[^()<>"' \t\r\n]+)+)\)"#));

struct Kind {
    /// Whether a text may have one. It costs far less than the pattern, which is compiled only where it may match.
    may_match: bool,
    pattern: &'static LazyLock<Regex>,
    /// Whether it is certain how the link was meant.
    is_certain: bool,
    message: &'static str,
}

/// All kinds, for a search in this text.
fn kinds(text: &str) -> [Kind; 8] {
    let ends = search::bytes(text, b']').map(|at| slice(text, at + 1..));
    let ends: Vec<&str> = ends.filter(|after| is_unusual(after)).collect();
    let any = |is_wanted: fn(&str) -> bool| ends.iter().any(|after| is_wanted(after));
    let kind = |may_match, pattern, is_certain, message| Kind { may_match, pattern, is_certain, message };
    let is_swapped = search::word(text, ")[http").is_some();
    let has_wrong_bracket = search::word(text, "[(").is_some();
    let is_spaced = any(|after| {
        let target = after.trim_start_matches([' ', '\r', '\n']);
        target.len() < after.len() && target.starts_with("(http")
    });
    let is_heading = any(|after| after.starts_with("(#") && target(after).contains(' '));
    let is_spaced_target = any(|after| {
        ["(/", "(.", "(http"].iter().any(|begin| after.starts_with(begin))
            && target(after).trim_end_matches(' ').contains(' ')
    });
    [
        kind(is_swapped, &SWAPPED, true, "the brackets and parentheses of this link are swapped"),
        kind(any(|after| after.starts_with("((")), &DOUBLE_PARENTHESES, true, "this link has two pairs of parentheses"),
        kind(has_wrong_bracket, &WRONG_BRACKET, false, "this link has `[(` instead of `](`"),
        kind(is_spaced, &SPACED, true, "this link has a space or line end between `]` and `(`"),
        kind(any(|after| after.starts_with("([")), &NESTED, false, "this link has a link as its address"),
        kind(
            any(|after| after.starts_with("[http")),
            &ADDRESS_AS_LABEL,
            true,
            "this link has its address in brackets instead of parentheses",
        ),
        kind(is_heading, &HEADING, false, "this link has a heading as its address"),
        kind(is_spaced_target, &SPACED_TARGET, false, "this link has a space in its address"),
    ]
}

/// Whether neither an ordinary address nor a label follows a `]`.
fn is_unusual(after: &str) -> bool {
    match after.as_bytes() {
        [b'(', b'(' | b'[', ..] | [b'[', b'h', ..] => true,
        [b'(', ..] => target(after).bytes().any(|byte| byte == b' '),
        [b' ' | b'\r' | b'\n', ..] => after.trim_start().starts_with('('),
        _ => false,
    }
}

/// The text in parentheses that `after` begins with, up to a character that no address has there.
fn target(after: &str) -> &str {
    let is_part = |byte: &u8| !matches!(byte, b'(' | b')' | b'<' | b'>' | b'"' | b'\'' | b'\n');
    slice(after, 1..1 + after.bytes().skip(1).take_while(is_part).count())
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is well-formed")
}

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    ctx.pages().for_each(|page| check_page(page, out));
}

fn check_page(page: Page<'_>, out: &mut Sink<'_>) {
    for kind in kinds(page.text()).iter().filter(|kind| kind.may_match) {
        report_syntax(page, kind, out);
    }
    let mut definitions = HashSet::new();
    for link in &page.links {
        let target = link.target.trim();
        if !target.is_ascii() && target.contains(link::is_invisible) {
            report_invisible(page, link, out);
            continue;
        }
        let message = match target {
            "" => "link has no target".to_owned(),
            _ if ["todo", "tbd"].iter().any(|word| target.eq_ignore_ascii_case(word)) => {
                format!("link target is `{}`", brief(target))
            }
            _ if in_brackets(target).is_some() => format!("link target `{}` ends with `]`", brief(target)),
            _ if reference::lacks_scheme(target) && !is_label(page, &link.span, target) => {
                format!("`{}` has no `https://`, so it is treated as a relative path", brief(target))
            }
            _ => continue,
        };
        let definition = definition_of(page, link);
        // Other links may use it.
        if definition.is_some_and(|definition| !definitions.insert(definition.start)) {
            continue;
        }
        let written = definition.unwrap_or(&link.span);
        let finding = out.report(page.span(written.clone()), message);
        if reference::lacks_scheme(target) {
            finding.subject = Subject::named([target]);
        }
        finding.help = Some(if let Some(inside) = in_brackets(target) {
            format!("write `{}`", brief(inside))
        } else if reference::lacks_scheme(target) {
            format!("write `https://{}`", brief(target))
        } else {
            "add a target, or write plain text".to_owned()
        });
    }
}

/// Reports a target with an invisible character. The fix removes it where the target is written.
fn report_invisible(page: Page<'_>, link: &Link, out: &mut Sink<'_>) {
    let invisible = link.target.chars().find(|letter| link::is_invisible(*letter)).unwrap_or_default();
    let message = format!("link target has the invisible character U+{:04X}", u32::from(invisible));
    let finding = out.report(page.span(link.span.clone()), message);
    finding.subject = Subject::named([&link.target]);
    let cleaned: String = link.target.chars().filter(|letter| !link::is_invisible(*letter)).collect();
    finding.help = Some(format!("write `{}`", brief(cleaned.trim())));
    let source = page.slice(link.span.clone());
    let Some(at) =
        (link.span.len() <= bounds::LINK_BYTES).then(|| source.rfind(&format!("({})", link.target))).flatten()
    else {
        return;
    };
    let start = link.span.start + at + "(".len();
    let edits = vec![Edit { span: page.span(start..start + link.target.len()), text: cleaned }];
    finding.fix = Some(Fix { safety: Safety::Safe, title: "remove the invisible character".to_owned(), edits });
}

fn report_syntax(page: Page<'_>, &Kind { pattern, is_certain, message, .. }: &Kind, out: &mut Sink<'_>) {
    let labels = OnceCell::new();
    for broken in pattern.captures_iter(page.text()) {
        let (Some(whole), Some(text), Some(address)) = (broken.get(0), broken.get(1), broken.get(2)) else { continue };
        // With other brackets next to it, the intended link is not certain.
        let is_part = page.slice(..whole.start()).ends_with([']', '(', ')', '[']);
        if page.is_hidden(whole.start()) || is_part {
            continue;
        }
        let is_label = |label: &str| {
            let labels: &HashSet<&str> = labels.get_or_init(|| self::labels(page.text()));
            label.starts_with('^') || labels.contains(label)
        };
        // `[label] (address)` is a link to the definition of `label`, with a remark.
        if whole.as_str().contains(['\n', ' ']) && is_label(text.as_str()) {
            continue;
        }
        let target = match address.as_str().strip_prefix('#') {
            Some(heading) => format!("#{}", Dialect::GitHub.anchor(heading.trim_start_matches('#').trim())),
            None => address.as_str().replace(' ', "%20"),
        };
        let is_image = page.slice(..whole.start()).ends_with('!');
        let link = format!("{}[{}]({target})", if is_image { "!" } else { "" }, text.as_str());
        let span = page.span(whole.range());
        let finding = out.report(span, if is_image { message.replace("link", "image") } else { message.to_owned() });
        finding.help = Some(match link.len() {
            ..=bounds::QUOTED_LINK_BYTES => format!("write `{}`", link.replace(LINE_ENDS, " ")),
            _ => "write it as `[text](address)`".to_owned(),
        });
        let is_reference = || is_label(text.as_str()) || is_label(address.as_str());
        if is_certain && is_plain(page, &whole.range(), text.as_str(), address.as_str()) && !is_reference() {
            let edits = vec![Edit { span, text: link }];
            finding.fix = Some(Fix { safety: Safety::Safe, title: "write it as a link".to_owned(), edits });
        }
    }
}

/// Where the target of a link is written, if that is in the definition of its label.
fn definition_of<'a>(page: Page<'a>, link: &Link) -> Option<&'a Range<usize>> {
    let written = page.slice(link.span.clone()).strip_suffix(']').filter(|_| link.span.len() <= bounds::LINK_BYTES)?;
    let label = written.strip_suffix('[').and_then(|written| written.strip_suffix(']')).unwrap_or(written);
    let definition = page.document.definitions.get(label.rsplit('[').next()?)?;
    (definition.target == link.target).then_some(&definition.span)
}

/// Whether only the brackets are wrong: there is no code, comment, tag or other link in or next to them, and the text
/// is in one paragraph.
fn is_plain(page: Page<'_>, whole: &Range<usize>, text: &str, address: &str) -> bool {
    let from = page.text().floor_char_boundary(whole.start.saturating_sub(bounds::BEFORE_LINK_BYTES));
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
    let near = links.iter().take(before_end).rev().take(bounds::NESTED_LINKS);
    let is_alone = near.into_iter().all(|link| link.span == *whole || link.span.end <= whole.start);
    let has_marks =
        text.contains(['`', '<', '>', '|', '\\', '*']) || address.contains(['(', ')', '\\', '<', '>', '|', '`']);
    is_free && ends && is_one_paragraph && is_alone && !has_marks
}

/// A target that has a bracket at its end, or is in brackets, without them. `http://[::1]` and `[a-z]*[0-9]` need theirs.
fn in_brackets(target: &str) -> Option<&str> {
    let inside = target.strip_suffix(']')?;
    let inside = inside.strip_prefix('[').unwrap_or(inside);
    (!inside.contains(['[', ']', '*'])).then_some(inside)
}

/// The labels of link definitions: brackets with such a text are references.
fn labels(text: &str) -> HashSet<&str> {
    let lines = text.split(LINE_ENDS).map(|line| line.trim_start_matches([' ', '>', '-', '*', '\t']));
    lines.filter_map(|line| line.strip_prefix('[')?.split_once("]:").map(|(label, _)| label)).collect()
}

/// Whether a link's text is its target, as for labels and finalizers in brackets: `[kubernetes.io/x](kubernetes.io/x)`.
fn is_label(page: Page<'_>, link: &Range<usize>, target: &str) -> bool {
    link.len() <= bounds::LINK_BYTES
        && !target.starts_with("www.")
        && !target.contains(".com/")
        && page.slice(link.clone()).matches(target).nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_found_by_its_beginning() {
        let patterns = [
            (&SWAPPED, "(text)[https://x]"),
            (&DOUBLE_PARENTHESES, "[text]((x))"),
            (&WRONG_BRACKET, "[text[(x)"),
            (&SPACED, "[text] (https://x)"),
            (&SPACED, "[text]\r\n  (https://x)"),
            (&NESTED, "[text]([x](https://x))"),
            (&ADDRESS_AS_LABEL, "[text][https://x]"),
            (&HEADING, "[text](## Heading)"),
            (&HEADING, "[text](#Heading of this)"),
            (&SPACED_TARGET, "[text](./a b)"),
            (&SPACED_TARGET, "[text](/a b c)"),
            (&SPACED_TARGET, "[text](https://a/b c)"),
        ];
        for (pattern, text) in patterns {
            let may_match: Vec<&str> =
                kinds(text).iter().filter(|kind| kind.may_match).map(|kind| kind.pattern.as_str()).collect();
            assert!(pattern.is_match(text) && may_match.contains(&pattern.as_str()), "{text}");
        }
        assert!(!kinds("[a](#b) [c](./d \"e\") [f](https://g).\n").iter().any(|kind| kind.may_match));
        for titled in ["[text](#a \"b c\")", "[text](./a 'b c')", "[text](./a (b))", "[text](<./a b>)", "[text](./a )"]
        {
            assert!(!HEADING.is_match(titled) && !SPACED_TARGET.is_match(titled), "{titled}");
        }
    }
}
