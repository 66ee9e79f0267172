//! Formatting: the table of contents, and nothing else.

use super::actions::{self, Change, Remedy};
use super::view::View;
use crate::diagnostic::{Diagnostic, Safety};
use crate::span::FileId;

/// The rule whose fix writes the table of contents.
const RULE: &str = "stale-toc";

/// The change that makes the table of contents of a document right, if it is stale and its fix is safe.
pub fn contents(view: &View<'_>, file: FileId) -> Option<Change> {
    let report = view.lint(&view.texts);
    let is_safe = |finding: &Diagnostic| finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
    let is_it = |finding: &&Diagnostic| finding.rule == RULE && finding.span.file == file && is_safe(finding);
    let change = actions::change(view, report.diagnostics.iter().find(is_it)?, Remedy::Fix(Safety::Safe)).ok()?;
    change.edits.iter().all(|edit| edit.span.file == file).then_some(change)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::{DIRECTORY, ask};

    #[test]
    fn only_the_contents_are_formatted() {
        let path = format!("{DIRECTORY}/README.md");
        let edits = |text: &str| {
            ask(&[(&path, text)], |view| {
                let change = contents(view, view.file(&path).expect("it is there"))?;
                Some(change.edits.into_iter().map(|edit| edit.text).collect::<Vec<_>>())
            })
        };
        let stale = "# KEP-1: Images\n\n<!-- toc -->\n- [Goals](#goals)\n<!-- /toc -->\n\n##  Summary  \n";
        assert_eq!(edits(stale), Some(vec!["Summary](#summary".to_owned()]));
        assert_eq!(edits("# KEP-1: Images\n\n<!-- toc -->\nMy words.\n<!-- /toc -->\n\n## Summary\n"), None);
        assert_eq!(edits("# KEP-1: Images\n\n##  Summary  \n"), None);
    }
}
