//! What a template requires: one row per heading; and what `kep-lint explain` says of a section, as Markdown.

use super::rules::summaries;
use super::table::Table;
use super::{backticks, printable};
use crate::diagnostic::Severity;
use crate::kep::layout::Layout;
use crate::markdown::section::{Section, SectionId};
use crate::markdown::title;
use crate::rules::ALL;
use crate::rules::rule::Rule;
use crate::rules::run::is_for;
use crate::span::slice;
use crate::stage::Stage;
use crate::template::compare::{Difference, Kind};
use crate::template::directive::Directive;
use crate::template::{self, Template, TemplateId};
use serde_json::json;

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
        let directive = template.directive(id);
        vec![
            json!(directive.map(Directive::is_required)),
            json!(directive.and_then(|it| it.stage).map(Stage::name)),
            json!(directive.and_then(|it| it.since).map(|since| since.to_string())),
            json!(directive.and_then(|it| it.severity).map(Severity::name)),
            heading,
            json!(directive.map(|it| it.aka.as_slice()).unwrap_or_default()),
        ]
    };
    Table { columns, rows: headings(template, filter).map(row).collect() }
}

/// The headings of `template`, each below the one that it belongs to, with when they are required.
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

/// Where the section is, from when on it is required, and what the template asks there.
pub fn asked(template: &Template, id: TemplateId, layout: &Layout) -> String {
    let section = template.get(id);
    let mut page = format!("# {}\n\n", printable(&section.title.text));
    for line in properties(template, id, layout) {
        page += &format!("- {}\n", printable(&line));
    }
    let guidance = guidance(template, id);
    if !guidance.is_empty() {
        page += &format!("\n## What the template asks\n\n{}\n", guidance.join("\n\n"));
    }
    page
}

/// The same, and which rules look at the section, with tables as `shown` makes them.
pub fn page(template: &Template, id: TemplateId, layout: &Layout, shown: &dyn Fn(&Table) -> String) -> String {
    let section = template.get(id);
    let directive = template.directive(section.source);
    let mut page = asked(template, id, layout);
    let inner = children(template, id, layout);
    if !inner.rows.is_empty() {
        page += &format!("\n## Subsections\n\n{}", shown(&inner));
    }
    let is_required = directive.is_some_and(|directive| directive.required);
    let looks = |rule: &&Rule| {
        let is_about = section.role.is_some_and(|role| rule.roles.contains(&role));
        is_for(rule, layout) && (is_about || (is_required && rule.is_gap))
    };
    let rules: Vec<&Rule> = ALL.iter().filter(looks).collect();
    if !rules.is_empty() {
        page += &format!("\n## Rules about this section\n\n{}", shown(&summaries(&rules)));
    }
    page
}

/// Where the section is, from when on it is required, and what else its directive says: a line for each.
pub fn properties(template: &Template, id: TemplateId, layout: &Layout) -> Vec<String> {
    let directive = template.directive(template.get(id).source);
    let mut lines = Vec::new();
    let path = template.path(id);
    if let Some((_, around)) = path.split_last().filter(|(_, around)| !around.is_empty()) {
        lines.push(format!("In: {}", around.join(" > ")));
    }
    let asks = if template.is_asking(id) { "Asked for" } else { "Required" };
    lines.push(format!("{asks}: {}", requirement(directive, layout)));
    if !template.is_built_in() {
        lines.push(format!("Template: {}", template.document.source.path));
    }
    if let Some(directive) = directive {
        // What other templates ask for is as severe as the configuration says.
        let cap = directive.severity.filter(|cap| directive.required && *cap < Severity::Error);
        if let Some(cap) = cap.filter(|_| layout.is_of_keps()) {
            lines.push(format!("Severity: at most {}", cap.name()));
        }
        if !directive.aka.is_empty() {
            let names: Vec<String> = directive.aka.iter().map(|name| format!("`{name}`")).collect();
            lines.push(format!("Also accepted as heading: {}", names.join(", ")));
        }
    }
    lines
}

