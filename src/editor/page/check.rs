//! `check`: the findings in a KEP, as `kep-lint` reports them for the same files.

use super::absent::Absent;
use super::ask;
use super::engine::{Answer, Engine, Held};
use super::place::{Files, METADATA, OF_GROUPS, Place, README, REVIEW};
use crate::bounds;
use crate::diagnostic::{Diagnostic, Failure, Severity, brief};
use crate::editor::actions;
use crate::kep::filter::Filter;
use crate::kep::texts::Texts;
use crate::lint::ignoring::IgnoreComments;
use crate::lint::report::KepReport;
use crate::report::json::encoding::with;
use crate::report::look::{self, Look};
use crate::report::relaxed::{Counts, Said, of_check};
use crate::report::{Summary, in_order, json, printable};
use crate::rules::preset::Preset;
use crate::rules::select::Selection;
use crate::workspace::config_file::{self, ConfigFile, Wanted};
use crate::workspace::directory::KepDirectory;
use crate::workspace::failure::too_large;
use crate::workspace::files::{Source, memory::Memory};
use crate::workspace::kep_files;
use crate::workspace::project::{Choice, Terms};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const CONFIG: &str = ".kep-lint.yaml";

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

pub fn answer(engine: &mut Engine, kep: Files, settings: &Settings) -> Answer {
    // Nothing is said of another KEP while this one cannot be checked.
    let earlier = engine.held.take();
    let held = checked(engine, earlier.as_ref(), kep, settings)?;
    let answer = shown(engine, &held);
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
    let facts = engine.known.as_ref().map(|known| known.facts.as_ref());
    // Whoever asks for some rules wants what these say.
    let absent = if settings.select.as_ref().is_some_and(|rules| !rules.is_empty()) {
        Absent::default()
    } else {
        Absent::of(&kep, &place, settings.stage.as_deref(), facts)
    };
    let (files, paths) = files(&place, kep)?;
    let mut config = config(settings)?;
    let Checking { terms, level, said } = Checking::of(engine, settings, config.as_ref())?;
    let mut project = engine.open(&place, files.clone(), terms);
    if let Some(earlier) = earlier {
        project.take_templates(&earlier.project);
    }
    if config.is_some() {
        // Whoever gives a KEP wants it checked, also if others leave it out.
        let filter = &Filter::default();
        project.choose(Choice { config: config.as_mut(), knows_sigs: true, has_excluded: true, filter })?;
    }
    place.kep(&project)?;
    if absent.review {
        for (_, repository) in project.repositories.trees() {
            repository.reviews = None;
        }
    }
    let mut run = project.check();
    if let Some(mut failure) = run.failures.pop() {
        failure.message = place.without_guess(&failure.message);
        return Err(failure);
    }
    let lacks = absent.leave_out(&mut run);
    let of_repository = facts.and_then(|facts| facts.written.configuration.as_ref());
    let path = config.as_ref().map(|file| file.path.as_str()).or(of_repository.map(|known| known.file.path.as_str()));
    if let Some(path) = path {
        run.conditions.relaxed = of_check(path, &project.terms.options.config, said, Counts::of(&run, 0));
    }
    Ok(Held { project, files, run, level, place, paths, absent, lacks })
}

/// The files of a page in a repository, and their paths by their roles.
fn files(place: &Place, kep: Files) -> Result<(Memory, BTreeMap<String, String>), Failure> {
    let Files { readme, metadata, review, others, .. } = kep;
    let own = [(README, readme), (METADATA, metadata), (REVIEW, review)];
    let own = own.into_iter().map(|(role, text)| (role.to_owned(), text));
    let (mut files, mut paths) = (Memory::default(), BTreeMap::new());
    for (role, text) in own.chain(others.into_iter().map(|(role, text)| (role, Some(text)))) {
        let path = place.path(&role)?;
        if paths.contains_key(&role) || files.file(Path::new(&path)).is_some() {
            return Err(Failure::new(format!("`{}` is given twice", brief(&role))));
        }
        if let Some(text) = text {
            let size = text.len() as u64;
            if size > bounds::FILE_BYTES {
                return Err(too_large(Path::new(&place.without_guess(&path)), size, bounds::FILE_BYTES));
            }
            files.insert(&path, text.into_bytes());
        }
        paths.insert(role, path);
    }
    if place.is_guess {
        files.insert(OF_GROUPS, Vec::new());
    }
    Ok((files, paths))
}

