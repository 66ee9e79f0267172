//! References from one KEP to another, as `see-also`, `replaces` and `superseded-by` of kep.yaml hold them.

use crate::markdown::link::decoded;

/// Where the repository of KEPs shows its files.
const REPOSITORY: [&str; 2] =
    ["github.com/kubernetes/enhancements/", "raw.githubusercontent.com/kubernetes/enhancements/"];

/// Branches that always show the newest state.
const BRANCHES: [&str; 3] = ["master/", "main/", "HEAD/"];

/// The path from `keps` on that `text` means; none where it is a word, a sentence, or an address elsewhere.
/// `directory` is the referring KEP's own, for `./` and `../`.
pub fn path(text: &str, directory: Option<&str>) -> Option<String> {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        return None;
    }
    let text = text.split(['#', '?']).next().unwrap_or(text);
    let path = match text.split_once("://") {
        Some((_, address)) => in_repository(address)?.to_owned(),
        None if text.starts_with("./") || text.starts_with("../") => format!("{}/{text}", directory?),
        None if text.starts_with('/') => text.to_owned(),
        None if text.starts_with("keps/") => text.to_owned(),
        None => return None,
    };
    normal(&path)
}

/// The path from `keps` on that a link of a document in `directory` leads to; none where it leads elsewhere.
pub fn linked_path(target: &str, directory: &str) -> Option<String> {
    let target = target.split(['#', '?']).next().unwrap_or(target);
    // Of what is no address at all another rule speaks.
    let is_no_address = lacks_scheme(target) || ["todo", "tbd"].iter().any(|word| target.eq_ignore_ascii_case(word));
    let is_elsewhere = target.is_empty() || target.starts_with("//") || target.starts_with('(') || target.contains(' ');
    let target = decoded(target);
    let has_scheme = target.split('/').next().is_some_and(|first| first.contains(':'));
    let path = match (is_elsewhere || is_no_address, has_scheme) {
        (true, _) => return None,
        (_, true) => path(&target, None)?,
        _ if target.starts_with('/') => normal(&target)?,
        _ => normal(&format!("{directory}/{target}"))?,
    };
    path.starts_with("keps/").then_some(path)
}

/// Whether an address begins with a host's name and no scheme, so that it is taken for a file.
pub fn lacks_scheme(target: &str) -> bool {
    const HOSTS: [&str; 5] = ["github.com", "kubernetes.io", "k8s.io", "git.k8s.io", "golang.org"];
    let host = target.split('/').next().unwrap_or_default();
    HOSTS.contains(&host) || host.starts_with("www.")
}

/// The path of an address that shows a file or directory of `keps` as it is now.
fn in_repository(address: &str) -> Option<&str> {
    let address = address.strip_prefix("www.").unwrap_or(address);
    let path = REPOSITORY.iter().find_map(|repository| address.strip_prefix(repository))?;
    let path = path.strip_prefix("blob/").or(path.strip_prefix("tree/")).unwrap_or(path);
    let path = BRANCHES.iter().find_map(|branch| path.strip_prefix(branch))?;
    path.starts_with("keps/").then_some(path)
}

/// The path without empty components, `.` and `..`; none where it leads out of the tree.
fn normal(path: &str) -> Option<String> {
    let mut components: Vec<&str> = Vec::new();
    for component in path.split('/').filter(|component| !matches!(*component, "" | ".")) {
        match component {
            ".." => drop(components.pop()?),
            _ => components.push(component),
        }
    }
    (!components.is_empty()).then(|| components.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses_of_the_tree_are_references() {
        let read = |text: &str| path(text, Some("keps/sig-a/1-b"));
        for text in [
            "/keps/sig-c/2-d",
            "keps/sig-c/2-d/",
            "/keps/sig-c/2-d#summary",
            "../../sig-c/2-d",
            "https://github.com/kubernetes/enhancements/tree/master/keps/sig-c/2-d",
        ] {
            assert_eq!(read(text).as_deref(), Some("keps/sig-c/2-d"), "{text}");
        }
        for text in [
            "n/a",
            "KEP-2",
            "keps are fine",
            "https://github.com/kubernetes/enhancements/issues/2",
            "https://github.com/kubernetes/enhancements/blob/46e48e3/keps/sig-c/2-d/README.md",
            "../../../../x",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(path("./x", None), None);
    }

    #[test]
    fn links_lead_from_the_directory_of_their_document() {
        let read = |target: &str| linked_path(target, "keps/sig-a/1-b");
        assert_eq!(read("c%20d.md#e").as_deref(), Some("keps/sig-a/1-b/c d.md"));
        assert_eq!(read("../2-f/").as_deref(), Some("keps/sig-a/2-f"));
        assert_eq!(read("/keps/sig-c/2-d").as_deref(), Some("keps/sig-c/2-d"));
        for target in ["#x", "", "https://kubernetes.io/keps/x", "mailto:a@b", "../../../hack/x.sh", "/hack/x.sh"] {
            assert_eq!(read(target), None, "{target}");
        }
    }
}
