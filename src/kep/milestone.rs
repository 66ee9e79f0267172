//! Milestones as upstream's tools read them; each tool reads them in its own way. kep-lint itself uses
//! [`Release::parse`](crate::stage::Release::parse).

use semver::Version;

/// The version that `pkg/kepval` reads, with ParseTolerant of `blang/semver`: it ignores spaces around the text, one
/// leading `v` and leading zeros, and uses 0 for missing parts of `X.Y.Z`.
pub fn as_kepval_reads_it(text: &str) -> Option<Version> {
    let text = text.trim();
    let mut parts: Vec<String> = text.strip_prefix('v').unwrap_or(text).splitn(3, '.').map(without_zeros).collect();
    if parts.len() < 3 && parts.last()?.contains(['+', '-']) {
        return None;
    }
    parts.resize(3, "0".to_owned());
    Version::parse(&parts.join(".")).ok()
}

/// The minor release that `pkg/nodeapprovers` reads: the part between the first and the second dot. It ignores spaces
/// around the text.
pub fn as_nodeapprovers_reads_it(text: &str) -> Option<u64> {
    text.trim().trim_matches('"').trim().split('.').nth(1)?.parse().ok()
}

/// Whether a KEP with this milestone needs a production readiness review: from v1.21 on.
pub fn needs_review(version: &Version) -> bool {
    *version >= Version::new(1, 21, 0)
}

fn without_zeros(part: &str) -> String {
    let rest = part.trim_start_matches('0');
    if part.len() <= 1 {
        part.to_owned()
    } else if rest.starts_with(|first: char| first.is_ascii_digit()) {
        rest.to_owned()
    } else {
        format!("0{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milestones_are_read_as_upstream_reads_them() {
        let read = |text: &str| as_kepval_reads_it(text).map(|version| version.to_string());
        assert_eq!(read(" v1.21 ").as_deref(), Some("1.21.0"));
        assert_eq!(read("1").as_deref(), Some("1.0.0"));
        assert_eq!(read("v1.021.3").as_deref(), Some("1.21.3"));
        assert_eq!(read("0.0").as_deref(), Some("0.0.0"));
        for text in ["V1.21", "1.21.x", "v1.2.3.4", "v1.21-alpha", "v1.30+", "TBD", "N/A", "", "vv1.2"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(as_kepval_reads_it("v1.21.0-alpha").is_some_and(|version| !needs_review(&version)));
        assert!(as_kepval_reads_it("1.210").is_some_and(|version| needs_review(&version)));
    }

    #[test]
    fn nodeapprovers_looks_between_the_dots() {
        let cases = [
            ("v1.36", Some(36)),
            ("1.36.2", Some(36)),
            ("\"v1.36\"", Some(36)),
            ("v1", None),
            ("v1.x", None),
            (" V1.36 ", Some(36)),
        ];
        assert!(cases.iter().all(|(text, minor)| as_nodeapprovers_reads_it(text) == *minor));
    }
}