/// The configuration. It is refused as a whole if something is wrong with it.
fn config(settings: &Settings) -> Result<Option<ConfigFile>, Failure> {
    let Some(text) = settings.config.as_ref().filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    let mut files = Memory::default();
    files.insert(CONFIG, text.as_bytes().to_vec());
    let source: Source = Arc::new(files.into());
    let unread = || Failure::new("the configuration cannot be read");
    let refused = |failures: Vec<Failure>| failures.into_iter().next().unwrap_or_else(unread);
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
        let mut terms = config.map_or_else(|| engine.terms(), |_| engine.own_terms());
        if let Some(file) = config {
            terms.options.config = file.config.clone();
        }
        let presets = Preset::ALL.map(Preset::name);
        let preset = ask::named("preset", settings.preset.as_deref(), &presets, Preset::from_name)?;
        let configured = &terms.options.config;
        let selected = settings.select.as_deref().unwrap_or_default();
        let configured_level = configured.level.as_ref().filter(|_| selected.is_empty());
        let levels = Severity::ALL.map(Severity::name);
        let level = ask::named("level", settings.level.as_deref(), &levels, Severity::from_name)?;
        let shown = level.or(configured_level.map(|setting| setting.value)).unwrap_or(Severity::Advice);
        let used = preset.or(configured.preset.as_ref().map(|setting| setting.value)).unwrap_or_default();
        terms.options.selection = Selection::new(selected, &[])?.with(used);
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

fn shown(engine: &Engine, held: &Held) -> Value {
    let Held { project, run, place, .. } = held;
    let directory = place.kep(project).ok();
    let texts = directory.map(|directory| kep_files::read_kep(directory).texts);
    let look = Look { docs_base: look::book(), ..Look::default() };
    let findings = in_order(run).into_iter().filter(|(_, finding)| finding.severity >= held.level);
    let findings = findings.map(|(report, it)| finding(report, it, texts.as_ref(), &look));
    let conditions = run.conditions.lines().into_iter().chain(unread_review(held)).chain(early(engine, held));
    json!({
        "place": { "directory": place.directory, "paths": held.paths, "isKnown": place.has_number },
        "kep": held.report().and_then(|report| about(held, directory?, report)),
        "findings": findings.collect::<Vec<_>>(),
        "summary": printable(&Summary::line(run, 0)),
        "lacks": held.lacks,
        "conditions": conditions.collect::<Vec<_>>(),
    })
}

/// What a KEP is, and what it is checked for.
fn about(held: &Held, directory: &KepDirectory, report: &KepReport) -> Option<Value> {
    let (about, target) = (report.about.as_ref()?, report.target?);
    let written = kep_files::metadata(directory).and_then(|metadata| metadata.stage);
    let stage = written.map(|stage| stage.shown().into_owned());
    let milestone = about.latest_milestone.as_ref().map(|release| format!("latest milestone {release}"));
    let is = [&about.owning_sig, &about.status, &stage, &milestone].into_iter().flatten().map(String::as_str);
    let release = target.release.unwrap_or(held.run.meant.release);
    let checked = match target.stage.filter(|_| !held.absent.target) {
        Some(asked) => format!("Checked for {asked} in {release}"),
        None => format!("Checked for {release}"),
    };
    // Another one than that of the whole check has its reason.
    let origin = match target.given_release() {
        _ if release == held.run.meant.release => "",
        Some(_) => " (when it can reach that stage)",
        None => " (from kep.yaml)",
    };
    let place = if held.place.is_guess { String::new() } else { format!(", as {}", held.place.directory) };
    Some(json!({
        "title": about.title,
        // A directory that is guessed tells nothing.
        "number": about.number.as_ref().filter(|_| held.place.has_number),
        "stage": stage,
        "lines": [is.collect::<Vec<_>>().join(" · "), checked + origin + &place],
    }))
}

/// A finding as in the report for programs, with what can be done about it, and its page in the book.
fn finding(report: &KepReport, it: &Diagnostic, own: Option<&Texts>, look: &Look) -> Value {
    // Files that are not the KEP's own are not changed.
    let own = own.filter(|texts| report.kep.as_ref() == Some(&texts.directory));
    let remedies = own.map(|texts| actions::remedies(texts, it)).unwrap_or_default();
    let remedies = remedies.into_iter().map(|remedy| json!({ "kind": remedy.name(), "title": remedy.title(it) }));
    let finding = with(json!(json::Finding(report, it)), "remedies", remedies.collect());
    with(finding, "url", json!(look.rule_url(it.rule)))
}

/// Says that the release is not the one under development: what is asked of a KEP may then be less.
fn early(engine: &Engine, held: &Held) -> Option<String> {
    let (chosen, now) = (held.project.terms.options.release?, engine.release());
    let words = "is chosen, so that this check may be less strict";
    (chosen != now).then(|| format!("{chosen} {words}: {now} is under development"))
}

/// Says that the PRR file was not read with the KEP, so that nobody takes it for checked.
fn unread_review(held: &Held) -> Option<String> {
    let path = held.paths.get(REVIEW)?;
    let is_read = held.report().is_some_and(|report| report.files.iter().any(|file| file.path == *path));
    let words = "the PRR file is not checked: that needs a kep.yaml with `kep-number` and `owning-sig`";
    (held.files.file(Path::new(path)).is_some() && !is_read).then(|| words.to_owned())
}
