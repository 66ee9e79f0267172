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

use crate::diagnostic::{Edit, Fix, Safety};
use crate::kep::reference;
use crate::rules::Level::{Advice, Off, Warning};
use crate::rules::{Category, Ctx, Fixable, Ladder, Page, Rule, Sink};
use crate::span::slice;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// The rule.
pub const RULE: Rule = Rule {
    name: "broken-link-syntax",
    category: Category::Text,
    summary: "brackets that were meant for a link, or a link that leads nowhere",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Off, closed: Off },
    fix: Fixable::Safe,
    source: include_str!("broken_link_syntax.rs"),
    check,
};

/// `(text)[https://…]`, the text perhaps on two lines.
static SWAPPED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\(([^()\[\]]{1,120})\)\[(https?://[^\[\] \t\n]+)\]"));

/// `[text]((address))`.
static DOUBLED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\[\]\n]+)\]\(\(([^() \t\n]+)\)\)"));

/// `[text[(address)`.
static UNTURNED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\[\]\n]+)\[\(([^() \t\n]+)\)"));

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
                format!("this link leads to `{target}`")
            }
            _ if reference::lacks_scheme(target) && !is_label(page, &link.span, target) => {
                format!("`{target}` is taken for a file: it has no scheme")
            }
            _ => continue,
        };
        let finding = out.report(page.span(link.span.clone()), message);
        finding.help = Some(match reference::lacks_scheme(target) {
            true => format!("write `https://{target}`"),
            false => "give it an address, or write plain text".to_owned(),
        });
    }
}

fn report_syntax(page: Page<'_>, pattern: &Regex, is_certain: bool, out: &mut Sink<'_>) {
    for found in pattern.captures_iter(page.text) {
        let (Some(whole), Some(text), Some(address)) = (found.get(0), found.get(1), found.get(2)) else { continue };
        // Brackets right before belong to it, and what it was meant to be is not certain.
        let is_part = slice(page.text, ..whole.start()).ends_with([']', '(', ')', '[']);
        if is_hidden(page, &whole.range()) || is_part {
            continue;
        }
        let link = format!("[{}]({})", text.as_str(), address.as_str());
        let span = page.span(whole.range());
        let finding = out.report(span, "these brackets make no link");
        finding.help = Some(format!("write `{}`", link.replace('\n', " ")));
        if is_certain {
            let edits = vec![Edit { span, text: link }];
            finding.fix = Some(Fix { safety: Safety::Safe, title: "write it as a link".to_owned(), edits });
        }
    }
}

fn is_hidden(page: Page<'_>, range: &Range<usize>) -> bool {
    let comments = page.document.comments.iter().map(|comment| &comment.span);
    comments.chain(&page.document.code).any(|hidden| hidden.contains(&range.start))
}

/// Whether a link only repeats its text, as labels and finalizers in brackets do: `[kubernetes.io/x](kubernetes.io/x)`.
fn is_label(page: Page<'_>, link: &Range<usize>, target: &str) -> bool {
    slice(page.text, link.clone()).matches(target).count() > 1
        && !target.starts_with("www.")
        && !target.contains(".com/")
}
