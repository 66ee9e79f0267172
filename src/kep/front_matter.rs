//! The part of kep.yaml that upstream reads (`api/proposal.go`): it cuts the file into lines first and takes every line
//! that contains `---` for a marker, wherever it stands.

use crate::span::slice;
use std::borrow::Cow;
use std::ops::Range;

/// The longest line that upstream's reader takes, in bytes.
const LONGEST_LINE: usize = 65_535;

/// What upstream makes of a file's lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// Bytes of the lines that it reads.
    pub read: Range<usize>,
    /// The first marker that cuts something off, if one does.
    pub cut: Option<Range<usize>>,
    /// The first line that is too long for it.
    pub long_line: Option<Range<usize>>,
}

/// Finds what upstream reads of `text`.
pub fn find(text: &str) -> FrontMatter {
    let lines = lines(text).filter(|(line, _)| slice(text, line.clone()).contains("---"));
    let markers: Vec<(Range<usize>, usize)> = lines.collect();
    let start = markers.first().map_or(0, |(_, behind)| *behind);
    let end = markers.get(1).map_or(text.len(), |(marker, _)| marker.start);
    let cut = markers.iter().enumerate().find(|(index, (marker, behind))| {
        let lost = match index {
            0 => slice(text, ..marker.start),
            1 => slice(text, *behind..),
            _ => "",
        };
        says_something(lost) || (says_something(slice(text, marker.clone())) && !is_marker(slice(text, marker.clone())))
    });
    let cut = cut.map(|(_, (marker, _))| marker.clone());
    FrontMatter { read: start..end.max(start), cut, long_line: long_line(text) }
}

/// The first line that upstream's reader refuses for its length, be it in a kep.yaml or in a PRR file.
pub fn long_line(text: &str) -> Option<Range<usize>> {
    lines(text).map(|(line, _)| line).find(|line| line.len() > LONGEST_LINE)
}

/// What is wrong with the long `line` of `text`.
pub fn long_line_message(text: &str, line: &Range<usize>) -> String {
    let number = slice(text, ..line.start).matches('\n').count() + 1;
    format!("line {number} has over 65,535 bytes, which upstream's tools refuse")
}

/// Bytes of each line without its end, and where the next one begins.
fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at..at + line.trim_end_matches(['\n', '\r']).len(), start)
    })
}

/// `text` with blanks in place of what upstream does not read, so that offsets hold.
pub fn blanked<'a>(text: &'a str, front: &FrontMatter) -> Cow<'a, str> {
    if front.read == (0..text.len()) {
        return Cow::Borrowed(text);
    }
    let mut blanked = String::with_capacity(text.len());
    let blank = |blanked: &mut String, part: &str| {
        blanked.extend(part.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    };
    let Range { start, end } = front.read;
    blank(&mut blanked, slice(text, ..start));
    blanked.push_str(slice(text, start..end));
    blank(&mut blanked, slice(text, end..));
    Cow::Owned(blanked)
}

fn is_marker(line: &str) -> bool {
    line.trim() == "---"
}

/// Whether lines hold more than blanks, comments and markers.
fn says_something(lines: &str) -> bool {
    lines.lines().map(str::trim).any(|line| !line.is_empty() && !line.starts_with('#') && line != "---")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> &str {
        &text[find(text).read]
    }

    #[test]
    fn a_line_with_three_dashes_anywhere_is_a_marker() {
        assert_eq!(read("a: 1\nb: 2\n"), "a: 1\nb: 2\n");
        assert_eq!(read("---\na: 1\n---\nb: 2\n"), "a: 1\n");
        assert_eq!(read("a: 1\ntitle: x --- y\nb: 2\n"), "b: 2\n");
        assert_eq!(read("a: 1\n---\n"), "");
    }

    #[test]
    fn only_a_cut_that_loses_something_counts() {
        assert_eq!(find("---\na: 1\n").cut, None);
        assert_eq!(find("# --- x ---\na: 1\n").cut, None);
        assert_eq!(find("a: 1\n---\n").cut, Some(5..8));
        assert_eq!(find("---\na: 1\n---\nb: 2\n").cut, Some(9..12));
        assert_eq!(find("title: x --- y\n").cut, Some(0..14));
    }

    #[test]
    fn blanks_keep_offsets() {
        let text = "é\n---\na: 1\n";
        let blanked = blanked(text, &find(text));
        assert_eq!(blanked.find("a: 1"), text.find("a: 1"));
        assert_eq!(blanked.len(), text.len());
    }
}
