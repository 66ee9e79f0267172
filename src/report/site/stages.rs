//! What each stage requires: the sections of the built-in template by chapter, from which stage on each of them is
//! required, and of which KEPs.

use super::Place;
use crate::diagnostic::Severity;
use crate::report::html::text;
use crate::report::html::text::escaped;
use crate::rules::ALL;
use crate::stage::Stage;
use crate::template::directive::Directive;
use crate::template::{Template, TemplateId, TemplateSection};

/// The stages with a column. Those of a removal require what stable requires.
const STAGES: [Stage; 3] = [Stage::Alpha, Stage::Beta, Stage::Stable];

/// The body of the page.
pub fn body(template: &Template) -> String {
    let chapters = template.iter().filter(|(_, section)| section.parent.is_none());
    let chapters: String = chapters.map(|(id, _)| chapter(template, id)).collect();
    let gaps: Vec<String> = ALL.iter().filter(|rule| rule.is_gap).map(|rule| Place::Top.rule(rule.name)).collect();
    format!(
        "<h1>What each stage requires</h1>\n<p>The sections of the template of kubernetes/enhancements, and when a KEP \
        must have them. A section with a release is required of KEPs whose milestone is that release or a later one. The \
        stages deprecated, disabled and removed require what stable requires. Required sections that are missing or not \
        filled in are found by {}.</p>\n{chapters}",
        gaps.join(", ")
    )
}

/// The id of the section with this title.
pub fn id(title: &str) -> String {
    text::id(&title.to_lowercase())
}

fn chapter(template: &Template, chapter: TemplateId) -> String {
    let is_inside = |id: TemplateId| id == chapter || template.ancestors(id).any(|outer| outer == chapter);
    let rows: String =
        template.iter().filter(|(id, _)| is_inside(*id)).map(|(id, section)| row(template, id, section)).collect();
    let title = &template.get(chapter).title.text;
    let (heading, title) = (format!("chapter-{}", id(title)), escaped(title));
    let stages = STAGES.map(|stage| format!("<th scope=\"col\">{stage}</th>")).concat();
    format!(
        "<section aria-labelledby=\"{heading}\">\n<h2 id=\"{heading}\">{title}</h2>\n<div class=\"wide\">\n<table>\n<thead><tr><th scope=\"col\">section</th>\
        <th scope=\"col\">any KEP</th>{stages}<th scope=\"col\">since</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n\
        </div>\n</section>\n"
    )
}

fn row(template: &Template, id: TemplateId, section: &TemplateSection) -> String {
    let directive = template.directive(section.source).filter(|directive| directive.is_required());
    let cell = |label: &str, is_required: bool| {
        let (class, words) = if is_required { ("yes", "required") } else { ("off", "–") };
        format!("<td class=\"{class}\" data-label=\"{label}\">{words}</td>")
    };
    let always = directive.is_some_and(|directive| directive.stage.is_none());
    let from = |stage: Stage| directive.is_some_and(|directive| directive.stage.is_none_or(|from| from <= stage));
    let stages = STAGES.map(|stage| cell(stage.name(), from(stage))).concat();
    let since = directive.and_then(|directive| directive.since).map_or("–".to_owned(), |since| since.to_string());
    let depth = template.ancestors(id).count();
    let (anchor, title) = (self::id(&section.title.text), escaped(&section.title.text));
    format!(
        "<tr id=\"{anchor}\"><th scope=\"row\" class=\"depth-{depth}\">{title}{}</th>{}{stages}<td data-label=\"since\">{since}</td></tr>\n",
        notes(section, directive),
        cell("any KEP", always),
    )
}

/// The highest severity if it is not error, and the rules that look at the section in particular.
fn notes(section: &TemplateSection, directive: Option<&Directive>) -> String {
    let cap = directive.and_then(|directive| directive.severity).filter(|cap| *cap < Severity::Error);
    let cap = cap.map(|cap| format!("at most {}", cap.name()));
    let looks = |role| ALL.iter().filter(move |rule| rule.roles.contains(&role));
    let rules: Vec<String> = section.role.into_iter().flat_map(looks).map(|rule| Place::Top.rule(rule.name)).collect();
    let rules = (!rules.is_empty()).then(|| format!("checked by {}", rules.join(", ")));
    let notes: Vec<String> = cap.into_iter().chain(rules).collect();
    if notes.is_empty() { String::new() } else { format!("<br><small>{}</small>", notes.join("; ")) }
}
