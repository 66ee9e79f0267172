//! The table of contents of a README: its markers, and what `mdtoc --inplace --max-depth=5` of sigs.k8s.io/mdtoc v1.4.0
//! writes between them.
//! Upstream's CI compares byte by byte, so the headings must be those that mdtoc finds. They differ from those of
//! CommonMark in some cases; see [`disagreement`].

mod line;
mod link_text;
pub(crate) mod listed;
mod outline;

use self::link_text::LinkText;
use self::outline::Outline;
use crate::bounds;
use crate::markdown::Document;
use crate::markdown::anchor::{Anchors, Dialect};
use crate::search;
use crate::span::{LineIndex, line_around, line_end, slice};
use std::ops::Range;

pub const OPENING: &str = "<!-- toc -->";

pub const CLOSING: &str = "<!-- /toc -->";

/// Headings of a deeper level are not listed.
pub const DEEPEST: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TocEntry {
    pub level: usize,
    /// Its line in the table of contents, without the newline.
    pub line: String,
    /// Bytes of the heading's line; for an underlined heading, of both lines.
    pub heading: Range<usize>,
}

/// The markers of a text: as in mdtoc, the first of each kind, even in code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Markers {
    pub opening: Option<Range<usize>>,
    pub closing: Option<Range<usize>>,
}

impl Markers {
    /// Finds the markers of `text`; case does not matter, spaces do.
    pub fn find(text: &str) -> Self {
        Self { opening: find(text, OPENING), closing: find(text, CLOSING) }
    }

    pub fn is_one(comment: &str) -> bool {
        [OPENING, CLOSING].iter().any(|marker| comment.eq_ignore_ascii_case(marker))
    }

    /// The bytes between the two, if both exist and are in order.
    pub fn between(&self) -> Option<Range<usize>> {
        let (opening, closing) = (self.opening.as_ref()?, self.closing.as_ref()?);
        (opening.end <= closing.start).then_some(opening.end..closing.start)
    }

    /// The bytes from the one to the end of the other, if both exist and are in order.
    pub fn whole(&self) -> Option<Range<usize>> {
        self.between().map(|between| between.start - OPENING.len()..between.end + CLOSING.len())
    }
}

/// What is between the markers of a document after byte `end`: mdtoc updates only the first pair.
pub fn later(document: &Document, end: usize) -> Vec<Range<usize>> {
    let is_opening = |marker: &Range<usize>| document.slice(marker.clone()).eq_ignore_ascii_case(OPENING);
    let comments = document.comments.iter().map(|comment| comment.span.clone()).filter(|span| span.start > end);
    let markers: Vec<Range<usize>> = comments.filter(|span| Markers::is_one(document.slice(span.clone()))).collect();
    let table = |pair: &[Range<usize>]| match pair {
        [one, next] if is_opening(one) => Some(one.end..next.start),
        _ => None,
    };
    markers.windows(2).filter_map(table).collect()
}

fn find(text: &str, marker: &str) -> Option<Range<usize>> {
    let mut ranges = search::words(text, "<!--").map(|start| start..start + marker.len());
    ranges.find(|range| text.get(range.clone()).is_some_and(|comment| comment.eq_ignore_ascii_case(marker)))
}

/// The lines that belong between the markers of `text`, without the newline after the opening one. They list the
/// headings after the closing marker, or those of the whole text if it does not have both markers.
pub fn generate(text: &str) -> String {
    let markers = Markers::find(text);
    let start = markers.opening.and(markers.closing).map_or(0, |closing| closing.start);
    lines(&entries(text, start).unwrap_or_default())
}

/// The table of contents with these `entries`.
pub fn lines(entries: &[TocEntry]) -> String {
    entries.iter().flat_map(|entry| [entry.line.as_str(), "\n"]).collect()
}

/// The first entry whose line contains a comment, which the table of contents would repeat. If the comment is a marker,
/// as in `## A<!-- /toc -->`, the table would end there, and each `mdtoc --inplace` would make it longer.
pub fn marked(entries: &[TocEntry]) -> Option<&TocEntry> {
    entries.iter().find(|entry| entry.line.contains("<!--"))
}

