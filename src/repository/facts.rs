//! What is known of a repository of KEPs, as one file: `kep-lint facts` writes it, and a program that has no
//! other files of the repository, such as a page in a browser, reads it to check one KEP as it is checked
//! there.
//!
//! The file has what was read of each KEP, and not what follows from all of them: numbers, feature gates and
//! the release under development are found again, so that a KEP that is being edited can be left out, and
//! counted as it is now.

use super::paths::{Paths, by_parts};
use super::vocabulary::Vocabulary;
use super::{Aliases, Repository, ReviewFile, people};
use crate::bounds;
use crate::diagnostic::{Failure, brief};
use crate::kep::brief::Brief;
use crate::kep::directory::PROD_READINESS;
use crate::kep::layout::TREE;
use crate::kep::number;
use crate::source::SourceFile;
use crate::stage::Release;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::once;
use std::path::Path;
use std::sync::Arc;

const VERSION: u32 = 2;

const WRITE: &str = "name a file that `kep-lint facts` wrote";

/// The key that says that a file has facts.
#[derive(Deserialize)]
struct Header {
    #[serde(rename = "kep-lint-facts")]
    version: u32,
    #[serde(rename = "kep-lint", default)]
    written_by: String,
}

/// What the file has. All paths in it are from `keps` on, where nothing else is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Written {
    /// The version of this format. It changes if a program that reads it may have to change.
    #[serde(rename = "kep-lint-facts")]
    pub version: u32,
    #[serde(rename = "kep-lint")]
    pub written_by: String,
    /// Whether KEPs belong to SIGs; see [`Repository::has_groups`].
    pub has_groups: bool,
    pub groups: BTreeSet<String>,
    pub approvers: BTreeSet<String>,
    pub emeritus: BTreeSet<String>,
    pub tech_leads: BTreeSet<String>,
    pub leads: BTreeMap<String, BTreeSet<String>>,
    /// The KEPs by their directories.
    pub keps: BTreeMap<String, KnownKep>,
    /// All files and directories.
    pub paths: Vec<String>,
    /// The PRR files: their texts by their names, by the names of SIGs.
    pub reviews: BTreeMap<String, BTreeMap<String, String>>,
    /// The PRR files that could not be read, as `<sig>/<name>`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unreadable_reviews: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub without_toc: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Text>,
    #[serde(default, skip_serializing_if = "Vocabulary::is_empty")]
    pub vocabulary: Vocabulary,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Configuration>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct KnownKep {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub status: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stage: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub milestone: String,
    /// `owning-sig`, if it is not the directory that the KEP is in.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub owning_sig: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub superseded_by: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<String>,
    /// Whether it is worked on; see [`Brief::is_open`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    pub path: String,
    pub text: String,
}

impl Text {
    pub fn of(file: &SourceFile) -> Self {
        Self { path: file.path.clone(), text: file.text.clone() }
    }

