//! One finding: what is wrong and where, the lines with marks in them, what to do, and the fix.

use super::text::{entities, escaped};
use crate::diagnostic::script::Script;
use crate::diagnostic::{Diagnostic, Edit, Fix, Safety, counted};
use crate::lint::report::KepReport;
use crate::report::Location;
use crate::report::finding_layout::{Label, Snippet, snippets};
use crate::report::look::Look;
use crate::span::{Position, Span, slice};
use minijinja::{Value, context};

/// How many lines of a change a page shows: nobody compares more of them here.
const CHANGE_LINES: usize = 24;

pub fn view(report: &KepReport, finding: &Diagnostic, id: String, look: &Look) -> Value {
    context! {
        id,
        rule => finding.rule,
        rule_url => look.rule_url(finding.rule),
        severity => finding.severity.name(),
        count => finding.count,
        message => &finding.message,
        place => place(report, finding.span),
        section => finding.section.as_ref().map(|titles| titles.join(" › ")),
        upstream => finding.upstream.map(Script::path),
        snippets => snippets_of(report, finding),
        help => finding.help.as_deref(),
        fix => finding.fix.as_ref().map(|it| fix(report, it)),
    }
}

/// `README.md:12:3`, as the directory of the KEP is said once; for a file that is not in it, its whole path.
fn place(report: &KepReport, span: Span) -> String {
    let place = Location::of(report, span);
    format!("{}:{}:{}", place.path_in(report), place.start.line, place.start.column)
}

/// What a fix would change, as removed and added lines.
fn fix(report: &KepReport, Fix { safety, title, edits }: &Fix) -> Value {
    let option = match safety {
        Safety::Safe => "--fix",
        Safety::Unsafe => "--fix --unsafe-fixes",
    };
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.file.index(), edit.span.start));
    let mut left = CHANGE_LINES;
    let mut shown = Vec::new();
    for edit in edits {
        let file = report.files.get(edit.span.file.index());
        let removed = file.and_then(|file| file.text.get(edit.span.range())).unwrap_or_default();
        let lines = lines(removed, "del", &mut left) + &lines(&edit.text, "ins", &mut left);
        shown.push((place(report, edit.span), Value::from_safe_string(lines)));
    }
    context! { safety => safety.name(), title, option, edits => shown }
}

fn lines(text: &str, tag: &str, left: &mut usize) -> String {
    let all = text.lines().count();
    let count = all.min(*left);
    *left -= count;
    let line = |line: &str| format!("<{tag}>{}</{tag}>\n", escaped(line));
    let mut html: String = text.lines().take(count).map(line).collect();
    if count < all {
        html += &format!("<span class=\"note\">… {}</span>\n", counted(all - count, "more line", "more lines"));
    }
    html
}

/// The longest lines on a page, in columns: longer ones would have to be scrolled, and are cut.
const LINE_COLUMNS: usize = 160;

/// The lines of `finding` as HTML, each with their place if the file is not that of the finding or of the lines above.
fn snippets_of(report: &KepReport, finding: &Diagnostic) -> Vec<(Option<String>, Value)> {
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
    use crate::span::FileId;
    use minijinja::context;
    use std::ops::Range;

    fn html(edits: Vec<Edit>, safety: Safety) -> String {
        let report = sample::report("keps/x", &[("README.md", "# One <b>\n\ntwo\n")]);
        let fix = fix(&report, &Fix { safety, title: "write `<i>`".to_owned(), edits });
        rendered("finding.html", context! { finding => context! { message => "wrong", fix } })
    }

    fn edit(at: std::ops::Range<usize>, text: &str) -> Edit {
        Edit { span: Span::new(FileId(0), at), text: text.to_owned() }
    }

    #[test]
    fn edits_are_shown_from_the_top() {
        let html = html(vec![edit(11..14, ""), edit(6..9, "<i>\n<u>")], Safety::Unsafe);
        let first = "README.md:1:7</p>\n<pre class=\"lines\" tabindex=\"0\"><del>&lt;b&gt;</del>\n<ins>&lt;i&gt;</ins>\n\
            <ins>&lt;u&gt;</ins>\n</pre>\n";
        let (before, after) = html.split_once(first).expect("the first edit");
        assert!(before.contains("unsafe fix:</span> write <code>&lt;i&gt;</code></summary>"), "{before}");
        assert!(after.contains("README.md:3:1</p>") && after.contains("<del>two</del>\n</pre>"), "{after}");
        assert!(after.contains("<code>kep-lint --fix --unsafe-fixes</code>"), "{after}");
    }

    #[test]
    fn a_long_fix_is_cut() {
        let html = html(vec![edit(0..0, &"x\n".repeat(30)), edit(11..14, "y")], Safety::Safe);
        assert_eq!(html.matches("<ins>").count(), CHANGE_LINES, "{html}");
        assert!(html.contains("… 6 more lines") && html.contains("… 1 more line<"), "{html}");
    }

    #[test]
    fn without_a_fix_there_is_nothing() {
        let html = rendered("finding.html", context! { finding => context! { message => "wrong" } });
        assert!(!html.contains("fix"), "{html}");
    }

    #[test]
    fn the_directory_of_the_kep_is_left_out() {
        let mut report = sample::report("keps/x", &[("README.md", "# <b>\n")]);
        assert_eq!(place(&report, Span::new(FileId(0), 2..5)), "README.md:1:3");
        report.kep = Some("keps/y".to_owned());
        assert_eq!(place(&report, Span::new(FileId(0), 2..5)), "keps/x/README.md:1:3");
        assert_eq!(place(&report, Span::new(FileId(9), 2..5)), "keps/y:1:1");
    }

    fn shown(text: &str, at: Range<usize>, change: impl FnOnce(&mut Diagnostic)) -> String {
        let mut report = sample::report("keps/x", &[("README.md", text), ("kep.yaml", "stage: beta\n")]);
        let mut finding = sample::finding("rule", Severity::Error, at, "wrong");
        change(&mut finding);
        report.diagnostics = vec![finding];
        let snippets = snippets_of(&report, &report.diagnostics[0]);
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