/// Whether each line of the table of contents with these `entries` is still known as one when its heading has changed:
/// that of the heading `### A](#b` is not.
pub fn stay_known(entries: &[TocEntry]) -> bool {
    entries.iter().all(|entry| listed::is_listed(&entry.line))
}

/// The text that `mdtoc --inplace` writes after the opening marker of `text`: each of the `entries` on its own line.
pub fn block(text: &str, entries: &[TocEntry]) -> String {
    format!("\n{}", lines(entries)).replace('\n', line_end(text, 0))
}

/// The headings that mdtoc lists in `text` from byte `start` on; or the first one whose line would be longer than
/// [`bounds::LINE_BYTES`].
pub fn entries(text: &str, start: usize) -> Result<Vec<TocEntry>, Range<usize>> {
    entries_of_lines(text, &LineIndex::new(text), start)
}

/// [`entries`] of a text that has this `index`.
pub fn entries_of_lines(text: &str, index: &LineIndex, start: usize) -> Result<Vec<TocEntry>, Range<usize>> {
    let mut outline = Outline::default();
    outline.add(line::lines(text, index, start), 0);
    let highest = outline.headings.iter().map(|heading| heading.level).min().unwrap_or_default();
    let mut anchors = Anchors::new(Dialect::Mdtoc);
    let mut entries = Vec::new();
    for heading in outline.headings.into_iter().filter(|heading| heading.level <= DEEPEST) {
        if heading.content.len() > bounds::LINE_BYTES {
            return Err(heading.span);
        }
        let link = LinkText::new(heading.content, &outline.definitions);
        let (indent, anchor) = ("  ".repeat(heading.level - highest), anchors.next(&link.plain));
        let line = [&indent, "- [", &link.html, "](#", &anchor, ")"].concat();
        if line.len() > bounds::LINE_BYTES {
            return Err(heading.span);
        }
        entries.push(TocEntry { level: heading.level, line, heading: heading.span });
    }
    Ok(entries)
}

/// Whether the table of contents of `text` differs from the generated one in its anchors alone.
pub fn differs_in_anchors(text: &str) -> bool {
    let Some(between) = Markers::find(text).between() else { return false };
    let wanted = generate(text);
    let written = text.get(between).unwrap_or_default();
    let titles = |table: &str| -> Vec<String> {
        let title = |line: &str| line.rsplit_once("](#").map_or(line, |(title, _)| title).trim_end().to_owned();
        table.trim().lines().map(title).collect()
    };
    titles(written) == titles(&wanted) && written.trim() != wanted.trim()
}

/// The first heading that only one finds of mdtoc and CommonMark, which GitHub renders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// mdtoc lists it, but GitHub does not show it as a heading.
    OnlyListed(Range<usize>),
    /// GitHub shows it, but mdtoc does not list it.
    OnlyShown(Range<usize>),
}

