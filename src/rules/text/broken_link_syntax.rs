//! Brackets that were meant for a link and are none, or a link that leads nowhere.
//!
//! ## Why
//!
//! `(text)[address]` shows as just that; `[text]((address))` and a link without scheme lead to a page that does not
//! exist.
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

use crate::diagnostic::{Edit, Fix, Safety, brief};
use crate::kep::reference;
use crate::rules::context::{Ctx, Page};
use crate::rules::rule::Level::{Advice, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::span::{LINE_ENDS, slice};
use regex::Regex;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

/// The rule.
pub const RULE: Rule = Rule {
    name: "broken-link-syntax",
    category: Category::Text,
    summary: "brackets that were meant for a link, or a link that leads nowhere",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Safe),
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("broken_link_syntax.rs"),
    checks: Checks::of_kep(check),
};

/// `(text)[https://…]`, the text perhaps on two lines.
static SWAPPED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\(([^()\[\]]{1,120})\)\[(https?://[^\[\] \t\n]+)\]"));

/// `[text]((address))`.
static DOUBLED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\[\]\n]+)\]\(\(([^() \t\n]+)\)\)"));

/// `[text[(address)`.
static UNTURNED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\[\]\n]+)\[\(([^() \t\n]+)\)"));

/// The longest link, in bytes, that a help quotes: one that is cut could not be written.
const LONGEST_QUOTED: usize = 250;

/// The longest link, in bytes, that may be a label. Pictures in the text of pictures make links of any length.
const LONGEST_LABEL: usize = 1000;

/// How much is looked at before the brackets on their line, in bytes.
const LONGEST_LINE: usize = 1000;

/// How many links may be around one another.
const MOST_NESTED: usize = 8;

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is well-formed")
}

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    ctx.pages().for_each(|page| check_page(page, out));
}

fn check_page(page: Page<'_>, out: &mut Sink<'_>) {
    if page.text.contains(")[http") || page.text.contains("]((") || page.text.contains("[(") {
        for (pattern, is_certain) in [(&*SWAPPED, true), (&*DOUBLED, true), (&*UNTURNED, false)] {
            report_syntax(page, pattern, is_certain, out);
        }
    }
    for link in &page.document.links {
        let target = link.target.trim();
        let message = match target {
            "" => "this link leads nowhere".to_owned(),
            _ if ["todo", "tbd"].iter().any(|word| target.eq_ignore_ascii_case(word)) => {
                format!("this link leads to `{}`", brief(target))
            }
            _ if reference::lacks_scheme(target) && !is_label(page, &link.span, target) => {
                format!("`{}` is taken for a file: it has no scheme", brief(target))
            }
            _ => continue,
        };
        let finding = out.report(page.span(link.span.clone()), message);
        finding.help = Some(match reference::lacks_scheme(target) {
            true => format!("write `https://{}`", brief(target)),
            false => "give it an address, or write plain text".to_owned(),
        });
    }
}

fn report_syntax(page: Page<'_>, pattern: &Regex, is_certain: bool, out: &mut Sink<'_>) {
    let labels = OnceCell::new();
    for found in pattern.captures_iter(page.text) {
        let (Some(whole), Some(text), Some(address)) = (found.get(0), found.get(1), found.get(2)) else { continue };
        // Brackets right before belong to it, and what it was meant to be is not certain.
        let is_part = slice(page.text, ..whole.start()).ends_with([']', '(', ')', '[']);
        if page.document.is_hidden(whole.start()) || is_part {
            continue;
        }
        let link = format!("[{}]({})", text.as_str(), address.as_str());
        let span = page.span(whole.range());
        let finding = out.report(span, "these brackets make no link");
        finding.help = Some(match link.len() {
            ..=LONGEST_QUOTED => format!("write `{}`", link.replace(LINE_ENDS, " ")),
            _ => "write it as `[text](address)`".to_owned(),
        });
        let is_label = |label: &str| {
            let labels: &HashSet<&str> = labels.get_or_init(|| self::labels(page.text));
            label.starts_with('^') || labels.contains(label)
        };
        let is_reference = || is_label(text.as_str()) || is_label(address.as_str());
        if is_certain && is_plain(page, &whole.range(), text.as_str(), address.as_str()) && !is_reference() {
            let edits = vec![Edit { span, text: link }];
            finding.fix = Some(Fix { safety: Safety::Safe, title: "write it as a link".to_owned(), edits });
        }
    }
}

/// Whether nothing but the order of the brackets is wrong: no code, comment, tag or other link takes part, nothing that
/// brackets mean elsewhere is near, and the text is within one paragraph.
fn is_plain(page: Page<'_>, whole: &Range<usize>, text: &str, address: &str) -> bool {
    let from = page.text.floor_char_boundary(whole.start.saturating_sub(LONGEST_LINE));
    let before = slice(page.text, from..whole.start);
    let behind = slice(page.text, whole.end..);
    let is_one_paragraph =
        text.split(LINE_ENDS).skip(1).all(|line| line.starts_with(|first: char| first.is_alphanumeric()));
    let line = before.rsplit(LINE_ENDS).next().filter(|line| line.len() < before.len() || from == 0);
    // A call such as `f[T]((x))` has its name right before, and one before a code mark may be code.
    let is_free = !before.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '\\' | '!' | '_' | '`'));
    let ends = !behind.starts_with(['(', '[', ':', '`', '_']) && line.is_some_and(|line| !line.contains(['|', '<']));
    // Links come in the order of their beginnings; those around one another are few.
    let links = &page.document.links;
    let behind_it = links.partition_point(|link| link.span.start < whole.end);
    let near = links.iter().take(behind_it).rev().take(MOST_NESTED);
    let is_alone = near.into_iter().all(|link| link.span == *whole || link.span.end <= whole.start);
    let has_marks =
        text.contains(['`', '<', '>', '|', '\\', '*']) || address.contains(['(', ')', '\\', '<', '>', '|', '`']);
    is_free && ends && is_one_paragraph && is_alone && !has_marks
}

/// The labels of link definitions: what brackets with such a text mean.
fn labels(text: &str) -> HashSet<&str> {
    let lines = text.split(LINE_ENDS).map(|line| line.trim_start_matches([' ', '>', '-', '*', '\t']));
    lines.filter_map(|line| line.strip_prefix('[')?.split_once("]:").map(|(label, _)| label)).collect()
}

/// Whether a link only repeats its text, as labels and finalizers in brackets do: `[kubernetes.io/x](kubernetes.io/x)`.
fn is_label(page: Page<'_>, link: &Range<usize>, target: &str) -> bool {
    link.len() <= LONGEST_LABEL
        && !target.starts_with("www.")
        && !target.contains(".com/")
        && slice(page.text, link.clone()).matches(target).nth(1).is_some()
}
