//! Paths as reports for programs write them: plain, or as URIs. These reports are read in the working directory of the
//! run, which for CI is the root of the repository; what a forge shows is called by its path from that root on.

use crate::kep::reference::parts;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The URI of a file: relative to the working directory, or a `file:` URI of an absolute path.
pub fn of(path: &str) -> String {
    let plain = plain(path);
    if plain.starts_with('/') { of_absolute(&plain) } else { encoded(&plain) }
}

/// `path` without the parts that lead nowhere: `./keps//x` is `keps/x`. A `..` stays, because it may follow a symlink.
pub fn plain(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    let plain = parts.collect::<Vec<_>>().join("/");
    let root = if path.starts_with('/') { "/" } else { "" };
    if root.is_empty() && plain.is_empty() { ".".to_owned() } else { format!("{root}{plain}") }
}

pub fn of_absolute(path: &str) -> String {
    format!("file://{}", encoded(path))
}

pub fn encoded(path: &str) -> String {
    const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(path, KEPT).to_string()
}

/// A working directory in a repository. All paths are text with `/`: nothing is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    root: String,
    here: String,
}

impl Checkout {
    /// The repository at `root` with the working directory `here`, both absolute paths without links.
    pub fn new(root: impl Into<String>, here: impl Into<String>) -> Self {
        Self { root: root.into(), here: here.into() }
    }

    /// `path`, which is absolute or relative to the working directory, from the root on; `None` if it is outside.
    pub fn path_of(&self, path: &str) -> Option<String> {
        // A drive letter or a name space of Windows also makes a path absolute.
        let is_absolute = path.starts_with('/') || path.split('/').next().is_some_and(|first| first.ends_with(':'));
        let whole = if is_absolute { path.to_owned() } else { format!("{}/{path}", self.here) };
        let (root, whole) = (parts(&self.root)?, parts(&whole)?);
        Some(whole.strip_prefix(root.as_slice())?.join("/"))
    }
}

/// A relative `path` without `.` and `..`; `None` if it is absolute or leads out of where it begins.
pub fn relative(path: &str) -> Option<String> {
    if path.starts_with('/') { None } else { Some(parts(path)?.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_path_stays_relative() {
        for (path, uri) in [
            ("keps/sig-node/1-x/README.md", "keps/sig-node/1-x/README.md"),
            ("./keps/./x//y.md", "keps/x/y.md"),
            ("../keps/x", "../keps/x"),
            ("a:b/c d#e?.md", "a%3Ab/c%20d%23e%3F.md"),
            ("100%/é", "100%25/%C3%A9"),
            ("", "."),
            ("./", "."),
        ] {
            assert_eq!(of(path), uri);
        }
    }

    #[test]
    fn an_absolute_path_has_a_scheme() {
        assert_eq!(of("/home/./a b"), "file:///home/a%20b");
        assert_eq!(of("/"), "file:///");
        assert_eq!(plain("//home/"), "/home");
    }

    #[test]
    fn paths_are_from_the_root_on() {
        let checkout = Checkout::new("/home/ann/enhancements", "/home/ann/enhancements/keps/sig-node");
        for (path, expected) in [
            ("1-x/README.md", Some("keps/sig-node/1-x/README.md")),
            ("./kep.yaml", Some("keps/sig-node/kep.yaml")),
            ("../prod-readiness/sig-node/1.yaml", Some("keps/prod-readiness/sig-node/1.yaml")),
            ("/home/ann/enhancements/OWNERS_ALIASES", Some("OWNERS_ALIASES")),
            ("/home/ann/enhancements-2/x.md", None),
            ("../../../other/x.md", None),
            ("../../../../../../x.md", None),
        ] {
            assert_eq!(checkout.path_of(path).as_deref(), expected, "{path}");
        }
        let windows = Checkout::new("C:/r", "C:/r/keps");
        assert_eq!(windows.path_of("C:/r/keps/x.md").as_deref(), Some("keps/x.md"));
        assert_eq!(windows.path_of("x.md").as_deref(), Some("keps/x.md"));
    }

    #[test]
    fn without_a_checkout_paths_stay_relative() {
        assert_eq!(relative("./keps/../keps/x.md").as_deref(), Some("keps/x.md"));
        assert_eq!(relative("../x.md"), None);
        assert_eq!(relative("/x.md"), None);
    }
}
