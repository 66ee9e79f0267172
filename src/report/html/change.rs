//! What a fix would change, as removed and added lines.

use super::place;
use super::text::{escaped, with_code};
use crate::bounds;
use crate::diagnostic::counted;
use crate::diagnostic::{Diagnostic, Edit, Fix, Safety};
use crate::lint::report::KepReport;

/// The fix of `finding`, closed until somebody wants to see it; empty without one.
pub fn of(report: &KepReport, finding: &Diagnostic) -> String {
    let Some(fix) = &finding.fix else { return String::new() };
    let Fix { safety, title, edits } = fix;
    let option = match safety {
        Safety::Safe => "--fix",
        Safety::Unsafe => "--fix --unsafe-fixes",
    };
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.file.index(), edit.span.start));
    let mut left = bounds::CHANGE_LINES;
    let shown: String = edits.into_iter().map(|edit| shown(report, edit, &mut left)).collect();
    let (safety, title) = (safety.name(), with_code(title));
    format!(
        "<details class=\"fix\">\n<summary><span class=\"label\">{safety} fix:</span> {title}</summary>\n{shown}\
        <p><code>kep-lint {option}</code> applies it.</p>\n</details>\n"
    )
}

/// An edit: where, the lines that it removes and the lines that it adds, as far as lines are `left` to be shown.
fn shown(report: &KepReport, edit: &Edit, left: &mut usize) -> String {
    let file = report.files.get(edit.span.file.index());
    let removed = file.and_then(|file| file.text.get(edit.span.range())).unwrap_or_default();
    let mut html = format!("<p class=\"where\">{}</p>\n", place::of(report, edit.span));
    html += "<pre class=\"lines\" tabindex=\"0\">";
    html += &lines(removed, "del", left);
    html += &lines(&edit.text, "ins", left);
    html + "</pre>\n"
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::report::sample;
    use crate::span::{FileId, Span};

    fn html(edits: Vec<Edit>, safety: Safety) -> String {
        let report = sample::report("keps/x", &[("README.md", "# One <b>\n\ntwo\n")]);
        let mut finding = sample::finding("rule", Severity::Error, 0..1, "wrong");
        finding.fix = Some(Fix { safety, title: "write `<i>`".to_owned(), edits });
        of(&report, &finding)
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
        assert_eq!(html.matches("<ins>").count(), bounds::CHANGE_LINES, "{html}");
        assert!(html.contains("… 6 more lines") && html.contains("… 1 more line<"), "{html}");
    }

    #[test]
    fn without_a_fix_there_is_nothing() {
        let report = sample::report("keps/x", &[]);
        assert_eq!(of(&report, &sample::finding("rule", Severity::Error, 0..1, "wrong")), "");
    }
}
