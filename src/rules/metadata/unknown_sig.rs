//! `owning-sig` or `participating-sigs` has an unknown SIG or working group.
//!
//! ## Why
//!
//! Reviewers find their KEPs by these names, and PRR files are in a directory with the name of the owning SIG. The
//! names are the directories in kubernetes/community, or those in a `sigs.yaml` next to `keps` or in a parent
//! directory. A group that existed once is advice: the KEP was right when it was written.
//!
//! ## Bad
//!
//! ```yaml
//! status: provisional
//! owning-sig: sig-nodes
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: provisional
//! owning-sig: sig-node
//! ```

use crate::diagnostic::{Severity, brief};
use crate::kep::schema::is_template_value;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::suggest;
use std::collections::BTreeSet;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unknown-sig",
    category: Category::Metadata,
    summary: "unknown SIG or working group",
    severity: Ladder { provisional: Warning, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    roles: &[],
    upstream: &[],
    source: include_str!("unknown_sig.rs"),
    checks: Checks::of_kep(check),
};

/// How many unknown groups of a KEP get a suggestion: the search is slow, and real KEPs have fewer typos.
const MOST_SUGGESTIONS: usize = 50;

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = ctx.kep.metadata.as_ref().filter(|_| ctx.repository.has_groups) else { return };
    let groups = &ctx.repository.groups;
    let mut suggestions = 0..MOST_SUGGESTIONS;
    for sig in metadata.owning_sig.iter().chain(&metadata.participating_sigs.items) {
        if sig.text.is_empty() || groups.contains(&sig.text) || is_template_value("owning-sig", &sig.text) {
            continue;
        }
        if ctx.repository.is_retired_group(&sig.text) {
            let finding = out.report(sig.span, format!("`{}` is no longer a group", sig.shown()));
            finding.help = Some("name the group that has taken over its work, or remove it".to_owned());
            finding.at_most(Severity::Advice);
            continue;
        }
        let finding = out.report(sig.span, format!("unknown SIG or working group `{}`", sig.shown()));
        finding.help = Some(match suggestions.next().and_then(|_| meant(&sig.shown(), groups)) {
            Some(name) => format!("did you mean `{}`?", brief(name)),
            None => "write the directory of a SIG, WG or committee in kubernetes/community, or remove it".to_owned(),
        });
    }
}

/// The group that `text` most likely means: the only group whose name contains it, or else the most similar one. The
/// prefix that many groups share, `sig-`, is ignored.
fn meant<'a>(text: &str, groups: &'a BTreeSet<String>) -> Option<&'a String> {
    let text = text.to_lowercase();
    let word = own_name(text.trim());
    let mut having = groups.iter().filter(|name| word.len() > 2 && own_name(name).contains(word));
    match (having.next(), having.next()) {
        (Some(only), None) => Some(only),
        _ => {
            let nearest = suggest::nearest(word, groups.iter().map(|name| own_name(name)))?;
            groups.iter().find(|name| own_name(name) == nearest)
        }
    }
}

fn own_name(group: &str) -> &str {
    group.split_once('-').map_or(group, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_one_name_or_a_typo_has_a_suggestion() {
        let groups = ["sig-api-machinery", "sig-apps", "sig-network", "sig-node", "wg-batch"];
        let groups: BTreeSet<String> = groups.into_iter().map(str::to_owned).collect();
        let meant = |text: &str| meant(text, &groups).map(String::as_str);
        assert_eq!(meant("API"), Some("sig-api-machinery"));
        assert_eq!(meant("sig-net"), Some("sig-network"));
        assert_eq!(meant("sig-nodes"), Some("sig-node"));
        assert_eq!(meant("sig-batch"), Some("wg-batch"));
        // Two letters are in too many names.
        assert_eq!(meant("od"), None);
        // Two names have it.
        assert_eq!(meant("ap"), None);
        assert_eq!(meant("storage"), None);
    }
}
