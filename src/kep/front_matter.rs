//! The part of kep.yaml that upstream reads (`api/proposal.go`): it splits the file into lines and treats
//! any line containing `---` as a delimiter.

use crate::search;
use crate::span::slice;
use std::borrow::Cow;
use std::ops::Range;

/// The longest line of kep.yaml and PRR files that upstream's tools accept, in bytes.
const LINE_BYTES: usize = 65_535;

const BOM: char = '\u{feff}';

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    pub read: Range<usize>,
    /// The first delimiter that makes upstream skip content, if there is one.
    pub cut: Option<Range<usize>>,
    pub long_line: Option<Range<usize>>,
}

pub fn find(text: &str) -> FrontMatter {
    if search::word(text, "---").is_none() {
        return FrontMatter { read: 0..text.len(), cut: None, long_line: long_line(text) };
    }
    let lines = lines(text).filter(|(line, _)| slice(text, line.clone()).contains("---"));
    let delimiters: Vec<(Range<usize>, usize)> = lines.collect();
    let start = delimiters.first().map_or(0, |(_, next)| *next);
    let end = delimiters.get(1).map_or(text.len(), |(delimiter, _)| delimiter.start);
    let cut = delimiters.iter().enumerate().find(|(index, (delimiter, next))| {
        let lost = match index {
            0 => slice(text, ..delimiter.start),
            1 => slice(text, *next..),
            _ => "",
        };
        has_content(lost) || has_content(slice(text, delimiter.clone()))
    });
    let cut = cut.map(|(_, (delimiter, _))| delimiter.clone());
    FrontMatter { read: start..end.max(start), cut, long_line: long_line(text) }
}

/// What is read of other metadata: only a line of `---` alone is a delimiter.
pub fn of_others(text: &str) -> FrontMatter {
    let delimiters = lines(text).filter(|(line, _)| is_delimiter(slice(text, line.clone())));
    let delimiters: Vec<(Range<usize>, usize)> = delimiters.collect();
    let read = match &delimiters[..] {
        [(first, start), rest @ ..] if slice(text, ..first.start).trim().is_empty() => {
            // With more below, the reader of YAML says that there are two documents.
            let last = rest.first().filter(|(_, next)| !has_content(slice(text, *next..)));
            *start..last.map_or(text.len(), |(last, _)| last.start)
        }
        _ => 0..text.len(),
    };
    FrontMatter { read, ..FrontMatter::default() }
}

/// Whether a line is `---` alone, or after a byte order mark.
fn is_delimiter(line: &str) -> bool {
    line.trim_start_matches(BOM).trim_end() == "---"
}

/// What a document has of metadata: the lines between a first line `---` and the next one, and no other
/// text; `None` if there are no such lines. Blank lines may be before them if a key follows.
pub fn of_document(text: &str) -> Option<&str> {
    let start = text.len() - text.trim_start().len();
    if !slice(text, start..).trim_start_matches(BOM).starts_with("---") {
        return None;
    }
    let mut delimiters = lines(text).filter(|(line, _)| is_delimiter(slice(text, line.clone())));
    let (_, inside) = delimiters.next().filter(|(first, _)| first.start == start)?;
    let (last, end) = delimiters.next()?;
    // Text between two lines is no front matter.
    let is_front = start == 0 || is_yaml(slice(text, inside..last.start));
    is_front.then(|| slice(text, ..end))
}

/// Whether there is a key, and each line looks like one of YAML.
fn is_yaml(lines: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_key = |key: &str| key.bytes().all(is_part);
    let has_key = |line: &str| line.split_once(':').is_some_and(|(key, _)| !key.is_empty() && is_key(key));
    lines.lines().any(has_key) && lines.lines().all(|line| line.starts_with([' ', '-', '#']) || has_key(line))
}

pub fn has_key(text: &str, key: &str) -> bool {
    let is_of_key = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
    of_document(text).is_some_and(|front| front.lines().any(is_of_key))
}

/// The first line of a kep.yaml or a PRR file that is too long for upstream.
pub fn long_line(text: &str) -> Option<Range<usize>> {
    if text.len() <= LINE_BYTES {
        return None;
    }
    lines(text).map(|(line, _)| line).find(|line| line.len() > LINE_BYTES)
}

