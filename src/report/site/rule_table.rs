//! The table of rules by category, with a filter.

use super::Place;
use crate::report::html::text::{escaped, with_code};
use crate::rules::ALL;
use crate::rules::rule::{Category, Level, Rule};
use crate::stage::Phase;

/// The body of the page.
pub fn body() -> String {
    let categories: String = Category::ALL.into_iter().map(category).collect();
    format!(
        "<h1>Rules of kep-lint</h1>\n<p>A rule has a level in each phase of a KEP; the phase follows from the KEP's \
        status and milestones. A finding may have a lower severity than its rule's level.</p>\n<dl class=\"about\">\n{}\
        </dl>\n{}{categories}",
        Phase::ALL.map(phase).concat(),
        form(),
    )
}

fn form() -> String {
    let fixes = ["safe", "unsafe", "none"].map(|name| format!("<option>{name}</option>\n")).concat();
    let levels = Level::ALL.map(|level| format!("<option>{}</option>\n", level.name()));
    let levels: String = levels.into_iter().rev().collect();
    format!(
        "<form id=\"filters\" role=\"search\" aria-label=\"Filter rules\" autocomplete=\"off\" hidden>\n\
        <label>Text <input type=\"search\" name=\"text\" spellcheck=\"false\"></label>\n\
        <label>In active KEPs <select name=\"active\">\n<option value=\"\">all</option>\n{levels}</select></label>\n\
        <label>Fix <select name=\"fix\">\n<option value=\"\">all</option>\n{fixes}</select></label>\n\
        <p><button type=\"reset\">Show all</button></p>\n</form>\n<p id=\"shown\" role=\"status\"></p>\n"
    )
}

fn phase(phase: Phase) -> String {
    format!("<div><dt>{}</dt><dd>{}</dd></div>\n", phase.name(), with_code(when(phase)))
}

/// When a KEP is in this phase.
fn when(phase: Phase) -> &'static str {
    match phase {
        Phase::Provisional => "`status` is `provisional`, missing or unknown",
        Phase::Active => "`status` is `implementable`, and a milestone is at most three releases old",
        Phase::Stale => "`status` is `implementable`, and all milestones are older, missing or invalid",
        Phase::Implemented => "`status` is `implemented`",
        Phase::Closed => "`status` is `deferred`, `rejected`, `withdrawn` or `replaced`",
    }
}

fn category(category: Category) -> String {
    let rules: String = ALL.iter().filter(|rule| rule.category == category).map(row).collect();
    let phases = Phase::ALL.map(|phase| format!("<th scope=\"col\">{}</th>", phase.name())).concat();
    let (name, about) = (category.name(), with_code(category.about()));
    format!(
        "<section class=\"category\" aria-labelledby=\"{name}\">\n<h2 id=\"{name}\">{name}</h2>\n<p>{about}</p>\n\
        <div class=\"wide\">\n<table>\n<thead><tr>\
        <th scope=\"col\">rule</th>{phases}<th scope=\"col\">fix</th></tr></thead>\n<tbody>\n{rules}</tbody>\n</table>\n\
        </div>\n</section>\n"
    )
}

fn row(rule: &Rule) -> String {
    let levels = Phase::ALL.map(|phase| level(rule, phase)).concat();
    let (active, fix) = (rule.severity.active.name(), rule.fix_name());
    let (link, summary) = (Place::Top.rule(rule.name), with_code(rule.summary));
    format!(
        "<tr id=\"{name}\" data-active=\"{active}\" data-fix=\"{fix}\"><th scope=\"row\">{link}<br><small>{summary}</small>\
        </th>{levels}<td data-label=\"fix\">{fix}</td></tr>\n",
        name = escaped(rule.name)
    )
}

/// The level of `rule` in a phase, as a cell of a table.
pub fn level(rule: &Rule, phase: Phase) -> String {
    let (level, phase) = (rule.severity.at(phase).name(), phase.name());
    format!("<td class=\"{level}\" data-label=\"{phase}\">{level}</td>")
}
