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
use crate::rules::Level::{Advice, Off, Warning};
use crate::rules::{Category, Ctx, Fixable, Ladder, Page, Rule, Sink};
use crate::span::{LINE_ENDS, slice};
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

/// The longest link, in bytes, that a help quotes: one that is cut could not be written.
const LONGEST_QUOTED: usize = 250;

/// The longest link, in bytes, that may be a label. Pictures in the text of pictures make links of any length.
const LONGEST_LABEL: usize = 1000;

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
        if is_certain {
            let edits = vec![Edit { span, text: link }];
            finding.fix = Some(Fix { safety: Safety::Safe, title: "write it as a link".to_owned(), edits });
        }
    }
}

/// Whether a link only repeats its text, as labels and finalizers in brackets do: `[kubernetes.io/x](kubernetes.io/x)`.
fn is_label(page: Page<'_>, link: &Range<usize>, target: &str) -> bool {
    link.len() <= LONGEST_LABEL
        && !target.starts_with("www.")
        && !target.contains(".com/")
        && slice(page.text, link.clone()).matches(target).nth(1).is_some()
}