pub fn long_line_message(text: &str, line: &Range<usize>) -> String {
    let number = slice(text, ..line.start).matches('\n').count() + 1;
    format!("line {number} is longer than 65,535 bytes, which upstream's tools reject")
}

/// The bytes of each line without its line break, and the start of the next line.
fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at..at + line.trim_end_matches(['\n', '\r']).len(), start)
    })
}

/// `text` with spaces in place of what is not `read`, so that offsets stay the same.
pub fn blanked<'a>(text: &'a str, read: &Range<usize>) -> Cow<'a, str> {
    let Range { start, end } = *read;
    if (start, end) == (0, text.len()) {
        return Cow::Borrowed(text);
    }
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let blank =
        |part: &str| -> String { part.bytes().map(|byte| if is_end(&byte) { byte.into() } else { ' ' }).collect() };
    Cow::Owned(blank(slice(text, ..start)) + slice(text, start..end) + &blank(slice(text, end..)))
}

fn has_content(lines: &str) -> bool {
    let written = |line: &str| line.trim_start_matches(BOM).split('#').next().unwrap_or_default().trim().to_owned();
    lines.lines().map(written).any(|line| !["", "---"].contains(&line.as_str()) && !line.starts_with('%'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> &str {
        &text[find(text).read]
    }

    #[test]
    fn elsewhere_only_a_line_of_dashes_is_a_delimiter() {
        let read = |text: &'static str| &text[of_others(text).read];
        assert_eq!(read("---\na: b --- c\n# --- d ---\n---\n"), "a: b --- c\n# --- d ---\n");
        assert_eq!(
            (read("\u{feff}---\na: 1\n"), read("a: 1\n"), read("a: 1\n---\nb: 2\n")),
            ("a: 1\n", "a: 1\n", "a: 1\n---\nb: 2\n")
        );
        assert_eq!(read("---\na: 1\n---\nb: 2\n"), "a: 1\n---\nb: 2\n");
        assert_eq!(of_document("\u{feff}---\na: 1\n---\nb\n"), Some("\u{feff}---\na: 1\n---\n"));
    }

    #[test]
    fn blank_lines_before_front_matter_are_no_text() {
        let front = |text: &'static str| of_document(text).unwrap_or("none");
        assert_eq!(front("---\na: 1\n---\nb\n"), "---\na: 1\n---\n");
        assert_eq!(front("\r\n \n---\na-b: 1\n---\nb\n"), "\r\n \n---\na-b: 1\n---\n");
        for text in ["", "\n", "---\na: 1\n", " ---\na: 1\n---\n", "\n---\nIt is: so\n---\n", "a\n---\nb: 1\n---\n"] {
            assert_eq!(front(text), "none", "{text}");
        }
    }

    #[test]
    fn any_line_with_three_dashes_is_a_delimiter() {
        assert_eq!(read("a: 1\nb: 2\n"), "a: 1\nb: 2\n");
        assert_eq!(read("---\na: 1\n---\nb: 2\n"), "a: 1\n");
        assert_eq!(read("a: 1\ntitle: x --- y\nb: 2\n"), "b: 2\n");
        assert_eq!(read("a: 1\n---\n"), "");
    }

    #[test]
    fn only_a_delimiter_that_skips_content_is_reported() {
        assert_eq!(find("---\na: 1\n").cut, None);
        assert_eq!(find("# --- x ---\na: 1\n").cut, None);
        assert_eq!(find("\u{feff}%YAML 1.2\n--- # x\na: 1\n---\n").cut, None);
        assert_eq!(find("a: 1\n---\n").cut, Some(5..8));
        assert_eq!(find("---\na: 1\n---\nb: 2\n").cut, Some(9..12));
        assert_eq!(find("title: x --- y\n").cut, Some(0..14));
    }

    #[test]
    fn spaces_keep_offsets() {
        let text = "é\n---\na: 1\n";
        let blanked = blanked(text, &find(text).read);
        assert_eq!(blanked.find("a: 1"), text.find("a: 1"));
        assert_eq!(blanked.len(), text.len());
    }

    #[test]
    fn a_line_may_have_as_many_bytes_as_upstream_reads() {
        let line = |count| long_line(&format!("a: 1\n{}\n", "é".repeat(count / 2) + &"#".repeat(count % 2)));
        assert_eq!(line(LINE_BYTES), None);
        assert_eq!(line(LINE_BYTES + 1), Some(5..65_541));
    }
}
