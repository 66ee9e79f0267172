//! An author's reply to a section of the template that is open, written below its heading.

use super::upgrade::torn_at;
use crate::bounds;
use crate::diagnostic::{Failure, brief, quoted};
use crate::gap::content::Content;
use crate::gap::leftover;
use crate::markdown::{Document, is_closed, unpaired};
use crate::matching::written;
use crate::mdtoc::Markers;
use crate::rules::context::Readme;
use crate::source::SourceFile;
use crate::span::{FileId, line_end};
use crate::template::TemplateId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The open sections of a README that have a heading, in the template's order, without those that only hold others; and how
/// many more are open.
pub fn open_sections(readme: &Readme<'_>) -> (Vec<TemplateId>, usize) {
    let gaps = readme.gaps().iter().filter(|gap| gap.part.is_none());
    let mut open = BTreeSet::new();
    for gap in gaps {
        if gap.covers.is_empty() {
            open.insert(gap.section);
        }
        open.extend(&gap.covers);
    }
    let around: BTreeSet<TemplateId> = open.iter().flat_map(|id| readme.template.ancestors(*id)).collect();
    let asked: Vec<TemplateId> = open.into_iter().filter(|id| !around.contains(id)).collect();
    let has_heading = |id: &TemplateId| readme.matching().place(*id).is_some_and(|place| place.section.is_some());
    let count = asked.len();
    let with_heading: Vec<TemplateId> = asked.into_iter().filter(has_heading).collect();
    let others = count - with_heading.len();
    (with_heading, others)
}

/// The text of the README with `reply` above the subsections of this section, in the place of the template's samples and of
/// lines that only announce a text, such as `TBD`; all other lines stay. Fails if the reply would change another section.
pub fn write_below(readme: &Readme<'_>, id: TemplateId, reply: &str) -> Result<String, Failure> {
    let Readme { document, template, stage, .. } = *readme;
    let Some(place) = readme.matching().place(id) else {
        return Err(Failure::new("the section has no heading"));
    };
    let mut range = written::range(document, template, id, readme.matching().text_of(place));
    // What is below the author's own subsections is not of this heading, nor what is below the element that it is in.
    if let Some(section) = place.section {
        range.end = range.end.min(document.sections.get(section).own.end);
    }
    if let Some(tag) = unpaired::tag_in(document, range.clone())
        && document.slice(tag.clone()).starts_with("</")
    {
        let is_end = |line: &&str| line.trim_matches([' ', '\t']).is_empty() || line.trim_start().starts_with("</");
        let above = document.slice(range.start..tag.start).split_inclusive('\n').rev();
        range.end = tag.start - above.take_while(is_end).map(str::len).sum::<usize>();
    }
    let hidden = || document.comments.iter().map(|comment| &comment.span).chain(&document.code);
    let (mut kept, mut at) = (document.slice(..range.start).to_owned(), range.start);
    let mut is_after_announcement = false;
    for line in document.slice(range.clone()).split_inclusive('\n') {
        let words = line.trim();
        let is_announcement = leftover::is_sample(words, template)
            || Content::of_line(words, template, stage) == Content::PlaceholderWord;
        // A row belongs to its table, whatever is in it, and a line in an element to that.
        let is_inside =
            || unpaired::tag_in(document, range.start..at).is_some() || hidden().any(|span| span.contains(&at));
        let may_go = is_announcement && !words.contains('|') && !is_inside();
        // One empty line is left of those around it.
        let is_left_out = may_go || (is_after_announcement && line.trim().is_empty());
        if !is_left_out {
            kept += line;
        }
        is_after_announcement = is_left_out;
        at += line.len();
    }
    let newline = line_end(document.text(), 0);
    let reply = reply.trim_matches('\n').replace('\n', newline);
    let rest = document.slice(range.end..);
    let space = if rest.is_empty() { "" } else { newline };
    let text = format!("{}{newline}{newline}{reply}{newline}{space}{rest}", kept.trim_end());
    let parsed = |markdown: &str| {
        let source = SourceFile::decode(document.source.path.clone(), markdown.to_owned().into_bytes());
        Document::parse(FileId(0), Arc::new(source))
    };
    if text.len() as u64 > bounds::FILE_BYTES {
        let failure = Failure::new(format!("the README would have more than {}", bounds::size(bounds::FILE_BYTES)));
        return Err(failure.help("write less"));
    }
    match fault(document, &parsed(&text), &parsed(&reply)) {
        Some(fault) => Err(Failure::new(format!("the answer has {fault}")).help("write it in README.md itself")),
        None => Ok(text),
    }
}

/// What of a reply would change other sections than its own.
fn fault(before: &Document, after: &Document, reply: &Document) -> Option<String> {
    let titles = |version: &Document| -> Vec<String> {
        version.sections.iter().map(|(_, section)| section.title.text.clone()).collect()
    };
    let open_marks = |version: &Document| version.unresolved().iter().filter(|mark| mark.is_alone()).count();
    let contents = Markers::find(reply.text());
    let is_key = |letter: char| letter.is_control() && !letter.is_whitespace();
    if !is_closed(reply.text()) || (torn_at(before).is_none() && torn_at(after).is_some()) {
        Some("a comment or code that does not end".to_owned())
    } else if let Some(key) = reply.text().chars().find(|letter| is_key(*letter)) {
        Some(format!("a character that cannot be seen, U+{:04X}", u32::from(key)))
    } else if titles(before) != titles(after) {
        Some("a heading".to_owned())
    } else if contents.opening.or(contents.closing).is_some() {
        Some("a marker of the table of contents".to_owned())
    } else if open_marks(before) < open_marks(after) {
        Some("an UNRESOLVED marker without its counterpart".to_owned())
    } else {
        let tag = unpaired::tag_in(reply, 0..reply.text().len()).map(|tag| reply.slice(tag));
        tag.map(|tag| format!("{} without its counterpart", quoted(&brief(tag))))
    }
}
