//! The lines that a finding is about, with what it is about marked in them.

use super::text::{entities, escaped};
use crate::diagnostic::Diagnostic;
use crate::lint::report::KepReport;
use crate::report::finding_layout::{Label, Snippet, snippets};
use crate::report::look::Look;
use crate::span::{Position, slice};
use minijinja::Value;

/// The longest lines on a page, in columns: longer ones would have to be scrolled, and are cut.
const LINE_COLUMNS: usize = 160;

/// The lines of `finding` as HTML, each with their place if the file is not that of the finding or of the lines above.
pub fn of(report: &KepReport, finding: &Diagnostic) -> Vec<(Option<String>, Value)> {
    let look = Look { width: LINE_COLUMNS, ..Look::default() };
    let mut shown = Vec::new();
    let mut above = finding.span.file;
    for snippet in snippets(report, finding, &finding.related.iter().collect::<Vec<_>>(), &look) {
        let Position { line, column } = snippet.position;
        let is_elsewhere = snippet.file != finding.span.file || snippet.file != above;
        let place = if is_elsewhere { Some(format!("{}:{line}:{column}", snippet.path)) } else { None };
        shown.push((place, Value::from_safe_string(numbered(&snippet))));
        above = snippet.file;
    }
    shown
}

fn numbered(snippet: &Snippet<'_>) -> String {
    let mut html = String::new();
    let mut offset = 0;
    for (index, line) in snippet.text.split_inclusive('\n').enumerate() {
        let number = snippet.first_line + index;
        let shown = marked(line.trim_end_matches('\n'), offset, &snippet.labels);
        html += &format!("<span class=\"number\">{number}</span> {shown}\n");
        offset += line.len();
    }
    html
}

/// A line that begins at `offset`, with the labels on it.
fn marked(line: &str, offset: usize, labels: &[Label]) -> String {
    let mut html = String::new();
    let mut notes = String::new();
    let mut at = 0;
    let end = offset + line.len();
    for label in labels.iter().filter(|label| (offset..=end).contains(&label.place.start)) {
        let (from, to) = (label.place.start - offset, label.place.end.min(end) - offset);
        if let Some(text) = &label.text {
            notes += &format!(" <span class=\"note\">← {}</span>", escaped(text));
        }
        // Labels may overlap; what is marked once stays so.
        if from < at {
            continue;
        }
        let class = if label.is_primary { "" } else { " class=\"related\"" };
        let (before, inner) = (entities(slice(line, at..from)), entities(slice(line, from..to)));
        html += &format!("{before}<mark{class}>{inner}</mark>");
        at = to;
    }
    html + &entities(slice(line, at..)) + &notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::report::html::template::rendered;
    use crate::report::sample;
    use minijinja::context;
    use std::ops::Range;

    fn shown(text: &str, at: Range<usize>, change: impl FnOnce(&mut Diagnostic)) -> String {
        let mut report = sample::report("keps/x", &[("README.md", text), ("kep.yaml", "stage: beta\n")]);
        let mut finding = sample::finding("rule", Severity::Error, at, "wrong");
        change(&mut finding);
        report.diagnostics = vec![finding];
        let snippets = of(&report, &report.diagnostics[0]);
        rendered("finding.html", context! { finding => context! { message => "wrong", snippets } })
    }

    #[test]
    fn the_place_is_marked() {
        let html = shown("# A <b>\n", 2..7, |_| {});
        let line = "<span class=\"number\">1</span> # <mark>A &lt;b&gt;</mark>\n";
        assert!(html.contains(&format!("</p>\n<pre class=\"lines\" tabindex=\"0\">{line}</pre>\n</li>")), "{html}");
        assert!(shown("# Title\n", 7..7, |_| {}).contains("</span> # Title<mark></mark>\n"));
    }

    #[test]
    fn related_places_say_what_they_are() {
        let html = shown("# Title one\n", 2..7, |finding| {
            finding.relate(crate::span::Span::new(crate::span::FileId(0), 8..11), "<here>");
            finding.relate(crate::span::Span::new(crate::span::FileId(0), 4..9), "over both");
            finding.relate(crate::span::Span::new(crate::span::FileId(1), 7..11), "beta");
        });
        let own = "# <mark>Title</mark> <mark class=\"related\">one</mark> <span class=\"note\">← over both</span> \
                   <span class=\"note\">← &lt;here&gt;</span>\n";
        assert!(html.contains(own), "{html}");
        assert!(html.contains("<p class=\"where\">keps/x/kep.yaml:1:8</p>\n"), "{html}");
        assert!(
            html.contains("stage: <mark class=\"related\">beta</mark> <span class=\"note\">← beta</span>"),
            "{html}"
        );
    }

    #[test]
    fn any_place_is_shown() {
        let text = "é漢\t\u{1b}\u{202e}<x>\r\n\r\n-->\n";
        for start in 0..text.len() + 2 {
            for length in 0..4 {
                let html = shown(text, start..start + length, |_| {});
                assert!(html.contains("<mark>") && !html.contains(['\u{1b}', '\u{202e}']), "{html}");
            }
        }
    }
}
