//! What a template requires: one row per heading.

use super::table::Table;
use crate::kep::layout::Layout;
use crate::markdown::section::{Section, SectionId};
use crate::markdown::title;
use crate::stage::Stage;
use crate::template::compare::{Difference, Kind};
use crate::template::directive::Directive;
use crate::template::{self, Template, TemplateId};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    pub stage: Option<Stage>,
    /// Only those with these letters and digits, in any case.
    pub part: Option<&'a str>,
}

pub fn table(template: &Template, filter: Filter<'_>) -> Table {
    let columns = vec!["required", "stage", "since", "severity", "section", "aka"];
    let row = |(id, section): (SectionId, &Section)| {
        let heading = json!(format!("{} {}", "#".repeat(section.level.into()), section.title.text));
        match template.directive(id) {
            None => vec![Value::Null, Value::Null, Value::Null, Value::Null, heading, json!([])],
            Some(directive) => vec![
                json!(directive.is_required()),
                json!(directive.stage.map(Stage::name)),
                json!(directive.since.map(|since| since.to_string())),
                json!(directive.severity.map(|severity| severity.name())),
                heading,
                json!(directive.aka),
            ],
        }
    };
    Table { columns, rows: headings(template, filter).map(row).collect() }
}

/// The headings of `template`, each below the one that it belongs to, with what most readers ask: from when on it is
/// required.
pub fn brief_table(template: &Template, filter: Filter<'_>, layout: &Layout) -> Table {
    const INDENT: &str = "  ";
    let rows = headings(template, filter).map(|(id, section)| {
        let depth = template.document.sections.ancestors(id).count();
        (id, INDENT.repeat(depth) + &section.title.text)
    });
    outline(template, rows, layout)
}

/// The same of the sections directly below `id`.
pub fn children(template: &Template, id: TemplateId, layout: &Layout) -> Table {
    let children = template.children(id);
    outline(template, children.map(|(_, section)| (section.source, section.title.text.clone())), layout)
}

pub fn differences(differences: &[Difference]) -> Table {
    let row = |difference: &Difference| {
        let Difference { kind, line, heading, what } = difference;
        vec![json!(kind.name()), json!(line), json!(what), json!(heading)]
    };
    Table { columns: vec!["change", "line", "what", "heading"], rows: differences.iter().map(row).collect() }
}

/// How many differences there are of each kind: "2 added, 1 moved".
pub fn counts(differences: &[Difference]) -> String {
    let count_of = |kind: Kind| differences.iter().filter(|difference| difference.kind == kind).count();
    let counts = Kind::ALL.into_iter().map(|kind| (count_of(kind), kind.name())).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, name)| format!("{count} {name}")).collect();
    if counts.is_empty() { "no difference".to_owned() } else { counts.join(", ") }
}

fn outline(template: &Template, headings: impl Iterator<Item = (SectionId, String)>, layout: &Layout) -> Table {
    let row = |(id, heading): (SectionId, String)| {
        let directive = template.directive(id);
        let from = match directive.filter(|directive| directive.is_required()) {
            None => "optional".to_owned(),
            Some(Directive { from: Some(from), .. }) => layout.word(*from).to_owned(),
            Some(directive) => {
                directive.stage.map_or_else(|| format!("every {}", layout.name()), |stage| stage.name().to_owned())
            }
        };
        let from = if layout.is_of_keps() && template.asks(id) { format!("{from} (suggestion)") } else { from };
        let since = directive.and_then(|directive| directive.since).map(|since| since.to_string());
        vec![json!(from), json!(since), json!(heading)]
    };
    Table { columns: vec!["required from", "since", "section"], rows: headings.map(row).collect() }
}

fn headings<'a>(template: &'a Template, filter: Filter<'a>) -> impl Iterator<Item = (SectionId, &'a Section)> {
    let part = filter.part.map(title::key);
    let start = template::start_of_text(&template.document);
    let all = template.document.sections.iter().filter(move |(_, section)| section.heading.start >= start);
    all.filter(move |(id, section)| {
        let directive = template.directive(*id);
        let is_due = |stage: Stage| {
            directive
                .is_some_and(|directive| directive.is_required() && directive.stage.is_none_or(|from| from <= stage))
        };
        let has_part = |words: &String| section.title.key.contains(words.as_str());
        filter.stage.is_none_or(is_due) && part.as_ref().is_none_or(has_part)
    })
}

/// The line after the table: how many headings there are, and how many of them have a directive.
pub fn closing_line(template: &Template) -> String {
    let headings = headings(template, Filter::default()).count();
    let directives = template.document.sections.iter().filter(|(id, _)| template.directive(*id).is_some()).count();
    let path = &template.document.source.path;
    let place = if template.is_borrowing { format!("`{path}`: ") } else { String::new() };
    let is_asked = |id: &&SectionId| template.directive(**id).is_some_and(Directive::is_required);
    let asking = template.asking.iter().filter(is_asked).count();
    let asked = if asking > 0 { format!(", {asking} asked for without one") } else { String::new() };
    format!("{place}{headings} headings, {} directives{asked}", directives - template.asking.len())
}
