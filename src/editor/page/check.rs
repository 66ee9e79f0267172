//! `check`: the findings in a KEP, as `kep-lint` reports them for the same files.

use super::absent::Absent;
use super::ask::{self, read};
use super::engine::{Answer, Engine};
use super::finding;
use super::held::{self, Held, Opening};
use super::place::{Files, METADATA, OF_GROUPS, Place, README, REVIEW};
use crate::bounds;
use crate::diagnostic::{Failure, Severity, brief};
use crate::kep::field::Field;
use crate::kep::filter::Filter;
use crate::kep::metadata::Metadata;
use crate::lint::Options;
use crate::lint::about::About;
use crate::lint::ignoring::IgnoreComments;
use crate::report::look::{self, Look};
use crate::report::relaxed::{Counts, Said, of_check};
use crate::report::{Summary, printable};
use crate::rules::preset::Preset;
use crate::rules::select::{Selection, UnknownName};
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::Release;
use crate::workspace::config_file::{self, ConfigFile, Wanted};
use crate::workspace::failure::too_large;
use crate::workspace::files::Source;
use crate::workspace::files::memory::Memory;
use crate::workspace::project::Choice;
use crate::workspace::terms::Terms;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name that the configuration of a page has.
const CONFIG: &str = ".kep-lint.yaml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfKep {
    kep: Files,
    #[serde(default)]
    settings: Settings,
}

/// What the options of `kep-lint` say; nothing is as if it were not there.
#[derive(Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    pub stage: Option<String>,
    pub release: Option<String>,
    pub preset: Option<String>,
    pub level: Option<String>,
    /// The rules to run, if not all.
    pub select: Option<Vec<String>>,
    pub config: Option<String>,
}

pub fn answer(engine: &mut Engine, fields: Value) -> Answer {
    let OfKep { kep, settings } = read(fields)?;
    // Nothing is said of another KEP while this one cannot be checked.
    let earlier = engine.held.take();
    let held = checked(engine, earlier.as_ref(), kep, &settings)?;
    let answer = shown(&held);
    engine.held = Some(held);
    Ok(answer)
}

/// Checks the files. The templates that were parsed for the `earlier` check are not parsed again.
pub fn checked(engine: &Engine, earlier: Option<&Held>, kep: Files, settings: &Settings) -> Result<Held, Failure> {
    if kep.readme.is_none() && kep.metadata.is_none() {
        let failure = Failure::new("there is neither a README nor a kep.yaml");
        return Err(failure.help("give the text of one of them"));
    }
    let place = Place::of(&kep)?;
    let facts = engine.known.as_ref().map(|known| Arc::clone(&known.facts));
    // Whoever asks for some rules wants what these say.
    let absent = if settings.select.as_ref().is_some_and(|rules| !rules.is_empty()) {
        Absent::default()
    } else {
        Absent::of(&kep, &place, settings.stage.as_deref(), facts.as_deref())
    };
    let metadata = kep.metadata.clone();
    let (memory, files) = memory(&place, kep)?;
    let mut config = config(settings)?;
    let Checking { terms, level, said } = Checking::of(engine, settings, config.as_ref())?;
    let opening = Opening { memory, facts, directory: place.directory.clone() };
    let mut project = opening.open(terms);
    if let Some(earlier) = earlier.filter(|held| held.opening.has_facts_of(&opening)) {
        project.take_templates(&earlier.project);
    }
    if config.is_some() {
        // Whoever gives a KEP wants it checked, also if others leave it out.
        let filter = &Filter::default();
        project.choose(Choice { config: config.as_mut(), knows_sigs: true, has_excluded: true, filter })?;
    }
    if !project.keps.iter().any(|found| found.shown == place.directory) {
        let failure = Failure::new(format!("no KEP can be in the directory `{}`", brief(&place.directory)));
        return Err(failure.help("name one such as `keps/sig-node/1-images`, or none"));
    }
    if absent.review {
        for (_, repository) in project.repositories.trees() {
            repository.reviews = None;
        }
    }
    let mut run = project.check(None);
    let lacks = absent.leave_out(&mut run, metadata.as_deref());
    let of_repository = engine.known.as_ref().and_then(|known| known.facts.written().configuration.as_ref());
    let path = config.as_ref().map(|file| file.path.as_str()).or(of_repository.map(|known| known.file.path.as_str()));
    if let Some(path) = path {
        run.conditions.relaxed = of_check(path, &project.terms.options.config, said, Counts::of(&run, 0));
    }
    Ok(Held { project, opening, run, level, place, files, absent, lacks })
}

