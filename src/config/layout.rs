//! The keys that say where the proposals of a repository are, and what they are called.

use super::reading::{Reading, items};
use super::schema;
use super::values::{SECTIONS, Setting};
use crate::bounds;
use crate::diagnostic::{Severity, brief};
use crate::kep::layout::documents::Documents;
use crate::kep::layout::forms::{AskedSections, Since, TitleForm, directive_line, target_line, titles};
use crate::kep::layout::{Keys, Layout, MetadataPlace, Own, Steps};
use crate::kep::schema::PROPOSAL;
use crate::stage::{Phase, Release, Stage, Status};
use crate::yaml::tree::{Entry, Node};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The phases that words of a repository can mean, each with a status that has it.
pub const PHASES: [(&str, Status); 4] = [
    ("provisional", Status::Provisional),
    ("active", Status::Implementable),
    ("implemented", Status::Implemented),
    ("closed", Status::Withdrawn),
];

pub const WITHOUT_STATUS: [(&str, Phase); 2] = [("active", Phase::Active), ("provisional", Phase::Provisional)];

/// Whose releases there can be, and whether these are those of Kubernetes.
pub const RELEASES: [(&str, bool); 2] = [("own", false), ("kubernetes", true)];

const FRONT_MATTER: &str = "front-matter";

/// Makes the layout of what the keys said, which say nothing without `documents`.
pub fn finish(reading: &mut Reading<'_>) {
    let own = std::mem::take(&mut reading.own);
    if reading.config.documents.is_some() {
        reading.config.layout = Layout::new(own);
    } else if let Some((name, setting)) = reading.config.layout_keys.first() {
        let (message, span) = (format!("`{name}` needs `documents`"), setting.span);
        reading.problem(span, &message, "say where the proposals are, or remove it");
    }
}

/// One pattern, or a list of kinds of documents, each with its template. Read before all other keys but `template`.
pub fn documents<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    let kinds: Vec<DocumentKind> = match entry.value.as_sequence() {
        Some(items) => items.iter().filter_map(|item| document_kind(reading, item)).collect(),
        None => {
            let text = entry.value.as_str().filter(|text| !text.is_empty());
            let template = reading.config.templates.first().cloned();
            text.map(|text| (reading.setting(entry, text.to_owned()), template)).into_iter().collect()
        }
    };
    let written: Vec<&str> = kinds.iter().map(|(pattern, _)| pattern.value.as_str()).collect();
    reading.config.documents = Some(reading.setting(entry, written.join(", ")));
    if kinds.is_empty() {
        let help = "write a path such as `proposals/{number}-{name}.md`";
        return reading.problem(entry.value.span, "this names no documents", help);
    }
    for (pattern, template) in &kinds {
        let template = template.as_ref().map(|template| template.value.as_str());
        if let Err(reason) = reading.own.documents.add(&pattern.value, template, kinds.len() == 1) {
            let help = "write a path such as `proposals/{number}-{name}/README.md`";
            reading.problem(pattern.span, &format!("invalid pattern: {reason}"), help);
            reading.own.documents = Documents::default();
            break;
        }
    }
    if reading.own.documents.file.is_none() {
        // There is no directory whose file it could be.
        reading.own.metadata = MetadataPlace::FrontMatter;
    }
    reading.config.templates = kinds.into_iter().filter_map(|(_, template)| template).collect();
}

/// The pattern of documents, and their template.
type DocumentKind = (Setting<String>, Option<Setting<String>>);

fn document_kind<'a>(reading: &mut Reading<'a>, item: &'a Node) -> Option<DocumentKind> {
    let parts = reading.fields(item, ["documents", "template"]);
    let [pattern, template] = parts.map(|part| reading.text_setting(part?));
    if pattern.is_none() || template.is_none() {
        reading.problem(item.span, "a kind of documents needs a template", "write `documents` and `template`");
    }
    Some((pattern?, Some(template?)))
}

pub fn documents_schema() -> Value {
    let kind = schema::object(&json!({ "documents": schema::text(), "template": schema::text() }));
    let kind = json!({ "allOf": [kind], "required": ["documents", "template"] });
    json!({ "anyOf": [schema::text(), { "type": "array", "items": kind }] })
}

pub fn name<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    const MOST: usize = 40;
    let Some(name) = reading.text(&entry.value) else { return };
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, ' ' | '-');
    if name.len() > MOST || !name.chars().all(is_word) {
        let help = "write the word for one proposal, such as `VEP`";
        return reading.problem(entry.value.span, "this is not a word", help);
    }
    name.clone_into(&mut reading.own.name);
}