/// Compares `entries`, the headings that mdtoc finds in `document` from byte `start` on, with its own.
pub fn disagreement(entries: &[TocEntry], document: &Document, start: usize) -> Option<Disagreement> {
    let text = document.text();
    let sections = document.sections.iter().map(|(_, section)| section);
    let mut shown = sections
        .filter(|section| section.heading.start >= start && !section.title.text.is_empty())
        .map(|section| (usize::from(section.level), &section.heading))
        .filter(|(level, _)| *level <= DEEPEST);
    // `Document` has no headings of block quotes, but GitHub shows them.
    let is_quoted = |entry: &TocEntry| {
        let begins_line = slice(text, ..entry.heading.start).ends_with('\n');
        !begins_line && line_around(text, entry.heading.start).trim_start().starts_with('>')
    };
    let share_line = |one: usize, other: usize| !slice(text, one.min(other)..one.max(other)).contains('\n');
    let mut listed = entries.iter().filter(|entry| !is_quoted(entry)).map(|entry| (entry.level, &entry.heading));
    loop {
        match (listed.next(), shown.next()) {
            (None, None) => return None,
            (Some((level, entry)), Some((other, heading)))
                if level == other && share_line(entry.start, heading.start) => {}
            (Some((_, entry)), heading) if heading.is_none_or(|(_, heading)| entry.start < heading.start) => {
                return Some(Disagreement::OnlyListed(entry.clone()));
            }
            (_, heading) => return heading.map(|(_, heading)| Disagreement::OnlyShown(heading.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_contents_may_differ_in_its_anchors_alone() {
        let text = |list: &str| format!("<!-- toc -->\n{list}\n<!-- /toc -->\n## A `b`_c\n");
        assert!(differs_in_anchors(&text("- [A <code>b</code>_c](#a-b-c)")));
        for list in ["- [A <code>b</code>_c](#a-b_c)", "- [A](#a-b-c)", "  - [B](#b)\n- [A <code>b</code>_c](#a-b-c)"] {
            assert!(!differs_in_anchors(&text(list)), "{list}");
        }
        assert!(!differs_in_anchors("## A\n"));
    }

    #[test]
    fn the_first_markers_count_even_in_code() {
        let text = "```\n<!-- TOC -->\n```\n<!--toc-->\n<!-- toc -->\n<!-- /toc -->\n<!-- /Toc -->\n";
        let markers = Markers::find(text);
        assert_eq!(markers, Markers { opening: Some(4..16), closing: Some(45..58) });
        assert_eq!(&text[markers.between().expect("a pair")], "\n```\n<!--toc-->\n<!-- toc -->\n");
        assert_eq!(Markers::find("<!-- /toc -->\n<!-- toc -->").between(), None);
        assert_eq!(Markers::find("<!-- t").opening, None);
    }

    fn listed_in(text: &str) -> Vec<TocEntry> {
        entries(text, 0).expect("all headings are short")
    }

    /// The texts of the listed headings, with indentation.
    fn listed(text: &str) -> Vec<String> {
        let name = |line: &str| line.split("](#").next().unwrap_or_default().replace("- [", "");
        generate(text).lines().map(name).collect()
    }

    #[test]
    fn headings_above_the_closing_marker_and_deep_ones_are_not_listed() {
        let text = "# T\n<!-- toc -->\n## X\n<!-- /toc -->\n#### A\n###### B\n### C\n";
        assert_eq!(listed(text), ["  A", "C"]);
        assert_eq!(listed("# T\n## A\n"), ["T", "  A"]);
    }

    #[test]
    fn three_dashes_hide_the_headings_after_them() {
        assert_eq!(listed("# A\n\n---\n\n# B\n\n| a |\n|---|\n\n# C\n"), ["A", "C"]);
        assert_eq!(listed("# A\n\n***\n\n# B\n\n------\n\n# C\n\n---\n\n# D\n"), ["A", "B", "C", "D"]);
    }

    #[test]
    fn only_closed_fences_hide_headings() {
        assert_eq!(listed("```go\n# A\n```\n# B\n````\n# C\n```\n# D\n"), ["B", "C", "D"]);
        assert_eq!(listed("``` two words\n# A\n```\n"), ["A"]);
    }

    #[test]
    fn only_comments_on_lines_of_their_own_hide_headings() {
        assert_eq!(listed("<!--\n# A\n-->\n\nwords\n<!--\n# B\n-->\n\n<!--\n# C\n--> words\n"), ["B", "C"]);
        assert_eq!(listed("[a]: b\n<!--\n# A\n-->\n\n<div>\n# B\n</div>\n\n# C\n"), ["C"]);
    }

    #[test]
    fn a_comment_or_tag_that_the_text_ends_with_hides_nothing() {
        for (comment, names) in [("-->", vec!["A"]), ("-->\n", vec![]), ("--> ", vec![]), ("-->\r\n", vec![])] {
            assert_eq!(listed(&format!("<!--\n# A\n{comment}")), names, "{comment:?}");
            assert_eq!(listed(&format!("<div>\n# A\n{}", comment.replace("-->", "</div>"))), names, "{comment:?}");
        }
    }

    #[test]
    fn headings_in_items_are_listed_after_the_first_block() {
        assert_eq!(listed("- # A\n- b\n\n# C\n"), ["C"]);
        assert_eq!(listed("- a\n\n- # B\n\n    # C\n\n  # D\n"), ["B", "C"]);
        assert_eq!(listed("1. a\n   - b\n\n     # C\n"), [""; 0]);
    }

    #[test]
    fn setext_headings_take_one_line() {
        assert_eq!(listed("words\nA\n-\nB\n=\n"), ["  A", "B"]);
        assert_eq!(listed("> # A\nlazy\n# B\n\n ## C\n##\tD\n##E\n.# F\n"), ["A", "B", "F"]);
    }

    #[test]
    fn names_and_closing_hashes_are_removed() {
        assert_eq!(listed("# A {#a} b\n# B##\n# C \\#\n# {#d}\n"), ["A", "B", "C #"]);
    }

    #[test]
    fn texts_are_rendered_as_html() {
        let line =
            |heading: &str| generate(&format!("# {heading}\n\n[k8s]: https://k8s.io \"K\"\n")).trim_end().to_owned();
        assert_eq!(
            line("`a b` & \"c\" <d> e < f"),
            "- [<code>a b</code> &amp; &quot;c&quot; <d> e &lt; f](#a-b--c--e--f)"
        );
        assert_eq!(
            line("**a** *b* ***c*** d_e_f ~~g~~"),
            "- [<strong>a</strong> <em>b</em> <strong><em>c</em></strong> d_e_f <del>g</del>](#a-b-c-d_e_f-g)"
        );
        assert_eq!(
            line("[a](b) [K8s], [c] ![d](e)"),
            "- [<a href=\"b\">a</a> <a href=\"https://k8s.io\">K8s</a>, [c] <img src=\"e\" alt=\"d\" />](#a-k8s-c-d)"
        );
        assert_eq!(
            line("(http://a.b/c) <d@e.f> $g$ &lt; &#65;"),
            "- [(<a href=\"http://a.b/c\">http://a.b/c</a>) <a href=\"mailto:d@e.f\">d@e.f</a> <span class=\"math inline\">\\(g\\)</span> &amp;lt; A](#httpabc-def--lt-a)"
        );
    }

    #[test]
    fn the_last_definition_of_a_name_counts() {
        assert_eq!(generate("# [A]\n\n[a]: b\n\n[A]: c\n"), "- [<a href=\"c\">A</a>](#a)\n");
        assert_eq!(
            generate("# [[A]](b) [A]] [A\n\n[a]: b\n"),
            "- [<a href=\"b\"><a href=\"b\">A</a></a> <a href=\"b\">A</a>] [A](#a-a-a)\n"
        );
    }

    #[test]
    fn a_line_has_a_limit() {
        let most = bounds::LINE_BYTES - "- [](#a)".len();
        let with_tag = |length: usize| format!("# a<{}>\n", "b".repeat(length - "a<>".len()));
        let with_link = |length: usize| format!("# [a]\n\n[a]: {}\n", "b".repeat(length - "<a href=\"\">a</a>".len()));
        for text in [with_tag(most), with_link(most)] {
            assert_eq!(generate(&text).len(), bounds::LINE_BYTES + "\n".len());
        }
        for (text, end) in [(with_tag(most + 1), most + 3), (with_link(most + 1), 5)] {
            assert_eq!(entries(&text, 0), Err(0..end));
        }
    }

    #[test]
    fn an_entry_with_a_comment_is_found() {
        let text = "## A\n## B <!-- /toc -->\n";
        assert_eq!(marked(&listed_in(text)).map(|entry| entry.heading.start), Some(5));
        assert_eq!(marked(&listed_in("## A\n## `<!-- toc -->`\n")), None);
    }

    #[test]
    fn several_headings_on_one_line_are_listed() {
        assert_eq!(listed("# A {#a}## B {#b}  \n# C\n"), ["A", "  B", "C"]);
        let spans: Vec<_> = listed_in("# A {#a}## B {#b}  \n").into_iter().map(|entry| entry.heading).collect();
        assert_eq!(spans, [0..8, 8..17]);
    }

    #[test]
    fn lines_end_like_those_of_the_text() {
        let text = "# A\r\n\r\n```\r\n# B\r\n```\r\n";
        assert_eq!(block(text, &listed_in(text)), "\r\n- [A](#a)\r\n");
    }
}
