//! The texts of a new KEP: the template's, with all that is known of the KEP filled in.

use super::entry::{Form, Place, replace, set};
use super::scalar::written;
use crate::kep::number;
use crate::kep::schema::{self, Shape, is_template_value};
use crate::markdown::Document;
use crate::mdtoc::{self, Markers};
use crate::span::{FileId, slice};
use crate::stage::{Release, Stage, Status};
use crate::template::Template;
use crate::yaml::date::Date;
use crate::yaml::tree::{Node, Style, Yaml};
use std::ops::Range;

/// The kep.yaml for repositories that have none in their template.
const METADATA: &str = include_str!("../../templates/kep.yaml");

/// What is known of a new KEP.
#[derive(Clone, Debug)]
pub struct Proposal<'a> {
    /// The number of its tracking issue.
    pub number: &'a str,
    /// Its title, on one line and without the number.
    pub title: &'a str,
    /// The SIG that owns it; `None` where KEPs belong to no group.
    pub sig: Option<&'a str>,
    /// The GitHub handle of its author, without `@`.
    pub author: Option<&'a str>,
    /// The day of its creation.
    pub date: Date,
    /// The release that its alpha is planned for.
    pub release: Release,
}

/// Why a title cannot be used, as a clause; `None` if it can be.
pub fn problem_of_title(title: &str) -> Option<&'static str> {
    match title {
        _ if title.trim().is_empty() => Some("it is empty"),
        _ if title.contains("---") => Some("upstream treats any line of kep.yaml with `---` as a delimiter"),
        _ if title.contains(char::is_control) => Some("it has control characters"),
        _ if title.contains("<!--") => Some("it begins a comment"),
        _ => None,
    }
}

/// A title as it is used: on one line, without a number at its start.
pub fn title_of(words: &str, own: &str) -> String {
    let title = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match number::in_title(&title).filter(|range| number::is_same(slice(&title, range.clone()), own)) {
        Some(range) => slice(&title, range.end..).trim_start_matches([':', '-', '–', ' ', ']', '.']).to_owned(),
        None => title,
    }
}

/// README.md: the template's text with the KEP's title and a new table of contents. Of the built-in template, the
/// directives and the notes for those who change it are left out.
pub fn readme(template: &Template, proposal: &Proposal<'_>) -> String {
    let text = &template.file.text;
    let document = &template.document;
    let heading = document.sections.title().map(|title| document.sections.get(title).heading.clone());
    let own = format!("# KEP-{}: {}", proposal.number, heading_text(proposal.title));
    let newline = mdtoc::newline(text);
    let mut cuts: Vec<(Range<usize>, &str)> = Vec::new();
    match &heading {
        Some(heading) => cuts.push((heading.clone(), own.as_str())),
        None => cuts.push((0..0, own.as_str())),
    }
    if template.is_built_in() {
        let start = heading.as_ref().map_or(0, |heading| heading.start);
        cuts.push((0..start, ""));
        let comments = document.comments.iter().filter(|comment| comment.span.start >= start);
        let directives = comments.filter(|comment| comment.is_directive(text));
        cuts.extend(directives.map(|comment| (whole_line(text, comment.span.clone()), "")));
    }
    cuts.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut readme, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in cuts {
        readme += slice(text, at..range.start);
        readme += new;
        at = range.end;
    }
    if heading.is_none() {
        readme += &newline.repeat(2);
    }
    readme += slice(text, at..);
    with_contents(&readme)
}

/// kep.yaml: that of the repository's template, or else the built-in one. `None` if the template's cannot be filled in.
pub fn metadata(template: Option<&str>, proposal: &Proposal<'_>) -> String {
    let own = template.and_then(|template| filled(template, proposal).ok());
    own.or_else(|| filled(METADATA, proposal).ok()).unwrap_or_default()
}

