//! A new text for a heading: with its entry in the table of contents, and the anchors that lead to it from this KEP.

use super::actions::Change;
use super::edits;
use super::view::View;
use crate::diagnostic::{Edit, Safety};
use crate::fix::apply;
use crate::fix::one::fix_one;
use crate::kep::texts::Texts;
use crate::markdown::Document;
use crate::markdown::anchor::{Anchors, Dialect, wanted};
use crate::markdown::section::SectionId;
use crate::rules::context::Page;
use crate::source::SourceFile;
use crate::span::{FileId, Span, slice};
use std::cell::LazyCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A heading that can be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The bytes of its text, without the hashes.
    pub span: Span,
    /// The same as text.
    pub text: String,
}

/// What a new text for a heading changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The changes in this KEP.
    pub change: Change,
    /// Links from documents that are not of this KEP, whose anchors end to lead to the heading: `path:line`, from `keps` on.
    pub elsewhere: Vec<String>,
}

/// The heading at byte `offset` of a file of the KEP, if it is one line that begins with hashes.
pub fn heading(view: &View<'_>, file: FileId, offset: usize) -> Option<Heading> {
    let ctx = view.ctx();
    let page = ctx.pages().find(|page| page.document.file == file)?;
    let (_, span) = heading_at(page.document, offset)?;
    Some(Heading { span, text: page.slice(span.range()).to_owned() })
}

fn heading_at(document: &Document, offset: usize) -> Option<(SectionId, Span)> {
    let id = document.sections.at(offset)?;
    let range = document.sections.get(id).heading.clone();
    let written = document.slice(range.clone());
    if offset > range.end || !written.starts_with('#') || written.trim_end().contains(['\n', '\r']) {
        return None;
    }
    let text = written.trim_start_matches('#');
    let start = range.end - text.trim_start_matches([' ', '\t']).len();
    let text = text.trim();
    // Hashes at the end are no part of the text.
    let closed = text.trim_end_matches('#');
    let text = if closed.len() < text.len() && closed.ends_with([' ', '\t']) { closed.trim_end() } else { text };
    (!text.is_empty()).then(|| (id, Span::new(document.file, start..start + text.len())))
}

/// The changes for the text `name` of the heading at byte `offset` of a file, or why there are none, as a clause. `read`
/// reads other documents of the repository, by their paths from `keps` on.
pub fn rename(
    view: &View<'_>,
    file: FileId,
    offset: usize,
    name: &str,
    read: &dyn Fn(&str) -> Option<Arc<SourceFile>>,
) -> Result<Renamed, String> {
    let name = name.trim();
    if name.is_empty() || name.contains(|letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}'))
    {
        return Err("a heading is one line of text".to_owned());
    }
    let ctx = view.ctx();
    let page = ctx.pages().find(|page| page.document.file == file).ok_or("this is no document of a KEP")?;
    let (id, span) = heading_at(page.document, offset).ok_or("there is no heading here that can be renamed")?;
    let old_name = page.slice(span.range());
    let own = Edit { span, text: name.to_owned() };
    let text = apply(page.text(), std::slice::from_ref(&own)).unwrap_or_default();
    let renamed = Document::parse(file, Arc::new(SourceFile::decode(page.source.path.as_str(), text.into_bytes())));
    let is_same = |one: &Document, other: &Document| {
        let level =
            |document: &Document| document.sections.iter().map(|(_, section)| section.level).collect::<Vec<_>>();
        level(one) == level(other) && one.comments.len() == other.comments.len()
    };
    let is_read = renamed.sections.iter().any(|(other, section)| other == id && !section.title.text.is_empty());
    if !is_same(page.document, &renamed) || !is_read {
        return Err("this text would not be read as one heading".to_owned());
    }
    let moved = Moved::between(page.document, &renamed);
    let mut edits = vec![own];
    for other in ctx.pages() {
        let is_own = other.document.file == file;
        let leads_here =
            |address: &str| is_own && address.is_empty() || !address.is_empty() && leads_to(view, other, address, page);
        let definitions = LazyCell::new(|| definitions(other.text()));
        edits.extend(other.links.iter().filter_map(|link| {
            moved.edit(other, link.span.clone(), &link.target, &leads_here, &|target| definitions.get(target).copied())
        }));
        if is_own {
            edits.extend(entries(page, old_name, name, &moved));
        }
    }
    edits.sort_by_key(|edit| (edit.span.file, edit.span.start));
    edits.dedup();
    let change = with_contents(view, &edits, file).ok_or("the changes contradict each other")?;
    Ok(Renamed { change, elsewhere: elsewhere(view, page, &moved, read) })
}

