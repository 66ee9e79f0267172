//! What a change does to each KEP, for the first lines of reports; what is asked is what `ready` says.

use super::Narrowed;
use super::changed::{Changed, FileDiff};
use crate::bounds;
use crate::kep::Kep;
use crate::kep::directory::PROD_READINESS;
use crate::kep::metadata::Metadata;
use crate::lint::changes::{ChangedChapter, ChangedKep, ChangedValue, OpenSections};
use crate::lint::panics::caught;
use crate::markdown::Document;
use crate::ready::approval::Role;
use crate::ready::case::Proposed;
use crate::stage::{Stage, Status};
use crate::workspace::directory::KepDirectory;
use crate::workspace::files::Source;
use crate::workspace::kep_files::{self, read_kep};
use crate::workspace::paths::RealPath;
use crate::workspace::pool::each;
use crate::workspace::project::Project;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

type Value = fn(&Metadata) -> Option<&str>;

/// The values that reviewers ask for, in the order in which they are told.
const VALUES: [(&str, Value); 7] = [
    ("status", |data| data.status.as_ref().map(|field| field.text.as_str())),
    ("stage", |data| data.stage.as_ref().map(|field| field.text.as_str())),
    ("latest-milestone", |data| data.latest_milestone.as_ref().map(|field| field.text.as_str())),
    ("owning-sig", |data| data.owning_sig.as_ref().map(|field| field.text.as_str())),
    ("milestone.alpha", |data| milestone(data, Stage::Alpha)),
    ("milestone.beta", |data| milestone(data, Stage::Beta)),
    ("milestone.stable", |data| milestone(data, Stage::Stable)),
];

fn milestone(data: &Metadata, stage: Stage) -> Option<&str> {
    data.milestone_of(stage).map(|field| field.text.as_str())
}

/// The files whose lines are compared, those with text that is read; none of a change with too many.
pub fn compared(changed: &Changed) -> Vec<PathBuf> {
    let is_read = |path: &&PathBuf| path.extension().is_some_and(|end| end == "md" || end == "yaml");
    let paths: Vec<PathBuf> = changed.touched.iter().filter(is_read).cloned().collect();
    if paths.len() > bounds::COMPARED_FILES { Vec::new() } else { paths }
}

