//! What the template's kep.yaml has in place of an author's answers. Apart because several rules leave these values to
//! the one that speaks of them.

use crate::stage::{Stage, Status};

/// The groups that the template names.
const GROUPS: &[&str] = &["sig-xyz", "sig-aaa", "sig-bbb"];

/// The people that the template names.
const PEOPLE: &[&str] = &["@jane.doe", "@alice.doe", "@oscar.doe"];

/// Whether `text` is the template's own value for `key`, a path such as `title` or `feature-gates.name`.
pub fn is_template_value(key: &str, text: &str) -> bool {
    let own: &[&str] = match key {
        "title" => &["KEP Template"],
        "kep-number" => &["NNNN"],
        "authors" | "reviewers" | "approvers" => PEOPLE,
        "owning-sig" | "participating-sigs" => GROUPS,
        "creation-date" | "last-updated" => &["yyyy-mm-dd"],
        "status" => return is_enumeration(text, |name| Status::from_name(name).is_some()),
        "stage" => return is_enumeration(text, |name| Stage::from_name(name).is_some()),
        "feature-gates.name" => &["MyFeature"],
        "metrics" => &["my_feature_metric"],
        "see-also" => &["/keps/sig-aaa/1234-we-heard-you-like-keps", "/keps/sig-bbb/2345-everyone-gets-a-kep"],
        "replaces" => &["/keps/sig-ccc/3456-replaced-kep"],
        _ => &[],
    };
    own.contains(&text)
}

/// Whether `text` is a choice not made, `alpha|beta|stable`: the template has offered more and fewer over time.
fn is_enumeration(text: &str, is_name: impl Fn(&str) -> bool) -> bool {
    text.contains('|') && text.split('|').all(|name| is_name(name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_templates_under_their_own_key_only() {
        assert!(is_template_value(
            "status",
            "provisional|implementable|implemented|deferred|rejected|withdrawn|replaced"
        ));
        assert!(is_template_value("stage", "alpha|beta|stable"));
        assert!(!is_template_value("stage", "alpha|GA"));
        assert!(!is_template_value("status", "provisional"));
        assert!(is_template_value("owning-sig", "sig-xyz"));
        assert!(!is_template_value("title", "sig-xyz"));
        assert!(!is_template_value("editor", "@jane.doe"));
    }
}