    pub fn file(&self) -> Arc<SourceFile> {
        Arc::new(SourceFile::decode(self.path.as_str(), self.text.clone().into_bytes()))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Configuration {
    pub file: Text,
    /// The path of `keps` from the directory of the file on; empty if that is `keps` itself.
    pub tree: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Text>,
    /// The list of feature gates that it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gates: Option<Text>,
}

impl Written {
    pub fn new() -> Self {
        Self { version: VERSION, written_by: env!("CARGO_PKG_VERSION").to_owned(), ..Self::default() }
    }

    /// Fails if a part is longer than what it is read from may be.
    fn keeps_limits(&self) -> Result<(), String> {
        let letters = |names: &BTreeSet<String>| names.iter().map(String::len).sum::<usize>();
        let people = [&self.approvers, &self.emeritus, &self.tech_leads].into_iter().chain(self.leads.values());
        let review = self.reviews.values().flat_map(BTreeMap::values).map(String::len).max().unwrap_or_default();
        let template = self.template.as_ref().map(|template| template.text.len()).unwrap_or_default();
        for (name, length, most) in [
            ("the list of groups", letters(&self.groups), bounds::LIST_BYTES),
            ("the list of approvers and leads", people.map(letters).sum(), bounds::LIST_BYTES),
            ("a PRR file", review, bounds::LIST_BYTES),
            ("the template", template, bounds::FILE_BYTES),
        ] {
            if length as u64 > most {
                return Err(format!("{name} in it has more than {}", bounds::size(most)));
            }
        }
        Ok(())
    }
}

impl KnownKep {
    /// What counts of it, beside other KEPs.
    pub fn brief(&self) -> Brief {
        let milestone = Release::parse(&self.milestone);
        Brief { milestone, gates: self.gates.clone(), is_open: self.is_open, ..Brief::default() }
    }
}

#[derive(Clone, Debug)]
pub struct Facts {
    pub written: Written,
    paths: Arc<[String]>,
    template: Option<Arc<SourceFile>>,
}

/// What files in memory say of a repository, in the place of what the facts say of the same KEPs.
#[derive(Clone, Debug, Default)]
pub struct Own {
    /// What was read of each kep.yaml, by the paths of the KEPs' directories.
    pub keps: BTreeMap<String, Brief>,
    /// The paths of the files and of their directories.
    pub paths: BTreeSet<String>,
    pub reviews: Vec<ReviewFile>,
    /// The numbers whose PRR files are asked for, without leading zeros.
    pub numbers: BTreeSet<String>,
    /// Whether they are where KEPs belong to SIGs.
    pub has_groups: bool,
}

impl Facts {
    pub fn are_in(file: &SourceFile) -> bool {
        serde_json::from_slice::<Header>(file.text.as_bytes()).is_ok()
    }

    /// Reads the file. What is wrong with it is named, whatever it is.
    pub fn parse(file: &SourceFile) -> Result<Self, Failure> {
        let wrong = |reason: &str| Failure::of("read", &file.path, reason);
        if file.invalid_utf8.is_some() {
            return Err(wrong("it is not UTF-8").help(WRITE));
        }
        if file.text.len() as u64 > bounds::FACTS_BYTES {
            return Err(wrong(&format!("it has more than {}", bounds::size(bounds::FACTS_BYTES))).help(WRITE));
        }
        let not_read = |error: serde_json::Error| wrong(&brief(&error.to_string())).help(WRITE);
        let Header { version, written_by } = serde_json::from_slice(file.text.as_bytes()).map_err(not_read)?;
        if version != VERSION {
            let by = if version > VERSION { "a newer" } else { "another" };
            let reason = format!(
                "it was made by {by} kep-lint ({}): version {version} of facts is unknown, this kep-lint ({}) knows {VERSION}",
                brief(&written_by),
                env!("CARGO_PKG_VERSION"),
            );
            return Err(wrong(&reason).help("write it again with `kep-lint facts` of the kep-lint that reads it"));
        }
        let written = serde_json::from_slice(file.text.as_bytes()).map_err(not_read)?;
        Self::of(written).map_err(|reason| wrong(&reason).help(WRITE))
    }

    /// The facts of a file with these. Fails, with what is wrong, for paths that are none.
    pub fn of(written: Written) -> Result<Self, String> {
        written.keeps_limits()?;
        if let Some(wrong) = written.keps.keys().chain(&written.paths).find(|path| !is_way(path)) {
            return Err(format!("`{}` is no path", brief(wrong)));
        }
        for (sig, name) in written.reviews.iter().flat_map(|(sig, files)| files.keys().map(move |name| (sig, name))) {
            if name.contains('/') || !is_way(name) || !(sig.is_empty() || is_way(sig)) {
                return Err(format!("`{}` in `{}` is no PRR file", brief(name), brief(sig)));
            }
        }
        let mut paths: Vec<String> = written.keps.keys().chain(&written.paths).cloned().collect();
        put_in_order(&mut paths);
        let template = written.template.as_ref().map(Text::file);
        Ok(Self { written, paths: paths.into(), template })
    }

    pub fn repository(&self) -> Repository {
        let numbers = self.written.reviews.values().flat_map(BTreeMap::keys);
        let numbers = numbers.map(|name| number::without_zeros(name).to_owned()).collect();
        self.repository_with(Own { numbers, ..Own::default() })
    }

    /// The repository in which some KEPs are as files in memory say.
    pub fn repository_with(&self, own: Own) -> Repository {
        let Written { has_groups, groups, approvers, emeritus, tech_leads, leads, .. } = &self.written;
        let Own { keps, paths, reviews, numbers, has_groups: belong_to_groups } = own;
        let mut repository = Repository {
            groups: groups.clone(),
            aliases: Aliases {
                prr_approvers: approvers.clone(),
                emeritus_approvers: emeritus.clone(),
                tech_leads: tech_leads.clone(),
                leads: leads.clone(),
                people: people(approvers, leads),
            },
            unreadable_reviews: self.written.unreadable_reviews.clone(),
            has_groups: *has_groups || belong_to_groups,
            template: self.template.clone(),
            vocabulary: self.written.vocabulary.clone(),
            without_toc: self.written.without_toc.clone(),
            ..Repository::default()
        };
        let known = self.written.keps.iter().map(|(kep, known)| (kep.as_str(), known.brief()));
        let in_memory = keps.iter().map(|(kep, read)| (kep.as_str(), read.clone()));
        let mut briefs: Vec<(&str, Brief)> = known.chain(in_memory).collect::<BTreeMap<_, _>>().into_iter().collect();
        // As in the whole tree: of two KEPs with one number, the last one counts.
        briefs.sort_by(|(one, _), (other, _)| by_parts(one, other));
        let ways = briefs.iter().filter_map(|(kep, _)| kep.strip_prefix(TREE)?.strip_prefix('/'));
        repository.set_keps(ways.map(Path::new));
        self.add_reviews(&mut repository, reviews, &numbers);
        repository.paths = Some(self.paths_with(paths));
        repository.set_briefs(briefs.into_iter().map(|(kep, read)| (kep.rsplit('/').next().unwrap_or(kep), read)));
        repository
    }

    /// Adds the PRR files with these numbers; those that are in memory come before the others.
    fn add_reviews(&self, repository: &mut Repository, own: Vec<ReviewFile>, numbers: &BTreeSet<String>) {
        repository.reviews = Some(BTreeMap::new());
        let path = |sig: &str, name: &str| {
            let parts = [TREE, PROD_READINESS, sig].into_iter().filter(|part| !part.is_empty());
            parts.chain(once(format!("{name}.yaml").as_str())).collect::<Vec<_>>().join("/")
        };
        let is_asked = |name: &str| numbers.contains(number::without_zeros(name));
        let mut found: BTreeMap<(String, String), Arc<SourceFile>> = BTreeMap::new();
        for (sig, files) in &self.written.reviews {
            for (name, text) in files.iter().filter(|(name, _)| is_asked(name)) {
                let file = Arc::new(SourceFile::decode(path(sig, name), text.clone().into_bytes()));
                found.insert((sig.clone(), name.clone()), file);
            }
        }
        for ReviewFile { sig, name, file } in own {
            repository.unreadable_reviews.remove(&format!("{sig}/{name}"));
            if is_asked(&name) {
                found.insert((sig, name), file);
            }
        }
        found.into_iter().for_each(|((sig, name), file)| repository.add_review(sig, name, file));
    }

    fn paths_with(&self, own: BTreeSet<String>) -> Paths {
        let (known, same, own) = (Arc::clone(&self.paths), Arc::clone(&self.paths), Arc::new(own));
        let more = Arc::clone(&own);
        let has = move |path: &str| known.binary_search_by(|one| order(one, path)).is_ok() || own.contains(path);
        Paths::new(has, move || {
            let mut all: Vec<String> = same.iter().chain(more.iter()).cloned().collect();
            put_in_order(&mut all);
            all
        })
    }
}

pub fn is_way(path: &str) -> bool {
    path.len() as u64 <= bounds::PATH_BYTES && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// The order of paths: what is in a directory comes right after it.
fn order(one: &str, other: &str) -> Ordering {
    by_parts(one, other).then_with(|| one.cmp(other))
}

fn put_in_order(paths: &mut Vec<String>) {
    paths.sort_by(|one, other| order(one, other));
    paths.dedup();
}