pub fn metadata<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    let Some(text) = reading.text(&entry.value) else { return };
    let Documents { file, tree, .. } = &reading.own.documents;
    let is_beside_several = file.is_none() && !tree.is_empty();
    reading.own.metadata = match text {
        FRONT_MATTER => MetadataPlace::FrontMatter,
        "none" => MetadataPlace::Nowhere,
        _ if !text.ends_with(".yaml") || text.contains(['/', '\\']) => {
            let help = "write the name of a file such as `metadata.yaml`, or `front-matter`, or `none`";
            return reading.problem(entry.value.span, "this is no file beside the document", help);
        }
        _ if is_beside_several => {
            let help = "end `documents` in the name of a file, or write `metadata: front-matter`";
            return reading.problem(entry.value.span, "several documents may be beside this file", help);
        }
        _ => MetadataPlace::File(text.to_owned()),
    };
}

/// Reads what `sections` says of the headings of other templates than those of KEPs, besides their level.
pub fn sections<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    const DAY: &str = "write a day such as 2026-01-31, or a number";
    reading.needs_documents(entry);
    let parts = reading.fields(&entry.value, ["level", "optional", "directive", "since"]);
    let [level, optional, directive, since] = parts.map(|part| Some(&part?.value));
    let level = level.and_then(|level| reading.named(level, &SECTIONS));
    let optional = optional.map(items).unwrap_or_default();
    let sections = AskedSections {
        optional: optional.iter().filter_map(|it| reading.read(it, titles, "write it as `Story *`")).collect(),
        directive: directive.and_then(|it| reading.read(it, directive_line, "write it as `(from {phase} on)`")),
        since: since.and_then(|it| reading.read(it, Since::parse, DAY)),
    };
    // What a template says by itself is meant.
    let level = level.unwrap_or(if sections.directive.is_some() { Severity::Error } else { Severity::Advice });
    reading.config.sections = Some(reading.setting(entry, level));
    reading.own.sections = sections;
}

pub fn title<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    let mut form = Some(&entry.value);
    let is_in_front_matter = entry.value.as_mapping().is_some();
    if is_in_front_matter {
        let [place, own] = reading.fields(&entry.value, ["in", "form"]).map(|part| Some(&part?.value));
        if place.is_none() || own.is_none() {
            let help = "write it as `{in: front-matter, form: \"…\"}`";
            reading.problem(entry.value.span, "this needs `in` and `form`", help);
        }
        place.and_then(|place| reading.named(place, &[(FRONT_MATTER, ())]));
        form = own;
    }
    let parse = |text: &str| TitleForm::parse(text, is_in_front_matter);
    reading.own.title = form.and_then(|form| reading.read(form, parse, "write it as `VEP #{number}: {title}`"));
}

pub fn targets<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    let forms = items(&entry.value);
    if let Some(next) = forms.get(bounds::TARGET_FORMS) {
        let most = format!("there are more than {} forms", bounds::TARGET_FORMS);
        return reading.problem(next.span, &most, "write only those that documents have");
    }
    let help = "write it as `Targets {stage} for: {release}`";
    reading.own.targets = forms.iter().filter_map(|form| reading.read(form, target_line, help)).collect();
}

pub fn stages<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    let names = Stage::ALL.map(|stage| (stage.name(), stage));
    let is_free = |own: &Own, word: &str, stage| own.stage(word).is_none_or(|known| known == stage);
    words(reading, entry, &names, is_free, |own, word, stage| own.stages.extend([(word, stage)]));
}

pub fn phases<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    let phase = |status: Status| Phase::of(Some(status), None, Release::CURRENT);
    let is_free = |own: &Own, word: &str, status| own.rank(word).is_none_or(|(known, _)| phase(known) == phase(status));
    words(reading, entry, &PHASES, is_free, |own, word, status| own.statuses.push((word, status)));
}