/// The anchors that change, each with the new one.
struct Moved(HashMap<String, String>);

impl Moved {
    fn between(old: &Document, new: &Document) -> Self {
        let all = |document: &Document, dialect: Dialect| {
            let mut anchors = Anchors::new(dialect);
            document.sections.iter().map(|(_, section)| anchors.next(&section.title.text)).collect::<Vec<_>>()
        };
        let mut moved = HashMap::new();
        // As in `Headings`: what an anchor means to GitHub comes first, also if that stays.
        for dialect in [Dialect::GitHub, Dialect::Mdtoc] {
            for (before, after) in all(old, dialect).into_iter().zip(all(new, dialect)) {
                moved.entry(before).or_insert(after);
            }
        }
        moved.retain(|before, after| before != after);
        Self(moved)
    }

    fn new_name(&self, anchor: &str) -> Option<&str> {
        self.0.get(&wanted(anchor)?).map(String::as_str)
    }

    /// The edit of a link to an anchor that changes, if it is written as one. `definition` is where a target begins in the
    /// definition of a reference.
    fn edit(
        &self,
        page: Page<'_>,
        link: Range<usize>,
        target: &str,
        leads_here: &dyn Fn(&str) -> bool,
        definition: &dyn Fn(&str) -> Option<usize>,
    ) -> Option<Edit> {
        let (address, anchor) = target.split_once('#')?;
        let new = self.new_name(anchor)?;
        if !leads_here(address) {
            return None;
        }
        let written = page.slice(link.clone());
        // The target of a reference is in its definition, which all its links have.
        let is_target = |at: &usize| slice(written, ..*at).ends_with("](") || slice(written, ..*at).ends_with("](<");
        let start = match written.rfind(target).filter(is_target) {
            Some(at) => link.start + at,
            None => definition(target)?,
        };
        Some(Edit { span: page.span(start..start + target.len()), text: format!("{address}#{new}") })
    }
}

/// The targets of references, each with where it begins in its first definition, `[label]: target`.
fn definitions(text: &str) -> HashMap<&str, usize> {
    const MARK: &str = "]:";
    let mut definitions = HashMap::new();
    for (at, _) in text.match_indices(MARK) {
        let rest = slice(text, at + MARK.len()..);
        let target = rest.trim_start_matches([' ', '<']);
        let start = text.len() - target.len();
        let end = target.find([' ', '\t', '\r', '\n', '>']).unwrap_or(target.len());
        definitions.entry(slice(target, ..end)).or_insert(start);
    }
    definitions
}

/// Whether an address in the document `from` leads to the document `to`.
fn leads_to(view: &View<'_>, from: Page<'_>, address: &str, to: Page<'_>) -> bool {
    let path = from.directory().and_then(|directory| view.repository.linked_path(address, &directory));
    path.is_some_and(|path| Some(as_document(path)) == to.tree_path())
}

/// The document that a path leads to: that of a directory is its README.
fn as_document(path: String) -> String {
    let has_extension = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if has_extension { path } else { format!("{path}/README.md") }
}

/// The old text of the heading in its entries in the table of contents.
fn entries(page: Page<'_>, old: &str, new: &str, moved: &Moved) -> Vec<Edit> {
    let contents = page.contents();
    let listed = page.links.iter().filter(|link| contents.contains(&link.span.start));
    let own = listed.filter(|link| {
        let anchor = link.target.strip_prefix('#');
        anchor.is_some_and(|anchor| moved.new_name(anchor).is_some())
            && page.slice(link.span.clone()).starts_with(&format!("[{old}]("))
    });
    own.map(|link| Edit { span: page.span(link.span.start + 1..link.span.start + 1 + old.len()), text: new.to_owned() })
        .collect()
}