/// The files of a page in a repository, and the same by their paths with their roles.
type InMemory = (Memory, BTreeMap<String, (String, Arc<SourceFile>)>);

fn memory(place: &Place, kep: Files) -> Result<InMemory, Failure> {
    let Files { readme, metadata, review, others, .. } = kep;
    let with_pane = held::roles(place).into_iter().zip([readme, metadata, review]);
    let with_pane = with_pane.filter_map(|((role, path), text)| Some((role.to_owned(), path, text?)));
    let mut all: Vec<(String, String, String)> = with_pane.collect();
    for (role, text) in others {
        if [README, METADATA, REVIEW].contains(&role.as_str()) {
            return Err(Failure::new(format!("`{role}` is the role of another file")));
        }
        let path = place.other(&role)?;
        all.push((role, path, text));
    }
    let (mut memory, mut files) = (Memory::default(), BTreeMap::new());
    if place.is_guess {
        memory.insert(OF_GROUPS, Vec::new());
    }
    let total: u64 = all.iter().map(|(_, _, text)| text.len() as u64).sum();
    if total > bounds::KEP_BYTES {
        return Err(too_large(Path::new(&place.directory), total, bounds::KEP_BYTES));
    }
    for (role, path, text) in all {
        if text.len() as u64 > bounds::FILE_BYTES {
            // A directory that is guessed is nobody's.
            let own = path.strip_prefix(&format!("{}/", place.directory)).filter(|_| place.is_guess);
            return Err(too_large(Path::new(own.unwrap_or(&path)), text.len() as u64, bounds::FILE_BYTES));
        }
        if files.contains_key(&path) {
            return Err(Failure::new(format!("`{}` is given twice", brief(&path))));
        }
        memory.insert(&path, text.into_bytes());
        if let Some(file) = memory.file(Path::new(&path)) {
            files.insert(path, (role, Arc::clone(file)));
        }
    }
    Ok((memory, files))
}

/// The configuration. It is refused as a whole if something is wrong with it.
fn config(settings: &Settings) -> Result<Option<ConfigFile>, Failure> {
    let Some(text) = settings.config.as_ref().filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    let mut memory = Memory::default();
    memory.insert(CONFIG, text.as_bytes().to_vec());
    let source: Source = Arc::new(memory.into());
    let refused = |failures: Vec<Failure>| {
        let first = failures.into_iter().next();
        first.unwrap_or_else(|| Failure::new("the configuration cannot be read"))
    };
    let wanted = Wanted::Named(PathBuf::from(CONFIG));
    let config = config_file::find(&[], &wanted, &|_| Arc::clone(&source)).map_err(refused)?;
    if let Some(path) = config.as_ref().map(ConfigFile::template).transpose()?.flatten() {
        let failure = Failure::of("read", path, "a configuration has no other files here");
        return Err(failure.help("remove `template`"));
    }
    Ok(config)
}

/// How the KEP is checked and shown.
struct Checking {
    terms: Terms,
    level: Severity,
    said: Said,
}

