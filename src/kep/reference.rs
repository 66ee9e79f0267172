//! References from one KEP to another, as in `see-also`, `replaces` and `superseded-by` of kep.yaml.

use super::layout::TREE;
use super::number;
use crate::markdown::link::decoded;
use crate::span::slice;

const REPOSITORY: [&str; 2] =
    ["github.com/kubernetes/enhancements/", "raw.githubusercontent.com/kubernetes/enhancements/"];

const NAME: &str = "kubernetes/enhancements/";

const BRANCHES: [&str; 3] = ["master/", "main/", "HEAD/"];

/// The path, from `keps` on, that `text` refers to; `None` if it is a word, a sentence, or another URL.
/// `directory` is the directory of the referring KEP, for `./` and `../`.
pub fn path(text: &str, directory: Option<&str>, tree: &str) -> Option<String> {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        return None;
    }
    let text = text.split(['#', '?']).next().unwrap_or(text);
    let path = match text.split_once("://") {
        Some((_, address)) => in_repository(address)?.to_owned(),
        None if text.starts_with("./") || text.starts_with("../") => format!("{}/{text}", directory?),
        None if text.starts_with('/') => text.to_owned(),
        None if is_in(text, tree) => text.to_owned(),
        None => return None,
    };
    normalize(&path)
}

