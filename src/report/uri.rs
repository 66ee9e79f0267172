//! Paths as reports for programs write them: plain, or as URIs. These reports are read in the working directory of the
//! run, which for CI is the root of the repository.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The URI of a file: relative to the working directory, or a `file:` URI of an absolute path.
pub fn of(path: &str) -> String {
    let plain = plain(path);
    if plain.starts_with('/') { format!("file://{}", encoded(&plain)) } else { encoded(&plain) }
}

/// `path` without the parts that lead nowhere: `./keps//x` is `keps/x`. A `..` stays, because it may follow a symlink.
pub fn plain(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    let plain = parts.collect::<Vec<_>>().join("/");
    let root = if path.starts_with('/') { "/" } else { "" };
    if root.is_empty() && plain.is_empty() { ".".to_owned() } else { format!("{root}{plain}") }
}

pub fn encoded(path: &str) -> String {
    const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(path, KEPT).to_string()
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
}
