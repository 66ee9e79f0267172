//! `new`, `promote` and `upgrade`: the files of a new KEP, and what the others change.

use super::ask::{self, read};
use super::engine::{Answer, Engine};
use super::held::Held;
use super::place::{Files, REVIEW};
use super::text;
use crate::authoring::draft::{self, Proposal};
use crate::authoring::group;
use crate::authoring::promotion::Goal;
use crate::authoring::upgrade::{Extent, Upgraded};
use crate::diagnostic::{Failure, brief};
use crate::editor::edits::{between, of_fixed};
use crate::editor::promote::{Changed, Promoted, Wanted, prepare};
use crate::editor::{naming, tree};
use crate::kep::texts::Texts;
use crate::ready::calendar::on_day;
use crate::report::printable;
use crate::stage::Release;
use crate::template::Template;
use crate::workspace::directory::KepDirectory;
use crate::workspace::kep_files::{KepTexts, read_kep};
use crate::workspace::paths::shown;
use crate::workspace::project::Project;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfNew {
    number: String,
    title: String,
    sig: Option<String>,
    #[serde(default)]
    authors: Vec<String>,
    release: Option<String>,
    today: String,
}

pub fn new(engine: &mut Engine, fields: Value) -> Answer {
    let OfNew { number, title, sig, authors, release, today } = read(fields)?;
    let (today, release) = (ask::day(&today)?, ask::release(release.as_deref())?);
    let repository = engine.repository();
    let mut options = engine.terms().options;
    options.release = release.or(options.release);
    let own = repository.template.clone().map(Template::of_repository);
    let template = own.unwrap_or_else(|| engine.terms().template);
    let sig = match ask::given(sig.as_deref()) {
        Some(word) if repository.has_groups => Some(group::named(word, &repository)?),
        None if repository.has_groups => {
            return Err(Failure::new("the SIG is missing").help("name the SIG that owns the KEP"));
        }
        Some(_) => return Err(Failure::new("KEPs of this repository belong to no SIG").help("leave out the SIG")),
        None => None,
    };
    let number = naming::number(number.trim())?;
    let mut known = tree::directories(&repository);
    if let Some(path) = known.find(|path| tree::number_of(path) == Some(&number)) {
        let failure = Failure::new(format!("KEP {number} exists: `{}`", brief(path)));
        return Err(failure.help("use the number of the KEP's own tracking issue"));
    }
    let title = naming::title(&title, &number, &template)?;
    let name = naming::directory(&number, &title)?;
    let handle = |text: &String| {
        let wrong = || Failure::new(format!("`{}` is no GitHub handle", brief(text)));
        naming::handle(text).ok_or_else(wrong)
    };
    let authors = authors.iter().map(handle).collect::<Result<Vec<_>, _>>()?;
    let meant = options.release_written(&repository, None, None, on_day(today.into()))?;
    let proposal = Proposal {
        number: &number,
        title: &title,
        sig: sig.as_deref(),
        authors: &authors,
        date: today,
        release: meant.release,
    };
    let written = draft::files(&template, None, &proposal, &name)?;
    let directory = sig.as_ref().map_or_else(|| format!("keps/{name}"), |sig| format!("keps/{sig}/{name}"));
    let mut kep =
        Files { directory: Some(directory), readme: None, metadata: None, review: None, others: BTreeMap::new() };
    for (path, text) in written {
        match path.rsplit('/').next() {
            Some("README.md") => kep.readme = Some(text),
            Some("kep.yaml") => kep.metadata = Some(text),
            _ => kep.review = Some(text),
        }
    }
    Ok(json!({ "kep": kep, "notes": meant.plan().into_iter().collect::<Vec<_>>() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfPromotion {
    goal: String,
    release: Option<String>,
    #[serde(default, rename = "skipBeta")]
    skips_beta: bool,
    today: String,
}

pub fn promote(engine: &mut Engine, fields: Value) -> Answer {
    let OfPromotion { goal, release, skips_beta, today } = read(fields)?;
    let (today, release) = (ask::day(&today)?, ask::release(release.as_deref())?);
    let unknown = || Failure::new(format!("unknown stage `{}`", brief(&goal)));
    let goal = Goal::from_word(&goal).ok_or_else(unknown)?;
    let held = engine.held()?;
    let (mut project, directory, texts) = prepared(held, release)?;
    let promoted = Promoted::of(&mut project, &directory, texts, Wanted { goal, skips_beta, now: today.into() })?;
    let edits = held.ask(|view| {
        let edits = promoted.changed().into_iter().flat_map(|changed| match changed {
            Changed::Own { file, before, after } => held.edits(view, &between(file, &before.text, after)),
            Changed::Review { path, before, after } => vec![of_review(held, &shown(&path), before.is_some(), after)],
        });
        Ok(edits.collect::<Vec<_>>())
    })?;
    let mut notes: Vec<String> = promoted.promotion.notes.iter().map(|note| printable(note)).collect();
    let new = promoted.changed().into_iter().find_map(|changed| match changed {
        Changed::Review { path, before: None, .. } => Some(shown(&path)),
        _ => None,
    });
    // Without facts, nobody knows whether the repository has the file.
    if let Some(path) = new.filter(|_| engine.known.is_none()) {
        notes.push(format!(
            "the PRR file is a new one: if the repository has `{}`, add the stage to that",
            brief(&path)
        ));
    }
    Ok(json!({
        "edits": edits,
        "changes": promoted.promotion.changes,
        "notes": notes,
    }))
}

/// The KEP of the page, and its project with the options by which its README is changed.
fn prepared(held: &Held, release: Option<Release>) -> Result<(Project, KepDirectory, Texts), Failure> {
    let mut terms = held.project.terms.clone();
    prepare(&mut terms.options);
    terms.options.stage = None;
    terms.options.release = release.or(terms.options.release);
    let project = held.opened(terms);
    let directory = project.keps.iter().find(|kep| kep.shown == held.place.directory).cloned();
    let directory = directory.ok_or_else(|| Failure::new("the KEP is not there any more"))?;
    let KepTexts { texts, failures, .. } = read_kep(&directory);
    match failures.into_iter().next() {
        Some(failure) => Err(failure),
        None => Ok((project, directory, texts)),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfUpgrade {
    stage: Option<String>,
    #[serde(default, rename = "onlyRequired")]
    only_required: bool,
}

pub fn upgrade(engine: &mut Engine, fields: Value) -> Answer {
    let OfUpgrade { stage, only_required } = read(fields)?;
    let stage = ask::stage(stage.as_deref())?;
    let held = engine.held()?;
    let (project, directory, texts) = prepared(held, None)?;
    let (repository, templates) = (project.repositories.of(&directory), project.templates());
    let (template, options) = (templates.for_keps_of(repository), &project.terms.options);
    let upgraded = Upgraded::of(&texts, template, repository, options, Extent { stage, only_required })?;
    let edits = held.ask(|view| Ok(held.edits(view, &of_fixed(&upgraded.fixed))))?;
    let notes: Vec<String> = upgraded.lines.iter().map(|line| printable(line)).collect();
    Ok(json!({ "edits": edits, "notes": notes }))
}

/// The edit of a PRR file. One that the page does not have is a new file, also where the facts have it.
fn of_review(held: &Held, path: &str, is_known: bool, after: &str) -> Value {
    let given = held.files.get(path).filter(|_| is_known);
    let end = given.map_or(0, |(_, file)| text::count(&file.text));
    let role = if path == held.place.review { REVIEW } else { held.role(path) };
    json!({ "role": role, "from": 0, "to": end, "text": after })
}
