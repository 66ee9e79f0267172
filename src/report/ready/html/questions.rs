//! What a PRR approver reads of a KEP, on a page: the questions, which a reader opens.

use crate::matching::written::Line;
use crate::ready::checklist::Checklist;
use crate::ready::questionnaire::{Question, Standing};
use crate::report::html::text::{escaped, indented, with_code};
use crate::report::look::Look;
use crate::report::ready::{prr, words};

/// The element of the questions; nothing if they are not wanted.
pub fn details(checklist: &Checklist, look: &Look) -> String {
    let Some(questionnaire) = &checklist.questionnaire else { return String::new() };
    let later = prr::later(questionnaire);
    let about = [prr::approver(checklist)].into_iter().chain(prr::past(checklist, questionnaire)).chain(later);
    let about: Vec<String> = about.map(|words| with_code(&words)).collect();
    let mut text = format!(
        "<details class=\"prr\">\n<summary>{}: {}</summary>\n<p>{}</p>\n",
        escaped(&prr::target(checklist, &checklist.release.to_string())),
        escaped(&prr::counts(questionnaire)),
        about.join("; "),
    );
    for chapter in &questionnaire.chapters {
        text += &format!("<h4>{}</h4>\n{}", escaped(&chapter.title), answer(&chapter.text));
        text.extend(chapter.questions.iter().map(|own| question(checklist, own, look)));
    }
    text + "</details>\n"
}

fn question(checklist: &Checklist, question: &Question, look: &Look) -> String {
    let place = question.place.as_ref().filter(|_| question.standing != Standing::Missing);
    let place = place.map(|place| {
        let shown = escaped(&words::place(checklist, place));
        let shown = match look.line_url(&place.path, place.line) {
            Some(url) => format!("<a href=\"{}\">{shown}</a>", escaped(&url)),
            None => shown,
        };
        format!(" <span class=\"where\">({shown})</span>")
    });
    let marks: String = prr::marks(question).iter().map(|mark| format!("<li>{}</li>\n", with_code(mark))).collect();
    let marks = if marks.is_empty() { marks } else { format!("<ul>\n{marks}</ul>\n") };
    format!(
        "<p><strong>{}</strong>{}</p>\n{marks}{}",
        escaped(&question.title),
        place.unwrap_or_default(),
        answer(&question.text)
    )
}

fn answer(lines: &[Line]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    format!("<pre class=\"write\" tabindex=\"0\">\n{}\n</pre>\n", indented(&text.join("\n"), escaped))
}
