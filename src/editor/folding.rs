//! The parts of a file that an editor can fold: sections, comments, code, keys with several lines.

use super::view::View;
use crate::rules::context::Page;
use crate::source::SourceFile;
use crate::span::{FileId, slice};
use crate::yaml::tree::{Node, Value};
use std::ops::Range;

/// A part that can be folded into its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fold {
    /// Its first line, from 0 on.
    pub first: usize,
    /// Its last line, which is after the first.
    pub last: usize,
    /// Whether it is a comment.
    pub is_comment: bool,
}

/// The parts of a file of the KEP, in order.
pub fn of(view: &View<'_>, file: FileId) -> Vec<Fold> {
    let source = view.kep().texts.file(file);
    let mut folds: Vec<Fold> = match view.page(file) {
        Some(page) => of_page(source, &page),
        None => {
            let mut ranges = Vec::new();
            view.kep().yaml(file).into_iter().for_each(|root| of_node(root, &mut ranges));
            ranges.into_iter().filter_map(|range| fold(source, range, false)).collect()
        }
    };
    folds.sort_unstable();
    // Editors fold a line in one way.
    folds.dedup_by_key(|fold| fold.first);
    folds
}

fn of_page(source: &SourceFile, page: &Page<'_>) -> Vec<Fold> {
    let sections = page.sections.iter().map(|(_, section)| section.heading.start..section.subtree.end);
    let comments = page.comments.iter().map(|comment| comment.span.clone());
    let parts = sections.chain(page.code.iter().cloned()).filter_map(|range| fold(source, range, false));
    parts.chain(comments.filter_map(|range| fold(source, range, true))).collect()
}

/// The entries of mappings with several lines.
fn of_node(node: &Node, ranges: &mut Vec<Range<usize>>) {
    match &node.value {
        Value::Mapping(entries) => {
            for entry in entries {
                ranges.push(entry.key.span.start..entry.value.span.end.max(entry.key.span.end));
                of_node(&entry.value, ranges);
            }
        }
        Value::Sequence(items) => items.iter().for_each(|item| of_node(item, ranges)),
        Value::Scalar(_) | Value::Alias(_) => {}
    }
}

/// The lines of `range` without empty ones at its end; `None` if that is a single one.
fn fold(source: &SourceFile, range: Range<usize>, is_comment: bool) -> Option<Fold> {
    let end = range.start + slice(&source.text, range.clone()).trim_end().len();
    let line = |offset: usize| source.lines().line_of(offset);
    let (first, last) = (line(range.start), line(end));
    (first < last).then_some(Fold { first, last, is_comment })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::ask;

    fn folds(readme: &str, yaml: &str, name: &str) -> Vec<(usize, usize, bool)> {
        let files = [("keps/sig-node/1-images/README.md", readme), ("keps/sig-node/1-images/kep.yaml", yaml)];
        ask(&files, |view| {
            let file = view.file(&format!("keps/sig-node/1-images/{name}")).expect("it is there");
            of(view, file).into_iter().map(|fold| (fold.first, fold.last, fold.is_comment)).collect()
        })
    }

    #[test]
    fn parts_of_several_lines_are_folded() {
        let readme = "# T\n\n## A\n\n<!--\nx\n-->\n\n```\ny\n```\n\n## B\n\nz `a`\n\n";
        let expected = [(0, 14, false), (2, 10, false), (4, 6, true), (8, 10, false), (12, 14, false)];
        assert_eq!(folds(readme, "", "README.md"), expected);
        assert_eq!(folds("# T\n", "", "README.md"), []);
        let yaml = "title: x\nauthors:\n  - a\n  - b\nmilestone: {a: b,\n  c: d}\nl:\n- n: x\n  m:\n  - y\n\n";
        assert_eq!(folds("", yaml, "kep.yaml"), [(1, 3, false), (4, 5, false), (6, 9, false), (8, 9, false)]);
    }
}
