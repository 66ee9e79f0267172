//! The authors of a KEP in a comment: who is told, and who is only named.

use super::sheet::Sheet;
use crate::bounds;
use crate::report::markdown::text::code;

/// What stands in the place of an author who is not known yet.
const NOBODY: [&str; 4] = ["tbd", "todo", "none", "n/a"];

/// Adds the authors. Whoever has a handle is mentioned; teams, remarks and everything else are code.
pub fn push(sheet: &mut Sheet, authors: &[String]) {
    let mut seen: Vec<String> = Vec::new();
    for author in authors.iter().map(|author| author.trim()).filter(|author| !author.is_empty()) {
        let name = author.strip_prefix('@').unwrap_or(author).to_lowercase();
        if seen.contains(&name) {
            continue;
        }
        if seen.len() == bounds::LISTED_NAMES {
            sheet.push(" and others");
            return;
        }
        sheet.push(if seen.is_empty() { "" } else { ", " });
        match handle(author) {
            Some(handle) => sheet.push_mention(&format!("@{handle}")),
            None => sheet.push_words(&code(&author.chars().take(bounds::QUOTED_CHARACTERS).collect::<String>())),
        }
        seen.push(name);
    }
}

/// The handle of an author, without @, if all of the text is one.
fn handle(author: &str) -> Option<&str> {
    let name = author.strip_prefix('@').unwrap_or(author);
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_handle = name.len() <= bounds::HANDLE_BYTES && name.split('-').all(is_part);
    (is_handle && !NOBODY.contains(&name.to_lowercase().as_str())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(authors: &[&str]) -> String {
        let authors: Vec<String> = authors.iter().map(|author| (*author).to_owned()).collect();
        let mut sheet = Sheet::default();
        push(&mut sheet, &authors);
        sheet.finish().expect("it is safe")
    }

    #[test]
    fn only_handles_are_mentioned() {
        assert_eq!(shown(&["@Ann-1", "bob", " @ann-1 ", ""]), "@Ann-1, @bob");
        for author in [
            "@kubernetes/sig-node-leads",
            "@a\n/lgtm",
            "@ann (API)",
            "@jane.doe",
            "-->",
            "/label x",
            "@-a",
            "@a--b",
            "@a_b",
            "TBD",
            "@@ann",
            "@é",
        ] {
            assert_eq!(shown(&[author]), code(author), "{author}");
        }
        assert_eq!(shown(&["@a\n/lgtm", "`"]), "`@a /lgtm`, `` ` ``");
        assert_eq!(shown(&[&"a".repeat(40)]), format!("`{}`", "a".repeat(40)));
        let many: Vec<String> = (0..1000).map(|number| format!("a{number}")).collect();
        assert_eq!(
            shown(&many.iter().map(String::as_str).collect::<Vec<_>>()).matches('@').count(),
            bounds::LISTED_NAMES
        );
    }
}
