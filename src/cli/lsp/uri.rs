//! Paths as URIs, and back.

use crate::report::uri;
use gen_lsp_types::Uri;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The path that a URI of a file names; `None` for other kinds of URI, and for files of other machines.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let (scheme, rest) = uri.0.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").filter(|path| path.starts_with('/')).unwrap_or(rest),
        None => rest,
    };
    let path = path.split(['?', '#']).next().filter(|path| path.starts_with('/'))?;
    let decoded = percent_decode_str(path).decode_utf8().ok()?;
    if decoded.contains('\0') {
        return None;
    }
    // `/c:/x` of Windows.
    let is_drive = |drive: &&str| cfg!(windows) && drive.as_bytes().get(1) == Some(&b':');
    let named = Path::new(decoded.strip_prefix('/').filter(is_drive).unwrap_or(&decoded));
    // Without `.` and empty parts, as reports name files.
    Some(named.components().collect())
}

/// The folders that an editor names when it initializes the server: those of the workspace, or else its root.
pub fn folders(initialize: &Value) -> Vec<PathBuf> {
    let path_of = |uri: &Value| path(&Uri(uri.as_str()?.to_owned()));
    let listed = initialize.get("workspaceFolders").and_then(Value::as_array).into_iter().flatten();
    let named: Vec<PathBuf> = listed.filter_map(|folder| path_of(folder.get("uri")?)).collect();
    if named.is_empty() { initialize.get("rootUri").and_then(path_of).into_iter().collect() } else { named }
}

pub fn of(path: &Path) -> Uri {
    let shown = path.to_string_lossy().replace(MAIN_SEPARATOR, "/");
    let start = if shown.starts_with('/') { "file://" } else { "file:///" };
    Uri(format!("{start}{}", uri::encoded(&shown)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn paths_come_back() {
        for text in ["/keps/sig-node/1-x/README.md", "/a b/é🎉%#?[x].md", "/c:/x"] {
            let uri = of(Path::new(text));
            assert!(uri.0.is_ascii() && !uri.0.contains([' ', '#', '?']), "{}", uri.0);
            assert_eq!(path(&uri).as_deref(), Some(Path::new(text)));
        }
        let meant = |uri: &str| path(&Uri(uri.to_owned()));
        assert_eq!(meant("file://localhost/x%20y"), Some(PathBuf::from("/x y")));
        let parts = meant("file:///x//./y/../z/").expect("it is one");
        assert_eq!(parts.to_str(), Some("/x/y/../z"));
        assert_eq!(meant("file:///c%3A/x#1"), Some(PathBuf::from("/c:/x")));
        for same in ["file:/x", "FILE:///x", "File://localhost/x", "file:///x?y"] {
            assert_eq!(meant(same), Some(PathBuf::from("/x")), "{same}");
        }
        for other in [
            "untitled:Untitled-1",
            "file://server/x",
            "https://x/y",
            "file://",
            "file:x",
            "file:",
            "/x",
            "file:///%00",
            "file:///%ff",
            "",
        ] {
            assert_eq!(meant(other), None, "{other}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn folders_are_those_of_the_workspace_or_its_root() {
        let of = |value: Value| folders(&value);
        let root = serde_json::json!({ "rootUri": "file:///a", "workspaceFolders": [{ "uri": "file:///b%20c" }, { "uri": 1 }, 2] });
        assert_eq!(of(root), [PathBuf::from("/b c")]);
        assert_eq!(of(serde_json::json!({ "rootUri": "file:///a", "workspaceFolders": null })), [PathBuf::from("/a")]);
        assert!(of(serde_json::json!({ "rootUri": null })).is_empty());
    }
}