/// `text` with all that is known, or why it cannot be filled in.
fn filled(text: &str, proposal: &Proposal<'_>) -> Result<String, String> {
    let (release, date) = (proposal.release.to_string(), proposal.date.to_string());
    let newline = mdtoc::newline(text);
    let mut text = text.to_owned();
    for key in ["participating-sigs", "see-also", "replaces", "superseded-by", "metrics"] {
        if has_only_placeholders(&Form::Proposal.read(&text), key) {
            text = replace(&text, Form::Proposal, key, " []")?;
        }
    }
    let item = |item: &str| format!("{newline}  - {}", written(item, Style::DoubleQuoted));
    for key in ["reviewers", "approvers"] {
        if has_placeholder(&Form::Proposal.read(&text), key) {
            text = replace(&text, Form::Proposal, key, &format!("{newline}  - TBD"))?;
        }
    }
    if let Some(author) = proposal.author {
        text = replace(&text, Form::Proposal, "authors", &item(&format!("@{author}")))?;
    }
    let milestone = format!("{newline}  {}: {}", Stage::Alpha, written(&release, Style::DoubleQuoted));
    if Form::Proposal.read(&text).root.as_ref().is_some_and(|root| root.get("milestone").is_some()) {
        text = replace(&text, Form::Proposal, "milestone", &milestone)?;
    }
    let dates = ["last-updated"].into_iter().filter(|key| has_placeholder(&Form::Proposal.read(&text), key));
    let dates: Vec<&str> = dates.chain(["creation-date"]).collect();
    for key in dates {
        text = set(&text, Form::Proposal, Place::Top(key), &date)?;
    }
    let values = [
        ("title", proposal.title),
        ("kep-number", proposal.number),
        ("status", Status::Provisional.name()),
        ("stage", Stage::Alpha.name()),
        ("latest-milestone", &release),
    ];
    for (key, value) in values.into_iter().chain(proposal.sig.map(|sig| ("owning-sig", sig))) {
        text = set(&text, Form::Proposal, Place::Top(key), value)?;
    }
    set(&text, Form::Proposal, Place::In("milestone", Stage::Alpha.name()), &release)
}

/// Whether the list or value of `key` has a placeholder of the template.
fn has_placeholder(tree: &Yaml, key: &str) -> bool {
    values(tree, key).any(|text| is_template_value(key, text))
}

/// Whether `key` has a list of the template's placeholders, and nothing else.
fn has_only_placeholders(tree: &Yaml, key: &str) -> bool {
    let is_list = schema::PROPOSAL.iter().any(|known| known.name == key && matches!(known.shape, Shape::Texts));
    let mut values = values(tree, key).peekable();
    is_list && values.peek().is_some() && values.all(|text| is_template_value(key, text))
}

fn values<'a>(tree: &'a Yaml, key: &str) -> impl Iterator<Item = &'a str> {
    let value = tree.root.as_ref().and_then(|root| root.get(key)).map(|entry| &entry.value);
    let items = value.into_iter().flat_map(|value| value.as_sequence().unwrap_or(std::slice::from_ref(value)));
    items.filter_map(Node::as_str)
}

/// A title as the text of a heading: `<` begins no tag in it, and `#` at its end does not close it.
fn heading_text(title: &str) -> String {
    let shown = |text: &str| {
        let line = format!("# {text}\n");
        let source = crate::source::SourceFile::decode("", line.into_bytes());
        let document = Document::parse(FileId(0), &source.text, &source.lines);
        let title = document.sections.title().map(|title| document.sections.get(title).title.text.clone());
        title.unwrap_or_default()
    };
    let is_whole = shown(title).chars().filter(|letter| letter.is_alphanumeric()).count()
        == title.chars().filter(|letter| letter.is_alphanumeric()).count();
    if is_whole && !title.ends_with('#') {
        return title.to_owned();
    }
    title.replace('<', "\\<").replace('#', "\\#")
}

/// The bytes with the line break after them, if they are all of their line.
fn whole_line(text: &str, range: Range<usize>) -> Range<usize> {
    let rest = slice(text, range.end..);
    let is_first = slice(text, ..range.start).ends_with('\n');
    let end = rest.find('\n').filter(|at| is_first && slice(rest, ..*at).trim().is_empty());
    range.start..end.map_or(range.end, |at| range.end + at + 1)
}

/// `readme` with the table of contents that mdtoc generates, if it has markers.
fn with_contents(readme: &str) -> String {
    let Some(between) = Markers::find(readme).between() else { return readme.to_owned() };
    let contents = mdtoc::block(readme, &mdtoc::entries(readme, between.end));
    [slice(readme, ..between.start), &contents, slice(readme, between.end..)].concat()
}