/// The change that these edits make, with a new table of contents if it is stale because of them.
fn with_contents(view: &View<'_>, edits: &[Edit], file: FileId) -> Option<Change> {
    const RULE: &str = "stale-toc";
    let mut new = after(&view.texts, edits)?;
    let stale = |texts: &Texts| {
        let report = view.lint(texts);
        let finding =
            report.diagnostics.into_iter().find(|finding| finding.rule == RULE && finding.span.file == file)?;
        let is_safe = finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
        Some(finding.fingerprint.filter(|_| is_safe))
    };
    if let Some(Some(print)) = stale(&new)
        && stale(&view.texts).is_none()
        && let Some(fixed) = fix_one(&new, print, &|texts| view.lint(texts))
    {
        for (text, fixed_text) in new.files.iter_mut().zip(&fixed.after.files) {
            *text = Arc::clone(fixed_text);
        }
    }
    let files = (0..).map(FileId::at).zip(view.texts.files.iter().zip(&new.files));
    let changes = files.flat_map(|(id, (before, after))| edits::between(id, &before.text, &after.text));
    Some(Change { edits: changes.collect(), to_type: None, fixed: 0 })
}

/// The texts after these edits.
fn after(texts: &Texts, edits: &[Edit]) -> Option<Texts> {
    let mut after = texts.clone();
    for (id, file) in (0..).map(FileId::at).zip(&mut after.files) {
        let own: Vec<Edit> = edits.iter().filter(|edit| edit.span.file == id).cloned().collect();
        if !own.is_empty() {
            let text = apply(&file.text, &own)?;
            *file = Arc::new(SourceFile::decode(file.path.as_str(), text.into_bytes()));
        }
    }
    Some(after)
}

