//! `owning-sig` or `participating-sigs` has an unknown SIG or working group.
//!
//! ## Why
//!
//! Reviewers find their KEPs by these names, and PRR files are in a directory with the name of the owning SIG. The
//! names are the directories in kubernetes/community, or those in a `sigs.yaml` next to `keps` or in a parent
//! directory. A group that existed once is a suggestion: the KEP was right when it was written.
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

use crate::kep::directory::is_group;
use crate::rules::prelude::*;

/// The rule. It is an error only where upstream's check does not find the PRR file because of it.
pub const RULE: Rule = Rule {
    name: "unknown-sig",
    summary: "unknown SIG or working group",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Error, closed: Off },
    fix: Some(Safety::Unsafe),
    settings: &["groups"],
    upstream: &[Script::Metadata],
    docs: docs!("unknown_sig.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    if !ctx.repository.has_groups {
        return;
    }
    let groups = &ctx.repository.groups;
    let mut suggestions = 0..bounds::COMPARED_NAMES;
    let is_past = matches!(ctx.target.phase, Phase::Stale | Phase::Implemented);
    let limit = if is_past { Severity::Advice } else { Severity::Warning };
    let owner = metadata.owning_sig.as_ref();
    for sig in owner.into_iter().chain(&metadata.participating_sigs.items) {
        if sig.text.is_empty() || groups.contains(&sig.text) || is_template_value("owning-sig", &sig.text) {
            continue;
        }
        if ctx.repository.is_retired_group(&sig.text) {
            let finding = Diagnostic::at(sig.span, format!("`{}` is no longer a group", sig.shown()))
                .help("name the group that has taken over its work, or remove it")
                .at_most(Severity::Advice);
            out.report(finding);
            continue;
        }
        let finding = Diagnostic::at(sig.span, format!("unknown SIG or working group `{}`", sig.shown()));
        let is_owner = owner.is_some_and(|owner| owner.span == sig.span);
        let of_directory = || ctx.kep.texts.sig().filter(|name| is_owner && groups.contains(*name));
        let named: Vec<&str> = sig.text.split([',', ' ', '/', ';', '&', '+']).filter(|name| is_group(name)).collect();
        let is_none = ["none", "n/a", "na", "-"].contains(&sig.text.to_lowercase().as_str());
        let meant = suggestions.next().filter(|_| !is_none).and_then(|_| meant(&sig.shown(), groups));
        let is_listed = |name: &str| metadata.participating_sigs.items.iter().any(|other| other.text == name);
        let finding = match (meant, of_directory()) {
            _ if named.len() > 1 && is_owner => {
                let of_directory = of_directory().filter(|own| named.contains(own));
                let main = of_directory.or(named.first().copied()).unwrap_or_default();
                finding.help(format!("write `{main}`, and the others under `participating-sigs`"))
            }
            _ if named.len() > 1 => finding.help("write one group per item"),
            _ if is_none && !is_owner => finding.help("remove it"),
            (Some(name), _) if !is_owner && is_listed(name) => {
                finding.help(format!("remove it: `{}` is in the list, too", brief(name)))
            }
            (Some(name), _) => finding.replacement(format!("did you mean `{}`?", brief(name)), sig.span, name),
            (None, Some(known)) => {
                finding.replacement(format!("write `{known}`, the SIG of its directory"), sig.span, known)
            }
            _ => finding.help("write the directory of a SIG, WG or committee in kubernetes/community, or remove it"),
        };
        let fails_upstream = is_owner && ctx.kep.has_review_elsewhere();
        out.report(if fails_upstream { finding.upstream(Script::Metadata) } else { finding.at_most(limit) });
    }
}

/// What people call a group, without its kind, where that is no part of its name.
const NICKNAMES: [(&str, &str); 5] = [
    ("contribex", "sig-contributor-experience"),
    ("contribx", "sig-contributor-experience"),
    ("dra", "wg-device-management"),
    ("k8sinfra", "sig-k8s-infra"),
    ("scale", "sig-scalability"),
];

/// The group that `text` most likely means: that with this nickname, the only group whose name contains it, of its kind
/// or else of any, or if there is none, the most similar one. The kind that many groups share, `sig-`, is ignored there.
fn meant<'a>(text: &str, groups: &'a BTreeSet<String>) -> Option<&'a String> {
    let text = text.to_lowercase();
    let text = text.trim();
    let word = own_name(text);
    if let Some((_, name)) = NICKNAMES.iter().find(|(nickname, _)| *nickname == word) {
        return groups.get(*name);
    }
    let kind = text.strip_suffix(word).unwrap_or_default();
    let having: Vec<&String> = groups.iter().filter(|name| word.len() > 2 && own_name(name).contains(word)).collect();
    let exact = having.iter().find(|name| own_name(name) == word);
    let mut of_kind = having.iter().filter(|name| !kind.is_empty() && name.starts_with(kind));
    match (having.as_slice(), exact, of_kind.next()) {
        ([], ..) => {
            let nearest = suggest::nearest(word, groups.iter().map(|name| own_name(name)))?;
            groups.iter().find(|name| own_name(name) == nearest)
        }
        ([only], ..) | (_, Some(only), _) => Some(only),
        (_, None, Some(first)) if of_kind.next().is_none() => Some(*first),
        _ => None,
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
        let groups = [
            "sig-api-machinery",
            "sig-apps",
            "sig-cluster-lifecycle",
            "sig-contributor-experience",
            "sig-network",
            "sig-node",
            "wg-batch",
            "wg-node-lifecycle",
        ];
        let groups: BTreeSet<String> = groups.into_iter().map(str::to_owned).collect();
        let meant = |text: &str| meant(text, &groups).map(String::as_str);
        assert_eq!(meant("API"), Some("sig-api-machinery"));
        assert_eq!(meant("sig-net"), Some("sig-network"));
        assert_eq!(meant("sig-nodes"), Some("sig-node"));
        assert_eq!(meant("sig-batch"), Some("wg-batch"));
        assert_eq!(meant("sig-contribex"), Some("sig-contributor-experience"));
        // Two names have it, but only one of this kind.
        assert_eq!(meant("sig-lifecycle"), Some("sig-cluster-lifecycle"));
        assert_eq!(meant("wg-lifecycle"), Some("wg-node-lifecycle"));
        assert_eq!(meant("lifecycle"), None);
        // Two letters are in too many names.
        assert_eq!(meant("od"), None);
        // Two names have it.
        assert_eq!(meant("ap"), None);
        assert_eq!(meant("storage"), None);
    }
}
