//! What a change does to the files that decide what is asked of KEPs: it could switch off its own check, so that a run
//! says which of them it edits, and in short what that does.

use crate::bounds;
use crate::diagnostic::brief;
use crate::kep::schema;
use crate::repository::vocabulary::Vocabulary;
use crate::repository::{Aliases, Repository, WITHOUT_TOC};
use crate::requirement::{self, Requirement, Target};
use crate::source::SourceFile;
use crate::stage::{Phase, Release, Stage};
use crate::template::Template;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

type File = Option<Arc<SourceFile>>;

/// What the change does to the file at a path from the root on, by its text before and after.
pub fn effect(own: &Path, before: File, after: File, is_of_keps: bool) -> Option<String> {
    let Some(after) = after else { return Some("deleted".to_owned()) };
    if is_named(own, &["OWNERS_ALIASES"]) {
        return new_people(before, after);
    }
    if is_named(own, &["sigs.yaml"]) {
        return added(groups(before), &groups(Some(after)));
    }
    if own.ends_with(WITHOUT_TOC) {
        return added(lines(before), &lines(Some(after)));
    }
    if is_named(own, &["kep.yaml"]) {
        let is_new = before.is_none();
        let less: Vec<&str> = keys(before).difference(&keys(Some(after))).copied().collect();
        let less = listed("no longer requires", &less);
        return if is_new { Some(new(less)) } else { less };
    }
    let is_template = own.extension().is_some_and(|end| end == "md");
    match before {
        Some(_) if !is_template => None,
        // A template of other proposals replaces none.
        None if !is_template || !is_of_keps => Some("new".to_owned()),
        Some(before) => no_longer_required(before, after),
        None => {
            let less = no_longer_required(Arc::clone(&Template::built_in().document.source), after);
            Some(new(less))
        }
    }
}

/// Whether a file counts although the configuration and the template of another version do.
pub fn counts_now(path: &Path) -> bool {
    is_named(path, &["OWNERS_ALIASES", "sigs.yaml", ".gitattributes"])
}

fn is_named(path: &Path, names: &[&str]) -> bool {
    path.file_name().is_some_and(|name| names.iter().any(|known| name == *known))
}

/// What a new file does.
fn new(less: Option<String>) -> String {
    less.map_or_else(|| "new".to_owned(), |less| format!("new, {less}"))
}

/// `adds alice, bob and 2 more`: what only `new` has.
fn added(old: BTreeSet<String>, new: &BTreeSet<String>) -> Option<String> {
    listed("adds", &new.difference(&old).map(String::as_str).collect::<Vec<_>>())
}

/// The names after a verb; `None` if there are none.
fn listed(verb: &str, names: &[&str]) -> Option<String> {
    let (first, rest) = names.split_at(names.len().min(bounds::LISTED_NAMES));
    let first: Vec<String> = first.iter().map(|name| format!("`{}`", brief(name).replace('`', "'"))).collect();
    match (first.as_slice(), rest) {
        ([], _) => None,
        (first, []) => Some(format!("{verb} {}", first.join(", "))),
        (first, rest) => Some(format!("{verb} {} and {} more", first.join(", "), rest.len())),
    }
}

/// Who can approve what only by the second list.
fn new_people(before: File, after: Arc<SourceFile>) -> Option<String> {
    let (before, after) = (people(before), people(Some(after)));
    let approvers =
        added(before.prr_approvers, &after.prr_approvers).map(|names| format!("{names} to the PRR approvers"));
    let leads = added(before.tech_leads, &after.tech_leads).map(|names| format!("{names} to SIG Node's tech leads"));
    let parts: Vec<String> = approvers.into_iter().chain(leads).collect();
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}

/// The people of a list, or those that are built in.
fn people(file: File) -> Aliases {
    let mut repository = Repository::default();
    repository.set_aliases(file, None);
    repository.aliases
}

/// The groups, by the file or by what is built in.
fn groups(file: File) -> BTreeSet<String> {
    let mut repository = Repository::default();
    file.iter().for_each(|file| repository.read_groups(&file.text));
    repository.groups
}

fn lines(file: File) -> BTreeSet<String> {
    file.iter().flat_map(|file| file.text.lines()).map(str::to_owned).collect()
}

/// The required keys that the kep.yaml of a template has; without one, all are asked for.
fn keys(file: File) -> BTreeSet<&'static str> {
    let vocabulary = file.map(|file| Vocabulary::of(&file.text)).unwrap_or_default();
    let required = schema::PROPOSAL.iter().chain(schema::REVIEWED).filter(|key| key.is_required);
    required.map(|key| key.name).filter(|key| !vocabulary.lacks(key)).collect()
}

/// What only the first template asks for: sections and a table of contents.
fn no_longer_required(before: Arc<SourceFile>, after: Arc<SourceFile>) -> Option<String> {
    let (before, after) = (Template::of_repository(before), Template::of_repository(after));
    let mut parts: Vec<String> = no_longer_required_sections(&before, &after).into_iter().collect();
    if before.has_toc && !after.has_toc {
        parts.push("no longer asks for a table of contents".to_owned());
    }
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}

/// The sections, without those in another of them.
fn no_longer_required_sections(before: &Template, after: &Template) -> Option<String> {
    let (before, after) = (required(before), required(after));
    let is_gone = |title: &str| before.iter().any(|old| old.0 == title) && !after.iter().any(|new| new.0 == title);
    let is_inside = |parents: &[String]| parents.iter().any(|parent| is_gone(parent));
    let gone = before.iter().filter(|(title, parents)| is_gone(title) && !is_inside(parents));
    let titles: Vec<&str> = gone.map(|(title, _)| title.as_str()).collect();
    listed("no longer requires", &titles)
}

/// The sections that a template requires of a KEP at the end of its way, each with the titles around it.
fn required(template: &Template) -> Vec<(String, Vec<String>)> {
    let target = Target::new(Some(Stage::Stable), Phase::Active, Some(Release::CURRENT));
    let section = |required: Requirement| {
        let mut path = template.path(required.section);
        Some((path.pop()?, path))
    };
    requirement::for_target(template, &target).into_iter().filter_map(section).collect()
}
