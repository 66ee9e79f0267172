//! `new`, `promote` and `upgrade`: the files of a new KEP, and what the others change.

use super::ask;
use super::at::edit;
use super::engine::{Answer, Engine};
use super::place::Files;
use crate::authoring::draft::{self, Proposal};
use crate::authoring::group;
use crate::authoring::promotion::{Goal, ReviewText};
use crate::authoring::upgrade::{Extent, Upgraded};
use crate::diagnostic::{Failure, brief};
use crate::editor::edits::between;
use crate::editor::promote::{Promoted, prepare};
use crate::editor::{keps, naming};
use crate::kep::layout::TREE;
use crate::kep::texts::Texts;
use crate::ready::calendar::on_day;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::Release;
use crate::template::Template;
use crate::workspace::directory::KepDirectory;
use crate::workspace::kep_files::read_kep;
use crate::workspace::project::Project;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfNew {
    number: String,
    title: String,
    sig: Option<String>,
    #[serde(default)]
    authors: Vec<String>,
    release: Option<String>,
    today: String,
}

pub fn new(engine: &Engine, OfNew { number, title, sig, authors, release, today }: &OfNew) -> Answer {
    let (today, release) = (ask::day(today)?, ask::release(release.as_deref())?);
    let (repository, mut terms) = (engine.repository(), engine.terms());
    terms.options.release = release.or(terms.options.release);
    let template = repository.template.clone().map_or(terms.template, |file| Arc::new(Template::of_repository(file)));
    let sig = ask::given(sig.as_deref()).map(|word| group::named(word, &repository)).transpose()?;
    if sig.is_none() && repository.has_groups {
        return Err(Failure::new("the SIG is missing").help("name the SIG that owns the KEP"));
    }
    if sig.is_some() && !repository.has_groups {
        return Err(Failure::new("KEPs of this repository belong to no SIG").help("leave out the SIG"));
    }
    let number = naming::number(number.trim())?;
    if let Some(path) = keps::directories(&repository).find(|path| keps::number_of(path) == Some(&number)) {
        let failure = Failure::new(format!("KEP {number} exists: `{}`", brief(path)));
        return Err(failure.help("use the number of the KEP's own tracking issue"));
    }
    let title = naming::title(title, &number, &template)?;
    let name = naming::directory(&number, &title)?;
    let wrong = |text: &str| Failure::new(format!("`{}` is no GitHub handle", brief(text)));
    let authors = authors.iter().map(|text| naming::handle(text).ok_or_else(|| wrong(text)));
    let meant = terms.options.release_written(&repository, None, None, on_day(today.into()))?;
    let proposal = Proposal {
        number: &number,
        title: &title,
        sig: sig.as_deref(),
        authors: &authors.collect::<Result<Vec<_>, _>>()?,
        date: today,
        release: meant.release,
    };
    let mut kep = Files::default();
    for (path, text) in draft::files(&template, None, &proposal, &name)? {
        match path.rsplit_once('/') {
            Some((directory, "README.md")) => {
                kep.directory = Some(format!("{TREE}/{directory}"));
                kep.readme = Some(text);
            }
            Some((_, "kep.yaml")) => kep.metadata = Some(text),
            _ => kep.review = Some(text),
        }
    }
    Ok(json!({ "kep": kep, "notes": meant.plan().into_iter().collect::<Vec<_>>() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfPromotion {
    goal: String,
    release: Option<String>,
    #[serde(default, rename = "skipBeta")]
    skips_beta: bool,
    today: String,
}

pub fn promote(engine: &Engine, OfPromotion { goal, release, skips_beta, today }: &OfPromotion) -> Answer {
    let (now, release) = (ask::day(today)?.into(), ask::release(release.as_deref())?);
    let unknown = || Failure::new(format!("unknown stage `{}`", brief(goal)));
    let goal = Goal::from_word(goal).ok_or_else(unknown)?;
    let (mut project, directory, texts) = prepared(engine, release)?;
    let promoted = Promoted::of(&mut project, &directory, texts, goal, *skips_beta, now)?;
    let (mut edits, mut notes) = (Vec::new(), promoted.promotion.notes.clone());
    if let Some(ReviewText { path, before, text, .. }) = &promoted.promotion.review {
        // One that the page does not have is a new file, also where the facts have it.
        let given = engine.held()?.files.file(Path::new(path)).filter(|_| before.is_some());
        edits.extend(replaced(path, given.map_or("", |file| &file.text), text));
        // Without facts, nobody knows whether the repository has the file.
        if before.is_none() && engine.known.is_none() {
            let name = brief(path);
            notes.push(format!("the PRR file is a new one: if the repository has `{name}`, add the stage to that"));
        }
    }
    edits.extend(promoted.fixed.changes().flat_map(replacements));
    Ok(json!({ "edits": edits, "changes": promoted.promotion.changes, "notes": notes }))
}

fn replacements((before, after): (&SourceFile, &SourceFile)) -> Vec<Value> {
    replaced(&before.path, &before.text, &after.text)
}

/// The edits that make `after` of `before`, the text of the file at this path.
fn replaced(path: &str, before: &str, after: &str) -> Vec<Value> {
    between(FileId(0), before, after).iter().map(|it| edit(path, it)).collect()
}

/// The KEP of the page, and its project with the options by which its README is changed.
fn prepared(engine: &Engine, release: Option<Release>) -> Result<(Project, KepDirectory, Texts), Failure> {
    let held = engine.held()?;
    let mut terms = held.project.terms.clone();
    prepare(&mut terms.options);
    terms.options.stage = None;
    terms.options.release = release.or(terms.options.release);
    let project = engine.open(&held.place, held.files.clone(), terms);
    let directory = held.place.kep(&project)?.clone();
    let texts = read_kep(&directory).texts;
    Ok((project, directory, texts))
}

pub fn upgrade(engine: &Engine, stage: Option<&str>, only_required: bool) -> Answer {
    let stage = ask::stage(stage)?;
    let (project, directory, texts) = prepared(engine, None)?;
    let (repository, templates) = (project.repositories.of(&directory), project.templates());
    let (template, options) = (templates.for_keps_of(repository), &project.terms.options);
    let upgraded = Upgraded::of(&texts, template, repository, options, Extent { stage, only_required })?;
    let edits: Vec<Value> = upgraded.fixed.changes().flat_map(replacements).collect();
    Ok(json!({ "edits": edits, "notes": upgraded.lines }))
}