/// When a section with this directive is required: "from beta, in KEPs for v1.21 or later".
fn requirement(directive: Option<&Directive>, layout: &Layout) -> String {
    let Some(directive) = directive.filter(|directive| directive.required) else { return "no".to_owned() };
    let status = directive.from.map(|status| format!("from {}", layout.word(status)));
    let stage = status.or(directive.stage.map(|stage: Stage| format!("from {stage}")));
    let required = match (stage, directive.since) {
        (None, None) => format!("in every {}", layout.name()),
        (None, Some(since)) => format!("in KEPs for {since} or later"),
        (Some(stage), None) => stage,
        (Some(stage), Some(since)) => format!("{stage}, in KEPs for {since} or later"),
    };
    if directive.strict { format!("only with `--preset strict`: {required}") } else { required }
}

/// The comments of the template below a heading as prose, and what authors fill in between them as code blocks.
pub fn guidance(template: &Template, id: TemplateId) -> Vec<String> {
    let text = template.document.text();
    let range = template.document.sections.get(template.get(id).source).own.clone();
    let comments = template.document.comments.iter();
    let mut parts = Vec::new();
    let mut done = range.start;
    for comment in comments.filter(|comment| comment.is_block && range.contains(&comment.span.start)) {
        parts.extend(form(slice(text, done..comment.span.start.max(done))));
        if !comment.is_directive(text) {
            parts.push(shown(comment.body(text)));
        }
        done = comment.span.end.min(range.end);
    }
    parts.extend(form(slice(text, done..range.end)));
    parts.retain(|part| !part.is_empty());
    parts
}

fn form(text: &str) -> Option<String> {
    let lines = shown(text);
    let fence = backticks::fence(&lines);
    (!lines.is_empty()).then(|| format!("{fence}markdown\n{lines}\n{fence}"))
}

fn shown(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| printable(line).trim_end().to_owned()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    fn page_of(template: &str, title: &str) -> String {
        let template = Template::parse(SourceFile::decode("template.md", template.into()));
        let (id, _) = template.iter().find(|(_, section)| section.title.text == title).expect("it is there");
        page(&template, id, &Layout::default(), &|table| table.code(80))
    }

    #[test]
    fn a_section_is_explained_from_its_template() {
        let text = "# T\n\n## A\n<!--DIRECTIVE: required: true-->\n### B\n<!--DIRECTIVE: required: true, stage: beta, \
            since: v1.20, severity: warning, aka: \"Old\"-->\n\n<!--\nSay b.\n-->\n\n- [ ] b\n  - `c`\n\n#### C\n";
        let page = page_of(text, "B");
        let wanted = "# B\n\n- In: A\n- Required: from beta, in KEPs for v1.20 or later\n\
            - Template: template.md\n\
            - Severity: at most warning\n- Also accepted as heading: `Old`\n\n## What the template asks\n\nSay b.\n\n\
            ```markdown\n- [ ] b\n  - `c`\n```\n\n## Subsections\n\n    required from  since  section\n    optional              C\n\n## Rules about this section\n\n";
        assert!(page.starts_with(wanted), "{page}");
        assert!(page.contains("\n    missing-section ") && !page.contains("unlinked-tests"), "{page}");
        assert_eq!(page_of(text, "C"), "# C\n\n- In: A > B\n- Required: no\n- Template: template.md\n");
    }

    #[test]
    fn a_template_does_not_steer_the_terminal() {
        let page = page_of("# T\n\n## A\u{1b}[31m\n\n<!--\n\u{1b}[31m\n-->\n\n````x\n\u{1b}\n````\n", "A\u{1b}[31m");
        assert!(!page.contains('\u{1b}') && page.contains("\n`````markdown\n````x\n?\n````\n`````\n"), "{page}");
    }
}