/// The links of other documents to anchors of this one that change.
fn elsewhere(
    view: &View<'_>,
    page: Page<'_>,
    moved: &Moved,
    read: &dyn Fn(&str) -> Option<Arc<SourceFile>>,
) -> Vec<String> {
    let (Some(own), Some(directory)) = (page.tree_path(), page.texts.tree_path.as_deref()) else { return Vec::new() };
    let paths = view.repository.paths.iter().flat_map(|paths| paths.iter());
    let others = paths.filter(|path| path.ends_with(".md") && !path.starts_with(&format!("{directory}/")));
    let name = directory.rsplit('/').next().unwrap_or_default();
    let mut found = Vec::new();
    for path in others {
        // Most documents do not name this KEP: they are not parsed.
        let Some(source) = read(path).filter(|source| source.text.contains(name)) else { continue };
        let document = Document::parse(FileId(0), Arc::clone(&source));
        let around = path.rsplit_once('/').map_or("", |(around, _)| around);
        for link in &document.links {
            let Some((address, anchor)) = link.target.split_once('#') else { continue };
            let is_here = || view.repository.linked_path(address, around).map(as_document) == Some(own.clone());
            if !address.is_empty() && moved.new_name(anchor).is_some() && is_here() {
                let line = slice(&source.text, ..link.span.start).matches('\n').count() + 1;
                found.push(format!("{path}:{line}"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::{DIRECTORY, ask, place};

    const README: &str = "# KEP-1: Images\n\n<!-- toc -->\n- [Summary](#summary)\n- [A 🎉 plan](#a--plan)\n- [Summary](#summary-1)\n\
        <!-- /toc -->\n\n## Summary\n\nSee [the plan](#a--plan), [more](more.md#part) and [last] or [#summary-1][last].\n\n## A 🎉 plan ##\n\nText.\n\n\
        ## Summary\n\n[last]: #summary-1\n";
    const MORE: &str =
        "# More\n\nBack to [the plan](README.md#a--plan), or [it](/keps/sig-node/1-images#A--plan).\n\n## Part\n";
    const OTHER: &str = "# KEP-2: Other\n\n[x](../1-images/README.md#a--plan) and [y](../1-images/README.md)\n";

    fn renamed(mark: &str, new: &str) -> Result<(Vec<String>, Vec<String>), String> {
        let path = |name: &str| format!("{DIRECTORY}/{name}");
        let files = [
            (path("README.md"), README),
            (path("more.md"), MORE),
            (path("kep.yaml"), "title: Images\n"),
            ("keps/sig-node/2-other/README.md".to_owned(), OTHER),
            ("keps/sig-node/2-other/kep.yaml".to_owned(), "title: Other\n"),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), *text)).collect();
        ask(&files, |view| {
            let (file, offset) = place(view, &path("README.md"), mark);
            let read = |asked: &str| {
                let is_other = asked == "keps/sig-node/2-other/README.md";
                is_other.then(|| Arc::new(SourceFile::decode(asked, OTHER.as_bytes().to_vec())))
            };
            let Renamed { change, elsewhere } = rename(view, file, offset, new, &read)?;
            let texts = after(&view.texts, &change.edits).expect("the edits fit");
            let markdown = texts.files.iter().filter(|text| text.path.ends_with(".md"));
            Ok((markdown.map(|text| text.text.clone()).collect(), elsewhere))
        })
    }

    #[test]
    fn the_anchors_of_the_kep_follow_a_heading() {
        let (texts, elsewhere) = renamed("## A 🎉", "The way").expect("it can be renamed");
        let readme = README.replace("- [A 🎉 plan](#a--plan)", "- [The way](#the-way)");
        let readme = readme.replace("](#a--plan)", "](#the-way)").replace("## A 🎉 plan ##", "## The way ##");
        let more =
            MORE.replace("README.md#a--plan", "README.md#the-way").replace("1-images#A--plan", "1-images#the-way");
        assert_eq!(texts, [readme, more]);
        assert_eq!(elsewhere, ["keps/sig-node/2-other/README.md:3"]);
    }

    #[test]
    fn headings_of_the_same_text_get_other_anchors() {
        let (texts, elsewhere) = renamed("## Summary", "Goals").expect("it can be renamed");
        let readme = README.replacen("[Summary](#summary)", "[Goals](#goals)", 1).replace("(#summary-1)", "(#summary)");
        let readme = readme.replace("[last]: #summary-1", "[last]: #summary");
        assert_eq!(texts[0], readme.replacen("## Summary", "## Goals", 1));
        assert_eq!(elsewhere, [""; 0]);
    }

    /// `mdtoc` gives both the last heading here and the one before it the anchor `a-1`.
    #[test]
    fn an_anchor_is_that_of_its_heading_on_github() {
        let text = "# KEP-1: Images\n\n[second](#a-1) [last](#a-1-1)\n\n## A\n\n## A\n\n## A-1\n";
        let path = format!("{DIRECTORY}/README.md");
        let metadata = format!("{DIRECTORY}/kep.yaml");
        let files = [(path.as_str(), text), (metadata.as_str(), "title: Images\n")];
        ask(&files, |view| {
            let (file, offset) = place(view, &path, "## A\n\n## A-1");
            let Renamed { change, .. } = rename(view, file, offset, "A 1", &|_| None).expect("it can be renamed");
            let texts = after(&view.texts, &change.edits).expect("the edits fit");
            assert_eq!(texts.files[0].text, text.replace("## A\n\n## A-1", "## A 1\n\n## A-1"));
        });
    }

    #[test]
    fn the_anchors_of_many_headings_move_together() {
        let count = 50_000;
        let path = format!("{DIRECTORY}/README.md");
        let metadata = format!("{DIRECTORY}/kep.yaml");
        let text = format!("# KEP-1: Images\n\n[last](#a-{})\n\n{}", count - 1, "## A\n\n".repeat(count));
        let files = [(path.as_str(), text.as_str()), (metadata.as_str(), "title: Images\n")];
        ask(&files, |view| {
            let page = view.page(view.file(&path).expect("it is there")).expect("it is Markdown");
            let renamed = Document::of_text(&text.replacen("## A", "## B", 1));
            let moved = Moved::between(page.document, &renamed);
            assert_eq!((moved.0.len(), moved.new_name("a"), moved.new_name("a-7")), (count, Some("b"), Some("a-6")));
        });
    }

    #[test]
    fn the_first_definition_of_a_target_counts() {
        let found = definitions("[a]: #x\n[b]:  <#y>\n[c]: #x\n[d]:\n[e]: z#é \"t\"");
        assert_eq!(found, HashMap::from([("#x", 5), ("#y", 15), ("", 31), ("z#é", 37)]));
    }

    #[test]
    fn what_would_be_no_heading_is_refused() {
        for name in ["", " ", "a\nb", "<!-- a -->", "\u{7}"] {
            assert!(renamed("## A", name).is_err(), "{name:?}");
        }
        assert!(renamed("Text.", "x").is_err());
        assert!(renamed("# KEP-1", "KEP-1: Pictures").is_ok());
    }
}