pub fn is_number(text: &str) -> bool {
    const MOST_DIGITS: usize = 5;
    let text = text.trim();
    (1..=MOST_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number of the KEP that `text` names alone: `1234`, `KEP-1234`. Only old dates have more than six digits.
pub fn number(text: &str) -> Option<&str> {
    const MOST_DIGITS: usize = 6;
    let text = text.trim();
    let is_named = text.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("KEP"));
    let digits = if is_named { slice(text, 3..).trim_start_matches(['-', ' ']) } else { text };
    let is_number = (1..=MOST_DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

/// The KEP that a comment names, as a path from `keps` on or as `KEP-<number>`.
pub fn in_comment(comment: &str) -> Option<&str> {
    let is_mark = |letter: char| matches!(letter, ',' | '.' | ';' | ':' | '(' | ')' | '`' | '"' | '\'');
    let words = comment.split_whitespace().map(|word| word.trim_matches(is_mark));
    let is_kep = |word: &str| {
        let number = word.strip_prefix("KEP-").or(word.strip_prefix("kep-")).or(word.strip_prefix('#'));
        number.is_some_and(is_number) || path(word, None, TREE).is_some_and(|path| is_in(&path, TREE))
    };
    words.into_iter().find(|word| is_kep(word))
}

const ISSUES: [&str; 3] =
    ["github.com/kubernetes/enhancements/issues/", "git.k8s.io/enhancements/issues/", "kep.k8s.io/"];

/// The number of the KEP whose issue is at this address.
pub fn issue(address: &str) -> Option<&str> {
    numbered(address, &ISSUES)
}

/// The number of the pull request at this address.
pub fn pull_request(address: &str) -> Option<&str> {
    numbered(address, &["github.com/kubernetes/enhancements/pull/", "git.k8s.io/enhancements/pull/"])
}

/// The number at the end of an address that begins with one of these.
fn numbered<'a>(address: &'a str, begins: &[&str]) -> Option<&'a str> {
    let address = address.split_once("://").map_or(address, |(_, address)| address);
    let address = address.strip_prefix("www.").unwrap_or(address);
    let end = begins.iter().find_map(|begin| address.strip_prefix(begin))?;
    let digits = end.split(['/', '#', '?']).next().unwrap_or_default();
    number::is_digits(digits).then_some(digits)
}

/// The number of the KEP to whose directory or issue a link in a document in `directory` leads.
pub fn kep_number(target: &str, directory: &str) -> Option<String> {
    if let Some(issue) = issue(target) {
        return Some(issue.to_owned());
    }
    // A path below the KEP's own directory leads to no other KEP.
    let is_inside = !target.contains("://") && !target.starts_with(['/', '.']);
    if is_inside {
        return None;
    }
    let path = linked_path(target, directory, TREE)?;
    let number = path.split('/').skip(2).find_map(number::of_directory)?;
    (!number.is_empty() && number.len() <= 5).then(|| number.to_owned())
}

/// The path from the `tree` on of what a link in a document in `directory` leads to, if it is in there.
pub fn linked_path(target: &str, directory: &str, tree: &str) -> Option<String> {
    // Most links lead to other web sites.
    let is_url = target.starts_with("https://") || target.starts_with("http://");
    if is_url && !target.contains('%') && !target.contains(NAME) {
        return None;
    }
    let target = target.split(['#', '?']).next().unwrap_or(target);
    // `broken-link-syntax` reports targets that are not URLs or paths.
    let is_not_a_path =
        begins_with_host(target) || ["todo", "tbd"].iter().any(|word| target.eq_ignore_ascii_case(word));
    let is_elsewhere = target.is_empty() || target.starts_with("//") || target.starts_with('(') || target.contains(' ');
    let target = decoded(target);
    let has_scheme = target.split('/').next().is_some_and(|first| first.contains(':'));
    let path = match (is_elsewhere || is_not_a_path, has_scheme) {
        (true, _) => return None,
        (_, true) => path(&target, None, tree)?,
        _ if target.starts_with('/') => normalize(&target)?,
        _ => normalize(&format!("{directory}/{target}"))?,
    };
    is_in(&path, tree).then_some(path)
}

fn is_in(path: &str, tree: &str) -> bool {
    path.strip_prefix(tree).is_some_and(|way| way.starts_with('/'))
}

/// Whether a link target begins with the host of a web site without `https://`, so that it is treated as a relative path.
/// `kubernetes.io/finalizer` is the name of a label or an API group, not a web site.
pub fn lacks_scheme(target: &str) -> bool {
    const PAGES: [&str; 4] = ["docs", "blog", "community", "releases"];
    const SITES: [&str; 7] =
        ["git.k8s.io", "sigs.k8s.io", "testgrid.k8s.io", "prow.k8s.io", "go.k8s.io", "features.k8s.io", "kep.k8s.io"];
    let (host, path) = target.split_once('/').unwrap_or((target, ""));
    let is_project =
        |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    let is_page = || PAGES.contains(&path.split('/').next().unwrap_or_default());
    let is_name = ["kubernetes.io", "k8s.io", "x-k8s.io"].into_iter().any(is_project);
    begins_with_host(target) && (!is_name || is_page() || SITES.contains(&host))
}

/// Whether a link target begins with something like a host name: with a common top-level domain, or `www.`.
fn begins_with_host(target: &str) -> bool {
    const DOMAINS: [&str; 6] = ["com", "org", "io", "dev", "net", "edu"];
    let host = target.split(['/', '#', '?']).next().unwrap_or_default();
    let is_host = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-');
    let domain = host.rsplit_once('.').map(|(name, domain)| (!name.is_empty()).then_some(domain)).unwrap_or_default();
    host.starts_with("www.") || (domain.is_some_and(|domain| DOMAINS.contains(&domain)) && host.chars().all(is_host))
}

/// The path of a URL that shows the latest version of a file or directory of `keps`.
fn in_repository(address: &str) -> Option<&str> {
    let address = address.strip_prefix("www.").unwrap_or(address);
    let path = REPOSITORY.iter().find_map(|repository| address.strip_prefix(repository))?;
    let path = path.strip_prefix("blob/").or(path.strip_prefix("tree/")).unwrap_or(path);
    let path = BRANCHES.iter().find_map(|branch| path.strip_prefix(branch))?;
    path.starts_with("keps/").then_some(path)
}

/// The path without empty components, `.` and `..`; `None` if it leaves the repository.
fn normalize(path: &str) -> Option<String> {
    parts(path).filter(|parts| !parts.is_empty()).map(|parts| parts.join("/"))
}

/// The names in a path, without `.` and `..`; `None` if there are more `..` than names before them.
pub fn parts(path: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_urls_of_the_repository_are_references() {
        let read = |text: &str| path(text, Some("keps/sig-a/1-b"), TREE);
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
        assert_eq!(path("./x", None, TREE), None);
        assert!(is_number("0042") && !is_number("") && !is_number("KEP-42") && !is_number("20240101"));
    }

    #[test]
    fn a_comment_may_name_a_kep() {
        assert_eq!(in_comment("merged into keps/sig-a/12-b."), Some("keps/sig-a/12-b"));
        assert_eq!(in_comment("by (KEP-12)"), Some("KEP-12"));
        assert_eq!(in_comment("provisional|replaced in 2021"), None);
    }

    #[test]
    fn a_host_without_scheme_has_a_top_level_domain() {
        for target in ["github.com/a/b", "www.x.y", "example.org", "kubernetes.io/docs/x", "git.k8s.io/community"] {
            assert!(lacks_scheme(target), "{target}");
        }
        for target in ["kubernetes.io/finalizer", "node.k8s.io/v1", "README.md", "./x.com", ".io/x", "a b.com", "v1.36"]
        {
            assert!(!lacks_scheme(target), "{target}");
        }
        assert_eq!(linked_path("kubernetes.io/finalizer", "keps/sig-a/1-b", TREE), None);
    }

    #[test]
    fn links_are_relative_to_the_directory_of_their_document() {
        let read = |target: &str| linked_path(target, "keps/sig-a/1-b", TREE);
        assert_eq!(read("c%20d.md#e").as_deref(), Some("keps/sig-a/1-b/c d.md"));
        assert_eq!(read("../2-f/").as_deref(), Some("keps/sig-a/2-f"));
        assert_eq!(read("/keps/sig-c/2-d").as_deref(), Some("keps/sig-c/2-d"));
        for target in ["#x", "", "https://kubernetes.io/keps/x", "mailto:a@b", "../../../hack/x.sh", "/hack/x.sh"] {
            assert_eq!(read(target), None, "{target}");
        }
    }
}
