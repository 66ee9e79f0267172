//! Where the proposals of a repository seem to be, by the names of its files.

use super::forms::directive_line;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A pattern, and how many files it matches.
pub type Seen = (String, usize);

/// So many files of one form are no chance.
pub const FEW: usize = 3;

/// Directories whose documents are proposals, also if these have no numbers.
const TREES: &str =
    "enhancements proposals rfcs design-proposals docs/proposals docs/enhancements docs/rfcs docs/design design";

static TARGET: LazyLock<Regex> = LazyLock::new(|| {
    let line = r"(?mi)^\s*[-*]\s+([^{}:\n]*\b)(?:alpha|beta|stable|GA)(\b[^{}:\n]*:\s*)v?[0-9]+\.[0-9]+";
    Regex::new(line).expect("the expression is well-formed")
});

static FORMS: LazyLock<[(Regex, &str); 4]> = LazyLock::new(|| {
    let form = |pattern: &str| Regex::new(pattern).expect("the pattern is well-formed");
    [
        (form("^(?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2})([-._]).+$"), "{date}${1}{name}"),
        (form("^[0-9]+([-_]).+$"), "{number}${1}{name}"),
        (form("^([A-Za-z]+-)[0-9]+$"), "${1}{number}"),
        (form("^([A-Za-z]+-)[0-9]+-.+$"), "${1}{number}-{name}"),
    ]
});

/// What there is most of, if it is so many.
pub fn most<T: Ord>(items: impl Iterator<Item = T>, least: usize) -> Option<T> {
    let mut counts = BTreeMap::new();
    items.for_each(|item| *counts.entry(item).or_insert(0) += 1);
    let most = counts.into_iter().filter(|(_, count)| *count >= least).max_by_key(|(_, count)| *count);
    most.map(|(item, _)| item)
}

/// The patterns of documents among `paths`, all from the root of the repository on: that of most comes first.
pub fn all<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<Seen> {
    let documents: Vec<&str> = paths.filter(|path| path.ends_with(".md") && !path.starts_with('.')).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    documents.iter().filter_map(|path| form(path)).for_each(|form| *counts.entry(form).or_default() += 1);
    let mut numbered: Vec<Seen> = counts.into_iter().filter(|(_, count)| *count >= FEW).collect();
    let by_parts = |one: &str, other: &str| one.split('/').cmp(other.split('/'));
    numbered.sort_by(|(one, count), (other, more)| more.cmp(count).then_with(|| by_parts(one, other)));
    let tree = TREES.split(' ').find_map(|tree| unnumbered(tree, &documents));
    // Few numbered documents among many are something else, such as letters of the week.
    let few = tree.as_ref().map(|(_, count)| count / FEW).unwrap_or_default();
    if numbered.first().is_some_and(|(_, count)| *count >= few) { numbered } else { tree.into_iter().collect() }
}

/// The forms of lines that name the release of a stage, as `targets` has them.
pub fn targets(text: &str) -> Vec<String> {
    let form = |found: Captures<'_>| format!("{}{{stage}}{}{{release}}", &found[1], &found[2]);
    TARGET.captures_iter(text).map(form).collect()
}

/// The form of the lines below headings of a template that name one of these words for statuses.
pub fn directive(template: &str, words: &[&str]) -> Option<String> {
    if words.is_empty() {
        return None;
    }
    let word = Regex::new(&format!(r"\b(?:{})\b", words.join("|"))).ok()?;
    let lines: Vec<&str> = template.lines().filter(|line| !line.trim().is_empty()).collect();
    let below = lines.windows(2).filter(|two| matches!(two, [heading, _] if heading.starts_with('#')));
    let named = below.filter_map(|two| two.last()).filter(|line| !line.contains(char::is_control));
    let forms = named.map(|line| word.replace(line, "{phase}").into_owned());
    most(forms.filter(|form| directive_line(form).is_ok()), FEW)
}

/// A path with placeholders, if it has a number or a date. What is between the first directory and that one is a
/// group.
fn form(path: &str) -> Option<String> {
    let bare = path.strip_suffix(".md")?;
    let parts: Vec<&str> = bare.split('/').collect();
    let of_part = |part: &str| FORMS.iter().find(|(form, _)| form.is_match(part));
    let (at, (marked, text)) =
        parts.iter().enumerate().skip(1).rev().find_map(|(at, part)| Some((at, of_part(part)?)))?;
    let is_directory = at + 2 == parts.len();
    if !is_directory && at + 1 < parts.len() {
        return None;
    }
    let written = parts.iter().enumerate().map(|(place, part)| match place {
        _ if place == at => marked.replace(part, *text),
        _ if place + 1 == at && place > 0 && is_directory => Cow::Borrowed("{group}"),
        _ => Cow::Borrowed(*part),
    });
    Some(written.collect::<Vec<_>>().join("/") + ".md")
}

/// The documents below a directory for proposals, named by their file or by their directory.
fn unnumbered(tree: &str, documents: &[&str]) -> Option<Seen> {
    let way = |path: &&str| path.strip_prefix(tree).is_some_and(|way| way.starts_with('/'));
    let inside: Vec<&str> = documents.iter().copied().filter(way).collect();
    let readmes = inside.iter().filter(|path| path.ends_with("/README.md")).count();
    let (name, count) = if readmes * 2 > inside.len() { ("README", readmes) } else { ("{name}", inside.len()) };
    (count >= FEW).then(|| (format!("{tree}/**/{name}.md"), count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_documents_show_the_pattern() {
        let most = |paths: &[&str]| {
            let seen = all(paths.iter().copied()).into_iter().next();
            seen.map(|(pattern, count)| format!("{count} {pattern}"))
        };
        let of_groups =
            ["ideas/a/1-x/idea.md", "ideas/b/22-y/idea.md", "ideas/b/3-z/idea.md", "README.md", "docs/1-a.md"];
        assert_eq!(most(&of_groups).as_deref(), Some("3 ideas/{group}/{number}-{name}/idea.md"));
        let of_files = ["docs/ideas/20260101-a.md", "docs/ideas/20260102-b.md", "docs/ideas/20260103-c.md"];
        assert_eq!(most(&of_files).as_deref(), Some("3 docs/ideas/{date}-{name}.md"));
        let of_marks = ["geps/gep-1/index.md", "geps/gep-2/index.md", "geps/gep-3/index.md", "geps/overview.md"];
        assert_eq!(most(&of_marks).as_deref(), Some("3 geps/gep-{number}/index.md"));
        let of_names = ["enhancements/a/b.md", "enhancements/c.md", "enhancements/d/e.md"];
        assert_eq!(most(&of_names).as_deref(), Some("3 enhancements/**/{name}.md"));
        assert_eq!(most(&["README.md", "docs/a.md"]), None);
    }
}