impl Checking {
    /// What the settings say, else the configuration, which is that of the repository if the page has none
    /// of its own.
    fn of(engine: &Engine, settings: &Settings, config: Option<&ConfigFile>) -> Result<Self, Failure> {
        let mut terms = match config {
            Some(file) => {
                let mut terms = engine.own_terms();
                terms.options.config = file.config.clone();
                terms
            }
            None => engine.terms(),
        };
        let preset =
            ask::named("preset", settings.preset.as_deref(), &Preset::ALL.map(Preset::name), Preset::from_name)?;
        let configured = &terms.options.config;
        let selected = settings.select.as_deref().unwrap_or_default();
        let configured_level = configured.level.as_ref().filter(|_| selected.is_empty());
        let names = Severity::ALL.map(Severity::name);
        let level = ask::named("level", settings.level.as_deref(), &names, Severity::from_name)?;
        let shown = level.or(configured_level.map(|setting| setting.value)).unwrap_or(Severity::Advice);
        let used = preset.or(configured.preset.as_ref().map(|setting| setting.value)).unwrap_or_default();
        let selection = Selection::new(selected, &[]);
        terms.options.selection = selection.map_err(UnknownName::failure)?.with(used);
        terms.options.stage = ask::stage(settings.stage.as_deref())?;
        terms.options.release = ask::release(settings.release.as_deref())?;
        let has_release = terms.options.release.is_some();
        terms.options.ignores = IgnoreComments::of_run(used, has_release);
        let has_level = level.is_some() || !selected.is_empty();
        // A page fails for nothing.
        let said = Said { preset, has_fail_on: true, has_level, has_release, has_template: false };
        Ok(Self { terms, level: shown, said })
    }
}

fn shown(held: &Held) -> Value {
    let Held { run, place, .. } = held;
    let report = held.report();
    let look = Look { docs_base: look::book(), ..Look::default() };
    let findings = finding::all(held, &look);
    let target = report.and_then(|report| report.target);
    let release = target.and_then(|target| target.release).unwrap_or(run.meant.release);
    let failure = |Failure { message, help, .. }: &Failure| json!({ "message": printable(message), "help": help });
    json!({
        "place": {
            "directory": place.directory,
            "review": place.review,
            "paths": held.files.iter().map(|(path, (role, _))| (role, path)).collect::<BTreeMap<_, _>>(),
            "isGuess": place.is_guess,
        },
        "kep": report.and_then(|report| report.about.as_ref()).map(|about| kep(held, about)),
        "against": {
            "stage": target.and_then(|target| target.stage).map(|stage| stage.name()),
            "release": release.to_string(),
        },
        "findings": findings,
        "failures": run.failures.iter().map(failure).collect::<Vec<_>>(),
        "summary": printable(&Summary::line(run, 0)),
        "lacks": held.lacks,
        "conditions": run.conditions.lines().into_iter().chain(unread_review(held)).chain(early(held)).collect::<Vec<_>>(),
    })
}

/// Says that the release is not the one under development: what is asked of a KEP may then be less.
fn early(held: &Held) -> Option<String> {
    let chosen = held.project.terms.options.release?;
    let now = held
        .opening
        .facts
        .as_ref()
        .map_or(Release::CURRENT, |facts| Options::default().release_meant(Some(&facts.repository())).release);
    let words = "is chosen, so that this check may be less strict";
    (chosen != now).then(|| format!("{chosen} {words}: {now} is under development"))
}

/// Says that the PRR file was not read with the KEP, so that nobody takes it for checked.
fn unread_review(held: &Held) -> Option<String> {
    let path = &held.place.review;
    let is_read = held.report().is_some_and(|report| report.files.iter().any(|file| file.path == *path));
    let is_unread = held.files.contains_key(path) && !is_read;
    is_unread
        .then(|| "the PRR file is not checked: that needs a kep.yaml with `kep-number` and `owning-sig`".to_owned())
}

/// What its files say of a KEP.
fn kep(held: &Held, about: &About) -> Value {
    let About { number, title, status, sig, latest_milestone, .. } = about;
    let [_, (_, path), _] = held::roles(&held.place);
    let metadata = held.files.get(&path).map(|(_, file)| Metadata::parse(FileId(0), &file.text));
    let stage = metadata.as_ref().and_then(|metadata| metadata.stage.as_ref());
    json!({
        "title": title,
        // A directory that is guessed tells nothing.
        "number": number.as_ref().filter(|_| held.place.has_number()),
        "sig": if held.place.is_guess { about.owning_sig.as_ref() } else { sig.as_ref() },
        "status": status,
        "stage": stage.map(Field::shown),
        "milestone": latest_milestone,
    })
}
