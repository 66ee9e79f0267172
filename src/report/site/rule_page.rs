//! The page of a rule: what it finds and why, its levels and fixes, and how to set or silence it.

use super::{Place, rule_table, stages};
use crate::report::html::prose;
use crate::report::html::text::{escaped, with_code};
use crate::rules::rule::{Category, Rule};
use crate::stage::Phase;
use crate::template::Template;

/// The body of the page.
pub fn body(rule: &Rule, template: &Template) -> String {
    let (name, docs) = (escaped(rule.name), prose::render(rule.docs, &|code| Place::Rules.code(code)));
    format!(
        "<h1>{name}</h1>\n{}{docs}{}{}<h2 id=\"section-source\">Source</h2>\n<p><code>{}</code> in the repository of \
        kep-lint.</p>\n",
        levels(rule),
        options(rule),
        sections(rule, template),
        escaped(&path(rule)),
    )
}

/// The properties of the rule as a table of one row.
fn levels(rule: &Rule) -> String {
    let phases = Phase::ALL.map(|phase| format!("<th scope=\"col\">{}</th>", phase.name())).concat();
    let levels = Phase::ALL.map(|phase| rule_table::level(rule, phase)).concat();
    let category = rule.category.name();
    let scripts: String =
        rule.upstream.iter().map(|script| format!(" <code>{}</code>", escaped(script.path()))).collect();
    let upstream = match scripts.as_str() {
        "" => String::new(),
        scripts => format!("<div><dt>Upstream</dt><dd>also rejected by{scripts}</dd></div>\n"),
    };
    format!(
        "<div class=\"levels\" tabindex=\"0\" role=\"region\" aria-label=\"Levels\">\n<table>\n<thead><tr>{phases}</tr>\
        </thead>\n<tbody><tr>{levels}</tr></tbody>\n</table>\n</div>\n<dl class=\"about\">\n\
        <div><dt>Category</dt><dd><a href=\"../index.html#{category}\">{category}</a></dd></div>\n\
        <div><dt>Fix</dt><dd>{}</dd></div>\n{upstream}</dl>\n",
        fix(rule)
    )
}

fn fix(rule: &Rule) -> String {
    with_code(match rule.fix_name() {
        "safe" => "safe: `kep-lint --fix`",
        "unsafe" => "unsafe, review the result: `kep-lint --fix --unsafe-fixes`",
        name => name,
    })
}

/// How to run only this rule, to set its level, and to silence a finding.
fn options(rule: &Rule) -> String {
    let name = escaped(rule.name);
    // An ignore of ignores would silence what says that it is wrong.
    let ignore = match rule.category {
        Category::Ignores => String::new(),
        _ => format!(
            "<p>Before a heading or a block of the README, or at the end of a line of YAML, one of these silences its \
            findings there:</p>\n<pre tabindex=\"0\">\n&lt;!-- kep-lint-ignore {name}: the reason --&gt;\n\
            # kep-lint-ignore {name}: the reason\n</pre>\n"
        ),
    };
    format!(
        "<h2 id=\"section-options\">Options</h2>\n<p><code>kep-lint --select {name}</code> runs only this rule, \
        <code>--ignore {name}</code> all others. In <code>.kep-lint.yaml</code>, its level is set by</p>\n\
        <pre tabindex=\"0\">\nrules:\n  {name}: warning\n</pre>\n{ignore}"
    )
}

/// The sections of the built-in template that it looks at in particular.
fn sections(rule: &Rule, template: &Template) -> String {
    let looks_at = |role| rule.roles.contains(&role);
    let sections = template.iter().filter(|(_, section)| section.role.is_some_and(looks_at));
    let link =
        |title: &str| format!("<li><a href=\"../stages.html#{}\">{}</a></li>\n", stages::id(title), escaped(title));
    let links: String = sections.map(|(_, section)| link(&section.title.text)).collect();
    if links.is_empty() {
        return String::new();
    }
    format!("<h2 id=\"section-sections\">Sections of the template that it looks at</h2>\n<ul>\n{links}</ul>\n")
}

/// The path of its source file.
fn path(rule: &Rule) -> String {
    format!("src/rules/{}/{}.rs", rule.category.name(), rule.name.replace('-', "_"))
}