impl Narrowed<'_> {
    /// What the change does to each KEP that it touches, if there is something to say; those whose
    /// stage, status or milestone it changes come first.
    pub fn told(&self, project: &Project, diff: &BTreeMap<PathBuf, FileDiff>) -> Vec<ChangedKep> {
        let is_touched = |kep: &&KepDirectory| self.selection.touched.contains(&kep.real);
        let keps: Vec<&KepDirectory> = self.selection.keps.iter().filter(is_touched).collect();
        // What cannot be read is said where it is checked.
        let tell = |kep: &&KepDirectory| {
            let told = || self.told_of(kep, project, diff);
            caught("compare", &kep.shown, told).ok()
        };
        let mut told: Vec<ChangedKep> = each(&keps, tell).into_iter().flatten().collect();
        told.extend(self.removed());
        told.retain(ChangedKep::is_told);
        told.sort_by_key(|kep| kep.values.is_empty() && kep.kep.is_some());
        told
    }

    /// The KEPs of the base whose README and kep.yaml are gone, and that are nowhere else now.
    fn removed(&self) -> Vec<ChangedKep> {
        let known: HashSet<&RealPath> =
            self.selection.keps.iter().filter_map(|kep| Some(&self.base.before(kep)?.real)).collect();
        let removed = self.base.keps.values().filter(|kep| !known.contains(&kep.real) && self.base.is_gone(kep));
        removed.map(|kep| ChangedKep { name: name(kep), ..ChangedKep::default() }).collect()
    }

    fn told_of(&self, kep: &KepDirectory, project: &Project, diff: &BTreeMap<PathBuf, FileDiff>) -> ChangedKep {
        let before = self.base.before(kep);
        let now = Kep::parse(read_kep(kep).texts);
        let mut told = ChangedKep {
            kep: Some(kep.shown.clone()),
            name: name(kep),
            is_new: before.is_none(),
            ..Default::default()
        };
        let old = before.and_then(kep_files::metadata);
        let text =
            |data: Option<&Metadata>, value: Value| Some(value(data?)?.trim().to_owned()).filter(|it| !it.is_empty());
        for (key, value) in VALUES {
            let (earlier, today) = (text(old.as_ref(), value), text(now.metadata.as_ref(), value));
            // A milestone of a new KEP, or that moves with `latest-milestone`, says nothing more.
            let is_said = |said: &ChangedValue| {
                said.key == "latest-milestone" && said.after == today && (earlier.is_none() || said.before == earlier)
            };
            let is_more = !key.starts_with("milestone.") || (!told.is_new && !told.values.iter().any(is_said));
            if earlier != today && is_more {
                told.values.push(ChangedValue { key, before: earlier, after: today });
            }
        }
        told.chapters = self.chapters(kep, before, now.readme.as_ref(), diff);
        let proposed = proposed(kep, &now, &self.base.files).unwrap_or_default();
        let status = now.metadata.as_ref().and_then(Metadata::status);
        let checklist = project.judge(kep, now, Some(&proposed));
        let asked = checklist.approver.filter(|approver| approver.role == Role::Asked);
        told.asks = asked.map(|approver| approver.name);
        if status == Some(Status::Implementable) && checklist.open_sections > 0 {
            told.open = Some(OpenSections { open: checklist.open_sections, required: checklist.required });
        }
        told
    }

    /// How many lines of the README differ in each of its chapters. Of a new KEP, all do; of a file that git calls binary,
    /// nobody knows.
    fn chapters(
        &self,
        kep: &KepDirectory,
        before: Option<&KepDirectory>,
        now: Option<&Document>,
        diff: &BTreeMap<PathBuf, FileDiff>,
    ) -> Vec<ChangedChapter> {
        let root = self.scope.comparison.git.root();
        let place = kep.files.readme.as_ref().map(|file| kep.place_of(file));
        let way = place.as_ref().and_then(|place| place.strip_prefix(root).ok());
        let Some(((before, now), lines)) = before.zip(now).zip(way.and_then(|way| diff.get(way))) else {
            return Vec::new();
        };
        if *lines == FileDiff::default() {
            return vec![ChangedChapter::default()];
        }
        let mut counts: BTreeMap<Option<String>, ChangedChapter> = BTreeMap::new();
        for title in titles(now, front_lines(kep), &lines.added) {
            counts.entry(title).or_default().added += 1;
        }
        if !lines.removed.is_empty()
            && let Some(old) = Kep::parse(read_kep(before).texts).readme
        {
            for title in titles(&old, front_lines(before), &lines.removed) {
                counts.entry(title).or_default().removed += 1;
            }
        }
        let chapters = counts.into_iter().map(|(title, chapter)| ChangedChapter { title, ..chapter });
        let mut chapters: Vec<ChangedChapter> = chapters.collect();
        chapters.sort_by_key(|chapter| Reverse(chapter.added + chapter.removed));
        chapters
    }
}

/// The number of a KEP, or else the name of its directory.
fn name(kep: &KepDirectory) -> String {
    kep.number().unwrap_or_else(|| kep.name.clone())
}

/// What a change of a KEP proposes: whom the PRR file of the `base` does not name.
pub fn proposed(directory: &KepDirectory, kep: &Kep, base: &Source) -> Option<Proposed> {
    let (tree, _) = directory.tree()?;
    let metadata = kep.metadata.as_ref()?;
    let (sig, number) = (metadata.owning_sig.as_ref()?, metadata.number.as_ref()?);
    let path = tree.join(PROD_READINESS).join(&sig.text).join(format!("{}.yaml", number.text));
    Some(Proposed::after(&base.read(&path, bounds::FILE_BYTES).ok()?.file.text))
}

/// How many lines its front matter has, whose values are told.
fn front_lines(kep: &KepDirectory) -> usize {
    let front = kep.metadata().filter(|_| kep.source.layout().has_front_matter());
    front.and_then(Result::ok).map_or(0, |front| front.file.text.lines().count())
}

/// The heading of the chapter that each of these lines is in, but for the first ones of the document.
fn titles(document: &Document, first: usize, lines: &[usize]) -> Vec<Option<String>> {
    let Document { sections, source, .. } = document;
    let title_of = |line: &usize| {
        let place = source.lines().line_range(line.saturating_sub(1), &source.text);
        let section = sections.at(place.start)?;
        let chapter = sections.ancestors(section).last().unwrap_or(section);
        (Some(chapter) != sections.title()).then(|| sections.get(chapter).title.text.clone())
    };
    lines.iter().filter(|line| **line > first).map(title_of).collect()
}