/// Gives the words below each name its meaning, if they have no other one.
fn words<'a, T: Copy>(
    reading: &mut Reading<'a>,
    entry: &'a Entry,
    names: &[(&'static str, T)],
    is_free: impl Fn(&Own, &str, T) -> bool,
    add: impl Fn(&mut Own, String, T),
) {
    for part in reading.entries(&entry.value) {
        let meaning = reading.named(&part.key, names);
        for (word, item) in reading.texts(&part.value) {
            let Some(meaning) = meaning else { continue };
            if is_free(&reading.own, word, meaning) {
                add(&mut reading.own, word.trim().to_owned(), meaning);
            } else {
                let message = format!("`{}` has another meaning already", brief(word));
                reading.problem(item.span, &message, "write each word once; those of KEPs keep their meaning");
            }
        }
    }
}

pub fn without_status<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    reading.own.without_status = reading.named(&entry.value, &WITHOUT_STATUS).unwrap_or(Phase::Active);
}

pub fn releases<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    reading.own.has_releases_of_kubernetes = reading.named(&entry.value, &RELEASES).unwrap_or_default();
}

pub fn keys<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    let parts = reading.fields(&entry.value, ["required", "optional", "names"]);
    let [required, optional, names] = parts.map(|part| Some(&part?.value));
    let required = required.map(|list| set(reading, list)).unwrap_or_default();
    let optional = optional.map(|list| set(reading, list));
    if let Some(both) = optional.iter().flatten().find(|key| required.contains(*key)) {
        let message = format!("the key `{}` is required and optional", brief(both));
        reading.problem(entry.value.span, &message, "write it in one of the two lists");
    }
    let names = names.map(|names| names_of_keys(reading, names)).unwrap_or_default();
    reading.own.keys = Keys { required, optional, names };
}

fn set<'a>(reading: &mut Reading<'a>, node: &'a Node) -> BTreeSet<String> {
    reading.texts(node).into_iter().map(|(name, _)| name.to_owned()).collect()
}

/// What keys of KEPs are called. Each name stands for one key, and the key's own name for what has it here.
fn names_of_keys<'a>(reading: &mut Reading<'a>, node: &'a Node) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for part in reading.entries(node) {
        if let (Some(key), Some(name)) = (reading.named(&part.key, &keys_of_keps()), reading.text(&part.value)) {
            if names.contains_key(key) || names.contains_key(name) {
                reading.problem(part.value.span, "two keys would have this name", "give each key another name");
            }
            names.insert(name.to_owned(), key.to_owned());
            names.insert(key.to_owned(), name.to_owned());
        }
    }
    names
}

/// The keys of KEPs, each with the word for it in a configuration.
fn keys_of_keps() -> Vec<(&'static str, &'static str)> {
    PROPOSAL.iter().map(|key| (key.name.trim_start_matches("kep-"), key.name)).collect()
}

/// The steps of `status` and `stage`: pairs of words that have a meaning. Read after the other keys, which
/// have these words.
pub fn steps<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    let own = reading.own.clone();
    let keys = ["status", "stage"];
    for (key, part) in keys.into_iter().zip(reading.fields(&entry.value, keys)) {
        let Some(part) = part else { continue };
        let meaning = |text: &str| {
            let word = text.trim().to_lowercase();
            let known = match key {
                "status" => own.rank(&word).map(|_| word),
                _ => own.stage(&word).map(|stage| stage.name().to_owned()),
            };
            known.ok_or_else(|| format!("unknown word `{}`", brief(text)))
        };
        let mut steps = Steps::new();
        for item in items(&part.value) {
            let Some([first, second]) = item.as_sequence() else {
                reading.problem(item.span, "this is no step", "write two words: `[provisional, implementable]`");
                continue;
            };
            let help = "say in `phases` or `stages` what it means";
            if let [Some(from), Some(to)] = [first, second].map(|word| reading.read(word, meaning, help)) {
                steps.insert((from, to));
            }
        }
        reading.own.steps.insert(key, steps);
    }
}

pub fn title_schema() -> Value {
    let place = schema::object(&json!({ "in": { "enum": [FRONT_MATTER] }, "form": schema::text() }));
    json!({ "anyOf": [schema::text(), { "allOf": [place], "required": ["in", "form"] }] })
}

pub fn keys_schema() -> Value {
    let name = |(word, _): (&str, &str)| (word.to_owned(), schema::text());
    let names: Map<String, Value> = keys_of_keps().into_iter().map(name).collect();
    let names = schema::object(&json!(names));
    schema::object(&json!({ "required": schema::texts(), "optional": schema::texts(), "names": names }))
}

pub fn steps_schema() -> Value {
    let step = json!({ "type": "array", "items": schema::text(), "minItems": 2, "maxItems": 2 });
    let steps = json!({ "type": "array", "items": step });
    schema::object(&json!({ "status": steps, "stage": steps }))
}
