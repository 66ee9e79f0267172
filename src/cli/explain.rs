//! `kep-lint explain NAME…`: what a rule, a category or a section of the template is about; and `kep-lint rules`.

use super::args::commands::{ExplainArguments, RulesArguments};
use super::authoring::answers::Answers;
use super::options::TableFormat;
use super::outcome::Outcome;
use super::print::print;
use super::{screen, template};
use crate::diagnostic::{Failure, brief};
use crate::markdown::title::Title;
use crate::report::look::Look;
use crate::report::{page, requirements, rules};
use crate::rules::ALL;
use crate::rules::rule::{Category, Rule};
use crate::rules::select;
use crate::suggest;
use crate::template::{Template, TemplateId, TemplateSection};
use std::sync::Arc;

/// How many names a help offers for an unknown one of `explain`; the others are counted.
const OFFERED_NAMES: usize = 3;

pub fn run(arguments: &ExplainArguments) -> Result<Outcome, Failure> {
    // The guidance of the repository's own templates is what its authors know, unless another one is named. A
    // configuration that is wrong hides no rule.
    let own = || template::around().unwrap_or_default();
    let (mut templates, layout) = if arguments.template.is_some() { Default::default() } else { own() };
    let last = match layout.own().map(|_| templates.pop()) {
        Some(last) => last.unwrap_or_else(|| Arc::new(Template::none())),
        // A section of Kubernetes' template that the repository does not have.
        None => template::load(arguments.template.as_deref())?,
    };
    let found = templates.iter().find_map(|template| Some((template, subjects(arguments, template).ok()?)));
    let (template, subjects) = found.map_or_else(|| Ok((&last, subjects(arguments, &last)?)), Ok)?;
    if arguments.answers.answers.is_some() && !layout.is_of_keps() {
        return Err(Failure::new("`--answers` does not support `documents`").help("leave it out"));
    }
    let answers = Answers::of(&arguments.answers)?;
    if answers.is_some() && !subjects.iter().all(|subject| matches!(subject, Subject::Section(_))) {
        return Err(Failure::new("`--answers` is only about sections").help("name a heading of the template"));
    }
    let width = screen::width().min(page::COLUMNS);
    let look = Look { width, color: screen::has_color(arguments.color), ..Look::default() };
    let pages = subjects.into_iter().map(|subject| {
        let markdown = match subject {
            Subject::Rule(rule) => rules::of_rule(rule, &layout),
            Subject::Category(category) => rules::of_category(category, width),
            Subject::Section(id) => requirements::page(template, id, &layout, &|table| table.code(width)),
        };
        let page = page::render(&markdown, &look);
        match (subject, &answers) {
            (Subject::Section(id), Some(answers)) => format!("{page}\n{}", answers.render(template, id, &look)),
            _ => page,
        }
    });
    print(&pages.collect::<Vec<_>>().join("\n"))?;
    Ok(Outcome::Clean)
}

pub fn list_rules(arguments: &RulesArguments) -> Result<Outcome, Failure> {
    let listed = select::rules(&arguments.names)?;
    // A configuration that is wrong hides no rule.
    let (_, layout) = template::around().unwrap_or_default();
    print(&match arguments.format {
        TableFormat::Text if arguments.wide => rules::table(&listed, &layout).text(),
        TableFormat::Text => rules::brief_table(&listed, &layout).fitted(screen::width()),
        TableFormat::Markdown => rules::table(&listed, &layout).markdown(),
        TableFormat::Json => rules::table(&listed, &layout).json(),
    })?;
    Ok(Outcome::Clean)
}

fn subjects(arguments: &ExplainArguments, template: &Template) -> Result<Vec<Subject>, Failure> {
    // A title that is not quoted is several arguments.
    let whole = sections(&arguments.names.join(" "), template);
    if arguments.names.len() > 1 && !whole.is_empty() {
        return Ok(whole);
    }
    let mut subjects = Vec::new();
    for name in &arguments.names {
        subjects.extend(Subject::of(name, template)?);
    }
    Ok(subjects)
}

#[derive(Clone, Copy)]
enum Subject {
    Rule(&'static Rule),
    Category(Category),
    Section(TemplateId),
}

impl Subject {
    /// The rule, else the category, else the sections of this name.
    fn of(name: &str, template: &Template) -> Result<Vec<Self>, Failure> {
        if let Some(rule) = ALL.iter().find(|rule| rule.name == name) {
            return Ok(vec![Self::Rule(rule)]);
        }
        if let Some(category) = Category::ALL.into_iter().find(|category| category.name() == name) {
            return Ok(vec![Self::Category(category)]);
        }
        let sections = sections(name, template);
        if sections.is_empty() { Err(unknown(name, template)) } else { Ok(sections) }
    }
}

/// The sections with the current or a former title `name`, else those that differ only in singular and plural.
fn sections(name: &str, template: &Template) -> Vec<Subject> {
    let title = Title::new(name);
    let stems = title.stems();
    let has_stems = |section: &TemplateSection| section.forms.iter().any(|forms| forms.stems == stems);
    let matching = |is_named: &dyn Fn(&TemplateSection) -> bool| {
        let sections = template.iter().filter(|(_, section)| !title.key.is_empty() && is_named(section));
        sections.map(|(id, _)| Subject::Section(id)).collect::<Vec<_>>()
    };
    let exact = matching(&|section| section.has_wording(&title));
    if exact.is_empty() { matching(&has_stems) } else { exact }
}

fn unknown(name: &str, template: &Template) -> Failure {
    if let Some(gone) = suggest::gone(name) {
        return Failure::new(gone);
    }
    let title = Title::new(name);
    let titles = template.iter().map(|(_, section)| section.title.text.as_str());
    let names = ALL.iter().map(|rule| rule.name).chain(Category::ALL.map(Category::name)).chain(titles);
    let names: Vec<&str> = names.collect();
    let contains_name = |other: &&str| !title.key.is_empty() && Title::new(other).key.contains(&title.key);
    let meant: Vec<&str> = match suggest::nearest(name, names.iter().copied()) {
        Some(nearest) => vec![nearest],
        None => names.into_iter().filter(contains_name).collect(),
    };
    let help = match meant.as_slice() {
        [] => "see `kep-lint rules` and `kep-lint template show` for all names".to_owned(),
        [_, ..] if meant.len() <= OFFERED_NAMES => format!("did you mean {}?", suggest::list(&meant, "or")),
        [..] => {
            let first = meant.iter().take(OFFERED_NAMES);
            let more = meant.len() - OFFERED_NAMES;
            format!("did you mean {}, or one of {more} others?", suggest::list(first, "or"))
        }
    };
    if name.trim().is_empty() {
        return Failure::new("the name of a rule, category or section is empty").help(help);
    }
    Failure::new(format!("unknown rule, category or section `{}`", brief(name))).help(help)
}
